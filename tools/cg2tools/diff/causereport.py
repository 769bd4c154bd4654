"""Causes as words: a paragraph and a table, as text and Markdown, and JSON."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from cg2tools.diff.causes import Cause, Explained
from cg2tools.diff.comparison import Change, Line
from cg2tools.diff.matches import variant_of
from cg2tools.diff.names import without_clones, without_template_arguments
from cg2tools.profile.model import UNKNOWN, FunctionKey
from cg2tools.profile.spoken import Spoken

_SAID = 3
"""How many functions the paragraph names."""

_MARKDOWN_ROOM = 9_500
"""Characters of a comment, with room for what stands around the table."""


class CauseReport:
    """What is said of a difference."""

    def __init__(self, found: Explained, old_total: int, rows: int, full_names: bool) -> None:
        self.found = found
        self._old_total = old_total
        self._rows = rows
        keys = [
            key
            for cause in _all(found.causes)
            for key in (cause.function, cause.callee, cause.was)
            if key
        ]
        self._spoken = Spoken(keys, full_names)

    # ---- Words -------------------------------------------------------------

    def _name(self, key: FunctionKey | None) -> str:
        return f"`{self._spoken.name_of(key)}`" if key else "what begins"

    def text(self, cause: Cause) -> str:
        """What a cause is, without its cost."""
        name = self._name(cause.function)
        if cause.kind == "self":
            return f"{name} costs {_a_call(cause)} by its own code{_where(cause.lines)}"
        if cause.kind == "work":
            return f"{name} has the same code and does {_more(cause)} a call{_where(cause.lines)}"
        if cause.kind == "calls":
            callee, (was, now) = self._name(cause.callee), cause.calls
            if not cause.function:
                return f"{callee} begins {now:,} instead of {was:,} times"
            return f"{name} calls {callee} {now:,} instead of {was:,} times"
        if cause.kind == "replaced":
            guess = "" if _has_like_name(cause) else ", as callers, callees and costs suggest"
            return f"{name} instead of {self._name(cause.was)}{guess}"
        if cause.kind == "inlined":
            return f"{self._name(cause.callee)} stands in {name} now{_where(cause.lines)}"
        if cause.kind == "outlined":
            return f"{self._name(cause.callee)} stands in {name} no longer{_where(cause.lines)}"
        if cause.kind == "added":
            return f"{name} is new"
        if cause.kind == "removed":
            return f"{name} is gone, with what it called"
        if cause.kind == "layout":
            return f"{name} executes as many instructions; only misses differ"
        if cause.kind == "environment":
            return f"{cause.what} ({_counted(len(cause.below), 'cause')} below)"
        if cause.kind == "rest":
            return f"{_counted(cause.count, 'cause')} below 0.1 % each"
        return f"{name}, of the {cause.kind}"

    def paragraph(self) -> str:
        """The net of the functions that matter most, and what is left."""
        found = self.found
        event, total = found.events[0], found.difference[0]
        if not found.causes:
            return f"{event} differs by {total:+,}: no cause differs."
        nets: dict[FunctionKey | str, list[Cause]] = defaultdict(list)
        for cause in found.causes:
            nets[cause.function or cause.what or cause.kind].append(cause)
        order = sorted(nets.values(), key=lambda causes: -abs(_net(causes)))
        said = [causes for causes in order if _net(causes)][:_SAID]
        sentences = [f"{event} differs by {total:+,}{self._share(total)}."]
        for causes in said:
            dearest = max(causes, key=lambda cause: abs(cause.costs[0]))
            also = f", and {len(causes) - 1:,} more of it" if len(causes) > 1 else ""
            sentences.append(f"{_net(causes):+,}: {self.text(dearest)}{also}.")
        left = total - sum(map(_net, said))
        if len(order) > len(said):
            sentences.append(f"All else together: {left:+,}.")
        return " ".join(sentences)

    def _share(self, total: int) -> str:
        return f" ({100 * total / self._old_total:+.2f} %)" if self._old_total else ""

    def notes(self) -> Iterator[str]:
        if self.found.excluded:
            yield f"Left out, also of the difference: {', '.join(self.found.excluded)}."
        if self.found.uncounted:
            yield (
                f"Calls are not counted in {self.found.uncounted:,} places, as where collection is"
                " switched: there only what functions cost themselves is compared."
            )

    # ---- Forms -------------------------------------------------------------

    def _shown(self) -> Sequence[Cause]:
        return self.found.causes[: self._rows or None]

    def _more_rows(self) -> str:
        left = self.found.causes[len(self._shown()) :]
        costs = sum(cause.costs[0] for cause in left)
        return f"and {len(left):,} more, {costs:+,} together; --rows=0 shows all" if left else ""

    def text_lines(self) -> Iterator[str]:
        """For a terminal."""
        yield self.paragraph()
        yield from self.notes()
        yield ""
        head = [*self.found.events, "cause", "what"]
        rows = [
            [*(f"{cost:+,}" for cost in cause.costs), cause.kind, self.text(cause)]
            for cause in self._shown()
        ]
        rows.append([*(f"{cost:+,}" for cost in self.found.difference), "all", ""])
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        for row in (head, *rows):
            cells = [
                cell.ljust(width) if place >= len(row) - 2 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths))
            ]
            yield "  ".join(cells).rstrip()
        if more := self._more_rows():
            yield more

    def markdown_lines(self) -> Iterator[str]:
        """For a comment on a pull request, of at most 10,000 characters."""
        yield self.paragraph()
        for note in self.notes():
            yield from ("", note)
        yield ""
        events = self.found.events
        yield f"| {' | '.join(events)} | cause | what |"
        yield "|" + " ---: |" * len(events) + " --- | --- |"
        room, shown = _MARKDOWN_ROOM - len(self.paragraph()), 0
        for cause in self._shown():
            costs = " | ".join(f"{cost:+,}" for cost in cause.costs)
            line = f"| {costs} | {cause.kind} | {self.text(cause).replace('|', chr(92) + '|')} |"
            room -= len(line) + 1
            if room < 0:
                break
            shown += 1
            yield line
        total = " | ".join(f"**{cost:+,}**" for cost in self.found.difference)
        yield f"| {total} | all | |"
        if shown < len(self._shown()):
            yield f"\n{len(self.found.causes) - shown:,} more causes had no room."
        elif more := self._more_rows():
            yield f"\n{more}"

    def json_lines(self) -> Iterator[str]:
        """For programs: all causes."""
        found = self.found
        described: dict[str, Any] = {
            "events": [*found.events],
            "difference": self._costs(found.difference),
            "causes": [self._described(cause) for cause in found.causes],
        }
        if found.excluded:
            described["excluded"] = [*found.excluded]
        if found.uncounted:
            described["uncounted"] = found.uncounted
        yield json.dumps(described, indent=1)

    def _costs(self, cost: Sequence[int]) -> dict[str, int]:
        return dict(zip(self.found.events, cost))

    def _described(self, cause: Cause) -> dict[str, Any]:
        described: dict[str, Any] = {"cause": cause.kind}
        if cause.function:
            described["function"] = cause.function.name
            described["object"] = cause.function.object
        if cause.callee:
            described["callee"] = cause.callee.name
        if cause.was:
            described["was"] = cause.was.name
        described["costs"] = self._costs(cause.costs)
        if cause.lines:
            described["lines"] = [self._described_line(change) for change in cause.lines]
        if cause.below:
            described["below"] = [self._described(each) for each in cause.below]
        described["text"] = self.text(cause).replace("`", "")
        return described

    def _described_line(self, change: Change[Line]) -> dict[str, Any]:
        line = change.what
        numbers = {"old": line.old, "new": line.new}
        width = len(self.found.events)
        old, new = change.old or [0] * width, change.new or [0] * width
        return {
            "file": line.file,
            **{name: number for name, number in numbers.items() if number},
            "costs": self._costs([now - was for was, now in zip(old, new)]),
        }


def _has_like_name(cause: Cause) -> bool:
    """Whether the names of what was replaced and of what replaces it say so."""
    if not (cause.was and cause.function):
        return False
    was, now = (
        variant_of(without_template_arguments(without_clones(key.name)))
        for key in (cause.was, cause.function)
    )
    return was == now


def _all(causes: Sequence[Cause]) -> Iterator[Cause]:
    for cause in causes:
        yield cause
        yield from _all(cause.below)


def _net(causes: Sequence[Cause]) -> int:
    return sum(cause.costs[0] for cause in causes)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _more(cause: Cause) -> str:
    return "more" if cause.costs[0] > 0 else "less"


def _a_call(cause: Cause) -> str:
    """`31 more a call`; of a call in NEW."""
    each = abs(cause.costs[0]) / max(cause.calls[1], 1)
    return (
        f"{each:,.6g} {_more(cause)} a call" if each < 1e6 else f"{each:,.0f} {_more(cause)} a call"
    )


def _where(lines: Sequence[Change[Line]]) -> str:
    """The lines of the first one's file: `, in csv.c:88 to 93`."""
    known = [change.what for change in lines if change.what.file != UNKNOWN and change.what.number]
    if not known:
        return ""
    file = known[0].file
    numbers = [line.number for line in known if line.file == file]
    first, last = min(numbers), max(numbers)
    return f", in {file}:{first}" + (f" to {last}" if last > first else "")
