"""Which rows of tables are on the page: those that have a share of some event's total.

    shares = Shares(totals, 0.000001)
    shares.of("lines", table)      the table with the rows that are on the page
    shares.left                    by table: how many are not, and what they cost
                                   where costs add up, as those of calls do not

A table of no more rows than could all have the share is whole; of any other, at
most 1 / share rows are kept for each event.  So a page is bounded, and what is left
out of a table is said with it.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any

from cg2tools.report.jsontables import Table

_COSTS = {
    "arcs": "inclusive",
    "lines": "self",
    "sites": "inclusive",
    "instructions": "self",
    "calls": "inclusive",
}
"""The tables that grow with the profile, and which columns say what a row costs."""


class Shares:
    """Tables by a share, from 0 to 1, of the events' totals."""

    def __init__(self, totals: Sequence[int], share: float) -> None:
        self.totals = totals
        self.share = share
        self.left: dict[str, Table] = {}
        self._instructions: set[tuple[int, int]] = set()  # functions and addresses

    def of(self, name: str, table: Table) -> Table:
        """A table with the rows that are on the page."""
        if name == "jumps" and "instructions" in self.left:
            return self._jumps(table)
        if name not in _COSTS:
            return table
        costs = table[_COSTS[name]]
        is_kept = self._is_kept(costs)
        if all(is_kept):
            return table
        kept = {member: _among(is_kept, columns) for member, columns in table.items()}
        rest = [sum(column) - sum(compress(column, is_kept)) for column in costs]
        self.leave(name, len(is_kept) - sum(is_kept), rest if _COSTS[name] == "self" else [])
        if name == "instructions":
            self._instructions.update(zip(kept["function"], kept["address"]))
        return kept

    def leave(self, name: str, rows: int, cost: Sequence[int] = ()) -> None:
        """Note that rows of a table are not on the page."""
        if rows:
            self.left[name] = {"rows": rows, "cost": list(cost)}

    def _is_kept(self, costs: Sequence[Sequence[int]]) -> Sequence[int]:
        """A 1 for each row that is kept, a 0 for each other."""
        count = len(costs[0]) if costs else 0
        if count * self.share <= 1:
            return bytes([1]) * count
        is_kept = bytearray(count)
        for column, total in zip(costs, self.totals, strict=True):
            least = max(1, math.ceil(self.share * total))
            for row in compress(range(count), map(least.__le__, column)):
                is_kept[row] = 1
        return is_kept

    def _jumps(self, table: Table) -> Table:
        """The jumps at instructions that are on the page."""
        places = zip(table["function"], table["address"])
        is_kept = bytes(place in self._instructions for place in places)
        self.leave("jumps", len(is_kept) - sum(is_kept))
        return {name: _among(is_kept, column) for name, column in table.items()}


def _among(is_kept: Iterable[int], column: Sequence[Any]) -> list[Any]:
    """The kept rows of a column, or of each of a list of columns."""
    if isinstance(column, list) and column and not isinstance(column[0], int):
        return [list(compress(inner, is_kept)) for inner in column]
    return list(compress(column, is_kept))


def costs_by_file(lines: Table) -> Table:
    """How many lines each file has, and what they cost."""
    files = list(dict.fromkeys(lines["file"]))
    counts = dict.fromkeys(files, 0)
    for file in lines["file"]:
        counts[file] += 1
    return {
        "file": files,
        "lines": list(counts.values()),
        "self": [_sums(files, lines["file"], column) for column in lines["self"]],
    }


def _sums(files: Sequence[int], file_of: Sequence[int], column: Sequence[int]) -> list[int]:
    sums = dict.fromkeys(files, 0)
    for file, cost in zip(file_of, column):
        if cost:
            sums[file] += cost
    return list(sums.values())
