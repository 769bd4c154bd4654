"""The data objects of a data file: what they cost, and which code touches them where.

    data = read_data("cg2.data.4711")
    for object in data.objects:             most of the first event first
        object.kind, object.text            "heap", "ast.c:120 (parse_expr)"
        for touch in object.touches: ...

A data file is a profile in which each data object is a function: its name is KIND::TEXT, the name
of its object begins with "[data] ", and its costs are those of the accesses to it. The functions
of the program have no cost of their own; they call the objects that they touch. docs/format.md
has all of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cg2tools.data.layout import Row, Type
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET,
    BY_TARGET_INSTR,
    BY_TARGET_LINE,
    CALL,
    NONE,
    LibraryPart,
    Table,
)
from cg2tools.profile.model import Cost, FunctionKey, Part, Profile, ProfileError, UNKNOWN
from cg2tools.profile.reader import read_profile
from cg2tools.profile.tails import Tails

KINDS = "heap", "static", "stack", "other"

ALLOCATIONS, ALLOCATED = "Alloc", "AllocBytes"
"""The events of allocating: how many blocks, and how many bytes."""

_DATA = "[data] "
_PAIRS = "[pairs] "
WORD = 8
"""Bytes that have one line number, where there is no offset."""

_CACHE_LINE = re.compile(r"[0-9]+ B, ([0-9]{1,9}) B")
_LINE_SIZE = 64

_FOLDED = 1 << 63
_STRIDE = (1 << 31) - 1  # the largest
_STRIDE_AT = 31  # bits


@dataclass(slots=True)
class Touch:
    """What one instruction does to one offset of an object, or to many at equal distances."""

    function: FunctionKey
    file: str  # of the line; another than the function's where it is inlined
    instr: int
    line: int
    offset: int  # the first one; -1: the file has lines of a declaration in place of offsets
    stride: int  # 0: this offset alone; else any of offset + k * stride
    declared: int  # the line that declares the member; 0: not known
    count: int  # of accesses; in a file of misses, of those that miss
    cost: Cost


@dataclass(slots=True)
class MemberCost:
    """A row of a layout, and what is touched in it.

    The cost of a structure inside is that of its rows together.
    """

    row: Row
    cost: Cost
    count: int
    touches: list[Touch]
    may_be_more: bool = False
    """Some touches are of members that nobody knows: this may be one of them."""


@dataclass(slots=True)
class Typed:
    """The type of an object, and how it is known."""

    type: Type
    share: float  # of the accesses that voted, 0 to 1, those that voted for it
    voted: int  # accesses
    how: str  # "votes", "declared", "given"
    is_array: bool  # its blocks hold several: offsets are those in one of them
    members: list[MemberCost]
    """All of the layout, also holes, and what was never touched."""
    is_mixed: bool = False
    """The blocks hold records of several sizes: a member has what the code that touches it says."""


@dataclass(slots=True)
class Variable:
    """A variable in a frame of the stack; the one without a name is what is in none."""

    name: str
    offset: int
    size: int
    type: Type
    cost: Cost
    count: int
    touches: list[Touch]
    members: list[MemberCost]

    def __str__(self) -> str:
        return f"{self.type.name} {self.name}" if self.name else "(no variable)"


class DataObject:
    """What a program stores data in: the blocks of one allocating place, a symbol, a frame."""

    def __init__(self, data: "DataFile", node: int) -> None:
        self.key = data.graph.keys[node]
        self.name = self.key.name
        kind, has_kind, text = self.name.partition("::")
        self.kind = kind if has_kind and kind in KINDS else "other"
        self.text = text if has_kind else self.name
        elf = self.key.object.removeprefix(_DATA)
        self.elf = "" if elf == UNKNOWN else elf
        """The path of the program or library that it belongs to; "": of none."""
        self.has_lines = self.key.file != UNKNOWN
        """Places in the object are lines that declare members: it has a type, and the file has types."""
        width = data.graph.width
        self.cost: Cost = data.graph.self_costs[node * width : (node + 1) * width].tolist()
        self.blocks = self._value(data.events, ALLOCATIONS)
        self.bytes = self._value(data.events, ALLOCATED)
        self.typed: Typed | None = None
        self.variables: list[Variable] = []
        self._data = data
        self._node = node

    def _value(self, events: Sequence[str], event: str) -> int:
        return self.cost[events.index(event)] if event in events else 0

    @cached_property
    def touches(self) -> list[Touch]:
        """In no order that means anything."""
        return list(self._data.touches_of(self._node))


@dataclass(slots=True)
class _Touches:
    """All touches of a file: a table, and which of its rows each node has."""

    table: Table
    rows: dict[int, list[int]] = field(default_factory=dict)


class DataFile:
    """A data file, or several that were added up: objects, most of the first event first."""

    def __init__(self, profile: Profile, part: Part | None = None) -> None:
        """`part` is what is asked of, if not all parts together."""
        self.profile = profile
        self.part = part or profile.merged()
        if not self.part.is_data:
            raise ProfileError(
                profile.path,
                0,
                "a profile; expected a data file, as cg2.data.4711",
            )
        self.path = profile.path
        self.events = self.part.events
        self.command = self.part.cmd
        self.total = self.part.self_total()
        self.attributed = self.part.descriptions.get("Attributed", "")
        self.accesses = self.part.descriptions["Data"] == "accesses"
        """All accesses are in the file, not only those that miss."""
        self.graph = Graph(self.part.lines)
        self.opened: list[str] = []
        """Paths of ELF objects whose debug information gave the types."""
        self._touches: _Touches | None = None
        self.objects = sorted(self._objects(), key=lambda object: _order(object))

    @property
    def line_size(self) -> int:
        """Bytes of a cache line of the first level."""
        said = _CACHE_LINE.match(self.part.descriptions.get("D1 cache", ""))
        return int(said[1]) if said else _LINE_SIZE

    @cached_property
    def tails(self) -> Tails:
        """What is shown for the files of code."""
        return Tails(name for name in self.part.names if "/" in name)

    def _objects(self) -> Iterator[DataObject]:
        for node, key in enumerate(self.graph.keys):
            if is_object(key):
                yield DataObject(self, node)

    def touches_of(self, node: int) -> Iterator[Touch]:
        """The touches of an object, by its node."""
        if not self._touches:
            self._touches = _touches(self.part.lines, self.graph)
        table = self._touches.table
        has_offsets = "instr" in self.part.positions
        declared = self.graph.keys[node].file != UNKNOWN
        columns = [table.column(key) for key in _TOUCHED]
        for row in self._touches.rows.get(node, ()):
            function, file, instr, line, address, number = (column[row] for column in columns)
            offset, stride = place_of(address)
            if not has_offsets:
                offset = -1 if declared else WORD * (number - 1)
            yield Touch(
                self.graph.keys[function],
                self.part.names[file],
                instr,
                line,
                offset,
                stride,
                number if declared else 0,
                table.counts[row],
                table.cost(row),
            )


def _order(object: DataObject) -> tuple[Cost, FunctionKey]:
    return [-number for number in object.cost], object.key


_TOUCHED = BY_FUNCTION, BY_FILE, BY_INSTR, BY_LINE, BY_TARGET_INSTR, BY_TARGET_LINE


def _touches(part: LibraryPart, graph: Graph) -> _Touches:
    is_node_object = [is_object(key) for key in graph.keys]
    is_code = [not (is_node_object[node] or is_pair(key)) for node, key in enumerate(graph.keys)]
    code = [node if is_code[node] else NONE for node in graph.node_of]
    objects = [node if is_node_object[node] else NONE for node in graph.node_of]
    table = part.add_up(CALL, BY_TARGET | sum(_TOUCHED), function_as=code, target_as=objects)
    found = _Touches(table)
    for row, node in enumerate(table.column(BY_TARGET)):
        found.rows.setdefault(node, []).append(row)
    return found


def read_data(path: str, progress: Callable[[int, int], None] | None = None) -> DataFile:
    """Read a data file.  What is none is a ProfileError."""
    return DataFile(read_profile(path, progress))


def is_object(key: FunctionKey) -> bool:
    """Whether a function of a data file stands for a data object."""
    return key.object.startswith(_DATA)


def is_pair(key: FunctionKey) -> bool:
    """Whether a function of a data file stands for places of an object that meet others: see pairs.py."""
    return key.object.startswith(_PAIRS)


def element_size(typed: "Typed") -> int:
    """Bytes of what an object of a type has one or several of; 0: not known."""
    element = typed.type.element
    return element.size if element and element.size else typed.type.size


def place_of(address: int) -> tuple[int, int]:
    """The offset and the stride that a position in an object says."""
    if not address & _FOLDED:
        return address, 0
    return address & _STRIDE, address >> _STRIDE_AT & _STRIDE
