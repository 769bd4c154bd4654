"""Machine code as text, through objdump."""

import os
import re
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from operator import gt, itemgetter
from typing import TypeVar

from cg2tools.program.excerpt import write_excerpt
from cg2tools.program.objdump import objdump_for

_NEAR = 4096
"""Instructions that are further apart are shown apart: a function's cold half
is elsewhere in the object."""

_APART = _NEAR
"""Pieces that are nearer than this many bytes are taken apart in one go, from the first instruction on: a
piece may begin inside one."""

_LABEL_MAX = 200
"""Bytes of a name that a file in memory can have."""

_LONGEST = 16  # bytes of an instruction

_LINE = re.compile(rb"^ *([0-9a-f]+): *\t(.+)$", re.MULTILINE)
"""An instruction as objdump writes it: its address, which LLVM's sets in columns, and its text."""

_BLOCK = 1 << 20  # bytes of text that are taken apart at once

_TARGET = re.compile(r"\b0x([0-9a-f]+)(?= <)")
"""An address in code, as LLVM's objdump writes it."""

_MAYBE_TARGET = re.compile("0x[0-9a-f]+ <")
"""The same, or a part of a word: found in a third of the time where there is none, as in most texts."""

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
    bounds = _joined(sorted(pieces), 0)
    readable = cache(_readable)  # most texts are there several times
    found = Instructions()
    for addresses, texts in _disassembled(path, bounds):
        start = bisect_left(bounds, addresses[0], key=itemgetter(1))
        for first, last in bounds[start : bisect_right(bounds, addresses[-1], key=itemgetter(0))]:
            part = slice(bisect_left(addresses, first), bisect_right(addresses, last))
            found.addresses += addresses[part]
            found.texts += map(readable, texts[part])
    return Instructions(*_rising(found.addresses, found.texts))


_Text = TypeVar("_Text", str, bytes)


def _rising(addresses: list[int], texts: list[_Text]) -> tuple[list[int], list[_Text]]:
    """Two columns in the order of addresses, as they are unless sections are in another one."""
    if not any(map(gt, addresses, islice(addresses, 1, None))):
        return addresses, texts
    order = sorted(range(len(addresses)), key=addresses.__getitem__)
    return [addresses[at] for at in order], [texts[at] for at in order]


def _joined(pieces: Iterable[tuple[int, int]], apart: int) -> list[tuple[int, int]]:
    """Rising pieces; those that are no more than so many bytes apart are one."""
    found: list[tuple[int, int]] = []
    for first, last in pieces:
        if found and first - found[-1][1] <= apart:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def _disassembled(
    path: str, bounds: list[tuple[int, int]]
) -> Iterator[tuple[list[int], list[bytes]]]:
    """The instructions of an object file in these pieces and around them, as objdump writes them:
    blocks of rising addresses, and their texts."""
    pieces = [(first, last + _LONGEST) for first, last in _joined(bounds, _APART)]
    label = os.fsdecode(os.fsencode(os.path.basename(path))[:_LABEL_MAX])
    with os.fdopen(os.memfd_create(label), "wb") as excerpt:
        name = f"/proc/self/fd/{excerpt.fileno()}"
        if not write_excerpt(path, pieces, excerpt):
            name = os.path.abspath(path)  # a relative one may begin as an option does
        excerpt.flush()
        with subprocess.Popen(
            [objdump_for(path), "-d", "-C", "--no-show-raw-insn", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[excerpt.fileno()],
        ) as objdump:
            assert objdump.stdout is not None
            for block in iter(partial(objdump.stdout.read, _BLOCK), b""):
                found = _LINE.findall(block + objdump.stdout.readline())
                if found:
                    addresses = [int(address, 16) for address, _ in found]
                    yield _rising(addresses, [text for _, text in found])


def _readable(line: bytes) -> str:
    text = " ".join(line.decode("utf-8", "surrogateescape").split())
    if " <" not in text:
        return text
    if _MAYBE_TARGET.search(text):
        text = _TARGET.sub(r"\1", text)
    inside = _INSIDE.fullmatch(text) if "+0x" in text else None
    return inside[1] if inside else text


def ranges(addresses: Sequence[int], near: int = _NEAR) -> Iterator[list[int]]:
    """Rising addresses, cut where two are further apart than `near` bytes."""
    start = 0
    for index in range(1, len(addresses) + 1):
        if index == len(addresses) or addresses[index] - addresses[index - 1] > near:
            yield list(addresses[start:index])
            start = index
