"""Source files with the cost of each line beside it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cg2tools.annotate.table import Table, by_cost
from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.libcg2profile import BY_FILE, BY_LINE, CALL, COST, NONE
from cg2tools.profile.model import Cost, FunctionKey, Part, UNKNOWN
from cg2tools.program.ran import changed_source
from cg2tools.program.sources import is_system, near, source_lines


@dataclass(slots=True)
class _Line:
    """What was spent at a source line: itself, and in calls from it."""

    self_cost: Cost
    calls: dict[FunctionKey, Arc] = field(default_factory=dict)
    rounds: int = 0  # of repeated instructions, that no event counts


class Sources:
    """The source files of a part, their lines and costs."""

    def __init__(
        self,
        part: Part,
        graph: CallGraph,
        columns: Columns,
        files: SourceFiles,
        context: int,
        full_names: bool = False,
    ) -> None:
        self.part = part
        self.graph = graph
        self.columns = columns
        self.files = files
        self.context = context
        self.full_names = full_names
        self.costs: dict[str, Cost] = {}
        """The self cost of each file that has lines."""
        for kind in COST, CALL:
            table = part.lines.add_up(kind, BY_FILE)
            for file, cost in zip(table.column(BY_FILE), table.costs()):
                self.costs.setdefault(
                    part.names[file], list(cost) if kind == COST else columns.zero()
                )
        self._lines: dict[str, dict[int, _Line]] = {}

    # ---- Which files ------------------------------------------------------

    def names_ending_in(self, source: str) -> list[str]:
        """The files called `source`, or with that as their last directories."""
        wanted = os.path.normpath(source)
        return [
            name for name in self.costs if ("/" + os.path.normpath(name)).endswith("/" + wanted)
        ]

    def names_of(self, nodes: list[Node]) -> list[str]:
        """The files that functions have costs in: the program's own, then the system's; most expensive
        first."""
        table = self.part.lines.add_up(COST, BY_FILE, self.graph.functions_of(nodes))
        names = {self.part.names[file] for file in table.column(BY_FILE)} - {UNKNOWN}
        return sorted(
            names,
            key=lambda name: (is_system(name), self.columns.sort_key(self.costs[name]), name),
        )

    # ---- One file ---------------------------------------------------------

    def read(self, names: Iterable[str]) -> None:
        """Find what the lines of files cost; that is needed to annotate them."""
        self._lines = {name: {} for name in names}
        files = [
            number if name in self._lines else NONE for number, name in enumerate(self.part.names)
        ]
        table = self.part.lines.add_up(COST, BY_FILE | BY_LINE, file_as=files)
        for file, number, cost in zip(*map(table.column, (BY_FILE, BY_LINE)), table.costs()):
            name = self.part.names[file]
            rounds = self.columns.rounds.of_line(name, number)
            self._lines[name][number] = _Line(list(cost), rounds=rounds)
        sites = self.graph.sites((BY_FILE, BY_LINE), file_as=files)
        for ((_, (file, number)), callee), arc in sites.items():
            lines = self._lines[self.part.names[file]]
            line = lines.setdefault(number, _Line(self.columns.zero()))
            line.calls.setdefault(callee, Arc(0, self.columns.zero())).add(arc)

    def annotate(self, name: str, path: str) -> Iterator[str]:
        """The lines of a file that cost something, and those around them."""
        if changed := changed_source(path, self.part):
            yield f"-- Warning: {changed}"
        texts = source_lines(path)
        lines = self._lines[name]
        table = Table(self.columns, "", full_names=self.full_names)
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
        if not line:
            table.add(self.columns.zero(), text)
        else:
            table.add(line.self_cost, text, line.rounds)
            for key, arc in by_cost(line.calls, self.columns):
                table.add_calls(key, arc)
