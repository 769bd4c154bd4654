"""A data file with types, for programs that know none: what its text is.

Each object stands in the file that declares its type, and its costs at the lines that declare the
members: who shows functions in their sources shows structures with costs. docs/format.md has it.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cg2tools.data.names import said_text
from cg2tools.data.objects import (
    WORD,
    DataFile,
    DataObject,
    MemberCost,
    Touch,
    Variable,
    is_object,
    is_pair,
)
from cg2tools.data.layout import Type
from cg2tools.data.memberrows import MemberRows
from cg2tools.data.pairs import TOGETHER, Meeting, Place, meetings_of
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    BY_TARGET_LINE,
    CALL,
)
from cg2tools.profile.model import Cost, EventDefinition, FunctionKey, UNKNOWN, add_cost

_DATA = "[data] "
_PAIRS = "[pairs] "


@dataclass(slots=True)
class _Place:
    """A data object in the new file, or one of the variables that a frame has become."""

    name: str
    elf: str
    file: str
    selves: dict[int, Cost] = field(default_factory=dict)
    """Costs by line."""

    def add(self, line: int, cost: Cost) -> None:
        add_cost(self.selves.setdefault(line, [0] * len(cost)), cost)

    def lines(self) -> Iterator[str]:
        yield from ("", f"ob={self.elf}", f"fl={self.file}", f"fn={self.name}")
        for line in sorted(self.selves):
            yield f"{line} {_numbers(self.selves[line])}"


@dataclass(frozen=True, slots=True)
class _Call:
    """An access of a function to a place."""

    file: str  # of the line
    line: int
    count: int
    cost: Cost
    place: _Place
    target: int  # line


def typed_text(data: DataFile) -> Iterator[str]:
    """The lines of the file; types were added before."""
    calls: dict[FunctionKey, list[_Call]] = {}
    names = Counter(object.name for object in data.objects)
    placed = {object.key: _placed(object, names[object.name] > 1, calls) for object in data.objects}
    yield from _header(data)
    for of_object in placed.values():
        for place in of_object.all():
            yield from place.lines()
    arcs = _arcs(data)
    for key in dict.fromkeys([*calls, *arcs]):
        yield from ("", f"ob={key.object}", f"fl={key.file}", f"fn={key.name}")
        for call in calls.get(key, []):
            place = call.place
            yield f"fi={call.file}"
            yield from (f"cob={place.elf}", f"cfi={place.file}", f"cfn={place.name}")
            yield f"calls={call.count} {call.target}"
            yield f"{call.line} {_numbers(call.cost)}"
        yield from arcs.get(key, [])
    yield from _pairs(data, placed)
    yield from ("", f"totals: {_numbers(data.total)}")


def _header(data: DataFile) -> Iterator[str]:
    part = data.part
    yield from ("# callgrind format", f"version: {data.profile.version}")
    yield f"creator: {data.profile.creator}"
    for key, number in (("pid", part.pid), ("thread", part.thread)):
        if number is not None:
            yield f"{key}: {number}"
    yield from (f"cmd: {part.cmd}", f"part: {part.part or 1}")
    for kind, text in part.descriptions.items():
        yield f"desc: {kind}: {text}"
    yield "positions: line"
    for definition in part.event_definitions.values():
        yield f"event: {_defined(definition)}"
    yield f"events: {' '.join(data.events)}"
    yield f"summary: {_numbers(data.total)}"


def _defined(definition: EventDefinition) -> str:
    terms = " + ".join(f"{factor} {event}" for factor, event in definition.terms)
    made = f"{definition.name} = {terms}" if terms else definition.name
    return f"{made} : {definition.long_name}" if definition.long_name else made


def _arcs(data: DataFile) -> dict[FunctionKey, list[str]]:
    """The calls among functions of the program, as lines."""
    part = data.part.lines
    keys, names = data.part.keys, data.part.names
    table = part.add_up(CALL, BY_FUNCTION | BY_FILE | BY_LINE | BY_TARGET | BY_TARGET_LINE)
    columns = [table.column(key) for key in (BY_FUNCTION, BY_FILE, BY_LINE, BY_TARGET)]
    targets = table.column(BY_TARGET_LINE)
    found: dict[FunctionKey, list[str]] = {}
    for row, (function, file, line, target) in enumerate(zip(*columns)):
        called = keys[target]
        if is_object(called) or is_pair(keys[function]):
            continue
        found.setdefault(keys[function], []).extend(
            [
                f"fi={names[file]}",
                *(f"cob={called.object}", f"cfi={called.file}", f"cfn={called.name}"),
                f"calls={table.counts[row]} {targets[row]}",
                f"{line} {_numbers(table.cost(row))}",
            ]
        )
    return found


# ---- Objects ---------------------------------------------------------------


@dataclass(slots=True)
class _Placed:
    """The places that an object becomes."""

    object: DataObject
    rest: _Place
    """What is in no variable."""
    variables: list[tuple[Variable, _Place]] = field(default_factory=list)
    _found: dict[tuple[int, int], tuple[_Place, int]] = field(default_factory=dict)

    def all(self) -> list[_Place]:
        """The places that cost something."""
        return [place for place in (*(of for _, of in self.variables), self.rest) if place.selves]

    def at(self, offset: int, stride: int = 0) -> tuple[_Place, int]:
        """The place and the line that an offset has become, or one in elements at equal distances.

        -1, any offset, is line 0, and so are elements of no type, or of another.
        """
        key = offset, stride
        if key not in self._found:
            typed = self.object.typed
            is_known = typed and Place(self.object, offset, 0, stride).is_of_type
            self._found[key] = self._find(offset if not stride or is_known else -1)
        return self._found[key]

    def _find(self, offset: int) -> tuple[_Place, int]:
        if offset < 0:
            return self.rest, 0
        for variable, place in self.variables:
            if 0 <= variable.offset - offset < variable.size:
                return place, _line(place, variable.type, variable.offset - offset, offset)
        typed = self.object.typed
        return self.rest, _line(self.rest, typed.type if typed else None, offset, offset)


def _placed(
    object: DataObject, is_one_of_several: bool, calls: dict[FunctionKey, list[_Call]]
) -> _Placed:
    """The places of an object, one of several with its name or not; adds the calls of those.

    Other programs may not tell objects of one name apart by where they are, such as the sections of
    libraries.
    """
    typed = object.typed
    name = f"static::{said_text(object)}" if object.kind == "static" else object.name
    if is_one_of_several and object.elf:
        name = f"{name} [{os.path.basename(object.elf)}]"
    if typed and object.kind == "heap":
        name = f"{name} {typed.type.name}"
    elf = _DATA + (object.elf or UNKNOWN)
    rest = list(object.cost)
    placed = _Placed(object, _Place(name, elf, _file(typed.type) if typed else UNKNOWN))
    for variable in object.variables:
        if variable.name:
            place = _Place(f"{name}.{variable.name}", elf, _file(variable.type))
            placed.variables.append((variable, place))
            _add(place, variable.type, variable.members, variable.touches, calls)
            _subtract(rest, variable.cost)
    named = {id(touch) for one, _ in placed.variables for touch in one.touches}
    touches = [touch for touch in object.touches if id(touch) not in named]
    for touch in touches:
        _subtract(rest, touch.cost)
    members = typed.members if typed else []
    _add(placed.rest, typed.type if typed else None, members, touches, calls)
    if any(rest):
        placed.rest.add(typed.type.line if typed and typed.type.line else 1, rest)
    return placed


def _file(type: Type) -> str:
    """The file that declares a type with members, or those of an array's elements."""
    while type.element is not None:
        type = type.element
    return type.file if type.members and type.file else UNKNOWN


def _add(
    place: _Place,
    type: Type | None,
    members: Iterable[MemberCost],
    touches: Iterable[Touch],
    calls: dict[FunctionKey, list[_Call]],
) -> None:
    """Add touches to a place, each at the line that declares its member."""
    declared = {
        id(touch): member.row.line
        for member in members
        if member.row.is_leaf
        for touch in member.touches
    }
    first = _first_line(type)
    for touch in touches:
        line = declared.get(id(touch), 0) or first
        if place.file == UNKNOWN:
            line = max(touch.offset, 0) // WORD + 1
        place.add(line, touch.cost)
        calls.setdefault(touch.function, []).append(
            _Call(touch.file, touch.line, touch.count, touch.cost, place, line)
        )


def _first_line(type: Type | None) -> int:
    """The line that declares a type, or that of an array's elements; 0: not known."""
    while type and type.element is not None:
        type = type.element
    return type.line if type else 0


def _line(place: _Place, type: Type | None, inner: int, offset: int) -> int:
    """The line of a place that has an offset: of the object, and `inner` of the type."""
    if place.file == UNKNOWN or not type:
        return offset // WORD + 1
    layout = MemberRows(type.element if type.element and type.element.size else type)
    number = layout.at(inner)
    row = layout.rows[number] if number >= 0 else None
    return (row.line if row and row.is_leaf else 0) or _first_line(type)


def _subtract(cost: Cost, part: Cost) -> None:
    for index, number in enumerate(part):
        cost[index] -= number


def _numbers(cost: Iterable[int]) -> str:
    return " ".join(map(str, cost))


# ---- Places that meet ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Met:
    """Two places that meet: the function that stands for them, and what it calls."""

    elf: str
    name: str
    line: int
    called: str  # its lines in the file
    target: int


def _pairs(data: DataFile, placed: dict[FunctionKey, _Placed]) -> Iterator[str]:
    """The functions that stand for places which meet, as lines.

    Where several offsets have become one line, visits are those of the offset with most.
    """
    counts: dict[_Met, int] = {}
    for meeting in meetings_of(data):
        first = placed[meeting.object.key].at(meeting.offset, meeting.stride)
        second = placed[meeting.other.key].at(meeting.other_offset, meeting.stride)
        if meeting.kind != TOGETHER:
            met = _met(meeting, first, second)
            counts[met] = counts.get(met, 0) + meeting.count
        elif first[1] != second[1] or meeting.offset == meeting.other_offset:
            met = _met(meeting, *sorted((first, second), key=lambda place: place[1]))
            counts[met] = max(counts.get(met, 0), meeting.count)
    zero = _numbers([0] * len(data.events))
    for met, count in sorted(counts.items(), key=lambda item: (item[0].elf, item[0].name)):
        yield from ("", f"ob={met.elf}", f"fl={UNKNOWN}", f"fn={met.name}", met.called)
        yield from (f"calls={count} {met.target}", f"{met.line} {zero}")


def _met(meeting: Meeting, first: tuple[_Place, int], second: tuple[_Place, int]) -> _Met:
    (place, line), (other, target) = first, second
    threads = " (thread {}, then {})".format(*meeting.threads) if meeting.threads else ""
    called = f"cob={other.elf}\ncfi={other.file}\ncfn={other.name}"
    elf = f"{_PAIRS}{meeting.object.elf or UNKNOWN}"
    return _Met(elf, f"{meeting.kind}::{place.name}{threads}", line, called, target)
