"""The lines that differ, by function: found for those functions alone that somebody asks for.

    lines = ChangedLines(lambda: comparison.lines, folds_clones=True)
    lines.find(keys)                each asked for, in one pass
    lines.of(key)                   a list of Change[Line]
"""

from bisect import bisect
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from cg2tools.diff.comparison import Change, Line, LineChanges
from cg2tools.diff.names import without_clones
from cg2tools.profile.model import FunctionKey


class _Moved(NamedTuple):
    """How far lines of a file that are in both have moved."""

    lines: list[int]
    """In OLD."""
    by: dict[int, int]


class ChangedLines:
    """Lines by function, as the profiles or as the comparison name it."""

    def __init__(self, compare: Callable[[], LineChanges], folds_clones: bool) -> None:
        """`compare` is called when lines are asked for."""
        self._compare = compare
        self._folds_clones = folds_clones
        self._numbers: dict[FunctionKey, int] = {}
        """The functions that were asked for, by their numbers in the comparison; -1: it has them not."""
        self._places: dict[int, list[int]] = {}
        """Where changes of lines are, by function."""
        self._spans: dict[tuple[FunctionKey, bool], tuple[int, int] | None] = {}

    @cached_property
    def _changes(self) -> LineChanges:
        return self._compare()

    def find(self, keys: Iterable[FunctionKey]) -> None:
        """Have lines of functions found together, which is faster than one by one."""
        new = [key for key in dict.fromkeys(keys) if key not in self._numbers]
        for key in new:
            name = without_clones(key.name) if self._folds_clones else key.name
            number = self._changes.matching.number(key._replace(name=name))
            self._numbers[key] = -1 if number is None else number
        wanted = {self._numbers[key] for key in new} - self._places.keys()
        if not wanted:
            return
        self._places |= {number: [] for number in wanted}
        functions = self._changes.functions
        for place in [at for at, number in enumerate(functions) if number in wanted]:
            self._places[functions[place]].append(place)

    def _places_of(self, key: FunctionKey) -> list[int]:
        self.find([key])
        return self._places[self._numbers[key]]

    def of(self, key: FunctionKey) -> list[Change[Line]]:
        """What differs most first."""
        return [self._changes[place] for place in self._places_of(key)]

    # ---- Lines of inlined functions ----------------------------------------

    def has_lines_of(self, caller: FunctionKey, callee: FunctionKey, is_now: bool) -> bool:
        """Whether a caller has lines now, or had them, that are between the callee's."""
        span = self._span(callee, is_now)
        if not span:
            return False
        first, last = span
        file = self._changes.matching.place_of[callee.file]
        rows = map(self._changes.row, self._places_of(caller))
        return any(
            where == file and first <= self._now(file, was, now) <= last
            for where, was, now in rows
            if not (was if is_now else now)
        )

    def _span(self, key: FunctionKey, is_now: bool) -> tuple[int, int] | None:
        """The first and the last line of a function in its own file, where they are in NEW."""
        if (key, is_now) not in self._spans:
            file = self._changes.matching.place_of.get(key.file)
            rows = map(self._changes.row, self._places_of(key))
            found = [
                self._now(where, was, now) if is_now else now
                for where, was, now in rows
                if where == file and (was if is_now else now)
            ]
            numbers = [number for number in found if number]
            self._spans[key, is_now] = (min(numbers), max(numbers)) if numbers else None
        return self._spans[key, is_now]

    def _now(self, file: int, was: int, now: int) -> int:
        """Where a line is in NEW; of one that only OLD has, where it would be: its neighbours moved so."""
        if now or not was:
            return now
        moved = self._moved.get(file)
        if not moved:
            return was
        place = bisect(moved.lines, was)
        near = min(moved.lines[max(place - 1, 0) : place + 1], key=lambda each: abs(each - was))
        return was + moved.by[near]

    @cached_property
    def _moved(self) -> dict[int, _Moved]:
        """By file."""
        found: dict[int, dict[int, int]] = {}
        for file, was, now in self._changes.rows():
            if was and now:
                found.setdefault(file, {})[was] = now - was
        return {file: _Moved(sorted(moves), moves) for file, moves in found.items()}
