"""Trampolines on the stack: functions in functions of GNU C, and internal procedures of Fortran."""

from __future__ import annotations

import shutil
import unittest

from case import LEVELS, Case
from cg2test import MACHINE, can_run_32_bits, compile, env
from facts import Graph

# What a trampoline has before it jumps on: two registers are loaded, or one of x86.
INSTRUCTIONS = {"x86_64": 3, "aarch64": 3}
WARNED = ["-Wl,--no-warn-execstack"]  # the stack has code

# How often nested.c calls the functions in functions, on eight levels of `outer` and in two calls of `other`.
CALLS = {"add": 8 * 3, "multiply": 8 * 5, "subtract": 2 * 2}


class Trampolines(Case):
    """A trampoline is one function, named by where it leads, wherever on the stack it lies."""

    def assertCounts(self, graph: Graph, instructions: int) -> None:
        for name, times in CALLS.items():
            (whole,) = (each for each in graph.self_costs if each.startswith(name) and "[" in each)
            function = whole.removesuffix(" [trampoline]")
            self.assertCallers(graph, whole, {"apply": times})
            self.assertCallers(graph, function, {whole: times})
            self.assertEqual(graph.self_costs[whole], instructions * times)

    def test_counts(self) -> None:
        """At eight depths of the stack, and where another function's was before."""
        for level in LEVELS:
            for pie in "-pie", "-no-pie":  # addresses of 64 bits, and of 32
                with self.subTest(level, pie=pie):
                    program = compile("nested.c", level, pie, f"-f{pie[1:]}", *WARNED)
                    self.assertCounts(
                        self.graph_of(program, "--dump-instr=yes"), INSTRUCTIONS[MACHINE]
                    )

    def test_marked(self) -> None:
        """Control-flow protection puts an instruction in front."""
        if MACHINE != "x86_64":
            self.skipTest("the option is one of x86")
        program = compile("nested.c", "-O2", "-fcf-protection", *WARNED)
        self.assertCounts(self.graph_of(program), 1 + INSTRUCTIONS[MACHINE])

    def test_32_bits(self) -> None:
        if MACHINE != "x86_64" or not can_run_32_bits():
            self.skipTest("no 32-bit programs here")
        self.assertCounts(self.graph_of(compile("nested.c", "-O2", "-m32", *WARNED)), 2)

    def test_environment(self) -> None:
        """A longer environment moves the stack, and changes no function's name and no address."""
        program = compile("nested.c", "-O2", *WARNED)
        found = []
        for length in 1, 3000:
            environment = env(CG2_TEST_PADDING="x" * length)
            graph = self.graph_of(program, "--dump-instr=yes", environment=environment)
            found.append({key for key in graph.part.functions if key.object == "???"})
        self.assertEqual(found[0], found[1])
        self.assertEqual(len(found[0]), len(CALLS))

    def test_without_symbols(self) -> None:
        """Then it leads to an offset in the program."""
        program = compile("nested.c", "-O2", "-s", *WARNED)
        graph = self.graph_of(program)
        names = [name for name in graph.self_costs if name.endswith(" [trampoline]")]
        times = sorted(sum(graph.callers(name).values()) for name in names)
        self.assertEqual(times, sorted(CALLS.values()))
        for name in names:
            self.assertIn(name.removesuffix(" [trampoline]"), graph.self_costs)

    def test_fortran(self) -> None:
        if not shutil.which("gfortran"):
            self.skipTest("no gfortran (Debian: apt-get install gfortran)")
        program = compile("internal.f90", "-O0", *WARNED, compiler="gfortran")
        graph = self.graph_of(program)
        (name,) = (name for name in graph.self_costs if name.endswith(" [trampoline]"))
        self.assertRegex(name, r"^inner\.\d+ \[trampoline\]$")
        self.assertCallers(graph, name, {"apply_": 4})
        self.assertCallers(graph, name.removesuffix(" [trampoline]"), {name: 4})


if __name__ == "__main__":
    unittest.main()
