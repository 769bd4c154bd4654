"""Data files compared: objects whose lines moved, and the members or offsets of each."""

import re
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from cg2tools.data.names import said
from cg2tools.data.objects import KINDS, DataFile, DataObject
from cg2tools.data.offsets import rows
from cg2tools.profile.model import UNKNOWN, Cost, FunctionKey
from cg2tools.profile.spoken import Spoken

_LINE = re.compile(r"(?<=[^:]):[0-9]+(?= \()")
"""The line of a place that allocates: ast.c:120 (parse_expr)."""

_FILE = re.compile(r"(?<=::)[^:()]+:[0-9]+(?= \()|(?<= < )[^:()]+:[0-9]+(?= \()")
"""The file and the line."""

_ALL = 1 << 62  # more than an object has offsets


class Place(NamedTuple):
    """A member of an object, or an offset in it."""

    object: FunctionKey
    name: str
    old: str  # where it is in OLD; "": it is not there
    new: str


class PlaceCost(NamedTuple):
    """What a place costs in one file."""

    object: DataObject
    name: str
    where: str  # its offset
    cost: Cost


def places_of(data: DataFile) -> Iterator[PlaceCost]:
    """All places that are touched; a member by its name, as it may be elsewhere in the other file."""
    for object in data.objects:
        if object.typed:
            for member in object.typed.members:
                row = member.row
                if member.count and (row.is_leaf or row.is_hole):
                    name = f"(hole at {row.offset})" if row.is_hole else row.path or row.type_name
                    yield PlaceCost(object, name, f"{row.offset:,}", member.cost)
            continue
        for part in rows(object.touches, _ALL):
            yield PlaceCost(object, str(part), str(part), part.cost)


def moved_objects(gone: Set[FunctionKey], come: Set[FunctionKey]) -> dict[FunctionKey, FunctionKey]:
    """Objects of the heap that only OLD has, by what another line of the same function allocates in NEW.

    Several of one function are the same in the order of their lines. If only one is left of a
    function, its file may be another.
    """
    were, are = _by_function(gone, _LINE), _by_function(come, _LINE)
    moved = {
        was: now
        for place in were.keys() & are.keys()
        for was, now in zip(sorted(were[place], key=_lines), sorted(are[place], key=_lines))
    }
    were = _by_function(gone - moved.keys(), _FILE)
    are = _by_function(come - set(moved.values()), _FILE)
    for place in were.keys() & are.keys():
        if len(were[place]) == len(are[place]) == 1:
            moved[were[place][0]] = are[place][0]
    return moved


def _by_function(
    keys: Iterable[FunctionKey], left_out: "re.Pattern[str]"
) -> dict[tuple[str, str], list[FunctionKey]]:
    """Objects of the heap by their names without what matches a pattern."""
    found: dict[tuple[str, str], list[FunctionKey]] = {}
    for key in keys:
        if key.name.startswith("heap::"):
            found.setdefault((key.object, left_out.sub("", key.name)), []).append(key)
    return found


def _lines(key: FunctionKey) -> tuple[list[int], FunctionKey]:
    return [int(number[1:]) for number in _LINE.findall(key.name)], key


def is_object(key: FunctionKey) -> bool:
    """Whether a function of a data file stands for an object, whose mark the rules for names may have
    removed."""
    return key.file == UNKNOWN and key.name.partition("::")[0] in KINDS


class DataNames(Spoken):
    """Names of data objects and of code that are shown together."""

    def label_of(self, key: FunctionKey) -> str:
        if not is_object(key):
            return super().label_of(key)
        kind, _, text = key.name.partition("::")
        object = key.object.removeprefix("[data] ")
        if not self.is_full:
            text = said(kind, text, lambda name: super(DataNames, self).name_of(_code(key, name)))
        return f"{kind} {text}" + (f" [{object}]" if object != UNKNOWN else "")

    def name_of(self, key: FunctionKey) -> str:
        return self.label_of(key) if is_object(key) else super().name_of(key)


def _code(key: FunctionKey, name: str) -> FunctionKey:
    """A function in the name of an object."""
    return FunctionKey(key.object, "", name)
