"""Calls that are jumps, and jumps that are not calls."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from disassembly import instructions, symbols


class TailCalls(Case):
    def test_counts(self) -> None:
        """A jump to another function's first instruction counts as a call by the one that jumps."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("tail.c", level))
                self.assertCallers(graph, "first", {"main": 5})
                self.assertCallers(graph, "second_or_third", {"main": 5})
                self.assertCallers(graph, "second", {"first": 5, "second_or_third": 3})
                self.assertCallers(
                    graph, "third", {"second": 8, "second_or_third": 2, "through": 2}
                )
                self.assertCallers(graph, "after", {"main": 5, "through": 1})

    def test_costs(self) -> None:
        """What a function in tail position costs is inside the call of the one that jumped to it."""
        program = compile("tail.c", "-O2")
        graph = self.graph_of(program)
        third, second = len(instructions(program, "third")), len(instructions(program, "second"))
        first = len(instructions(program, "first"))
        self.assertEqual(graph.arc_costs["main", "first"], 5 * (first + second + third))
        self.assertEqual(graph.arc_costs["first", "second"], 5 * (second + third))
        self.assertEqual(graph.self_costs["third"], 12 * third)

    def test_jump_to_itself(self) -> None:
        """At -O2 a tail call of itself is a loop, not a call; at -O0 it is recursion."""
        graph = self.graph_of(compile("tail.c", "-O2"))
        self.assertCallers(graph, "countdown", {"main": 1})
        self.assertNotIn("countdown'2", graph.names())
        graph = self.graph_of(compile("tail.c", "-O0"))
        self.assertCallers(graph, "countdown'2", {"countdown": 1, "countdown'2": 3})


class Jumps(Case):
    def test_counts(self) -> None:
        """A jump to a function's first instruction is a call; to its middle, or by falling into it, not."""
        graph = self.graph_of(compile("jumps.c", "-O0", "jumps.S"))
        self.assertCallers(graph, "host", {"main": 4})
        self.assertCallers(graph, "enter_middle", {"main": 3})
        self.assertCallers(graph, "chain_a", {"main": 6})
        self.assertCallers(graph, "chain_b", {"chain_a": 6})
        self.assertCallers(graph, "chain_c", {"chain_b": 6})
        self.assertCallers(graph, "falls", {"main": 2})
        self.assertCallees(graph, "main", {"host": 4, "enter_middle": 3, "chain_a": 6, "falls": 2})

    def test_costs(self) -> None:
        """A call costs all that ran until it returned; what is run into without a call is the jumper's."""
        graph = self.graph_of(compile("jumps.c", "-O0", "jumps.S"))
        self.assertEqual(graph.arc_costs["main", "host"], 4 * 4)
        self.assertEqual(graph.arc_costs["main", "enter_middle"], 3 * (2 + 3))
        self.assertEqual(graph.arc_costs["main", "falls"], 2 * (2 + 2))
        self.assertEqual(graph.arc_costs["main", "chain_a"], 6 * (2 + 3 + 2))
        self.assertEqual(graph.arc_costs["chain_a", "chain_b"], 6 * (3 + 2))
        self.assertEqual(graph.arc_costs["chain_b", "chain_c"], 6 * 2)
        self.assertEqual(graph.self_costs["host"], 4 * 4)
        self.assertEqual(graph.self_costs["enter_middle"], 3 * (2 + 3))
        self.assertEqual(graph.self_costs["falls"], 2 * (2 + 2))
        self.assertNotIn("below", graph.names())


class Cold(Case):
    def test_counts(self) -> None:
        """A function's cold half, far away and with a symbol of its own, is the function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("cold.c", level))
                self.assertCallers(graph, "work", {"main": 10})
                self.assertCallers(graph, "rare", {"work": 4})
                self.assertCallers(graph, "common", {"work": 10})
                self.assertCallees(graph, "main", {"work": 10})
                self.assertUnnamed(graph, r"\.cold")

    def test_costs(self) -> None:
        """The cold half's instructions are the function's: it runs twice, and jumps back into the hot one."""
        program = compile("cold.c", "-O2")
        self.assertIn(
            "work.cold", symbols(program), "the compiler made no cold half: nothing is tested"
        )
        graph = self.graph_of(program)
        hot, cold = len(instructions(program, "work")), len(instructions(program, "work.cold"))
        common, rare = len(instructions(program, "common")), len(instructions(program, "rare"))
        self.assertEqual(graph.self_costs["work"], 10 * hot + 2 * cold)
        self.assertEqual(graph.arc_costs["main", "work"], 10 * (hot + common) + 2 * cold + 4 * rare)


if __name__ == "__main__":
    unittest.main()
