"""Runs of one program in other layouts of memory: what they cost, and which changes are more than that.

    runs = runs_of(profiles)              one profile for each run
    part = beside(runs)                   all of them as one, the costs of each run behind the other
    columns.value(event, cost)            the mean of the runs
    columns.values_of_runs(event, cost)   one number for each run
    verdict(event, old, new)              REAL or WITHIN

A change is real if the ranges of both sides lie apart, by more than what other runs may have
shown, had they been made; and if it is more than a handful, where the event is simulated.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

from cg2tools.profile.columns import Columns

from cg2tools.profile.events import built_in_events
from cg2tools.profile.libcg2profile import Sum
from cg2tools.profile.model import Cost, EventDefinition, Part, Profile, add_cost, part_of

REAL = "real"
WITHIN = "within layout"

_LAYOUT = "Layout"  # the kind of description that says which one a run had

_HANDFUL = 16
"""Misses that may come and go with what shares a line, which no layout changes."""

_UNSEEN = 4
"""The range that other runs may have shown beyond that of N is their range times this by N."""

_COUNTED = frozenset("Ir Dr Dw Bc Bi Ge Rep sysCount allocCount allocBytes".split())
"""Events that are no outcome of a simulation."""


def runs_of(profiles: Sequence[Profile]) -> list[Profile]:
    """The runs that profiles are of: each one, or, where a profile has several layouts, those."""
    runs: list[Profile] = []
    for profile in profiles:
        apart: dict[str, list[Part]] = {}
        for part in profile.parts:
            apart.setdefault(part.descriptions.get(_LAYOUT, ""), []).append(part)
        runs += [replace(profile, parts=parts) for parts in apart.values()]
    return runs


def added_up_said(profile: Profile) -> str:
    """What is to be said where all parts of a profile are added up; "": it has one run."""
    runs = runs_of([profile])
    if len(runs) == 1:
        return ""
    said = f"{len(runs):,} runs in other layouts of memory are added up; costs are those of all together"
    columns = zip(profile.parts[0].events, zip(*map(_total, runs)))
    differ = [
        f"{event} {mean(costs):,} ({min(costs):,} to {max(costs):,})"
        for event, costs in columns
        if min(costs) < max(costs)
    ]
    return f"{said}; of one run: {', '.join(differ)}" if differ else said


def _total(run: Profile) -> Cost:
    """What a run costs."""
    total = [0] * len(run.parts[0].events)
    for part in run.parts:
        part.check_events(run.parts[0], run.path)
        add_cost(total, part.lines.self_total())
    return total


def beside(runs: Sequence[Profile]) -> Part:
    """All runs as one part, which has the events of the first run, then those of the second."""
    first = runs[0].parts[0]
    events = [f"{event}.run{run}" for run in range(len(runs)) for event in first.events]
    width = len(first.events)
    added = Sum()
    added.begin(first.lines, events, first.positions)
    for run, profile in enumerate(runs):
        for part in profile.parts:
            part.check_events(first, first.path)
            added.add(part.lines, events=range(run * width, run * width + width))
    wide = part_of(added.result().parts[0], first)
    words = [*first.events, *built_in_events(first.events)]
    known = {
        name: EventDefinition(name, [], said)
        for event in words
        for name, said in (
            (f"{event}_least", "least of the runs"),
            (f"{event}_most", "most of the runs"),
        )
    }
    return replace(
        wide,
        events=first.events,
        event_definitions=first.event_definitions | known,
        summary=None,
        totals=None,
        runs=len(runs),
    )


class RunColumns(Columns):
    """Columns of costs that have those of several runs, one behind the other.

    The value of an event is the mean of the runs; EVENT_least and EVENT_most are events as well.
    """

    def __init__(
        self,
        part: Part,
        show: list[str],
        sort: list[str],
        percents: bool = True,
        colour: bool = False,
    ) -> None:
        """`part` is one that `beside` made."""
        bare = [[_taken_apart(event)[0] for event in events] for events in (show, sort)]
        super().__init__(part, bare[0], bare[1], percents, colour)
        self._width = len(part.events)
        self.runs = part.runs
        self.shown = show or part.events
        self.order = sort or self.shown

    def values_of_runs(self, event: str, cost: Sequence[int] | None) -> list[int]:
        """The value of each run."""
        if cost is None:
            return [0] * self.runs
        values = [0] * self.runs
        for index, factor in self._factors[_taken_apart(event)[0]]:
            for run in range(self.runs):
                values[run] += factor * cost[index + run * self._width]
        return values

    def value(self, event: str, cost: Sequence[int]) -> int:
        return _taken_apart(event)[1](self.values_of_runs(event, cost))

    def values_of(self, event: str, costs: "array[int]") -> Sequence[int]:
        width = len(self.total)
        return [
            self.value(event, costs[start : start + width]) for start in range(0, len(costs), width)
        ]

    def factors(self, event: str) -> list[tuple[int, int]]:
        """The factors of the sum of all runs."""
        factors = super().factors(_taken_apart(event)[0])
        return [
            (run * self._width + index, factor)
            for run in range(self.runs)
            for index, factor in factors
        ]

    def means(self, cost: Cost) -> Cost:
        """The mean of each recorded event."""
        return [mean(cost[index :: self._width]) for index in range(self._width)]

    def ranges(self, cost: Cost) -> list[list[int]]:
        """The least and the most of each recorded event."""
        columns = [cost[index :: self._width] for index in range(self._width)]
        return [[min(column), max(column)] for column in columns]


def _taken_apart(event: str) -> tuple[str, Callable[[Sequence[int]], int]]:
    """An event, and what of its runs is meant."""
    bare, mark, kind = event.rpartition("_")
    if mark and kind == "least":
        return bare, min
    if mark and kind == "most":
        return bare, max
    return event, mean


def with_ranges(part: Part, events: Sequence[str]) -> list[str]:
    """The events of a part that `beside` made, with the least and the most of those that differ from run to
    run, or are simulated."""
    columns = RunColumns(part, [*events], [*events])
    shown = []
    for event in events:
        shown.append(event)
        runs = columns.values_of_runs(event, columns.total)
        if event not in _COUNTED or min(runs) < max(runs):
            shown += [f"{event}_least", f"{event}_most"]
    return shown


def mean(numbers: Sequence[int], runs: int = 0) -> int:
    """The mean as a whole number; halves become the one further from 0. Without `runs`, there is a number
    for each."""
    total, count = sum(numbers), runs or len(numbers)
    size = (2 * abs(total) + count) // (2 * count)
    return size if total >= 0 else -size


def verdict(event: str, old: Sequence[int], new: Sequence[int]) -> str:
    """Whether a change is more than what another layout may make, given what each run cost."""
    apart = max(min(new) - max(old), min(old) - max(new))
    spread = max(max(old) - min(old), max(new) - min(new))
    runs = min(len(old), len(new))
    handful = 0 if event in _COUNTED else _HANDFUL
    is_real = apart > 0 and (apart - handful) * runs > spread * _UNSEEN
    return REAL if is_real else WITHIN
