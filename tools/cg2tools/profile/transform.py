"""Profiles made of others: chosen parts, parts side by side, other names."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from cg2tools.profile.checks import check_one_kind
from cg2tools.profile.events import meaning_of
from cg2tools.profile.libcg2profile import NO_EVENT, LibraryPart, LibraryProfile, Sum, keys_of
from cg2tools.profile.model import (
    EventDefinition,
    FunctionKey,
    Part,
    Profile,
    ProfileError,
    part_of,
)
from cg2tools.profile.terms import names_of_threads, thread_said


def added_up(profiles: Sequence[Profile]) -> Profile:
    """The parts of all profiles, as those of the first one's file; all have to be of one kind."""
    first = profiles[0]
    for profile in profiles:
        check_one_kind(first.parts[0], profile.parts[0])
    cut_off = "; ".join(profile.cut_off for profile in profiles if profile.cut_off)
    parts = [part for profile in profiles for part in profile.parts]
    return replace(first, parts=parts, cut_off=cut_off)


def as_file(profile: Profile) -> LibraryProfile:
    """What the library has to write: a profile of these parts and no others."""
    parts = [part.lines for part in profile.parts]
    whole = parts[0].profile
    if all(part.profile is whole for part in parts) and len(parts) == len(whole.parts):
        return whole
    copied = Sum()
    for part in parts:
        copied.begin(part)
        copied.add(part)
    return copied.result()


# ---- Parts and threads -----------------------------------------------------


def chosen(profile: Profile, kind: str, numbers: set[int]) -> Profile:
    """Only the parts whose `kind`, "part" or "thread", is one of `numbers`."""
    parts = [part for part in profile.parts if _number(part, kind) in numbers]
    missing = numbers - {_number(part, kind) for part in parts}
    if missing:
        names = names_of_threads(profile.parts) if kind == "thread" else {}
        known = [
            thread_said(number, names.get(number, ""))
            for number in sorted({_number(part, kind) for part in profile.parts})
        ]
        raise ProfileError(
            profile.path,
            1,
            f"no {kind} {min(missing)}; expected one of {', '.join(known)}",
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
    width = len(merged.events)
    added = Sum()
    added.begin(
        merged.lines,
        [f"{event}.{kind}{number}" for number in numbers for event in merged.events],
        merged.positions,
    )
    for part in profile.parts:
        first = numbers.index(_number(part, kind)) * width
        added.add(part.lines, events=range(first, first + width))
    wide = part_of(added.result().parts[0], merged)
    wide.event_definitions = merged.event_definitions | {
        event: EventDefinition(
            event,
            [(1, f"{event}.{kind}{number}") for number in numbers],
            meaning_of(event, merged.event_definitions),
        )
        for event in merged.events
    }
    return wide


def sums_of_columns(part: Part, kind: str, columns: Sequence[str]) -> list[EventDefinition]:
    """For each event of a part that `side_by_side` made, the sum of those of its columns that are named.

    An event with all of its columns, or with one, has the name that this sum has already.
    """
    named: dict[str, list[str]] = {}
    for column in columns:
        event = column.rpartition(f".{kind}")[0] if column in part.events else column
        named.setdefault(event, []).append(column)
    sums = []
    for event, names in named.items():
        every = part.event_definitions.get(event)
        is_whole = event in names or every and {term[1] for term in every.terms} == set(names)
        name = event if is_whole else " + ".join(names)
        sums.append(EventDefinition(name, [(1, column) for column in names], ""))
    return sums


# ---- Less of them ----------------------------------------------------------


def simplified(part: Part, events: Sequence[str], alike: bool = True) -> Part:
    """The part by source line alone, without jumps and other events.

    Unless functions may be `alike` in name, their file is in the names of those that are, and
    the object where that is the same as well.
    """
    columns = [events.index(event) if event in events else NO_EVENT for event in part.events]
    plain = Sum()
    plain.begin(part.lines, events, ["line"], with_jumps=False)
    plain.add(part.lines, key_of=None if alike else _told_apart(part), events=columns)
    return part_of(plain.result().parts[0], part)


def with_events(part: Part, events: Sequence[str]) -> Part:
    """The part without its other events."""
    columns = [events.index(event) if event in events else NO_EVENT for event in part.events]
    fewer = Sum()
    fewer.begin(part.lines, events, part.positions)
    fewer.add(part.lines, events=columns)
    return part_of(fewer.result().parts[0], part)


def _told_apart(part: Part) -> Callable[[FunctionKey], FunctionKey]:
    names = {key: key.name for key in part.functions}
    for place in ("file", "object"):
        count = Counter(names.values())
        names = {
            key: name if count[name] == 1 else f"{name} ({getattr(key, place)})"
            for key, name in names.items()
        }
    return lambda key: key._replace(name=names[key])


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
            f"'{text}'; expected s/REGEX/REPLACEMENT/ with g and i behind it, or nothing"
        )
    expression, replacement, flags = fields
    replacement = re.sub(r"\$(\d)", r"\\\1", replacement)
    try:
        pattern = re.compile(expression, re.IGNORECASE if "i" in flags else 0)
        pattern.sub(replacement, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"'{text}': {error}; expected a regular expression of Python") from error
    return Substitution(pattern, replacement, 0 if "g" in flags else 1)


Rename = Callable[[str], str]
"""Gives a name another one, as a Substitution does."""


def renamed(part: Part, file_names: Sequence[Rename], function_names: Sequence[Rename]) -> Part:
    """The part with other names of files (and objects) and of functions.

    What then has the same name is one file or function.
    """
    return replace(
        part,
        read=renamed_lines(part, file_names, function_names),
        estimated=frozenset(all_renamed(part.estimated, function_names)),
        _functions=None,
    )


def renamed_lines(
    part: Part, file_names: Sequence[Rename], function_names: Sequence[Rename]
) -> LibraryPart:
    """What the library has of such a part."""
    result = Sum()
    lines = part.lines
    names = lines.profile.names
    functions = map(names.__getitem__, lines.function_names()[2::3])
    result.begin(lines)
    result.add_renamed(
        lines, all_renamed(names, file_names), all_renamed(functions, function_names)
    )
    return result.result().parts[0]


def all_renamed(names: Iterable[str], renames: Sequence[Rename]) -> Iterable[str]:
    """Each name as the renames, one after the other, have it."""
    for rename in renames:
        names = map(rename, names)
    return names


def renamed_keys(
    keys: Sequence[FunctionKey], file_names: Sequence[Rename], function_names: Sequence[Rename]
) -> list[FunctionKey]:
    """The functions with the names that `renamed` gives them."""
    if not keys:
        return []
    objects, files, names = zip(*keys)
    known = list({*objects, *files})
    file_as = dict(zip(known, all_renamed(known, file_names)))
    return keys_of(
        map(file_as.__getitem__, objects),
        map(file_as.__getitem__, files),
        all_renamed(names, function_names),
    )
