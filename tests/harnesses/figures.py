"""The figures of a run's profiles, to be compared between Callgrind and cg2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from facts import Graph
from launcher import ENDING, Launcher, profiles_in, program, scratch

Costs = Counter[tuple[str, str]]  # by function and event


@dataclass(frozen=True)
class Figures:
    """What one part says."""

    head: tuple[object, ...]  # what readers tell parts by
    trigger: str
    costs: Costs
    calls: dict[tuple[str, str], tuple[int, int]]  # count and inclusive cost


def of_part(part: Part) -> Figures:
    costs: Costs = Counter()
    for key, function in part.functions.items():
        for event, cost in zip(part.events, function.self_cost()):
            costs[key.name, event] += cost
    graph = Graph(part)
    calls = {arc: (graph.counts[arc], graph.arc_costs[arc]) for arc in graph.counts}
    trigger = part.descriptions["Trigger"]
    head = (part.part, part.thread, trigger, part.positions, part.events)
    return Figures(head, trigger, +costs, {arc: found for arc, found in calls.items() if found[1]})


def anonymous(text: str) -> str:
    """The text without process ids."""
    return re.sub(r"(?<![\d,])\d{3,}(?![\d,])", "PID", text)


def of_run(
    launcher: Launcher, options: Sequence[str], argv: Sequence[str | Path] = ()
) -> dict[str, list[Figures]]:
    """What a run of `argv` (default: harness.c) leaves: the figures of each file, by its name."""
    directory = scratch()
    argv = argv or [program()]
    command = ["valgrind", "--tool=callgrind", *options, *argv]
    launcher.run(*command, directory=directory, status=None)
    return {
        anonymous(path.name): [of_part(part) for part in read_profile(path).parts]
        for path in profiles_in(directory)
    }


def without_ending(figures: Figures) -> Costs:
    """The costs of harness.c without its last block, which Callgrind does not count."""
    ending: Costs = Counter()
    if figures.trigger == "Program termination":
        for name in {name for name, _ in figures.costs if name.startswith("(below main)")}:
            ending[name, "Ir"] = ENDING
    return figures.costs - ending
