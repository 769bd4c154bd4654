"""Programs that switch stacks by themselves: swapcontext, coroutines. Each stack has its own frames."""

from __future__ import annotations

import unittest

from case import LEVELS, STARTS, Case
from cg2test import MACHINE, can_run_32_bits, compile, run_cg2
from facts import Graph

# What a coroutine of glibc's returns to.
START_CONTEXT = "__startcontext" if MACHINE == "aarch64" else "__start_context"
FLAGS = ["-pthread", "-fno-optimize-sibling-calls"]
PAIRS = {
    ("deep", "leaf"): 20,
    ("deep'2", "leaf"): 30,
    ("first_body", "deep"): 10,
    ("second_body", "deep"): 10,
    ("deep", "deep'2"): 20,
    ("deep'2", "deep'2"): 10,
    ("first_body", "yield"): 10,
    ("second_body", "yield"): 10,
    ("pairs_on", "resume"): 22,
    ("yield", "swapcontext"): 20,
    ("resume", "swapcontext"): 22,
}


class Fibers(Case):
    def graph_of_mode(
        self,
        mode: str,
        *options: str,
        level: str = "-O1",
        flags: tuple[str, ...] = (),
        spontaneous: str = "",
    ) -> Graph:
        program = compile("fibers.c", level, *FLAGS, *flags, is_dynamic=True)
        return self.graph_of(program, *options, args=[mode], spontaneous=[*STARTS, spontaneous])

    def assertRoots(self, graph: Graph, *names: str) -> None:
        """Beside the program's start, only these are called by nobody."""
        own = {
            key.name
            for key in graph.roots()
            if "ld-linux" not in key.object and "ld-2" not in key.object
        }
        self.assertEqual(own, set(names))

    def assertPairs(self, graph: Graph, times: int = 1) -> None:
        self.assertCalls(graph, {arc: times * count for arc, count in PAIRS.items()})
        self.assertRoots(graph, "first_body", "second_body", START_CONTEXT)

    def test_pairs(self) -> None:
        """main resumes each of two coroutines: on the heap, static, and inside main's own stack."""
        for level in LEVELS:
            for mode in ("pairs", "local", "static"):
                with self.subTest(f"{mode} {level}"):
                    graph = self.graph_of_mode(mode, level=level)
                    self.assertPairs(graph)
                    ended = graph.arc_costs["pairs_on", "resume"]
                    self.assertEqual(ended, graph.inclusive("resume"))

    @unittest.skipUnless(can_run_32_bits(), "no 32-bit programs here")
    def test_x86(self) -> None:
        """In 32-bit programs it is the same: coroutines return into the middle of makecontext."""
        graph = self.graph_of_mode("pairs", flags=("-m32",), spontaneous="makecontext")
        self.assertCalls(graph, PAIRS)
        self.assertRoots(graph, "first_body", "second_body")

    def test_direct(self) -> None:
        """Coroutines that resume each other."""
        graph = self.graph_of_mode("direct")
        self.assertCalls(
            graph,
            {
                ("direct_body", "swapcontext"): 20,
                ("direct_body", "deep"): 20,
                ("direct", "resume"): 1,
            },
        )
        self.assertRoots(graph, "direct_body", START_CONTEXT)

    def test_reused(self) -> None:
        """A stack on which many coroutines lie, one after the other, ended or not."""
        graph = self.graph_of_mode("reused")
        self.assertCalls(graph, {("short_body", "leaf"): 20, ("reused", "resume"): 20})
        self.assertRoots(graph, "short_body", START_CONTEXT)
        graph = self.graph_of_mode("left")
        self.assertCalls(
            graph, {("first_body", "deep"): 5, ("left", "resume"): 5, ("first_body", "yield"): 5}
        )
        self.assertRoots(graph, "first_body")

    def test_nested(self) -> None:
        """A function that is active on another stack is not a recursion on this one."""
        graph = self.graph_of_mode("nested")
        self.assertCalls(
            graph,
            {("nested_body", "leaf"): 8, ("nested_body", "resume"): 6, ("nested_body", "yield"): 4},
        )
        self.assertRoots(graph, "nested_body", START_CONTEXT)

    def test_unwound(self) -> None:
        """longjmp leaves frames of the stack that it is on."""
        graph = self.graph_of_mode("unwound")
        self.assertCalls(
            graph,
            {
                ("unwound_body", "catcher"): 2,
                ("unwound", "catcher"): 2,
                ("catcher", "thrower"): 4,
                ("catcher", "leaf"): 4,
            },
        )

    def test_threads(self) -> None:
        """Each thread has its own; one may go on with what another has begun."""
        self.assertPairs(self.graph_of_mode("threads"), times=2)
        graph = self.graph_of_mode("moved")
        self.assertCalls(
            graph, {("first_body", "deep"): 1, ("finisher", "resume"): 1, ("moved", "resume"): 1}
        )
        self.assertRoots(graph, "first_body", START_CONTEXT)

    def test_jumps(self) -> None:
        """Stacks that are changed by a jump, and begin in the middle of a function."""
        graph = self.graph_of_mode("jumps", spontaneous="prepare_stack")
        self.assertCalls(
            graph,
            {
                ("jumping_body", "deep"): 20,
                ("jumping_body", "switch_to"): 20,
                ("jumps", "switch_to"): 20,
                ("prepare_stack", "jumping_body"): 2,
                ("jumps", "prepare_stack"): 2,
            },
        )

    def test_collected(self) -> None:
        """Only what runs while a function is active that toggles collection, on whatever stack."""
        graph = self.graph_of_mode("pairs", "--toggle-collect=resume")
        self.assertEqual(graph.called("deep"), 20 + 30)
        self.assertEqual(graph.called("resume"), 22)
        self.assertNotIn("pairs_on", {name for name, cost in graph.self_costs.items() if cost})

    def test_parts(self) -> None:
        """Parts that are written while stacks lie still: costs are in one part each."""
        program = compile("fibers.c", "-O1", *FLAGS, is_dynamic=True)
        whole = self.graph_of_mode("pairs")
        graphs = self.parts_of(program, "--dump-before=yield", args=["pairs"], spontaneous=STARTS)
        self.assertEqual(len(graphs), 21)
        for name in ("leaf", "deep", "first_body", "second_body", "yield", "resume", "swapcontext"):
            self.assertEqual(
                sum(graph.self_costs[name] for graph in graphs), whole.self_costs[name], name
            )
        self.assertEqual(sum(graph.called("leaf") for graph in graphs), 50)

    def test_threads_apart(self) -> None:
        """A thread that goes on with another one's stack has a root there."""
        program = compile("fibers.c", "-O1", *FLAGS, is_dynamic=True)
        run = run_cg2([program, "moved"], "--separate-threads=yes")
        self.assertEqual(run.status, 0, run.stderr)
        graphs = {
            path.name[-2:]: self.check_part(path, [*STARTS, "first_body", "swapcontext"])
            for path in run.profile_paths
        }
        self.assertEqual(graphs["01"].called("deep"), 1 + 2)
        self.assertEqual(graphs["02"].called("deep"), 0)
        self.assertEqual(graphs["02"].called("resume"), 1)


if __name__ == "__main__":
    unittest.main()
