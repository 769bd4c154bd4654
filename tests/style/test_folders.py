"""The folders of the libraries: who includes whom."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2test import SOURCE

LIBRARIES = [SOURCE / "tools" / name for name in ("libcg2profile", "libcg2debug")]


def rows(library: Path) -> list[str]:
    """The folders of a library, in the order of the table in its README."""
    return re.findall(r"^  (\w+)/ +\S", (library / "README").read_text(), re.MULTILINE)


def sources(library: Path) -> list[Path]:
    return sorted(library.rglob("*.[ch]"))


def folder(library: Path, path: Path) -> str:
    """The folder of the table that a file is in."""
    return path.relative_to(library).parts[0]


def included(library: Path, path: Path) -> list[Path]:
    """The files of the library that a file includes."""
    names = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
    places = [library / name for name in names] + [library / "include" / name for name in names]
    return [place for place in places if place.exists()]


class Folders(unittest.TestCase):
    """The table of folders in each library's README."""

    def test_table_is_complete(self) -> None:
        """Each source is in a folder of the table, and each folder of the table has some."""
        for library in LIBRARIES:
            folders = {folder(library, path) for path in sources(library)}
            self.assertEqual(set(rows(library)), folders, library.name)

    def test_order(self) -> None:
        """A file includes files of its own folder and of folders above it in the table."""
        upward = []
        for library in LIBRARIES:
            place = {name: number for number, name in enumerate(rows(library))}
            upward += [
                f"{path.relative_to(library)} includes {other.relative_to(library)}"
                for path in sources(library)
                for other in included(library, path)
                if place[folder(library, other)] > place[folder(library, path)]
            ]
        self.assertEqual(upward, [])

    def test_readme(self) -> None:
        """The README of each folder names its modules, and no others."""
        for library in LIBRARIES:
            for folder in set(rows(library)) - {"include"}:
                with self.subTest(f"{library.name}/{folder}"):
                    self.assertEqual(
                        listed(library / folder),
                        {path.stem for path in (library / folder).glob("*.[ch]")},
                    )


def listed(folder: Path) -> set[str]:
    """The modules that the README of a folder lists: words before the gap, on lines that begin with two
    blanks."""
    text = (folder / "README").read_text()
    lists = re.findall(r"^  (\w+(?:, \w+)*) +\S", text, re.MULTILINE)
    return {name for names in lists for name in names.split(", ")}


if __name__ == "__main__":
    unittest.main()
