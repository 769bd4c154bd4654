"""The texts on the page of cg2_report: lines of sources, and machine code."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.libcg2profile import BY_FUNCTION, BY_INSTR, COST
from cg2tools.profile.model import FunctionKey, Part, UNKNOWN
from cg2tools.program.disassembly import Instructions, disassembled, ranges
from cg2tools.program.sources import near, source_lines, source_path

_UNUSED = 64
"""The most bytes that a piece of code that was not run may have to be kept."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: how many lines it has, and some of them.

    A run is the number of its first line, and the lines.
    """

    path: str
    count: int
    runs: list[tuple[int, list[str]]]


class Texts:
    """Sources of a part: some lines, and those around them.

    `warnings` tell of files that are newer than the profile.
    """

    def __init__(self, part: Part, include: list[str], context: int) -> None:
        self.part = part
        self.include = include
        self.context = context
        self.warnings: list[str] = []

    def sources(self, numbers: Mapping[str, set[int]]) -> dict[str, Source]:
        """The files with these lines that can be read, all by their names in the profile."""
        found = {}
        for name, lines in numbers.items():
            path = None if name == UNKNOWN else source_path(name, self.include)
            if path:
                found[name] = self._source(path, lines)
        return found

    def _source(self, path: str, numbers: set[int]) -> Source:
        self.warnings.extend(too_new(path, self.part, "lines"))
        texts = source_lines(path)
        runs: list[tuple[int, list[str]]] = []
        last = 0
        for number in near(numbers, self.context, len(texts)):
            if number != last + 1 or not runs:
                runs.append((number, []))
            runs[-1][1].append(texts[number - 1])
            last = number
        return Source(path, len(texts), runs)


class Code:
    """The machine code of the functions that cost most themselves.

    They are taken until they make up `threshold` percent of some event.
    """

    def __init__(self, part: Part, graph: CallGraph, threshold: float) -> None:
        self.part = part
        self.graph = graph
        self.threshold = threshold
        self.warnings: list[str] = []

    def objects(self) -> dict[str, Instructions]:
        """The instructions by object."""
        found: dict[str, Instructions] = {}
        for name, pieces in sorted(self._pieces().items()):
            if os.path.isfile(name):
                self.warnings.extend(too_new(name, self.part, "instructions"))
                try:
                    found[name] = disassembled(name, pieces)
                except OSError as error:
                    self.warnings.append(
                        f"no machine code: {error.filename}: {error.strerror}; "
                        "expected objdump (Debian: apt-get install binutils)"
                    )
                    break
        return found

    def _pieces(self) -> dict[str, list[tuple[int, int]]]:
        """The pieces that ran, by object: first and last instruction."""
        costly: set[FunctionKey] = set()
        for event in range(len(self.part.events)):
            costly.update(self._costly(event))
        nodes = [self.graph.nodes[key] for key in costly if key.object != UNKNOWN]
        table = self.part.lines.add_up(COST, BY_FUNCTION | BY_INSTR, self.graph.functions_of(nodes))
        keys = list(self.graph.nodes)
        pieces: dict[str, list[tuple[int, int]]] = {}
        rows = zip(table.column(BY_FUNCTION), table.column(BY_INSTR))
        for node, addresses in groupby(rows, key=itemgetter(0)):
            pieces.setdefault(keys[node].object, []).extend(
                (run[0], run[-1]) for run in ranges([address for _, address in addresses], _UNUSED)
            )
        return pieces

    def _costly(self, event: int) -> Iterator[FunctionKey]:
        nodes = sorted(
            self.graph.nodes.values(), reverse=True, key=lambda node: node.self_cost[event]
        )
        wanted = self.threshold * sum(node.self_cost[event] for node in nodes)
        taken = 0
        for node in nodes:
            if not node.self_cost[event] or 100 * taken >= wanted:
                return
            yield node.key
            taken += node.self_cost[event]


def too_new(path: str, part: Part, what: str) -> Iterator[str]:
    """A warning if a file was changed after it was profiled."""
    if os.path.getmtime(path) > os.path.getmtime(part.path):
        yield (f"{path} is newer than the profile; costs may stand beside the " f"wrong {what}")
