"""What the library adds up for the page's tables: ahead of them, in a second thread.

    added = AddedUp(part, functions, shares, thread)
    added.begin_costs("lines", keys)         ... while other work is done
    added.costs("lines")                     what was added up by keys

It leaves out the rows that are not on the page (shares.py), and notes how many these are. So no
list is as long as the profile.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from cg2tools.profile.libcg2profile import (
    BY_FUNCTION,
    BY_TARGET,
    COST,
    Table as AddedTable,
)
from cg2tools.profile.model import Part
from cg2tools.profile.twothreads import SecondThread
from cg2tools.report.functionrows import FunctionRows
from cg2tools.report.jsontables import Table
from cg2tools.report.shares import Shares


@dataclass(slots=True)
class AddedUp:
    """Lines of a part added up, by the name of the table that they are for."""

    part: Part
    functions: FunctionRows
    shares: Shares
    _thread: SecondThread
    _begun: dict[str, Callable[[], AddedTable]] = field(default_factory=dict)

    def begin(self, name: str, work: Callable[[], AddedTable]) -> None:
        """Have the library make what a table needs."""
        self._begun[name] = self._thread.begin(work)

    def begin_costs(self, name: str, keys: int, rest: int = 0, of_first: int = 0) -> None:
        """Self costs by keys: what is on the page of a table, and the rest by other keys."""
        limit, rows = self.shares.limit(rest), self.functions.row_of_function
        add_up = self.part.lines.add_up
        self.begin(name, lambda: add_up(COST, keys, rows, of_first=of_first, limit=limit))

    def begin_calls(self, name: str, keys: int = 0) -> None:
        """Calls by function, and by other keys."""
        keys |= BY_FUNCTION | BY_TARGET
        limit, rows = self.shares.limit(), self.functions.row_of_function
        add_up = self.functions.nodes.add_up_calls
        self.begin(name, lambda: add_up(keys, rows, limit=limit))

    def taken(self, name: str) -> AddedTable:
        """What was begun; the caller's to drop."""
        return self._begun.pop(name)()

    def costs(self, name: str) -> AddedTable:
        """Self costs."""
        table = self.taken(name)
        if table.rest:
            self.shares.leave(name, sum(table.rest.counts), map(sum, table.rest.cost_columns()))
        return table

    def calls(self, name: str) -> tuple[AddedTable, Table]:
        """Calls; by function they are the second table."""
        table = self.taken(name)
        if table.rest:
            self.shares.leave(name, sum(table.rest.counts))
        rows = self.functions.row_of_node
        return table, {
            "caller": table.column(BY_FUNCTION),
            "callee": list(map(rows.__getitem__, table.column(BY_TARGET))),
            "count": table.counts,
            "inclusive": table.cost_columns(),
        }
