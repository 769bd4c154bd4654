"""Packages for arm64 that are built on another machine: what is in them, and what they do on a booted arm64
kernel."""

from __future__ import annotations

import functools
import re
import shutil
import unittest
from pathlib import Path

from booted import Result, boot
from building import must, only_here
from cg2test import new_directory
from cg2tools.profile.reader import read_profile
from emulated import machine
from emulation import TRIPLE, Machine, make_builder
from facts import Graph
from fetch import FetchError
from packaged import contents, development_contents, listed, package

# What each of them does there: the one door, a command with each library, Valgrind with cg2 in Callgrind's
# place.
SCRIPT = """
use() # NAME DIRECTORY
{
   echo "== $1"
   $2/bin/cg2 --cg2-out-file=/out/$1.calls ./calls; echo "calls: $?"
   $2/bin/cg2 -q --dump-instr=yes --cg2-out-file=/out/$1.inlined ./inlinedin; echo "inlined: $?"
   $2/bin/cg2_annotate --inlines=yes --threshold=100 /out/$1.inlined; echo "annotate: $?"
   $2/libexec/cg2/bin/valgrind --tool=callgrind --callgrind-out-file=/out/$1.as ./calls; echo "as: $?"
}
use deb /usr
use archive /opt/cg2
"""


@functools.cache
def builder() -> Machine:
    machine()  # or the test is skipped
    if not shutil.which("dh"):
        raise unittest.SkipTest("dh is not installed (Debian: apt-get install debhelper)")
    try:
        return make_builder()
    except FetchError as error:
        raise unittest.SkipTest(f"no packages of Debian for arm64: {error}") from error


def make(*words: str) -> Path:
    """Make something for arm64; gives the directory of the build."""
    here = builder()
    with only_here("arm64"):
        must("make", *words, directory=here.build, PATH=here.environment()["PATH"])
    return here.build


@functools.cache
def packages() -> Path:
    """The directory of what `make deb` makes there."""
    return make("deb") / "deb"


@functools.cache
def archive() -> Path:
    """The directory that the archive of a release unpacks to."""
    release = make("release", f"VALGRINDS={builder().system / 'usr'}") / "release"
    (packed,) = release.glob("cg2-*-linux-arm64.tar.xz")
    directory = new_directory()
    must("tar", "-xf", packed, "-C", directory)
    return directory / packed.name.removesuffix(".tar.xz")


@functools.cache
def booted() -> tuple[Result, Path]:
    """What both have done on a booted machine that has no other cg2, and where its files are."""
    here = builder()
    deb = new_directory()
    must("dpkg-deb", "-x", package(packages(), "cg2"), deb)
    programs = {
        "calls": here.compile("calls.c", "-O1"),
        "inlinedin": here.compile("inlinedin.cc", "-O1", "-g"),
    }
    result = boot(here, SCRIPT, programs, {"": deb, "opt/cg2": archive()})
    directory = new_directory()
    for name, content in result.files.items():
        (directory / name).write_bytes(content)
    return result, directory


class Crossed(unittest.TestCase):
    full = True

    def test_contents(self) -> None:
        """The packages for arm64 have what those for amd64 have, and need the libraries of arm64."""
        tool, development = (package(packages(), name) for name in ("cg2", "libcg2profile-dev"))
        self.assertEqual(contents(TRIPLE, "arm64") - listed(tool), set())
        self.assertEqual(development_contents(TRIPLE) - listed(development), set())
        for path in tool, development:
            self.assertEqual(must("dpkg-deb", "-f", path, "Architecture"), "arm64\n")
        needed = must("dpkg-deb", "-f", tool, "Depends").strip().split(", ")
        self.assertIn("valgrind (= 1:3.19.0-1)", needed)
        names = {re.sub(r"[ :].*", "", name) for name in needed}
        wanted = {"libc6", "libcapstone4", "libdw1", "libzstd1", "python3", "zlib1g"}
        self.assertEqual(wanted - names, set())

    def test_architecture(self) -> None:
        """All code in the archive is arm64's."""
        found = []
        for path in sorted(archive().rglob("*")):
            if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
                header = must("readelf", "-h", path)
                self.assertIn("AArch64", header, path)
                found.append(path.name)
        self.assertIn("cg2-arm64-linux", found)
        self.assertIn("libcg2debug.so.0.0.0", found)
        self.assertIn("linux on arm64", (archive() / "README").read_text().lower())

    def said(self, name: str) -> str:
        return re.split(r"^== \w+\n", booted()[0].output, flags=re.MULTILINE)[
            1 if name == "deb" else 2
        ]

    def test_used(self) -> None:
        """The package and the archive profile a program, show it, find inlined functions, and stand in for
        Callgrind."""
        for name in "deb", "archive":
            with self.subTest(name):
                said = self.said(name)
                statuses = re.findall(r"^(calls|inlined|annotate|as): (\d+)$", said, re.MULTILINE)
                self.assertEqual({status for _, status in statuses}, {"0"}, said)
                self.assertEqual(len(statuses), 4, said)
                for words in ("Program: ./calls", "shapes::Square::area", "shapes::Square::grown"):
                    self.assertIn(words, said)
                for file in f"{name}.calls", f"{name}.as":
                    (part,) = read_profile(booted()[1] / file).parts
                    part.check()
                    graph = Graph(part)
                    self.assertEqual([graph.called(f) for f in ("branch", "leaf")], [7, 22])
                head = (booted()[1] / f"{name}.as").read_text().splitlines()[:4]
                self.assertTrue(any(line.startswith("creator: callgrind-") for line in head), head)


if __name__ == "__main__":
    unittest.main()
