"""Machine code with the cost of each instruction beside it."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from cg2tools.annotate.arrows import arrows
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
from cg2tools.program.disassembly import Instructions, disassembled, ranges
from cg2tools.program.ran import changed_object, warn

_JUMP = re.compile(r"(?:\S+ )?(?!bl )(?:j|loop|[ct]?b\.?)[a-z]*\s+(?:\S+, )*([0-9a-f]+)(?: <|\Z)")
"""A jump to an address: that of x86, or B, B.cond, CBZ and TBZ of A64."""


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
        self.code: dict[str, Instructions] = {}
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

    def _code(self, path: str, addresses: list[int]) -> list[tuple[int, str]]:
        """The code from the first of these addresses to the last."""
        if path not in self.code:
            pieces = [
                (run[0], run[-1])
                for node in self.nodes[path]
                for run in ranges(sorted(self.instructions[node.key]))
            ]
            with Busy("cg2_annotate", f"reading the machine code of {path}"):
                self.code[path] = disassembled(path, pieces)
        code = self.code[path].between(addresses[0], addresses[-1])
        if {address for address, _ in code}.issuperset(addresses):
            return code
        # bytes in front of the code, maybe data, have put objdump out of step
        return disassembled(path, [(addresses[0], addresses[-1])]).between(
            addresses[0], addresses[-1]
        )

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
        code = self._code(path, addresses)
        index_of = {address: i for i, (address, _) in enumerate(code)}
        last = index_of.get(addresses[-1], len(code) - 1)
        shown = [
            i
            for i in _shown(
                [index_of[a] for a in addresses if a in index_of], self.context, len(code)
            )
            if i <= last
        ]
        gutters = _gutters(code, shown)
        table = Table(self.columns, "", full_names=self.full_names)
        place: tuple[str, int] | None = None
        for before, i, gutter in zip([-1, *shown], shown, gutters):
            if i != before + 1:
                table.add_text("-- " + "-" * 40)
            address, text = code[i]
            known = instructions.get(address)
            if known and (known.file, known.line) != place:
                place = known.file, known.line
                if place[1]:
                    table.add_text(f"{place[0]}:{place[1]}")
            self._add_row(table, known, f"{gutter} {address:x}: {text}")
        for address in addresses:
            if address not in index_of:
                self._add_row(
                    table, instructions[address], f"<{address:x}, where objdump has none>"
                )
        yield from table.lines()

    def _values(self, cost: tuple[int, ...]) -> tuple[Values, str]:
        """What is shown of a cost, and what is said behind it."""
        return self.columns.values(cost), self.columns.said_of(cost)

    def _add_row(self, table: Table, known: _Instruction | None, text: str) -> None:
        if known is None:
            table.add_values(self._values_of(self._nothing)[0], text)
            return
        if known.jumps:
            text += f"  (jumps {known.jumps.taken:,}"
            if known.jumps.conditional:
                text += f" of {known.jumps.executed:,}"
            text += ")"
        values, said = self._values_of(known.self_cost)
        table.add_values(values, text + said)
        if known.calls:
            for key, arc in by_cost(known.calls, self.columns):
                table.add_calls(key, arc)


def _shown(lines: Sequence[int], context: int, count: int) -> list[int]:
    """The lines, and `context` around each."""
    shown: list[int] = []
    end = 0  # behind what is shown
    for line in lines:
        first, end = max(end, line - context), min(count, line + context + 1)
        shown += range(first, end)
    return shown


def _gutters(code: list[tuple[int, str]], shown: list[int]) -> list[str]:
    """The arrows of the jumps between the lines shown."""
    row_of = {code[index][0]: row for row, index in enumerate(shown)}
    jumps = []
    for row, index in enumerate(shown):
        target = _target(code[index][1])
        if target in row_of:
            jumps.append((row, row_of[target]))
    return arrows(jumps, len(shown))


@cache  # most texts are there several times
def _target(text: str) -> int | None:
    """Where an instruction jumps to; None: it is no jump to an address."""
    match = _JUMP.match(text)
    return int(match[1], 16) if match else None
