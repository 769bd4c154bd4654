"""Machine code of a function as it may be compared with that of another link of the program.

    texts = comparable(path, pieces)
    texts[piece]    the instructions of the piece; equal if they do the same

What a linker decides is left out: addresses of code and data. A jump within the function is how far
it goes, one that leaves it is the name of what it goes to. Of aarch64, where two instructions make an
address, that is a page, and what is added to its register until something else is in there.
"""

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cg2tools.program.disassembly import disassembled

Piece = tuple[int, int]
"""The addresses of a first instruction and a last."""

_X86, _AARCH64 = (3, 62), 183
_MACHINE = 18  # where an ELF file says its processor

_FIXED = 0x400000
"""From here on lie programs that are linked to fixed addresses, whose numbers may be addresses."""

_TARGET = re.compile(r"\b(?:0x)?([0-9a-f]+)(?: <([^+>]*)[^>]*>)?$")
_REMARK = re.compile(r"\s*# .*")  # where what is relative to the instruction lies
_RELATIVE = re.compile(r"-?0x[0-9a-f]+\(%rip\)")
_NUMBER = re.compile(r"0x[0-9a-f]{6,}\b")
_TRANSFER = re.compile(r"(?:bnd |notrack |rep )*(?:j|call|loop|xbegin)")


_ARM_REMARK = re.compile(r"\s*//.*")
_ARM_LITERAL = re.compile(r"(?:adr|ldr(?:sw)?)\s+\w+, (?=#?-?(?:0x)?[0-9a-f]+(?: <|$))")
_ARM_TRANSFER = re.compile(r"(?:bl?|b\.\w+|cbn?z|tbn?z)\s")
_ARM_PAGE = re.compile(r"adrp\s+(x\d+)")
_ARM_ADDED = re.compile(r"\b(x\d+), #(?:0x)?[0-9a-f]+\b")
_ARM_WRITTEN = re.compile(r"(?!st|cmp|cmn|tst|b|cb|tb|prfm)\w+\s+[xw](\d+)\b(?:, [xw](\d+), \[)?")


def is_comparable(path: str) -> bool:
    """Whether there is an object file of a processor whose code can be compared: x86, amd64 or aarch64."""
    return _processor(path) in (*_X86, _AARCH64)


def _processor(path: str) -> int:
    """The number that an ELF file has for its processor; 0: there is none."""
    try:
        with open(path, "rb") as file:
            head = file.read(_MACHINE + 2)
    except OSError:
        return 0
    return int.from_bytes(head[_MACHINE:], "little") if head[:4] == b"\x7fELF" else 0


def comparable(path: str, pieces: Sequence[Piece]) -> dict[Piece, tuple[str, ...]]:
    """The instructions of each piece of an object file, without what a linker decides.

    None, if no instruction begins where the piece does. Raises OSError if objdump cannot be run.
    """
    code = disassembled(path, pieces)
    fixed = range(_FIXED, _FIXED + os.path.getsize(path))
    is_arm = _processor(path) == _AARCH64

    def kept(piece: Piece) -> Iterator[str]:
        if is_arm:
            return _kept(code.addresses, code.texts, piece, _ArmCode(piece).without_link)
        return _kept(code.addresses, code.texts, piece, partial(_without_link, piece, fixed))

    return {piece: tuple(kept(piece)) for piece in set(pieces)}


def _kept(
    addresses: Sequence[int], texts: Sequence[str], piece: Piece, like: Callable[[str], str]
) -> Iterator[str]:
    first, last = piece
    start = bisect_left(addresses, first)
    if addresses[start : start + 1] != [first]:
        return
    for place in range(start, len(addresses)):
        if addresses[place] > last:
            return
        yield f"{addresses[place] - first:x} {like(texts[place])}"


def _without_link(piece: Piece, fixed: range, text: str) -> str:
    """An instruction of x86 or amd64."""
    first, last = piece
    text = _RELATIVE.sub("(%rip)", _REMARK.sub("", text))
    if _TRANSFER.match(text) and (target := _TARGET.search(text)):
        return text[: target.start()] + _goes_to(target, piece)
    if first < _FIXED:
        return text
    return _NUMBER.sub(lambda number: "" if int(number[0], 16) in fixed else number[0], text)


def _goes_to(target: re.Match[str], piece: Piece) -> str:
    """How far a jump goes within the piece, or the name of what it goes to."""
    first, last = piece
    address = int(target[1], 16)
    return f"+{address - first:x}" if first <= address <= last else target[2] or ""


class _ArmCode:
    """Instructions of aarch64, one after the other."""

    def __init__(self, piece: Piece) -> None:
        self._piece = piece
        self._pages: set[str] = set()
        """Registers that have the page of an address."""

    def without_link(self, text: str) -> str:
        """The next instruction."""
        text = _ARM_REMARK.sub("", text)
        if page := _ARM_PAGE.match(text):
            self._pages.add(page[1])
            return page[0]
        if literal := _ARM_LITERAL.match(text):
            text = literal[0]
        elif _ARM_TRANSFER.match(text) and (target := _TARGET.search(text)):
            text = text[: target.start()] + _goes_to(target, self._piece)
        like = _ARM_ADDED.sub(self._without_place, text) if self._pages else text
        if written := _ARM_WRITTEN.match(text):
            self._pages -= {f"x{number}" for number in written.groups() if number}
        return like

    def _without_place(self, added: re.Match[str]) -> str:
        return added[1] if added[1] in self._pages else added[0]
