"""Data files of which every figure is known: what a run that is told to keep data apart leaves."""

from __future__ import annotations

from dataclasses import dataclass, field

EVENTS = ["Dr", "Dw", "D1mr", "D1mw", "DLmr", "DLmw", "Alloc", "AllocBytes"]

Function = tuple[str, str, str]  # object, file, name
Place = int | tuple[int, int]
"""An offset; or the first one, and the distance of the others."""


@dataclass
class DataText:
    """The text of a data file, made of touches."""

    events: list[str] = field(default_factory=lambda: list(EVENTS))
    header: list[str] = field(default_factory=lambda: ["desc: Data: accesses"])
    selves: dict[tuple[str, str], dict[int, list[int]]] = field(default_factory=dict)
    calls: dict[Function, list[str]] = field(default_factory=dict)

    def touch(
        self,
        data: tuple[str, str],
        place: Place,
        function: Function,
        at: tuple[int, int],
        count: int,
        **costs: int,
    ) -> None:
        """Let `function` touch an object, KIND::TEXT and path, `count` times; `at` is its instruction and
        line."""
        offset, address = _position(place)
        cost = [costs.get(event, 0) for event in self.events]
        self._add(data, address, cost)
        name, elf = data
        self.calls.setdefault(function, []).extend(
            [
                f"cob=[data] {elf}",
                "cfi=???",
                f"cfn={name}",
                f"calls={count} {address:#x} {offset // 8 + 1}",
                f"{at[0]:#x} {at[1]} {_numbers(cost)}",
            ]
        )

    def share(
        self,
        written: tuple[tuple[str, str], int, int],
        missed: tuple[tuple[str, str], int, int],
        count: int,
        kind: str = "false sharing",
    ) -> None:
        """Let a thread miss an offset of an object `count` times, whose line another one took when it wrote.

        The two places are an object, an offset, and a thread each.
        """
        (name, elf), offset, first = written
        (other, other_elf), other_offset, second = missed
        function = f"[pairs] {elf}", "???", f"{kind}::{name} (thread {first}, then {second})"
        self.calls.setdefault(function, []).extend(
            [
                f"cob=[data] {other_elf}",
                "cfi=???",
                f"cfn={other}",
                f"calls={count} {other_offset:#x} {other_offset // 8 + 1}",
                f"{offset:#x} {offset // 8 + 1} 0",
            ]
        )

    def visit(self, data: tuple[str, str], offset: int, other: int, visits: int) -> None:
        """Let so many visits of a block come to two offsets; to one, if they are the same."""
        name, elf = data
        self.calls.setdefault((f"[pairs] {elf}", "???", f"together::{name}"), []).extend(
            [
                f"cob=[data] {elf}",
                "cfi=???",
                f"cfn={name}",
                f"calls={visits} {other:#x} {other // 8 + 1}",
                f"{offset:#x} {offset // 8 + 1} 0",
            ]
        )

    def allocate(self, data: tuple[str, str], blocks: int, size: int) -> None:
        """Let the blocks of an object be so many, of so many bytes each."""
        costs = {"Alloc": blocks, "AllocBytes": blocks * size}
        self._add(data, 0, [costs.get(event, 0) for event in self.events])

    def _add(self, data: tuple[str, str], address: int, cost: list[int]) -> None:
        row = self.selves.setdefault(data, {}).setdefault(address, [0] * len(cost))
        for index, number in enumerate(cost):
            row[index] += number

    def total(self) -> list[int]:
        rows = [row for rows in self.selves.values() for row in rows.values()]
        return [sum(column) for column in zip(*rows)]

    def text(self) -> str:
        lines = ["# callgrind format", "version: 1", "creator: callgrind-cg2-0.1", "pid: 4711"]
        lines += ["cmd: ./app 1", "part: 1", *self.header, "positions: instr line"]
        lines += [f"events: {' '.join(self.events)}", f"summary: {_numbers(self.total())}", ""]
        for (name, elf), rows in self.selves.items():
            lines += [f"ob=[data] {elf}", "fl=???", f"fn={name}"]
            for address, cost in rows.items():
                offset = address & 0x7FFFFFFF if address >> 63 else address
                lines.append(f"{address:#x} {offset // 8 + 1} {_numbers(cost)}")
            lines.append("")
        for (elf, file, name), calls in self.calls.items():
            lines += [f"ob={elf}", f"fl={file}", f"fn={name}", *calls, ""]
        return "\n".join([*lines, f"totals: {_numbers(self.total())}", ""])


def _position(place: Place) -> tuple[int, int]:
    """The first offset, and the address that stands for all."""
    if isinstance(place, int):
        return place, place
    first, distance = place
    return first, 1 << 63 | distance << 31 | first


def _numbers(cost: list[int]) -> str:
    return " ".join(map(str, cost))


APP = "/bin/app"
NODES = "heap::ast.c:120 (parse_expr)", APP
TABLE = "static::table", APP
PLACES = "heap::ast.c:200 (grow)", APP
FRAME = "stack::walk", APP
LIBRARY = "static::tz (tz.c)", "/lib/libc.so.6"
OTHER = "other::arguments and environment", "???"

WALK = APP, "/home/u/walk.c", "walk"
PARSE = APP, "/home/u/ast.c", "parse_expr"
MAIN = APP, "/home/u/main.c", "main"
TIME = "/lib/libc.so.6", "???", "tzset"


def list_and_array(moved: bool = False) -> str:
    """A list of 1,000 nodes of 24 bytes, an array of structs of 16 bytes, and some others.

    With `moved`, the same after a change: lines of code stand 7 lower, nodes have `key` at 8 and not at
    16, and miss less.
    """
    down = 7 if moved else 0
    nodes = (f"heap::ast.c:{120 + down} (parse_expr)", APP)
    key = 8 if moved else 16
    key_misses = 30_000 if moved else 81_000
    made = DataText()
    made.header.append("desc: Attributed: Dr 99.31 % Dw 100.00 %")
    made.header.append("desc: D1 cache: 32768 B, 64 B, 8-way associative")
    made.allocate(nodes, 1000, 24)
    made.touch(nodes, 0, WALK, (0x1136, 33 + down), 900_000, Dr=900_000, D1mr=1_000, DLmr=100)
    made.touch(
        nodes, key, WALK, (0x113A, 34 + down), 900_000, Dr=900_000, D1mr=key_misses, DLmr=400
    )
    made.touch(nodes, 0, PARSE, (0x1200, 121), 1_000, Dw=1_000, D1mw=375, DLmw=375)
    made.touch(nodes, key, PARSE, (0x1204, 122), 1_000, Dw=1_000)
    made.allocate(PLACES, 1, 16_000)
    made.touch(PLACES, (4, 16), MAIN, (0x1300, 12), 50_000, Dr=50_000, D1mr=12_500)
    made.touch(PLACES, (8, 16), MAIN, (0x1304, 13), 50_000, Dw=50_000)
    for place in range(0, 800, 8):
        made.touch(TABLE, place, MAIN, (0x1310, 14), 10, Dr=10, D1mr=int(place % 64 == 0))
    made.touch(FRAME, 24, WALK, (0x1140, 30 + down), 1_000, Dw=1_000)
    made.touch(LIBRARY, 4, TIME, (0x5000, 0), 7, Dr=7, D1mr=1, DLmr=1)
    made.touch(OTHER, 0, MAIN, (0x1320, 10), 3, Dr=3)
    return made.text()


PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app 1
part: 1
positions: line
events: Ir Dr
summary: 100 1800000
ob=/bin/app
fl=/home/u/main.c
fn=main
12 10 0
cfi=/home/u/walk.c
cfn=walk
calls=5 30
13 90 1800000
fl=/home/u/walk.c
fn=walk
33 40 900000
34 50 900000
totals: 100 1800000
"""
"""The profile of the run that `list_and_array` is the data file of; it has not all of its functions."""
