"""What differs between two profiles: functions, lines and calls.

    names = Names(fold_templates=True)
    comparison = compare(old.merged(), new.merged(), names, "Ir")
    for change in comparison.functions:     by effect
        change.what, change.old, change.new

Functions are told by object, file and name, after `Names` made those of the two
builds alike; by object and name where each build has one of them and no more,
as a compiler that moves an instruction may give a function another file: then
it has NEW's.  Recursion levels are one function.

Of data files, objects and what is in them are compared in place of functions and lines;
of files of paths, paths in place of lines and calls.

Lines that stand elsewhere in their file than before are compared nevertheless,
also where they are inlined in functions of other files: distances between a file's
lines tell where they are now, and what they call, say and cost.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Generic, NamedTuple, TypeVar, overload

from cg2tools.data.objects import DataFile
from cg2tools.diff.callpaths import CallPath, Numbers, PathSide, moved_keys
from cg2tools.profile.layouts import RunColumns, mean, verdict
from cg2tools.diff.dataplaces import Place, moved_objects, places_of
from cg2tools.diff.names import (
    Names,
    Renamed,
    changed_files,
    numbers_of_files,
    program_of,
)
from cg2tools.diff.bothsources import common_sources
from cg2tools.diff.siderounds import SideRounds, both_said, side_rounds
from cg2tools.profile.columns import Columns
from cg2tools.profile.graphcolumns import number_arcs, number_functions
from cg2tools.profile.matching import IN_NEW, IN_OLD, Matching
from cg2tools.profile.rowpairs import LineFacts, Pairs, Rows, differences, moved_files
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    CALL,
    COST,
    NONE,
    add_many_up,
)
from cg2tools.profile.model import Cost, FunctionKey, Part, Profile, add_cost
from cg2tools.profile.twothreads import in_two_threads


class Line(NamedTuple):
    """A line of a function: its numbers in OLD and NEW, or None in one."""

    function: FunctionKey
    file: str
    old: int | None
    new: int | None

    @property
    def number(self) -> int:
        """The one in NEW, if there is one."""
        return self.new or self.old or 0


class Pair(NamedTuple):
    """Calls from one function to another."""

    caller: FunctionKey
    callee: FunctionKey


What = TypeVar("What", FunctionKey, Line, Pair, Place, CallPath)


@dataclass(frozen=True, slots=True)
class Change(Generic[What]):
    """What something cost in OLD and NEW, None where it does not occur."""

    what: What
    old: Cost | None
    new: Cost | None
    old_calls: int = 0
    new_calls: int = 0
    old_is_estimated: bool = False
    """The number of calls in OLD is, as the function called was inlined."""
    new_is_estimated: bool = False

    @property
    def kind(self) -> str:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


class Changes(Sequence[Change[What]]):
    """Changes in order of effect, each made when it is asked for."""

    def __init__(self, pairs: Pairs, change_of: Callable[[int, int], Change[What]]) -> None:
        """`change_of` makes one of the rows in OLD and NEW; -1: there is none."""
        self._pairs = pairs
        self._change_of: Callable[[int, int], Change[What]] = change_of

    def __len__(self) -> int:
        return len(self._pairs.old)

    @overload
    def __getitem__(self, place: int) -> Change[What]:
        ...

    @overload
    def __getitem__(self, place: slice) -> list[Change[What]]:
        ...

    def __getitem__(self, place: int | slice) -> Change[What] | list[Change[What]]:
        old, new = self._pairs.old, self._pairs.new
        if isinstance(place, slice):
            return list(map(self._change_of, old[place], new[place]))
        return self._change_of(old[place], new[place])

    def __iter__(self) -> Iterator[Change[What]]:
        return map(self._change_of, self._pairs.old, self._pairs.new)


class Keys(Sequence[FunctionKey]):
    """The functions that the nodes of OLD or NEW stand for, each made when it is asked for."""

    def __init__(self, matching: Matching, numbers: "array[int]") -> None:
        self._matching = matching
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, node: int) -> FunctionKey:
        ...

    @overload
    def __getitem__(self, node: slice) -> list[FunctionKey]:
        ...

    def __getitem__(self, node: int | slice) -> FunctionKey | list[FunctionKey]:
        if isinstance(node, slice):
            return list(map(self._matching.key, self._numbers[node]))
        return self._matching.key(self._numbers[node])

    def __iter__(self) -> Iterator[FunctionKey]:
        return map(self._matching.keys.__getitem__, self._numbers)


class Costs:
    """What each function of OLD or NEW costs, also those that cost the same in both."""

    def __init__(
        self,
        keys: Sequence[FunctionKey],
        width: int,
        self_costs: "array[int] | memoryview",
        inclusive: "array[int] | memoryview",
    ) -> None:
        """The costs of functions, one behind the other, in the order of `keys`."""
        self.keys = keys
        self._width = width
        self._costs = self_costs, inclusive
        self._node_of: dict[FunctionKey, int] | None = None

    def cost(self, key: FunctionKey, inclusive: bool = False) -> Cost | None:
        """None if the function does not occur."""
        if self._node_of is None:
            self._node_of = {each: node for node, each in enumerate(self.keys)}
        node = self._node_of.get(key)
        if node is None:
            return None
        return self._costs[inclusive][node * self._width : (node + 1) * self._width].tolist()


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that changed, what has most effect on the event compared first."""

    part: Part  # NEW, all its parts as one
    columns: Columns
    event: str
    old_total: Cost
    new_total: Cost
    old: Costs
    new: Costs
    functions: Changes[FunctionKey]  # self costs
    inclusive: Changes[FunctionKey]
    lines: Changes[Line]  # of profiles
    calls: Changes[Pair]
    places: Changes[Place]  # of data files, in place of lines
    paths: Changes[CallPath]  # of files of paths, in place of lines and calls: self costs,
    whole_paths: Changes[CallPath]  # and costs with what they call

    rounds: tuple[SideRounds, SideRounds] = (SideRounds(), SideRounds())
    """What headers say of OLD and of NEW, where no event counts rounds."""

    def rounds_said(self, change: Change[What]) -> str:
        """What stands behind a row of which most is rounds of repeated instructions; of several runs
        nothing is said."""
        if self.runs > 1:
            return ""
        old, new = (
            self.columns.said_of(cost, _rounds_of(side, change.what, number)) if cost else ""
            for side, cost, number in zip(self.rounds, (change.old, change.new), ("old", "new"))
        )
        return both_said(old, new, change.kind == "changed")

    def value(self, cost: Cost | None) -> int:
        """The event that is compared; of several runs the mean."""
        return 0 if cost is None else self.columns.value(self.event, cost)

    def difference(self, change: Change[What]) -> int:
        """What changes are ordered by; where there are several runs, the mean of their differences."""
        if not isinstance(self.columns, RunColumns):
            return self.value(change.new) - self.value(change.old)
        old, new = self._of_runs(self.columns, change.old, change.new)
        return mean([now - was for was, now in zip(old, new)])

    def verdict(self, old: Cost | None, new: Cost | None, event: str = "") -> str:
        """Whether a change of an event is real or within layout; "" where nobody knows, as there is one
        run."""
        columns = self.columns_of(event or self.event)
        if not isinstance(columns, RunColumns):
            return ""
        return verdict(event or self.event, *self._of_runs(columns, old, new))

    def total_verdict(self, event: str) -> str:
        """The same of the total."""
        return self.verdict(self.old_total, self.new_total, event)

    def _of_runs(
        self, columns: RunColumns, old: Cost | None, new: Cost | None
    ) -> tuple[list[int], list[int]]:
        (event,) = columns.shown
        return columns.values_of_runs(event, old), columns.values_of_runs(event, new)

    @property
    def runs(self) -> int:
        """How many runs each side has; costs have those of each, one behind the other."""
        return self.part.runs

    def columns_of(self, event: str) -> Columns:
        """The columns of another event; ProfileError if there is no such event."""
        if event == self.event:
            return self.columns
        return _columns(self.part, event)


def _rounds_of(
    side: SideRounds, what: FunctionKey | Line | Pair | Place | CallPath, number: str
) -> int:
    """The rounds of a function, or of a line with the number that it has on that side."""
    if isinstance(what, FunctionKey):
        return side.functions.get(what, 0)
    if isinstance(what, Line):
        return side.lines.get((what.file, getattr(what, number)), 0)
    return 0


# ---- Comparing -------------------------------------------------------------


def compare(old: Part, new: Part, names: Names, event: str) -> Comparison:
    """What changed from OLD to NEW; ProfileError if there is no such event.

    The parts may each have so many runs beside each other, see layouts.
    """
    if new.has_paths:
        return _compared_paths(old, new, names, event)
    columns = _columns(new, event)
    factors = _factors(columns, event)
    program = program_of(new)

    sides = _sides(old, new, names, program)
    rounds = (
        side_rounds(old, *names.rules(old, program)),
        side_rounds(new, *names.rules(new, program)),
    )
    lines: Changes[Line] = _no_changes()
    places: Changes[Place] = _no_changes()
    if new.is_data:
        places = _place_changes(old, new, sides, names, factors)
    else:
        lines = _line_changes(sides, lambda: common_sources(old, new, names, program), factors)
    return Comparison(
        new,
        columns,
        event,
        old.self_total(),
        new.self_total(),
        sides[0].costs(),
        sides[1].costs(),
        _changes([side.self_costs() for side in sides], factors),
        _changes([side.inclusive() for side in sides], factors),
        lines,
        _changes([side.calls() for side in sides], factors),
        places,
        _no_changes(),
        _no_changes(),
        rounds,
    )


def _columns(part: Part, event: str) -> Columns:
    return Columns(part, [event], [event]) if part.runs == 1 else RunColumns(part, [event], [event])


def _factors(columns: Columns, event: str) -> list[int]:
    """How often each event of the profile counts in the one that is compared."""
    factors = [0] * len(columns.total)
    for index, factor in columns.factors(event):
        factors[index] = factor
    return factors


def _sides(old: Part, new: Part, names: Names, program: str) -> "tuple[_Side, _Side]":
    """Functions and files have numbers in the order of their names."""
    parts = old, new
    renamed = list(
        in_two_threads(lambda: names.apply(old, program), lambda: names.apply(new, program))
    )
    matching = Matching(*(each.named for each in renamed))
    merged = [
        number
        for number, side in enumerate((IN_OLD, IN_NEW))
        if matching.count_of(side) < len(matching.nodes[number])
    ]
    for side in merged:  # two functions become one
        renamed[side] = names.apply_to_lines(parts[side], program)
    if merged:
        matching = Matching(*(each.named for each in renamed))
    moved = _move(matching)
    return (
        _Side(renamed[0], matching, 0, moved, new.runs),
        _Side(renamed[1], matching, 1, {}, new.runs),
    )


def _move(matching: Matching) -> dict[FunctionKey, FunctionKey]:
    """Have functions of OLD be what they are in NEW under another key, and so their files.

    The key that a function has in NEW is there only if each has one of its own.
    """
    if IN_OLD not in matching.sides or IN_NEW not in matching.sides:
        return {}
    gone = {matching.key(number): number for number in _functions_in(matching, IN_OLD)}
    come = {matching.key(number): number for number in _functions_in(matching, IN_NEW)}

    def all_of() -> Iterator[Iterator[FunctionKey]]:
        for side in IN_OLD, IN_NEW:
            yield (key for key, sides in zip(matching.keys, matching.sides) if sides & side)

    moved = changed_files(gone.keys(), come.keys(), all_of)
    moved |= moved_objects(gone.keys(), come.keys())
    if moved:
        number_of = {gone[was]: come[now] for was, now in moved.items()}
        matching.nodes[0] = array("Q", [number_of.get(node, node) for node in matching.nodes[0]])
        as_number = numbers_of_files(matching, moved, *matching.files)
        files = matching.files[0]
        matching.files[0] = array("I", [as_number.get(number, number) for number in files])
    return moved


def _functions_in(matching: Matching, side: int) -> list[int]:
    """The functions that are in one side alone."""
    return [*compress(range(matching.count), map(side.__eq__, matching.sides))]


@dataclass(frozen=True, slots=True)
class _Listing(Generic[What]):
    """What OLD or NEW consists of; row -1 stands for what is not there."""

    rows: Rows
    width: int
    what: Callable[[int], What]
    estimated: Set[str] = frozenset()
    """Names of functions whose calls are estimated."""
    runs: int = 1
    """Whose calls are added up."""

    def cost(self, row: int) -> Cost | None:
        start = row * self.width
        return None if row < 0 else self.rows.costs[start : start + self.width].tolist()

    def count(self, row: int) -> int:
        if row < 0 or self.rows.counts is None:
            return 0
        return mean([self.rows.counts[row]], self.runs)

    def is_estimated(self, row: int) -> bool:
        """Whether what `count` says of the row is."""
        if row < 0 or not self.estimated:
            return False
        what = self.what(row)
        return isinstance(what, Pair) and what.callee.name in self.estimated


class _Side:
    """OLD or NEW; functions and files have numbers that are the same in both."""

    def __init__(
        self,
        renamed: Renamed,
        matching: Matching,
        side: int,
        moved: dict[FunctionKey, FunctionKey],
        runs: int,
    ) -> None:
        self.runs = runs
        self.graph = renamed.named.graph
        self.estimated = renamed.estimated
        self.matching = matching
        self.file_as = matching.files[side]
        self.moved = moved  # functions that have another key in NEW
        self.numbers = matching.nodes[side]  # of nodes

    def key(self, node: int) -> FunctionKey:
        return self.matching.key(self.numbers[node])

    @cached_property
    def function_as(self) -> "array[int]":
        """The number of each function of the part."""
        return number_functions(self.graph, self.numbers)

    def costs(self) -> Costs:
        graph = self.graph
        keys = Keys(self.matching, self.numbers)
        return Costs(keys, graph.width, graph.self_costs, graph.inclusive)

    def self_costs(self) -> _Listing[FunctionKey]:
        return self._by_node(self.graph.self_costs)

    def inclusive(self) -> _Listing[FunctionKey]:
        return self._by_node(self.graph.inclusive)

    def _by_node(self, costs: "array[int]") -> _Listing[FunctionKey]:
        return _Listing(Rows([self.numbers], costs), self.graph.width, self.key)

    def calls(self) -> _Listing[Pair]:
        graph, key = self.graph, self.key
        return _Listing(
            Rows(number_arcs(graph, self.numbers), graph.arc_costs, graph.counts),
            graph.width,
            lambda arc: Pair(key(graph.callers[arc]), key(graph.callees[arc])),
            self.estimated,
            self.runs,
        )

    def lines(self) -> _Listing[Line]:
        """By function, file and line; a Line says its number as NEW's."""
        by = BY_FUNCTION | BY_FILE | BY_LINE
        table = add_many_up(self.graph.part, COST, by, self.function_as, self.file_as)
        columns = [table.column(key) for key in (BY_FUNCTION, BY_FILE, BY_LINE)]
        key, name = self.matching.key, self.matching.file

        def what(row: int) -> Line:
            function, file, number = (column[row] for column in columns)
            return Line(key(function), name(file), None, number)

        return _Listing(Rows(columns, table.flat_costs), self.graph.width, what)

    def line_facts(self, moved: Sequence[int], sources: Mapping[str, str]) -> LineFacts:
        """Which functions lines of files call that moved; `sources` are by the names of files."""
        table = self.graph.part.add_up(
            CALL,
            BY_FUNCTION | BY_FILE | BY_LINE | BY_TARGET,
            function_as=self.function_as,
            target_as=self.function_as,
            file_as=array("I", [file if moved[file] else NONE for file in self.file_as]),
        )
        columns = [table.column(key) for key in (BY_FUNCTION, BY_FILE, BY_LINE, BY_TARGET)]
        paths = list(map(sources.get, self.matching.texts)) if sources else []
        return LineFacts([*columns, table.counts], paths)


def _changes(sides: Sequence[_Listing[What]], factors: Sequence[int]) -> Changes[What]:
    old, new = sides

    def change_of(was: int, now: int) -> Change[What]:
        return Change(
            old.what(was) if now < 0 else new.what(now),
            old.cost(was),
            new.cost(now),
            old.count(was),
            new.count(now),
            old.is_estimated(was),
            new.is_estimated(now),
        )

    return Changes(differences(old.rows, new.rows, factors), change_of)


def _line_changes(
    sides: "tuple[_Side, _Side]",
    sources: Callable[[], Sequence[Mapping[str, str]]],
    factors: Sequence[int],
) -> Changes[Line]:
    """`sources` gives those of OLD's and of NEW's files, by name."""
    old, new = in_two_threads(sides[0].lines, sides[1].lines)
    count = 1 + max(max(side.file_as, default=0) for side in sides)
    moved = moved_files(old.rows, new.rows, count)
    facts = LineFacts(), LineFacts()
    if any(moved):
        was, now = sources()
        facts = in_two_threads(
            lambda: sides[0].line_facts(moved, was), lambda: sides[1].line_facts(moved, now)
        )

    def change_of(was: int, now: int) -> Change[Line]:
        what = old.what(was) if now < 0 else new.what(now)
        line = what._replace(
            old=None if was < 0 else old.what(was).new,
            new=None if now < 0 else what.new,
        )
        return Change(line, old.cost(was), new.cost(now))

    return Changes(differences(old.rows, new.rows, factors, facts), change_of)


def _no_changes() -> Changes[Any]:
    return Changes(Pairs(array("l"), array("l")), lambda was, now: Change(None, None, None))


# ---- Data files ------------------------------------------------------------


def _place_changes(
    old: Part, new: Part, sides: "tuple[_Side, _Side]", names: Names, factors: Sequence[int]
) -> Changes[Place]:
    """By object, and by member or offset."""
    program = program_of(new)
    numbers: dict[str, int] = {}  # of places, by their names
    listings = [
        _places(DataFile(Profile(part.path, parts=[part])), side, names, program, numbers)
        for part, side in zip((old, new), sides)
    ]
    was_of, now_of = (listing.what for listing in listings)

    def change_of(was: int, now: int) -> Change[Place]:
        what = was_of(was)._replace(new="") if now < 0 else now_of(now)
        what = what._replace(old="" if was < 0 else was_of(was).old)
        return Change(what, listings[0].cost(was), listings[1].cost(now))

    return Changes(differences(listings[0].rows, listings[1].rows, factors), change_of)


def _places(
    data: DataFile, side: _Side, names: Names, program: str, numbers: dict[str, int]
) -> _Listing[Place]:
    """The places of a file, which get numbers that are the same in both."""
    from cg2tools.data.typed import shown_types  # only where there are data

    found: dict[tuple[int, int], tuple[Place, Cost]] = {}
    keys = names.renamed([object.key for object in data.objects], program_of(data.part), program)
    key_of = {object.key: side.moved.get(key, key) for object, key in zip(data.objects, keys)}
    number_of = {key: number for number, key in enumerate(side.matching.keys)}
    shown_types(data, names.data_types)
    for object, name, where, cost in places_of(data):
        key = key_of[object.key]
        number = number_of[key], numbers.setdefault(name, len(numbers))
        _, sum_so_far = found.setdefault(number, (Place(key, name, where, where), [0] * len(cost)))
        add_cost(sum_so_far, cost)
    order = sorted(found)
    what = [found[number][0] for number in order]
    columns = [array("Q", column) for column in zip(*order)] or [array("Q"), array("Q")]
    costs = array("Q", (value for number in order for value in found[number][1]))
    return _Listing(Rows(columns, costs), len(data.events), what.__getitem__)


# ---- Files of paths --------------------------------------------------------


def _compared_paths(old: Part, new: Part, names: Names, event: str) -> Comparison:
    columns = Columns(new, [event], [event])
    factors = _factors(columns, event)
    numbers = Numbers()
    sides = [
        PathSide(part, keys, numbers) for part, keys in zip((old, new), moved_keys(old, new, names))
    ]
    width = len(new.events)

    def listed(rows: Rows, what: Callable[[int], What]) -> _Listing[What]:
        (column,) = rows.keys
        return _Listing(rows, width, lambda row: what(column[row]))

    functions = [listed(side.function_rows(), numbers.keys.__getitem__) for side in sides]
    inclusive = [listed(side.whole_function_rows(), numbers.keys.__getitem__) for side in sides]
    paths = [listed(side.path_rows(), numbers.path) for side in sides]
    whole_paths = [listed(side.whole_path_rows(), numbers.path) for side in sides]
    costs = [
        _costs_of(numbers, width, own.rows, whole.rows) for own, whole in zip(functions, inclusive)
    ]
    return Comparison(
        new,
        columns,
        event,
        old.self_total(),
        new.self_total(),
        costs[0],
        costs[1],
        _changes(functions, factors),
        _changes(inclusive, factors),
        _no_changes(),
        _no_changes(),
        _no_changes(),
        _changes(paths, factors),
        _changes(whole_paths, factors),
    )


def _costs_of(numbers: Numbers, width: int, own: Rows, whole: Rows) -> Costs:
    """What each function costs itself, and with what it calls."""
    row_of = {number: row for row, number in enumerate(whole.keys[0])}
    inclusive = array("Q")
    for number in own.keys[0]:
        start = row_of[number] * width
        inclusive.extend(whole.costs[start : start + width])
    return Costs([numbers.keys[number] for number in own.keys[0]], width, own.costs, inclusive)
