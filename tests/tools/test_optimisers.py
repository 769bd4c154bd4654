"""Optimisers of programs take the counts of cg2_convert, and have nothing to say against them."""

from __future__ import annotations

import os
import re
import shutil
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from feedbacksupport import converted, does, found, of_llvm, profiled

import cg2test

RELOCATIONS = "-Wl,--emit-relocs"
WHOLE = "-fno-reorder-blocks-and-partition"
RUST = Path(__file__).parents[1] / "debug" / "programs" / "iterators.rs"


def by_rustc() -> Path:
    program = cg2test.new_directory() / "iterators"
    rustc = found("rustc", "rustc")
    options = ["-O", "-g", f"-Clink-arg={RELOCATIONS}", "-o", str(program)]
    if not knows_black_box(rustc):
        options.append("--cfg=has_no_black_box")
    does(rustc, *options, RUST)
    return program


def knows_black_box(rustc: str) -> bool:
    """Whether a compiler of Rust has std::hint::black_box, which Debian 12's has not."""
    version = does(rustc, "--version").split()[1]
    return tuple(map(int, version.split(".")[:2])) >= (1, 66)


def by(source: str, *flags: str, compiler: str = "gcc") -> Callable[[], Path]:
    return lambda: cg2test.compile(source, "-O2", *flags, RELOCATIONS, compiler=compiler)


PROGRAMS = {
    "pie": by("edges.c", "-pie", "-fPIE"),
    "no pie": by("edges.c", "-no-pie", "-fno-pie"),
    "no plt": by("edges.c", "-fno-plt"),
    "clang": by("edges.c", compiler="clang"),
    "stripped of debug information": by("edges.c", "-Wl,--strip-debug"),
    "C++": by("exceptions.cc", compiler="g++"),
    "Rust": by_rustc,
    "switch tables": by("switches.c", "-fno-jump-tables"),
    "switch tables of jumps": by("switches.c"),
    "tail calls": by("tail.c"),
    "cold parts": by("cold.c"),
    "no cold parts": by("cold.c", WHOLE),
}


INSTRUMENTED = {
    "switches": by("switches.c", WHOLE),
    "switches in a program without PIE": by("switches.c", WHOLE, "-no-pie", "-fno-pie"),
    "recursion": by("recursion.c"),
    "sorting": by("sorting.c"),
    "of clang": by("sorting.c", compiler="clang"),
    "no cold parts": by("cold.c", WHOLE),
    "overloads": by("overloads.cc", "overloads2.cc", compiler="g++"),
    "Rust": by_rustc,
}


def warnings(printed: str) -> set[str]:
    """The warnings of BOLT, without its own path."""
    lines = printed.replace("BOLT-INFO", "\nBOLT-INFO").splitlines()
    return {line.partition("WARN")[2] for line in lines if "WARN" in line}


def transfers(fdata: Path) -> Counter[tuple[str, ...]]:
    """How often each was made, by the functions and offsets from and to. BOLT's instrumentation does not say
    where computed calls go, and neither says where returns go."""
    counted: Counter[tuple[str, ...]] = Counter()
    for line in fdata.read_text().splitlines():
        words = line.split()
        if len(words) == 8 and "[unknown]" not in words:
            counted[
                words[1].partition("/")[0], words[2], words[4].partition("/")[0], words[5]
            ] += int(words[7])
    return counted


def dynamics(bolt: str, program: Path, fdata: Path) -> list[str]:
    """What BOLT says of branches, before and after it optimises."""
    laid_out = "-lite=0", "-reorder-blocks=ext-tsp", "-split-functions", "-dyno-stats"
    printed = does(bolt, program, "-o", os.devnull, f"-data={fdata}", *laid_out)
    return re.findall(r"^ +(\d+ : .* branches.*)", printed, re.MULTILINE)


class Bolt(unittest.TestCase):
    def test_takes_it(self) -> None:
        """perf2bolt finds no trace that the program cannot have, and warns of nothing; llvm-bolt says nothing
        that it does not say without a profile; the program still does what it did."""
        for name, build in PROGRAMS.items():
            program = build()
            profile = profiled(program)
            for version in ("16", "19"):
                with self.subTest(f"{name}, {version}"):
                    faster = self._takes(version, program, profile)
                    self.assertEqual(
                        cg2test.run_alone(faster).stdout, cg2test.run_alone(program).stdout
                    )

    def test_takes_a_library(self) -> None:
        """BOLT takes the counts of a shared library, too, in the place of which the faster one runs."""
        flags = "-O2", "-fPIC", "-shared", RELOCATIONS
        library = cg2test.compile("libplt.c", *flags, "-Wl,-soname,libplt.so")
        folder = cg2test.new_directory()
        own = folder / "libplt.so"
        shutil.copy(library, own)
        program = folder / "program"
        cg2test.compile_to(program, "plt.c", "-O2", str(own), "-Wl,-rpath,$ORIGIN")
        profile = profiled(program)
        for version in ("16", "19"):
            with self.subTest(version):
                faster = self._takes(version, library, profile, "--object=libplt.so")
                shutil.copy(faster, own)
                self.assertNotEqual(own.read_bytes(), library.read_bytes())
                cg2test.run_alone(program)
                shutil.copy(library, own)

    def test_instrumented(self) -> None:
        """Branches and calls ran as often as in a run of the program that BOLT has instrumented: each of
        those that BOLT counts. What it says of all branches is the same.

        BOLT's instrumentation itself is wrong about longjmp, exceptions, `.cold` parts and computed tail
        calls."""
        for name, build in INSTRUMENTED.items():
            with self.subTest(name):
                program = build()
                where = cg2test.new_directory()
                bolt = of_llvm("16", "llvm-bolt", "bolt")
                counted = where / "counted"
                does(
                    *(bolt, program, "-o", counted, "-instrument"),
                    f"-instrumentation-file={where / 'instrumented'}",
                )
                cg2test.run_alone(counted)
                self._takes("16", program, profiled(program), where=where)
                truth = transfers(where / "instrumented")
                ours = transfers(where / "fdata")
                differ = {w: (n, ours.get(w)) for w, n in truth.items() if ours.get(w) != n}
                self.assertEqual(differ, {})
                self.assertGreater(len(truth), 10)
                self.assertEqual(
                    dynamics(bolt, program, where / "fdata"),
                    dynamics(bolt, program, where / "instrumented"),
                )

    def test_mispredictions(self) -> None:
        """BOLT's report has all mispredictions, and no others."""
        options = "--dump-instr=yes", "--collect-jumps=yes", "--branch-sim=yes"
        program = PROGRAMS["switch tables of jumps"]()
        where = cg2test.new_directory()
        self._takes("16", program, profiled(program, options=options), where=where)
        reported, wanted = (
            sum(
                int(line.split()[at])
                for line in (where / name).read_text().splitlines()
                if start in line[:2]
            )
            for name, start, at in (("fdata", "1", 6), ("counts", "B", 4))
        )
        self.assertGreater(wanted, 20)
        self.assertEqual(reported, wanted)

    def _takes(
        self, version: str, program: Path, profile: Path, *options: str, where: Path | None = None
    ) -> Path:
        perf2bolt = of_llvm(version, "perf2bolt", "bolt")
        bolt = of_llvm(version, "llvm-bolt", "bolt")
        where = where or cg2test.new_directory()
        text = converted("--to=bolt", *options, profile)
        (where / "counts").write_text(text)
        printed = does(perf2bolt, program, "-pa", "-p", where / "counts", "-o", where / "fdata")
        self.assertIn(f"read {len(text.splitlines())} aggregated", printed)
        self.assertIn("mismatching disassembled function contents: 0", printed)
        self.assertIn("unknown regions: 0", printed)
        laid_out = "-lite=0", "-reorder-blocks=ext-tsp", "-split-functions"
        before = does(bolt, program, "-o", where / "as-it-was", *laid_out)
        self.assertLessEqual(warnings(printed), warnings(before))
        faster = where / "faster"
        printed = does(bolt, program, "-o", faster, f"-data={where / 'fdata'}", *laid_out)
        self.assertLessEqual(warnings(printed), warnings(before))
        self.assertRegex(
            printed, r"[1-9]\d* out of \d+ functions .* have non-empty execution profile"
        )
        return faster


PROFILING = "-gdwarf-4", "-fdebug-info-for-profiling", "-funique-internal-linkage-names"
"""Flags of clang by which code is found again. The Valgrind of bookworm does not read clang's DWARF 5."""

SAMPLED = {
    "calls in turn": ("edges.c", "clang", "-O2"),
    "sorting": ("sorting.c", "clang", "-O2"),
    "loops made longer": ("sorting.c", "clang", "-O3", "-funroll-loops"),
    "without optimisation": ("switches.c", "clang", "-O0"),
    "C++": ("exceptions.cc", "clang++", "-O2"),
}
Samples = dict[tuple[str, ...], int]


def sampled(name: str) -> Path:
    source, compiler, *flags = SAMPLED[name]
    return cg2test.compile(source, *PROFILING, *flags, compiler=compiler)


def samples(text: str) -> Samples:
    """What is not 0 in a sample profile of LLVM, by function, places of copies and line."""
    said: Samples = {}
    around: list[str] = []
    for line in text.splitlines():
        words = line.split()
        depth = len(line) - len(line.lstrip())
        around = around[:depth]
        if not depth:
            name, total, head = words[0].rsplit(":", 2)
            around = [name]
            said[name, "total"], said[name, "head"] = int(total), int(head)
        elif words[1].isdigit():
            said[*around, words[0]] = int(words[1])
            for call in words[2:]:
                name, _, count = call.rpartition(":")
                said[*around, words[0], name] = int(count)
        else:
            name, _, total = words[1].rpartition(":")
            around.append(words[0] + name)
            said[*around, "total"] = int(total)
    return {place: count for place, count in said.items() if count}


def is_of_no_line(place: tuple[str, ...]) -> bool:
    """Whether it is of line 0, which is in front of each function."""
    return any(re.match(r"6[45]\d{3}[.:]", word) for word in place)


def unsymbolised(program: Path, text: str) -> str:
    """The text for AutoFDO as llvm-profgen takes it: from the first segment with code on, no addresses."""
    segments = does("readelf", "-lW", program)
    starts = re.findall(r"LOAD +\S+ 0x(\S+) \S+ \S+ \S+ (...)", segments)
    behind = next(int(at, 16) for at, rights in starts if "E" in rights) - int(starts[0][0], 16)
    lines = text.splitlines()
    n = int(lines[0])

    def moved(line: str) -> str:
        where, _, count = line.rpartition(":")
        way = "->" if ">" in where else "-"
        return way.join(f"{int(at, 16) - behind:x}" for at in where.split(way)) + f":{count}"

    ways = [line for line in lines[n + 3 :] if int(line.partition("-")[0], 16) >= behind]
    return "\n".join([str(n), *map(moved, lines[1 : n + 1]), str(len(ways)), *map(moved, ways), ""])


class Llvm(unittest.TestCase):
    def test_as_profgen(self) -> None:
        """Functions, copies of functions in others, lines, their discriminators, calls and totals are those
        that llvm-profgen finds for the same counts. What is on no line it has, too; not what calls main.
        """
        profgen = of_llvm("16", "llvm-profgen", "llvm")
        for name in SAMPLED:
            with self.subTest(name):
                program = sampled(name)
                profile = profiled(program)
                where = cg2test.new_directory()
                counts = unsymbolised(program, converted("--to=autofdo", profile))
                (where / "counts").write_text(counts)
                does(
                    *(profgen, f"--binary={program}", f"--unsymbolized-profile={where / 'counts'}"),
                    *("--format=text", f"--output={where / 'samples'}"),
                )
                truth = samples((where / "samples").read_text())
                ours = samples(converted("--to=llvm", profile))
                differ = {
                    place: (count, ours.get(place, 0))
                    for place, count in truth.items()
                    if count != ours.get(place, 0) and not is_of_no_line(place)
                }
                self.assertEqual(differ, {})
                self.assertGreater(len(truth), 20)

    def test_calls(self) -> None:
        """Functions were called as often as a program says that clang has put counters into."""
        profdata = found("llvm-profdata", "llvm")
        clang = found("clang", "clang")
        for source in ("edges.c", "sorting.c", "recursion.c", "calls.c"):
            with self.subTest(source):
                where = cg2test.new_directory()
                counting = where / "counting"
                path = cg2test.source_of(source)
                does(clang, "-O0", "-fprofile-instr-generate", "-o", counting, path)
                does(counting, LLVM_PROFILE_FILE=str(where / "raw"))
                does(profdata, "merge", "-o", where / "merged", where / "raw")
                said = does(profdata, "show", "-all-functions", where / "merged")
                found_counts = re.findall(
                    r"^  (\S+):\n.*\n.*\n    Function count: (\d+)", said, re.M
                )
                truth = {
                    name.rpartition(":")[2]: int(count)
                    for name, count in found_counts
                    if int(count)
                }
                program = cg2test.compile(source, "-O0", "-gdwarf-4", compiler="clang")
                ours = samples(converted("--to=llvm", profiled(program)))
                heads = {place[0]: count for place, count in ours.items() if place[1] == "head"}
                self.assertEqual({name: heads.get(name) for name in truth}, truth)
                self.assertGreater(len(truth), 3)

    def test_takes_it(self) -> None:
        """llvm-profdata and clang take it without a word; clang knows then how often functions are
        called, and the program does what it did."""
        for name in ("calls in turn", "C++"):
            with self.subTest(name):
                source, compiler, *flags = SAMPLED[name]
                program = sampled(name)
                where = cg2test.new_directory()
                text = where / "samples"
                text.write_text(converted("--to=llvm", profiled(program)))
                packed = where / "packed"
                profdata = found("llvm-profdata", "llvm")
                self.assertEqual(does(profdata, "merge", "--sample", text, "-o", packed), "")
                faster = where / "faster"
                build = (
                    found(compiler, "clang"),
                    *PROFILING,
                    *flags,
                    f"-fprofile-sample-use={packed}",
                )
                path = cg2test.source_of(source)
                self.assertEqual(
                    does(*build, "-Wall", "-Wno-unknown-attributes", "-o", faster, path), ""
                )
                self.assertEqual(
                    cg2test.run_alone(faster).stdout, cg2test.run_alone(program).stdout
                )
                code = does(*build, "-S", "-emit-llvm", "-o", "-", path)
                known = re.findall(r'"function_entry_count", i64 (\d+)', code)
                ours = samples(text.read_text())
                heads = {count for place, count in ours.items() if place[1] == "head"}
                self.assertLessEqual({int(count) - 1 for count in known}, heads | {-1, 0})
                self.assertGreater(len(known), 2)

    def test_rust(self) -> None:
        """llvm-profdata takes that of a program in Rust, without a word."""
        profdata = found("llvm-profdata", "llvm")
        text = cg2test.new_directory() / "samples"
        text.write_text(converted("--to=llvm", profiled(by_rustc())))
        packed = text.with_name("packed")
        self.assertEqual(does(profdata, "merge", "--sample", text, "-o", packed), "")
        shown = does(profdata, "show", "--sample", packed)
        said = samples(text.read_text())
        functions = {place[0] for place in said if place[1] == "total"}
        self.assertEqual(set(re.findall(r"^Function: (\S+): \d", shown, re.M)), functions)
        self.assertGreater(len(functions), 20)


class Gcov:
    """A profile of GCC's -fauto-profile, as samples() has those of LLVM; no discriminators."""

    def __init__(self, data: bytes, names_in_words: bool = False) -> None:
        self._data = data
        self._at = 0
        self.said: Samples = {}
        assert data[:12] == b"adcg\2\0\0\0\0\0\0\0"
        self._at = 12
        assert self._word() == 0xAA000000
        self._word()
        unit = 4 if names_in_words else 1
        self._names = [self._name(self._word() * unit) for _ in range(self._word())]
        assert self._word() == 0xAC000000
        self._word()
        for _ in range(self._word()):
            head = self._words()
            name = self._inside(())
            self.said[name, "head"] = head
        assert self._word() == 0xAE000000

    def _word(self) -> int:
        self._at += 4
        return int.from_bytes(self._data[self._at - 4 : self._at], "little")

    def _words(self) -> int:
        return self._word() | self._word() << 32

    def _name(self, length: int) -> str:
        self._at += length
        return self._data[self._at - length : self._at].rstrip(b"\0").decode()

    def _inside(self, around: tuple[str, ...]) -> str:
        """Read a function, or a copy of one in others; its name."""
        name = self._names[self._word()]
        inside = (*around[:-1], around[-1] + name) if around else (name,)
        n_lines, n_copies = self._word(), self._word()
        for _ in range(n_lines):
            line, n_calls, count = self._word(), self._word(), self._words()
            place = (*inside, f"{line >> 16}:")
            self.said[place] = max(count, self.said.get(place, 0))
            for _ in range(n_calls):
                self._word()
                called = self._names[self._words()]
                self.said[*place, called] = self._words()
        for _ in range(n_copies):
            self._inside((*inside, f"{self._word() >> 16}:"))
        return name


def hot(code: str) -> list[str]:
    """The functions that assembly has among those that run often."""
    functions = []
    is_hot = False
    for line in code.splitlines():
        if re.match(r"\s+\.(section|text)\b", line):
            is_hot = ".text.hot" in line
        elif is_hot and (name := re.match(r"(\w+):$", line)):
            functions.append(name[1])
    return sorted(functions)


def in_proportion(said: Samples) -> Samples:
    """The counts of lines, calls and functions where the most that a line may have run is 10,000."""
    counts = {place: count for place, count in said.items() if place[-1] != "total"}
    share = min(1, 10000 / max(n for at, n in counts.items() if at[-1].endswith(":")))
    return {place: max(1, int(count * share + 0.5)) for place, count in counts.items()}


def nonzero(said: Samples) -> Samples:
    return {place: count for place, count in said.items() if count}


class Gcc(unittest.TestCase):
    def test_takes_it(self) -> None:
        """GCC takes it without a word, lays the program out by it, and that does what it did. It stops at
        a call through a pointer of what has the first name, so nothing has that."""
        sources = "edges.c", "sorting.c", "pointed.c", "exceptions.cc"
        for source in sources:
            compiler = "g++" if source.endswith("cc") else "gcc"
            with self.subTest(source):
                program = cg2test.compile(source, "-O2", compiler=compiler)
                where = cg2test.new_directory()
                given = where / "counts"
                converted("--to=gcc", "-o", given, profiled(program))
                path = cg2test.source_of(source)
                build = (found(compiler, "gcc"), "-O2", "-Wall", f"-fauto-profile={given}")
                faster = where / "faster"
                self.assertEqual(does(*build, "-o", faster, path), "")
                self.assertEqual(
                    cg2test.run_alone(faster).stdout, cg2test.run_alone(program).stdout
                )
                code = does(*build, "-S", "-o", "-", path)
                self.assertNotEqual(code, does(compiler, "-O2", "-S", "-o", "-", path))

    def test_says(self) -> None:
        """The profile says of functions, copies, lines and calls what the profile for LLVM does, in
        proportion."""
        for source, compiler in ("sorting.c", "gcc"), ("exceptions.cc", "g++"):
            with self.subTest(source):
                profile = profiled(cg2test.compile(source, "-O2", compiler=compiler))
                given = cg2test.new_directory() / "counts"
                converted("--to=gcc", "-o", given, profile)
                ours = nonzero(Gcov(given.read_bytes()).said)
                llvm = samples(converted("--to=llvm", profile))
                self.assertEqual(ours, in_proportion(llvm))
                self.assertGreater(len(ours), 30)

    def test_shares(self) -> None:
        """The line that ran most often ran 10,000 times, all else in proportion, at least once: what is
        hot for GCC ran a 10,000th as often. What did not run is there, but for what copies did."""
        program = cg2test.compile("shares.c", "-O2")
        given = cg2test.new_directory() / "counts"
        converted("--to=gcc", "-o", given, profiled(program))
        said = Gcov(given.read_bytes()).said
        heads = {place[0]: count for place, count in said.items() if place[1] == "head"}
        wanted = {"often": 10000, "seldom": 100, "rarely": 1, "never": 0, "main": 1}
        self.assertEqual({name: heads.get(name) for name in wanted}, wanted)
        self.assertEqual([place for place in said if place[0] == "never"], [("never", "head")])
        self.assertNotIn("copied", heads)
        self.assertIn(
            10000, [count for place, count in said.items() if place[1].endswith("copied")]
        )
        path = cg2test.source_of("shares.c")
        code = does("gcc", "-O2", f"-fauto-profile={given}", "-S", "-o", "-", path)
        self.assertEqual(hot(code), ["often", "seldom"])

    def test_cold_parts(self) -> None:
        """A function of which GCC has put a part elsewhere was called as often as it was."""
        profile = profiled(cg2test.compile("cold.c", "-O2"))
        said = samples(converted("--to=llvm", profile))
        self.assertEqual((said["work", "head"], said["rare", "head"]), (10, 4))
        self.assertEqual(
            [n for at, n in said.items() if at[0] == "main" and at[-1] == "work"], [10]
        )

    def test_ends(self) -> None:
        """A row of a line table has no code where the section ends behind a call that does not return: the
        lines of other sources stay theirs, of LLVM's profile and of lcov's."""
        program = cg2test.compile(
            "noreturncaller.c", "-O2", "-g", "-static", str(cg2test.source_of("noreturn.c"))
        )
        profile = profiled(program)
        lines = {
            at[1]: n
            for at, n in samples(converted("--to=llvm", profile)).items()
            if at[0] == "counting"
        }
        self.assertEqual(
            {line: lines.get(line) for line in ("4:", "5:")}, {"4:": 101, "5:": 50}, lines
        )
        text = converted("--to=lcov", profile)
        own = text[text.index("noreturncaller.c") :].partition("end_of_record")[0]
        counts = dict(re.findall(r"(?m)^DA:(\d+),(\d+)", own))
        self.assertEqual((counts["8"], counts["9"]), ("101", "50"))

    def test_between(self) -> None:
        """A line that the compiler has mixed with others in one block ran as often as that block."""
        program = cg2test.compile(
            "noreturncaller.c", "-O2", "-g", str(cg2test.source_of("noreturn.c"))
        )
        text = converted("--to=lcov", profiled(program))
        own = text[text.index("noreturncaller.c") :].partition("end_of_record")[0]
        self.assertEqual(re.findall(r"(?m)^DA:11,(\d+)", own), ["51"])


class AutoFdo(unittest.TestCase):
    def test_create_gcov(self) -> None:
        """create_gcov takes the text without a word, and finds the functions and lines that cg2_convert
        finds itself, as often. Of several calls on a line it takes one."""
        create = found("create_gcov", "autofdo")
        for source in ("edges.c", "sorting.c", "switches.c"):
            with self.subTest(source):
                program = cg2test.compile(source, "-O0", "-gdwarf-4", is_dynamic=True)
                profile = profiled(program)
                where = cg2test.new_directory()
                (where / "text").write_text(converted("--to=autofdo", profile))
                printed = does(
                    *(create, f"--binary={program}", f"--profile={where / 'text'}"),
                    *("--profiler=text", f"--gcov={where / 'theirs'}", "-gcov_version=2"),
                )
                self.assertEqual(printed, "")
                converted("--to=gcc", "-o", where / "ours", profile)
                ours = nonzero(Gcov((where / "ours").read_bytes()).said)
                theirs = nonzero(Gcov((where / "theirs").read_bytes(), names_in_words=True).said)
                theirs = in_proportion(theirs)
                theirs = {at: n for at, n in theirs.items() if len(at) == 2}
                self.assertEqual(
                    {at: (n, ours.get(at)) for at, n in theirs.items() if ours.get(at) != n}, {}
                )
                self.assertGreater(len(theirs), 15)

    def test_profile_merger(self) -> None:
        """profile_merger adds up what create_gcov made of two runs, to what that makes of both at once; of
        calls on a line it takes those of one run."""
        merger, create = found("profile_merger", "autofdo"), found("create_gcov", "autofdo")
        program = cg2test.compile("sorting.c", "-O0", "-gdwarf-4", is_dynamic=True)
        profile = profiled(program)
        where = cg2test.new_directory()
        for name, profiles in ("one", (profile,)), ("both", (profile, profile)):
            (where / "text").write_text(converted("--to=autofdo", *profiles))
            does(
                *(create, f"--binary={program}", f"--profile={where / 'text'}"),
                *("--profiler=text", f"--gcov={where / name}", "-gcov_version=2"),
            )
        ones = where / "one", where / "one"
        does(merger, "-gcov_version=2", f"-output_file={where / 'merged'}", *ones)
        merged, both = (
            Gcov((where / name).read_bytes(), names_in_words=True).said
            for name in ("merged", "both")
        )
        differ = {at: (n, merged.get(at)) for at, n in both.items() if merged.get(at) != n}
        self.assertEqual({at: pair for at, pair in differ.items() if len(at) == 2}, {})
        self.assertEqual({n / other for n, other in differ.values() if other is not None}, {2.0})
        self.assertGreater(len(both), 30)

    def test_create_llvm_prof(self) -> None:
        """create_llvm_prof takes the text, too, and finds the same functions, lines and calls."""
        create = found("create_llvm_prof", "autofdo")
        program = cg2test.compile(
            "switches.c", *PROFILING, "-O0", compiler="clang", is_dynamic=True
        )
        profile = profiled(program)
        where = cg2test.new_directory()
        (where / "text").write_text(converted("--to=autofdo", profile))
        printed = does(
            *(create, f"--binary={program}", f"--profile={where / 'text'}"),
            *("--profiler=text", f"--out={where / 'samples'}", "--format=text"),
        )
        self.assertEqual(printed, "")
        theirs = {
            at: n
            for at, n in samples((where / "samples").read_text()).items()
            if at[1] != "total" and not is_of_no_line(at)
        }
        ours = samples(converted("--to=llvm", profile))
        self.assertEqual(
            {at: (n, ours.get(at)) for at, n in theirs.items() if ours.get(at) != n}, {}
        )
        self.assertGreater(len(theirs), 10)


if __name__ == "__main__":
    unittest.main()
