"""However a program ends, calls that have not returned are in its profile, with what they cost until then."""

from __future__ import annotations

import re
import unittest

from case import LEVELS, Case
from cg2test import MACHINE, compile, run_cg2
from disassembly import instructions

STATUS = {"exit": 0, "_exit": 0, "abort": -6, "kill": -9, "fault": -11, "thread": 0}
STARTS = [
    "clone",
    "clone3",
    "__clone3",
    "__clone_internal",
]  # where a new thread begins, without having been called


class Endings(Case):
    def test_counts(self) -> None:
        for level in LEVELS:
            for how, status in STATUS.items():
                with self.subTest(level, how=how):
                    program = compile("endings.c", level, "-pthread", "-fno-optimize-sibling-calls")
                    graph = self.graph_of(program, args=[how], status=status, spontaneous=STARTS)
                    self.assertCallers(graph, "outer", {"main": 1})
                    self.assertCallers(graph, "middle", {"outer": 2})
                    self.assertCallers(graph, "end", {"middle": 1})
                    self.assertEqual(graph.counts["middle", "step"], 3)
                    self.assertEqual(graph.called("at_exit"), 1 if how in ("exit", "thread") else 0)
                    self.assertEqual(graph.called("step"), 53 if how == "thread" else 3)

    def test_costs(self) -> None:
        """The calls that were cut off contain one another, and all that ran in them."""
        for how in ("exit", "_exit", "abort", "kill", "fault"):
            with self.subTest(how):
                program = compile("endings.c", "-O0", "-pthread")
                graph = self.graph_of(program, args=[how], status=STATUS[how])
                step = len(instructions(program, "step"))
                self.assertEqual(graph.arc_costs["middle", "step"], 3 * step)
                self.assertEqual(graph.arc_costs["middle", "end"], graph.inclusive("end"))
                self.assertEqual(graph.arc_costs["outer", "middle"], graph.inclusive("middle"))
                self.assertEqual(graph.arc_costs["main", "outer"], graph.inclusive("outer"))
                self.assertEqual(sum(graph.callers("main").values()), 1)
                [caller] = graph.callers("main")
                self.assertEqual(graph.arc_costs[caller, "main"], graph.inclusive("main"))

    def test_last_instruction(self) -> None:
        """Behind a system call that ends the program nothing runs; behind another one, what is there."""
        behind = 3 if MACHINE == "aarch64" else 2
        for flags in (["-static"], ["-static-pie"]):
            program = compile("last.S", "-nostdlib", "-Wl,-e,begin", *flags)
            for option in ("--collect-systime=no", "--collect-systime=yes", "--collect-jumps=yes"):
                with self.subTest(flags=flags, option=option):
                    graph = self.graph_of(program, "--check-cells=yes", option)
                    self.assertCallees(graph, "begin", {"asks": 2})
                    self.assertCallees(graph, "asks", {"behind": 2})
                    self.assertCallees(graph, "behind", {"leaf": 2})
                    self.assertEqual(
                        graph.self_costs, {"begin": 5, "asks": 4, "behind": 2 * behind, "leaf": 2}
                    )
                    self.assertEqual(graph.arc_costs["begin", "asks"], 2 * (2 + behind + 1))


class Uneven(Case):
    def test_program(self) -> None:
        """A program that writes into the tool's memory spoils a count: the profile is there, with what is in
        no function, a message says so, and the run fails."""
        program = compile("spoiling.c", "-O0")
        run = run_cg2([program])
        self.assertEqual((run.status, run.stdout), (1, "1\n"))
        found = re.search(
            r"error: the functions of the profile have (\d+) Ir of the (\d+) that were counted;",
            run.stderr,
        )
        assert found is not None, run.stderr
        missing = int(found[2]) - int(found[1])
        self.assertEqual(missing % 30, 0)
        self.assertIn(missing // 30, range(1, len(instructions(program, "turns"))))
        graph = self.check_whole(run, run.profile_paths[0], spontaneous=["turns"])
        self.assertEqual(graph.self_costs["[in no function]"], missing)
        self.assertEqual(graph.total, int(found[2]))
        self.assertEqual(graph.arc_costs["main", "turns"], graph.self_costs["turns"] + missing)


if __name__ == "__main__":
    unittest.main()
