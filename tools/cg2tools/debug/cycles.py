"""Cycles of a profile: estimated of what it counts and of the machine code, by a processor's table."""

from contextlib import ExitStack
from dataclasses import replace

from cg2tools.bindings.interface import debug_library
from cg2tools.commandline.console import Busy
from cg2tools.debug.libcg2debug import DebugError, DebugObject
from cg2tools.profile.cores import NATIVE, Core, UnknownCoreError, native
from cg2tools.profile.cycles import Estimating
from cg2tools.profile.model import UNKNOWN, Profile, ProfileError, part_of
from cg2tools.profile.transform import as_file
from cg2tools.program.ran import changed_object, warn

_LEAST = 1.0
"""Percent of instructions in objects without code of which it is said that they are not covered."""


def estimated(command: str, profile: Profile, cpu: str, seed: int = 0) -> Profile:
    """A profile with its cycles on a processor; ProfileError: it has no addresses or no jumps."""
    debug_library()
    core = Core(_native(profile) if cpu == NATIVE else cpu)
    with Busy(command, "estimating cycles"), ExitStack() as opened:
        estimating = Estimating(as_file(profile), core)
        missing = {
            name
            for number, name in enumerate(estimating.objects)
            if not _add(estimating, number, name, opened)
        }
        made = estimating.result(seed)
        loops = estimating.loops()
        del estimating
    _say_missing(profile, missing)
    for name in {key.object for part in profile.parts for key in part.keys} - missing - {UNKNOWN}:
        for part in profile.parts:
            warn(part, changed_object(name, part))
    parts = [part_of(part, like) for part, like in zip(made.parts, profile.parts, strict=True)]
    return replace(profile, parts=parts, loops=loops)


def _native(profile: Profile) -> str:
    """The processor that the command runs on, where none is named."""
    try:
        return native()
    except UnknownCoreError as error:
        raise ProfileError(profile.path, 1, f"--cycles=native: {error}") from error


def _add(estimating: Estimating, number: int, name: str, opened: ExitStack) -> bool:
    """Whether the code of an object could be added."""
    try:
        code = opened.enter_context(DebugObject(name, only_code=True))
        estimating.add(number, code.operations(*estimating.addresses(number)))
    except DebugError:
        return False
    return True


def _say_missing(profile: Profile, missing: set[str]) -> None:
    """Tell stderr how much of the instructions is in objects whose code is not there, if that matters."""
    first = profile.parts[0]
    total = without = 0
    for part in profile.parts:
        for key, cost in zip(part.keys, part.lines.self_costs(), strict=True):
            total += cost[0]
            without += cost[0] if key.object in missing else 0
    if 100 * without >= _LEAST * total > 0:
        named = ", ".join(sorted(missing))
        text = (
            f"{named}: no code is found here for {100 * without / total:.1f}% of {first.events[0]}"
        )
        warn(first, f"{text}, whose cycles are those of other instructions on average")
