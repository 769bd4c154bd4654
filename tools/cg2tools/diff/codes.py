"""Whether functions have the same machine code in two builds.

    codes = Codes(old, new)     each a Ran
    codes.are_same(numbers)     of each function that it is known of: True or False

It is known where both profiles have instructions (--dump-instr=yes) and both programs are still as
they ran.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import BY_FUNCTION, BY_INSTR, COST, NONE
from cg2tools.profile.model import Part, Profile
from cg2tools.program.disassembly import ranges
from cg2tools.program.likecode import Piece, comparable, is_comparable
from cg2tools.program.ran import changed_object

_Place = tuple[str, list[Piece]]
"""An object file, and the pieces of a function in it that ran."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran in OLD or NEW: graphs of parts, and for each the number of each node in both sides."""

    profile: Profile
    graphs: Sequence[Graph]
    functions: Sequence[Sequence[int]]

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
        self._is_there = all("instr" in part.positions for part in parts)

    def are_same(self, wanted: Set[int]) -> dict[int, bool]:
        """Whether the code is the same of functions that both sides have; others are not known."""
        if not (self._is_there and wanted):
            return {}
        old, new = (side.places(wanted) for side in self._sides)
        pairs = {
            number: _as_long(old[number], new[number])
            for number in sorted(old.keys() & new.keys())
            if len(old[number][1]) == len(new[number][1])
        }
        try:
            was, now = (_read(pair[side] for pair in pairs.values()) for side in (0, 1))
        except OSError:  # nothing that takes code apart
            return {}
        found: dict[int, bool] = {}
        for number, (old_place, new_place) in pairs.items():
            before, after = _texts_of(old_place, was), _texts_of(new_place, now)
            if all(before) and all(after):
                found[number] = before == after
        return found


def _is_as_it_ran(path: str, parts: Sequence[Part]) -> bool:
    return is_comparable(path) and not any(changed_object(path, part) for part in parts)


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
