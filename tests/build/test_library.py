"""libcg2profile as others find it: installed, moved, and in the directory where it was built."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from building import HERE, PREFIX, Ended, built_by_clang, install, must, private, run
from cg2test import BUILD, SOURCE


@functools.cache
def installed() -> Path:
    """Where an installed cg2 is that was not configured for this place: its prefix, below DESTDIR."""
    stage = HERE / "library-stage"
    shutil.rmtree(stage, ignore_errors=True)
    install(private(), f"DESTDIR={stage}")
    return stage / PREFIX.relative_to("/")


def found_by_commands(tools: Path) -> Path:
    """The library that the commands take whose packages are in this folder."""
    asks = "from cg2tools.bindings.libpath import library_path; print(library_path())"
    return Path(must(sys.executable, "-c", asks, PYTHONPATH=str(tools)).strip())


class Place(unittest.TestCase):
    """Where the library is, and that the commands find it."""

    def test_links(self) -> None:
        """The library's file, its name at run time, and its name for linking."""
        folder = installed() / "lib"
        self.assertFalse((folder / "libcg2profile.so.1.0.0").is_symlink())
        self.assertEqual(os.readlink(folder / "libcg2profile.so.1"), "libcg2profile.so.1.0.0")
        self.assertEqual(os.readlink(folder / "libcg2profile.so"), "libcg2profile.so.1")
        said = must("readelf", "-d", folder / "libcg2profile.so")
        self.assertIn("Library soname: [libcg2profile.so.1]", said)

    def test_installed(self) -> None:
        """The library and the machines are found below DESTDIR, and still when all of that was moved."""
        prefix = installed()
        self.assertEqual(
            os.readlink(prefix / "share/cg2/libcg2profile.so.1"), "../../lib/libcg2profile.so.1"
        )
        moved = HERE / "library-moved"
        shutil.rmtree(moved, ignore_errors=True)
        shutil.copytree(prefix, moved, symlinks=True)
        for place in (prefix, moved):
            found = found_by_commands(place / "share/cg2/tools")
            self.assertEqual(found, place / "share/cg2/libcg2profile.so.1")
            self.assertEqual(found.resolve(), place.resolve() / "lib/libcg2profile.so.1.0.0")
            machines = place.resolve() / "share/cg2/cg2-machines"
            self.assertIn(place.resolve(), machines.resolve().parents)
            self.assertTrue(list(machines.glob("*.core")))

    def test_built(self) -> None:
        """The library is found in the build directory, in the source tree or elsewhere."""
        elsewhere = built_by_clang()
        for directory in (BUILD, private(), elsewhere):
            found = found_by_commands(directory / "tools")
            self.assertEqual(found, directory / "libcg2profile.so.1")
            self.assertTrue(found.is_file())
        said = must(elsewhere / "tools/cg2_annotate", "--version")
        self.assertRegex(said, r"^cg2_annotate \d")


def pkg_config(*options: str) -> str:
    """What pkg-config says of the installed library, which is not in the prefix that it was configured
    for."""
    prefix = installed()
    command = ["pkg-config", f"--define-variable=prefix={prefix}", *options, "libcg2profile"]
    return must(*command, PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig")).strip()


# Eleven functions that cost something, in three files, and one that does not; `ten` is in both parts.
PROFILE = """\
events: Ir Dr

fl=a.c
fn=one
1 1 500
fn=two
1 1
2 1 7
fn=three
1 3
fn=four
1 4
fn=five
1 5
fl=b.c
fn=six
1 6
fn=seven
1 7
fn=eight
1 800
fn=nine
1 9
cfi=a.c
cfn=one
calls=1 1
1 1000000
fn=ten
1 10
fl=c.c
fn=eleven
1 1100
fn=none
1 0

part: 2
events: Ir Dr
fl=b.c
fn=ten
1 10000000000 1
"""

HOTTEST = """\
 10000000010  ten
        1100  eleven
         800  eight
           9  nine
           7  seven
           6  six
           5  five
           4  four
           3  three
           2  two
"""

# What a program in C++ needs of the header.
USER = """\
#include <cg2profile.h>
#include <cstdio>

int main(int, char** argv)
{
   cg2p_error error;
   cg2p_profile* profile = cg2p_profile_read(argv[1], CG2P_LINES, 0, nullptr, &error);
   if (!profile) {
      std::printf("%d %d %s\\n", error.kind == CG2P_MALFORMED, int(error.line), error.text);
      return 1;
   }
   std::printf("%d\\n", int(cg2p_part_function_count(cg2p_profile_part(profile, 0))));
   cg2p_profile_free(profile);
   return 0;
}
"""

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic")


class Programs(unittest.TestCase):
    """Programs of others, which find the library with pkg-config."""

    def setUp(self) -> None:
        if not shutil.which("pkg-config"):
            self.skipTest("pkg-config is not installed (Debian: apt-get install pkg-config)")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        (self.directory / "profile").write_text(PROFILE)

    def built(self, compiler: str, *options: str) -> Path:
        program = self.directory / "program"
        flags = pkg_config("--cflags", "--libs").split()
        must(compiler, *STRICT, *options, "-o", program, *flags, directory=self.directory)
        return program

    def run_it(self, program: Path, profile: str) -> Ended:
        library = str(installed() / "lib")
        return run(program, profile, directory=self.directory, LD_LIBRARY_PATH=library)

    def test_pkg_config(self) -> None:
        """What programs compile and link with; zlib and libzstd only where they link statically."""
        prefix = installed()
        self.assertEqual(pkg_config("--cflags"), f"-I{prefix}/include")
        self.assertEqual(pkg_config("--libs"), f"-L{prefix}/lib -lcg2profile")
        self.assertEqual(pkg_config("--print-requires-private").split(), ["zlib", "libzstd"])
        version = re.search(r"AC_INIT\(\[cg2\], \[(.*?)\]", (SOURCE / "configure.ac").read_text())
        assert version is not None
        self.assertEqual(pkg_config("--modversion"), version[1])

    def test_example(self) -> None:
        """The example of the documents prints the ten functions that cost most."""
        program = self.built("gcc", "-std=c99", str(SOURCE / "docs/example.c"))
        self.assertEqual(self.run_it(program, "profile"), Ended(0, HOTTEST, ""))
        missing = self.run_it(program, "missing")
        self.assertEqual(missing, Ended(1, "", "missing: No such file or directory\n"))

    def test_cxx(self) -> None:
        """A program in C++ includes the header without a warning, and links."""
        (self.directory / "user.cc").write_text(USER)
        program = self.built("g++", "-std=c++11", "user.cc")
        self.assertEqual(self.run_it(program, "profile"), Ended(0, "12\n", ""))
        (self.directory / "bad").write_text("events: Ir\nfn=f\n1 x\n")
        ended = self.run_it(program, "bad")
        self.assertEqual((ended.status, ended.stdout[:10]), (1, "1 3 bad:3:"))

    def test_c(self) -> None:
        """Each header stands alone, in C99 and later."""
        headers = sorted((installed() / "include").rglob("*.h"))
        self.assertGreater(len(headers), 10)
        for standard in ("c99", "c11", "c17"):
            # The compiler takes each for a program of its own.
            must("gcc", f"-std={standard}", *STRICT, "-fsyntax-only", "-xc", *headers)
