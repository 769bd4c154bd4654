"""What the page of cg2_report is told of a profile, as tables.

    for name, table in Contents(profile, options, old).each():
        ...                            schema.json says what each table has

The page reads "profile" when it opens, each other table when a view needs it, or it has nothing
else to do. A table is made when it is asked for and is the reader's to drop. The library adds
up in other threads, ahead of the tables that are made of that.
"""

from collections.abc import Callable, Iterator

from cg2tools.data.objects import DataFile
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.libcg2profile import Progress
from cg2tools.profile.model import Profile
from cg2tools.profile.terms import INLINED
from cg2tools.profile.pathtree import PathTree
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.stacks import Stacks
from cg2tools.profile.twothreads import SecondThread
from cg2tools.profile.unnamed import unnamed_lines
from cg2tools.report.addedup import AddedUp
from cg2tools.report.codetables import (
    addresses_of,
    begin_code,
    begin_jumps,
    call_table,
    code_tables,
    instruction_table,
    jump_table,
)
from cg2tools.report.datatables import DataTables
from cg2tools.report.functionrows import FunctionRows
from cg2tools.report.head import Head, event_records, function_table
from cg2tools.report.jsontables import Strings, Table
from cg2tools.report.linetables import (
    Places,
    arc_table,
    begin_lines,
    line_tables,
    site_table,
    source_tables,
)
from cg2tools.report.options import PageOptions
from cg2tools.report.schema import Schema
from cg2tools.report.shares import Shares
from cg2tools.report.stacktable import StackNotes, StackTables
from cg2tools.report.texts import Code, Texts, changed_objects

Named = tuple[str, Table]

_OF_ALL = ("lines", "arcs", "sites", "files", "sources", "stacks", "profile")
_OF_CODE = ("instructions", "calls", "code", "jumps")


class Contents:
    """All tables of a page.  What options ask for and is not there is told
    before the first one is made."""

    def __init__(
        self,
        profile: Profile,
        options: PageOptions,
        old: Profile | None = None,
        data: DataFile | None = None,
        paths: PathTree | None = None,
    ) -> None:
        self._options = options
        self._old = old
        self._data = data
        self._profile = profile
        self._part = profile.merged()
        events = event_records(self._part, options)
        self._threads = SecondThread(), SecondThread()  # stacks need as long as all tables
        self._trees = [self._tree(paths)]  # one, until the table is made of it
        self._functions = functions = FunctionRows(CallGraph(self._part))
        self._head = Head(profile, old, self._part, options, events, functions)
        self._strings = Strings()
        self._read: set[str] = set()
        """Objects from which the page has machine code or inlined functions."""
        self._shares = Shares(self._part.self_total(), options.share / 100)
        self._added = AddedUp(self._part, functions, self._shares, self._threads[0])
        begin_lines(self._added)
        if self._has_code:
            begin_code(self._added)
        self._names = Spoken(functions.keys, options.names == "full")

    @property
    def _has_code(self) -> bool:
        """Whether addresses are those of code, as they are not in data files."""
        return "instr" in self._part.positions and not self._part.is_data

    def _tree(self, paths: PathTree | None) -> Callable[[StackTables], tuple[Table, StackNotes]]:
        """What makes the table of stacks: of paths, or of stacks that the library begins to find."""
        part, old, smallest = self._part, self._old, self._options.smallest / 100
        if paths:
            tree = paths
            return lambda tables: tables.of_paths(part, tree, old is not None)
        found = self._threads[1].begin(lambda: Stacks(part, smallest))
        return lambda tables: tables.of_stacks(part, found(), old)

    def each(self, progress: Progress | None = None) -> Iterator[Named]:
        """The tables and their names; last "profile", which has the names and warnings of all others."""
        schema = Schema.read()
        made, all_made = self._each(), self._count()
        with self._threads[0], self._threads[1]:
            for done in range(all_made):
                if progress:
                    progress(done, all_made)
                name, table = next(made)
                schema.check(name, table)
                yield name, table
                del table  # before the next one is made

    def _count(self) -> int:
        """How many tables there are."""
        code = len(_OF_CODE) if self._has_code else 0
        return len(_OF_ALL) + code + (self._old is not None) + (self._data is not None)

    def _each(self) -> Iterator[Named]:
        """Each table is made when the one before it is written; what it needs of others is handed on."""
        strings = self._strings
        options = self._options
        texts = Texts(self._part, options.include, options.context, options.sources)
        yield from self._lines(texts)
        if self._has_code:
            yield from self._code(texts)
        if self._old is not None:
            yield "comparison", self._comparison(self._old)
        if self._data is not None:
            yield "data", self._data_table(self._data)
        texts.warnings.extend(self._unnamed())
        texts.warnings.extend(self._changed())
        table, notes = self._stack_table()
        yield "stacks", table
        del table
        functions = function_table(self._part, self._functions, self._names, strings, notes.bare)
        yield "profile", self._head.table(
            functions, notes, self._shares.left, texts.warnings, strings
        )

    def _unnamed(self) -> Iterator[str]:
        """What is said if functions have no names."""
        if not self._part.is_data:
            costs = zip(self._functions.keys, self._functions.self_costs()[0])
            yield from unnamed_lines(costs, self._part.events[0], self._part.self_total()[0])

    def _lines(self, texts: Texts) -> Iterator[Named]:
        added, strings, places = self._added, self._strings, Places()
        lines, files = line_tables(added, strings)
        places.add(lines)
        yield "lines", lines
        del lines
        yield "arcs", arc_table(added)
        sites = site_table(added, strings)
        places.add(sites)
        yield "sites", sites
        del sites
        yield "files", files
        yield "sources", source_tables(texts, places, strings)

    def _code(self, texts: Texts) -> Iterator[Named]:
        added, strings = self._added, self._strings
        table = instruction_table(added, strings)
        instructions = addresses_of(table)
        begin_jumps(added, instructions)
        yield "instructions", table
        del table
        table = call_table(added)
        calls = addresses_of(table)
        yield "calls", table
        del table
        left_out = "instructions" in self._shares.left
        code = Code(self._part, self._functions.keys, self._options.threshold, left_out)
        yield "code", code_tables(code, [instructions, calls], added, strings)
        texts.warnings.extend(code.warnings)
        self._read.update(code.read)
        yield "jumps", jump_table(added, instructions)

    def _changed(self) -> Iterator[str]:
        """What is to be said of objects that are not those that ran, and of which the page has something."""
        if INLINED in self._part.descriptions:
            self._read.update(key.object for key in self._functions.keys)
        yield from changed_objects(self._read, self._part)
        if self._data is not None:
            yield from changed_objects(set(self._data.opened) - self._read, self._data.part)

    def _comparison(self, old: Profile) -> Table:
        from cg2tools.report.olderprofile import comparison_tables  # only here: it brings cg2_diff

        functions = self._functions
        return comparison_tables(
            old,
            self._profile,
            self._part,
            functions.graph,
            functions.keys,
            self._strings,
            self._names,
        )

    def _data_table(self, data: DataFile) -> Table:
        """What a data file has, and its functions by their rows here."""
        rows = self._functions.row_of_key
        share, is_full = self._options.share / 100, self._options.names == "full"
        return DataTables(
            data, self._strings, lambda key: rows.get(key, -1), share, is_full
        ).table()

    def _stack_table(self) -> tuple[Table, StackNotes]:
        return self._trees.pop()(
            StackTables(
                self._functions,
                self._strings,
                self._names,
                self._shares,
                self._options.smallest / 100,
            )
        )
