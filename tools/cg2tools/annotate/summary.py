"""The summary of a run: what its processes and threads cost, as text and as JSON.

A run is all that was started together: a process, those that it forked, programs that
replaced others by exec. Each leaves files of its own; a summary is made of all of them. As
JSON it has the members that docs/cg2-summary.schema.json lists, as what the tool writes
with --json-summary has.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.annotate.asked import Asked
from cg2tools.annotate.fitting import Fitting
from cg2tools.annotate.report import (
    columns_of,
    columns_that_fit,
    events_head,
    parts_chosen,
    with_events,
)
from cg2tools.annotate.table import Table
from cg2tools.profile.columns import Columns, cycles
from cg2tools.profile.events import ESTIMATE
from cg2tools.profile.model import Cost, Part, Profile, add_cost
from cg2tools.profile.terms import counted, names_of_threads, thread_said

FORMAT = "cg2-summary"
VERSION = 1

_ACCESSES = ("Ir", "Dr", "Dw"), ("I1mr", "D1mr", "D1mw"), ("ILmr", "DLmr", "DLmw")
"""All accesses to memory, those that miss the first level, and those that miss the last."""

_WEIGHTS = {"l1_hits": 1, "ll_hits": 5, "ram_hits": 35}
"""Cycles that the harnesses iai and gungraun estimate for an access."""

_HITS = {
    "l1_hits": "L1 hits",
    "ll_hits": "LL hits",
    "ram_hits": "RAM hits",
    "estimated_cycles": "Estimated cycles",
}


@dataclass(slots=True)
class _Process:
    """A program that ran in a process: its parts."""

    parts: list[Part] = field(default_factory=list)

    @property
    def image(self) -> int | None:
        """Which program of its process it is; None: it is certain that there is no other."""
        return max(_image(part) or 0 for part in self.parts) or None

    @property
    def parent(self) -> int | None:
        return _number(self.parts[0].descriptions.get("Parent"))

    def threads(self) -> dict[int, list[Part]]:
        """The parts of each thread, if threads are kept apart."""
        numbers = sorted({part.thread for part in self.parts if part.thread is not None})
        return {
            number: [part for part in self.parts if part.thread == number] for number in numbers
        }


def summary(profile: Profile, options: Asked) -> Iterator[str]:
    """The lines of the summary.  `profile` has the parts of all files."""
    profile = parts_chosen(profile, options)
    profile.check_events()
    first = with_events(profile.parts[0], options)
    columns = columns_of(first, options)
    columns.total = _total(profile.parts)
    processes = list(_processes(profile.parts))
    if options.screen.json:
        run = _run_as_json(profile, processes, columns)
        yield from json_lines(run)
    else:
        fits = columns_that_fit(first, columns, options)
        yield from _text(profile, first, processes, columns.showing(fits.shown), fits, options)


# ---- Processes -------------------------------------------------------------


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None


def _image(part: Part) -> int | None:
    return _number(part.descriptions.get("Image"))


def _processes(parts: Iterable[Part]) -> Iterator[_Process]:
    """The programs that ran, those of one process in their order, as are the parts of each.

    What says of no process that it is its own, such as a sum of profiles, is one without a number.
    """
    found: dict[int | None, dict[int, _Process]] = {}
    for part in parts:
        images = found.setdefault(part.pid, {})
        images.setdefault(_image(part) or 1, _Process()).parts.append(part)
    for images in found.values():
        for _, process in sorted(images.items()):
            process.parts.sort(key=lambda part: (part.part or 0, part.thread or 0))
            yield process


def _total(parts: Sequence[Part]) -> Cost:
    total = [0] * len(parts[0].events)
    for part in parts:
        add_cost(total, part.self_total())
    return total


def _derived(part: Part, cost: Cost) -> dict[str, int] | None:
    """Where accesses hit, and what they are estimated to take; None where no caches were simulated.

    A described machine says itself what they take. The part says what the events are.
    """
    counts = dict(zip(part.events, cost))
    if not all(event in counts for events in _ACCESSES for event in events):
        return None
    everything, first, last = (sum(counts[event] for event in events) for events in _ACCESSES)
    hits = {"l1_hits": everything - first, "ll_hits": first - last, "ram_hits": last}
    if ESTIMATE in part.event_definitions:
        estimate = sum(factor * cost[index] for index, factor in cycles(part).items())
    else:
        estimate = sum(_WEIGHTS[kind] * count for kind, count in hits.items())
    return hits | {"estimated_cycles": estimate}


# ---- JSON ------------------------------------------------------------------


def _clean(text: str) -> str:
    """The text with U+FFFD for each byte that is no UTF-8, as many readers refuse all else."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _costs(parts: Sequence[Part], columns: Columns) -> dict[str, Any]:
    cost = _total(parts)
    return {"total": list(columns.values(cost)), "derived": _derived(parts[0], cost)}


def _run_as_json(
    profile: Profile, processes: Sequence[_Process], columns: Columns
) -> dict[str, Any]:
    cpus = {part.descriptions.get("CPU") for part in profile.parts}
    return {
        "format": FORMAT,
        "version": VERSION,
        "creator": _clean(profile.creator),
        "cmd": _clean(profile.parts[0].cmd),
        "cpu": cpus.pop() if len(cpus) == 1 else None,
        "partial": [_clean(said) for said in profile.partial],
        "events": [_clean(event) for event in columns.shown],
        **_costs(profile.parts, columns),
        "files": list(dict.fromkeys(_clean(part.path) for part in profile.parts)),
        "processes": [_process_as_json(process, columns) for process in processes],
    }


def _process_as_json(process: _Process, columns: Columns) -> dict[str, Any]:
    first = process.parts[0]
    names = names_of_threads(process.parts)
    caches = {name: first.descriptions.get(f"{name} cache", "") for name in ("I1", "D1", "LL")}
    return {
        "pid": first.pid,
        "parent": process.parent,
        "image": process.image,
        "cmd": _clean(first.cmd),
        "cpu": first.descriptions.get("CPU"),
        "caches": caches if any(caches.values()) else None,
        "objects": sorted({_clean(name) for part in process.parts for name in _objects(part)}),
        **_costs(process.parts, columns),
        "threads": [
            {
                "thread": number,
                "name": _clean(names.get(number, "")) or None,
                **_costs(parts, columns),
            }
            for number, parts in process.threads().items()
        ],
        "parts": [
            {
                "part": part.part,
                "thread": part.thread,
                "trigger": _clean(part.descriptions.get("Trigger", "")) or None,
                "path": _clean(part.path),
                **_costs([part], columns),
            }
            for part in process.parts
        ],
    }


def _objects(part: Part) -> set[str]:
    """The objects of the functions that a part mentions."""
    return {part.names[number] for number in {*part.lines.function_names()[::3]}}


# ---- Text ------------------------------------------------------------------


def _text(
    profile: Profile,
    first: Part,
    processes: Sequence[_Process],
    columns: Columns,
    fits: Fitting,
    options: Asked,
) -> Iterator[str]:
    files = {part.path for part in profile.parts}
    yield "-" * 80
    yield f"Summary of {counted(len(processes), 'program')} in {counted(len(files), 'file')}"
    yield "-" * 80
    yield from (f"Partial: {said}" for said in profile.partial)
    yield from events_head(first, columns, fits, options)
    yield ""
    table = Table(columns, "program, process and thread")
    table.add(columns.total, "TOTAL")
    for process in processes:
        table.add(_total(process.parts), _label(process))
        threads, names = process.threads(), names_of_threads(process.parts)
        for number, parts in threads.items() if len(threads) > 1 else ():
            table.add(_total(parts), f"  thread {thread_said(number, names.get(number, ''))}")
    yield from table.lines()
    derived = _derived(profile.parts[0], columns.total)
    if derived:
        yield ""
        yield from _derived_lines(derived)


def _label(process: _Process) -> str:
    """A program as a person looks for it: what it is, and where it ran."""
    first = process.parts[0]
    facts = [
        f"{name} {number}"
        for name, number in (
            ("PID", first.pid),
            ("program", process.image),
            ("forked by", process.parent),
        )
        if number is not None
    ]
    return (first.cmd or first.path) + (f" ({', '.join(facts)})" if facts else "")


def _derived_lines(derived: dict[str, int]) -> Iterator[str]:
    texts = {kind: f"{count:,}" for kind, count in derived.items()}
    width = max(map(len, texts.values()))
    for kind, text in texts.items():
        yield f"{text.rjust(width)} {_HITS[kind]}"
