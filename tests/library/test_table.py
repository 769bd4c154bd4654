"""cg2p_table_new: tables are what the lines of a profile add up to, by any keys and maps."""

from __future__ import annotations

import random
import sys
import unittest
from array import array
from collections.abc import Iterator, Sequence

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Directory  # noqa: E402
from test_library import profiles  # noqa: E402

from cg2tools.profile import libcg2profile  # noqa: E402
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET,
    COST,
    KEYS,
    NONE,
    Limit,
)  # noqa: E402
from cg2tools.profile.model import Part, ProfileError  # noqa: E402
from cg2tools.profile.positions import Position  # noqa: E402

Row = tuple[tuple[int, ...], tuple[int, ...]]  # keys; counts and costs


def lines(part: Part, names: Sequence[str], kind: int) -> Iterator[Row]:
    """All KEYS of each line of a kind, and its numbers, by what the cursors gave."""
    numbers = {name: number for number, name in enumerate(names)}
    functions = {key: number for number, key in enumerate(part.functions)}

    def keys(at: Position) -> list[int]:
        return [numbers[at.file], at.line, at.instr, at.block]

    nowhere = [0] * 6
    for key, function in part.functions.items():
        own = functions[key]
        if kind == COST:
            for run in function.cost_lines():
                for at, cost in zip(run.positions(), run.costs):
                    yield (own, *keys(at), *nowhere), tuple(cost)
        elif kind == libcg2profile.CALL:
            for call in function.calls:
                file, *target = keys(call.target)
                found = (own, *keys(call.source), functions[call.callee], 0, *target, 0)
                yield found, (call.count, *call.inclusive)
        else:
            for jump in function.jumps:
                other = functions[jump.target_function]
                found = (own, *keys(jump.source), other, *keys(jump.target), int(jump.conditional))
                yield found, (jump.taken, jump.executed, *[0] * len(part.events))


def rows_of(table: libcg2profile.Table, keys: int) -> list[Row]:
    columns = [table.column(key) for key in KEYS if keys & key]
    numbers = [column for column in (table.counts, table.executed) if column]
    return [
        (tuple(column[i] for column in columns), (*(n[i] for n in numbers), *cost))
        for i, cost in enumerate(table.costs())
    ]


def added_up(found: Iterator[Row], keys: int) -> list[Row]:
    sums: dict[tuple[int, ...], tuple[int, ...]] = {}
    for key, numbers in found:
        kept = tuple(n for bit, n in zip(KEYS, key) if keys & bit)
        before = sums.get(kept, (0,) * len(numbers))
        sums[kept] = tuple(a + b for a, b in zip(before, numbers))
    return sorted(sums.items())


class Tables(Directory):
    def test_any_keys(self) -> None:
        """By each key, by all and by 40 sets of keys, for costs, calls and jumps of real profiles."""
        chance = random.Random(1)
        count = 0
        for path in profiles():
            found = libcg2profile.read(path)
            for part, expected in zip(found.parts, library.read_by_line(path).parts):
                for kind in range(3):
                    all_lines = list(lines(expected, found.names, kind))
                    for keys in [*KEYS, sum(KEYS), *(chance.randrange(1 << 11) for _ in range(40))]:
                        rows = rows_of(part.add_up(kind, keys), keys)
                        self.assertEqual(rows, added_up(iter(all_lines), keys), (kind, keys))
                        count += len(rows)
                    each = rows_of(part.add_up(kind, sum(KEYS), each=True), sum(KEYS))
                    self.assertEqual(each, all_lines)
        self.assertGreater(count, 10_000)

    def test_maps(self) -> None:
        """Functions and files that count as others, or are left out."""
        chance = random.Random(2)
        for path in profiles():
            found = libcg2profile.read(path)
            part, expected = found.parts[0], library.read_by_line(path).parts[0]
            as_own = [chance.choice([0, 1, 7, NONE]) for _ in range(part.count)]
            as_target = [chance.choice([3, 4, NONE]) for _ in range(part.count)]
            as_file = [chance.choice([5, 6, NONE]) for _ in found.names]
            keys = BY_FUNCTION | BY_FILE | BY_LINE | BY_TARGET
            mapped = (
                ((as_own[k[0]], as_file[k[1]], *k[2:5], as_target[k[5]], *k[6:]), n)
                for k, n in lines(expected, found.names, libcg2profile.CALL)
            )
            kept = (row for row in mapped if NONE not in row[0])
            self.assertEqual(
                rows_of(part.add_up(libcg2profile.CALL, keys, as_own, as_target, as_file), keys),
                added_up(kept, keys),
            )

    def test_by_construction(self) -> None:
        path = self.file(
            "profile",
            b"positions: instr line\nevents: Ir Dr\nfl=b.c\nfn=f\n0x10 3 1 10\n0x14 3 2 20\n"
            b"fi=a.h\n0x18 3 4 40\nfn=g\n0x20 3 8\ncfn=f\ncalls=5 0x10 3\n0x24 9 100 200\n",
        )
        (part,) = libcg2profile.read(path).parts
        by_line = part.add_up(COST, BY_FUNCTION | BY_LINE)
        self.assertEqual(by_line.column(BY_LINE).tolist(), [3, 3])
        self.assertEqual(by_line.costs(), [(7, 70), (8, 0)])
        self.assertEqual(part.add_up(COST, 0).costs(), [(15, 70)])
        calls = part.add_up(libcg2profile.CALL, BY_TARGET)
        self.assertEqual((calls.counts.tolist(), calls.costs()), ([5], [(100, 200)]))

    def test_limit(self) -> None:
        """What costs less than `least` in all events is left out, if there are more rows than few; and added
        up."""
        path = self.file(
            "profile",
            b"events: Ir Dr\nfl=a.c\nfn=f\n1 10 1\n2 3 1\n3 2 5\nfi=b.h\n4 1 1\n5 20\n"
            b"fe=a.c\nfn=g\n1 4\n2 9 2\n1 3 1\n",
        )
        (part,) = libcg2profile.read(path).parts
        keys = BY_FUNCTION | BY_FILE | BY_LINE

        def asked(least: list[int], few: int, rest: int) -> tuple[list[int], list[Row]]:
            table = part.add_up(COST, keys, limit=Limit(least, few, rest))
            return table.column(BY_LINE).tolist(), rows_of(table.rest, rest) if table.rest else []

        a, b = (part.profile.names.index(name) for name in ("a.c", "b.h"))
        self.assertEqual(
            asked([8, 5], 0, BY_FILE), ([1, 3, 5, 2], [((a,), (2, 10, 2)), ((b,), (1, 1, 1))])
        )
        self.assertEqual(asked([7, 9], 6, BY_FILE)[0], [1, 5, 1, 2])
        self.assertEqual(asked([8, 5], 6, 0), ([1, 3, 5, 2], [((), (3, 11, 3))]))
        self.assertEqual(asked([8, 5], 7, BY_FILE), ([1, 2, 3, 4, 5, 1, 2], []))
        self.assertEqual(asked([1, 0], 0, BY_FILE), ([1, 2, 3, 4, 5, 1, 2], []))
        self.assertEqual(
            asked([99, 9], 0, BY_FUNCTION)[1], [((0,), (5, 36, 8)), ((1,), (2, 16, 3))]
        )

    def test_limit_of_calls(self) -> None:
        """How many calls are left out is known; what they cost together is not."""
        path = self.file(
            "profile",
            b"events: Ir\nfn=f\ncfn=g\ncalls=2 1\n1 30\ncfn=h\ncalls=5 1\n1 4\ncfn=i\ncalls=7 1\n2 5\n",
        )
        (part,) = libcg2profile.read(path).parts
        calls = part.add_up(libcg2profile.CALL, BY_TARGET | BY_LINE, limit=Limit([6], rest=BY_LINE))
        self.assertEqual(calls.column(BY_LINE).tolist(), [1])
        self.assertEqual((calls.counts.tolist(), calls.costs()), ([2], [(30,)]))
        assert calls.rest
        self.assertEqual(rows_of(calls.rest, BY_LINE), [((1,), (1, 0)), ((2,), (1, 0))])

    def test_limit_of_any(self) -> None:
        """A table and its limit's rest are the table without limit, for real profiles and each number of
        few."""
        keys = BY_FUNCTION | BY_FILE | BY_LINE
        for path in profiles():
            for part in libcg2profile.read(path).parts:
                rows = rows_of(part.add_up(COST, keys), keys)
                least = [max(1, total // 200) for total in part.self_total()]
                large = [row for row in rows if any(a >= b for a, b in zip(row[1], least))]
                for few in {0, 1, len(rows) // 2, max(0, len(rows) - 1), len(rows)}:
                    table = part.add_up(COST, keys, limit=Limit(least, few, BY_FILE))
                    kept = large if len(rows) > few else rows
                    self.assertEqual(rows_of(table, keys), kept)
                    files = added_up(
                        (
                            ((0, key[1], *[0] * 9), (1, *cost))
                            for key, cost in rows
                            if (key, cost) not in kept
                        ),
                        BY_FILE,
                    )
                    self.assertEqual(rows_of(table.rest, BY_FILE) if table.rest else [], files)

    def test_first_line(self) -> None:
        """An instruction of several lines is told with the first one, whatever their order in the file."""
        path = self.file(
            "profile",
            b"positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x10 9 1\n0x20 7 2\n0x20 3 4\n0x10 8 8\n"
            b"fi=b.h\n0x20 1 16\n",
        )
        (part,) = libcg2profile.read(path).parts
        table = part.add_up(COST, BY_FUNCTION | BY_INSTR, of_first=BY_FILE | BY_LINE)
        self.assertEqual(table.column(BY_INSTR).tolist(), [0x10, 0x20])
        self.assertEqual(table.column(BY_LINE).tolist(), [8, 3])
        self.assertEqual([part.profile.names[file] for file in table.column(BY_FILE)], ["a.c"] * 2)
        self.assertEqual(table.costs(), [(9,), (22,)])

    def test_where_it_is(self) -> None:
        """A table that is not copied has the same rows, as long as one has a column of it."""
        lines = "".join(f"fn=f{i % 7}\n{i % 50 + 1} {i} 1\n" for i in range(1000))
        content = f"events: Ir Dr\nfl=a.c\n{lines}".encode()
        part = libcg2profile.read(self.file("profile", content)).parts[0]
        functions = array("I", [*range(6), NONE])
        files = array("I", range(len(part.profile.names)))
        keys = BY_FUNCTION, BY_FILE, BY_LINE
        copied = part.add_up(COST, sum(keys), functions, file_as=files)
        large = libcg2profile.add_many_up(part, COST, sum(keys), functions, files)
        columns, costs = [large.column(key) for key in keys], large.flat_costs
        del large
        self.assertEqual([[*each] for each in columns], [[*copied.column(key)] for key in keys])
        self.assertEqual(costs.tolist(), copied.flat_costs.tolist())
        self.assertEqual(len(columns[0]), 300)
        nothing = libcg2profile.add_many_up(part, COST, sum(keys), array("I", [NONE] * 7), files)
        self.assertEqual((len(nothing.column(BY_LINE)), len(nothing.flat_costs)), (0, 0))

    def test_nothing(self) -> None:
        path = self.file("profile", b"events: Ir\n")
        (part,) = libcg2profile.read(path).parts
        for keys in 0, sum(KEYS):
            self.assertEqual(len(part.add_up(COST, keys)), 0)

    def test_too_large(self) -> None:
        """Calls of several functions can add up to more than 64 bits hold."""
        most = (1 << 64) - 1
        path = self.file(
            "profile",
            f"events: Ir\nfn=f\ncfn=g\ncalls=1 1\n1 {most}\ncfn=h\ncalls=1 1\n1 1\n".encode(),
        )
        (part,) = libcg2profile.read(path).parts
        self.assertEqual(len(part.add_up(libcg2profile.CALL, BY_TARGET)), 2)
        with self.assertRaises(ProfileError) as caught:
            part.add_up(libcg2profile.CALL, BY_LINE)
        self.assertEqual(
            str(caught.exception),
            f"{path}:1: costs add up to more than 64 bits hold; expected sums that fit",
        )


if __name__ == "__main__":
    unittest.main()
