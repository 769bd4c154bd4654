"""The profiles of several runs as one file, of which each run is a part: what `cg2 --layouts=N` leaves."""

from cg2tools.commandline.command import Command
from cg2tools.commandline.inputs import check_sums, read_shown
from cg2tools.commandline.options import OUTPUT
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.profile.outputfile import write_apart
from cg2tools.profile.transform import added_up, as_file

_ABOUT = About(
    name="cg2 join-layouts",
    summary="put the profiles of several runs into one file",
    usages=("-o OUT FILE...",),
    description="Put the profiles of several runs into one file, of which each is a part.",
)


def _parser() -> Parser:
    parser = Parser(_ABOUT)
    parser.take("", OUTPUT.but(metavar="OUT", help="write the file to OUT"))
    parser.take_files("files", "+", "FILE")
    return parser


def _join(line: Line) -> int:
    profiles = [read_shown(line.command, path) for path in sorted(line["files"], key=_number)]
    for profile in profiles:
        check_sums(profile)
    write_apart(line["output"], as_file(added_up(profiles)).write)
    return 0


def _number(path: str) -> int:
    """The number of a run: 3 of /tmp/3.run."""
    return int(path.rpartition("/")[2].partition(".")[0])


JOIN_LAYOUTS = Command(_parser, _join)
