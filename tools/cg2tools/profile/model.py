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

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from cg2tools.profile.functions import (  # noqa: F401  (others have them from here)
    Call as Call,
    CostLines as CostLines,
    FileLines,
    Function as Function,
    Jump as Jump,
    lines_at as lines_at,
)
from cg2tools.profile.cycles import Loop
from cg2tools.profile.libcg2profile import LibraryPart, Sum
from cg2tools.profile.terms import (  # noqa: F401  (others have them from here)
    UNKNOWN as UNKNOWN,
    Cost as Cost,
    EventDefinition as EventDefinition,
    FunctionKey as FunctionKey,
    Header,
    ProfileError as ProfileError,
    add_cost as add_cost,
    readable as readable,
    shortened as shortened,
)


@dataclass(slots=True, eq=False)
class Part(Header):
    """A part of a profile: its header, and every function it mentions.

    `functions` is in the order of the file and holds callees without lines of
    their own too.  Costs have exactly one number per event.
    """

    read: LibraryPart | None = None
    """Where the library has the part."""
    runs: int = 1
    """Costs have those of so many runs, one behind the other: see layouts."""
    _functions: dict[FunctionKey, Function] | None = None
    """Made when somebody asks for them."""

    def check_events(self, first: "Part", name: str) -> None:
        """The part must have the events of another one, which messages call `name`."""
        if self.events != first.events:
            raise ProfileError(
                self.path,
                self.line_of["events"],
                f"events: {' '.join(self.events)}; expected those of {name} "
                f"({' '.join(first.events)})",
            )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Part)
            and all(getattr(self, f.name) == getattr(other, f.name) for f in fields(Header))
            and self.functions == other.functions
        )

    __hash__ = None  # type: ignore[assignment]  # a part can be changed

    @property
    def functions(self) -> dict[FunctionKey, Function]:
        """By key, in the order of the file."""
        if self._functions is None:
            self._functions = _functions_of(self.read) if self.read else {}
        return self._functions

    @property
    def lines(self) -> LibraryPart:
        """What adds the lines up."""
        assert self.read, "a part that was not read"
        return self.read

    @property
    def has_paths(self) -> bool:
        """Whether each function is a path, as of a file of paths."""
        return self.read is not None and self.read.has_paths

    @property
    def keys(self) -> list[FunctionKey]:
        """The functions by their numbers in tables."""
        return self.lines.functions()

    @property
    def names(self) -> list[str]:
        """Names, those of files among them, by their numbers in tables."""
        return self.lines.profile.names

    def self_total(self) -> Cost:
        """The sum of all self costs."""
        if self.read and self._functions is None:
            return self.read.self_total()
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
        yield from self.faults_of_sums(self.self_total())


@dataclass(slots=True)
class Profile:
    """A file: who wrote it, and its parts (at least one)."""

    path: str
    version: int = 1
    creator: str = ""
    parts: list[Part] = field(default_factory=list)
    cut_off: str = ""
    """Where the file was, as "behind line 6, at byte 77"; "": it was not, or nobody knows."""
    loops: list[Loop] = field(default_factory=list)
    """What bounds the loops, if cycles were estimated on the way."""

    @property
    def partial(self) -> list[str]:
        """What is to be said where only a part of what was profiled is shown."""
        return list(dict.fromkeys(part.partial for part in self.parts if part.partial))

    def check_events(self) -> None:
        """All parts must have the same events."""
        for part in self.parts:
            part.check_events(self.parts[0], "the first part")

    def merged(self) -> Part:
        """All parts as one: costs and calls added up, the first one's header.

        The only part is returned itself.  Sums are those of all parts, or None
        if one part does not state them.  The parts must have the same events.
        """
        if len(self.parts) == 1:
            return self.parts[0]
        first = self.parts[0]
        self.check_events()
        added = Sum()
        added.begin(first.lines, positions=first.positions)
        for part in self.parts:
            added.add(part.lines)
        return part_of(added.result().parts[0], first)


def part_of(read: LibraryPart, like: Part | None = None) -> Part:
    """The part that the library has; one that was made of others is at the place of `like`."""
    part = Part(read.profile.path, read=read)
    read.read_header(part)
    if like:
        part.path, part.line_of = like.path, like.line_of
    return part


def _functions_of(read: LibraryPart) -> dict[FunctionKey, Function]:
    keys = read.functions()
    lines = FileLines(read, keys)
    return {
        key: Function(key, read.width, cost, lines) for key, cost in zip(keys, read.self_costs())
    }
