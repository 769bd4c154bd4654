"""What a profile says of instructions that repeat themselves, such as `rep stos`.

Ir counts each round of such an instruction, a processor the instruction once.  Where no event counts the
rounds, the header says how many the functions and lines have that have many of them: `Rounds of
functions: 300 clear.c:clear /bin/app` and `Rounds of lines: 300 12 clear.c`, with tabs between.
"""

from collections.abc import Iterable, Iterator

from cg2tools.profile.terms import INLINED, FunctionKey, Header

ROUNDS = ("Rounds of functions", "Rounds of lines")
"""The kinds of descriptions."""


def _counts(kind: str, parts: Iterable[Header]) -> dict[str, int]:
    """The counts of the lists of a kind, added up by what they are of."""
    counts: dict[str, int] = {}
    lists = (part.descriptions.get(kind, "") for part in parts)
    for word in (word for words in lists for word in words.split("\t")):
        number, _, place = word.partition(" ")
        if number.isdecimal():
            counts[place] = counts.get(place, 0) + int(number)
    return counts


class KnownRounds:
    """The rounds of functions and lines of parts together, as far as headers say them; else 0."""

    def __init__(self, *parts: Header) -> None:
        self.functions, self.lines = (_counts(kind, parts) for kind in ROUNDS)
        if any(INLINED in part.descriptions for part in parts):
            self.functions = {}  # headers know only functions that others were inlined into

    def of_function(self, key: FunctionKey) -> int:
        return self.functions.get(f"{key.file}:{key.name} {key.object}", 0) if self.functions else 0

    def of_line(self, file: str, line: int) -> int:
        return self.lines.get(f"{line} {file}", 0) if self.lines else 0

    def all_lines(self) -> Iterator[tuple[str, int, int]]:
        """Files and lines with their rounds."""
        for place, count in self.lines.items():
            line, _, file = place.partition(" ")
            if line.isdecimal():
                yield file, int(line), count


def rounds_said(rounds: int, counted: int) -> str:
    """What is said where rounds are most of what Ir counted; mostly nothing."""
    return f"{100 * rounds / counted:.1f}% rounds of rep" if 2 * rounds > counted > 0 else ""
