"""Inlined functions as functions: a profile taken apart by debug information."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from itertools import compress

from cg2tools.commandline.console import Busy
from cg2tools.debug.libcg2debug import DebugError, DebugObject, MovedError
from cg2tools.bindings.interface import debug_library
from cg2tools.profile.libcg2profile import Inlining
from cg2tools.profile.model import UNKNOWN, Part, Profile, ProfileError, part_of
from cg2tools.profile.terms import say
from cg2tools.profile.transform import as_file
from cg2tools.program.ran import changed_object, warn


def taken_apart(profile: Profile) -> Profile:
    """The profile with functions of their own in place of code that was inlined.

    A profile that has no addresses, or that was taken apart already, is a ProfileError;
    DebugError: no object has debug information. stderr says which objects have it in
    files that are not there.
    """
    debug_library()
    inlining = Inlining(as_file(profile))
    demangles = not _is_mangled(part for part in profile.parts)
    with ExitStack() as opened:
        said = [
            _add(inlining, number, name, demangles, opened)
            for number, name in enumerate(inlining.objects)
        ]
        if said and not any(error is None for error in said):
            raise DebugError(_most_telling([str(error) for error in said]))
        for error in said:
            if isinstance(error, MovedError):
                say(f"{profile.path}: warning: {error}")
        _say_missing(profile, {name for name, error in zip(inlining.objects, said) if error})
        _say_changed(profile, compress(inlining.objects, map(_is_none, said)))
        made = inlining.result()
    parts = [part_of(part, like) for part, like in zip(made.parts, profile.parts)]
    return replace(profile, parts=parts)


def _is_none(error: DebugError | None) -> bool:
    return error is None


_LEAST = 1.0
"""Percent of the cost that objects have of which it is said that debug information is missing."""


def _say_missing(profile: Profile, missing: set[str]) -> None:
    """Tell stderr in a line how much of the cost is in objects without debug information, if that matters.

    What --extra-debuginfo-path names only Valgrind finds: lines and files are in the profile then.
    """
    first = profile.parts[0]
    costs: dict[str, int] = {}
    for part in profile.parts:
        for key, cost in zip(part.keys, part.lines.self_costs()):
            costs[key.object] = costs.get(key.object, 0) + cost[0]
    total = sum(costs.values())
    shares = {
        name: 100 * costs[name] / total
        for name in missing - {UNKNOWN}
        if total and 100 * costs.get(name, 0) >= _LEAST * total
    }
    if shares:
        named = ", ".join(
            f"{name} ({share:.1f}% of {first.events[0]})"
            for name, share in sorted(shares.items(), key=lambda item: (-item[1], item[0]))
        )
        text = f"{named}: no debug information is found here, so that inlined functions there are not shown"
        warn(
            first,
            f"{text}; expected objects with debug information (-g) or debug files beside them",
        )


def _say_changed(profile: Profile, read: Iterable[str]) -> None:
    """Tell stderr of objects that are not those that ran."""
    for name in read:
        for part in profile.parts:
            warn(part, changed_object(name, part))


def _most_telling(reasons: list[str]) -> str:
    """The first reason that is of a file, of those why objects have no debug information."""
    return next((reason for reason in reasons if not reason.startswith("???")), reasons[0])


def shown_apart(command: str, profile: Profile) -> Profile:
    """The profile taken apart for a command: where there is no debug information, a ProfileError says so."""
    try:
        with Busy(command, "reading debug information"):
            made = taken_apart(profile)
    except DebugError as error:
        raise ProfileError(
            profile.path, 1, f"{error}; expected objects with debug information (-g)"
        ) from error
    return made


def _add(
    inlining: Inlining, number: int, name: str, demangles: bool, opened: ExitStack
) -> DebugError | None:
    """Add what debug information says of an object; why there is none, or None."""
    try:
        debug = opened.enter_context(DebugObject(name, only_inlines=True))
        inlining.add(number, debug.inlines(*inlining.addresses(number), demangles))
    except DebugError as error:
        return error
    return None


def _is_mangled(parts: Iterable[Part]) -> bool:
    """Whether names of C++ and Rust are those of symbols, as of --demangle=no."""
    names = [key.name for part in parts for key in part.lines.functions()]
    return any(name.startswith(("_Z", "_R")) for name in names) and not any(
        "::" in name for name in names
    )
