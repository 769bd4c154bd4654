"""Reads files of paths (section 9 of docs/format.md), apart from the library's reader; what is true of
all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path as File

from cg2tools.profile.model import FunctionKey, Part

_NAME = re.compile(r"(ob|fl|fi|fn)=\((\d+)\)(?: (.*))?$")


@dataclass
class Path:
    """A line of the file."""

    function: FunctionKey
    parent: Path | None
    file: str  # of the call
    position: list[int]
    calls: int
    again: int
    costs: list[int]
    children: list[Path] = field(default_factory=list)
    inclusive: list[int] = field(default_factory=list)

    def functions(self) -> list[FunctionKey]:
        """The functions of the path, the root's first."""
        above = self.parent.functions() if self.parent else []
        return [*above, self.function]

    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(key.name for key in self.functions())

    def level(self) -> int:
        """How often the function is on the path."""
        return self.functions().count(self.function)


class Tree:
    """All paths of a file, in its order."""

    def __init__(self, file: File) -> None:
        self.header: dict[str, str] = {}
        self.paths: list[Path] = []
        self._names: dict[tuple[str, str], str] = {}
        self._functions: dict[int, FunctionKey] = {0: FunctionKey("???", "???", "(more)")}
        self._open: list[Path] = []
        self._object = self._file = "???"
        self._site: str | None = None
        for line in file.read_text(errors="surrogateescape").splitlines():
            self._read(line)
        for path in reversed(self.paths):
            path.inclusive = [
                sum(column) for column in zip(path.costs, *(c.inclusive for c in path.children))
            ]

    def _read(self, line: str) -> None:
        named = _NAME.match(line)
        if named:
            self._name(named[1], named[2], named[3])
        elif line[:1].isdigit():
            self._path(line.split())
        elif ":" in line:
            key, value = line.split(":", 1)
            self.header[key] = value.strip()

    def _name(self, spec: str, number: str, name: str | None) -> None:
        kind = {"fi": "fl"}.get(spec, spec)
        if name is not None:
            assert (kind, number) not in self._names, f"{spec}=({number}) twice"
            self._names[kind, number] = name
        text = self._names[kind, number]
        if spec == "ob":
            self._object = text
        elif spec == "fl":
            self._file = text
        elif spec == "fi":
            self._site = text
        else:
            self._functions[int(number)] = FunctionKey(self._object, self._file, text)

    def _path(self, words: Sequence[str]) -> None:
        columns = len(self.header["positions"].split())
        depth, function, *position = (int(word, 0) for word in words[: 2 + columns])
        calls, _, again = words[2 + columns].partition("+")
        costs = [int(word) for word in words[3 + columns :]]
        costs += [0] * (len(self.header["events"].split()) - len(costs))
        assert depth <= len(self._open)
        del self._open[depth:]
        parent = self._open[-1] if depth else None
        file = self._site or (parent.function.file if parent else "???")
        self._site = None
        found = Path(
            self._functions[function], parent, file, position, int(calls), int(again or 0), costs
        )
        if parent:
            parent.children.append(found)
        self.paths.append(found)
        self._open.append(found)

    def total(self) -> list[int]:
        """What all paths cost."""
        return [sum(column) for column in zip(*(path.costs for path in self.paths))]

    def counts(self, *names: str) -> Counter[tuple[str, ...]]:
        """How often each path was taken, of the functions with these names; others are left out."""
        found: Counter[tuple[str, ...]] = Counter()
        for path in self.paths:
            if path.function.name in names:
                shown = tuple(name for name in path.names() if name in names)
                found[shown] += path.calls + path.again
        return found


def without_level(key: FunctionKey) -> FunctionKey:
    """The function of which the key may be a level of recursion."""
    return FunctionKey(key.object, key.file, re.sub(r"'\d+$", "", key.name))


def faults(tree: Tree, part: Part) -> list[str]:
    """Where the paths do not add up to the profile of the same part, by function and event."""
    found = []
    own: defaultdict[FunctionKey, list[int]] = defaultdict(lambda: [0] * len(part.events))
    calls: Counter[FunctionKey] = Counter()
    for key, function in part.functions.items():
        base = without_level(key)
        own[base] = [sum(column) for column in zip(own[base], *function.costs.values())]
        for call in function.calls:
            calls[without_level(call.callee)] += call.count
    for path in tree.paths:
        own[path.function] = [a - b for a, b in zip(own[path.function], path.costs)]
        calls[path.function] -= path.again + (path.calls if path.parent else 0)
    found += [f"{key}: own cost differs by {cost}" for key, cost in own.items() if any(cost)]
    found += [f"{key}: calls differ by {count}" for key, count in calls.items() if count]
    for total in ("summary", "totals"):
        if [int(word) for word in tree.header[total].split()] != part.self_total():
            found.append(f"{total}: {tree.header[total]}, not {part.self_total()}")
    if int(tree.header["paths"]) != len(tree.paths):
        found.append(f"paths: {tree.header['paths']}, not {len(tree.paths)}")
    return found


def arc_faults(tree: Tree, part: Part) -> list[str]:
    """Where paths with all that they call do not add up to the profile's arcs.

    For profiles that keep all levels of all recursions apart.
    """
    arcs: defaultdict[tuple[FunctionKey, FunctionKey], list[int]] = defaultdict(
        lambda: [0] * (len(part.events) + 1)
    )

    def add(caller: FunctionKey, callee: FunctionKey, sign: int, numbers: Sequence[int]) -> None:
        sums = arcs[caller, callee]
        arcs[caller, callee] = [a + sign * b for a, b in zip(sums, numbers)]

    for function in part.functions.values():
        for call in function.calls:
            add(call.caller, call.callee, 1, [call.count, *call.inclusive])
    for path in tree.paths:
        if path.parent:
            add(_named(path.parent), _named(path), -1, [path.calls, *path.inclusive])
    return [f"{caller} > {callee}: {n}" for (caller, callee), n in arcs.items() if any(n)]


def _named(path: Path) -> FunctionKey:
    """The function as the profile names it, with its level."""
    level = path.level()
    key = path.function
    return key if level == 1 else FunctionKey(key.object, key.file, f"{key.name}'{level}")
