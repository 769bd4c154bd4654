"""Files of paths compared: what paths of calls, and functions, cost in OLD and in NEW.

A path is told by the functions on it, from the outermost one: calls of a function from several
lines of another are one path, as lines move from build to build.
"""

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cg2tools.diff.names import Names, in_other_file, program_of
from cg2tools.profile.libcg2profile import BY_FUNCTION, BY_TARGET, CALL, COST, NONE, keys_of
from cg2tools.profile.model import FunctionKey, Part, add_cost
from cg2tools.profile.rowpairs import Rows

_ROOT = 0  # the number of no path, which calls the outermost functions


class CallPath(NamedTuple):
    """A path: the functions on it, the outermost one first."""

    functions: tuple[FunctionKey, ...]


class Numbers:
    """Numbers of functions and paths, which are the same in both sides."""

    def __init__(self) -> None:
        self.functions: dict[FunctionKey, int] = {}
        self.keys: list[FunctionKey] = []
        self._paths: dict[int, int] = {}
        self._callers = array("I", [_ROOT])  # of each path, a lower number
        self._last = array("I", [NONE])  # the function of each

    def function(self, key: FunctionKey) -> int:
        """The number of a function."""
        number = self.functions.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number

    def paths(self, callers: Sequence[int], functions: Sequence[int]) -> "array[int]":
        """The number of each path of a part, of which each stands behind its caller."""
        found = array("I")
        known = self._paths
        for caller, function in zip(callers, functions):
            above = _ROOT if caller == NONE else found[caller]
            number = known.setdefault(above << 32 | function, len(self._callers))
            if number == len(self._callers):
                self._callers.append(above)
                self._last.append(function)
            found.append(number)
        return found

    def path(self, number: int) -> CallPath:
        """The functions on a path."""
        functions = []
        while number != _ROOT:
            functions.append(self.keys[self._last[number]])
            number = self._callers[number]
        return CallPath(tuple(reversed(functions)))


class PathSide:
    """OLD or NEW: rows of what functions and paths cost themselves, and with what they call."""

    def __init__(
        self, part: Part, keys: Mapping[FunctionKey, FunctionKey], numbers: Numbers
    ) -> None:
        """`keys` has for each function of the part the one that it counts as."""
        self.part = part.lines
        self.width = self.part.width
        self.callers = self.part.callers()
        self.functions = self._functions(keys, numbers)
        self.paths = numbers.paths(self.callers, self.functions)

    def _functions(self, keys: Mapping[FunctionKey, FunctionKey], numbers: Numbers) -> "array[int]":
        """The number of each path's function."""
        names = self.part.function_names()
        triples = list(zip(names[::3], names[1::3], names[2::3]))
        known = list(dict.fromkeys(triples))
        texts = [self.part.profile.names[name] for triple in known for name in triple]
        found = keys_of(texts[::3], texts[1::3], texts[2::3])
        number_of = {
            triple: numbers.function(keys.get(key, key)) for triple, key in zip(known, found)
        }
        return array("I", map(number_of.__getitem__, triples))

    def function_rows(self) -> Rows:
        """What functions cost themselves."""
        return self._own(self.functions)

    def whole_function_rows(self) -> Rows:
        """What functions cost with what they call, once where one is on a path several times."""
        topmost = _topmost(self.callers, self.functions)
        return self._whole(
            [
                function if is_topmost else NONE
                for function, is_topmost in zip(self.functions, topmost)
            ]
        )

    def path_rows(self) -> Rows:
        """What paths cost themselves."""
        return self._counted(self._own(self.paths))

    def whole_path_rows(self) -> Rows:
        """What paths cost with what they call."""
        return self._counted(self._whole(self.paths))

    def _own(self, number_of: Sequence[int]) -> Rows:
        table = self.part.add_up(COST, BY_FUNCTION, function_as=number_of)
        return Rows([table.column(BY_FUNCTION)], table.flat_costs)

    def _whole(self, number_of: Sequence[int]) -> Rows:
        """What calls of paths cost, and the paths that nobody calls; by the number of each."""
        table = self.part.add_up(CALL, BY_TARGET, target_as=number_of)
        numbers, costs = table.column(BY_TARGET), table.flat_costs
        called = len(numbers)
        row_of: dict[int, int] = {}
        for root, cost in self._roots.items():
            number = number_of[root]
            row = row_of.get(number, bisect_left(numbers, number, 0, called))
            if number not in row_of and (row == called or numbers[row] != number):
                row = row_of[number] = len(numbers)
                numbers.append(number)
                costs.extend([0] * self.width)
            for event, value in enumerate(cost):
                costs[row * self.width + event] += value
        return Rows([numbers], costs)

    @cached_property
    def _roots(self) -> dict[int, list[int]]:
        """What the paths cost, with what they call, that nobody calls."""
        roots = [path if caller == NONE else NONE for path, caller in enumerate(self.callers)]
        found: dict[int, list[int]] = {}
        for kind in COST, CALL:
            table = self.part.add_up(kind, BY_FUNCTION, function_as=roots)
            for row, path in enumerate(table.column(BY_FUNCTION)):
                add_cost(found.setdefault(path, [0] * self.width), table.cost(row))
        return found

    def _counted(self, rows: Rows) -> Rows:
        """The rows, with how often each path was called."""
        (numbers,) = rows.keys
        return Rows(rows.keys, rows.costs, array("Q", map(self._calls.__getitem__, numbers)))

    @cached_property
    def _calls(self) -> dict[int, int]:
        """How often each path was called, by number."""
        found: dict[int, int] = {}
        for path, calls in zip(self.paths, self.part.path_calls()):
            found[path] = found.get(path, 0) + calls
        return found


def _topmost(callers: Sequence[int], functions: Sequence[int]) -> list[bool]:
    """Whether each path has its last function nowhere above."""
    count = len(callers)
    first, after = array("l", [-1]) * (count + 1), array("l", [-1]) * count
    for path in range(count - 1, -1, -1):
        above = count if callers[path] == NONE else callers[path]
        after[path], first[above] = first[above], path
    found = [True] * count
    open_functions: set[int] = set()
    path = first[count]
    agenda: list[int] = []  # paths whose next sibling is to be visited
    while path >= 0 or agenda:
        if path < 0:
            path = agenda.pop()
            if found[path]:
                open_functions.remove(functions[path])
            path = after[path]
            continue
        found[path] = functions[path] not in open_functions
        open_functions.add(functions[path])
        agenda.append(path)
        path = first[path]
    return found


def moved_keys(
    old: Part, new: Part, names: Names
) -> tuple[dict[FunctionKey, FunctionKey], dict[FunctionKey, FunctionKey]]:
    """What each function of OLD and of NEW counts as, by the rules and where its file is another."""
    program = program_of(new)
    made = []
    for part in (old, new):
        keys = list(dict.fromkeys(part.keys))
        made.append(dict(zip(keys, names.renamed(keys, program_of(part), program))))
    moved = in_other_file(set(made[0].values()), set(made[1].values()))
    return {key: moved.get(name, name) for key, name in made[0].items()}, made[1]
