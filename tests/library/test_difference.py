"""cg2p_difference_new says what differs between rows of two profiles, in order of effect: by construction,
and as a slow model."""

from __future__ import annotations

import random
import sys
import unittest
from collections.abc import Iterator

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Side  # noqa: E402
from linemodel import Rows, pairs_of_file, same_lines  # noqa: E402

SEED = 20_261_123
ROUNDS = 2000
MOST = (1 << 64) - 1

Keys = tuple[int, ...]


def lines(costs: dict[int, int]) -> Side:
    """A function's lines, of one event."""
    return {(line,): (0, [cost]) for line, cost in costs.items()}


class Compared(unittest.TestCase):
    """What is compared by hand."""

    def setUp(self) -> None:
        if not library.LIBRARY.exists():
            self.skipTest(f"{library.LIBRARY} is not built")

    def lines(
        self, old: dict[int, int], new: dict[int, int]
    ) -> list[tuple[int | None, int | None]]:
        found = library.compare(lines(old), lines(new), [1], lines_move=True)
        return [(was[0] if was else None, now[0] if now else None) for was, now in found]

    def test_lines_move(self) -> None:
        """Lines that cost the same further down, or as many at other costs, are the same lines."""
        self.assertEqual(self.lines({3: 1, 4: 2}, {3: 1, 4: 2}), [])
        self.assertEqual(self.lines({3: 1, 4: 2}, {13: 1, 14: 2}), [])
        self.assertEqual(self.lines({13: 1, 14: 2}, {3: 1, 4: 2}), [])
        self.assertEqual(self.lines({3: 1, 4: 2}, {13: 5, 14: 9}), [(4, 14), (3, 13)])
        self.assertEqual(self.lines({13: 1, 14: 2}, {3: 5, 4: 9}), [(14, 4), (13, 3)])

    def test_lines_stay(self) -> None:
        """Where moving makes no more lines the same, lines stand where they are."""
        self.assertEqual(self.lines({3: 1}, {3: 1, 2: 5}), [(None, 2)])
        self.assertEqual(self.lines({3: 1, 4: 9}, {3: 2, 5: 7}), [(4, None), (None, 5), (3, 3)])

    def test_first_or_last_lines(self) -> None:
        """Lines were added before, or behind, most of a function."""
        old = {3: 1, 4: 2, 5: 3}
        self.assertEqual(self.lines(old, {3: 7, 14: 2, 15: 3}), [(3, 3)])
        self.assertEqual(self.lines(old, {13: 1, 14: 2, 25: 7}), [(None, 25), (5, None)])

    def test_lines_in_the_middle(self) -> None:
        """Lines were added between, and removed: those on either side are the same."""
        old = {3: 1, 4: 2, 5: 3, 8: 4, 9: 5}
        self.assertEqual(self.lines(old, {3: 1, 4: 2, 5: 3, 6: 9, 18: 4, 19: 5}), [(None, 6)])
        self.assertEqual(self.lines(old, {3: 1, 5: 2, 6: 3, 8: 4, 9: 7}), [(9, 9)])
        self.assertEqual(self.lines(old, {3: 1, 5: 3, 6: 4, 7: 5}), [(4, None)])

    def test_lines_of_a_file(self) -> None:
        """Lines that move are inlined in several functions: of each what costs the same tells."""
        old: Side = {(1, 7, 60): (0, [4]), (1, 7, 152): (0, [8]), (2, 7, 152): (0, [5])}
        new: Side = {(1, 7, 60): (0, [4]), (1, 7, 153): (0, [8]), (2, 7, 153): (0, [9])}
        for side in old, new:
            side[2, 8, 60] = side[2, 8, 61] = (0, [1])
        self.assertEqual(
            library.compare(old, new, [1], lines_move=True), [((2, 7, 152), (2, 7, 153))]
        )

    def test_files_that_moved(self) -> None:
        """Files of which a function has other lines; not by its costs, a function that only one side
        has, or line 0."""
        old: Side = {
            (1, 3, 5): (0, [4]),
            (1, 4, 5): (0, [1]),
            (2, 3, 8): (0, [2]),
            (5, 6, 7): (0, [1]),
        }
        new: Side = {
            (1, 3, 0): (0, [4]),
            (1, 3, 5): (0, [7]),
            (1, 4, 5): (0, [1]),
            (2, 3, 8): (0, [2]),
        }
        self.assertEqual(library.moved(old, new, 7), [0, 0, 0, 0, 0, 0, 0])
        new[2, 3, 9] = (0, [1])
        self.assertEqual(library.moved(old, new, 7), [0, 0, 0, 1, 0, 0, 0])
        self.assertEqual(library.moved(new, old, 7), [0, 0, 0, 1, 0, 0, 0])
        self.assertEqual(library.moved({}, new, 7), [0] * 7)

    def test_small_costs(self) -> None:
        """A cost that occurs elsewhere says less than lines that stand where they stood."""
        old = {2: 60, 3: 9, 4: 44, 5: 70, 6: 90, 7: 31}
        self.assertEqual(
            self.lines(old, {2: 40, 3: 8, 6: 60, 7: 16}),
            [(5, None), (4, None), (6, 6), (2, 2), (7, 7), (3, 3)],
        )

    def test_ends_of_numbers(self) -> None:
        """Lines at either end of 64 bits move as others do."""
        self.assertEqual(self.lines({MOST - 1: 1, MOST: 2}, {1: 1, 2: 2}), [])
        self.assertEqual(self.lines({1: 1, 2: 2}, {MOST - 1: 1, MOST: 2}), [])
        self.assertEqual(self.lines({1: 5, MOST: 2}, {3: 1, 4: 2}), [(1, None), (None, 3)])

    def test_no_line(self) -> None:
        """Line 0 is none; other keys that are 0 are compared."""
        self.assertEqual(self.lines({0: 1}, {0: 5}), [])
        self.assertEqual(self.lines({0: 1, 3: 1}, {0: 5, 9: 1}), [])
        self.assertEqual(library.compare(lines({0: 1}), lines({0: 5}), [1]), [((0,), (0,))])

    def test_nothing(self) -> None:
        self.assertEqual(library.compare({}, {}, [1]), [])
        self.assertEqual(library.compare(lines({1: 0}), {}, [1]), [((1,), None)])
        self.assertEqual(library.compare({}, lines({1: 0}), [1]), [(None, (1,))])

    def test_effect(self) -> None:
        """By the sum of the events that count, then by calls, then by keys; up and down weigh alike."""
        old: Side = {
            (1, 1): (1, [10, 0]),
            (1, 2): (1, [10, 0]),
            (2, 1): (1, [1, 1]),
            (3, 1): (1, [0, 0]),
        }
        new: Side = {
            (1, 1): (2, [7, 1]),
            (1, 2): (9, [7, 1]),
            (2, 1): (1, [5, 1]),
            (3, 1): (1, [0, 7]),
        }
        order = [[3, 1], [2, 1], [1, 2], [1, 1]]
        for factors, expected in (
            ([1, 0], [1, 2, 3, 0]), ([0, 1], [0, 2, 3, 1]), ([-1, 0], [1, 2, 3, 0]),
            ([1, 3], [0, 1, 2, 3]), ([-1, 3], [0, 2, 3, 1]),
        ):  # fmt: skip
            with self.subTest(factors=factors):
                found = [list(now or ()) for _, now in library.compare(old, new, factors)]
                self.assertEqual(found, [order[i] for i in expected])

    def test_large_effects(self) -> None:
        """Effects beyond 64 bits are the largest, and do not become small ones."""
        old: Side = {(1,): (0, [0]), (2,): (0, [5]), (3,): (0, [9])}
        new: Side = {(1,): (0, [MOST // 4]), (2,): (0, [MOST]), (3,): (0, [4])}
        for factor, expected in ((1, [2, 1, 3]), (1 << 60, [1, 2, 3]), (-(1 << 63), [1, 2, 3])):
            found = [now and now[0] for _, now in library.compare(old, new, [factor])]
            self.assertEqual(found, expected)

    def test_any_order(self) -> None:
        """Rows come in any order; changes name them by their places there."""
        old: Side = {(2, 5): (1, [3]), (1, 7): (2, [4]), (1, 6): (0, [5])}
        new: Side = {(1, 7): (2, [1]), (2, 5): (2, [3]), (0, 9): (0, [1])}
        found = library.compare(old, new, [1])
        self.assertEqual(
            found, [((1, 6), None), ((1, 7), (1, 7)), (None, (0, 9)), ((2, 5), (2, 5))]
        )


class Model(unittest.TestCase):
    """Random rows, against a model that looks each row up by its keys."""

    def check(self, lines_move: bool, n_keys: int) -> None:
        if not library.LIBRARY.exists():
            self.skipTest(f"{library.LIBRARY} is not built")
        chance = random.Random(SEED + n_keys)
        changes = 0
        for number in range(ROUNDS):
            old, new = side(chance, n_keys), side(chance, n_keys)
            factors = [chance.randint(-2, 3), chance.randint(0, 1)]
            found = library.compare(old, new, factors, lines_move)
            self.assertEqual(found, expected(old, new, factors, lines_move), (number, old, new))
            changes += len(found)
        self.assertGreater(changes, ROUNDS)

    def test_one_key(self) -> None:
        self.check(False, 1)

    def test_two_keys(self) -> None:
        self.check(False, 2)

    def test_lines(self) -> None:
        self.check(True, 3)


def side(chance: random.Random, n_keys: int) -> Side:
    """Few numbers, so that much is alike; lines in blocks, so that moving them helps."""
    found: Side = {}
    for _ in range(chance.randint(0, 4)):
        group = tuple(chance.randint(0, 1) for _ in range(n_keys - 1))
        line = chance.randint(0, 12)
        for _ in range(chance.randint(1, 6)):
            cost = [chance.randint(0, 2), chance.randint(0, 1)]
            found[(*group, line)] = (chance.randint(0, 2) if n_keys == 2 else 0, cost)
            line += chance.randint(1, 2)
    order = list(found)
    if chance.random() < 0.5:
        order.sort()
    return {keys: found[keys] for keys in order}


def expected(
    old: Side, new: Side, factors: list[int], lines_move: bool
) -> list[tuple[Keys | None, Keys | None]]:
    """What cg2p_difference_new is to find."""

    def value(row: tuple[int, list[int]]) -> int:
        return sum(factor * cost for factor, cost in zip(factors, row[1]))

    def order(change: tuple[Keys | None, Keys | None]) -> tuple[object, ...]:
        none = 0, [0] * len(factors)
        was, now = change
        before = none if was is None else old[was]
        after = none if now is None else new[now]
        kind = 0 if was is None else 2 if now is None else 1
        return (-abs(value(after) - value(before)), -abs(after[0] - before[0]), now or was, kind)

    if lines_move:
        old, new = ({keys: row for keys, row in side.items() if keys[-1]} for side in (old, new))
    groups = {keys[:-1] for keys in (*old, *new)}
    pairs = {group: (of(old, group), of(new, group)) for group in sorted(groups)}
    same = {group: same_lines(sides) for group, sides in pairs.items()}
    if lines_move:
        for file in {group[-1:] for group in groups}:
            both = [group for group, sides in pairs.items() if group[-1:] == file and all(sides)]
            same.update(zip(both, pairs_of_file([pairs[group] for group in both])))
    changes = [
        change
        for group, (before, after) in pairs.items()
        for change in changes_of(group, before, after, same[group])
    ]
    return sorted(changes, key=order)


def of(rows: Side, group: Keys) -> Rows:
    return {keys[-1]: row for keys, row in sorted(rows.items()) if keys[:-1] == group}


def changes_of(
    group: Keys, old: Rows, new: Rows, pairs: dict[int, int]
) -> Iterator[tuple[Keys | None, Keys | None]]:
    added = new.keys() - set(pairs.values())
    for was, now in [*((line, pairs.get(line)) for line in old), *((None, line) for line in added)]:
        if was is None or now is None or old[was] != new[now]:
            yield None if was is None else (*group, was), None if now is None else (*group, now)


if __name__ == "__main__":
    unittest.main()
