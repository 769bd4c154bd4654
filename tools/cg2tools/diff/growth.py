"""How a cost changed from OLD to NEW, in words."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Growth:
    """What something cost in OLD and in NEW, of one event."""

    event: str
    old: int
    new: int

    def __str__(self) -> str:
        return self.said(str)

    def said(self, form: Callable[[str], str]) -> str:
        """Says it as in "Ir grew by 1.00 %, from 100 to 101", with the event's name in a form."""
        old, new, event = self.old, self.new, form(self.event)
        if old == new:
            return f"{event} is the same, {new:,}"
        verb = "grew" if new > old else "shrank"
        percent = f" by {percent_of(abs(new - old), old)} %" if old else ""
        return f"{event} {verb}{percent}, from {old:,} to {new:,}"


def percent_of(part: int, whole: int, sign: str = "") -> str:
    """With two decimals, or as many as it needs not to seem nothing; `sign` is that of format()."""
    percent = 100 * part / whole
    if not percent:
        return "0"
    decimals = max(2, -math.floor(math.log10(abs(percent)))) if abs(percent) < 0.005 else 2
    return f"{percent:{sign}.{decimals}f}"
