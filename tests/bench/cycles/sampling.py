#!/usr/bin/env python3
"""Samples which functions ten programs are in, by perf's software clock.

    tests/bench/cycles/sampling.py --least=40000        samples of each program

Runs of the user's part are added up until there are as many: of the runs that took hardly longer than
the shortest one. Functions are those of the program's profile, which is made where there is none:
native/functions-CPU.csv has lines program,object,function,samples. A function's page faults are taken
out of them, by the user's time that one takes, as measure.py takes them out of a program's time.
"""

from __future__ import annotations

import argparse
import re
import statistics
import struct
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import inputs
from measure import clock, pinned
from subjects import HERE, WORK, Subject, environment, profile, programs

from cg2tools.profile.reader import read_profile

SAMPLED = ("gzip", "bzip2", "zstd", "sqlite3", "python3", "perl", "lua", "cc1", "gawk", "jq")
RATE = 4000  # a second: at 20000 interrupts made programs take a third longer, as they empty caches
FAULT_ROUNDS = 400  # the kernel counts time by ticks: one round says nothing
QUIET = 1.1  # times the shortest run's samples: what a run has at most that counts
CLOCK = ("-e", "cpu-clock:u", "-F", str(RATE))
FAULTS = ("-e", "page-faults:u", "-c", "1")  # each of them
FEW = 10  # samples: functions with fewer are not written
LOADS = 1  # the kind of segments that are loaded
MAPPED = re.compile(r"MMAP2 .*\[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*\]: r-xp (/.*)$")
SAMPLE = re.compile(r"^\s*([0-9a-f]+) \((/.*)\)$")

Places = Counter[tuple[str, int]]
Functions = Counter[tuple[str, str]]


def plain(name: str) -> str:
    """A function's name without the depth of its recursion."""
    return name.split("'")[0]


@cache
def segments(path: str) -> list[tuple[int, int, int]]:
    """The loaded segments of an ELF file of 64 bits: offset, address, size in the file."""
    image = Path(path).read_bytes()
    (at,) = struct.unpack_from("<Q", image, 32)
    size, n = struct.unpack_from("<HH", image, 54)
    heads = (struct.unpack_from("<IIQQQQ", image, at + i * size) for i in range(n))
    return [(offset, start, length) for kind, _, offset, start, _, length in heads if kind == LOADS]


def address_of(path: str, offset: int) -> int:
    """The address of what stands at an offset of a file."""
    for first, address, length in segments(path):
        if first <= offset < first + length:
            return address + offset - first
    return offset


def places(data: Path) -> Places:
    """How many samples of a run each place of each object has."""
    command = ["perf", "script", "-i", str(data), "-F", "ip,dso", "--show-mmap-events"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    mapped: dict[str, list[tuple[int, int, int]]] = {}
    found: Places = Counter()
    for line in text.splitlines():
        if event := MAPPED.search(line):
            start, size, offset = (int(each, 16) for each in event.groups()[:3])
            mapped.setdefault(event[4], []).insert(0, (start, size, offset))
        elif sample := SAMPLE.match(line):
            at, path = int(sample[1], 16), sample[2]
            for start, size, offset in mapped.get(path, []):
                if start <= at < start + size:
                    found[path, address_of(path, at - start + offset)] += 1
                    break
    return found


def owners(path: Path) -> dict[tuple[str, int], tuple[str, str]]:
    """The function of a profile that each instruction is in; of several, that in which it ran most often."""
    most: dict[tuple[str, int], int] = {}
    found: dict[tuple[str, int], tuple[str, str]] = {}
    for part in read_profile(str(path)).parts:
        ir = part.events.index("Ir")
        for key, function in part.functions.items():
            for position, cost in function.costs.items():
                place = (key.object, position.instr)
                if cost[ir] > most.get(place, 0):
                    most[place] = cost[ir]
                    found[place] = (key.object, plain(key.name))
    return found


def run(subject: Subject, data: Path, event: Sequence[str]) -> Places:
    """The samples of a run. Stack and heap lie where the kernel puts them: where that is can double the
    time of a loop, so that one layout says little."""
    record = ["perf", "record", "-q", *event, "-o", str(data)]
    subprocess.run(
        [*record, *subject.command],
        env=environment(),
        cwd=WORK,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return places(data)


def quiet(runs: Sequence[Places]) -> list[Places]:
    """The runs that took hardly longer than the shortest: other work on the machine can double the time of a
    run, and not that of all functions alike."""
    shortest = min(each.total() for each in runs)
    return [each for each in runs if each.total() <= QUIET * shortest]


def seconds_of_a_fault() -> float:
    """What a page fault takes of the user's time, in the mean: a hypervisor's part of it counts as that."""
    return statistics.mean(float(clock(what="faults")) for _ in range(FAULT_ROUNDS))


def by_function(places_of_runs: Sequence[Places], subject: Subject) -> Functions:
    """How often runs were at each function. What did not run in the profile is left out."""
    known = owners(subject.profile)
    functions: Functions = Counter()
    for one in places_of_runs:
        for place, n in one.items():
            if place in known:
                functions[known[place]] += n
    return functions


def sampled(subject: Subject, least: int, seconds: float) -> Functions:
    """The samples of each function in quiet runs, without those that page faults of so many seconds make."""
    runs: list[Places] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        while not runs or sum(each.total() for each in quiet(runs)) < least:
            runs.append(run(subject, data, CLOCK))
        faults = by_function([run(subject, data, FAULTS)], subject)
    functions = by_function(quiet(runs), subject)
    for function, n in faults.items():
        functions[function] -= round(n * seconds * RATE * len(quiet(runs)))
    return functions


def file_of(cpu: str) -> Path:
    return HERE / "native" / f"functions-{cpu}.csv"


def samples_of(program: str, cpu: str) -> Functions:
    """What was sampled of a program, from all times that it was."""
    found: Functions = Counter()
    path = file_of(cpu)
    for line in path.read_text().splitlines() if path.exists() else []:
        name, name_of_object, rest = line.split(",", 2)
        function, n = rest.rsplit(",", 1)
        if name == program:
            found[name_of_object, function] += int(n)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="of these alone")
    parser.add_argument("--least", type=int, default=40000, help="samples of each program")
    parser.add_argument("--cpu", default="zen4", help="the name in the file's name")
    parser.add_argument("--machine", default="zen4", help="the machine that profiles simulate")
    asked = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    if not (WORK / "work.sql").exists():
        inputs.make(WORK)
    chosen = [one for one in programs() if one.name in (asked.names or SAMPLED)]
    for subject in chosen:
        profile(subject, asked.machine)
    pinned()
    seconds = seconds_of_a_fault()
    with file_of(asked.cpu).open("a") as lines:
        for subject in chosen:
            for (path, function), n in sampled(subject, asked.least, seconds).most_common():
                if n >= FEW:
                    lines.write(f"{subject.name},{path},{function},{n}\n")
            lines.flush()


if __name__ == "__main__":
    main()
