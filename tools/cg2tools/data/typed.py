"""Types of data objects, and what each of their members costs.

    coverage = add_types(data, [("parse_*", "struct node")])
    data.objects[0].typed, .variables
    shown_types(data)                       the same, and warns of programs that were built anew
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cg2tools.data.debugtypes import DebugObjects, TypeSource
from cg2tools.data.layout import Row, Type
from cg2tools.data.memberrows import MemberRows
from cg2tools.data.names import shown_function, shown_text
from cg2tools.data.objects import (
    DataFile,
    DataObject,
    MemberCost,
    Touch,
    Typed,
    Variable,
)
from cg2tools.data.votes import Vote, elect, is_mixed, key_of
from cg2tools.debug.libcg2debug import Local, Static
from cg2tools.profile.glob import glob
from cg2tools.profile.model import Cost, add_cost
from cg2tools.profile.terms import say
from cg2tools.program.ran import changed_object, warn

_PLACE = re.compile(r"(.*):(\d+) \((.*)\)")
_FILE = re.compile(r"(.*) \(([^()]*)\)")
_NUMBER = re.compile(r"\.\d+$")
_LEVEL = re.compile(r"'\d+$")
_WORD = 8
_REASONS_MAX = 3


@dataclass(slots=True)
class Coverage:
    """How many accesses to heap, static objects and stack are typed, and why others are not."""

    typed: int = 0
    untyped: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Accesses by why their object has no type: a line for each."""
    opened: list[str] = field(default_factory=list)
    """Paths of ELF objects that have debug information."""
    ignored: list[str] = field(default_factory=list)
    """Why types that somebody has given are of no object: a line for each."""

    def lines(self) -> list[str]:
        """What a report says of it, if there are any types."""
        if not self.typed:
            return []
        share = 100 * self.typed / (self.typed + self.untyped)
        lines = [f"Types: of {share:.1f}% of the accesses to heap, statics and stack"]
        reasons = sorted(self.reasons.items(), key=lambda item: -item[1])
        lines += [f"  none of {count:,}: {reason}" for reason, count in reasons[:_REASONS_MAX]]
        return [*lines, ""]


def add_types(data: DataFile, given: Sequence[tuple[str, str]] = ()) -> Coverage:
    """Give the objects of a data file their types; `given` are patterns of names, and types that they have.

    Never fails: what debug information does not say stays without a type, and the result says why.
    """
    coverage = Coverage()
    if "instr" not in data.part.positions:  # a file that has types already
        return coverage
    typing = _Typing(data, given)
    for object in data.objects:
        if not object.typed and not object.variables:
            typing.add(object)
        count = sum(touch.count for touch in object.touches)
        if object.typed or object.variables:
            coverage.typed += count
        elif object.kind != "other":
            coverage.untyped += count
            reason = typing.debug.reasons.get(object.elf) or _reason(object)
            coverage.reasons[reason] = coverage.reasons.get(reason, 0) + count
    coverage.ignored = list(typing.ignored())
    coverage.opened = data.opened = typing.debug.opened
    return coverage


def shown_types(data: DataFile, given: Sequence[tuple[str, str]] = ()) -> Coverage:
    """Add types that a person will see: stderr is told what may be wrong, and which types given are not."""
    coverage = add_types(data, given)
    for line in coverage.ignored:
        say(f"{data.path}: warning: {line}")
    for path in coverage.opened:
        warn(data.part, changed_object(path, data.part))
    return coverage


def _reason(object: DataObject) -> str:
    """Why an object has no type, where there is debug information."""
    if object.kind == "static" and object.text.startswith("."):
        return "sections, where no symbol says what it is"
    if object.kind == "stack":
        return "frames of which no variable is known"
    return "debug information does not say their type"


class _Typing:
    """The types of a data file's objects, as they are found."""

    def __init__(self, data: DataFile, given: Sequence[tuple[str, str]]) -> None:
        self.data = data
        self.given = given
        self.debug = DebugObjects()
        self._found: dict[str, bool] = {}
        """Patterns that objects match, and whether there is their type."""
        self._learned = False
        self._entries: dict[tuple[str, str], int] = {}
        for object in data.objects:
            for touch in object.touches:
                self._entries.setdefault(
                    (touch.function.object, _LEVEL.sub("", touch.function.name)), touch.instr
                )

    def add(self, object: DataObject) -> None:
        object.typed = self._asked(object)
        if object.typed:
            return
        if object.kind == "heap":
            object.typed = self._voted(object)
        elif object.kind == "static":
            object.typed = self._declared(object)
        elif object.kind == "stack":
            object.variables = self._variables(object)

    def ignored(self) -> Iterator[str]:
        """What is wrong with types that were given, after all objects were added."""
        for pattern, name in self.given:
            if pattern not in self._found:
                yield f"--data-type={pattern}={name}: no data object matches '{pattern}'"
            elif not self._found[pattern]:
                yield f"--data-type={pattern}={name}: debug information has no type '{name}'"

    def _given(self, object: DataObject) -> tuple[str, str] | None:
        """The pattern that matches the object, and the type that somebody has given with it."""
        for pattern, name in self.given:
            place = _PLACE.match(object.text)
            function = place[3] if place else object.text
            names = function, object.text, shown_function(function), shown_text(object)
            if any(map(glob(pattern), names)):
                return pattern, name
        return None

    def _asked(self, object: DataObject) -> Typed | None:
        given = self._given(object)
        if given is None:
            return None
        pattern, name = given
        self._found.setdefault(pattern, False)
        paths = [object.elf, *{touch.function.object for touch in object.touches}]
        for source in filter(None, map(self.debug.of, filter(None, paths))):
            if (found := source.named(name)) and found.size:
                self._found[pattern] = True
                return self._typed(object, found, 1.0, 0, "given")
        return None

    # ---- Heap blocks: votes

    def _learn(self) -> None:
        """Find out what all instructions that touch heap blocks do, an ELF object at a time."""
        if self._learned:
            return
        self._learned = True
        addresses: dict[str, set[int]] = {}
        for object in self.data.objects:
            for touch in object.touches:
                if touch.instr and object.kind == "heap":
                    addresses.setdefault(touch.function.object, set()).add(touch.instr)
        for object in self.data.objects:
            entry = self._entry(object)
            if object.kind == "heap" and entry:
                addresses.setdefault(object.elf, set()).add(entry)
        for path, known in addresses.items():
            if source := self.debug.of(path):
                source.learn(known)

    def _entry(self, object: DataObject) -> int:
        """An instruction of the function that allocates the blocks; 0: none is known."""
        place = _PLACE.match(object.text)
        return self._entries.get((object.elf, place[3]), 0) if place else 0

    def _voted(self, object: DataObject) -> Typed | None:
        self._learn()
        blocks, size = object.blocks, object.bytes
        each = size // blocks if blocks and size % blocks == 0 else 0
        votes = list(self._votes(object))
        voted = sum(vote.weight for vote in votes)
        result = elect(votes, self._pointers(object), each)
        if not result:
            return None
        typed = self._typed(object, result.type, result.share, int(voted), "votes")
        if is_mixed(votes, result.type):
            typed.is_array, typed.is_mixed = False, True
            places = ((self._own_offset(touch, result.type), touch) for touch in object.touches)
            typed.members = members_of(result.type, places, self._zero())
        return typed

    def _own_offset(self, touch: Touch, type: Type) -> int | None:
        """Where in a type an instruction says that it touches it; None: it does not, or in several places."""
        source = self.debug.of(touch.function.object)
        accesses = source.accesses(touch.instr) if source else ()
        offsets = {
            access.offset
            for access in accesses
            if source and key_of(source.type(access.type)) == key_of(type)
        }
        return offsets.pop() if len(offsets) == 1 else None

    def _votes(self, object: DataObject) -> Iterable[Vote]:
        for touch in object.touches:
            source = self.debug.of(touch.function.object)
            accesses = source.accesses(touch.instr) if source else ()
            for access in accesses:
                assert source
                type = source.type(access.type)
                offset = touch.offset - access.offset
                if type.size > 1:
                    yield Vote(
                        *(type, offset, touch.stride, access.is_indexed),
                        touch.count / len(accesses),
                    )

    def _pointers(self, object: DataObject) -> list[Type]:
        """What the pointers point to that take the allocation's result."""
        place = _PLACE.match(object.text)
        source = self.debug.of(object.elf) if place and object.elf else None
        if not source or not place:
            return []
        file, line = place[1], int(place[2])
        return [
            source.type(taken.type)
            for taken in source.taken()
            if taken.line == line and taken.file.endswith(file) and taken.function in place[3]
        ]

    # ---- Static variables

    def _declared(self, object: DataObject) -> Typed | None:
        source = self.debug.of(object.elf) if object.elf else None
        found = _static(source, object.text) if source else None
        if not source or not found or not found.type:
            return None
        return self._typed(object, source.type(found.type), 1.0, 0, "declared")

    # ---- The stack

    def _variables(self, object: DataObject) -> list[Variable]:
        entry = self._entries.get((object.elf, object.text), 0)
        source = self.debug.of(object.elf) if entry else None
        if not source:
            return []
        locals = source.locals(entry)
        parts: dict[tuple[str, int], list[Touch]] = {}
        of: dict[tuple[str, int], Local | None] = {}
        for touch in object.touches:
            local = _local(locals, touch)
            key = (local.name, local.offset) if local else ("", 0)
            of[key] = local
            parts.setdefault(key, []).append(touch)
        if not any(of.values()):
            return []
        return [
            self._variable(source, local, parts[key])
            for key, local in sorted(of.items(), key=lambda item: (item[1] is None, -item[0][1]))
        ]

    def _variable(self, source: TypeSource, local: Local | None, touches: list[Touch]) -> Variable:
        cost = self._zero()
        for touch in touches:
            add_cost(cost, touch.cost)
        count = sum(touch.count for touch in touches)
        if local is None:
            return Variable("", 0, 0, Type("", 0), cost, count, touches, [])
        type = source.type(local.type)
        inner = [
            (_unless_spread(type, -_WORD - touch.offset - local.offset, touch), touch)
            for touch in touches
        ]
        members = members_of(type, inner, self._zero()) if type.members else []
        offset = -_WORD - local.offset
        return Variable(local.name, offset, local.size, type, cost, count, touches, members)

    # ----

    def _zero(self) -> Cost:
        return [0] * len(self.data.events)

    def _typed(self, object: DataObject, type: Type, share: float, voted: int, how: str) -> Typed:
        element = type.element if type.element and type.element.size else type
        places = [(_unless_spread(element, touch.offset, touch), touch) for touch in object.touches]
        most = max((touch.offset for touch in object.touches), default=0)
        is_array = any(touch.stride for touch in object.touches) or most >= element.size > 0
        members = members_of(element, places, self._zero())
        return Typed(type, share, voted, how, is_array, members)


def _unless_spread(type: Type, offset: int, touch: Touch) -> int | None:
    """An offset; None of many at a distance that members are not at, as memset has: any of them."""
    is_spread = touch.stride and type.size and touch.stride % type.size and type.members
    return None if is_spread else offset


def _static(source: TypeSource, text: str) -> Static | None:
    """The variable of a static object, of whose name the symbol is the first word."""
    match = _FILE.fullmatch(text)
    name, file = (match[1], match[2]) if match else (text, "")
    wanted_local = file == "thread-local"
    plain = _NUMBER.sub("", name)
    found: list[Static] = source.statics.get(name) or source.statics.get(plain) or []
    fitting = [one for one in found if one.is_thread_local == wanted_local]
    in_file = [one for one in fitting if file and one.file.endswith(file)]
    return next(iter(in_file or fitting), None)


def _local(locals: Sequence[Local], touch: Touch) -> Local | None:
    """The variable of a frame that a touch is in; where several share the bytes, that of the instruction."""
    at = -_WORD - touch.offset
    found = [one for one in locals if one.offset <= at < one.offset + max(one.size, 1)]
    here = [one for one in found if one.low <= touch.instr < one.high]
    fitting = here or found
    return min(fitting, key=lambda one: one.size) if fitting else None


def members_of(
    type: Type, places: Iterable[tuple[int | None, Touch]], zero: Cost
) -> list[MemberCost]:
    """What each row of a type costs, of touches at offsets in it or in an array of it; None is nowhere."""
    layout = MemberRows(type)
    members = [MemberCost(row, list(zero), 0, []) for row in layout.rows]
    all_of_it = MemberCost(Row(0, 0, type.size, "", "(all)", "", 0, False, True), list(zero), 0, [])
    for offset, touch in places:
        number = -1 if offset is None else layout.at(offset)
        if number < 0:
            _add(all_of_it, touch)
        while number >= 0:
            _add(members[number], touch)
            number = layout.parents[number]
    for member in members:
        member.may_be_more = all_of_it.count > 0
    return members + [all_of_it] * bool(all_of_it.count)


def _add(member: MemberCost, touch: Touch) -> None:
    add_cost(member.cost, touch.cost)
    member.count += touch.count
    member.touches.append(touch)
