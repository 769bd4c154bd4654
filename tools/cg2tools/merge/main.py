"""The command cg2_merge: many profiles in, one out."""

import errno
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate

from cg2tools.commandline.command import Command
from cg2tools.commandline.console import Busy, Progress, on_terminal, write_shown
from cg2tools.commandline.inputs import check_sums, say_cut_off
from cg2tools.commandline.option import switch
from cg2tools.commandline.options import NAMES, OUTPUT, PARTIAL, ROWS, SORT_BY_ONE
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.merge.imbalance import Imbalance
from cg2tools.profile.checks import check_one_kind
from cg2tools.profile.libcg2profile import LINES, SUMS, LibraryProfile, Sum, read
from cg2tools.profile.outputfile import write_apart
from cg2tools.profile.terms import Header

_ABOUT = About(
    name="cg2_merge",
    summary="add many profiles up into one",
    usages=("-o OUT [OPTION...] FILE...", "--imbalance [OPTION...] FILE..."),
    description="""
Add profiles up into one: of processes, ranks of MPI, shards of a test suite, or the parts and threads of
one run. Each file is read once; memory is needed for the functions there are, not for the files.
""",
    examples=(
        ("cg2_merge -o app.merged cg2.out.*", "all profiles in this directory"),
        ("cg2_annotate app.merged", "what they cost together"),
        ("cg2_merge -o app.paths cg2.paths.*", "what --contexts=full wrote, by path"),
        ("cg2_merge --imbalance cg2.out.*", "which one has most to do, and where"),
        (
            "cg2_merge -o all.merged --imbalance --rows=5 cg2.out.*",
            "both, with five functions",
        ),
    ),
    notes="""
Ranks of Open MPI, each with a profile of its own, then together:

  mpirun -n 4 valgrind --tool=cg2 \\
    '--cg2-out-file=rank.%q{OMPI_COMM_WORLD_RANK}' ./app
  cg2_merge -o app.merged --imbalance rank.*

A FILE of - is standard input. The profiles need the same events and positions. The sum is one part: the
costs, calls and jumps of one place, or of one path, are added up, and the header keeps what all files
say. A sum can be merged again, in any order and in any groups, and is the same file. A file that is to be
merged is never overwritten. If one of the files cannot be read, nothing is written.
""",
    status="0; 1 if a profile cannot be read, is cut off or has another form than the first one, or if "
    "the sum cannot be written, which one line says; 2 if an option is wrong.",
)

_OUTPUT = OUTPUT.but(metavar="OUT", help="write the sum to OUT")
_IMBALANCE = switch(
    "--imbalance",
    help="list what each file costs, and the functions whose greatest cost is furthest above their "
    "mean",
)


def _parser() -> Parser:
    parser = Parser(_ABOUT)
    parser.take(
        "",
        _OUTPUT,
        _IMBALANCE,
        SORT_BY_ONE,
        ROWS.but(help="list N functions; 0: all"),
        NAMES.but(help="list names of C++ and Rust as people say them, or as the profile has them"),
        PARTIAL,
    )
    parser.take_files("files", "+", "FILE")
    return parser


def _work(line: Line) -> int:
    if not (line["output"] or line["imbalance"]):
        line.parser.error("nothing to do; expected -o OUT, --imbalance, or both")
    return _merge(_Given(**line.values))


def _merge(given: "_Given") -> int:
    total = Sum() if given.output else None
    imbalance = Imbalance(given.sort, given.names == "full") if given.imbalance else None
    is_partial = False
    first: Header | None = None
    for profile in _profiles(given):
        check_sums(profile)
        first = first or _header(profile)
        check_one_kind(first, _header(profile))
        if given.partial:
            say_cut_off(profile)
            is_partial |= bool(profile.cut_off)
        if total:
            total.add_profile(profile)
        if imbalance:
            imbalance.add(profile)
    if total:
        with Busy("cg2_merge", "writing the sum"):
            if given.output == "-":
                write_shown(total.result().write)
            else:
                write_apart(given.output, total.result().write)
    for line in imbalance.lines(given.rows) if imbalance else ():
        print(on_terminal(line))
    return 1 if is_partial else 0


def _header(profile: LibraryProfile) -> Header:
    """What the first part of a file says of itself."""
    header = Header(profile.path)
    profile.parts[0].read_header(header)
    return header


def _profiles(given: "_Given") -> Iterator[LibraryProfile]:
    """Each file, when its turn comes; a terminal sees how far that is."""
    sizes = [os.stat(_place(path)).st_size for path in given.files]
    if given.output and os.path.exists(given.output):
        for path in given.files:
            if os.path.samefile(_place(path), given.output):
                raise OSError(
                    errno.EEXIST,
                    "is to be merged and cannot be written as "
                    "well; expected another name for the sum",
                    path,
                )
    progress = Progress("cg2_merge", f"reading {len(sizes):,} files")
    try:
        for profile, done in zip(_read_ahead(given), accumulate(sizes)):
            yield profile
            progress(done, sum(sizes) or 1)
    finally:
        progress.end()


def _place(path: str) -> str | int:
    """What the system calls a file; "-" is standard input."""
    return 0 if path == "-" else path


def _read_ahead(given: "_Given") -> Iterator[LibraryProfile]:
    """Each file in its turn: a thread reads the next one while one is added up.

    The library holds no lock of Python's meanwhile, and reading takes as long as adding.
    """
    with ThreadPoolExecutor(1) as reader:
        ahead = _begin_to_read(reader, given, given.files[0])
        for path in given.files[1:]:
            profile = ahead.result()
            ahead = _begin_to_read(reader, given, path)
            yield profile
            del profile  # the next but one is being read
        yield ahead.result()


def _begin_to_read(
    reader: ThreadPoolExecutor, given: "_Given", path: str
) -> "Future[LibraryProfile]":
    try:
        detail = LINES if given.output else SUMS
        return reader.submit(read, path, detail=detail, partial=given.partial, paths=True)
    except RuntimeError as error:  # there is no memory for a thread
        raise MemoryError from error


# ---- Arguments -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    files: list[str]
    output: str  # "" is none
    imbalance: bool
    sort: str
    rows: int
    names: str
    partial: bool


MERGE = Command(_parser, _work)
