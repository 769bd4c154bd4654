"""The report of cg2_diff: a Comparison as text, as Markdown, as JSON."""

import json
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from cg2tools.diff.callpaths import CallPath
from cg2tools.diff.commonevents import LeftOut
from cg2tools.diff.comparison import Change, Comparison, Line, Pair, What
from cg2tools.diff.conditions import (
    Condition,
    condition_lines,
    conditions_of,
    described_condition,
    markdown_conditions,
)
from cg2tools.diff.dataplaces import DataNames, Place, is_object
from cg2tools.diff.growth import Growth, percent_of
from cg2tools.profile.cycles import CLAIMED, ESTIMATED, estimate_said, is_cycles
from cg2tools.profile.layouts import RunColumns
from cg2tools.diff.markdown import code, plain
from cg2tools.diff.verdicts import (
    Verdict,
    described_verdict,
    exceeded,
    exceeded_lines,
    is_about,
    summary,
    verdict_lines,
)
from cg2tools.profile.columns import known_events
from cg2tools.profile.model import Cost, FunctionKey, Profile, ProfileError
from cg2tools.profile.morepaths import more_said
from cg2tools.profile.spoken import Spoken

_RULE = "-" * 80

_PIECES = 10_000
"""How many pieces of JSON, most of a few letters, are put together at a time."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported: the two files, what differs, and how much of it."""

    old: Profile
    new: Profile
    comparison: Comparison
    rows: int  # how many rows a table has; 0 is all
    smallest: float  # percent of the total that a row's difference is at least
    verdicts: list[Verdict]  # of limits
    full_names: bool = False  # of functions, in tables
    left_out: Sequence[LeftOut] = ()  # events that are not compared
    excluded: Sequence[str] = ()  # systems whose own cost is not in the totals

    @property
    def totals(self) -> tuple[int, int]:
        """OLD's and NEW's."""
        value = self.comparison.value
        return (value(self.comparison.old_total), value(self.comparison.new_total))

    @property
    def least(self) -> int:
        """The smallest difference that is shown."""
        return math.ceil(
            Fraction(self.smallest) / 100 * max(abs(self.totals[0] or self.totals[1]), 1)
        )

    @property
    def growth(self) -> Growth:
        return Growth(self.comparison.event, *self.totals)

    @property
    def partial(self) -> list[str]:
        """What is to be said where only a part of a profile is compared."""
        return [*_left_out(self.old), *_left_out(self.new)]

    @property
    def conditions(self) -> list[Condition]:
        """What else than the program differs between the two."""
        old, new = (profile.parts[0].descriptions for profile in (self.old, self.new))
        return conditions_of(old, new, self.growth, self.verdicts)

    @property
    def is_data(self) -> bool:
        """Data files are compared."""
        return self.new.parts[0].is_data

    @property
    def has_paths(self) -> bool:
        """Files of paths are compared."""
        return self.new.parts[0].has_paths

    @property
    def has_verdicts(self) -> bool:
        """Whether there are runs in several layouts, of which each row is judged."""
        return self.comparison.runs > 1

    @property
    def runs_said(self) -> list[str]:
        """What is to be said of several runs."""
        runs = self.comparison.runs
        if runs == 1:
            return []
        return [
            f"Layouts: costs are the mean of {runs:,} runs of each side; a difference is real where it is "
            "more than other layouts of memory make"
        ]

    @property
    def estimate_said(self) -> list[str]:
        """What is to be said of cycles that are estimated, and of what no estimate can tell."""
        said = estimate_said([*self.old.parts, *self.new.parts])
        if not said:
            return []
        small = f"of differences of Cyc and Cy* below {CLAIMED} % nothing is claimed"
        old, new = self.totals
        is_small = is_cycles(self.comparison.event) and 100 * abs(new - old) < CLAIMED * abs(old)
        return [f"{ESTIMATED}: {said}; {small}{', as of this one' if is_small else ''}"]

    @property
    def excluded_said(self) -> list[str]:
        """What is to be said of that."""
        if not self.excluded:
            return []
        return [
            f"Left out of the totals: what functions of the {' and the '.join(self.excluded)} cost"
        ]

    @property
    def is_cut_off(self) -> bool:
        return bool(self.old.cut_off or self.new.cut_off)


def _left_out(profile: Profile) -> list[str]:
    """What is missing of a profile, and how much of it had no path."""
    parts = [part.lines for part in profile.parts if part.has_paths]
    said = more_said(profile.parts[0].events[0], parts) if parts else ""
    return [*profile.partial, *([f"{profile.path}: {said}"] if said else [])]


# ---- Tables ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows of cells; the last cell is a name."""

    title: str
    head: list[str]
    rows: list[list[str]]
    left: int  # rows that are not shown,
    small: int  # and those that differ too little
    smallest: float  # percent

    def rest(self) -> Iterator[str]:
        """What is not shown besides rows."""
        if self.left:
            yield f"and {self.left:,} more; --rows=0 shows all"
        if self.small:
            yield f"and {self._small_ones()}"

    def nothing(self) -> str:
        """What is said where there are no rows."""
        return f"no difference but {self._small_ones()}" if self.small else "no difference"

    def _small_ones(self) -> str:
        return f"{self.small:,} of less than {self.smallest:g} %; --smallest=0 shows all"


_COUNTED = {"call": "calls", "code": "accesses", "path": "calls"}
"""What is counted of the rows of a table, by their kind."""


def _tables(report: Report) -> Iterator[_Table]:
    found = report.comparison
    if report.is_data:
        yield _table(report, "Data objects", "object", found.functions)
        yield _table(report, "Members and offsets", "where", found.places)
        touching = [change for change in found.calls if is_object(change.what.callee)]
        yield _table(report, "Code, by the data that it touches", "code", touching)
        return
    yield _table(report, "Functions, by what they cost themselves", "function", found.functions)
    yield _table(report, "Functions, with what they call", "function", found.inclusive)
    if report.has_paths:
        yield _table(report, "Paths, by what they cost themselves", "path", found.paths)
        yield _table(report, "Paths, with what they call", "path", found.whole_paths)
        return
    yield _table(report, "Lines", "line", found.lines)
    yield _table(report, "Calls, with what they cost inclusively", "call", found.calls)


def _table(report: Report, title: str, kind: str, changes: Sequence[Change[What]]) -> _Table:
    large = _count_large(report, changes)
    shown = changes[: min(report.rows or large, large)]
    spoken = DataNames if report.is_data else Spoken
    names = spoken(
        (key for change in shown for key in _functions_of(change.what)), report.full_names
    )
    return _Table(
        title,
        [
            "difference",
            "of total",
            "old",
            "new",
            *([_COUNTED[kind]] if kind in _COUNTED else []),
            *(["verdict"] if report.has_verdicts else []),
            "",
            kind,
        ],
        [_row(report, change, names) for change in shown],
        large - len(shown),
        len(changes) - large,
        report.smallest,
    )


def _count_large(report: Report, changes: Sequence[Change[What]]) -> int:
    """How many differ by as much as is shown; these come first."""

    def smallness(change: Change[What]) -> int:
        return -abs(report.comparison.difference(change))

    return bisect_left(changes, 1 - report.least, key=smallness)


def _row(report: Report, change: Change[What], names: Spoken) -> list[str]:
    found = report.comparison
    difference = found.difference(change)
    total = report.totals[0]
    row: list[str] = [
        f"{difference:+,}" if difference else "0",
        f"{percent_of(difference, total, '+')}%" if total else "",
        f"{found.value(change.old):,}",
        f"{found.value(change.new):,}",
    ]
    if isinstance(change.what, Pair | CallPath):
        row.append(_calls(change))
    if report.has_verdicts:
        row.append(found.verdict(change.old, change.new))
    return [*row, change.kind, _name(change.what, names) + found.rounds_said(change)]


def _calls(change: Change[What]) -> str:
    """The calls before and now; an estimated number has a ~."""
    old = f"{'~' if change.old_is_estimated else ''}{change.old_calls:,}x"
    new = f"{'~' if change.new_is_estimated else ''}{change.new_calls:,}x"
    return new if old == new else f"{old} -> {new}"


_What = FunctionKey | Line | Pair | Place | CallPath


def _functions_of(what: _What) -> tuple[FunctionKey, ...]:
    if isinstance(what, Pair):
        return what
    if isinstance(what, CallPath):
        return what.functions
    if isinstance(what, Place):
        return (what.object,)
    return (what,) if isinstance(what, FunctionKey) else (what.function,)


def _name(what: _What, names: Spoken) -> str:
    if isinstance(what, CallPath):
        return _path(what.functions, names)
    if isinstance(what, Pair):
        return " -> ".join(map(names.label_of, what))
    if isinstance(what, FunctionKey):
        return names.label_of(what)
    if isinstance(what, Place):
        return f"{names.label_of(what.object)}: {_within(what)}"
    moved = "" if None in (what.old, what.new) or what.old == what.new else (f" (was {what.old})")
    return f"{what.file}:{what.number}{moved} in {names.name_of(what.function)}"


_FIRST, _LAST = 2, 6
"""How many functions of a path are shown at its ends, if there are more than these."""


def _path(functions: Sequence[FunctionKey], names: Spoken) -> str:
    """The functions, the outermost one first; of many those at both ends."""
    said = names.names_of(functions)
    left = len(said) - _FIRST - _LAST
    if left > 1:
        said[_FIRST:-_LAST] = [f"({left:,} more)"]
    return " > ".join(said)


def _within(what: Place) -> str:
    """A member and where it is, or an offset alone."""
    where = what.new or what.old
    if where == what.name:
        return f"at {where}"
    moved = f" (was {what.old})" if what.old and what.new and what.old != what.new else ""
    return f"{what.name} at {where}{moved}"


# ---- Text ------------------------------------------------------------------


def text_report(report: Report) -> Iterator[str]:
    """For a terminal."""
    for side, profile in ("Old", report.old), ("New", report.new):
        yield f"{side}: {profile.path} ({profile.parts[0].cmd.strip()})"
    yield from partial_lines(report.partial)
    yield from condition_lines(report.conditions)
    yield from map(str, report.left_out)
    yield from [*report.excluded_said, *report.runs_said, *report.estimate_said]
    yield from verdict_lines(report.growth, report.verdicts, report.rows)
    yield from _event_lines(report)
    for table in _tables(report):
        yield from ("", _RULE, table.title, _RULE)
        yield from _lines(table)


def _event_lines(report: Report) -> Iterator[str]:
    """The total of each event, if there are several."""
    rows, more = _event_rows(report)
    if not rows:
        return
    yield ""
    if report.has_verdicts:
        table = [["event", "old", "new", "difference", "verdict"], *rows]
    else:
        table = [["event", "old", "new", "difference"], *(row[:-1] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table)]
    for event, *numbers in table:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:])]
        yield "  ".join([event.ljust(widths[0]), *cells])
    yield from more


def partial_lines(partial: Sequence[str]) -> Iterator[str]:
    """What is said where a part of a profile is compared."""
    for said in partial:
        yield f"Partial: {said}"


def _lines(table: _Table) -> Iterator[str]:
    if not table.rows:
        yield table.nothing()
        return
    widths = [max(map(len, column)) for column in zip(table.head, *table.rows)]
    for row in [table.head, *table.rows]:
        *numbers, kind, name = row
        cells = [cell.rjust(width) for cell, width in zip(numbers, widths)]
        yield "  ".join([*cells, kind.ljust(widths[-2]), name])
    yield from table.rest()


# ---- Markdown --------------------------------------------------------------

_COMMENT = 65_536
"""How many characters a comment on GitHub may have."""
_ROOM = 200
"""How many of them are kept to say that there were more."""


def comment(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a Markdown text that a comment has room for; then one that says so."""
    room = _COMMENT - _ROOM
    is_folded = False
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            yield ""
            yield (
                f"... cut off here: a comment may have {_COMMENT:,} characters; "
                "fewer rows (--rows=N) or --names=short make it shorter."
            )
            yield from ["", "</details>"] * is_folded
            return
        is_folded = line.startswith("<details>") or (is_folded and line != "</details>")
        yield line


def markdown_report(report: Report) -> Iterator[str]:
    """For a comment on a pull request: what changed in all; the tables are folded."""
    return comment(_markdown(report))


def _summary(report: Report) -> Iterator[str]:
    """What became worse, better and stayed: the total of each event, and how many functions."""
    found = report.comparison
    rows, more = _event_rows(report)
    if rows:
        yield "| event | old | new | difference | |"
        yield "| --- | ---: | ---: | ---: | --- |"
        for event, *cells in rows:
            yield f"| {code(event)} | {' | '.join(cells)} |"
        yield ""
    for said in more:
        yield from (f"... {said}.", "")
    differences = map(found.difference, found.functions[: _count_large(report, found.functions)])
    judged = Counter(map(_judged, differences))
    keys = {*found.old.keys, *found.new.keys}
    everything = sum(map(is_object, keys)) if report.is_data else len(keys)
    kept = everything - judged["worse"] - judged["better"]
    what = "data objects" if report.is_data else "functions, by what they cost themselves"
    limit = f", or by less than {report.smallest:g} % of the total" if report.smallest else ""
    yield (
        f"{plain(found.event)} of {what}: **{judged['worse']:,} worse**, "
        f"**{judged['better']:,} better**, {kept:,} unchanged{limit}."
    )


def _event_rows(report: Report) -> tuple[list[list[str]], list[str]]:
    """Each event: OLD's total, NEW's, the difference, and what it is; and what is not shown.

    Of one event the heading says it.
    """
    totals = [*_totals(report.comparison)]
    rows = []
    for event, old, new in totals[: report.rows or None] if len(totals) > 1 else ():
        percent = f"{percent_of(new - old, old, '+')}%" if old else f"{new - old:+,}"
        judged = report.comparison.total_verdict(event) or _judged(new - old)
        rows.append([event, f"{old:,}", f"{new:,}", percent, judged])
    left = len(totals) - len(rows) if rows else 0
    return rows, [f"and {left:,} more events; --rows=0 shows all"] if left else []


def _totals(found: Comparison) -> Iterator[tuple[str, int, int]]:
    """What each event costs in OLD and NEW, those that formulas make behind those that are recorded."""
    for event in known_events(found.part):
        try:
            value = found.columns_of(event).value
        except ProfileError:
            continue  # a formula that makes no sense
        yield event, value(event, found.old_total), value(event, found.new_total)


def _judged(difference: int) -> str:
    if not difference:
        return "unchanged"
    return "worse" if difference > 0 else "better"


def _markdown(report: Report) -> Iterator[str]:
    yield from markdown_verdicts(report.growth, report.verdicts, report.partial, report.rows)
    yield from markdown_conditions(report.conditions)
    for left_out in report.left_out:
        yield ""
        yield f"{left_out.said(plain)}."
    for said in [*report.excluded_said, *report.runs_said, *report.estimate_said]:
        yield from ("", f"{said}.")
    yield ""
    yield from _summary(report)
    for table in _tables(report):
        yield ""
        yield f"<details><summary>{table.title}</summary>"
        yield ""
        yield from _markdown_lines(table)
        yield ""
        yield "</details>"


def markdown_verdicts(
    growth: Growth, verdicts: Sequence[Verdict], partial: Sequence[str], most: int
) -> Iterator[str]:
    """The heading about the total, what is `partial`, and what limits say."""
    yield f"### {growth.said(plain)}"
    for said in partial:
        yield ""
        yield f"**Partial**: {code(said)}"
    if not verdicts:
        return
    is_one = is_about(growth, verdicts)
    yield ""
    yield (
        f"**{'FAILED' if exceeded(verdicts) else 'Passed'}**: "
        f"{verdicts[0].allowance if is_one else summary(verdicts)}."
    )
    lines = [] if is_one else [*exceeded_lines(verdicts, most)]
    yield from [""] * bool(lines)
    yield from (f"- {code(line)}" for line in lines)


def _markdown_lines(table: _Table) -> Iterator[str]:
    if not table.rows:
        yield f"{table.nothing().capitalize()}."
        return
    yield f"| {' | '.join(table.head)} |"
    columns = len(table.head) - 2
    yield f"|{' ---: |' * columns} --- | --- |"
    for row in table.rows:
        yield f"| {' | '.join([*row[:-1], code(row[-1])])} |"
    for rest in table.rest():
        yield ""
        yield f"... {rest}."


# ---- JSON ------------------------------------------------------------------


def json_report(report: Report) -> Iterator[str]:
    """All changes; each cost is a list with a number for each of `events`."""
    found = report.comparison
    old, new = report.totals
    described: dict[str, Any] = {
        "old": _side(report.old, _means(found, found.old_total)),
        "new": _side(report.new, _means(found, found.new_total)),
        "events": report.new.parts[0].events,
        "left_out": {each.path: each.events for each in report.left_out},
        "compared": {"event": found.event, "old": old, "new": new, "difference": new - old},
        **({"excluded": [*report.excluded]} if report.excluded else {}),
        **(_described_runs(report) if report.has_verdicts else {}),
        **({"estimate": report.estimate_said[0]} if report.estimate_said else {}),
        "limits": list(map(described_verdict, report.verdicts)),
        "conditions": list(map(described_condition, report.conditions)),
        "functions": _Described(found, found.functions),
        "inclusive": _Described(found, found.inclusive),
        "lines": _Described(found, found.lines),
        "calls": _Described(found, found.calls),
        **({"places": _Described(found, found.places)} if report.is_data else {}),
        **(_described_paths(found) if report.has_paths else {}),
    }
    pieces = json.JSONEncoder(indent=1).iterencode(described)
    line = ""
    while text := "".join(islice(pieces, _PIECES)):
        *lines, line = (line + text).split("\n")
        yield from lines
    yield line


def _described_paths(found: Comparison) -> dict[str, Any]:
    return {
        "paths": _Described(found, found.paths),
        "whole_paths": _Described(found, found.whole_paths),
    }


class _Described(list[Any]):
    """Changes, each described when it is written: all together are larger than the profiles."""

    def __init__(self, found: Comparison, changes: Sequence[Change[What]]) -> None:
        super().__init__()
        self._found = found
        self._changes: Sequence[Change[Any]] = changes

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (_described(self._found, change) for change in self._changes)


def _described_runs(report: Report) -> dict[str, Any]:
    """How many runs there are of each side, and what is said of the total."""
    found = report.comparison
    return {"runs": found.runs, "verdict": found.total_verdict(found.event)}


def _means(found: Comparison, cost: Cost | None) -> Cost | None:
    """What is said of a cost: of several runs the mean."""
    columns = found.columns
    return columns.means(cost) if cost and isinstance(columns, RunColumns) else cost


def _described_verdict(found: Comparison, change: Change[What]) -> dict[str, Any]:
    """The least and the most that runs say of each event, and whether the difference is real; nothing of
    one run."""
    columns = found.columns
    if not isinstance(columns, RunColumns):
        return {}
    sides = {"old_range": change.old, "new_range": change.new}
    ranges = {name: columns.ranges(cost) if cost else None for name, cost in sides.items()}
    return {**ranges, "verdict": found.verdict(change.old, change.new)}


def _side(profile: Profile, total: Cost | None) -> dict[str, Any]:
    return {
        "path": profile.path,
        "creator": profile.creator,
        "cmd": profile.parts[0].cmd,
        "partial": _left_out(profile),
        "total": total,
    }


def _described(found: Comparison, change: Change[What]) -> dict[str, Any]:
    what = change.what
    if isinstance(what, FunctionKey):
        place: dict[str, Any] = what._asdict()
    elif isinstance(what, Pair):
        place = {"caller": what.caller._asdict(), "callee": what.callee._asdict()}
    elif isinstance(what, CallPath):
        place = {"path": [key._asdict() for key in what.functions]}
    elif isinstance(what, Place):
        place = {**what._asdict(), "object": what.object._asdict()}
    else:
        place = {
            "function": what.function._asdict(),
            "file": what.file,
            "old_line": what.old,
            "new_line": what.new,
        }
    calls = {
        "old_calls": change.old_calls,
        "new_calls": change.new_calls,
        "old_is_estimated": change.old_is_estimated,
        "new_is_estimated": change.new_is_estimated,
    }
    return {
        **place,
        "kind": change.kind,
        "old": _means(found, change.old),
        "new": _means(found, change.new),
        **_described_verdict(found, change),
        **(calls if isinstance(what, Pair | CallPath) else {}),
    }
