"""The writer of the Callgrind format: what `reader` reads, it writes.

    write_profile(profile, "cg2.out.merged")

The profile that is read back equals the one that was written, but for the
order of functions, and that of calls and jumps in a function.  The file has
the order of section 4 of docs/format.md, which depends on names and positions
alone, so that equal profiles are equal files.  It keeps the rules of section 5:
ids begin anew in each part, each is defined once and where a function is or is
called, there is one block for each function.  Parts stay in their order.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cg2tools.profile.model import (
    Call,
    Cost,
    EventDefinition,
    Function,
    FunctionKey,
    Jump,
    Part,
    Profile,
    UNKNOWN,
)
from cg2tools.profile.outputfile import write_file
from cg2tools.profile.positions import Column, Position, columns_named

_FAR = 100  # from here on an absolute position is as short as a relative one


@dataclass(frozen=True, slots=True)
class Form:
    """How to write names and positions."""

    compress_names: bool = True
    compress_positions: bool = True


def write_profile(profile: Profile, path: str | os.PathLike[str], form: Form = Form()) -> None:
    """Write a file, which appears when it is complete; else OSError."""
    write_file(path, encoded(profile_lines(profile, form)))


def encoded(lines: Iterable[str]) -> Iterator[bytes]:
    for line in lines:
        yield f"{line}\n".encode("utf-8", "surrogateescape")


def profile_lines(profile: Profile, form: Form = Form()) -> Iterator[str]:
    """The lines of the file, without their ends."""
    yield "# callgrind format"
    yield f"version: {profile.version}"
    if profile.creator:
        yield f"creator: {profile.creator}"
    for part in profile.parts:
        yield from _header(part)
        yield from _Body(part, form).lines()
        if part.totals is not None or not part.functions:
            yield f"totals: {_numbers(part.totals or [0])}"
            yield ""


# ---- Header ----------------------------------------------------------------


def _header(part: Part) -> Iterator[str]:
    for key, number in (("pid", part.pid), ("part", part.part), ("thread", part.thread)):
        if number is not None:
            yield f"{key}: {number}"
    if part.cmd:
        yield f"cmd: {part.cmd}"
    for kind, text in part.descriptions.items():
        yield f"desc: {kind}: {text}"
    for name, count in part.skipped.items():
        yield f"desc: Skipped: {count} {name}"
    yield f"positions: {' '.join(part.positions)}"
    for definition in part.event_definitions.values():
        yield f"event: {_event(definition)}"
    yield f"events: {' '.join(part.events)}"
    if part.summary is not None:
        yield f"summary: {_numbers(part.summary)}"
    yield ""


def _event(definition: EventDefinition) -> str:
    text = definition.name
    if definition.terms:
        terms = [
            ("- " if factor < 0 else "+ ") + ("" if abs(factor) == 1 else f"{abs(factor)} ") + name
            for factor, name in definition.terms
        ]
        text += f" = {' '.join(terms).removeprefix('+ ')}"
    return f"{text} : {definition.long_name}" if definition.long_name else text


def _numbers(cost: Sequence[int]) -> str:
    """Costs without the zeros at their end, but for the first."""
    count = len(cost)
    while count > 1 and not cost[count - 1]:
        count -= 1
    return " ".join(map(str, cost[:count]))


# ---- Body ------------------------------------------------------------------


class _Names:
    """The ids of one kind of name, by name."""

    def __init__(self, compress: bool) -> None:
        self.compress = compress
        self.ids: dict[str, int] = {}

    def reference(self, name: str) -> str:
        """How a name is written here, where it may be defined."""
        number = self.ids.get(name)
        if number is not None:
            return f"({number})"
        if not (self.compress or _looks_like_id(name)):
            return name
        number = self.ids[name] = len(self.ids) + 1
        return f"({number}) {name}"

    def use(self, name: str) -> str:
        """How a name is written where readers expect no definition."""
        number = self.ids.get(name)
        return name if number is None else f"({number})"


def _looks_like_id(name: str) -> bool:
    return name[:1] == "(" and name[1:2].isdigit()


@dataclass(slots=True)
class _Line:
    """What is to be written at one position of a function."""

    cost: Sequence[int] | None = None
    jumps: list[Jump] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


class _Body:
    """The state of the body of one part as it is written."""

    def __init__(self, part: Part, form: Form) -> None:
        self.part = part
        self.columns = columns_named(part.positions) or []
        self.compress_positions = form.compress_positions
        self.objects = _Names(form.compress_names)
        self.files = _Names(form.compress_names)
        self.names = _Names(form.compress_names)
        self.object = UNKNOWN
        self.file = UNKNOWN
        self.last: list[int] | None = None  # the numbers of the last cost line's position

    def lines(self) -> Iterator[str]:
        for _, function in sorted(self.part.functions.items()):
            if function.costs or function.calls or function.jumps:
                yield from self.function(function)
                yield ""

    def function(self, function: Function) -> Iterator[str]:
        key = function.key
        if key.object != self.object:
            self.object = key.object
            yield f"ob={self.objects.reference(key.object)}"
        yield f"fl={self.files.reference(key.file)}"
        yield f"fn={self.names.reference(key.name)}"
        self.file = key.file
        self.last = None
        for position, line in sorted(
            _by_position(function).items(),
            key=lambda item: (item[0].instr, item[0].file != key.file, item[0]),
        ):
            if position.file != self.file:
                self.file = position.file
                spec = "fe" if position.file == key.file else "fi"
                yield f"{spec}={self.files.reference(position.file)}"
            if line.cost is not None:
                yield self.cost_line(position, line.cost)
            for jump in sorted(line.jumps, key=_jump_order):
                yield from self.jump(jump)
            for call in sorted(line.calls, key=_call_order):
                yield from self.call(call)

    def jump(self, jump: Jump) -> Iterator[str]:
        if jump.target.file != self.file:
            yield f"jfi={self.files.use(jump.target.file)}"
        if jump.target_function != jump.function:
            yield f"jfn={self.names.use(jump.target_function.name)}"
        target = self.subpositions(jump.target)
        if jump.conditional:
            yield f"jcnd={jump.taken}/{jump.executed} {target}"
        else:
            yield f"jump={jump.taken} {target}"
        yield self.cost_line(jump.source, ())

    def call(self, call: Call) -> Iterator[str]:
        if call.callee.object != self.object:
            yield f"cob={self.objects.reference(call.callee.object)}"
        yield f"cfi={self.files.reference(call.callee.file)}"
        yield f"cfn={self.names.reference(call.callee.name)}"
        yield f"calls={call.count} {self.subpositions(call.target)}"
        yield self.cost_line(call.source, call.inclusive)

    def cost_line(self, position: Position, cost: Sequence[int]) -> str:
        text = self.subpositions(position)
        _, *self.last = position
        return f"{text} {_numbers(cost)}".rstrip()

    def subpositions(self, position: Position) -> str:
        """A position, relative to the last cost line's if that is near."""
        last = self.last if self.compress_positions else None
        _, *numbers = position
        return " ".join(
            [
                _subposition(column, numbers[column.place], last[column.place] if last else None)
                for column in self.columns
            ]
        )


def _subposition(column: Column, number: int, last: int | None) -> str:
    if last is None or abs(number - last) >= _FAR:
        return hex(number) if column.is_address else str(number)
    return "*" if number == last else f"{number - last:+}"


def _jump_order(
    jump: Jump,
) -> tuple[Position, bool, FunctionKey, int, int]:
    return (jump.target, jump.conditional, jump.target_function, jump.taken, jump.executed)


def _call_order(call: Call) -> tuple[FunctionKey, Position, int, Cost]:
    return call.callee, call.target, call.count, call.inclusive


def _by_position(function: Function) -> dict[Position, _Line]:
    lines = {position: _Line(cost) for position, cost in function.costs.items()}
    for jump in function.jumps:
        lines.setdefault(jump.source, _Line()).jumps.append(jump)
    for call in function.calls:
        lines.setdefault(call.source, _Line()).calls.append(call)
    return lines
