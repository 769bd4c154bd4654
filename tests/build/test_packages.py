"""Packages and releases: what is in them on this system, and with --full what they do on bare ones."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
import tempfile
import time
import unittest
from pathlib import Path

from baresystem import installed, make_system, missing, must_inside
from building import (
    CACHE,
    CACHED,
    HERE,
    Ended,
    built,
    makefile_variable,
    must,
    only_here,
    run,
    source,
    valgrind_prefix,
)
from cg2test import BUILD, SOURCE
from packaged import contents, development_contents, listed, package

sys.path.append(str(SOURCE / "packaging"))

from release import packed  # noqa: E402  (found through the path just set)

TRIPLET = "x86_64-linux-gnu"


@functools.cache
def packages() -> Path:
    """The directory of what `make deb` makes of this build."""
    for program, owner in (("dh", "debhelper"), ("dh_python3", "dh-python")):
        if not shutil.which(program):
            raise unittest.SkipTest(f"{program} is not installed (Debian: apt-get install {owner})")
    if valgrind_prefix() != Path("/usr") or run("dpkg-query", "-W", "valgrind").status != 0:
        raise unittest.SkipTest("this Valgrind is not that of a Debian package")
    # How small they become is no matter here, nor which directory their debug information names: without that
    # the cache has the libraries.
    settings = {
        "DPKG_DEB_COMPRESSOR_LEVEL": "1",
        "DEB_BUILD_OPTIONS": "reproducible=-fixfilepath,-fixdebugpath",
    }
    must("make", "deb", *CACHED, directory=BUILD, **CACHE, **settings)
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
        self.assertEqual(contents(TRIPLET, "amd64") - tool, set())
        development = listed(package(packages(), "libcg2profile-dev"))
        self.assertEqual(development_contents(TRIPLET) - development, set())
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


class Distribution(unittest.TestCase):
    """`make dist` holds all that needs npm and autotools to be made."""

    def test_complete(self) -> None:
        """What it packs is configured and built where neither is."""
        for name in ("configure", "Makefile.in", "tools/cg2tools/report/report.html"):
            self.assertTrue((source() / name).is_file(), name)
        absent = {
            **dict.fromkeys(("ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE"), "false"),
            "PATH": "/usr/bin:/bin",
        }
        with tempfile.TemporaryDirectory() as scratch:
            where = Path(scratch)
            must(source() / "configure", "--quiet", directory=where, **absent)
            for program in ("node", "npm"):
                (where / program).write_text("#!/bin/sh\nexit 1\n")
                (where / program).chmod(0o755)
            absent["PATH"] = f"{where}:{absent['PATH']}"
            done = must("make", "-n", "all", directory=where, **absent)
        self.assertIn("cg2-amd64-linux", done)
        self.assertNotIn("report/bundle", done)


class Archive(unittest.TestCase):
    """The archive of a release: what is packed, and which tool is taken."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="cg2archive-")
        self.addCleanup(scratch.cleanup)
        self.top = Path(scratch.name)

    def test_same_bytes(self) -> None:
        """An archive depends on names, contents and who may run what, and on nothing else."""
        every = []
        for number, names in enumerate((["a", "b", "program"], ["program", "b", "a"])):
            top = self.top / str(number) / "top"
            top.mkdir(parents=True)
            for name in names:
                (top / name).write_text(name * 1000)
                (top / name).chmod(0o640 if number else 0o644)
                os.utime(top / name, (1000 * number, 1000 * number))
            (top / "program").chmod(0o700 if number else 0o755)
            for end in ("tar.gz", "tar.xz"):
                path = packed(top, self.top / f"{number}.{end}", 1_000_000_000)
                every.append(path.read_bytes())
        self.assertEqual(every[:2], every[2:])
        listing = must("tar", "-tvf", self.top / "1.tar.xz", "--utc", "--numeric-owner", LC_ALL="C")
        self.assertEqual(
            [line.split()[:2] + line.split()[3:] for line in listing.splitlines()],
            [
                [mode, "0/0", "2001-09-09", "01:46", name]
                for mode, name in (
                    ("drwxr-xr-x", "top/"),
                    ("-rw-r--r--", "top/a"),
                    ("-rw-r--r--", "top/b"),
                    ("-rwxr-xr-x", "top/program"),
                )
            ],
        )

    def run_wrapper(self, version: str | None) -> Ended:
        """Run the wrapper of an archive for two Valgrinds where that of this version is installed, or
        none."""
        shutil.rmtree(self.top / "prefix", ignore_errors=True)
        tools = self.top / "prefix" / "libexec" / "cg2"
        for name in ("bin", "3.19.0", "3.24.0"):
            (tools / name).mkdir(parents=True)
        shutil.copy(SOURCE / "packaging" / "valgrind", tools / "bin")
        (tools / "valgrind").symlink_to(self.top / "usr/libexec/valgrind")
        program = self.top / "usr/bin/valgrind"
        shutil.rmtree(self.top / "usr", ignore_errors=True)
        if version is not None:
            program.parent.mkdir(parents=True)
            program.write_text(
                f'#!/bin/sh\n[ "$1" = --version ] && echo valgrind-{version} || echo "$VALGRIND_LIB $*"\n'
            )
            program.chmod(0o755)
        return run(tools / "bin/valgrind", "--tool=cg2", "true", VALGRIND_LIB="/elsewhere")

    def test_chosen(self) -> None:
        """The tool is taken that was built for the Valgrind that is there."""
        for version in ("3.19.0", "3.24.0"):
            self.assertEqual(
                self.run_wrapper(version),
                Ended(0, f"{self.top}/prefix/libexec/cg2/{version} --tool=cg2 true\n", ""),
            )

    def test_refused(self) -> None:
        """A Valgrind of another version, or none: one line that says both."""
        place = f"cg2: {self.top}/usr/bin/valgrind is"
        end = "; this cg2 is for Valgrind 3.19.0, 3.24.0\n"
        self.assertEqual(
            self.run_wrapper("3.22.0"), Ended(1, "", f"{place} of version 3.22.0{end}")
        )
        self.assertEqual(self.run_wrapper("3.24.01").stderr, f"{place} of version 3.24.01{end}")
        self.assertEqual(self.run_wrapper(None), Ended(1, "", f"{place} not there{end}"))


class Recipes(unittest.TestCase):
    """The recipes in packaging/, as far as the programs that take them can be had."""

    folder = SOURCE / "packaging"

    def check(self, owner: str, *command: str | Path) -> str:
        """What the program that takes a recipe says of it."""
        if not shutil.which(str(command[0])):
            self.skipTest(f"{command[0]} is not installed (Debian: apt-get install {owner})")
        return must(*command)

    def test_versions(self) -> None:
        """Each recipe is for this version."""
        version = makefile_variable("VERSION")
        for name, pattern in (
            ("container/Containerfile", r"cg2-([\d.]+)\.tar\.gz"),
            ("nix/flake.nix", r'version = "(.*)";'),
            ("homebrew/cg2.rb", r'cg2-([\d.]+)\.tar\.gz"'),
            ("arch/PKGBUILD", r"(?m)^pkgver=(.*)$"),
        ):
            with self.subTest(name):
                text = (self.folder / name).read_text()
                self.assertEqual(re.findall(pattern, text), [version])
                archives = re.findall(r"\bcg2-(\d+)\\?\.(\d+)", text)
                self.assertEqual({".".join(numbers) for numbers in archives} - {version}, set())
                self.assertRegex(text, r"\n# (Run: |Not run: )")

    def test_one_version(self) -> None:
        """All that says a version says that of configure.ac, and the library's name has its first number."""
        version = makefile_variable("VERSION")
        pages = sorted(path.relative_to(SOURCE) for path in SOURCE.glob("docs/*.[13]"))
        self.assertGreater(len(pages), 25)
        for name, pattern in (
            ("NEWS", r"\A.*\n\ncg2 (.*)\n---"),
            ("configure.ac", r"AC_INIT\(\[cg2\], \[(.*?)\]\)"),
            ("debian/changelog", r"\Acg2 \((.*)-1\) "),
            ("docs/format.md", r"(?m)^creator: callgrind-cg2-(.*)"),
            ("tools/cg2tools/__init__.py", r'(?m)^VERSION = "(.*)"$'),
            *((str(page), r'(?m)^\.TH .*"cg2 (.*?)"') for page in pages),
        ):
            with self.subTest(name):
                found = re.findall(pattern, (SOURCE / name).read_text())
                self.assertEqual(set(found), {version})
        first = version.split(".")[0]
        library = SOURCE / "tools" / "cg2tools" / "bindings" / "libpath.py"
        self.assertIn(f'NAME = "libcg2profile.so.{first}"\n', library.read_text())
        exports = SOURCE / "tools" / "libcg2profile" / "libcg2profile.map"
        nodes = re.findall(r"(?m)^CG2PROFILE_(\d+)\S* \{", exports.read_text())
        self.assertEqual(set(nodes), {first})

    def test_homebrew(self) -> None:
        self.assertEqual(
            self.check("ruby", "ruby", "-wc", self.folder / "homebrew/cg2.rb"), "Syntax OK\n"
        )

    def test_arch(self) -> None:
        self.assertEqual(self.check("bash", "bash", "-n", self.folder / "arch/PKGBUILD"), "")

    def test_nix(self) -> None:
        flake = self.folder / "nix/flake.nix"
        said = self.check("nix-bin", "nix-instantiate", "--store", "dummy://", "--parse", flake)
        self.assertIn('pname = "cg2"', said)


def release(name: str, *valgrinds: Path) -> Path:
    """A directory with a release of what is tested; of all Valgrinds of Debian's, if none is named.

    It is made once in a run of tests, in a build that makes one release at a time.
    """
    made, stamp = HERE / f"release-{name}", HERE / f"release-{name}.made"
    run_of_tests = os.environ.get("CG2_TEST_RUN", "")
    build = built("beside")
    with only_here("release"):
        if not stamp.exists() or stamp.read_text() != run_of_tests:
            must(sys.executable, source() / "packaging/release.py", build, *valgrinds)
            shutil.rmtree(made, ignore_errors=True)
            (build / "release").rename(made)
            stamp.write_text(run_of_tests)
    return made


class Release(unittest.TestCase):
    full = True

    def test_same_bytes(self) -> None:
        """The same source, built elsewhere, gives the same bytes; the sums are right."""
        first = release("one", valgrind_prefix())
        must("sha256sum", "--strict", "-c", "SHA256SUMS", directory=first)
        other = HERE / "elsewhere" / "other"
        shutil.rmtree(other.parent, ignore_errors=True)
        shutil.copytree(source(), other, symlinks=True)
        must("./configure", f"--with-valgrind={valgrind_prefix()}", directory=other)
        must("make", "-j2", directory=other)
        must("make", "release", f"VALGRINDS={valgrind_prefix()}", directory=other)
        sums = [(path / "SHA256SUMS").read_text() for path in (first, other / "release")]
        self.assertEqual(sums[0].count("\n"), 2)
        self.assertEqual(sums[0], sums[1])


class Bare(unittest.TestCase):
    """The packages are built in a Debian that has what they name, and installed in one that has nothing."""

    release: str
    full = True

    def setUp(self) -> None:
        reason = missing()
        if reason:
            raise unittest.SkipTest(reason)
        self.enterContext(only_here("bare"))
        self.top = Path(tempfile.mkdtemp(prefix="tests-deb-", dir=BUILD))
        self.top.chmod(0o755)

    def tearDown(self) -> None:
        must("rm", "-rf", "--one-file-system", self.top)

    def built(self, bare: Path) -> Path:
        """The directory of the packages, built in a copy of the bare system."""
        root = self.top / "build"
        must("cp", "-a", bare, root)
        shutil.copytree(source(), root / "build/cg2", symlinks=True)
        must_inside(root, "apt-get", "-q", "update")
        must_inside(root, "apt-get", "-qy", "--no-install-recommends", "build-dep", "/build/cg2")
        must_inside(root, "/build/cg2/debian/build")
        return root / "build"

    def install(self, root: Path) -> float:
        """Install the tool's package; give the seconds that it took, with all that it depends on."""
        began = time.monotonic()
        must_inside(root, "sh", "-c", "apt-get -qy install /packages/cg2_*.deb")
        return time.monotonic() - began

    def test_archive(self) -> None:
        """Valgrind and Python are installed, the archive is unpacked, and it works; Valgrind's files stay as
        they are."""
        bare = self.top / "bare"
        make_system(bare, self.release)
        (archive,) = release("all").glob("*.tar.xz")
        shutil.copy(archive, bare)
        must_inside(bare, "apt-get", "-q", "update")
        began = time.monotonic()
        must_inside(bare, "apt-get", "-qy", "--no-install-recommends", "install", "valgrind")
        must_inside(
            bare, "apt-get", "-qy", "--no-install-recommends", "install", "python3", "xz-utils"
        )
        must_inside(bare, "sh", "-c", "mkdir /opt/cg2 && tar -xf /cg2-*.xz --strip=1 -C /opt/cg2")
        print(f"{self.release}: archive unpacked in {time.monotonic() - began:.0f} s")
        before = installed(bare)
        self.use(bare, "PATH=/opt/cg2/bin:/opt/cg2/libexec/cg2/bin:$PATH")
        self.be_callgrind(bare, "/opt/cg2")
        left = {name for name in installed(bare) - before if "__pycache__" not in name}
        assert left == set(), left

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
        self.be_callgrind(bare, "/usr")
        must_inside(bare, "apt-get", "-qy", "purge", "cg2")
        assert installed(bare) == before, sorted(installed(bare) ^ before)

    def use(self, root: Path, setting: str = ":") -> None:
        """Profile, report, compare, by the commands that are found where `setting` was done."""
        start = f"{setting}; cd /var/log; set -e; "  # a place that is not compared

        def said(commands: str) -> str:
            return must_inside(root, "sh", "-c", start + commands)

        assert re.search(
            r"Collected +: [0-9]+", said("valgrind --tool=cg2 --cg2-out-file=profile true")
        )
        assert re.search(r"[0-9,]+ Ir: ", said("cg2_annotate profile"))
        said("cg2_report -o report.html profile")
        assert (root / "var/log/report.html").stat().st_size > 100_000
        assert "Ir: " in said("cg2 --machine=zen3 ls /")
        said("cg2_diff profile profile")

    def be_callgrind(self, root: Path, prefix: str) -> None:
        """The wrapper is Callgrind to a program that has no environment."""
        file = "/var/log/callgrind"
        wrapper = f"{prefix}/libexec/cg2/bin/valgrind"
        options = ("--tool=callgrind", f"--callgrind-out-file={file}")
        must_inside(root, "env", "-i", wrapper, *options, "/bin/true")
        assert re.search(r"(?m)^creator: .*cg2", (root / file[1:]).read_text())


class Bookworm(Bare):
    release = "bookworm"


class Trixie(Bare):
    release = "trixie"


del Bare  # not a test itself


if __name__ == "__main__":
    unittest.main()
