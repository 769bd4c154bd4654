"""The command cg2_report: profiles in, a page for a browser or one line of error out."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import chain

from cg2tools.commandline.command import Command
from cg2tools.commandline.console import Busy, Progress
from cg2tools.commandline.inputs import check_sums, file_beside, newest_profiles, read_shown
from cg2tools.commandline.option import option
from cg2tools.commandline.options import (
    CONTEXT,
    CYCLES,
    DATA_TYPE,
    EVENT,
    INCLUDE,
    INLINES,
    NAMES,
    OUTPUT,
    PARTIAL,
    PARTS,
    THREADS,
    THRESHOLD,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import percentage, yes_or_no
from cg2tools.data.objects import DataFile
from cg2tools.diff.commonevents import in_common, left_out_of
from cg2tools.profile.checks import check_alike
from cg2tools.profile.layouts import added_up_said
from cg2tools.profile.model import Profile, ProfileError
from cg2tools.profile.outputfile import write_file
from cg2tools.profile.pathtree import PathTree
from cg2tools.profile.reader import has_paths, read_paths
from cg2tools.profile.terms import say
from cg2tools.profile.transform import added_up, chosen
from cg2tools.report.contents import Contents
from cg2tools.report.options import PageOptions
from cg2tools.report.jsontables import Table
from cg2tools.report.page import WHOLE, page, page_template
from cg2tools.report.pathtables import tree_of_runs

_COMMAND = "cg2_report"

_ABOUT = About(
    name="cg2_report",
    summary="write a profile as a page for a browser",
    usages=("[OPTION...] [PROFILE...]",),
    description="""
Write a profile as one file of HTML, which opens in any browser, without network. It has functions, callers
and callees, call graph, flame graph, treemap, annotated sources and machine code, parts, what changed,
curves of misses, data.
""",
    examples=(
        ("cg2_report cg2.out.4711", "write cg2_report.html"),
        (
            "cg2_report -o app.html cg2.out.4711*",
            "a run's parts and threads, added up and side by side",
        ),
        ("cg2_report --compare before.out after.out", "what changed from before.out to after.out"),
        ("cg2_report -I ../src cg2.out.4711", "look for sources in ../src too"),
        ("cg2_report -o - cg2.out.4711 | ssh host 'cat >www/app.html'", ""),
    ),
    notes="""
PROFILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory. A data file is
shown with
the profile of the same run: one that is given, or that stands beside the profile, as cg2.data.4711 beside
cg2.out.4711; or alone. A file of paths, cg2.paths.4711 (--contexts=full when profiling), is shown in the
same way, but not alone: the flame graph is then exact, whose callers are else apportioned. With
--compare, the older profile needs one, too.

Sources and machine code are on the page, so whoever opens it needs neither; it shows what they look like
now, so make it before you change them. Machine code needs --dump-instr=yes when profiling, arrows of jumps
--collect-jumps=yes. In the page, ? shows the keys.
""",
    status="0; 1 if a profile cannot be read, is cut off, is not what it should be or cannot be "
    "compared, or the page was not built with the command, which one line says; 2 if an option is "
    "wrong.",
    details=(
        (
            "The page",
            """
? shows its keys. Digits lead to the views, / to the search box; arrows walk through tables and graphs,
Enter opens. Figures above 2^53 are rounded, as browsers know no larger whole numbers. The page needs a
browser of 2023 or later: Chromium 103, Firefox 113, Safari 16.4.
""",
        ),
        (
            "Environment",
            """
OBJDUMP names the objdump to run; by default it is objdump, and for programs of another processor than
this machine's that of a cross compiler, or LLVM's.
""",
        ),
    ),
)

_COMPARE = option(
    "--compare",
    metavar="OLD",
    default="",
    help="show what changed from OLD, too, by the rules of cg2_diff",
)
_TITLE = option(
    "--title", metavar="TEXT", default="", help="what the page is called [the command profiled]"
)
_SMALLEST = option(
    "--smallest",
    metavar="0..100",
    type=percentage,
    default=0.01,
    help="stacks of at least this percentage of an event's total are in the flame graph",
)
_SHARE = option(
    "--share",
    metavar="0..100",
    type=percentage,
    default=0.0002,
    help="lines, instructions and calls of at least this percentage of an event's total are on the "
    "page. If there are no more than could be that large, half a million of 0.0002, all are",
)
_SOURCES = option(
    "--sources",
    type=yes_or_no,
    default=True,
    help="texts of sources are on the page, for whoever opens it; no: only their names and costs",
)


def _parser(is_script: bool = False) -> Parser:
    """What `cg2 report` takes; the script's help lists how little is left out, too."""
    parser = Parser(_ABOUT)
    parser.take(
        "What is shown",
        _COMPARE,
        EVENT,
        PARTS,
        THREADS,
        THRESHOLD.but(
            help="machine code of the functions that make up this percentage of an event, through "
            "objdump"
        ),
        *[_SMALLEST, _SHARE] * is_script,
        INCLUDE,
        CONTEXT.but(default=50, help="N lines of source around each line that has a cost"),
        _SOURCES,
        DATA_TYPE,
        CYCLES,
        INLINES.but(
            help="inlined functions are functions of their own, by debug information, where a "
            "profile was made with --dump-instr=yes --collect-jumps=yes; a button of the page, and "
            "the key i, puts them back into others"
        ),
    )
    parser.take(
        "Output",
        OUTPUT.but(
            default="cg2_report.html",
            help="write to FILE, which appears when it is complete; - is standard output",
        ),
        _TITLE,
        NAMES.but(
            help="names of C++ and Rust as people say them, and as the profile has them where the "
            "mouse is; or always as the profile has them"
        ),
        PARTIAL,
    )
    if not is_script:
        parser.accept(_SMALLEST, _SHARE)
    parser.take_files("files", metavar="PROFILE")
    return parser


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    files: list[str]
    output: str
    compare: str
    parts: list[int]
    threads: list[int]
    cycles: str
    inlines: bool
    partial: bool
    data_type: list[tuple[str, str]]
    options: PageOptions


def _report(given: _Given) -> int:
    template = page_template()
    profile, data = _profile(given)
    old = _read(given.compare, given) if given.compare else None
    if given.cycles:
        from cg2tools.debug.cycles import estimated  # only where it is asked for

        profile = estimated(_COMMAND, profile, given.cycles)
        old = estimated(_COMMAND, old, given.cycles) if old else None
    if old:
        left_out = list(map(str, left_out_of(old, profile)))
        old, profile = in_common(old, profile)
        for said in left_out:
            _say(said)
        given = replace(given, options=replace(given.options, left_out=left_out))
    shown = _Shown(profile, old, data, _paths(given, profile, old))
    _write(template, [*_apart(shown, given), shown], given)
    is_cut_off = profile.cut_off or old and old.cut_off
    return 1 if given.partial and is_cut_off else 0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What one set of the page's tables is of."""

    profile: Profile
    old: Profile | None
    data: DataFile | None
    paths: PathTree | None

    def contents(self, options: PageOptions) -> Contents:
        return Contents(self.profile, options, self.old, self.data, self.paths)


def _apart(shown: _Shown, given: _Given) -> list[_Shown]:
    """The same with inlined functions as functions, if they are asked for; paths have none."""
    if not given.inlines or shown.profile.parts[0].is_data:
        return []
    from cg2tools.debug.inlines import shown_apart  # only where it is asked for

    old = shown_apart(_COMMAND, shown.old) if shown.old else None
    return [_Shown(shown_apart(_COMMAND, shown.profile), old, shown.data, None)]


def _write(template: str, sets: list[_Shown], given: _Given) -> None:
    progress = Progress(_COMMAND, "making the page")
    try:
        pieces = page(template, _tables(sets, given.options, progress))
        if given.output == "-":
            sys.stdout.buffer.writelines(pieces)
            sys.stdout.flush()
        else:
            write_file(given.output, pieces)
    finally:
        progress.end()
    if given.output != "-":
        say(f"{_COMMAND}: wrote {given.output}; open it in a browser")


def _tables(
    sets: list[_Shown], options: PageOptions, progress: Progress
) -> Iterator[tuple[str, Table]]:
    """The tables of a set, and of a second one, which is made when it is asked for.

    What options ask for and is not there is said here, before anything is written.
    """
    first, *others = sets
    each = first.contents(options).each(progress)
    return chain(each, *(_whole(shown, options, progress) for shown in others))


def _whole(shown: _Shown, options: PageOptions, progress: Progress) -> Iterator[tuple[str, Table]]:
    for name, table in shown.contents(options).each(progress):
        yield WHOLE + name, table
        del table  # before the next one is made


def _profile(given: _Given) -> tuple[Profile, DataFile | None]:
    """All files as one, with the parts and threads that are asked for; and what data files say.

    A data file is one that is given or stands beside the profile; alone it is the profile, too.
    """
    files = [_read(path, given) for path in _profiles(given)]
    data = [file for file in files if file.parts[0].is_data]
    profiles = [file for file in files if not file.parts[0].is_data]
    for kind in data, profiles:
        for file in kind:
            check_alike(kind[0], file)
    if profiles and not data:
        data = [file for file in (_beside(profile, given) for profile in profiles) if file]
    with Busy(_COMMAND, "adding up"):
        profile = _chosen(added_up(profiles or data), given)
        added = added_up(data) if profiles and data else profile
    return profile, _typed(DataFile(added), given) if data else None


def _profiles(given: _Given) -> list[str]:
    """The files but those of paths."""
    files = given.files or newest_profiles(_COMMAND)
    found = [path for path in files if not has_paths(path)]
    if not found:
        raise ProfileError(files[0], 1, "paths; expected the profile of the same run, too")
    return found


def _paths(given: _Given, profile: Profile, old: Profile | None) -> PathTree | None:
    """The tree of the paths of a profile and an older one, if there are files of them that have all costs."""
    named = [path for path in given.files if has_paths(path)]
    runs = [named or _beside_parts(profile)]
    if not runs[0]:
        return None
    if old:
        runs.append(_beside_parts(old))
    if not runs[-1]:
        _say(f"without {runs[0][0]}, as there is no file of paths beside {given.compare}")
        return None
    found = [[_read_paths(path, given) for path in run] for run in runs]
    if not all(_is_all(paths, whole) for paths, whole in zip(found, (profile, old)) if whole):
        return None
    for path in [path for run in runs for path in run if path not in named]:
        _say(f"with {path}, the paths of that run")
    return tree_of_runs(*([part for file in run for part in file.parts] for run in found))


def _say(text: str) -> None:
    say(f"{_COMMAND}: {text}")


def _read_paths(path: str, given: _Given) -> Profile:
    with Busy(_COMMAND, f"reading {path}"):
        found = read_paths(path, given.partial)
    check_sums(found)
    return found


def _beside_parts(profile: Profile) -> list[str]:
    """The files of paths beside those of a profile; none unless each has one."""
    files = dict.fromkeys(part.path for part in profile.parts)
    found = [file_beside(path, "paths") for path in files]
    return found if all(found) else []


def _is_all(paths: list[Profile], profile: Profile) -> bool:
    """Whether paths have the events and the costs of a profile; if not, says so."""
    wanted = profile.merged()
    if all(file.parts[0].events == wanted.events for file in paths):
        costs = [sum(numbers) for numbers in zip(*(file.parts[0].self_total() for file in paths))]
        if costs == wanted.self_total():
            return True
    _say(f"without {paths[0].path}, which has other costs than {profile.path}")
    return False


def _typed(data: DataFile, given: _Given) -> DataFile:
    from cg2tools.data.typed import shown_types  # only where there are data

    with Busy(_COMMAND, "reading debug information"):
        shown_types(data, given.data_type)
    return data


def _beside(profile: Profile, given: _Given) -> Profile | None:
    """The data file of the run that a profile is of, if there is one: cg2.data.4711 of cg2.out.4711."""
    path = file_beside(profile.path, "data")
    if not path:
        return None
    found = _read(path, given)
    first, other = profile.parts[0], found.parts[0]
    if not other.is_data or (first.pid, first.cmd) != (other.pid, other.cmd):
        return None
    say(f"{_COMMAND}: with {path}, the data file of that run")
    return found


def _chosen(profile: Profile, given: _Given) -> Profile:
    """The profile with the parts and threads that are asked for."""
    for kind, wanted in (("part", given.parts), ("thread", given.threads)):
        if wanted:
            profile = chosen(profile, kind, set(wanted))
    return profile


def _read(path: str, given: _Given) -> Profile:
    profile = read_shown(_COMMAND, path, partial=given.partial)
    check_sums(profile)
    if said := added_up_said(profile):
        _say(f"{path}: {said}")
    return profile


# ---- Arguments -------------------------------------------------------------


def _work(line: Line) -> int:
    values = dict(line.values)
    own = [field.name for field in fields(_Given) if field.name != "options"]
    return _report(
        _Given(**{name: values.pop(name) for name in own}, options=PageOptions(**values))
    )


REPORT = Command(_parser, _work)
CG2_REPORT = Command(lambda: _parser(is_script=True), _work)
