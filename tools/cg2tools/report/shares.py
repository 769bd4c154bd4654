"""Which rows of tables are on the page: those that have a share of some event's total.

    shares = Shares(totals, 0.000001)
    part.add_up(..., limit=shares.limit())      a table with the rows that are on the page
    shares.leave("lines", rows, cost)           some are not
    shares.left                                 by table: how many, and what they cost where
                                                costs add up, as those of calls do not

A table of no more rows than could all have the share is whole; of any other, at
most 1 / share rows are kept for each event.  So a page is bounded, and what is left
out of a table is said with it.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import ge

from cg2tools.profile.libcg2profile import Limit
from cg2tools.report.jsontables import Table

_MOST = (1 << 64) - 1


class Shares:
    """Limits by a share, from 0 to 1, of the events' totals."""

    def __init__(self, totals: Sequence[int], share: float) -> None:
        self.share = share
        self.left: dict[str, Table] = {}
        self._least = [min(max(1, math.ceil(share * total)), _MOST) for total in totals]

    def limit(self, rest: int = 0) -> Limit | None:
        """What a table leaves out; it is added up by the keys `rest`."""
        return Limit(self._least, self._few(), rest) if self.share else None

    def kept(self, costs: Sequence[Sequence[int]]) -> list[bool]:
        """Whether the row of each cost is on the page."""
        if not self.share or len(costs) <= self._few():
            return [True] * len(costs)
        return [any(map(ge, cost, self._least)) for cost in costs]

    def leave(self, name: str, rows: int, cost: Iterable[int] = ()) -> None:
        """Note that rows of a table are not on the page."""
        if rows:
            self.left[name] = {"rows": rows, "cost": list(cost)}

    def _few(self) -> int:
        """How many rows can have the share: the most that are no more than 1 with it."""
        few = int(1 / self.share)
        while few * self.share > 1:
            few -= 1
        while (few + 1) * self.share <= 1:
            few += 1
        return min(few, _MOST)


def costs_by_file(*tables: Table) -> Table:
    """How many lines each file has in tables of lines, and what they cost."""
    lines = _sums(tables, [table["lines"] for table in tables])
    columns = zip(*(table["self"] for table in tables))
    return {
        "file": list(lines),
        "lines": list(lines.values()),
        "self": [list(_sums(tables, column).values()) for column in columns],
    }


def _sums(tables: Sequence[Table], columns: Iterable[Sequence[int]]) -> dict[int, int]:
    """What columns, one of each table, have of each file."""
    files = chain.from_iterable(table["file"] for table in tables)
    sums: dict[int, int] = {}
    for file, number in zip(files, chain.from_iterable(columns)):
        sums[file] = sums.get(file, 0) + number
    return sums
