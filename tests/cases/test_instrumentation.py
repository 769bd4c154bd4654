"""Instrumentation switched on and off while the program runs: what is on the stack then is known."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile

RECURSIVE = "-fno-optimize-sibling-calls"
ROOTS = ["(below main)"]  # what the kernel started, when that was not seen


class Instrumentation(Case):
    def test_callers_are_known(self) -> None:
        """The calls that are on the stack when it goes on are frames: no function calls its caller."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    compile("switched.c", level, RECURSIVE), "--instr-atstart=no", spontaneous=ROOTS
                )
                self.assertCallers(graph, "leaf", {"starter": 5, "again": 6})
                self.assertCallers(graph, "starter", {"nest'2": 1})
                self.assertCallers(graph, "nest'2", {"nest": 1, "nest'2": 1})
                self.assertCallers(graph, "nest", {"main": 1})

    def test_calls_are_counted_once(self) -> None:
        """main was called before it goes off, and is on the stack when it goes on again: it is called
        once."""
        for level in LEVELS:
            for option in ["--instr-atstart=no", "--instr-atstart=yes"]:
                with self.subTest(level, option=option):
                    graph = self.graph_of(
                        compile("switched.c", level, RECURSIVE), option, spontaneous=ROOTS
                    )
                    self.assertEqual(graph.called("main"), 1)
                    self.assertCallers(graph, "again", {"main": 2})

    def test_deep(self) -> None:
        """However deep the stack is when it goes on, up to 10,000 calls: all callers are known, and of deeper
        ones the innermost."""
        program = compile("late.c", "-O0", RECURSIVE)
        for depth in (90, 110, 2000, 9990):
            with self.subTest(depth):
                graph = self.graph_of(
                    program, "--instr-atstart=no", args=[str(depth)], spontaneous=ROOTS
                )
                self.assertCallers(graph, "leaf", {"nest'2": 5})
                self.assertCallers(graph, "nest", {"main": 1})
                self.assertCallers(graph, "nest'2", {"nest": 1, "nest'2": depth - 2})
        graph = self.graph_of(
            program, "--instr-atstart=no", args=["12000"], spontaneous=[*ROOTS, "nest"]
        )
        self.assertCallers(graph, "leaf", {"nest'2": 5})
        self.assertCallers(graph, "nest'2", {"nest": 1, "nest'2": 9998})

    def test_off(self) -> None:
        """What runs while it is off is in no count."""
        program = compile("switched.c", "-O0", RECURSIVE)
        on = self.graph_of(program, "--instr-atstart=yes", spontaneous=ROOTS)
        self.assertCallers(on, "leaf", {"starter": 7, "again": 6})
        never = self.graph_of(compile("calls.c", "-O0"), "--instr-atstart=no")
        self.assertEqual(never.total, 0)
        self.assertEqual(never.names(), set())


if __name__ == "__main__":
    unittest.main()
