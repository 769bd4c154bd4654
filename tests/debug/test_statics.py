"""Static variables by libcg2debug: names, places and sizes, by each compiler, in each version of DWARF."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import cg2test  # noqa: F401  (finds the commands' packages)
from cg2tools.debug.libcg2debug import DebugError, DebugObject, Static
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path

PROGRAMS = Path(__file__).parent / "programs"
SOURCE = PROGRAMS / "statics.cc"

# Name, bytes, and what stands in the line that declares it, or in that which defines it.
VARIABLES = {
    "shapes::count": (4, "int count"),
    "shapes::sums": (64, "static volatile long sums"),
    "shapes::Circle::unit": (8, "unit"),
    "depth": (2, "thread_local"),
    "letters": (4, "const char letters"),
    "next::counter": (4, "static int counter"),
}


def addresses(program: Path) -> dict[int, str]:
    """The symbols of a program's variables, as nm has them."""
    lines = subprocess.run(
        ["nm", "-C", program], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rows = [line.split(" ", 2) for line in lines if line[:1] != " "]
    return {int(row[0], 16): row[2] for row in rows if row[1] in "dDbBrR"}


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(),
    "libcg2debug was not built: apt-get install libcapstone-dev libdw-dev",
)
class Statics(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.program = self.directory / "program"

    def build(self, compiler: str, *options: str) -> list[Static]:
        if not shutil.which(compiler):
            self.skipTest(f"there is no {compiler}")
        subprocess.run([compiler, "-g", *options, "-o", self.program, SOURCE], check=True)
        return self.statics()

    def statics(self) -> list[Static]:
        with DebugObject(str(self.program)) as debug:
            return [one for one in debug.statics() if one.file == str(SOURCE)]

    def check(self, statics: list[Static]) -> None:
        lines = SOURCE.read_text().splitlines()
        found = {one.name: one for one in statics}
        self.assertEqual(set(found), set(VARIABLES))
        symbols = addresses(self.program)
        for name, (size, text) in VARIABLES.items():
            one = found[name]
            self.assertEqual(one.size, size, name)
            self.assertIn(text, lines[one.line - 1])
            self.assertEqual(one.is_thread_local, name == "depth")
            if name == "depth":
                self.assertEqual(one.address, 0)
            else:
                self.assertEqual(symbols[one.address].split("::")[-1], name.split("::")[-1])

    def test_compilers(self) -> None:
        for compiler in ("g++", "clang++"):
            for version in (2, 3, 4, 5):
                for level in ("-O0", "-O2"):
                    with self.subTest(compiler=compiler, dwarf=version, level=level):
                        self.check(self.build(compiler, f"-gdwarf-{version}", level))

    def test_forms(self) -> None:
        """Fixed addresses, compressed sections, types in units of their own, wide offsets."""
        for options in (
            ("-no-pie",),
            ("-gz=zlib",),
            ("-gdwarf-4", "-fdebug-types-section"),
            ("-gdwarf-5", "-fdebug-types-section"),
            ("-gdwarf64",),
        ):
            with self.subTest(options=options):
                self.check(self.build("g++", *options))

    def test_separate(self) -> None:
        """Debug information in a file beside the program is found, and missed when it is gone."""
        self.build("g++")
        debug = self.directory / "program.debug"
        link = f"--add-gnu-debuglink={debug}"
        subprocess.run(["objcopy", "--only-keep-debug", self.program, debug], check=True)
        subprocess.run(["objcopy", "--strip-debug", link, self.program], check=True)
        self.check(self.statics())
        debug.unlink()
        with self.assertRaises(DebugError) as raised:
            self.statics()
        self.assertEqual(str(raised.exception), f"{self.program}: it has no debug information")

    def test_dwz(self) -> None:
        """What dwz has made smaller."""
        if not shutil.which("dwz"):
            self.skipTest("there is no dwz: apt-get install dwz")
        self.build("g++")
        before = self.program.stat().st_size
        subprocess.run(["dwz", self.program], check=True)
        self.assertLess(self.program.stat().st_size, before)
        self.check(self.statics())

    def test_no_object(self) -> None:
        with self.assertRaisesRegex(DebugError, "^/nonexistent: No such file or directory$"):
            DebugObject("/nonexistent")
        self.program.write_text("no ELF object")
        with self.assertRaisesRegex(DebugError, f"^{self.program}: "):
            self.statics()


if __name__ == "__main__":
    unittest.main()
