"""A case: a program whose counts are known by construction, run, checked as a whole, and its facts asserted.

    class Calls(Case):
        def test_counts(self) -> None:
            graph = self.graph_of(compile("calls.c", "-O0"))
            self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})

Every profile that `graph_of` gives has passed the checks of `check_whole`.
"""

from __future__ import annotations

import os
import re
import unittest
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import textrules
from annotate import callgrind_annotate
from cg2test import Run, run_cg2
from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.reader import read_profile
from facts import Graph, leaks

FULL = os.environ.get("CG2_FULL") == "1"
LEVELS = ["-O0", "-O2"]  # how most programs are compiled
STARTS = [
    "clone",
    "clone3",
    "__clone3",
    "__clone_internal",
]  # where a thread begins, without having been called


class Case(unittest.TestCase):
    """Runs programs under the tool, and checks the profiles that they leave."""

    maxDiff = None

    def graph_of(
        self,
        program: str | Path,
        *options: str,
        args: Sequence[str | Path] = (),
        status: int = 0,
        stdin: str = "",
        spontaneous: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Graph:
        """Run `program`, which leaves one profile; give its call graph, after all checks.

        `spontaneous` names functions that run without being called (see `check_conservation`).
        """
        run = self.run_checked([program, *args], options, environment, stdin, status)
        self.assertEqual(len(run.profile_paths), 1, run.profile_paths)
        return self.check_whole(run, run.profile_paths[0], spontaneous)

    def parts_of(
        self,
        program: str | Path,
        *options: str,
        args: Sequence[str | Path] = (),
        status: int = 0,
        spontaneous: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> list[Graph]:
        """Run `program`, which leaves a profile in parts; give each part's call graph, the last one's
        last."""
        run = self.run_checked([program, *args], options, environment, "", status)
        return self.check_parts(run, spontaneous)

    def run_checked(
        self,
        argv: Sequence[str | Path],
        options: Sequence[str],
        environment: Mapping[str, str] | None,
        stdin: str,
        status: int,
    ) -> Run:
        """Run a program while every block makes sure that it counts in its own cells.

        The option changes no figure: test_checked.py proves that. At full size the program also runs without
        the option, and the profile of that run is the one that is checked.
        """
        run = run_cg2(argv, *options, "--check-cells=yes", environment=environment, stdin=stdin)
        self.assertEqual(run.status, status, run.stderr)
        if FULL:
            run = run_cg2(argv, *options, environment=environment, stdin=stdin)
            self.assertEqual(run.status, status, run.stderr)
        return run

    def check_parts(self, run: Run, spontaneous: Iterable[str] = ()) -> list[Graph]:
        """All that is true of the parts that one process wrote; give their call graphs in order."""
        base, *numbered = sorted(run.profile_paths, key=lambda path: len(path.name))
        numbered.sort(key=lambda path: int(path.suffix[1:]))
        self.assertEqual(
            [path.name for path in numbered], [f"{base.name}.{n + 1}" for n in range(len(numbered))]
        )
        graphs = [self.check_part(path, spontaneous) for path in [*numbered, base]]
        with self.subTest("parts are numbered"):
            self.assertEqual([graph.part.part for graph in graphs], list(range(1, len(graphs) + 1)))
        with self.subTest("the closing lines on stderr are the sum of all parts"):
            totals = [graph.part.self_total() for graph in graphs]
            self.check_closing_lines(
                run.stderr, graphs[0].part.events, [sum(column) for column in zip(*totals)]
            )
        return graphs

    def check_whole(self, run: Run, path: Path, spontaneous: Iterable[str] = ()) -> Graph:
        """All that is true of every profile that is one part; give its call graph."""
        graph = self.check_part(path, spontaneous)
        with self.subTest("the closing lines on stderr say what the file says"):
            self.check_closing_lines(run.stderr, graph.part.events, graph.part.self_total())
        return graph

    def check_part(self, path: Path, spontaneous: Iterable[str] = ()) -> Graph:
        """All that is true of every part; give its call graph."""
        parts = read_profile(path).parts
        self.assertEqual(len(parts), 1, "parts")
        part = parts[0]
        with self.subTest("summary and totals are the sum of all self costs"):
            self.assertIsNotNone(part.summary)
            self.assertIsNotNone(part.totals)
            part.check()
        with self.subTest("the text keeps the rules of a safe writer"):
            self.assertEqual(textrules.faults(path), [])
        with self.subTest("callgrind_annotate reads the same total without a warning"):
            self.check_annotate(path, part)
        with self.subTest("every call costs what ran in it"):
            self.check_conservation(part, spontaneous)
        return Graph(part)

    def check_closing_lines(
        self, stderr: str, events: Sequence[str], totals: Sequence[int]
    ) -> None:
        """`Events`, `Collected` and `I   refs` of the last process that wrote to `stderr`."""
        lines = [re.sub(r"^==\d+== ", "", line) for line in stderr.splitlines()]
        self.assertIn("Events    : " + " ".join(events), lines)
        self.assertIn("Collected : " + " ".join(map(str, totals)), lines)
        self.assertIn(f"I   refs:      {totals[0]:,}", lines)

    def check_annotate(self, path: Path, part: Part) -> None:
        """Callgrind's own reader takes the file without a word, and comes to the same total."""
        ended = callgrind_annotate().run("--auto=no", "--threshold=100", path)
        self.assertEqual(ended.status, 0, ended.stderr)
        self.assertEqual(ended.stderr, "")
        self.assertNotIn("WARNING", ended.stdout)
        said = re.search(
            r"^([\d,.]+) .*PROGRAM TOTALS( \(calculated\))?$", ended.stdout, re.MULTILINE
        )
        assert said is not None, ended.stdout
        total = int(said[1].replace(",", "").replace(".", "0"))  # nothing at all is shown as a dot
        self.assertEqual(total, part.self_total()[0])

    def check_conservation(self, part: Part, spontaneous: Iterable[str] = ()) -> None:
        """The calls into a function cost what ran in it, except for functions that also run uncalled.

        Hence the roots together cost the whole program. `spontaneous` names the exceptions: a function runs
        more than its calls cost when a thread begins in it.
        """
        excepted = set(spontaneous)
        wrong = [leak for leak in leaks(part) if leak[0] not in excepted]
        self.assertEqual(wrong, [], "(function, cost of the calls into it, cost of what ran in it)")

    # ------------------------------------------------------------ facts

    def assertCallers(self, graph: Graph, name: str, expected: dict[str, int]) -> None:
        """`name` is called by exactly these, so many times each."""
        self.assertEqual(graph.callers(name), expected, f"callers of {name}")

    def assertCallees(self, graph: Graph, name: str, expected: dict[str, int]) -> None:
        """`name` calls exactly these, so many times each."""
        self.assertEqual(graph.callees(name), expected, f"callees of {name}")

    def assertCalls(self, graph: Graph, expected: dict[tuple[str, str], int]) -> None:
        """Asserts that the arcs have these counts; 0 means that there is no such arc."""
        found = {arc: graph.counts[arc] for arc in expected}
        self.assertEqual(found, expected)

    def assertTriggers(self, graphs: Sequence[Graph], *expected: str) -> None:
        """What the parts say why they were written."""
        self.assertEqual([graph.part.descriptions["Trigger"] for graph in graphs], list(expected))

    def assertChained(self, graphs: Sequence[Graph]) -> None:
        """Each part begins where the one before it ends, and the first at the program's start."""
        ranges = [
            re.fullmatch(r"Basic block (\d+) - (\d+)", g.part.descriptions["Timerange"])
            for g in graphs
        ]
        self.assertNotIn(None, ranges)
        begins = [int(found[1]) for found in ranges if found]
        ends = [int(found[2]) for found in ranges if found]
        self.assertEqual(begins, [0, *ends[:-1]])
        self.assertTrue(all(begin <= end for begin, end in zip(begins, ends, strict=True)))

    def assertSum(self, graphs: Sequence[Graph], whole: Graph, *names: str) -> None:
        """The parts add up to the profile of a run without them: each function's own cost, or these ones'."""
        self.assertEqual(own_costs(graphs, names), own_costs([whole], names))

    def assertUnnamed(self, graph: Graph, *patterns: str) -> None:
        """No function's name matches one of the regular expressions."""
        named = [name for name in graph.names() for pattern in patterns if re.search(pattern, name)]
        self.assertEqual(named, [])


def own_costs(graphs: Iterable[Graph], names: Sequence[str] = ()) -> dict[FunctionKey, int]:
    """The cost of each function's own code in all parts together; only that of `names`, if there are any."""
    costs: Counter[FunctionKey] = Counter()
    for graph in graphs:
        costs.update({key: f.self_cost()[0] for key, f in graph.part.functions.items()})
    return {key: cost for key, cost in costs.items() if cost and (not names or key.name in names)}
