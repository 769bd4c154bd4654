"""The little that must be known of object files: where they begin, whether an instruction is a jump
(amd64)."""

from __future__ import annotations

import functools
import struct
from dataclasses import dataclass
from pathlib import Path

LOADED = 1  # PT_LOAD
PREFIXES = bytes([0x2E, 0x3E, 0x66, 0xF2, *range(0x40, 0x50)])  # branch hints, notrack, bnd, REX
SHORT_JUMPS = bytes([*range(0x70, 0x80), *range(0xE0, 0xE4), 0xEB])  # one byte of distance behind
NEAR_JUMP = 0xE9  # four bytes of distance behind
NEAR_CONDITIONAL = range(0x80, 0x90)  # behind 0x0F, likewise
INDIRECT = 0xFF
INDIRECT_JUMPS = (4, 5)  # in the middle bits of the byte behind


@dataclass(frozen=True)
class Segment:
    """A piece of a file and where it is in memory."""

    address: int
    content: bytes


@functools.cache
def segments(path: str) -> tuple[Segment, ...]:
    """The loaded segments of a 64-bit ELF file; none for another file."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return ()
    if content[:5] != b"\x7fELF\x02":
        return ()
    (table,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    found = []
    for number in range(count):
        kind, _, offset, address, _, length = struct.unpack_from(
            "<IIQQQQ", content, table + number * size
        )
        if kind == LOADED:
            found.append(Segment(address, content[offset : offset + length]))
    return tuple(found)


def entry_of(path: str) -> int:
    """The entry point of an ELF file; 0 for another file."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return 0
    if content[:4] != b"\x7fELF":
        return 0
    (entry,) = struct.unpack_from("<Q" if content[4] == 2 else "<I", content, 24)
    return int(entry)


def code_at(path: str, address: int) -> bytes:
    """The bytes from `address` of an object on, enough for one instruction; empty when unknown."""
    for segment in segments(path):
        start = address - segment.address
        if 0 <= start < len(segment.content):
            return segment.content[start : start + 16]
    return b""


def is_jump_to(path: str, address: int, target: int) -> bool:
    """Whether the instruction at `address` of an object jumps straight to `target`: no call, and by no stub.

    Where an indirect jump goes is not in the code; the profile says that it went to `target`.
    """
    code = code_at(path, address)
    start = len(code) - len(code.lstrip(PREFIXES))
    opcode, behind = code[start : start + 1], code[start + 1 :]
    if opcode == bytes([INDIRECT]):
        return behind[0] >> 3 & 7 in INDIRECT_JUMPS
    if opcode and opcode in SHORT_JUMPS:
        return address + start + 2 + signed(behind[:1]) == target
    if opcode == bytes([NEAR_JUMP]):
        return address + start + 5 + signed(behind[:4]) == target
    if opcode == b"\x0f" and behind[0] in NEAR_CONDITIONAL:
        return address + start + 6 + signed(behind[1:5]) == target
    return False


def signed(distance: bytes) -> int:
    """A jump's distance."""
    return int.from_bytes(distance, "little", signed=True)
