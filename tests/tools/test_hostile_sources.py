"""Which files a report shows because a profile names them: sources, and none that holds secrets."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from test_page import unpacked
from toolsupport import Output, command

from cg2tools.program.sources import is_refused, source_path
from cg2tools.report.page import TEMPLATE

SECRET = "x7-a-key-that-nobody-may-see"


class Fixture(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(os.path.realpath(folder.name))

    def write(self, name: str, text: str = f"{SECRET}\n") -> str:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def profile(self, *names: str) -> None:
        """A profile with a function in each file."""
        body = "".join(f"fl={name}\nfn=f{at}\n1 10\n" for at, name in enumerate(names))
        total = 10 * len(names)
        text = f"# callgrind format\nevents: Ir\nsummary: {total}\n\n{body}totals: {total}\n"
        self.write("cg2.out.1", text)

    def run_command(self, name: str, *arguments: str) -> Output:
        output = command(name, *arguments, directory=self.directory)
        self.assertEqual(output.status, 0, output.stderr)
        return output


class Names(Fixture):
    """The rule itself: what is called as sources are, where links lead, too."""

    def test_sources(self) -> None:
        for name in "a.c", "src/a.CPP", "lib/x.rs", "b.f90", "x/include/c++/12/vector":
            self.assertEqual(source_path(self.write(name), []), str(self.directory / name))

    def test_no_sources(self) -> None:
        """Keys, passwords, what a process has in its environment, and what only looks like a file."""
        secret = self.write("master.key")
        os.symlink(secret, self.directory / "link.c")
        os.symlink("/proc/self/environ", self.directory / "environ.c")
        os.mkfifo(self.directory / "pipe.c")
        (self.directory / "program.c").write_bytes(b"\177ELF\0\0")
        names = [
            self.write(name) for name in (".ssh/id.c", ".git/config", "home/.aws/a.py", "shadow")
        ]
        names += [
            str(self.directory / name) for name in ("link.c", "environ.c", "pipe.c", "program.c")
        ]
        for name in [
            secret,
            *names,
            "/proc/self/environ",
            "/proc/self/maps",
            "/dev/zero",
            "a\0b.c",
        ]:
            self.assertIsNone(source_path(name, []), name)
        self.assertTrue(is_refused(secret))
        self.assertFalse(is_refused(str(self.directory / "nowhere.key")))

    def test_directories_of_a_person(self) -> None:
        """Below -I DIR a file may be called as it likes, but is not hidden, and does not lead out of it."""
        self.write("secret/master.key")
        inside = self.write("src/grammar.odd")
        self.write("src/.env")
        os.symlink(self.directory / "secret", self.directory / "src/out")
        include = [str(self.directory / "src")]
        self.assertEqual(source_path("/elsewhere/grammar.odd", include), inside)
        for name in ".env", "out/master.key", "../secret/master.key":
            self.assertIsNone(source_path(name, include), name)
        self.assertIsNone(source_path("a.odd", [str(self.directory / "nowhere")]))


class Commands(Fixture):
    """Each command that shows sources."""

    def setUp(self) -> None:
        super().setUp()
        self.source = self.write("a.c", "int a; // source\n")
        self.profile(self.source, self.write("master.key"))

    def test_annotate(self) -> None:
        output = self.run_command("cg2_annotate", "--auto=yes", "--threshold=100", "cg2.out.1")
        self.assertIn("int a; // source", output.stdout)
        self.assertNotIn(SECRET, output.stdout)
        self.assertIn(f"{self.directory}/master.key (not called as a source is)", output.stdout)

    def test_callgrind_annotate(self) -> None:
        output = self.run_command("cg2_annotate", "--callgrind", "--threshold=100", "cg2.out.1")
        self.assertIn("int a; // source", output.stdout)
        self.assertNotIn(SECRET, output.stdout)

    def test_asked(self) -> None:
        """What a person asks for by its name is shown."""
        output = self.run_command("cg2_annotate", "cg2.out.1", "master.key")
        self.assertIn(SECRET, output.stdout)

    def test_page(self) -> None:
        if not TEMPLATE.exists():
            self.skipTest("the page was not built")
        output = self.run_command("cg2_report", "-o", "-", "cg2.out.1")
        self.assertEqual(
            output.stderr,
            "cg2.out.1: 1 source file on the page for whoever opens it; --sources=no leaves it out\n"
            f"cg2.out.1: warning: the text of {self.shown('master.key')} is left out, as no source is "
            "called so; -I DIR shows what is in DIR\n",
        )
        self.assertEqual(self.texts("cg2.out.1"), ["int a; // source"])
        self.assertEqual(self.texts("--sources=no", "cg2.out.1"), [])
        self.assertEqual(
            self.texts(f"-I{self.directory}", "cg2.out.1"), ["int a; // source", SECRET]
        )

    def shown(self, name: str) -> str:
        path = str(self.directory / name)
        return path if len(path) <= 60 else path[:57] + "..."

    def texts(self, *arguments: str) -> list[str]:
        """The lines of sources that are on a page."""
        page = self.run_command("cg2_report", "-o", "-", *arguments).stdout
        sources = unpacked(page)["sources"].values()
        return [line for source in sources for run in source["runs"] for line in run[1:]]
