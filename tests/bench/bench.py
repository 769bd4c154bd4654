"""How fast cg2 is, and how much memory it takes: measured beside no tool, --tool=none and Callgrind.

    bench.py [programs|modes|short|growth|instructions|commands|all] [--rounds=N] [--only=NAME,...] [--quick]
             [--program=NAME:COMMAND]... [--valgrind=FOLDER] [--profile=FILE] [--write=DOCUMENT]

programs      the benchmarks of benchmarks.py, natively, too; times are minima
modes         the same in each mode, and described machines, beside Callgrind and Cachegrind, which run once;
              times are minima
short         runs that are mostly translation, also with caches and beside Cachegrind
growth        N functions called through one call site, N = 4,000, 16,000 and 64,000; once and 100 times each
instructions  instructions of the host for each one of a program, of both kinds: exact, see instructions.py
commands      the commands on large profiles, see commands.py; --profile has another one

The tools take turns: each round runs every program under each tool, so that a machine that gets slower slows
down all of them. Other figures are medians over the rounds. Time is user and system CPU time, memory the
largest resident set. Both are of one process, from wait4(); memory without a tool is not shown, because the
kernel reports at least the size of the process that started it. Every run must print what the program prints
without a tool. The tables are printed and written to bench.md in the build directory.

--write puts the tables into a document that holds them (docs/measured.md, README), see benchtables.py.

--program has modes measured with a command of your own, by its absolute path, and nothing else. --valgrind
has them measured with a second set of programs: a stencil, and performance tests of Valgrind's source, which
is in FOLDER.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))

import cg2test  # noqa: E402  (found through the path just set)
import instructions  # noqa: E402
from benchmarks import BENCHMARKS, SHORT, Benchmark, second_set  # noqa: E402
from benchtables import Report, heading, machine, named, rewritten  # noqa: E402
from benchmodes import (  # noqa: E402
    BOTH,
    CACHEGRIND,
    CACHES,
    CALLGRIND,
    CALLGRIND_CACHES,
    CG2,
    INSTRUCTIONS,
    NATIVE,
    NONE,
    OPTIONS,
    SKYLAKE,
    ZEN3,
)
from commands import CommandError, commands  # noqa: E402
from workloads import compiled  # noqa: E402

TOOLS = [NATIVE, NONE, CALLGRIND, CG2]
SHORT_TOOLS = [NONE, CG2, CACHES, CACHEGRIND]
MODES = [NONE, CG2, INSTRUCTIONS, CACHES, BOTH, CACHEGRIND]
SLOW_MODES = [ZEN3, SKYLAKE, CALLGRIND, CALLGRIND_CACHES]  # run once, in the first round
GROWTH = [4000, 16000, 64000]
QUICK_GROWTH = [1000, 4000, 16000]
REPEATS = [1, 100]
PARTS = ["programs", "modes", "short", "growth", "instructions", "commands"]


class BenchError(Exception):
    """A run that failed; the message is for the user."""


# ------------------------------------------------------------ one run


@dataclass(frozen=True)
class Sample:
    """What one run took."""

    seconds: float  # user and system CPU time
    megabytes: float  # largest resident set
    output: str  # its digest: what Python keeps would show in the next one's resident set


def command(tool: str, argv: Sequence[str]) -> list[str]:
    """The command line that runs a program under a tool."""
    if tool == NATIVE:
        return ["setarch", "-R", *argv]
    return ["setarch", "-R", cg2test.VALGRIND, "-q", *OPTIONS[tool], *argv]


def run(tool: str, argv: Sequence[str], directory: Path) -> Sample:
    """Run a program under a tool and measure it."""
    output = directory / "output"
    with output.open("wb") as stdout, (directory / "errors").open("wb") as stderr:
        process = subprocess.Popen(
            command(tool, argv),
            cwd=directory,
            env=cg2test.env(),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        errors = (directory / "errors").read_text(errors="replace")
        raise BenchError(f"{argv[0]} under {tool}: exit status {process.returncode}\n{errors}")
    return Sample(
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss / 1024,
        hashlib.sha256(output.read_bytes()).hexdigest(),
    )


# ------------------------------------------------------------ many runs


@dataclass
class Row:
    """A program with all its runs."""

    name: str
    argv: list[str]
    directory: Path
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def measure(self, tool: str) -> None:
        """Run once more under a tool; the output must be that of the first run."""
        sample = run(tool, self.argv, self.directory)
        for earlier in self.samples.values():
            if earlier[0].output != sample.output:
                raise BenchError(
                    f"{self.name} under {tool}: prints something else than under another tool"
                )
        self.samples.setdefault(tool, []).append(sample)

    def seconds(self, tool: str) -> float:
        """Median CPU time."""
        return statistics.median(sample.seconds for sample in self.samples[tool])

    def megabytes(self, tool: str) -> float:
        """Median peak memory."""
        return statistics.median(sample.megabytes for sample in self.samples[tool])

    def ratio(self, tool: str, base: str) -> float:
        """How many times slower `tool` is than `base`."""
        return self.seconds(tool) / self.seconds(base)

    def least(self, tool: str) -> float:
        """Least CPU time."""
        return min(sample.seconds for sample in self.samples[tool])

    def times(self, tool: str, base: str) -> float:
        """How many times slower `tool` is than `base`, by the least times."""
        return self.least(tool) / self.least(base)

    def share(self, tool: str, base: str) -> float:
        """How many times more memory `tool` takes than `base`."""
        return self.megabytes(tool) / self.megabytes(base)


def measure(rows: Sequence[Row], tools: Sequence[str], rounds: int) -> None:
    """All rounds: in each, every program under every tool in turn."""
    for number in range(rounds):
        for row in rows:
            print(f"round {number + 1} of {rounds}: {row.name}", file=sys.stderr)
            for tool in tools:
                row.measure(tool)


def geometric_mean(ratios: Iterable[float]) -> float:
    """The mean to use for ratios."""
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


# ------------------------------------------------------------ tables


def table(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose columns line up as plain text too."""
    cells: list[Sequence[str]] = [header, *lines]
    widths = [max(len(line[column]) for line in cells) for column in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]

    def text(line: Sequence[str]) -> str:
        first, *others = line
        padded = [
            first.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(others, widths[1:])),
        ]
        return "| " + " | ".join(padded) + " |"

    return "\n".join(map(text, [cells[0], rule, *cells[1:]])) + "\n"


def mark(what: str, measured: float, bound: float, at_most: bool) -> str:
    """A line that says whether a required figure is met."""
    met = measured <= bound if at_most else measured >= bound
    side = "at most" if at_most else "at least"
    return f"{'met   ' if met else 'MISSED'}  {what}: {measured:.2f}, required {side} {bound:.2f}"


def programs_table(rows: Sequence[Row]) -> str:
    """Time, ratios and memory of each program."""
    ratios = [*((tool, NATIVE) for tool in TOOLS[1:]), (CG2, NONE), (CALLGRIND, CG2)]
    header = ["program", "native s", *(f"{tool}/{base}" for tool, base in ratios)]
    header = [name.replace(NATIVE, "native") for name in header]
    header += [f"{tool} MB" for tool in TOOLS[1:]]
    lines = []
    for row in rows:
        line = [row.name, f"{row.least(NATIVE):.3f}"]
        line += [f"{row.times(*ratio):.2f}" for ratio in ratios]
        line += [f"{row.megabytes(tool):.0f}" for tool in TOOLS[1:]]
        lines.append(line)
    means = [f"{geometric_mean(row.times(*ratio) for row in rows):.2f}" for ratio in ratios]
    lines.append(["geometric mean", "", *means, *[""] * len(TOOLS[1:])])
    return table(header, lines)


def programs_marks(rows: Sequence[Row]) -> str:
    """Whether the figures that cg2 promises are met."""
    slowest = max(rows, key=lambda row: row.times(CG2, NONE))
    lines = [
        mark(
            "cg2/none, geometric mean",
            geometric_mean(row.times(CG2, NONE) for row in rows),
            1.20,
            True,
        ),
        mark(
            "callgrind/cg2, geometric mean",
            geometric_mean(row.times(CALLGRIND, CG2) for row in rows),
            2.70,
            False,
        ),
        mark(f"cg2/none, slowest program ({slowest.name})", slowest.times(CG2, NONE), 1.60, True),
    ]
    return "\n".join(lines) + "\n" + memory_mark(rows)


def memory_mark(rows: Sequence[Row]) -> str:
    """Whether cg2 takes no more memory than Callgrind anywhere."""
    largest = max(rows, key=lambda row: row.megabytes(CG2) / row.megabytes(CALLGRIND))
    share = largest.megabytes(CG2) / largest.megabytes(CALLGRIND)
    return mark(f"memory of cg2/callgrind, largest ({largest.name})", share, 1.0, True) + "\n"


# ------------------------------------------------------------ the benchmarks


def chosen_rows(benchmarks: Sequence[Benchmark], only: Sequence[str]) -> list[Row]:
    """The benchmarks that are wanted and whose program is installed."""
    rows = []
    for benchmark in benchmarks:
        if not only or benchmark.name in only:
            directory = cg2test.new_directory()
            try:
                rows.append(Row(benchmark.name, benchmark.make(directory), directory))
            except FileNotFoundError as missing:
                print(f"{benchmark.name} left out: {missing} is not installed", file=sys.stderr)
    return rows


def given_rows(given: Sequence[str]) -> list[Row]:
    """The commands of --program."""
    named = [text.partition(":")[::2] for text in given]
    return [Row(name, shlex.split(words), cg2test.new_directory()) for name, words in named]


def programs(rounds: int, only: Sequence[str]) -> Report:
    """The benchmark of programs; its report."""
    rows = chosen_rows(BENCHMARKS, only)
    if not rows:
        return Report("")
    measure(rows, TOOLS, rounds)
    notes = [f"{benchmark.name}: {benchmark.note}" for benchmark in BENCHMARKS]
    shown = programs_table(rows)
    return Report("\n".join([shown, programs_marks(rows), *notes]) + "\n", {"programs": shown})


def modes(rounds: int, rows: Sequence[Row], name: str) -> Report:
    """The benchmark of modes; its report, with a table called `name` and one of memory."""
    if not rows:
        return Report("")
    measure(rows, MODES + SLOW_MODES, 1)
    measure(rows, MODES, rounds - 1)
    tools = MODES[1:] + SLOW_MODES
    lines = [
        [row.name, f"{row.least(NONE):.2f}", *(f"{row.times(tool, NONE):.2f}" for tool in tools)]
        for row in rows
    ]
    means = [geometric_mean(row.times(tool, NONE) for row in rows) for tool in tools]
    lines.append(["geometric mean", "", *(f"{mean:.2f}" for mean in means)])
    memory = [
        [row.name, *(f"{row.megabytes(tool):.0f}" for tool in MODES + SLOW_MODES)] for row in rows
    ]
    times = table(["times none", "none, s", *tools], lines)
    sizes = table(["memory, MB", *MODES, *SLOW_MODES], memory)
    text = "\n".join([times, sizes, modes_marks(rows)])
    return Report(text, {name: times, f"{name}-memory": sizes})


def modes_marks(rows: Sequence[Row]) -> str:
    """Where modes stand, beside what they are to reach in the mean and with each program."""

    def mean(tool: str, base: str, bound: float, at_most: bool = True) -> str:
        found = geometric_mean(row.times(tool, base) for row in rows)
        return mark(f"{tool}/{base}, geometric mean", found, bound, at_most)

    def each(tool: str, base: str, bound: float) -> str:
        worst = max(rows, key=lambda row: row.times(tool, base))
        return mark(
            f"{tool}/{base}, slowest ({worst.name})", worst.times(tool, base), bound, at_most=True
        )

    def memory(tool: str, base: str, bound: float) -> str:
        worst = max(rows, key=lambda row: row.share(tool, base))
        what = f"memory of {tool}/{base}, largest ({worst.name})"
        return mark(what, worst.share(tool, base), bound, at_most=True)

    lines = [
        mean(CG2, NONE, 1.10),
        each(CG2, NONE, 1.35),
        mean(INSTRUCTIONS, NONE, 1.15),
        mean(CACHES, NONE, 1.70),
        mean(CALLGRIND_CACHES, CACHES, 4.5, at_most=False),
        each(CACHES, CACHEGRIND, 1.0),
        mean(BOTH, NONE, 2.0),
        *(mean(described, CALLGRIND_CACHES, 0.5) for described in (ZEN3, SKYLAKE)),
        memory(CG2, NONE, 1.30),
        memory(CACHES, CACHEGRIND, 1.10),
    ]
    return "\n".join(lines) + "\n"


def short(rounds: int, only: Sequence[str]) -> Report:
    """The benchmark of short runs; its report."""
    rows = chosen_rows(SHORT, only)
    if not rows:
        return Report("")
    measure(rows, SHORT_TOOLS, rounds)
    ratios = [(CG2, NONE), (CACHES, NONE), (CACHEGRIND, NONE)]
    header = ["program", *(f"{tool} s" for tool in SHORT_TOOLS)]
    lines = []
    for row in rows:
        seconds = [f"{row.seconds(tool):.2f}" for tool in SHORT_TOOLS]
        lines.append([row.name, *seconds, *(f"{row.ratio(*ratio):.2f}" for ratio in ratios)])
    shown = table([*header, *(f"{tool}/{base}" for tool, base in ratios)], lines)
    return Report(shown, {"short": shown})


def exact(only: Sequence[str], quick: bool) -> Report:
    """Instructions of the host for each one of a program; the report."""
    benchmarks = SHORT if quick else [*SHORT, *BENCHMARKS]
    lines: list[list[str]] = []
    for row in chosen_rows(benchmarks, only):
        print(f"instructions: {row.name}", file=sys.stderr)
        lines += instructions.lines(row.name, row.argv, SHORT_TOOLS, row.directory)
    shown = table(instructions.HEADER, lines) if lines else ""
    return Report(shown, {"instructions": shown})


def growth(rounds: int, sizes: Sequence[int]) -> Report:
    """The benchmark of growth; its report."""
    rows = {(size, repeats): growth_row(size, repeats) for repeats in REPEATS for size in sizes}
    measure(list(rows.values()), TOOLS[1:], rounds)
    header = [
        "functions",
        "calls of each",
        *(f"{tool} s" for tool in TOOLS[1:]),
        *(f"{tool} MB" for tool in TOOLS[1:]),
    ]
    lines = []
    for (size, repeats), row in rows.items():
        line = [f"{size:,}", str(repeats), *(f"{row.seconds(tool):.2f}" for tool in TOOLS[1:])]
        lines.append(line + [f"{row.megabytes(tool):.0f}" for tool in TOOLS[1:]])
    shown = table(header, lines)
    return Report(shown + "\n" + growth_marks(rows, sizes), {"growth": shown})


def growth_row(size: int, repeats: int) -> Row:
    """The program with `size` functions, each called `repeats` times."""
    path = compiled(
        "bench/programs/growth.c", "../bench/programs/growth.S", f"-DCOUNT={size}", "-O1"
    )
    return Row(f"{size} functions, {repeats} calls", [path, str(repeats)], cg2test.new_directory())


def growth_marks(rows: dict[tuple[int, int], Row], sizes: Sequence[int]) -> str:
    """Whether cg2 grows linearly, and stays below Callgrind.

    Linear is what Valgrind itself does without a tool: its code and the program's leave the caches on the
    way.
    """
    lines = []
    first, middle, last = sizes

    def steepness(tool: str, repeats: int) -> float:
        steps = [
            rows[size, repeats].seconds(tool) - rows[first, repeats].seconds(tool)
            for size in (middle, last)
        ]
        return steps[1] / steps[0]

    for repeats in REPEATS:
        what = (
            f"cg2's time for {last - first:,} more functions/{middle - first:,} more, {repeats} calls of "
            f"each"
        )
        linear = max((last - first) / (middle - first), steepness(NONE, repeats))
        lines.append(mark(what, steepness(CG2, repeats), 1.25 * linear, True))
    slowest = max(rows.values(), key=lambda row: row.ratio(CG2, CALLGRIND))
    lines.append(
        mark(f"cg2/callgrind, slowest ({slowest.name})", slowest.ratio(CG2, CALLGRIND), 1.0, True)
    )
    return "\n".join(lines) + "\n" + memory_mark(list(rows.values()))


# ------------------------------------------------------------ command


def command_line(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(prog="bench.py", description="Measure cg2's speed and memory.")
    parser.add_argument("what", nargs="?", choices=[*PARTS, "all"], default="all")
    parser.add_argument(
        "--rounds",
        type=int,
        default=5,
        metavar="N",
        help="runs of each program under each tool (5)",
    )
    parser.add_argument("--only", default="", metavar="NAME,...", help="only these programs")
    parser.add_argument(
        "--quick", action="store_true", help="one round, less growth: to see that it works"
    )
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME:COMMAND",
        help="measure the modes with this command, and nothing else",
    )
    parser.add_argument(
        "--valgrind",
        type=Path,
        metavar="FOLDER",
        help="measure the modes with a second set of programs, which needs Valgrind's source in FOLDER",
    )
    parser.add_argument(
        "--profile",
        type=Path,
        metavar="FILE",
        help="measure the commands with this profile, and nothing else",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="DOCUMENT",
        help="put the tables into this document, where it holds tables of their names",
    )
    wanted = parser.parse_args(arguments)
    known = [benchmark.name for benchmark in (*SHORT, *BENCHMARKS, *second_set(Path()))]
    wanted.only = [name for name in wanted.only.split(",") if name]
    for name in wanted.only:
        if name not in known:
            parser.error(f"--only={name}: expected one of {', '.join(known)}")
    for given in wanted.program:
        if not all(given.partition(":")):
            parser.error(f"--program={given}: expected a name, a colon and a command")
    if wanted.profile and not wanted.profile.is_file():
        parser.error(f"--profile={wanted.profile}: expected a profile")
    if wanted.valgrind and wanted.program:
        parser.error("--valgrind and --program: expected one of them")
    if wanted.valgrind and not (wanted.valgrind / "perf").is_dir():
        parser.error(f"--valgrind={wanted.valgrind}: expected a folder with Valgrind's source")
    if wanted.write and not (wanted.write.is_file() and named(wanted.write.read_text())):
        parser.error(f"--write={wanted.write}: expected a document with <!-- bench NAME -->")
    if wanted.rounds < 1:
        parser.error(f"--rounds={wanted.rounds}: expected 1 or more")
    return wanted


def modes_rows(wanted: argparse.Namespace) -> list[Row]:
    """The programs that modes are measured with."""
    if wanted.program:
        return given_rows(wanted.program)
    programs = second_set(wanted.valgrind.resolve()) if wanted.valgrind else BENCHMARKS
    return chosen_rows(programs, wanted.only)


def of_commands(rounds: int, wanted: argparse.Namespace) -> Report:
    """The commands, on profiles of which --quick makes a tenth."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            return commands(rounds, Path(directory), wanted.profile, 10 if wanted.quick else 100)
        except CommandError as error:
            raise BenchError(str(error)) from error


def report_of(part: str, wanted: argparse.Namespace) -> Report:
    """The report of one of PARTS; empty if --only leaves nothing of it."""
    rounds = 1 if wanted.quick else wanted.rounds
    if part == "programs":
        return programs(rounds, wanted.only)
    if part == "modes":
        name = "modes-second" if wanted.valgrind else "modes"
        return modes(rounds, modes_rows(wanted), name)
    if part == "short":
        return short(rounds, wanted.only)
    if part == "instructions":
        return exact(wanted.only, wanted.quick)
    if wanted.only:
        return Report("")
    if part == "commands":
        return of_commands(rounds, wanted)
    return growth(rounds, QUICK_GROWTH if wanted.quick else GROWTH)


def main(arguments: Sequence[str]) -> int:
    """The command; the exit status."""
    wanted = command_line(arguments)
    rounds = 1 if wanted.quick else wanted.rounds
    texts = [f"{machine()}, {rounds} rounds\n"]
    tables: dict[str, str] = {}
    what = "modes" if wanted.program or wanted.valgrind else wanted.what
    what = "commands" if wanted.profile else what
    parts = PARTS if what == "all" else [what]
    for part in parts:
        try:
            report = report_of(part, wanted)
        except instructions.MissingError as missing:
            print(f"bench.py: {part} left out: {missing}", file=sys.stderr)
        except BenchError as error:
            print(f"bench.py: {error}", file=sys.stderr)
            return 1
        else:
            texts.append(report.text)
            tables |= report.tables
    text = "\n".join(filter(None, texts))
    print(text, end="")
    (cg2test.BUILD / "bench.md").write_text(text)
    if wanted.write:
        head = heading(arguments, rounds)
        wanted.write.write_text(rewritten(wanted.write.read_text(), tables, head))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
