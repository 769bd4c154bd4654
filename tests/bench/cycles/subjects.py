"""What cycles are measured and estimated of: kernels and programs, how they are built, run and profiled."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
if str(TOP / "tools") not in sys.path:
    sys.path.insert(0, str(TOP / "tools"))
WORK = TOP / "tests-cycles"
COMPILE = ("gcc", "-std=gnu11", "-g", "-w", f"-I{HERE}")
TUNABLES = (
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM"
    ":glibc.cpu.x86_non_temporal_threshold=0x8000000"
)
"""Valgrind's processor has none of these: so that functions of libc are the same natively."""
PROFILED = ("--dump-instr=yes", "--collect-jumps=yes", "--branch-sim=yes", "--forwarding=yes", "-q")


@dataclass(frozen=True)
class Subject:
    """A kernel or a program; kind is the class of its code, or the event that bounds it."""

    name: str
    kind: str
    command: Sequence[str]
    source: Path | None  # of a kernel
    flags: Sequence[str]

    @property
    def profile(self) -> Path:
        return WORK / f"{self.name}.cg2"


def kernels(name: str) -> Iterator[Subject]:
    """The kernels of a set: own, study, causes."""
    for line in (HERE / f"{name}.tsv").read_text().splitlines():
        kernel, kind, source, flags = line.split("\t")
        binary = str(WORK / kernel)
        yield Subject(kernel, kind, (binary,), HERE / name / source, flags.split())


def programs() -> Iterator[Subject]:
    """The programs of Debian that are installed here, as they work on what inputs.py made."""
    for line in (HERE / "real.tsv").read_text().splitlines():
        name, command = line.split("\t")
        yield Subject(name, "program", shlex.split(command), None, ())


def subjects(name: str) -> list[Subject]:
    return list(programs() if name == "real" else kernels(name))


def build(subject: Subject) -> None:
    """Compiles a kernel, unless it is newer than what it is made of."""
    if subject.source is None:
        return
    binary = WORK / subject.name
    parts = (
        subject.source,
        HERE / "main.c",
        HERE / "bench.h",
        HERE / f"{subject.source.parent.name}.tsv",
    )
    if binary.exists() and all(binary.stat().st_mtime > part.stat().st_mtime for part in parts):
        return
    objects = [str(WORK / f"{subject.name}.o"), str(WORK / f"{subject.name}.main.o")]
    subprocess.run([*COMPILE, *subject.flags, "-c", subject.source, "-o", objects[0]], check=True)
    subprocess.run([*COMPILE, "-O2", "-c", HERE / "main.c", "-o", objects[1]], check=True)
    subprocess.run(["gcc", *objects, "-lm", "-o", str(binary)], check=True)


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"GLIBC_TUNABLES": TUNABLES, "LC_ALL": "C"} | more


def profile(subject: Subject, machine: str) -> None:
    """Profiles the last of two calls of a kernel, or a whole program; a newer profile stays."""
    built = (
        [WORK / subject.name] if subject.source else [Path(subject.command[0]), HERE / "real.tsv"]
    )
    made = subject.profile.stat().st_mtime if subject.profile.exists() else 0.0
    if made > max(each.stat().st_mtime for each in built):
        return
    options = [*PROFILED, f"--machine={machine}", f"--cg2-out-file={subject.profile}"]
    options += ["--toggle-collect=timed"] if subject.source else []
    with Path(os.devnull).open("rb") as nothing:
        subprocess.run(
            ["setarch", "-R", "valgrind", "--tool=cg2", *options, *subject.command],
            env=environment(ROUNDS="2", VALGRIND_LIB=str(TOP / ".in_place")),
            cwd=WORK,
            stdin=nothing,
            stdout=subprocess.PIPE,  # some programs do less if nobody reads what they print
            check=True,
        )
