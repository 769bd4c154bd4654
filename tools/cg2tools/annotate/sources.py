"""Source files with the cost of each line beside it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.annotate.table import Table, by_cost
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, FunctionKey, Part, UNKNOWN, add_cost
from cg2tools.program.sources import near, source_lines, source_path


@dataclass(slots=True)
class _Line:
    """What was spent at a source line: itself, and in calls from it."""

    self_cost: Cost
    calls: dict[FunctionKey, Arc] = field(default_factory=dict)


class Sources:
    """The source files of a part, their lines and costs.

    `files` maps a file's name in the profile to its lines by number; 0 is
    cost without a line number.
    """

    def __init__(
        self, part: Part, graph: CallGraph, columns: Columns, include: list[str], context: int
    ) -> None:
        self.profile_path = part.path
        self.columns = columns
        self.include = include
        self.context = context
        self.files: dict[str, dict[int, _Line]] = {}
        self.files_of: dict[FunctionKey, dict[str, None]] = {}
        for function in part.functions.values():
            node = graph.node_of(function.key)
            files = self.files_of.setdefault(node.key, {})
            for file, line, cost in function.line_costs():
                add_cost(self._line(file, line).self_cost, cost)
                files[file] = None
        for node in graph.nodes.values():
            for (place, callee), arc in node.sites.items():
                calls = self._line(place.file, place.line).calls
                total = calls.setdefault(callee, Arc(0, columns.zero()))
                total.add(arc.count, arc.inclusive)

    def _line(self, file: str, number: int) -> _Line:
        lines = self.files.setdefault(file, {})
        line = lines.get(number)
        if line is None:
            line = lines[number] = _Line(self.columns.zero())
        return line

    # ---- Which files ------------------------------------------------------

    def names_ending_in(self, source: str) -> list[str]:
        """The files called `source`, or with that as their last directories."""
        wanted = os.path.normpath(source)
        return [
            name for name in self.files if ("/" + os.path.normpath(name)).endswith("/" + wanted)
        ]

    def names_of(self, nodes: list[Node]) -> list[str]:
        """The files that functions have costs in, most expensive first."""
        names = {
            name for node in nodes for name in self.files_of.get(node.key, {}) if name != UNKNOWN
        }
        return sorted(names, key=lambda name: (self.columns.sort_key(self.cost(name)), name))

    def cost(self, name: str) -> Cost:
        """The self cost of a file."""
        total = self.columns.zero()
        for line in self.files[name].values():
            add_cost(total, line.self_cost)
        return total

    def find(self, name: str) -> str | None:
        """The path of a source file that can be read, if there is one."""
        return source_path(name, self.include)

    # ---- One file ---------------------------------------------------------

    def annotate(self, name: str, path: str) -> Iterator[str]:
        """The lines of a file that cost something, and those around them."""
        if os.path.getmtime(path) > os.path.getmtime(self.profile_path):
            yield (
                f"-- Warning: {path} is newer than the profile; "
                "costs may stand beside the wrong lines"
            )
        texts = source_lines(path)
        lines = self.files[name]
        table = Table(self.columns, "")
        if 0 in lines:
            self._add_line(table, lines[0], "<no line number>")
        shown = 0
        for number in near(lines, self.context, len(texts)):
            if number != shown + 1:
                table.add_text(f"-- line {number} " + "-" * 40)
            self._add_line(table, lines.get(number), texts[number - 1])
            shown = number
        for number in sorted(lines):
            if number > len(texts):
                self._add_line(table, lines[number], f"<line {number}, past the end of the file>")
        yield from table.lines()

    def _add_line(self, table: Table, line: _Line | None, text: str) -> None:
        table.add(line.self_cost if line else self.columns.zero(), text)
        if line:
            for key, arc in by_cost(line.calls, self.columns):
                table.add(arc.inclusive, f"=> {key.file}:{key.name} ({arc.count:,}x)")
