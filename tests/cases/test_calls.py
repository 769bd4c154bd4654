"""Plain calls, and calls through pointers."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile, line_of
from disassembly import instructions


class Calls(Case):
    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("calls.c", level))
                self.assertCallers(graph, "branch", {"main": 7})
                self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})
                self.assertCallers(graph, "nothing", {"main": 1})
                self.assertCallees(graph, "main", {"branch": 7, "leaf": 1, "nothing": 1})
                self.assertNotIn("never", graph.names())

    def test_costs(self) -> None:
        """A function without branches costs its instructions each time; an arc costs all it leads to."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("calls.c", level)
                graph = self.graph_of(program)
                leaf = len(instructions(program, "leaf"))
                self.assertEqual(graph.self_costs["leaf"], 22 * leaf)
                self.assertEqual(graph.self_costs["nothing"], len(instructions(program, "nothing")))
                self.assertEqual(graph.arc_costs["branch", "leaf"], 21 * leaf)
                self.assertEqual(graph.arc_costs["main", "leaf"], leaf)
                self.assertEqual(
                    graph.arc_costs["main", "branch"], graph.self_costs["branch"] + 21 * leaf
                )

    def test_call_sites(self) -> None:
        """Calls from several lines are several calls= lines, each with its own count and place."""
        graph = self.graph_of(compile("calls.c", "-O0"))
        self.assertEqual(
            graph.call_sites("main"),
            {
                (line_of("calls.c", "sum += branch(i);"), "branch"): 7,
                (line_of("calls.c", "sum += leaf(sum);"), "leaf"): 1,
                (line_of("calls.c", "   nothing();"), "nothing"): 1,
            },
        )


class Pointers(Case):
    def test_counts(self) -> None:
        """A call site knows each of its callees; a callback has the caller that called it."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("pointers.c", level))
                self.assertCallees(graph, "dispatch", {"op0": 10, "op1": 20, "op2": 30, "op3": 40})
                self.assertCallers(graph, "op0", {"dispatch": 10, "main": 1})
                self.assertCallers(graph, "op3", {"dispatch": 40})
                self.assertCallers(graph, "dispatch", {"main": 100})
                self.assertCallers(graph, "count_visit", {"visit": 13, "main": 1})
                self.assertEqual(graph.called("compare"), 1)
                self.assertNotIn("main", graph.callers("compare"))


if __name__ == "__main__":
    unittest.main()
