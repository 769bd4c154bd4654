"""Columns of events, and tables of costs printed in them."""

from collections.abc import Iterator

from cg2tools.callgraph import Arc
from cg2tools.profile import Cost, FunctionKey, Part, ProfileError

Values = tuple[int, ...]


class Columns:
    """The events shown and the events sorted by, each a sum of recorded ones.

    An event the profile defines by a formula (an `event:` line) can be shown
    and sorted by like one that was recorded.  A name that is neither is a
    ProfileError.
    """

    def __init__(self, part: Part, show: list[str], sort: list[str],
                 percents: bool = True) -> None:
        self.shown = show or part.events
        self.order = sort or self.shown
        self.percents = percents
        self._factors = {event: list(_factors(part, event).items())
                         for event in self.shown + self.order}
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

    def zero(self) -> Cost:
        return [0] * len(self.total)

    def share(self, event: str, cost: Cost) -> float:
        """The percentage of the total."""
        total = self.value(event, self.total)
        return 100 * self.value(event, cost) / total if total else 0.0


def _factors(part: Part, event: str, outer: tuple[str, ...] = (),
             ) -> dict[int, int]:
    """How often each recorded event (by its index) counts in `event`.

    `outer` are the derived events whose formulas are being resolved.
    """
    if event in part.events:
        return {part.events.index(event): 1}
    definition = part.event_definitions.get(event)
    if definition is None or not definition.terms or event in outer:
        known = part.events + [name for name, derived
                               in part.event_definitions.items()
                               if derived.terms]
        raise ProfileError(part.path, part.line_of["events"],
                           f"no event '{event}'; expected one of "
                           f"{', '.join(known)}")
    factors: dict[int, int] = {}
    for factor, name in definition.terms:
        for index, times in _factors(part, name, (*outer, event)).items():
            factors[index] = factors.get(index, 0) + factor * times
    return factors


def by_cost(arcs: dict[FunctionKey, Arc], columns: Columns,
            ) -> list[tuple[FunctionKey, Arc]]:
    """The arcs to (or from) functions, most expensive first."""
    return sorted(arcs.items(), key=lambda item: (
        columns.sort_key(item[1].inclusive), item[0]))


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
        numbers = [max((len(_number(row[0][index])) for row in self.rows
                        if row[0] is not None), default=1)
                   for index in range(len(totals))]
        percents = 9 if columns.percents else 0
        widths = [max(number + percents, len(event))
                  for number, event in zip(numbers, columns.shown)]
        yield "  ".join([*(event.ljust(width) for event, width
                           in zip(columns.shown, widths)),
                         self.label]).rstrip()
        yield ""
        for values, label in self.rows:
            if values is None:
                yield label
                continue
            cells = [
                _cell(value, total, number, columns.percents).ljust(width)
                for value, total, number, width
                in zip(values, totals, numbers, widths)]
            yield "  ".join([*cells, label]).rstrip()


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
