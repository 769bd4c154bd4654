"""Jumps and conditional branches: how often each was executed, and how often it was taken."""

from __future__ import annotations

import re
import unittest
from collections import Counter

from case import LEVELS, Case
from cg2test import PROGRAMS, compile, line_of, run_cg2, source_of
from cg2tools.profile.model import Jump
from cg2tools.profile.reader import read_profile
from disassembly import lines_with_code
from facts import Graph, base
from gcov import coverage
from test_gcov import PROGRAMS as GCOV_PROGRAMS

SOURCE = "branches.S"
FLAGS = ["-nostdlib", "-static"]
Counts = dict[int, Counter[tuple[int, int]]]  # by line
POSITION_OPTIONS: list[list[str]] = [
    [],
    ["--dump-instr=yes"],
    ["--compress-strings=no", "--compress-pos=no"],
]
COLLECT = "--collect-jumps=yes"
TABLE = "--param=case-values-threshold=4"  # cases from which a switch is a table, on each processor


def jumps_of(graph: Graph, *names: str) -> list[Jump]:
    """All jumps of functions of these names, at any recursion level; without names, of all functions."""
    return [
        jump
        for key, function in graph.part.functions.items()
        for jump in function.jumps
        if not names or base(key.name) in names
    ]


def expected_jumps() -> dict[int, list[tuple[bool, int, int]]]:
    """What branches.S says about itself: by line, whether on a condition, taken, executed."""
    expected = {}
    for number, line in enumerate(source_of(SOURCE).read_text().splitlines(), start=1):
        if said := re.search(r"/\*= (.*) \*/$", line):
            expected[number] = sorted(one(count) for count in said[1].split())
    return expected


def one(count: str) -> tuple[bool, int, int]:
    """`taken/executed` or `executed`."""
    taken, slash, executed = count.partition("/")
    return bool(slash), int(taken), int(executed or taken)


def by_line(jumps: list[Jump]) -> dict[int, list[tuple[bool, int, int]]]:
    """The jumps that stand in each line."""
    found: dict[int, list[tuple[bool, int, int]]] = {}
    for jump in jumps:
        found.setdefault(jump.source.line, []).append((jump.conditional, jump.taken, jump.executed))
    return {line: sorted(counts) for line, counts in found.items()}


class Exact(Case):
    """Every jump of a program is known."""

    def test_counts(self) -> None:
        for positions in POSITION_OPTIONS:
            for form in ("callgrind", "spec"):
                with self.subTest(positions=positions, form=form):
                    graph = self.graph_of(
                        compile(SOURCE, *FLAGS), COLLECT, f"--format={form}", *positions
                    )
                    self.assertEqual(by_line(jumps_of(graph)), expected_jumps())

    def test_nothing_else_changes(self) -> None:
        """Costs and calls are those of a run without jumps; without the option there are none."""
        program = compile(SOURCE, *FLAGS)
        plain, with_jumps = self.graph_of(program), self.graph_of(program, "--trace-jump=yes")
        self.assertEqual(jumps_of(plain), [])
        self.assertEqual(plain.self_costs, with_jumps.self_costs)
        self.assertEqual(plain.counts, with_jumps.counts)
        self.assertEqual(plain.arc_costs, with_jumps.arc_costs)

    def test_calls_are_no_jumps(self) -> None:
        """A tail call is a call; a jump to the own first instruction, or to another's middle, is none."""
        graph = self.graph_of(compile(SOURCE, *FLAGS), COLLECT)
        self.assertEqual(graph.calls_from("jumping", "last"), 6)
        targets = {jump.target.line for jump in jumps_of(graph, "jumping")}
        self.assertEqual(targets, {line_of(SOURCE, "middle:") + 1})

    def test_skipped(self) -> None:
        """The jumps of a skipped function are no one's; those of others stay."""
        program = compile(SOURCE, *FLAGS)
        plain = self.graph_of(program, COLLECT)
        skipped = self.graph_of(program, COLLECT, "--fn-skip=jumping")
        self.assertGreater(len(jumps_of(plain, "jumping")), 0)
        others = [jump for jump in jumps_of(plain) if jump not in jumps_of(plain, "jumping")]
        self.assertEqual(by_line(jumps_of(skipped)), by_line(others))

    def test_executed_is_cost(self) -> None:
        """An instruction that may jump is executed as often as it costs."""
        program = compile("switches.c", "-O2")
        graph = self.graph_of(program, COLLECT, "--dump-instr=yes")
        checked = 0
        for function in graph.part.functions.values():
            computed: Counter[int] = Counter()
            for jump in function.jumps:
                cost = function.costs[jump.source][0]
                if jump.conditional:
                    self.assertEqual(jump.executed, cost, jump)
                else:
                    computed[jump.source.instr] += jump.executed
                checked += 1
            costs = {at.instr: cost[0] for at, cost in function.costs.items()}
            for instr, executed in computed.items():
                self.assertLessEqual(executed, costs[instr])
        self.assertGreater(checked, 300)


class Switch(Case):
    """A switch goes to each of its cases, in each context as often as it does there."""

    def test_table(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(
                    compile("switches.c", level, "-fno-optimize-sibling-calls", TABLE),
                    COLLECT,
                    "--dump-instr=yes",
                )
                counts = {"chosen": 10, "chosen'2": 10}
                for name, count in counts.items():
                    function = graph.part.functions[
                        next(k for k in graph.part.functions if k.name == name)
                    ]
                    tables = [
                        jump.taken
                        for jump in function.jumps
                        if not jump.conditional
                        and jump.source.line == line_of("switches.c", "switch (n)")
                    ]
                    cases = 6 if name == "chosen" else 2
                    self.assertEqual(tables, [count] * cases, name)

    def test_zero(self) -> None:
        """What was counted before a part begins is not in it."""
        run = run_cg2([compile("switches.c", "-O0")], COLLECT, "--dump-before=main")
        parts = [read_profile(path).parts[0] for path in run.profile_paths]
        self.assertEqual(len(parts), 2)
        for part in parts:
            part.check()
        found = [
            [
                jump.taken
                for jump in jumps_of(Graph(part), "chosen")
                if jump.source.line == line_of("switches.c", "switch (n)")
            ]
            for part in parts
        ]
        self.assertEqual(sorted(found), [[], [10] * 8])


# Programs that run alike each time, and what each reads; deep.c and longjmp.c leave functions by longjmp.
PLAIN = [
    "calls.c",
    "deep.c",
    "longjmp.c",
    "pointers.c",
    "recursion.c",
    "static.c",
    "switches.c",
    "tail.c",
]
BRANCHING = GCOV_PROGRAMS | dict.fromkeys(PLAIN, "")


class Gcov(Case):
    """Against gcov, which counts each way out of a branch in a build of its own."""

    def test_branches(self) -> None:
        for source, stdin in BRANCHING.items():
            with self.subTest(source):
                program = compile(source, "-O0")
                # Where a recursion level never took a branch, it does not show it.
                graph = self.graph_of(
                    program, COLLECT, "--dump-instr=yes", "--separate-recs=1", stdin=stdin
                )
                truth = coverage(source, "-O0", stdin=stdin)
                found = branches_by_line(graph, source)
                lines = lines_with_code(
                    program, truth.functions
                ) & truth.branches.keys() - switches(source)
                self.assertGreater(len(lines), 15 if source in GCOV_PROGRAMS else 1)
                for line in sorted(lines):
                    expected = pairs_of(truth.branches[line])
                    shown = found.get(line, Counter())
                    self.assertEqual(both_ways(shown), both_ways(expected), line)
                    # A branch that goes one way only is shown if that is the jump.
                    self.assertLessEqual(shown, expected, line)


def switches(source: str) -> set[int]:
    """The lines with a switch, which has more than two ways out."""
    lines = (PROGRAMS / source).read_text().splitlines()
    return {number for number, line in enumerate(lines, start=1) if "switch" in line}


def branches_by_line(graph: Graph, source: str) -> Counts:
    """The branches of each line: how often each went its rarer way and how often the other."""
    sums: dict[tuple[int, int], tuple[int, int]] = {}
    for jump in jumps_of(graph):
        if jump.conditional and jump.source.file.endswith(source):
            place = jump.source.line, jump.source.instr
            taken, executed = sums.get(place, (0, 0))
            sums[place] = taken + jump.taken, executed + jump.executed
    found: Counts = {}
    for (line, _), (taken, executed) in sums.items():
        found.setdefault(line, Counter())[pair(taken, executed - taken)] += 1
    return found


def pairs_of(counts: list[int]) -> Counter[tuple[int, int]]:
    """The same of what gcov says of a line: both ways of its first branch, both of its second, ..."""
    return Counter(pair(*both) for both in zip(counts[::2], counts[1::2], strict=True))


def both_ways(branches: Counter[tuple[int, int]]) -> Counter[tuple[int, int]]:
    """The branches that went both ways."""
    return Counter({counts: n for counts, n in branches.items() if all(counts)})


def pair(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)


if __name__ == "__main__":
    unittest.main()
