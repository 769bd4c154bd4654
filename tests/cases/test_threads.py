"""Threads: each has a call stack of its own, and every call counts, whenever the threads take turns."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import compile, run_cg2, usage_of
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from cg2tools.profile.terms import THREADS
from disassembly import instructions
from facts import Graph


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
                    self.assertEqual(
                        graph.callees("main").keys() & {"body", "work", "step", "deep"}, set()
                    )

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


class Named(Case):
    """The names that a program gives its threads: naming.c."""

    def profiles_of(self, mode: str, *options: str) -> list[Part]:
        """The parts of a run, by thread."""
        program = compile("naming.c", "-O0", "-pthread", "-static")
        run = run_cg2([program, mode], *options)
        self.assertEqual(run.status, 0, run.stderr)
        return [part for path in run.profile_paths for part in read_profile(path).parts]

    def test_each(self) -> None:
        """By prctl for itself, by a file of /proc for another one; what other files are told is no name."""
        (part,) = self.profiles_of("each")
        self.assertEqual(part.thread_names, {1: "boss", 2: "reader", 3: "writer"})

    def test_separate(self) -> None:
        """A thread's file has its name alone, and the costs of the thread of that name."""
        parts = self.profiles_of("each", "--separate-threads=yes")
        named = {1: "boss", 2: "reader", 3: "writer", 4: None}
        self.assertEqual(
            {part.thread: part.descriptions.get(THREADS) for part in parts},
            {number: name and f"{number} {name}" for number, name in named.items()},
        )
        for part, calls in zip(parts, (0, 1, 2, 3)):
            self.assertEqual(Graph(part).called("work"), calls)

    def test_combined(self) -> None:
        """In one file, a part has the name of its own thread."""
        parts = self.profiles_of("each", "--separate-threads=yes", "--combine-dumps=yes")
        self.assertEqual(
            [part.thread_names.get(part.thread or 0) for part in parts],
            ["boss", "reader", "writer", None],
        )

    def test_again(self) -> None:
        """Threads that have one number one after another: the first names, each once, and that there are
        more."""
        (part,) = self.profiles_of("again")
        self.assertEqual(part.thread_names, {2: "step0, step1, step2, step3, ..."})

    def test_summary(self) -> None:
        """The tool's summary names threads as the commands' does."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "sum.json")
            self.profiles_of("each", "--separate-threads=yes", f"--json-summary={path}")
            (process,) = json.loads(path.read_text())["processes"]
        self.assertEqual(
            [thread["name"] for thread in process["threads"]], ["boss", "reader", "writer", None]
        )


MANY = 500


def crowd() -> Path:
    return compile("crowd.c", "-O0", "-pthread", "-static")


def works(thread: int) -> int:
    """How often a thread of crowd.c calls work."""
    return thread % 7 + 1


def peak(program: Path, *args: str, tool: str) -> int:
    """The largest resident set of a run, in bytes."""
    return usage_of([program, *args[1:]], *args[:1], tool=tool).memory


class Crowd(Case):
    """500 threads: Valgrind allows 499 with the main one, unless it is told --max-threads."""

    def test_together(self) -> None:
        """All are alive at once, in one profile."""
        graph = self.graph_of(
            crowd(), "--max-threads=600", args=[str(MANY), "together"], spontaneous=STARTS
        )
        self.check_graph(graph)
        self.assertEqual(graph.called("main"), 1)

    def test_one_after_another(self) -> None:
        graph = self.graph_of(crowd(), args=[str(MANY), "apart"], spontaneous=STARTS)
        self.check_graph(graph)

    def check_graph(self, graph: Graph) -> None:
        """The calls and own costs of all threads."""
        calls = sum(map(works, range(MANY)))
        self.assertCallers(graph, "work", {"repeat": calls})
        self.assertCallers(graph, "repeat", {"body": MANY})
        self.assertCallers(graph, "body", {"start_thread": MANY})
        self.assertCallers(graph, "start", {"main": MANY})
        work = len(instructions(crowd(), "work"))
        self.assertEqual(graph.self_costs["work"], calls * work)
        self.assertEqual(graph.arc_costs["repeat", "work"], calls * work)

    def test_separate(self) -> None:
        """Each has a file of its own, with what it did."""
        run = run_cg2(
            [crowd(), str(MANY), "together"], "--separate-threads=yes", "--max-threads=600"
        )
        self.assertEqual(run.status, 0, run.stderr)
        files = {int(path.name.rpartition("-")[2]): path for path in run.profile_paths}
        self.assertEqual(sorted(files), list(range(1, MANY + 2)))
        work, total = len(instructions(crowd(), "work")), 0
        for number, path in files.items():
            (part,) = read_profile(path).parts
            part.check()
            graph = Graph(part)
            self.assertEqual(part.thread, number)
            expected = {"repeat": works(number - 2)} if number > 1 else {}
            self.assertEqual(graph.callers("work"), expected, path.name)
            self.assertEqual(graph.self_costs["work"], sum(expected.values()) * work, path.name)
            total += graph.total
        self.assertIn(f"Collected : {total}\n", run.stderr)

    def test_separate_one_after_another(self) -> None:
        """Threads that run one after another have the same number, and one file, as under Callgrind."""
        run = run_cg2([crowd(), str(MANY), "apart"], "--separate-threads=yes")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual([path.name.rpartition("-")[2] for path in run.profile_paths], ["01", "02"])
        (part,) = read_profile(run.profile_paths[1]).parts
        part.check()
        self.assertCallers(Graph(part), "work", {"repeat": sum(map(works, range(MANY)))})

    def test_limit(self) -> None:
        """Valgrind ends the run at one thread too many, and says which option helps."""
        for threads, status in ((18, 0), (19, 1)):
            run = run_cg2([crowd(), str(threads), "together"], "--max-threads=20")
            self.assertEqual(run.status, status, run.stderr)
            self.assertEqual(len(run.profile_paths), 1 - status)
            says = "Use --max-threads=INT to specify a larger number of threads" in run.stderr
            self.assertEqual(says, status == 1, run.stderr)

    def test_memory(self) -> None:
        """A thread that is alive takes at most 40 KB more than without a tool, one that has ended nothing."""
        allowed = "--max-threads=600"
        more = peak(crowd(), allowed, str(MANY), "together", tool="cg2") - peak(
            crowd(), allowed, str(MANY), "together", tool="none"
        )
        few = peak(crowd(), allowed, "5", "apart", tool="cg2")
        many = peak(crowd(), allowed, str(MANY), "apart", tool="cg2")
        self.assertLess(more, MANY * 40_000)
        self.assertLess(many - few, 1_000_000)


if __name__ == "__main__":
    unittest.main()
