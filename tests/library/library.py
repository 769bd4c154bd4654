"""libcg2profile for its tests: what the commands do not ask of it, and what is compared.

    profile = read_by_line(path)    a Profile, whose lines the library gave one by one
    profile_of(read(path), path)    the same of a LibraryProfile
    graph(part)                     the call graph of a LibraryPart, by names
    compare(old, new, factors)      what differs between rows
    class Name(Directory): ...      a test with files of its own

All else of the library is asked as the commands ask it: by cg2tools.profile.libcg2profile.
"""

from __future__ import annotations

import tempfile
import unittest
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cg2test import BUILD

from cg2tools.bindings.interface import profile_library, reference
from cg2tools.bindings.structures import ADDRESS, U32, cg2p_line
from cg2tools.profile import graphcolumns
from cg2tools.profile.libcg2profile import (
    CALL,
    COST,
    LibraryPart,
    LibraryProfile,
    Sum,
    read,
)
from cg2tools.profile.model import Call, CostLines, FunctionKey, Jump, Part, Profile
from cg2tools.profile.positions import Position
from cg2tools.profile.rowpairs import LineFacts, Rows, differences, moved_files

LIBRARY = BUILD / "libcg2profile.so.1"


class Directory(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self) -> None:
        if not LIBRARY.exists():
            self.skipTest(f"{LIBRARY} is not built")
        holder = tempfile.TemporaryDirectory(prefix="cg2library-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def file(self, name: str, content: bytes) -> Path:
        path = self.fresh(name)
        path.write_bytes(content)
        return path

    def fresh(self, name: str) -> Path:
        """The path of a file that is not there.

        ext4 writes to the disk what replaces another file: a test would wait for that thousands of times.
        """
        path = self.directory / name
        path.unlink(missing_ok=True)
        return path


def merge(paths: Sequence[Path], output: Path) -> None:
    """Write the sum of some files."""
    added = Sum()
    for path in paths:
        added.add_profile(read(path))
    added.result().write(output)


def self_costs(part: LibraryPart) -> dict[FunctionKey, list[int]]:
    """What the functions of a part cost, as the library added up while it read."""
    return dict(zip(part.functions(), part.self_costs(), strict=True))


# ------------------------------------------------------------ differences

Keys = tuple[int, ...]
Side = dict[Keys, tuple[int, list[int]]]
"""Rows by their keys: count and cost."""


def compare(
    old: Side,
    new: Side,
    factors: list[int],
    lines_move: bool = False,
    facts: Sequence[LineFacts] = (),
) -> list[tuple[Keys | None, Keys | None]]:
    """The changes, each as the keys of its row in OLD and in NEW."""
    facts = facts or ((LineFacts(), LineFacts()) if lines_move else ())
    found = differences(_rows(old), _rows(new), factors, facts)
    olds, news = [*old, None], [*new, None]  # row -1 is none
    return [(olds[was], news[now]) for was, now in zip(found.old, found.new, strict=True)]


def moved(old: Side, new: Side, count: int) -> list[int]:
    """Files, of `count`, whose lines may have moved; rows are in order."""
    return [*moved_files(_rows(old), _rows(new), count)]


def _rows(side: Side) -> Rows:
    keys = [array("Q", column) for column in zip(*side)]
    costs = array("Q", [number for _, cost in side.values() for number in cost])
    counts = array("Q", [count for count, _ in side.values()])
    return Rows(keys or [array("Q")], costs, counts if any(counts) else None)


# ------------------------------------------------------------ the call graph


class Graph(NamedTuple):
    """All figures of a call graph; an arc is how many calls, and their inclusive cost."""

    self_costs: dict[FunctionKey, list[int]]
    inclusive: dict[FunctionKey, list[int]]
    cycle: dict[FunctionKey, int]
    node_of: dict[FunctionKey, FunctionKey]
    arcs: dict[tuple[FunctionKey, FunctionKey], tuple[int, list[int]]]
    cycles: list[tuple[list[int], list[int]]]  # self, inclusive
    entries: dict[tuple[FunctionKey, int], tuple[int, list[int]]]


def graph(part: LibraryPart, keep_levels: bool = False) -> Graph:
    """The call graph of a part."""
    found = graphcolumns.Graph(part, keep_levels)
    width, nodes = part.width, found.keys

    def costs(flat: array[int]) -> list[list[int]]:
        return [flat[i : i + width].tolist() for i in range(0, len(flat), width)]

    arcs = zip(found.callers, found.callees, found.counts, costs(found.arc_costs), strict=True)
    entries = zip(found.entries, costs(found.entry_costs), strict=True)
    return Graph(
        dict(zip(nodes, costs(found.self_costs), strict=True)),
        dict(zip(nodes, costs(found.inclusive), strict=True)),
        dict(zip(nodes, found.cycle, strict=True)),
        {key: nodes[node] for key, node in zip(part.functions(), found.node_of, strict=True)},
        {(nodes[caller], nodes[callee]): (count, cost) for caller, callee, count, cost in arcs},
        [*zip(costs(found.cycle_self), costs(found.cycle_inclusive), strict=True)],
        {(nodes[caller], cycle): (count, cost) for (caller, cycle, count), cost in entries},
    )


# ------------------------------------------------------------ lines, one by one


def read_by_line(path: str | Path) -> Profile:
    """A file as the library reads it."""
    return profile_of(read(path), str(path))


def profile_of(found: LibraryProfile, path: str) -> Profile:
    """All that the library says of a profile."""
    parts = [_part(part, path) for part in found.parts]
    return Profile(path, found.version, found.creator, parts, found.cut_off)


def _part(part: LibraryPart, path: str) -> Part:
    made = Part(path)
    part.read_header(made)
    keys = part.functions()
    for number in range(len(keys)):
        _read_lines(part, made, number, keys)
    _check_sums(part, made)
    return made


def _lines(part: LibraryPart, function: int) -> Iterator[Any]:
    """The lines of a function; each stays until the next one."""
    cursor = ADDRESS(profile_library().cg2p_cursor_new(part.handle, U32(function)))
    line = cg2p_line()
    while profile_library().cg2p_cursor_next(cursor, reference(line)):
        yield line
    profile_library().cg2p_cursor_free(cursor)


def _read_lines(part: LibraryPart, made: Part, number: int, keys: list[FunctionKey]) -> None:
    names, key = part.profile.names, keys[number]
    function = made.function_of(key)
    for line in _lines(part, number):
        at = Position(names[line.file], line.at.instr, line.at.line, line.at.block)
        cost = line.cost[: part.width]
        if line.kind == COST:
            function.add_lines(CostLines(at.file, [[number] for number in at[1:]], [cost]))
            continue
        target = (line.target.instr, line.target.line, line.target.block)
        other = keys[line.function]
        if line.kind == CALL:
            function.calls.append(
                Call(key, other, line.count, at, Position(other.file, *target), cost)
            )
        else:
            to = Position(names[line.target_file], *target)
            function.jumps.append(
                Jump(key, other, at, to, line.count, line.executed, bool(line.is_conditional))
            )


def _check_sums(part: LibraryPart, made: Part) -> None:
    """What the library added up while it read is what its lines add up to."""
    keys = part.functions()
    assert self_costs(part) == {key: made.functions[key].self_cost() for key in keys}
    arcs: dict[tuple[FunctionKey, FunctionKey], list[int]] = {}
    for function in made.functions.values():
        for call in function.calls:
            sums = arcs.setdefault((call.caller, call.callee), [0] * (part.width + 1))
            for i, number in enumerate([call.count, *call.inclusive]):
                sums[i] += number
    stated = part.arcs()
    columns = zip(stated.callers, stated.callees, stated.counts, stated.costs, strict=True)
    assert arcs == {
        (keys[caller], keys[callee]): [count, *cost] for caller, callee, count, cost in columns
    }
