"""Tables for the page of cg2_report: columns of equal length, by their names."""

from collections.abc import Iterable, Sequence
from typing import Any

from cg2tools.profile.model import readable

Table = dict[str, Any]


class Strings:
    """Names, each written once and then told by its number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._known = _Known(self.numbers)
        self.number = self._known.__getitem__
        """The number of a name in the profile."""

    def name(self, number: int) -> str:
        """The name in the profile; the first of several that are written alike."""
        return self._known.names[number]


class _Known(dict[str, int]):
    """Numbers by the name in the profile, each given when one asks for it."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self._numbers = numbers
        self.names: list[str] = []

    def __missing__(self, text: str) -> int:
        number = self[text] = self._numbers.setdefault(readable(text), len(self._numbers))
        if number == len(self.names):
            self.names.append(text)
        return number


def costs_in_columns(
    costs: Iterable[Sequence[int]],
    width: int,
) -> list[list[int]]:
    """Costs as a column for each event."""
    columns = [list(column) for column in zip(*costs)]
    return columns or [[] for _ in range(width)]
