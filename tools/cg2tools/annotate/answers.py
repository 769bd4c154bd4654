"""The commands that answer one question about profiles: data, paths, misses, summary, check."""

from dataclasses import replace
from typing import TYPE_CHECKING

from cg2tools.annotate.asked import Asked, choice_of, screen_of
from cg2tools.annotate.files import Reading, answer, read_all, split
from cg2tools.annotate.pathreport import HELD, PathOptions, path_report
from cg2tools.annotate.report import Options, curve_report
from cg2tools.annotate.summary import summary
from cg2tools.commandline.command import Command
from cg2tools.commandline.console import Busy
from cg2tools.commandline.inputs import (
    blamed,
    check_sums,
    explained,
    fail,
    file_beside,
    lost_end,
    newest_data_files,
    newest_paths,
    newest_profile,
    newest_profiles,
    read_shown,
    say_cut_off,
)
from cg2tools.commandline.option import repeated, switch
from cg2tools.commandline.options import (
    COLOUR,
    DATA_TYPE,
    EVENT,
    FOLD_RECS,
    INCLUSIVE,
    INLINES,
    JSON,
    MOD_FILENAME,
    MOD_FUNCNAME,
    NAMES,
    PARTIAL,
    PARTS,
    SHOW,
    SHOW_PERCS,
    SORT,
    THREADS,
    THRESHOLD,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.profile.checks import KINDS, faults
from cg2tools.profile.libcg2profile import FUNCTIONS, LINES, SUMS
from cg2tools.profile.model import Profile, ProfileError
from cg2tools.profile.reader import has_paths, read_paths
from cg2tools.profile.terms import printable

if TYPE_CHECKING:
    from cg2tools.annotate.dataview import DataOptions

# ---- Data ------------------------------------------------------------------

_DATA = About(
    name="cg2 data",
    summary="show which data misses most, and the code that touches it",
    usages=("[OPTION...] [FILE...]",),
    description="""
Show the objects of a data file, which valgrind --tool=cg2 --data=misses writes: blocks of the heap by
the place that allocates them, static variables, frames of the stack. First those that miss most, or
have most of another event; the lines of code that touch them; and the first ones from inside, member
by member where debug information says which members there are.

FILE defaults to the cg2.data.* of the newest run in this directory. Several files are added up.
""",
    examples=(
        ("cg2 data", "the data files of the newest run in this directory"),
        ("cg2 data --sort=Dw cg2.data.4711", "what is written to most"),
        (
            "cg2 data --data-object='heap::*parse*' cg2.data.4711",
            "all code that touches these objects",
        ),
        ("cg2 data --data-type='new_node=node' cg2.data.4711", "what new_node allocates is a node"),
    ),
)

DATA_OBJECT = repeated(
    "--data-object",
    metavar="NAME",
    type=str,
    help="these objects alone, with all code that touches them: a part of the name, or with * and "
    "? all of it; may be repeated",
)


def _data_parser() -> Parser:
    parser = Parser(_DATA)
    parser.take(
        "What is counted",
        SHOW.but(help="columns: these events [as many as a line has room for]"),
        SORT.but(help="order by A, then by B [misses, if they are known]"),
        EVENT,
        PARTS,
        THREADS,
    )
    parser.take(
        "Objects",
        THRESHOLD.but(help="list objects until they make up this percentage of A"),
        DATA_OBJECT,
        DATA_TYPE,
        MOD_FILENAME,
        MOD_FUNCNAME,
    )
    parser.take("Output", SHOW_PERCS, NAMES, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def data(line: Line) -> int:
    """Show data objects."""
    from cg2tools.annotate.datareport import data_report  # only here: all about data comes with it

    paths = line["files"] or newest_data_files(line.command)
    options = data_options(line)
    profile = read_all(line, paths, Reading(LINES))
    return answer(line, profile, data_report(profile, options))


def data_options(line: Line) -> "DataOptions":
    """What a command line asks of data."""
    from cg2tools.annotate.dataview import DataOptions

    return DataOptions(
        choice_of(line),
        screen_of(line),
        overview=not (line["json"] or line.has("threshold")),
        threshold=line["threshold"],
        objects=line["data_object"] or [],
        types=line["data_type"] or [],
    )


# ---- Paths -----------------------------------------------------------------

_PATHS = About(
    name="cg2 paths",
    summary="show the paths of calls that cost most",
    usages=("[OPTION...] [FILE...]",),
    description="""
Show the paths of calls that cost most themselves, and the smallest tree of paths that holds most of the
cost. valgrind --tool=cg2 --contexts=full writes a file of paths.

FILE defaults to the cg2.paths.* of the newest run in this directory. FILE may also be the profile beside
which the
file of paths stands, as cg2.out.4711 beside cg2.paths.4711. Several files are added up.
""",
    examples=(
        ("cg2 paths", "the paths of the newest run in this directory"),
        ("cg2 paths --threshold=99 cg2.paths.4711", "all paths that matter"),
        ("cg2 paths --sort=D1mr cg2.paths.4711", "the paths that miss most"),
    ),
)


def _paths_parser() -> Parser:
    parser = Parser(_PATHS)
    parser.take("What is counted", SHOW, SORT, EVENT)
    parser.take(
        "Paths",
        THRESHOLD.but(
            default=HELD,
            help="show all paths of the tree that holds this percentage of A; without it, the first "
            "of them",
        ),
    )
    parser.take("Output", SHOW_PERCS, NAMES, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def paths(line: Line) -> int:
    """Show paths of calls."""
    options = PathOptions(
        choice_of(line),
        screen_of(line),
        overview=not (line["json"] or line.has("threshold")),
        held=line["threshold"] if line.has("threshold") else HELD,
    )
    profile = _paths_of(line)
    return answer(line, profile, path_report(profile, options))


def _paths_of(line: Line) -> Profile:
    """The files of paths as one profile, of which each is a part."""
    files = line["files"] or newest_paths(line.command)
    found = [_one_of_paths(line, path) for path in files]
    return replace(found[0], parts=[part for profile in found for part in profile.parts])


def _one_of_paths(line: Line, path: str) -> Profile:
    """A file of paths, or that beside a profile."""
    beside = "" if has_paths(path) else file_beside(path, "paths")
    with Busy(line.command, f"reading {beside or path}"):
        profile = read_paths(beside or path, line["partial"])
    if line["partial"]:
        say_cut_off(profile)
    check_sums(profile)
    return profile


# ---- Misses ----------------------------------------------------------------

_MISSES = About(
    name="cg2 misses",
    summary="draw misses over the size of the cache",
    usages=("[OPTION...] [FILE...]",),
    description="""
Draw how often the program and the functions that miss most often do so in caches of each size, of a
profile that valgrind --tool=cg2 --cache-sweep=D:8k..1m wrote.

FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory. Several files are
added up.
""",
    examples=(
        ("cg2 misses", "the newest run in this directory"),
        ("cg2 misses --threshold=50 cg2.out.4711", "of fewer functions"),
        ("cg2 misses --inclusive=yes cg2.out.4711", "with the misses of what functions call"),
    ),
)


def _misses_parser() -> Parser:
    parser = Parser(_MISSES)
    parser.take(
        "What is counted",
        SORT.but(help="order functions by A, then by B [misses in the smallest size]"),
        EVENT,
        PARTS,
        THREADS,
    )
    parser.take("Functions", THRESHOLD, INCLUSIVE, FOLD_RECS, INLINES, MOD_FILENAME, MOD_FUNCNAME)
    parser.take("Output", NAMES, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def misses(line: Line) -> int:
    """Draw curves of misses."""
    files, sources = split(line)
    options = Options(
        choice_of(line),
        screen_of(line),
        threshold=line["threshold"],
        inclusive=line["inclusive"],
        tree=line["tree"] or "none",
        fold_recs=line["fold_recs"],
    )
    detail = LINES if sources else options.detail_of_curves()
    profile = read_all(line, files, Reading(detail))
    return answer(line, profile, curve_report(profile, options))


# ---- Summary ---------------------------------------------------------------

_SUMMARY = About(
    name="cg2 summary",
    summary="show what each process and thread of a run cost",
    usages=("[OPTION...] [FILE...]",),
    description="""
Show the processes and threads of a run, what each of them cost, and what all of them cost together. The
files are those that the run left: of each process, thread and part.

FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory.
""",
    examples=(
        ("cg2 summary cg2.out.*", "of all files in this directory"),
        ("cg2 summary --json cg2.out.*", "as valgrind --tool=cg2 --json-summary=FILE writes it"),
    ),
)


def _summary_parser() -> Parser:
    parser = Parser(_SUMMARY)
    parser.take("What is counted", SHOW, SORT, EVENT, PARTS, THREADS)
    parser.take("Output", SHOW_PERCS, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def run_summary(line: Line) -> int:
    """Show processes and threads."""
    files = line["files"] or newest_profiles(line.command)
    asked = Asked(choice_of(line), screen_of(line), overview=not line["json"])
    reading = Reading(SUMS if asked.overview else FUNCTIONS, asked.overview)
    profile = read_all(line, files, reading)
    return answer(line, profile, summary(profile, asked))


# ---- Check -----------------------------------------------------------------

_CHECK = About(
    name="cg2 check",
    summary="say whether profiles are as they should be",
    usages=("[OPTION...] [FILE...]",),
    description="""
Say of each FILE whether it is what the format allows, and whether its costs add up to its sums. All faults
are told, a line each.

FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory.
""",
    examples=(
        ("cg2 check cg2.out.*", "all profiles of this directory"),
        ("cg2 check --calls cg2.out.4711", "its calls, too"),
    ),
    status="0; 1 if a file is not as it should be or cannot be read; 2 if an option is wrong.",
)

_CALLS = switch("--calls", help="also whether the calls of each function cost what it does")


def _check_parser() -> Parser:
    parser = Parser(_CHECK)
    parser.take("", _CALLS)
    parser.take_files("files", metavar="FILE")
    return parser


def check(line: Line) -> int:
    """Say of each file whether it is right, and all that is not."""
    kind = line["check"] or KINDS[bool(line["calls"])]
    status = 0
    for path in line["files"] or newest_profiles(line.command):
        try:
            profile = read_shown(line.command, path)
            found = [blamed(fault, profile) for fault in faults(profile, kind)] or [
                *lost_end(profile)
            ]
        except ProfileError as error:
            found = [error]
        except OSError as error:
            status = fail(f"{path}: {error.strerror}")
            continue
        for fault in found:
            status = fail(explained(fault))
        if not found:
            count = len(profile.parts)
            print(f"{printable(path)}: ok, {count} part{'' if count == 1 else 's'}")
    return status


# ---- Callgrind's text ------------------------------------------------------


def callgrind_text(line: Line) -> int:
    """Show what callgrind_annotate shows, which reads one file: sources, too, unless they are not wanted."""
    from cg2tools.annotate.callgrindtext import callgrind_report

    files, sources = split(line, lambda command: [newest_profile(command)])
    options = Options(
        choice_of(line),
        screen_of(line),
        threshold=line["threshold"],
        inclusive=line["inclusive"],
        tree=line["tree"],
        auto=line["auto"] if line.has("auto") else True,
        context=line["context"],
        include=line["include"],
        sources=sources,
    )
    profile = read_all(line, files, Reading(LINES, shows_stated=True))
    return answer(line, profile, callgrind_report(profile, options))


DATA = Command(_data_parser, data)
PATHS = Command(_paths_parser, paths)
MISSES = Command(_misses_parser, misses)
SUMMARY = Command(_summary_parser, run_summary)
CHECK = Command(_check_parser, check)
