"""Calls and returns that do not come in pairs, and stacks that are switched."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import MACHINE, compile

# Instructions of odd.S that a function runs around the call that it makes.
AROUND = (
    {"call_pops_two": 6, "between": 2, "call_leaves_words": 5}
    if MACHINE == "aarch64"
    else {"call_pops_two": 4, "between": 1, "call_leaves_words": 4}
)


class Odd(Case):
    def test_counts(self) -> None:
        """Whatever a function does to its return address: what main calls next, main calls."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("odd.c", level, "odd.S"))
                self.assertCallees(
                    graph,
                    "main",
                    {
                        "where_am_i": 4,
                        "call_pops_two": 5,
                        "by_return": 6,
                        "between": 3,
                        "call_leaves_words": 7,
                        "settle": 25,
                    },
                )
                self.assertCallers(graph, "settle", {"main": 25})
                self.assertCallers(graph, "pops_two", {"call_pops_two": 5})
                self.assertCallers(graph, "drops", {"between": 3})
                self.assertCallers(graph, "leaves_words", {"call_leaves_words": 7})
                self.assertEqual(graph.called("main"), 1)

    def test_costs(self) -> None:
        """Every call costs exactly the instructions until the caller goes on."""
        graph = self.graph_of(compile("odd.c", "-O0", "odd.S"))
        self.assertEqual(graph.arc_costs["main", "where_am_i"], 4 * 5)
        self.assertEqual(
            graph.arc_costs["main", "call_pops_two"], 5 * (AROUND["call_pops_two"] + 3)
        )
        self.assertEqual(graph.arc_costs["call_pops_two", "pops_two"], 5 * 3)
        self.assertEqual(graph.arc_costs["main", "by_return"], 6 * 5)
        self.assertEqual(graph.arc_costs["main", "between"], 3 * (AROUND["between"] + 3))
        self.assertEqual(graph.arc_costs["between", "drops"], 3 * 3)
        self.assertEqual(
            graph.arc_costs["main", "call_leaves_words"], 7 * (AROUND["call_leaves_words"] + 3)
        )
        self.assertEqual(graph.arc_costs["call_leaves_words", "leaves_words"], 7 * 3)

    def test_return_to_another_range(self) -> None:
        """A call at the end of its unwind range: what it returns to has cells of its own."""
        graph = self.graph_of(compile("ranges.S", "-O0"), "--check-cells=yes")
        self.assertCallees(graph, "main", {"first": 1000})
        self.assertCallers(graph, "callee", {"first": 1000})
        self.assertEqual(graph.arc_costs["first", "callee"], 1000 * 2)
        self.assertEqual(graph.arc_costs["main", "first"], 1000 * (2 + 2 + 5))

    def test_entries(self) -> None:
        """A function that is called in each of its unwind ranges, by one instruction: either has its own
        cells."""
        graph = self.graph_of(compile("entries.S", "-O0"), "--check-cells=yes")
        self.assertCallees(graph, "main", {"call": 20})
        self.assertCallees(graph, "call", {"entries": 20})
        self.assertEqual(graph.arc_costs["call", "entries"], 10 * 2 + 10 * 9)

    def test_return_as_call(self) -> None:
        """A thunk that overwrites its return address by the function to call: the function is called."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("pointers.c", level, "-mindirect-branch=thunk"))
                self.assertEqual([graph.called(f"op{i}") for i in range(4)], [11, 20, 30, 40])
                self.assertCallers(graph, "dispatch", {"main": 100})
                self.assertEqual(graph.called("count_visit"), 14)
                self.assertEqual(graph.counts["main", "count_visit"], 1)
                self.assertEqual(graph.called("main"), 1)

    def test_wrapper(self) -> None:
        """Valgrind redirects calls to a wrapper, which bears the name of what it wraps and calls that."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("wrapped.c", level))
                self.assertEqual(graph.counts["main", "twice"], 50)
                self.assertEqual(graph.counts["twice", "twice'2"], 50)


if __name__ == "__main__":
    unittest.main()
