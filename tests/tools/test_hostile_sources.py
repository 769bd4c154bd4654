"""Which files a report shows because a profile names them: sources, and none that holds secrets."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from test_page import unpacked
from toolsupport import Output, command

from cg2test import BUILD
from cg2tools.bindings.libpath import library_path
from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.reader import read_profile
from cg2tools.report.page import TEMPLATE

SECRET = "x7-a-key-that-nobody-may-see"


class Fixture(unittest.TestCase):
    """A profile in a directory, and a directory elsewhere that is another person's."""

    def setUp(self) -> None:
        self.directory, self.elsewhere = (self.new_folder() for _ in range(2))

    def new_folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        return Path(os.path.realpath(folder.name))

    def write(self, name: str, text: str = f"{SECRET}\n", below: Path | None = None) -> str:
        path = (below or self.directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def write_elsewhere(self, name: str, text: str = f"{SECRET}\n") -> str:
        return self.write(name, text, self.elsewhere)

    def profile(self, *names: str, object: str = "/bin/true") -> str:
        """A profile with a function in each file."""
        body = "".join(f"fl={name}\nfn=f{at}\n1 10\n" for at, name in enumerate(names))
        total = 10 * len(names)
        text = f"# callgrind format\nevents: Ir\nsummary: {total}\n\nob={object}\n{body}totals: {total}\n"
        return self.write("cg2.out.1", text)

    def run_command(self, name: str, *arguments: str) -> Output:
        output = command(name, *arguments, directory=self.directory)
        self.assertEqual(output.status, 0, output.stderr)
        return output


class Names(Fixture):
    """The rule itself: what is called as sources are, and lies where sources are; where links lead, too."""

    def files(
        self, *names: str, include: tuple[str, ...] = (), object: str = "/bin/true"
    ) -> SourceFiles:
        (part,) = read_profile(self.profile(*names, object=object)).parts
        return SourceFiles(part, include)

    def shown(
        self, *names: str, include: tuple[str, ...] = (), object: str = "/bin/true"
    ) -> list[str]:
        files = self.files(*names, include=include, object=object)
        return [name for name in names if files.path(name)]

    def test_beside(self) -> None:
        """Sources beside the profile, and below its directory."""
        names = [
            self.write(name)
            for name in ("a.c", "src/a.CPP", "lib/x.rs", "b.f90", "x/include/c++/12/vector")
        ]
        self.assertEqual(self.shown(*names), names)

    def test_here(self) -> None:
        """Sources below the directory that a person is in, also by names that begin there."""
        name = self.write_elsewhere("src/a.c")
        self.assertEqual(self.shown(name, "src/a.c"), [])
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.elsewhere)
        self.assertEqual(self.shown(name, "src/a.c"), [name, "src/a.c"])

    def test_home(self) -> None:
        """A profile in one's home, or above, makes no source of what is there; further down, it does."""
        name = self.write("project/a.c")
        for home in self.directory, self.directory / "project":
            with mock.patch.dict(os.environ, HOME=str(home)):
                self.assertEqual(self.shown(name), [], home)
        with mock.patch.dict(os.environ, HOME=str(self.elsewhere)):
            self.assertEqual(self.shown(name), [name])

    def test_installed(self) -> None:
        """Sources of what is installed, and of packages."""
        crate = self.write_elsewhere(".cargo/registry/src/x-1.0/lib.rs")
        other = self.write_elsewhere("work/lib.rs")
        header = "/usr/include/stdio.h"
        wanted = [header] * os.path.exists(header) + [crate]
        with mock.patch.dict(os.environ, HOME=str(self.elsewhere)):
            self.assertEqual(self.shown(*wanted, other), wanted)

    def test_compiled(self) -> None:
        """What an object that is here was compiled from, wherever that was; not what lies beside it."""
        if not shutil.which("gcc") or not library_path("libcg2debug.so.0").exists():
            self.skipTest(f"there is no gcc, or no libcg2debug in {BUILD}")
        main = self.write_elsewhere(
            "src/main.c", '#include "../include/h.h"\nint main(void){return h();}\n'
        )
        header = self.write_elsewhere("include/h.h", "static int h(void){return 0;}\n")
        other = self.write_elsewhere("src/other.c")
        key = self.write_elsewhere("src/key.pem")
        (self.elsewhere / "build").mkdir()
        for version in 4, 5:
            for flags in "", "-gsplit-dwarf":
                subprocess.run(
                    ["gcc", "-O1", f"-gdwarf-{version}", *flags.split(), "../src/main.c", "-o", "app"],
                    cwd=self.elsewhere / "build", check=True,
                )  # fmt: skip
                written = f"{self.elsewhere}/build/../src/main.c"
                names = main, header, written, other, key
                with self.subTest(version=version, flags=flags):
                    app = str(self.elsewhere / "build" / "app")
                    self.assertEqual(self.shown(*names, object=app), [main, header, written])
                    self.assertEqual(self.shown(*names, object="/nowhere/app"), [])
                    self.assertEqual(self.shown(*names, object=main), [])
        files = self.files(other, key)
        self.assertEqual(files.why_not(other), "no object here was compiled from it")
        self.assertEqual(files.why_not(key), "no source is called so")

    def test_no_sources(self) -> None:
        """Keys, passwords, what a process has in its environment, and what only looks like a file."""
        secret = self.write("master.key")
        os.symlink(secret, self.directory / "link.c")
        os.symlink("/proc/self/environ", self.directory / "environ.c")
        os.symlink("/etc/shadow", self.directory / "shadow.c")
        os.symlink(self.elsewhere, self.directory / "out")
        os.mkfifo(self.directory / "pipe.c")
        (self.directory / "program.c").write_bytes(b"\177ELF\0\0")
        (self.directory / "behind.c").write_bytes(b"int a;\n" * 2_000 + b"\0key")
        with open(self.directory / "huge.c", "wb") as file:
            file.write(b"a\n")
            file.truncate((1 << 26) + 1)
        self.write_elsewhere("a.c")
        private = self.write("private/id.c")
        os.chmod(private, 0o600)
        os.link(private, self.directory / "second.c")
        names = [
            self.write(name) for name in (".ssh/id.c", ".git/config", "home/.aws/a.py", "shadow")
        ]
        names += [
            str(self.directory / name)
            for name in (
                *("link.c", "environ.c", "shadow.c", "out/a.c", "pipe.c", "program.c", "behind.c"),
                *("huge.c", "second.c", "../" + self.elsewhere.name + "/a.c", "src/../.ssh/id.c"),
            )
        ]
        specials = [
            "/proc/self/environ",
            "/proc/self/maps",
            "/dev/zero",
            "/etc/shadow",
            "/etc/passwd",
        ]
        names += [secret, *specials, *(f"/usr/..{name}" for name in specials)]
        self.assertEqual(self.shown(*names), [])
        files = self.files(secret)
        self.assertIsNone(files.path("a\0b.c"))
        self.assertEqual(files.why_not("a\0b.c"), "")
        self.assertEqual(files.why_not(str(self.directory / "nowhere.key")), "")
        self.assertEqual(
            files.why_not(str(self.directory / "behind.c")), "no source is such a file"
        )
        self.assertEqual(
            files.why_not(str(self.directory / "second.c")), "no source is such a file"
        )

    def test_directories_of_a_person(self) -> None:
        """Below -I DIR a file may be called as it likes, but is not hidden, and does not lead out of it."""
        self.write_elsewhere("secret/master.key")
        inside = self.write_elsewhere("src/grammar.odd")
        self.write_elsewhere("src/.env")
        os.symlink(self.elsewhere / "secret", self.elsewhere / "src/out")
        os.symlink("/proc/self", self.elsewhere / "src/self")
        files = self.files("x.c", include=(str(self.elsewhere / "src"),))
        self.assertEqual(files.path("/elsewhere/grammar.odd"), inside)
        for name in ".env", "out/master.key", "../secret/master.key", "self/environ":
            self.assertIsNone(files.path(name), name)
        self.assertEqual(self.shown("a.odd", include=(str(self.elsewhere / "nowhere"),)), [])
        self.assertEqual(self.shown("/proc/self/environ", "environ", include=("/proc/self",)), [])


class Commands(Fixture):
    """Each command that shows sources."""

    def setUp(self) -> None:
        super().setUp()
        self.source = self.write("a.c", "int a; // source\n")
        self.other = self.write_elsewhere("other.c")
        self.profile(self.source, self.write("master.key"), self.other)

    def test_annotate(self) -> None:
        output = self.run_command("cg2_annotate", "--auto=yes", "--threshold=100", "cg2.out.1")
        self.assertIn("int a; // source", output.stdout)
        self.assertNotIn(SECRET, output.stdout)
        self.assertIn(f"{self.directory}/master.key (no source is called so)", output.stdout)
        self.assertIn(f"{self.other} (no object here was compiled from it)", output.stdout)

    def test_callgrind_annotate(self) -> None:
        output = self.run_command("cg2_annotate", "--callgrind", "--threshold=100", "cg2.out.1")
        self.assertIn("int a; // source", output.stdout)
        self.assertNotIn(SECRET, output.stdout)
        self.assertIn("could not be found:", output.stdout)

    def test_asked(self) -> None:
        """What a person asks for by its place is shown; by its name alone, only if it is a source."""
        output = self.run_command("cg2_annotate", "cg2.out.1", "master.key")
        self.assertIn(SECRET, output.stdout)
        self.assertIn(SECRET, self.run_command("cg2_annotate", "cg2.out.1", self.other).stdout)
        for name in "other.c", f"{self.elsewhere.name}/other.c":
            output = self.run_command("cg2_annotate", "cg2.out.1", name)
            self.assertIn(f"{self.other} (no object here was compiled from it)", output.stdout)
            self.assertNotIn(SECRET, output.stdout)

    def test_page(self) -> None:
        if not TEMPLATE.exists():
            self.skipTest("the page was not built")
        self.profile(self.source, str(self.directory / "master.key"))
        output = self.run_command("cg2_report", "-o", "-", "cg2.out.1")
        self.assertEqual(
            output.stderr,
            "cg2.out.1: 1 source file on the page for whoever opens it; --sources=no leaves it out\n"
            f"cg2.out.1: warning: the text of {self.shown('master.key')} is left out, as no source is "
            "called so; -I DIR shows what is in DIR\n",
        )
        self.profile(self.source, str(self.directory / "master.key"), self.other)
        self.assertEqual(self.texts("cg2.out.1"), ["int a; // source"])
        self.assertEqual(self.texts("--sources=no", "cg2.out.1"), [])
        self.assertEqual(
            self.texts(f"-I{self.directory}", "cg2.out.1"), ["int a; // source", SECRET]
        )
        self.assertEqual(
            self.texts(f"-I{self.elsewhere}", "cg2.out.1"), ["int a; // source", SECRET]
        )

    def shown(self, name: str) -> str:
        path = str(self.directory / name)
        return path if len(path) <= 60 else path[:57] + "..."

    def texts(self, *arguments: str) -> list[str]:
        """The lines of sources that are on a page."""
        page = self.run_command("cg2_report", "-o", "-", *arguments).stdout
        sources = unpacked(page)["sources"].values()
        return sorted(line for source in sources for run in source["runs"] for line in run[1:])


if __name__ == "__main__":
    unittest.main()
