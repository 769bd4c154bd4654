"""What PyTorch's torch.utils.benchmark does (Timer.collect_callgrind): its command line, its script, what it
reads.

Rules and expressions are those of `torch/utils/benchmark/utils/valgrind_wrapper/timer_interface.py`.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from cg2test import compile
from launcher import Launcher

TOTAL = re.compile(r"^([0-9,]+)\s+PROGRAM TOTALS")
BEGIN = re.compile(r"Ir\s+file:function")
FUNCTION = re.compile(r"^\s*([0-9,]+)\s+(.+:.+)$")

REPEATS = 2

# The script that runs under Callgrind; `bindings` has the client requests, and the statement, which has run
# before it is counted. After the repeats comes one without the statement, which is subtracted.
SCRIPT = """\
import ctypes, os, subprocess, sys, time
bindings = ctypes.CDLL({bindings!r})
toggle, statement, dump_stats = bindings.toggle, bindings.statement, bindings.dump_stats
statement(10)
with open("callgrind_stat.txt", "wb") as stat_file:
    command = ["callgrind_control", "--stat"]
    if subprocess.run(command, stdout=stat_file, stderr=subprocess.STDOUT).returncode:
        sys.exit("Command failed: " + " ".join(command))
with open("callgrind_stat.txt", "rt") as stat_file:
    stat_lines = stat_file.read().splitlines()
if f"PID {{os.getpid()}}: python {{__file__}}" not in stat_lines:
    sys.exit("Process does not appear to be running callgrind.")
time.sleep(0.01)
toggle()
for _ in range({repeats}):
    statement(100)
    dump_stats()
dump_stats()
toggle()
"""


@dataclass(frozen=True)
class Counts:
    """What callgrind_annotate prints of a file, as PyTorch reads it."""

    total: int
    functions: list[tuple[str, int]]  # file:function, the dearest first


@dataclass(frozen=True)
class Outcome:
    names: list[str]  # of the profiles, as they come to be
    inclusive: list[Counts]  # of each repeat, and of the one without the statement
    exclusive: list[Counts]


def run(launcher: Launcher, directory: Path) -> Outcome:
    """Collect the counts of a statement, in a directory that does not exist yet and is removed.

    Where a name of a file is in Python's tables depends on the name, and so do counts.
    """
    directory.mkdir()
    try:
        return run_in(launcher, directory)
    finally:
        shutil.rmtree(directory)


def run_in(launcher: Launcher, directory: Path) -> Outcome:
    bindings = compile("bindings.c", "-O1", "-shared", "-fPIC")
    script = directory / "timer_callgrind.py"
    script.write_text(SCRIPT.format(bindings=str(bindings), repeats=REPEATS))
    (directory / "python").symlink_to("/usr/bin/python3")
    # Other runs on this machine are none of this one's: callgrind_control looks for pipes in TMPDIR.
    environment = launcher.large_environment(TMPDIR=str(directory))
    environment["PATH"] = f"{directory}:{environment['PATH']}"
    launcher.run(
        "valgrind",
        "--tool=callgrind",
        f"--callgrind-out-file={directory}/callgrind.out",
        "--dump-line=yes",
        "--dump-instr=yes",
        "--instr-atstart=yes",
        "--collect-atstart=no",
        "python",
        script,
        directory=directory,
        environment=environment,
    )
    files = [directory / f"callgrind.out.{i + 1}" for i in range(REPEATS + 1)]
    return Outcome(
        sorted(path.name for path in directory.glob("callgrind.out*")),
        [annotated(launcher, path, "yes") for path in files],
        [annotated(launcher, path, "no") for path in files],
    )


def annotated(launcher: Launcher, path: Path, inclusive: str) -> Counts:
    ended = launcher.run(
        "callgrind_annotate",
        f"--inclusive={inclusive}",
        "--threshold=100",
        "--show-percs=no",
        path,
        directory=path.parent,
    )
    return counts(ended.stdout)


def counts(text: str) -> Counts:
    """The total, then from a heading on all lines of functions, up to one that is none and no rule."""
    lines = iter(text.splitlines())
    total = number(next(found[1] for line in lines if (found := TOTAL.match(line))))
    next(line for line in lines if BEGIN.match(line))
    functions = []
    for line in lines:
        if found := FUNCTION.match(line):
            # What costs as much as all is taken for a root.
            if number(found[1]) != total:
                functions.append((found[2], number(found[1])))
        elif not re.match(r"-+", line):
            break
    return Counts(total, sorted(functions, key=lambda row: (-row[1], row[0])))


def number(text: str) -> int:
    return int(text.replace(",", ""))
