"""Packages: `make deb`, on this system, and with --full on bare ones."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
import time
import unittest
from pathlib import Path

from baresystem import inside, installed, make_system, missing, must_inside
from building import makefile_variable, must, run, source, valgrind_prefix
from cg2test import BUILD, SOURCE

COMMANDS = ("annotate", "control", "convert", "diff", "merge", "report")
TRIPLET = "usr/lib/x86_64-linux-gnu"

# What the package of the tool has, whatever else it has.
CONTENTS = {
    *(f"usr/{name}" for name in ("bin/cg2", "include/cg2/cg2.h", "share/man/man1/cg2.1.gz")),
    *("usr/libexec/valgrind/cg2-amd64-linux", "usr/libexec/valgrind/cg2-machines/zen3.machine"),
    *(f"usr/bin/cg2_{name}" for name in COMMANDS),
    *(f"usr/share/man/man1/cg2_{name}.1.gz" for name in COMMANDS),
    *(f"usr/share/bash-completion/completions/cg2_{name}" for name in COMMANDS),
    *(f"usr/share/zsh/vendor-completions/_cg2_{name}" for name in COMMANDS),
    *(f"usr/share/fish/vendor_completions.d/cg2_{name}.fish" for name in COMMANDS),
    *(f"usr/share/doc/cg2/{name}" for name in ("NEWS", "README", "manual.md", "copyright")),
    *("usr/share/cg2/tools/cg2tools/report/report.html", f"{TRIPLET}/libcg2profile.so.0"),
}
DEVELOPMENT = {
    *("usr/include/cg2profile.h", f"{TRIPLET}/libcg2profile.so"),
    *(f"{TRIPLET}/pkgconfig/libcg2profile.pc", "usr/share/man/man3/libcg2profile.3.gz"),
}


def listed(package: Path) -> set[str]:
    """The files and links of a Debian package, without its directories."""
    lines = must("dpkg-deb", "-c", package).splitlines()
    return {line.split()[5].removeprefix("./") for line in lines if line[0] != "d"}


def package(directory: Path, name: str) -> Path:
    (found,) = directory.glob(f"{name}_*.deb")
    return found


@functools.cache
def packages() -> Path:
    """The directory of what `make deb` makes of this build."""
    for program, owner in (("dh", "debhelper"), ("dh_python3", "dh-python")):
        if not shutil.which(program):
            raise unittest.SkipTest(f"{program} is not installed (Debian: apt-get install {owner})")
    if valgrind_prefix() != Path("/usr") or run("dpkg-query", "-W", "valgrind").status != 0:
        raise unittest.SkipTest("this Valgrind is not that of a Debian package")
    must("make", "deb")
    return BUILD / "deb"


class Deb(unittest.TestCase):
    """The Debian packages for the Valgrind that is installed."""

    def test_version(self) -> None:
        """The version of the packages is that of the source, and says for which Valgrind they are."""
        first = (SOURCE / "debian/changelog").read_text().splitlines()[0]
        version = makefile_variable("VERSION")
        self.assertEqual(first, f"cg2 ({version}-1) unstable; urgency=medium")
        valgrind = must("dpkg-query", "-W", "-f${Version}", "valgrind")
        upstream = re.sub(r"^\d+:|-[^-]*$", "", valgrind)
        for name in ("cg2", "libcg2profile-dev"):
            field = must("dpkg-deb", "-f", package(packages(), name), "Version")
            self.assertEqual(field, f"{version}-1+valgrind{upstream}\n")
        depends = must("dpkg-deb", "-f", package(packages(), "cg2"), "Depends")
        self.assertIn(f"valgrind (= {valgrind})", depends.split(", "))

    def test_contents(self) -> None:
        """All that is installed is in one of them, and nothing that the package of Valgrind has."""
        tool = listed(package(packages(), "cg2"))
        self.assertEqual(CONTENTS - tool, set())
        development = listed(package(packages(), "libcg2profile-dev"))
        self.assertEqual(DEVELOPMENT - development, set())
        valgrinds = must("dpkg-query", "-L", "valgrind").splitlines()
        self.assertIn("/usr/libexec/valgrind/memcheck-amd64-linux", valgrinds)
        self.assertEqual({f"/{name}" for name in tool | development} & set(valgrinds), set())

    def test_lintian(self) -> None:
        """Debian's own check of packages has no complaint."""
        if not shutil.which("lintian"):
            self.skipTest("lintian is not installed (Debian: apt-get install lintian)")
        (changes,) = packages().glob("*.changes")
        said = must("lintian", "--allow-root", "--fail-on=warning,error", changes)
        self.assertEqual(said, "")

    def test_no_valgrind(self) -> None:
        """Where the Valgrind is of no package, nothing is made, and the reason is said."""
        with tempfile.TemporaryDirectory() as scratch:
            ended = run(
                source() / "debian/rules",
                "override_dh_auto_configure",
                CG2_VALGRIND=scratch,
                directory=source(),
            )
        self.assertEqual(ended.status, 2)
        self.assertIn(f"\n{scratch} has no Valgrind of a Debian package\n", "\n" + ended.stderr)


class Bare:
    """The packages are built in a Debian that has what they name, and installed in one that has nothing."""

    release: str
    full = True

    def setUp(self) -> None:
        reason = missing()
        if reason:
            raise unittest.SkipTest(reason)
        self.top = Path(tempfile.mkdtemp(prefix="tests-deb-", dir=BUILD))
        self.top.chmod(0o755)

    def tearDown(self) -> None:
        must("rm", "-rf", "--one-file-system", self.top)

    def built(self, bare: Path) -> Path:
        """The directory of the packages, built in a copy of the bare system."""
        root = self.top / "build"
        must("cp", "-a", bare, root)
        shutil.copytree(source(), root / "work/cg2", symlinks=True)
        must_inside(root, "apt-get", "-q", "update")
        must_inside(root, "apt-get", "-qy", "--no-install-recommends", "build-dep", "/work/cg2")
        must_inside(root, "/work/cg2/debian/build")
        return root / "work"

    def install(self, root: Path) -> float:
        """Install the tool's package; give the seconds that it took, with all that it depends on."""
        began = time.monotonic()
        must_inside(root, "sh", "-c", "apt-get -qy install /packages/cg2_*.deb")
        return time.monotonic() - began

    def test_install(self) -> None:
        """Installed by one command, it profiles; once it is removed, nothing of it is left."""
        bare = self.top / "bare"
        make_system(bare, self.release)
        work = self.built(bare)
        shutil.copytree(work, bare / "packages", ignore=lambda *_: ["cg2"])
        must_inside(bare, "apt-get", "-q", "update")
        print(f"{self.release}: installed in {self.install(bare):.0f} s")
        must_inside(bare, "apt-get", "-qy", "purge", "cg2")
        before = installed(bare)
        assert not [name for name in before if re.search(r"cg2", name) and "packages" not in name]
        self.install(bare)
        self.use(bare)
        must_inside(bare, "apt-get", "-qy", "purge", "cg2")
        assert installed(bare) == before, sorted(installed(bare) ^ before)

    def use(self, root: Path) -> None:
        """Profile, report, ask for help."""
        where = "/var/log"  # a place that is not compared
        said = must_inside(
            *(root, "valgrind", "--tool=cg2", f"--cg2-out-file={where}/profile", "true")
        )
        assert re.search(r"Collected +: [0-9]+", said), said
        text = must_inside(root, "cg2_annotate", f"{where}/profile")
        assert re.search(r"[0-9,]+ Ir: ", text), text
        must_inside(root, "cg2_report", "-o", f"{where}/report.html", f"{where}/profile")
        assert (root / "var/log/report.html").stat().st_size > 100_000
        assert "Ir: " in must_inside(root, "sh", "-c", f"cd {where} && cg2 --machine=zen3 ls /")
        assert inside(root, "cg2_diff", f"{where}/profile", f"{where}/profile").status == 0


class Bookworm(Bare, unittest.TestCase):
    release = "bookworm"


class Trixie(Bare, unittest.TestCase):
    release = "trixie"


if __name__ == "__main__":
    unittest.main()
