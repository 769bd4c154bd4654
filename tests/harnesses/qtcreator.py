"""What Qt Creator does: its command lines, and its parser.

Rules are those of `src/plugins/valgrind/callgrind/callgrindparser.cpp` (the parser), `callgrindengine.cpp`
and `callgrindtool.cpp` (command lines), `callgrindcontroller.cpp` (callgrind_control).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

# A line of the header begins with one of these, or with #.
HEADER = re.compile(r"(positions|events|version|creator|pid|cmd|part|desc|summary): (.*)")
NAME = re.compile(r"\((\d+)\) ?(.*)")

Identity = tuple[int, int, int]  # the ids of a function, its object and its file


@dataclass
class Function:
    """A block that `fn=` begins."""

    identity: Identity
    costs: list[int]
    calls: list[tuple[Identity, int, list[int]]] = field(default_factory=list)


@dataclass
class Profile:
    header: dict[str, str] = field(default_factory=dict)
    descriptions: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    unmatched: int = 0  # calls whose callee is no function of the file

    def events(self) -> list[str]:
        return self.header.get("events", "").split()

    def self_costs(self) -> Counter[tuple[str, str]]:
        """By function and event."""
        costs: Counter[tuple[str, str]] = Counter()
        for function in self.functions:
            for event, cost in zip(self.events(), function.costs):
                costs[self.names[function.identity[0]], event] += cost
        return costs

    def calls(self) -> Counter[tuple[str, str]]:
        """How often one function calls another."""
        calls: Counter[tuple[str, str]] = Counter()
        for function in self.functions:
            for callee, count, _ in function.calls:
                calls[self.names[function.identity[0]], self.names[callee[0]]] += count
        return calls

    def inclusive(self, name: str) -> int:
        """What a function costs with all that it calls, of the first event."""
        return sum(
            function.costs[0] + sum(costs[0] for _, _, costs in function.calls)
            for function in self.functions
            if self.names[function.identity[0]] == name
        )


class Parser:
    """Reads a file line by line. What cannot be understood raises ValueError, where Qt Creator complains."""

    def __init__(self, path: Path) -> None:
        self.profile = Profile()
        self.object = self.file = -1
        self.called: dict[str, int] = {}
        self.n_calls: int | None = None
        lines = iter(path.read_text().splitlines())
        for line in lines:
            if found := HEADER.match(line):
                self.head(found[1], found[2])
            elif line.strip() and not line.startswith("#"):
                self.body(line)
                break
        for line in lines:
            if line:
                self.body(line)
        known = {function.identity for function in self.profile.functions}
        self.profile.unmatched = sum(
            callee not in known
            for function in self.profile.functions
            for callee, _, _ in function.calls
        )

    def head(self, key: str, value: str) -> None:
        if key == "desc":
            self.profile.descriptions.append(value)
        else:
            self.profile.header[key] = value

    def body(self, line: str) -> None:
        """Lines that begin with no known key, such as `totals:`, mean nothing."""
        if len(line) < 3:
            raise ValueError(f"too short: {line}")
        key, equals, value = line.partition("=")
        if line[0] in "0123456789+-*":
            self.cost(line)
        elif self.n_calls is not None:
            raise ValueError(f"a call without a cost: {line}")
        elif key == "calls":
            self.n_calls = int(value.split()[0])
        elif equals and key in ("cob", "cfi", "cfl", "cfn"):
            self.called[{"cfl": "cfi"}.get(key, key)] = self.name(value, key == "cfn")
        elif key == "ob":
            self.object = self.name(value)
        elif key == "fl":
            self.file = self.inlined = self.name(value)
        elif key in ("fi", "fe"):
            self.inlined = self.name(value)
        elif key == "fn":
            identity = (self.name(value, True), self.object, self.file)
            self.profile.functions.append(Function(identity, [0] * len(self.profile.events())))

    def name(self, text: str, is_function: bool = False) -> int:
        """The id of a name; without an id, a name is not known again."""
        found = NAME.match(text)
        if found is None:
            return -1
        if is_function and found[2]:
            self.profile.names[int(found[1])] = found[2]
        return int(found[1])

    def cost(self, line: str) -> None:
        """Positions, then costs; those that are not there are 0."""
        function = self.profile.functions[-1]
        n_positions = len(self.profile.header["positions"].split())
        n_events = len(self.profile.events())
        costs = [int(word) for word in line.split()[n_positions:][:n_events]]
        costs += [0] * (n_events - len(costs))
        if self.n_calls is None:
            function.costs = [a + b for a, b in zip(function.costs, costs)]
            return
        # A callee without a file of its own is in the file of the lines before.
        callee = (
            self.called["cfn"],
            self.called.get("cob", self.object),
            self.called.get("cfi", self.inlined),
        )
        function.calls.append((callee, self.n_calls, costs))
        self.called = {}
        self.n_calls = None
