"""The build-id of an ELF file, which tells it from any other."""

import struct
from collections.abc import Iterator
from typing import BinaryIO

_NOTES, _BUILD_ID = 4, 3
"""The type of a segment that has notes, and that of a note that has the build-id. Source: System V ABI,
"Program Header"; GNU ld's manual, --build-id."""

_NOTES_MAX = 1 << 20


def build_id(path: str) -> str:
    """The build-id as it is usually shown, in hexadecimal digits; "": there is none, or no ELF file."""
    try:
        with open(path, "rb") as file:
            return next(filter(None, (_find(notes, order) for notes, order in _notes(file))), "")
    except (OSError, OverflowError, ValueError, struct.error):
        return ""


def _notes(file: BinaryIO) -> Iterator[tuple[bytes, str]]:
    """Each segment of notes, and the order of the bytes of its numbers, for struct."""
    head = file.read(64)
    if head[:4] != b"\177ELF":
        return
    order = "<" if head[5] == 1 else ">"
    is_64 = head[4] == 2
    (at,) = struct.unpack_from(order + ("Q" if is_64 else "I"), head, 32 if is_64 else 28)
    size, count = struct.unpack_from(order + "HH", head, 54 if is_64 else 42)
    places = order + ("I4xQ16xQ" if is_64 else "II8xI")
    for number in range(count):
        file.seek(at + number * size)
        kind, offset, length = struct.unpack(places, file.read(struct.calcsize(places)))
        if kind == _NOTES and length <= _NOTES_MAX:
            file.seek(offset)
            yield file.read(length), order


def _find(notes: bytes, order: str) -> str:
    """The build-id among notes; "": it is not there."""
    at = 0
    while at + 12 <= len(notes):
        name, said, kind = struct.unpack_from(order + "III", notes, at)
        start = at + 12 + _aligned(name)
        if kind == _BUILD_ID and notes[at + 12 : at + 12 + name] == b"GNU\0":
            return notes[start : start + said].hex()
        at = start + _aligned(said)
    return ""


def _aligned(size: int) -> int:
    return (size + 3) & ~3
