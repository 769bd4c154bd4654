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
    does(rustc, "-O", "-g", f"-Clink-arg={RELOCATIONS}", "-o", program, RUST)
    return program


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
        for version in ("16", "19"):
            for name, build in PROGRAMS.items():
                with self.subTest(f"{name}, {version}"):
                    program = build()
                    faster = self._takes(version, program, profiled(program))
                    self.assertEqual(
                        cg2test.run_alone(faster).stdout, cg2test.run_alone(program).stdout
                    )

    def test_takes_a_library(self) -> None:
        """So does a shared library, in the place of which the faster one runs."""
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
        """Branches and calls ran as often as in a run of the program that BOLT has instrumented: each of those
        that BOLT counts. What it says of all branches is the same.

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


if __name__ == "__main__":
    unittest.main()
