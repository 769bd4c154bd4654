"""Causes as words: a paragraph and a table, as text and Markdown, and JSON."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cg2tools.diff.cause import Cause
from cg2tools.diff.causes import Explained
from cg2tools.diff.comparison import Change, Line
from cg2tools.diff.markdown import plain
from cg2tools.diff.matches import variant_of
from cg2tools.diff.names import without_clones, without_template_arguments
from cg2tools.profile.model import UNKNOWN, FunctionKey
from cg2tools.profile.spoken import Spoken

_SAID = 3
"""How many functions the paragraph names."""

_CANCELS = 3
"""How many times what functions cost themselves causes add up to, up and down, if they cancel out."""

_MOST_LINES = 3
"""How many lines of a cause are named."""

_LONGEST = 300
"""Characters of a name that are said: of a longer one its beginning and its end."""

_MARKDOWN_ROOM = 9_500
"""Characters of a comment, with room for what stands around the table."""


class CauseReport:
    """What is said of a difference."""

    def __init__(self, found: Explained, old_total: int, rows: int, full_names: bool) -> None:
        self.found = found
        self._old_total = old_total
        self._rows = rows
        causes = list(_all(found.causes))
        keys = [key for cause in causes for key in (cause.function, cause.callee) if key]
        self._spoken = Spoken([*keys, *found.own.most], full_names)
        self._spoken_before = Spoken([cause.was for cause in causes if cause.was], full_names)

    # ---- Words -------------------------------------------------------------

    def _name(self, key: FunctionKey | None) -> str:
        return _said(self._spoken, key) if key else "what begins"

    def text(self, cause: Cause) -> str:
        """What a cause is, without its cost."""
        name = self._name(cause.function)
        if cause.kind == "self":
            return f"{name} costs {_a_call(cause)} by its own code{_where(cause)}"
        if cause.kind == "work":
            guess = ", as its lines suggest," if cause.is_guess else ""
            return f"{name} has the same code{guess} and costs {_a_call(cause)}{_where(cause)}"
        if cause.kind == "calls":
            return self._of_calls(cause)
        if cause.kind == "replaced":
            guess = "" if _has_like_name(cause) else ", as callers, callees and costs suggest"
            return f"{self._instead(cause)}{guess}"
        if cause.kind == "inlined":
            return f"{self._name(cause.callee)} stands in {name} now{_where(cause)}"
        if cause.kind == "outlined":
            return f"{self._name(cause.callee)} stands in {name} no longer{_where(cause)}"
        if cause.kind == "added":
            return f"{name} is new"
        if cause.kind == "removed":
            return f"{name} is gone, with what it called"
        if cause.kind == "layout":
            return f"{name} executes as many instructions; only misses differ"
        if cause.kind == "environment":
            return self._of_environment(cause)
        if cause.kind == "rest":
            return f"{_counted(cause.count, 'cause')} below 0.1 % each"
        if cause.callee:
            return self._of_calls(cause)
        return f"{name}, of the {cause.kind}"

    def _instead(self, cause: Cause) -> str:
        """What replaced what; of two with the same name what tells them apart."""
        now, was, name = cause.function, cause.was, self._name(cause.function)
        assert now and was
        before = _said(self._spoken_before, was)
        if before != name:
            return f"{name} instead of {before}"
        if now.object != was.object:
            return f"{name} in {now.object} instead of {was.object}"
        if now.name == was.name:
            return f"{name} in {now.file} instead of {was.file}"
        return f"{name}, another instance than before"

    def _of_environment(self, cause: Cause) -> str:
        """What differs, and the dearest that it explains."""
        dearest, *others = sorted(cause.below, key=lambda each: -abs(each.costs[0]))
        text = f"{cause.what}; above all {self.text(dearest)} ({dearest.costs[0]:+,})"
        return f"{text}, and {_counted(len(others), 'more cause')}" if others else text

    def _of_calls(self, cause: Cause) -> str:
        """What a cause of kind `calls` is; a call of the caller has fractions of calls."""
        name, callee = self._name(cause.function), self._name(cause.callee)
        (was, now), (callers_was, callers_now) = cause.calls, cause.callers
        if not cause.function:
            return f"{callee} begins {now:,} instead of {was:,} times"
        if cause.was:
            times = "" if was == now else f", {now:,} instead of {was:,} times"
            return (
                f"{name} calls {callee} instead of {_said(self._spoken_before, cause.was)}{times}"
            )
        if callers_was == callers_now and not now:
            return f"{name} no longer calls {callee}, as it did {_times(was)}"
        if callers_was == callers_now and not was:
            return f"{name} now calls {callee} {_times(now)}"
        if callers_was == callers_now:
            return f"{name} calls {callee} {now:,} instead of {was:,} times"
        if not callers_was:
            return f"{name}, which is new, calls {callee} {_times(now)}"
        times = f"{_times(now)} as before" if was == now else f"{now:,} instead of {was:,} times"
        return (
            f"{name} calls {callee} {times}, {now / max(callers_now, 1):,.6g} instead of"
            f" {was / callers_was:,.6g} a call, as it is called {callers_now:,} instead of"
            f" {callers_was:,} times"
        )

    def paragraph(self) -> str:
        """The net of the functions that matter most, and what is left."""
        found = self.found
        event, total = found.events[0], found.difference[0]
        if not found.causes:
            return f"{event} differs by {total:+,}: no cause differs."
        sentences = [f"{event} differs by {total:+,}{self._share(total)}."]
        terms = sum(abs(cause.costs[0]) for cause in found.causes)
        if terms > _CANCELS * found.own.every:
            sentences += self._of_own_costs(total)
        else:
            sentences += self._of_nets(total)
        return " ".join(sentences)

    def _of_nets(self, total: int) -> Iterator[str]:
        """Sentences on what matters most, with the calls of a function put to what it does in each."""
        nets: dict[FunctionKey | str, list[Cause]] = defaultdict(list)
        for cause in self.found.causes:
            key = cause.callee if cause.kind == "calls" else cause.function
            nets[key or cause.what or cause.kind].append(cause)
        order = sorted(nets.values(), key=lambda causes: -abs(_net(causes)))
        said = [causes for causes in order if _net(causes)][:_SAID]
        for causes in said:
            yield f"{_net(causes):+,}: {self._together(causes)}."
        if len(order) > len(said):
            yield f"All else together: {total - sum(map(_net, said)):+,}."

    def _together(self, causes: Sequence[Cause]) -> str:
        """The text of a cause, or the dearest two, each with its cost."""
        if len(causes) == 1:
            return self.text(causes[0])
        dearest = sorted(causes, key=lambda cause: -abs(cause.costs[0]))
        texts = [f"{self.text(cause)} ({cause.costs[0]:+,})" for cause in dearest[:2]]
        left = len(causes) - len(texts)
        return " and ".join(texts) + (f", and {left:,} more of it" if left else "")

    def _of_own_costs(self, total: int) -> Iterator[str]:
        """Sentences where causes cancel each other out, as more calls with less in each do."""
        own = self.found.own
        yield (
            "Most rows cancel each other out, as more calls with less in each do."
            " By what functions cost themselves:"
        )
        yield ", ".join(f"{self._name(key)} {cost:+,}" for key, cost in own.most.items()) + "."
        if own.count > len(own.most):
            yield f"All else together: {total - sum(own.most.values()):+,}."

    def _share(self, total: int) -> str:
        return f" ({100 * total / self._old_total:+.2f} %)" if self._old_total else ""

    def notes(self, form: Callable[[str], str] = str) -> Iterator[str]:
        """What else is to be known; texts of headers are in a form."""
        for condition in self.found.conditions:
            yield f"{condition.heading}: {condition.said(form)}."
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
        for note in self.notes(plain):
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
        if found.conditions:
            described["conditions"] = [
                {"kind": each.kind, "old": each.old, "new": each.new, "text": str(each)}
                for each in found.conditions
            ]
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


def _said(spoken: Spoken, key: FunctionKey) -> str:
    """The name of a function among words."""
    name = spoken.name_of(key)
    if len(name) > _LONGEST and not spoken.is_full:
        name = f"{name[:_LONGEST - 100]}...{name[-97:]}"
    return f"`{name}`"


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
    """`31 more a call`; of a call in NEW, with three digits if it is small."""
    each = abs(cause.costs[0]) / max(cause.calls[1], 1)
    return (
        f"{each:,.3g} {_more(cause)} a call" if each < 100 else f"{each:,.0f} {_more(cause)} a call"
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _where(cause: Cause) -> str:
    """The lines that a cause is most of: `, in csv.c:88`, `, most of it in csv.c:88 and 93, csv.h:5`."""
    costs = [(line, cost) for line, cost in map(_of_a_call(cause), cause.lines) if cost > 0]
    if not costs:
        return ""
    costs.sort(key=lambda found: -found[1])
    most, taken, every = costs[:1], costs[0][1], sum(cost for _, cost in costs)
    for line, cost in costs[1:_MOST_LINES]:
        if taken * 2 < every:
            most.append((line, cost))
            taken += cost
    by_file: dict[str, list[int]] = defaultdict(list)
    for line, _ in most:
        by_file[line.file].append(line.number)
    said = [f"{file}:{_listed(sorted(lines))}" for file, lines in by_file.items()]
    return f", {'in' if len(most) == len(costs) else 'most of it in'} {', '.join(said)}"


def _listed(numbers: Sequence[int]) -> str:
    """`1, 2 and 3`."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _of_a_call(cause: Cause) -> Callable[[Change[Line]], tuple[Line, float]]:
    """What says of a line how much of the cause it is, in calls of NEW."""
    was, now = cause.calls
    factor = now / was if was and now else 1
    sign = 1 if cause.costs[0] > 0 else -1

    def of(change: Change[Line]) -> tuple[Line, float]:
        line = change.what
        if line.file == UNKNOWN or not line.number:
            return line, 0
        old, new = (each[0] if each else 0 for each in (change.old, change.new))
        return line, sign * (new - old * factor)

    return of
