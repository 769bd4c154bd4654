"""Programs whose every instruction is known: totals, costs by line and by instruction are exact."""

from __future__ import annotations

import re
import unittest
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from case import Case
from cg2test import compile, source_of
from disassembly import address_lines, instructions
from facts import Graph

SOURCE = "exact.S"
FLAGS = ["-nostdlib", "-static"]
FUNCTIONS = [
    "straight",
    "looped",
    "inner",
    "outer",
    "branches",
    "strings",
    "locked",
    "straight_200",
    "_start",
]


def expected_lines() -> dict[int, int]:
    """What exact.S says about itself: how often each of its lines runs."""
    expected: dict[int, int] = {}
    for number, line in enumerate(source_of(SOURCE).read_text().splitlines(), start=1):
        if count := re.search(r"#= (\d+)$", line):
            expected[number] = int(count[1])
    return {number: count for number, count in expected.items() if count}


class Lines(Case):
    def test_total(self) -> None:
        """The whole program, from its first instruction to the system call that ends it."""
        graph = self.graph_of(compile(SOURCE, *FLAGS))
        self.assertEqual(graph.total, sum(expected_lines().values()))

    def test_lines(self) -> None:
        """Each line costs as often as it runs: loops, repeated instructions, side exits, long blocks."""
        graph = self.graph_of(compile(SOURCE, *FLAGS))
        found: Counter[int] = Counter()
        for function in graph.part.functions.values():
            for position, cost in function.costs.items():
                found[position.line] += cost[0]
        self.assertEqual(differences(found, expected_lines()), {})

    def test_calls(self) -> None:
        graph = self.graph_of(compile(SOURCE, *FLAGS))
        callees = {
            "straight": 5,
            "looped": 3,
            "outer": 4,
            "branches": 8,
            "strings": 2,
            "locked": 2,
            "straight_200": 2,
        }
        self.assertCallees(graph, "(below main)", callees)
        self.assertCallers(graph, "inner", {"outer": 24})
        self.assertEqual(graph.arc_costs["(below main)", "outer"], 4 * 22 + 24 * 16)
        self.assertEqual(graph.arc_costs["(below main)", "strings"], 2 * 43)
        self.assertEqual(graph.self_costs["straight_200"], 2 * 201)


class Instructions(Case):
    def test_costs(self) -> None:
        """--dump-instr=yes: each instruction costs as often as its line runs, at its address in the file."""
        for flags in (FLAGS, ["-nostdlib", "-static-pie"]):
            with self.subTest(flags=flags):
                program = compile(SOURCE, *flags)
                graph = self.graph_of(program, "--dump-instr=yes")
                self.assertEqual(graph.part.positions, ["instr", "line"])
                self.assertEqual(
                    differences(costs_by_address(graph), expected_addresses(program)), {}
                )

    def test_without_lines(self) -> None:
        """--dump-line=no leaves the addresses alone."""
        program = compile(SOURCE, *FLAGS)
        graph = self.graph_of(program, "--dump-instr=yes", "--dump-line=no")
        self.assertEqual(graph.part.positions, ["instr"])
        self.assertEqual(differences(costs_by_address(graph), expected_addresses(program)), {})

    def test_call_sites(self) -> None:
        """A call stands at the address of its call instruction, and leads to the callee's first."""
        program = compile(SOURCE, *FLAGS)
        graph = self.graph_of(program, "--dump-instr=yes")
        outer, inner = instructions(program, "outer"), instructions(program, "inner")
        sites: Counter[tuple[int, int]] = Counter()
        for key, function in graph.part.functions.items():
            if key.name == "outer":
                for call in function.calls:
                    sites[call.source.instr, call.target.instr] += call.count
        self.assertEqual(sites, {(outer[2], inner[0]): 24})


def differences(
    found: Mapping[int, int], expected: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """Where two tables of counts differ: what was found, and what is expected."""
    return {
        key: (found.get(key, 0), expected.get(key, 0))
        for key in found.keys() | expected.keys()
        if found.get(key, 0) != expected.get(key, 0)
    }


def costs_by_address(graph: Graph) -> Counter[int]:
    """Self costs by address, over all functions."""
    found: Counter[int] = Counter()
    for function in graph.part.functions.values():
        for position, cost in function.costs.items():
            found[position.instr] += cost[0]
    return found


def expected_addresses(program: Path) -> dict[int, int]:
    """How often each instruction of exact.S runs, by its address in `program`."""
    addresses = [address for function in FUNCTIONS for address in instructions(program, function)]
    line_of = address_lines(program, addresses)
    on_line = Counter(line_of.values())  # 1, but for the line of 200 nops
    runs = expected_lines()
    return {
        address: runs[line] // on_line[line] for address, line in line_of.items() if line in runs
    }


if __name__ == "__main__":
    unittest.main()
