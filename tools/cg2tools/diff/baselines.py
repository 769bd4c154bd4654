"""Baselines: profiles that are kept under a name, to compare later ones with.

    kept = Baselines(".cg2/baselines")
    kept.keep("main", "cg2.out.4711")
    kept.find("main")                      ".cg2/baselines/main.out"

A baseline is the profile as it is, byte by byte.
"""

import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from cg2tools.profile.outputfile import write_file

DIRECTORY = ".cg2/baselines"
"""Where baselines are unless somebody says otherwise: below the current directory."""

_END = ".out"
_PIECE = 1 << 20


def baseline_name(text: str) -> str:
    """The name; ValueError if no baseline can have it."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,99}", text):
        raise ValueError(f"'{text}'; expected letters, digits and . _ + @ - as in main or v1.2")
    return text


class Baselines:
    """The baselines in a directory."""

    def __init__(self, directory: str) -> None:
        self.directory = Path(directory)

    def path(self, name: str) -> str:
        return str(self.directory / f"{name}{_END}")

    def is_kept(self, name: str) -> bool:
        return os.path.exists(self.path(name))

    def find(self, name: str) -> str:
        """The file of a baseline; OSError, which says which there are, if there is none."""
        if not self.is_kept(name):
            names = [path.name.removesuffix(_END) for path in self.directory.glob(f"*{_END}")]
            there = f"expected {' or '.join(sorted(names))}" if names else "there are none"
            raise FileNotFoundError(
                errno.ENOENT,
                f"no baseline '{name}'; {there}; --save-baseline={name} keeps one",
                str(self.directory),
            )
        return self.path(name)

    def keep(self, name: str, profile: str) -> str:
        """Keep a profile in place of the baseline that has the name; the file that it is now in."""
        self.directory.mkdir(parents=True, exist_ok=True)
        write_file(self.path(name), _pieces(profile))
        return self.path(name)


def _pieces(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece
