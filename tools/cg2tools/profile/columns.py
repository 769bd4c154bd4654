"""Columns of events: which are shown and sorted by, and what each is the sum of."""

from array import array
from copy import copy
from collections.abc import Sequence
from operator import mul
from typing import NoReturn

from cg2tools.profile.events import ESTIMATE, built_in_events
from cg2tools.profile.model import Cost, Part, ProfileError
from cg2tools.profile.rounds import KnownRounds, rounds_said

Values = tuple[int, ...]

INCLUSIVE = "inclusive"
"""The column of inclusive costs beside self costs."""

_ROUNDS = ("Ir", "Rep")
"""The event that counts each round of a repeated instruction, and that of the rounds beyond the first."""

_FORMULA_DEPTH = 50  # how deep formulas may stand in formulas


class Columns:
    """The events shown and the events sorted by, each a sum of recorded ones.

    An event that a formula defines, be it in the profile (an `event:` line) or
    built in, can be shown and sorted by like one that was recorded.  A name that is neither is a
    ProfileError.
    """

    def __init__(
        self,
        part: Part,
        show: list[str],
        sort: list[str],
        percents: bool = True,
        colour: bool = False,
    ) -> None:
        self.shown = show or part.events
        self.order = sort or self.shown
        self.percents = percents
        self.colour = colour
        formulas = _Formulas(part)
        self._factors = {
            event: list(formulas.factors_of(event).items()) for event in self.shown + self.order
        }
        self._counted, self._rounds = (
            part.events.index(event) if event in part.events else -1 for event in _ROUNDS
        )
        self.rounds = KnownRounds(part)
        self.total = part.self_total()

    def values(self, cost: Sequence[int]) -> Values:
        """What is shown of a cost."""
        return tuple([self.value(event, cost) for event in self.shown])

    def sort_key(self, cost: Cost) -> Values:
        """Sorts costs in falling order."""
        return tuple(-self.value(event, cost) for event in self.order)

    def value(self, event: str, cost: Sequence[int]) -> int:
        value = 0
        for index, factor in self._factors[event]:
            value += factor * cost[index]
        return value

    def recorded(self, event: str) -> int | None:
        """Which of the recorded events it is; None: it is made of others, or of one several times."""
        factors = self._factors[event]
        return factors[0][0] if [factor for _, factor in factors] == [1] else None

    def values_of(self, event: str, costs: "array[int]") -> Sequence[int]:
        """The value of an event in each of the costs, which lie one behind the other."""
        width = len(self.total)
        factors = self._factors[event]
        columns = [costs[index::width] for index, _ in factors]
        if self.recorded(event) is not None:
            return columns[0]
        times = [factor for _, factor in factors]
        return [sum(map(mul, times, numbers)) for numbers in zip(*columns)]

    def factors(self, event: str) -> list[tuple[int, int]]:
        """What an event is the sum of: recorded ones by index, each so often."""
        return self._factors[event]

    def counted(self, cost: Sequence[int]) -> int:
        """The event of a cost that counts each round of a repeated instruction."""
        return 0 if self._counted < 0 else cost[self._counted]

    def said_of(self, cost: Sequence[int], rounds: int = 0) -> str:
        """What is said behind a cost of which most is rounds of repeated instructions; mostly nothing.

        Where no event counts them there are `rounds`.
        """
        if self._counted < 0:
            return ""
        said = rounds_said(rounds if self._rounds < 0 else cost[self._rounds], cost[self._counted])
        return f" <{said}>" if said else ""

    def showing(self, events: list[str]) -> "Columns":
        """The same, but only these are shown."""
        result = copy(self)
        result.shown = events
        return result

    def with_inclusive(self, event: str) -> "Columns":
        """The same for costs which are a self cost and, behind it, an inclusive one.

        The event is the first column, and its inclusive cost the second.
        """
        result = self.showing([event, INCLUSIVE, *(name for name in self.shown if name != event)])
        width = len(self.total)
        inclusive = [(width + index, factor) for index, factor in self._factors[event]]
        result._factors = self._factors | {INCLUSIVE: inclusive}
        result.total = self.total * 2
        return result

    def zero(self) -> Cost:
        return [0] * len(self.total)

    def share(self, event: str, cost: Cost) -> float:
        """The percentage of the total."""
        return self.share_of(event, self.value(event, cost))

    def share_of(self, event: str, value: int) -> float:
        """The percentage of the total that so much of an event is."""
        total = self.value(event, self.total)
        return 100 * value / total if total else 0.0


def known_events(part: Part) -> list[str]:
    """What is recorded, and what formulas make of that."""
    made = _Formulas(part).definitions
    return list(
        dict.fromkeys([*part.events, *(name for name, event in made.items() if event.terms)])
    )


def cycles(part: Part) -> dict[int, int]:
    """How many cycles each recorded event, by its index, counts for in the estimate CEst; nothing if there is
    none."""
    formulas = _Formulas(part)
    estimate = formulas.definitions.get(ESTIMATE)
    return formulas.factors_of(ESTIMATE) if estimate and estimate.terms else {}


class _Formulas:
    """What the events of a part are made of: recorded ones, by index."""

    def __init__(self, part: Part) -> None:
        self.part = part
        made = [name for name, event in part.event_definitions.items() if event.terms]
        self.definitions = built_in_events([*part.events, *made]) | part.event_definitions
        self.factors: dict[str, dict[int, int]] = {
            event: {index: 1} for index, event in enumerate(part.events)
        }

    def factors_of(
        self,
        event: str,
        outer: tuple[str, ...] = (),
    ) -> dict[int, int]:
        """How often each recorded event counts in `event`.

        `outer` are the events whose formulas are being resolved.
        """
        if event in self.factors:
            return self.factors[event]
        definition = self.definitions.get(event)
        if event in outer:
            self.fail(f"event '{event}' is made of itself; expected a formula of other events")
        if not definition or not definition.terms or len(outer) > _FORMULA_DEPTH:
            self.fail_unknown(event, outer)
        factors: dict[int, int] = {}
        for factor, name in definition.terms:
            inner = self.factors_of(name, (*outer, event))
            for index, times in inner.items():
                factors[index] = factors.get(index, 0) + factor * times
        self.factors[event] = factors
        return factors

    def fail_unknown(self, event: str, outer: tuple[str, ...]) -> NoReturn:
        known = self.part.events + [
            name
            for name, derived in self.definitions.items()
            if derived.terms and name not in outer
        ]
        self.fail(f"no event '{event}'; expected one of {', '.join(known)}")

    def fail(self, message: str) -> NoReturn:
        raise ProfileError(self.part.path, self.part.line_of["events"], message)
