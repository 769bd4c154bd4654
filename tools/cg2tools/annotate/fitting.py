"""Which columns a terminal has room for."""

from dataclasses import dataclass, field

from cg2tools.annotate.table import PERCENT_WIDTH, number
from cg2tools.profile.columns import Columns, cycles
from cg2tools.profile.model import Part

_NAME_LEAST = 36
"""The characters that are kept for a name beside the columns."""


@dataclass(slots=True)
class Fitting:
    """The columns with room for them, and those without."""

    shown: list[str] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    zero: list[str] = field(default_factory=list)
    """Events that did not happen."""


def fitting(
    part: Part, columns: Columns, asked: list[str], width: int, at_least: int = 1
) -> Fitting:
    """The columns of a part in the order of their importance, as many as fit into `width` characters.

    Events that were `asked` for by name come first, then those that cost most cycles by the estimate, or are
    most where there is none; what it does not know comes last.  The first `at_least` columns are shown in any
    case.
    """
    result = Fitting()
    counts = cycles(part) or dict.fromkeys(range(len(columns.total)), 1)
    weights: dict[str, int] = {}
    for event in columns.shown:
        spent = [(index, factor * columns.total[index]) for index, factor in columns.factors(event)]
        if any(cost for _, cost in spent):
            weights[event] = sum(cost * counts.get(index, 0) for index, cost in spent)
        else:
            result.zero.append(event)
    room = width - _NAME_LEAST
    places = {event: place for place, event in enumerate(asked)}
    for event in sorted(
        weights, key=lambda event: (places.get(event, len(asked)), -weights[event])
    ):
        room -= column_width(columns, event)
        is_shown = room >= 0 or len(result.shown) < at_least
        (result.shown if is_shown else result.more).append(event)
    result.shown = result.shown or columns.shown[:at_least]
    return result


def column_width(columns: Columns, event: str) -> int:
    """The characters that a column takes, with the blanks behind it."""
    total = len(number(columns.value(event, columns.total)))
    return max(total + (PERCENT_WIDTH if columns.percents else 0), len(event)) + 2
