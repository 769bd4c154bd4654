"""A profile as callgrind_annotate adds it up.

row      a source file and the name of a function that has lines in it, as "a.c:main".  A
         function with code inlined from other files is several rows, each recursion level is
         another name, and functions of one name in one file are one row, whatever their objects.
         A file below the current directory is called as seen from there
missing  a zero that the profile does not write, as it is at the end of a line.  What adds up
         to it is shown as "." and sorted behind zeros
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from cg2tools.profile.callgraph import Arc
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    CALL,
    COST,
    NONE,
)
from cg2tools.profile.model import Cost, Part, UNKNOWN, add_cost

MISSING = -1
"""The number of an event that the profile does not write."""


def written(cost: Sequence[int]) -> Cost:
    """A cost with what is missing at its end."""
    end = len(cost)
    while end and not cost[end - 1]:
        end -= 1
    return [*cost[:end], *[MISSING] * (len(cost) - end)]


@dataclass(slots=True)
class LineCalls:
    """The calls from a source line that the first function in the profile makes which calls there."""

    caller: str
    arcs: dict[str, Arc] = field(default_factory=dict)
    """By callee."""


@dataclass(slots=True)
class SourceFile:
    """What the lines of a source file cost, and the calls from them."""

    costs: dict[int, Cost] = field(default_factory=dict)
    calls: dict[int, LineCalls] = field(default_factory=dict)


class Arcs:
    """Calls between rows: how many from one to another, and what they cost."""

    def __init__(self) -> None:
        self._out: dict[str, dict[str, Arc]] = {}
        self._into: dict[str, dict[str, Arc]] = {}

    def add(self, caller: str, callee: str, count: int, cost: Sequence[int]) -> None:
        arcs = self._out.setdefault(caller, {})
        _add_arc(arcs, callee, count, cost)
        self._into.setdefault(callee, {})[caller] = arcs[callee]

    def __iter__(self) -> Iterator[tuple[str, str, Arc]]:
        for caller, arcs in self._out.items():
            for callee, arc in arcs.items():
                yield caller, callee, arc

    @property
    def callers(self) -> set[str]:
        return {*self._out}

    def out_of(self, caller: str) -> dict[str, Arc]:
        """By callee."""
        return self._out.get(caller, {})

    def into(self, callee: str) -> dict[str, Arc]:
        """By caller."""
        return self._into.get(callee, {})


class Rows:
    """The rows of a part, their objects, and the calls between them."""

    def __init__(self, part: Part, always_names_callees: bool) -> None:
        """Some writers say a callee's file only if it is another; `always_names_callees`: this one always."""
        self._part = part
        self._always_names_callees = always_names_callees
        self._names = part.names
        self._here = os.path.join(os.getcwd(), "")
        functions = part.lines.function_names()
        self._files_of, self._names_of = functions[1::3], functions[2::3]
        self._objects_of = functions[0::3]
        self._callees: dict[tuple[int, bool], str] = {}

    # ---- Names -------------------------------------------------------------

    @cached_property
    def _files(self) -> list[str]:
        """Names of files as they are shown, by number."""
        here = self._here if self._here != "/" else "\0"
        return [name.removeprefix(here) for name in self._names]

    def _row(self, file: int, name: int) -> str:
        return f"{self._files[file]}:{self._names[name]}"

    def _callee(self, function: int, file: int) -> str:
        """The row of a function that is called from a line in this file.

        Only a file that is taken from the line is called as seen from the current directory.
        """
        own = self._files_of[function]
        is_named = self._always_names_callees or own != file
        row = self._callees.get((function, is_named))
        if row is None:
            files = self._names if is_named else self._files
            row = f"{files[own]}:{self._names[self._names_of[function]]}"
            self._callees[function, is_named] = row
        return row

    @cached_property
    def objects(self) -> dict[str, str]:
        """The objects of the rows with a function's first lines; "" in a profile that knows none."""
        objects = {
            self._row(self._files_of[i], self._names_of[i]): self._names[self._objects_of[i]]
            for i in self._part.lines.functions_with_lines()
        }
        return dict.fromkeys(objects, "") if set(objects.values()) == {UNKNOWN} else objects

    # ---- Costs -------------------------------------------------------------

    @cached_property
    def self_costs(self) -> dict[str, Cost]:
        found: dict[str, Cost] = {}
        table = self._part.lines.add_up(COST, BY_FUNCTION | BY_FILE, self._names_of)
        for name, file, cost in zip(
            table.column(BY_FUNCTION), table.column(BY_FILE), table.costs()
        ):
            _add(found, self._row(file, name), cost)
        return found

    @cached_property
    def arcs(self) -> "Arcs":
        """All calls."""
        found = Arcs()
        keys = BY_FUNCTION, BY_FILE, BY_TARGET
        table = self._part.lines.add_up(CALL, sum(keys), self._names_of)
        for name, file, callee, count, cost in zip(
            *map(table.column, keys), table.counts, table.costs()
        ):
            found.add(self._row(file, name), self._callee(callee, file), count, cost)
        return found

    def with_calls(self) -> dict[str, Cost]:
        """What all calls of a row cost; of one that is not called, its own cost and its calls'."""
        found = {row: list(cost) for row, cost in self.self_costs.items()}
        called: dict[str, Cost] = {}
        for caller, callee, arc in self.arcs:
            _add(found, caller, arc.inclusive)
            _add(called, callee, arc.inclusive)
        return found | called

    # ---- Lines -------------------------------------------------------------

    def read_sources(self, files: Iterable[str]) -> dict[str, SourceFile]:
        """The files that have lines, of those with these shown names, and what their lines cost."""
        wanted = set(files)
        numbers = [number if file in wanted else NONE for number, file in enumerate(self._files)]
        sources: dict[str, SourceFile] = {}
        self._read_costs(sources, numbers)
        self._read_calls(sources, numbers)
        return sources

    def _read_costs(self, sources: dict[str, SourceFile], numbers: list[int]) -> None:
        table = self._part.lines.add_up(COST, BY_FILE | BY_LINE, file_as=numbers)
        for file, line, cost in zip(table.column(BY_FILE), table.column(BY_LINE), table.costs()):
            source = sources.setdefault(self._files[file], SourceFile())
            _add(source.costs, line, cost)

    def _read_calls(self, sources: dict[str, SourceFile], numbers: list[int]) -> None:
        order = self._part.lines.functions_with_lines()
        places = [NONE] * len(self._names_of)
        for place, function in enumerate(order):
            places[function] = place
        keys = BY_FUNCTION, BY_FILE, BY_LINE, BY_TARGET
        table = self._part.lines.add_up(CALL, sum(keys), places, file_as=numbers)
        first: dict[tuple[int, int], int] = {}
        for place, file, line, callee, count, cost in zip(
            *map(table.column, keys), table.counts, table.costs()
        ):
            if first.setdefault((file, line), place) == place:
                source = sources.setdefault(self._files[file], SourceFile())
                caller = self._row(file, self._names_of[order[place]])
                calls = source.calls.setdefault(line, LineCalls(caller))
                _add_arc(calls.arcs, self._callee(callee, file), count, cost)


_Key = TypeVar("_Key")


def _add(costs: dict[_Key, Cost], key: _Key, cost: Sequence[int]) -> None:
    known = costs.get(key)
    if known is None:
        costs[key] = list(cost)
    else:
        add_cost(known, cost)


def _add_arc(arcs: dict[_Key, Arc], key: _Key, count: int, cost: Sequence[int]) -> None:
    known = arcs.get(key)
    if known is None:
        arcs[key] = Arc(count, list(cost))
    else:
        known.add(Arc(count, list(cost)))
