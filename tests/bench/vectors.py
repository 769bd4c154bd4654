"""How much longer programs of AVX-512 take under cg2 than alone.

    tests/bench/vectors.py [--rounds=N] [--blas=FOLDER] [--program=PATH]

Loops of programs/vectors.c; with --blas, a product of matrices by the libblas.so.3 in a folder; with
--program, another one, whose word is how often it does its work. Each runs in turn alone and under cg2, with
nothing to do and with much: the least user times count, and what starting takes does not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAMS = TOP / "tests" / "bench" / "programs"
FLAGS = ("-O3", "-march=native", "-mprefer-vector-width=512", "-w")
IN_A_ROUND = 4096
"""How many instructions by themselves a round of vectors.c has."""


@dataclass(frozen=True)
class Measured:
    """A program and its words, to which how often is added: nothing, under cg2, alone."""

    name: str
    command: Sequence[str]
    counts: tuple[int, int, int]
    environment: dict[str, str] = field(default_factory=dict)


def build(result: Path, *words: str | Path) -> str:
    subprocess.run(["gcc", *FLAGS, "-o", result, *words], check=True)
    return str(result)


def loops(work: Path) -> list[Measured]:
    program = build(work / "vectors", PROGRAMS / "vectors.c")
    # Each works for half a second or more: a start takes 20 ms more in one run than in another.
    many = {"nothing": 20000, "alone": 8000, "multiply": 100000, "count": 100000, "find": 50000}
    return [Measured(name, [program, name], (0, n, n * 20)) for name, n in many.items()]


def products(work: Path, folder: Path) -> Measured:
    program = build(work / "products", PROGRAMS / "products.c", folder / "libblas.so.3")
    environment = {
        "LD_LIBRARY_PATH": str(folder),
        "OPENBLAS_CORETYPE": "SkylakeX",
        "OPENBLAS_NUM_THREADS": "1",
    }
    return Measured("dgemm", [program], (0, 60, 1200), environment)


def user_time(command: Sequence[str], environment: dict[str, str]) -> float:
    """Seconds of user time of a command."""
    child = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {child.returncode}")
    return float(used.ru_utime)


def measure(subject: Measured, tool: Sequence[str], rounds: int) -> tuple[float, float]:
    """Seconds that one time takes alone, and under the tool."""
    least: dict[tuple[str, int], float] = {}
    nothing, few, many = subject.counts
    for _ in range(rounds):
        for kind, prefix, count in (
            ("alone", [], nothing),
            ("alone", [], many),
            ("tool", tool, nothing),
            ("tool", tool, few),
        ):
            taken = user_time([*prefix, *subject.command, str(count)], subject.environment)
            least[kind, count] = min(taken, least.get((kind, count), taken))
    alone = (least["alone", many] - least["alone", nothing]) / many
    return alone, (least["tool", few] - least["tool", nothing]) / few


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--blas", type=Path)
    parser.add_argument("--program", type=Path)
    chosen = parser.parse_args()
    os.environ.setdefault("VALGRIND_LIB", str(TOP / ".in_place"))
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tool = ["valgrind", "-q", "--tool=cg2", f"--cg2-out-file={work / 'profile'}"]
        subjects = loops(work)
        subjects += [products(work, chosen.blas.resolve())] if chosen.blas else []
        if chosen.program:
            program = [str(chosen.program.resolve())]
            subjects.append(Measured(chosen.program.name, program, (0, 4, 80)))
        print("| | alone, µs | cg2, µs | times |\n|---|---|---|---|")
        found = {}
        for subject in subjects:
            found[subject.name] = alone, under = measure(subject, tool, chosen.rounds)
            print(
                f"| {subject.name} | {alone * 1e6:.2f} | {under * 1e6:.2f} | {under / alone:.1f} |",
                flush=True,
            )
    by_itself = (found["alone"][1] - found["nothing"][1]) / IN_A_ROUND
    print(f"An instruction by itself: {by_itself * 1e9:.0f} ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
