"""Generated A64 code: how many instructions of the host cg2 adds to a block, an access that hits, and a call.

An emulator counts them exactly. docs/measured.md has these figures beside those of amd64.
"""

from __future__ import annotations

import functools
import sys
import unittest

import cg2test
from cg2test import SOURCE, new_directory
from emulated import machine

sys.path.insert(0, str(SOURCE / "tests" / "bench"))

from instructions import emulated  # noqa: E402  (found through the path just set)

ROUNDS = 20_000
ALIGNED = ("-O1", "-static", "-falign-loops=64", "-falign-functions=64")
# Without what no tool does and cg2 cannot: blocks of several rounds.
BLOCKS = ("-q", "--vex-iropt-unroll-thresh=0", "--vex-guest-chase=no")
CACHES = ("--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")


class Code(unittest.TestCase):
    """What a round of a loop takes."""

    full = True

    def setUp(self) -> None:
        self.program = machine().compile("rounds.c", *ALIGNED)

    @functools.cache
    def total(self, tool: str, what: str, rounds: int, *options: str) -> int:
        here = machine()
        library = here.tested / ".in_place"
        blocks, _ = emulated(
            [
                *(str(library / f"{tool}-arm64-linux"), f"--tool={tool}", *BLOCKS, *options),
                *(str(self.program), what, str(rounds)),
            ],
            new_directory(),
            cg2test.env(VALGRIND_LIB=str(library), VALGRIND_LAUNCHER=str(here.valgrind)),
            "aarch64",
        )
        return sum(block.instructions * block.runs for block in blocks)

    def round(self, tool: str, what: str, *options: str) -> float:
        few, many = (self.total(tool, what, n, *options) for n in (1000, 1000 + ROUNDS))
        return (many - few) / ROUNDS

    def test_block(self) -> None:
        """The clock and a cell: three instructions each, the address of the cells, and what VEX does not
        join."""
        self.assertLessEqual(self.round("cg2", "b") - self.round("none", "b"), 8.5)

    def test_accesses(self) -> None:
        """A line of code, a read and a write that hit."""
        line = self.round("cg2", "b", *CACHES) - self.round("cg2", "b")
        self.assertLessEqual(line, 10.5)
        for what, most in (("r", 18.5), ("w", 17.5)):
            added = self.round("cg2", what, *CACHES) - self.round("cg2", what) - line
            self.assertLessEqual(added, most, what)

    def test_call(self) -> None:
        """A call, its return, and the three blocks of that."""
        self.assertLessEqual(self.round("cg2", "c") - self.round("none", "c"), 110)


if __name__ == "__main__":
    unittest.main()
