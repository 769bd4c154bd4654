"""The command cg2_diff: two profiles in, what differs or one line of error out."""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from cg2tools import VERSION
from cg2tools.commandline.console import Busy, Parser
from cg2tools.commandline.inputs import (
    check_sums,
    fail,
    name_substitution,
    percentage,
    read_shown,
    run_command,
    whole_number,
    yes_or_no,
)
from cg2tools.diff.comparison import compare
from cg2tools.diff.names import Names
from cg2tools.diff.report import Report, json_report, markdown_report, text_report
from cg2tools.profile.checks import check_alike
from cg2tools.profile.model import Profile

_HELP = """\
usage: cg2_diff [OPTION...] OLD NEW

Show what differs between two profiles, OLD and NEW, by function, line and call:
what was added, removed and changed, what has most effect on the total first.

  cg2_diff cg2.out.before cg2.out.after     compare two builds of a program
  cg2_diff --fail-above=1% main.out pr.out  exit status 3 if NEW costs more than
                                            1 % more than OLD: for CI
  cg2_diff --fail-above=1% --markdown main.out pr.out >comment.md
                                            the same, for a pull request
  cg2_diff --json main.out pr.out           the same, for programs
  cg2_diff --sort=D1mr cg2.out.1 cg2.out.2  compare read misses
  cg2_diff --fold-templates=yes old new     f<int> and f<long> are one function
  cg2_diff --mod-funcname='s/_v[0-9]+$//' old new
                                            parse_v1 and parse_v2 are one too

What is compared:
  --sort=EVENT           this event; may be one that a formula defines, such as
                         CEst, see cg2_annotate --help  [the first one recorded]
  --rows=N               N rows in each table; 0: all                      [20]
  --smallest=0..100      leave rows out that differ by less than this percentage
                         of OLD's total         [0.01; 0.05 with --markdown]
  --fail-above=P%        exit status 3 if the total grew by more than P percent
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
Output:
  --json                 for programs, as JSON, all rows
  --markdown             for a comment on a pull request
  --names=short|full     names of C++ and Rust as people say them, or as the
                         profile has them, as JSON does                 [short]
  --partial              read what there is of a file that was cut off, and say
                         so; exit status 1 then
  -h, --help             this text
  --version              the version

Exit status: 0; 1 if a profile cannot be read or is cut off, or the two cannot
be compared; 2 if an option is wrong; 3 if --fail-above says so.

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
    report = _compared(given)
    for line in given.output(report):
        print(line)
    sys.stdout.flush()
    if report.grew_too_much:
        fail(f"cg2_diff: {report.growth()}; {report.verdict()}")
    if given.partial and (report.old.cut_off or report.new.cut_off):
        return 1
    return _LIMIT_EXCEEDED if report.grew_too_much else 0


def _compared(given: "_Given") -> Report:
    old, new = _read(given.old, given), _read(given.new, given)
    for profile in old, new:
        check_alike(old, profile)
    event = given.sort or new.parts[0].events[0]
    with Busy("cg2_diff", "comparing"):
        comparison = compare(old.merged(), new.merged(), given.names, event)
    return Report(
        old, new, comparison, given.rows, given.smallest_shown, given.limit, given.full_names
    )


def _read(path: str, given: "_Given") -> Profile:
    profile = read_shown("cg2_diff", path, partial=given.partial)
    check_sums(profile)
    return profile


# ---- Arguments -------------------------------------------------------------


def _percent(text: str) -> Fraction:
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)%", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"'{text}'; expected a percentage as in 1% or 0.5%")
    return Fraction(match[1])


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    old: str
    new: str
    sort: str
    rows: int
    smallest: float | None
    limit: Fraction | None
    names: Names
    full_names: bool
    json: bool
    markdown: bool
    partial: bool

    @property
    def smallest_shown(self) -> float:
        """Percent; a comment is short."""
        if self.smallest is None:
            return 0.05 if self.markdown else 0.01
        return self.smallest

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
    parser.add_argument("--fail-above", dest="limit", type=_percent)
    names = {"--fold-paths": True, "--fold-clones": True, "--fold-templates": False}
    for option, default in names.items():
        parser.add_argument(option, type=yes_or_no, default=default)
    for option in "--mod-filename", "--mod-funcname":
        parser.add_argument(option, type=name_substitution, action="append", default=[])
    parser.add_argument("--names", dest="shown_names", default="short", choices=("short", "full"))
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument("--markdown", action="store_true")
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    return parser


def _parse(arguments: list[str]) -> _Given:
    parser = diff_parser()
    given = vars(parser.parse_intermixed_args(arguments))
    rules = Names(
        **{
            rule: given.pop(rule)
            for rule in (
                "fold_paths",
                "fold_clones",
                "fold_templates",
                "mod_filename",
                "mod_funcname",
            )
        }
    )
    return _Given(names=rules, full_names=given.pop("shown_names") == "full", **given)
