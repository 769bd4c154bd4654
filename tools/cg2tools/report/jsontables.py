"""Tables for the page of cg2_report: columns of equal length, by their names."""

from collections.abc import Iterable, Sequence
from typing import Any

from cg2tools.profile.model import readable

Table = dict[str, Any]


class Strings:
    """Names, each written once and then told by its number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._known: dict[str, int] = {}  # by the name in the profile
        self._names: list[str] = []

    def number(self, text: str) -> int:
        number = self._known.get(text)
        if number is None:
            number = self._known[text] = self.numbers.setdefault(readable(text), len(self.numbers))
            if number == len(self._names):
                self._names.append(text)
        return number

    def name(self, number: int) -> str:
        """The name in the profile; the first of several that are written alike."""
        return self._names[number]


def costs_in_columns(
    costs: Iterable[Sequence[int]],
    width: int,
) -> list[list[int]]:
    """Costs as a column for each event."""
    columns = [list(column) for column in zip(*costs)]
    return columns or [[] for _ in range(width)]
