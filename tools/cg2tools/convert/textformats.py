"""Stacks as text: folded stacks, speedscope's JSON, Chrome's trace.

Each writer makes lines of all stacks, whose costs add up to the profile's.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cg2tools import VERSION
from cg2tools.profile.model import FunctionKey, UNKNOWN, readable
from cg2tools.profile.stacks import Stack, Stacks

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def folded(stacks: Stacks, event: int) -> Iterator[str]:
    """Lines "main;f;g 123", in the order of the alphabet.

    Functions of one name are one there.  A semicolon in a name becomes a comma.
    """
    found: dict[str, int] = {}
    for stack in stacks.ordered():
        number = stack.self_cost()[event]
        if number:
            text = ";".join(name.replace(";", ",") for name in stacks.names_of(stack))
            found[text] = found.get(text, 0) + number
    for text, number in sorted(found.items()):
        yield f"{text} {number}"


# ---- Speedscope ------------------------------------------------------------


def speedscope(stacks: Stacks, events: Iterable[int]) -> Iterator[str]:
    """A profile of kind "sampled" for each event; weights are costs."""
    part = stacks.part
    frames: dict[FunctionKey, int] = {}
    samples = []
    for stack in stacks.ordered():
        if any(stack.costs.values()):
            path = [
                frames.setdefault(below.function, len(frames)) for below in stack.from_outermost()
            ]
            samples.append((path, stack.self_cost()))
    profiles = [_sampled(part.events[event], event, samples) for event in events]
    yield json.dumps(
        {
            "$schema": _SCHEMA,
            "exporter": f"cg2_convert {VERSION}",
            "name": readable(part.cmd.strip() or part.path),
            "activeProfileIndex": 0,
            "shared": {"frames": [_frame(stacks, key) for key in frames]},
            "profiles": profiles,
        }
    )


def _sampled(name: str, event: int, samples: list[tuple[list[int], list[int]]]) -> dict[str, Any]:
    own = [(path, cost[event]) for path, cost in samples if cost[event]]
    return {
        "type": "sampled",
        "name": name,
        "unit": "none",
        "startValue": 0,
        "endValue": sum(weight for _, weight in own),
        "samples": [path for path, _ in own],
        "weights": [weight for _, weight in own],
    }


def _frame(stacks: Stacks, key: FunctionKey) -> dict[str, Any]:
    frame: dict[str, Any] = {"name": readable(stacks.names[key])}
    if key.file != UNKNOWN:
        frame["file"] = readable(key.file)
    return frame


# ---- Chrome ----------------------------------------------------------------


def chrome(stacks: Stacks, events: Iterable[int]) -> Iterator[str]:
    """A trace in which each event is a thread, and its cost takes the time.

    One is a microsecond.  A function's own cost is behind its callees'.
    """
    part = stacks.part
    yield '{"traceEvents": ['
    lines = [_named("process_name", part.cmd.strip() or part.path, 0)]
    for event in events:
        lines.append(_named("thread_name", part.events[event], event + 1))
        lines.extend(_durations(stacks, event))
    for line in lines[:-1]:
        yield json.dumps(line) + ","
    yield json.dumps(lines[-1])
    yield '], "displayTimeUnit": "ms"}'


def _named(kind: str, name: str, thread: int) -> dict[str, Any]:
    return {"ph": "M", "pid": 1, "tid": thread, "name": kind, "args": {"name": readable(name)}}


def _durations(stacks: Stacks, event: int) -> Iterator[dict[str, Any]]:
    free: dict[Stack | None, int] = {None: 0}  # where a callee may begin
    for stack in stacks.ordered():
        cost = stack.inclusive[event]
        if cost:
            start = free[stack.caller]
            free[stack.caller] = start + cost
            free[stack] = start
            yield {
                "ph": "X",
                "pid": 1,
                "tid": event + 1,
                "ts": start,
                "dur": cost,
                "name": readable(stacks.names[stack.function]),
                "args": {
                    "file": readable(stack.function.file),
                    "object": readable(stack.function.object),
                },
            }
