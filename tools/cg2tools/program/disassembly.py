"""Machine code as text, through objdump."""

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from operator import sub

from cg2tools.bindings.demangler import symbol_demangler
from cg2tools.program.code import Code
from cg2tools.program.excerpt import write_excerpt
from cg2tools.program.objdump import objdump_for

_NEAR = 4096
"""Instructions that are further apart are shown apart: a function's cold half
is elsewhere in the object."""

_APART = 64
"""Pieces that are nearer than this many bytes are taken apart in one go: there is no room for what stands
in front of a piece of its own."""

_LABEL_MAX = 200
"""Bytes of a name that a file in memory can have."""

_LONGEST = 16  # bytes of an instruction

_BLOCK = 1 << 20  # bytes of text that are taken apart at once


@dataclass(slots=True)
class Instructions:
    """Machine code in rising order, as two columns of equal length."""

    addresses: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def disassembled(
    path: str,
    pieces: Iterable[tuple[int, int]],
) -> Instructions:
    """The instructions in pieces of an object file, each once, as code_of() has them."""
    code = code_of(path, pieces)
    one: dict[str, str] = {}  # most texts are there several times
    return Instructions(
        list(code.addresses()), [one.setdefault(text, text) for text in code.texts()]
    )


def code_of(path: str, pieces: Iterable[tuple[int, int]]) -> Code:
    """The instructions in pieces of an object file.

    A piece is the addresses of its first instruction and its last.
    """
    bounds = _joined(sorted(pieces), 0)
    demangler = symbol_demangler()
    code = Code(bounds, demangler)
    for lines in _printed(path, bounds, demangles=not demangler):
        code.read(lines)
    code.end()
    return code


def _joined(pieces: Iterable[tuple[int, int]], apart: int) -> list[tuple[int, int]]:
    """Rising pieces; those that are no more than so many bytes apart are one."""
    found: list[tuple[int, int]] = []
    for first, last in pieces:
        if found and first - found[-1][1] <= apart:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def _printed(path: str, bounds: list[tuple[int, int]], demangles: bool) -> Iterator[bytes]:
    """What objdump prints of an object file with these pieces, and what is around them: blocks of whole
    lines."""
    pieces = [(first, last + _LONGEST) for first, last in _joined(bounds, _APART)]
    label = os.fsdecode(os.fsencode(os.path.basename(path))[:_LABEL_MAX])
    with os.fdopen(os.memfd_create(label), "wb") as excerpt:
        name = f"/proc/self/fd/{excerpt.fileno()}"
        if not write_excerpt(path, pieces, excerpt):
            name = os.path.abspath(path)  # a relative one may begin as an option does
        excerpt.flush()
        with subprocess.Popen(
            [objdump_for(path), "-d", *["-C"] * demangles, "--no-show-raw-insn", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=[excerpt.fileno()],
        ) as objdump:
            assert objdump.stdout is not None
            for block in iter(partial(objdump.stdout.read, _BLOCK), b""):
                yield block + objdump.stdout.readline()


def runs(addresses: Sequence[int], near: int = _NEAR) -> list[tuple[int, int]]:
    """Rising addresses, cut where two are further apart than `near` bytes: where each run begins and
    ends."""
    gaps = list(map(sub, addresses[1:], addresses))
    cuts = [i for i, gap in enumerate(gaps, 1) if gap > near] if max(gaps, default=0) > near else []
    return [*pairwise([0, *cuts, len(addresses)])] if addresses else []


def ranges(addresses: Sequence[int], near: int = _NEAR) -> Iterator[list[int]]:
    """The addresses of each run."""
    return (list(addresses[first:end]) for first, end in runs(addresses, near))
