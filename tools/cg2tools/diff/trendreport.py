"""The report of a Trend: as text, as Markdown, as JSON and as a page."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.diff.conditions import (
    Condition,
    condition_lines,
    conditions_of,
    described_condition,
    markdown_conditions,
)
from cg2tools.diff.growth import Growth, percent_of
from cg2tools.diff.limits import Limit
from cg2tools.diff.markdown import code, plain
from cg2tools.diff.report import comment, markdown_verdicts, partial_lines
from cg2tools.diff.trend import Row, Trend
from cg2tools.diff.verdicts import Verdict, described_verdict, verdict_lines
from cg2tools.profile.spoken import Spoken

PAGE = Path(__file__).with_name("trend.html")
_MARK = "{}/* trend */"


@dataclass(frozen=True, slots=True)
class TrendReport:
    """What is reported, and how much of it."""

    trend: Trend
    order: str  # how the profiles are in order
    rows: int  # how many functions are shown; 0: all
    limits: list[Limit]  # of the total, from the last but one to the last
    full_names: bool
    left_out: list[str]  # events that not all profiles have

    @property
    def growth(self) -> Growth:
        """How the last total differs from the one before."""
        old, new = (snapshot.total for snapshot in self.trend.snapshots[-2:])
        return Growth(self.trend.event, old, new)

    @property
    def verdicts(self) -> list[Verdict]:
        return [Verdict(limit, self.growth) for limit in self.limits]

    @property
    def conditions(self) -> list[Condition]:
        """What else than the program differs between the last two."""
        old, new = (snapshot.descriptions for snapshot in self.trend.snapshots[-2:])
        return conditions_of(old, new, self.growth, self.verdicts)

    @property
    def partial(self) -> list[str]:
        """What is to be said where a profile is only a part."""
        return [said for snapshot in self.trend.snapshots for said in snapshot.partial]

    @property
    def is_cut_off(self) -> bool:
        return any(snapshot.is_cut_off for snapshot in self.trend.snapshots)

    @property
    def shown(self) -> list[Row]:
        return self.trend.rows[: self.rows or None]

    def names(self) -> Spoken:
        return Spoken((row.key for row in self.shown), self.full_names)

    def rest(self, form: Callable[[str], str] = str) -> Iterator[str]:
        """What is left out, with names in a form."""
        more, small = len(self.trend.rows) - len(self.shown), self.trend.small
        if more:
            yield f"{more:,} more; --rows=0 shows all"
        if small:
            share = f"{self.trend.smallest:g} %"
            yield f"{small:,} changed by less than {share}; --smallest=0 shows all"
        if self.left_out:
            yield f"left out: {' '.join(map(form, self.left_out))}, which not all profiles have"
        for snapshot, label in zip(self.trend.snapshots, self.trend.labels):
            if snapshot.left_out:
                yield (
                    f"{form(label)} does not say which functions cost {snapshot.left_out:,} of its "
                    "total; what is not in it counts as 0"
                )

    def table(self) -> list[list[str]]:
        """Heading, totals and functions; the name is the last cell."""
        names = self.names()
        totals = [snapshot.total for snapshot in self.trend.snapshots]
        return [
            [*self.trend.labels, "first to last", "function"],
            [*(f"{total:,}" for total in totals), _change(totals), "total"],
            *(
                [*map(_cell, row.costs), _change(row.numbers), names.label_of(row.key)]
                for row in self.shown
            ),
        ]


def _cell(cost: int | None) -> str:
    return "-" if cost is None else f"{cost:,}"


def _change(costs: list[int]) -> str:
    first, last = costs[0], costs[-1]
    if first == last:
        return "0%"
    return f"{percent_of(last - first, first, '+')}%" if first else "new"


def _head(report: TrendReport, form: Callable[[str], str] = str) -> str:
    trend = report.trend
    return (
        f"{len(trend.snapshots)} profiles, {report.order}; {form(trend.event)} of functions "
        "that changed, by what they cost themselves"
    )


def _growth_lines(report: TrendReport) -> Iterator[str]:
    """From the last but one to the last."""
    yield from condition_lines(report.conditions)
    yield from verdict_lines(report.growth, report.verdicts, report.rows)


def text_report(report: TrendReport) -> Iterator[str]:
    """For a terminal."""
    yield from partial_lines(report.partial)
    yield _head(report)
    yield "From the last but one to the last:"
    yield from (f"  {line}" for line in _growth_lines(report))
    yield ""
    table = report.table()
    widths = [max(map(len, column)) for column in zip(*table)]
    for *numbers, name in table:
        cells = [cell.rjust(width) for cell, width in zip(numbers, widths)]
        yield "  ".join([*cells, name])
    yield from report.rest()


def markdown_report(report: TrendReport) -> Iterator[str]:
    """For a comment."""
    return comment(_markdown(report))


def _markdown(report: TrendReport) -> Iterator[str]:
    yield from markdown_verdicts(report.growth, report.verdicts, report.partial, report.rows)
    yield from markdown_conditions(report.conditions)
    yield ""
    yield f"{_head(report, plain)}."
    yield ""
    head, total, *rows = report.table()
    yield f"| {' | '.join([*map(code, head[:-2]), *head[-2:]])} |"
    yield f"|{' ---: |' * (len(head) - 1)} --- |"
    yield f"| {' | '.join(total)} |"
    for row in rows:
        yield f"| {' | '.join([*row[:-1], code(row[-1])])} |"
    for rest in report.rest(plain):
        yield ""
        yield f"... {rest}."


def json_report(report: TrendReport) -> Iterator[str]:
    """All functions that changed by enough."""
    trend = report.trend
    described: dict[str, Any] = {
        "event": trend.event,
        "profiles": [
            {
                "path": snapshot.path,
                "label": label,
                "partial": snapshot.partial,
                "total": snapshot.total,
            }
            for snapshot, label in zip(trend.snapshots, trend.labels)
        ],
        "smallest": trend.smallest,
        "smaller": trend.small,
        "limits": list(map(described_verdict, report.verdicts)),
        "conditions": list(map(described_condition, report.conditions)),
        "functions": [{**row.key._asdict(), "costs": row.costs} for row in trend.rows],
    }
    yield from json_lines(described)


def page(report: TrendReport) -> Iterator[bytes]:
    """A file of HTML, with all that it needs in it."""
    trend, names = report.trend, report.names()
    data = {
        "event": trend.event,
        "head": _head(report),
        "growth": list(_growth_lines(report)),
        "partial": list(partial_lines(report.partial)),
        "labels": trend.labels,
        "totals": [snapshot.total for snapshot in trend.snapshots],
        "functions": [
            {"name": names.name_of(row.key), "full": str(row.key), "costs": row.costs}
            for row in report.shown
        ],
        "rest": list(report.rest()),
    }
    start, _, end = PAGE.read_text(encoding="utf-8").partition(_MARK)
    text = json.dumps(data).replace("<", "\\u003c")
    yield (start + text + end).encode("utf-8", "replace")
