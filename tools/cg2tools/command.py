"""The command cg2_annotate: arguments in, report or one line of error out."""

import argparse
import errno
import gc
import sys
from pathlib import Path

from cg2tools import VERSION
from cg2tools.annotate import Options, report
from cg2tools.console import Parser, be_a_quiet_filter, drop_output
from cg2tools.profile import Profile, ProfileError
from cg2tools.reader import read_profile

_HELP = """\
usage: cg2_annotate [OPTION...] [FILE] [SOURCE...]

Show where the cost of a profile lies: the functions, most expensive first,
then their source files line by line.

  cg2_annotate                              the newest profile in this directory
  cg2_annotate cg2.out.4711                 this profile
  cg2_annotate --auto=no cg2.out.4711       functions only, no sources
  cg2_annotate --inclusive=yes cg2.out.4711
                                            with the cost of what they call
  cg2_annotate --tree=both cg2.out.4711     with their callers and callees
  cg2_annotate --sort=D1mr --show=Ir,D1mr cg2.out.4711
                                            most read misses first, two columns
  cg2_annotate -I ../src cg2.out.4711       look for sources in ../src too
  cg2_annotate --auto=no cg2.out.4711 main.c
                                            functions, and this source file

FILE defaults to the newest cg2.out.* or callgrind.out.* in this directory.
SOURCE is a source file to annotate: its name in the profile, or the end of it.

  --show=A,B             columns: these events       [all that were recorded]
  --sort=A,B             order by A, then by B       [the order of the columns]
  --threshold=0..100     list functions until they make up this percentage of
                         A; with --inclusive=yes, list those that have at least
                         the rest of 100 %                                 [99]
  --show-percs=yes|no    percentages of the total                         [yes]
  --inclusive=yes|no     cost of a function and of all that it calls       [no]
  --tree=none|caller|calling|both
                         around each function (*) its callers (<), its callees
                         (>), and how often they call                    [none]
  --fold-recs=yes|no     a function and its recursion levels (fib, fib'2) are
                         one row                                          [yes]
  --auto=yes|no          annotate the sources of the functions listed     [yes]
  --context=N            show N lines around each line that has a cost      [8]
  -I DIR, --include=DIR  look for sources in DIR too; may be repeated
  -h, --help             this text
  --version              the version

A function is an object, a file and a name; code inlined into it counts as its
own. Inclusive cost counts a recursion once: what is spent while the function
is on the stack, however often it is. In a cycle of several functions whose
levels the profile does not tell apart it is an upper bound, never more than
the cost of the cycle. An event that the profile defines by a formula can be
shown and sorted by as well.
"""


def annotate_command(arguments: list[str]) -> int:
    """Run cg2_annotate; return its exit status."""
    be_a_quiet_filter()
    gc.disable()  # a profile has no cycles, and lives as long as the process
    path, options = _parse(arguments)
    try:
        if path is None:
            path = _newest_profile()
        profile = read_profile(path)
        _check_sums(profile)
        for line in report(profile, options):
            print(line)
        sys.stdout.flush()
    except ProfileError as error:
        return _fail(str(error))
    except OSError as error:
        drop_output()
        return _fail(f"{error.filename or 'standard output'}: "
                     f"{error.strerror}")
    return 0


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


def _newest_profile() -> str:
    """The newest profile of the current directory; says which on stderr.

    Empty files are what Callgrind leaves of a run that was killed.
    """
    files = [path for pattern in ("cg2.out.*", "callgrind.out.*")
             for path in Path().glob(pattern)
             if path.is_file() and path.stat().st_size]
    if not files:
        raise FileNotFoundError(
            errno.ENOENT, "no cg2.out.* or callgrind.out.* in this directory; "
            "expected one, or the name of a file", "cg2_annotate")
    newest = max(files, key=lambda path: (path.stat().st_mtime_ns, path.name))
    print(f"cg2_annotate: reading {newest}, the newest profile here",
          file=sys.stderr)
    return str(newest)


def _check_sums(profile: Profile) -> None:
    """A profile of cg2 must agree with itself; Callgrind's often do not."""
    for part in profile.parts:
        try:
            part.check()
        except ProfileError as error:
            if "cg2" in profile.creator:
                raise
            print(f"{error.path}:{error.line}: warning: {error.message}; the "
                  "total shown is the sum of the self costs", file=sys.stderr)
            return


# ---- Arguments -------------------------------------------------------------

def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise argparse.ArgumentTypeError(f"'{text}'; expected yes or no")
    return text == "yes"


def _percentage(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"'{text}'; expected 0 to 100")
    return number


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(
            f"'{text}'; expected a number of lines, 0 or more")
    return int(text)


def _events(text: str) -> list[str]:
    events = text.split(",")
    if not all(events):
        raise argparse.ArgumentTypeError(
            f"'{text}'; expected events as in Ir,Dr")
    return events


def _parse(arguments: list[str]) -> tuple[str | None, Options]:
    parser = Parser("cg2_annotate", _HELP)
    parser.add_argument("--version", action="version",
                        version=f"cg2_annotate {VERSION}")
    parser.add_argument("--show", type=_events, default=[])
    parser.add_argument("--sort", type=_events, default=[])
    parser.add_argument("--threshold", type=_percentage, default=99.0)
    parser.add_argument("--show-percs", type=_yes_or_no, default=True)
    parser.add_argument("--inclusive", type=_yes_or_no, default=False)
    parser.add_argument("--tree", default="none",
                        choices=("none", "caller", "calling", "both"))
    parser.add_argument("--fold-recs", type=_yes_or_no, default=True)
    parser.add_argument("--auto", type=_yes_or_no, default=True)
    parser.add_argument("--context", type=_count, default=8)
    parser.add_argument("-I", "--include", action="append", default=[])
    parser.add_argument("file", nargs="?")
    parser.add_argument("sources", nargs="*")
    given = vars(parser.parse_intermixed_args(arguments))
    return given.pop("file"), Options(**given)
