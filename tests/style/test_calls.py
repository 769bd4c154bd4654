"""Who calls whom, by what the built objects define and need: includes hide a call of what another header
declares.

    uses = used(objects)          the modules whose functions and objects each module needs
    upward(uses, folders, top)    uses of a folder below, in a list of folders
    in_circles(uses)              modules of one folder that use each other in a circle
"""

from __future__ import annotations

import subprocess
import unittest
from collections.abc import Mapping, Sequence
from pathlib import Path

from cg2test import BUILD, SOURCE
from test_style import rows

TOOL = SOURCE / "cg2"
Uses = dict[Path, set[Path]]


def used(objects: Mapping[Path, Sequence[Path]]) -> Uses:
    """The modules that each module uses: `objects` has the objects that were built of each."""
    module_of = {str(path): module for module, built in objects.items() for path in built}
    owner: dict[str, Path] = {}
    needed: dict[Path, set[str]] = {module: set() for module in objects}
    for line in of_nm(list(module_of)):
        path, _, symbol = line.rpartition(":")
        *_, kind, name = symbol.split()
        if kind in "Uw":
            needed[module_of[path]].add(name)
        else:
            owner[name] = module_of[path]
    return {
        module: {owner[name] for name in names & owner.keys()} - {module}
        for module, names in needed.items()
    }


def of_nm(paths: Sequence[str]) -> list[str]:
    """What nm says of external symbols, each line with the path of its object in front."""
    command = ["nm", "--extern-only", "--print-file-name", *paths]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def upward(uses: Uses, folders: Sequence[str], top: Path) -> list[str]:
    """The uses that do not go to a module of the same folder, or of one before it in `folders`."""
    place = {top / name: number for number, name in enumerate(folders)}
    return sorted(
        f"{module.relative_to(top)} uses {other.relative_to(top)}"
        for module, others in uses.items()
        for other in others
        if place[other.parent] > place[module.parent]
    )


def in_circles(uses: Uses) -> list[str]:
    """The modules that use others of their folder in a circle, and those of it that use such modules."""
    left = {
        module: {other for other in others if other.parent == module.parent}
        for module, others in uses.items()
    }
    while free := [module for module in left if not left[module] & left.keys()]:
        for module in free:
            del left[module]
    return sorted(map(str, left))


def built_of_tool() -> dict[Path, list[Path]]:
    """The objects of each module of cg2/, one for each platform, by the module's path without .c."""
    found: dict[Path, list[Path]] = {}
    for path in sorted((BUILD / "cg2").rglob("*-*.o")):
        module = TOOL / path.parent.relative_to(BUILD / "cg2") / path.stem.partition("-")[2]
        if module.with_suffix(".c").exists():
            found.setdefault(module, []).append(path)
    return found


class Rules(unittest.TestCase):
    """What the functions above find."""

    top = Path("top")
    one, two, three = top / "a" / "one", top / "a" / "two", top / "b" / "three"

    def test_upward(self) -> None:
        uses: Uses = {self.one: {self.two, self.three}, self.two: set(), self.three: {self.one}}
        self.assertEqual(upward(uses, ["a", "b"], self.top), ["a/one uses b/three"])

    def test_circles(self) -> None:
        uses = {self.one: {self.two}, self.two: {self.one}, self.three: {self.one}}
        self.assertEqual(in_circles(uses), ["top/a/one", "top/a/two"])
        uses = {self.one: {self.two}, self.two: {self.three}, self.three: {self.one}}
        self.assertEqual(in_circles(uses), [], "not of one folder")


class Tool(unittest.TestCase):
    """cg2/, with the table of folders in design.md."""

    uses: Uses

    @classmethod
    def setUpClass(cls) -> None:
        objects = built_of_tool()
        if not objects:
            raise unittest.SkipTest(f"no objects of the tool in {BUILD}: not built yet")
        cls.uses = used(objects)

    def test_is_seen(self) -> None:
        self.assertGreater(sum(map(len, self.uses.values())), 400)

    def test_order(self) -> None:
        """A module uses modules of its own folder and of folders above it in the table."""
        self.assertEqual(upward(self.uses, list(rows()), TOOL), [])

    def test_no_circle(self) -> None:
        """Modules of one folder use each other in no circle."""
        self.assertEqual(in_circles(self.uses), [])


if __name__ == "__main__":
    unittest.main()
