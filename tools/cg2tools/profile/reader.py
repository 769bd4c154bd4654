"""Reads profiles in the Callgrind format: makes the model of what the library has read.

Each file is read whole, and what it says is checked; what is no proper profile is a
ProfileError. A function's lines become objects when one asks for them.
"""

import os
import re

from cg2tools.profile import libcg2profile
from cg2tools.profile.inputfile import first_lines, lasting
from cg2tools.profile.libcg2profile import LINES, LibraryProfile, Progress
from cg2tools.profile.model import Profile, part_of

_PATHS = b"# cg2 paths"

_HEAD_MAX = 1000
"""The lines of which some are a head."""


def read_profile(
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    detail: int = LINES,
    partial: bool = False,
    paths: bool = False,
) -> Profile:
    """Read a file, which gzip or zstd may have compressed, or a pipe.

    `progress` is called now and then, with how much is read and how much there is.
    `detail` says how much of the file is kept: FUNCTIONS, SUMS or LINES of the library.  With
    `partial`, it may have lost its end; with `paths`, it may be a file of paths: then each path
    is a function.
    """
    return _profile(libcg2profile.read(path, progress, detail, partial, paths))


def read_folded(path: str | os.PathLike[str], event: str, partial: bool = False) -> Profile:
    """Read folded stacks, lines as "main;f 12", as a profile of one event."""
    return _profile(libcg2profile.read_folded(path, event, partial))


def read_paths(path: str | os.PathLike[str], partial: bool = False) -> Profile:
    """Read a file of paths, as a profile in which each path is a function."""
    return _profile(libcg2profile.read_paths(path, partial))


def has_paths(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a file of paths."""
    try:
        with open(lasting(path), "rb") as stream:
            return stream.read(len(_PATHS)) == _PATHS
    except OSError:
        return False


def _profile(found: LibraryProfile) -> Profile:
    parts = list(map(part_of, found.parts))
    return Profile(found.path, found.version, found.creator, parts, found.cut_off)


def verbatim_head(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """The first lines "key: text" of a file, with all blanks but those in front of a text; none of a
    compressed file."""
    lines = []
    try:
        with open(lasting(path), "rb") as stream:
            for line in first_lines(stream, _HEAD_MAX):
                key, colon, text = os.fsdecode(line).rstrip("\r\n").partition(":")
                if colon:
                    lines.append((key, text.lstrip()))
                if key == "events":
                    return lines
    except OSError:
        pass
    return []


def is_profile(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a profile, as viewers decide it."""
    try:
        with open(lasting(path), "rb") as stream:
            start = stream.read(2047)
    except OSError:
        return False
    return (
        start.startswith(b"# callgrind format")
        or re.search(rb"^(events|creator):", start, re.MULTILINE) is not None
    )
