"""Memory that runs out: each allocation of each operation fails in turn, and the operation says so in one
line.

scarce.c has the operations, and says what is right. It and the library run under AddressSanitizer and
UndefinedBehaviorSanitizer.
"""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "unit"))

from hostbuild import FUZZ, LIBRARY_SANITIZED, build_on_library, can_build, run  # noqa: E402

FULL = os.environ.get("CG2_FULL") == "1"
HERE = Path(__file__).resolve().parent
HEAD = """\
# callgrind format
version: 1
creator: callgrind-3.25.1
pid: 12
cmd: app
desc: Timerange: Basic block 0 - 1000
desc: Skipped: 3 skip
positions: instr line
event: S = 2 Ir + Dr : Sum
events: Ir Dr
summary: 1 1
"""


def text(seed: int, functions: int, lines: int, in_order: bool = True) -> bytes:
    """A profile of some functions with `lines` lines each, jumps and code of headers among them, which call
    each other, some in cycles and with levels of recursion."""
    chance = random.Random(seed)
    found = [HEAD]
    for number in range(functions):
        level = "'2" if number % 5 == 4 else ""
        found.append(
            f"\nob=lib{number % 3}.so\nfl=file{number % 7}.c\nfn=f{number - bool(level)}{level}\n"
        )
        steps = range(lines) if in_order else range(lines, 0, -1)
        for step in steps:
            found.append(
                f"{number * 0x100000 + 4 * step:#x} {step + 1} {chance.randint(1, 99)} 1\n"
            )
            if step % 40 == 7:
                found.append(f"fi=header{step % 4}.h\n")
            if step % 50 == 9:
                found.append(
                    f"jcnd=1/2 {number * 0x100000:#x} 1\n{number * 0x100000 + 4 * step:#x} {step + 1}\n"
                )
            if step % 60 == 11:
                callee = chance.randrange(functions) if step % 4 else min(number + 1, functions - 1)
                found.append(
                    f"cfn=f{callee}\ncalls=2 {callee * 0x100000:#x} 1\n* * {chance.randint(1, 999)} 3\n"
                )
    return "".join(found).encode()


def folded() -> bytes:
    chance = random.Random(1)
    names = [f"f{number}" for number in range(300)]
    return "".join(
        ";".join(chance.choices(names, k=chance.randint(1, 20))) + f" {chance.randint(1, 9)}\n"
        for _ in range(3000 if FULL else 600)
    ).encode()


def paths(count: int) -> bytes:
    chance, depth = random.Random(2), -1
    found = ["# cg2 paths\ncreator: callgrind-cg2-0.1\nevents: Ir Dr\nob=(1) lib.so\n"]
    for number in range(count):
        if number < 300:
            found.append(f"fl=({number + 1}) f{number}.c\nfn=({number + 1}) f{number}\n")
        depth = min(depth + 1, chance.randrange(40))
        found.append(f"{depth} {chance.randint(0, min(number + 1, 300))} 7 2+1 {number}\n")
    return "".join([*found, f"totals: {count * (count - 1) // 2}\n"]).encode()


class Scarce(unittest.TestCase):
    def setUp(self) -> None:
        reason = can_build(LIBRARY_SANITIZED)
        if reason:
            self.skipTest(reason)
        sources = HERE / "scarce.c", HERE / "scarcity.c", FUZZ / "memfile.c", FUZZ / "fingerprint.c"
        self.program = build_on_library(LIBRARY_SANITIZED, *sources)
        holder = tempfile.TemporaryDirectory(prefix="cg2library-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def file(self, name: str, content: bytes) -> Path:
        path = self.directory / name
        path.write_bytes(content)
        return path

    def few(self) -> list[Path]:
        """Small profiles that can be added up: the second is not in order, the third has few lines."""
        return self.files(text(1, 40, 150), text(2, 45, 100, in_order=False), text(3, 30, 12))

    def fewer(self) -> list[Path]:
        """The same with fewer functions and lines, but at full size: for what takes long as it looks at each
        line and allocates often."""
        if FULL:
            return self.few()
        return self.files(text(1, 20, 75), text(2, 23, 50, in_order=False), text(3, 15, 12))

    def files(self, *texts: bytes) -> list[Path]:
        return [self.file(f"few{number}", data) for number, data in enumerate(texts)]

    def check(self, operation: str, paths: Sequence[Path], least: int, output: str = "out") -> None:
        """Runs an operation again and again, in which at least so many allocations fail."""
        core = cg2test.SOURCE / "cg2" / "machines" / "zen4.core"
        command: list[str | Path] = [self.program, operation, self.directory / output, *paths]
        ended = run(command, CG2_TEST_CORE=str(core))
        self.assertEqual((ended.returncode, ended.stderr[-4000:]), (0, ""), operation)
        self.assertGreaterEqual(int(ended.stdout), least, operation)

    def test_read(self) -> None:
        """Text of several pieces, packed or not, with lines and without. Packed text has pieces of the
        packed file's size; of other text, most is comments, but at full size."""
        data = text(4, 8, 9000 if FULL else 1500)
        packed = subprocess.run(["zstd", "-q"], input=data, capture_output=True, check=True).stdout
        comments = b"" if FULL else b"# %60d\n" % 0 * 14_000
        plain = data.replace(b"\nob=", comments + b"\nob=", 1)
        self.assertGreater(len(plain), 1 << 20)
        self.assertLess(len(comments), 1 << 20)
        for name, content in (("plain", plain), ("gz", gzip.compress(data)), ("zst", packed)):
            path = self.file(name, content)
            self.check("read", [path], 30)
            self.check("sums", [path], 30)
            self.check("functions", [path], 20)

    def test_folded(self) -> None:
        self.check("folded", [self.file("stacks", folded())], 30)

    def test_paths(self) -> None:
        path = self.file("paths", paths(3000 if FULL else 1000))
        self.check("paths", [path], 30)
        self.check("tree", [path], 30)
        path = self.file("few", paths(500))
        self.check("sum-of-paths", [path], 60)
        for output in "out", "out.gz":
            self.check("file-of-paths", [path], 35, output)

    def test_sum(self) -> None:
        """Whole profiles, and parts of other names, events and positions."""
        paths = self.fewer()
        self.check("merge", paths, 100)
        self.check("parts", paths[:1], 100)

    def test_inlined_functions(self) -> None:
        size = (10, 60) if FULL else (6, 40)
        self.check("apart", [self.file("small", text(1, *size))], 100)

    def test_cycles(self) -> None:
        """The table of a processor; at full size the estimate, too, which walks anew each time."""
        path = self.file("small", text(1, 4, 60))
        self.check("core", [path], 10)
        if FULL:
            self.check("estimate", [path], 50)

    def test_questions(self) -> None:
        paths = self.few()
        for operation, least in (
            ("cursor", 1),
            ("graph", 10),
            ("levels", 10),
            ("calls", 10),
            ("jumps", 10),
            ("arcs", 10),
            ("causes", 7),
            ("explanation", 5),
            ("matching", 5),
            ("spoken", 10),
            ("listing", 10),
            ("annotation", 10),
        ):
            self.check(operation, paths, least)
        paths = self.fewer()
        for operation, least in (
            ("costs", 10),
            ("difference", 5),
            ("limited", 10),
            ("list", 10),
            ("moved", 5),
        ):
            self.check(operation, paths, least)

    def test_stacks(self) -> None:
        self.check("by-line", self.fewer()[:1], 50)
        paths = self.few()
        self.check("stacks", paths[:1], 50)
        for form in "folding", "speedscope", "chrome":
            self.check_written(form, paths, 3)
        for form in "pprof", "firefox":
            self.check_written(form, self.fewer(), 3)

    def test_write(self) -> None:
        paths = self.few()
        for form in "write", "in-full":
            self.check_written(form, paths, 5)

    def check_written(self, form: str, paths: Sequence[Path], least: int) -> None:
        """The first file in a form, and packed."""
        for output in "out", "out.gz":
            self.check(form, paths[:1], least, output)


if __name__ == "__main__":
    unittest.main()
