"""The rounds of repeated instructions (`rep stos`) in OLD or in NEW, by names that both have."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.rounds import KnownRounds
from cg2tools.profile.transform import Rename, all_renamed, renamed_keys

_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True)
class SideRounds:
    """Rounds that no event counts, as far as the profile says them."""

    functions: Mapping[FunctionKey, int] = field(default_factory=dict)
    lines: Mapping[tuple[str, int], int] = field(default_factory=dict)


def side_rounds(part: Part, files: Sequence[Rename], functions: Sequence[Rename]) -> SideRounds:
    """The rounds of a part whose files and functions are renamed."""
    rounds = KnownRounds(part)
    if not rounds.functions and not rounds.lines:
        return SideRounds()
    keys = [key for key in part.keys if rounds.of_function(key)]
    return SideRounds(
        _summed(zip(renamed_keys(keys, files, functions), map(rounds.of_function, keys))),
        _summed(
            ((name, line), count)
            for file, line, count in rounds.all_lines()
            for name in all_renamed([file], files)
        ),
    )


def _summed(counts: Iterable[tuple[_Place, int]]) -> Counter[_Place]:
    found: Counter[_Place] = Counter()
    for key, count in counts:
        found[key] += count
    return found


def both_said(old: str, new: str, is_in_both: bool) -> str:
    """What is said behind a row of a comparison, from what is said of OLD and of NEW."""
    if old and new:
        return new if old == new else f"{old} ->{new}"
    if not is_in_both:
        return old or new
    return f" OLD:{old}" if old else f" NEW:{new}" if new else ""
