"""Machine code as text, through objdump."""

import re
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from cg2tools.program.objdump import objdump_for

_NEAR = 4096
"""Instructions that are further apart are shown apart: a function's cold half
is elsewhere in the object."""

_APART = 1 << 16
"""Functions that are nearer than this many bytes are disassembled in one go,
as most of what objdump does is to read the object."""

_LONGEST = 16  # bytes of an instruction

_TARGET = re.compile(r"\b0x([0-9a-f]+)(?= <)")
"""An address in code, as LLVM's objdump writes it."""

_INSIDE = re.compile(
    r"((?:\S+ )?(?:j|loop|call|[ct]?b)\S* (?:\S+, ?)*[0-9a-f]+) <.*\+0x[0-9a-f]+>(?: // \S.*)?"
)
"""A jump or call to a symbol and some bytes.  It goes to a function that objdump
knows no symbol of, or inside one: the symbol says nothing, or what is wrong.
Behind it other names of an A64 instruction may stand."""


@dataclass(slots=True)
class Instructions:
    """Machine code in rising order, as two columns of equal length."""

    addresses: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, address: int, text: str) -> None:
        self.addresses.append(address)
        self.texts.append(text)

    def between(self, first: int, last: int) -> list[tuple[int, str]]:
        """The instructions from one address to another, both included."""
        part = slice(bisect_left(self.addresses, first), bisect_right(self.addresses, last))
        return list(zip(self.addresses[part], self.texts[part]))


def disassembled(
    path: str,
    pieces: Iterable[tuple[int, int]],
) -> Instructions:
    """The instructions in pieces of an object file, each once.

    A piece is the addresses of its first instruction and its last.
    """
    found = Instructions()
    bounds = sorted(pieces)
    readable = cache(_readable)  # most texts are there several times
    at = 0
    for first, last in _joined(bounds):
        for address, text in _disassembled(path, first, last + _LONGEST):
            while at < len(bounds) and bounds[at][1] < address:
                at += 1
            if at < len(bounds) and bounds[at][0] <= address:
                found.add(address, readable(text))
    return found


def _joined(pieces: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Rising pieces; those that are near each other are one."""
    if not pieces:
        return
    first, last = pieces[0]
    for piece in pieces:
        if piece[0] - last > _APART:
            yield first, last
            first, last = piece
        last = max(last, piece[1])
    yield first, last


def _disassembled(
    path: str,
    start: int,
    stop: int,
) -> Iterator[tuple[int, str]]:
    """The instructions of an object file between two addresses, as objdump
    writes them."""
    with subprocess.Popen(
        [
            objdump_for(path),
            "-d",
            "-C",
            "--no-show-raw-insn",
            f"--start-address={start:#x}",
            f"--stop-address={stop:#x}",
            path,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="surrogateescape",
    ) as objdump:
        assert objdump.stdout is not None
        for line in objdump.stdout:
            address, _, text = line.partition("\t")
            address = address.rstrip(" ")  # LLVM's sets columns
            if text and address[-1:] == ":" and not line.startswith(path):  # a path may be anything
                yield int(address[:-1], 16), text


def _readable(text: str) -> str:
    text = _TARGET.sub(r"\1", " ".join(text.split()))
    inside = _INSIDE.fullmatch(text)
    return inside[1] if inside else text


def ranges(addresses: Sequence[int], near: int = _NEAR) -> Iterator[list[int]]:
    """Rising addresses, cut where two are further apart than `near` bytes."""
    start = 0
    for index in range(1, len(addresses) + 1):
        if index == len(addresses) or addresses[index] - addresses[index - 1] > near:
            yield list(addresses[start:index])
            start = index
