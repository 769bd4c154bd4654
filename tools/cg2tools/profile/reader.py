"""Reads profiles in the Callgrind format: makes the model of what the library has read.

Each file is read whole, and what it says is checked; what is no proper profile is a
ProfileError. A function's lines become objects when one asks for them.
"""

import os
import re

from cg2tools.profile import libcg2profile
from cg2tools.profile.libcg2profile import LINES, LibraryProfile, Progress
from cg2tools.profile.model import Profile, part_of


def read_profile(
    path: str | os.PathLike[str], progress: Progress | None = None, detail: int = LINES
) -> Profile:
    """Read a file, which gzip or zstd may have compressed, or a pipe.

    `progress` is called now and then, with how much is read and how much there is.
    `detail` says how much of the file is kept: FUNCTIONS, SUMS or LINES of the library.
    """
    return _profile(libcg2profile.read(path, progress, detail))


def read_folded(path: str | os.PathLike[str], event: str) -> Profile:
    """Read folded stacks, lines as "main;f 12", as a profile of one event."""
    return _profile(libcg2profile.read_folded(path, event))


def _profile(found: LibraryProfile) -> Profile:
    return Profile(found.path, found.version, found.creator, list(map(part_of, found.parts)))


def where_cut_off(path: str | os.PathLike[str]) -> str:
    """Where a profile of cg2 or Callgrind ends before its end, as "in line 7, at byte 123".

    Both end a file with a line `totals:`.  "": it has its end, or nobody knows.
    """
    lines = size = 0
    start = end = b""
    try:
        with open(path, "rb") as stream:
            for piece in iter(lambda: stream.read(1 << 20), b""):
                start = start or piece[:2047]
                end = (end + piece)[-(1 << 12) :]
                lines += piece.count(b"\n")
                size += len(piece)
    except OSError:
        return ""
    is_known = re.search(rb"^creator: callgrind-", start, re.MULTILINE)
    if not is_known or re.search(rb"^totals:.*\n\s*\Z", end, re.MULTILINE):
        return ""
    place = f"behind line {lines}" if end.endswith(b"\n") else f"in line {lines + 1}"
    return f"{place}, at byte {size}"


def is_profile(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a profile, as viewers decide it."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(2047)
    except OSError:
        return False
    return (
        start.startswith(b"# callgrind format")
        or re.search(rb"^(events|creator):", start, re.MULTILINE) is not None
    )
