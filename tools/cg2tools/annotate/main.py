"""The commands that list functions and annotate lines: annotate, threads, files."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from errno import ENOENT

from cg2tools.annotate.answers import data_options, paths
from cg2tools.annotate.asked import choice_of, screen_of
from cg2tools.annotate.files import Reading, answer, read_all, split
from cg2tools.annotate.overview import overview
from cg2tools.annotate.report import Options, report
from cg2tools.commandline.command import Command
from cg2tools.commandline.option import option
from cg2tools.commandline.options import (
    COLOUR,
    CONTEXT,
    CYCLES,
    EVENT,
    FOLD_RECS,
    INCLUDE,
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
from cg2tools.commandline.runfiles import newest_named, run_of
from cg2tools.commandline.values import yes_or_no
from cg2tools.profile.model import Profile
from cg2tools.profile.reader import has_paths

TREE = option(
    "--tree",
    choices=("none", "caller", "calling", "both"),
    default="none",
    help="around each function (*) its callers (<), its callees (>), and how often they call",
)
AUTO = option(
    "--auto",
    type=yes_or_no,
    default=False,
    help="annotate the sources of the functions listed, the program's own before those of the "
    "system; yes where -I or --context is given",
)
ASM = option(
    "--asm", type=yes_or_no, default=False, help="annotate their machine code, through objdump"
)
COLUMNS = option(
    "--columns",
    choices=("event", "part", "thread"),
    default="event",
    help="a column for each event of each part or thread; sorted by their sum, unless --sort names "
    "one",
)
VIEW = option(
    "--view",
    choices=("function", "file:function", "function:file"),
    default="function",
    help="list functions; or files, and the functions in each; or functions, and the files of each; "
    "the last two with self costs. Files that are not known are apart by object",
)

INCLUSIVE_COST = """
A function is an object, a file and a name; code inlined into it counts as its own, but with
--inlines=yes. Inclusive cost counts a recursion once: what is spent while the function is on the stack,
however often it is. In a cycle of several functions whose levels the profile does not tell apart it is
an upper bound, never more than the cost of the cycle. With --inclusive=yes the cycle has a row, <cycle
1>: what is spent while any of its members is on the stack. An event that the profile defines by a
formula can be shown and sorted by as well.
"""

_NEWEST = """
FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory. Several files are
added up.
"""

_ANNOTATE = About(
    name="cg2 annotate",
    summary="show the functions, source lines and instructions that cost most",
    usages=("[OPTION...] [FILE...] [SOURCE...]",),
    description=f"""
Show where the cost of a profile lies: first the twenty functions that cost most, with their inclusive
cost. The options about functions and lines ask for lists: all functions, their callers, their source
files line by line.
{_NEWEST}
A data file is shown as cg2 data shows it, a file of paths as cg2 paths does, unless an option asks for
lists. SOURCE is a source file to annotate: its name in the profile, or the end of it.
""",
    examples=(
        ("cg2 annotate", "the newest run in this directory"),
        ("cg2 annotate cg2.out.4711", "this profile"),
        ("cg2 annotate cg2.out.4711 cg2.out.4712", "both, added up"),
        ("cg2 annotate --threshold=99 cg2.out.4711", "all functions that matter"),
        ("cg2 annotate --auto=yes cg2.out.4711", "and their sources, line by line"),
        ("cg2 annotate --inclusive=yes cg2.out.4711", "with the cost of what they call"),
        ("cg2 annotate --tree=both cg2.out.4711", "with their callers and callees"),
        (
            "cg2 annotate --sort=D1mr --show=Ir,D1mr cg2.out.4711",
            "most read misses first, two columns",
        ),
        ("cg2 annotate --event='E = Ir + 9 D1mr' cg2.out.4711", "a column made of others"),
        ("cg2 annotate --asm=yes cg2.out.4711", "machine code, with --dump-instr=yes"),
        ("cg2 annotate -I ../src cg2.out.4711", "look for sources in ../src too"),
        ("cg2 annotate cg2.out.4711 main.c", "functions, and this source file"),
    ),
    notes=INCLUSIVE_COST,
)

_THREADS = About(
    name="cg2 threads",
    summary="show the functions of each thread or part side by side",
    usages=("[OPTION...] [FILE...]",),
    description=f"""
Show what functions cost in each thread, or in each part, side by side; or in some threads and parts alone.
{_NEWEST}""",
    examples=(
        ("cg2 threads cg2.out.4711*", "a column for each thread"),
        ("cg2 threads --threads=1 cg2.out.4711*", "a column for the first one"),
        ("cg2 threads --columns=part cg2.out.4711*", "a column for each part"),
        ("cg2 threads --columns=event --threads=1 cg2.out.4711*", "thread 1 by event"),
    ),
    notes=INCLUSIVE_COST,
)

_FILES = About(
    name="cg2 files",
    summary="show the files that cost most, and the functions in each",
    usages=("[OPTION...] [FILE...]",),
    description=f"""
Show what each source file costs itself, and in it each function; or the other way round.
{_NEWEST}""",
    examples=(
        ("cg2 files cg2.out.4711", "files, and the functions in each"),
        ("cg2 files --view=function:file cg2.out.4711", "functions, and the files of their code"),
        (
            "cg2 files --mod-filename='s/^.*third_party.*$/others/' cg2.out.4711",
            "what others wrote is one file",
        ),
    ),
)

_LISTS = "inclusive", "tree", "view", "auto", "asm", "context"
"""The options that ask for lists, beside a threshold."""


_APART = "cg2 threads, cg2 files, or cg2 rewrite, which makes a profile of them"

ELSEWHERE = {
    "--parts": _APART,
    "--threads": _APART,
    "--columns": "cg2 threads",
    "--show-percs": "cg2 threads, cg2 files",
    "--fold-recs": "cg2 files",
    "--view": "cg2 files",
    "--mod-filename": "cg2 files",
    "--mod-funcname": "cg2 files",
    "--summary": "cg2 summary",
    "--miss-curve": "cg2 misses",
    "--paths": "cg2 paths",
    "--data": "cg2 data",
    "--data-object": "cg2 data",
    "--data-type": "cg2 data",
    "--check": "cg2 check",
    "--callgrind": "cg2_annotate",
}
"""Options of cg2_annotate that are not those of `cg2 annotate`, and what answers them."""


def _annotate_parser() -> Parser:
    parser = Parser(_ANNOTATE)
    parser.elsewhere = ELSEWHERE
    parser.take("What is counted", SHOW, SORT, EVENT, CYCLES)
    parser.take("Functions (each asks for lists)", THRESHOLD, INCLUSIVE, TREE)
    parser.take("Lines (each asks for lists)", AUTO, ASM, CONTEXT, INCLUDE)
    parser.take("Output", INLINES, NAMES, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def _threads_parser() -> Parser:
    parser = Parser(_THREADS)
    parser.take("What is counted", COLUMNS.but(default="thread"), PARTS, THREADS, SHOW, SORT, EVENT)
    parser.take("Functions", THRESHOLD, INCLUSIVE, TREE)
    parser.take("Output", SHOW_PERCS, INLINES, NAMES, JSON, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def _files_parser() -> Parser:
    parser = Parser(_FILES)
    parser.take("What is counted", SHOW, SORT, EVENT, PARTS, THREADS)
    parser.take(
        "Files and functions",
        VIEW.but(
            choices=("file:function", "function:file"),
            default="file:function",
            help="files, and the functions in each; or functions, and the files of each. Files that "
            "are not known are apart by object",
        ),
        THRESHOLD.but(
            help="list files until they make up this percentage of A, and in each what has at least "
            "the rest of 100 %%"
        ),
        FOLD_RECS,
        INLINES,
        MOD_FILENAME,
        MOD_FUNCNAME,
    )
    parser.take("Output", SHOW_PERCS, NAMES, PARTIAL)
    parser.accept(COLOUR)
    parser.take_files("files", metavar="FILE")
    return parser


def annotate(line: Line) -> int:
    """The first answer, or the lists that are asked for; of a data file or paths what they have."""
    if line["json"] and line["asm"]:
        line.parser.error(
            "--json with --asm; expected one of them, as JSON has functions and lines"
        )
    return lists(line, line.has("threshold"))


def _first_screen(line: Line) -> int:
    """The first answer about the run of a process that has just written profiles of a name."""
    (name,) = line["files"]
    newest = newest_named(name)
    if not newest:
        raise FileNotFoundError(ENOENT, "no profile was written", name)
    return annotate(replace(line, values=line.values | {"files": run_of(newest)}))


def _apart(line: Line) -> int:
    """Lists of threads and of files, which are no first answer."""
    return lists(line, True)


def lists(line: Line, has_threshold: bool) -> int:
    """Lists of functions and lines, unless no option asks for them."""
    is_asked = line.has(*_LISTS) or bool(line["include"])
    if not is_asked and any(map(has_paths, line["files"][:1])):
        return paths(line)
    files, sources = split(line)
    is_overview = not (line["json"] or has_threshold or is_asked)
    options = _options(line, sources, is_overview)
    profile = read_all(line, files, Reading(options.detail(), is_overview))
    return answer(line, profile, _report_of(line, profile, options)(profile, options))


def _options(line: Line, sources: list[str], is_overview: bool) -> Options:
    """What a command line asks of lists."""
    return Options(
        choice_of(line),
        screen_of(line),
        is_overview,
        threshold=line["threshold"],
        inclusive=line["inclusive"] or False,
        tree=line["tree"] or "none",
        fold_recs=line["fold_recs"] is not False,
        view=line["view"] or "function",
        auto=line["auto"] if line.has("auto") else line.has("include", "context"),
        asm=line["asm"] or False,
        context=8 if line["context"] is None else line["context"],
        include=line["include"] or [],
        sources=sources,
    )


def _report_of(
    line: Line, profile: Profile, options: Options
) -> Callable[[Profile, Options], Iterator[str]]:
    """What makes the report; of a data file that of data, unless lists are asked for."""
    if not options.overview or options.sources:
        return report
    if profile.parts[0].is_data:
        from cg2tools.annotate.datareport import data_report  # only here, as it brings much

        return lambda profile, _: data_report(profile, data_options(line))
    return overview


ANNOTATE = Command(_annotate_parser, annotate)
FIRST_SCREEN = Command(_annotate_parser, _first_screen)
THREADS_APART = Command(_threads_parser, _apart)
FILES = Command(_files_parser, _apart)
