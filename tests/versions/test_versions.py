"""cg2 builds against Debian's other Valgrinds and passes the cases there.

A check runs the calls and repeatable programs alone, with tools that are not optimised: that they are is no
matter of a Valgrind.
With --full, all cases of a check but those in left_out.txt, and the comparison with that Valgrind's
Callgrind, with tools as users build them. What is larger at full size depends on no Valgrind.
"""

from __future__ import annotations

import os
import re
import sys
import unittest
from pathlib import Path

from building import Ended, made_tools, make, make_tools, must, prepare, run, take_libraries
from cg2test import BUILD, SOURCE, compiled
from fetch import SUITES, FetchError, fetch

HERE = BUILD / "tests-versions"


def run_tests(*tests: str, **environment: str) -> Ended:
    driver = SOURCE / "tests" / "run.py"
    environment["CG2_LEFT_OUT"] = str(Path(__file__).with_name("left_out.txt"))
    environment["CG2_FULL"] = "0"  # each test as small as in a check
    return run(sys.executable, driver, *tests, directory=BUILD, **environment)


def skipped(said: str) -> set[str]:
    """The names of tests that were skipped, but for want of vgdb."""
    lines = re.findall(r"^skipped (.*)", said, re.MULTILINE)
    return {line.split(": ")[0] for line in lines if "vgdb does not run here" not in line}


class Version(unittest.TestCase):
    """What holds for the Valgrind of one of Debian's suites."""

    suite: str
    prefix: Path
    directory: Path

    @classmethod
    def setUpClass(cls) -> None:
        try:
            cls.prefix = fetch(cls.suite, HERE)
        except FetchError as error:
            raise unittest.SkipTest(f"no Valgrind of Debian's {cls.suite}: {error}") from error
        is_full = os.environ.get("CG2_FULL") == "1"
        cls.directory = HERE / f"{'build' if is_full else 'small'}-{cls.suite}"
        prepare(cls.directory, f"--with-valgrind={cls.prefix}")
        if not is_full:
            take_libraries(cls.directory)
            make_tools(cls.directory, "CC=gcc", flags="-O0")
        make(cls.directory, *([] if is_full else made_tools(cls.directory)))
        programs = cls.directory / "tests-programs"
        if not programs.exists():
            programs.symlink_to(compiled())  # their compiler is the same

    def passes(self, *tests: str) -> None:
        """Run these tests there: all have to pass. Skipped may be what needs vgdb, and what this machine's
        Valgrind skips, too."""
        valgrind = str(self.prefix / "bin" / "valgrind")
        directory = str(self.directory)
        ended = run_tests(*tests, CG2_BUILD=directory, CG2_VALGRIND=valgrind)
        assert ended.status == 0, ended.stdout + ended.stderr
        names = skipped(ended.stdout)
        said = run_tests(*names).stdout if names else ""
        self.assertEqual(skipped(said), names, ended.stdout)

    def test_version(self) -> None:
        """The package is of the version that the suite is there for, or a later one."""
        valgrind = self.prefix / "bin" / "valgrind"
        version = must(valgrind, "--version", VALGRIND_LIB=str(self.directory / ".in_place"))
        version = version.removeprefix("valgrind-")
        wanted = tuple(map(int, SUITES[self.suite].split(".")))
        assert tuple(map(int, version.split(".")[:2])) >= wanted, version

    def test_calls(self) -> None:
        self.passes("cases.test_calls")

    def test_avx512(self) -> None:
        """What executes AVX-512 and others finds in this Valgrind and its VEX what it needs."""
        self.passes("cases.test_avx512")

    def test_repeatable(self) -> None:
        """What --repeatable=yes takes from the core is there, and works."""
        same = ("test_sent", "test_more_ids")
        self.passes("cases.test_repeatable", *(f"cases.test_same.Same.{name}" for name in same))

    def test_everything(self) -> None:
        self.passes("cases", "compat")

    test_everything.full = True  # type: ignore[attr-defined]

    def test_package(self) -> None:
        """`make deb` makes a package for a system that has this Valgrind, though it is only unpacked here."""
        must("make", "deb", directory=self.directory)
        (package,) = self.directory.glob("deb/cg2_*.deb")
        upstream = self.prefix.parent.name.removeprefix("valgrind-")
        fields = must("dpkg-deb", "-f", package, "Version", "Depends")
        assert re.search(rf"^Version: .*\+valgrind{upstream}$", fields, re.MULTILINE), fields
        assert re.search(rf"\bvalgrind \(= 1:{upstream}-[\w.+~]+\)", fields), fields
        names = must("dpkg-deb", "-c", package)
        assert " ./usr/libexec/valgrind/cg2-amd64-linux\n" in names, names
        must("dpkg-deb", "-x", package, self.directory / "deb/unpacked")
        here = str(self.prefix)
        assert here not in (self.directory / "deb/unpacked/usr/bin/cg2").read_text()

    test_package.full = True  # type: ignore[attr-defined]


class Trixie(Version):
    suite = "trixie"


class Sid(Version):
    suite = "sid"


del Version  # not a test itself
