"""Machine code with the cost of each instruction beside it."""

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from cg2tools.annotate.instructioncosts import InstructionCosts, Instructions
from cg2tools.annotate.table import (
    PERCENT_WIDTH,
    cell,
    heading,
    painted_cell,
    widths_of,
    words,
)
from cg2tools.commandline.console import Busy
from cg2tools.profile.callgraph import CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.spoken import Groups
from cg2tools.program.annotation import Annotated, Annotation, Cells, Written
from cg2tools.program.code import Code
from cg2tools.program.disassembly import code_of, runs
from cg2tools.program.ran import changed_object, warn

_Runs = tuple[Instructions, list[tuple[int, int]]]
"""A function's instructions, and where each run of them begins and ends."""


class Assembly:
    """The machine code of some functions of a part, which are `nodes`.

    An object's is disassembled when the first of them is annotated.
    """

    def __init__(
        self,
        part: Part,
        graph: CallGraph,
        columns: Columns,
        context: int,
        nodes: Sequence[Node],
        full_names: bool = False,
    ) -> None:
        self.part = part
        self.columns = columns
        self.context = context
        self.nodes: dict[str, list[Node]] = {}
        for node in nodes:
            self.nodes.setdefault(node.key.object, []).append(node)
        self.code: dict[str, Code] = {}
        self._objects: set[str] = set()  # that are there
        self._kept: dict[FunctionKey, _Runs] = {}  # of functions that are not annotated yet
        self._costs = InstructionCosts(part, graph, columns, nodes)
        self._functions = graph.columns.keys
        self._names = Groups(full_names)
        self._totals = columns.values(columns.total)

    def annotate(self, node: Node) -> Iterator[str]:
        """The instructions of a function that cost something, and those around them: texts of one line or
        many.  Raises OSError if objdump cannot be run."""
        path = node.key.object
        if not self._is_there(path):
            yield f"-- no object file {path}, which has the machine code"
            return
        code = self._code_of(path)
        instructions, runs_of_it = self._kept.pop(node.key)
        for first, end in runs_of_it:
            yield from self._run(path, code, self._annotated(instructions, first, end))

    def _is_there(self, path: str) -> bool:
        """Whether an object's file is there; once it is said if it is not what ran."""
        if path not in self._objects and os.path.isfile(path):
            self._objects.add(path)
            warn(self.part, changed_object(path, self.part))
        return path in self._objects

    def _code_of(self, path: str) -> Code:
        """The code of an object's functions."""
        if path not in self.code:
            pieces = list(self._pieces(path))
            with Busy("cg2_annotate", f"reading the machine code of {path}"):
                self.code[path] = code_of(path, pieces)
        return self.code[path]

    def _pieces(self, path: str) -> Iterator[tuple[int, int]]:
        """The first and the last address of each run of an object's functions, which are kept."""
        for node in self.nodes[path]:
            instructions = self._costs.of(node.key)
            addresses = instructions.addresses
            found = runs(addresses)
            self._kept[node.key] = instructions, found
            yield from ((addresses[first], addresses[end - 1]) for first, end in found)

    # ---- What is written --------------------------------------------------

    def _annotated(self, instructions: Instructions, first: int, end: int) -> Annotated:
        """Some of a function's instructions, with what they call in words."""
        addresses, files, lines, costs = (column[first:end] for column in instructions[:4])
        sites = instructions.calls[0]
        start, stop = bisect_left(sites, addresses[0]), bisect_right(sites, addresses[-1])
        sites, call_costs, callees, counts = (column[start:stop] for column in instructions.calls)
        said = self._said([self._functions[callee] for callee in callees], counts)
        calls = sites, call_costs
        return Annotated(addresses, files, lines, costs, instructions.jumps, calls, said)

    def _said(self, called: Sequence[FunctionKey], counts: Sequence[int]) -> list[str]:
        """What is said of calls of functions."""
        is_estimated = self.part.is_estimated
        return [
            f"=> {key.file}:{name} ({'~' if is_estimated(key.name) else ''}{count:,}x)"
            for key, name, count in zip(called, self._names.names_of(called), counts)
        ]

    def _run(self, path: str, code: Code, annotated: Annotated) -> Iterator[str]:
        """The lines of instructions that are near each other."""
        written = self._written(code, annotated)
        if written.unlisted:
            # bytes in front of the code, maybe data, have put objdump out of step
            code = code_of(path, [(annotated.addresses[0], annotated.addresses[-1])])
            written = self._written(code, annotated)
        yield from heading(self.columns, widths_of(self.columns, written.digits), "")
        if self.columns.colour:
            yield from self._painted(written)
        else:
            yield written.text  # line by line would take twice as long

    def _written(self, code: Code, annotated: Annotated) -> Written:
        return self._annotation.written(self.part.lines.profile, code, annotated, self.context)

    # ---- Cells ------------------------------------------------------------

    @cached_property
    def _annotation(self) -> Annotation:
        columns = self.columns
        texts: list[str] = []
        remarks: list[str] = []
        for cost in self._costs.costs:
            for value, total in zip(columns.values(cost), self._totals):
                texts += words(value, total, columns.percents)
            remarks += columns.said_of(cost), columns.said_of(cost, columns.counted(cost))
        behind = PERCENT_WIDTH if columns.percents else 0
        return Annotation(Cells(texts, remarks, list(map(len, columns.shown)), behind))

    def _painted(self, written: Written) -> Iterator[str]:
        """The lines with cells in colours."""
        widths = widths_of(self.columns, written.digits)
        for line, cost in zip(written.text.split("\n"), written.costs):
            values = self._coloured.get(cost)
            if values is None:
                yield line
                continue
            cells = [
                cell(value, total, digits, self.columns.percents).ljust(width)
                for value, total, digits, width in zip(values, self._totals, written.digits, widths)
            ]
            coloured = map(self._paint, cells, values, self._totals)
            yield "  ".join(coloured) + line[len("  ".join(cells)) :]

    def _paint(self, text: str, value: int, total: int) -> str:
        return painted_cell(self.columns, text, value, total)

    @cached_property
    def _coloured(self) -> dict[int, tuple[int, ...]]:
        """The values of the costs, by number, of which a cell has a colour."""
        found = enumerate(map(self.columns.values, self._costs.costs))
        return {
            number: values
            for number, values in found
            if any(map(self._paint, [""] * len(values), values, self._totals))
        }
