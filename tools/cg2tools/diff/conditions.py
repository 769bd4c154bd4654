"""How two profiles were made, where that differs: what else than the program changes counts.

Their headers say it. Where counts cannot be compared it is a warning; what moves them by a little
is a note, and nothing where no count differs.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cg2tools.diff.growth import Growth
from cg2tools.diff.markdown import plain
from cg2tools.diff.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Condition:
    """What the headers say in "desc: kind: text"."""

    kind: str
    old: str
    new: str
    effect: str  # on counts
    is_slight: bool = False

    @property
    def heading(self) -> str:
        return "Note" if self.is_slight else "Warning"

    def __str__(self) -> str:
        return self.said(str)

    def said(self, form: Callable[[str], str]) -> str:
        """Says it as in "CPU: avx2, then avx; libraries choose their code by it", the two in a form."""
        return f"{self.kind}: {form(self.old)}, then {form(self.new)}; {self.effect}"


_CODE = "libraries choose their code by it; --cpu= makes it the same"
_SIMULATED = "what is simulated differs by it, whatever the program"
_WORLD = "the program was told of another time, chance or machine; counts differ by it"
_NO_COMPARISON = (
    "only one of them is repeatable, so counts differ for many reasons: compare two of a kind"
)
_SLIGHT = "some addresses and strings differ by it"

_SIMULATIONS = "Machine", "I1 cache", "D1 cache", "LL cache", "Branch predictor"


def conditions_of(
    old: Mapping[str, str], new: Mapping[str, str], growth: Growth, verdicts: Sequence[Verdict]
) -> list[Condition]:
    """What matters for what is compared; `old` and `new` are the descriptions of two profiles."""
    events = {growth.event, *(verdict.growth.event for verdict in verdicts)}
    return list(_differing(old, new, events, growth.old != growth.new))


def of_repeatable(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Condition]:
    """The condition that the program was told of another time, chance or machine, if it was."""
    was, now = old.get("Repeatable", "no"), new.get("Repeatable", "no")
    if was != now:
        effect = _NO_COMPARISON if "no" in (was, now) else _WORLD
        yield Condition("Repeatable", was, now, effect)


def _differing(
    old: Mapping[str, str], new: Mapping[str, str], events: Collection[str], has_grown: bool
) -> Iterator[Condition]:
    def differs(kind: str) -> bool:
        texts = old.get(kind, ""), new.get(kind, "")
        return all(texts) and texts[0] != texts[1]

    yield from of_repeatable(old, new)
    if differs("CPU"):
        yield Condition("CPU", old["CPU"], new["CPU"], _CODE)
    for kind in _SIMULATIONS:
        if events != {"Ir"} and differs(kind):
            yield Condition(kind, old[kind], new[kind], _SIMULATED)
    if has_grown and differs("Environment"):
        yield Condition("Environment", old["Environment"], new["Environment"], _SLIGHT, True)


def condition_lines(conditions: Sequence[Condition]) -> Iterator[str]:
    """For a terminal."""
    for condition in conditions:
        yield f"{condition.heading}: {condition}"


def markdown_conditions(conditions: Sequence[Condition]) -> Iterator[str]:
    """For a comment."""
    for condition in conditions:
        yield ""
        yield f"**{condition.heading}**: {condition.said(plain)}."


def described_condition(condition: Condition) -> dict[str, Any]:
    """For JSON."""
    return {
        "kind": condition.kind,
        "old": condition.old,
        "new": condition.new,
        "is_slight": condition.is_slight,
    }
