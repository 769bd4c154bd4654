"""Machine code with the cost of each instruction beside it."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cg2tools.annotate.arrows import arrows
from cg2tools.annotate.table import Table, by_cost
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns
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
from cg2tools.profile.model import Cost, FunctionKey, Part, add_cost
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

    self_cost: Cost
    file: str
    line: int
    calls: dict[FunctionKey, Arc] = field(default_factory=dict)
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
        asked = graph.functions_of(nodes)
        self._add_costs(asked)
        self._add_jumps(asked)
        self._add_calls(asked)
        self.code: dict[str, Instructions] = {}
        self._nothing = columns.zero()

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
            self.code[path] = disassembled(
                path,
                [
                    (run[0], run[-1])
                    for node in self.nodes[path]
                    for run in ranges(sorted(self.instructions[node.key]))
                ],
            )
        code = self.code[path].between(addresses[0], addresses[-1])
        if {address for address, _ in code}.issuperset(addresses):
            return code
        # bytes in front of the code, maybe data, have put objdump out of step
        return disassembled(path, [(addresses[0], addresses[-1])]).between(
            addresses[0], addresses[-1]
        )

    # ---- What the profile says --------------------------------------------

    def _rows(
        self, kind: int, asked: Sequence[int]
    ) -> Iterator[tuple[int, _Instruction, LineTable]]:
        """Lines of a kind in the order of the file: each row, its instruction, the table."""
        table = self.part.lines.add_up(
            kind, BY_FUNCTION | BY_FILE | BY_LINE | BY_INSTR | BY_CONDITION, asked, each=True
        )
        keys, names = list(self.graph.nodes), self.part.names
        columns = map(table.column, (BY_FUNCTION, BY_INSTR, BY_FILE, BY_LINE))
        for row, (node, address, file, line) in enumerate(zip(*columns)):
            instructions = self.instructions[keys[node]]
            known = instructions.get(address)
            if known is None:
                known = _Instruction(self.columns.zero(), names[file], line)
                instructions[address] = known
            yield row, known, table

    def _add_costs(self, asked: Sequence[int]) -> None:
        for row, known, table in self._rows(COST, asked):
            add_cost(known.self_cost, table.cost(row))

    def _add_jumps(self, asked: Sequence[int]) -> None:
        for row, known, table in self._rows(JUMP, asked):
            if known.jumps is None:
                known.jumps = _Jumps(bool(table.column(BY_CONDITION)[row]))
            known.jumps.taken += table.counts[row]
            known.jumps.executed += table.executed[row]

    def _add_calls(self, asked: Sequence[int]) -> None:
        for _ in self._rows(CALL, asked):
            pass  # each address is known from here on
        keys = list(self.graph.nodes)
        for ((node, (address,)), callee), arc in self.graph.sites((BY_INSTR,), asked).items():
            self.instructions[keys[node]][address].calls[callee] = arc

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
        gutters = dict(zip(shown, _gutters(code, shown)))
        table = Table(self.columns, "", full_names=self.full_names)
        place: tuple[str, int] | None = None
        for before, i in zip([-1, *shown], shown):
            if i != before + 1:
                table.add_text("-- " + "-" * 40)
            address, text = code[i]
            known = instructions.get(address)
            if known and (known.file, known.line) != place:
                place = known.file, known.line
                if place[1]:
                    table.add_text(f"{place[0]}:{place[1]}")
            self._add_row(table, known, f"{gutters[i]} {address:x}: {text}")
        for address in addresses:
            if address not in index_of:
                self._add_row(
                    table, instructions[address], f"<{address:x}, where objdump has none>"
                )
        yield from table.lines()

    def _add_row(self, table: Table, known: _Instruction | None, text: str) -> None:
        if known is None:
            table.add(self._nothing, text)
            return
        if known.jumps:
            text += f"  (jumps {known.jumps.taken:,}"
            if known.jumps.conditional:
                text += f" of {known.jumps.executed:,}"
            text += ")"
        table.add(known.self_cost, text)
        if known.calls:
            for key, arc in by_cost(known.calls, self.columns):
                table.add_calls(key, arc)


def _shown(lines: Sequence[int], context: int, count: int) -> list[int]:
    """The lines, and `context` around each."""
    shown: set[int] = set()
    for line in lines:
        shown.update(range(max(0, line - context), min(count, line + context + 1)))
    return sorted(shown)


def _gutters(code: list[tuple[int, str]], shown: list[int]) -> list[str]:
    """The arrows of the jumps between the lines shown."""
    row_of = {code[index][0]: row for row, index in enumerate(shown)}
    jumps = []
    for row, index in enumerate(shown):
        match = _JUMP.match(code[index][1])
        if match and int(match[1], 16) in row_of:
            jumps.append((row, row_of[int(match[1], 16)]))
    return arrows(jumps, len(shown))
