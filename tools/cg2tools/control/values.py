"""The values that a run answers a command with, by their keys: lines `key: value`.

    values = Values(answer.lines, "status internal")
    values.number("part")        ControlError if there is none, or no number

Keys that are not known are passed over.
"""

from collections.abc import Iterable

from cg2tools.control.runs import ControlError


class Values:
    """The values by their keys, and what they have to be."""

    def __init__(self, lines: Iterable[str], request: str) -> None:
        """ControlError if there are lines, and none of them has a key."""
        self.request = request
        self.values: dict[str, str] = {}
        first = ""
        for line in lines:
            first = first or line
            key, colon, value = line.partition(":")
            if colon:
                self.values[key] = value.strip()
        if first and not self.values:
            raise ControlError(f"it does not know '{request}': {first}")

    def text(self, key: str) -> str:
        if key not in self.values:
            raise ControlError(f"its answer to '{self.request}' has no '{key}'")
        return self.values[key]

    def numbers(self, key: str) -> list[int]:
        words = self.text(key).split()
        if not all(word.isascii() and word.isdigit() and len(word) < 21 for word in words):
            raise self._wrong(key, "numbers")
        return [int(word) for word in words]

    def number(self, key: str) -> int:
        numbers = self.numbers(key)
        if len(numbers) != 1:
            raise self._wrong(key, "a number")
        return numbers[0]

    def is_on(self, key: str) -> bool:
        if self.text(key) not in ("on", "off"):
            raise self._wrong(key, "on or off")
        return self.values[key] == "on"

    def _wrong(self, key: str, expected: str) -> ControlError:
        return ControlError(
            f"its answer to '{self.request}' has "
            f"'{key}: {self.values[key]}'; expected {expected}"
        )
