#!/usr/bin/env python3
"""Times short loops of operations that do not wait for each other, and estimates them.

    tests/bench/cycles/loops.py [--cycles=CPU] [--machine=NAME] [--rounds=N] [FAMILY...]

What a loop takes that needs more ports than there are tells which ports an operation uses, how a core
shares operations out among them, and how many it fetches. Each line has a loop's name, its cycles natively,
those that the table of CPU gives, and their ratio, marked if it is off by more than 8 %. It also runs on a
busy machine, as what counts is the least of many short rounds.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator

from subjects import HERE, PROFILED, TOP, WORK, environment

ITERATIONS = 3000
CHAIN = 16
"""Additions of an iteration of the first loop, which tells how long a cycle is."""
FREE = "rdi rcx r15 rax rdx r8 r9 r10 r11 rbx r12 r13 r14".split()
"""Registers that a loop may write; rsi is a large number, rbp counts iterations, (%rsp) is a number."""
KINDS = {
    "add": "add $1,%{0}",
    "mov": "mov %rsi,%{0}",
    "load": "mov (%rsp),%{0}",
    "store": "mov %rsi,-8(%rsp)",
    "imul": "imul $3,%rsi,%{0}",
    "shl": "shl $3,%{0}",
    "popcnt": "popcnt %rsi,%{0}",
    "setc": "setc %{0:b}",
    "cmov": "cmovz %rsi,%{0}",
    "cmp": "cmp %rsi,%{0}",
    "lea": "lea (%rsi,%rbp,2),%{0}",
    "lea3": "lea 7(%rsi,%rbp,2),%{0}",
    "jump": "jc 2f",
    "cmpjz": "cmp $1,%r15; jz 2f",
    "subjz": "sub $1,%r15; jz 2f",
}
FAMILIES = {
    "alone": ["add", "mov"],
    "plain": ["shl", "popcnt", "lea", "lea3"],
    "flags": ["setc", "cmov", "cmp"],
    "memory": ["load", "store"],
    "branches": ["jump", "cmpjz", "subjz"],
    "multiplied": ["imul"],
}
"""The kinds of each: but for the first, they stand once or twice, some three times, with 0 to 7 additions."""


class Low(str):
    """A register, whose lowest byte is asked for with :b."""

    def __format__(self, spec: str) -> str:
        if spec != "b":
            return str(self)
        return {"rdi": "dil", "rcx": "cl", "rax": "al", "rdx": "dl", "rbx": "bl"}.get(
            self, f"{self}b"
        )


def row(*words: tuple[str, int]) -> list[str]:
    """Operations of some kinds, so many of each, all with registers of their own."""
    made = []
    free = iter(FREE)
    for kind, n in words:
        made += [KINDS[kind].format(Low(next(free))) for _ in range(n)]
    return made


def loops_of(family: str) -> Iterator[tuple[str, list[str]]]:
    if family == "alone":
        for kind in FAMILIES[family]:
            for n in range(1, len(FREE)):
                yield f"{kind}{n}", row((kind, n))
        return
    times = (1, 2, 3) if family in ("memory", "branches") else (1, 2)
    for kind in FAMILIES[family]:
        for n in times:
            for more in range(8):
                yield f"{kind}{n}+add{more}", row((kind, n), ("add", more))
    if family == "memory":
        for more in range(8):
            yield f"load3+add3+mov{more}", row(("load", 3), ("add", 3), ("mov", more))


def function(number: int, body: list[str]) -> str:
    saved = ("rbp", "rbx", "r12", "r13", "r14", "r15")
    begin = [f"push %{register}" for register in saved]
    begin += [f"mov ${ITERATIONS},%ebp", "mov $9,%rsi", "shl $40,%rsi", "mov %rsi,%r15", "clc"]
    end = ["dec %rbp", "jnz 1b", "2:"] + [f"pop %{register}" for register in reversed(saved)]
    lines = [f".p2align 6; .type loop{number},@function; .globl loop{number}", f"loop{number}:"]
    lines += [*begin, ".p2align 6", "1:", *body, *end, "ret", f".size loop{number},.-loop{number}"]
    return "\n".join(lines) + "\n"


def build(loops: list[tuple[str, list[str]]]) -> str:
    """Compiles what times them, behind a chain of additions; its path."""
    bodies = [["add $1,%rdx"] * CHAIN, *(body for _, body in loops)]
    functions = "".join(function(i, body) for i, body in enumerate(bodies))
    (WORK / "loops.s").write_text(f'{functions}.section .note.GNU-stack,"",@progbits\n')
    names = [f"loop{i}" for i in range(len(bodies))]
    declared = "".join(f"void {name}(void);\n" for name in names)
    table = f"enum {{ N_LOOPS = {len(names)}, CHAIN = {CHAIN} }};\nstatic void (*const loops[])(void) = {{"
    (WORK / "loops.h").write_text(f"{declared}{table}{', '.join(names)}}};\n")
    program = str(WORK / "loops")
    sources = [str(HERE / "loops.c"), str(WORK / "loops.s")]
    command = ["gcc", "-O2", f"-I{WORK}", *sources, "-o", program]
    subprocess.run(command, check=True)
    return program


def native(program: str, rounds: int) -> list[float]:
    command = ["taskset", "-c", "1", program, str(rounds)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [float(line) for line in said.split()]


def estimated(program: str, cpu: str, machine: str) -> dict[int, float]:
    """Cycles an iteration by the number of the loop."""
    profile, made = str(WORK / "loops.cg2"), str(WORK / "loops.cycles")
    options = [*PROFILED, f"--machine={machine}", f"--cg2-out-file={profile}"]
    where = environment(VALGRIND_LIB=str(TOP / ".in_place"))
    silent = subprocess.DEVNULL
    command = ["valgrind", "--tool=cg2", *options, program, "1"]
    subprocess.run(command, env=where, stdout=silent, check=True)
    convert = str(TOP / "tools" / "cg2_convert")
    subprocess.run([convert, f"--cycles={cpu}", profile, "-o", made], stdout=silent, check=True)
    annotate = [str(TOP / "tools" / "cg2_annotate"), "--show=Cyc", "--threshold=100", made]
    said = subprocess.run(annotate, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ *([\d,]+) .*:loop(\d+)\b", said, re.MULTILINE)
    return {int(number): int(cost.replace(",", "")) / ITERATIONS for cost, number in found}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--cycles", default="zen4", metavar="CPU")
    parser.add_argument("--machine", default="zen4")
    parser.add_argument("--rounds", type=int, default=300)
    asked = parser.parse_args()
    WORK.mkdir(exist_ok=True)
    ratios = []
    for family in asked.families or FAMILIES:
        loops = list(loops_of(family))
        program = build(loops)
        taken = native(program, asked.rounds)
        model = estimated(program, asked.cycles, asked.machine)
        for i, ((name, _), cycles) in enumerate(zip(loops, taken), start=1):
            ratios.append(model.get(i, 0) / cycles)
            mark = "*" if abs(ratios[-1] - 1) > 0.08 else ""
            print(
                f"{name:18} {cycles:6.2f} {model.get(i, 0):6.2f} {ratios[-1]:6.2f} {mark}".rstrip()
            )
    errors = [abs(ratio - 1) for ratio in ratios]
    print(f"{len(errors)} loops, off by {100 * statistics.mean(errors):.1f} % in the mean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
