"""Processors whose calls push nothing, but put the return address into a register: what only they have."""

from __future__ import annotations

import re
import shutil
import unittest
from collections import Counter

from case import LEVELS, Case
from cg2test import MACHINE, compile
from facts import Graph

NO_SIBLINGS = "-fno-optimize-sibling-calls"
# Return addresses that are signed, and marks where branches may lead; and programs that relocate themselves.
KINDS: list[list[str]] = [["-mbranch-protection=standard"], ["-static-pie"], ["-static"]]


@unittest.skipUnless(MACHINE == "aarch64", "calls push the return address")
class Kinds(Case):
    def test_calls(self) -> None:
        for kind in KINDS:
            for level in LEVELS:
                with self.subTest(level, kind=kind):
                    graph = self.graph_of(compile("calls.c", level, *kind))
                    self.assertCallers(graph, "branch", {"main": 7})
                    self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})
                    graph = self.graph_of(compile("recursion.c", level, NO_SIBLINGS, *kind))
                    self.assertCallers(graph, "fact'2", {"fact": 1, "fact'2": 4})
                    self.assertCallers(graph, "odd'2", {"even'2": 4})

    def test_transfers(self) -> None:
        for kind in KINDS:
            for level in LEVELS:
                with self.subTest(level, kind=kind):
                    graph = self.graph_of(compile("tail.c", level, *kind))
                    self.assertCallers(
                        graph, "third", {"second": 8, "second_or_third": 2, "through": 2}
                    )
                    graph = self.graph_of(compile("longjmp.c", level, *kind))
                    self.assertCallers(graph, "thrower", {"down'2": 3, "near": 5})
                    self.assertCallers(graph, "between", {"main": 4})
                    self.assertEqual(graph.called("main"), 1)

    def test_chosen_at_start(self) -> None:
        """Stubs of a static program that relocates itself lead to functions that are chosen then."""
        graph = self.graph_of(compile("static.c", "-O0", "-static-pie"))
        self.assertEqual(sum(graph.callees("fill").values()), 5)
        self.assertEqual(sum(graph.callees("fill_again").values()), 7)
        self.assertUnnamed(graph, r"@plt", r"\*ABS\*")


def outlined(graph: Graph, caller: str) -> int:
    """How often a function calls code that the compiler has made a function of."""
    calls = graph.callees(caller)
    return sum(count for name, count in calls.items() if name.startswith("OUTLINED_FUNCTION"))


@unittest.skipUnless(MACHINE == "aarch64", "calls push the return address")
@unittest.skipUnless(shutil.which("clang"), "needs clang")
class Outlined(Case):
    """Calls at the very stack pointer of the caller's entry, whose return address waits in another
    register."""

    def test_counts(self) -> None:
        graph = self.graph_of(compile("outlined.c", "-Oz", "-moutline", compiler="clang"))
        calls = {"middle1": 10, "middle2": 10, "middle3": 5, "framed1": 5, "framed2": 4}
        calls |= {"framed3": 4, "ending1": 7, "ending2": 6, "ending3": 2}
        self.assertCallees(graph, "main", calls)
        for name, count in calls.items():
            # The endings have two parts in common: one that is called, and one that is jumped to.
            each = 2 if name.startswith("ending") else 1
            self.assertEqual(outlined(graph, name), each * count, name)
        leaves: Counter[bool] = Counter()
        for caller, count in graph.callers("leaf").items():
            leaves[bool(re.match("OUTLINED_FUNCTION", caller))] += count
        self.assertEqual(leaves, {True: 2 * 13 + 15})


if __name__ == "__main__":
    unittest.main()
