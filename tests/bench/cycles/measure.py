#!/usr/bin/env python3
"""Measures native time, in cycles of the core, beside what else the machine does.

    tests/bench/cycles/measure.py own --rounds=20         kernels written for this; study, causes
    tests/bench/cycles/measure.py real --rounds=20        programs of Debian

All run in turn, as often as asked, on one processor; each run adds a line to native/SET-CPU.csv:

    kernel,round,least ticks,median ticks,ticks of a cycle,calls
    program,round,seconds of the user,of the system,cycles a second,page faults,the user's seconds of one

What counts of a kernel is the least of all rounds, each divided by its own clock. Files named -repeated.csv
come of an older study, which scrambled no predictors: its columns are the same, and two more behind. Files of
programs that were measured first have no page faults.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import inputs
from subjects import COMPILE, HERE, WORK, Subject, build, environment, subjects


class Run(NamedTuple):
    """What a run of a program took."""

    user: float  # seconds
    system: float
    clock: float  # cycles a second
    faults: float = 0
    fault: float = 0  # the user's seconds of one


def clock(*before: str, what: str = "cycles") -> str:
    """What clock.c prints, run by the command that stands before it."""
    command = [*before, str(WORK / "clock"), what]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def disturbed(cpu: int) -> float:
    """How long additions take on a processor, in the median: on one of a guest more, if another guest has
    the core's other thread."""
    return float(clock("taskset", "-c", str(cpu), what="additions"))


def pinned() -> None:
    """Keeps what this process starts on the processor that is disturbed least, before all else if it may."""
    subprocess.run([*COMPILE, "-O2", HERE / "clock.c", "-o", WORK / "clock"], check=True)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0), key=disturbed)})
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        print(
            "measure.py: real-time priority needs root; other work disturbs more", file=sys.stderr
        )


def run(subject: Subject, arguments: list[str], scrambled: bool) -> str:
    more = {} if scrambled else {"SCRAMBLE": "0"}
    with Path(os.devnull).open("rb") as nothing:
        return subprocess.run(
            ["setarch", "-R", *subject.command, *arguments],
            env=environment(**more),
            cwd=WORK,
            stdin=nothing,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout.decode(errors="replace")


def kernel_line(subject: Subject, milliseconds: int, scrambled: bool) -> str:
    return run(subject, [str(milliseconds)], scrambled).strip()


def program_line(subject: Subject) -> str:
    beside = clock(), clock(what="faults")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(subject, [], scrambled=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    faults = after.ru_minflt - before.ru_minflt
    return f"{user:.6f},{system:.6f},{beside[0]},{faults},{beside[1]}"


def of_program(runs: Sequence[Run]) -> float:
    """The least cycles of a program, without what the user's share of its page faults takes.

    Seconds of both kinds are split by their mean share: how the kernel splits one run is chance.
    """
    share = sum(run.user for run in runs) / sum(run.user + run.system for run in runs)
    cycles_a_second = statistics.median(run.clock for run in runs)
    faults = statistics.median(run.faults for run in runs) * statistics.mean(
        run.fault for run in runs
    )
    return (min(run.user + run.system for run in runs) * share - faults) * cycles_a_second


def cycles(path: Path) -> dict[str, float]:
    """The least cycles of each kernel or program in a file of measurements."""
    kernels: dict[str, list[float]] = defaultdict(list)
    programs: dict[str, list[Run]] = defaultdict(list)
    for line in path.read_text().splitlines():
        name, _, *values = line.split(",")
        numbers = [float(value) for value in values]
        if len(numbers) in (3, 5):
            programs[name].append(Run(*numbers))
        else:
            kernels[name].append(numbers[0] / numbers[2])
    least = {name: min(values) for name, values in kernels.items()}
    return least | {name: of_program(runs) for name, runs in programs.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("set", choices=("own", "study", "causes", "real"))
    parser.add_argument("names", nargs="*", help="of these alone")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--milliseconds", type=int, default=40, help="of a kernel in each round")
    parser.add_argument("--repeated", action="store_true", help="do not scramble predictors")
    parser.add_argument("--cpu", default="zen4", help="the name in the file's name")
    asked = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    chosen = [one for one in subjects(asked.set) if not asked.names or one.name in asked.names]
    for subject in chosen:
        build(subject)
    if asked.set == "real":
        inputs.make(WORK)
    pinned()
    kind = "-repeated-here" if asked.repeated else ""
    path = HERE / "native" / f"{asked.set}-{asked.cpu}{kind}.csv"
    before = path.read_text().splitlines() if path.exists() else []
    first = 1 + max((int(line.split(",")[1]) for line in before), default=-1)
    for round_ in range(first, first + asked.rounds):
        with path.open("a") as lines:
            for subject in chosen:
                if subject.source:
                    line = kernel_line(subject, asked.milliseconds, not asked.repeated)
                else:
                    line = program_line(subject)
                lines.write(f"{subject.name},{round_},{line}\n")


if __name__ == "__main__":
    main()
