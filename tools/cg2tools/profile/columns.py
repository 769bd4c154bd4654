"""Columns of events, and tables of costs printed in them."""

from collections.abc import Iterator
from typing import NoReturn

from cg2tools.profile.callgraph import Arc
from cg2tools.profile.events import built_in_events
from cg2tools.profile.model import Cost, FunctionKey, Part, ProfileError

Values = tuple[int, ...]

_FORMULA_DEPTH = 50  # of formulas in formulas


_COLOURS = (10, "\33[1;31m"), (1, "\33[33m")
"""From which percentage of the total a cost is bold red, and yellow."""

_PLAIN = "\33[0m"


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
        self.total = part.self_total()

    def values(self, cost: Cost) -> Values:
        """What is shown of a cost."""
        return tuple(self.value(event, cost) for event in self.shown)

    def sort_key(self, cost: Cost) -> Values:
        """Sorts costs in falling order."""
        return tuple(-self.value(event, cost) for event in self.order)

    def value(self, event: str, cost: Cost) -> int:
        value = 0
        for index, factor in self._factors[event]:
            value += factor * cost[index]
        return value

    def factors(self, event: str) -> list[tuple[int, int]]:
        """What an event is the sum of: recorded ones by index, each so often."""
        return self._factors[event]

    def zero(self) -> Cost:
        return [0] * len(self.total)

    def share(self, event: str, cost: Cost) -> float:
        """The percentage of the total."""
        total = self.value(event, self.total)
        return 100 * self.value(event, cost) / total if total else 0.0


class _Formulas:
    """What the events of a part are made of: recorded ones, by index."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.definitions = built_in_events(part.events) | part.event_definitions
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
            self.fail(f"event '{event}' is made of itself; " "expected a formula of other events")
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


def by_cost(
    arcs: dict[FunctionKey, Arc],
    columns: Columns,
) -> list[tuple[FunctionKey, Arc]]:
    """The arcs to (or from) functions, most expensive first."""
    return sorted(arcs.items(), key=lambda item: (columns.sort_key(item[1].inclusive), item[0]))


class Table:
    """Rows of values with a label, and rows of plain text."""

    def __init__(self, columns: Columns, label: str) -> None:
        self.columns = columns
        self.label = label
        self.rows: list[tuple[Values | None, str]] = []

    def add(self, cost: Cost, label: str) -> None:
        self.rows.append((self.columns.values(cost), label))

    def add_text(self, text: str) -> None:
        self.rows.append((None, text))

    def lines(self) -> Iterator[str]:
        """The heading, an empty line, and the rows, in columns."""
        columns = self.columns
        totals = columns.values(columns.total)
        numbers = [
            max((len(_number(row[0][index])) for row in self.rows if row[0] is not None), default=1)
            for index in range(len(totals))
        ]
        percents = 9 if columns.percents else 0
        widths = [
            max(number + percents, len(event)) for number, event in zip(numbers, columns.shown)
        ]
        yield "  ".join(
            [*(event.ljust(width) for event, width in zip(columns.shown, widths)), self.label]
        ).rstrip()
        yield ""
        for values, label in self.rows:
            if values is None:
                yield label
                continue
            cells = [
                self._painted(
                    _cell(value, total, number, columns.percents).ljust(width), value, total
                )
                for value, total, number, width in zip(values, totals, numbers, widths)
            ]
            yield "  ".join([*cells, label]).rstrip()

    def _painted(self, cell: str, value: int, total: int) -> str:
        """A cell in the colour of its share of the total."""
        if not self.columns.colour or not total:
            return cell
        return painted(cell, 100 * value / total)


def painted(text: str, share: float) -> str:
    """The text in the colour of a share, in percent."""
    for least, colour in _COLOURS:
        if share >= least:
            return f"{colour}{text}{_PLAIN}"
    return text


def _cell(value: int, total: int, width: int, percents: bool) -> str:
    number = _number(value).rjust(width)
    if not percents or not value or not total:
        return number
    share = f"{100 * value / total:.2f}"
    if len(share) > 5:
        share = f"{100 * value / total:.1f}"
    return f"{number} ({share:>5}%)"


def _number(value: int) -> str:
    return f"{value:,}" if value else "."
