"""What programs of types touch, as Valgrind's lackey sees it: a data file whose every access is known.

With NOTES in its environment a program notes each block that it allocates, with its type: a line
on its standard error, "ADDRESS SIZE LINE FUNCTION TYPE". Lackey's trace says which instruction
touches which address.
"""

from __future__ import annotations

import bisect
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import cg2test
from cg2test import HANG

sys.path.append(str(cg2test.SOURCE / "tests" / "lib"))

from datafiles import DataText  # noqa: E402

_NOTE = re.compile(r"(0x[0-9a-f]+) (\d+) (\d+) (\S+) (.*)")
_ACCESS = re.compile(r"(I | S| L| M) +([0-9a-f]+),")
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
    """Run a program that has fixed addresses."""
    ended = subprocess.run(
        ["valgrind", "--tool=lackey", "--trace-mem=yes", program],
        env={**os.environ, "NOTES": "yes"},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    )
    lines = ended.stderr.splitlines()
    blocks = []
    for line in lines:
        if match := _NOTE.fullmatch(line):
            name = f"heap::{source.name}:{match[3]} ({match[4]})"
            blocks.append(Block(int(match[1], 16), int(match[2]), name, match[5]))
    blocks.sort(key=lambda block: block.start)
    return _joined(program, source, lines, blocks)


def _joined(program: Path, source: Path, lines: list[str], blocks: list[Block]) -> Traced:
    functions = _functions(program)
    starts = [block.start for block in blocks]
    counts: dict[tuple[str, int, int, bool], int] = {}
    pc = 0
    for line in lines:
        match = _ACCESS.match(line)
        if not match:
            continue
        address = int(match[2], 16)
        if match[1] == "I ":
            pc = address
            continue
        place = bisect.bisect_right(starts, address) - 1
        if place >= 0 and address < starts[place] + blocks[place].size:
            key = (blocks[place].name, address - starts[place], pc, match[1] == " L")
            counts[key] = counts.get(key, 0) + 1
    made = DataText()
    for block in blocks:
        made.allocate((block.name, str(program)), 1, block.size)
    accesses: dict[str, int] = {}
    for (name, offset, pc, is_read), count in counts.items():
        known = bisect.bisect_right(functions, (pc, "\x7f")) - 1
        is_own = known >= 0 and pc < functions[known][0] + 0x10000
        function = (str(program), str(source), functions[known][1]) if is_own else _LIBRARY
        event = {"Dr" if is_read else "Dw": count}
        made.touch((name, str(program)), offset, function, (pc, 1), count, **event)
        accesses[name] = accesses.get(name, 0) + count
    return Traced(made.text(), {block.name: block.type for block in blocks}, accesses)


def _functions(program: Path) -> list[tuple[int, str]]:
    said = subprocess.run(["nm", "-C", program], capture_output=True, text=True, check=True).stdout
    rows = [line.split(" ", 2) for line in said.splitlines()]
    return sorted(
        (int(row[0], 16), re.sub(r"\(.*", "", row[2])) for row in rows if row[1] in ("t", "T")
    )
