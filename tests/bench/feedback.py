"""How much faster programs get by the counts of cg2 convert, beside builds that count for themselves.

    python3 tests/bench/feedback.py lua --source=lua5.4-5.4.4 --work=FOLDER    after apt-get source lua5.4
    python3 tests/bench/feedback.py sqlite3 --source=sqlite3-3.40.1 --work=FOLDER
    python3 tests/bench/feedback.py python3 --source=python3.11-3.11.2 --work=FOLDER

cg2 is that of this checkout, once it is built. Each program is built at -O2, and in each way that feedback
makes faster; all train with the same input. Then all run in turn, several times, with a larger one; the
least user time of each counts.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "lib"))

import cg2test  # noqa: E402  (found through the path just set)

CONVERT = cg2test.TOOLS / "cg2_convert"
LLVM = Path(os.environ.get("CG2_LLVM", "/usr/lib"), "llvm-16", "bin")
LAID_OUT = "-reorder-blocks=ext-tsp", "-reorder-functions=hfsort+", "-split-functions"
MOVABLE = "-fno-reorder-blocks-and-partition", "-Wl,--emit-relocs"
FINDABLE = "-gdwarf-4", "-fdebug-info-for-profiling", "-funique-internal-linkage-names"
"""Valgrind 3.19 does not read clang's DWARF 5."""


Compiler = str | Path
ALWAYS = "-O2", "-no-pie", "-fno-pie"


@dataclass(frozen=True)
class Subject:
    """A program: how a compiler with its flags makes it in a folder, and what it does."""

    make: Callable[[Path, Compiler, Sequence[str]], Path]
    training: Sequence[str]
    measured: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


def compiled(sources: Sequence[Path], flags: Sequence[str]) -> Callable[..., Path]:
    """What makes a program of a few sources."""

    def make(folder: Path, compiler: Compiler, more: Sequence[str]) -> Path:
        all_flags = [*more, *ALWAYS, *flags]
        objects = [folder / f"{source.stem}.o" for source in sources]

        def one(pair: tuple[Path, Path]) -> None:
            source, result = pair
            run([compiler, *all_flags, "-c", source, "-o", result], folder)

        with ThreadPoolExecutor(os.cpu_count()) as workers:
            list(workers.map(one, zip(sources, objects)))
        program = folder / "program"
        run([compiler, *all_flags, *objects, "-o", program, "-lm"], folder)
        return program

    return make


def lua(source: Path, work: Path) -> Subject:
    """Tables, strings, sorting, patterns, closures; its hashes begin alike in each run."""
    folder = source / "src"
    (work / "lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"\n')
    script = str(TOP / "tests" / "bench" / "programs" / "feedback.lua")
    sources = [file for file in sorted(folder.glob("*.c")) if file.name != "luac.c"]
    flags = "-std=gnu99", "-DLUA_COMPAT_5_3", "-DLUA_USE_POSIX", "-Dluai_makeseed(L)=0"
    return Subject(
        compiled(sources, (f"-I{work}", *flags)),
        training=(script, "2"),
        measured=(script, "40"),
    )


def sqlite3(source: Path, work: Path) -> Subject:
    """A table with an index in memory: rows that come, are looked for, joined, sorted, changed and go."""
    if not (work / "sqlite3.c").exists():
        run([source / "configure", "--disable-tcl"], work)
        run(["make", "sqlite3.c", "shell.c", "sqlite3.h"], work)
    script = TOP / "tests" / "bench" / "programs" / "feedback.sql"
    for name, rows in ("training", 2000), ("measured", 300000):
        (work / f"{name}.sql").write_text(script.read_text().replace("ROWS", str(rows)))
    flags = f"-I{work}", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"
    return Subject(
        compiled((work / "sqlite3.c", work / "shell.c"), flags),
        training=(":memory:", f".read {work / 'training.sql'}"),
        measured=(":memory:", f".read {work / 'measured.sql'}"),
    )


def python3(source: Path, work: Path) -> Subject:
    """Objects, dictionaries, text, numbers, exceptions; its hashes begin alike in each run."""

    def make(folder: Path, compiler: Compiler, more: Sequence[str]) -> Path:
        always, extra = " ".join(ALWAYS), " ".join(more)
        for old in folder.rglob("*.o"):
            old.unlink()
        if not (folder / "Makefile").exists():
            tools = {"CC": str(compiler), "CFLAGS": always, "LDFLAGS": always}
            tools["OPT"] = "-DNDEBUG -fwrapv"
            run([source / "configure", "--without-ensurepip"], folder, **tools)
        jobs = f"-j{os.cpu_count()}"
        run(["make", jobs, "python", f"EXTRA_CFLAGS={extra}", f"LDFLAGS={extra}"], folder)
        return folder / "python"

    script = str(TOP / "tests" / "bench" / "programs" / "feedback.py")
    return Subject(
        make,
        training=("-S", script, "1"),
        measured=("-S", script, "40"),
        environment={"PYTHONPATH": str(source / "Lib"), "PYTHONHASHSEED": "0"},
    )


SUBJECTS = {"lua": lua, "sqlite3": sqlite3, "python3": python3}


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> None:
    ended = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {ended.returncode}\n{ended.stdout[-2000:]}")


def user_time(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> float:
    """Seconds of the processor in user mode."""
    process = subprocess.Popen(
        [*map(str, command)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **cg2test.env(), **environment},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]}: {process.returncode}")
    return float(usage.ru_utime)


class Builds:
    """Builds of a program, and how long their training took."""

    def __init__(self, subject: Subject, work: Path) -> None:
        self.subject = subject
        self.work = work
        self.programs: dict[str, Path] = {}
        self.training: dict[str, float] = {}

    def compile(self, name: str, compiler: str | Path, *flags: str, again: bool = False) -> Path:
        """Compile it in a folder of its own, or `again` in the same one."""
        folder = self.work / name
        if not again:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return self.subject.make(folder, compiler, flags)

    def train(self, name: str, program: Path, *before: str | Path) -> None:
        folder = program.parent
        command: list[str | Path] = [*before, program, *self.subject.training]
        self.training[name] = user_time(command, folder, self.subject.environment)

    def profile(self, name: str, program: Path) -> Path:
        """Train it under cg2."""
        profile = program.parent / "profile"
        options = "--dump-instr=yes", "--collect-jumps=yes", "--branch-sim=yes"
        tool = cg2test.VALGRIND, "-q", "--tool=cg2"
        self.train(name, program, *tool, *options, f"--cg2-out-file={profile}")
        return profile

    def bolt(self) -> None:
        program = self.compile("gcc", "gcc", "-g", *MOVABLE)
        self.programs["gcc -O2"] = program
        self.train("gcc -O2", program)
        folder = program.parent
        profile = self.profile("BOLT, cg2", program)
        run([CONVERT, "--to=bolt", "-o", "counts", profile], folder)
        run([LLVM / "perf2bolt", program, "-pa", "-p", "counts", "-o", "cg2.fdata"], folder)
        fdata = folder / "counted.fdata"
        counting = folder / "counting"
        run(
            [
                LLVM / "llvm-bolt",
                program,
                "-instrument",
                "-o",
                counting,
                f"-instrumentation-file={fdata}",
            ],
            folder,
        )
        self.train("BOLT, -instrument", counting)
        for name, data in ("BOLT, cg2", Path("cg2.fdata")), ("BOLT, -instrument", fdata):
            faster = folder / data.stem
            run([LLVM / "llvm-bolt", program, f"-data={data}", "-o", faster, *LAID_OUT], folder)
            self.programs[name] = faster

    def gcc(self) -> None:
        program = self.compile("auto", "gcc", "-gdwarf-4")
        profile = self.profile("gcc -fauto-profile, cg2", program)
        auto = program.parent / "auto"
        run([CONVERT, "--to=gcc", "-o", auto, profile], program.parent)
        self.programs["gcc -fauto-profile, cg2"] = self.compile(
            "faster", "gcc", f"-fauto-profile={auto}"
        )
        counting = self.compile("counted", "gcc", "-fprofile-generate")
        for count in counting.parent.rglob("*.gcda"):
            count.unlink()  # of programs that make ran
        self.train("gcc -fprofile-use", counting)
        self.programs["gcc -fprofile-use"] = self.compile(
            "counted", "gcc", "-fprofile-use", again=True
        )

    def clang(self) -> None:
        clang = LLVM / "clang"
        program = self.compile("clang", clang, *FINDABLE)
        self.programs["clang -O2"] = program
        self.train("clang -O2", program)
        profile = self.profile("clang -fprofile-sample-use, cg2", program)
        samples = program.parent / "samples"
        run([CONVERT, "--to=llvm", "-o", samples, profile], program.parent)
        self.programs["clang -fprofile-sample-use, cg2"] = self.compile(
            "sampled", clang, *FINDABLE, f"-fprofile-sample-use={samples}"
        )
        counting = self.compile("clang-counting", clang, "-fprofile-instr-generate")
        self.train("clang -fprofile-instr-use", counting)
        raw, merged = counting.parent / "default.profraw", counting.parent / "merged"
        run([LLVM / "llvm-profdata", "merge", raw, "-o", merged], counting.parent)
        self.programs["clang -fprofile-instr-use"] = self.compile(
            "clang-counted", clang, f"-fprofile-instr-use={merged}"
        )


PAIRS = (
    ("gcc -O2", "BOLT, cg2", "BOLT, -instrument"),
    ("gcc -O2", "gcc -fauto-profile, cg2", "gcc -fprofile-use"),
    ("clang -O2", "clang -fprofile-sample-use, cg2", "clang -fprofile-instr-use"),
)


def measure(builds: Builds, rounds: int) -> dict[str, float]:
    """The least user time of each build, of runs in turn."""
    least: dict[str, float] = {}
    for turn in range(rounds):
        for name, program in [*builds.programs.items()][:: -1 if turn % 2 else 1]:
            command: list[str | Path] = [program, *builds.subject.measured]
            seconds = user_time(command, program.parent, builds.subject.environment)
            least[name] = min(seconds, least.get(name, seconds))
    return least


def print_table(builds: Builds, least: dict[str, float]) -> None:
    print("| build | user time, s | faster | training, × native |\n|---|---|---|---|")
    native = builds.training["gcc -O2"]
    for name in builds.programs:
        seconds = least[name]
        base = least["clang -O2" if name.startswith("clang") else "gcc -O2"]
        times = f"{builds.training[name] / native:.1f}" if native else ""
        print(f"| {name} | {seconds:.3f} | {100 * (1 - seconds / base):.1f} % | {times} |")
    for unaided, ours, theirs in PAIRS:
        if theirs in least:
            share = (least[unaided] - least[ours]) / (least[unaided] - least[theirs])
            print(f"{ours}: {100 * share:.0f} % of the gain of {theirs}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("program", choices=SUBJECTS)
    parser.add_argument("--source", type=Path, required=True, help="folder of its source")
    parser.add_argument("--work", type=Path, required=True, help="folder to build in")
    parser.add_argument("--rounds", type=int, default=30, help="runs of each build [30]")
    parser.add_argument("--ways", default="bolt,gcc,clang", help="of these [all]")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    builds = Builds(SUBJECTS[options.program](options.source.resolve(), work), work)
    for way in options.ways.split(","):
        getattr(builds, way)()
    begun = time.strftime("%Y-%m-%d")
    least = measure(builds, options.rounds)
    print(f"{options.program}, {begun}, {options.rounds} rounds\n")
    print_table(builds, least)


if __name__ == "__main__":
    main()
