"""Profiles made of others: chosen parts, parts side by side, other names."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from cg2tools.profile.model import (
    Call,
    Cost,
    lines_at,
    EventDefinition,
    Function,
    FunctionKey,
    Jump,
    Part,
    Profile,
    ProfileError,
)
from cg2tools.profile.positions import Position


def added_up(profiles: Sequence[Profile]) -> Profile:
    """The parts of all profiles, as those of the first one's file."""
    first = profiles[0]
    return replace(first, parts=[part for profile in profiles for part in profile.parts])


# ---- Parts and threads -----------------------------------------------------


def chosen(profile: Profile, kind: str, numbers: set[int]) -> Profile:
    """Only the parts whose `kind`, "part" or "thread", is one of `numbers`."""
    parts = [part for part in profile.parts if _number(part, kind) in numbers]
    missing = numbers - {_number(part, kind) for part in parts}
    if missing:
        known = sorted({_number(part, kind) for part in profile.parts})
        raise ProfileError(
            profile.path,
            1,
            f"no {kind} {min(missing)}; expected one of " f"{', '.join(map(str, known))}",
        )
    return replace(profile, parts=parts)


def _number(part: Part, kind: str) -> int:
    """What is not said in the profile is 1."""
    number = part.thread if kind == "thread" else part.part
    return 1 if number is None else number


def side_by_side(profile: Profile, kind: str) -> Part:
    """All parts as one, which has events of its own for each part or thread.

    Of event Ir, part 2 becomes Ir.part2.  Ir itself is the sum of them.
    """
    merged = profile.merged()  # also checks that all have the same events
    numbers = sorted({_number(part, kind) for part in profile.parts})
    wide = replace(
        merged,
        functions={},
        summary=None,
        totals=None,
        event_definitions=merged.event_definitions.copy(),
        events=[f"{event}.{kind}{number}" for number in numbers for event in merged.events],
    )
    for event in merged.events:
        wide.event_definitions[event] = EventDefinition(
            event, [(1, f"{event}.{kind}{number}") for number in numbers], f"{event} of all {kind}s"
        )
    width = len(merged.events)
    for part in profile.parts:
        before = numbers.index(_number(part, kind)) * width
        after = len(wide.events) - before - width

        def widened(cost: Sequence[int]) -> Cost:
            return [0] * before + list(cost) + [0] * after

        for key, function in part.functions.items():
            wide.function_of(key).add(
                _mapped(function, key, len(wide.events), widened, _same, _same)
            )
    return wide


T = TypeVar("T")


def _same(anything: T) -> T:
    return anything


def _mapped(
    function: Function,
    key: FunctionKey,
    width: int,
    cost_of: Callable[[Sequence[int]], Sequence[int]],
    file_of: Callable[[str], str],
    key_of: Callable[[FunctionKey], FunctionKey],
) -> Function:
    """A copy of a function with other costs and names."""

    def moved(position: Position) -> Position:
        return position._replace(file=file_of(position.file))

    mapped = Function(key, width)
    for run in function.cost_lines():
        mapped.add_lines(run._replace(file=file_of(run.file), costs=list(map(cost_of, run.costs))))
    mapped.calls.extend(
        Call(
            key,
            key_of(call.callee),
            call.count,
            moved(call.source),
            moved(call.target),
            list(cost_of(call.inclusive)),
        )
        for call in function.calls
    )
    mapped.jumps.extend(
        Jump(
            key,
            key_of(jump.target_function),
            moved(jump.source),
            moved(jump.target),
            jump.taken,
            jump.executed,
            jump.conditional,
        )
        for jump in function.jumps
    )
    return mapped


# ---- Less of them ----------------------------------------------------------


def simplified(part: Part, events: Sequence[str]) -> Part:
    """The part by source line alone, without jumps and other events."""
    columns = [part.events.index(event) for event in events]

    def cost_of(cost: Sequence[int]) -> Cost:
        return [cost[column] for column in columns]

    def at_line(position: Position) -> Position:
        return Position(position.file, 0, position.line)

    result = replace(
        part, functions={}, positions=["line"], events=list(events), event_definitions={}
    )
    for key, function in part.functions.items():
        plain = result.function_of(key)
        for file, line, cost in function.line_costs():
            plain.add_lines(lines_at(Position(file, 0, line), cost_of(cost)))
        plain.calls.extend(
            replace(
                call,
                source=at_line(call.source),
                target=at_line(call.target),
                inclusive=cost_of(call.inclusive),
            )
            for call in function.calls
        )
    result.summary = result.totals = result.self_total()
    return result


def told_apart(part: Part) -> Part:
    """The part with functions that are alike in name named by their file, too.

    What is alike then as well has the object in its name.
    """
    names = {key: key.name for key in part.functions}
    for place in ("file", "object"):
        count = Counter(names.values())
        names = {
            key: name if count[name] == 1 else f"{name} ({getattr(key, place)})"
            for key, name in names.items()
        }

    def key_of(key: FunctionKey) -> FunctionKey:
        return key._replace(name=names[key])

    result = replace(part, functions={})
    for key, function in part.functions.items():
        result.function_of(key_of(key)).add(
            _mapped(function, key_of(key), len(part.events), _same, _same, key_of)
        )
    return result


# ---- Names -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Substitution:
    """A change of names, as sed and perl write it: "s/^.*src/src/"."""

    pattern: re.Pattern[str]
    replacement: str
    count: int  # how many places to change; 0 is all

    def __call__(self, name: str) -> str:
        return self.pattern.sub(self.replacement, name, count=self.count)


def substitution(text: str) -> Substitution:
    """The rule "s/REGEX/REPLACEMENT/FLAGS", with any mark for "/"; else ValueError.

    Flags are g, in all places, and i, letters of any case.  In the replacement
    \\1 or $1 stands for what the first group has matched.
    """
    mark = text[1:2] if text[:1] == "s" else ""
    fields = (
        [
            field.replace("\\" + mark, mark)
            for field in re.split(rf"(?<!\\){re.escape(mark)}", text[2:])
        ]
        if mark
        else []
    )
    if len(fields) != 3 or set(fields[2]) - set("gi"):
        raise ValueError(
            f"'{text}'; expected s/REGEX/REPLACEMENT/ " "with g and i behind it, or nothing"
        )
    expression, replacement, flags = fields
    replacement = re.sub(r"\$(\d)", r"\\\1", replacement)
    try:
        pattern = re.compile(expression, re.IGNORECASE if "i" in flags else 0)
        pattern.sub(replacement, "")
    except (re.error, IndexError) as error:
        raise ValueError(
            f"'{text}': {error}; expected a regular expression " "of Python"
        ) from error
    return Substitution(pattern, replacement, 0 if "g" in flags else 1)


Rename = Callable[[str], str]
"""Gives a name another one, as a Substitution does."""


def renamed(part: Part, file_names: Sequence[Rename], function_names: Sequence[Rename]) -> Part:
    """The part with other names of files (and objects) and of functions.

    What then has the same name is one file or function.
    """
    file_of = _renaming(file_names)
    key_of = key_renaming(file_names, function_names)
    result = replace(part, functions={})
    for key, function in part.functions.items():
        key = key_of(key)
        result.function_of(key).add(
            _mapped(function, key, len(part.events), _same, file_of, key_of)
        )
    return result


def key_renaming(
    file_names: Sequence[Rename],
    function_names: Sequence[Rename],
) -> Callable[[FunctionKey], FunctionKey]:
    """What gives a function the names that `renamed` gives."""
    file_of = _renaming(file_names)
    name_of = _renaming(function_names)

    def key_of(key: FunctionKey) -> FunctionKey:
        return FunctionKey(file_of(key.object), file_of(key.file), name_of(key.name))

    return key_of


def _renaming(renames: Sequence[Rename]) -> Rename:
    """All of them, one after the other."""
    known: dict[str, str] = {}

    def name_of(name: str) -> str:
        new = known.get(name)
        if new is None:
            new = name
            for rename in renames:
                new = rename(new)
            known[name] = new
        return new

    return name_of
