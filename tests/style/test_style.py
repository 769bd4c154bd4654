"""The rules that docs/design.md sets for the source: who includes whom, names, state, formatting."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lib"))

from cg2test import BUILD, SOURCE  # noqa: E402  (found through the path just set)

DESIGN = (SOURCE / "docs" / "design.md").read_text()
TOOL = SOURCE / "cg2"
SOURCES = sorted([*TOOL.glob("*.c"), *TOOL.glob("*.h")])
# These know Valgrind beyond vg.h.
KNOW_VALGRIND = {"vg", "symbols", "instrument", "dump", "options", "main"}


def section(title: str) -> str:
    """The text of one of design.md's sections."""
    return DESIGN.split(f" {title}\n", 1)[1].split("\n## ", 1)[0]


def layers() -> dict[str, int]:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", section("Modules"), re.MULTILINE)
    return {module: int(layer) for layer, module in rows}


def includes(path: Path) -> list[str]:
    return re.findall(r'^#include ["<](.*?)[">]', path.read_text(), re.MULTILINE)


def symbols(kinds: str) -> set[str]:
    """The names of these kinds (nm's letters) that the tool's modules define."""
    objects = [str(path) for path in (BUILD / "cg2").glob("amd64_linux-*.o")]
    if not objects:
        raise unittest.SkipTest(f"no objects of the tool in {BUILD}")
    lines = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout.splitlines()
    found = (line.split() for line in lines)
    return {words[2] for words in found if len(words) == 3 and words[1] in kinds}


class Modules(unittest.TestCase):
    def test_table_is_complete(self) -> None:
        self.assertEqual(set(layers()), {path.stem for path in SOURCES})

    def test_layers(self) -> None:
        """A module includes its own header and modules of lower layers."""
        layer = layers()
        for path in SOURCES:
            for name in includes(path):
                other = Path(name).stem
                if other in layer and other != path.stem:
                    self.assertLess(layer[other], layer[path.stem], f"{path.name} includes {name}")

    def test_no_source_included(self) -> None:
        self.assertEqual([p.name for p in SOURCES if any(name.endswith(".c") for name in includes(p))], [])

    def test_valgrind(self) -> None:
        """Only few modules know Valgrind's headers."""
        knowing = {p.stem for p in SOURCES if any(name.startswith(("pub_tool", "libvex")) for name in includes(p))}
        self.assertEqual(knowing - KNOW_VALGRIND, set())


class Objects(unittest.TestCase):
    def test_external_names(self) -> None:
        """libvex and libcoregrind export over a thousand names without a prefix."""
        allowed = {"vgPlain_tool_interface_version", "vgPlain_pre_clo_init", "vgPlain_tool_pre_clo_init"}
        external = {name for name in symbols("TDBRGSC") if not re.match(r"(vgTool|vgPlain)_", name)} - allowed
        self.assertEqual({name for name in external if not name.startswith("cg2_")}, set())

    def test_mutable_objects(self) -> None:
        """Those that design.md lists, with a reason each, and no others."""
        listed = set(re.findall(r"^- `(\w+)`", section("Mutable objects"), re.MULTILINE))
        found = {re.sub(r"\.\d+$", "", name) for name in symbols("dDbB") if not name.startswith("vgPlain_")}
        self.assertEqual(found, listed)


class Text(unittest.TestCase):
    def test_formatting(self) -> None:
        if not shutil.which("clang-format"):
            self.skipTest("clang-format is not installed")
        command = ["clang-format", "--dry-run", "-Werror", *map(str, SOURCES)]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=SOURCE)
        self.assertEqual(ended.returncode, 0, ended.stderr[:2000])

    def test_width(self) -> None:
        wide = [f"{p.name}:{n}" for p in SOURCES for n, s in enumerate(p.read_text().splitlines(), 1) if len(s) > 80]
        self.assertEqual(wide, [])

    def test_length_of_functions(self) -> None:
        """A function fits on a screen."""
        long = []
        for path in SOURCES:
            for body in re.finditer(r"^(\w[^\n;]*\n(?:[^\n{};]*\n)*)?\{\n(.*?)^\}$", path.read_text(), re.M | re.S):
                if body.group(2).count("\n") > 60:
                    long.append(f"{path.name}: {body.group(1)}")
        self.assertEqual(long, [])

    def test_shell(self) -> None:
        for script in (SOURCE / "bootstrap", SOURCE / ".ci" / "run"):
            shell = script.read_text().splitlines()[0].removeprefix("#!").split()
            self.assertEqual(subprocess.run([*shell, "-n", str(script)]).returncode, 0, script.name)


if __name__ == "__main__":
    unittest.main()
