"""A text for what a profile says: the same whoever has read it, and in whichever order it is told.

The canonical text of a profile is its header, and for each part: its header, and its functions in the order
of their objects, files and names, but for those that nothing but a jump names. Of a function: what each
position costs, in the order of positions and added up; the calls; the jumps. Names are quoted as Python's
ascii() does. figures.txt has its SHA-256, and figures to read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

LETTERS = 16  # of a hash, in hexadecimal: 64 bits


def canonical(profile: Any, with_lines: bool = True) -> str:
    """The text; `with_lines`: also where in the file the sums and the first borrowed id stand."""
    return "\n".join(_lines(profile, with_lines))


def hashed(text: str | bytes) -> str:
    data = text.encode("ascii") if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()[:LETTERS]


def body(part: Any) -> str:
    """The functions of a part alone, and the sum of its costs."""
    return "\n".join([*_functions(part), f"totals {_numbers(part.totals or [])}"])


def figures(profile: Any) -> str:
    """What a reader can compare with the file: how many there are of each, and the sum of the costs of each
    part."""
    functions = [function for part in profile.parts for _, function in _counted(part)]
    calls = [call for function in functions for call in function.calls]
    arcs = {
        (number, call.caller, call.callee)
        for number, part in enumerate(profile.parts)
        for function in part.functions.values()
        for call in function.calls
    }
    counts = {
        "parts": len(profile.parts),
        "functions": len(functions),
        "positions": sum(len(function.costs) for function in functions),
        "arcs": len(arcs),
        "calls": len(calls),
        "jumps": sum(len(function.jumps) for function in functions),
    }
    totals = " / ".join(_numbers(part.self_total()) for part in profile.parts)
    return " ".join(str(count) for count in counts.values()) + f" totals {totals}"


def graph_text(graph: Any) -> str:
    """All that a call graph says, in the order of names; a cycle is named by the first of its members."""
    first: dict[int, str] = {}
    for key, cycle in sorted(graph.cycle.items()):
        first.setdefault(cycle, _names(key))
    first[0] = "none"
    lines = [
        f"node {_names(key)} cycle {first[cycle]} self {_numbers(graph.self_costs[key])} inclusive "
        + _numbers(graph.inclusive[key])
        for key, cycle in graph.cycle.items()
    ]
    lines += [f"function {_names(key)} of {_names(node)}" for key, node in graph.node_of.items()]
    lines += [
        f"arc {_names(caller)} {_names(callee)} {count}: {_numbers(cost)}"
        for (caller, callee), (count, cost) in graph.arcs.items()
    ]
    lines += [
        f"cycle {first[number]} self {_numbers(own)} inclusive {_numbers(cost)}"
        for number, (own, cost) in enumerate(graph.cycles, start=1)
    ]
    lines += [
        f"entry {_names(caller)} {first[number]} {count}: {_numbers(cost)}"
        for (caller, number), (count, cost) in graph.entries.items()
    ]
    return "\n".join(sorted(lines))


def refusal(message: str) -> str:
    """What is wrong with a file, as "line: message" and in ASCII, but not that it is cut off."""
    message = re.sub(r"^/[^:]*:", "", message)
    message = re.sub(r"; the file is cut off (in|behind) line \d+, at byte \d+$", "", message)
    # A byte that is no UTF-8 is kept as a surrogate in Python, and so was shown by its reader.
    message = re.sub(r"\\udc([0-9a-f]{2})", r"\\x\1", message)
    return message.encode("ascii", "backslashreplace").decode("ascii")


def _lines(profile: Any, with_lines: bool) -> Iterator[str]:
    yield f"version {profile.version}"
    yield f"creator {ascii(profile.creator)}"
    for part in profile.parts:
        yield "part"
        yield from _header(part, with_lines)
        yield from _functions(part)


def _header(part: Any, with_lines: bool) -> Iterator[str]:
    for key in "pid", "part", "thread":
        yield f"{key} {getattr(part, key)}"
    yield f"cmd {ascii(part.cmd)}"
    for kind, text in part.descriptions.items():
        yield f"desc {ascii(kind)} {ascii(text)}"
    for name, count in part.skipped.items():
        yield f"skipped {count} {ascii(name)}"
    yield f"positions {' '.join(part.positions)}"
    for name, definition in part.event_definitions.items():
        terms = " ".join(f"{factor} {ascii(event)}" for factor, event in definition.terms)
        yield f"event {ascii(name)} {terms} {ascii(definition.long_name)}"
    yield f"events {' '.join(map(ascii, part.events))}"
    for key in "summary", "totals":
        cost = getattr(part, key)
        yield f"{key} none" if cost is None else f"{key} {_numbers(cost)}"
        if with_lines and cost is not None:
            yield f"stands in line {part.line_of.get(key, 0)}"
    if with_lines and part.borrowed:
        yield f"borrowed {part.borrowed[0]} {ascii(part.borrowed[1])}"


def _counted(part: Any) -> list[tuple[Any, Any]]:
    """The functions that have lines or are called, in order; a jump alone may name others."""
    called = {call.callee for function in part.functions.values() for call in function.calls}
    return [
        (key, function)
        for key, function in sorted(part.functions.items())
        if key in called or function.costs or function.calls or function.jumps
    ]


def _functions(part: Any) -> Iterator[str]:
    for key, function in _counted(part):
        yield f"function {_names(key)}"
        for position, cost in sorted(function.costs.items()):
            yield f"cost {_position(position)}: {_numbers(cost)}"
        yield from sorted(_call(call) for call in function.calls)
        yield from sorted(_jump(jump) for jump in function.jumps)


def _call(call: Any) -> str:
    places = f"{_position(call.source)} {_position(call.target)}"
    return f"call {_names(call.callee)} {places} {call.count}: {_numbers(call.inclusive)}"


def _jump(jump: Any) -> str:
    kind = "jcnd" if jump.conditional else "jump"
    places = f"{_position(jump.source)} {_position(jump.target)}"
    return f"{kind} {_names(jump.target_function)} {places} {jump.taken} {jump.executed}"


def _names(names: Iterable[str]) -> str:
    return " ".join(map(ascii, names))


def _position(position: Sequence[Any]) -> str:
    file, *numbers = position
    return f"{ascii(file)} {_numbers(numbers)}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
