"""cg2p_difference_new says what differs between rows of two profiles, in order of effect: by construction,
and as a slow model."""

from __future__ import annotations

import random
import sys
import unittest
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Side  # noqa: E402

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
    pairs = {group: (of(old, group), of(new, group)) for group in groups}
    moves = {file: anchors(pairs, file) for file in {group[-1:] for group in groups}}
    changes = [
        change
        for group, (before, after) in pairs.items()
        for change in changes_of(group, before, after, moves[group[-1:]] if lines_move else None)
    ]
    return sorted(changes, key=order)


Rows = dict[int, tuple[int, list[int]]]
"""The rows of a group by their last keys."""

Anchors = list[tuple[int, int]]


def of(rows: Side, group: Keys) -> Rows:
    return {keys[-1]: row for keys, row in sorted(rows.items()) if keys[:-1] == group}


def anchors(pairs: dict[Keys, tuple[Rows, Rows]], file: Keys) -> Anchors | None:
    """Where lines of the file, the last of the keys of groups, have moved; None: they have not."""
    both = [sides for group, sides in pairs.items() if group[-1:] == file and all(sides)]
    if all(old.keys() == new.keys() for old, new in both):
        return None
    votes: Counter[tuple[int, int]] = Counter()
    for old, new in both:
        votes.update((line, line) for line in old.keys() & new.keys())
        for cost in {tuple(cost) for _, cost in old.values()}:
            alike = [[line for line in rows if tuple(rows[line][1]) == cost] for rows in (old, new)]
            if len(alike[0]) == len(alike[1]):
                votes.update(2 * list(zip(alike[0], alike[1])))
    return best_chain(votes)


def best_chain(votes: Counter[tuple[int, int]]) -> Anchors:
    """Votes that do not contradict each other, as many as there can be."""
    chains: list[tuple[int, Anchors]] = [(0, [])]

    def rank(chain: tuple[int, Anchors]) -> tuple[int, int, int]:
        old, new = chain[1][-1] if chain[1] else (0, 0)
        return chain[0], -new, -old

    for old, new in sorted(votes):
        before = [chain for chain in chains if not chain[1] or precedes(chain[1][-1], (old, new))]
        count, lines = max(before, key=rank)
        chains.append((count + votes[old, new], [*lines, (old, new)]))
    return max(chains, key=rank)[1]


def precedes(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] < b[0] and a[1] < b[1]


def changes_of(
    group: Keys, old: Rows, new: Rows, moves: Anchors | None
) -> Iterator[tuple[Keys | None, Keys | None]]:
    pairs = paired(old, new, lambda line: [line])
    if moves is not None and old and new and old.keys() != new.keys():
        shifts = 0, min(new) - min(old), max(new) - max(old)
        ways = [paired(old, new, partial(with_anchors, moves, step)) for step in (1, -1)]
        ways += [paired(old, new, partial(shifted, shift)) for shift in shifts]
        pairs = max(ways, key=lambda way: sum(1 + (old[a] == new[b]) for a, b in way.items()))
    added = new.keys() - set(pairs.values())
    for was, now in [*((line, pairs.get(line)) for line in old), *((None, line) for line in added)]:
        if was is None or now is None or old[was] != new[now]:
            yield None if was is None else (*group, was), None if now is None else (*group, now)


def paired(old: Rows, new: Rows, places: Callable[[int], list[int]]) -> dict[int, int]:
    """The first of its places that each line finds, behind that of the line before."""
    pairs: dict[int, int] = {}
    last = -1
    for line in old:
        place = next((place for place in places(line) if place in new and place > last), None)
        if place is not None:
            last = pairs[line] = place
    return pairs


def shifted(shift: int, line: int) -> list[int]:
    return [line + shift]


def with_anchors(moves: Anchors, step: int, line: int) -> list[int]:
    """Where a line may be as the anchors around it have moved, the one before it first, or last."""
    if line in dict(moves):
        return [dict(moves)[line]]
    before = max((anchor for anchor in moves if anchor[0] < line), default=(0, 0))
    behind = min((anchor for anchor in moves if anchor[0] > line), default=None)
    places = [line + new - old for old, new in [before, *([behind] if behind else [])][::step]]
    end = behind[1] if behind else MOST + 1
    return [place for place in places if before[1] < place < end]


if __name__ == "__main__":
    unittest.main()
