"""The page's tables of machine code: costs, calls and jumps by function and address, and instructions."""

from collections.abc import Sequence
from itertools import compress

from cg2tools.profile.libcg2profile import (
    BY_CONDITION,
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET_INSTR,
    JUMP,
    NONE,
    Limit,
    Table as AddedTable,
)
from cg2tools.profile.model import readable
from cg2tools.report.addedup import AddedUp
from cg2tools.report.jsontables import Strings, Table
from cg2tools.report.linetables import files_of
from cg2tools.report.texts import Code

_JUMPS = BY_FUNCTION | BY_INSTR | BY_TARGET_INSTR | BY_CONDITION
"""What jumps are told by."""

Addresses = Sequence[Sequence[int]]
"""Instructions on the page: a column of functions, and one of addresses."""


def begin_code(added: AddedUp) -> None:
    """Have the library add up what costs and calls are made of."""
    by = BY_FUNCTION | BY_INSTR
    added.begin_costs("instructions", by, of_first=BY_FILE | BY_LINE)
    added.begin_calls("calls", BY_INSTR)


def instruction_table(added: AddedUp, strings: Strings) -> Table:
    """Self costs by function and address."""
    table = added.costs("instructions")
    return {
        "function": table.column(BY_FUNCTION),
        "address": table.column(BY_INSTR),
        "file": files_of(table, added, strings),
        "line": table.column(BY_LINE),
        "self": table.cost_columns(),
    }


def call_table(added: AddedUp) -> Table:
    """Calls by function and address."""
    table, calls = added.calls("calls")
    return {"function": calls.pop("caller"), "address": table.column(BY_INSTR), **calls}


def addresses_of(table: Table) -> Addresses:
    """The instructions of a table."""
    return table["function"], table["address"]


def code_tables(code: Code, places: Sequence[Addresses], added: AddedUp, strings: Strings) -> Table:
    """By the number of an object's name: addresses and instructions, those at `places` and in between."""
    objects = code.objects(added.functions.self_costs(), places)
    return {
        str(strings.number(name)): {
            "address": instructions.addresses,
            "text": list(map(readable, instructions.texts)),
        }
        for name, instructions in objects.items()
    }


# ---- Jumps -----------------------------------------------------------------


def begin_jumps(added: AddedUp, instructions: Addresses) -> None:
    """Have jumps added up: those of functions that have instructions on the page."""
    rows: Sequence[int] = added.functions.row_of_function
    if "instructions" in added.shares.left:
        functions = set(instructions[0])
        rows = [row if row in functions else NONE for row in rows]
        added.begin("all jumps", lambda: _all_jumps(added))
    added.begin("jumps", lambda: added.part.lines.add_up(JUMP, _JUMPS, rows))


def _all_jumps(added: AddedUp) -> AddedTable:
    """A table that leaves all jumps out: `rest` has how many rows they are."""
    limit = Limit([1] * added.part.lines.width)
    return added.part.lines.add_up(JUMP, _JUMPS, limit=limit)


def jump_table(added: AddedUp, instructions: Addresses) -> Table:
    """Jumps by function, address, target and kind: those of instructions on the page."""
    table = added.taken("jumps")
    jumps = {
        "function": table.column(BY_FUNCTION),
        "address": table.column(BY_INSTR),
        "target": table.column(BY_TARGET_INSTR),
        "conditional": table.column(BY_CONDITION),
        "taken": table.counts,
        "executed": table.executed,
    }
    if "instructions" not in added.shares.left:
        return jumps
    shown = set(zip(*instructions))
    is_kept = bytes(place in shown for place in zip(jumps["function"], jumps["address"]))
    rest = added.taken("all jumps").rest
    added.shares.leave("jumps", (sum(rest.counts) if rest else 0) - sum(is_kept))
    return {name: list(compress(column, is_kept)) for name, column in jumps.items()}
