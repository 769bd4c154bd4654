"""Where the libraries of the commands are."""

from __future__ import annotations

from pathlib import Path

NAME = "libcg2profile.so.1"
"""The library that reads, writes and adds up profiles."""


def library_path(name: str = NAME) -> Path:
    """A library's place: beside the folder tools/ that this module is in, whether it is there or not.

    In the source tree and in a build directory make leaves it there, and installed there is a link to it, in
    share/cg2. The path to the module is taken as it was found: in a build directory it goes through a link.
    """
    return Path(__file__).absolute().parents[3] / name
