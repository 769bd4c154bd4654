"""How long the commands take on large profiles, and in how much memory.

Two profiles are generated: 31 MB by instruction, of which no machine code is there, and 49 MB by line,
which is compared with three others: each function costs one more; it differs here and there; and a tenth of
the functions have other names, too. Two are recorded: cc1 by instruction, with its machine code; and
clang++ with its jumps, 31 MB, which takes more than a minute, where it is installed, and not with --quick.
Neither is a program with debug information, 50 MB with jumps and branches, of which counts for compilers
are written; that takes minutes.
--profile=FILE takes the place of all; if its objects have debug information, inlined functions are
measured, too. Each command is run as a whole, in turn with the others: minima over the rounds. What it
writes goes nowhere, or into a file that is removed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

import cg2test
from benchmarks import compiler
from benchmodes import CG2, OPTIONS
from benchtables import Report
from largeprofiles import write_large, write_large_by_line
from largeprogram import write_large_program

MEGABYTE = 1_000_000

LIST = ["annotate", "{profile}"]
PPROF = ["convert", "--to=pprof", "-o", "{output}", "{profile}"]
PAGE = ["report", "-o", "{output}", "{profile}"]
CODE = ["annotate", "--asm=yes", "{profile}"]
INLINES = ["annotate", "--inlines=yes", "{profile}"]
DIFF = ["diff", "{profile}", "{other}"]
CAUSES = ["diff", "--explain", "{profile}", "{other}"]
COUNTS = [
    ["convert", f"--to={form}", "-o", "{output}", "{profile}"]
    for form in ("bolt", "autofdo", "llvm", "gcc", "lcov")
]
UNITS = 35  # of the program that has 50 MB of a profile


CXX_SOURCE = """\
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
int main(int argc, char** argv)
{
   std::map<std::string, std::vector<double>> table;
   std::unordered_map<int, std::string> names;
   std::vector<std::function<double(double)>> steps;
   std::regex words("([a-z]+)-([0-9]+)");
   for (int i = 0; i < argc; i++) {
      std::string text(argv[i]);
      std::smatch found;
      if (std::regex_search(text, found, words)) names[i] = found[1];
      table[text].push_back(i * 1.5);
      steps.push_back([i](double x) { return x * i + 1; });
   }
   std::sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a(1) < b(1); });
   for (const auto& [text, numbers] : table)
      for (double number : numbers)
         std::cout << text << ' ' << number << '\\n';
   std::thread([&] { std::cout << names.size(); }).join();
}
"""


class CommandError(Exception):
    """A command that failed; the message is for the user."""


@dataclass(frozen=True)
class Task:
    """A command to measure, and what it is run on."""

    words: Sequence[str]
    profile: Path
    other: Path  # that it is compared with
    taken: list[tuple[float, float]] = field(
        default_factory=list
    )  # seconds and megabytes, of each round

    def run(self, directory: Path) -> None:
        """Measure it once more."""
        names = {"profile": self.profile, "other": self.other, "output": directory / "output"}
        command, *arguments = (word.format(**names) for word in self.words)
        self.taken.append(measured([str(cg2test.TOOLS / f"cg2_{command}"), *arguments], directory))

    def row(self) -> str:
        """The row of the table."""
        words = " ".join(word.split("{")[0].strip() or "FILE" for word in self.words)
        size = self.profile.stat().st_size / MEGABYTE
        seconds, memory = (min(round[figure] for round in self.taken) for figure in (0, 1))
        speed = f"{size / seconds:.0f}" if seconds else ""
        return f"| `{words}` | {self.profile.name}, {size:.0f} MB | {seconds:.2f} | {speed} | {memory:.0f} |"


def measured(argv: Sequence[str], directory: Path) -> tuple[float, float]:
    """Seconds of user and system CPU time of a command and what it starts, and megabytes."""
    with open(os.devnull, "wb") as nowhere, (directory / "errors").open("wb") as errors:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=nowhere, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: what cg2_diff says of profiles that differ
        raise CommandError(f"{argv}: {(directory / 'errors').read_text(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def recorded(profile: Path, command: Sequence[str], *options: str) -> Path:
    """The profile of a command, by instruction."""
    directory = profile.parent
    options = (*OPTIONS[CG2][:1], f"--cg2-out-file={profile}", "--dump-instr=yes", *options)
    subprocess.run(
        [cg2test.VALGRIND, "-q", *options, *command],
        cwd=directory,
        env=cg2test.env(),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return profile


def clang(directory: Path) -> list[str]:
    """What compiles, in one process, a source in C++ that brings much of the library."""
    source = directory / "library.cc"
    source.write_text(CXX_SOURCE)
    words = ["-fintegrated-cc1", "-O2", "-std=c++17", "-S", "-o", os.devnull]
    return ["clang++", *words, str(source)]


def rewritten(profile: Path, number: int, other: Callable[[str], str]) -> Path:
    """The same with other lines. It is never in memory as a whole: the largest resident set of what is
    measured would be that of this process at least, which starts it."""
    file = profile.with_name(f"{profile.name}-{number}")
    with profile.open() as lines, file.open("w") as to:
        for line in lines:
            to.write(other(line.removesuffix("\n")) + "\n")
    return file


def more_expensive(profile: Path) -> Path:
    """The same, but each function of it costs one more."""
    return rewritten(profile, 2, lambda line: f"{line[:-1]}8" if line.endswith(" 7") else line)


def changed(profile: Path) -> Path:
    """The same, but 2 % of its costs and of its calls are others."""
    chance = random.Random(3)

    def other(line: str) -> str:
        is_calls = line.startswith("calls=")
        if not (is_calls or line[:1] in [*"0123456789+-"]) or chance.random() >= 0.02:
            return line
        if is_calls:
            count, place = line.removeprefix("calls=").split(" ", 1)
            return f"calls={int(count) + chance.randrange(1, 5)} {place}"
        place, cost = line.rsplit(" ", 1)
        return f"{place} {int(cost) + chance.randrange(1, 50)}"

    return rewritten(profile, 3, other)


def renamed(profile: Path) -> Path:
    """The same, but a tenth of its functions have other names."""
    chance = random.Random(5)

    def other(line: str) -> str:
        is_named = line.startswith("fn=(") and line.find(") ") > 0 and chance.random() < 0.1
        return line.replace("function_", "renamed_") if is_named else line

    return rewritten(profile, 7, other)


def tasks_of(directory: Path, given: Path | None, size: int) -> Iterator[Task]:
    """What is measured; generated profiles have `size` percent of their bytes."""
    if given:
        yield from (
            Task(words, given, given) for words in (LIST, PPROF, PAGE, CODE, INLINES, DIFF, CAUSES)
        )
        return
    by_instruction, by_line = directory / "by-instruction", directory / "by-line"
    write_large(by_instruction, 31 * MEGABYTE * size // 100)
    write_large_by_line(by_line, 49 * MEGABYTE * size // 100)
    other = more_expensive(by_line)
    unlike = changed(by_line)
    named = renamed(unlike)
    for profile in by_instruction, by_line:
        yield from (Task(words, profile, profile) for words in (LIST, PPROF, PAGE))
    yield from (Task(words, by_line, other) for words in (DIFF, CAUSES))
    yield from (Task(CAUSES, by_line, each) for each in (unlike, named))
    cc1 = recorded(directory / "cc1", compiler(directory))
    yield from (Task(words, cc1, cc1) for words in (LIST, PAGE, CODE))
    if size == 100 and which("clang++"):
        jumping = recorded(directory / "clang", clang(directory), "--collect-jumps=yes")
        yield from (Task(words, jumping, jumping) for words in (LIST, PAGE, CODE))
    if size == 100:
        program = write_large_program(directory, UNITS)
        options = "--collect-jumps=yes", "--branch-sim=yes"
        counted = recorded(directory / "counted", [str(program)], *options)
        yield from (Task(words, counted, counted) for words in COUNTS)


def commands(rounds: int, directory: Path, given: Path | None, size: int = 100) -> Report:
    """The table of all commands; and the start of one, which is in each figure."""
    tasks = list(tasks_of(directory, given, size))
    start = min(
        measured([str(cg2test.TOOLS / "cg2_annotate"), "--version"], directory)[0]
        for _ in range(rounds)
    )
    for _ in range(rounds):
        for task in tasks:
            print(f"bench.py: {task.words[0]} {task.profile.name}", file=sys.stderr)
            task.run(directory)
    table = "\n".join(
        [
            "| command | profile | s | MB/s | MB |",
            "|---|---|---|---|---|",
            *(task.row() for task in tasks),
        ]
    )
    text = f"\nCommands, whole: user and system CPU time; {start:.2f} s of each is its start\n\n{table}\n"
    return Report(text, {"commands": f"{table}\n"})
