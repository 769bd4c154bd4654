"""The stacks of libcg2profile, for its tests: all that the library says of them.

    stacks = Stacks(part, smallest, by_line)    as the commands have them
    told(stacks)                                all that the library says of them
    graph(number), choices(number)              profiles whose stacks are stored, and what is asked of each
"""

from __future__ import annotations

from typing import NamedTuple

from profiletexts import Chance

from cg2tools.bindings.interface import column_at, profile_library, reference, room_for
from cg2tools.bindings.structures import SIZE, U32, U64, cg2p_stack
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.stacks import CHROME, FOLDED, PPROF, SPEEDSCOPE, Stacks

FORMATS = FOLDED, SPEEDSCOPE, CHROME, PPROF
VERSION = "0.1"  # of the commands, when the figures were stored


class Stack(NamedTuple):
    """A stack: names from the outermost on, file and line of the call, and costs."""

    names: list[str]
    site: tuple[str, int] | None
    self_cost: list[int]
    inclusive: list[int]
    places: list[tuple[tuple[str, int], list[int]]]


def told(stacks: Stacks) -> list[Stack]:
    """All stacks, in the library's order."""
    count = stacks.count
    address = profile_library().cg2p_stacks_array(stacks._handle)
    files, depths, lines = (
        column_at(cg2p_stack, field, address, count)
        for field in ("site_file", "depth", "site_line")
    )
    found: list[Stack] = []
    for number, (function, caller) in enumerate(zip(stacks.functions, stacks.callers)):
        callers = [] if caller == NONE else found[caller].names
        assert depths[number] == len(callers)
        file = files[number]
        site = None if file == NONE else (stacks.part.names[file], lines[number])
        cost = list(stacks.cost(number))
        path = [*callers, stacks.names[function]]
        places = _places(stacks, number, function)
        found.append(Stack(path, site, cost.copy(), cost, places))
        if caller != NONE:
            callers_own = found[caller].self_cost
            callers_own[:] = [number - part for number, part in zip(callers_own, cost)]
    return found


def _places(stacks: Stacks, number: int, function: int) -> list[tuple[tuple[str, int], list[int]]]:
    """What a stack costs at each place of its function, in the places' order."""
    found, cost, line = [], room_for(U64, len(stacks.part.events)), U64()
    asked, handle = profile_library(), stacks._handle
    for place in range(asked.cg2p_stacks_place_count(handle, U32(function))):
        if asked.cg2p_stacks_place_cost(handle, U32(number), SIZE(place), cost):
            file = asked.cg2p_stacks_place(handle, U32(function), SIZE(place), reference(line))
            found.append(((stacks.part.names[file], line.value), list(cost)))
    return found


# ------------------------------------------------------------ profiles

ENDS = [
    *("", "", "", ";x", " b", "+", '"\\q\x7f', "\u00e9", "\U0001f600"),
    *("\udcff", "\udce2\udc82", "\udced\udca0\udc80"),  # bytes that are no UTF-8
]


class Choices(NamedTuple):
    """What is asked of a profile."""

    smallest: float
    by_line: bool
    events: list[int]


def choices(number: int, width: int) -> Choices:
    chance = Chance(4_000_000 + number)
    events = [event for event in range(width) if chance.one_in(2)] or [width - 1]
    return Choices(chance.choice((0, 0.0001, 0.05, 0.3)), number % 2 == 1, events[::-1])


def graph(number: int) -> bytes:
    """A profile of functions that call each other in all ways, at several lines."""
    chance = Chance(3_000_000 + number)
    width, functions = chance.randint(1, 3), chance.randint(1, 12)
    names = []
    for i in range(functions):
        level = "" if chance.randrange(4) else "'2"
        chain = f"'f{chance.randrange(functions)}" if chance.one_in(3) else ""
        names.append(f"f{i}{chance.choice(ENDS)}{level}{chain}")
    lines = ["events: " + " ".join("ABC"[:width])]
    if chance.one_in(2):
        lines.append('cmd:  ./app "\u00e9"')
    for _ in range(chance.randint(1, 2 * functions)):
        lines += [f"ob=lib{chance.randrange(2)}.so"] * chance.one_in(4)
        lines += [f"fl=file{chance.randrange(2)}.c", f"fn={chance.choice(names)}"]
        for _ in range(chance.randrange(5)):
            lines.append(f"{chance.randint(1, 4)} {_cost(chance, width)}")
            lines += [f"fi=inl{chance.randrange(3)}.h"] * chance.one_in(5)
            if chance.randrange(5) < 3:
                lines += [f"cfi=file{chance.randrange(2)}.c"] * chance.one_in(2)
                lines += [f"cfn={chance.choice(names)}", "calls=1 1"]
                lines.append(f"{chance.randint(1, 3)} {_cost(chance, width)}")
    return "\n".join([*lines, ""]).encode("utf-8", "surrogateescape")


def _cost(chance: Chance, width: int) -> str:
    most = chance.choice((0, 3, 100, 10**9))
    scale = chance.choice((1, 1, 10**8))  # up to 57 bits
    return " ".join(str(chance.randint(0, most) * scale) for _ in range(width))
