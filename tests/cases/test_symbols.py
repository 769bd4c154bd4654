"""Programs without debug information, and without symbols; the code below main."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile, env
from disassembly import instructions, interpreter, needed, stripped
from facts import Graph, base


def address_name(address: int) -> str:
    """How a function without a symbol is called: its address in its file, 16 digits."""
    return f"0x{address:016x}"


START = {
    "__libc_start_main@@GLIBC_2.34",
    "__libc_start_main",
    "(below main)",
}  # what calls main, in libc

STARTS = [
    "clone",
    "clone3",
    "__clone3",
    "__clone_internal",
]  # where a new thread begins, without having been called


class NoDebugInformation(Case):
    def test_counts(self) -> None:
        """With symbols but without lines, the functions are known and all cost is on line 0 of file ???."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("calls.c", level, "-g0", "-Wl,--strip-debug"))
                self.assertCallers(graph, "branch", {"main": 7})
                self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})
                self.assertCallees(graph, "main", {"branch": 7, "leaf": 1, "nothing": 1})
                for key, function in graph.part.functions.items():
                    if key.name in ("main", "branch", "leaf"):
                        self.assertEqual(key.file, "???")
                        self.assertEqual({position.line for position in function.costs}, {0})


class NoSymbols(Case):
    def test_counts(self) -> None:
        """Without symbols a function is named by the address of its entry, and calls are still exact."""
        for level in LEVELS:
            with self.subTest(level):
                named = compile("calls.c", level, "-g0")
                stripped = compile("calls.c", level, "-g0", "-Wl,--strip-all")
                leaf, branch, main = (
                    address_name(instructions(named, name)[0])
                    for name in ("leaf", "branch", "main")
                )
                graph = self.graph_of(stripped)
                self.assertCallers(graph, branch, {main: 7})
                self.assertEqual(graph.counts[branch, leaf], 21)
                self.assertEqual(graph.counts[main, leaf], 1)
                self.assertEqual(graph.arc_costs[main, leaf], len(instructions(named, "leaf")))
                self.assertUnnamed(graph, r"^(main|branch|leaf)$")

    def test_same_cost(self) -> None:
        """The stripped program runs the same instructions."""
        for source in ("calls.c", "recursion.c", "longjmp.c"):
            with self.subTest(source):
                named = self.graph_of(compile(source, "-O0", "-g0"))
                stripped = self.graph_of(compile(source, "-O0", "-g0", "-Wl,--strip-all"))
                self.assertEqual(_object_cost(named), _object_cost(stripped))

    def test_static(self) -> None:
        """A whole libc without a symbol, with jumps and stubs of its own: no cost is in the wrong call."""
        for source in ("calls.c", "longjmp.c"):
            with self.subTest(source):
                named = self.graph_of(compile(source, "-O2", "-static"))
                bare = self.graph_of(compile(source, "-O2", "-static", "-Wl,--strip-all"))
                self.assertEqual(bare.total, named.total)
                self.assertEqual(len(bare.roots()), 1)
        with self.subTest("threads.c"):
            program = compile("threads.c", "-O2", "-static", "-pthread", "-Wl,--strip-all")
            graph = self.graph_of(program, args=["4"])
            self.assertEqual(len(graph.roots()), 2, "the program's start, and the threads'")

    def test_libc(self) -> None:
        """The program has symbols; the dynamic linker and libc have exported ones only."""
        linker = stripped(interpreter(compile("calls.c", "-O0")))
        stripped(needed(compile("calls.c", "-O0"), "libc.so.6"))
        program = compile("threads.c", "-O0", "-pthread", f"-Wl,--dynamic-linker={linker}")
        environment = env(LD_LIBRARY_PATH=str(linker.parent))
        graph = self.graph_of(program, args=["4"], environment=environment, spontaneous=STARTS)
        self.assertIn(
            str(linker.with_name("libc.so.6")), {key.object for key in graph.part.functions}
        )
        self.assertCallers(graph, "work", {"body": 1000})
        self.assertCallers(graph, "step", {"work": 3000})


class SharedCode(Case):
    def test_counts(self) -> None:
        """Code without a symbol runs for whoever jumped there, and what it jumps to is called by that function."""
        graph = self.graph_of(compile("home.c", "-O1", "home.S", "-rdynamic", "-Wl,--strip-all"))
        self.assertCallers(graph, "first", {"main": 1, "second": 2})
        self.assertCallers(graph, "second", {"main": 2})
        self.assertEqual(graph.self_costs["second"], 2 * (3 + 5))
        self.assertEqual(graph.self_costs["first"], (2 + 5 + 2 + 3) + 2 * (2 + 3))
        self.assertEqual(graph.arc_costs["second", "first"], 2 * 5)


class BelowMain(Case):
    def test_names(self) -> None:
        """A program starts in (below main); so is called what calls main, where it has a symbol."""
        for flags in (["-O0"], ["-O2"], ["-O0", "-static"], ["-O0", "-no-pie"]):
            with self.subTest(flags=flags):
                graph = self.graph_of(compile("calls.c", *flags))
                self.assertEqual(graph.called("main"), 1)
                [caller] = graph.callers("main")
                self.assertRegex(caller, r"^\(below main\)('2)?$|^0x[0-9a-f]{16}$")
                self.assertGreater(graph.inclusive(caller), graph.inclusive("main"))
                if "-static" in flags:
                    self.assertEqual(base(caller), "(below main)")
                else:
                    [start] = graph.callees("(below main)").keys() & START
                    self.assertEqual(graph.counts["(below main)", start], 1)
                    self.assertNotIn("_start", graph.names())

    def test_one_root(self) -> None:
        """A program without threads and signals has one root: where it starts. It costs the whole program."""
        for flags in (["-O0"], ["-O0", "-static"]):
            with self.subTest(flags=flags):
                graph = self.graph_of(compile("calls.c", *flags))
                roots = [key.name for key in graph.roots()]
                self.assertEqual(len(roots), 1, roots)
                self.assertEqual(graph.inclusive(roots[0]), graph.total)


def _object_cost(graph: Graph) -> int:
    """What the program itself costs, without its libraries."""
    return sum(
        function.self_cost()[0]
        for key, function in graph.part.functions.items()
        if "tests-programs" in key.object and function.costs
    )


if __name__ == "__main__":
    unittest.main()
