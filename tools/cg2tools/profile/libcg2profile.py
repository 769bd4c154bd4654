"""libcg2profile: what touches each line of a profile is its work, in C.

    profile = read("cg2.out.4711", progress)        a LibraryProfile
    part = profile.parts[0]
    part.functions(), part.self_costs()             of all functions
    table = part.add_up(COST, BY_FILE | BY_LINE)    a Table

The header cg2profile.h is the contract of each function that is called here.
Names are numbers; `LibraryProfile.names` has their texts.
"""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, count, repeat
from operator import add
from typing import Any, NoReturn

from cg2tools.bindings.interface import (
    address_behind,
    address_of,
    address_of_bytes,
    column_at,
    numbers_at,
    pointer,
    profile_library,
    reference,
    text_at,
    text_of,
    view_at,
    zeros,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    REPORT,
    SIZE,
    TEXT,
    U32,
    U64,
    cg2p_arc,
    cg2p_definition,
    cg2p_error,
    cg2p_form,
    cg2p_function,
    cg2p_limit,
    cg2p_mapping,
    cg2p_path,
    cg2p_progress,
    cg2p_question,
    width,
)
from cg2tools.profile.inputfile import STANDARD_INPUT, lasting, read_at
from cg2tools.profile.terms import (
    Cost,
    CutOff,
    EventDefinition,
    FunctionKey,
    Header,
    ProfileError,
)

COST, CALL, JUMP = range(3)
"""Kinds of lines."""

(
    BY_FUNCTION,
    BY_FILE,
    BY_LINE,
    BY_INSTR,
    BY_BLOCK,
    BY_TARGET,
    BY_TARGET_FILE,
    BY_TARGET_LINE,
    BY_TARGET_INSTR,
    BY_TARGET_BLOCK,
    BY_CONDITION,
) = KEYS = tuple(1 << key for key in range(11))
"""What lines can be added up by, and the columns of a table."""

NONE = 0xFFFFFFFF
"""What a function or a file counts as whose lines are left out."""

FULL_NAMES, FULL_POSITIONS = 1, 2
"""How a profile is written, if not as short as the format allows."""

_HAS_BYTE, _BEGINS, _IS = range(3)
"""How names are found by a text."""

NO_EVENT = 0xFFFFFFFF
"""What an event is added to that is left out."""

_COLUMNS = {"instr": 1, "addr": 1, "line": 2, "bb": 4}
"""Columns of positions, by their names in a header."""

FUNCTIONS, SUMS, LINES = range(3)
"""How much of a file is kept: functions and what they cost; also arcs; also lines."""

_PARTIAL, _PATHS = 1, 2
"""How a file is read that may be cut off, or be one of paths."""

_ESTIMATED = "Estimated calls"
"""The description that names functions, with tabs between them."""

_MALFORMED, _SYSTEM, _MEMORY, _CUT_OFF = 1, 2, 3, 4  # kinds of errors

Progress = Callable[[int, int], None]
"""Called now and then with how many bytes are read, and of how many (0: not known)."""


def keys_of(
    objects: Iterable[str], files: Iterable[str], names: Iterable[str]
) -> list[FunctionKey]:
    """Functions, of names in their order; a third of the time that FunctionKey needs for each."""
    new: Any = partial(tuple.__new__, FunctionKey)
    return list(map(new, zip(objects, files, names)))


def raise_error(error: cg2p_error, path: str) -> NoReturn:
    """Raise what an operation on a file said."""
    said = text_of(error.text)
    if error.kind in (_MALFORMED, _CUT_OFF):
        place = f"{read_at(path)}:{error.line}: " if error.line else f"{read_at(path)}: "
        fault = CutOff if error.kind == _CUT_OFF else ProfileError
        raise fault(path, error.line, said.removeprefix(place))
    if error.kind == _MEMORY:
        raise MemoryError(said)
    raise OSError(error.code, os.strerror(error.code), path)


def _map_of(numbers: Sequence[int] | None) -> "array[int] | None":
    return None if numbers is None else array("I", numbers)


# ---- Tables ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """Which rows a table leaves out, as cg2p_limit says it."""

    least: Sequence[int]
    """For each event: a row is left out that costs less in all of them."""
    few: int = 0
    """But none is, if there are no more than so many."""
    rest: int = 0
    """The keys by which what is left out is added up."""


class Table:
    """Lines added up: columns of equal length."""

    def __init__(self, handle: ADDRESS, width: int) -> None:
        found = profile_library()
        self.width = width
        """The numbers of a cost."""
        self.count: int = found.cg2p_table_row_count(handle)
        self._columns = {
            key: numbers_at(found.cg2p_table_keys(handle, key), self.count) for key in KEYS
        }
        self.counts = numbers_at(found.cg2p_table_counts(handle), self.count)
        """How many calls; how often a jump was taken."""
        self.executed = numbers_at(found.cg2p_table_executed(handle), self.count)
        """How often the instruction of a jump ran."""
        self.flat_costs = numbers_at(found.cg2p_table_costs(handle), self.count * width)
        """The costs of the rows, one behind the other."""
        rest = found.cg2p_table_rest(handle)
        self.rest = Table(ADDRESS(rest), width) if rest else None
        """What is left out, added up; `counts` are how many rows that is."""

    def __len__(self) -> int:
        return self.count

    def column(self, key: int) -> "array[int]":
        """The numbers of one key, one for each row."""
        return self._columns[key]

    def cost_columns(self) -> "list[array[int]]":
        """A column for each event."""
        return [self.flat_costs[event :: self.width] for event in range(self.width)]

    def cost(self, row: int) -> Cost:
        return self.flat_costs[row * self.width : (row + 1) * self.width].tolist()

    def costs(self, first: int = 0, end: int | None = None) -> list[tuple[int, ...]]:
        """The costs of some rows; of all, if not said."""
        end = self.count if end is None else end
        flat = iter(self.flat_costs[first * self.width : end * self.width])
        return list(zip(*[flat] * self.width))


class LargeTable:
    """Lines added up whose columns stay where the library has them: nothing is copied.

    Whoever has one of them keeps the table.
    """

    def __init__(self, handle: ADDRESS, width: int) -> None:
        self._handle = handle
        self._width = width
        self._count: int = profile_library().cg2p_table_row_count(handle)

    def __del__(self) -> None:
        profile_library().cg2p_table_free(self._handle)

    def column(self, key: int) -> memoryview:
        """The numbers of one key, one for each row."""
        address = profile_library().cg2p_table_keys(self._handle, key)
        return view_at(address, self._count, owner=self)

    @property
    def flat_costs(self) -> memoryview:
        """The costs of the rows, one behind the other."""
        address = profile_library().cg2p_table_costs(self._handle)
        return view_at(address, self._count * self._width, owner=self)


# ---- Profiles --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arcs:
    """All calls of one function by another: columns of equal length."""

    callers: Sequence[int]  # functions
    callees: Sequence[int]
    counts: Sequence[int]
    costs: Sequence[Cost]


class LibraryPart:
    """A part of a profile that the library has read."""

    def __init__(self, profile: "LibraryProfile", number: int) -> None:
        found = profile_library()
        self.profile = profile
        self.number = number
        self.handle = ADDRESS(found.cg2p_profile_part(profile.handle, SIZE(number)))
        self.width: int = found.cg2p_part_event_count(self.handle)
        """The number of events."""
        self.count: int = found.cg2p_part_function_count(self.handle)
        """The number of functions."""
        self.kept_graph: Callable[[], Any] | None = None
        """What gives the graph that `graph_of` made, or None if nobody needs it any more."""
        self._self_total: Cost | None = None

    @property
    def has_paths(self) -> bool:
        """Whether each function is a path, as of a file of paths."""
        return profile_library().cg2p_part_paths(self.handle) is not None

    def callers(self) -> "array[int]":
        """The caller of each path, a lower number; NONE: it has none."""
        return column_at(
            cg2p_path, "caller", profile_library().cg2p_part_paths(self.handle), self.count
        )

    def path_calls(self) -> list[int]:
        """How often each path was called, also by what came back to it."""
        address = profile_library().cg2p_part_paths(self.handle)
        counts, again = (
            column_at(cg2p_path, field, address, self.count) for field in ("count", "again")
        )
        return list(map(add, counts, again))

    def read_header(self, header: Header) -> None:
        """Fill in what the part says of itself."""
        self._read_numbers(header)
        self._read_descriptions(header)
        self._read_columns(header)
        self._read_sums(header)

    def check(self) -> None:
        """Raise the first of the faults that what it says of its sums has, if there is one."""
        header = Header(self.profile.path)
        self.read_header(header)
        for fault in header.faults_of_sums(self.self_total()):
            raise fault

    def function_names(self) -> "array[int]":
        """The numbers of each function's names: object, file and name, one behind the other."""
        return numbers_at(
            profile_library().cg2p_part_functions(self.handle),
            width(cg2p_function, 4) * self.count,
            "I",
        )

    @cached_property
    def objects(self) -> frozenset[str]:
        """The objects that functions are in."""
        return frozenset(map(self.profile.name, {*self.function_names()[::3]}))

    def functions(self) -> list[FunctionKey]:
        """By number."""
        text_of_name = self.profile.names.__getitem__
        texts = map(text_of_name, self.function_names())
        return keys_of(texts, texts, texts)

    def functions_with_lines(self) -> "array[int]":
        """The numbers of functions that have lines, in the order of the file."""
        numbers = array("I", bytes(4 * self.count))
        room = ADDRESS(address_of(numbers))
        return numbers[: profile_library().cg2p_part_functions_with_lines(self.handle, room)]

    def self_costs(self) -> list[Cost]:
        """What each function costs itself."""
        flat = numbers_at(
            profile_library().cg2p_part_self_costs(self.handle), self.count * self.width
        )
        return _rows(flat, self.width)

    def self_costs_of(self, key: tuple[str, str, str]) -> Iterator[Cost]:
        """What each function of these names, object, file and name, costs itself."""
        found = profile_library()
        texts = self.profile.names
        if key[2] not in texts:
            return
        wanted, names = texts.index(key[2]), self.function_names()[2::3]
        flat = numbers_at(found.cg2p_part_self_costs(self.handle), self.count * self.width)
        keys, at = self.function_names(), -1
        for _ in range(names.count(wanted)):
            at = names.index(wanted, at + 1)
            if tuple(texts[number] for number in keys[3 * at : 3 * at + 3]) == key:
                yield flat[at * self.width : (at + 1) * self.width].tolist()

    def self_total(self) -> Cost:
        """The sum of all self costs, which are added up once."""
        if self._self_total is None:
            flat = numbers_at(
                profile_library().cg2p_part_self_costs(self.handle), self.count * self.width
            )
            self._self_total = [sum(flat[event :: self.width]) for event in range(self.width)]
        return [*self._self_total]

    def arcs(self) -> Arcs:
        found = profile_library()
        length = found.cg2p_part_arc_count(self.handle)
        address = found.cg2p_part_arcs(self.handle)
        callers, callees, counts = (
            column_at(cg2p_arc, field, address, length) for field in ("caller", "callee", "count")
        )
        costs = numbers_at(found.cg2p_part_arc_costs(self.handle), length * self.width)
        return Arcs(callers, callees, counts, _rows(costs, self.width))

    def add_up(
        self,
        kind: int,
        keys: int,
        function_as: Sequence[int] | None = None,
        target_as: Sequence[int] | None = None,
        file_as: Sequence[int] | None = None,
        each: bool = False,
        of_first: int = 0,
        limit: Limit | None = None,
        graph: Any = None,
    ) -> Table:
        """Lines of a kind, added up by keys; with `each`, every line by itself.

        A map says for each function, or for each name, what it counts as. Columns `of_first`
        have what the first line of a row has. With a graph of the library's, calls are added up
        as its arcs are.
        """
        maps = function_as, target_as, file_as
        handle = _added_up(self, kind, keys, maps, each, of_first, limit, graph)
        try:
            return Table(handle, self.width)
        finally:
            profile_library().cg2p_table_free(handle)

    def _read_numbers(self, header: Header) -> None:
        number = U64()
        for which, name in enumerate(("pid", "part", "thread")):
            if profile_library().cg2p_part_header_number(self.handle, which, reference(number)):
                setattr(header, name, number.value)
        header.cmd = text_of(profile_library().cg2p_part_command(self.handle))
        borrowed = profile_library().cg2p_part_borrowed_id(self.handle, reference(number))
        header.borrowed = None if borrowed is None else (number.value, text_of(borrowed))

    def descriptions(self) -> Iterator[tuple[str, str]]:
        """The lines "desc: kind: text", in their order."""
        kind, text = TEXT(), TEXT()
        texts = reference(kind), reference(text)
        for i in count():
            if not profile_library().cg2p_part_description(self.handle, SIZE(i), *texts):
                return
            yield text_of(kind.value), text_of(text.value)

    def _read_descriptions(self, header: Header) -> None:
        found = profile_library()
        for kind, text in self.descriptions():
            if kind == _ESTIMATED:
                header.estimated = frozenset(text.split("\t"))
            else:
                header.descriptions[kind] = text
        number, first = U64(), TEXT()
        counted = reference(first), reference(number)
        for i in count():
            if not found.cg2p_part_skipped(self.handle, SIZE(i), *counted):
                break
            header.skipped[text_of(first.value)] = number.value

    def _read_columns(self, header: Header) -> None:
        found = profile_library()
        header.positions = []
        while column := found.cg2p_part_column(self.handle, SIZE(len(header.positions))):
            header.positions.append(text_of(column))
        header.events = [text_of(found.cg2p_part_event(self.handle, i)) for i in range(self.width)]
        header.event_definitions = {event.name: event for event in _definitions(self)}
        header.line_of["events"] = found.cg2p_part_events_line(self.handle)
        positions = found.cg2p_part_positions_line(self.handle)
        if positions:
            header.line_of["positions"] = positions
        header.line_of["version"] = found.cg2p_profile_version_line(self.profile.handle)

    def _read_sums(self, header: Header) -> None:
        line = U64()
        for which, name in enumerate(("summary", "totals")):
            address = profile_library().cg2p_part_stated_cost(self.handle, which, reference(line))
            if address:
                setattr(header, name, numbers_at(address, self.width).tolist())
                header.line_of[name] = line.value


def _rows(flat: "array[int]", width: int) -> list[Cost]:
    numbers = flat.tolist()
    return [numbers[start : start + width] for start in range(0, len(numbers), width)]


def add_many_up(
    part: LibraryPart, kind: int, keys: int, function_as: "array[int]", file_as: "array[int]"
) -> LargeTable:
    """The same as add_up, of so many rows that it takes time to copy them."""
    return LargeTable(_added_up(part, kind, keys, (function_as, None, file_as)), part.width)


def _added_up(
    part: LibraryPart,
    kind: int,
    keys: int,
    counts_as: Sequence[Sequence[int] | None],
    each: bool = False,
    of_first: int = 0,
    limit: Limit | None = None,
    graph: Any = None,
) -> ADDRESS:
    """A table of the library's; functions, targets and files count as maps say."""
    error = cg2p_error()
    maps = [_map_of(numbers) for numbers in counts_as]
    question = cg2p_question(kind, keys, *map(address_of, maps), each, of_first)
    if limit:
        least = array("Q", limit.least)
        question.limit = pointer(cg2p_limit(address_of(least), limit.few, limit.rest))
    of = part.profile.handle, part.handle
    asked = reference(question), reference(error)
    if graph:
        address = profile_library().cg2p_table_new_of_calls(*of, graph, *asked)
    else:
        address = profile_library().cg2p_table_new(*of, *asked)
    if not address:
        raise_error(error, part.profile.path)
    return ADDRESS(address)


def _definitions(part: LibraryPart) -> Iterator[EventDefinition]:
    made, event = cg2p_definition(), TEXT()
    for i in count():
        if not profile_library().cg2p_part_definition(part.handle, SIZE(i), reference(made)):
            return
        terms = []
        for term in range(made.n_terms):
            factor = profile_library().cg2p_part_term(
                part.handle, SIZE(i), U32(term), reference(event)
            )
            terms.append((int(factor), text_of(event.value)))
        yield EventDefinition(text_of(made.name), terms, text_of(made.long_name))


class LibraryProfile:
    """A profile of the library's, which is freed with it."""

    def __init__(self, address: int, path: str) -> None:
        found = profile_library()
        self.path = path
        self.handle = ADDRESS(address)
        self.version: int = found.cg2p_profile_version(self.handle)
        self.creator = text_of(found.cg2p_profile_creator(self.handle))
        self.cut_off = text_of(found.cg2p_profile_cut_off(self.handle))
        """Where the file was, as "behind line 6, at byte 77"; "": it was not, or nobody knows."""
        self._names: list[str] = []

    def __del__(self) -> None:
        profile_library().cg2p_profile_free(self.handle)

    @property
    def parts(self) -> list[LibraryPart]:
        """The parts, each of which keeps the profile."""
        return [
            LibraryPart(self, i)
            for i in range(profile_library().cg2p_profile_part_count(self.handle))
        ]

    @property
    def names(self) -> list[str]:
        """The texts of names, by number."""
        if not self._names:
            self._names = text_of(self._letters_of_names()).split("\0")[:-1]
        return self._names

    def name(self, number: int) -> str:
        """A name by its number; the texts of others are not made."""
        if self._names:
            return self._names[number]
        length = SIZE()
        text = profile_library().cg2p_profile_name(self.handle, U32(number), reference(length))
        return text_at(text, length.value)

    def names_that_begin(self, start: str) -> set[int]:
        """The numbers of the names that begin so."""
        return set(self._names_like(_BEGINS, start))

    def numbers_of(self, name: str) -> list[int]:
        """The number of a name; none, if there is no such name."""
        return self._names_like(_IS, name)

    def names_with(self, letters: str) -> dict[int, str]:
        """The names, by their numbers, that have one of these ASCII letters."""
        return {number: self.name(number) for number in self._names_like(_HAS_BYTE, letters)}

    def _names_like(self, how: int, text: str) -> list[int]:
        """The numbers of the names that are found by a text, see cg2p_name_search."""
        found = profile_library()
        wanted = text.encode("utf-8", "surrogateescape")
        numbers = zeros(found.cg2p_profile_name_count(self.handle), "I")
        to = ADDRESS(address_of(numbers))
        count = found.cg2p_profile_find_names(self.handle, how, wanted, SIZE(len(wanted)), to)
        return numbers[:count].tolist()

    def _letters_of_names(self) -> bytearray:
        """All names, each with a 0 behind it; nothing is copied twice."""
        found = profile_library()
        letters = bytearray(found.cg2p_profile_copy_names(self.handle, None))
        found.cg2p_profile_copy_names(self.handle, ADDRESS(address_behind(letters, 0)))
        return letters

    def write(self, path: str | os.PathLike[str], form: int = 0) -> None:
        """Write the file, which appears when it is complete; "-" is standard output."""
        error = cg2p_error()
        if not profile_library().cg2p_profile_write(
            self.handle, os.fsencode(path), form, reference(error)
        ):
            raise_error(error, "standard output" if path == "-" else os.fspath(path))


def read(
    path: str | os.PathLike[str],
    progress: Progress | None = None,
    detail: int = LINES,
    partial: bool = False,
    paths: bool = False,
) -> LibraryProfile:
    """Read a file, "-": standard input, and keep what `detail` says.

    What is no proper profile is a ProfileError.  With `partial`, what there is of one that was
    cut off is one; with `paths`, so is a file of paths.
    """
    error = cg2p_error()
    report = cg2p_progress(REPORT(lambda _, done, all: progress(done, all) if progress else None))
    address = profile_library().cg2p_profile_read(
        os.fsencode(lasting(path)),
        detail,
        (_PARTIAL if partial else 0) | (_PATHS if paths else 0),
        reference(report) if progress else None,
        reference(error),
    )
    return _made(address, os.fspath(path), error)


def read_folded(path: str | os.PathLike[str], event: str, partial: bool = False) -> LibraryProfile:
    """Read folded stacks, as of perf, whose numbers count `event`.

    What is no folded stack is a ProfileError; `partial` is that of `read`.
    """
    error = cg2p_error()
    address = profile_library().cg2p_profile_read_folded(
        os.fsencode(lasting(path)),
        event.encode("utf-8", "surrogateescape"),
        _PARTIAL if partial else 0,
        reference(error),
    )
    return _made(address, os.fspath(path), error)


def read_paths(path: str | os.PathLike[str], partial: bool = False) -> LibraryProfile:
    """Read a file of paths, as a profile in which each path is a function.

    What is no such file is a ProfileError; `partial` is that of `read`.
    """
    error = cg2p_error()
    address = profile_library().cg2p_profile_read_paths(
        os.fsencode(lasting(path)), _PARTIAL if partial else 0, reference(error)
    )
    return _made(address, os.fspath(path), error)


def _made(address: int | None, path: str, error: cg2p_error) -> LibraryProfile:
    """What was read, or the error."""
    name = STANDARD_INPUT if path == "-" else path
    if not address:
        raise_error(error, name)
    return LibraryProfile(address, name)


# ---- Sums ------------------------------------------------------------------


class Sum:
    """A sum that is being made, of whole profiles or of parts, which is freed with it.

    Whole profiles need the same events and positions, and become one part; see cg2p_merge_add.
    Parts are added to the one that was begun last; see cg2p_merge_begin_part.
    """

    def __init__(self) -> None:
        self._path = ""
        self._handle: ADDRESS | None = None
        address = profile_library().cg2p_merge_new()
        if not address:
            raise MemoryError
        self._handle = ADDRESS(address)

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_merge_free(self._handle)

    def _call(self, name: str, profile: LibraryProfile, *arguments: Any) -> None:
        error = cg2p_error()
        self._path = self._path or profile.path
        function = getattr(profile_library(), f"cg2p_merge_{name}")
        if not function(self._handle, profile.handle, *arguments, reference(error)):
            raise_error(error, profile.path)

    def add_profile(self, profile: LibraryProfile) -> None:
        self._call("add", profile)

    def begin(
        self,
        like: LibraryPart,
        events: Sequence[str] = (),
        positions: Sequence[str] = (),
        with_jumps: bool = True,
    ) -> None:
        """Begin a part, which the next ones are added to.

        `events` and `positions`, if there are some, take the place of those of `like`.
        """
        columns = sum({_COLUMNS[name] for name in positions})
        names = Texts(events)
        form = cg2p_form(names.address if events else None, len(events), columns, not with_jumps)
        self._call("begin_part", like.profile, SIZE(like.number), reference(form))

    def add(
        self,
        part: LibraryPart,
        file_of: Callable[[str], str] | None = None,
        key_of: Callable[[FunctionKey], FunctionKey] | None = None,
        events: Sequence[int] = (),
    ) -> None:
        """Add a part whose files, functions and events become others.

        `events` has the number of the sum's event for each of the part's, or NO_EVENT.
        """
        texts = _Numbers()
        keys = map(key_of, part.functions()) if key_of else ()
        functions = [texts[text] for key in keys for text in key] if key_of else None
        files = [texts[file_of(name)] for name in part.profile.names] if file_of else None
        self._add(part, texts, functions, files, events or None)

    def add_renamed(
        self, part: LibraryPart, files: Iterable[str], functions: Iterable[str]
    ) -> None:
        """Add a part with other names: of files (and objects), for each name of the profile, and
        of functions, for each of the part's."""
        texts = _Numbers()
        file_as = array("I", map(texts.__getitem__, files))
        keys = part.function_names()
        for place in range(2):
            keys[place::3] = array("I", map(file_as.__getitem__, keys[place::3]))
        keys[2::3] = array("I", map(texts.__getitem__, functions))
        self._add(part, texts, keys, file_as, None)

    def _add(self, part: LibraryPart, texts: Iterable[str], *maps: Sequence[int] | None) -> None:
        """Add a part; `maps` are those of a cg2p_mapping."""
        arrays = list(map(_map_of, maps))
        names = Texts(list(texts))
        mapping = cg2p_mapping(names.address, *map(address_of, arrays))
        self._call("add_part", part.profile, SIZE(part.number), reference(mapping))

    def result(self) -> LibraryProfile:
        """What was added up; nothing more can be added."""
        error = cg2p_error()
        handle, self._handle = self._handle, None
        address = profile_library().cg2p_merge_end(handle, reference(error))
        if not address:
            raise_error(error, self._path or "a sum")
        return LibraryProfile(address, self._path)


class _Numbers(dict[str, int]):
    """Texts, each with a number, which is given when it is asked for."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


class Texts:
    """Texts as the library takes them, one behind the other; none of them has a 0 in it."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._letters = "\0".join(texts).encode("utf-8", "surrogateescape")
        start = address_of_bytes(self._letters)
        sizes = map(add, map(len, self._letters.split(b"\0")), repeat(1))
        self._addresses = array("L", accumulate(sizes, initial=start))

    @property
    def address(self) -> int | None:
        """Where the address of each text stands, as long as this is there."""
        return address_of(self._addresses)


# ---- Inlined functions -----------------------------------------------------


class Inlining:
    """A profile that is taken apart by inlined functions, which is freed with it."""

    def __init__(self, profile: LibraryProfile) -> None:
        error = cg2p_error()
        self._profile = profile
        self._handle: ADDRESS | None = None
        address = profile_library().cg2p_inlining_new(profile.handle, reference(error))
        if not address:
            raise_error(error, profile.path)
        self._handle = ADDRESS(address)

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_inlining_free(self._handle)

    @property
    def objects(self) -> list[str]:
        """The names of objects that have instructions in the profile."""
        found = profile_library()
        count = found.cg2p_inlining_object_count(self._handle)
        numbers = (found.cg2p_inlining_object_name(self._handle, SIZE(i)) for i in range(count))
        return [self._profile.names[number] for number in numbers]

    def addresses(self, number: int) -> tuple[int, int]:
        """Where the addresses of an object's instructions lie, and how many there are."""
        length = SIZE()
        where = profile_library().cg2p_inlining_addresses(
            self._handle, SIZE(number), reference(length)
        )
        return where, length.value

    def add(self, number: int, inlines: int) -> None:
        """Say what debug information says of an object: where a cg2p_inlines lies, which stays."""
        profile_library().cg2p_inlining_add(self._handle, SIZE(number), ADDRESS(inlines))

    def result(self) -> LibraryProfile:
        """The profile that was taken apart."""
        error = cg2p_error()
        handle, self._handle = self._handle, None
        address = profile_library().cg2p_inlining_end(handle, reference(error))
        if not address:
            raise_error(error, self._profile.path)
        return LibraryProfile(address, self._profile.path)
