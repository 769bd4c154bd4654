"""Machine code of a function as it may be compared with that of another link of the program.

    texts = comparable(path, pieces)
    texts[piece]    the instructions of the piece; equal if they do the same

What a linker decides is left out: addresses of code and data. A jump within the function is how far
it goes, one that leaves it is the name of what it goes to.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from cg2tools.program.disassembly import disassembled

Piece = tuple[int, int]
"""The addresses of a first instruction and a last."""

_X86 = (3).to_bytes(2, "little"), (62).to_bytes(2, "little")
_MACHINE = 18  # where an ELF file says its processor

_FIXED = 0x400000
"""From here on lie programs that are linked to fixed addresses, whose numbers may be addresses."""

_TARGET = re.compile(r"\b([0-9a-f]+)(?: <([^+>]*)[^>]*>)?$")
_REMARK = re.compile(r"\s*# .*")  # where what is relative to the instruction lies
_RELATIVE = re.compile(r"-?0x[0-9a-f]+\(%rip\)")
_NUMBER = re.compile(r"0x[0-9a-f]{6,}\b")
_TRANSFER = re.compile(r"(?:bnd |notrack |rep )*(?:j|call|loop|xbegin)")


def is_comparable(path: str) -> bool:
    """Whether there is an object file of a processor whose code can be compared: x86 or amd64."""
    try:
        with open(path, "rb") as file:
            head = file.read(_MACHINE + 2)
    except OSError:
        return False
    return head[:4] == b"\x7fELF" and head[_MACHINE:] in _X86


def comparable(path: str, pieces: Sequence[Piece]) -> dict[Piece, tuple[str, ...]]:
    """The instructions of each piece of an object file, without what a linker decides.

    None, if no instruction begins where the piece does. Raises OSError if objdump cannot be run.
    """
    code = disassembled(path, pieces)
    fixed = range(_FIXED, _FIXED + os.path.getsize(path))
    return {piece: tuple(_kept(code.addresses, code.texts, piece, fixed)) for piece in set(pieces)}


def _kept(
    addresses: Sequence[int], texts: Sequence[str], piece: Piece, fixed: range
) -> Iterator[str]:
    first, last = piece
    start = bisect_left(addresses, first)
    if addresses[start : start + 1] != [first]:
        return
    for place in range(start, len(addresses)):
        if addresses[place] > last:
            return
        yield f"{addresses[place] - first:x} {_without_link(texts[place], piece, fixed)}"


def _without_link(text: str, piece: Piece, fixed: range) -> str:
    first, last = piece
    text = _RELATIVE.sub("(%rip)", _REMARK.sub("", text))
    if _TRANSFER.match(text) and (target := _TARGET.search(text)):
        address = int(target[1], 16)
        is_inside = first <= address <= last
        to = f"+{address - first:x}" if is_inside else target[2] or ""
        return text[: target.start()] + to
    if first < _FIXED:
        return text
    return _NUMBER.sub(lambda number: "" if int(number[0], 16) in fixed else number[0], text)
