"""Why a total differs: the library's pieces as causes, each with a name, dearest first.

    found = causes_of(old, new, names)
    for cause in found.causes:
        cause.kind, cause.function, cause.costs
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from itertools import count
from operator import mul, sub

from cg2tools.diff.cause import Cause
from cg2tools.diff.bothsources import common_sources
from cg2tools.diff.changedlines import ChangedLines, LineSide
from cg2tools.diff.codes import Codes, Ran
from cg2tools.diff.comparison import Change, Line
from cg2tools.diff.conditions import Condition, of_repeatable
from cg2tools.diff.environment import environments, same_objects
from cg2tools.diff.matches import matched_functions
from cg2tools.diff.names import Names, program_of
from cg2tools.diff.summands import Summands, is_large
from cg2tools.diff.systems import EXCLUDABLE, systems_of
from cg2tools.profile.explanation import (
    ADDED,
    CALLS,
    INLINED,
    IS_PLAIN,
    IS_REPLACED,
    IS_SYSTEM,
    OUTLINED,
    OWN,
    REMOVED,
    REPLACED,
    Causes,
    Explanation,
    Inlined,
    Side,
)
from cg2tools.profile.graphcolumns import graph_of
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.matching import Matching
from cg2tools.profile.model import Cost, FunctionKey, Profile, add_cost

KINDS = (
    "self work calls inlined outlined replaced added removed layout allocator linker environment rest"
).split()

_MOST = 3
"""How many functions are known by what they cost themselves."""

_DOUBTED = 10_000
"""A piece that is less than this part of all is below what is asked of machine code."""

_WITH_LINES = OWN, REPLACED, ADDED, INLINED, OUTLINED


@dataclass(frozen=True, slots=True)
class Explained:
    """The causes, whose costs add up to `difference`."""

    events: Sequence[str]
    difference: Cost
    causes: list[Cause]
    excluded: Sequence[str]
    uncounted: int
    """Arcs without a count, whose calls are not among the causes."""
    own: "Own"
    conditions: Sequence[Condition]
    """What may explain any of the causes, and is none itself."""


@dataclass(frozen=True, slots=True)
class Own:
    """How much more functions cost themselves, by the first event."""

    every: int
    """All together, up and down."""
    count: int
    """How many differ."""
    most: Mapping[FunctionKey, int]
    """The functions that differ most, dearest first."""


class _OneSide:
    """OLD or NEW: the graphs of its parts, and last that of all parts as one, which lines are of."""

    def __init__(self, profile: Profile, names: Names, program: str) -> None:
        self.profile = profile
        self.whole = profile.merged()
        self.graphs = [graph_of(part.lines) for part in profile.parts]
        self._of_whole = graph_of(self.whole.lines)
        own = program_of(profile.parts[0])
        every = dict.fromkeys([*self.graphs, self._of_whole])
        self.named = [names.named(graph, own, program) for graph in every]

    def ran(self, nodes: "Sequence[array[int]]") -> Ran:
        return Ran(self.profile, self.graphs, nodes[: len(self.graphs)])

    def lines(self, nodes: "array[int]", files: "array[int]") -> LineSide:
        functions = map(nodes.__getitem__, self._of_whole.node_of)
        return LineSide(self.whole, array("I", functions), files)


class _Sides:
    """OLD and NEW, and which functions of theirs are one."""

    def __init__(self, old: Profile, new: Profile, names: Names) -> None:
        program = program_of(new.parts[0])
        apart = replace(names, fold_clones=False)
        sides = [_OneSide(profile, apart, program) for profile in (old, new)]
        old_count = len(sides[0].named)
        named = [each for side in sides for each in side.named]
        matching = Matching(*named, old_count=old_count)
        nodes = matching.nodes[:old_count], matching.nodes[old_count:]
        ran = [side.ran(each) for side, each in zip(sides, nodes)]
        was, now = (Side(each.graphs, [array("I", row) for row in each.functions]) for each in ran)
        codes = Codes(*ran)
        self.matched = matched_functions(
            matching, was, now, codes.pairs if codes.is_there else None
        )
        numbers = [list(map(self.matched.numbers, each)) for each in nodes]
        ran = [side.ran(each) for side, each in zip(sides, numbers)]
        self.codes = Codes(*ran)
        old_side, new_side = (Side(each.graphs, each.functions) for each in ran)
        self.explanation = Explanation(old_side, new_side, len(self.matched.functions))
        files = matching.files[old_count - 1], matching.files[-1]
        last = [side.lines(each[-1], its) for side, each, its in zip(sides, numbers, files)]
        paths = partial(common_sources, *(side.whole for side in sides), names, program)
        self.lines = ChangedLines(self.matched, last, paths)


# ---- Kinds -----------------------------------------------------------------


class _Finding:
    """Makes causes of pieces."""

    def __init__(self, old: Profile, new: Profile, names: Names) -> None:
        self.events = new.parts[0].events
        self.sides = _Sides(old, new, names)
        self.matched = self.sides.matched
        self.lines = self.sides.lines
        descriptions = [profile.parts[0].descriptions for profile in (old, new)]
        self.same_objects = same_objects(*descriptions)
        systems = systems_of(self.matched.matching)
        self.systems = bytes(map(systems.__getitem__, self.matched.functions))
        """What each function is of, as systems_of says it."""
        self.same_code = self.sides.codes.are_same(set(self._doubtful()))
        """Known of functions whose machine code could be compared."""

    def summands(self) -> Summands:
        told = bytearray(self.systems.translate(bytes([IS_PLAIN] + [IS_SYSTEM] * 255)))
        for number in self.matched.was:
            told[number] = told[number] or IS_REPLACED
        instructions = self.events.index("Ir") if "Ir" in self.events else NONE
        made = self.sides.explanation.causes(bytes(told), instructions, self._inlined())
        return Summands(made, self.matched, self.systems)

    def own(self, exclude: Sequence[str]) -> Own:
        """How much more each function costs itself, but for those of some systems."""
        was, now = (costs[:: len(self.events)] for costs in self.sides.explanation.self_costs)
        more = list(map(sub, now, was))
        if exclude:
            left = [1, *(name not in exclude for name in EXCLUDABLE)]
            more = list(map(mul, more, map(left.__getitem__, self.systems)))
        sizes = [abs(cost) for cost in more]
        most = {
            key: more[number]
            for size, number in nlargest(_MOST, zip(sizes, count()))
            if size and (key := self.matched.key(number))
        }
        return Own(sum(sizes), len(sizes) - sizes.count(0), most)

    def _doubtful(self) -> Iterator[int]:
        """Functions whose own cost a call is another, and is no part of the rest."""
        if not self.sides.codes.is_there:
            return
        every = self.sides.explanation.size()
        for function, cost in self.sides.explanation.own_pieces():
            if abs(cost) * _DOUBTED >= every and not self.matched.is_only_old(function):
                key = self.matched.key(function)
                if key and key.object not in self.same_objects:
                    yield function

    def _inlined(self) -> list[Inlined]:
        """Callees that stand in their callers now, or no longer."""
        every = self.sides.explanation.calls_alone()
        alone = [each for each in every if not self.systems[each.caller]]
        found = self._that_stood_in(each for each in alone if self.matched.is_in_both(each.caller))
        within: dict[int, list[Inlined]] = defaultdict(list)
        for each in alone:
            if each.kind == OUTLINED and self.matched.is_only_new(each.caller):
                within[each.caller].append(each)
        for place, outer in enumerate(found):  # which grows
            inner = within.pop(outer.callee, []) if outer.kind == OUTLINED else []
            part_of = outer.outer or place + 1
            found += self._that_stood_in(
                Inlined(OUTLINED, outer.caller, each.callee, part_of) for each in inner
            )
        return found

    def _that_stood_in(self, calls: Iterable[Inlined]) -> list[Inlined]:
        """The calls of which lines of the callee are, or were, in the caller."""
        asked = list(calls)
        self.lines.find(number for each in asked for number in (each.caller, each.callee))
        has_lines_of = self.lines.has_lines_of
        return [
            each for each in asked if has_lines_of(each.caller, each.callee, each.kind == INLINED)
        ]

    # ---- Causes ------------------------------------------------------------

    def causes(self, summands: Summands, places: Sequence[int]) -> Iterator[Cause]:
        """Some of the causes."""
        found = summands.made
        self.lines.find(found.functions[at] for at in places if found.kinds[at] in _WITH_LINES)
        return (self._cause(found, place, summands.name(place)) for place in places)

    def _cause(self, found: Causes, place: int, name: str) -> Cause:
        kind, function = found.kinds[place], found.functions[place]
        key = self.matched.key(function)
        its = self._calls(function)
        calls, callers = its, (0, 0)
        if kind in (CALLS, REMOVED):
            calls, callers = (found.old_counts[place], found.new_counts[place]), its
        was = self.matched.key_before(function) if kind == REPLACED else None
        if found.was[place] != NONE:
            was = self.matched.key(found.was[place])
            callers = self._calls(found.was[place])[0], its[1]
        return Cause(
            self._own_kind(function) if kind == OWN else name,
            found.cost(place),
            key,
            self.matched.key(found.callees[place]),
            was,
            calls,
            callers,
            kind == OWN and not self._is_known(function),
            lines=self.lines.of(function) if kind in _WITH_LINES else [],
        )

    def _calls(self, function: int) -> tuple[int, int]:
        if function == NONE:
            return 0, 0
        was, now = self.sides.explanation.calls
        return was[function], now[function]

    def _is_known(self, function: int) -> bool:
        """Whether more than lines tell if its code is the same."""
        key = self.matched.key(function)
        return function in self.same_code or bool(key and key.object in self.same_objects)

    def _own_kind(self, function: int) -> str:
        """Whether a function's code is another, or does more."""
        key = self.matched.key(function)
        assert key
        if key.object in self.same_objects or self.same_code.get(function):
            return "work"
        if function in self.same_code:
            return "self"
        return "work" if _does_more(self.lines.of(function), *self._calls(function)) else "self"


def _does_more(lines: Sequence[Change[Line]], old_calls: int, new_calls: int) -> bool:
    """Whether several lines cost as many times what they did a call, and none is there on one side alone.

    So a loop runs more often; a line whose own code changed differs by itself.
    """
    ratios = set()
    for change in lines:
        if not change.old or not change.new or not change.old[0]:
            return False
        if change.new[0] * old_calls != change.old[0] * new_calls:
            ratios.add(round(change.new[0] * old_calls / (change.old[0] * new_calls), 2))
    return len(lines) > 1 and len(ratios) == 1


# ---- All -------------------------------------------------------------------


def causes_of(old: Profile, new: Profile, names: Names, exclude: Sequence[str] = ()) -> Explained:
    """Why the total of NEW differs from that of OLD."""
    finding = _Finding(old, new, names)
    found = finding.summands()
    found.leave_out(exclude)
    below = environments(old.parts[0], new.parts[0], found)
    causes = list(_dearest(finding, found, below))
    difference = [0] * len(finding.events)
    for cause in causes:
        add_cost(difference, cause.costs)
    uncounted = sum(finding.sides.explanation.uncounted)
    descriptions = [profile.parts[0].descriptions for profile in (old, new)]
    said = {what.partition(":")[0] for what, _ in below}
    conditions = [each for each in of_repeatable(*descriptions) if each.kind not in said]
    own = finding.own(exclude)
    return Explained(finding.events, difference, causes, exclude, uncounted, own, conditions)


def _dearest(
    finding: _Finding, found: Summands, below: Sequence[tuple[str, Sequence[int]]]
) -> Iterator[Cause]:
    """Dearest first; those below 0.1 % of all, up and down, as one."""
    sums = [found.sum(places) for _, places in below]
    every = found.size() + sum(abs(costs[0]) for costs in sums)
    large = [*finding.causes(found, found.at_least(every))]
    for (what, places), costs in zip(below, sums):
        if is_large(costs[0], every):
            causes = [*finding.causes(found, places)]
            large.append(Cause("environment", costs, what=what, below=causes))
    yield from sorted(large, key=lambda cause: [-abs(cost) for cost in cause.costs])
    left = len(found.left) + len(below) - len(large)
    if left:
        costs = [sum(column) for column in zip(found.sum(found.left), *sums)]
        for cause in large:
            costs = [cost - own for cost, own in zip(costs, cause.costs)]
        yield Cause("rest", costs, count=left)
