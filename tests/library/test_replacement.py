"""cg2p_replacement_find finds what took a function's place: as rules in Python say, over random programs."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import unittest
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402, F401

from cg2tools.profile.explanation import Side, likely_replacements  # noqa: E402
from cg2tools.profile.graphcolumns import Graph  # noqa: E402
from cg2tools.profile.libcg2profile import SUMS, read  # noqa: E402
from cg2tools.profile.matching import Matching, Named  # noqa: E402

SEED = 20_261_128
ROUNDS = 10_000 if os.environ.get("CG2_FULL") == "1" else 150

ENOUGH = 5


@dataclass(frozen=True)
class Program:
    """The cost and the file of each function, and how often one calls another."""

    costs: Mapping[str, int]
    files: Mapping[str, str]
    calls: Mapping[tuple[str, str], int]

    def text(self) -> str:
        lines = ["# callgrind format", "events: Ir"]
        for name, cost in self.costs.items():
            lines += [f"fl={self.files[name]}", f"fn={name}", f"1 {cost}"]
        for (caller, callee), count in self.calls.items():
            lines += [f"fl={self.files[caller]}", f"fn={caller}"]
            lines += [f"cfl={self.files[callee]}", f"cfn={callee}", f"calls={count} 1", "1 0"]
        return "\n".join(lines) + "\n"

    def callers(self, name: str) -> dict[str, int]:
        return {by: count for (by, to), count in self.calls.items() if to == name != by}

    def callees(self, name: str) -> set[str]:
        return {to for by, to in self.calls if by == name} - {name}


def found(old: Program, new: Program) -> dict[str, str]:
    """What the library says."""
    with tempfile.TemporaryDirectory() as place:
        graphs: list[Graph] = []
        for program in (old, new):
            path = Path(place) / "profile"
            path.write_text(program.text())
            graphs.append(Graph(read(path, detail=SUMS).parts[0]))
        matching = Matching(*map(Named, graphs))
        sides = [Side([graph], [array("I", nodes)]) for graph, nodes in zip(graphs, matching.nodes)]
        more = likely_replacements(matching, sides[0], sides[1], {})
        return {matching.key(was).name: matching.key(now).name for was, now in more.items()}


# ---- The rules, slowly -----------------------------------------------------


def same_at_start(name: bytes, other: bytes) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(name, other)))


def are_alike(was: str, now: str) -> bool:
    """Whether more than six of ten bytes of both are the same, at both ends or in order."""
    name, other = was.encode(), now.encode()
    least = 0.3 * (len(name) + len(other))
    begin = same_at_start(name, other)
    end = same_at_start(name[:begin:-1], other[:begin:-1])
    same = SequenceMatcher(None, name, other, autojunk=False).ratio()
    return begin + end > least or same > 0.6


class Rules:
    """Finds pairs round after round, and looks at all in each."""

    def __init__(self, old: Program, new: Program) -> None:
        self.old, self.new = old, new
        self.pairs: dict[str, str] = {}

    def now(self, name: str) -> str | None:
        """What a function of OLD is in NEW."""
        other = self.pairs.get(name, name)
        return other if other in self.new.costs else None

    def score(self, name: str, other: str) -> int:
        was, now = self.old.costs[name], self.new.costs[other]
        like_cost = abs(was - now) * 5 <= max(was, now)
        like_name = are_alike(name, other)
        callers = {self.now(each): count for each, count in self.old.callers(name).items()}
        callers_now = self.new.callers(other)
        callees = {self.now(each) for each in self.old.callees(name)}
        callees_now = self.new.callees(other)
        several = len(callees) > 1 and callees == callees_now
        if not (like_cost or like_name or (several and callers == callers_now)):
            return 0
        if callers or callers_now:
            score = 2 * (callers.keys() == callers_now.keys()) + (callers == callers_now)
        else:
            score = 1  # nothing calls either
        score += 2 * bool(callees and callees == callees_now) - 2 * (callees != callees_now)
        score += self.old.files[name] == self.new.files[other]
        return score + like_cost + (was == now) + like_name

    def likely(self) -> Iterator[tuple[int, str, str]]:
        """Pairs that enough speaks for, in the order in which they are met."""
        for name in self.old.costs:
            if name in self.new.costs or name in self.pairs:
                continue
            for other in self.others(name):
                score = self.score(name, other)
                if other not in self.pairs.values() and score >= ENOUGH:
                    yield score, name, other

    def others(self, name: str) -> Iterator[str]:
        """What may have taken the place of a function, in the order in which that is judged.

        That is what the counterparts of its callers call; of what nothing calls, all that nothing calls.
        """
        callers = self.old.callers(name)
        come = [other for other in self.new.costs if other not in self.old.costs]
        if not callers:
            yield from (
                other for other in come if not self.new.callers(other) and self.new.callees(other)
            )
            return
        for caller in map(self.now, callers):
            yield from (other for other in come if (caller, other) in self.new.calls)

    def all(self) -> dict[str, str]:
        while said := sorted(self.likely(), key=lambda each: -each[0]):
            for _, name, other in said:
                if name not in self.pairs and other not in self.pairs.values():
                    self.pairs[name] = other
        return self.pairs


# ---- Random programs -------------------------------------------------------


def renamed(name: str, chance: random.Random) -> str:
    """A name that is like another, or is not."""
    letters = list(name)
    for _ in range(chance.choice([1, 2, 4, 9])):
        letters[chance.randrange(len(letters))] = chance.choice("abcdxyz_")
    way = chance.randrange(4)
    return "".join(letters) + ["", "_v2", "x" * 12, "::<é>"][way]


def random_program(chance: random.Random) -> Program:
    names = [
        "".join(chance.choice("abcdef_") for _ in range(chance.choice([3, 8, 8, 20, 300])))
        + str(number)
        for number in range(chance.randrange(3, 14))
    ]
    calls = {
        (chance.choice(names), chance.choice(names)): chance.randrange(1, 4)
        for _ in range(len(names) * 2)
    }
    costs = {name: chance.choice([10, 11, 100, 120, 5000]) for name in names}
    return Program(costs, {name: chance.choice("ab") for name in names}, calls)


def changed(program: Program, chance: random.Random) -> Program:
    """The same with other names of some, and here and there another cost or call."""
    number = iter(range(10_000))
    names = {
        name: f"{renamed(name, chance)}{next(number)}" if chance.random() < 0.5 else name
        for name in program.costs
    }
    calls = {
        (names[by], names[to]): count + (chance.random() < 0.1)
        for (by, to), count in program.calls.items()
        if chance.random() < 0.95
    }
    costs = {names[name]: cost + chance.choice([0, 0, 1]) for name, cost in program.costs.items()}
    return Program(costs, {names[name]: file for name, file in program.files.items()}, calls)


class Replacements(unittest.TestCase):
    def test_rules(self) -> None:
        """The same counterparts as by rules that look at every pair in every round."""
        chance = random.Random(SEED)
        count = 0
        for _ in range(ROUNDS):
            old = random_program(chance)
            new = changed(old, chance)
            expected = Rules(old, new).all()
            self.assertEqual(found(old, new), expected)
            count += len(expected)
        self.assertGreater(count, ROUNDS // 2)

    def test_names(self) -> None:
        """More than six of ten bytes of both names, at the ends or in order, speak for a pair."""

        def is_found(name: str, other: str) -> bool:
            sides = [
                Program(
                    {"main": 1, each: cost}, dict.fromkeys(("main", each), "a"), {("main", each): 1}
                )
                for each, cost in ((name, 100), (other, 900))
            ]
            return bool(found(*sides))

        self.assertFalse(is_found("parse_row", "write_all"))
        self.assertTrue(is_found("parse_row", "parse_rows"))
        self.assertTrue(is_found("row_parse", "it_parse_1"), "in order: _parse")
        self.assertFalse(is_found("parse_row", "row_parse_then"), "in no order")
        self.assertTrue(is_found("f" * 2000, "f" * 1201 + "g" * 799), "at an end")
        self.assertFalse(
            is_found("f" * 2000, "x" * 10 + "f" * 1980 + "y" * 10), "too long for more"
        )

    def test_roots(self) -> None:
        """What nothing calls is matched with what nothing calls and calls the same functions."""

        def program(root: str, *callees: str) -> Program:
            costs = {root: 100, "f": 10, "g": 10, "h": 10}
            calls = {(root, callee): 1 for callee in callees}
            return Program(costs, dict.fromkeys(costs, "a"), calls)

        old = program("consume", "f", "g")
        self.assertEqual(found(old, program("thread_1", "f", "g")), {"consume": "thread_1"})
        self.assertEqual(found(old, program("thread_1", "f", "h")), {})
        self.assertEqual(found(old, program("thread_1", "f")), {})
        again = program("thread_1", "f", "g", "thread_1")
        self.assertEqual(found(old, again), {"consume": "thread_1"}, "called by itself alone")
        called = Program(again.costs, again.files, {**again.calls, ("h", "thread_1"): 1})
        self.assertEqual(found(old, called), {}, "h calls it")
