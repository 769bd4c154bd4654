"""Threads: each has a call stack of its own, and every call counts, whenever the threads take turns."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from disassembly import instructions

STARTS = [
    "clone",
    "clone3",
    "__clone3",
    "__clone_internal",
]  # where a new thread begins, without having been called


class Threads(Case):
    def test_counts(self) -> None:
        """Thread t calls work 100 (t + 1) times, and deep, which goes t + 2 levels down."""
        for level in LEVELS:
            for n in (1, 2, 3, 8):
                with self.subTest(level, threads=n):
                    program = compile("threads.c", level, "-fno-optimize-sibling-calls", "-pthread")
                    graph = self.graph_of(program, args=[str(n)], spontaneous=STARTS)
                    works = sum(100 * (t + 1) for t in range(n))
                    self.assertEqual(graph.called("body"), n)
                    self.assertCallers(graph, "work", {"body": works})
                    self.assertCallers(graph, "step", {"work": 3 * works})
                    self.assertCallers(graph, "deep", {"body": n})
                    self.assertEqual(graph.called("deep"), sum(t + 3 for t in range(n)))
                    self.assertEqual(
                        graph.callers("deep'2"), {"deep": n, "deep'2": sum(t + 1 for t in range(n))}
                    )
                    self.assertCallers(graph, "before_threads", {"main": 5})
                    self.assertCallers(graph, "join_all", {"main": 1})
                    self.assertEqual(graph.callees("main").keys() & {"body", "work", "step", "deep"}, set())

    def test_costs(self) -> None:
        """The cost of a thread is in no other thread's calls."""
        program = compile("threads.c", "-O0", "-fno-optimize-sibling-calls", "-pthread")
        graph = self.graph_of(program, args=["4"], spontaneous=STARTS)
        step = len(instructions(program, "step"))
        work = len(instructions(program, "work"))
        self.assertEqual(graph.self_costs["step"], 3000 * step)
        self.assertEqual(graph.self_costs["work"], 1000 * work)
        self.assertEqual(graph.arc_costs["body", "work"], 1000 * (work + 3 * step))
        self.assertEqual(graph.arc_costs["main", "join_all"], graph.inclusive("join_all"))


if __name__ == "__main__":
    unittest.main()
