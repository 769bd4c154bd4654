"""libcg2profile as others find it: installed, moved, and in the directory where it was built."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import unittest
from pathlib import Path

from building import HERE, built, must
from cg2test import BUILD


@functools.cache
def installed() -> Path:
    """Where an installed cg2 is that was not configured for this place: its prefix, below DESTDIR."""
    prefix, stage = "/opt/cg2", HERE / "library-stage"
    shutil.rmtree(stage, ignore_errors=True)
    must("make", "install", f"DESTDIR={stage}", directory=built("library", f"--prefix={prefix}"))
    return stage / prefix[1:]


def found_by_commands(tools: Path) -> Path:
    """The library that the commands take whose packages are in this folder."""
    asks = "from cg2tools.profile.librarypath import library_path; print(library_path())"
    return Path(must(sys.executable, "-c", asks, PYTHONPATH=str(tools)).strip())


class Place(unittest.TestCase):
    """Where the library is, and that the commands find it."""

    def test_links(self) -> None:
        """The library's file, its name at run time, and its name for linking."""
        folder = installed() / "lib"
        self.assertFalse((folder / "libcg2profile.so.0.0.0").is_symlink())
        self.assertEqual(os.readlink(folder / "libcg2profile.so.0"), "libcg2profile.so.0.0.0")
        self.assertEqual(os.readlink(folder / "libcg2profile.so"), "libcg2profile.so.0")
        said = must("readelf", "-d", folder / "libcg2profile.so")
        self.assertIn("Library soname: [libcg2profile.so.0]", said)

    def test_installed(self) -> None:
        """It is found below DESTDIR, and still when all of it was moved."""
        prefix = installed()
        self.assertEqual(
            os.readlink(prefix / "share/cg2/libcg2profile.so.0"), "../../lib/libcg2profile.so.0"
        )
        moved = HERE / "library-moved"
        shutil.rmtree(moved, ignore_errors=True)
        shutil.copytree(prefix, moved, symlinks=True)
        for place in (prefix, moved):
            found = found_by_commands(place / "share/cg2/tools")
            self.assertEqual(found, place / "share/cg2/libcg2profile.so.0")
            self.assertEqual(found.resolve(), place.resolve() / "lib/libcg2profile.so.0.0.0")

    def test_built(self) -> None:
        """It is found in the build directory, in the source tree or elsewhere."""
        elsewhere = built("library", "--prefix=/opt/cg2")
        for directory in (BUILD, elsewhere):
            found = found_by_commands(directory / "tools")
            self.assertEqual(found, directory / "libcg2profile.so.0")
            self.assertTrue(found.is_file())
        said = must(elsewhere / "tools/cg2_annotate", "--version")
        self.assertRegex(said, r"^cg2_annotate \d")
