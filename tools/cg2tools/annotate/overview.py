"""The first answer: what was run, what that cost, the functions that cost most, and how to see more."""

import os
import shlex
from collections.abc import Iterator

from cg2tools.annotate.fitting import Fitting, fitting
from cg2tools.annotate.report import (
    LOOPS,
    Options,
    add_node,
    columns_of,
    estimate_head,
    first_few,
    listed,
    loops_said,
    not_shown,
    part_shown,
    partial_head,
    table_of_functions,
    threads_head,
)
from cg2tools.annotate.table import number
from cg2tools.commandline.runfiles import run_of
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.columns import INCLUSIVE, Columns
from cg2tools.profile.events import built_in_events, meaning_of
from cg2tools.profile.layouts import runs_of
from cg2tools.profile.model import Part, Profile
from cg2tools.profile.terms import counted
from cg2tools.profile.unnamed import unnamed_lines

FUNCTIONS_MAX = 20
_LOOPS_MAX = 3

_FILES_MAX = 100
"""The most characters of names of files that a command is shown with."""

_PROCESSES = "each process", "cg2 summary"
_PARTS = "each part", "cg2 threads --columns=part"
_MORE = (
    ("with what they call", "cg2 annotate --inclusive=yes"),
    ("callers and callees", "cg2 annotate --tree=both"),
    ("sources, line by line", "cg2 annotate --auto=yes"),
    ("in a browser", "cg2 report"),
)


def overview(profile: Profile, options: Options) -> Iterator[str]:
    """The twenty functions that cost most by themselves, and their inclusive cost beside it."""
    profile, part = part_shown(profile, options)
    columns = columns_of(part, options)
    graph = CallGraph(part, not options.fold_recs)
    nodes, rest = listed(graph, columns, options, FUNCTIONS_MAX)
    event = columns.order[0]
    if options.choice.show and event not in columns.shown:
        event = columns.shown[0]
    both = columns.with_inclusive(event)
    fits = Fitting(both.shown)
    if options.screen.terminal and not options.choice.show:
        asked = [event, INCLUSIVE, *(made.name for made in options.choice.events)]
        fits = fitting(part, both, asked, options.screen.width, at_least=2)
        both = both.showing(fits.shown)
    yield from file_head(profile, "Profile")
    yield from _left_of_run(profile)
    yield ""
    yield from totals_head(part, both)
    yield from _largest_process(profile, event)
    for line in not_shown(fits, options):
        yield " ".join(line.split())
    yield ""
    table = table_of_functions(both, "file:function", options)
    for node in nodes:
        add_node(table, node, node.self_cost + node.inclusive, shows_calls=True)
    yield from table.lines()
    yield from rest.line("function")
    loops = loops_said(profile, part, _LOOPS_MAX)
    if loops:
        yield from ["", f"{LOOPS}:", *loops]
    order, names = columns.order[0], graph.columns.names
    spent = columns.values_of(order, graph.columns.self_costs)
    unnamed = ((names.key(node), spent[node]) for node in names.that_begin("0x"))
    yield from unnamed_lines(unnamed, order, columns.value(order, columns.total))
    yield from _more(profile)


def file_head(profile: Profile, kind: str) -> Iterator[str]:
    """What was run, and the files; `kind` is what these are."""
    first = profile.parts[0]
    if first.cmd:
        others = len(_processes(runs_of([profile])[0])) - 1
        more = f" and {counted(others, 'other process')}" if others else ""
        yield f"Program: {first.cmd}" + (
            f" (PID {first.pid})" if first.pid is not None else ""
        ) + more
    count, runs = len(profile.parts), len(runs_of([profile]))
    said = f"{count} parts" if runs == 1 else f"{runs} runs in other layouts of memory"
    paths = list(dict.fromkeys(part.path for part in profile.parts))
    yield f"{kind}: {first_few(paths)}" + (f" ({said})" if count > 1 else "")
    yield from partial_head(profile)
    yield from estimate_head(profile)
    if len(_processes(profile)) == 1:
        yield from threads_head(profile, "Threads: ")


def _processes(profile: Profile) -> dict[int | None, list[Part]]:
    """The parts of each process."""
    found: dict[int | None, list[Part]] = {}
    for part in profile.parts:
        found.setdefault(part.pid, []).append(part)
    return found


def _left_of_run(profile: Profile) -> Iterator[str]:
    """The files of the run that are not shown."""
    paths = {part.path for part in profile.parts}
    left = [path for path in run_of(profile.parts[0].path) if path not in paths]
    if left:
        others = counted(len(left), "other file")
        yield f"Left out: {others} of the run: {first_few(left)}; cg2 summary adds files up"


def _largest_process(profile: Profile, event: str) -> Iterator[str]:
    """Which of several processes cost most; nothing of an event that is made of others."""
    processes = _processes(runs_of([profile])[0])
    events = profile.parts[0].events
    if len(processes) == 1 or None in processes or event not in events:
        return
    costs = {pid: _cost(parts, events.index(event)) for pid, parts in processes.items()}
    most = max(costs, key=lambda pid: costs[pid])
    all = sum(costs.values())
    command = processes[most][0].cmd
    program = f": {command}" if command != profile.parts[0].cmd else ""
    yield f"{100 * costs[most] / (all or 1):.1f} % of {event} in process {most}{program}"


def _cost(parts: list[Part], event: int) -> int:
    return sum(part.self_total()[event] for part in parts)


def totals_head(part: Part, columns: Columns) -> Iterator[str]:
    """What all of it cost, and each event in words."""
    definitions = built_in_events(part.events) | part.event_definitions
    totals = dict(zip(columns.shown, map(number, columns.values(columns.total))))
    width = max(map(len, totals.values()))
    for event, total in totals.items():
        if event != INCLUSIVE:
            meaning = meaning_of(event, definitions)
            yield f"{total.rjust(width)} {event}" + (f": {meaning}" if meaning else "")


def _more(profile: Profile) -> Iterator[str]:
    """The commands that show more of the profile."""
    paths = dict.fromkeys(part.path for part in profile.parts)
    files = shlex.join(paths)
    if len(files) > _FILES_MAX or not all(map(os.path.isfile, paths)):
        files = "FILE..."
    yield ""
    processes = _processes(runs_of([profile])[0])
    has_parts = any(len({part.part for part in parts}) > 1 for parts in processes.values())
    first = [_PROCESSES] * (len(processes) > 1) + [_PARTS] * has_parts
    for what, command in (*first, *_MORE):
        yield f"{what + ':':23}{command} {files}"
