"""cg2 against stock Callgrind: the same jumps.

Each program runs under both tools with --collect-jumps=yes, and what they say of each pair of addresses is
compared, added up over functions and recursion levels. README says where Callgrind is wrong.
"""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import cg2test  # noqa: E402  (found through the path just set)
from cg2tools.profile.model import Part  # noqa: E402
from rules import NO_OBJECT, PAGE  # noqa: E402
from test_compat import annotated_total, profile  # noqa: E402
from workloads import WORKLOADS  # noqa: E402

COMPARED = ["bzip2", "perl", "python3", "sqlite3", "xz"]
OPTIONS = ["--collect-jumps=yes", "--dump-instr=yes"]

Place = tuple[str, int, int]  # an object, where a jump in it is, and where it goes


@dataclass
class Jumps:
    """What a profile says of the jumps from one place to another."""

    taken: Counter[Place] = field(default_factory=Counter)
    executed: Counter[Place] = field(default_factory=Counter)
    conditional: set[Place] = field(default_factory=set)
    calls: Counter[Place] = field(default_factory=Counter)  # the same for calls
    cost: Counter[tuple[str, int]] = field(default_factory=Counter)  # of each instruction

    def executions(self, place: Place) -> int:
        """How often the instruction there was executed."""
        return self.cost[place[:2]]


def jumps_of(part: Part) -> Jumps:
    """The jumps and calls of a profile with addresses."""
    found = Jumps()
    for key, function in part.functions.items():
        for jump in function.jumps:
            place = key.object, jump.source.instr, jump.target.instr
            found.taken[place] += jump.taken
            found.executed[place] += jump.executed
            if jump.conditional:
                found.conditional.add(place)
        for call in function.calls:
            found.calls[key.object, call.source.instr, call.target.instr] += call.count
        for position, cost in function.costs.items():
            found.cost[key.object, position.instr] += cost[0]
    return found


def name_objects(stock: Jumps, cg2: Jumps) -> None:
    """Jumps outside of .text are in no object for Callgrind: they get the object that cg2 knows."""
    missing = [place for place in cg2.taken if place not in stock.taken]
    for unnamed in [
        place for place in stock.taken if place[0] == NO_OBJECT and place not in cg2.taken
    ]:
        same = [
            place
            for place in missing
            if place[2] - place[1] == unnamed[2] - unnamed[1]
            and (unnamed[1] - place[1]) % PAGE == 0
            and cg2.taken[place] == stock.taken[unnamed]
        ]
        if same:
            missing.remove(same[0])
            for counts in (stock.taken, stock.executed):
                counts[same[0]] = counts.pop(unnamed)
            stock.conditional.add(same[0])


def faults(stock: Jumps, cg2: Jumps) -> list[str]:
    """Every jump that cg2 shows otherwise than Callgrind does, and that README does not explain."""
    found = []
    for place in sorted(stock.taken.keys() | cg2.taken.keys()):
        # To a cold half, or to the own first instruction: a call for Callgrind.
        taken = stock.taken[place] or stock.calls[place] - cg2.calls[place]
        if cg2.taken[place] != taken:
            found.append(f"{place}: taken {cg2.taken[place]}, expected {taken}")
        elif not stock.executed[place] <= cg2.executed[place] <= max(cg2.executions(place), taken):
            found.append(f"{place}: executed {cg2.executed[place]}, stock {stock.executed[place]}")
        elif place in stock.conditional and place not in cg2.conditional:
            found.append(f"{place}: not conditional")
    return found


def wrong_executions(part: Part) -> list[str]:
    """Branches that were executed more or less often than their instruction was."""
    return [
        str(jump)
        for function in part.functions.values()
        for jump in function.jumps
        if jump.conditional and function.costs[jump.source][0] != jump.executed
    ]


class CompatJumps(unittest.TestCase):
    """A test for each program; add_test below makes them."""

    def compare(self, name: str) -> None:
        """Run one program under both tools and compare all jumps."""
        workload = next(workload for workload in WORKLOADS if workload.name == name)
        directory = cg2test.new_directory()
        try:
            workload.make(directory)
        except FileNotFoundError as missing:
            self.skipTest(f"{missing} is not installed")
        lean = cg2test.lean_env()
        stock_part = cg2test.part_of(
            profile(workload, directory, "callgrind", "first.out", *OPTIONS, variables=lean)
        )
        path = profile(workload, directory, "cg2", "other.out", *OPTIONS, variables=lean)
        part = cg2test.part_of(path)
        stock, cg2 = jumps_of(stock_part), jumps_of(part)
        name_objects(stock, cg2)
        self.assertGreater(len(cg2.taken), 1000)
        self.assertEqual(faults(stock, cg2), [])
        self.assertEqual(wrong_executions(part), [])
        self.assertEqual(annotated_total(path), part.self_total()[0])


def add_test(name: str) -> None:
    """Give CompatJumps the test of one program."""

    def test(self: CompatJumps) -> None:
        self.compare(name)

    test.__doc__ = f"{name}: every jump is Callgrind's."
    setattr(CompatJumps, f"test_{name}", test)


for each in COMPARED:
    add_test(each)

if __name__ == "__main__":
    unittest.main()
