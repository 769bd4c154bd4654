"""Programs without debug information, and without symbols; the code below main."""

from __future__ import annotations

import unittest
from pathlib import Path

from case import LEVELS, Case
from cg2test import MACHINE, can_run_32_bits, compile, env, line_of, profile_of
from cg2tools.profile.model import Part
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


class FunctionFiles(Case):
    """The file of a function whose first instructions are inlined from a header."""

    FLAGS = ("-O2", "-fcf-protection=none", "-fomit-frame-pointer")

    def file_of(self, part: Part) -> str:
        """The file of `declared`, whose costs by file and line are what they have to be."""
        [(key, function)] = [
            (key, function) for key, function in part.functions.items() if key.name == "declared"
        ]
        inlined = line_of("declared.h", "nop; nop; nop")
        own = line_of("declared.c", "state = 1;")
        costs = {
            (Path(position.file).name, position.line): cost[0]
            for position, cost in function.costs.items()
        }
        stores = 3 if MACHINE == "aarch64" else 1  # instructions that a store to a variable takes
        expected = {("declared.h", inlined): 21, ("declared.c", own): 7 * stores}
        self.assertEqual(costs, expected | {("declared.c", own + 1): 7})
        return Path(key.file).name

    def target_of(self, part: Part) -> int:
        """The line that the profile says `declared` begins on, where it is called."""
        [line] = {
            call.target.line
            for function in part.functions.values()
            for call in function.calls
            if call.callee.name == "declared"
        }
        return line

    def test_declared(self) -> None:
        """The function is in the file that declares it, and begins where its body does; Callgrind says the
        header."""
        program = compile("declared.c", *self.FLAGS, is_dynamic=True)
        part = profile_of([program])
        self.assertEqual(self.file_of(part), "declared.c")
        self.assertEqual(self.target_of(part), line_of("declared.c", "/* here */") + 1)
        for part in (
            profile_of([program], "--function-files=first"),
            profile_of([program], tool="callgrind"),
        ):
            self.assertEqual(self.file_of(part), "declared.h")
            self.assertEqual(self.target_of(part), line_of("declared.h", "nop; nop; nop"))

    def test_debug_formats(self) -> None:
        """Each version of line tables is read; a compressed one is not."""
        for flag, file in (
            ("-gdwarf-2", "declared.c"),
            ("-gdwarf-4", "declared.c"),
            ("-gdwarf-5", "declared.c"),
            ("-gz=zlib", "declared.h"),
        ):
            with self.subTest(flag):
                part = profile_of([compile("declared.c", *self.FLAGS, flag, is_dynamic=True)])
                self.assertEqual(self.file_of(part), file)

    def test_x86(self) -> None:
        if not can_run_32_bits():
            self.skipTest("no 32-bit programs here (Debian: apt-get install gcc-multilib)")
        program = compile("declared.c", *self.FLAGS, "-m32", "-fno-pic", "-no-pie", is_dynamic=True)
        self.assertEqual(self.file_of(profile_of([program])), "declared.c")


class NoSymbols(Case):
    def test_counts(self) -> None:
        """Without symbols a function is named by the address of its entry, and calls are still exact."""
        for level in LEVELS:
            with self.subTest(level):
                named = compile("calls.c", level, "-g0", is_dynamic=True)
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
                named = self.graph_of(compile(source, "-O0", "-g0", is_dynamic=True))
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
        linker = stripped(interpreter(compile("calls.c", "-O0", is_dynamic=True)))
        stripped(needed(compile("calls.c", "-O0", is_dynamic=True), "libc.so.6"))
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
        """Code without a symbol runs for whoever jumped there, and what it jumps to is called by that
        function."""
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
                graph = self.graph_of(compile("calls.c", *flags, is_dynamic=True))
                self.assertEqual(graph.called("main"), 1)
                [caller] = graph.callers("main")
                self.assertRegex(caller, r"^\(below main\)('2)?$|^0x[0-9a-f]{16}$")
                self.assertGreater(graph.inclusive(caller), graph.inclusive("main"))
                if "-static" in flags:
                    self.assertEqual(base(caller), "(below main)")
                else:
                    [start] = graph.callees("(below main)").keys() & START
                    self.assertEqual(graph.counts["(below main)", start], 1)
                    starts = [key for key in graph.part.functions if key.name == "_start"]
                    self.assertEqual(
                        [Path(key.object).name.partition("-")[0] for key in starts], ["ld"]
                    )

    def test_one_root(self) -> None:
        """A program without threads and signals has one root: where it starts. It costs the whole program."""
        for flags in (["-O0"], ["-O0", "-static"]):
            with self.subTest(flags=flags):
                graph = self.graph_of(compile("calls.c", *flags, is_dynamic=True))
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
