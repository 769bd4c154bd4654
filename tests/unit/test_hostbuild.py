"""Objects are compiled anew where a file that they include has changed, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path

import hostbuild
from cg2test import SOURCE, new_directory
from hostbuild import (
    ARM64,
    FLAGS,
    FUZZ,
    LIBRARY_FLAGS,
    LIBRARY_SANITIZED,
    MODEL,
    PLAIN,
    SANITIZED,
    UNIT,
    Unit,
    engine_sources,
    units_of,
)


def as_the_compiler_says(sources: list[Path], flags: list[str]) -> dict[Path, set[Path]]:
    """The files of the project that each source includes, from the rules that gcc writes for make."""
    said = subprocess.run(
        ["gcc", *flags, "-MM", *map(str, sources)], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for rule in said.replace("\\\n", " ").splitlines():
        files = [Path(word).resolve() for word in rule.partition(":")[2].split()]
        found[files[0]] = {path for path in files if path.is_relative_to(SOURCE)}
    return found


class Included(unittest.TestCase):
    def check_sources(self, sources: list[Path], flags: list[str]) -> None:
        compiler = as_the_compiler_says(sources, flags)
        self.assertEqual(len(compiler), len(sources))
        places = hostbuild.folders(flags)
        for source, files in compiler.items():
            self.assertEqual(files - set(hostbuild.files_of(source, places)), set(), source)

    def test_tool(self) -> None:
        """What the compiler reads of the project is what the digest of an object is made of."""
        tests = [path for folder in (UNIT, MODEL) for path in sorted(folder.glob("*.c"))]
        sources = [path for path in tests if not path.name.startswith("vex_")]
        self.check_sources([*engine_sources(), *sources], FLAGS)

    def test_library(self) -> None:
        fuzzers = [FUZZ / f"fuzz_{name}.c" for name in ("profile", "sum", "questions", "names")]
        self.check_sources([*hostbuild.sources_of_library(), *fuzzers], LIBRARY_FLAGS)


class Units(unittest.TestCase):
    """What is in an archive is compiled in groups."""

    def test_all(self) -> None:
        """Each source is in one of few groups, but what is optimised as users have it, alone."""
        for flavour, sources in (
            (SANITIZED, engine_sources()),
            (LIBRARY_SANITIZED, hostbuild.sources_of_library()),
        ):
            units = units_of(flavour, sources)
            files = [file for unit in units for file in members(unit)]
            self.assertEqual(sorted(files), sorted(sources))
            self.assertLess(len(units), len(sources) / 5)
        alone = [unit.file for unit in units_of(PLAIN, engine_sources()) if "-O0" not in unit.words]
        self.assertEqual(alone, [path for path in engine_sources() if hostbuild.is_busy(path)])

    def test_shared(self) -> None:
        """Two flavours that differ in a macro share the groups that do not mention it."""
        here, there = (units_of(flavour, engine_sources()) for flavour in (SANITIZED, ARM64))
        others = [path for unit in here if unit not in there for path in members(unit)]
        places = hostbuild.folders(FLAGS)
        wanted = [
            path for path in engine_sources() if hostbuild.mentions(ARM64.defined, path, places)
        ]
        self.assertEqual(sorted(others), wanted)


def members(unit: Unit) -> list[Path]:
    """The sources of a unit."""
    if not unit.name.endswith("-group"):
        return [unit.file]
    return [Path(line.split('"')[1]) for line in unit.file.read_text().splitlines()]


# Builds the object of a source in a tree, and prints its name.
BUILDER = """
import sys
from pathlib import Path
import hostbuild
hostbuild.SOURCE = hostbuild.STORE = top = Path(sys.argv[1])
flavour = hostbuild.Flavour("some", "gcc", (f"-I{top}",), (), "CHOSEN")
for path in hostbuild.compile_all(flavour, [top / name for name in sys.argv[2:]]):
    print(path.name)
"""


class Anew(unittest.TestCase):
    def names(self, top: Path) -> list[str]:
        ended = subprocess.run(
            [sys.executable, "-c", BUILDER, top, "one.c", "two.c"],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)},
            check=True,
        )
        return ended.stdout.split()

    def test_changed(self) -> None:
        """A header that one of two sources includes by another header changes the object of that one."""
        top = new_directory()
        (top / "deep.h").write_text("#define DEEP 1\n")
        (top / "middle.h").write_text('#include "deep.h"\n')
        (top / "one.c").write_text('#include "middle.h"\nint one = DEEP;\n')
        (top / "two.c").write_text("int two;\n")
        before = self.names(top)
        self.assertEqual(self.names(top), before)
        (top / "deep.h").write_text("#define DEEP 2\n")
        after = self.names(top)
        self.assertNotEqual(after[0], before[0])
        self.assertEqual(after[1], before[1])
        self.assertEqual({path.name for path in (top / "some").glob("*.o")}, set(after))

    def test_defined(self) -> None:
        """Flavours that differ in a macro share the objects of files that do not mention it."""
        top = new_directory()
        (top / "one.c").write_text("#ifdef CHOSEN\nint one;\n#endif\n")
        (top / "two.c").write_text("int two;\n")
        one, two = self.names(top)
        self.assertRegex(one, r"^one-CHOSEN-\w+\.o$")
        self.assertRegex(two, r"^two-\w+\.o$")


if __name__ == "__main__":
    unittest.main()
