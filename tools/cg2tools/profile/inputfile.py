"""Where an input can be read as often as one likes: what a pipe gives, once, is kept in memory.

Some commands look at the beginning of a file before they have it read as what it is.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

STANDARD_INPUT = "standard input"
"""What messages call "-"."""

_DEVICE_MAX = (1 << 26) + (1 << 20)
"""Bytes of a device that are read: more than the library takes for a line."""

_PIECE = 1 << 20

_LINE_MAX = 1 << 16
"""Bytes of the longest line in a head."""

_kept: dict[str, str] = {}
"""Where the bytes are that a pipe has given, by the name of the pipe."""


def lasting(path: str | os.PathLike[str]) -> str:
    """A path at which the bytes of a file stay: its own, but for pipes and standard input, "-"."""
    name = os.fspath(path)
    if name in _kept:
        return _kept[name]
    if name != "-" and not _is_read_once(name):
        return name
    _kept[name] = f"/proc/self/fd/{_copied(name)}"
    return _kept[name]


def read_at(name: str) -> str:
    """Where the library has read what messages call so: at its own path, but for pipes."""
    return _kept.get("-" if name == STANDARD_INPUT else name, name)


def first_lines(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """The first lines of a file, at most so many; a long one is several."""
    return islice(iter(lambda: stream.readline(_LINE_MAX), b""), most)


def _copied(name: str) -> int:
    """A file in memory of what a pipe gives."""
    kept = os.memfd_create("input")
    is_standard = name == "-"
    try:
        with (
            open(0 if is_standard else name, "rb", 0, closefd=not is_standard) as pipe,
            open(kept, "wb", closefd=False) as copy,
        ):
            if stat.S_ISCHR(os.fstat(pipe.fileno()).st_mode):
                copy.write(_beginning(pipe))
            else:
                shutil.copyfileobj(pipe, copy)
    except OSError as error:
        raise OSError(
            error.errno, error.strerror, STANDARD_INPUT if is_standard else name
        ) from None
    return kept


def _beginning(device: BinaryIO) -> bytes:
    """What a device gives, as far as a line may be long: some have no end."""
    pieces, room = [], _DEVICE_MAX
    while room > 0 and (piece := device.read(min(room, _PIECE))):
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)


def _is_read_once(name: str) -> bool:
    """Whether a file is a pipe, a socket or a device; one that is not there is none."""
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
