"""How long libcg2profile takes to read profiles from 1 MB to 2 GB, and in how much memory.

    reading.py [--largest=2000] [--by-line] [--folder=DIR]

Each size is four times the one before, up to --largest MB. The profiles have addresses, or lines alone; they
are written to DIR (default: a temporary folder), one at a time. Each is read in a process of its own, best of
three: the functions, functions and arcs, and all lines. Time is user and system CPU time of the reading;
memory is what the largest resident set grows by while it reads. Prints a table, and both figures drawn: where
they are linear, the points lie on a straight line.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "lib"))

from largeprofiles import (
    write_large,
    write_large_by_line,
)  # noqa: E402  (found through the path just set)

DETAILS = "functions", "arcs", "lines"
LETTERS = "fal"
ROUNDS = 3
ROWS, COLUMNS = 24, 72

READ = """
import json, resource, sys, time
from cg2tools.bindings.interface import profile_library
from cg2tools.profile.libcg2profile import read
profile_library()
def largest():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, start = largest(), time.process_time()
profile = read(sys.argv[1], detail=int(sys.argv[2]))
print(json.dumps([time.process_time() - start, (largest() - before) * 1024]))
"""


class Reading(NamedTuple):
    """What it takes to read one file in one detail."""

    size: int  # bytes of the file
    seconds: float
    memory: int  # bytes


def read(path: Path, detail: int) -> Reading:
    """The best of some rounds."""
    rounds = []
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", READ, str(path), str(detail)]
        said = subprocess.run(
            command, cwd=TESTS.parent / "tools", stdout=subprocess.PIPE, check=True
        )
        rounds.append(json.loads(said.stdout))
    return Reading(
        path.stat().st_size, min(round[0] for round in rounds), min(round[1] for round in rounds)
    )


def row(readings: Sequence[Reading]) -> str:
    """A size and, of each detail, seconds, MB a second and memory for a byte of the file."""
    cells = [
        f"{reading.seconds:.3f} s, {reading.size / reading.seconds / 1e6:.0f} MB/s, "
        f"{reading.memory / reading.size:.2f}"
        for reading in readings
    ]
    return (
        "| ".join([f"| {readings[0].size / 1e6:,.0f} MB ", *(f"{cell} " for cell in cells)]) + "|"
    )


def drawn(
    rows: Sequence[Sequence[Reading]], figure: Callable[[Reading], float], unit: str
) -> list[str]:
    """Points over the sizes, both logarithmic to the same scale; a letter for each detail."""
    left, right = (math.log(rows[at][0].size) for at in (0, -1))
    figures = [math.log(max(figure(reading), 1e-9)) for readings in rows for reading in readings]
    low, high = min(figures), max(figures)
    canvas = [[" "] * COLUMNS for _ in range(ROWS)]
    for readings in rows:
        for letter, reading in zip(LETTERS, readings):
            x = (math.log(reading.size) - left) / (right - left or 1)
            y = (math.log(max(figure(reading), 1e-9)) - low) / (high - low or 1)
            canvas[round((1 - y) * (ROWS - 1))][round(x * (COLUMNS - 1))] = letter
    lines = ["|" + "".join(line).rstrip() for line in canvas]
    lines[0] += f"   {math.exp(high):,.3g} {unit}"
    lines[-1] += f"   {math.exp(low):,.3g} {unit}"
    ends = f"{rows[0][0].size / 1e6:,.0f} MB", f"{rows[-1][0].size / 1e6:,.0f} MB"
    return [*lines, "+" + "-" * COLUMNS, ends[0] + ends[1].rjust(COLUMNS + 1 - len(ends[0]))]


def main() -> None:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--largest", type=int, default=2000)
    parser.add_argument("--by-line", action="store_true")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    write = write_large_by_line if given.by_line else write_large
    sizes = [given.largest >> 2 * step for step in range(16) if given.largest >> 2 * step][::-1]
    print(
        "| size | functions: time, speed, memory for a byte | and arcs | and lines |\n|---|---|---|---|"
    )
    rows = []
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for size in sizes:
            path = Path(folder) / "profile"
            write(path, size * 1_000_000)
            rows.append([read(path, detail) for detail in range(len(DETAILS))])
            print(row(rows[-1]), flush=True)
    print("\nf: functions, a: and arcs, l: and lines\n")
    print(*drawn(rows, lambda reading: reading.seconds, "s"), "", sep="\n")
    print(*drawn(rows, lambda reading: reading.memory / 1e6, "MB"), sep="\n")


if __name__ == "__main__":
    main()
