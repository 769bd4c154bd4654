"""Fuzzing: the transfer classifier and all that stands on it, and the writer, fed with what no program could
produce; and the libraries, fed with what no program writes and no compiler.

Each target is a libFuzzer program under AddressSanitizer and UndefinedBehaviorSanitizer. An input that fails
is kept in BUILD/tests-unit/ and named in the message; `PROGRAM INPUT` runs it again, for fuzz_calls with
CG2_TEST_TRACE=1 step by step.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "unit"))

from hostbuild import (
    ARM64_FUZZING,
    FUZZ,
    FUZZING,
    LIBRARY_FUZZING,
    Flavour,
    build,
    build_on_debug,
    build_on_library,
    can_build,
    run,
)  # noqa: E402  (found through the path just set)
from cg2test import BUILD, HANG, SOURCE
from profiletexts import SAMPLE, folded, generated, paths

FULL = os.environ.get("CG2_FULL") == "1"
# How long each target runs at full size. CG2_FUZZ_MINUTES=60 is for a night, or a release.
SECONDS = round(60 * float(os.environ.get("CG2_FUZZ_MINUTES", "2")))
MEGABYTES = 1024
"""What an input may have a target take of memory, with all that AddressSanitizer keeps beside it."""
LONGEST = 10
"""Seconds that an input may take; few take a hundredth of one."""
NAMES = b"""\
void std::sort<A*, std::vector<A, std::allocator<A> > >(A*, int (*)(A), (B)1)
main::{lambda(int)#1}::operator()(int) const [clone .isra.0]
bool std::operator><int>(A const&, A)'2'(anonymous namespace)::operator T*()
<alloc[1234567890abcdef]::Vec<T> as a::B>::f::h0123456789abcdef
"""


class Fuzz(unittest.TestCase):
    def setUp(self) -> None:
        reason = can_build(FUZZING)
        if reason:
            self.skipTest(f"{reason} (Debian: apt-get install clang libclang-rt-dev)")

    def fuzz(
        self, runs: int, max_length: int, *sources: str, flavour: Flavour = FUZZING, seeds: str = ""
    ) -> None:
        program = build(flavour, *(FUZZ / source for source in sources))
        fuzz(self, program, runs, max_length, seeds or None)

    def test_calls(self) -> None:
        self.fuzz(3500, 300, "fuzz_calls.c")

    def test_calls_that_push_nothing(self) -> None:
        """The same of a guest like arm64."""
        self.fuzz(3500, 300, "fuzz_calls.c", flavour=ARM64_FUZZING)

    def test_writer(self) -> None:
        self.fuzz(2800, 400, "fuzz_writer.c", "facts.c", "graph_of_bytes.c", "parse.c")

    def test_machine(self) -> None:
        """Descriptions of processors, which begin as those that cg2 comes with."""
        with tempfile.TemporaryDirectory() as folder:
            for path in (SOURCE / "cg2" / "machines").glob("*.machine"):
                shutil.copy(path, folder)
            self.fuzz(2800, 4000, "fuzz_machine.c", "mutator.c", seeds=folder)


class Library(unittest.TestCase):
    """What libcg2profile is given: texts that are mutated by lines, beginning with proper ones."""

    def setUp(self) -> None:
        reason = can_build(LIBRARY_FUZZING)
        if reason:
            self.skipTest(f"{reason} (Debian: apt-get install clang libclang-rt-dev)")

    def fuzz(self, runs: int, source: str, seeds: list[bytes]) -> None:
        sources = source, "memfile.c", "fingerprint.c", "mutator.c"
        program = build_on_library(LIBRARY_FUZZING, *(FUZZ / name for name in sources))
        with tempfile.TemporaryDirectory() as folder:
            for number, seed in enumerate(seeds):
                (Path(folder) / str(number)).write_bytes(seed)
            fuzz(self, program, runs, 6000, folder)

    def test_profile(self) -> None:
        """Read, written and read: the same; with lines and without; refused in one line."""
        self.fuzz(1000, "fuzz_profile.c", profiles())

    def test_sum(self) -> None:
        """The same sum in any order and grouping."""
        groups = [b"%%\n".join(generated(n + i) for i in range(3)) for n in range(0, 200, 10)]
        self.fuzz(1000, "fuzz_sum.c", groups)

    def test_folded(self) -> None:
        """Folded stacks."""
        self.fuzz(1000, "fuzz_folded.c", [folded(number) for number in range(40)])

    def test_paths(self) -> None:
        """Files of paths, of one part and of several."""
        texts = [paths(number) for number in range(40)]
        self.fuzz(1000, "fuzz_paths.c", [*texts, texts[0] + texts[1]])

    def test_core(self) -> None:
        """Tables of processors, which begin as the beginnings of those that cg2 comes with."""
        self.fuzz(250, "fuzz_core.c", core_tables())

    def test_questions(self) -> None:
        """Tables, call graphs, differences and stacks of any profile."""
        self.fuzz(700, "fuzz_questions.c", profiles())

    def test_names(self) -> None:
        """Names, a line each, of C++, Rust and what is like them."""
        self.fuzz(2800, "fuzz_names.c", [NAMES])


class Debug(unittest.TestCase):
    """What libcg2debug is given: programs of which bytes are changed, most of them in debug information."""

    # Compilers, options and sources of tests/debug/programs that differ in what is said how.
    SEEDS = (
        ("gcc -O2 -gdwarf-2", "types.c"),
        ("gcc -O2 -gdwarf-5 -gz", "types.c"),
        ("clang -O2 -gdwarf-4", "types.c"),
        ("gcc -O1 -g -c", "frames.c"),
        ("gcc -O2 -g", "sixteen.c"),
        ("g++ -O2 -g -fdebug-types-section", "types.cc"),
        ("g++ -O2 -g", "inlined.cc"),
        ("g++ -O1 -g", "statics.cc"),
    )

    def setUp(self) -> None:
        reason = can_build(LIBRARY_FUZZING)
        if reason:
            self.skipTest(f"{reason} (Debian: apt-get install clang libclang-rt-dev)")
        if not next(BUILD.glob("libcg2debug.so*"), None):
            self.skipTest("cg2 was built without libcg2debug (libdw or capstone is missing)")

    def test_objects(self) -> None:
        """All that there is to ask of an object is answered, or it is refused in one line."""
        program = build_on_debug(
            LIBRARY_FUZZING,
            *(FUZZ / name for name in ("fuzz_debug.c", "memfile.c", "elfmutator.c")),
        )
        with tempfile.TemporaryDirectory() as folder:
            for number, (compiler, source) in enumerate(self.SEEDS):
                seed = str(Path(folder) / str(number))
                path = SOURCE / "tests" / "debug" / "programs" / source
                subprocess.run([*compiler.split(), "-o", seed, str(path)], check=True)
            fuzz(self, program, 250, 600000, folder)


def core_tables() -> list[bytes]:
    """The first lines of each table: as much as an input has room for."""
    texts = [path.read_bytes() for path in sorted((SOURCE / "cg2" / "machines").glob("*.core"))]
    return [b"\n".join([*text.split(b"\n")[:60], b""]) for text in texts]


def profiles() -> list[bytes]:
    return [SAMPLE, *(generated(number) for number in range(40)), *packed(SAMPLE)]


def packed(text: bytes) -> list[bytes]:
    """The text as gzip has it and, if it is installed, as zstd has it."""
    found = [gzip.compress(text, mtime=0)]
    if shutil.which("zstd"):
        command = ["zstd", "-q"]
        ended = subprocess.run(command, input=text, capture_output=True, check=True)
        found.append(ended.stdout)
    return found


def fuzz(
    test: unittest.TestCase,
    program: Path,
    runs: int,
    max_length: int,
    seeds: str | None = None,
) -> None:
    """Run a target `runs` times with a fixed seed, or, at full size, for SECONDS with a new one each
    time."""
    options = [
        f"-max_len={max_length}",
        "-len_control=0",
        f"-artifact_prefix={program.parent}/",
        f"-rss_limit_mb={MEGABYTES}",
        f"-timeout={LONGEST}",
    ]
    options += [f"-max_total_time={SECONDS}"] if FULL else ["-seed=1", f"-runs={runs}"]
    leaks = {"ASAN_OPTIONS": "detect_leaks=1"} if seeds else {}
    ended = run([program, *options, *([seeds] if seeds else [])], longest=HANG + SECONDS, **leaks)
    test.assertEqual(
        ended.returncode, 0, f"{program} {' '.join(options)}\n{what_failed(ended.stderr)}"
    )
    test.assertIn("Done ", ended.stderr)


def what_failed(said: str) -> str:
    """What, in all that libFuzzer says, the target said last, where it ended, and which input it was."""
    lines = [
        line
        for line in said.splitlines()
        if not re.match(r"#\d+\s+(NEW|REDUCE|RELOAD|pulse|INITED)", line)
    ]
    failed = [
        number for number, line in enumerate(lines) if "ERROR" in line or "runtime error" in line
    ]
    start = max(failed[0] - 3, 0) if failed else 0
    kept = lines[start:][:40] + [line for line in lines if "Test unit written" in line]
    return "\n".join(line[:200] for line in kept)


if __name__ == "__main__":
    unittest.main()
