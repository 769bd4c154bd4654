"""The profiles whose figures are stored, and the figures: what the reader, the writer and the sum in Python
gave.

    for case in cases(): case.name, case.data     "text 7", "file cg2-line", "generated 3", "mutant 12"
    for case in cases("text", "file"): ...        those of some kinds alone
    figures = stored()                            figures["text 7"] is what was said of it

figures.txt says what a line of it is. They cannot be made anew; what the library says otherwise on purpose is
there, too.
"""

from __future__ import annotations

import ast
import functools
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from profiletexts import SAMPLE, Chance, folded, generated, mutant

HERE = Path(__file__).resolve().parent

GENERATED = 1000
MUTANTS = 2000
FOLDED = 1000
GROUP = 10  # generated profiles that can be added up


class Case(NamedTuple):
    name: str
    data: bytes


KINDS = ("text", "file", "generated", "mutant")


def cases(*kinds: str) -> Iterator[Case]:
    """The profiles that have figures: all, or those of some kinds."""
    for kind in kinds or KINDS:
        yield from cases_of(kind)


@functools.cache
def cases_of(kind: str) -> Sequence[Case]:
    """The profiles of a kind, which are made once for all tests of a process."""
    if kind == "text":
        texts = (HERE / "profiles" / "texts.txt").read_text("ascii").splitlines()
        found = (ast.literal_eval(text) for text in texts if text.startswith("b"))
        return [Case(f"text {number}", data) for number, data in enumerate(found)]
    if kind == "file":
        paths = sorted((HERE / "profiles").glob("*.gz"))
        return [Case(f"file {path.stem}", gzip.decompress(path.read_bytes())) for path in paths]
    if kind == "generated":
        return [Case(f"generated {number}", profile(number)) for number in range(GENERATED)]
    assert kind == "mutant", kind
    return [Case(f"mutant {number}", mutated(number)) for number in range(MUTANTS)]


@functools.cache
def profile(number: int) -> bytes:
    """A generated profile."""
    return generated(number)


def folded_cases() -> Iterator[Case]:
    """All folded stacks that have figures: each second one is a mutant."""
    for number in range(FOLDED):
        data = folded(number)
        if number % 2:
            data = mutant(Chance(4_000_000 + number), data)
        yield Case(f"folded {number}", data)


def mutated(number: int) -> bytes:
    """A mutant of the sample, or of a generated profile."""
    chance = Chance(2_000_000 + number)
    return mutant(chance, SAMPLE if number % 2 else profile(number))


def sums() -> Iterator[tuple[str, list[bytes]]]:
    """Generated profiles that can be added up, by the name of their sum."""
    for number in range(0, GENERATED, GROUP):
        if number // GROUP % 5 != 4:
            yield f"sum {number}", [profile(number + i) for i in range(GROUP)]


def stored() -> dict[str, str]:
    """What the library has to say of each case."""
    figures = {}
    for line in (HERE / "figures.txt").read_text("ascii").splitlines():
        if line and not line.startswith("#"):
            # A line that begins with "library" comes behind the one of Python's reader.
            kind, number, rest = line.removeprefix("library ").split(" ", 2)
            figures[f"{kind} {number}"] = rest
    return figures
