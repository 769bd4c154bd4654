"""Events beside Ir: --collect-systime, --collect-bus and --collect-rep."""

from __future__ import annotations

import re
import unittest
from collections import Counter
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import MACHINE, can_run_32_bits, compile, line_of, run_cg2, source_of
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from cg2tools.profile.rounds import KnownRounds

NAP = 20_000_000  # nanoseconds, in events.c
# Atomic accesses are instructions, not calls of functions that look which ones the processor has.
FLAGS = ["-pthread", *(["-march=armv8.1-a"] if MACHINE == "aarch64" else [])]
SYSTEM_TIME = ["Ir", "sysCount", "sysTime", "sysCpuTime"]


def own(part: Part, event: str) -> Counter[str]:
    """What each function that has any has of an event itself, by name."""
    column = part.events.index(event)
    sums: Counter[str] = Counter()
    for key, function in part.functions.items():
        sums[key.name] += sum(cost[column] for cost in function.costs.values())
    return +sums


def by_line(part: Part, name: str, event: str) -> dict[int, int]:
    """What each line of a function that has any has of an event itself."""
    column = part.events.index(event)
    found: Counter[int] = Counter()
    for key, function in part.functions.items():
        if key.name == name:
            for position, cost in function.costs.items():
                found[position.line] += cost[column]
    return dict(+found)


def inclusive(part: Part, caller: str, callee: str, event: str) -> int:
    """What the calls from one function to another cost."""
    column = part.events.index(event)
    calls = [call for function in part.functions.values() for call in function.calls]
    return sum(
        c.inclusive[column] for c in calls if (c.caller.name, c.callee.name) == (caller, callee)
    )


class SystemCalls(Case):
    def part_of_events(self, *options: str, level: str = "-O2") -> Part:
        program = compile("events.c", level, *FLAGS, "-static")
        return self.graph_of(program, *options, spontaneous=[*STARTS, "waiting"]).part

    def test_counts(self) -> None:
        """Each is counted once, at the instruction that makes it."""
        for level in LEVELS:
            with self.subTest(level):
                part = self.part_of_events("--collect-systime=nsec", level=level)
                self.assertEqual(part.events, SYSTEM_TIME)
                counts = own(part, "sysCount")
                self.assertEqual(counts["five_calls"], 10)
                self.assertEqual(counts["three_calls"], 3)
                self.assertEqual(counts["nap"], 2)
                self.assertEqual(counts["long_nap"], 1)
                self.assertEqual(counts["wait_for_byte"], 1)
                self.assertEqual(inclusive(part, "main", "five_calls", "sysCount"), 10)
                self.assertEqual(inclusive(part, "main", "region", "sysCount"), 5)
                self.assertNotIn("main", counts)

    def test_line(self) -> None:
        """Positions are those of the instruction."""
        part = self.part_of_events("--collect-systime=yes", "--dump-instr=yes", level="-O0")
        mnemonic = "svc #0" if MACHINE == "aarch64" else "syscall"
        instruction = line_of("events.c", f'__asm__ volatile("{mnemonic}"')
        self.assertEqual(by_line(part, "three_calls", "sysCount"), {instruction: 3})
        called = [
            call.source.line
            for f in part.functions.values()
            for call in f.calls
            if call.callee.name == "nap"
        ]
        self.assertEqual(len(called), 2)

    def test_time(self) -> None:
        """Calls cost as long as they last, with other threads running meanwhile; in each unit."""
        for unit, nanoseconds in (
            ("nsec", 1),
            ("usec", 1000),
            ("msec", 1_000_000),
            ("yes", 1_000_000),
        ):
            with self.subTest(unit):
                part = self.part_of_events(f"--collect-systime={unit}")
                self.assertEqual(part.events, SYSTEM_TIME[: 4 if unit == "nsec" else 3])
                least = NAP // nanoseconds - 1
                time = own(part, "sysTime")
                self.assertGreaterEqual(time["nap"], 2 * least)
                self.assertGreaterEqual(inclusive(part, "main", "region", "sysTime"), 2 * least)
                self.assertGreaterEqual(time["wait_for_byte"], least)
                self.assertLess(own(part, "sysTime")["three_calls"], least)

    def test_cpu_time(self) -> None:
        """A nap takes no CPU time, or hardly any."""
        part = self.part_of_events("--collect-systime=nsec")
        self.assertLess(own(part, "sysCpuTime")["nap"], NAP)
        self.assertGreater(own(part, "sysCpuTime").total(), 0)

    def test_collected(self) -> None:
        """Only what happens while costs are collected."""
        part = self.part_of_events("--collect-systime=nsec", "--toggle-collect=region")
        self.assertEqual(own(part, "sysCount"), {"nap": 2, "three_calls": 3})
        self.assertEqual(part.self_total()[1], 5)

    def test_header(self) -> None:
        """Viewers are told what the times are."""
        program = compile("events.c", "-O2", *FLAGS, "-static")
        for unit, meaning in (
            ("msec", "elapsed ms"),
            ("usec", "elapsed us"),
            ("nsec", "elapsed ns"),
        ):
            for form in ("callgrind", "spec"):
                run = run_cg2([program], f"--collect-systime={unit}", f"--format={form}")
                lines = run.profile_paths[0].read_text().splitlines()
                self.assertIn(f"event: sysTime : sysTime ({meaning})", lines)
                said = "event: sysCpuTime : sysCpuTime (system cpu ns)"
                self.assertEqual(said in lines, unit == "nsec")

    def test_threads_apart(self) -> None:
        """Each thread's own calls are in its own profile."""
        program = compile("events.c", "-O2", *FLAGS, "-static")
        run = run_cg2([program], "--collect-systime=nsec", "--separate-threads=yes")
        self.assertEqual(run.status, 0, run.stderr)
        graphs = [self.check_part(path, [*STARTS, "waiting"]) for path in run.profile_paths]
        counts = {graph.part.thread: own(graph.part, "sysCount") for graph in graphs}
        self.assertEqual(counts[2]["wait_for_byte"], 1)
        self.assertEqual(counts[1]["nap"], 2)
        self.assertNotIn("long_nap", counts[2])

    def test_skipped(self) -> None:
        """The system calls of a skipped function are its caller's, at the call."""
        part = self.part_of_events("--collect-systime=nsec", "--fn-skip=nap")
        counts = own(part, "sysCount")
        self.assertEqual(counts["two_naps"], 2)
        self.assertNotIn("nap", counts)

    def test_bad(self) -> None:
        """What it may be is said."""
        run = run_cg2(["true"], "--collect-systime=sec")
        self.assertEqual(run.status, 1)
        self.assertIn("expected no, yes, msec, usec or nsec", run.stderr)

    def test_like_callgrind(self) -> None:
        """The same functions make as many system calls, and atomic accesses, while one thread runs."""
        program = compile("events.c", "-O2", *FLAGS, "-static")
        options = ["--collect-systime=nsec", "--collect-bus=yes"]
        ours, theirs = (profile(program, *options, tool=tool) for tool in ("cg2", "callgrind"))
        for event in ("sysCount", "Ge"):
            for name in ("five_calls", "three_calls", "nap", "ten_atomics"):
                self.assertEqual(
                    own(ours, event)[name], own(theirs, event)[name], f"{event} of {name}"
                )


def profile(program: Path, *options: str, tool: str) -> Part:
    """The one part that a run leaves; Callgrind's own sums need not agree."""
    run = run_cg2([program], *options, tool=tool)
    return read_profile(run.profile_paths[0]).parts[0]


class Bus(Case):
    def test_counts(self) -> None:
        """Locked instructions, whether or not they store; others are none."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("events.c", level, *FLAGS, "-static")
                part = self.graph_of(
                    program, "--collect-bus=yes", spontaneous=[*STARTS, "waiting"]
                ).part
                self.assertEqual(part.events, ["Ir", "Ge"])
                self.assertEqual(own(part, "Ge")["ten_atomics"], 10)
                self.assertEqual(inclusive(part, "main", "region", "Ge"), 10)
                self.assertEqual(
                    by_line(part, "ten_atomics", "Ge")[line_of("events.c", "/* succeeds */")], 1
                )

    def test_order(self) -> None:
        """Columns stand where Callgrind puts them."""
        program = compile("events.c", "-O2", *FLAGS, "-static")
        run = run_cg2(
            [program], "--collect-systime=nsec", "--collect-bus=yes", "--zero-before=region"
        )
        self.assertRegex(run.stderr, r"Events    : Ir Ge sysCount sysTime sysCpuTime\n")
        said = re.search(r"Collected : ([\d ]+)\n", run.stderr)
        assert said is not None
        part = self.check_part(run.profile_paths[0], [*STARTS, "waiting"]).part
        self.assertEqual([int(number) for number in said[1].split()], part.self_total())


def rounds_by_line(source: str = "rounds.S") -> dict[int, tuple[int, int]]:
    """What a program says about itself: how often a line counts, and how many of that are further rounds."""
    lines = enumerate(source_of(source).read_text().splitlines(), start=1)
    said = {number: re.search(r"#= (\d+) (\d+)$", line) for number, line in lines}
    return {number: (int(found[1]), int(found[2])) for number, found in said.items() if found}


@unittest.skipIf(MACHINE == "aarch64", "no instruction repeats itself there")
class Rounds(Case):
    FLAGS = ("-nostdlib", "-static")

    def test_counts(self) -> None:
        """Rounds beyond the first, whether a count or a condition ends them, with a count that the
        translator knows or not; beside all other events; loops of one instruction have none."""
        beside = (
            "--cache-sim=yes",
            "--branch-sim=yes",
            "--collect-bus=yes",
            "--collect-systime=yes",
        )
        for others in (
            (),
            ("--collect-jumps=yes",),
            beside,
            ("--dump-instr=yes", "--contexts=full"),
        ):
            with self.subTest(others=others):
                program = compile("rounds.S", *self.FLAGS, "-static")
                part = self.graph_of(program, "--collect-rep=yes", *others).part
                expected = rounds_by_line()
                found: Counter[int] = Counter()
                for name in ("store", "compare", "search", "known", "loops", "(below main)"):
                    found.update(by_line(part, name, "Rep"))
                self.assertEqual(
                    found, {n: rounds for n, (_, rounds) in expected.items() if rounds}
                )
                self.assertEqual(inclusive(part, "(below main)", "store", "Rep"), 300)
                counts = by_line(part, "store", "Ir") | by_line(part, "compare", "Ir")
                for line in counts.keys() & expected.keys():
                    self.assertEqual(counts[line], expected[line][0])

    def test_32_bits(self) -> None:
        """The same rounds in a program of 32 bits, whose code is translated in another way."""
        if not can_run_32_bits():
            self.skipTest("no programs of 32 bits")
        part = self.graph_of(compile("rounds32.S", "-m32", *self.FLAGS), "--collect-rep=yes").part
        found = by_line(part, "(below main)", "Rep")
        self.assertEqual(
            found, {n: rounds for n, (_, rounds) in rounds_by_line("rounds32.S").items() if rounds}
        )

    def test_derived(self) -> None:
        """Ih is what is left of Ir: viewers compute it."""
        part = self.graph_of(compile("rounds.S", *self.FLAGS, "-static"), "--collect-rep=yes").part
        self.assertEqual(part.events, ["Ir", "Rep"])
        self.assertEqual(part.event_definitions["Ih"].terms, [(1, "Ir"), (-1, "Rep")])

    def test_said(self) -> None:
        """What was executed by instructions that repeat themselves stands in the header without the
        option, by line and by function: all that Ir counts of them. Nothing of other loops does."""
        source = source_of("rounds.S")
        for options in ((), ("--dump-instr=yes",), ("--collect-jumps=yes",), ("--cache-sim=yes",)):
            with self.subTest(options=options):
                program = compile("rounds.S", *self.FLAGS, "-static")
                part = self.graph_of(program, *options).part
                rounds = KnownRounds(part)
                self.assertEqual(
                    {(file, line): n for file, line, n in rounds.all_lines()},
                    {(str(source), line): ir for line, (ir, n) in rounds_by_line().items() if n},
                )
                functions = {key.name: rounds.of_function(key) for key in part.keys}
                self.assertEqual(
                    {name: n for name, n in functions.items() if n},
                    {"store": 303, "compare": 9, "search": 8, "known": 24},
                )

    def test_said_of_a_thousandth(self) -> None:
        """A place that has less than a thousandth of all instructions is left out."""
        part = self.graph_of(compile("fewrounds.S", *self.FLAGS)).part
        self.assertEqual(part.self_total(), [2 + 21 + 1 + 20 + 1 + 2 * 9999 + 3])
        line = line_of("fewrounds.S", "#= 21")
        self.assertEqual([found[1:] for found in KnownRounds(part).all_lines()], [(line, 21)])

    def test_without(self) -> None:
        """Without the option Ir is the same, and no column or event is there."""
        program = compile("rounds.S", *self.FLAGS, "-static")
        without, with_rounds = (
            self.graph_of(program, *options).part for options in ((), ("--collect-rep=yes",))
        )
        self.assertEqual(without.events, ["Ir"])
        self.assertNotIn("Ih", without.event_definitions)
        self.assertEqual(without.self_total()[0], with_rounds.self_total()[0])


if __name__ == "__main__":
    unittest.main()
