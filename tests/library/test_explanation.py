"""cg2p_explanation_new says why totals differ: by construction, and as the formula says in fractions."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import unittest
from array import array
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402

from cg2tools.profile.explanation import (  # noqa: E402
    CALLS,
    IS_PLAIN,
    IS_REPLACED,
    IS_SYSTEM,
    OWN,
    REPLACED,
    SYSTEM,
    Explanation,
    Side,
)
from cg2tools.profile.graphcolumns import Graph  # noqa: E402
from cg2tools.profile.libcg2profile import NONE, SUMS, read  # noqa: E402
from cg2tools.profile.terms import ProfileError  # noqa: E402

SEED = 20_261_127
ROUNDS = 12_000 if os.environ.get("CG2_FULL") == "1" else 300

Arc = tuple[int, int]


class Run(NamedTuple):
    """A side: own costs of functions 0, 1, ..., None where it does not have them, and calls."""

    own: Sequence[list[int] | None]
    calls: dict[Arc, int]

    @property
    def known(self) -> list[int]:
        return [function for function, cost in enumerate(self.own) if cost is not None]

    def text(self) -> str:
        width = len(next(cost for cost in self.own if cost is not None))
        lines = ["# callgrind format", "events: " + " ".join("Ir Dr Dw".split()[:width])]
        for function in self.known:
            cost = self.own[function]
            assert cost is not None
            lines += [f"fn=f{function}", "1 " + " ".join(map(str, cost))]
            for (caller, callee), count in self.calls.items():
                if caller == function:
                    lines += [f"cfn=f{callee}", f"calls={count} 1", "1" + " 0" * width]
        return "\n".join(lines) + "\n"


def pieces_of(old: Run, new: Run) -> Explanation:
    """What the library says of two runs."""
    with tempfile.TemporaryDirectory() as place:
        sides: list[Side] = []
        for run in (old, new):
            path = Path(place) / "profile"
            path.write_text(run.text())
            graph = Graph(read(path, detail=SUMS).parts[0])
            sides.append(Side([graph], [array("I", (int(key.name[1:]) for key in graph.keys))]))
        return Explanation(sides[0], sides[1], len(old.own))


# ---- The formula, slowly ---------------------------------------------------


def reached(run: Run, start: int) -> set[int]:
    """What a function calls, and what that calls, and so on."""
    found: set[int] = set()
    more = [start]
    while more:
        function = more.pop()
        for (caller, callee), count in run.calls.items():
            if caller == function and count and callee not in found:
                found.add(callee)
                more.append(callee)
    return found


def in_order(run: Run) -> list[int]:
    """The functions as a profile of the run names them."""
    named = [
        each
        for function in run.known
        for each in (function, *(callee for caller, callee in run.calls if caller == function))
    ]
    return list(dict.fromkeys(named))


def begun(run: Run) -> list[int]:
    """How often each begins: once what only its own circle calls, there the dearest.

    Calls cost nothing in these profiles, so that is the one with the highest own cost; of several, the one
    that is named first.
    """
    after = {function: reached(run, function) for function in run.known}
    place = {function: at for at, function in enumerate(in_order(run))}
    counts = [0] * len(run.own)
    for function in run.known:
        circle = {function} | {other for other in after[function] if function in after[other]}
        callers = {
            caller for (caller, callee), count in run.calls.items() if count and callee in circle
        }
        dearest = min(circle, key=lambda each: (-(run.own[each] or [0])[0], place[each]))
        if callers <= circle and function == dearest:
            counts[function] = 1
    return counts


def called(run: Run) -> list[int]:
    counts = begun(run)
    for (_, callee), count in run.calls.items():
        counts[callee] += count
    return counts


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, whose last column is what they are equal to."""
    for at in range(len(rows)):
        pivot = next(row for row in range(at, len(rows)) if rows[row][at])
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [each / rows[at][at] for each in rows[at]]
        for row in range(len(rows)):
            if row != at and rows[row][at]:
                factor = rows[row][at]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[at])]
    return [row[-1] for row in rows]


def one_call(run: Run, event: int) -> list[Fraction]:
    """I = a + R I."""
    times = called(run)
    rows = []
    for function, cost in enumerate(run.own):
        row = [Fraction(function == other) for other in range(len(run.own))]
        for (caller, callee), count in run.calls.items():
            if caller == function:
                row[callee] -= Fraction(count, times[function])
        rows.append([*row, Fraction(cost[event], times[function]) if cost else Fraction(0)])
    return solved(rows)


def exactly(old: Run, new: Run, event: int) -> dict[Arc, Fraction]:
    """The summands of the formula, by function and callee, -1 as in Piece."""
    was, now = called(old), called(new)
    each = one_call(old, event)
    found: dict[Arc, Fraction] = {}
    for function in new.known:
        before, after = old.own[function], new.own[function]
        times = Fraction(now[function], was[function]) if before is not None else Fraction(0)
        own = (after[event] if after else 0) - times * (before[event] if before else 0)
        found[function, -1] = own
        for callee in range(len(new.own)):
            arc = function, callee
            more = new.calls.get(arc, 0) - times * old.calls.get(arc, 0)
            found[arc] = more * each[callee]
    for function, (one, other) in enumerate(zip(begun(old), begun(new))):
        found[-1, function] = (other - one) * each[function]
    return found


# ---- Random graphs ---------------------------------------------------------


def random_run(chance: random.Random, size: int, width: int) -> Run:
    """Any calls at all, also circles within circles, and functions that are not there."""
    most = chance.choice([3, 50, 10**5])
    own: list[list[int] | None] = [
        [chance.randrange(most * 100) for _ in range(width)] if chance.random() < 0.9 else None
        for _ in range(size)
    ]
    if not any(own):
        own[0] = [1] * width
    known = [function for function, cost in enumerate(own) if cost is not None]
    calls = {
        (chance.choice(known), chance.choice(known)): chance.randrange(1, most + 1)
        for _ in range(chance.randrange(3 * size))
    }
    return Run(own, calls)


def changed(chance: random.Random, run: Run) -> Run:
    """Nearly the same run."""
    own = [cost and [*cost] for cost in run.own]
    calls = dict(run.calls)
    for function in run.known:
        cost = own[function]
        if cost and chance.random() < 0.2:
            cost[0] += chance.randrange(100)
    for arc in [*calls]:
        if chance.random() < 0.2:
            calls[arc] += chance.randrange(5)
        elif chance.random() < 0.1:
            del calls[arc]
    return Run(own, calls)


class Explained(unittest.TestCase):
    def setUp(self) -> None:
        if not library.LIBRARY.exists():
            self.skipTest(f"{library.LIBRARY} is not built")

    def said(self, old: Run, new: Run) -> dict[Arc, int]:
        found = pieces_of(old, new).pieces
        return {(piece.function, piece.callee): piece.costs[0] for piece in found}

    def test_formula(self) -> None:
        """Pieces of random graphs are the formula's, rounded, and add up to the difference exactly."""
        chance = random.Random(SEED)
        for _ in range(ROUNDS):
            size, width = chance.randrange(1, 9), chance.randrange(1, 3)
            old = random_run(chance, size, width)
            new = changed(chance, old) if chance.random() < 0.7 else random_run(chance, size, width)
            with self.subTest(old=old, new=new):
                self.compare(old, new, width)

    def compare(self, old: Run, new: Run, width: int) -> None:
        found = pieces_of(old, new)
        for event in range(width):
            exact = exactly(old, new, event)
            totals = [sum(cost[event] for cost in run.own if cost) for run in (old, new)]
            self.assertEqual(sum(exact.values()), totals[1] - totals[0])
            said = {(each.function, each.callee): each.costs[event] for each in found.pieces}
            self.assertEqual(sum(said.values()), totals[1] - totals[0])
            largest = max((abs(cost) for cost in exact.values()), default=Fraction(0))
            for arc, cost in exact.items():
                self.assertLess(abs(said.get(arc, 0) - cost), 1 + largest / 2**55, arc)
            self.assertLessEqual(said.keys(), exact.keys())
        self.assertEqual([*found.calls[0]], called(old))
        self.assertEqual([*found.calls[1]], called(new))

    def test_causes(self) -> None:
        """Causes of random graphs add up to the pieces, whatever is told of functions, and have theirs
        alone."""
        chance = random.Random(SEED)
        for _ in range(ROUNDS):
            size, width = chance.randrange(1, 9), chance.randrange(1, 3)
            old = random_run(chance, size, width)
            new = changed(chance, old) if chance.random() < 0.7 else random_run(chance, size, width)
            found = pieces_of(old, new)
            told = bytes(
                chance.choice([IS_PLAIN, IS_PLAIN, IS_REPLACED, IS_SYSTEM]) for _ in old.own
            )
            inlined = [each for each in found.calls_alone() if chance.random() < 0.5]
            with self.subTest(old=old, new=new, told=told, inlined=inlined):
                causes = found.causes(told, chance.choice([NONE, 0]), inlined)
                for event in range(width):
                    self.assertEqual(
                        sum(causes.cost(place)[event] for place in range(causes.count)),
                        sum(piece.costs[event] for piece in found.pieces),
                    )
                ends = list(zip(causes.kinds, causes.functions, causes.callees))
                self.assertEqual(len(set(ends)), len(ends))
                for kind, function, _ in ends:
                    if function != NONE and kind in (REPLACED, SYSTEM):
                        self.assertEqual(
                            told[function], IS_SYSTEM if kind == SYSTEM else IS_REPLACED
                        )

    def test_other_caller(self) -> None:
        """Calls that went from one function to another are one cause, which has what called before."""
        old = Run([[10], [20], [50], [4000]], {(0, 1): 1, (0, 2): 1, (1, 3): 30, (2, 3): 2})
        new = Run([[10], [20], [53], [4000]], {(0, 1): 1, (0, 2): 1, (2, 3): 32})
        found = pieces_of(old, new)
        self.assertEqual(len(found.pieces), 3)
        causes = found.causes(bytes(4), 0, [])
        self.assertEqual(list(causes.kinds), [CALLS, OWN, CALLS])
        old = Run([[10], [20], [50], [4000]], {(0, 1): 1, (0, 2): 1, (1, 3): 30})
        new = Run([[10], [20], [53], [4010]], {(0, 1): 1, (0, 2): 1, (2, 3): 30})
        causes = pieces_of(old, new).causes(bytes(4), 0, [])
        rows = zip(causes.kinds, causes.functions, causes.callees, causes.flat_costs)
        self.assertEqual([*rows], [(OWN, 2, NONE, 3), (OWN, 3, NONE, 10)])

    def test_chain(self) -> None:
        """A leaf that costs more is said at the leaf, however many callers pass it on."""
        calls = {(function, function + 1): 3 for function in range(10)}
        calls = {arc: 3 ** (arc[0] + 1) for arc in calls}
        old = Run([[10]] * 11, calls)
        new = Run([[10]] * 10 + [[10 + 3**10 * 7]], calls)
        self.assertEqual(self.said(old, new), {(10, -1): 3**10 * 7})

    def test_circle(self) -> None:
        """Through a circle of functions it is said at the leaf, too."""
        calls = {(0, 1): 2, (1, 2): 30, (2, 1): 28, (2, 3): 60}
        old = Run([[5], [100], [200], [60]], calls)
        new = Run([[5], [100], [200], [240]], calls)
        self.assertEqual(self.said(old, new), {(3, -1): 180})

    def test_more_calls(self) -> None:
        """More calls cost what each cost with all it calls, at the one who makes them."""
        old = Run([[10], [20], [40]], {(0, 1): 2, (1, 2): 4})
        new = Run([[10], [30], [60]], {(0, 1): 3, (1, 2): 6})
        self.assertEqual(self.said(old, new), {(0, 1): 30})

    def test_one_sided(self) -> None:
        """What is gone is what its callers no longer spend; what is new is its own cost and its calls."""
        old = Run([[10], [20], [40], None], {(0, 1): 2, (1, 2): 4})
        new = Run([[10], None, [30], [7]], {(0, 3): 1, (3, 2): 3})
        self.assertEqual(self.said(old, new), {(0, 1): -60, (0, 3): 0, (3, -1): 7, (3, 2): 30})

    def test_deep_recursion(self) -> None:
        """Fractions stay exact where each call of a circle calls it again nearly always."""
        deep = 10**12
        old = Run([[10], [deep]], {(0, 1): 1, (1, 1): deep - 1})
        new = Run([[10], [2 * deep]], {(0, 1): 2, (1, 1): 2 * deep - 2})
        self.assertEqual(self.said(old, new), {(0, 1): deep})

    def test_too_large(self) -> None:
        """What 62 bits cannot say is an error, and no other number."""
        calls = {(0, 1): 1, (1, 1): 10**11}
        with self.assertRaisesRegex(ProfileError, "a cause costs more than 62 bits can say"):
            self.said(Run([[0], [10**12]], calls), Run([[0], [10**12]], {(0, 1): 10**8}))

    def test_whole(self) -> None:
        """Thirds are rounded so that the sum is whole."""
        old = Run([[0], [1], [1], [1]], {(0, 1): 3, (0, 2): 3, (0, 3): 3})
        new = Run([[0], [1], [1], [1]], {(0, 1): 4, (0, 2): 4, (0, 3): 4})
        found = self.said(old, new)
        self.assertEqual(sum(found.values()), 0)
        self.assertTrue(all(abs(cost) <= 1 for cost in found.values()), found)


if __name__ == "__main__":
    unittest.main()
