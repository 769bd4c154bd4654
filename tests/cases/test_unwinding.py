"""Frames that are left without a return: longjmp and C++ exceptions.

After one, the function that goes on is the one that caught: what it calls next hangs below it, and no arc is
turned around (nobody calls main, or the function that caught, from below).
"""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from disassembly import instructions


class Longjmp(Case):
    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("longjmp.c", level, is_dynamic=True))
                self.assertCallers(graph, "catcher", {"main": 3})
                self.assertCallers(graph, "down", {"catcher": 3})
                self.assertCallers(graph, "down'2", {"down": 3, "down'2": 9})
                self.assertCallers(graph, "thrower", {"down'2": 3, "near": 5})
                self.assertCallers(graph, "after", {"catcher": 3, "near": 5})
                self.assertCallers(graph, "between", {"main": 4})
                self.assertCallers(graph, "near", {"main": 1})
                self.assertCallees(graph, "main", {"catcher": 3, "between": 4, "near": 1})
                self.assertEqual(graph.called("main"), 1)

    def test_costs(self) -> None:
        """A call that is left by a jump costs what ran until then."""
        program = compile("longjmp.c", "-O0", is_dynamic=True)
        graph = self.graph_of(program)
        after = len(instructions(program, "after"))
        self.assertEqual(graph.arc_costs["catcher", "after"], 3 * after)
        self.assertEqual(
            graph.arc_costs["main", "between"], 4 * len(instructions(program, "between"))
        )
        self.assertEqual(graph.arc_costs["main", "catcher"], graph.inclusive("catcher"))


class Exceptions(Case):
    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    compile("exceptions.cc", level, compiler="g++", is_dynamic=True)
                )
                self.assertCallers(graph, "catcher()", {"main": 3})
                self.assertCallers(graph, "level(long)", {"catcher()": 3})
                self.assertCallers(graph, "level(long)'2", {"level(long)": 3, "level(long)'2": 6})
                self.assertCallers(graph, "thrower(long)", {"level(long)'2": 3, "rethrower()": 2})
                self.assertCallers(
                    graph,
                    "after()",
                    {"catcher()": 3, "rethrower()": 2, "catcher_of_rethrown()": 2, "quiet()": 3},
                )
                self.assertCallers(graph, "rethrower()", {"catcher_of_rethrown()": 2})
                self.assertCallers(graph, "between()", {"main": 4})
                self.assertCallees(
                    graph,
                    "main",
                    {"catcher()": 3, "between()": 4, "catcher_of_rethrown()": 2, "quiet()": 3},
                )
                self.assertEqual(graph.called("main"), 1)

    def test_destructors(self) -> None:
        """A frame that an exception passes runs its destructors: they are called by that frame's function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    compile("exceptions.cc", level, compiler="g++", is_dynamic=True)
                )
                self.assertEqual(graph.called("Guard::~Guard()"), 15)
                callers = graph.callers("Guard::~Guard()")
                self.assertEqual(callers.pop("quiet()"), 3)
                self.assertEqual(callers, {"level(long)": 3, "level(long)'2": 9})

    def test_throws(self) -> None:
        """The C++ library's own functions are called as often as the program throws."""
        graph = self.graph_of(compile("exceptions.cc", "-O0", compiler="g++", is_dynamic=True))
        self.assertCallers(graph, "__cxa_throw", {"thrower(long)": 5})
        self.assertCallers(graph, "__cxa_rethrow", {"rethrower()": 2})
        self.assertEqual(graph.callers("__cxa_begin_catch")["catcher()"], 3)
        self.assertCallers(
            graph, "_Unwind_Resume", {"level(long)": 3, "level(long)'2": 9, "rethrower()": 2}
        )


if __name__ == "__main__":
    unittest.main()
