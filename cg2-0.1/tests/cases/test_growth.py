"""Many of everything: blocks in a function, functions below a call site, callers of a function."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from disassembly import instructions


class ManyBlocks(Case):
    def test_costs(self) -> None:
        """New blocks of a function that is running, at two levels of recursion: every instruction counts."""
        graph = self.graph_of(compile("growing.S", "-nostdlib", "-static"))
        outer = sum(big(b) for b in (0, 15, 15, 15))
        deeper = sum(big(b) for b in range(1, 16))
        self.assertCallers(graph, "big", {"(below main)": 4})
        self.assertCallers(graph, "big'2", {"big": 1, "big'2": 14})
        self.assertEqual(graph.self_costs["big"], outer)
        self.assertEqual(graph.self_costs["big'2"], deeper)
        self.assertEqual(graph.arc_costs["big", "big'2"], deeper)
        self.assertEqual(graph.total, outer + deeper + 9)

    def test_instructions(self) -> None:
        """Each address has its own count, whichever level met it first."""
        program = compile("growing.S", "-nostdlib", "-static")
        graph = self.graph_of(program, "--dump-instr=yes")
        nops = instructions(program, "big")[2:12:3]  # of the first four units
        for bit, address in enumerate(nops):
            found = sum(
                cost[0]
                for function in graph.part.functions.values()
                for position, cost in function.costs.items()
                if position.instr == address
            )
            self.assertEqual(found, sum(b >> bit & 1 for b in [*range(16), 15, 15, 15]))


def big(b: int) -> int:
    """What one call of big(b) costs, without the call it makes."""
    return 2000 * 2 + 500 * b.bit_count() + 3 + (3 if b < 15 else 0)


class ManyFunctions(Case):
    def test_counts(self) -> None:
        """4,096 callees of one call site, and 4,096 callers of one function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("many.c", level))
                expected = {f"f0x{i:03x}": i % 7 + 1 for i in range(4096)}
                self.assertEqual(graph.callees("dispatch"), expected)
                self.assertEqual(graph.callers("common"), expected)


if __name__ == "__main__":
    unittest.main()
