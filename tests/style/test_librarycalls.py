"""Who calls whom in the libraries, by their objects; and that each module's header declares what others
call."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2test import BUILD, SOURCE
from test_calls import Uses, in_circles, of_nm, upward, used
from test_folders import LIBRARIES, rows

OBJECTS = BUILD / ".libraries"


def built(library: Path) -> dict[Path, list[Path]]:
    """The object of each module of a library, by the module's path without .c."""
    found = {}
    for path in sorted((OBJECTS / library.relative_to(SOURCE)).rglob("*.o")):
        module = SOURCE / path.relative_to(OBJECTS).with_suffix("")
        if module.with_suffix(".c").exists():
            found[module] = [path]
    return found


def public(library: Path) -> set[str]:
    """The names that a library exports."""
    return set(re.findall(r"\bcg2[pd]_\w+", (library / f"{library.name}.map").read_text()))


def undeclared(library: Path, objects: dict[Path, list[Path]]) -> list[str]:
    """The external names that are not public, and that the header of their module does not have."""
    found = []
    exported = public(library)
    module_of = {str(path): module for module, paths in objects.items() for path in paths}
    for line in of_nm(list(module_of)):
        path, _, symbol = line.rpartition(":")
        *_, kind, name = symbol.split()
        header = module_of[path].with_suffix(".h")
        if kind in "Uw" or name in exported:
            continue
        if not header.exists() or not re.search(rf"\b{name}\b", header.read_text()):
            found.append(f"{module_of[path].relative_to(SOURCE)}: {name}")
    return found


class LibraryCalls(unittest.TestCase):
    objects: dict[Path, dict[Path, list[Path]]]
    uses: dict[Path, Uses]

    @classmethod
    def setUpClass(cls) -> None:
        cls.objects = {library: built(library) for library in LIBRARIES}
        cls.objects = {library: objects for library, objects in cls.objects.items() if objects}
        if not cls.objects:
            raise unittest.SkipTest(f"no objects of the libraries in {OBJECTS}: not built yet")
        cls.uses = {library: used(objects) for library, objects in cls.objects.items()}

    def test_is_seen(self) -> None:
        self.assertGreater(sum(map(len, self.uses[LIBRARIES[0]].values())), 200)

    def test_order(self) -> None:
        """A module uses modules of its own folder and of folders above it in the table."""
        for library, uses in self.uses.items():
            self.assertEqual(upward(uses, rows(library), library), [])

    def test_no_circle(self) -> None:
        """Modules of one folder use each other in no circle."""
        for uses in self.uses.values():
            self.assertEqual(in_circles(uses), [])

    def test_headers(self) -> None:
        """What is not public stands in the header of its module: so includes say who calls whom."""
        for library, objects in self.objects.items():
            self.assertEqual(undeclared(library, objects), [])


if __name__ == "__main__":
    unittest.main()
