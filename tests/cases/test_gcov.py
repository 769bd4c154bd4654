"""Counts against gcov, which counts in a build of its own: functions, lines and the calls that a line makes.

In both programs each call of a function of the program stands on a line of its own.
"""

from __future__ import annotations

import unittest
from collections import Counter

from case import Case
from cg2test import compile
from disassembly import lines_with_code, straight_lines
from facts import Graph, base
from gcov import Coverage, coverage

FORMULAS = """\
a = 1+2*3
b = (a + 4) * a
c 5
d = (4*(3+(2-1)))/2
x = *
long = ((((((1+1)*2+1)*2+1)*2+1)*2+1)*2)/0 + unknown
a = a*b-d
a = a - a / 7 * a + b * (d - 1) * (d - 2) * (d - 3)
"""
PROGRAMS = {"sorting.c": "", "formula.c": FORMULAS}  # and what each reads
LEVELS = [["-O0"], ["-O2", "-fno-optimize-sibling-calls"]]


class Gcov(Case):
    def both(self, source: str, flags: list[str]) -> tuple[Graph, Coverage]:
        """The same source twice: as cg2 and as gcov see it."""
        stdin = PROGRAMS[source]
        graph = self.graph_of(compile(source, *flags), stdin=stdin)
        return graph, coverage(source, *flags, stdin=stdin)

    def test_functions(self) -> None:
        """Every function is called as often as gcov says that it was entered."""
        for source in PROGRAMS:
            for flags in LEVELS:
                with self.subTest(source, flags=flags):
                    graph, truth = self.both(source, flags)
                    self.assertGreater(len(truth.functions), 12)
                    self.assertEqual(
                        {name: graph.called(name) for name in truth.functions}, truth.functions
                    )

    def test_calls_by_line(self) -> None:
        """Each line calls as often as gcov says that it ran."""
        for source in PROGRAMS:
            with self.subTest(source):
                graph, truth = self.both(source, ["-O0"])
                found: Counter[int] = Counter()
                for key, function in graph.part.functions.items():
                    for call in function.calls:
                        if (
                            base(key.name) in truth.functions
                            and base(call.callee.name) in truth.functions
                        ):
                            found[call.source.line] += call.count
                self.assertGreater(len(found), 12)
                self.assertEqual(dict(found), {line: truth.lines[line] for line in found})

    def test_lines(self) -> None:
        """A line costs something if and only if gcov says that it ran."""
        for source in PROGRAMS:
            with self.subTest(source):
                graph, truth = self.both(source, ["-O0"])
                costs = line_costs(graph, source)
                known = truth.lines.keys() & lines_with_code(
                    compile(source, "-O0"), truth.functions
                )
                ran = {line for line in known if truth.lines[line]}
                self.assertGreater(len(ran), 50)
                self.assertLess(len(ran), len(known))
                self.assertEqual({line for line in known if costs[line]}, ran)

    def test_line_costs(self) -> None:
        """A line that always runs from its first instruction to its last costs their number each time."""
        for source in PROGRAMS:
            with self.subTest(source):
                graph, truth = self.both(source, ["-O0"])
                costs = line_costs(graph, source)
                lengths = straight_lines(compile(source, "-O0"), truth.functions)
                known = lengths.keys() & truth.lines.keys()
                self.assertGreater(len(known), 40)
                self.assertEqual(
                    {line: costs[line] for line in known},
                    {line: lengths[line] * truth.lines[line] for line in known},
                )


def line_costs(graph: Graph, source: str) -> Counter[int]:
    """What each line of `source` costs."""
    costs: Counter[int] = Counter()
    for function in graph.part.functions.values():
        for position, cost in function.costs.items():
            if position.file.endswith(source):
                costs[position.line] += cost[0]
    return costs


if __name__ == "__main__":
    unittest.main()
