"""What programs of types touch, as Valgrind's lackey sees it: a data file whose every access is known.

With NOTES in its environment a program notes each block that it allocates, with its type: a line
on its standard error, "ADDRESS SIZE LINE FUNCTION TYPE". Lackey's trace says which instruction
touches which address.
"""

from __future__ import annotations

import bisect
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cg2test
from cg2test import HANG

sys.path.append(str(cg2test.SOURCE / "tests" / "lib"))

from datafiles import DataText  # noqa: E402

_NOTE = re.compile(r"^(0x[0-9a-f]+) (\d+) (\d+) (\S+) (.*)$", re.MULTILINE)
_ACCESS = re.compile(r"^ ([SLM]) ([0-9a-f]+),", re.MULTILINE)
_PLACE = "/the/program"
_LIBRARY = "/nonexistent/libc.so.6", "???", "libc"


@dataclass
class Block:
    start: int
    size: int
    name: str
    type: str


@dataclass
class Traced:
    """What a run has touched."""

    text: str
    """A data file."""
    types: dict[str, str]
    """What type each object has, by its name."""
    accesses: dict[str, int]


def traced(program: Path, source: Path) -> Traced:
    """Run a program that has fixed addresses; one that is the same elsewhere has run once."""
    known = _traced(_Program(program), source)
    return replace(known, text=known.text.replace(_PLACE, str(program)))


@dataclass
class _Program:
    """A program, which is equal to others of the same bytes."""

    path: Path

    def __post_init__(self) -> None:
        self.content = self.path.read_bytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Program) and self.content == other.content

    def __hash__(self) -> int:
        return hash(self.content)


@functools.cache
def _traced(program: _Program, source: Path) -> Traced:
    """What is traced, with _PLACE for the program's path."""
    said = subprocess.run(
        ["valgrind", "--tool=lackey", "--trace-mem=yes", program.path],
        env={**os.environ, "NOTES": "yes"},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    ).stderr
    blocks = []
    for start, size, line, function, type in _NOTE.findall(said):
        name = f"heap::{source.name}:{line} ({function})"
        blocks.append(Block(int(start, 16), int(size), name, type))
    blocks.sort(key=lambda block: block.start)
    return _joined(_functions(program.path), source, said, blocks)


def _accesses(said: str) -> Iterator[tuple[int, int, bool]]:
    """The instruction and the address of each access, and whether it is a read."""
    for of_instruction in said.split("\nI  ")[1:]:
        if "\n" in of_instruction:  # half of the instructions access nothing
            pc = int(of_instruction.partition(",")[0], 16)
            for kind, address in _ACCESS.findall(of_instruction):
                yield pc, int(address, 16), kind == "L"


def _joined(
    functions: list[tuple[int, str]], source: Path, said: str, blocks: list[Block]
) -> Traced:
    starts = [block.start for block in blocks]
    counts: dict[tuple[str, int, int, bool], int] = {}
    for pc, address, is_read in _accesses(said):
        place = bisect.bisect_right(starts, address) - 1
        if place >= 0 and address < starts[place] + blocks[place].size:
            key = (blocks[place].name, address - starts[place], pc, is_read)
            counts[key] = counts.get(key, 0) + 1
    made = DataText()
    for block in blocks:
        made.allocate((block.name, _PLACE), 1, block.size)
    accesses: dict[str, int] = {}
    for (name, offset, pc, is_read), count in counts.items():
        known = bisect.bisect_right(functions, (pc, "\x7f")) - 1
        is_own = known >= 0 and pc < functions[known][0] + 0x10000
        function = (_PLACE, str(source), functions[known][1]) if is_own else _LIBRARY
        event = {"Dr" if is_read else "Dw": count}
        made.touch((name, _PLACE), offset, function, (pc, 1), count, **event)
        accesses[name] = accesses.get(name, 0) + count
    return Traced(made.text(), {block.name: block.type for block in blocks}, accesses)


def _functions(program: Path) -> list[tuple[int, str]]:
    said = subprocess.run(["nm", "-C", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split(" ", 2) for line in said.splitlines()]
    return sorted(
        (int(row[0], 16), re.sub(r"\(.*", "", row[2])) for row in rows if row[1] in ("t", "T")
    )
