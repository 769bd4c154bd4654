"""Machine code with the cost of each instruction beside it."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cg2tools.annotate.arrows import arrows
from cg2tools.annotate.table import Table, by_cost
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, FunctionKey, Jump, Part, add_cost
from cg2tools.profile.positions import Position
from cg2tools.program.disassembly import Instructions, disassembled, ranges

_JUMP = re.compile(r"(?:\S+ )?(?:j|loop|b\.?)[a-z]*\s+(?:\S+, )*([0-9a-f]+)(?: <|\Z)")


@dataclass(slots=True)
class _Instruction:
    """What was spent at an address, the calls and jumps from there."""

    self_cost: Cost
    position: Position
    calls: dict[FunctionKey, Arc] = field(default_factory=dict)
    jumps: list[Jump] = field(default_factory=list)


class Assembly:
    """The machine code of a part's functions.

    An object's is disassembled when the first of its `nodes` is annotated.
    """

    def __init__(
        self, part: Part, graph: CallGraph, columns: Columns, context: int, nodes: Iterable[Node]
    ) -> None:
        self.part = part
        self.graph = graph
        self.columns = columns
        self.context = context
        self.levels: dict[FunctionKey, list[FunctionKey]] = {}
        for key in part.functions:
            self.levels.setdefault(graph.node_of(key).key, []).append(key)
        self.nodes: dict[str, list[Node]] = {}
        for node in nodes:
            self.nodes.setdefault(node.key.object, []).append(node)
        self.code: dict[str, Instructions] = {}

    def annotate(self, node: Node) -> Iterator[str]:
        """The instructions of a function that cost something, and those
        around them.  Raises OSError if objdump cannot be run."""
        path = node.key.object
        if not os.path.isfile(path):
            yield f"-- no object file {path}, which has the machine code"
            return
        if os.path.getmtime(path) > os.path.getmtime(self.part.path):
            yield (
                f"-- Warning: {path} is newer than the profile; "
                "costs may stand beside the wrong instructions"
            )
        instructions = self._instructions(node)
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
                    for run in ranges(sorted(self._addresses(node)))
                ],
            )
        code = self.code[path].between(addresses[0], addresses[-1])
        if {address for address, _ in code}.issuperset(addresses):
            return code
        # bytes in front of the code, maybe data, have put objdump out of step
        return disassembled(path, [(addresses[0], addresses[-1])]).between(
            addresses[0], addresses[-1]
        )

    def _addresses(self, node: Node) -> set[int]:
        """Where a function costs something, or calls or jumps."""
        functions = [self.part.functions[key] for key in self.levels[node.key]]
        return {
            address
            for function in functions
            for addresses in (
                *(run.instrs for run in function.cost_lines()),
                (call.source.instr for call in function.calls),
                (jump.source.instr for jump in function.jumps),
            )
            for address in addresses
        }

    def _instructions(self, node: Node) -> dict[int, _Instruction]:
        found: dict[int, _Instruction] = {}

        def at(position: Position) -> _Instruction:
            known = found.get(position.instr)
            if known is None:
                known = found[position.instr] = _Instruction(self.columns.zero(), position)
            return known

        levels = [self.part.functions[key] for key in self.levels[node.key]]
        for function in levels:
            for position, cost in function.costs.items():
                add_cost(at(position).self_cost, cost)
            for jump in function.jumps:
                at(jump.source).jumps.append(jump)
        calls = [call for function in levels for call in function.calls]
        for call in calls:
            at(call.source)
        for (address, callee), arc in self.graph.arcs_by(
            lambda call: call.source.instr, calls
        ).items():
            found[address].calls[callee] = arc
        return found

    def _range(
        self, path: str, addresses: list[int], instructions: dict[int, _Instruction]
    ) -> Iterator[str]:
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
        table = Table(self.columns, "")
        place: tuple[str, int] | None = None
        for before, i in zip([-1, *shown], shown):
            if i != before + 1:
                table.add_text("-- " + "-" * 40)
            address, text = code[i]
            known = instructions.get(address)
            if known and (known.position.file, known.position.line) != place:
                place = known.position.file, known.position.line
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
            table.add(self.columns.zero(), text)
            return
        if known.jumps:
            taken = sum(jump.taken for jump in known.jumps)
            text += f"  (jumps {taken:,}"
            if known.jumps[0].conditional:
                executed = sum(jump.executed for jump in known.jumps)
                text += f" of {executed:,}"
            text += ")"
        table.add(known.self_cost, text)
        for key, arc in by_cost(known.calls, self.columns):
            table.add(arc.inclusive, f"=> {key.file}:{key.name} ({arc.count:,}x)")


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
