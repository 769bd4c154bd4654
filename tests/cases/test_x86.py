"""32-bit programs, where the tool for them was built and the compiler can make them."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import can_run_32_bits, compile, line_of
from facts import base


@unittest.skipUnless(can_run_32_bits(), "no 32-bit tool, or no 32-bit compiler")
class ThirtyTwoBits(Case):
    def test_calls(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("calls.c", level, "-m32"))
                self.assertCallers(graph, "branch", {"main": 7})
                self.assertCallers(graph, "leaf", {"branch": 21, "main": 1})
                graph = self.graph_of(compile("pointers.c", level, "-m32"))
                self.assertEqual(
                    [graph.counts["dispatch", f"op{i}"] for i in range(4)], [10, 20, 30, 40]
                )
                self.assertCallers(graph, "count_visit", {"visit": 13, "main": 1})

    def test_jumps(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                flags = [level, "-m32", "-fno-optimize-sibling-calls"]
                graph = self.graph_of(
                    compile("switches.c", *flags), "--collect-jumps=yes", "--dump-instr=yes"
                )
                at = line_of("switches.c", "switch (n)")
                tables = [
                    jump.taken
                    for key, function in graph.part.functions.items()
                    for jump in function.jumps
                    if base(key.name) == "chosen"
                    and jump.source.line == at
                    and not jump.conditional
                ]
                self.assertEqual(tables, [10] * 8)

    def test_recursion(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    compile("recursion.c", level, "-m32", "-fno-optimize-sibling-calls")
                )
                self.assertCallers(graph, "fact'2", {"fact": 1, "fact'2": 4})
                self.assertCallers(graph, "fib'2", {"fib": 2, "fib'2": 174})
                self.assertCallers(graph, "odd'2", {"even'2": 4})

    def test_transfers(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("tail.c", level, "-m32"))
                self.assertCallers(
                    graph, "third", {"second": 8, "second_or_third": 2, "through": 2}
                )
                graph = self.graph_of(compile("longjmp.c", level, "-m32"))
                self.assertCallers(graph, "thrower", {"down'2": 3, "near": 5})
                self.assertCallers(graph, "between", {"main": 4})
                self.assertEqual(graph.called("main"), 1)

    def test_linking(self) -> None:
        for level in LEVELS:
            for binding in ("-Wl,-z,lazy", "-Wl,-z,now"):
                with self.subTest(level, binding=binding):
                    library = compile("libplt.c", level, "-m32", "-shared", "-fPIC", binding)
                    graph = self.graph_of(compile("plt.c", level, "-m32", binding, str(library)))
                    self.assertCallers(graph, "lib_twice", {"main": 6})
                    self.assertCallers(graph, "lib_once", {"lib_twice": 12})
                    self.assertCallers(graph, "back", {"lib_back": 3})
                    self.assertCallers(graph, "lib_pointer", {"main": 5, "call": 4})
                    self.assertUnnamed(graph, r"@plt", r"\[PLT\]")

    def test_signals(self) -> None:
        graph = self.graph_of(compile("signals.c", "-O0", "-m32"))
        self.assertCallers(graph, "on_usr1", {})
        self.assertCallers(graph, "in_handler", {"on_usr1": 8})
        self.assertCallers(graph, "in_nested", {"on_term": 3})
        self.assertCallers(graph, "landed", {"guarded": 5})


if __name__ == "__main__":
    unittest.main()
