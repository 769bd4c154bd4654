"""The command cg2_annotate: arguments in, report or one line of error out."""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from cg2tools import VERSION
from cg2tools.annotate.callgrindtext import callgrind_report
from cg2tools.annotate.datareport import data_report
from cg2tools.annotate.overview import overview
from cg2tools.annotate.pathreport import path_report
from cg2tools.annotate.report import Options, report
from cg2tools.annotate.summary import summary
from cg2tools.commandline.console import Busy, Parser
from cg2tools.commandline.inputs import (
    blamed,
    check_sums,
    event_definition,
    event_names,
    explained,
    fail,
    file_beside,
    name_substitution,
    newest_data_file,
    newest_paths,
    newest_profile,
    numbers,
    percentage,
    read_shown,
    run_command,
    say_cut_off,
    whole_number,
    yes_or_no,
)
from cg2tools.data.typed import data_type
from cg2tools.debug.inlines import shown_apart
from cg2tools.profile.checks import KINDS, faults
from cg2tools.profile.libcg2profile import LINES
from cg2tools.profile.model import Profile, ProfileError
from cg2tools.profile.reader import has_paths, is_profile, read_paths
from cg2tools.profile.transform import added_up

_HELP = """\
usage: cg2_annotate [OPTION...] [FILE...] [SOURCE...]
       cg2_annotate --check[=calls] FILE...

Show where the cost of a profile lies: first the twenty functions that cost
most, with their inclusive cost. The options about functions and lines ask for
lists: all functions, their callers, their source files line by line.

  cg2_annotate                              the newest profile in this directory
  cg2_annotate cg2.out.4711                 this profile
  cg2_annotate cg2.out.4711 cg2.out.4712    both, added up
  cg2_annotate --threshold=99 cg2.out.4711  all functions that matter
  cg2_annotate --auto=yes cg2.out.4711      and their sources, line by line
  cg2_annotate --inclusive=yes cg2.out.4711
                                            with the cost of what they call
  cg2_annotate --tree=both cg2.out.4711     with their callers and callees
  cg2_annotate --sort=D1mr --show=Ir,D1mr cg2.out.4711
                                            most read misses first, two columns
  cg2_annotate --event='E = Ir + 9 D1mr' cg2.out.4711
                                            a column made of others
  cg2_annotate --columns=thread cg2.out.4711
                                            a column for each thread
  cg2_annotate --asm=yes cg2.out.4711       machine code, with --dump-instr=yes
  cg2_annotate --miss-curve cg2.out.4711    misses over the size of the cache,
                                            with --cache-sweep=D:8k..1m
  cg2_annotate -I ../src cg2.out.4711       look for sources in ../src too
  cg2_annotate cg2.out.4711 main.c          functions, and this source file
  cg2_annotate --summary cg2.out.*          what each process and thread of a
                                            run cost, and all together
  cg2_annotate --data cg2.data.4711         the data that misses most, and
                                            the code that touches it
  cg2_annotate --paths cg2.paths.4711       the paths of calls that cost most,
                                            with --contexts=full
  cg2_annotate --check cg2.out.*            are these files as they should be?

FILE defaults to the newest cg2.out.* or callgrind.out.* in this directory, with
--data to the newest cg2.data.*, with --paths to the newest cg2.paths.*.
SOURCE is a source file to annotate: its name in the profile, or the end of it.

What is counted:
  --show=A,B             columns: these events      [all that were recorded;
                         on a terminal as many as leave room for names]
  --sort=A,B             order by A, then by B       [the order of the columns]
  --event='A = B + 2 C'  an event made of others; may be repeated. Built in are
                         L1m, L2m, LLm, Bm and CEst, a cycle estimate
  --parts=1,2            only these parts                               [all]
  --threads=1,2          only these threads                             [all]
  --columns=event|part|thread
                         a column for each event of each part or thread; sorted
                         by their sum, unless --sort names one         [event]
Functions (each asks for lists):
  --threshold=0..100     list functions until they make up this percentage of
                         A; with --inclusive=yes, list those that have at least
                         the rest of 100 %                                 [99]
  --show-percs=yes|no    percentages of the total; [yes], but no on a terminal
                         with --columns, where more columns fit without
  --inclusive=yes|no     cost of a function and of all that it calls       [no]
  --tree=none|caller|calling|both
                         around each function (*) its callers (<), its callees
                         (>), and how often they call                    [none]
  --fold-recs=yes|no     a function and its recursion levels (fib, fib'2) are
                         one row                                          [yes]
  --inlines=yes|no       functions that compilers have put into others are
                         functions of their own, by debug information: of a
                         profile made with --dump-instr=yes, and for calls
                         --collect-jumps=yes. A number of calls that is
                         estimated has a ~                                 [no]
  --view=function|file:function|function:file
                         list functions; or files, and the functions in each;
                         or the other way round; both with self costs. Files
                         that are not known are apart by object
                                                                     [function]
  --mod-filename=s/A/B/  write B for what the regular expression A matches in
                         names of files; may be repeated
  --mod-funcname=s/A/B/  the same for names of functions
Lines (each asks for lists):
  --auto=yes|no          annotate the sources of the functions listed, the
                         program's own before those of the system; [no], but
                         yes where -I or --context is given
  --asm=yes|no           annotate their machine code, through objdump      [no]
  --miss-curve           instead of all this, draw how often the program and
                         the functions that miss most often do so in caches of
                         each size, of a profile made with --cache-sweep
  --context=N            show N lines around each line that has a cost      [8]
  -I DIR, --include=DIR  look for sources in DIR too; may be repeated
Data files (each is shown so without another option, too):
  --data[=EVENT]         objects of the heap, static ones, frames of the stack:
                         what misses most, or has most of EVENT; the lines of
                         code that touch it; and the first ones from inside
  --data-object=NAME     these objects alone, with all code that touches them:
                         a part of the name, or with * and ? all of it; may be
                         repeated
  --data-type=PATTERN=TYPE
                         blocks that functions like PATTERN allocate, or objects
                         of such names, have this type; may be repeated
Files of paths (each is shown so without another option, too):
  --paths                the paths of calls that cost most themselves, and the
                         smallest tree of paths that holds 95 % of A, or what
                         --threshold says. FILE may be the profile that the
                         file of paths stands beside, too
Output:
  --colour=auto|yes|no   what has 10 % in red, 1 % in yellow; auto: on a
                         terminal                                        [auto]
  --names=short|full     names of C++ and Rust as people say them, or as the
                         profile has them, as --json does               [short]
  --json                 for programs, as JSON
  --summary              instead of functions, the processes and threads of a
                         run whose files these are, and what they cost; with
                         --json for programs, as the tool's --json-summary
  --callgrind            the text of callgrind_annotate, for scripts that read
                         it: recursion levels and files of inlined code apart,
                         --auto=yes, --sort=A:50,B:9 with thresholds. Without
                         what callgrind_annotate does not have: other columns
                         and views, machine code, miss curves
  --partial              read what there is of a file that was cut off, and say
                         so; exit status 1 then
  --check[=calls]        say of each FILE whether it is what the format allows
                         and adds up to its sums; with calls, also whether the
                         calls of each function cost what it does. Exit
                         status 1 if one is not
  -h, --help             this text
  --version              the version

A function is an object, a file and a name; code inlined into it counts as its
own, but with --inlines=yes. Inclusive cost counts a recursion once: what is
spent while the function is on the stack, however often it is. In a cycle of
several functions whose levels the profile does not tell apart it is an upper
bound, never more than the cost of the cycle. With --inclusive=yes the cycle has
a row, <cycle 1>: what is spent while any of its members is on the stack. An
event that the profile defines by a formula can be shown and sorted by as well.
"""


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    files: list[str]
    check: str  # "" is to report, not to check
    partial: bool
    inlines: bool
    options: Options


def annotate_command(arguments: list[str]) -> int:
    """Run cg2_annotate; return its exit status."""
    return run_command(arguments, _parse, _annotate)


def _annotate(given: _Given) -> int:
    if given.check:
        return _check(given.files, given.check)
    if _shows_paths(given):
        profile = _read_paths(given)
        lines = path_report(profile, given.options)
    else:
        profile = added_up(_read_all(given))
        if given.inlines:
            profile = shown_apart("cg2_annotate", profile)
        lines = _report_of(profile, given.options)(profile, given.options)
    with Busy("cg2_annotate", "adding up"):
        # The report itself shows a user that the command works.
        _write(islice(lines, 1) if sys.stdout.isatty() else lines)
    _write(lines)
    return 1 if given.partial and profile.cut_off else 0


def _report_of(profile: Profile, options: Options) -> Callable[[Profile, Options], Iterator[str]]:
    """What makes the report that is asked for; of a data file that of data, unless lists are."""
    if options.callgrind:
        return callgrind_report
    if options.summary:
        return summary
    is_overview = options.overview and not options.sources
    if options.data or is_overview and profile.parts[0].is_data:
        return data_report
    return overview if is_overview else report


def _shows_paths(given: _Given) -> bool:
    """Whether paths are asked for; a file of them is, unless something else is."""
    options = given.options
    if given.check or options.data or options.summary or options.callgrind or options.lists:
        return False
    return options.paths or any(map(has_paths, given.files[:1]))


def _read_paths(given: _Given) -> Profile:
    """The files of paths as one profile, of which each is a part."""
    found = [_one_of_paths(path, given) for path in given.files or [newest_paths("cg2_annotate")]]
    return replace(found[0], parts=[part for profile in found for part in profile.parts])


def _one_of_paths(path: str, given: _Given) -> Profile:
    """A file of paths, or that beside a profile."""
    beside = "" if has_paths(path) else file_beside(path, "paths")
    with Busy("cg2_annotate", f"reading {beside or path}"):
        profile = read_paths(beside or path, given.partial)
    if given.partial:
        say_cut_off(profile)
    check_sums(profile)
    return profile


def _write(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _read_all(given: _Given) -> list[Profile]:
    """The profiles among the arguments; the others become sources to annotate.

    The first is a profile in any case.
    """
    newest = newest_data_file if given.options.data else newest_profile
    first, *others = given.files or [newest("cg2_annotate")]
    if not (given.options.summary or given.options.data):
        given.options.sources.extend(path for path in others if not is_profile(path))
        others = [path for path in others if is_profile(path)]
    detail = LINES if given.options.sources or given.inlines else given.options.detail()
    profiles = []
    for path in [first, *others]:
        profile = _read(path, detail, given)
        check_sums(profile, given.options.callgrind)
        profiles.append(profile)
    return profiles


def _read(path: str, detail: int, given: _Given) -> Profile:
    """A file; of a data file all, as the first answer has what is in its lines.

    A pipe can be read once, so that all is read.
    """
    is_first_answer = given.options.overview and detail != LINES
    if is_first_answer and not os.path.isfile(path):
        detail = LINES
    profile = read_shown("cg2_annotate", path, detail, given.partial)
    if is_first_answer and detail != LINES and profile.parts[0].is_data:
        return read_shown("cg2_annotate", path, LINES, given.partial)
    return profile


def _check(files: list[str], kind: str) -> int:
    """Say of each file whether it is right, and all that is not."""
    status = 0
    for path in files or [newest_profile("cg2_annotate")]:
        try:
            profile = read_shown("cg2_annotate", path)
            found = [blamed(fault, profile) for fault in faults(profile, kind)]
        except ProfileError as error:
            found = [error]
        except OSError as error:
            status = fail(f"{path}: {error.strerror}")
            continue
        for fault in found:
            status = fail(explained(fault))
        if not found:
            count = len(profile.parts)
            print(f"{path}: ok, {count} part{'' if count == 1 else 's'}")
    return status


# ---- Arguments -------------------------------------------------------------


def annotate_parser() -> Parser:
    """What the command takes."""
    parser = Parser("cg2_annotate", _HELP)
    parser.add_argument("--version", action="version", version=f"cg2_annotate {VERSION}")
    parser.add_argument("--show", type=event_names, default=[])
    parser.add_argument("--sort", type=event_names, default=[])
    parser.add_argument(
        "--event", dest="events", type=event_definition, action="append", default=[]
    )
    parser.add_argument("--threshold", type=percentage)
    parser.add_argument("--show-percs", type=yes_or_no)
    parser.add_argument("--inclusive", type=yes_or_no)
    parser.add_argument("--tree", choices=("none", "caller", "calling", "both"))
    parser.add_argument("--fold-recs", type=yes_or_no, default=True)
    parser.add_argument("--inlines", type=yes_or_no, default=False)
    parser.add_argument("--parts", type=numbers, default=[])
    parser.add_argument("--threads", type=numbers, default=[])
    parser.add_argument("--columns", default="event", choices=("event", "part", "thread"))
    parser.add_argument("--view", choices=("function", "file:function", "function:file"))
    parser.add_argument("--auto", type=yes_or_no)
    parser.add_argument("--asm", type=yes_or_no)
    parser.add_argument("--miss-curve", action="store_true")
    parser.add_argument("--context", type=whole_number)
    parser.add_argument("--data", type=_data_events)
    parser.add_argument("--data-object", metavar="NAME", action="append", default=[])
    parser.add_argument("--paths", action="store_true")
    parser.add_argument("--data-type", type=data_type, action="append", default=[])
    parser.add_argument("-I", "--include", action="append", default=[])
    for option in "--mod-filename", "--mod-funcname":
        parser.add_argument(option, type=name_substitution, action="append", default=[])
    parser.add_argument("--colour", "--color", default="auto", choices=("auto", "yes", "no"))
    parser.add_argument("--callgrind", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--names", default="short", choices=("short", "full"))
    parser.add_argument("--check", nargs="?", choices=KINDS, const=KINDS[0], default="")
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("files", nargs="*")
    return parser


def _parse(arguments: list[str]) -> _Given:
    parser = annotate_parser()
    given = vars(parser.parse_intermixed_args(_apart(arguments)))
    given["colour"] = given["colour"] == "yes" or given["colour"] == "auto" and sys.stdout.isatty()
    given["terminal"] = sys.stdout.isatty()
    given["width"] = shutil.get_terminal_size().columns
    if given["show_percs"] is None:
        given["show_percs"] = not given["terminal"] or given["columns"] == "event"
    if given["callgrind"] and given["auto"] is None:
        given["auto"] = True
    _check_thresholds(parser, given)
    _check_summary(parser, given)
    _take_data(parser, given)
    _check_paths(parser, given)
    _complete(given)
    apart = {name: given.pop(name) for name in ("files", "check", "partial", "inlines")}
    checked = _Given(**apart, options=Options(**given))
    wrong = _contradiction(checked.options)
    if checked.check and checked.partial:
        wrong = "--check and --partial: expected one of them"
    if checked.inlines and (checked.check or checked.options.summary or checked.options.data):
        wrong = "--inlines with --check, --data or --summary; expected one of them"
    if wrong:
        parser.error(wrong)
    return checked


def _check_thresholds(parser: Parser, given: dict[str, Any]) -> None:
    """With --callgrind, an event of --sort may have a threshold: Ir:50."""
    thresholds = [text.partition(":")[2] for text in given["sort"] if ":" in text]
    for threshold in thresholds if given["callgrind"] else ():
        try:
            percentage(threshold)
        except argparse.ArgumentTypeError as error:
            parser.error(f"argument --sort: {error}")


def _check_summary(parser: Parser, given: dict[str, Any]) -> None:
    """A summary has no functions, and no other form."""
    if given["summary"] and (
        _asks_for_lists(given)
        or given["include"]
        or given["miss_curve"]
        or given["callgrind"]
        or given["columns"] != "event"
    ):
        parser.error(
            "--summary with --callgrind, --columns, --miss-curve or an option about functions "
            "or lines; expected one of them"
        )


def _take_data(parser: Parser, given: dict[str, Any]) -> None:
    """Data has objects and members, no functions and lines; its event is what is sorted by."""
    if given["data"] and given["sort"]:
        parser.error("--data=EVENT and --sort; expected one of them")
    given["sort"] = given["sort"] or given["data"] or []
    given["data"] = given["data"] is not None or bool(given["data_object"] or given["data_type"])
    if not given["data"]:
        return
    others = {**given, "threshold": None}
    if (
        _asks_for_lists(others)
        or any(given[name] for name in ("include", "miss_curve", "summary", "callgrind", "check"))
        or given["columns"] != "event"
    ):
        parser.error(
            "--data with --callgrind, --check, --columns, --miss-curve, --summary or an option "
            "about functions or lines; expected one of them"
        )


def _check_paths(parser: Parser, given: dict[str, Any]) -> None:
    """Paths have functions and what these call, no lines; they are those that hold 95 %."""
    if not given["paths"]:
        return
    others = {**given, "threshold": None}
    names = (
        *("include", "miss_curve", "summary", "callgrind", "check", "data", "inlines"),
        *("parts", "threads", "mod_filename", "mod_funcname"),
    )
    if _asks_for_lists(others) or any(given[name] for name in names) or given["columns"] != "event":
        parser.error(
            "--paths with --callgrind, --check, --columns, --data, --inlines, --miss-curve, "
            "--parts, --summary, --threads, a name to change or an option about functions or "
            "lines; expected one of them"
        )


def _data_events(text: str) -> list[str]:
    """What objects are sorted by; nothing of a bare --data."""
    return event_names(text) if text else []


_LISTS = {
    **{"threshold": 99.0, "inclusive": False, "tree": "none", "view": "function"},
    **{"auto": False, "asm": False, "context": 8},
}
"""The options that ask for lists, and what holds where only others of them are given."""


def _asks_for_lists(given: dict[str, Any]) -> bool:
    return any(given[name] is not None for name in _LISTS)


def _complete(given: dict[str, Any]) -> None:
    """Fill in what the command line does not say: the overview, unless a list is asked for."""
    if given["auto"] is None and (given["include"] or given["context"] is not None):
        given["auto"] = True
    given["lists"] = bool(given["miss_curve"]) or _asks_for_lists({**given, "threshold": None})
    given["held"] = 95.0 if given["threshold"] is None else given["threshold"]
    given["overview"] = not (given["json"] or given["miss_curve"] or _asks_for_lists(given))
    given.update({name: value for name, value in _LISTS.items() if given[name] is None})


def _contradiction(given: Options) -> str:
    """What options ask for and is not shown together, if anything."""
    if given.callgrind and (
        given.json
        or given.miss_curve
        or given.asm
        or given.events
        or given.view != "function"
        or given.columns != "event"
    ):
        return (
            "--callgrind with --json, --miss-curve, --asm, --event, --view or --columns, which "
            "callgrind_annotate does not have; expected one of them"
        )
    if given.miss_curve and given.columns != "event":
        return "--miss-curve and --columns: expected one of them"
    if given.view != "function" and (given.inclusive or given.tree != "none"):
        return (
            f"--view={given.view}, which has self costs, with --inclusive "
            "or --tree; expected one of them"
        )
    if given.json and (given.asm or given.view != "function"):
        return (
            "--json with --asm or --view; expected one of them, as JSON " "has functions and lines"
        )
    return ""


def _apart(arguments: list[str]) -> list[str]:
    """A bare --check or --data does not take the argument behind it for its value."""
    values = {"--check": "--check=sums", "--data": "--data="}
    return [values.get(argument, argument) for argument in arguments]
