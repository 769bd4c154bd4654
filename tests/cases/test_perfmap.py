"""Code that a program makes while it runs, named by the /tmp/perf-PID.map that it writes."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from case import LEVELS, Case
from cg2test import MACHINE, Run, compile, new_directory, run_cg2, text_of_any_run
from facts import Graph, base
from test_fork import only

ODD = '[7] "q" a*b \\n $x fn=(1)\'2+0x0'  # no id at the start, no recursion level at the end
OTHER = "0x0000000020000600"  # in no entry
ADDER, COUNT_DOWN = 2, 5 * 7 + 3  # instructions of a call
RET = 4 if MACHINE == "aarch64" else 5  # where that of the adder is


def map_of(profile: Path) -> Path:
    """The file of the process that left `profile`."""
    return Path(f"/tmp/perf-{profile.stem}.map")


class PerfMap(Case):
    def run_mapped(self, argv: Sequence[str | Path], *options: str) -> Run:
        """Run a program whose processes may leave such files, which are removed."""
        run = run_cg2(argv, *options)
        for path in run.profile_paths:
            map_of(path).unlink(missing_ok=True)
        self.assertEqual(run.status, 0, run.stderr)
        return run

    def mapped_graph(self, argv: Sequence[str | Path], *options: str) -> Graph:
        run = self.run_mapped(argv, *options)
        self.assertEqual(len(run.profile_paths), 1, run.profile_paths)
        return self.check_whole(run, run.profile_paths[0])


class Own(PerfMap):
    """A program that names its own code."""

    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                self.check_counts(self.mapped_graph([compile("perfmap.c", level, "-static")]))
        for options in (
            ["--dump-instr=yes"],
            ["--compress-strings=no", "--compress-pos=no"],
            ["--check-cells=yes"],
        ):
            with self.subTest(options):
                self.check_counts(
                    self.mapped_graph([compile("perfmap.c", "-O2", "-static")], *options)
                )

    def check_counts(self, graph: Graph) -> None:
        expected = {
            "adder": (10, 10 * ADDER),
            f"adder+{RET:#x}": (3, 3 * 1),
            "adder [2]": (4, 4 * ADDER),
            ODD: (1, ADDER),
            "late: 3 instructions": (11, 5 * ADDER + 6 * 3),
            "count down": (2, 7 + 3),
            "an old one+0x500": (2, 2 * ADDER),
            OTHER: (1, ADDER),
        }
        for name, (count, cost) in expected.items():
            with self.subTest(name):
                self.assertEqual(graph.counts["run", name], count)
                self.assertEqual(graph.self_costs[name], cost)
        self.assertCallers(graph, "count down'2", {"count down": 1, "count down'2": 4})
        self.assertEqual(graph.arc_costs["run", "count down"], COUNT_DOWN + 3)
        nowhere = {key.name for key in graph.part.functions if key.object == "???"}
        self.assertEqual(nowhere, {*expected, "count down'2"})

    def test_levels(self) -> None:
        graph = self.mapped_graph([compile("perfmap.c", "-O2", "-static")], "--separate-recs=4")
        self.assertCallees(graph, "count down'3", {"count down'4": 1})
        self.assertCallees(graph, "count down'4", {"count down'4": 2})

    def test_order(self) -> None:
        """Functions are sorted by the names that are shown."""
        run = self.run_mapped([compile("perfmap.c", "-O2", "-static")], "--compress-strings=no")
        lines = run.profile_paths[0].read_text().splitlines()
        block = lines[lines.index("ob=???") :]
        end = next((i for i, line in enumerate(block) if i and line.startswith("ob=")), len(block))
        names = [line[3:] for line in block[:end] if line.startswith("fn=")]
        self.assertEqual(len(names), 9)
        self.assertEqual([base(name) for name in names], sorted(base(name) for name in names))

    def test_twice(self) -> None:
        """Two runs write the same but for the process id and the time.

        The program writes its id, so that one with another number of digits costs other instructions.
        """
        texts: dict[int, list[str]] = defaultdict(list)  # by digits of the id
        while max(map(len, texts.values()), default=0) < 2:
            path = self.run_mapped([compile("perfmap.c", "-O2", "-static")]).profile_paths[0]
            texts[len(path.stem)].append(text_of_any_run(path))
        self.assertEqual([len(set(same)) for same in texts.values()], [1] * len(texts))

    def test_said(self) -> None:
        """Lines that are no entries are counted with -v, and only then."""
        program = compile("perfmap.c", "-O2", "-static")
        run = self.run_mapped([program], "-v")
        path = map_of(run.profile_paths[0])
        said = [line.partition(" ")[2] for line in run.stderr.splitlines() if str(path) in line]
        self.assertEqual(said, [f"'{path}': lines that are no entries: 2"])
        self.assertNotIn("/tmp/perf-", self.run_mapped([program]).stderr)

    def test_link(self) -> None:
        """A link is not followed: code has addresses for names."""
        run = self.run_mapped([compile("perfmap.c", "-O2", "-static"), "link"], "-v")
        path = map_of(run.profile_paths[0])
        self.assertIn(f"'{path}' is not used: it is a link\n", run.stderr)
        path.with_suffix(".real").unlink()
        graph = self.check_whole(run, run.profile_paths[0])
        self.assertCallers(graph, "0x0000000020000000", {"run": 10})
        self.assertCallers(graph, OTHER, {"run": 1})


class Forked(PerfMap):
    """The child of a fork."""

    def child_of(self, mode: str) -> Graph:
        run = self.run_mapped([compile("perfmap.c", "-O2", "-static"), mode])
        self.assertEqual(len(run.profile_paths), 2, run.profile_paths)
        graphs = [self.check_whole(only(run, path), path) for path in run.profile_paths]
        parent, child = sorted(graphs, key=lambda graph: ODD not in graph.names())
        self.assertCallers(parent, "adder", {"run": 10})
        return child

    def test_without_file(self) -> None:
        """What was made before the fork has the names of the parent's file."""
        child = self.child_of("fork")
        self.assertCallers(child, "adder", {"run": 7})
        self.assertCallers(child, "adder [2]", {"run": 1})

    def test_with_file(self) -> None:
        """The child's own names come first."""
        child = self.child_of("own")
        self.assertCallers(child, "child's adder", {"run": 7})
        self.assertCallers(child, "adder", {"run": 1})


# ------------------------------------------------------------ real compilers

SCRIPT_JS = """
function leaf(x) { return x + 1; }
function work(n) { let s = 0; for (let i = 0; i < n; i++) s = leaf(s); return s; }
console.log(work(1000) + work(234));
"""

SCRIPT_PY = """
def leaf(x):
    return x + 1

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

print(sum(map(leaf, range(10))), fib(10))
"""


class Node(PerfMap):
    def test_counts(self) -> None:
        """Functions that are compiled before they run first, and not again."""
        node = shutil.which("node")
        if node is None:
            self.skipTest("node is not installed (Debian: apt-get install nodejs)")
        script = new_directory() / "script.js"
        script.write_text(SCRIPT_JS)
        run = self.run_mapped([node, "--perf-basic-prof", "--always-sparkplug", "--no-opt", script])
        self.assertEqual(run.stdout, "1234\n")
        graph = self.check_whole(run, run.profile_paths[0], spontaneous=["clone", "clone3"])
        called = calls_of(graph, rf"\w+:\^(leaf|work) {script}:[\d:]+")
        self.assertEqual(called, {"leaf": 1234, "work": 2})


def calls_of(graph: Graph, pattern: str) -> dict[str, int]:
    """How often functions are called whose whole name matches; by the pattern's first group."""
    found: Counter[str] = Counter()
    for (_, callee), count in graph.counts.items():
        if match := re.fullmatch(pattern, base(callee)):
            found[match[1]] += count
    return dict(found)


def python_with_perf() -> Path | None:
    """A Python that can write such a file, 3.12 or later: one in PATH, or one that pyenv installed."""
    question = (
        "import sys; print(sys.executable if hasattr(sys, 'activate_stack_trampoline') else '')"
    )
    names = "python3", "python3.14", "python3.13", "python3.12"
    found = [Path(path) for path in map(shutil.which, names) if path is not None]
    for path in [*found, *sorted(Path.home().glob(".pyenv/versions/3.*/bin/python3"))]:
        ended = subprocess.run([path, "-c", question], capture_output=True, text=True, check=False)
        if ended.returncode == 0 and ended.stdout.strip():
            return Path(ended.stdout.strip())
    return None


class Python(PerfMap):
    def test_counts(self) -> None:
        python = python_with_perf()
        if python is None:
            self.skipTest("no Python 3.12 or later")
        script = new_directory() / "script.py"
        script.write_text(SCRIPT_PY)
        run = self.run_mapped([python, "-X", "perf", script])
        self.assertEqual(run.stdout, "55 55\n")
        graph = self.check_whole(run, run.profile_paths[0])
        called = calls_of(graph, rf"py::(leaf|fib|<module>):{script}")
        self.assertEqual(called, {"leaf": 10, "fib": 177, "<module>": 1})


if __name__ == "__main__":
    unittest.main()
