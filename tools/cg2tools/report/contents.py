"""What the page of cg2_report is told of a profile, as tables.

    for name, table in Contents(profile, options, old).each():
        ...                            see the methods, one for each table

A table is an object of columns of equal length: row 3 of "lines" is the third
number of each.  Costs are a column for each event recorded.  Functions are told
by their row in "functions", names by their place in `strings`.  The page reads
"profile" when it opens, each other table when a view needs it, or it has nothing else
to do.

The library leaves out the rows that are not on the page (shares.py) while it adds lines up,
so no list here is as long as the profile. It does so in other threads, ahead of the tables
that are made of that. A table is made when it is asked for and is the reader's to drop.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, count, groupby
from typing import Any

from cg2tools import VERSION
from cg2tools.data.objects import DataFile
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.columns import Columns
from cg2tools.profile.events import built_in_events, meaning_of
from cg2tools.profile.model import (
    Cost,
    EventDefinition,
    FunctionKey,
    Part,
    Profile,
    ProfileError,
    UNKNOWN,
    add_cost,
    readable,
)
from cg2tools.profile.libcg2profile import (
    BY_CONDITION,
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET,
    BY_TARGET_INSTR,
    COST,
    JUMP,
    NONE,
    Limit,
    Progress,
    Table as LineTable,
)
from cg2tools.profile.pathtree import PathTree
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.stacks import Stacks
from cg2tools.profile.twothreads import SecondThread
from cg2tools.report.datatables import DataTables
from cg2tools.report.jsontables import Strings, Table, costs_in_columns
from cg2tools.report.olderprofile import comparison_tables, matched
from cg2tools.report.pathtables import PathTables
from cg2tools.report.shares import Shares, costs_by_file
from cg2tools.report.sizecurves import curves
from cg2tools.report.texts import Code, Texts

_SHARE_IN_PART = 1000
"""A part lists the functions that have a thousandth of the whole total."""

_JUMPS = BY_FUNCTION | BY_INSTR | BY_TARGET_INSTR | BY_CONDITION
"""What jumps are told by."""


@dataclass(frozen=True, slots=True)
class PageOptions:
    """What is on the page; the help text of the command says it in full."""

    title: str = ""
    include: list[str] = field(default_factory=list)
    context: int = 50
    threshold: float = 99.0
    smallest: float = 0.01
    share: float = 0.0002
    events: list[EventDefinition] = field(default_factory=list)
    names: str = "short"  # or full


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
        self.profile = profile
        self.options = options
        self.old = old
        self.data = data
        self.paths = paths
        self.part = profile.merged()
        self.events = self._events()
        self.smallest = options.smallest / 100  # share of a stack
        self.threads = [SecondThread(), SecondThread()]  # stacks need as long as all tables
        self._begun: dict[str, Callable[[], Any]] = {}  # what the library makes for tables
        if not paths:
            self._begin("stacks", lambda: Stacks(self.part, self.smallest), 1)
        self.graph = CallGraph(self.part)
        self.nodes = self.graph.columns
        self.strings = Strings()
        self.texts = Texts(self.part, options.include, options.context)
        self.order = self._order()
        self.keys = [self.nodes.keys[node] for node in self.order]
        self.rows = self._rows()
        self.row_of_function = array("I", map(self.rows.__getitem__, self.nodes.node_of))
        self.guess = ""
        self.bare: list[int] = []  # names without call chain, by row
        self.shares = Shares(self.part.self_total(), options.share / 100)
        self._begin_tables()
        self.names = Spoken(self.keys, options.names == "full")
        self.files: Table = {}
        # What is on the page, for the tables that are about it:
        self.places: dict[int, set[int]] = {}  # lines by their files
        self.instructions: list[Sequence[int]] = []  # their functions, and their addresses
        self.calls: list[Sequence[int]] = []  # the same of calls

    def _order(self) -> list[int]:
        """The nodes, those first that cost most with all that they call."""
        columns = self.nodes.by_event(self.nodes.inclusive)
        keys = self.nodes.keys
        first = columns[0].__getitem__

        def place(node: int) -> tuple[list[int], FunctionKey, int]:
            return [-column[node] for column in columns], keys[node], node

        # Few nodes cost the same of the first event.
        order: list[int] = []
        for _, nodes in groupby(sorted(range(len(keys)), key=first, reverse=True), first):
            alike = list(nodes)
            order += sorted(alike, key=place) if len(alike) > 1 else alike
        return order

    def _rows(self) -> "array[int]":
        """The row of each node."""
        rows = array("I", self.order)
        for row, node in enumerate(self.order):
            rows[node] = row
        return rows

    def each(
        self,
        progress: Progress | None = None,
    ) -> Iterator[tuple[str, Table]]:
        """The tables and their names; last "profile", which has the names and
        warnings of all others."""
        makers = {
            "lines": self._lines,
            "arcs": self._arcs,
            "sites": self._sites,
            "files": self._files,
            "sources": self._sources,
        }
        if self._has_code:
            makers |= {
                "instructions": self._instructions,
                "calls": self._calls_by_address,
                "code": self._code,
                "jumps": self._jumps,
            }
        if self.old is not None:
            makers["comparison"] = self._comparison
        if self.data is not None:
            makers["data"] = self._data
        makers |= {"stacks": self._stacks, "profile": self._profile}
        with self.threads[0], self.threads[1]:
            for done, (name, make) in enumerate(makers.items()):
                if progress:
                    progress(done, len(makers))
                yield name, make()

    @property
    def _has_code(self) -> bool:
        """Whether addresses are those of code, as they are not in data files."""
        return "instr" in self.part.positions and not self.part.is_data

    def _data(self) -> Table:
        """What a data file has, and its functions by their rows here."""
        assert self.data
        rows = self._row_of_key
        share, is_full = self.options.share / 100, self.options.names == "full"
        return DataTables(
            self.data, self.strings, lambda key: rows.get(key, -1), share, is_full
        ).table()

    def row_of(self, function: FunctionKey) -> int:
        """The row of the function that a function of the part belongs to."""
        return self._row_of_key[self.graph.node_of(function).key]

    @cached_property
    def _row_of_key(self) -> dict[FunctionKey, int]:
        return {key: row for row, key in enumerate(self.keys)}

    def costs(self, costs: Iterable[Sequence[int]]) -> list[list[int]]:
        return costs_in_columns(costs, len(self.part.events))

    # ---- Tables of the library ---------------------------------------------

    def _begin_tables(self) -> None:
        """Have lines added up, in the order in which the tables are made."""
        self._begin_costs("lines", BY_FUNCTION | BY_FILE | BY_LINE, rest=BY_FILE)
        self._begin_calls("arcs")
        self._begin_calls("sites", BY_FILE | BY_LINE)
        if self._has_code:
            by = BY_FUNCTION | BY_INSTR
            self._begin_costs("instructions", by, of_first=BY_FILE | BY_LINE)
            self._begin_calls("calls", BY_INSTR)

    def _begin(self, name: str, work: Callable[[], Any], thread: int = 0) -> None:
        """Have the library make what a table needs."""
        self._begun[name] = self.threads[thread].begin(work)

    def _begin_costs(self, name: str, keys: int, rest: int = 0, of_first: int = 0) -> None:
        """Self costs by keys: what is on the page of a table, and the rest by other keys."""
        limit, rows = self.shares.limit(rest), self.row_of_function
        add_up = self.part.lines.add_up
        self._begin(name, lambda: add_up(COST, keys, rows, of_first=of_first, limit=limit))

    def _begin_calls(self, name: str, keys: int = 0) -> None:
        """Calls by function, and by other keys."""
        keys |= BY_FUNCTION | BY_TARGET
        limit, rows = self.shares.limit(), self.row_of_function
        self._begin(name, lambda: self.nodes.add_up_calls(keys, rows, limit=limit))

    def _costs_by(self, name: str) -> LineTable:
        table: LineTable = self._begun.pop(name)()
        if table.rest:
            self.shares.leave(name, sum(table.rest.counts), map(sum, table.rest.cost_columns()))
        return table

    def _calls_by(self, name: str) -> tuple[LineTable, Table]:
        """Calls; by function they are the second table."""
        table: LineTable = self._begun.pop(name)()
        if table.rest:
            self.shares.leave(name, sum(table.rest.counts))
        return table, {
            "caller": table.column(BY_FUNCTION),
            "callee": list(map(self.rows.__getitem__, table.column(BY_TARGET))),
            "count": table.counts,
            "inclusive": table.cost_columns(),
        }

    def _files_of(self, table: LineTable) -> list[int]:
        files = table.column(BY_FILE)
        numbers = {file: self.strings.number(self.part.names[file]) for file in set(files)}
        return list(map(numbers.__getitem__, files))

    def _keep_places(self, table: Table) -> None:
        """Note which lines are on the page: they need their texts."""
        for file, line in zip(table["file"], table["line"]):
            self.places.setdefault(file, set()).add(line)

    # ---- What every view needs --------------------------------------------

    def _profile(self) -> Table:
        part = self.part
        functions = self._functions()
        return {
            "title": readable(self.options.title or part.cmd.strip() or self.profile.path),
            "cmd": readable(part.cmd.strip()),
            "creator": readable(self.profile.creator),
            "tool": f"cg2_report {VERSION}",
            "files": list(dict.fromkeys(readable(piece.path) for piece in self.profile.parts)),
            "events": self.events,
            "recorded": len(part.events),
            "positions": part.positions,
            "isData": part.is_data,
            "total": part.self_total(),
            "guess": self.guess,
            "paths": self.paths.count if self.paths else 0,
            "partial": list(map(readable, self._partial())),
            "share": self.options.share,
            "smallest": self.options.smallest,
            "left": self.shares.left,
            "descriptions": self._descriptions(),
            "skipped": {readable(name): count for name, count in part.skipped.items()},
            "warnings": list(map(readable, self.texts.warnings)),
            "curves": [
                {"name": curve.name, "points": curve.points, "of": curve.of}
                for curve in curves(part.events)
            ],
            "parts": self._parts(),
            "functions": functions,
            "strings": list(self.strings.numbers),
        }

    def _descriptions(self) -> dict[str, str]:
        """What all parts say alike."""
        first = self.profile.parts[0].descriptions
        return {
            readable(key): readable(value.strip())
            for key, value in first.items()
            if all(part.descriptions.get(key) == value for part in self.profile.parts)
        }

    def _partial(self) -> list[str]:
        """What is to be said where only a part of a profile is shown."""
        return self.profile.partial + (self.old.partial if self.old else [])

    def _events(self) -> list[Table]:
        """The events recorded, then the events that formulas make of them."""
        part = self.part
        definitions = (
            built_in_events(part.events)
            | part.event_definitions
            | {event.name: event for event in self.options.events}
        )
        part.event_definitions = definitions
        names = part.events + [
            name for name, event in definitions.items() if event.terms and name not in part.events
        ]
        events = []
        for name in names:
            try:
                factors = Columns(part, [name], []).factors(name)
            except ProfileError:
                if any(event.name == name for event in self.options.events):
                    raise
                continue  # the formula has an event that is not in this profile
            events.append(
                {
                    "name": readable(name),
                    "factors": factors,
                    "long": readable(meaning_of(name, definitions)),
                }
            )
        return events

    def _functions(self) -> Table:
        number = self.strings.number
        nodes = self.nodes
        return {
            "object": [number(key.object) for key in self.keys],
            "file": [number(key.file) for key in self.keys],
            "name": [number(key.name) for key in self.keys],
            "said": list(map(number, self.names.names_of(self.keys))),
            "bare": self.bare,
            "cycle": self._by_row(nodes.cycle),
            "called": self._by_row(self._called()),
            "estimated": [int(self.part.is_estimated(key.name)) for key in self.keys],
            "self": self._self_costs(),
            "inclusive": list(map(self._by_row, nodes.by_event(nodes.inclusive))),
        }

    def _self_costs(self) -> list[list[int]]:
        """What functions cost themselves, by row, a column for each event."""
        return list(map(self._by_row, self.nodes.by_event(self.nodes.self_costs)))

    def _by_row(self, column: Sequence[int]) -> list[int]:
        """What nodes have, by the rows of functions."""
        return list(map(column.__getitem__, self.order))

    def _called(self) -> list[int]:
        """How often each node was called."""
        called = [0] * len(self.order)
        for callee, times in zip(self.nodes.callees, self.nodes.counts):
            called[callee] += times
        return called

    def _arcs(self) -> Table:
        """Calls by caller and callee."""
        return self._calls_by("arcs")[1]

    def _parts(self) -> list[Table]:
        parts = self.profile.parts
        return [] if len(parts) == 1 else [self._one_part(part) for part in parts]

    def _one_part(self, part: Part) -> Table:
        """A part, and its functions that have a share of the whole total."""
        whole = self.part.self_total()
        costs: dict[int, Cost] = {}
        for key, cost in zip(part.keys, part.lines.self_costs()):
            add_cost(costs.setdefault(self.row_of(key), [0] * len(part.events)), cost)
        listed = {
            row: cost
            for row, cost in costs.items()
            if any(
                number and number * _SHARE_IN_PART >= total for number, total in zip(cost, whole)
            )
        }
        return {
            "file": readable(part.path),
            "pid": part.pid,
            "part": part.part or 1,
            "thread": part.thread,
            "trigger": readable(part.descriptions.get("Trigger", "").strip()),
            "time": readable(part.descriptions.get("Timerange", "").strip()),
            "total": part.self_total(),
            "functions": list(listed),
            "self": self.costs(listed.values()),
        }

    # ---- Sources ----------------------------------------------------------

    def _lines(self) -> Table:
        """Self cost by function and source line; line 0 is none."""
        table = self._costs_by("lines")
        lines = {
            "function": table.column(BY_FUNCTION),
            "file": self._files_of(table),
            "line": table.column(BY_LINE),
            "self": table.cost_columns(),
        }
        self._keep_places(lines)
        self.files = self._costs_of_files(lines, table.rest)
        return lines

    def _costs_of_files(self, lines: Table, rest: LineTable | None) -> Table:
        """How many lines each file has, and what they cost, whether they are on the page or not."""
        shown = lines | {"lines": [1] * len(lines["file"])}
        if not rest:
            return costs_by_file(shown)
        left = {
            "file": self._files_of(rest),
            "lines": rest.counts,
            "self": rest.cost_columns(),
        }
        return costs_by_file(shown, left)

    def _sites(self) -> Table:
        """Calls by function and source line."""
        table, calls = self._calls_by("sites")
        sites = {**calls, "file": self._files_of(table), "line": table.column(BY_LINE)}
        self._keep_places(sites)
        return sites

    def _files(self) -> Table:
        """Self cost by file."""
        return self.files

    def _sources(self) -> Table:
        """By the number of a file's name: its path, length, runs of lines."""
        places = {self.strings.name(file): lines for file, lines in self.places.items()}
        return {
            str(self.strings.number(name)): {
                "path": readable(source.path),
                "count": source.count,
                "runs": [(start, *map(readable, lines)) for start, lines in source.runs],
            }
            for name, source in self.texts.sources(places).items()
        }

    # ---- Machine code -----------------------------------------------------

    def _instructions(self) -> Table:
        """Self costs by function and address."""
        table = self._costs_by("instructions")
        self.instructions = [table.column(BY_FUNCTION), table.column(BY_INSTR)]
        self._begin_jumps()
        return {
            "function": table.column(BY_FUNCTION),
            "address": table.column(BY_INSTR),
            "file": self._files_of(table),
            "line": table.column(BY_LINE),
            "self": table.cost_columns(),
        }

    def _calls_by_address(self) -> Table:
        table, calls = self._calls_by("calls")
        self.calls = [table.column(BY_FUNCTION), table.column(BY_INSTR)]
        return {"function": calls.pop("caller"), "address": table.column(BY_INSTR), **calls}

    def _begin_jumps(self) -> None:
        """Have jumps added up: those of functions that have instructions on the page."""
        rows: Sequence[int] = self.row_of_function
        if "instructions" in self.shares.left:
            functions = set(self.instructions[0])
            rows = [row if row in functions else NONE for row in rows]
            self._begin("number of jumps", self._jump_count)
        self._begin("jumps", lambda: self.part.lines.add_up(JUMP, _JUMPS, rows))

    def _jumps(self) -> Table:
        """Jumps by function, address, target and kind: those of instructions on the page."""
        table: LineTable = self._begun.pop("jumps")()
        jumps = {
            "function": table.column(BY_FUNCTION),
            "address": table.column(BY_INSTR),
            "target": table.column(BY_TARGET_INSTR),
            "conditional": table.column(BY_CONDITION),
            "taken": table.counts,
            "executed": table.executed,
        }
        if "instructions" not in self.shares.left:
            return jumps
        shown = set(zip(*self.instructions))
        is_kept = bytes(place in shown for place in zip(jumps["function"], jumps["address"]))
        self.shares.leave("jumps", self._begun.pop("number of jumps")() - sum(is_kept))
        return {name: list(compress(column, is_kept)) for name, column in jumps.items()}

    def _jump_count(self) -> int:
        """How many rows all jumps are: those of a table that leaves all of them out."""
        limit = Limit([1] * self.part.lines.width)
        rest = self.part.lines.add_up(JUMP, _JUMPS, limit=limit).rest
        return sum(rest.counts) if rest else 0

    def _code(self) -> Table:
        """By the number of an object's name: addresses and instructions."""
        left_out = "instructions" in self.shares.left
        code = Code(self.part, self.keys, self.options.threshold, left_out)
        objects = code.objects(self._self_costs(), [self.instructions, self.calls])
        self.texts.warnings.extend(code.warnings)
        return {
            str(self.strings.number(name)): {
                "address": instructions.addresses,
                "text": list(map(readable, instructions.texts)),
            }
            for name, instructions in objects.items()
        }

    # ---- Stacks -----------------------------------------------------------

    def _stacks(self) -> Table:
        """The tree of stacks, a caller in front of its callees.

        What costs less than `smallest` is left out.  Function -1 is none: it
        stands for callers that are not shown one by one.
        """
        if self.paths:
            return self._stacks_of_paths(self.paths)
        stacks: Stacks = self._begun.pop("stacks")()
        smallest = self.smallest
        self.guess = readable(stacks.guess())
        shown = stacks.above(smallest)
        rows = {stack: row for row, stack in enumerate(shown)} | {NONE: -1}
        self.shares.leave("stacks", stacks.count_above(0) - len(shown))
        function_of = dict(zip(self.row_of_function, count()))
        self.bare = [
            self.strings.number(stacks.name(function_of[row]) if "'" in key.name else key.name)
            for row, key in enumerate(self.keys)
        ]
        functions = [stacks.functions[stack] for stack in shown]
        row_of = [*self.row_of_function, -1]
        old = {} if self.old is None else self._old_stacks(self.old, stacks, shown)
        return {
            "function": [row_of[function] for function in functions],
            "name": [self.strings.number(stacks.name(function)) for function in functions],
            "said": self._said_of(stacks, functions),
            "parent": [rows[stacks.callers[stack]] for stack in shown],
            "inclusive": self.costs(map(stacks.cost, shown)),
            "self": self.costs(map(stacks.self_cost, shown)),
            **old,
        }

    def _stacks_of_paths(self, tree: PathTree) -> Table:
        """The tree that was counted, with what is left out of it as a node "(smaller)" of each that calls some."""
        self.bare = [self.strings.number(key.name) for key in self.keys]
        tables = PathTables(tree, self.smallest, self.old is not None)
        self.shares.leave("stacks", tables.left)
        rows, said = self._row_of_key, self.names.names_of(tables.functions)
        return {
            "function": [rows.get(key, -1) for key in tables.functions],
            "name": [self.strings.number(key.name) for key in tables.functions],
            "said": list(map(self.strings.number, said)),
            **tables.table(len(self.part.events)),
        }

    def _said_of(self, stacks: Stacks, functions: Sequence[int]) -> list[int]:
        """What is shown for the names of functions of stacks."""
        objects = [*(key.object for key in self.part.keys), UNKNOWN]
        shown = list(set(functions))
        keys = [FunctionKey(objects[function], "", stacks.name(function)) for function in shown]
        names = dict(zip(shown, self.names.names_of(keys)))
        return [self.strings.number(names[function]) for function in functions]

    def _old_stacks(self, old: Profile, stacks: Stacks, shown: Sequence[int]) -> Table:
        """What stacks of the same names cost in OLD."""
        before = Stacks(old.merged(), self.smallest)
        inclusive, own = matched(shown, stacks, before)
        return {"old": self.costs(inclusive), "oldSelf": self.costs(own)}

    # ---- What changed -----------------------------------------------------

    def _comparison(self) -> Table:
        assert self.old is not None
        return comparison_tables(
            self.old, self.part, self.graph, self.keys, self.strings, self.names
        )
