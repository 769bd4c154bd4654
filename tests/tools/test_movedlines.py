"""cg2_diff compares lines where they are now: edits of which it is known which line is which."""

from __future__ import annotations

import os
import random
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from pathlib import Path

from cg2tools.diff.comparison import Change, Line, compare
from cg2tools.diff.names import Names
from cg2tools.profile.reader import read_profile

Costs = Mapping[int, int]
"""What lines cost."""

Places = list[tuple[int | None, int | None]]

LOOP = {10: 20, 11: 640, 12: 1280, 14: 640, 15: 321, 17: 640, 18: 77, 20: 1280, 21: 20}
"""Lines of a loop; three cost 640, two 1,280, two 20."""


def function(costs: Costs, name: str = "f", calls: Mapping[int, str] | None = None) -> str:
    """A function of app.c, some lines of which call another function once."""
    text = f"fl=app.c\nfn={name}\n"
    for line, cost in costs.items():
        text += f"{line} {cost}\n"
        if calls and line in calls:
            text += f"cfn={calls[line]}\ncalls=1 1\n{line} 9\n"
    return text


def moved(costs: Costs, by: int, behind: int = 0) -> dict[int, int]:
    """The lines, those behind one further down."""
    return {line + by * (line > behind): cost for line, cost in costs.items()}


def irregular(costs: Costs) -> dict[int, int]:
    """The lines, each with a cost that says nothing of the one before."""
    chance = random.Random(7)
    return {
        line: cost * chance.randint(2, 90) + chance.randint(1, 9) for line, cost in costs.items()
    }


def halved(costs: Costs) -> dict[int, int]:
    return {line: cost // 2 for line, cost in costs.items()}


def without(costs: Costs, *lines: int) -> dict[int, int]:
    return {line: cost for line, cost in costs.items() if line not in lines}


class Moved(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def changes(self, old: Sequence[str], new: Sequence[str]) -> list[Change[Line]]:
        parts = []
        for name, functions in ("old.out", old), ("new.out", new):
            path = self.folder / name
            path.write_text("events: Ir\n" + "".join(functions))
            parts.append(read_profile(str(path)).merged())
        return list(compare(parts[0], parts[1], Names(), "Ir").lines)

    def places(self, old: Sequence[str], new: Sequence[str], name: str = "f") -> Places:
        """The lines of a function that changed: where they were, and where they are."""
        changes = [c.what for c in self.changes(old, new) if c.what.function.name == name]
        return sorted(
            ((what.old, what.new) for what in changes),
            key=lambda each: max(each[0] or 0, each[1] or 0),
        )

    def pairs(self, old: Costs, new: Costs) -> Places:
        return self.places([function(old)], [function(new)])

    def test_moved_whole(self) -> None:
        """All lines moved by 2, all costs changed: none is removed or added, each is set against itself."""
        for costs in irregular(LOOP), halved(LOOP):
            for by in (1, 2, 3, 40, -5):
                with self.subTest(by=by):
                    expected = [(line, line + by) for line in LOOP]
                    self.assertEqual(self.pairs(LOOP, moved(costs, by)), expected)

    def test_dense(self) -> None:
        """A loop with a cost on each line, where distances say little: it was halved and moved by 3, and some
        of its lines cost now what others did."""
        old = {
            4: 20_000,
            7: 680_000,
            9: 640_000,
            10: 1_280_000,
            11: 640_000,
            12: 640_000,
            13: 640_000,
            15: 20_000,
        }
        new = {4: 20_000, 8: 20_000, 10: 360_000, 12: 320_000, 13: 640_000, 14: 320_000, 15: 320_000,
               16: 320_000, 18: 20_000}  # fmt: skip
        self.assertEqual(
            self.pairs(old, new),
            [(None, 8), (7, 10), (9, 12), (10, 13), (11, 14), (12, 15), (13, 16)],
        )

    def test_inserted(self) -> None:
        """Three lines were inserted in the loop, one of which costs something."""
        new = {**moved(irregular(LOOP), 3, 14), 16: 55}
        expected = [(line, line + 3 * (line > 14)) for line in LOOP]
        self.assertEqual(
            self.pairs(LOOP, new), sorted([*expected, (None, 16)], key=lambda each: each[1] or 0)
        )

    def test_deleted(self) -> None:
        """Lines 14 and 15 were deleted; those behind look as they did, but cost half of what they did."""
        new = moved(without(halved(LOOP), 14, 15), -2, 15)
        expected = [(line, line - 2 * (line > 15)) for line in LOOP if line not in (14, 15)]
        self.assertEqual(
            self.pairs(LOOP, new),
            sorted([*expected, (14, None), (15, None)], key=lambda each: each[0] or 0),
        )

    def test_edited_twice(self) -> None:
        """Lines inserted before the loop, and some deleted in it; what costs the same is no change."""
        new = moved(moved(without(LOOP, 15), 4), -1, 19)
        self.assertEqual(self.pairs(LOOP, new), [(15, None)])

    def test_halved_in_place(self) -> None:
        """Nothing moved: what costs half is not taken for a line that cost that before."""
        old = {line: 100 << line % 3 for line in range(10, 40)}
        self.assertEqual(
            self.pairs(old, {**halved(old), 41: 3}), [*((n, n) for n in old), (None, 41)]
        )

    def test_same_costs(self) -> None:
        """All lines cost the same, before and now: distances tell."""
        old = dict.fromkeys((10, 11, 13, 17, 18, 24), 50)
        new = moved(dict.fromkeys(old, 70), 6)
        self.assertEqual(self.pairs(old, new), [(line, line + 6) for line in old])

    def test_swapped_functions(self) -> None:
        """f and g changed places, and g has new costs: the lines of both are found."""
        g = {30: 5, 31: 7, 34: 8, 35: 900, 36: 2}
        down = {line + 20: cost for line, cost in LOOP.items()}
        up = {line - 20: cost for line, cost in irregular(g).items()}
        old, new = [function(LOOP), function(g, "g")], [function(down), function(up, "g")]
        self.assertEqual(self.places(old, new), [])
        self.assertEqual(self.places(old, new, "g"), [(line, line - 20) for line in g])

    def test_inlined(self) -> None:
        """A header's lines moved by 2; they are the same in all functions that they are inlined in."""
        text = "fl=app.c\nfn={0}\n3 1\nfi=vector.h\n{1}\n"
        places = {"f": (60, 61, 75), "g": (61, 75), "h": (75, 152)}
        old, new = (
            [
                text.format(
                    name,
                    "\n".join(
                        f"{line + by * (line > 60)} {line * times + len(name)}" for line in lines
                    ),
                )
                for name, lines in places.items()
            ]
            for by, times in ((0, 3), (2, 5))
        )
        for name, lines in places.items():
            expected = [(line, line + 2 * (line > 60)) for line in lines]
            self.assertEqual(self.places(old, new, name), expected, name)

    def test_another_way(self) -> None:
        """A program took another way: lines of one branch are not those of the other."""
        common = {10: 5, 11: 6, 20: 5, 21: 8}
        for old, new in (({12: 40}, {14: 40}), ({12: 40, 13: 90}, {15: 30, 16: 11})):
            with self.subTest(old=old):
                found = self.pairs({**common, **old}, {**common, **new})
                self.assertEqual(
                    found, [*((line, None) for line in old), *((None, line) for line in new)]
                )

    def test_calls(self) -> None:
        """Which functions lines call tells where distances and costs do not: a line was inserted at 12."""
        costs = dict.fromkeys(range(10, 21), 5)
        old = {11: "a", 12: "b", 15: "c", 17: "d"}
        new = {line + (line >= 12): callee for line, callee in old.items()}
        callees = [f"fl=app.c\nfn={name}\n{line} 9\n" for line, name in enumerate("abcd", 1)]
        now = irregular(dict.fromkeys(range(10, 22), 5))
        none: dict[int, str] = {}
        for calls, inserted in ((new, 12), (none, 21)):
            found = self.places(
                [function(costs, calls=old), *callees], [function(now, calls=calls), *callees]
            )
            moves = [(line, line + (line >= inserted)) for line in costs]
            self.assertEqual(
                sorted([*moves, (None, inserted)], key=lambda each: each[1] or 0), found
            )

    def sourced(self, costs: Costs, texts: Sequence[str], path: str, time: int) -> str:
        """A function, and its source, which was changed at a time."""
        source = self.folder / path
        source.parent.mkdir(exist_ok=True)
        source.write_text("\n".join(texts) + "\n")
        os.utime(source, (time, time))
        return function(costs).replace("fl=app.c", f"fl={source}")

    def test_texts(self) -> None:
        """Where the sources of both are there, and older than the profiles, their texts tell which line is
        which; never that of one file, or of a newer one. A line was inserted at 5."""
        texts = [f"statement {n};" for n in range(1, 12)]
        now = [*texts[:4], "new;", *texts[4:]]
        old, new = dict.fromkeys(range(2, 12), 5), irregular(dict.fromkeys(range(2, 13), 5))
        before, behind = 1_000_000_000, 4_000_000_000
        for was, path, time, inserted in (
            ("old/app.c", "new/app.c", before, 5),
            ("old/app.c", "new/app.c", behind, 12),
            ("app/app.c", "app/app.c", before, 12),
        ):
            with self.subTest(path=path, time=time):
                found = self.places(
                    [self.sourced(old, texts, was, before)], [self.sourced(new, now, path, time)]
                )
                moves = [(line, line + (line >= inserted)) for line in old]
                self.assertEqual(
                    sorted([*moves, (None, inserted)], key=lambda each: each[1] or 0), found
                )

    def test_very_long(self) -> None:
        """30,000 lines of one function, of which lines 8,001 and 20,001 on moved."""
        chance = random.Random(3)
        lines = sorted(chance.sample(range(1, 90_000), 30_000))
        old = {line: chance.randint(1, 10**6) for line in lines}
        new = {
            line + 5 * (at > 8000) + 11 * (at > 20_000): old[line] * 2
            for at, line in enumerate(lines)
        }
        expected = [*zip(lines, new)]
        found = self.pairs(old, new)
        self.assertEqual(len(found), 30_000)
        self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
