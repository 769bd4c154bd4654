"""Why a total differs: the library's pieces as causes, each with a name, dearest first.

    found = causes_of(old, new, names, comparison)
    for cause in found.causes:
        cause.kind, cause.function, cause.costs
"""

from array import array
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest

from cg2tools.diff.cause import Cause
from cg2tools.diff.codes import Codes, Ran
from cg2tools.diff.comparison import Change, Comparison, Line
from cg2tools.diff.environment import put_below, same_objects
from cg2tools.diff.matches import Facts, Matched, matched_functions
from cg2tools.diff.names import Names, program_of, without_clones
from cg2tools.diff.othercallers import joined
from cg2tools.diff.systems import system_of
from cg2tools.profile.explanation import Explanation, Piece, Side
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Cost, FunctionKey, Profile, add_cost

KINDS = (
    "self work calls inlined outlined replaced added removed layout allocator linker environment rest"
).split()

_MOST = 3
"""How many functions are known by what they cost themselves."""

_DOUBTED = 10_000
"""A piece that is less than this part of all is below what is asked of machine code."""

_WITH_LINES = "self", "work", "replaced", "added", "inlined", "outlined"


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


@dataclass(frozen=True, slots=True)
class Own:
    """How much more functions cost themselves, by the first event."""

    every: int
    """All together, up and down."""
    count: int
    """How many differ."""
    most: Mapping[FunctionKey, int]
    """The functions that differ most, dearest first."""


class _Sides:
    """The graphs of OLD and NEW, and which functions of theirs are one."""

    def __init__(self, old: Profile, new: Profile, names: Names) -> None:
        program = program_of(new.parts[0])
        apart = replace(names, fold_clones=False)
        self.graphs: list[list[Graph]] = []
        keys_of: list[list[list[FunctionKey]]] = []
        profiles = old, new
        for profile in (old, new):
            own = program_of(profile.parts[0])
            graphs = [Graph(part.lines) for part in profile.parts]
            self.graphs.append(graphs)
            keys_of.append([apart.renamed(graph.keys, own, program) for graph in graphs])
        self.facts = [Facts(*side) for side in zip(self.graphs, keys_of)]
        self.matched = matched_functions(
            self.facts[0], self.facts[1], partial(self._by_code, profiles, keys_of)
        )
        numbers = [
            [array("I", map(self.matched.number[side].__getitem__, keys)) for keys in each]
            for side, each in enumerate(keys_of)
        ]
        old_side, new_side = map(Side, self.graphs, numbers)
        self.codes = Codes(*map(Ran, profiles, self.graphs, numbers))
        self.explanation = Explanation(old_side, new_side, len(self.matched.keys[0]))

    def _by_code(
        self,
        profiles: Sequence[Profile],
        keys_of: Sequence[Sequence[Sequence[FunctionKey]]],
        gone: Set[FunctionKey],
        come: Set[FunctionKey],
    ) -> dict[FunctionKey, FunctionKey]:
        """The functions of OLD that have the same code as functions of NEW."""
        keys = [*gone, *come]
        number = {key: place for place, key in enumerate(keys)}
        sides = [
            Ran(
                profile, graphs, [[number.get(key, NONE) for key in each] for each in keys_of[side]]
            )
            for side, (profile, graphs) in enumerate(zip(profiles, self.graphs))
        ]
        wanted = [{number[key] for key in side} for side in (gone, come)]
        found = Codes(*sides).pairs(*wanted)
        return {keys[was]: keys[now] for was, now in found.items()}


# ---- Kinds -----------------------------------------------------------------


class _Finding:
    """Makes causes of pieces."""

    def __init__(self, old: Profile, new: Profile, names: Names, comparison: Comparison) -> None:
        self.sides = _Sides(old, new, names)
        self.folds_clones = names.fold_clones
        self.matched: Matched = self.sides.matched
        descriptions = [profile.parts[0].descriptions for profile in (old, new)]
        self.same_objects = same_objects(*descriptions)
        self.same_code: Mapping[int, bool] = {}
        """Known of functions whose machine code could be compared."""
        self.lines: dict[FunctionKey, list[Change[Line]]] = defaultdict(list)
        for change in comparison.lines:
            self.lines[change.what.function].append(change)
        self.comparison = comparison
        self.moved: dict[str, dict[int, int]] = {}
        """By file, how far lines of OLD that are in both have moved; made when it is asked for."""
        self.known: dict[str, list[int]] = {}
        self.events = new.parts[0].events
        self.found: dict[tuple[str, int, int], Cause] = {}
        self.inlined: dict[tuple[int, int], tuple[str, int, int]] = {}
        """By piece, function and callee, the inlined or outlined function that it belongs to."""

    def key(self, number: int) -> FunctionKey | None:
        """NEW's, or OLD's where NEW has none."""
        if number < 0:
            return None
        return self.matched.keys[1][number] or self.matched.keys[0][number]

    def is_only(self, side: int, number: int) -> bool:
        return number >= 0 and self.matched.keys[1 - side][number] is None

    def causes(self) -> list[Cause]:
        self._note_inlined()
        self.same_code = self.sides.codes.are_same(set(self._doubtful()))
        for piece in self.sides.explanation.pieces:
            if any(piece.costs):
                self._add(piece)
        return [cause for cause in self.found.values() if any(cause.costs)]

    def own(self, exclude: Sequence[str]) -> Own:
        """How much more each function costs itself, but for those of some systems."""
        width = len(self.events)
        old, new = (costs[::width] for costs in self.sides.explanation.self_costs)
        found = [
            (abs(now - was), number, now - was)
            for number, (was, now) in enumerate(zip(old, new))
            if was != now
        ]
        if exclude:
            found = [
                each
                for each in found
                if (key := self.key(each[1])) and system_of(key) not in exclude
            ]
        most = {
            key: cost for _, number, cost in nlargest(_MOST, found) if (key := self.key(number))
        }
        return Own(sum(size for size, _, _ in found), len(found), most)

    def _doubtful(self) -> Iterator[int]:
        """Functions whose own cost a call is another, and is no part of the rest."""
        if not self.sides.codes.is_there:
            return
        pieces = self.sides.explanation.pieces
        every = sum(abs(piece.costs[0]) for piece in pieces)
        for piece in pieces:
            is_one = piece.callee < 0 and not self.is_only(0, piece.function)
            if is_one and abs(piece.costs[0]) * _DOUBTED >= every:
                key = self.key(piece.function)
                if key and key.object not in self.same_objects:
                    yield piece.function

    def _add(self, piece: Piece) -> None:
        kind, function, callee = self._kind(piece)
        cause = self.found.get((kind, function, callee))
        if cause is None:
            cause = self._cause(kind, function, callee)
            self.found[kind, function, callee] = cause
        add_cost(cause.costs, piece.costs)
        if piece.callee >= 0 and kind in ("calls", "removed"):
            was, now = cause.calls
            cause.calls = was + piece.old_count, now + piece.new_count

    def _kind(self, piece: Piece) -> tuple[str, int, int]:
        """The kind of cause that a piece belongs to, its function and its callee."""
        function, callee = piece.function, piece.callee
        if (function, callee) in self.inlined:
            return self.inlined[function, callee]
        key = self.key(function)
        if self.is_only(0, callee) and not (key and system_of(key)):
            return "removed", callee, -1
        if key and system_of(key):
            return system_of(key), function, -1
        if function in self.matched.was:
            return "replaced", function, -1
        if self._is_layout(piece):
            return "layout", function, -1
        if callee >= 0:
            return "calls", function, callee
        if self.is_only(1, function):
            return "added", function, -1
        return self._own_kind(function), function, -1

    # ---- Inlined functions -------------------------------------------------

    def _note_inlined(self) -> None:
        """Find callees that stand in their callers now, or no longer, and which pieces are theirs."""
        found = list(self._inlined())
        inner = {callee for _, _, callee in found}
        called = self._called_by(inner) if found else {}
        for cause in found:
            _, caller, callee = cause
            self.inlined.setdefault((caller, -1), cause)
            self.inlined.setdefault((caller, callee), cause)
            for other in called.get(callee, ()):
                self.inlined.setdefault((caller, other), cause)
                if self.is_only(1, callee):
                    self.inlined.setdefault((callee, other), cause)
            if self.is_only(1, callee):
                self.inlined.setdefault((callee, -1), cause)

    def _inlined(self) -> Iterator[tuple[str, int, int]]:
        for piece in self.sides.explanation.pieces:
            caller, callee = piece.function, piece.callee
            if caller < 0 or callee < 0 or bool(piece.old_count) == bool(piece.new_count):
                continue
            kind = "outlined" if piece.new_count else "inlined"
            if self._has_lines_of(caller, callee, kind == "inlined"):
                yield kind, caller, callee

    def _called_by(self, inner: Set[int]) -> dict[int, set[int]]:
        """What functions call in either side."""
        found: dict[int, set[int]] = defaultdict(set)
        for facts, number, keys in zip(self.sides.facts, self.matched.number, self.matched.keys):
            wanted = {key for each in inner if (key := keys[each])}
            for key, callees in facts.calls(wanted)[1].items():
                found[number[key]].update(map(number.__getitem__, callees))
        return found

    def _has_lines_of(self, caller: int, callee: int, is_now: bool) -> bool:
        """Whether a caller has lines now, or had them, that are between the callee's."""
        outer, inner = self.key(caller), self.key(callee)
        assert outer and inner
        theirs = [
            self._now(change.what) if is_now else change.what.new
            for change in self._lines_of(inner)
            if change.what.file == inner.file and (change.what.old if is_now else change.what.new)
        ]
        numbers = [number for number in theirs if number]
        if not numbers:
            return False
        first, last = min(numbers), max(numbers)
        return any(
            change.what.file == inner.file and first <= self._now(change.what) <= last
            for change in self._lines_of(outer)
            if (change.old is None if is_now else change.new is None)
        )

    def _now(self, line: Line) -> int:
        """Where a line is in NEW; of one that only OLD has, where it would be: its neighbours moved so."""
        if line.new or not line.old:
            return line.new or 0
        if not self.moved:
            for change in self.comparison.lines:
                was, now = change.what.old, change.what.new
                if was and now:
                    self.moved.setdefault(change.what.file, {})[was] = now - was
            self.known = {file: sorted(moves) for file, moves in self.moved.items()}
        known = self.known.get(line.file)
        if not known:
            return line.old
        place = bisect(known, line.old)
        near = min(
            known[max(place - 1, 0) : place + 1], key=lambda each: abs(each - (line.old or 0))
        )
        return line.old + self.moved[line.file][near]

    def _is_layout(self, piece: Piece) -> bool:
        """Whether only misses differ."""
        return "Ir" in self.events and not piece.costs[self.events.index("Ir")]

    def _own_kind(self, function: int) -> str:
        """Whether a function's code is another, or does more."""
        key = self.key(function)
        assert key
        if key.object in self.same_objects or self.same_code.get(function):
            return "work"
        if function in self.same_code:
            return "self"
        calls = [calls[function] for calls in self.sides.explanation.calls]
        return "work" if _does_more(self._lines_of(key), *calls) else "self"

    def _lines_of(self, key: FunctionKey) -> list[Change[Line]]:
        name = without_clones(key.name) if self.folds_clones else key.name
        return self.lines.get(key if name == key.name else key._replace(name=name), [])

    def _cause(self, kind: str, function: int, callee: int) -> Cause:
        key = self.key(function)
        calls = self.sides.explanation.calls
        its = (calls[0][function], calls[1][function]) if function >= 0 else (0, 0)
        of_callee = kind in ("calls", "removed")
        is_known = function in self.same_code or bool(key and key.object in self.same_objects)
        return Cause(
            kind,
            [0] * len(self.events),
            key,
            self.key(callee),
            self.matched.was.get(function) if kind == "replaced" else None,
            (0, 0) if of_callee else its,
            its if of_callee else (0, 0),
            kind in ("self", "work") and not is_known,
            lines=self._lines_of(key) if key and kind in _WITH_LINES else [],
        )


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


def causes_of(
    old: Profile,
    new: Profile,
    names: Names,
    comparison: Comparison,
    exclude: Sequence[str] = (),
) -> Explained:
    """Why the total of NEW differs from that of OLD."""
    finding = _Finding(old, new, names, comparison)
    was, now = (profile.parts[0].descriptions for profile in (old, new))
    causes = [cause for cause in joined(finding.causes()) if cause.kind not in exclude]
    causes = list(_with_rest(put_below(causes, was, now)))
    difference = [0] * len(finding.events)
    for cause in causes:
        add_cost(difference, cause.costs)
    uncounted = sum(finding.sides.explanation.uncounted)
    own = finding.own(exclude)
    return Explained(finding.events, difference, causes, exclude, uncounted, own)


def _with_rest(causes: list[Cause]) -> Iterator[Cause]:
    """Dearest first; those below 0.1 % of all, up and down, as one."""
    every = sum(abs(cause.costs[0]) for cause in causes)
    large = [cause for cause in causes if not every or abs(cause.costs[0]) * 1000 >= every]
    yield from sorted(large, key=lambda cause: [-abs(cost) for cost in cause.costs])
    if len(large) == len(causes):
        return
    costs = [sum(column) for column in zip(*(cause.costs for cause in causes))]
    for cause in large:
        costs = [cost - own for cost, own in zip(costs, cause.costs)]
    yield Cause("rest", costs, count=len(causes) - len(large))
