"""Each command line of Callgrind's manual, chapter by chapter, works with cg2 in Callgrind's place."""

from __future__ import annotations

import re
import unittest

import figures
from cg2test import HANG, need_vgdb, new_directory
from cg2tools.profile.reader import read_profile
from launcher import CACHES, Harness, Launcher, application, names_of, program, scratch
from session import Session, triggers

CACHE_OPTIONS = " ".join(CACHES)

# Chapter, and options of a run; the functions are those of harness.c.
RUNS = [
    ("6.1.2", ""),
    ("6.1.2", "--cache-sim=yes " + CACHE_OPTIONS),
    ("6.1.2", "--branch-sim=yes"),
    ("6.1.2", "--instr-atstart=no"),
    ("6.1.2", "--dump-instr=yes"),
    ("6.1.2", "--dump-instr=yes --collect-jumps=yes"),
    ("6.2.1", "--dump-before=bench*"),
    ("6.2.1", "--dump-before=bench_one --dump-before=bench_two"),
    ("6.2.1", "--dump-after=bench_one"),
    ("6.2.1", "--zero-before=bench_one"),
    ("6.2.1", "--separate-threads=yes"),
    ("6.2.2", "--collect-atstart=no"),
    ("6.2.2", "--toggle-collect=bench_one"),
    ("6.2.2", "--toggle-collect=bench_one --toggle-collect=bench_two"),
    ("6.2.3", "--collect-bus=yes"),
    ("6.2.4", "--fn-skip=recur"),
    ("6.2.4", "--skip-plt=no"),
    ("6.2.4", "--separate-recs10=recur"),
    ("6.2.4", "--separate-recs=10"),
    ("6.2.4", "--separate-callers2=leaf --separate-callers2=recur"),
    ("6.2.4", "--separate-callers=2"),
    ("6.2.5", "--callgrind-out-file=child.%p --trace-children=yes"),
    ("6.3.1", "--callgrind-out-file=named"),
    ("6.3.1", "--callgrind-out-file=%q{LC_ALL}.%p"),
    ("6.3.1", "--dump-line=yes"),
    ("6.3.1", "--dump-line=no"),
    ("6.3.1", "--dump-line=no --dump-instr=yes"),
    ("6.3.1", "--dump-instr=no"),
    ("6.3.1", "--compress-strings=no"),
    ("6.3.1", "--compress-strings=yes"),
    ("6.3.1", "--compress-pos=no"),
    ("6.3.1", "--compress-pos=yes"),
    ("6.3.1", "--combine-dumps=no"),
    ("6.3.1", "--combine-dumps=yes --dump-before=bench*"),
    ("6.3.2", "--dump-every-bb=0"),
    ("6.3.2", "--dump-every-bb=100000"),
    ("6.3.2", "--dump-before=bench_?ne"),
    ("6.3.2", "--zero-before=bench_* --dump-after=bench_two"),
    ("6.3.3", "--instr-atstart=yes"),
    ("6.3.3", "--collect-atstart=yes"),
    ("6.3.3", "--toggle-collect=recur"),
    ("6.3.3", "--collect-jumps=no"),
    ("6.3.3", "--collect-systime=no"),
    ("6.3.3", "--collect-systime=yes --toggle-collect=bench_one"),
    ("6.3.3", "--collect-systime=msec --toggle-collect=bench_one"),
    ("6.3.3", "--collect-systime=usec --toggle-collect=bench_one"),
    ("6.3.3", "--collect-systime=nsec --toggle-collect=bench_one"),
    ("6.3.3", "--collect-bus=no"),
    ("6.3.4", "--separate-threads=no"),
    ("6.3.4", "--separate-callers=0"),
    ("6.3.4", "--separate-callers=5"),
    ("6.3.4", "--separate-callers1=leaf"),
    ("6.3.4", "--separate-recs=1"),
    ("6.3.4", "--separate-recs=2"),
    ("6.3.4", "--separate-recs3=recur"),
    ("6.3.4", "--skip-plt=yes"),
    ("6.3.4", "--skip-direct-rec=no"),
    ("6.3.4", "--skip-direct-rec=yes"),
    ("6.3.4", "--fn-skip=PyInit*"),
    ("6.3.5", "--cache-sim=no"),
    ("6.3.5", "--branch-sim=no"),
    ("6.3.5", "--branch-sim=yes --cache-sim=yes " + CACHE_OPTIONS),
    ("6.3.6", "--simulate-wb=yes " + CACHE_OPTIONS),
    ("6.3.6", "--simulate-wb=no " + CACHE_OPTIONS),
    ("6.3.6", "--simulate-hwpref=yes " + CACHE_OPTIONS),
    ("6.3.6", "--simulate-hwpref=no " + CACHE_OPTIONS),
    ("6.3.6", "--cacheuse=yes " + CACHE_OPTIONS),
    ("6.3.6", "--cacheuse=no " + CACHE_OPTIONS),
    ("6.3.6", "--I1=4096,2,32 --D1=1024,1,32 --LL=65536,4,64"),
]

# What leaves calls out, or calls that were open before: how often, the tools say differently on purpose.
OTHER_CALLS = ("--fn-skip", "--dump-", "--zero-", "--skip-direct-rec")


class Runs(Harness):
    def test_options(self) -> None:
        """Every option of the chapters, with its values: the same files, and the same costs in them."""
        for chapter, options in RUNS:
            with self.subTest(f"{chapter}: {options}"):
                self.check(options)

    def check(self, options: str) -> None:
        def work(launcher: Launcher) -> dict[str, list[figures.Figures]]:
            return figures.of_run(launcher, options.split())

        theirs, ours = self.with_both(work)
        self.assertEqual(list(ours), list(theirs))
        for name in theirs:
            for their, our in zip(theirs[name], ours[name], strict=True):
                self.assertEqual(our.head, their.head)
                self.assertEqual(figures.without_ending(our), their.costs)
                if not any(option in options for option in OTHER_CALLS):
                    self.assertEqual(our.calls, their.calls)


Answers = list[tuple[str, list[str]]]  # commands, and what they print

CONTROL = "callgrind_control"
MONITOR = "vgdb --pid=PID"

# Chapter and command, while a program runs. PID is that of the program, whose name is app.
COMMANDS = [
    ("6.1.2", f"{CONTROL} -b"),
    ("6.1.2", f"{CONTROL} -e -b"),
    ("6.2.1", f"{CONTROL} -d"),
    ("6.2.1", f"{CONTROL} -d hint"),
    ("6.2.1", f"{CONTROL} -d hint PID"),
    ("6.2.1", f"{CONTROL} -d hint app"),
    ("6.4", f"{MONITOR} dump"),
    ("6.4", f"{MONITOR} dump by hand"),
    ("6.4", f"{MONITOR} d"),
    ("6.4", f"{MONITOR} zero"),
    ("6.4", f"{MONITOR} status"),
    ("6.4", f"{MONITOR} instrumentation"),
    ("6.4", f"{MONITOR} nosuch"),
    ("6.7", CONTROL),
    ("6.7", f"{CONTROL} -h"),
    ("6.7", f"{CONTROL} --help"),
    ("6.7", f"{CONTROL} --version"),
    ("6.7", f"{CONTROL} -l"),
    ("6.7", f"{CONTROL} -s"),
    ("6.7", f"{CONTROL} --stat app"),
    ("6.7", f"{CONTROL} -s PID"),
    ("6.7", f"{CONTROL} -s nosuch"),
    ("6.7", f"{CONTROL} --back"),
    ("6.7", f"{CONTROL} -e"),
    ("6.7", f"{CONTROL} -e Ir"),
    ("6.7", f"{CONTROL} -b -e Ir,Nosuch"),
    ("6.7", f"{CONTROL} --dump"),
    ("6.7", f"{CONTROL} --dump=described"),
    ("6.7", f"{CONTROL} -z"),
    ("6.7", f"{CONTROL} --zero PID"),
    ("6.7", f"{CONTROL} -i"),
    ("6.7", f"{CONTROL} --nosuch"),
    ("6.2.2", f"{CONTROL} -i off"),
    ("6.2.2", f"{CONTROL} -b"),
    ("6.2.2", f"{CONTROL} -e"),
    ("6.2.2", f"{CONTROL} -s"),
    ("6.4", f"{MONITOR} status"),
    ("6.4", f"{MONITOR} instrumentation on"),
    ("6.4", f"{MONITOR} instrumentation"),
    ("6.4", f"{MONITOR} instrumentation off"),
    ("6.2.2", f"{CONTROL} -i on"),
    ("6.7", f"{CONTROL} --instr=off"),
    ("6.7", f"{CONTROL} --instr=on"),
    ("6.7", f"{CONTROL} -k"),
]


# Complaints of callgrind_control's Perl, one for each frame; and of vgdb when the program that is killed goes
# first.
CHATTER = ("Use of uninitialized value", "readchar: Got EOF", "error reading packet")


def settled(lines: list[str]) -> list[str]:
    """What a command says without the frames above `waiting`, where the program is at another place each
    time.

    Nor does it matter which level of a recursion a frame is of.
    """
    kept: list[str] = []
    for line in lines:
        if re.search(r" waiting \(N x\)$", line):
            while kept and re.match(r" \[ ?N\]", kept[-1]):
                kept.pop()
        if not line.startswith(CHATTER):
            kept.append(re.sub(r"'N(?= \(N x\)$)", "", line))
    return kept


class Control(Harness):
    def test_commands(self) -> None:
        """The installed callgrind_control and vgdb print the same, and the same parts are written for
        them."""
        need_vgdb()

        def work(launcher: Launcher) -> tuple[Answers, list[str], list[str]]:
            with Session(launcher) as session:
                said = [(line, settled(session.say(*line.split()))) for _, line in COMMANDS]
                session.process.communicate(timeout=HANG)
                return said, names_of(session.profiles()), triggers(session.profiles())

        said, names, _ = self.assertSame(work)
        self.assertEqual(names, [f"out.{number}" for number in range(1, 10)])
        [backtrace, *_] = [answer for _, answer in said]
        self.assertEqual(backtrace[0], "PID PID: ./app wait")
        self.assertIn(" [ N] waiting (N x)", backtrace)

    def test_prefix(self) -> None:
        """A run with a prefix for vgdb is found with that prefix alone."""
        need_vgdb()
        prefix = f"--vgdb-prefix={new_directory()}/other"

        def work(launcher: Launcher) -> list[list[str]]:
            with Session(launcher, prefix) as session:
                said = [
                    session.say(CONTROL),
                    session.say(CONTROL, prefix),
                    session.say(CONTROL, prefix, "-s"),
                ]
                self.assertEqual(session.end(), 0)
            return said

        without, with_prefix, _ = self.assertSame(work)
        self.assertEqual(without[0], "No active callgrind runs detected.")
        self.assertEqual(with_prefix[0], "PID PID: ./app wait")

    def test_instrumented(self) -> None:
        """What is switched on by hand, in the middle of a run, is counted from there (chapter 6.1.2)."""
        need_vgdb()

        def work(launcher: Launcher) -> list[int]:
            with Session(launcher, "--instr-atstart=no") as session:
                session.say(CONTROL, "-i", "on")
                session.go_on()
                session.say(CONTROL, "-d", "part")
                session.end()
                return [
                    figures.of_part(part).costs["work", "Ir"]
                    for path in session.profiles()
                    for part in read_profile(path).parts
                ]

        last, first = self.assertSame(work)
        self.assertEqual(last * 2, first * (3 + 4))


class Requests(Harness):
    """Chapter 6.5; dropin.c makes all requests."""

    def test_requests(self) -> None:
        """Parts, their triggers and what is in them are the same, whether instrumented from the start or
        not."""
        for options in ("", "--instr-atstart=no"):

            def work(launcher: Launcher) -> list[object]:
                found = figures.of_run(launcher, options.split(), [application(), "requests"])
                return [
                    (name, part.head, part.costs["work", "Ir"], part.costs["region", "Ir"])
                    for name, parts in found.items()
                    for part in parts
                ]

            with self.subTest(options):
                self.assertEqual(len(self.assertSame(work)), 3)


# Chapter 6.6: options of callgrind_annotate.
ANNOTATE = [
    "", "--show=Ir,Dr", "--show=Dw", "--threshold=50", "--threshold=100", "--sort=Dr,Ir",
    "--sort=Ir:90,Dr:10",
    "--sort=Nosuch", "--show-percs=no", "--show-percs=yes", "--auto=no", "--auto=yes", "--context=2",
    "--inclusive=yes",
    "--inclusive=no", "--tree=none", "--tree=caller", "--tree=calling", "--tree=both",
    "--tree=both --inclusive=yes",
    "-I=/nowhere", "--include=/nowhere", "--help", "-h", "--version",
]  # fmt: skip


# Lines of the heading that differ: who made the profile, when, and what only cg2 says of the run.
WHO_AND_WHEN = ("Profile", "Timerange", "CPU: ", "Environment: ", "Started: ", "Objects: ")


class Annotate(Harness):
    def test_options(self) -> None:
        """callgrind_annotate prints the same, with and without sources, except the maker and the date of the
        profile."""

        def work(launcher: Launcher) -> dict[str, list[str]]:
            directory = scratch()
            options = [
                "--toggle-collect=main",
                "--callgrind-out-file=out",
                "--cache-sim=yes",
                *CACHES,
            ]
            launcher.run("valgrind", "--tool=callgrind", *options, program(), directory=directory)
            said = {}
            for words in ANNOTATE:
                ended = launcher.run(
                    "callgrind_annotate", *words.split(), "out", directory=directory, status=None
                )
                lines = (ended.stdout + ended.stderr).splitlines()
                kept = [line for line in lines if not line.startswith(WHO_AND_WHEN)]
                # Functions of equal cost stand in any order.
                said[words] = sorted(kept)
            return said

        said = self.assertSame(work)
        self.assertIn("bench_one", " ".join(said["--tree=both"]))


if __name__ == "__main__":
    unittest.main()
