"""The page's tables of calls, lines and files: costs by function and source line, and texts of sources."""

from dataclasses import dataclass, field

from cg2tools.profile.libcg2profile import BY_FILE, BY_FUNCTION, BY_LINE, Table as AddedTable
from cg2tools.profile.model import readable
from cg2tools.report.addedup import AddedUp
from cg2tools.report.jsontables import Strings, Table
from cg2tools.report.shares import costs_by_file
from cg2tools.report.texts import Texts


def begin_lines(added: AddedUp) -> None:
    """Have the library add up what these tables are made of, in the order of the tables."""
    added.begin_costs("lines", BY_FUNCTION | BY_FILE | BY_LINE, rest=BY_FILE)
    added.begin_calls("arcs")
    added.begin_calls("sites", BY_FILE | BY_LINE)


def line_tables(added: AddedUp, strings: Strings) -> tuple[Table, Table]:
    """Self cost by function and source line, where line 0 is none; and by file."""
    table = added.costs("lines")
    lines = {
        "function": table.column(BY_FUNCTION),
        "file": files_of(table, added, strings),
        "line": table.column(BY_LINE),
        "self": table.cost_columns(),
    }
    return lines, _file_table(lines, table.rest, added, strings)


def _file_table(lines: Table, rest: AddedTable | None, added: AddedUp, strings: Strings) -> Table:
    """How many lines each file has, and what they cost, whether they are on the page or not."""
    shown = lines | {"lines": [1] * len(lines["file"])}
    if not rest:
        return costs_by_file(shown)
    left = {
        "file": files_of(rest, added, strings),
        "lines": rest.counts,
        "self": rest.cost_columns(),
    }
    return costs_by_file(shown, left)


def arc_table(added: AddedUp) -> Table:
    """Calls by caller and callee."""
    return added.calls("arcs")[1]


def site_table(added: AddedUp, strings: Strings) -> Table:
    """Calls by function and source line."""
    table, calls = added.calls("sites")
    return {**calls, "file": files_of(table, added, strings), "line": table.column(BY_LINE)}


def files_of(table: AddedTable, added: AddedUp, strings: Strings) -> list[int]:
    """The number of each row's file among the strings."""
    files = table.column(BY_FILE)
    names = added.part.names
    numbers = {file: strings.number(names[file]) for file in set(files)}
    return list(map(numbers.__getitem__, files))


# ---- Texts -----------------------------------------------------------------


@dataclass(slots=True)
class Places:
    """The lines that are on the page, which need their texts, by the numbers of their files."""

    lines: dict[int, set[int]] = field(default_factory=dict)

    def add(self, table: Table) -> None:
        """The lines of a table."""
        for file, line in zip(table["file"], table["line"]):
            self.lines.setdefault(file, set()).add(line)


def source_tables(texts: Texts, places: Places, strings: Strings) -> Table:
    """By the number of a file's name: its path, length, runs of lines."""
    wanted = {strings.name(file): lines for file, lines in places.lines.items()}
    return {
        str(strings.number(name)): {
            "path": readable(source.path),
            "count": source.count,
            "runs": [(start, *map(readable, lines)) for start, lines in source.runs],
        }
        for name, source in texts.sources(wanted).items()
    }
