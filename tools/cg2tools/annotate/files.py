"""Reading what the commands of annotate/ are given, and writing what they answer."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from cg2tools.commandline.console import Busy, on_terminal
from cg2tools.commandline.inputs import check_sums, newest_profiles, read_shown
from cg2tools.commandline.parser import Line
from cg2tools.profile.libcg2profile import LINES
from cg2tools.profile.model import Profile
from cg2tools.profile.reader import is_profile
from cg2tools.profile.transform import added_up


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read for an answer."""

    detail: int
    is_first_answer: bool = False  # of a data file all is read then, which is in its lines
    shows_stated: bool = False  # the total is the stated one, not the sum


def split(
    line: Line, newest: Callable[[str], list[str]] = newest_profiles
) -> tuple[list[str], list[str]]:
    """The profiles among the files of a command line, and sources to annotate, which are the others.

    The first is a profile in any case. `newest` finds the profiles where no file is named.
    """
    first, *others = line["files"] or newest(line.command)
    sources = [path for path in others if not is_profile(path)]
    return [first, *(path for path in others if path not in sources)], sources


def read_all(line: Line, paths: Iterable[str], reading: Reading) -> Profile:
    """The profiles, added up; with cycles, and with inlined functions apart, if the command line says so."""
    detail = LINES if line["inlines"] or line["cycles"] else reading.detail
    profiles = []
    for path in paths:
        profile = _read(line, path, detail, reading.is_first_answer)
        check_sums(profile, reading.shows_stated)
        profiles.append(profile)
    with Busy(line.command, "adding up"):
        profile = added_up(profiles)
    if line["cycles"]:
        from cg2tools.debug.cycles import estimated  # only where it is asked for

        profile = estimated(line.command, profile, line["cycles"])
    if line["inlines"]:
        from cg2tools.debug.inlines import shown_apart  # only where it is asked for

        profile = shown_apart(line.command, profile)
    return profile


def _read(line: Line, path: str, detail: int, is_first_answer: bool) -> Profile:
    """A file; of a data file all is read for the first answer."""
    profile = read_shown(line.command, path, detail, line["partial"])
    if is_first_answer and detail != LINES and profile.parts[0].is_data:
        return read_shown(line.command, path, LINES, line["partial"])
    return profile


def answer(line: Line, profile: Profile, lines: Iterator[str]) -> int:
    """Write an answer; the exit status."""
    with Busy(line.command, "adding up"):
        # A terminal that shows the first line of the report needs to be told nothing more.
        _write(islice(lines, 1) if sys.stdout.isatty() else lines)
    _write(lines)
    return 1 if line["partial"] and profile.cut_off else 0


_BATCH = 1000
"""Lines that are written at once; on a terminal each is there as soon as it is known."""


def _write(lines: Iterable[str]) -> None:
    """Write the lines, also those in front of an error; machine code is texts of many lines."""
    left, batch = iter(lines), [""]
    most = 1 if sys.stdout.isatty() else _BATCH
    while batch:
        batch = []
        try:
            batch.extend(islice(left, most))
        finally:
            _write_batch(batch)


def _write_batch(lines: list[str]) -> None:
    if not "".join(lines).replace("\n", "").isprintable():
        lines = list(map(on_terminal, lines))
    sys.stdout.writelines(["\n".join([*lines, ""])])
