"""The model of a profile: what a file in the Callgrind format says.

    profile = read_profile("cg2.out.4711")      reader.py
    part = profile.merged()                     all its parts as one
    for key, function in part.functions.items():
        function.self_cost()                    one number for each of part.events
        function.costs                          the same by position
        function.calls, function.jumps
    write_profile(profile, "copy")              writer.py

A Profile is one file.  It holds Parts: one part is one dump, or one thread of
a dump.  A part holds Functions; a function holds its self costs by position,
its calls and its jumps.  A cost is a list of integers, one per event of the
part, in the order of `Part.events`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import NamedTuple, Protocol

from cg2tools.profile.positions import NUMBERS, Position

Cost = list[int]

UNKNOWN = "???"
"""The name of an object or a file that the profile does not know."""


def add_cost(total: Cost, cost: Sequence[int]) -> None:
    """Add `cost` to `total`, which is changed."""
    for index, number in enumerate(cost):
        total[index] += number


class ProfileError(Exception):
    """A file that is not a proper profile; `str()` is "path:line: message"."""

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path = path
        self.line = line
        self.message = _printable(message)
        super().__init__(f"{path}:{line}: {self.message}")


def _printable(text: str) -> str:
    """The text on one line, whatever bytes of a file are in it."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def readable(name: str) -> str:
    """A name in which bytes that are no UTF-8 are replaced."""
    if name.isascii():
        return name
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shortened(text: str) -> str:
    """The beginning of a piece of a file, for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


class FunctionKey(NamedTuple):
    """What identifies a function.  Names are as written, "fib'2" included."""

    object: str
    file: str
    name: str

    def __str__(self) -> str:
        """The function as in "main.c:main [/bin/app]"."""
        name = f"{self.file}:{self.name}"
        return name if self.object == UNKNOWN else f"{name} [{self.object}]"


@dataclass(slots=True)
class Call:
    """A call site: `count` calls from `source`, `inclusive` cost in all.

    `target` is the first position of the callee.  A count of 0 is a call that
    began before an earlier part was written and has not returned since.
    """

    caller: FunctionKey
    callee: FunctionKey
    count: int
    source: Position
    target: Position
    inclusive: Cost


@dataclass(slots=True)
class Jump:
    """A jump: at `source`, `taken` times out of `executed`, to `target`.

    An unconditional jump is taken each time it is executed.
    """

    function: FunctionKey
    target_function: FunctionKey
    source: Position
    target: Position
    taken: int
    executed: int
    conditional: bool


class CostLines(NamedTuple):
    """Self costs in one source file: columns of equal length.

    A position may occur more than once.  Costs may be shared.
    """

    file: str
    numbers: Sequence[Sequence[int]]
    """A column for each of the NUMBERS of a Position."""
    costs: Sequence[Sequence[int]]

    @property
    def instrs(self) -> Sequence[int]:
        return self.numbers[NUMBERS.index("instr")]

    @property
    def lines(self) -> Sequence[int]:
        return self.numbers[NUMBERS.index("line")]

    def positions(self) -> Iterator[Position]:
        """The position of each cost."""
        return map(Position, repeat(self.file), *self.numbers)


def lines_at(position: Position, cost: Sequence[int]) -> CostLines:
    """The self cost of one position."""
    file, *numbers = position
    return CostLines(file, [[number] for number in numbers], [cost])


class LaterLines(Protocol):
    """Lines of functions that are taken from a file when one asks for them."""

    def fill(self, function: "Function") -> None:
        """Add all lines of a function to it."""


class Function:
    """A function's own lines: self cost by position, calls and jumps.

    Code inlined into the function counts as the function's own, at the
    position (file included) that it comes from.
    """

    __slots__ = ("key", "width", "_calls", "_jumps", "_costs", "_unsorted", "_self_cost", "_later")

    def __init__(
        self,
        key: FunctionKey,
        width: int,
        self_cost: Cost | None = None,
        later: LaterLines | None = None,
    ) -> None:
        """`self_cost` is what the lines add up to that `later` has."""
        self.key = key
        self.width = width  # the number of events
        self._calls: list[Call] = []
        self._jumps: list[Jump] = []
        self._costs: dict[Position, Cost] = {}
        self._unsorted: list[CostLines] = []  # self costs that are not in `_costs` yet
        self._self_cost = self_cost or [0] * width
        self._later = later

    def _complete(self) -> None:
        """Have all lines here."""
        if self._later:
            later, self._later = self._later, None
            self._self_cost = [0] * self.width
            later.fill(self)

    def add_lines(self, lines: CostLines) -> None:
        self._complete()
        self._unsorted.append(lines)
        add_cost(self._self_cost, list(map(sum, zip(*lines.costs))))

    @property
    def calls(self) -> list[Call]:
        self._complete()
        return self._calls

    @property
    def jumps(self) -> list[Jump]:
        self._complete()
        return self._jumps

    @property
    def costs(self) -> Mapping[Position, Cost]:
        """The self cost of each position."""
        self._complete()
        for lines in self._unsorted:
            self._sort_in(lines)
        self._unsorted = []
        return self._costs

    def _sort_in(self, lines: CostLines) -> None:
        costs = self._costs
        for position, cost in zip(lines.positions(), lines.costs):
            if position in costs:
                add_cost(costs[position], cost)
            else:
                costs[position] = list(cost)

    def line_costs(self) -> Iterator[tuple[str, int, Sequence[int]]]:
        """File, line and self cost, in pieces: a line may come several times.

        That is enough to add up lines, and needs a third of the time of
        `costs`.
        """
        for lines in self.cost_lines():
            if min(lines.lines) == max(lines.lines):
                yield lines.file, lines.lines[0], list(map(sum, zip(*lines.costs)))
            else:
                for line, cost in zip(lines.lines, lines.costs):
                    yield lines.file, line, cost

    def cost_lines(self) -> Iterator[CostLines]:
        """All self costs in pieces, a position maybe in several."""
        self._complete()
        yield from self._unsorted
        for position, cost in self._costs.items():
            yield lines_at(position, cost)

    def self_cost(self) -> Cost:
        """The sum over all positions."""
        return self._self_cost.copy()

    def add(self, other: "Function") -> None:
        """Add another part's costs, calls and jumps of the same function."""
        for lines in other.cost_lines():
            self.add_lines(lines)
        self.calls.extend(other.calls)
        self.jumps.extend(other.jumps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and (self.key, self.costs, self.calls, self.jumps) == (
            other.key,
            other.costs,
            other.calls,
            other.jumps,
        )

    __hash__ = None  # type: ignore[assignment]  # functions are told by their keys


@dataclass(slots=True)
class EventDefinition:
    """An `event:` line: a long name for an event, or an event made of others.

    A derived event is the sum of its `terms`, (factor, event name) each; an
    event that is recorded has none.
    """

    name: str
    terms: list[tuple[int, str]]
    long_name: str


@dataclass(slots=True)
class Part:
    """A part of a profile: its header, and every function it mentions.

    `functions` is in the order of the file and holds callees without lines of
    their own too.  Costs have exactly one number per event.
    """

    path: str
    pid: int | None = None
    cmd: str = ""
    part: int | None = None
    thread: int | None = None
    descriptions: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    """How often functions were called that the user wanted left out."""
    positions: list[str] = field(default_factory=lambda: ["line"])
    events: list[str] = field(default_factory=list)
    event_definitions: dict[str, EventDefinition] = field(default_factory=dict)
    summary: Cost | None = None
    totals: Cost | None = None
    functions: dict[FunctionKey, Function] = field(default_factory=dict)
    line_of: dict[str, int] = field(default_factory=dict)
    """Where in the file "version", "positions", "events", "summary" and "totals"
    stand."""
    borrowed: tuple[int, str] | None = None
    """The first use of an id that only an earlier part defines: line, id."""

    def self_total(self) -> Cost:
        """The sum of all self costs."""
        total = [0] * len(self.events)
        for function in self.functions.values():
            add_cost(total, function.self_cost())
        return total

    def function_of(self, key: FunctionKey) -> Function:
        """The function with this key, which is added if there is none."""
        function = self.functions.get(key)
        if function is None:
            function = self.functions[key] = Function(key, len(self.events))
        return function

    def add_skipped(self, calls: dict[str, int]) -> None:
        """Add calls of skipped functions to this part's."""
        for name, count in calls.items():
            self.skipped[name] = self.skipped.get(name, 0) + count

    def check(self) -> None:
        """Raise the first of `faults()`, if there is one."""
        for fault in self.faults():
            raise fault

    def faults(self) -> Iterator[ProfileError]:
        """What is not consistent in the part itself.

        `summary:` and `totals:`, where given, equal the sum of the self costs,
        and every id used is defined in the part.
        """
        if self.borrowed:
            line, name = self.borrowed
            yield ProfileError(
                self.path,
                line,
                f"{name} is defined in an earlier part only; "
                "expected a definition in each part that uses it",
            )
        total = self.self_total()
        for key, stated in (("summary", self.summary), ("totals", self.totals)):
            for event, said, found in zip(self.events, stated or [], total):
                if said != found:
                    yield ProfileError(
                        self.path,
                        self.line_of[key],
                        f"{key}: says {said} {event}, but the self costs add "
                        f"up to {found}; expected the same",
                    )


@dataclass(slots=True)
class Profile:
    """A file: who wrote it, and its parts (at least one)."""

    path: str
    version: int = 1
    creator: str = ""
    parts: list[Part] = field(default_factory=list)

    def merged(self) -> Part:
        """All parts as one: costs and calls added up, the first one's header.

        The only part is returned itself.  Sums are those of all parts, or None
        if one part does not state them.  The parts must have the same events.
        """
        if len(self.parts) == 1:
            return self.parts[0]
        first = self.parts[0]
        merged = replace(first, part=None, thread=None, functions={}, skipped=first.skipped.copy())
        merged.summary = _sum_of([part.summary for part in self.parts])
        merged.totals = _sum_of([part.totals for part in self.parts])
        for part in self.parts:
            if part.events != first.events:
                raise ProfileError(
                    part.path,
                    part.line_of["events"],
                    f"events: {' '.join(part.events)}; expected those of the "
                    f"first part ({' '.join(first.events)})",
                )
            for key, function in part.functions.items():
                merged.function_of(key).add(function)
            if part is not first:
                merged.add_skipped(part.skipped)
        return merged


def _sum_of(costs: list[Cost | None]) -> Cost | None:
    total: Cost = []
    for cost in costs:
        if cost is None:
            return None
        total = [a + b for a, b in zip(total, cost)] if total else cost.copy()
    return total
