"""Recursion, and the levels of it that --separate-recs keeps apart."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from facts import Graph


class Recursion(Case):
    def graph(self, level: str, *options: str) -> Graph:
        return self.graph_of(compile("recursion.c", level, "-fno-optimize-sibling-calls"), *options)

    def test_two_levels(self) -> None:
        """The default: the first level, and one name for all deeper ones, which then calls itself."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph(level)
                self.assertCallers(graph, "fact", {"main": 1})
                self.assertCallers(graph, "fact'2", {"fact": 1, "fact'2": 4})
                self.assertCallers(graph, "even", {"main": 1})
                self.assertCallers(graph, "odd", {"even": 1})
                self.assertCallers(graph, "even'2", {"odd": 1, "odd'2": 3})
                self.assertCallers(graph, "odd'2", {"even'2": 4})
                self.assertCallers(graph, "fib", {"main": 1})
                self.assertCallers(graph, "fib'2", {"fib": 2, "fib'2": 174})
                self.assertCallers(graph, "bottom", {"down": 1, "down'2": 4})
                self.assertUnnamed(graph, r"^(fact|even|odd|fib|down)'[^2]")

    def test_one_level(self) -> None:
        """--separate-recs=1 knows no levels: a recursive function calls itself."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph(level, "--separate-recs=1")
                self.assertCallers(graph, "fact", {"main": 1, "fact": 5})
                self.assertCallers(graph, "even", {"main": 1, "odd": 4})
                self.assertCallers(graph, "odd", {"even": 5})
                self.assertCallers(graph, "fib", {"main": 1, "fib": 176})
                self.assertCallers(graph, "bottom", {"down": 5})
                self.assertUnnamed(graph, r"'\d+$")

    def test_ten_levels(self) -> None:
        """--separate-recs=10: each of the levels is a function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph(level, "--separate-recs=10")
                self.assertCallers(graph, "fact", {"main": 1})
                self.assertCallers(graph, "fact'2", {"fact": 1})
                for depth in range(3, 7):
                    self.assertCallers(graph, f"fact'{depth}", {f"fact'{depth - 1}": 1})
                self.assertNotIn("fact'7", graph.names())
                self.assertCallers(graph, "even'5", {"odd'4": 1})
                self.assertCallers(graph, "odd'5", {"even'5": 1})
                self.assertNotIn("even'6", graph.names())
                calls = [
                    1,
                    *(sum(graph.callers(f"fib'{depth}").values()) for depth in range(2, 11)),
                ]
                self.assertEqual(calls, FIB_CALLS_BY_DEPTH)
                self.assertNotIn("fib'11", graph.names())

    def test_costs(self) -> None:
        """However the levels are kept apart, a call from main costs the same, and each level its own part."""
        costs = []
        for recs in (1, 2, 10):
            graph = self.graph("-O0", f"--separate-recs={recs}")
            self_cost = sum(
                cost for name, cost in graph.self_costs.items() if name.split("'")[0] == "fib"
            )
            self.assertEqual(graph.arc_costs["main", "fib"], self_cost)
            costs.append(self_cost)
        self.assertEqual(len(set(costs)), 1, costs)


def fib_calls_by_depth(n: int) -> list[int]:
    """How many calls of fib there are at each depth below fib(n), worked out from its definition."""
    arguments, counts = [n], []
    while arguments:
        counts.append(len(arguments))
        arguments = [m for k in arguments if k >= 2 for m in (k - 1, k - 2)]
    return counts


FIB_CALLS_BY_DEPTH = fib_calls_by_depth(10)


class Deep(Case):
    def test_counts(self) -> None:
        """100,000 frames at once, left one by one and all together."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("deep.c", level, "-fno-optimize-sibling-calls"))
                self.assertCallers(graph, "descend", {"main": 1})
                self.assertCallers(graph, "descend'2", {"descend": 1, "descend'2": 99_998})
                self.assertCallers(graph, "dive", {"rescue": 1})
                self.assertCallers(graph, "dive'2", {"dive": 1, "dive'2": 99_998})
                self.assertCallers(graph, "after", {"main": 2})
                self.assertCallees(graph, "main", {"descend": 1, "after": 2, "rescue": 1})

    def test_levels(self) -> None:
        """A thousand levels kept apart are a thousand functions."""
        graph = self.graph_of(compile("deep.c", "-O0"), "--separate-recs=1000")
        self.assertCallers(graph, "descend'500", {"descend'499": 1})
        self.assertCallers(graph, "descend'1000", {"descend'999": 1, "descend'1000": 99_000})
        self.assertNotIn("descend'1001", graph.names())


if __name__ == "__main__":
    unittest.main()
