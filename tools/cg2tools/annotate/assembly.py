"""Machine code with the cost of each instruction beside it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from cg2tools.annotate.table import Table, by_cost
from cg2tools.commandline.console import Busy
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns, Values
from cg2tools.profile.libcg2profile import (
    BY_CONDITION,
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    CALL,
    COST,
    JUMP,
    Table as LineTable,
)
from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.rounds import is_repeated
from cg2tools.program.code import Code
from cg2tools.program.disassembly import code_of, ranges
from cg2tools.program.ran import changed_object, warn

_LEFT_OUT = "-- " + "-" * 40
"""Stands for instructions that are not shown."""


@dataclass(slots=True)
class _Jumps:
    """The jumps from an address together."""

    conditional: bool  # the first one
    taken: int = 0
    executed: int = 0


@dataclass(slots=True)
class _Instruction:
    """What was spent at an address of a source line, the calls and jumps from there."""

    self_cost: tuple[int, ...]
    file: str
    line: int
    calls: dict[FunctionKey, Arc] | None = None
    jumps: _Jumps | None = None


_Instructions = dict[int, _Instruction]  # by address


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
        self.graph = graph
        self.columns = columns
        self.context = context
        self.full_names = full_names
        self.nodes: dict[str, list[Node]] = {}
        for node in nodes:
            self.nodes.setdefault(node.key.object, []).append(node)
        self.instructions: dict[FunctionKey, _Instructions] = {node.key: {} for node in nodes}
        self._of_node = [self.instructions.get(key) for key in graph.columns.keys]
        self._nothing = tuple(columns.zero())
        asked = graph.functions_of(nodes)
        self._add_costs(asked)
        self._add_jumps(asked)
        self._add_calls(asked)
        self.code: dict[str, Code] = {}
        self._values_of = cache(self._values)  # most costs are there several times

    def annotate(self, node: Node) -> Iterator[str]:
        """The instructions of a function that cost something, and those
        around them.  Raises OSError if objdump cannot be run."""
        path = node.key.object
        if not os.path.isfile(path):
            yield f"-- no object file {path}, which has the machine code"
            return
        warn(self.part, changed_object(path, self.part))
        instructions = self.instructions[node.key]
        for addresses in ranges(sorted(instructions)):
            yield from self._range(path, addresses, instructions)

    def _listed(self, path: str, addresses: list[int]) -> tuple[list[str], list[int | None]]:
        """The code from the first of these addresses to the last, as Code.listed() gives it."""
        if path not in self.code:
            pieces = [
                (run[0], run[-1])
                for node in self.nodes[path]
                for run in ranges(sorted(self.instructions[node.key]))
            ]
            with Busy("cg2_annotate", f"reading the machine code of {path}"):
                self.code[path] = code_of(path, pieces)
        lines, places = self.code[path].listed(addresses, self.context)
        if None in places:
            # bytes in front of the code, maybe data, have put objdump out of step
            code = code_of(path, [(addresses[0], addresses[-1])])
            lines, places = code.listed(addresses, self.context)
        return lines, places

    # ---- What the profile says --------------------------------------------

    def _add_up(self, kind: int, asked: Sequence[int]) -> LineTable:
        """Lines of a kind by instruction, with what the first one of each says of the source and the jump."""
        of_first = BY_FILE | BY_LINE | BY_CONDITION
        return self.part.lines.add_up(kind, BY_FUNCTION | BY_INSTR, asked, of_first=of_first)

    def _of_rows(self, table: LineTable) -> Iterator[_Instruction]:
        """The instruction of each row, which is known from there on."""
        nodes, names, nothing = self._of_node, self.part.names, self._nothing
        columns = map(table.column, (BY_FUNCTION, BY_INSTR, BY_FILE, BY_LINE))
        for node, address, file, line in zip(*columns):
            instructions = nodes[node]
            assert instructions is not None, "a function that was not asked for"
            known = instructions.get(address)
            if known is None:
                known = instructions[address] = _Instruction(nothing, names[file], line)
            yield known

    def _add_costs(self, asked: Sequence[int]) -> None:
        table = self._add_up(COST, asked)
        for known, cost in zip(self._of_rows(table), table.costs()):
            known.self_cost = cost

    def _add_jumps(self, asked: Sequence[int]) -> None:
        table = self._add_up(JUMP, asked)
        counts = table.column(BY_CONDITION), table.counts, table.executed
        for known, is_conditional, taken, executed in zip(self._of_rows(table), *counts):
            known.jumps = _Jumps(bool(is_conditional), taken, executed)

    def _add_calls(self, asked: Sequence[int]) -> None:
        for known in self._of_rows(self._add_up(CALL, asked)):
            known.calls = {}
        for ((node, (address,)), callee), arc in self.graph.sites((BY_INSTR,), asked).items():
            instructions = self._of_node[node] or {}
            calls = instructions[address].calls
            assert calls is not None, "a call from where there is no line of calls"
            calls[callee] = arc

    # ---- As text ----------------------------------------------------------

    def _range(self, path: str, addresses: list[int], instructions: _Instructions) -> Iterator[str]:
        lines, places = self._listed(path, addresses)
        table = Table(self.columns, "", full_names=self.full_names)
        source: tuple[str, int] | None = None
        shown = 0
        values_of, add = self._values_of, table.rows.append
        for known, place in zip(map(instructions.__getitem__, addresses), places):
            if place is None:
                continue
            if shown < place:
                self._add_others(table, lines[shown:place])
            shown = place + 1
            if (known.file, known.line) != source:
                source = known.file, known.line
                if known.line:
                    table.add_text(f"{known.file}:{known.line}")
            if known.jumps or known.calls:
                self._add_row(table, known, lines[place])
            else:  # as most are: what _add_row does, in less time
                values, said = values_of(known.self_cost)
                add((values, lines[place] + said))
        self._add_others(table, lines[shown:])
        for address, place in zip(addresses, places):
            if place is None:
                self._add_row(
                    table, instructions[address], f"<{address:x}, where objdump has none>"
                )
        yield from table.lines()

    def _add_others(self, table: Table, lines: Sequence[str]) -> None:
        """Add lines of instructions that cost nothing."""
        nothing = self._values_of(self._nothing)[0]
        table.rows += [(nothing, line) if line else (None, _LEFT_OUT) for line in lines]

    def _values(self, cost: tuple[int, ...], repeats: bool = False) -> tuple[Values, str]:
        """What is shown of the cost of an instruction, and what is said behind it."""
        rounds = self.columns.counted(cost) if repeats else 0
        return self.columns.values(cost), self.columns.said_of(cost, rounds)

    def _add_row(self, table: Table, known: _Instruction, text: str) -> None:
        values, said = self._values_of(known.self_cost, is_repeated(text))
        if known.jumps:
            text += f"  (jumps {known.jumps.taken:,}"
            if known.jumps.conditional:
                text += f" of {known.jumps.executed:,}"
            text += ")"
        table.add_values(values, text + said)
        if known.calls:
            for key, arc in by_cost(known.calls, self.columns):
                table.add_calls(key, arc)
