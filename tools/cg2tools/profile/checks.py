"""cg2_annotate --check: is each file what the format allows, do its sums agree?

The reader refuses what the format does not allow, with the line. Beyond that

sums    `summary:` and `totals:` are the sum of the self costs, and each part
        defines the ids that it uses
calls   the calls into a function cost what it runs and calls. Functions that
        call each other in a cycle are taken together. A function without
        callers is a root; one that has callers and is a root as well may
        cost more than its calls, but never less.
"""

from collections.abc import Iterator

from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.model import Cost, FunctionKey, Part, Profile, ProfileError, add_cost
from cg2tools.profile.terms import Header

KINDS = "sums", "calls"


def faults(profile: Profile, kind: str) -> Iterator[ProfileError]:
    """What is wrong with a profile that could be read; "calls" is also sums."""
    for part in profile.parts:
        yield from part.faults()
        if kind == "calls":
            yield from _calls_that_cost_too_much(part)


def _calls_that_cost_too_much(part: Part) -> Iterator[ProfileError]:
    cycle_of = _cycles(part)
    entering: dict[int, Cost] = {}
    running: dict[int, Cost] = {}
    names: dict[int, FunctionKey] = {}
    width = len(part.events)
    for cycle, key, cost in zip(cycle_of, part.keys, part.lines.self_costs()):
        names.setdefault(cycle, key)
        add_cost(running.setdefault(cycle, [0] * width), cost)
    arcs = part.lines.arcs()
    for caller, callee, cost in zip(arcs.callers, arcs.callees, arcs.costs):
        cycle, entered = cycle_of[caller], cycle_of[callee]
        if cycle != entered:
            add_cost(running[cycle], cost)
            add_cost(entering.setdefault(entered, [0] * width), cost)
    for cycle, cost in entering.items():
        for event, into, inside in zip(part.events, cost, running[cycle]):
            if into > inside:
                yield ProfileError(
                    part.path,
                    part.line_of["events"],
                    f"calls of {names[cycle]} cost {into} {event}, but what "
                    f"runs there costs {inside}; expected no more than that",
                )


def _cycles(part: Part) -> list[int]:
    """The number of each function's cycle; most functions are alone in theirs."""
    cycles = Graph(part.lines, keep_levels=True).cycle
    return [-cycle if cycle else function for function, cycle in enumerate(cycles)]


def check_one_kind(first: Header, other: Header) -> None:
    """Raise ProfileError where one is of a data file and the other of a profile: they count the same
    accesses."""
    if first.is_data != other.is_data:
        is_what = "a data file" if other.is_data else "a profile"
        raise ProfileError(
            other.path, 0, f"{is_what}, which {first.path} is not; expected files of one kind"
        )


def check_alike(first: Profile, other: Profile) -> None:
    """Raise ProfileError where `other` cannot be set against `first`."""
    check_one_kind(first.parts[0], other.parts[0])
    if first.parts[0].has_paths != other.parts[0].has_paths:
        is_what = "paths of calls" if other.parts[0].has_paths else "a profile"
        raise ProfileError(
            other.path, 1, f"{is_what}, which {first.path} is not; expected files of one kind"
        )
    if other.version != first.version:
        raise ProfileError(
            other.path,
            other.parts[0].line_of.get("version", 1),
            f"version: {other.version}; expected {first.version} as in {first.path}",
        )
    expected = first.parts[0]
    for part in other.parts:
        for key, here, there in (
            ("events", part.events, expected.events),
            ("positions", part.positions, expected.positions),
        ):
            if here != there:
                raise ProfileError(
                    part.path,
                    part.line_of.get(key, part.line_of["events"]),
                    f"{key}: {' '.join(here)}; expected {' '.join(there)} as in {first.path}",
                )
