"""Writing profiles in other formats: what is asked for, read and written."""

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cg2tools.commandline.console import Busy, write_shown
from cg2tools.commandline.inputs import (
    check_sums,
    newest_data_files,
    newest_profiles,
    read_shown,
    say_cut_off,
)
from cg2tools.commandline.parser import Line
from cg2tools.convert.feedback import FEEDBACK_FORMS, feedback_writer
from cg2tools.data.objects import DataFile
from cg2tools.data.typed import shown_types
from cg2tools.data.typedfile import typed_text
from cg2tools.debug.cycles import estimated
from cg2tools.debug.inlines import shown_apart
from cg2tools.profile.layouts import added_up_said
from cg2tools.profile.libcg2profile import FULL_NAMES, FULL_POSITIONS
from cg2tools.profile.model import Part, Profile, ProfileError
from cg2tools.profile.morepaths import more_said
from cg2tools.profile.outputfile import write_apart
from cg2tools.profile.reader import read_folded, read_profile
from cg2tools.profile.stacks import CHROME, FIREFOX, FOLDED, PPROF, SPEEDSCOPE, Stacks
from cg2tools.profile.terms import say
from cg2tools.profile.transform import added_up, as_file, chosen, simplified

STACK_FORMATS = {
    "folded": FOLDED,
    "speedscope": SPEEDSCOPE,
    "pprof": PPROF,
    "chrome": CHROME,
    "firefox": FIREFOX,
}
_BY_LINE = ("pprof", "firefox")
READERS = ("speedscope", "gprof2dot", "gungraun")

_GUNGRAUN_EVENTS = frozenset(
    "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw ILdmr DLdmr DLdmw Bc Bcm Bi Bim Ge "
    "sysCount sysTime sysCpuTime AcCost1 AcCost2 SpLoss1 SpLoss2".split()
)


@dataclass(frozen=True, slots=True)
class Conversion:
    """From what to what a command line asks to convert."""

    line: Line
    to: str  # a format of stacks or for compilers, or callgrind
    source: str = "callgrind"  # or folded
    types: bool = False  # a data file with types

    def __getitem__(self, name: str) -> Any:
        """The value of an option; None if the command has no such option."""
        return self.line[name]


def convert(given: Conversion) -> int:
    """Write what is asked for; the exit status."""
    profile = _input(given)
    _put(_writer(profile, given), given)
    return 1 if given["partial"] and profile.cut_off else 0


def _writer(profile: Profile, given: Conversion) -> Callable[[str], None]:
    """What writes the format that is asked for to a file."""
    if given.to in FEEDBACK_FORMS:
        return feedback_writer(profile, given.to, given["object"])
    if given.to in STACK_FORMATS:
        return _stack_writer(profile, given)
    return _profile_writer(profile, given)


def _put(write: Callable[[str], None], given: Conversion) -> None:
    """Write to the file that is asked for; to a terminal, without progress in between."""
    output = given["output"]
    is_standard = output in ("", "-")
    if is_standard and sys.stdout.isatty():
        write_shown(write)
        return
    with Busy(given.line.command, f"writing {'standard output' if is_standard else output}"):
        if is_standard:
            write_shown(write)
        else:
            write_apart(output, write)


def _input(given: Conversion) -> Profile:
    if given.source == "folded":
        return added_up([_folded(path, given) for path in given["files"] or ["-"]])
    newest = newest_data_files if given.types else newest_profiles
    profiles = [
        read_shown(given.line.command, path, partial=given["partial"], paths=True)
        for path in given["files"] or newest(given.line.command)
    ]
    for profile in profiles:
        check_sums(profile)
        _check_paths(profile, given)
        if said := added_up_said(profile):
            say(f"{given.line.command}: {profile.path}: {said}")
    with Busy(given.line.command, "adding up"):
        profile = added_up(profiles)
    if given["cycles"]:
        profile = estimated(given.line.command, profile, given["cycles"])
    if given["inlines"]:
        profile = shown_apart(given.line.command, profile)
    for kind, wanted in (("part", given["parts"]), ("thread", given["threads"])):
        if wanted:
            profile = chosen(profile, kind, set(wanted))
    return profile


def _check_paths(profile: Profile, given: Conversion) -> None:
    """Paths become stacks alone."""
    if profile.parts[0].has_paths and given.to not in STACK_FORMATS:
        wanted = f"a profile, or --to={'|'.join(STACK_FORMATS)}"
        raise ProfileError(profile.path, 1, f"paths of calls; expected {wanted}")


def _folded(path: str, given: Conversion) -> Profile:
    with Busy(given.line.command, f"reading {path}"):
        profile = read_folded(path, given["event"], given["partial"])
    if given["partial"]:
        say_cut_off(profile)
    return profile


# ---- Formats ---------------------------------------------------------------


def _profile_writer(profile: Profile, given: Conversion) -> Callable[[str], None]:
    """What writes the Callgrind format to a file."""
    if given.types:
        return as_file(_typed(profile, given)).write
    if not given["reader"]:
        return as_file(profile).write
    plain = _for_reader(profile.merged(), given).lines.profile
    return lambda path: plain.write(path, FULL_NAMES | FULL_POSITIONS)


def _typed(profile: Profile, given: Conversion) -> Profile:
    """A data file with types, read as others will read it."""
    data = DataFile(profile)
    with Busy(given.line.command, "reading debug information"):
        coverage = shown_types(data, given["data_type"] or [])
    for line in filter(None, coverage.lines() or coverage.reasons):
        say(f"{given.line.command}: {line.strip()}")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "typed")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.writelines(f"{line}\n" for line in typed_text(data))
        return read_profile(path)


def _stack_writer(profile: Profile, given: Conversion) -> Callable[[str], None]:
    """What writes the stacks to a file."""
    part = profile.merged()
    form, events = STACK_FORMATS[given.to], _events(part, given["show"] or [])
    with Busy(given.line.command, "making stacks"):
        smallest = 0 if part.has_paths else given["smallest"] / 100
        stacks = Stacks(part, smallest, given.to in _BY_LINE)
    guess, more = stacks.guess(), more_said(part.events[0], [part.lines])
    for said in filter(None, (guess, more)):
        say(f"{given.line.command}: {said}")
    is_full = given["names"] == "full"
    partial = [*profile.partial, *filter(None, [more])]
    return lambda path: stacks.write(path, form, events, partial, is_full)


def _events(part: Part, show: list[str]) -> list[int]:
    """The columns to write."""
    for event in show:
        if event not in part.events:
            raise ProfileError(
                part.path,
                part.line_of.get("events", 1),
                f"no event {event}; expected one of {', '.join(part.events)}",
            )
    return [part.events.index(event) for event in show or part.events]


def _for_reader(part: Part, given: Conversion) -> Part:
    events = [part.events[event] for event in _events(part, given["show"] or [])]
    if given["reader"] == "gungraun":
        unknown = [event for event in events if event not in _GUNGRAUN_EVENTS]
        events = [event for event in events if event not in unknown]
        if not events:
            raise ProfileError(
                part.path,
                part.line_of.get("events", 1),
                "gungraun knows none "
                f"of the events ({' '.join(unknown)}); expected Ir or others "
                "of Callgrind's",
            )
        if unknown:
            say(
                f"{given.line.command}: without {' '.join(unknown)}, which gungraun "
                "does not know",
            )
    return simplified(part, events, alike=given["reader"] != "gprof2dot")
