"""How evenly work is spread over profiles: processes, ranks of MPI, threads.

What all wait for is the one that has most to do.  So the measure is how far the
maximum is above the mean: of the files, and of each function over all files.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cg2tools.profile.columns import Columns
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import LibraryPart, LibraryProfile
from cg2tools.profile.model import Cost, FunctionKey, Part, add_cost
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.terms import Header


@dataclass(slots=True)
class _Spread:
    """What a function costs in all files, where it costs most, and there."""

    total: int
    most: int
    where: str


class Imbalance:
    """Files are added one by one; an empty event is the first recorded one."""

    def __init__(self, event: str, full_names: bool = False) -> None:
        self.event = event
        self.full_names = full_names
        self.totals: list[tuple[str, int]] = []
        self.partial: dict[str, None] = {}
        """What is to be said of files of which a part is missing."""
        self.spreads: dict[FunctionKey, _Spread] = {}

    def add(self, profile: LibraryProfile) -> None:
        """ProfileError if there is no such event."""
        first = Part(profile.path)
        profile.parts[0].read_header(first)
        self.event = self.event or first.events[0]
        columns = Columns(first, [self.event], [self.event])
        costs: dict[FunctionKey, Cost] = {}
        for part in profile.parts:
            self._add_partial(part)
            graph = Graph(part)
            for node, key in enumerate(graph.keys):
                own = graph.self_costs[node * part.width : (node + 1) * part.width]
                add_cost(costs.setdefault(key, [0] * part.width), own)
        total = 0
        for key, cost in costs.items():
            value = columns.value(self.event, cost)
            total += value
            self._add(key, value, profile.path)
        self.totals.append((profile.path, total))

    def _add_partial(self, part: LibraryPart) -> None:
        header = Header(part.profile.path)
        part.read_header(header)
        if header.partial:
            self.partial[header.partial] = None

    def _add(self, key: FunctionKey, value: int, path: str) -> None:
        spread = self.spreads.get(key)
        if spread is None:
            if value:
                self.spreads[key] = _Spread(value, value, path)
            return
        spread.total += value
        if value > spread.most:
            spread.most, spread.where = value, path

    def lines(self, rows: int) -> Iterator[str]:
        """The files in their order, then `rows` functions; 0 is all."""
        mean = sum(total for _, total in self.totals) / len(self.totals)
        for said in self.partial:
            yield f"Partial: {said}"
        if self.partial:
            yield ""
        yield from _table(
            [self.event, "of mean", "file"],
            [[f"{total:,}", _percent(total, mean), path] for path, total in self.totals],
        )
        most, where = max((total, path) for path, total in self.totals)
        yield ""
        yield (
            f"The mean is {mean:,.0f}; the most, {most:,}, is in {where}: "
            f"{_percent(most - mean, mean)} above it."
        )
        yield ""
        yield from _table(
            ["above mean", "mean", "most", "in", "function"], list(self._functions(rows))
        )

    def _functions(self, rows: int) -> Iterator[list[str]]:
        files = len(self.totals)
        found = sorted(
            self.spreads.items(), key=lambda item: (item[1].total - files * item[1].most, item[0])
        )
        shown = found[:rows] if rows else found
        names = Spoken((key for key, _ in shown), self.full_names)
        for key, spread in shown:
            mean = spread.total / files
            yield [
                f"{spread.most - mean:,.0f}",
                f"{mean:,.0f}",
                f"{spread.most:,}",
                spread.where,
                names.label_of(key),
            ]


def _percent(value: float, mean: float) -> str:
    return f"{100 * value / mean:.2f}%" if mean else "-"


def _table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    """Columns of numbers; the last one is a name."""
    widths = [max(map(len, column)) for column in zip(head, *rows)][:-1]
    for *cells, name in [head, *rows]:
        yield "  ".join([*(cell.rjust(width) for cell, width in zip(cells, widths)), name])
