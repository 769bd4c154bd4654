"""--branch-sim: branches that are known by construction, and beside all else that a run can be told.

Counts are compared with Callgrind's in tests/compat/test_caches.py.
"""

from __future__ import annotations

import unittest
from collections import Counter
from collections.abc import Iterable

import together
from case import Case
from cg2test import compile, run_cg2
from cg2tools.profile.model import Part

EVENTS = ["Bc", "Bcm", "Bi", "Bim"]


def branches_of(part: Part, name: str) -> list[int]:
    """What the function costs, of EVENTS."""
    [costs] = [function.self_cost() for key, function in part.functions.items() if key.name == name]
    return [costs[part.events.index(event)] for event in EVENTS]


class Predictor:
    """The model of docs/guide/caches.md for conditional branches, of which no two share a counter."""

    def __init__(self) -> None:
        self.counters: Counter[tuple[str, str]] = Counter()
        self.history = "-------"

    def count_wrong(self, outcomes: Iterable[tuple[str, bool]]) -> int:
        """How many of these, each of a branch and whether it is taken, are mispredicted."""
        wrong = 0
        for branch, is_taken in outcomes:
            counter = self.counters[branch, self.history]
            wrong += (counter >= 2) != is_taken
            self.counters[branch, self.history] = max(0, min(3, counter + (1 if is_taken else -1)))
            self.history = self.history[1:] + ("+" if is_taken else "-")
        return wrong


def rounds(n: int, branch: str = "loop") -> list[tuple[str, bool]]:
    """What becomes of a branch that goes back n - 1 times."""
    return [(branch, left > 1) for left in range(n, 0, -1)]


class Exact(Case):
    def part(self, *options: str) -> Part:
        return self.graph_of(
            compile("branching.S", "-nostdlib", "-static"), "--branch-sim=yes", *options
        ).part

    def check_counts(self, part: Part) -> None:
        model = Predictor()
        alternating = [
            (branch, taken)
            for n in range(400, 0, -1)
            for branch, taken in (("if", n % 2 == 0), ("alternates", n > 1))
        ]
        loops = model.count_wrong(rounds(1000))
        self.assertEqual(
            loops, 7 + 2 + 1
        )  # histories with a minus, then until the counter is 2, then the last
        expected = {
            "loops": [1000, loops, 0, 0],
            "alternates": [800, model.count_wrong(alternating), 0, 0],
            "returns": [0, 0, 0, 0],
            "nothing": [0, 0, 0, 0],
            "stays": [100, model.count_wrong(rounds(100, "stays")), 100, 1],
            "changes": [120, model.count_wrong(rounds(120, "changes")), 120, 120],
            "copies": [26, model.count_wrong(rounds(26, "copies")), 0, 0],
            "locks": [1, model.count_wrong([("locks", False)]), 0, 0],
            "moves": [0, 0, 0, 0],
            "knows": [0, 0, 0, 0],
        }
        self.assertEqual({name: branches_of(part, name) for name in expected}, expected)
        self.assertEqual(
            [sum(column) for column in zip(*expected.values())], part.self_total()[-4:]
        )

    def test_counts(self) -> None:
        part = self.part()
        self.assertEqual(part.events, ["Ir", *EVENTS])
        self.check_counts(part)

    def test_jumps(self) -> None:
        """Where jumps are collected segments are others."""
        self.check_counts(self.part("--collect-jumps=yes", "--dump-instr=yes"))

    def test_caches(self) -> None:
        """Columns stand behind those of caches."""
        part = self.part("--cache-sim=yes", "--simulate-wb=yes")
        self.assertEqual(part.events[-8:], ["DLmw", "ILdmr", "DLdmr", "DLdmw", *EVENTS])
        self.check_counts(part)

    def test_inclusive(self) -> None:
        """Calls cost the branches of what they call."""
        part = self.part()
        [start] = [
            function for key, function in part.functions.items() if key.name == "(below main)"
        ]
        calls = [sum(column) for column in zip(*(call.inclusive for call in start.calls))]
        self.assertEqual(calls[1:], part.self_total()[1:])

    def test_last_lines(self) -> None:
        program = compile("branching.S", "-nostdlib", "-static")
        run = run_cg2([program], "--branch-sim=yes")
        bc, bcm, bi, bim = self.check_whole(run, run.profile_paths[0]).part.self_total()[1:]
        lines = [line.split("== ", 1)[-1] for line in run.stderr.splitlines()]
        self.assertIn(f"Branches:      {bc + bi:5,}  ({bc:5,} cond + {bi} ind)", lines)
        self.assertIn(f"Mispredicts:   {bcm + bim:5,}  ({bcm:5,} cond + {bim} ind)", lines)

    def test_bad(self) -> None:
        for option, expected in (
            ("--branch-sim=maybe", "maybe"),
            ("--branch-sim", "--branch-sim="),
        ):
            with self.subTest(option):
                run = run_cg2(["/bin/echo", "ran"], option)
                self.assertEqual((run.status, run.stdout), (1, ""))
                self.assertIn(f"valgrind: Bad option: {option}", run.stderr)
                self.assertIn(expected, run.stderr)


class Together(together.Together):
    COUNTED = ("--branch-sim=yes",)
    OTHERS = (
        ("--separate-threads=yes", "--dump-instr=yes", "--collect-jumps=yes"),
        ("--separate-callers=2", "--cache-sim=yes"),
        ("--toggle-collect=main", "--collect-systime=nsec", "--collect-bus=yes"),
        ("--skip-plt=no", "--cache-sim=yes", "--simulate-hwpref=yes"),
        ("--fn-skip=leaf", "--dump-every-bb=20000"),
    )

    def check_costs(self, part: Part) -> None:
        total = dict(zip(part.events, part.self_total(), strict=True))
        self.assertTrue(
            total["Bcm"] <= total["Bc"] < total["Ir"] and total["Bim"] <= total["Bi"] < total["Bc"]
        )


class Faults(Case):
    def test_in_front(self) -> None:
        """A branch that a fault comes before, in its block, counts with the block, in the sums as in the
        lines."""
        for level in "-O1", "-O2":
            with self.subTest(level):
                program = compile("faulting.c", level)
                graph = self.graph_of(program, "--branch-sim=yes", spontaneous=["leave"])
                self.assertEqual(branches_of(graph.part, "look")[0], 8)


if __name__ == "__main__":
    unittest.main()
