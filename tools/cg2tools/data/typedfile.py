"""A data file with types, for programs that know none: what its text is.

Each object stands in the file that declares its type, and its costs at the lines that declare the
members: who shows functions in their sources shows structures with costs. docs/format.md has it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cg2tools.data.names import said_text
from cg2tools.data.objects import DataFile, DataObject, MemberCost, Touch, is_object
from cg2tools.data.layout import Type
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    BY_TARGET_LINE,
    CALL,
)
from cg2tools.profile.model import Cost, EventDefinition, FunctionKey, UNKNOWN, add_cost

_UNIT = 8  # bytes that have one line where nothing declares them
_DATA = "[data] "


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
    places: list[_Place] = []
    calls: dict[FunctionKey, list[_Call]] = {}
    for object in data.objects:
        places += _placed(data, object, calls)
    yield from _header(data)
    for place in places:
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
        if is_object(called):
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


def _placed(
    data: DataFile, object: DataObject, calls: dict[FunctionKey, list[_Call]]
) -> list[_Place]:
    """The places that an object becomes; and the calls of those."""
    places = []
    elf = _DATA + (object.elf or UNKNOWN)
    rest = list(object.cost)
    for variable in object.variables:
        if variable.name:
            place = _Place(f"{object.name}.{variable.name}", elf, _file(variable.type))
            places.append(place)
            _add(place, variable.type, variable.members, variable.touches, calls)
            _subtract(rest, variable.cost)
    named = {id(touch) for one in object.variables if one.name for touch in one.touches}
    touches = [touch for touch in object.touches if id(touch) not in named]
    typed = object.typed
    name = f"static::{said_text(object)}" if object.kind == "static" else object.name
    if typed and object.kind == "heap":
        name = f"{name} {typed.type.name}"
    place = _Place(name, elf, _file(typed.type) if typed else UNKNOWN)
    for touch in touches:
        _subtract(rest, touch.cost)
    _add(place, typed.type if typed else None, typed.members if typed else [], touches, calls)
    if any(rest):
        place.add(typed.type.line if typed and typed.type.line else 1, rest)
    return [*places, place] if place.selves else places


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
    while type and type.element is not None:
        type = type.element
    first = type.line if type else 0
    for touch in touches:
        line = declared.get(id(touch), 0) or first
        if place.file == UNKNOWN:
            line = max(touch.offset, 0) // _UNIT + 1
        place.add(line, touch.cost)
        calls.setdefault(touch.function, []).append(
            _Call(touch.file, touch.line, touch.count, touch.cost, place, line)
        )


def _subtract(cost: Cost, part: Cost) -> None:
    for index, number in enumerate(part):
        cost[index] -= number


def _numbers(cost: Iterable[int]) -> str:
    return " ".join(map(str, cost))
