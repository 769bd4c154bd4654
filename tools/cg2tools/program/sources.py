"""Source files: where they are, and their lines."""

import os
import re
from collections.abc import Iterable


def source_path(name: str, include: list[str]) -> str | None:
    """The path of a source file that can be read.

    Looked for as it is called in the profile; then below all -I DIR, with all of its directories,
    then with ever fewer of them: of several files the one that has most of the name.
    """
    parts = os.path.normpath(name).strip("/").split("/")
    paths = [name] + [
        os.path.join(directory, *parts[skip:])
        for skip in range(len(parts))
        for directory in include
    ]
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.R_OK)), None)


_SYSTEM = re.compile(r"/(?:usr/(?:include|lib\w*)|rustc)/|.*/\.(?:cargo|rustup)/")


def is_system(name: str) -> bool:
    """Whether a file belongs to a compiler or a library that is installed, not to a program: a header of C++,
    a crate."""
    return bool(_SYSTEM.match(os.path.normpath(name)))


def source_lines(path: str) -> list[str]:
    """The lines of a source file."""
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        texts = stream.read().split("\n")
    if texts[-1] == "":
        texts.pop()
    return texts


def near(numbers: Iterable[int], context: int, count: int) -> list[int]:
    """The lines of a file of `count` lines that are within `context` lines of
    one of these numbers; other numbers are passed over."""
    shown: set[int] = set()
    for number in numbers:
        if 0 < number <= count:
            shown.update(range(max(1, number - context), min(count, number + context) + 1))
    return sorted(shown)
