"""A case: a program whose counts are known by construction, run, checked as a whole, and its facts asserted.

    class Calls(Case):
        def test_counts(self) -> None:
            graph = self.graph_of(compile("calls.c", "-O0"))
            self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})

Every profile that `graph_of` gives has passed the checks of `check_whole`.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import textrules
from cg2test import Run, env, run_cg2
from cg2tools.profile import Part
from cg2tools.reader import read_profile
from facts import Graph, leaks

LEVELS = ["-O0", "-O2"]  # how most programs are compiled


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
        run = run_cg2([program, *args], *options, environment=environment, stdin=stdin)
        self.assertEqual(run.status, status, run.stderr)
        self.assertEqual(len(run.profile_paths), 1, run.profile_paths)
        with self.subTest("every block counts in its own cells"):
            checked = run_cg2([program, *args], *options, "--check-cells=yes", environment=environment, stdin=stdin)
            self.assertEqual(checked.status, status, checked.stderr)
        return self.check_whole(run, run.profile_paths[0], spontaneous)

    def check_whole(self, run: Run, path: Path, spontaneous: Iterable[str] = ()) -> Graph:
        """All that is true of every profile; give its call graph."""
        parts = read_profile(path).parts
        self.assertEqual(len(parts), 1, "parts")
        part = parts[0]
        with self.subTest("summary and totals are the sum of all self costs"):
            self.assertIsNotNone(part.summary)
            self.assertIsNotNone(part.totals)
            part.check()
        with self.subTest("the text keeps the rules of a safe writer"):
            self.assertEqual(textrules.faults(path), [])
        with self.subTest("the closing lines on stderr say what the file says"):
            self.check_closing_lines(run.stderr, part)
        with self.subTest("callgrind_annotate reads the same total without a warning"):
            self.check_annotate(path, part)
        with self.subTest("every call costs what ran in it"):
            self.check_conservation(part, spontaneous)
        return Graph(part)

    def check_closing_lines(self, stderr: str, part: Part) -> None:
        """`Events`, `Collected` and `I   refs` of the last process that wrote to `stderr`."""
        total = part.self_total()
        lines = [re.sub(r"^==\d+== ", "", line) for line in stderr.splitlines()]
        self.assertIn("Events    : " + " ".join(part.events), lines)
        self.assertIn("Collected : " + " ".join(map(str, total)), lines)
        self.assertIn(f"I   refs:      {total[0]:,}", lines)

    def check_annotate(self, path: Path, part: Part) -> None:
        """Callgrind's own reader takes the file without a word, and comes to the same total."""
        command = ["callgrind_annotate", "--auto=no", "--threshold=100", str(path)]
        ended = subprocess.run(command, capture_output=True, text=True, env=env(), check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stderr, "")
        self.assertNotIn("WARNING", ended.stdout)
        said = re.search(r"^([\d,]+) .*PROGRAM TOTALS$", ended.stdout, re.MULTILINE)
        assert said is not None, ended.stdout
        self.assertEqual(int(said[1].replace(",", "")), part.self_total()[0])

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
        """These arcs have these counts; 0 means that there is no such arc."""
        found = {arc: graph.counts[arc] for arc in expected}
        self.assertEqual(found, expected)

    def assertUnnamed(self, graph: Graph, *patterns: str) -> None:
        """No function's name matches one of the regular expressions."""
        named = [name for name in graph.names() for pattern in patterns if re.search(pattern, name)]
        self.assertEqual(named, [])
