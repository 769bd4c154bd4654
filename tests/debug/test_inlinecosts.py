"""Inlined functions against gcov, which counts in a build of its own: calls, and what lines cost."""

from __future__ import annotations

import functools
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

import cg2test
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path
from cg2tools.profile.model import Part
from gcov import coverage
from test_inlines import PROGRAMS, built, calls, recorded, taken_apart

FUNCTION = re.compile(r"^static ([\w *]*?\b(\w+)\()", re.MULTILINE)


@functools.cache
def all_inlined(source: Path) -> Part:
    """The program with all its functions inlined, and nothing optimised: each call is there."""
    made = cg2test.new_directory() / source.name
    inlined = r"static inline __attribute__((always_inline)) \1"
    made.write_text(FUNCTION.sub(inlined, source.read_text()))
    program = made.with_suffix("")
    subprocess.run(["gcc", "-g", "-w", "-static", "-o", program, made], check=True)
    return taken_apart(program)


def line_costs(part: Part, names: set[str]) -> Counter[int]:
    """What the lines of functions cost themselves."""
    found: Counter[int] = Counter()
    for key, function in part.functions.items():
        if key.name in names:
            for _, line, cost in function.line_costs():
                found[line] += cost[0]
    return found


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(), "libcg2debug was not built: apt-get install libdw-dev"
)
class InlineCosts(unittest.TestCase):
    sources = PROGRAMS / "forty.c", PROGRAMS / "fifty.c"

    def test_calls(self) -> None:
        """Where nothing is optimised, each inlined function is called as often as gcov says that it was
        entered."""
        for source in self.sources:
            with self.subTest(source.name):
                names = {match[2] for match in FUNCTION.finditer(source.read_text())}
                truth = coverage(str(source)).functions
                found = calls(all_inlined(source))
                self.assertGreater(len(names), 40)
                self.assertEqual(
                    {name: found[name] for name in names}, {name: truth[name] for name in names}
                )

    def test_lines(self) -> None:
        """A line costs what it costs in the function that is called.

        Lines that call or return, and those beside them, which a jump may belong to, are left out.
        """
        for source in self.sources:
            with self.subTest(source.name):
                text = source.read_text()
                names = {match[2] for match in FUNCTION.finditer(text)}
                truth = coverage(str(source)).lines
                calling = re.compile(rf"\b(return|{'|'.join(names)})\b|for \(;;\)|^\W*$")
                rows = [bool(calling.search(line)) for line in text.splitlines()]
                plain = [
                    number
                    for number, near in enumerate(zip(rows, rows[1:], rows[2:]), 2)
                    if truth.get(number) and not any(near)
                ]
                self.assertGreater(len(plain), 10)
                apart = line_costs(all_inlined(source), names)
                called = cg2test.part_of(recorded(built(source.name, "gcc", "-O0")))
                whole = line_costs(called, names)
                self.assertEqual(
                    {line: apart[line] for line in plain}, {line: whole[line] for line in plain}
                )

    def test_lines_that_never_ran(self) -> None:
        """A line of an optimised inlined function costs nothing where gcov says that it never ran."""
        source = PROGRAMS / "fifty.c"
        names = {match[2] for match in FUNCTION.finditer(source.read_text())}
        never = {line for line, count in coverage(str(source)).lines.items() if not count}
        self.assertEqual(len(never), 3)
        for level in ("-O1", "-O2", "-O3"):
            with self.subTest(level=level):
                costs = line_costs(taken_apart(built(source.name, "gcc", level)), names)
                self.assertGreater(len(costs), 100)
                self.assertEqual({line for line in costs if costs[line]} & never, set())


if __name__ == "__main__":
    unittest.main()
