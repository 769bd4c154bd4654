"""cg2_convert --to=bolt, autofdo: exact counts, against a run that is watched instruction by instruction."""

from __future__ import annotations

import functools
import os
import random
import re
import shutil
import subprocess
import unittest
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from feedbacksupport import RECORDED, convert, converted, does, found, profiled
from toolsupport import TOOLS

import cg2test
import gcov
import starts

OUTSIDE = 0
ROUNDS = "8"  # of edges.c, as many as its table of jumps has ways
SHAPES = {
    "pie": ("-O2", "-pie", "-fPIE"),
    "no-pie": ("-O2", "-no-pie", "-fno-pie"),
    "no plt": ("-O2", "-fno-plt"),
    "not optimised": ("-O0",),
    "clang": ("-O2",),
}


@functools.cache
def edges_of(name: str) -> tuple[Path, Machine, Edges]:
    """A program of one of the shapes, and what a file for BOLT says of its run."""
    program = built(name)
    machine = Machine(program)
    return program, machine, said(machine, converted("--to=bolt", profiled(program, ROUNDS)))


def built(name: str) -> Path:
    """A program of one of the shapes, where BOLT can move its functions."""
    compiler = "clang" if name == "clang" else "gcc"
    return cg2test.compile("edges.c", *SHAPES[name], "-Wl,--emit-relocs", compiler=compiler)


# ---- What a program is, and did --------------------------------------------


class Machine:
    """The instructions of an object, by objdump."""

    def __init__(self, path: Path) -> None:
        text = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", path],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        self.words: dict[int, str] = {}
        self.stubs: set[int] = set()
        is_stub = False
        for line in text.splitlines():
            if section := re.match(r"Disassembly of section (\S+):", line):
                is_stub = section[1].startswith(".plt")
            elif found := re.match(r" +([0-9a-f]+):\t(.*)", line):
                address = int(found[1], 16)
                self.words[address] = found[2]
                if is_stub:
                    self.stubs.add(address)
        self.addresses = sorted(self.words)
        self.next = dict(zip(self.addresses, self.addresses[1:]))

    def is_return(self, address: int) -> bool:
        return re.search(r"\bret", self.words.get(address, "")) is not None

    def goes_on(self, address: int) -> bool:
        """Whether control may go on to the next instruction without a transfer."""
        return re.search(r"\b(ret|jmp)", self.words.get(address, "")) is None


@dataclass
class Edges:
    """Transfers and how often control went on, by where from and to."""

    transfers: Counter[tuple[int, int]] = field(default_factory=Counter)
    passed: Counter[tuple[int, int]] = field(default_factory=Counter)
    mispredicted: Counter[int] = field(default_factory=Counter)


def watched(machine: Machine, program: Path) -> Edges:
    """What a native run did. Behind a call it goes on when the call comes back."""
    stepper = cg2test.compile("stepper.c", "-O2")
    out = cg2test.new_directory() / "edges"
    subprocess.run(
        [stepper, program, out, program, ROUNDS],
        check=True,
        stdout=subprocess.DEVNULL,
        env=cg2test.env(),
    )
    found = Edges()
    for line in out.read_text().splitlines():
        words = line.split()
        start, to, count = int(words[0], 16), int(words[1], 16), int(words[2])
        if start in machine.stubs:
            start = OUTSIDE
        if to in machine.stubs and start == OUTSIDE:
            continue
        if machine.next.get(start) == to and machine.goes_on(start):
            found.passed[start, to] += count
        else:
            found.transfers[start, to] += count
    return found


def said(machine: Machine, text: str) -> Edges:
    """What a file for BOLT says."""
    found = Edges()
    for line in text.splitlines():
        kind, *words = line.split()
        start, to = (OUTSIDE if word == "X:0" else int(word, 16) for word in words[:2])
        if kind == "B":
            found.transfers[start, to] += int(words[2])
            found.mispredicted[start] += int(words[3])
            continue
        while start != to:
            found.passed[start, machine.next[start]] += int(words[2])
            start = machine.next[start]
    return found


def without_returns(machine: Machine, edges: Edges) -> dict[tuple[int, int], int]:
    """The transfers from instructions of the object that are no returns."""
    return {
        (start, to): count
        for (start, to), count in edges.transfers.items()
        if start != OUTSIDE and not machine.is_return(start) and start not in machine.stubs
    }


def returns(machine: Machine, edges: Edges) -> Counter[int]:
    """How often each return ran."""
    found: Counter[int] = Counter()
    for (start, _), count in edges.transfers.items():
        if machine.is_return(start):
            found[start] += count
    return found


def came_to(edges: Edges, stubs: set[int]) -> Counter[int]:
    """How often control came to each instruction."""
    found: Counter[int] = Counter()
    for (_, to), count in [*edges.transfers.items(), *edges.passed.items()]:
        if to != OUTSIDE and to not in stubs:
            found[to] += count
    return found


class Counts(unittest.TestCase):
    @unittest.skipUnless(os.uname().machine == "x86_64", "machine code of amd64")
    def test_each_edge(self) -> None:
        """Branches, calls and jumps of any kind, and how often each instruction ran, are those of a native
        run: each edge, but for where returns go."""
        for name in SHAPES:
            with self.subTest(name):
                program, machine, ours = edges_of(name)
                truth = watched(machine, program)
                self.assertEqual(without_returns(machine, ours), without_returns(machine, truth))
                self.assertEqual(returns(machine, ours), returns(machine, truth))
                self.assertEqual(came_to(ours, machine.stubs), came_to(truth, machine.stubs))
                self.assertGreater(len(truth.passed), 150)

    def test_flow(self) -> None:
        """What comes to an instruction goes on or elsewhere; what calls goes on behind the call, unless
        it never comes back."""
        for name in SHAPES:
            with self.subTest(name):
                _, machine, ours = edges_of(name)
                left: Counter[int] = Counter()
                for (start, _), count in ours.passed.items():
                    left[start] += count
                for (start, _), count in ours.transfers.items():
                    if not re.search(r"\bcall", machine.words.get(start, "")):
                        left[start] += count
                lost = {
                    machine.words[at].split()[0]: came - left[at]
                    for at, came in came_to(ours, machine.stubs).items()
                    if came != left[at]
                }
                self.assertLessEqual(set(lost), {"call", "hlt"})
                self.assertTrue(all(count > 0 for count in lost.values()), lost)

    def test_mispredictions(self) -> None:
        """A branch's mispredictions are on its edges, at most as many as it was taken."""
        program = built("pie")
        options = (*RECORDED, "--branch-sim=yes", "--compress-pos=no", "--compress-strings=no")
        machine = Machine(program)
        profile = profiled(program, options=options)
        ours = said(machine, converted("--to=bolt", profile))
        taken: Counter[int] = Counter()
        for (start, _), count in ours.transfers.items():
            taken[start] += count
        wanted = {
            address: min(missed, taken[address])
            for address, missed in self._missed(profile, program).items()
            if missed and taken[address] and "@plt" not in machine.words[address]
        }
        self.assertGreater(len(wanted), 5)
        self.assertEqual({a: n for a, n in ours.mispredicted.items() if n}, wanted)

    def _missed(self, profile: Path, program: Path) -> Counter[int]:
        """The mispredictions of each instruction of the program, as the text of a profile has them."""
        missed: Counter[int] = Counter()
        inside = is_call = False
        for line in profile.read_text().splitlines():
            key, _, value = line.partition("=")
            if key == "ob":
                inside = value == str(program)
            elif key in ("calls", "jump", "jcnd"):
                is_call = True
            elif found := re.fullmatch(r"(0x[0-9a-f]+) \d+ (\d+(?: \d+)*)", line):
                costs = [*map(int, found[2].split()), 0, 0, 0, 0]
                if inside and not is_call:
                    missed[int(found[1], 16)] += costs[2] + costs[4]
                is_call = False
            elif line.startswith("0x"):
                is_call = False
        return missed


class AutoFdo(unittest.TestCase):
    def test_ranges(self) -> None:
        """Each instruction is in one range, whose count is how often it ran; branches are BOLT's transfers,
        from the first segment on."""
        for name, base in (("pie", 0), ("no-pie", 0x400000)):
            with self.subTest(name):
                program = built(name)
                machine = Machine(program)
                profile = profiled(program)
                bolt = said(machine, converted("--to=bolt", profile))
                lines = converted("--to=autofdo", profile).splitlines()
                n = int(lines[0])
                self.assertEqual(lines[n + 1], "0")
                self.assertEqual(int(lines[n + 2]), len(lines) - n - 3)
                ran: Counter[int] = Counter()
                for line in lines[1 : n + 1]:
                    start, to, count = re.split("[-:]", line)
                    for address in range(int(start, 16) + base, int(to, 16) + base + 1):
                        if address in machine.words:
                            ran[address] += int(count)
                self.assertEqual(ran, came_to(bolt, machine.stubs))
                branches = {}
                for line in lines[n + 3 :]:
                    start, to, count = re.split("->|:", line)
                    branches[int(start, 16) + base, int(to, 16) + base] = int(count)
                self.assertEqual(
                    branches,
                    {
                        pair: count
                        for pair, count in without_returns(machine, bolt).items()
                        if pair[1] not in machine.stubs | {OUTSIDE}
                    },
                )


COVERED = {
    "sorting.c": "",
    "formula.c": "1+2*(3-4)\n(5+6)*7-8/2\n",
    "calls.c": "",
    "recursion.c": "",
    "switches.c": "",
    "tail.c": "",
}
"""Programs, and what each reads."""


def tracefile(text: str, source: str) -> dict[str, dict[str, int]]:
    """What it says of a source file: DA, by line, and FNDA and FN, by function."""
    record = next(r for r in text.split("end_of_record") if re.search(rf"SF:.*{source}$", r, re.M))
    found: dict[str, dict[str, int]] = {"DA": {}, "FN": {}, "FNDA": {}}
    for line in record.splitlines():
        kind, _, value = line.partition(":")
        if kind == "DA":
            number, _, count = value.partition(",")
            found["DA"][number] = int(count)
        elif kind in ("FN", "FNDA"):
            number, _, name = value.partition(",")
            found[kind][name] = int(number)
    return found


RUST = """\
#[inline(never)]
fn odd(n: u32) -> bool {
    n % 2 == 1
}
#[inline(never)]
fn never(n: u32) -> u32 {
    n + 1
}
fn main() {
    let mut sum = 0;
    for i in 0..11 {
        if odd(i) {
            sum += i;
        }
    }
    if sum == 1 {
        sum = never(sum);
    }
    println!("{}", sum);
}
"""
RUST_LINES = {3: 11, 7: 0, 10: 1, 12: 11 + 5, 13: 5, 16: 1, 17: 0}
"""rustc has the end of an `if`, to which 5 of 11 ways lead back, on the line of its condition."""


def branches(text: str, source: str) -> dict[int, list[tuple[int, int]]]:
    """By line, how often each of its branches went on and was taken."""
    record = next(r for r in text.split("end_of_record") if re.search(rf"SF:.*{source}$", r, re.M))
    counts: dict[tuple[int, int], list[int]] = {}
    for line, block, _, count in re.findall(r"BRDA:(\d+),(\d+),(\d),(\d+)", record):
        counts.setdefault((int(line), int(block)), []).append(int(count))
    ways: dict[int, list[tuple[int, int]]] = {}
    for (line_number, _), (on, taken) in counts.items():
        ways.setdefault(line_number, []).append((on, taken))
    return ways


def in_any_order(counts: Iterable[Iterable[int]]) -> list[list[int]]:
    """The counts of each branch's ways out, in an order that says nothing."""
    return sorted(sorted(branch) for branch in counts)


class Lcov(unittest.TestCase):
    def test_lines(self) -> None:
        """At -O0 lines and functions ran as often as gcov counts; what never ran has 0. Labels
        and the like that the compiler has left no code of are not there."""
        nothing = 0
        for source, text in COVERED.items():
            with self.subTest(source):
                truth = gcov.coverage(source, "-O0", stdin=text)
                program = cg2test.compile(source, "-O0")
                run = cg2test.run_cg2([program], *RECORDED, stdin=text)
                ours = tracefile(converted("--to=lcov", run.profile_paths[0]), source)
                lines = {line: ours["DA"].get(str(line)) for line in truth.lines}
                has_code = self._lines_with_code(program)
                for line in [line for line, count in lines.items() if count is None]:
                    self.assertNotIn(line, has_code)
                    del lines[line], truth.lines[line]
                self.assertEqual(lines, truth.lines)
                self.assertEqual(ours["FNDA"], truth.functions)
                nothing += sum(count == 0 for count in truth.lines.values())
        self.assertGreater(nothing, 0)

    def test_branches(self) -> None:
        """At -O0 the ways out of each branch that ran were taken as often as gcov counts."""
        compared = 0
        for source, text in COVERED.items():
            with self.subTest(source):
                truth = gcov.coverage(source, "-O0", stdin=text)
                run = cg2test.run_cg2([cg2test.compile(source, "-O0")], *RECORDED, stdin=text)
                ours = branches(converted("--to=lcov", run.profile_paths[0]), source)
                has_switch = {
                    number
                    for number, line in enumerate(
                        cg2test.source_of(source).read_text().splitlines(), start=1
                    )
                    if "switch" in line
                }
                for line, counts in truth.branches.items():
                    if line in has_switch or not any(counts):
                        continue
                    ran = [pair for pair in zip(counts[::2], counts[1::2]) if any(pair)]
                    self.assertEqual(in_any_order(ran), in_any_order(ours[line]), (source, line))
                    compared += 1
        self.assertGreater(compared, 20)

    def test_without_jumps(self) -> None:
        """Without --collect-jumps lines that ran are those that ran, none more often than gcov counts;
        functions are exact; there are no branches."""
        for source, text in COVERED.items():
            with self.subTest(source):
                truth = gcov.coverage(source, "-O0", stdin=text)
                program = cg2test.compile(source, "-O0")
                run = cg2test.run_cg2([program], *RECORDED[:1], stdin=text)
                tracing = converted("--to=lcov", run.profile_paths[0])
                ours = tracefile(tracing, source)
                self.assertNotIn("BRDA", tracing)
                self.assertEqual(ours["FNDA"], truth.functions)
                for line, count in truth.lines.items():
                    said = ours["DA"].get(str(line))
                    if said is not None:
                        self.assertEqual(said > 0, count > 0, (source, line))
                        self.assertLessEqual(said, count, (source, line))

    def test_optimised(self) -> None:
        """No line of optimised code has run that gcov says has not."""
        for source, text in COVERED.items():
            with self.subTest(source):
                truth = gcov.coverage(source, "-O0", stdin=text)
                run = cg2test.run_cg2([cg2test.compile(source, "-O2")], *RECORDED, stdin=text)
                ours = tracefile(converted("--to=lcov", run.profile_paths[0]), source)
                both = [line for line in truth.lines if str(line) in ours["DA"]]
                self.assertGreater(len(both), len(truth.lines) // 2)
                wrong = [at for at in both if ours["DA"][str(at)] and not truth.lines[at]]
                self.assertEqual(wrong, [])

    def test_cold_parts(self) -> None:
        """A function of which GCC has put a part elsewhere is there, and was called as often as it was."""
        ours = tracefile(
            converted("--to=lcov", profiled(cg2test.compile("cold.c", "-O2"))), "cold.c"
        )
        self.assertEqual(ours["FNDA"], {"main": 1, "work": 10, "rare": 4, "common": 10})

    def test_rust(self) -> None:
        """Functions and lines of a program in Rust ran as often as its source says; one never ran."""
        where = cg2test.new_directory()
        (where / "loops.rs").write_text(RUST)
        program = where / "loops"
        does(found("rustc", "rustc"), "-g", "-o", program, where / "loops.rs")
        ours = tracefile(converted("--to=lcov", profiled(program)), "loops.rs")
        lines = {number: ours["DA"][str(number)] for number in RUST_LINES}
        self.assertEqual(lines, RUST_LINES)
        calls = {re.sub(r".*5loops\d*([a-z]+)17h.*", r"\1", n): c for n, c in ours["FNDA"].items()}
        self.assertEqual({name: calls[name] for name in ("odd", "never")}, {"odd": 11, "never": 0})

    def test_genhtml(self) -> None:
        """genhtml makes pages of it, without a warning."""
        genhtml = found("genhtml", "lcov")
        program = cg2test.compile("sorting.c", "-O0")
        where = cg2test.new_directory()
        (where / "info").write_text(converted("--to=lcov", profiled(program)))
        printed = does(genhtml, "--branch-coverage", "-o", where / "pages", where / "info")
        self.assertNotIn("WARNING", printed.upper())
        self.assertTrue([*where.glob("pages/**/sorting.c.gcov.html")])

    def _lines_with_code(self, program: Path) -> set[int]:
        """The lines of the line table, by objdump."""
        command = ["objdump", "--dwarf=decodedline", str(program)]
        table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return {int(line) for line in re.findall(r"^\S+\.c +(\d+) ", table, re.MULTILINE)}

    def test_debug(self) -> None:
        """Without debug information one line says so."""
        profile = profiled(cg2test.compile("calls.c", "-O0", "-s"))
        for form in ("lcov", "llvm", "gcc"):
            with self.subTest(form):
                ended = convert(f"--to={form}", profile)
                self.assertEqual((ended.returncode, ended.stdout), (1, ""))
                self.assertIn("has no debug information", ended.stderr)
                self.assertEqual(len(ended.stderr.splitlines()), 1)

    def test_broken_debug(self) -> None:
        """Debug information with random bytes in it gives a file or one line, of each form."""
        program = cg2test.new_directory() / "program"
        cg2test.compile_to(program, "edges.c", "-O2")
        profile = profiled(program)
        sections = subprocess.run(
            ["readelf", "-SW", program], capture_output=True, text=True, check=True
        ).stdout
        places = [
            int(offset, 16) + at
            for offset, size in re.findall(
                r"\.debug_(?:info|abbrev|line|rnglists) +\S+ +\S+ +(\S+) +(\S+)", sections
            )
            for at in range(int(size, 16))
        ]
        whole = program.read_bytes()
        chance = random.Random(1)
        for turn in range(12):
            broken = bytearray(whole)
            for place in chance.sample(places, 1 + turn * 5):
                broken[place] = chance.randrange(256)
            program.write_bytes(broken)
            for form in ("lcov", "llvm", "gcc"):
                with self.subTest(f"{form}, {turn}"):
                    ended = starts.run_bytes(
                        [TOOLS / "cg2_convert", f"--to={form}", profile],
                        directory="/",
                        limit=cg2test.HANG,
                        environment=cg2test.env(),
                    )
                    self.assertIn(ended.returncode, (0, 1), ended.stderr)
                    self.assertLessEqual(len(ended.stderr.splitlines()), ended.returncode)


class Objects(unittest.TestCase):
    def test_shared_library(self) -> None:
        """The counts of a shared library are asked for by its name; addresses are those in its file."""
        profile = profiled(built("pie"))
        text = converted("--to=bolt", "--object=libc.so.6", profile)
        library = re.search(r" (/\S*/libc\.so\.6)\s", profile.read_text())
        assert library
        size = os.path.getsize(library[1])
        places = [
            int(word, 16)
            for line in text.splitlines()
            for word in line.split()[1:3]
            if word != "X:0"
        ]
        self.assertGreater(len(places), 1000)
        self.assertLess(max(places), size)

    def test_path_with_blanks(self) -> None:
        """The program is found by the command line, whose words are not all of its path."""
        program = cg2test.new_directory() / "of two words" / "a program"
        program.parent.mkdir()
        shutil.copy(built("pie"), program)
        self.assertEqual(
            converted("--to=bolt", profiled(program)),
            converted("--to=bolt", profiled(built("pie"))),
        )

    def test_added_up(self) -> None:
        """Several profiles are added up: each count of one that is given twice is double."""
        program = built("pie")
        machine = Machine(program)
        profile = profiled(program)
        once = said(machine, converted("--to=bolt", profile))
        twice = said(machine, converted("--to=bolt", profile, profile))
        for one, two in ((once.transfers, twice.transfers), (once.passed, twice.passed)):
            self.assertEqual({key: 2 * count for key, count in one.items()}, two)

    def test_file(self) -> None:
        """-o writes the bytes that go to standard output without it."""
        profile = profiled(built("pie"))
        for form in ("bolt", "autofdo"):
            out = cg2test.new_directory() / "out"
            self.assertEqual(converted(f"--to={form}", "-o", out, profile), "")
            self.assertEqual(out.read_text(), converted(f"--to={form}", profile))


class Refused(unittest.TestCase):
    def refused(self, expected: str, *arguments: str | Path) -> None:
        """Checks that one line says so, the status is not 0, and there is no file."""
        out = cg2test.new_directory() / "out"
        ended = convert("--to=bolt", "-o", out, *arguments)
        self.assertNotEqual(ended.returncode, 0)
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.assertIn(expected, ended.stderr)
        self.assertEqual(list(out.parent.iterdir()), [])

    def test_missing(self) -> None:
        """What a profile lacks is named."""
        program = built("pie")
        self.refused("--dump-instr=yes", profiled(program, options=()))
        self.refused("--collect-jumps=yes", profiled(program, options=RECORDED[:1]))
        recorded = profiled(program)
        self.refused("expected --object= and one of", "--object=libm.so.6", recorded)
        self.refused("No such file", "/nonexistent/profile")

    def test_changed(self) -> None:
        """An object that is not the build that ran is refused; a newer time of the same bytes is none."""
        program = cg2test.new_directory() / "program"
        cg2test.compile_to(program, "edges.c", "-O2")
        profile = profiled(program)
        before = converted("--to=bolt", profile)
        os.utime(program)
        self.assertEqual(converted("--to=bolt", profile), before)
        cg2test.compile_to(program, "edges.c", "-O1")
        self.refused("is not the build that ran", profile)
        program.unlink()
        self.refused(str(program), profile)

    def test_without_build_id(self) -> None:
        """A program without a build-id and without debug information works, until it is another file."""
        program = cg2test.new_directory() / "program"
        cg2test.compile_to(program, "edges.c", "-O2", "-Wl,--build-id=none", "-s")
        profile = profiled(program)
        self.assertIn("\nF ", converted("--to=bolt", profile))
        os.utime(program)
        self.refused("was modified after it ran", profile)


if __name__ == "__main__":
    unittest.main()
