"""What limits say of a comparison.

    for verdict in verdicts_of(comparison, limits):
        verdict.is_exceeded, str(verdict)
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from cg2tools.bindings.demangler import demangled
from cg2tools.data.symbols import as_written
from cg2tools.diff.comparison import Comparison
from cg2tools.diff.growth import Growth
from cg2tools.profile.layouts import REAL
from cg2tools.diff.limits import Limit
from cg2tools.profile.columns import Columns, known_events
from cg2tools.profile.glob import glob
from cg2tools.profile.model import FunctionKey, ProfileError
from cg2tools.profile.spoken import Spoken

_NEAR = 3
"""How many names are said that are like one that is unknown."""

_NEAR_MAX = 200
"""The letters of the longest name that is compared with others: that takes the square of its length."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a limit says of the program, or of a function that it is for."""

    limit: Limit
    growth: Growth
    function: FunctionKey | None = None
    names: Spoken | None = None  # which tell apart what one limit is for
    is_new: bool = False  # a function that OLD does not have
    found: str = ""  # real or within layout; "": there is one run of each side

    @property
    def is_exceeded(self) -> bool:
        """A function that is new has not grown."""
        if self.is_new and self.limit.is_soft:
            return False
        if self.limit.beyond_layout and self.found != REAL:
            return False
        return self.limit.is_exceeded(self.growth.old, self.growth.new)

    @property
    def subject(self) -> str:
        """What the limit is for; nothing if it is the program."""
        if self.function is None:
            return ""
        label = (self.names or Spoken([])).label_of(self.function)
        return f"{label}, with what it calls" if self.limit.inclusive else label

    @property
    def allowance(self) -> str:
        if self.is_exceeded:
            return f"expected at most {self.limit.allowed}"
        if self.limit.beyond_layout and self.limit.is_exceeded(self.growth.old, self.growth.new):
            return f"at most {self.limit.allowed} is allowed, but that is {self.found}"
        return f"at most {self.limit.allowed} is allowed"

    def __str__(self) -> str:
        """Says it as in "app.c:f: Ir grew by 3.00 %, from 100 to 103; expected at most 2 %"."""
        subject = self.subject
        return f"{subject}{': ' if subject else ''}{self.growth}; {self.allowance}"


def exceeded(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.is_exceeded]


def verdict_lines(growth: Growth, verdicts: Sequence[Verdict], most: int) -> Iterator[str]:
    """How the event compared has changed, and what limits say, of at most so many functions."""
    if is_about(growth, verdicts):
        yield str(verdicts[0])
        return
    yield str(growth)
    if verdicts:
        yield summary(verdicts)
    yield from (f"  {line}" for line in exceeded_lines(verdicts, most))


def is_about(growth: Growth, verdicts: Sequence[Verdict]) -> bool:
    """Whether the one limit that there is says of the total of the event compared."""
    return [(verdict.growth, verdict.function) for verdict in verdicts] == [(growth, None)]


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many costs are above their limits."""
    count, wrong = len(verdicts), len(exceeded(verdicts))
    if not wrong:
        return "all costs are within their limits"
    said = "is above its limit" if wrong == 1 else "are above their limits"
    return f"{wrong:,} of {count:,} costs {said}"


def exceeded_lines(verdicts: Sequence[Verdict], most: int) -> Iterator[str]:
    """The limits that are exceeded; at most so many, 0: all."""
    wrong = exceeded(verdicts)
    shown = wrong[: most or None]
    yield from map(str, shown)
    if len(wrong) > len(shown):
        yield f"and {len(wrong) - len(shown):,} more; --rows=0 shows all"


def described_verdict(verdict: Verdict) -> dict[str, Any]:
    """For JSON."""
    limit, growth = verdict.limit, verdict.growth
    most = float(limit.most) if limit.is_soft else limit.most
    return {
        "function": verdict.function and verdict.function._asdict(),
        "inclusive": limit.inclusive,
        "event": growth.event,
        "percent" if limit.is_soft else "figure": most,
        "old": growth.old,
        "new": growth.new,
        "exceeded": verdict.is_exceeded,
        **({"verdict": verdict.found} if verdict.found else {}),
    }


# ---- Judging -----------------------------------------------------------------


def verdicts_of(
    comparison: Comparison, limits: Iterable[Limit], full_names: bool = False
) -> list[Verdict]:
    """A verdict for each limit of the program, and for each function that another limit names.

    ProfileError where there is no such event or function.
    """
    judge = _Judge(comparison, full_names)
    return [verdict for limit in limits for verdict in judge.verdicts(limit)]


class _Judge:
    def __init__(self, comparison: Comparison, full_names: bool) -> None:
        self.comparison = comparison
        self.full_names = full_names
        self.part = comparison.part
        self.columns: dict[str, Columns] = {}
        self.event_of = {event.casefold(): event for event in reversed(known_events(self.part))}
        self.functions: list[FunctionKey] = []  # of both; filled when a limit is for one

    def verdicts(self, limit: Limit) -> Iterator[Verdict]:
        event = self._event(limit)
        found = self.comparison
        if not limit.function:
            value = self.columns[event].value
            total = value(event, found.old_total), value(event, found.new_total)
            yield Verdict(limit, Growth(event, *total), found=found.total_verdict(event))
            return
        keys = self._functions_of(limit)
        names = Spoken(keys, self.full_names)
        verdicts = [self._verdict(limit, event, key, names) for key in keys]
        yield from sorted(verdicts, key=lambda each: each.growth.old - each.growth.new)

    def _event(self, limit: Limit) -> str:
        """The event of a limit, which may be written in small letters."""
        event = limit.event or self.comparison.event
        if event not in self.event_of.values():
            event = self.event_of.get(event.casefold(), event)
        if limit.beyond_layout and self.comparison.runs == 1:
            raise limit.fault('beyond = "layout" needs profiles of cg2 --layouts=N on both sides')
        if event not in self.columns:
            try:
                self.columns[event] = self.comparison.columns_of(event)
            except ProfileError as error:
                raise limit.fault(error.message) from error
        return event

    def _verdict(self, limit: Limit, event: str, key: FunctionKey, names: Spoken) -> Verdict:
        found = self.comparison
        columns = self.columns[event]
        costs = [side.cost(key, limit.inclusive) for side in (found.old, found.new)]
        old, new = (columns.value(event, cost) if cost else 0 for cost in costs)
        judged = found.verdict(costs[0], costs[1], event)
        return Verdict(limit, Growth(event, old, new), key, names, costs[0] is None, judged)

    def _functions_of(self, limit: Limit) -> list[FunctionKey]:
        """The functions that a limit names: one, all of one name, or those of a pattern."""
        if not self.functions:
            both = dict.fromkeys(self.comparison.old.keys)
            both.update(dict.fromkeys(self.comparison.new.keys))
            self.functions = list(both)
        found = named(self.functions, limit.function)
        if not found:
            raise limit.fault(f"no function '{limit.function}'; {self._near(limit.function)}")
        return found

    def _near(self, name: str) -> str:
        """The functions whose names, as they are shown or as the profile has them, are like one."""
        known = [
            *Spoken(self.functions).names_of(self.functions),
            *(key.name for key in self.functions),
        ]
        names = dict.fromkeys(each for each in known if len(each) <= _NEAR_MAX)
        near = get_close_matches(name, names, _NEAR) if len(name) <= _NEAR_MAX else []
        if not near:
            return "expected one of OLD or NEW"
        return f"expected one of OLD or NEW, such as {', '.join(near)}"


# ---- Names of functions --------------------------------------------------------


def named(keys: Sequence[FunctionKey], name: str) -> list[FunctionKey]:
    """The functions that a person means: by the name of the profile, the one that is shown, both
    alone, behind the file or with the object, or the mangled one; `*` and `?` stand for other letters.
    """
    exact = _chosen(keys, name, name.__eq__)
    if not exact and "(" in name:
        exact = _chosen(keys, name, name.__eq__, Spoken(keys))
    if not exact and name.startswith(("_Z", "_R")):
        plain = demangled(name) if name.startswith("_Z") else as_written(name)
        exact = _chosen(keys, name, plain.__eq__)
    if exact or not set("*?") & set(name):
        return exact
    return _chosen(keys, name, glob(name))


def _chosen(
    keys: Sequence[FunctionKey],
    name: str,
    fits: Callable[[str], object],
    together: Spoken | None = None,
) -> list[FunctionKey]:
    """The functions of which a form fits; forms that have less in them than `name` are not made.

    With `together`, what is shown has parameters where functions would be alike without.
    """
    has_file, has_object = re.search("(?<!:):(?!:)", name), "[" in name
    # The last word of what is shown is in the profile's name, too, but for an address.
    words = re.findall(r"[A-Za-z_]\w*", name.partition(" [")[0])
    word = "" if "+0x" in name else words[-1] if words else None

    def is_named(key: FunctionKey) -> object:
        return (
            fits(key.name)
            or (has_file and fits(f"{key.file}:{key.name}"))
            or (has_object and fits(str(key)))
        )

    def is_shown_so(key: FunctionKey) -> object:
        if word is None or word not in key.name:
            return False
        return is_named((together or Spoken([key])).key_of(key))

    return [key for key in keys if is_named(key) or is_shown_so(key)]
