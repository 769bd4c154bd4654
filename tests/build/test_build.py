"""The build: without a warning, installed and removed as it should be, and clear about what it lacks."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import unittest
from fnmatch import fnmatch
from pathlib import Path

import starts
from building import (
    CACHE,
    CACHED,
    HERE,
    PREFIX,
    Ended,
    built,
    built_by_clang,
    files,
    install,
    makefile_variable,
    must,
    private,
    run,
    source,
    valgrind_prefix,
)
from cg2test import BUILD, HANG, SOURCE, VALGRIND, env, part_of
from cg2tools.door.commands import DOOR, SCRIPTS
from cg2tools.profile.reader import read_profile

sys.path.append(str(SOURCE / "tests" / "tools"))

from test_page import unpacked  # noqa: E402  (found through the path just set)

HEADERS = SOURCE / "tools" / "libcg2profile" / "include"
LIBRARY = {
    *(str(path.relative_to(HEADERS.parent)) for path in HEADERS.rglob("*.h")),
    "lib/libcg2profile.so",
    "lib/libcg2profile.so.1",
    "lib/libcg2profile.so.1.0.0",
    "lib/pkgconfig/libcg2profile.pc",
    "share/man/man3/libcg2profile.3",
}
# What leads the commands to the libraries: both, where this build has found libdw.
LINKS = {name for name in ("libcg2debug.so.0", "libcg2profile.so.1") if (BUILD / name).exists()}
LINKS.add("cg2-machines")  # to where the tables of processors are
COMMANDS = {"cg2_annotate", "cg2_control", "cg2_convert", "cg2_diff", "cg2_merge", "cg2_report"}
# Pages for users; the tour is for people who have the source.
PAGES = {str(path.relative_to(SOURCE / "docs")) for path in (SOURCE / "docs").rglob("*.md")}
DOCUMENTS = (PAGES - {"tour.md"}) | {
    *("cg2-explain.schema.json", "cg2-summary.schema.json", "first-source.png"),
    *("first-summary.png", "lookup.cc", "words.c"),
}


def tools() -> set[str]:
    """The tool binaries of the build that is tested."""
    return {path.name for path in BUILD.glob("cg2-*-linux")}


def callgrinds() -> set[str]:
    """The same under Callgrind's name."""
    return {tool.replace("cg2", "callgrind", 1) for tool in tools()}


def total(valgrind_lib: Path) -> int:
    """The instructions of /bin/true under the cg2 in this directory.

    The program finds the directory's name in its environment, and so always gets the same one.
    """
    name = HERE / "lib"
    name.unlink(missing_ok=True)
    name.symlink_to(valgrind_lib)
    profile = HERE / "profile"
    command = ["setarch", "-R", VALGRIND, "--tool=cg2", f"--cg2-out-file={profile}", "/bin/true"]
    must(*command, directory=BUILD, **env(VALGRIND_LIB=str(name)))
    return summary(profile)


def summary(profile: Path) -> int:
    """The instructions that a profile says it holds; its sums are checked."""
    (part,) = read_profile(str(profile)).parts
    part.check()
    assert part.summary is not None
    return part.summary[0]


def machines() -> set[str]:
    """The described machines that are installed beside the tools."""
    return {f"cg2-machines/{path.name}" for path in (SOURCE / "cg2" / "machines").glob("*.[mc]*")}


def bootstrap(*words: str, directory: Path = BUILD) -> Ended:
    return run(SOURCE / "bootstrap", *words, directory=directory)


class Building(unittest.TestCase):
    def test_in_place(self) -> None:
        """.in_place holds all that Valgrind has beside its tools, vgdb, and our tools; .as_callgrind has our
        tools under Callgrind's name, too."""
        theirs = {
            name
            for name in os.listdir(valgrind_prefix() / "libexec/valgrind")
            if name[:4] != "cg2-"
        }
        self.assertEqual(
            files(BUILD / ".in_place"),
            theirs | tools() | {".made", "bin/cg2", "vgdb", "cg2-machines"},
        )
        self.assertIn("cg2-amd64-linux", tools())
        self.assertEqual(
            files(BUILD / ".as_callgrind"),
            theirs | tools() | callgrinds() | {"bin/valgrind", "vgdb", "cg2-machines"},
        )
        for name in callgrinds():
            tool = BUILD / name.replace("callgrind", "cg2")
            self.assertTrue((BUILD / ".as_callgrind" / name).samefile(tool))

    def test_clang(self) -> None:
        """clang builds it without a warning, and what it builds counts the same."""
        self.assertEqual(total(built_by_clang() / ".in_place"), total(BUILD / ".in_place"))


class StackTraces(unittest.TestCase):
    """A tool that ends by a fault of its own says who called whom in it; what Valgrind reads for that at each
    start is little."""

    def test_table(self) -> None:
        """The unwind table has functions of cg2 and those that end a tool, and no others of Valgrind."""
        for tool in tools():
            with self.subTest(tool):
                said = must("readelf", "--debug-dump=frames", BUILD / tool, LC_ALL="C")
                known = {
                    int(start, 16) for start in re.findall(r" FDE .* pc=([0-9a-f]+)\.\.", said)
                }
                symbols = must("nm", BUILD / tool, LC_ALL="C")
                at = {name: int(a, 16) for a, name in re.findall(r"(?m)^(\w+) T (\w+)$", symbols)}
                names = {name for name, start in at.items() if start in known}
                self.assertLessEqual({"cg2_instrument", "vgPlain_core_panic"}, names)
                self.assertFalse(names & {"vgPlain_scheduler", "LibVEX_Translate"})

    def test_panic(self) -> None:
        """A panic in a function of cg2 names the one that called it."""
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed (Debian: apt-get install gdb)")
        steps = [
            *("break *cg2_writeblock_write", "run"),
            *("set {long} &cg2_now = 0", "set $rdi = (long) &cg2_now", "jump *vgPlain_core_panic"),
        ]
        tool = BUILD / ".in_place" / "cg2-amd64-linux"
        said = run(
            *("gdb", "-nx", "--batch", *(word for step in steps for word in ("-ex", step))),
            *("--args", tool, "--tool=cg2", "--cg2-out-file=/dev/null", "/bin/true"),
            directory=BUILD,
            **env(VALGRIND_LAUNCHER=str(shutil.which(VALGRIND))),
        )
        trace = said.stderr.partition("host stacktrace:")[2].partition("sched status:")[0]
        named = re.findall(r"0x\w+: (\w+) \(in ", trace)
        self.assertEqual(
            named[-2:], ["vgPlain_core_panic", "cg2_instrument"], said.stdout + said.stderr
        )


class Installing(unittest.TestCase):
    def test_private_prefix(self) -> None:
        """With a prefix of its own: a command that works; once it is removed, only what others put there is
        left."""
        prefix = PREFIX
        shutil.rmtree(prefix, ignore_errors=True)
        directory = private()
        install(directory)
        installed = files(prefix)
        commands = ("cg2", *COMMANDS)
        pages = (f"share/man/man1/{command}.1" for command in commands)
        programs = (f"bin/{command}" for command in commands)
        completed = [f"share/bash-completion/completions/{name}" for name in commands]
        completed += [f"share/zsh/site-functions/_{name}" for name in commands]
        completed += [f"share/fish/vendor_completions.d/{name}.fish" for name in commands]
        for name in (
            *programs,
            *pages,
            *completed,
            *(f"libexec/cg2/{tool}" for tool in tools() | {"vgdb"}),
            *LIBRARY,
        ):
            self.assertIn(name, installed)
        python = {str(path.relative_to(SOURCE)) for path in (SOURCE / "tools").rglob("*.py")}
        templates = {
            "tools/cg2tools/diff/trend.html",
            "tools/cg2tools/report/report.html",
            "tools/cg2tools/report/schema.json",
        }
        self.assertEqual(
            files(prefix / "share/doc/cg2"),
            {"NEWS", "README"} | DOCUMENTS,
        )
        self.assertEqual(files(prefix / "share/cg2"), python | templates | LINKS)

        self.check_header(prefix)
        profile = HERE / "profile"
        must(prefix / "bin/cg2", f"--cg2-out-file={profile}", "/bin/true")
        self.assertLessEqual({f"libexec/cg2/{machine}" for machine in machines()}, installed)
        wrapper = prefix / "libexec/cg2/bin/valgrind"
        must(wrapper, "--tool=callgrind", f"--callgrind-out-file={profile}", "/bin/true")
        self.assertIn("\ncreator: callgrind-cg2-", profile.read_text())
        other = HERE / "machine-profile"
        must(prefix / "bin/cg2", f"--cg2-out-file={other}", "--machine=zen3", "/bin/true")
        self.assertIn("desc: Machine: AMD Zen 3", other.read_text())
        # Python may leave its compiled modules, as it does on a user's machine.
        report = must(prefix / "bin/cg2_annotate", profile, PYTHONDONTWRITEBYTECODE="")
        self.assertIn(f"{summary(profile):,}", report)
        page = must(prefix / "bin/cg2_report", "-o", "-", profile, PYTHONDONTWRITEBYTECODE="")
        self.assertEqual(unpacked(page)["profile"]["total"], [summary(profile)])

        other = prefix / "share/fish/other"
        other.write_text("somebody else's")
        must("make", "uninstall", directory=directory)
        left = {str(path.relative_to(prefix)) for path in prefix.rglob("*")}
        self.assertEqual(left, {"share", "share/fish", "share/fish/other"})

    def check_header(self, prefix: Path) -> None:
        """A program that includes the installed cg2.h, in C and C++, steers the installed tool."""
        text = '#include <cg2/cg2.h>\nint main(void) { CG2_PHASE("one"); CG2_PHASE("two"); return 0; }\n'
        for compiler, suffix in (("gcc", "c"), ("g++", "cc")):
            with tempfile.TemporaryDirectory() as scratch:
                where = Path(scratch)
                (where / f"program.{suffix}").write_text(text)
                include = [f"-I{prefix}/include", f"-I{valgrind_prefix()}/include"]
                must(
                    *(compiler, "-Wall", "-Wextra", "-Werror", "-pedantic", *include),
                    *(f"program.{suffix}", "-o", "program"),
                    directory=where,
                )
                must(prefix / "bin/cg2", "--cg2-out-file=profile", "./program", directory=where)
                parts = [part_of(where / name) for name in ("profile.1", "profile.2", "profile")]
                triggers = [part.descriptions["Trigger"] for part in parts]
            self.assertEqual(triggers, ["Client Request", "one", "two"])

    def test_beside_valgrind(self) -> None:
        """Without a prefix: the tools, and only they, go beside Valgrind's own; nothing is left once all is
        removed."""
        stage = HERE / "stage"
        shutil.rmtree(stage, ignore_errors=True)
        # The build that is tested has no prefix, unless somebody gave it one.
        is_beside = makefile_variable("prefix") == str(valgrind_prefix())
        directory = BUILD if is_beside else built("beside")
        install(directory, f"DESTDIR={stage}")
        top = stage / valgrind_prefix().relative_to("/")
        beside = {file for file in files(top / "libexec") if not file.startswith("cg2/")}
        self.assertEqual(beside, {f"valgrind/{file}" for file in tools() | machines()})
        as_callgrind = top / "libexec/cg2/as_callgrind"
        for name in callgrinds():
            self.assertEqual(
                os.readlink(as_callgrind / name),
                str(valgrind_prefix() / "libexec/valgrind" / name.replace("callgrind", "cg2")),
            )
        self.assertEqual(files(top / "bin"), COMMANDS | {"cg2"})
        self.assertLessEqual(LIBRARY, files(top))
        must("make", "uninstall", f"DESTDIR={stage}", directory=directory)
        left = [path for path in stage.rglob("*") if path not in {top, *top.parents}]
        self.assertEqual(left, [])

    def test_distribution(self) -> None:
        """`make dist` packs every source file there is."""
        packed = files(source())
        made = (
            "*.o",
            "*.d",
            ".deps/*",
            ".dirstamp",
            "__pycache__/*",
            ".mypy_cache/*",
            "configure~",
        )
        for folder in (
            ".ci",
            "build-aux",
            "cg2",
            "debian",
            "docs",
            "packaging",
            "tests",
            "tools",
        ):
            for path in (SOURCE / folder).rglob("*"):
                if path.is_file() and not any(
                    fnmatch(str(path), f"*/{pattern}") for pattern in made
                ):
                    self.assertIn(str(path.relative_to(SOURCE)), packed)

    def test_distcheck(self) -> None:
        """A release builds, is tested, installed and removed, from sources that cannot be written."""
        # At the small size: the whole one is for the tests of the build that is tested.
        must("make", "distcheck", "SUITES=style unit tools", CG2_FULL="0")

    test_distcheck.full = True  # type: ignore[attr-defined]


@unittest.skipIf(
    BUILD != SOURCE, "./bootstrap works in the source tree, and this build is elsewhere"
)
class Bootstrap(unittest.TestCase):
    def test_profile(self) -> None:
        """The program's output, then its hottest functions; the program's exit status."""
        with tempfile.TemporaryDirectory() as scratch:
            ended = bootstrap("profile", "sh", "-c", "echo it ran; exit 7", directory=Path(scratch))
            (profile,) = Path(scratch).iterdir()
            instructions = summary(profile)
        self.assertEqual(ended.status, 7)
        self.assertTrue(ended.stdout.startswith("it ran\n"), ended.stdout)
        self.assertIn(f"\n{instructions:,} Ir: ", ended.stdout)
        self.assertIn(f"\nProfile: {profile.name}\n", ended.stdout)

    def test_no_program(self) -> None:
        ended = bootstrap("profile", "no-such-program")
        self.assertEqual((ended.status, ended.stdout), (127, ""))
        self.assertEqual(ended.stderr, "cg2: no-such-program: no such program\n")

    def test_usage(self) -> None:
        for ended in (bootstrap(), bootstrap("profile"), bootstrap("install")):
            self.assertEqual((ended.status, ended.stdout), (2, ""))
            self.assertTrue(ended.stderr.startswith("usage: ./bootstrap build "), ended.stderr)


class Door(unittest.TestCase):
    """The command cg2 of the build directory: it profiles and shows, or is one of the other commands."""

    door = BUILD / ".in_place" / "bin" / "cg2"

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="cg2door-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def run_door(self, *arguments: str) -> Ended:
        return run(self.door, *arguments, directory=self.directory)

    def test_shown(self) -> None:
        """The program's output, its functions, how to see more, and where the commands are."""
        ended = self.run_door("sh", "-c", "echo it ran; exit 7")
        (profile,) = self.directory.iterdir()
        self.assertEqual(ended.status, 7)
        self.assertTrue(ended.stdout.startswith("it ran\n"), ended.stdout)
        self.assertIn(f"\n{summary(profile):,} Ir: ", ended.stdout)
        self.assertIn(f" cg2 report {profile.name}\n", ended.stdout)
        self.assertTrue(
            ended.stdout.endswith(f"\nThe commands are in {BUILD / 'tools'}.\n"), ended.stdout
        )

    def test_options(self) -> None:
        """What stands in front of the program is Valgrind's and the tool's."""
        ended = self.run_door("--dump-instr=yes", "--cg2-out-file=my.%p", "-v", "true")
        (profile,) = self.directory.iterdir()
        self.assertRegex(profile.name, r"^my\.[0-9]+$")
        self.assertIn("\npositions: instr line\n", profile.read_text("ascii"))
        self.assertIn(f"\n{summary(profile):,} Ir: ", ended.stdout)

    def test_threads(self) -> None:
        """Several files of one run are shown as one."""
        work = "import threading; t = threading.Thread(target=print); t.start(); t.join()"
        ended = self.run_door("--separate-threads=yes", "/usr/bin/python3", "-S", "-c", work)
        profiles = sorted(self.directory.iterdir())
        self.assertEqual(len(profiles), 2, profiles)
        self.assertIn(f"\n{sum(map(summary, profiles)):,} Ir: ", ended.stdout)

    def test_quiet(self) -> None:
        ended = self.run_door("-q", "sh", "-c", "echo it ran; exit 3")
        (profile,) = self.directory.iterdir()
        self.assertEqual((ended.status, ended.stdout, ended.stderr), (3, "it ran\n", ""))
        self.assertGreater(summary(profile), 0)

    def test_commands(self) -> None:
        """Each command that the door lists runs; those that are scripts, too, are the same."""
        listed = re.findall(r"(?m)^   ([a-z]+) +", self.run_door("--help").stdout)
        self.assertEqual(listed, list(DOOR))
        for command in listed:
            with self.subTest(command):
                own = self.run_door(command, "--help")
                told = self.forked("cg2_annotate", f"--command={command}", "--help")
                self.assertEqual(own, told)
                self.assertEqual(own.status, 0)
                if DOOR[command] == SCRIPTS.get(f"cg2_{command}"):
                    self.assertEqual(self.forked(f"cg2_{command}", "--help"), own)

    def forked(self, script: str, *words: str) -> Ended:
        """What a script of the commands does, without its start."""
        command = [str(BUILD / "tools" / script), *words]
        ended = starts.run(command, directory=self.directory, limit=HANG)
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def test_said(self) -> None:
        self.assertRegex(self.run_door("--version").stdout, r"^cg2 [0-9]+\.[0-9]+\n$")
        helped = self.run_door("--help")
        self.assertEqual((helped.status, helped.stderr), (0, ""))
        self.assertLessEqual(helped.stdout.count("\n"), 30)
        for wrong in (self.run_door(), self.run_door("--dump-instr=yes")):
            self.assertEqual((wrong.status, wrong.stdout, wrong.stderr), (2, "", helped.stdout))
        self.assertIn("--cg2-out-file=", self.run_door("--help-options").stdout)
        for options in ["--machine=help"], ["-q", "--machine=help"]:
            self.assertIn(" zen3 ", self.run_door(*options).stderr)
        missing = self.run_door("no-such-program")
        self.assertEqual((missing.status, missing.stdout), (127, ""))
        self.assertEqual(missing.stderr, "cg2: no-such-program: no such program\n")


class Page(unittest.TestCase):
    """The page of cg2_report, without which all else is built: what lacks is said in one line."""

    def bundle(self, directory: str, **environment: str) -> Ended:
        output = Path(directory) / "report.html"
        ended = run(
            SOURCE / "tools/report/bundle", output, directory=Path(directory), **environment
        )
        self.assertEqual(
            (ended.status, ended.stdout, output.exists()), (0, "", False), ended.stderr
        )
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        return ended

    def test_no_npm(self) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            for program in ("sh", "dirname", "basename"):
                os.symlink(shutil.which(program) or program, Path(scratch) / program)
            self.assertEqual(
                self.bundle(scratch, PATH=scratch).stderr,
                "cg2_report will not work: no node to build its page with"
                " (Debian: apt-get install nodejs npm); all else is built\n",
            )

    def test_no_registry(self) -> None:
        if not shutil.which("npm"):
            self.skipTest("npm is not installed (Debian: apt-get install npm)")
        with tempfile.TemporaryDirectory() as scratch:
            nowhere = {
                "registry": "http://127.0.0.1:9",
                "cache": f"{scratch}/cache",
                "fetch_retries": "0",
            }
            ended = self.bundle(
                scratch, **{f"npm_config_{key}": value for key, value in nowhere.items()}
            )
            self.assertIn(
                f"npm cannot fetch the libraries of its page ({scratch}/.npm/log says why)",
                ended.stderr,
            )
            self.assertIn("127.0.0.1:9", (Path(scratch) / ".npm/log").read_text())


class Lacking(unittest.TestCase):
    """configure says in one line what is wrong."""

    def configure(self, *options: str, **environment: str) -> Ended:
        with tempfile.TemporaryDirectory() as scratch:
            ended = run(source() / "configure", *options, directory=Path(scratch), **environment)
        self.assertEqual(ended.status, 1, ended.stdout)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        return ended

    def test_no_valgrind(self) -> None:
        self.assertEqual(
            self.configure(PKG_CONFIG_LIBDIR="/nonexistent", PKG_CONFIG_PATH="").stderr,
            "configure: error: Valgrind's development files not found:"
            " install them (apt-get install valgrind) or name another Valgrind with --with-valgrind=DIR\n",
        )

    def test_wrong_directory(self) -> None:
        self.assertEqual(
            self.configure("--with-valgrind=/nonexistent").stderr,
            "configure: error: no lib*/pkgconfig/valgrind.pc in /nonexistent:"
            " --with-valgrind takes the prefix of an installed Valgrind\n",
        )

    def test_relative_home(self) -> None:
        self.assertEqual(
            self.configure("--with-valgrind-home=here").stderr,
            "configure: error: --with-valgrind-home=here: a prefix begins with /\n",
        )

    def test_too_old(self) -> None:
        self.assertRegex(
            self.fake("3.18.1"),
            r"^configure: error: Valgrind 3.18.1 in \S+ is too old: cg2 needs 3.19 or later\n$",
        )

    def test_incomplete(self) -> None:
        self.assertRegex(
            self.fake("3.19.0"),
            r"^configure: error: \S+/bin/valgrind not found: the Valgrind in \S+ is not complete,"
            r" install its development files too\n$",
        )

    def test_no_zlib(self) -> None:
        self.assertEqual(
            self.configure(ac_cv_header_zlib_h="no").stderr,
            "configure: error: zlib's header not found: install it (Debian: apt-get install zlib1g-dev)\n",
        )

    def test_no_libdw(self) -> None:
        """All else is configured, and a line says what is missing."""
        with tempfile.TemporaryDirectory() as scratch:
            options = (f"--with-valgrind={valgrind_prefix()}", "ac_cv_header_elfutils_libdwfl_h=no")
            ended = run(source() / "configure", *options, directory=Path(scratch))
            self.assertEqual(ended.status, 0, ended.stderr)
            planned = must("make", "-n", "libcg2profile.so.1", "all-local", directory=Path(scratch))
        self.assertIn("going on without elfutils' libdw or capstone", ended.stdout + ended.stderr)
        self.assertIn("-o libcg2profile.so.1", planned)
        self.assertNotIn("-o libcg2debug.so.0", planned)

    def test_no_libiberty(self) -> None:
        """Names of C++ are demangled without it, those of Rust are not, and a line says so."""
        with tempfile.TemporaryDirectory() as scratch:
            options = (
                f"--with-valgrind={valgrind_prefix()}",
                "ac_cv_header_libiberty_demangle_h=no",
            )
            where = Path(scratch)
            must("cp", "-a", f"{source()}/.", where)
            ended = run("./configure", *options, *CACHED, directory=where, **CACHE)
            self.assertEqual(ended.status, 0, ended.stderr)
            must("make", "libcg2debug.so.0", directory=where, **CACHE)
            linked = must("nm", "-D", "libcg2debug.so.0", directory=where)
        self.assertIn("going on without GCC's libiberty", ended.stdout + ended.stderr)
        self.assertRegex(linked, r"U dlsym")

    def test_no_zstd(self) -> None:
        self.assertEqual(
            self.configure(ac_cv_header_zstd_h="no").stderr,
            "configure: error: libzstd's header not found: install it (Debian: apt-get install "
            "libzstd-dev)\n",
        )

    def fake(self, version: str) -> str:
        """What configure says of a Valgrind of this version that is no more than its valgrind.pc."""
        with tempfile.TemporaryDirectory() as prefix:
            libraries = Path(prefix) / "lib" / "pkgconfig"
            libraries.mkdir(parents=True)
            (libraries / "valgrind.pc").write_text(
                f"platform=amd64-linux\nvalt_load_address=0x58000000\n"
                f"Name: Valgrind\nDescription: none\nVersion: {version}\n"
            )
            return self.configure(f"--with-valgrind={prefix}").stderr
