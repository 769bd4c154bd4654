"""Source files: where they are, and their lines.

A profile may be a stranger's, and names any file: only a source is read for it. That is a file of
text, called as sources are, also where links lead, and in no hidden directory; or what a person
names, below -I DIR.
"""

import os
import re
import stat
from collections.abc import Iterable, Sequence


def source_path(name: str, include: list[str], is_asked: bool = False) -> str | None:
    """The path of a source file that can be read; one that a person asked for may have any name.

    Looked for as it is called in the profile; then below all -I DIR, with all of its directories,
    then with ever fewer of them: of several files the one that has most of the name.
    """
    if "\0" in name:
        return None
    parts = os.path.normpath(name).strip("/").split("/")
    paths = [name] + [
        os.path.join(directory, *parts[skip:])
        for skip in range(len(parts))
        for directory in include
    ]
    return next((path for path in paths if is_source(path, include, is_asked)), None)


def is_refused(name: str) -> bool:
    """Whether a file is where a profile says, but may not be shown."""
    return "\0" not in name and os.path.isfile(name) and not is_source(name)


_SUFFIXES = frozenset(
    """
    ada adb ads al ali asm c c++ cc cl clj cob cpp cppm cr cs cu cuh cxx d dart def dpr erl ex f f03 f08
    f77
    f90 f95 for fpp fs ftn g go gperf h h++ hh hip hpp hs hxx i icc ii impl in inc inl ino ipp ispc ixx
    java jl js jsx kt l lex lisp ll lpp lua m mi ml mli mm mojo mpp mut nim odin p pas php pl pm pp proto pxd
    pxi py pyx r rb re rs s scala scm sv swift sx t tbl tcc template tmpl tpp ts tsx txx v vala vapi vhd vhdl
    x xs y yacc ypp yy zig
    """.split()
)
"""What names of sources end in, in lower case, by the languages that have debug information."""

_PLAIN = re.compile(r"/usr/include/.*|.*/include/(?:.*/)?c\+\+/.*")
"""Where headers are whose names have no end, such as <vector>."""

_SPECIAL = re.compile(r"/(?:proc|sys|dev|run)/")
"""Where files are that only look like files."""

_HIDDEN = re.compile(r"/\.(?!(?:cargo|rustup|conan2?|nix-profile|local|cache|build)/)[^/]")
"""A hidden file or directory, but for those that have sources of packages, or are built in."""

_LARGEST = 1 << 26
"""Bytes of the largest file that is taken for a source."""

_BEGINNING = 1 << 12
"""Bytes of a file that must look like text."""


def is_source(path: str, include: Sequence[str] = (), is_asked: bool = False) -> bool:
    """Whether a file is one that may be shown because a profile names it, or a person asked for it."""
    real = os.path.realpath(path)
    return _is_text(real) and (
        is_asked or _is_below(real, include) or _is_called_so(path) and _is_called_so(real)
    )


def _is_called_so(path: str) -> bool:
    """Whether a source is called so, in no hidden directory but one that a person is in."""
    here = os.path.join(os.path.realpath("."), "")
    whole = os.path.normpath(os.path.join(here, path))
    below = whole.removeprefix(here.rstrip("/")) if whole.startswith(here) else whole
    if _HIDDEN.search(below):
        return False
    end = os.path.basename(whole).rpartition(".")[2].lower()
    has_end = "." in os.path.basename(whole) and end in _SUFFIXES
    return has_end or bool(_PLAIN.fullmatch(whole))


def _is_below(real: str, include: Sequence[str]) -> bool:
    """Whether a file is below a directory that a person has named, and not hidden there."""
    for directory in include:
        top = os.path.join(os.path.realpath(directory), "")
        if real.startswith(top) and not _HIDDEN.search("/" + real.removeprefix(top)):
            return True
    return False


def _is_text(real: str) -> bool:
    """Whether it is a file, of a size that a source may have, that begins as a text does."""
    if _SPECIAL.match(real):
        return False
    try:
        file = os.stat(real)
        if not stat.S_ISREG(file.st_mode) or file.st_size > _LARGEST:
            return False
        with open(real, "rb") as stream:
            return b"\0" not in stream.read(_BEGINNING)
    except OSError:
        return False


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
