"""The tree of branches that paths make: what is one branch, what it costs, two runs, and small trees that
hold most."""

from __future__ import annotations

import random
import sys
import unittest
from fractions import Fraction
from itertools import accumulate

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

from library import Directory  # noqa: E402

from cg2tools.profile.libcg2profile import NONE  # noqa: E402
from cg2tools.profile.pathtree import PathTree, Rest, tree_of  # noqa: E402
from cg2tools.profile.reader import read_paths  # noqa: E402
from cg2tools.profile.terms import FunctionKey, ProfileError  # noqa: E402

HEAD = "# cg2 paths\ncreator: callgrind-cg2-0.1\npositions: line\nevents: Ir Dr\n"
NAMES = "ob=(1) /bin/app\nfl=(1) a.c\nfn=(1) main\nfn=(2) f\nfn=(3) g\nfl=(2) b.c\nfn=(4) g\n"

PATHS = """\
0 1 0 1 10 1
1 2 7 2+3 200 40
2 3 9 2 4 1
2 3 10 5 6 1
2 4 11 1 1
2 0 0 9 400
1 2 8 4 30
2 3 9 1 5
0 3 0 1 500
"""
"""f is called from two places; below it two functions g of two files."""


def function(name: str, file: str = "a.c") -> FunctionKey:
    return FunctionKey("/bin/app", file, name)


class Branches(Directory):
    def tree(self, *runs: str, by_name: bool = False) -> PathTree:
        """The tree of some files, of which the second is another run."""
        made = PathTree(2, by_name)
        for side, lines in enumerate(runs):
            [part] = read_paths(self.file(f"paths{side}", f"{HEAD}{NAMES}{lines}".encode())).parts
            made.add(part, side, part.names if by_name else ())
        made.end()
        return made

    def test_one_run(self) -> None:
        """Calls from several places of one path are one branch; of other paths, and of other files, they are
        not."""
        tree = self.tree(PATHS + "totals: 1156 43\n")
        self.assertEqual(tree.count, 6)
        self.assertEqual(
            [
                (tree.caller(one), tree.function(one).name, tree.calls(one), tree.size(one))
                + (tree.self_cost(one), tree.inclusive(one))
                for one in range(6)
            ],
            [
                (NONE, "main", 1, 5, [10, 1], [656, 43]),
                (0, "f", 9, 4, [230, 40], [646, 42]),
                (1, "g", 8, 1, [15, 2], [15, 2]),
                (1, "g", 1, 1, [1, 0], [1, 0]),
                (1, "(more)", 9, 1, [400, 0], [400, 0]),
                (NONE, "g", 1, 1, [500, 0], [500, 0]),
            ],
        )
        self.assertEqual(tree.path(3), [function("main"), function("f"), function("g", "b.c")])
        self.assertEqual(tree.function(4), FunctionKey("???", "???", "(more)"))
        self.assertEqual(tree.rest(1, [4]), Rest(2, 9, [16, 2]))

    def test_several_files(self) -> None:
        """Files of one side are added up."""
        text = f"{HEAD}{NAMES}{PATHS}totals: 1156 43\n".encode()
        parts = [read_paths(self.file(name, text)).parts[0] for name in ("one", "two")]
        tree = tree_of(parts)
        self.assertEqual(tree.count, 6)
        self.assertEqual([tree.calls(one) for one in range(6)], [2, 18, 16, 2, 18, 2])
        self.assertEqual(tree.inclusive(0), [1312, 86])

    def test_two_runs(self) -> None:
        """A branch costs something on each side; what only the other run has is there, too."""
        other = "0 1 0 1 7\n1 2 7 1 100\n1 4 9 3 20\n0 3 0 1 2\ntotals: 129 0\n"
        tree = self.tree(PATHS + "totals: 1156 43\n", other)
        self.assertEqual(tree.count, 7)
        self.assertEqual(
            [tree.inclusive(one, 1)[0] for one in range(7)], [127, 100, 0, 0, 0, 2, 20]
        )
        self.assertEqual([tree.self_cost(one, 1)[0] for one in range(7)], [7, 100, 0, 0, 0, 2, 20])
        self.assertEqual([tree.calls(one, 1) for one in range(7)], [1, 1, 0, 0, 0, 1, 3])
        self.assertEqual(
            (tree.caller(6), tree.function(6), tree.inclusive(6)), (0, function("g", "b.c"), [0, 0])
        )

    def test_by_name(self) -> None:
        """Told by their names alone, functions of two files are one."""
        tree = self.tree(PATHS + "totals: 1156 43\n", by_name=True)
        self.assertEqual([tree.calls(one) for one in range(tree.count)], [1, 9, 9, 9, 1])

    def test_some(self) -> None:
        """Branches with a share of some event, on some side; and the heaviest."""
        tree = self.tree(PATHS + "totals: 1156 43\n", "0 2 0 1 7\ntotals: 7\n")
        self.assertEqual(tree.above(0.3).tolist(), [0, 1, 4, 5, 6])
        self.assertEqual(tree.above(0.04).tolist(), [0, 1, 2, 4, 5, 6])  # 2 of 43 Dr
        self.assertEqual(tree.above(0).tolist(), [0, 1, 2, 3, 4, 5, 6])
        self.assertEqual(tree.heaviest([1, 0]).tolist(), [5, 4, 1, 2, 0, 3, 6])
        self.assertEqual(tree.heaviest([0, 1]).tolist()[:2], [1, 2])
        self.assertEqual(tree.heaviest([1, -10]).tolist()[:3], [5, 4, 3])
        self.assertEqual(tree.holding([1, 0], 0.43).tolist(), [5])
        self.assertEqual(tree.holding([1, 0], 0.5).tolist(), [5, 0, 1])
        self.assertEqual(tree.holding([1, 0], 1).tolist(), [5, 0, 1, 4, 2, 3])
        self.assertEqual(tree.holding([1, 0], 0).tolist(), [])

    def test_smallest(self) -> None:
        """Where the densest trees are whole, no other tree with the same number of branches holds more."""
        for seed in range(200):
            chance = random.Random(seed)
            callers = [-1, *(chance.randrange(-1, at) for at in range(1, chance.randint(2, 11)))]
            costs = [chance.choice((0, 1, 2, 5, 100)) * chance.randint(0, 9) for _ in callers]
            tree = self.generated(callers, costs)
            total = sum(costs)
            best = _best(callers, costs)
            for count in _corners(best):
                with self.subTest(seed=seed, count=count):
                    found = tree.holding([1, 0], (best[count] - 0.5) / total).tolist()
                    self.assertEqual(len(found), count)
                    self.assertEqual(sum(tree.self_cost(one)[0] for one in found), best[count])
                    for at, branch in enumerate(found):
                        self.assertIn(tree.caller(branch), [NONE, *found[:at]])

    def generated(self, callers: list[int], costs: list[int]) -> PathTree:
        """A tree of which each branch is a function of its own."""
        below: dict[int, list[int]] = {at: [] for at in range(-1, len(callers))}
        for at, caller in enumerate(callers):
            below[caller].append(at)
        lines = ["ob=(1) app\nfl=(1) a.c\n"]
        open = [(at, 0) for at in below[-1]]
        while open:
            at, depth = open.pop()
            lines.append(f"fn=({at + 1}) f{at}\n{depth} {at + 1} 0 1 {costs[at]}\n")
            open += [(one, depth + 1) for one in below[at]]
        text = f"{HEAD}{''.join(lines)}totals: {sum(costs)}\n"
        return tree_of(read_paths(self.file("generated", text.encode())).parts)

    def test_too_much(self) -> None:
        """Costs that are more than 64 bits together are an error, in one line."""
        text = f"{HEAD}{NAMES}0 1 0 1 {1 << 63}\ntotals: {1 << 63}\n".encode()
        [part] = read_paths(self.file("large", text)).parts
        with self.assertRaises(ProfileError) as caught:
            tree_of([part, part])
        self.assertIn("add up to more than 64 bits; expected sums that fit", str(caught.exception))


def _best(callers: list[int], costs: list[int]) -> list[int]:
    """The most that a tree of so many branches holds, for each number of them."""
    best = [0] * (len(costs) + 1)
    for chosen in range(1 << len(costs)):
        has = [bool(chosen >> at & 1) for at in range(len(costs))]
        if all(not own or caller < 0 or has[caller] for own, caller in zip(has, callers)):
            held = sum(cost for own, cost in zip(has, costs) if own)
            best[sum(has)] = max(best[sum(has)], held)
    return list(accumulate(best, max))


def _corners(best: list[int]) -> list[int]:
    """Where less is to be had for each further branch than for those before: how many there are."""
    found = [0]
    for count in range(1, len(best)):
        while len(found) > 1 and _slope(best, found[-2], found[-1]) <= _slope(
            best, found[-1], count
        ):
            found.pop()
        found.append(count)
    return [count for before, count in zip(found, found[1:]) if best[count] > best[before]]


def _slope(best: list[int], start: int, end: int) -> Fraction:
    return Fraction(best[end] - best[start], end - start)


if __name__ == "__main__":
    unittest.main()
