"""Whether functions have the same machine code in two builds.

    codes = Codes(old, new)     each a Ran
    codes.are_same(numbers)     of each function that it is known of: True or False
    codes.pairs(gone, come)     which functions of OLD have the code of which of NEW

It is known where both profiles have instructions (--dump-instr=yes) and both programs are still as
they ran.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import BY_FUNCTION, BY_INSTR, COST, NONE
from cg2tools.profile.model import Part, Profile
from cg2tools.program.disassembly import ranges
from cg2tools.program.likecode import Piece, comparable, is_comparable
from cg2tools.program.ran import changed_object

_BEGINNING = 4
"""Instructions; functions of which they are the same are compared."""

_ALIKE = 400
"""Pairs with the same beginning that are compared; of more, none."""

_Place = tuple[str, list[Piece]]
"""An object file, and the pieces of a function in it that ran."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran in OLD or NEW: graphs of parts, and for each the number of each node in both sides."""

    profile: Profile
    graphs: Sequence[Graph]
    functions: "Sequence[array[int]]"

    def places(self, wanted: Set[int]) -> dict[int, _Place]:
        """Where the code of functions is that can be read, by their numbers."""
        addresses: dict[int, set[int]] = defaultdict(set)
        objects: dict[int, set[str]] = defaultdict(set)
        for part, graph, numbers in zip(self.profile.parts, self.graphs, self.functions):
            asked = [
                number if (number := numbers[node]) in wanted else NONE for node in graph.node_of
            ]
            table = part.lines.add_up(COST, BY_FUNCTION | BY_INSTR, asked)
            for number, address in zip(table.column(BY_FUNCTION), table.column(BY_INSTR)):
                addresses[number].add(address)
            for node, number in enumerate(numbers):
                if number in wanted:
                    objects[number].add(graph.names.key(node).object)
        readable = cache(lambda path: _is_as_it_ran(path, self.profile.parts))
        return {
            number: (path, [(run[0], run[-1]) for run in ranges(sorted(found))])
            for number, found in addresses.items()
            for path in objects[number]
            if len(objects[number]) == 1 and readable(path)
        }


class Codes:
    """Compares the code of functions."""

    def __init__(self, old: Ran, new: Ran) -> None:
        self._sides = old, new
        parts = [*old.profile.parts, *new.profile.parts]
        self.is_there = all("instr" in part.positions for part in parts)

    def pairs(self, gone: Set[int], come: Set[int]) -> dict[int, int]:
        """Functions of OLD that have the same code as functions of NEW, each alone in its side with it."""
        if not (self.is_there and gone and come):
            return {}
        sides = [side.places(wanted) for side, wanted in zip(self._sides, (gone, come))]
        try:
            begun = [_by_beginning(places) for places in sides]
            maybe = [
                (was, now)
                for beginning, olds in begun[0].items()
                for was in olds
                for now in begun[1].get(beginning, ())
                if len(olds) * len(begun[1][beginning]) <= _ALIKE
            ]
            found = _compared(((pair, sides[0][pair[0]], sides[1][pair[1]]) for pair in maybe))
        except OSError:
            return {}
        same = [pair for pair, is_same in found.items() if is_same]
        count = [Counter(pair[side] for pair in same) for side in (0, 1)]
        return {was: now for was, now in same if count[0][was] == count[1][now] == 1}

    def are_same(self, wanted: Set[int]) -> dict[int, bool]:
        """Whether the code is the same of functions that both sides have; others are not known."""
        if not (self.is_there and wanted):
            return {}
        old, new = (side.places(wanted) for side in self._sides)
        both = sorted(old.keys() & new.keys())
        try:
            return _compared((number, old[number], new[number]) for number in both)
        except OSError:  # nothing that takes code apart
            return {}


def _is_as_it_ran(path: str, parts: Sequence[Part]) -> bool:
    return is_comparable(path) and not any(changed_object(path, part) for part in parts)


_What = TypeVar("_What")


def _compared(pairs: Iterable[tuple[_What, _Place, _Place]]) -> dict[_What, bool]:
    """Whether the code of two places is the same; it is not known where there is none."""
    longer = {what: _as_long(old, new) for what, old, new in pairs if len(old[1]) == len(new[1])}
    was, now = (_read(pair[side] for pair in longer.values()) for side in (0, 1))
    found: dict[_What, bool] = {}
    for what, (old, new) in longer.items():
        before, after = _texts_of(old, was), _texts_of(new, now)
        if all(before) and all(after):
            found[what] = before == after
    return found


def _by_beginning(places: Mapping[int, _Place]) -> dict[tuple[str, ...], list[int]]:
    """Functions by their first instructions; those that have fewer are left out."""
    texts = _read(iter(places.values()))
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, place in places.items():
        beginning = _texts_of(place, texts)[0][:_BEGINNING]
        if len(beginning) == _BEGINNING:
            found[beginning].append(number)
    return found


def _as_long(old: _Place, new: _Place) -> tuple[_Place, _Place]:
    """The same places; where other instructions of a piece ran, both reach as far as the longer one."""
    lengths = [max(was[1] - was[0], now[1] - now[0]) for was, now in zip(old[1], new[1])]
    longer: list[_Place] = []
    for path, pieces in (old, new):
        firsts = [first for first, _ in pieces]
        longer.append((path, [(first, first + n) for first, n in zip(firsts, lengths)]))
    return longer[0], longer[1]


_Texts = Mapping[tuple[str, Piece], tuple[str, ...]]


def _read(places: Iterator[_Place]) -> _Texts:
    """The code at places, each object file read once."""
    by_path: dict[str, list[Piece]] = defaultdict(list)
    for path, pieces in places:
        by_path[path] += pieces
    return {
        (path, piece): texts
        for path, pieces in by_path.items()
        for piece, texts in comparable(path, pieces).items()
    }


def _texts_of(place: _Place, texts: _Texts) -> list[tuple[str, ...]]:
    path, pieces = place
    return [texts[path, piece] for piece in pieces]
