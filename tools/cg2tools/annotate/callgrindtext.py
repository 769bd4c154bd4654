"""The report of cg2_annotate --callgrind: the text of callgrind_annotate, for scripts that read it.

docs/reference/callgrind.md lists the differences from callgrind_annotate.  What a row is, and what is
missing, callgrindrows.py says.
"""

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cg2tools.annotate.callgrindrows import MISSING, Arcs, LineCalls, Rows, SourceFile, written
from cg2tools.annotate.report import Options, part_shown
from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.callgraph import Arc
from cg2tools.profile.model import UNKNOWN, Cost, Part, Profile, ProfileError, add_cost
from cg2tools.profile.reader import verbatim_head
from cg2tools.program.sources import source_lines

_RULE = "-" * 80
_NO_PERCENTAGE = " " * len(" (12.34%)")
_INDENT = "\n" + " " * 18
_WIDE = "@" * 79
_WARNING = (_WIDE, "@@" + " WARNING @@" * 7, _WIDE)


@dataclass(frozen=True, slots=True)
class _Order:
    """The events that rows are sorted by, and up to which percentage of each they are listed."""

    events: list[str]
    numbers: list[int]
    thresholds: list[float]
    lists_all: bool
    """Rows are listed that cost nothing, too, as --threshold=100 says."""

    def key(self, cost: Cost) -> list[int]:
        """Sorts costs in falling order."""
        return [-cost[number] for number in self.numbers]


def _order_of(part: Part, options: Options) -> _Order:
    """What --sort and --threshold say; where one event has a threshold, "Ir:50", --threshold does not
    count."""
    given = [text.partition(":")[::2] for text in options.choice.sort or part.events]
    events = [event for event, _ in given]
    thresholds = [float(threshold or 0) for _, threshold in given]
    has_own = any(threshold for _, threshold in given)
    if not has_own:
        thresholds[0] = options.threshold
    lists_all = not has_own and options.threshold == 100
    return _Order(events, _numbers_of(part, events), thresholds, lists_all)


def _numbers_of(part: Part, events: list[str]) -> list[int]:
    """The events by number."""
    for event in events:
        if event not in part.events:
            raise ProfileError(
                part.path,
                part.line_of["events"],
                f"no event '{event}'; expected one of {', '.join(part.events)}",
            )
    return [part.events.index(event) for event in events]


# ---- Columns ---------------------------------------------------------------


@dataclass(slots=True)
class _Shown:
    """The events that are shown, by name and number, and what is 100 percent of each."""

    events: dict[str, int]
    total: Cost
    percents: bool

    def width(self, value: int) -> int:
        """The characters of a number with a percentage below 1000."""
        if value == MISSING:
            return 1
        return len(f"{value:,}") + (len(_NO_PERCENTAGE) if self.percents else 0)

    def text(self, value: int, event: int) -> str:
        """A number and its percentage, or blanks for it."""
        text = "." if value == MISSING else f"{value:,}"
        if not self.percents:
            return text
        if value <= 0:
            return text + _NO_PERCENTAGE
        total = self.total[event]
        share = 100 * value / total if total > 0 else 0
        precise = f"{share:5.2f}"
        return f"{text} ({precise if len(precise) == 5 else f'{share:.1f}'}%)"


class _Columns:
    """A cell for each event, as wide as the largest of some costs needs; others may be wider."""

    def __init__(self, shown: _Shown, costs: Iterable[Cost]) -> None:
        self.shown = shown
        largest = [max(numbers) for numbers in zip(*costs)] or [MISSING] * len(shown.total)
        self.widths = [
            max(len(event), shown.width(largest[number])) for event, number in shown.events.items()
        ]

    def heading(self) -> str:
        return "".join(f"{event:{width}} " for event, width in zip(self.shown.events, self.widths))

    def line(self, cost: Cost, label: str) -> str:
        numbers = self.shown.events.values()
        cells = [
            self.shown.text(cost[number], number).rjust(width) + " "
            for number, width in zip(numbers, self.widths)
        ]
        return "".join(cells) + " " + label


# ---- The report ------------------------------------------------------------


def callgrind_report(profile: Profile, options: Options) -> Iterator[str]:
    """The whole report.  An event that does not exist is a ProfileError."""
    profile, part = part_shown(profile, options)
    yield from _Report(profile, part, options).lines()


class _Report:
    def __init__(self, profile: Profile, part: Part, options: Options) -> None:
        self.profile = profile
        self.part = part
        self.options = options
        self.rows = Rows(part, "cg2" in profile.creator)
        self.order = _order_of(part, options)
        shown = options.choice.show or part.events
        stated = part.summary or part.totals
        self.is_calculated = not any(stated or [])
        self.shown = _Shown(
            dict(zip(shown, _numbers_of(part, shown))),
            written(part.self_total() if self.is_calculated or stated is None else stated),
            options.choice.show_percs,
        )
        self.include = [os.path.join(directory, "") for directory in options.include]
        self.sources = list(dict.fromkeys(options.sources))
        self.files = SourceFiles(part, options.include, self.sources)
        for source in self.sources:
            if self._directory_of(source) is None:
                where = ", ".join(["this directory", *self.include])
                raise FileNotFoundError(
                    errno.ENOENT, f"no such file; expected a source file in {where}", source
                )

    def lines(self) -> Iterator[str]:
        yield from self._head()
        columns = _Columns(self.shown, [self.shown.total])
        label = "PROGRAM TOTALS" + (" (calculated)" if self.is_calculated else "")
        yield from _section(columns.heading())
        yield from [columns.line(self.shown.total, label), ""]
        listed: list[str] = []
        yield from self._functions(listed)
        yield from self._sources(listed)

    # ---- Head --------------------------------------------------------------

    def _head(self) -> Iterator[str]:
        part, options = self.part, self.options
        creator = f" (creator: {self.profile.creator})" if self.profile.creator else ""
        yield from _section(f"Profile data file '{self.profile.path}'{creator}")
        head = verbatim_head(part.path)
        described = {"".join(text.split()): text for key, text in head if key == "desc"}
        for kind, text in part.lines.descriptions():
            line = f"{kind}: {text}"
            yield described.get("".join(line.split()), line)
        command = next((text for key, text in head if key == "cmd"), part.cmd)
        command = command if command.strip() == part.cmd else part.cmd
        yield f"Profiled target:  {command or '(unknown)'}{self._facts()}"
        yield f"Events recorded:  {' '.join(part.events)}"
        yield f"Events shown:     {' '.join(self.shown.events)}"
        yield f"Event sort order: {' '.join(self.order.events)}"
        yield f"Thresholds:       {' '.join(f'{number:.12g}' for number in self.order.thresholds)}"
        yield f"Include dirs:     {_INDENT.join(self.include)}"
        yield f"User annotated:   {_INDENT.join(self.sources)}"
        yield f"Auto-annotation:  {'on' if options.auto else 'off'}"
        yield ""

    def _facts(self) -> str:
        """The numbers of the part, of a process that is known."""
        part = self.part
        if part.pid is None:
            return ""
        numbers = ("PID", part.pid), ("part", part.part), ("thread", part.thread)
        known = (f"{name} {number}" for name, number in numbers if number is not None)
        return f" ({', '.join(known)})"

    # ---- Functions ---------------------------------------------------------

    def _functions(self, listed: list[str]) -> Iterator[str]:
        """The list; `listed` gets the rows that are in it."""
        found = self.rows.with_calls() if self.options.inclusive else self.rows.self_costs
        costs = {row: written(cost) for row, cost in found.items()}
        columns = _Columns(self.shown, costs.values())
        tree = self.options.tree
        arcs = Arcs() if tree == "none" else self.rows.arcs
        yield from _section(columns.heading() + " file:function")
        for row, cost in self._until_thresholds(costs):
            listed.append(row)
            object = self.rows.objects.get(row)
            label = f"{row} [{object}]" if object else row
            if tree == "none":
                yield columns.line(cost, label)
                continue
            yield ""
            if tree != "calling":
                yield from self._arcs(columns, "< ", arcs.into(row))
            yield columns.line(cost, f"*  {label}")
            if tree != "caller":
                yield from self._arcs(columns, ">   ", arcs.out_of(row))
        yield ""

    def _until_thresholds(self, costs: dict[str, Cost]) -> Iterator[tuple[str, Cost]]:
        """Rows, most expensive first, until there is enough of each event sorted by.

        With inclusive costs, which overlap, that is when a row has less than the rest of 100 percent.
        """
        order, totals = self.order, self.shown.total
        shares = [0.0] * len(order.numbers)
        sums = [0] * len(order.numbers)
        for row, cost in self._sorted(costs):
            is_enough = all(share >= least for share, least in zip(shares, order.thresholds))
            if is_enough and not order.lists_all:
                return
            yield row, cost
            for i, number in enumerate(order.numbers):
                if cost[number] != MISSING:
                    sums[i] = cost[number] + (0 if self.options.inclusive else sums[i])
                    share = 100 * sums[i] / totals[number] if totals[number] > 0 else 0
                    shares[i] = 100 - share if self.options.inclusive else share

    def _sorted(self, costs: dict[str, Cost]) -> Iterator[tuple[str, Cost]]:
        """The rows, most expensive first; at the end those without lines of their own."""
        order = self.order
        yield from sorted(costs.items(), key=lambda item: (order.key(item[1]), item[0]))
        nothing = written([0] * len(self.part.events))
        others = {*self.rows.objects, *self.rows.arcs.callers} - costs.keys()
        yield from ((row, nothing) for row in sorted(others))

    def _arcs(self, columns: _Columns, mark: str, arcs: dict[str, Arc]) -> Iterator[str]:
        """Calls, most expensive first, with the rows at their other ends and their objects."""
        objects = self.rows.objects
        for row in self._by_cost(arcs, arcs):
            object = f" [{objects[row]}]" if row in objects else ""
            yield _call(columns, mark, row, arcs[row]) + object

    def _by_cost(self, rows: Iterable[str], arcs: dict[str, Arc]) -> list[str]:
        """The rows, those with the most expensive arcs first."""
        key = self.order.key
        return sorted(rows, key=lambda row: (key(written(arcs[row].inclusive)), row))

    # ---- Sources -----------------------------------------------------------

    def _directory_of(self, name: str) -> str | None:
        """The directory given by the user in which a source file is; "": it is where its name says."""
        if "\0" in name:
            return None
        places = ["", *self.include]
        return next((place for place in places if self.files.may_show(place + name)), None)

    def _sources(self, listed: list[str]) -> Iterator[str]:
        """The sources asked for, and those of the rows listed, in the order of their names."""
        kinds = dict.fromkeys(self.sources, "User")
        if self.options.auto:
            for row in listed:
                kinds.setdefault(row.partition(":")[0], "Auto")
        kinds.pop(UNKNOWN, None)
        missing = sorted(name for name in kinds if self._directory_of(name) is None)
        names = sorted(kinds.keys() - {*missing})
        sources = self.rows.read_sources(names)
        annotated = [0] * len(self.part.events)
        for name in names:
            yield from _section(f"-- {kinds[name]}-annotated source: {self._place_of(name)}")
            if name in sources:
                yield from self._source(name, sources[name], annotated)
            else:
                yield from [f"  No information has been collected for {name}", ""]
        if missing:
            yield from _section(
                "The following files chosen for auto-annotation could not be found:"
            )
            yield from [*(f"  {name}" for name in missing), ""]
        if sources:
            yield from self._sum(annotated)

    def _place_of(self, name: str) -> str:
        directory = self._directory_of(name)
        return f"{directory} + {name}" if directory else name

    def _sum(self, annotated: Cost) -> Iterator[str]:
        total = [
            max(all, some) if all > 0 else all for all, some in zip(self.shown.total, annotated)
        ]
        cost = written(annotated)
        columns = _Columns(_Shown(self.shown.events, total, self.shown.percents), [cost])
        yield from _section(columns.heading())
        yield from [columns.line(cost, "events annotated"), ""]

    def _source(self, name: str, source: SourceFile, annotated: Cost) -> Iterator[str]:
        """A file with the cost of its lines, which is added to `annotated`."""
        path = (self._directory_of(name) or "") + name
        is_newer = _is_newer(path, self.profile.path)
        if is_newer:
            yield from _WARNING
            yield f"@ Source file '{name}' is more recent than input file '{self.profile.path}'."
            yield from ["@ Annotations may not be correct.", _WIDE, ""]
        costs = {line: written(cost) for line, cost in source.costs.items()}
        columns = _Columns(self.shown, costs.values())
        elsewhere = costs.pop(0, None)
        yield from [columns.heading(), ""]
        texts = source_lines(path)
        yield from self._lines(columns, source, costs, texts)
        beyond = sorted(line for line in costs if line > len(texts))
        for line, cost in source.costs.items():
            if 0 < line <= len(texts):
                add_cost(annotated, cost)
        yield from (columns.line(costs[line], f"<bogus line {line}>") for line in beyond)
        if beyond:
            yield from _past_the_end(name, is_newer)
        if elsewhere:
            yield ""
            yield columns.line(elsewhere, f"<counts for unidentified lines in {name}>")
        yield ""

    def _lines(
        self, columns: _Columns, source: SourceFile, costs: dict[int, Cost], texts: list[str]
    ) -> Iterator[str]:
        """The lines that cost something, those around them, and the calls from any of these."""
        nothing = written([0] * len(self.part.events))
        for first, last in _ranges(costs, self.options.context):
            if first > 1:
                yield f"-- line {first} " + "-" * 40
            for line in range(first, min(last, len(texts)) + 1):
                yield columns.line(costs.get(line, nothing), texts[line - 1])
                yield from self._line_calls(columns, source.calls.get(line))
            if last > len(texts):
                return
            yield f"-- line {last} " + "-" * 40

    def _line_calls(self, columns: _Columns, calls: LineCalls | None) -> Iterator[str]:
        """Calls from a line, in the order of what all calls of the two functions cost."""
        if calls:
            for row in self._by_cost(calls.arcs, self.rows.arcs.out_of(calls.caller)):
                yield _call(columns, "=> ", row, calls.arcs[row])


def _call(columns: _Columns, mark: str, row: str, arc: Arc) -> str:
    return columns.line(written(arc.inclusive), f"{mark}{row} ({arc.count:,}x)")


def _section(title: str) -> Iterator[str]:
    yield from (_RULE, title, _RULE)


def _is_newer(path: str, profile: str) -> bool:
    """Whether a file was changed in a later second than a profile; one from a pipe is as new as any."""
    return os.path.isfile(profile) and int(os.path.getmtime(path)) > int(os.path.getmtime(profile))


def _ranges(lines: Iterable[int], context: int) -> list[tuple[int, int]]:
    """First and last line of the pieces that are within `context` lines of some."""
    ranges: list[tuple[int, int]] = []
    for line in sorted(lines):
        first, last = max(1, line - context), line + context
        if ranges and first <= ranges[-1][1]:
            ranges[-1] = ranges[-1][0], last
        else:
            ranges.append((first, last))
    return ranges


def _past_the_end(name: str, is_newer: bool) -> Iterator[str]:
    yield ""
    yield from _WARNING
    yield from ["@@", f"@@ Information recorded about lines past the end of '{name}'."]
    yield from ["@@", "@@ Probable cause and solution:"]
    if is_newer:
        yield f"@@ cause:    '{name}' has changed since information was gathered."
        yield "@@           If so, a warning will have already been issued about this."
        yield '@@ solution: Recompile program and rerun under "valgrind --cachesim=yes" to '
        yield "@@           gather new information."
    elif name.endswith(".h"):
        yield "@@ cause:    bug in the Valgrind's debug info reader that screws up with .h"
        yield "@@           files sometimes"
        yield "@@ solution: none, sorry"
    else:
        yield "@@ cause:    not sure, sorry"
    yield from ["@@", _WIDE]
