"""Parts of a profile: --dump-before, --dump-after and --zero-before.

Each part is a profile of its own: calls that are open when it begins count as called once. Together the parts
are what the run without them gives.
"""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import Run, compile, new_directory, run_cg2
from disassembly import instructions
from facts import Graph
from test_linking import linked

RECURSIVE = "-fno-optimize-sibling-calls"
# The functions of threads.c whose cost does not depend on which thread runs when.
THREADS = ["step", "work", "deep", "deep'2", "body", "before_threads"]


class Parts(Case):
    """A program that has calls in a row, in a loop, and in a recursion."""

    def program(self, level: str) -> Path:
        return compile("parts.c", level, RECURSIVE, "-static")

    def counts(self, graphs: list[Graph], name: str) -> list[dict[str, int]]:
        """Who calls `name`, part by part."""
        return [graph.callers(name) for graph in graphs]

    def test_before(self) -> None:
        """Before each call of region a part ends; main, open all the time, is called once in each."""
        for level in LEVELS:
            with self.subTest(level):
                graphs = self.parts_of(self.program(level), "--dump-before=region")
                trigger = "--dump-before=region"
                self.assertTriggers(graphs, trigger, trigger, trigger, "Program termination")
                self.assertChained(graphs)
                self.assertEqual(
                    self.counts(graphs, "leaf"),
                    [{}, {"region": 1}, {"region": 2}, {"region": 3, "nest": 1, "nest'2": 3}],
                )
                self.assertEqual(
                    self.counts(graphs, "region"), [{}, {"main": 1}, {"main": 1}, {"main": 1}]
                )
                self.assertEqual(
                    self.counts(graphs, "between"), [{}, {"main": 1}, {"main": 1}, {"main": 1}]
                )
                self.assertEqual([graph.called("main") for graph in graphs], [1, 1, 1, 1])
                self.assertSum(graphs, self.graph_of(self.program(level)))

    def test_after(self) -> None:
        """After each call of region a part ends, which has all of the call."""
        for level in LEVELS:
            with self.subTest(level):
                graphs = self.parts_of(self.program(level), "--dump-after=region")
                trigger = "--dump-after=region"
                self.assertTriggers(graphs, trigger, trigger, trigger, "Program termination")
                self.assertChained(graphs)
                self.assertEqual(
                    self.counts(graphs, "leaf"),
                    [{"region": 1}, {"region": 2}, {"region": 3}, {"nest": 1, "nest'2": 3}],
                )
                self.assertEqual(
                    self.counts(graphs, "region"), [{"main": 1}, {"main": 1}, {"main": 1}, {}]
                )
                self.assertEqual(
                    self.counts(graphs, "between"), [{}, {"main": 1}, {"main": 1}, {"main": 1}]
                )
                self.assertSum(graphs, self.graph_of(self.program(level)))

    def test_costs(self) -> None:
        """Between two parts runs exactly the call: a part before it and one after it."""
        for level in LEVELS:
            with self.subTest(level):
                program = self.program(level)
                graphs = self.parts_of(program, "--dump-before=between", "--dump-after=between")
                self.assertEqual(len(graphs), 7)
                self.assertChained(graphs)
                for inside in graphs[1:6:2]:
                    self.assertEqual(inside.total, len(instructions(program, "between")))
                    self.assertEqual(inside.arc_costs["main", "between"], inside.total)
                self.assertSum(graphs, self.graph_of(program))

    def test_recursion(self) -> None:
        """Only the outermost call of a recursion counts."""
        for level in LEVELS:
            with self.subTest(level):
                graphs = self.parts_of(
                    self.program(level), "--dump-before=nest", "--dump-after=nest"
                )
                self.assertTriggers(
                    graphs, "--dump-before=nest", "--dump-after=nest", "Program termination"
                )
                self.assertEqual(self.counts(graphs, "nest"), [{}, {"main": 1}, {}])
                self.assertEqual(self.counts(graphs, "nest'2"), [{}, {"nest": 1, "nest'2": 2}, {}])
                self.assertEqual(self.counts(graphs, "finish"), [{}, {}, {"main": 1}])
                self.assertEqual(graphs[1].total, graphs[1].arc_costs["main", "nest"])

    def test_inside_recursion(self) -> None:
        """Parts that begin inside a recursion: each open call counts once, at its own level."""
        for level in LEVELS:
            with self.subTest(level):
                program = self.program(level)
                graphs = self.parts_of(program, "--dump-before=leaf", "--separate-recs=10")
                self.assertEqual(len(graphs), 11)
                last = graphs[-1]
                for below, above in (
                    ("nest", "main"),
                    ("nest'2", "nest"),
                    ("nest'3", "nest'2"),
                    ("nest'4", "nest'3"),
                ):
                    self.assertCallers(last, below, {above: 1})
                self.assertCallers(graphs[-2], "nest'4", {"nest'3": 1})
                self.assertCallers(graphs[-2], "leaf", {"nest'3": 1})
                self.assertSum(graphs, self.graph_of(program, "--separate-recs=10"))

    def test_zero(self) -> None:
        """--zero-before forgets all up to a call; the part that is written has what came after."""
        for level in LEVELS:
            with self.subTest(level):
                program = self.program(level)
                [graph] = self.parts_of(program, "--zero-before=nest")
                self.assertTriggers([graph], "Program termination")
                self.assertCallers(graph, "leaf", {"nest": 1, "nest'2": 3})
                self.assertCallers(graph, "region", {})
                self.assertCallers(graph, "finish", {"main": 1})
                self.assertEqual(graph.called("main"), 1)
                before, after = self.parts_of(program, "--dump-before=nest")
                self.assertSum([after], graph)
                timerange = graph.part.descriptions["Timerange"]
                self.assertEqual(timerange, after.part.descriptions["Timerange"])

    def test_zero_and_dump(self) -> None:
        """With --dump-before as well --zero-before changes nothing: a part starts from zero anyway."""
        for level in LEVELS:
            with self.subTest(level):
                program = self.program(level)
                both = self.parts_of(program, "--zero-before=region", "--dump-before=region")
                one = self.parts_of(program, "--dump-before=region")
                self.assertEqual([g.total for g in both], [g.total for g in one])
                self.assertChained(both)

    def test_patterns(self) -> None:
        """Two rules of one kind add up; a pattern may match several functions; the trigger names each."""
        graphs = self.parts_of(self.program("-O0"), "--dump-before=reg*", "--dump-before=f?nish")
        region, finish = "--dump-before=region", "--dump-before=finish"
        self.assertTriggers(graphs, region, region, region, finish, "Program termination")
        graphs = self.parts_of(self.program("-O0"), "--dump-before=regio", "--dump-after=?region")
        self.assertTriggers(graphs, "Program termination")

    def test_named_by_part(self) -> None:
        """%n is the same for all parts of a process: a number for its profile, not for its parts."""
        run = run_cg2([self.program("-O0")], "--dump-before=nest", out_file="p.%n")
        self.assertEqual([path.name for path in run.profile_paths], ["p.1", "p.1.1"])


class Left(Case):
    """Functions that are entered or left not by a call and its return."""

    def test_longjmp(self) -> None:
        """Calls that longjmp leaves have been left: a part ends where control arrives."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("longjmp.c", level, "-static")
                graphs = self.parts_of(program, "--dump-after=down")
                self.assertTriggers(graphs, *3 * ["--dump-after=down"], "Program termination")
                for graph in graphs[:3]:
                    self.assertCallers(graph, "down'2", {"down": 1, "down'2": 3})
                    self.assertCallers(graph, "thrower", {"down'2": 1})
                self.assertCallers(graphs[3], "thrower", {"near": 5})
                self.assertSum(graphs, self.graph_of(program))

    def test_exception(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                program = compile("exceptions.cc", level, "-static", compiler="g++")
                graphs = self.parts_of(
                    program, "--dump-before=level(long)", "--dump-after=level(long)"
                )
                before, after = "--dump-before=level(long)", "--dump-after=level(long)"
                self.assertTriggers(graphs, *3 * [before, after], "Program termination")
                for graph in graphs[1:6:2]:
                    self.assertCallers(graph, "thrower(long)", {"level(long)'2": 1})
                    self.assertEqual(graph.called("Guard::~Guard()"), 4)
                self.assertSum(graphs, self.graph_of(program))

    def test_tail_call(self) -> None:
        """A jump into the function is a call of it; a jump out of it leaves it with what it jumped to."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("tail.c", level, "-static")
                third, second = len(instructions(program, "third")), len(
                    instructions(program, "second")
                )
                graphs = self.parts_of(program, "--dump-before=second", "--dump-after=second")
                self.assertEqual(len(graphs), 17)
                for graph in graphs[1:16:2]:
                    self.assertEqual(graph.total, second + third)
                    self.assertCallers(graph, "third", {"second": 1})
                self.assertSum(graphs, self.graph_of(program))

    def test_handler(self) -> None:
        """A signal handler: nobody calls it, and it is entered and left all the same."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level, "-static")
                graphs = self.parts_of(program, "--dump-before=on_usr1", "--dump-after=on_usr1")
                self.assertEqual(len(graphs), 9)
                for graph in graphs[1:8:2]:
                    self.assertCallers(graph, "in_handler", {"on_usr1": 2})
                    self.assertEqual(graph.total, graph.inclusive("on_usr1"))
                    self.assertCallers(graph, "send", {"main": 1})
                self.assertSum(graphs, self.graph_of(program))

    def test_handler_left_by_jump(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level, "-static")
                graphs = self.parts_of(program, "--dump-after=on_hup")
                self.assertTriggers(graphs, *5 * ["--dump-after=on_hup"], "Program termination")
                for graph in graphs[1:5]:
                    self.assertCallers(graph, "landed", {"guarded": 1})
                self.assertSum(graphs, self.graph_of(program))

    def test_stub(self) -> None:
        """A function that is called through a stub, also when that goes through the resolver."""
        for level, binding in (
            ("-O0", "-Wl,-z,now"),
            ("-O0", "-Wl,-z,lazy"),
            ("-O2", "-Wl,-z,lazy"),
        ):
            with self.subTest(level, binding=binding):
                program = linked(level, binding)
                graphs = self.parts_of(program, "--dump-before=lib_back", "--dump-after=lib_back")
                self.assertEqual(len(graphs), 7)
                for graph in graphs[1:6:2]:
                    self.assertCallers(graph, "back", {"lib_back": 1})
                    self.assertCallers(graph, "lib_back", {"main": 1})
                    self.assertEqual(graph.total, graph.arc_costs["main", "lib_back"])
                self.assertSum(graphs, self.graph_of(program))


class Processes(Case):
    def test_threads(self) -> None:
        """A part has what all threads did; the calls that others are in count in the next one as well."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("threads.c", level, RECURSIVE, "-pthread", "-static")
                graphs = self.parts_of(program, "--dump-after=deep", args=["3"], spontaneous=STARTS)
                self.assertTriggers(graphs, *3 * ["--dump-after=deep"], "Program termination")
                self.assertChained(graphs)
                whole = self.graph_of(program, args=["3"], spontaneous=STARTS)
                self.assertSum(graphs, whole, *THREADS)
                self.assertEqual(
                    [graph.callers("deep") for graph in graphs], [*3 * [{"body": 1}], {}]
                )
                calls = sum(graph.called("step") for graph in graphs)
                self.assertGreaterEqual(calls, whole.called("step"))
                self.assertLessEqual(calls, whole.called("step") + 3 * 3)

    def test_thread_start(self) -> None:
        """The function that a thread starts with."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("threads.c", level, RECURSIVE, "-pthread", "-static")
                graphs = self.parts_of(
                    program, "--dump-before=body", args=["3"], spontaneous=STARTS
                )
                self.assertTriggers(graphs, *3 * ["--dump-before=body"], "Program termination")
                whole = self.graph_of(program, args=["3"], spontaneous=STARTS)
                self.assertSum(graphs, whole, *THREADS)

    def test_fork(self) -> None:
        """The child counts its parts anew, from 1, under its own name."""
        for level in LEVELS:
            with self.subTest(level):
                run = run_cg2(
                    [compile("fork.c", level, "-static")],
                    "--dump-before=common",
                    "--dump-after=before",
                )
                self.assertEqual(run.status, 0, run.stderr)
                processes = {path.name.split(".")[0] for path in run.profile_paths}
                graphs = [self.check_parts(only(run, process)) for process in processes]
                child, parent = sorted(graphs, key=len)
                before, common = 7 * ["--dump-after=before"], "--dump-before=common"
                self.assertTriggers(parent, *before, *4 * [common], "Program termination")
                self.assertTriggers(child, common, common, "Program termination")
                self.assertChained(child)
                self.assertCallers(child[0], "in_child", {"main": 5})
                self.assertEqual(sum(graph.called("before") for graph in child), 0)


def only(run: Run, process: str) -> Run:
    """`run` with what one process wrote alone."""
    stderr = "\n".join(
        line for line in run.stderr.splitlines() if line.startswith(f"=={process}==")
    )
    paths = [path for path in run.profile_paths if path.name.split(".")[0] == process]
    return Run(run.stdout, stderr, run.status, run.directory, paths)


class Unwritten(Case):
    """A part that cannot be written: a message, and its costs are in the next part."""

    def test_directory_in_the_way(self) -> None:
        """No part can be written: the last one has all."""
        directory = new_directory()
        (directory / "profile.1").mkdir()
        program = compile("parts.c", "-O0", "-static")
        run = run_cg2([program], "--dump-before=region", out_file=str(directory / "profile"))
        self.assertEqual(run.status, 0, run.stderr)
        said = [re.sub(r"^==\d+== ", "", line) for line in run.stderr.splitlines()]
        failure = f"error: cannot write the profile '{directory / 'profile.1'}': Is a directory"
        self.assertEqual(said.count(failure), 3)
        self.assertEqual(said.count("its costs go into the next part"), 3)
        graph = self.check_whole(run, directory / "profile")
        self.assertSum([graph], self.graph_of(program))
        self.assertEqual(graph.part.part, 1)
        self.assertEqual(graph.called("region"), 3)
        self.assertChained([graph])

    def test_directory_comes_back(self) -> None:
        """Two parts fail and two are written, while the program moves the directory away and back."""
        directory = new_directory()
        (directory / "here").mkdir()
        program = compile("moving.c", "-O0", "-static")
        run = run_cg2(
            [program, directory / "here", directory / "gone"],
            "--dump-after=work",
            out_file=str(directory / "here" / "profile"),
        )
        self.assertEqual(run.status, 0, run.stderr)
        paths = sorted((directory / "here").iterdir())
        self.assertEqual([path.name for path in paths], ["profile", "profile.1", "profile.2"])
        graphs = self.check_parts(Run(run.stdout, run.stderr, run.status, run.directory, paths))
        self.assertEqual([graph.called("work") for graph in graphs], [1, 3, 0])
        self.assertEqual(run.stderr.count("No such file or directory"), 2)
        self.assertChained(graphs)


if __name__ == "__main__":
    unittest.main()
