"""The report of cg2_annotate: a profile by function and by source line.

A report is a sequence of lines: head, totals, functions, machine code, sources.
"""

import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from itertools import compress, groupby
from typing import TypeVar

from cg2tools.annotate.asked import Asked
from cg2tools.annotate.fitting import Fitting, fitting
from cg2tools.annotate.jsonreport import json_report
from cg2tools.annotate.labels import cut
from cg2tools.annotate.misscurves import (
    CurveColumns,
    as_json as curves_as_json,
    curves_of,
    draw as draw_curve,
)
from cg2tools.annotate.sources import Sources
from cg2tools.annotate.table import Table, by_cost
from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.callgraph import Arc, CallGraph, Cycle, Node
from cg2tools.profile.cycles import CAUSES, CYCLES, ESTIMATED, estimate_said
from cg2tools.profile.columns import Columns
from cg2tools.profile.events import built_in_events, meaning_of
from cg2tools.profile.libcg2profile import BY_FILE, BY_FUNCTION, COST, FUNCTIONS, LINES, SUMS
from cg2tools.profile.terms import OBJECTS, THREADS, names_of_threads, thread_said
from cg2tools.profile.layouts import RunColumns, beside, runs_of, with_ranges
from cg2tools.profile.loops import bounds
from cg2tools.profile.model import (
    Cost,
    FunctionKey,
    Part,
    Profile,
    UNKNOWN,
    add_cost,
)
from cg2tools.profile.rounds import ROUNDS
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.transform import (
    chosen,
    renamed,
    side_by_side,
    sums_of_columns,
)

LOOPS = "What bounds the loops that take most cycles"
_LOOPS_MAX = 10
_RULE = "-" * 80
_NAMES_MAX = 4
"""The most names in a row: members of a cycle, files."""

_THREADS_MAX = 8
"""The most threads whose names are shown."""


@dataclass(frozen=True, slots=True)
class Options(Asked):
    """What lists of functions, lines and machine code are asked for."""

    threshold: float = 99.0
    inclusive: bool = False
    tree: str = "none"  # or caller, calling, both
    fold_recs: bool = True
    view: str = "function"  # or file:function, function:file
    auto: bool = False
    asm: bool = False
    context: int = 8
    include: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    def detail(self) -> int:
        """How much of a profile is asked for."""
        shows_lines = self.auto or self.asm or self.sources or self.view != "function"
        if shows_lines or self.screen.json:
            return LINES
        return self.detail_of_curves()

    def detail_of_curves(self) -> int:
        """The same of curves of misses, which have no lines."""
        return SUMS if self.overview or self.inclusive or self.tree != "none" else FUNCTIONS


def report(profile: Profile, options: Options) -> Iterator[str]:
    """The whole report.  An event that does not exist is a ProfileError."""
    profile, part = part_shown(profile, options)
    columns = columns_of(part, options)
    fits = columns_that_fit(part, columns, options)
    columns = columns.showing(fits.shown)
    graph = CallGraph(part, not options.fold_recs)
    nodes, rest = listed(graph, columns, options)
    if options.screen.json:
        yield from json_report(profile, part, graph, nodes, columns)
        return
    yield from _head(profile, part, columns, fits, options)
    yield from section()
    totals = Table(columns, "")
    totals.add(columns.total, "PROGRAM TOTALS")
    yield from totals.lines()
    yield from section()
    if options.view == "function":
        yield from _functions(graph, nodes, columns, options)
        yield from rest.line("function")
    else:
        yield from _by_file(part, graph, columns, options)
    loops = loops_said(profile, part, _LOOPS_MAX)
    if loops:
        yield from [*section(LOOPS), *loops]
    if options.asm:
        yield from _assembly(part, graph, nodes, columns, options)
    if options.auto or options.sources:
        files = SourceFiles(part, options.include, options.sources)
        sources = Sources(part, graph, columns, files, options.context, options.screen.full_names)
        yield from _sources(sources, nodes, options)


def part_shown(profile: Profile, options: Asked) -> tuple[Profile, Part]:
    """The parts that are asked for, and what is reported on: all of them as one."""
    profile = parts_chosen(profile, options)
    return profile, _one_part(profile, options)


def parts_chosen(profile: Profile, options: Asked) -> Profile:
    """The profile with the parts and threads that are asked for."""
    for kind, numbers in (("part", options.choice.parts), ("thread", options.choice.threads)):
        if numbers:
            profile = chosen(profile, kind, set(numbers))
    return profile


def _one_part(profile: Profile, options: Asked) -> Part:
    """What is reported on: all parts as one, with the names asked for."""
    if options.choice.columns == "event":
        runs = runs_of([profile])
        part = profile.merged() if len(runs) == 1 else beside(runs)
    else:
        part = side_by_side(profile, options.choice.columns)
    if options.choice.mod_filename or options.choice.mod_funcname:
        part = renamed(part, options.choice.mod_filename, options.choice.mod_funcname)
    return with_events(part, options)


def with_events(part: Part, options: Asked) -> Part:
    """The part with the definitions of the events that are asked for."""
    if not options.choice.events:
        return part
    asked = {event.name: event for event in options.choice.events}
    return replace(part, event_definitions=part.event_definitions | asked)


def columns_of(part: Part, options: Asked) -> Columns:
    """The columns that are shown of a part."""
    show = options.choice.show or _recorded(part, options)
    sort = options.choice.sort
    if part.runs > 1:
        show = options.choice.show or with_ranges(part, show)
        sort = sort or [show[0]]
        percents = options.choice.show_percs and bool(options.choice.show)
        return RunColumns(part, show, sort, percents, options.screen.colour)
    if options.choice.columns != "event" and not sort:
        sums = sums_of_columns(part, options.choice.columns, show)
        sort = [event.name for event in sums]
        added = {event.name: event for event in sums if len(event.terms) > 1}
        part = replace(part, event_definitions=added | part.event_definitions)
    return Columns(part, show, sort, options.choice.show_percs, options.screen.colour)


def _recorded(part: Part, options: Asked) -> list[str]:
    """The events that are shown where none is asked for: all, or cycles with their causes, if these are
    asked for."""
    defined = [event.name for event in options.choice.events]
    if not options.choice.cycles or options.choice.columns != "event":
        return part.events + defined
    total = dict(zip(part.events, part.self_total()))
    return [CYCLES, *(cause for cause in CAUSES if total.get(cause)), part.events[0], *defined]


def columns_that_fit(part: Part, columns: Columns, options: Asked) -> Fitting:
    """The columns that a terminal has room for; elsewhere all."""
    if options.choice.show or options.screen.json or not options.screen.terminal:
        return Fitting(columns.shown)
    asked = [
        columns.order[0],
        *options.choice.sort,
        *(event.name for event in options.choice.events),
    ]
    return fitting(part, columns, asked, options.screen.width)


def section(title: str = "") -> Iterator[str]:
    """A rule, and a heading between two, if there is one."""
    yield ""
    yield _RULE
    if title:
        yield title
        yield _RULE


def loops_said(profile: Profile, part: Part, most: int) -> list[str]:
    """What bounds the loops that take most cycles, if they were estimated on the way."""
    found = bounds(profile.loops, part) if part.runs == 1 else []
    return [f"{bound.share:5.1f}%  {bound.where}: {bound.text}" for bound in found[:most]]


# ---- Head ------------------------------------------------------------------


def _file_head(profile: Profile) -> Iterator[str]:
    first = profile.parts[0]
    paths = list(dict.fromkeys(f"'{part.path}'" for part in profile.parts))
    yield _RULE
    yield (
        f"Profile data file{'s' if len(paths) > 1 else ''} "
        f"{first_few(paths)}" + (f" (creator: {profile.creator})" if profile.creator else "")
    )
    yield _RULE
    yield from partial_head(profile)
    yield from estimate_head(profile)
    for part in profile.parts:
        yield from _part_head(part, first)
    yield from threads_head(profile, "Threads:          ")


def threads_head(profile: Profile, heading: str) -> Iterator[str]:
    """The names of threads, if the program has given any."""
    names = names_of_threads(profile.parts)
    if names:
        yield heading + first_few([thread_said(*each) for each in names.items()], _THREADS_MAX)


def partial_head(profile: Profile) -> Iterator[str]:
    """What is said where only a part of what was profiled is there."""
    return (f"Partial: {said}" for said in profile.partial)


def estimate_head(profile: Profile) -> Iterator[str]:
    """What is said of cycles that are estimated."""
    said = estimate_said(profile.parts)
    return (f"{ESTIMATED}: {text}" for text in filter(None, [said]))


def _head(
    profile: Profile,
    whole: Part,
    columns: Columns,
    fits: Fitting,
    options: Options,
) -> Iterator[str]:
    yield from _file_head(profile)
    yield from events_head(whole, columns, fits, options)
    yield f"Thresholds:       {options.threshold:g}"
    for heading, words in (
        ("Include dirs:     ", options.include),
        ("User annotated:   ", options.sources),
    ):
        if words:
            yield heading + " ".join(words)
    yield f"Auto-annotation:  {'on' if options.auto else 'off'}"


def events_head(whole: Part, columns: Columns, fits: Fitting, options: Asked) -> Iterator[str]:
    """The events shown, each in words; those recorded and the order where these are others; and those
    that a terminal has no room for."""
    if {*whole.events} != {*columns.shown, *fits.more, *fits.zero}:
        yield f"Events recorded:  {' '.join(whole.events)}"
    definitions = built_in_events(whole.events) | whole.event_definitions
    events = columns.shown
    if options.choice.columns != "event":  # Ir, not Ir.part1, Ir.part2
        events = [event.partition(f".{options.choice.columns}")[0] for event in events]
    words = [f"{event}: {meaning_of(event, definitions)}" for event in dict.fromkeys(events)]
    for heading, text in zip(["Events shown:    ", *[" " * 17] * len(words)], words):
        yield f"{heading} {text.removesuffix(': ')}"
    yield from not_shown(fits, options)
    if columns.order != columns.shown and (
        options.choice.sort or options.choice.columns != "event"
    ):
        yield f"Event sort order: {' '.join(columns.order)}"


def not_shown(fits: Fitting, options: Asked) -> Iterator[str]:
    """The events that a terminal has no room for, and those that did not happen."""
    if fits.more:
        names = cut(",".join(fits.more), options.screen.width - 35)
        yield f"Not shown:        {len(fits.more)} more: --show={names}"
    if fits.zero:
        yield cut(f"Zero everywhere:  {' '.join(fits.zero)}", options.screen.width)


_NOT_IN_HEADS = ("Partial", OBJECTS, THREADS, ESTIMATED, *ROUNDS)
"""Kinds of descriptions that are said elsewhere."""


def _part_head(part: Part, first: Part) -> Iterator[str]:
    """What a part says of itself, and the first one did not."""
    for key, value in part.descriptions.items():
        is_new = part is first or first.descriptions.get(key) != value
        if value and is_new and key not in _NOT_IN_HEADS:
            yield f"{key}: {value}"
    for name, count in part.skipped.items():
        yield f"Skipped: {name} ({count:,}x)"
    facts = [
        f"{name} {number}"
        for name, number in (("PID", part.pid), ("part", part.part))
        if number is not None
    ]
    if part.thread is not None:
        name = part.thread_names.get(part.thread, "")
        facts.append(f"thread {thread_said(part.thread, name)}")
    yield (f"Profiled target:  {part.cmd}" + (f" ({', '.join(facts)})" if facts else "")).rstrip()


# ---- Functions -------------------------------------------------------------


def cost_of(node: Node, options: Options) -> Cost:
    return node.inclusive if options.inclusive else node.self_cost


@dataclass(slots=True)
class Rest:
    """What a list leaves out: how many of its kind, and what percentage of the first event sorted by."""

    count: int = 0
    share: float = 0.0
    each: float | None = None  # what each of them has less than, where costs overlap

    def line(self, kind: str) -> Iterator[str]:
        """What the reader is told of it."""
        if not self.count:
            return
        share = f"{self.share:.2f}% together"
        if self.each is not None:
            share = f"of less than {self.each:g}% each"
        yield (
            f"and {self.count:,} more {kind}{'' if self.count == 1 else 's'}, {share}; "
            "--threshold=100 lists them"
        )


def listed(
    graph: CallGraph, columns: Columns, options: Options, most: int = sys.maxsize
) -> tuple[list[Node], Rest]:
    """The nodes above the threshold, most expensive first, `most` of them; and what is left.

    Self costs are listed until they make up `threshold` percent of the total
    of the first event sorted by.  Inclusive costs overlap: what is listed is
    each function of at least 100 - `threshold` percent.
    """
    costs = graph.columns.inclusive if options.inclusive else graph.columns.self_costs
    numbers, count = _dearest(graph, columns, options, most)
    result: list[Node] = []
    shown = 0.0
    for number, share in _by_cost(graph, columns, costs, numbers, most):
        if len(result) == most:
            break
        if options.threshold == 100:
            pass
        elif options.inclusive:
            if share < 100 - options.threshold:
                break
        elif shown >= options.threshold or not share:
            break
        result.append(graph.node(number))
        shown += share
    everything = columns.share(columns.order[0], columns.total)
    each = 100 - options.threshold if options.inclusive else None
    return result, Rest(count - len(result), max(0.0, everything - shown), each)


def _dearest(
    graph: CallGraph, columns: Columns, options: Options, most: int
) -> tuple[Sequence[int], int]:
    """The nodes with a cost to show that may be among `most` that cost most, by number; and how many have
    one."""
    first = columns.order[0]
    event = columns.recorded(first)
    if event is not None and columns.shown == [first] and most < len(graph.columns.names):
        return graph.columns.dearest(event, options.inclusive, most)
    costs = graph.columns.inclusive if options.inclusive else graph.columns.self_costs
    numbers = _numbers_with_cost(columns, costs)
    return numbers, len(numbers)


def _numbers_with_cost(columns: Columns, costs: "array[int]") -> list[int]:
    """The nodes that have a cost to show, by number."""
    shown = [columns.values_of(event, costs) for event in columns.shown]
    has_cost = shown[0] if len(shown) == 1 else map(any, zip(*shown))
    return list(compress(range(len(shown[0])), has_cost))


def _by_cost(
    graph: CallGraph, columns: Columns, costs: "array[int]", numbers: Sequence[int], most: int
) -> Iterator[tuple[int, float]]:
    """The nodes with these numbers, most expensive first; and what share of the total they cost.

    Of so many nodes that `most` are a few, only those are put in order that may be among them.

    Nodes that cost the same of the first event stand in the order of the others, then of
    their names.
    """
    first, *others = (columns.values_of(event, costs) for event in columns.order)
    key_of: Callable[[int], FunctionKey] = graph.columns.names.key
    if most >= len(first):
        key_of = graph.columns.keys.__getitem__
    if len(numbers) > most:
        values = list(map(first.__getitem__, numbers))
        least = nlargest(most, values)[-1]
        numbers = [number for number, value in zip(numbers, values) if value >= least]
    for value, group in groupby(
        sorted(numbers, key=first.__getitem__, reverse=True), first.__getitem__
    ):
        alike = list(group)
        if len(alike) > 1:
            alike.sort(key=lambda number: ([-other[number] for other in others], key_of(number)))
        share = columns.share_of(columns.order[0], value)
        yield from ((number, share) for number in alike)


def table_of_functions(columns: Columns, label: str, options: Asked) -> Table:
    """A table whose rows are functions, empty yet."""
    return Table(columns, label, options.screen.table_width, options.screen.full_names)


def _functions(
    graph: CallGraph, nodes: list[Node], columns: Columns, options: Options
) -> Iterator[str]:
    label = "file:function" + (", with what it calls" if options.inclusive else "")
    table = table_of_functions(columns, label, options)
    for row in _rows(graph, nodes, columns, options):
        if options.tree in ("caller", "both"):
            _add_arcs(table, "<", row.callers)
        if isinstance(row, Cycle):
            _add_cycle(table, row, options)
        else:
            _add_node(table, row, options)
        if options.tree != "none":
            table.add_text("")
    yield from table.lines()


def _rows(
    graph: CallGraph, nodes: list[Node], columns: Columns, options: Options
) -> list[Node | Cycle]:
    """The functions and, with inclusive costs, the cycles above the threshold.

    Of self costs there are no cycles: all of it is in their members' rows.
    """
    if not options.inclusive:
        return [*nodes]
    cycles = [
        cycle
        for cycle in graph.cycles
        if any(columns.values(cycle.inclusive))
        and columns.share(columns.order[0], cycle.inclusive) >= 100 - options.threshold
    ]
    return sorted([*cycles, *nodes], key=lambda row: columns.sort_key(row.inclusive))


def _add_node(table: Table, node: Node, options: Options) -> None:
    mark = "" if options.tree == "none" else "* "
    shows_calls = options.inclusive or options.tree != "none"
    add_node(table, node, cost_of(node, options), mark, shows_calls)
    if options.tree in ("calling", "both"):
        _add_arcs(table, ">", node.callees)


def add_node(
    table: Table, node: Node, cost: Cost, mark: str = "", shows_calls: bool = False
) -> None:
    """Add the row of a function; where calls are shown, the cycle that it is in is, too."""
    cycle = f" <cycle {node.cycle}>" if node.cycle and shows_calls else ""
    rounds = table.columns.rounds.of_function(node.key)
    table.add_named(cost, node.key, mark, cycle, rounds=rounds)


def _add_cycle(table: Table, cycle: Cycle, options: Options) -> None:
    """The row of a cycle; where callees are shown, one for each member."""
    members = sorted(
        cycle.members, key=lambda node: (table.columns.sort_key(node.inclusive), node.key)
    )
    mark = "" if options.tree == "none" else "* "
    table.add(cycle.inclusive, f"{mark}{cycle} {first_few(_said(members, table.full_names))}")
    if options.tree in ("calling", "both"):
        for node in members:
            calls = node.calls(table.columns.zero())
            table.add_named(node.inclusive, node.key, ">   ", f" ({calls.times})")


def _said(nodes: list[Node], full_names: bool) -> list[str]:
    names = Spoken((node.key for node in nodes), full_names)
    return [names.name_of(node.key) for node in nodes]


def first_few(names: list[str], most: int = _NAMES_MAX) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _add_arcs(table: Table, mark: str, arcs: dict[FunctionKey, Arc]) -> None:
    """Add the rows of calls of a row (<), or by it (>); an estimated number has a ~."""
    for key, arc in by_cost(arcs, table.columns):
        table.add_named(arc.inclusive, key, f"{mark}   ", f" ({arc.times})")


def _by_file(part: Part, graph: CallGraph, columns: Columns, options: Options) -> Iterator[str]:
    """Self costs by file and, in it, function; or the other way round.

    Inlined code is in the file that it comes from.  Groups are listed as
    functions are, and in them what has the rest of 100 % at least.
    """
    groups: dict[str, dict[str, Cost]] = {}
    table = part.lines.add_up(COST, BY_FUNCTION | BY_FILE, graph.nodes_by_function)
    keys = list(graph.nodes)
    names = Spoken(keys, options.screen.full_names)
    for node, file, spent in zip(table.column(BY_FUNCTION), table.column(BY_FILE), table.costs()):
        group, member = _file_in(keys[node].object, part.names[file]), names.name_of(keys[node])
        if options.view == "function:file":
            group, member = member, group
        add_cost(groups.setdefault(group, {}).setdefault(member, columns.zero()), spent)
    costs = {
        group: [sum(numbers) for numbers in zip(*members.values())]
        for group, members in groups.items()
    }
    shown = table_of_functions(columns, options.view, options)
    listed_groups, rest = until_threshold(costs, columns, options.threshold)
    for group in listed_groups:
        shown.add_named(costs[group], group)
        for member, cost in sorted(
            groups[group].items(), key=lambda item: (columns.sort_key(item[1]), item[0])
        ):
            share = columns.share(columns.order[0], cost)
            if share >= 100 - options.threshold and any(columns.values(cost)):
                shown.add_named(cost, member, "  ")
    yield from shown.lines()
    yield from rest.line(options.view.partition(":")[0])


def _file_in(object: str, file: str) -> str:
    """The name of a file; one that is not known is told by the object that its code is in."""
    return f"{file} [{object}]" if file == UNKNOWN != object else file


_Named = TypeVar("_Named", str, FunctionKey)


def until_threshold(
    costs: dict[_Named, Cost], columns: Columns, threshold: float, most: int = sys.maxsize
) -> tuple[list[_Named], Rest]:
    """Names, most expensive first, until they make up `threshold` percent, `most` of them; and what is
    left."""
    numbers = {name: cost for name, cost in costs.items() if any(columns.values(cost))}
    found: list[_Named] = []
    shown = 0.0
    for name in sorted(numbers, key=lambda name: (columns.sort_key(costs[name]), name)):
        share = columns.share(columns.order[0], costs[name])
        if len(found) == most or threshold < 100 and (shown >= threshold or not share):
            break
        found.append(name)
        shown += share
    everything = columns.share(columns.order[0], columns.total)
    return found, Rest(len(numbers) - len(found), max(0.0, everything - shown))


# ---- Miss curves -----------------------------------------------------------


def curve_report(profile: Profile, options: Options) -> Iterator[str]:
    """Each curve of the program, and of its functions: those that miss most
    often in the smallest size, if nothing else is sorted by."""
    profile, part = part_shown(profile, options)
    graph = CallGraph(part, not options.fold_recs)
    curves = []
    for curve in curves_of(part):
        shown = CurveColumns(part, curve, options.choice.sort, options.screen.colour)
        curves.append(
            (
                shown,
                [
                    (node, cost_of(node, options))
                    for node in listed(graph, shown.columns, options)[0]
                ],
            )
        )
    if options.screen.json:
        yield from curves_as_json(profile, part, curves)
        return
    yield from _file_head(profile)
    yield f"Thresholds:       {options.threshold:g}"
    for shown, nodes in curves:
        names = Spoken((node.key for node, _ in nodes), options.screen.full_names)
        rows = [(names.label_of(node.key), cost) for node, cost in nodes]
        yield from draw_curve(shown, rows, options.screen.width)


# ---- Machine code ----------------------------------------------------------


def _assembly(
    part: Part, graph: CallGraph, nodes: list[Node], columns: Columns, options: Options
) -> Iterator[str]:
    if "instr" not in part.positions:
        yield from section(
            "-- No machine code: the profile has no addresses; "
            "expected one made with --dump-instr=yes"
        )
        return
    from cg2tools.annotate.assembly import Assembly  # only here: it brings what runs objdump

    known = [node for node in nodes if node.key.object != UNKNOWN]
    assembly = Assembly(part, graph, columns, options.context, known, options.screen.full_names)
    names = Spoken((node.key for node in known), options.screen.full_names)
    for node in known:
        yield from section(f"-- Machine code: {names.label_of(node.key)}")
        yield from assembly.annotate(node)


# ---- Sources ---------------------------------------------------------------


def _sources(
    sources: Sources,
    nodes: list[Node],
    options: Options,
) -> Iterator[str]:
    """The sources asked for, then those of the functions listed."""
    chosen: dict[str, str] = {}
    for source in options.sources:
        names = sources.names_ending_in(source)
        if not names:
            yield from section(f"-- No cost was recorded in {source}")
        for name in names:
            chosen.setdefault(name, "User")
    if options.auto:
        for name in sources.names_of(nodes):
            chosen.setdefault(name, "Auto")
    paths = {name: sources.files.path(name) for name in chosen}
    missing = [name for name, path in paths.items() if path is None]
    found = {name: path for name, path in paths.items() if path is not None}
    sources.read(found)
    annotated = sources.columns.zero()
    for name, path in found.items():
        yield from section(
            f"-- {chosen[name]}-annotated source: {name}"
            + ("" if path == name else f" (read from {path})")
        )
        yield from sources.annotate(name, path)
        add_cost(annotated, sources.costs[name])
    if missing:
        yield from _missing(sources, missing, 100 - options.threshold)
    if chosen:
        yield from section()
        table = Table(sources.columns, "")
        table.add(annotated, "events annotated")
        yield from table.lines()


def _missing(
    sources: Sources,
    names: list[str],
    limit: float,
) -> Iterator[str]:
    """The files not found that have `limit` percent of the cost or more."""
    columns = sources.columns
    yield from section("-- Source files not found (-I DIR looks in DIR)")
    table = Table(columns, "file")
    shown = [
        name for name in names if columns.share(columns.order[0], sources.costs[name]) >= limit
    ]
    for name in shown:
        why = sources.files.why_not(name)
        table.add(sources.costs[name], f"{name} ({why})" if why else name)
    if len(shown) < len(names):
        table.add_text(
            f"and {len(names) - len(shown)} more of less than "
            f"{limit:g}% each; --threshold=100 lists them"
        )
    yield from table.lines()
