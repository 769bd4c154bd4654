"""The reader of the Callgrind format, for the whole project the only one.

    profile = read_profile("cg2.out.4711")

Words of the format:

spec        a body line `fn=main`: what the following lines belong to
id          a number for a name: `fn=(3) main` defines it, `fn=(3)` uses it;
            objects, files and functions count separately, and anew per part
subposition one number of a position: an address or a line.  `+3`, `-3` and
            `*` are relative to the previous cost line
cost line   subpositions, then costs; costs missing at the end are 0
association `calls=`, `jump=` or `jcnd=` and the target's position; the line
            after it has the source's position and the calls' inclusive cost.
            The file of a jump's target is given by `jfi=`, which Callgrind
            writes, or by `cfi=`, which the format's grammar knows

The reader is strict: what the format does not allow is a ProfileError that
names the line.  That the file's sums agree is for `Part.check()` to say.

Most of a file is runs of cost lines.  A run whose lines are of the usual form
is matched by one regular expression and taken apart in columns, in a third of
the time that its lines would take one by one.  All other lines are read one by
one, and whatever is wrong is found there.
"""

import gc
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from typing import NoReturn

from cg2tools.profile.events import parse_event
from cg2tools.profile.model import (
    Call,
    Cost,
    CostLines,
    Function,
    FunctionKey,
    Jump,
    Part,
    Profile,
    ProfileError,
    UNKNOWN,
    lines_at,
    shortened,
)
from cg2tools.profile.positions import NUMBERS, Position, columns_named

_COST_LINE_STARTS = frozenset(b"0123456789+-*")
_CALL_START = ord("c")
_LINE_END = ord("\n")

_NOTHING = re.compile(rb"(?!)")
_HEXADECIMAL = re.compile(rb"0x[0-9a-fA-F]+")
_RANGE = re.compile(rb"(0x[0-9a-fA-F]+|[0-9]+)[-+:](?:0x[0-9a-fA-F]+|[0-9]+)")
_ID = re.compile(rb"\(([0-9]{1,18}|0x[0-9a-fA-F]{1,16})\)")
_SKIPPED = re.compile(r"Skipped:\s*([0-9]{1,20}) (.+)")

_Subposition = tuple[bool, int]
"""Is it relative, and the number."""

_Move = list[tuple[int, bool, int]]
"""For each column of a line: which of a Position's NUMBERS it is, and the subposition."""

_ZEROS = [0] * len(NUMBERS)


_RUN_LINES = 10_000
"""The most lines of a run: a bound for the memory that it takes."""

_PROGRESS_STEP = 1 << 20
"""How many bytes are read between two calls of `progress`."""

_NOT_READ = {
    b"rec": "--mangle-names=no",
    b"frfn": "--mangle-names=no",
    b"bb": "--dump-bbs=yes",
    b"ln": "--dump-bbs=yes",
}
"""Specs that Callgrind's hidden options write and no reader understands."""


Progress = Callable[[int, int], None]
"""Called now and then with what is done, bytes here, and what is to be done."""


def read_profile(path: str | os.PathLike[str], progress: Progress | None = None) -> Profile:
    """Read a file.  Raise ProfileError if malformed, OSError if unreadable."""
    with open(path, "rb") as stream:
        data = stream.read()
    collecting = gc.isenabled()
    gc.disable()  # nothing read is garbage, and there are millions of objects
    try:
        reader = _Reader(os.fspath(path), data, progress)
        try:
            return reader.read()
        finally:
            reader.forget_methods()
    finally:
        if collecting:
            gc.enable()


def is_profile(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a profile, as viewers decide it."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(2047)
    except OSError:
        return False
    return (
        start.startswith(b"# callgrind format")
        or re.search(rb"^(events|creator):", start, re.MULTILINE) is not None
    )


class _Names:
    """The ids of one kind of name: those of this part, those before it."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.names: dict[bytes, str] = {}  # keyed by reference, as b"(12)"
        self.earlier: dict[bytes, str] = {}

    def forget(self) -> None:
        """Begin a new part."""
        self.earlier.update(self.names)
        self.names = {}


class _Reader:
    """A pass over a file: the state of its header, part and position."""

    def __init__(self, path: str, data: bytes, progress: Progress | None) -> None:
        self.path = path
        self.data = data
        self.progress = progress
        self.start = 0  # where the current line starts
        self.end = 0  # where the current line ends and the next one starts
        self.counted = 0, 1  # a place in the file, and the line it is in
        self.next_progress = _PROGRESS_STEP
        self.profile = Profile(path)
        self.numbers = _Numbers()
        self.subpositions = _Subpositions(self.numbers)
        self.objects = _Names("object")
        self.files = _Names("file")
        self.function_names = _Names("function")
        self.headers: dict[bytes, Callable[[str], None]] = {
            b"version": self.read_version,
            b"creator": self.read_creator,
            b"pid": self.read_pid,
            b"cmd": self.read_cmd,
            b"part": self.read_part,
            b"thread": self.read_thread,
            b"desc": self.read_description,
            b"event": self.read_event,
            b"positions": self.read_positions,
            b"events": self.read_events,
            b"summary": self.read_summary,
            b"totals": self.read_totals,
            b"arch": self.ignore,
            b"timeframe (BB)": self.ignore,
        }
        self.specs: dict[bytes, Callable[[bytes], None]] = {
            b"ob": self.read_ob,
            b"fl": self.read_fl,
            b"fi": self.read_fi,
            b"fe": self.read_fi,
            b"fn": self.read_fn,
            b"cob": self.read_cob,
            b"cfi": self.read_cfi,
            b"cfl": self.read_cfi,
            b"cfn": self.read_cfn,
            b"calls": self.read_calls,
            b"jfi": self.read_jfi,
            b"jfn": self.read_jfn,
            b"jump": self.read_jump,
            b"jcnd": self.read_jcnd,
            b"cfni": self.ignore_spec,
        }
        self.begin_part(Part(path))

    def forget_methods(self) -> None:
        """Drop the methods that refer to the reader, so that what it holds is freed."""
        self.headers.clear()
        self.specs.clear()

    def begin_part(self, part: Part) -> None:
        self.part = part
        self.profile.parts.append(part)
        self.in_body = False
        self.header_seen: set[bytes] = set()
        for names in (self.objects, self.files, self.function_names):
            names.forget()
        self.object = UNKNOWN
        self.function_file = UNKNOWN  # the file of the last fl=
        self.file = UNKNOWN  # the file of the last fl=, fi= or fe=
        self.function_name: str | None = None
        self.function: Function | None = None  # bound by its first line
        self.callee_object: str | None = None
        self.callee_file: str | None = None
        self.callee_name: str | None = None
        self.jump_file: str | None = None
        self.jump_function: str | None = None
        self.set_columns(part.positions)
        self.run = self.call = _NOTHING  # until the body begins
        self.last = _ZEROS.copy()  # the numbers of the last cost line's position

    def set_columns(self, names: list[str]) -> bool:
        """Whether lines can begin with columns of these names; then they do."""
        columns = columns_named(names)
        if columns is not None:
            self.columns = names
            self.places = [column.place for column in columns]
        return columns is not None

    # ---- Lines ------------------------------------------------------------

    def read(self) -> Profile:
        data, size = self.data, len(self.data)
        while self.end < size:
            first = data[self.end]
            if first == _LINE_END:
                self.end += 1
            elif first in _COST_LINE_STARTS:
                if run := self.run.match(data, self.end):
                    self.start, self.end = run.span()
                    self.read_run(run[0])
                else:
                    self.read_cost_line(self.next_line())
            elif not (
                first == _CALL_START
                and (call := self.call.match(data, self.end))
                and self.read_call(call)
            ):
                self.read_other_line(self.next_line())
            if self.end >= self.next_progress:
                self.report_progress()
        if not size:
            self.fail("the file is empty; expected a profile")
        if not self.part.events:
            self.fail("the file ends without an events: line; expected one")
        return self.profile

    def next_line(self) -> bytes:
        """The next line; empty, and not the current line, at the file's end."""
        start = self.end
        end = self.data.find(b"\n", start) + 1 or len(self.data)
        if start < end:
            self.start, self.end = start, end
        return self.data[start:end]

    @property
    def line(self) -> int:
        """The number of the current line."""
        place, line = self.counted
        line += self.data.count(b"\n", place, self.start)
        self.counted = self.start, line
        return line

    def report_progress(self) -> None:
        self.next_progress = self.end + _PROGRESS_STEP
        if self.progress:
            self.progress(self.end, len(self.data))

    def read_other_line(self, text: bytes) -> None:
        text = text.strip(b"\r\n")
        key, _, value = text.partition(b"=")
        read_spec = self.specs.get(key)
        if read_spec is not None:
            if not self.in_body:
                self.begin_body()
            read_spec(value)
        elif text.strip() and not text.startswith(b"#"):
            self.read_header_line(text)

    def begin_body(self) -> None:
        if not self.part.events:
            self.fail("the body begins before the events: line; " "expected events: in the header")
        self.in_body = True
        form = len(self.columns), len(self.part.events)
        self.run = _run_pattern(*form)
        self.call = _call_pattern(*form)
        self.moves: dict[bytes, _Move] = {}

    def read_header_line(self, text: bytes) -> None:
        key, _, value = text.partition(b":")
        read_header = self.headers.get(key)
        if read_header is None:
            self.fail_unknown(text)
        if key not in (b"summary", b"totals"):
            if self.in_body or b"totals" in self.header_seen:
                self.begin_part(self.next_part())
        if key not in (b"desc", b"event"):
            if key in self.header_seen:
                self.fail(f"a second {_shown(key)}: line; " "expected one in each part")
            self.header_seen.add(key)
        read_header(_text(value).strip())

    def next_part(self) -> Part:
        """A part has what is said once per file from the part before it."""
        before = self.part
        return Part(
            self.path, pid=before.pid, cmd=before.cmd, descriptions=before.descriptions.copy()
        )

    def fail(self, message: str) -> NoReturn:
        raise ProfileError(self.path, self.line, message)

    def fail_unknown(self, text: bytes) -> NoReturn:
        option = _NOT_READ.get(text.partition(b"=")[0])
        if option:
            self.fail(
                f"'{_shown(text)}' is written with {option} only; "
                "expected a profile made without that option"
            )
        if b"\0" in text:
            self.fail("binary data; expected a profile, which is text")
        self.fail(
            f"unknown line '{_shown(text)}'; " "expected 'key: value', 'spec=name' or a cost line"
        )

    # ---- Header -----------------------------------------------------------

    def ignore(self, value: str) -> None:
        """A key that says nothing about costs."""

    def read_version(self, value: str) -> None:
        self.profile.version = self.header_number("version", value)
        self.part.line_of["version"] = self.line
        if self.profile.version > 1:
            self.fail(f"version {shortened(value)}; expected version 0 or 1")

    def read_creator(self, value: str) -> None:
        self.profile.creator = value

    def read_pid(self, value: str) -> None:
        self.part.pid = self.header_number("pid", value)

    def read_cmd(self, value: str) -> None:
        self.part.cmd = value

    def read_part(self, value: str) -> None:
        self.part.part = self.header_number("part", value)

    def read_thread(self, value: str) -> None:
        self.part.thread = self.header_number("thread", value)

    def read_description(self, value: str) -> None:
        kind, colon, text = value.partition(":")
        if not colon or not kind.strip():
            self.fail(f"desc: '{shortened(value)}'; expected 'desc: type: value'")
        skipped = _SKIPPED.fullmatch(value)
        if skipped:
            self.part.add_skipped({skipped[2]: int(skipped[1])})
        else:
            self.part.descriptions[kind.strip()] = text.strip()

    def read_event(self, value: str) -> None:
        try:
            definition = parse_event(value)
        except ValueError as error:
            self.fail(str(error))
        self.part.event_definitions[definition.name] = definition

    def read_positions(self, value: str) -> None:
        if not self.set_columns(value.split()):
            self.fail(
                f"positions: '{shortened(value)}'; expected 'line', 'instr' or " "'instr line'"
            )
        self.part.positions = self.columns
        self.part.line_of["positions"] = self.line

    def read_events(self, value: str) -> None:
        events = value.split()
        if not events or len(set(events)) < len(events):
            self.fail(f"events: '{shortened(value)}'; expected one or more different " "names")
        self.part.events = events
        self.costs = _Costs(self.numbers, len(events))
        self.part.line_of["events"] = self.line

    def read_summary(self, value: str) -> None:
        self.part.summary = self.sum_line("summary", value)

    def read_totals(self, value: str) -> None:
        self.part.totals = self.sum_line("totals", value)

    def sum_line(self, key: str, value: str) -> Cost:
        if not self.part.events:
            self.fail(f"{key}: before events:; expected events: first")
        self.part.line_of[key] = self.line
        return list(self.cost(_bytes(value)))

    def header_number(self, key: str, value: str) -> int:
        try:
            return self.numbers[_bytes(value)]
        except KeyError:
            self.fail(f"{key}: '{shortened(value)}'; expected a number")

    # ---- Names ------------------------------------------------------------

    def ignore_spec(self, value: bytes) -> None:
        """A mark that says nothing about costs."""

    def read_ob(self, value: bytes) -> None:
        self.object = self.name(self.objects, value)
        self.function = None

    def read_fl(self, value: bytes) -> None:
        self.function_file = self.file = self.name(self.files, value)
        self.function = None

    def read_fi(self, value: bytes) -> None:
        self.file = self.name(self.files, value)

    def read_fn(self, value: bytes) -> None:
        self.function_name = self.name(self.function_names, value)
        self.file = self.function_file
        self.function = None

    def read_cob(self, value: bytes) -> None:
        self.callee_object = self.name(self.objects, value)

    def read_cfi(self, value: bytes) -> None:
        self.callee_file = self.name(self.files, value)

    def read_cfn(self, value: bytes) -> None:
        self.callee_name = self.name(self.function_names, value)

    def read_jfi(self, value: bytes) -> None:
        self.jump_file = self.name(self.files, value)

    def read_jfn(self, value: bytes) -> None:
        self.jump_function = self.name(self.function_names, value)

    def name(self, ids: _Names, value: bytes) -> str:
        """The name that a spec's value gives: a name, "(id) name" or "(id)"."""
        value = value.lstrip(b" \t")
        known = ids.names.get(value)
        if known is not None:
            return known
        if not (value[:1] == b"(" and value[1:2].isdigit()):
            return _text(value.rstrip(b" \t"))
        reference = _ID.match(value)
        if reference is None:
            self.fail(f"'{_shown(value)}'; expected '(number) name'")
        key = _reference(reference)
        if reference.end() == len(value):
            return self.named(ids, key)
        return self.define(ids, key, value[reference.end() :].strip(b" \t"))

    def named(self, ids: _Names, key: bytes) -> str:
        """The name of an id; what only an earlier part defines is noted."""
        name = ids.names.get(key)
        if name is None:
            name = ids.earlier.get(key)
            use = f"{ids.kind} {key.decode()}"
            if name is None:
                self.fail(
                    f"{use} is used before its definition; " f"expected '{key.decode()} name' first"
                )
            self.part.borrowed = self.part.borrowed or (self.line, use)
        return name

    def define(self, ids: _Names, key: bytes, value: bytes) -> str:
        known = ids.names.get(key)
        if known is not None and not value:
            return known
        if _ID.match(value):  # made of other names, as "(5)'2"
            value = _ID.sub(lambda part: _bytes(self.named(ids, _reference(part))), value)
        name = _text(value)
        if known is not None and known != name:
            self.fail(
                f"{ids.kind} {key.decode()} is '{name}' here and was "
                f"'{known}' before; expected one name for an id"
            )
        ids.names[key] = name
        return name

    # ---- Functions, costs, calls and jumps --------------------------------

    def bind_function(self) -> Function:
        """The function of the current ob=, fl= and fn=."""
        if self.function_name is None:
            self.fail("a cost line before the first fn=; expected fn= first")
        self.function = self.part.function_of(
            FunctionKey(self.object, self.function_file, self.function_name)
        )
        return self.function

    def read_run(self, text: bytes) -> None:
        """Lines that match `run`: only their positions can be wrong."""
        function = self.function or self.bind_function()
        *columns, costs = _columns(text, len(self.columns), len(self.part.events))
        numbers = [[0] * len(costs)] * len(NUMBERS)
        for place, tokens in zip(self.places, columns):
            found = numbers[place] = self.absolute(tokens, self.last[place])
            self.last[place] = found[-1]
        function.add_lines(CostLines(self.file, numbers, list(map(self.costs.__getitem__, costs))))

    def absolute(self, tokens: Sequence[bytes], at: int) -> list[int]:
        """What a column of subpositions means that comes after `at`."""
        found = [
            at := at + number if is_relative else number
            for is_relative, number in map(self.subpositions.__getitem__, tokens)
        ]
        if min(found) < 0:
            index = next(i for i, number in enumerate(found) if number < 0)
            self.fail_below_0(found[index], index)
        return found

    def read_cost_line(self, text: bytes) -> None:
        function = self.function or self.bind_function()
        position, cost = self.split_cost_line(text)
        function.add_lines(lines_at(position, cost))

    def split_cost_line(self, text: bytes) -> tuple[Position, Sequence[int]]:
        """Move to the position of a cost line; it, and the cost."""
        tokens = text.split(None, len(self.columns))
        position = self.moved(self.move(tokens))
        _, *self.last = position
        return position, self.cost(b"".join(tokens[len(self.columns) :]))

    def move(self, tokens: list[bytes]) -> _Move:
        """The position that a line's tokens begin with."""
        columns = self.columns
        if len(tokens) < len(columns):
            self.fail(
                f"{len(tokens)} numbers; expected a position of "
                f"{len(columns)} ({' '.join(self.columns)})"
            )
        try:
            found = [self.subpositions[token] for token in tokens[: len(columns)]]
        except KeyError as error:
            self.fail(
                f"position '{_shown(error.args[0])}'; " "expected a number, +number, -number or *"
            )

        return [(place, *subposition) for place, subposition in zip(self.places, found)]

    def moved(self, move: _Move, file: str | None = None) -> Position:
        """The position that `move` leads to from the last cost line's."""
        numbers = _ZEROS.copy()
        for place, is_relative, number in move:
            if is_relative:
                number += self.last[place]
                if number < 0:
                    self.fail_below_0(number)
            numbers[place] = number
        # half the time of Position()
        return tuple.__new__(Position, (self.file if file is None else file, *numbers))

    def fail_below_0(self, position: int, later: int = 0) -> NoReturn:
        """A position `later` lines behind the current line is negative."""
        self.counted = self.start, self.line + later
        self.fail(f"position {position} after relative steps; " "expected 0 or more")

    def cost(self, text: bytes) -> Sequence[int]:
        """The cost that a text means: a number per event; numbers missing at the end are 0."""
        try:
            cost = self.costs[text]
        except KeyError as error:
            self.fail(f"cost '{_shown(error.args[0])}'; expected a number")
        events = self.part.events
        if len(cost) > len(events):
            self.fail(f"{len(cost)} costs; expected at most {len(events)} " f"({' '.join(events)})")
        return cost

    def count(self, tokens: list[bytes], spec: str) -> int:
        """Take the count that an association begins with."""
        try:
            return self.numbers[tokens.pop(0)]
        except (IndexError, KeyError):
            self.fail(f"{spec}= without a count; " "expected a number and a position")

    def read_calls(self, value: bytes) -> None:
        tokens = value.split()
        count = self.count(tokens, "calls")
        target = self.target(tokens, "calls", self.callee_file)
        if self.callee_name is None:
            self.fail("calls= without a callee; expected cfn= first")
        callee = FunctionKey(
            self.object if self.callee_object is None else self.callee_object,
            target.file,
            self.callee_name,
        )
        self.callee_object = self.callee_file = self.callee_name = None
        self.part.function_of(callee)
        function = self.function or self.bind_function()
        source, inclusive = self.split_cost_line(self.second_line("calls"))
        function.calls.append(Call(function.key, callee, count, source, target, list(inclusive)))

    def read_call(self, match: re.Match[bytes]) -> bool:
        """Read a call that `call` matches, unless it begins before the match."""
        if self.callee_object is not None or self.callee_file is not None:
            return False
        cob, cfi, cfn, count, target, source, cost = match.groups()
        object_ = (
            self.object
            if cob is None
            else (self.objects.names.get(cob) or self.name_in(match, 1, self.objects))
        )
        file = (
            self.file
            if cfi is None
            else (self.files.names.get(cfi) or self.name_in(match, 2, self.files))
        )
        name = self.function_names.names.get(cfn) or self.name_in(match, 3, self.function_names)
        self.start, self.end = match.start(5), match.end()
        to = self.moved(self.known_move(target), file)
        self.start = match.start(6)
        function = self.function or self.bind_function()
        callee = self.part.function_of(FunctionKey(object_, file, name)).key
        at = self.moved(self.known_move(source))
        _, *self.last = at
        function.calls.append(
            Call(function.key, callee, self.numbers[count], at, to, list(self.costs[cost]))
        )
        return True

    def name_in(self, match: re.Match[bytes], group: int, ids: _Names) -> str:
        self.start = match.start(group)
        return self.name(ids, match[group])

    def known_move(self, text: bytes) -> _Move:
        """A position, parsed once."""
        move = self.moves.get(text)
        if move is None:
            move = self.moves[text] = self.move(text.split())
        return move

    def read_jump(self, value: bytes) -> None:
        tokens = value.split()
        count = self.count(tokens, "jump")
        self.add_jump("jump", tokens, count, count)

    def read_jcnd(self, value: bytes) -> None:
        """Callgrind writes taken/executed, its manual says executed taken."""
        tokens = value.split()
        if tokens and b"/" in tokens[0]:
            tokens[0:1] = tokens[0].split(b"/", 1)
            taken, executed = (self.count(tokens, "jcnd"), self.count(tokens, "jcnd"))
        else:
            executed, taken = (self.count(tokens, "jcnd"), self.count(tokens, "jcnd"))
        self.add_jump("jcnd", tokens, taken, executed)

    def add_jump(self, spec: str, tokens: list[bytes], taken: int, executed: int) -> None:
        target = self.target(tokens, spec, self.jump_file or self.callee_file)
        function = self.function or self.bind_function()
        target_function = function.key
        if self.jump_function is not None:
            target_function = FunctionKey(self.object, target.file, self.jump_function)
        self.jump_file = self.jump_function = self.callee_file = None
        text = self.second_line(spec)
        if len(text.split()) > len(self.columns):
            self.fail(f"costs after {spec}=; expected the jump's position " "alone")
        source, _ = self.split_cost_line(text)
        function.jumps.append(
            Jump(function.key, target_function, source, target, taken, executed, spec == "jcnd")
        )

    def target(self, tokens: list[bytes], spec: str, file: str | None) -> Position:
        """The position an association leads to; without cfi=, in this file."""
        if len(tokens) > len(self.columns):
            self.fail(
                f"{spec}= with {len(tokens)} numbers after the count; "
                f"expected a position of {len(self.columns)} "
                f"({' '.join(self.columns)})"
            )
        return self.moved(self.move(tokens), file)

    def second_line(self, spec: str) -> bytes:
        """The line that an association's first line must be followed by."""
        while text := self.next_line():
            if text[0] in _COST_LINE_STARTS:
                return text
            if not text.startswith(b"#"):
                self.fail(
                    f"'{_shown(text)}' after {spec}=; " f"expected the position the {spec}= is at"
                )
        self.fail(f"the file ends after {spec}=; " f"expected the position the {spec}= is at")


# ---- Lines of the usual form -----------------------------------------------
#
# Usual are numbers of at most 64 bits, no ranges, one blank between numbers.
# No quantifier is possessive: Python before 3.11.5 matches groups with these
# wrongly.  None needs to be, as a blank or a line's end follows each number.

_NUMBER = rb"(?:[0-9]{1,18}|0x[0-9a-f]{1,16})"


def _position_pattern(positions: int) -> bytes:
    return rb" ".join([rb"(?:\*|[-+]?" + _NUMBER + rb")"] * positions)


def _costs_pattern(events: int) -> bytes:
    return rb"(?: " + _NUMBER + rb"){0,%d} ?" % events


@cache
def _run_pattern(positions: int, events: int) -> re.Pattern[bytes]:
    """A run of cost lines."""
    line = _position_pattern(positions) + _costs_pattern(events) + rb"\n"
    return re.compile(rb"(?:" + line + rb"){1,%d}" % _RUN_LINES)


@cache
def _call_pattern(positions: int, events: int) -> re.Pattern[bytes]:
    """A call: object, file, function, count, target; and its cost line."""
    position = _position_pattern(positions)
    return re.compile(
        rb"(?:cob=([^\r\n]*)\n)?(?:cf[il]=([^\r\n]*)\n)?cfn=([^\r\n]*)\n"
        + rb"calls=("
        + _NUMBER
        + rb") ("
        + position
        + rb") ?\n"
        + rb"("
        + position
        + rb")("
        + _costs_pattern(events)
        + rb")\n"
    )


def _columns(
    text: bytes,
    positions: int,
    events: int,
) -> list[Sequence[bytes]]:
    """A run in columns: its subpositions, and the costs of each line."""
    width = positions + 1
    if events == 1:
        tokens = text.split()
        if len(tokens) == width * text.count(b"\n"):  # no cost is missing
            return [tokens[column::width] for column in range(width)]
    rows = [line.split(None, positions) for line in text.splitlines()]
    columns: list[Sequence[bytes]] = list(zip_longest(*rows, fillvalue=b""))
    return columns if len(columns) == width else [*columns, [b""] * len(rows)]


class _Numbers(dict[bytes, int]):
    """Each number of the file by its spelling, parsed once.

    A file has millions of numbers, few of them different: looking them up is
    twice as fast as parsing them, and equal numbers share their memory.
    """

    def __missing__(self, token: bytes) -> int:
        """Decimal digits or 0x and hexadecimal, 64 bits; else KeyError."""
        number = -1
        if token.isdigit() and len(token) <= 20:
            number = int(token)
        elif _HEXADECIMAL.fullmatch(token):
            number = int(token, 16)
        if not 0 <= number < 1 << 64:
            raise KeyError(token)
        self[token] = number
        return number


class _Costs(dict[bytes, tuple[int, ...]]):
    """The costs of a part's lines by their spelling, as b"4 0 1", parsed once.

    Three of four lines repeat those of an earlier one.
    """

    def __init__(self, numbers: _Numbers, events: int) -> None:
        super().__init__()
        self.numbers = numbers
        self.events = events

    def __missing__(self, text: bytes) -> tuple[int, ...]:
        """At least one number per event; KeyError if one is none."""
        cost = [self.numbers[token] for token in text.split()]
        cost += [0] * (self.events - len(cost))
        self[text] = known = tuple(cost)
        return known


class _Subpositions(dict[bytes, _Subposition]):
    """Subpositions by their spelling; the relative ones are parsed once."""

    def __init__(self, numbers: _Numbers) -> None:
        super().__init__({b"*": (True, 0)})
        self.numbers = numbers

    def __missing__(self, token: bytes) -> _Subposition:
        """KeyError if it is none."""
        if token.startswith(b"+"):
            subposition = True, self.numbers[token[1:]]
        elif token.startswith(b"-"):
            subposition = True, -self.numbers[token[1:]]
        else:
            range_ = None if token.isdigit() else _RANGE.fullmatch(token)
            # the beginning, if it is a range
            return False, self.numbers[range_[1] if range_ else token]
        self[token] = subposition
        return subposition


def _reference(id_: re.Match[bytes]) -> bytes:
    """The one spelling of an id that names are kept by: b"(12)"."""
    number = id_[1]
    return b"(%d)" % int(number, 16 if number.startswith(b"0x") else 10)


def _text(value: bytes) -> str:
    """Names are UTF-8 in practice; other bytes survive unchanged."""
    return value.decode("utf-8", "surrogateescape")


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _shown(value: bytes) -> str:
    return shortened(_text(value).strip())
