"""What the page of cg2_report is told of a data file: objects, what is in them, who touches them.

Objects are told by their row in `objects`. A place is what is drawn of an object: a member, some
bytes, a hole. Functions are told by their row in the page's functions; -1: the page has none of
that name. Costs are a column for each event recorded in the data file, which has events of its own.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from cg2tools.data.events import definitions, first_event, shown_events
from cg2tools.data.names import ObjectNames
from cg2tools.data.objects import DataFile, DataObject, MemberCost, Variable
from cg2tools.data.offsets import Code, code_of, rows
from cg2tools.data.pairs import company, pairs_of, shared_places, visits_of
from cg2tools.profile.columns import Columns
from cg2tools.profile.events import built_in_events, meaning_of
from cg2tools.profile.model import Cost, FunctionKey, readable
from cg2tools.report.jsontables import Strings, Table, costs_in_columns
from cg2tools.report.shares import Shares
from cg2tools.report.sizecurves import curves

_COMPANY_MAX = 256
"""The most pairs of members of an object."""
_PLACES_MAX = 512
"""The most places of an object; more become one where they are side by side."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A row of what is drawn of an object."""

    offset: int  # -1: not known
    size: int  # 0: one offset, of which it is not known how many bytes are touched
    stride: int
    depth: int
    text: str
    type: str  # of a member
    is_hole: bool
    count: int
    cost: Cost
    is_whole: bool = False
    """What is touched in members that are not told apart; it lies nowhere."""


@dataclass(slots=True)
class DataTables:
    """Makes the table of a data file."""

    data: DataFile
    strings: Strings
    row_of: Callable[[FunctionKey], int]
    """The row of a function on the page, or -1."""
    share: float
    full_names: bool
    shares: Shares = field(init=False)

    def __post_init__(self) -> None:
        self.shares = Shares(self.data.total, self.share)

    def table(self) -> Table:
        """All of it."""
        every = self.data.objects
        objects = list(compress(every, self.shares.kept([object.cost for object in every])))
        names = ObjectNames(objects, self.data.command.partition(" ")[0], self.full_names)
        return {
            "path": readable(self.data.path),
            "accesses": self.data.accesses,
            "attributed": readable(self._attributed()),
            "line": self.data.line_size,
            "events": self._events(),
            "total": self.data.total,
            "left": len(every) - len(objects),
            "objects": self._objects(objects, names),
            "places": self._places(objects),
            "code": self._code(objects),
            "sharing": self._sharing(objects, names),
            "curves": self._curves(),
            "together": self._together(objects),
        }

    def _swept(self) -> set[str]:
        """The events that are points of curves."""
        points = [point for curve in curves(self.data.events) for point in curve.points]
        return {self.data.events[event] for _, events in points for event in events}

    def _attributed(self) -> str:
        """Which share of each event is charged to objects that are known; once, where all are the same."""
        said = re.findall(r"(\S+) ([0-9.]+ %)", self.data.attributed)
        shares = {event: share for event, share in said if event not in self._swept()}
        if len(set(shares.values())) == 1 < len(shares):
            return str(next(iter(shares.values())))
        return " ".join(f"{event} {share}" for event, share in shares.items())

    def _events(self) -> list[Table]:
        """What happened, in the order of importance; sizes of caches are in curves."""
        part = self.data.part
        swept = self._swept()
        part = replace(part, event_definitions=definitions(part))
        meanings = built_in_events(part.events) | part.event_definitions
        columns = Columns(part, shown_events(part, [first_event(part)]), [])
        return [
            {
                "name": readable(event),
                "factors": columns.factors(event),
                "long": readable(meaning_of(event, meanings)),
            }
            for event in columns.shown
            if event not in swept and columns.value(event, columns.total)
        ]

    def _number(self, text: str) -> int:
        return self.strings.number(text)

    def _costs(self, costs: Iterable[Sequence[int]]) -> list[list[int]]:
        return costs_in_columns(costs, len(self.data.events))

    def _objects(self, objects: Sequence[DataObject], names: ObjectNames) -> Table:
        return {
            "kind": [self._number(object.kind) for object in objects],
            "name": [self._number(object.text) for object in objects],
            "said": [self._number(names.of(object)) for object in objects],
            "elf": [self._number(object.elf) for object in objects],
            "type": [self._number(_type_of(object)) for object in objects],
            "size": [object.typed.type.size if object.typed else 0 for object in objects],
            "blocks": [object.blocks for object in objects],
            "bytes": [object.bytes for object in objects],
            "self": self._costs(object.cost for object in objects),
        }

    def _places(self, objects: Sequence[DataObject]) -> Table:
        """What is in each object, in the order of offsets."""
        found = [(row, place) for row, object in enumerate(objects) for place in _places_of(object)]
        return {
            "object": [row for row, _ in found],
            "offset": [place.offset for _, place in found],
            "size": [place.size for _, place in found],
            "stride": [place.stride for _, place in found],
            "depth": [place.depth for _, place in found],
            "text": [self._number(place.text) for _, place in found],
            "type": [self._number(place.type) for _, place in found],
            "hole": [int(place.is_hole) for _, place in found],
            "whole": [int(place.is_whole) for _, place in found],
            "count": [place.count for _, place in found],
            "self": self._costs(place.cost for _, place in found),
        }

    def _sharing(self, objects: Sequence[DataObject], names: ObjectNames) -> Table:
        """What threads take each other's cache lines for."""
        pairs = pairs_of(self.data)
        found = [
            (row, shared)
            for row, object in enumerate(objects)
            for shared in shared_places(object, pairs, names.of)
        ]
        return {
            "object": [row for row, _ in found],
            "text": [self._number(str(shared)) for _, shared in found],
            "false": [int(shared.is_false) for _, shared in found],
            "count": [shared.count for _, shared in found],
        }

    def _together(self, objects: Sequence[DataObject]) -> Table:
        """Members that are accessed together: in how many visits of a block, and how many came to each."""
        visits = visits_of(self.data)
        found = [
            (row, pair)
            for row, object in enumerate(objects)
            for pair in company(object, visits)[:_COMPANY_MAX]
        ]
        return {
            "object": [row for row, _ in found],
            "first": [self._number(pair.first) for _, pair in found],
            "second": [self._number(pair.second) for _, pair in found],
            "both": [pair.both for _, pair in found],
            "ofFirst": [pair.first_visits for _, pair in found],
            "ofSecond": [pair.second_visits for _, pair in found],
        }

    def _curves(self) -> list[Table]:
        """Misses by the size of a cache, of reads and writes together where both are known."""
        found = curves(self.data.events)
        parts = {name for curve in found for name in curve.of}
        return [
            {"name": readable(curve.name), "of": curve.of, "points": curve.points}
            for curve in found
            if curve.name not in parts
        ]

    def _code(self, objects: Sequence[DataObject]) -> Table:
        """The lines of code that touch each object."""
        every: list[tuple[int, Code]] = [
            (row, code) for row, object in enumerate(objects) for code in code_of(object.touches)
        ]
        found = list(compress(every, self.shares.kept([code.cost for _, code in every])))
        return {
            "object": [row for row, _ in found],
            "function": [self.row_of(code.function) for _, code in found],
            "name": [self._number(code.function.name) for _, code in found],
            "file": [self._number(code.file) for _, code in found],
            "line": [code.line for _, code in found],
            "count": [code.count for _, code in found],
            "self": self._costs(code.cost for _, code in found),
        }


def _type_of(object: DataObject) -> str:
    return object.typed.type.name if object.typed else ""


def _places_of(object: DataObject) -> list[_Place]:
    if object.variables:
        return [place for variable in object.variables for place in _of_variable(variable)]
    if object.typed:
        return [_of_member(member) for member in object.typed.members]
    return [
        _Place(row.offset, row.size, row.stride, 0, str(row), "", False, row.count, row.cost)
        for row in rows(object.touches, _PLACES_MAX)
    ]


def _of_variable(variable: Variable) -> list[_Place]:
    """A variable of a frame, and below it its members."""
    text, type = (variable.name, variable.type.name) if variable.name else (str(variable), "")
    where = variable.offset, variable.size, 0, 0
    whole = _Place(*where, text, type, False, variable.count, variable.cost)
    return [whole, *(_of_member(member, 1) for member in variable.members)]


def _of_member(member: MemberCost, depth: int = 0) -> _Place:
    row = member.row
    is_whole = not (row.name or row.type_name or row.is_hole)
    where = row.offset, row.size, 0, depth + row.depth
    text, type = (row.name, row.type_name) if row.name else (str(row), "")
    return _Place(*where, text, type, row.is_hole, member.count, member.cost, is_whole)
