"""What the commands on profiles share: finding and reading files, and running a command."""

import errno
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from cg2tools.commandline.console import (
    Progress,
    be_a_quiet_filter,
    drop_output,
    output_written,
)
from cg2tools.commandline.runfiles import is_whole, newest_of, run_of
from cg2tools.profile.libcg2profile import LINES, LibraryProfile
from cg2tools.profile.model import Profile, ProfileError
from cg2tools.profile.reader import read_profile
from cg2tools.profile.terms import CutOff, Header, counted, say

_Given = TypeVar("_Given")
"""What a command line says."""


_PROFILES = "cg2.out.*", "callgrind.out.*"
_DATA_FILES = ("cg2.data.*",)
_PATHS = ("cg2.paths.*",)


def newest_profile(command: str) -> str:
    """The newest profile of the current directory alone; says which on stderr."""
    newest = _newest(command, _PROFILES)
    others = len(run_of(newest)) - 1
    left = f"; {counted(others, 'other')} of its run not read" if others else ""
    say(f"{command}: reading {newest}, the newest profile here{left}")
    return newest


def newest_profiles(command: str) -> list[str]:
    """The profiles of the newest run of the current directory; says which on stderr."""
    return _newest_run(command, _PROFILES, "profile")


def newest_data_files(command: str) -> list[str]:
    """The data files of the newest run of the current directory; says which on stderr."""
    return _newest_run(command, _DATA_FILES, "data file")


def newest_paths(command: str) -> list[str]:
    """The files of paths of the newest run of the current directory; says which on stderr."""
    return _newest_run(command, _PATHS, "file of paths")


def file_beside(path: str, kind: str) -> str:
    """The file of another kind of the run that a profile is of, if there is one, or "": cg2.paths.4711 of
    cg2.out.4711."""
    directory, name = os.path.split(path)
    found = os.path.join(directory, name.replace("cg2.out.", f"cg2.{kind}.", 1))
    return found if name.startswith("cg2.out.") and os.path.isfile(found) else ""


def _newest_run(command: str, patterns: Sequence[str], kind: str) -> list[str]:
    """The files of a kind that the newest run has left: those of all its processes, threads and parts."""
    newest = _newest(command, patterns)
    run = run_of(newest)
    others = f", and {counted(len(run) - 1, 'other')} of its run" if len(run) > 1 else ""
    say(f"{command}: reading {newest}, the newest {kind} here{others}")
    return run


def _newest(command: str, patterns: Sequence[str]) -> str:
    """The newest file of a kind.

    Empty files are what Callgrind leaves of a run that was killed; those
    called .html are reports.
    """
    newest = newest_of(
        path
        for pattern in patterns
        for path in Path().glob(pattern)
        if path.is_file() and path.stat().st_size and path.suffix != ".html" and is_whole(path)
    )
    if not newest:
        raise FileNotFoundError(
            errno.ENOENT,
            f"no {' or '.join(patterns)} in this directory; expected one, or the name of a file",
            command,
        )
    return newest


def read_shown(
    command: str, path: str, detail: int = LINES, partial: bool = False, paths: bool = False
) -> Profile:
    """Read a file, of which with `partial` the end may be missing, and which with `paths` may be
    one of paths; a terminal sees how far that is."""
    progress = Progress(command, f"reading {path}")
    try:
        profile = read_profile(path, progress, detail, partial, paths)
    finally:
        progress.end()
    if partial:
        say_cut_off(profile)
    return profile


def say_cut_off(profile: Profile | LibraryProfile) -> None:
    """Tell stderr if only a part of a file was read."""
    if profile.cut_off:
        say(
            f"{profile.path}: the file is cut off {profile.cut_off}; what is in front of that is read",
        )


def check_sums(profile: Profile | LibraryProfile, shows_stated: bool = False) -> None:
    """A profile of cg2 must agree with itself; Callgrind's often do not.

    Then it is said which total is shown: the stated one, or the sum.
    """
    shown = "that of the profile" if shows_stated else "the sum of the self costs"
    for part in profile.parts:
        try:
            part.check()
        except ProfileError as error:
            fault = blamed(error, profile)
            if "cg2" in profile.creator:
                raise fault from error
            say(
                f"{fault.path}:{fault.line}: warning: {fault.message}{_remedy(fault)}; the "
                f"total shown is {shown}",
            )
            return
    for lost in lost_end(profile):
        raise lost


_OF_CG2 = re.compile("callgrind-cg2-[0-9]")


def lost_end(profile: Profile | LibraryProfile) -> Iterator[ProfileError]:
    """What is wrong with a profile of cg2 that lacks the last line, though all of its costs are there."""
    if not profile.cut_off or not _OF_CG2.match(profile.creator):
        return
    last = profile.parts[-1]
    header = Header(profile.path)
    if isinstance(last, Header):
        header = last
    else:
        last.read_header(header)
    if not header.partial:  # else it is known, and said
        said = (
            f"there is no totals: at the end; expected one; the file is cut off {profile.cut_off}"
        )
        yield CutOff(profile.path, 0, said)


def blamed(fault: ProfileError, profile: Profile | LibraryProfile) -> ProfileError:
    """A fault of the sums of a profile, or that this has lost its end, if it has."""
    if not profile.cut_off:
        return fault
    said = f"{fault.message}; the file is cut off {profile.cut_off}"
    return CutOff(fault.path, fault.line, said)


def explained(error: ProfileError) -> str:
    """What is wrong with a profile, in one line."""
    return f"{error}{_remedy(error)}"


def _remedy(error: ProfileError) -> str:
    return "; --partial reads what there is" if isinstance(error, CutOff) else ""


def fail(message: str) -> int:
    """Say what is wrong; the exit status."""
    say(message)
    return 1


def _say_unless_memory(unraisable: "sys.UnraisableHookArgs") -> None:
    """Say what went wrong where no exception can be raised, but not that memory has run out:
    what then ends the command says that."""
    if unraisable.exc_type is not MemoryError:
        sys.__unraisablehook__(unraisable)


def run_command(
    arguments: list[str], parse: Callable[[list[str]], _Given], work: Callable[[_Given], int]
) -> int:
    """Do a command's work; return its exit status, which `work` gives.

    What is wrong with profiles, or with reading and writing, is one line.
    """
    be_a_quiet_filter()
    sys.unraisablehook = _say_unless_memory
    gc.disable()  # a profile has no cycles, and lives as long as the process
    try:
        with output_written():
            return work(parse(arguments))
    except ProfileError as error:
        return fail(explained(error))
    except MemoryError as error:
        drop_output()
        return fail(str(error) or "there is no memory left; expected more, or less to read")
    except OSError as error:
        drop_output()
        return fail(f"{error.filename or 'standard output'}: {error.strerror}")
