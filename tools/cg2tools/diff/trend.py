"""What functions cost in profile after profile.

    trend = trend_of(snapshots, "Ir", smallest=0.01)
    for row in trend.rows:           what changed most, first
        row.key, row.costs           in each snapshot; None where it does not occur

A snapshot is what a profile, or the JSON that cg2_annotate wrote of one, says of
an event: the self cost of each function.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from cg2tools.diff.names import Names, in_other_file, program_in, program_of
from cg2tools.profile.columns import Columns
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.layouts import RunColumns, beside, runs_of
from cg2tools.profile.model import FunctionKey, Part, Profile, ProfileError


@dataclass(frozen=True, slots=True)
class Source:
    """A profile or a summary, as it was read."""

    path: str
    line: int  # where its events stand
    command: str
    events: list[str]
    part: Part | None  # of a profile
    total: list[int]
    costs: list[tuple[FunctionKey, list[int]]]  # of a summary
    partial: list[str]  # what is to be said if it is a part of a profile
    descriptions: dict[str, str]  # how it was made
    is_cut_off: bool = False


@dataclass(slots=True)
class Snapshot:
    """What the functions of a source have cost."""

    path: str
    total: int
    cost_of: dict[FunctionKey, int]
    descriptions: dict[str, str] = field(default_factory=dict)
    partial: list[str] = field(default_factory=list)
    is_cut_off: bool = False

    @property
    def left_out(self) -> int:
        """What the source does not say of which functions it is."""
        return self.total - sum(self.cost_of.values())


@dataclass(frozen=True, slots=True)
class Row:
    """A function; None is a snapshot in which it does not occur."""

    key: FunctionKey
    costs: tuple[int | None, ...]

    @property
    def numbers(self) -> list[int]:
        return [cost or 0 for cost in self.costs]

    @property
    def span(self) -> int:
        """How far its costs are apart."""
        return max(self.numbers) - min(self.numbers)


@dataclass(frozen=True, slots=True)
class Trend:
    """All functions that changed, what changed most first."""

    event: str
    snapshots: list[Snapshot]
    rows: list[Row]  # those large enough
    small: int  # how many others changed
    smallest: float  # percent of the first total that costs must be apart

    @property
    def labels(self) -> list[str]:
        """A name for each snapshot: its file without the directory, if that is enough."""
        paths = [snapshot.path for snapshot in self.snapshots]
        names = [Path(path).name for path in paths]
        return names if len(set(names)) == len(names) else paths


# ---- Reading -----------------------------------------------------------------


def profile_source(profile: Profile) -> Source:
    runs = runs_of([profile])
    part = beside(runs) if len(runs) > 1 else profile.merged()
    line = profile.parts[0].line_of["events"]
    total = part.self_total()
    is_cut_off = bool(profile.cut_off)
    partial = [*profile.partial]
    if len(runs) > 1:
        partial.append(
            f"{profile.path}: costs are the mean of {len(runs):,} runs in other layouts of memory"
        )
    made = profile.parts[0].descriptions
    return Source(
        profile.path, line, part.cmd, part.events, part, total, [], partial, made, is_cut_off
    )


def summary_source(path: str, text: str) -> Source:
    """What `cg2_annotate --json` wrote; ProfileError if it is something else."""
    try:
        said = json.loads(text)
        costs = [
            (FunctionKey(*map(_text, _named(each))), _cost(each["self"]))
            for each in said["functions"]
        ]
        events = list(map(_text, said["events"]))
        total = _cost(said["total"])
        command = _text(said["cmd"])
        partial = list(map(_text, said.get("partial", [])))
        made = _texts(said["parts"][0]["descriptions"]) if said.get("parts") else {}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise _no_summary(path) from None
    if any(len(cost) != len(events) for cost in (total, *(cost for _, cost in costs))):
        raise _no_summary(path)
    return Source(path, 1, command, events, None, total, costs, partial, made)


def _named(function: Any) -> tuple[Any, Any, Any]:
    return function["object"], function["file"], function["name"]


def _text(said: Any) -> str:
    """A text in one line, which a file can have."""
    if not isinstance(said, str) or "\n" in said or "\0" in said:
        raise TypeError
    said.encode("utf-8", "surrogateescape")
    return said


def _texts(said: Any) -> dict[str, str]:
    return {_text(kind): _text(text) for kind, text in said.items()}


def _cost(numbers: Any) -> list[int]:
    if not isinstance(numbers, list) or not all(map(_is_cost, numbers)):
        raise TypeError
    return numbers


def _is_cost(number: Any) -> bool:
    return type(number) is int and abs(number) < 1 << 64


def _no_summary(path: str) -> ProfileError:
    return ProfileError(path, 1, "not what cg2_annotate --json writes; expected that, or a profile")


def check_event(source: Source, last: Source, event: str) -> None:
    """ProfileError where a source has not the event, which the last one has."""
    if event in last.events and event not in source.events:
        raise ProfileError(
            source.path,
            source.line,
            f"events: {' '.join(source.events)}; expected {event} among them, as in {last.path}",
        )


def not_in_all(events: Sequence[Sequence[str]]) -> list[str]:
    """The events that some sources have, and others have not."""
    known = dict.fromkeys(event for each in events for event in each)
    return [event for event in known if not all(event in each for each in events)]


def snapshot_of(source: Source, event: str, names: Names, program: str) -> Snapshot:
    """The functions by the names that the rules give; ProfileError if there is no such event."""
    cost_of: dict[FunctionKey, int] = {}
    total, keys, costs = _values(source, event)
    for key, cost in zip(names.renamed(keys, program_of_source(source), program), costs):
        cost_of[key] = cost_of.get(key, 0) + cost
    made, partial = source.descriptions, source.partial
    return Snapshot(source.path, total, cost_of, made, partial, source.is_cut_off)


def program_of_source(source: Source) -> str:
    """The program that was run, without its directory."""
    if source.part is not None:
        return program_of(source.part)
    return program_in(source.command, {key.object for key, _ in source.costs})


def _values(source: Source, event: str) -> tuple[int, Sequence[FunctionKey], Iterable[int]]:
    """The total, the functions, and each one's self cost."""
    if source.part is not None:
        kind = RunColumns if source.part.runs > 1 else Columns
        columns = kind(source.part, [event], [event])
        graph = Graph(source.part.lines)
        values = columns.values_of(event, graph.self_costs)
        return columns.value(event, columns.total), graph.keys, values
    if event not in source.events:
        raise ProfileError(
            source.path,
            source.line,
            f"there is no event '{event}'; expected one of {' '.join(source.events)}",
        )
    index = source.events.index(event)
    keys = [key for key, _ in source.costs]
    return source.total[index], keys, (cost[index] for _, cost in source.costs)


# ---- Comparing ---------------------------------------------------------------


def trend_of(snapshots: Sequence[Snapshot], event: str, smallest: float) -> Trend:
    """Functions that are in another file than in the last snapshot have the last one's."""
    last = set(snapshots[-1].cost_of)
    for snapshot in snapshots[:-1]:
        for old, new in in_other_file(set(snapshot.cost_of), last).items():
            snapshot.cost_of[new] = snapshot.cost_of.pop(old)
    keys = sorted({key for snapshot in snapshots for key in snapshot.cost_of})
    rows = [Row(key, tuple(each.cost_of.get(key) for each in snapshots)) for key in keys]
    changed = sorted((row for row in rows if row.span), key=lambda row: -row.span)
    first = next((abs(each.total) for each in snapshots if each.total), 1)
    least = math.ceil(Fraction(smallest) / 100 * first)
    large = [row for row in changed if row.span >= least]
    return Trend(event, list(snapshots), large, len(changed) - len(large), smallest)
