"""The stacks of a part: which calls led to its costs.

    stacks = Stacks(part)
    for stack in stacks.ordered():
        stacks.names_of(stack)         outermost function first
        stack.self_cost()              what was spent with this on the stack

A profile says what a function costs and what the calls between two functions
cost, not which calls led to the caller.  Where a function has one caller, that
one has one, and so on, its stack is known.  That is so everywhere in a profile
with full call chains (--separate-callers=100), in which a function that is
called in two ways is two functions.

way             how a function is reached: a stack of a caller, and its calls
share           the part of a function's cost that is spent in one of its
                stacks, for each event

Otherwise cost is apportioned: each way gets the share that its calls have in
the cost of all calls of the function.  What a function costs itself is divided
into whole numbers by largest remainder, so that the costs of its stacks add up
to its own, whatever the shares are.

Functions that call each other in a circle are each shown once for each way into
the circle, below where it is entered, by the most expensive calls.  So no stack
goes round.  Calls of a recursion level by itself are left out likewise.

A function of a hundred callers, which have a hundred each, has as many stacks as
nobody looks at.  Ways that cost less than a share of the total become one, below
SMALL, if there are two of them or more.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.profile.callgraph import CallGraph, Place, circles
from cg2tools.profile.model import Cost, Function, FunctionKey, Part, UNKNOWN, add_cost

SMALL = FunctionKey(UNKNOWN, UNKNOWN, "(small shares)")
"""Stands for callers that are not shown one by one."""

_SCALE = 1 << 60  # shares as whole numbers


@dataclass(slots=True, eq=False)
class Stack:
    """A function on top of its callers."""

    function: FunctionKey
    caller: "Stack | None" = None
    site: Place | None = None  # where the caller calls
    share: list[float] = field(default_factory=list)
    costs: dict[Place, Cost] = field(default_factory=dict)
    """Self costs by source line; by file, with line 0, if lines are no matter."""
    callees: list["Stack"] = field(default_factory=list)
    inclusive: Cost = field(default_factory=list)

    def self_cost(self) -> Cost:
        total = [0] * len(self.inclusive)
        for cost in self.costs.values():
            add_cost(total, cost)
        return total

    def from_outermost(self) -> list["Stack"]:
        """The stacks of the callers, the outermost first, and the stack itself."""
        found = [self]
        while found[-1].caller:
            found.append(found[-1].caller)
        return found[::-1]


@dataclass(slots=True)
class _Arc:
    """The calls of one function by another, at one line if these matter."""

    caller: FunctionKey
    callee: FunctionKey
    site: Place | None
    inclusive: Cost


@dataclass(slots=True)
class _Way:
    """A way into a circle (mostly of one function), and what it costs there."""

    caller: Stack | None  # none of a root
    callee: FunctionKey
    site: Place | None
    costs: list[float]


class Stacks:
    """All stacks of a part.

    `smallest` is the share of the total below which ways are not shown one by
    one.  With `by_line`, costs and calls are kept apart by source line.
    """

    def __init__(self, part: Part, smallest: float = 0.0001, by_line: bool = False) -> None:
        self.part = part
        self.by_line = by_line
        self.names = _names(part)
        self.total = part.self_total()
        self.limits = [smallest * number for number in self.total]
        self.stacks: dict[FunctionKey, list[Stack]] = {}
        self.created: list[Stack] = []  # callers before callees
        self.apportioned: set[FunctionKey] = set()
        """Functions whose costs in single stacks are not known for certain."""
        self._circle_of = circles(part)
        self._arcs = _arcs(part, by_line)
        for members, entering in _callers_first(self._circle_of, self._arcs):
            self._add_circle(members, entering)
        for key, function in part.functions.items():
            self._divide(function, self.stacks[key])
        self._add_inclusive()

    def names_of(self, stack: Stack) -> list[str]:
        return [self.names[below.function] for below in stack.from_outermost()]

    def roots(self) -> list[Stack]:
        return [stack for stack in self.created if stack.caller is None]

    def ordered(self) -> Iterator[Stack]:
        """Each stack behind its caller's, most expensive first."""
        pending = _cheapest_first(self.roots())
        while pending:
            stack = pending.pop()
            yield stack
            pending.extend(_cheapest_first(stack.callees))

    def uncertain(self) -> int:
        """How much of the first event is apportioned."""
        return sum(self.part.functions[key].self_cost()[0] for key in self.apportioned)

    # ---- Ways --------------------------------------------------------------

    def _add_circle(self, members: list[FunctionKey], entering: list[_Arc]) -> None:
        ways = self._ways(members, entering)
        trees = {callee: self._tree(callee) for callee in {way.callee for way in ways}}
        for member in members:
            self.stacks[member] = []
        for way, share in zip(ways, _shares([way.costs for way in ways])):
            placed: dict[FunctionKey, Stack] = {}
            for arc in trees[way.callee]:
                if placed:
                    stack = Stack(arc.callee, placed[arc.caller], arc.site)
                else:
                    stack = Stack(way.callee, way.caller, way.site)
                stack.share = share
                placed[stack.function] = stack
                self._add(stack)
        if (
            len(members) > 1
            or any(arc.caller in self.apportioned for arc in entering)
            or len({way.caller for way in ways}) > 1
            and members[0] in self._arcs
        ):
            self.apportioned.update(members)

    def _add(self, stack: Stack) -> None:
        self.created.append(stack)
        self.stacks.setdefault(stack.function, []).append(stack)
        if stack.caller:
            stack.caller.callees.append(stack)

    def _ways(self, members: list[FunctionKey], entering: list[_Arc]) -> list[_Way]:
        """At least one; none that costs nothing beside one that does."""
        ways = [
            _Way(
                stack,
                arc.callee,
                arc.site,
                [number * share for number, share in zip(arc.inclusive, stack.share)],
            )
            for arc in entering
            for stack in self.stacks[arc.caller]
        ]
        rest = self._cost(members)
        for arc in entering:
            add_cost(rest, [-number for number in arc.inclusive])
        if not ways or any(number > 0 for number in rest):
            ways.append(_Way(None, members[0], None, [float(max(number, 0)) for number in rest]))
        costly = [way for way in ways if any(way.costs)]
        return self._without_small(costly) if costly else ways[:1]

    def _without_small(self, ways: list[_Way]) -> list[_Way]:
        kept: list[_Way] = []
        small: list[_Way] = []
        for way in ways:
            is_small = all(cost < limit or not cost for cost, limit in zip(way.costs, self.limits))
            (small if is_small else kept).append(way)
        if len(small) < 2:
            return ways
        if SMALL not in self.stacks:
            self.names[SMALL] = SMALL.name
            self._add(Stack(SMALL))
        largest = max(small, key=lambda way: way.costs)
        costs = [sum(numbers) for numbers in zip(*(way.costs for way in small))]
        return [*kept, _Way(self.stacks[SMALL][0], largest.callee, None, costs)]

    def _cost(self, members: list[FunctionKey]) -> Cost:
        """What is spent in a circle, and by calls that leave it."""
        cost = [0] * len(self.total)
        for member in members:
            add_cost(cost, self.part.functions[member].self_cost())
            for arc in self._arcs.get(member, ()):
                if self._circle_of[arc.callee] != self._circle_of[member]:
                    add_cost(cost, arc.inclusive)
        return cost

    def _tree(self, start: FunctionKey) -> list[_Arc]:
        """How each function of a circle is reached, by the most costly calls.

        The first is `start` itself, a caller is in front of its callees.
        """
        circle = self._circle_of[start]
        reached: dict[FunctionKey, _Arc] = {}
        found = [(Cost(), 0, _Arc(start, start, None, []))]
        count = 0  # the arc found first, of those that cost the same
        while found:
            _, _, arc = heapq.heappop(found)
            if arc.callee in reached:
                continue
            reached[arc.callee] = arc
            for call in self._arcs.get(arc.callee, ()):
                if self._circle_of[call.callee] == circle:
                    count += 1
                    cost = [-number for number in call.inclusive]
                    heapq.heappush(found, (cost, count, call))
        return list(reached.values())

    # ---- Costs -------------------------------------------------------------

    def _divide(self, function: Function, stacks: list[Stack]) -> None:
        """Give each stack its part of what the function costs itself."""
        costs: dict[Place, Cost] = {}
        for file, line, cost in function.line_costs():
            place = Place(file, line) if self.by_line else Place(function.key.file, 0)
            add_cost(costs.setdefault(place, [0] * function.width), cost)
        shares = [
            [int(number * _SCALE) for number in numbers]
            for numbers in zip(*(stack.share for stack in stacks))
        ]
        for place, sums in costs.items():
            parts = [apportioned(*pair) for pair in zip(sums, shares)]
            for stack, piece in zip(stacks, zip(*parts)):
                if any(piece):
                    stack.costs[place] = list(piece)

    def _add_inclusive(self) -> None:
        for stack in self.created:
            stack.inclusive = [0] * len(self.total)
        for stack in reversed(self.created):
            add_cost(stack.inclusive, stack.self_cost())
            if stack.caller:
                add_cost(stack.caller.inclusive, stack.inclusive)


def apportioned(amount: int, shares: list[int]) -> list[int]:
    """Whole numbers in proportion to the shares, which add up to the amount.

    What division leaves goes to the largest remainders, by one each.
    """
    whole = sum(shares)
    if not whole:
        return apportioned(amount, [1] * len(shares))
    divided = [divmod(amount * share, whole) for share in shares]
    result = [piece for piece, _ in divided]
    order = sorted(range(len(shares)), key=lambda index: -divided[index][1])
    for index in order[: amount - sum(result)]:
        result[index] += 1
    return result


def _shares(costs: list[list[float]]) -> list[list[float]]:
    """Costs of several ways as shares; events that none costs like the first."""
    sums = [sum(numbers) for numbers in zip(*costs)]
    usual = next((event for event, number in enumerate(sums) if number), None)
    if usual is None:
        return [[1 / len(costs)] * len(sums) for _ in costs]
    events = [event if number else usual for event, number in enumerate(sums)]
    return [[cost[event] / sums[event] for event in events] for cost in costs]


def _cheapest_first(stacks: list[Stack]) -> list[Stack]:
    return sorted(stacks, key=_order, reverse=True)


def _order(stack: Stack) -> tuple[Cost, FunctionKey]:
    return [-number for number in stack.inclusive], stack.function


# ---- The graph -------------------------------------------------------------


def _arcs(part: Part, by_line: bool) -> dict[FunctionKey, list[_Arc]]:
    """The calls of other functions by each function that makes some."""
    found: dict[FunctionKey, list[_Arc]] = {}
    for key, function in part.functions.items():
        arcs: dict[tuple[FunctionKey, Place | None], _Arc] = {}
        for call in function.calls:
            site = Place(call.source.file, call.source.line) if by_line else None
            if call.callee != key:
                arc = arcs.setdefault(
                    (call.callee, site), _Arc(key, call.callee, site, [0] * function.width)
                )
                add_cost(arc.inclusive, call.inclusive)
        if arcs:
            found[key] = list(arcs.values())
    return found


def _callers_first(
    circle_of: dict[FunctionKey, int],
    arcs: dict[FunctionKey, list[_Arc]],
) -> Iterator[tuple[list[FunctionKey], list[_Arc]]]:
    """Each circle, and the calls into it from others; callers in front."""
    members: dict[int, list[FunctionKey]] = {}
    entering: dict[int, list[_Arc]] = {}
    for key, circle in circle_of.items():
        members.setdefault(circle, []).append(key)
        for arc in arcs.get(key, ()):
            callee = circle_of[arc.callee]
            if callee != circle:
                entering.setdefault(callee, []).append(arc)
    awaited = {circle: len(calls) for circle, calls in entering.items()}
    ready = [circle for circle in members if circle not in awaited]
    while ready:
        circle = ready.pop()
        yield members[circle], entering.get(circle, [])
        for key in members[circle]:
            for arc in arcs.get(key, ()):
                callee = circle_of[arc.callee]
                if callee != circle:
                    awaited[callee] -= 1
                    if not awaited[callee]:
                        ready.append(callee)


# ---- Names -----------------------------------------------------------------


def _names(part: Part) -> dict[FunctionKey, str]:
    """Functions' names without recursion level and call chain.

    "f'2'g'main" is f, if its caller is "g'main": a chain is what the names of
    a function's callers begin with.
    """
    graph = CallGraph(part)
    unlevelled = {key: graph.node_of(key).key for key in part.functions}
    chains: dict[FunctionKey, str] = {}
    for function in part.functions.values():
        for call in function.calls:
            callee = unlevelled[call.callee]
            if "'" in callee.name and callee not in chains:
                chain = _chain(callee.name, unlevelled[function.key].name)
                if chain:
                    chains[callee] = chain
    return {
        key: callee.name.removesuffix(chains.get(callee, "")) for key, callee in unlevelled.items()
    }


def _chain(name: str, caller: str) -> str:
    """What is behind the name of a function, or "" if that is no chain."""
    if name == caller:
        return ""
    start = name.find("'", 1)
    while start >= 0:
        chain = name[start + 1 :]
        if caller == chain or caller.startswith(f"{chain}'"):
            return f"'{chain}"
        start = name.find("'", start + 1)
    return ""
