"""Calls that are jumps, and jumps that are not calls."""

from __future__ import annotations

import unittest
from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from case import LEVELS, Case
from cg2test import MACHINE, can_run_32_bits, compile, usage_of
from disassembly import instructions, symbols
from facts import Graph, base


class TailCalls(Case):
    def test_counts(self) -> None:
        """A jump to another function's first instruction counts as a call by the one that jumps."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("tail.c", level))
                self.assertCallers(graph, "first", {"main": 5})
                self.assertCallers(graph, "second_or_third", {"main": 5})
                self.assertCallers(graph, "second", {"first": 5, "second_or_third": 3})
                self.assertCallers(
                    graph, "third", {"second": 8, "second_or_third": 2, "through": 2}
                )
                self.assertCallers(graph, "after", {"main": 5, "through": 1})

    def test_costs(self) -> None:
        """What a function in tail position costs is inside the call of the one that jumped to it."""
        program = compile("tail.c", "-O2")
        graph = self.graph_of(program)
        third, second = len(instructions(program, "third")), len(instructions(program, "second"))
        first = len(instructions(program, "first"))
        self.assertEqual(graph.arc_costs["main", "first"], 5 * (first + second + third))
        self.assertEqual(graph.arc_costs["first", "second"], 5 * (second + third))
        self.assertEqual(graph.self_costs["third"], 12 * third)

    def test_jump_to_itself(self) -> None:
        """At -O2 a tail call of itself is a loop, not a call; at -O0 it is recursion."""
        graph = self.graph_of(compile("tail.c", "-O2"))
        self.assertCallers(graph, "countdown", {"main": 1})
        self.assertNotIn("countdown'2", graph.names())
        graph = self.graph_of(compile("tail.c", "-O0"))
        self.assertCallers(graph, "countdown'2", {"countdown": 1, "countdown'2": 3})


class Chains(Case):
    """Tail calls without end: tailchain.S, whose functions have 3 and 5 instructions."""

    CALLS = 200_000  # a stack is joined when it has 4,096 frames

    def facts(self, *options: str) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
        """The calls and inclusive costs of the chain, each call with what it costs until the end."""
        program = compile("tailchain.S", f"-DN={self.CALLS}")
        graph = self.graph_of(program, *options)
        names = ("ping", "pong", "ping'2", "pong'2")
        arcs = [arc for arc in graph.counts if arc[1] in names]
        calls = Counter({arc: graph.counts[arc] for arc in arcs})
        return calls, Counter({arc: graph.arc_costs[arc] for arc in arcs})

    def told(self) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
        """The same by brute force: each call costs what is left of the chain."""
        calls: Counter[tuple[str, str]] = Counter()
        costs: Counter[tuple[str, str]] = Counter()
        names = ["ping", "pong"] + ["ping'2", "pong'2"] * (self.CALLS // 2 - 1)
        callers = ["main", *names]
        left = self.CALLS // 2 * 8
        for caller, name in zip(callers, names):
            calls[caller, name] += 1
            costs[caller, name] += left
            left -= 3 if name.startswith("ping") else 5
        return calls, costs

    def test_facts(self) -> None:
        """Joined frames have the counts and costs of frames of their own; so with all events, and paths."""
        told = self.told()
        modes: list[list[str]] = [[], ["--cache-sim=yes", "--collect-bus=yes"], ["--contexts=full"]]
        for options in modes:
            with self.subTest(options):
                self.assertEqual(self.facts(*options), told)

    def test_memory(self) -> None:
        """15 million tail calls take no more memory than 1,000 do."""
        few, many = (
            usage_of([compile("tailchain.S", f"-DN={calls}")], "--cg2-out-file=/dev/null")
            for calls in (1000, 15_000_000)
        )
        self.assertLess(many.memory - few.memory, 40_000_000)


class Jumps(Case):
    def test_counts(self) -> None:
        """A jump to a function's first instruction is a call; to its middle, or by falling into it, not."""
        graph = self.graph_of(compile("jumps.c", "-O0", "jumps.S"))
        self.assertCallers(graph, "host", {"main": 4})
        self.assertCallers(graph, "enter_middle", {"main": 3})
        self.assertCallers(graph, "chain_a", {"main": 6})
        self.assertCallers(graph, "chain_b", {"chain_a": 6})
        self.assertCallers(graph, "chain_c", {"chain_b": 6})
        self.assertCallers(graph, "falls", {"main": 2})
        self.assertCallees(graph, "main", {"host": 4, "enter_middle": 3, "chain_a": 6, "falls": 2})

    def test_costs(self) -> None:
        """A call costs all that ran until it returned; what is run into without a call is the jumper's."""
        graph = self.graph_of(compile("jumps.c", "-O0", "jumps.S"))
        self.assertEqual(graph.arc_costs["main", "host"], 4 * 4)
        self.assertEqual(graph.arc_costs["main", "enter_middle"], 3 * (2 + 3))
        self.assertEqual(graph.arc_costs["main", "falls"], 2 * (2 + 2))
        self.assertEqual(graph.arc_costs["main", "chain_a"], 6 * (2 + 3 + 2))
        self.assertEqual(graph.arc_costs["chain_a", "chain_b"], 6 * (3 + 2))
        self.assertEqual(graph.arc_costs["chain_b", "chain_c"], 6 * 2)
        self.assertEqual(graph.self_costs["host"], 4 * 4)
        self.assertEqual(graph.self_costs["enter_middle"], 3 * (2 + 3))
        self.assertEqual(graph.self_costs["falls"], 2 * (2 + 2))
        self.assertNotIn("below", graph.names())


class Cold(Case):
    def test_counts(self) -> None:
        """A function's cold half, far away and with a symbol of its own, is the function."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("cold.c", level))
                self.assertCallers(graph, "work", {"main": 10})
                self.assertCallers(graph, "rare", {"work": 4})
                self.assertCallers(graph, "common", {"work": 10})
                self.assertCallees(graph, "main", {"work": 10})
                self.assertUnnamed(graph, r"\.cold")

    def test_costs(self) -> None:
        """The cold half's instructions are the function's: it runs twice, and jumps back into the hot one."""
        program = compile("cold.c", "-O2")
        self.assertIn(
            "work.cold", symbols(program), "the compiler made no cold half: nothing is tested"
        )
        graph = self.graph_of(program)
        hot, cold = len(instructions(program, "work")), len(instructions(program, "work.cold"))
        common, rare = len(instructions(program, "common")), len(instructions(program, "rare"))
        self.assertEqual(graph.self_costs["work"], 10 * hot + 2 * cold)
        self.assertEqual(graph.arc_costs["main", "work"], 10 * (hot + common) + 2 * cold + 4 * rare)


class ProgramCounter(Case):
    """A call of the next instruction, which reads the program counter, calls nothing."""

    flags: ClassVar[list[str]] = []
    # How many instructions these functions run.
    pops = 4
    reads = 6
    twice = 2 + 2 * 3 if MACHINE == "aarch64" else 1 + 2 * 3
    onward = 5 if MACHINE == "aarch64" else 3

    def graphs(self) -> Iterator[Graph]:
        program = compile("counter.c", "-O0", *self.flags, "counter.S")
        for options in ((), ("--dump-instr=yes",), ("--collect-jumps=yes", "--dump-instr=yes")):
            with self.subTest(options=options):
                yield self.graph_of(program, *options)

    def test_counts(self) -> None:
        for graph in self.graphs():
            for name in ("pops", "reads", "drops", "twice"):
                self.assertCallees(graph, name, {})
            self.assertCallees(graph, "onward", {"leaf": 3})
            self.assertCallees(graph, "between", {"leaf": 3})
            self.assertCallees(graph, "again", {"again'2": 1})
            self.assertCallees(graph, "again'2", {"again'2": 2})
            self.assertNotIn("pops'2", graph.names())

    def test_costs(self) -> None:
        for graph in self.graphs():
            costs = [graph.arc_costs["main", name] for name in ("pops", "reads", "drops", "twice")]
            self.assertEqual(costs, [5 * self.pops, 5 * self.reads, 5 * 3, 4 * self.twice])
            self.assertEqual(graph.self_costs["onward"], 3 * self.onward)
            self.assertEqual(graph.arc_costs["main", "onward"], 3 * (self.onward + 2))
            self.assertEqual(graph.self_costs["between"], 3 * 4)
            self.assertEqual(graph.arc_costs["main", "between"], 3 * (4 + 2))

    def test_another_function(self) -> None:
        """What begins behind a function's last call is called."""
        for graph in self.graphs():
            self.assertCallees(graph, "last", {"behind": 2})
            self.assertEqual(graph.arc_costs["main", "last"], 2 * (2 + 2))
            self.assertEqual(graph.self_costs["behind"], 2 * 2)

    def test_jumps(self) -> None:
        """The call is no jump either. `reads` and `again` have one each that is taken."""
        *_, graph = self.graphs()
        jumps = Counter[str]()
        for key, function in graph.part.functions.items():
            jumps[base(key.name)] += sum(jump.taken for jump in function.jumps)
        found = {name: jumps[name] for name in ("pops", "reads", "drops", "twice", "onward")}
        self.assertEqual(found, {"pops": 0, "reads": 5, "drops": 0, "twice": 0, "onward": 0})
        self.assertEqual((jumps["between"], jumps["again"], jumps["last"]), (0, 1, 0))


@unittest.skipUnless(can_run_32_bits(), "no 32-bit tool, or no 32-bit compiler")
class ProgramCounter32(ProgramCounter):
    flags: ClassVar[list[str]] = ["-m32"]
    pops = 3  # Source: VEX takes a call and the pop behind it for one instruction


if __name__ == "__main__":
    unittest.main()
