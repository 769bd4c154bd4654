"""What costs are kept apart by: callers, recursion levels, threads; and what is left out."""

from __future__ import annotations

import unittest
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import compile, run_cg2
from cg2tools.profile.reader import read_profile
from facts import Graph

RECURSIVE = "-fno-optimize-sibling-calls"


class Separation(Case):
    def program(self, level: str) -> Path:
        return compile("apart.c", level, RECURSIVE)

    def test_callers(self) -> None:
        """With one caller there is a function for each, with the calls that it makes for it."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(self.program(level), "--separate-callers=1")
                self.assertCallers(graph, "middle'left", {"left'main": 1})
                self.assertCallers(graph, "middle'right", {"right'main": 2})
                self.assertCallers(graph, "leaf'middle", {"middle'left": 2, "middle'right": 4})
                self.assertCallers(graph, "leaf'right", {"right'main": 2})
                self.assertCallers(graph, "leaf'again", {"again'main": 1, "again'2'main": 4})
                plain = self.graph_of(self.program(level))
                self.assertEqual(graph.total, plain.total)
                ours = sum(
                    cost for name, cost in graph.self_costs.items() if name.startswith("leaf'")
                )
                self.assertEqual(ours, plain.self_costs["leaf"])

    def test_chains(self) -> None:
        """Three callers, and a number of its own for one function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    self.program(level), "--separate-callers=1", "--separate-callers2=leaf"
                )
                self.assertCallers(graph, "leaf'middle'left", {"middle'left": 2})
                self.assertCallers(graph, "leaf'middle'right", {"middle'right": 4})
                self.assertCallers(graph, "leaf'right'main", {"right'main": 2})

    def test_more_than_the_caller(self) -> None:
        """A function that keeps more callers apart than its own caller does."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(self.program(level), "--separate-callers2=leaf")
                self.assertCallers(graph, "leaf'middle'left", {"middle": 2})
                self.assertCallers(graph, "leaf'middle'right", {"middle": 4})

    def test_groups(self) -> None:
        """Functions of one group are one caller."""
        graph = self.graph_of(
            self.program("-O0"), "--separate-callers=2", "--fn-group1=middle", "--fn-group1=right"
        )
        self.assertCallers(graph, "middle'main'(below main)", {"right'main'(below main)": 2})
        self.assertCallers(graph, "leaf'middle'left", {"middle'left'main": 2})

    def test_recursion_levels(self) -> None:
        """A number of levels for one function."""
        graph = self.graph_of(self.program("-O0"), "--separate-recs4=again")
        self.assertCallers(graph, "again'4", {"again'3": 1, "again'4": 1})

    def test_skip(self) -> None:
        """A skipped function's cost is its caller's, and so are its calls, at the line of the call."""
        for level in LEVELS:
            with self.subTest(level):
                plain = self.graph_of(self.program(level))
                graph = self.graph_of(self.program(level), "--fn-skip=middle")
                self.assertNotIn("middle", graph.names())
                self.assertEqual(graph.part.skipped, {"middle": 3})
                self.assertCallers(graph, "leaf", {"left": 2, "right": 6, "again": 1, "again'2": 4})
                self.assertEqual(graph.total, plain.total)
                both = ("left", "right")
                costs = sum(plain.self_costs[name] for name in (*both, "middle"))
                self.assertEqual(sum(graph.self_costs[name] for name in both), costs)

    def test_skip_in_skip(self) -> None:
        """All that skipped functions do is the cost of the last one that is not; recursion ends somewhere."""
        for level in LEVELS:
            with self.subTest(level):
                plain = self.graph_of(self.program(level))
                graph = self.graph_of(
                    self.program(level),
                    "--fn-skip=middle",
                    "--fn-skip=le?t",
                    "--fn-skip=right",
                    "--fn-skip=again",
                )
                self.assertCallers(graph, "leaf", {"main": 13})
                calls = {"left": 1, "right": 2, "middle": 3, "again": 5}
                self.assertEqual(graph.part.skipped, calls)
                names = ["main", "left", "right", "middle", "again", "again'2"]
                self.assertEqual(
                    graph.self_costs["main"], sum(plain.self_costs[name] for name in names)
                )

    def test_skip_object(self) -> None:
        """All functions of an object file."""
        graph = self.graph_of(self.program("-O0"), f"--obj-skip={self.program('-O0')}")
        self.assertFalse(graph.names() & {"main", "left", "right", "middle", "again", "leaf"})

    def test_direct_recursion(self) -> None:
        """A function that calls itself is called from outside only."""
        for level in LEVELS:
            with self.subTest(level):
                plain = self.graph_of(self.program(level))
                graph = self.graph_of(self.program(level), "--skip-direct-rec=yes")
                self.assertCallers(graph, "again", {"main": 1})
                self.assertCallers(graph, "leaf", {"middle": 6, "right": 2, "again": 5})
                self.assertNotIn("again'2", graph.names())
                cost = plain.self_costs["again"] + plain.self_costs["again'2"]
                self.assertEqual(graph.self_costs["again"], cost)

    def test_pop_on_jump(self) -> None:
        """A tail call's callee is called by who called the jumper."""
        program = compile("tail.c", "-O2", is_dynamic=True)
        plain = self.graph_of(program)
        self.assertIn("second", plain.callers("third"))
        for option in ["--pop-on-jump", "--pop-on-jump=sec?nd"]:
            with self.subTest(option):
                graph = self.graph_of(program, option)
                self.assertNotIn("second", graph.callers("third"))
                self.assertEqual(graph.called("third"), plain.called("third"))
                self.assertEqual(graph.total, plain.total)


class Threads(Case):
    def test_files(self) -> None:
        """Each thread has a file, which says which it is; together they are the whole."""
        program = compile("threads.c", "-O0", "-pthread")
        whole = self.graph_of(program, "--separate-threads=no", spontaneous=STARTS)
        run = run_cg2([program], "--separate-threads=yes")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertGreater(len(run.profile_paths), 1)
        total, body = 0, 0
        for path in run.profile_paths:
            number = int(path.name.rpartition("-")[2])
            self.assertIn(f"\nthread: {number}\n", path.read_text())
            (part,) = read_profile(path).parts
            part.check()
            graph = Graph(part)
            total += graph.total
            body += graph.self_costs["body"]
        self.assertEqual(body, whole.self_costs["body"])
        self.assertIn(f"Collected : {total}", run.stderr)


class EveryBlocks(Case):
    def test_exact(self) -> None:
        """Parts end at exactly so many blocks, and together are the whole."""
        program = compile("calls.c", "-O0", is_dynamic=True)
        whole = self.graph_of(program)
        run = run_cg2([program], "--dump-every-bb=3000")
        self.assertEqual(run.status, 0, run.stderr)
        total, ends = 0, []
        for path in run.profile_paths:
            (part,) = read_profile(path).parts
            part.check()
            total += Graph(part).total
            for line in path.read_text().splitlines():
                if line.startswith("desc: Timerange: Basic block ") and path.suffix != ".profile":
                    start, _, end = line.removeprefix("desc: Timerange: Basic block ").partition(
                        " - "
                    )
                    ends.append((int(start), int(end)))
        self.assertEqual(total, whole.total)
        self.assertGreater(len(ends), 3)
        self.assertEqual(sorted(ends), [(n * 3000, (n + 1) * 3000) for n in range(len(ends))])

    def test_bad_numbers(self) -> None:
        for option in [
            "--dump-every-bb=x",
            "--dump-every-bb=-1",
            "--separate-callers=",
            "--separate-recs0=f",
        ]:
            with self.subTest(option):
                run = run_cg2(["/bin/true"], option)
                self.assertEqual(run.status, 1)
                self.assertIn("expected a number from ", run.stderr)


if __name__ == "__main__":
    unittest.main()
