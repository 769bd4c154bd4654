"""The command cg2_diff: two profiles in, what differs or one line of error out."""

import argparse
import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cg2tools import VERSION
from cg2tools.commandline.console import Busy, Parser
from cg2tools.commandline.inputs import (
    check_sums,
    fail,
    name_substitution,
    newest_profile,
    percentage,
    read_shown,
    run_command,
    whole_number,
    yes_or_no,
)
from cg2tools.data.events import definitions, first_event
from cg2tools.data.typed import data_type
from cg2tools.debug.inlines import shown_apart
from cg2tools.diff.baselines import DIRECTORY, Baselines, baseline_name
from cg2tools.diff.comparison import compare
from cg2tools.diff import trendreport
from cg2tools.diff.limits import Limit, parse_limit, read_limits
from cg2tools.diff.names import Names, program_in
from cg2tools.diff.places import Places
from cg2tools.diff.report import Report, json_report, markdown_report, text_report
from cg2tools.diff.trend import (
    Source,
    check_events,
    profile_source,
    snapshot_of,
    summary_source,
    trend_of,
)
from cg2tools.diff.trendreport import TrendReport
from cg2tools.diff.verdictfiles import annotation, junit_report
from cg2tools.diff.verdicts import exceeded, exceeded_lines, verdicts_of
from cg2tools.profile.checks import check_alike
from cg2tools.profile.model import Part, Profile, ProfileError
from cg2tools.profile.outputfile import write_file

_HELP = """\
usage: cg2_diff [OPTION...] OLD NEW
       cg2_diff [OPTION...] --baseline=NAME [NEW]
       cg2_diff [OPTION...] PROFILE PROFILE PROFILE...
       cg2_diff [OPTION...] DIRECTORY

Show what differs between two profiles, OLD and NEW, by function, line and call:
what was added, removed and changed, what has most effect on the total first.

Of more profiles, or of those in a directory, show what each function that
changed costs in one after the other: a trend, as over commits.

  cg2_diff cg2.out.before cg2.out.after     compare two builds of a program
  cg2_diff --fail-above=1% main.out pr.out  exit status 3 if NEW costs more than
                                            1 % more than OLD: for CI
  cg2_diff --fail-above=1% --markdown main.out pr.out >comment.md
                                            the same, for a pull request
  cg2_diff --limits=cg2-limits.toml main.out pr.out
                                            limits for functions and events
  cg2_diff --json main.out pr.out           the same, for programs
  cg2_diff --save-baseline=main main.out    keep a profile by name,
  cg2_diff --baseline=main pr.out           and compare others with it
  cg2_diff --sort=D1mr cg2.out.1 cg2.out.2  compare read misses
  cg2_diff --fold-templates=yes old new     f<int> and f<long> are one function
  cg2_diff --mod-funcname='s/_v[0-9]+$//' old new
                                            parse_v1 and parse_v2 are one too
  cg2_diff cg2.paths.4711 cg2.paths.4712    compare paths of calls
  cg2_diff v1.out v2.out v3.out             a trend over three versions
  cg2_diff --html=trend.html commits/       the same of all in a directory, as a
                                            page for a browser

What is compared:
  --sort=EVENT           this event; may be one that a formula defines, such as
                         CEst, see cg2_annotate --help  [the first one recorded;
                         of data files, misses]
  --rows=N               N rows in each table; 0: all                      [20]
  --smallest=0..100      leave rows out that differ by less than this percentage
                         of OLD's total         [0.01; 0.05 with --markdown]
  --fail-above=LIMIT     exit status 3 if a cost is above it; may be repeated:
                         1%        the total grew by more than 1 %
                         Dr=2%     so did the total of the event Dr
                         Dr=50000  the total of Dr is more than 50,000
                         f:Ir=3%   what the function f costs itself grew by more
                         f:inclusive:Ir=3%
                                   so did what it costs with what it calls
                         In a trend, of its total, from the last but one to the
                         last
  --limits=FILE          limits in a file of TOML, such as cg2-limits.toml
Baselines, which are profiles that are kept by name:
  --save-baseline=NAME   keep NEW, or the newest profile here, as NAME, unless a
                         cost is above its limit; it is compared with OLD, or
                         with what was kept before
  --baseline=NAME        NAME is OLD
  --baselines=DIRECTORY  where they are                       [.cg2/baselines]
What has one name in both:
  --fold-paths=yes|no    files and objects are told by the last part of their
                         path, the program by NEW's name                  [yes]
  --fold-clones=yes|no   copies that the compiler makes of a function, as
                         f.constprop.0, f.isra.0 and f.part.0, are f      [yes]
  --fold-templates=yes|no
                         instances of a template are one function          [no]
  --mod-filename=s/A/B/  write B for what the regular expression A matches in
                         names of files; may be repeated
  --mod-funcname=s/A/B/  the same for names of functions
  --data-type=PATTERN=TYPE
                         the type of data objects, see cg2_annotate --help
Output:
  --json                 for programs, as JSON, all rows
  --markdown             for a comment on a pull request
  --html=FILE            a trend as a page for a browser, also of two profiles;
                         - is standard output
  --junit=FILE           what limits say, as JUnit's XML for CI systems
  --github               costs above their limits as annotations of GitHub
  --names=short|full     names of C++ and Rust as people say them, or as the
                         profile has them, as JSON does                 [short]
  --inlines=yes|no       inlined functions are functions of their own, by debug
                         information, where a profile was made with
                         --dump-instr=yes --collect-jumps=yes            [no]
  --partial              read what there is of a file that was cut off, and say
                         so; exit status 1 then
  -h, --help             this text
  --version              the version

Of two data files, show what differs by data object, by member or offset, and by
the code that touches these: what a changed layout has done. Of two files of
paths (--contexts=full when profiling), show what differs by function and by
path of calls.

Exit status: 0; 1 if a file cannot be read or is cut off, the two cannot be
compared, or a limit is for what is not there; 2 if an option is wrong; 3 if a
cost is above its limit.

Files of a directory are taken in the order of their names, 9 before 10, but
for hidden ones and those called .html. A trend may also have what cg2_annotate
--json wrote, in files called .json.

Both profiles need the same events and positions. Recursion levels (fib, fib'2)
are one function. A function that is the only one of its object and name in both
is the same whatever its file. Lines that moved in their file are compared where
they are now, also where they are inlined. A function without a name is named by
its address, which changes from build to build:
--mod-funcname='s/^0x[0-9a-f]+$/unnamed/'.
"""

_LIMIT_EXCEEDED = 3  # an exit status


def diff_command(arguments: list[str]) -> int:
    """Run cg2_diff; return its exit status."""
    return run_command(arguments, _parse, _diff)


def _diff(given: "_Given") -> int:
    if not (given.baseline or given.save_baseline):
        return _reported(given)
    kept = Baselines(given.baselines)
    new = given.profiles[-1] if given.profiles else newest_profile("cg2_diff")
    if given.save_baseline and not os.path.isfile(new) and os.path.exists(new):
        raise ProfileError(new, 0, "cannot be kept as a baseline; expected a file")
    old = given.profiles[:-1]
    if given.baseline:
        old = [kept.find(given.baseline)]
    elif not old and given.save_baseline and kept.is_kept(given.save_baseline):
        old = [kept.path(given.save_baseline)]
    status = _reported(replace(given, profiles=[*old, new])) if old else _checked(new, given)
    if given.save_baseline:
        _keep(kept, given.save_baseline, new, status)
    return status


def _checked(new: str, given: "_Given") -> int:
    """The exit status for a profile that there is nothing to compare with."""
    said = f"there is no baseline '{given.save_baseline}' to compare with"
    print(f"cg2_diff: {said}; {new} becomes it", file=sys.stderr)
    return 1 if _read(new, given).cut_off else 0


def _keep(kept: Baselines, name: str, new: str, status: int) -> None:
    """Keep a profile as a baseline, unless it is cut off or too costly."""
    if status:
        print(f"cg2_diff: {kept.path(name)} is left as it is", file=sys.stderr)
        return
    print(f"cg2_diff: wrote {kept.keep(name, new)}", file=sys.stderr)


def _reported(given: "_Given") -> int:
    report: Report | TrendReport
    if given.is_trend:
        report = _followed(given)
        _show_trend(given, report)
    else:
        report = _compared(given)
        for line in given.output(report):
            print(line)
    sys.stdout.flush()
    if given.junit is not None:
        write_file(given.junit, junit_report(report.verdicts))
    _say_exceeded(given, report)
    if given.partial and report.is_cut_off:
        return 1
    return _LIMIT_EXCEEDED if exceeded(report.verdicts) else 0


def _say_exceeded(given: "_Given", report: Report | TrendReport) -> None:
    """Tell stderr which costs are above their limits."""
    if not given.github:
        for line in exceeded_lines(report.verdicts, given.rows):
            fail(f"cg2_diff: {line}")
        return
    places = None if isinstance(report, TrendReport) else Places(report.comparison, given.names)
    for verdict in exceeded(report.verdicts)[: given.rows or None]:
        function = verdict.function
        fail(annotation(str(verdict), places.of(function) if places and function else None))


def _compared(given: "_Given") -> Report:
    limits = given.all_limits()
    old, new = (_read(path, given) for path in given.profiles)
    for profile in old, new:
        check_alike(old, profile)
    event = given.sort or new.parts[0].events[0]
    with Busy("cg2_diff", "comparing"):
        was, now = (_with_definitions(profile.merged()) for profile in (old, new))
        if now.is_data:
            event = given.sort or first_event(now, was)
        comparison = compare(was, now, given.names, event)
        verdicts = verdicts_of(comparison, limits, given.full_names)
    return Report(
        old, new, comparison, given.rows, given.smallest_shown, verdicts, given.full_names
    )


def _with_definitions(part: Part) -> Part:
    """The part; of a data file with the events that are known of data."""
    return replace(part, event_definitions=definitions(part)) if part.is_data else part


def _followed(given: "_Given") -> TrendReport:
    """All sources; the last one, which names the program, first."""
    limits = given.all_limits()
    paths = _in_directories(given.profiles)
    if len(paths) < 2:
        place = given.profiles[0]
        raise FileNotFoundError(
            errno.ENOENT, f"expected 2 profiles or more; there is {len(paths)}", place
        )
    last, first = _read_source(paths[-1], given), _read_source(paths[0], given)
    check_events(first, last)
    event = given.sort or last.events[0]
    for limit in limits:
        if limit.function or limit.event not in ("", event):
            raise limit.fault(f"a trend has limits of its total of {event} alone; expected those")
    program = program_in(last.command)
    snapshots = [snapshot_of(last, event, given.names, program)]
    for path in reversed(paths[:-1]):
        source = first if path == paths[0] else _read_source(path, given)
        check_events(first, source)
        snapshots.insert(0, snapshot_of(source, event, given.names, program))
    trend = trend_of(snapshots, event, given.smallest_shown)
    order = "in the order given" if paths == given.profiles else "in the order of their names"
    return TrendReport(trend, order, given.rows, limits, given.full_names)


def _show_trend(given: "_Given", report: TrendReport) -> None:
    if given.html == "-":
        sys.stdout.buffer.writelines(trendreport.page(report))
        return
    if given.html is not None:
        write_file(given.html, trendreport.page(report))
        print(f"cg2_diff: wrote {given.html}; open it in a browser", file=sys.stderr)
        return
    lines = trendreport.text_report
    if given.json or given.markdown:
        lines = trendreport.json_report if given.json else trendreport.markdown_report
    for line in lines(report):
        print(line)


def _in_directories(paths: list[str]) -> list[str]:
    """The paths, with the files of directories in place of these."""
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        files = [each for each in Path(path).iterdir() if each.is_file()]
        wanted = [each for each in files if each.name[0] != "." and each.suffix != ".html"]
        found += sorted(map(str, wanted), key=_by_numbers)
    return found


def _by_numbers(text: str) -> list[tuple[int, str]]:
    """Sorts 9 before 10."""
    words = re.findall(r"[0-9]+|[^0-9]+", text)
    return [(int(word), "") if word.isdigit() else (-1, word) for word in words]


def _read_source(path: str, given: "_Given") -> Source:
    if path.endswith(".json"):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return summary_source(path, file.read())
    return profile_source(_read(path, given))


def _read(path: str, given: "_Given") -> Profile:
    profile = read_shown("cg2_diff", path, partial=given.partial, paths=True)
    check_sums(profile)
    if given.inlines and not profile.parts[0].is_data:
        return shown_apart("cg2_diff", profile)
    return profile


# ---- Arguments -------------------------------------------------------------


def _limit(text: str) -> Limit:
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _baseline(text: str) -> str:
    try:
        return baseline_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    profiles: list[str]
    sort: str
    rows: int
    smallest: float | None
    fail_above: list[Limit]
    limits: list[str]
    names: Names
    full_names: bool
    json: bool
    markdown: bool
    inlines: bool
    partial: bool
    html: str | None
    junit: str | None
    github: bool
    baseline: str | None
    save_baseline: str | None
    baselines: str

    @property
    def is_trend(self) -> bool:
        is_pair = len(self.profiles) == 2 and not any(map(os.path.isdir, self.profiles))
        return not is_pair or self.html is not None

    @property
    def smallest_shown(self) -> float:
        """Percent; a comment is short."""
        if self.smallest is None:
            return 0.05 if self.markdown else 0.01
        return self.smallest

    def all_limits(self) -> list[Limit]:
        """What the command line says, then what files say."""
        return self.fail_above + [limit for path in self.limits for limit in read_limits(path)]

    def output(self, report: Report) -> Iterator[str]:
        if self.json:
            return json_report(report)
        return markdown_report(report) if self.markdown else text_report(report)


def diff_parser() -> Parser:
    """What the command takes."""
    parser = Parser("cg2_diff", _HELP)
    parser.add_argument("--version", action="version", version=f"cg2_diff {VERSION}")
    parser.add_argument("--sort", default="")
    parser.add_argument("--rows", type=whole_number, default=20)
    parser.add_argument("--smallest", type=percentage)
    parser.add_argument("--fail-above", type=_limit, action="append", default=[])
    parser.add_argument("--limits", metavar="FILE", action="append", default=[])
    parser.add_argument("--baseline", type=_baseline)
    parser.add_argument("--save-baseline", type=_baseline)
    parser.add_argument("--baselines", metavar="DIRECTORY", default=DIRECTORY)
    names = {"--fold-paths": True, "--fold-clones": True, "--fold-templates": False}
    for option, default in names.items():
        parser.add_argument(option, type=yes_or_no, default=default)
    for option in "--mod-filename", "--mod-funcname":
        parser.add_argument(option, type=name_substitution, action="append", default=[])
    parser.add_argument(
        "--data-type", dest="data_types", type=data_type, action="append", default=[]
    )
    parser.add_argument("--names", dest="shown_names", default="short", choices=("short", "full"))
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument("--markdown", action="store_true")
    output.add_argument("--html", metavar="FILE")
    parser.add_argument("--junit", metavar="FILE")
    parser.add_argument("--github", action="store_true")
    parser.add_argument("--inlines", type=yes_or_no, default=False)
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("profiles", metavar="PROFILE", nargs="*")
    return parser


def _parse(arguments: list[str]) -> _Given:
    parser = diff_parser()
    given = vars(parser.parse_intermixed_args(arguments))
    _check_profiles(parser, given)
    if given["junit"] and not (given["fail_above"] or given["limits"]):
        parser.error("--junit=FILE writes what limits say; expected --fail-above or --limits")
    rules = Names(
        **{
            rule: given.pop(rule)
            for rule in (
                "fold_paths",
                "fold_clones",
                "fold_templates",
                "mod_filename",
                "mod_funcname",
                "data_types",
            )
        }
    )
    return _Given(names=rules, full_names=given.pop("shown_names") == "full", **given)


def _check_profiles(parser: Parser, given: Mapping[str, Any]) -> None:
    """An error if what is said to be compared is too little or too much."""
    profiles = given["profiles"]
    if given["baseline"] and len(profiles) > 1:
        parser.error("with --baseline, expected one profile, which is compared with it")
    if given["save_baseline"] and len(profiles) > 2:
        parser.error("with --save-baseline, expected one profile or two")
    if given["baseline"] or given["save_baseline"]:
        return
    if not profiles or (len(profiles) == 1 and not os.path.isdir(profiles[0])):
        parser.error("expected two profiles or more, or a directory of them")
