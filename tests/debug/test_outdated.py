"""Data files of programs that were built anew since: each command that shows types says so in one line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import cg2test
import starts

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import PROGRAMS, Scratch  # noqa: E402
from tracing import traced  # noqa: E402

COMMANDS = (
    ("cg2_annotate", "--data", "data"),
    ("cg2_convert", "--types=yes", "-o", "typed", "data"),
    ("cg2_diff", "--sort=Dr", "data", "other"),
    ("cg2_report", "-I", str(PROGRAMS), "-o", "page.html", "data"),
)


def run_in(directory: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the commands in a directory."""
    return starts.run(
        [cg2test.TOOLS / name, *arguments],
        directory=directory,
        environment=os.environ,
        limit=cg2test.HANG,
    )


class Outdated(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.build("types.c", "gcc", "-O2")
        text = traced(self.program, PROGRAMS / "types.c").text
        for name in ("data", "other"):
            (self.directory / name).write_text(text)

    def warnings(self, *command: str) -> list[str]:
        ended = run_in(self.directory, *command)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return [line for line in ended.stderr.splitlines() if "warning" in line]

    def test_commands(self) -> None:
        """A program that is older than the file is taken for the one that ran; a newer one is not."""
        changed = (self.directory / "data").stat().st_mtime
        said = (
            f"warning: {self.program} is newer than the profile; what is read from it may be wrong"
        )
        for command in COMMANDS:
            with self.subTest(command[0]):
                os.utime(self.program, (changed - 1, changed - 1))
                self.assertEqual(self.warnings(*command), [])
                os.utime(self.program, (changed + 5, changed + 5))
                files = ("data", "other") if "other" in command else ("data",)
                self.assertEqual(self.warnings(*command), [f"{file}: {said}" for file in files])

    def test_no_types(self) -> None:
        """Where no type is read there is nothing to warn of."""
        subprocess.run(["strip", self.program], check=True)
        changed = (self.directory / "data").stat().st_mtime
        os.utime(self.program, (changed + 5, changed + 5))
        for command in COMMANDS:
            with self.subTest(command[0]):
                self.assertEqual(self.warnings(*command), [])


REBUILT = r"\S+: warning: (.*) is not the build that ran: its build-id is \w{12}, not \w{12}; what .* wrong"
SOURCE = """\
static inline int add(int a, int b) { return a * 3 + b; }
int main(int argc, char **argv)
{
   int s = argc;
   for (int i = 0; i < 100000; i++)
      s = add(s, i);
   return s == 0;
}
"""


class Rebuilt(unittest.TestCase):
    """A program that was built anew after its run: the header tells, whatever the times of files are."""

    def setUp(self) -> None:
        self.directory = cg2test.new_directory()
        self.source, self.program = self.directory / "t.c", self.directory / "t"
        self.build(SOURCE)
        for name in ("p", "q"):
            options = ["--dump-instr=yes", "--collect-jumps=yes", f"--cg2-out-file={name}"]
            command = ["valgrind", f"--tool={cg2test.TOOL}", *options, str(self.program)]
            subprocess.run(
                command, cwd=self.directory, env=cg2test.env(), check=True, capture_output=True
            )

    def build(self, text: str) -> None:
        self.source.write_text(text)
        command = ["gcc", "-g", "-O2", "-static", str(self.source), "-o", str(self.program)]
        subprocess.run(command, check=True)

    def warnings(self, *command: str) -> list[str]:
        ended = run_in(self.directory, *command)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        lines = (ended.stdout + ended.stderr).splitlines()
        return [line for line in lines if "arning: " in line]

    def test_once(self) -> None:
        """How many sources are on a page that has its tables twice, with and without inlined functions, is
        said once."""
        ended = run_in(self.directory, "cg2_report", "--inlines=yes", "-o", "page.html", "p")
        lines = ended.stderr.splitlines()
        self.assertEqual(sum("on the page for whoever" in line for line in lines), 1, lines)
        self.assertEqual(len(set(lines)), len(lines))

    def check(self, objects: int, sources: int) -> None:
        """Each command says so many lines of objects and sources."""
        for objects_here, sources_here, command in (
            (objects, 0, ("cg2_annotate", "--asm=yes", "--inlines=yes", "p")),
            (objects, 0, ("cg2_annotate", "--asm=yes", "p")),
            (objects, sources, ("cg2_annotate", "--inlines=yes", "--auto=yes", "p")),
            (objects, sources, ("cg2_report", "--inlines=yes", "-o", "page.html", "p")),
            (objects, sources, ("cg2_report", "-o", "page.html", "p")),
            (objects, 0, ("cg2_convert", "--inlines=yes", "--for=speedscope", "-o", "c", "p")),
            (2 * objects, 0, ("cg2_diff", "--inlines=yes", "p", "q")),
            (0, 0, ("cg2_annotate", "p")),
        ):
            with self.subTest(command):
                said = self.warnings(*command)
                rebuilt = [found[1] for line in said if (found := re.fullmatch(REBUILT, line))]
                self.assertEqual(rebuilt, [str(self.program)] * objects_here, said)
                newer = (
                    f"{self.source} is newer than the run; costs may stand beside the wrong lines"
                )
                self.assertEqual(sum(newer in line for line in said), sources_here, said)
                self.assertEqual(len(said), objects_here + sources_here)

    def test_same(self) -> None:
        """Nothing is said of what ran, also where the same was built again, or only touched."""
        self.check(0, 0)
        before = self.source.stat()
        self.build(SOURCE)
        os.utime(self.source, ns=(before.st_atime_ns, before.st_mtime_ns))
        self.check(0, 0)

    def test_rebuilt(self) -> None:
        """A line says that the build is new, and a line that the source is, whatever the times of files."""
        old = self.program.stat()
        self.build("/* moved */\n" + SOURCE.replace("* 3", "* 5"))
        os.utime(self.program, ns=(old.st_atime_ns, old.st_mtime_ns))
        self.check(1, 1)
        os.utime(self.source, ns=(old.st_atime_ns, old.st_mtime_ns))
        self.check(1, 0)

    def test_merged(self) -> None:
        """A sum began with its first run, and says what ran in any."""
        self.build(SOURCE.replace("* 3", "* 5"))
        self.assertEqual(self.warnings("cg2_merge", "-o", "sum", "q", "p"), [])
        said = [
            next(
                line
                for line in (self.directory / name).read_text().splitlines()
                if "Started" in line
            )
            for name in ("p", "q", "sum")
        ]
        self.assertEqual(said[2], min(said))
        self.assertNotEqual(said[0], said[1])
        self.assertEqual(len(self.warnings("cg2_annotate", "--asm=yes", "sum")), 1)

    def test_without_debug_information(self) -> None:
        """Where --inlines=yes finds no debug information of what cost most, one line says so, also where
        Valgrind alone found it, by --extra-debuginfo-path."""
        folder = self.directory / "debug" / str(self.directory).strip("/")
        folder.mkdir(parents=True)
        for command in (
            ("objcopy", "--only-keep-debug", str(self.program), str(folder / "t.debug")),
            ("strip", "-g", str(self.program)),
            ("objcopy", f"--add-gnu-debuglink={folder / 't.debug'}", str(self.program)),
        ):
            subprocess.run(command, check=True)
        library = self.directory / "other.so"
        source = self.directory / "other.c"
        source.write_text("long other(long n) { while (n > 0) n -= 3; return n; }\n")
        subprocess.run(["gcc", "-g", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
        main = self.directory / "main.c"
        main.write_text(
            "long other(long);\nlong n = 9000;\n"
            "int main(void) { for (int i = 0; i < 9000; i++) n ^= i; return other(n) == 7; }\n"
        )
        subprocess.run(["gcc", "-O1", main, library, "-o", self.directory / "bare"], check=True)
        options = ["--dump-instr=yes", "--collect-jumps=yes"]
        runs = {"e": [f"--extra-debuginfo-path={self.directory / 'debug'}", str(self.program)]}
        runs["b"] = [str(self.directory / "bare")]
        for name, words in runs.items():
            subprocess.run(
                ["valgrind", f"--tool={cg2test.TOOL}", *options, f"--cg2-out-file={name}", *words],
                cwd=self.directory,
                env=cg2test.env(),
                check=False,
                capture_output=True,
            )
        self.assertIn(f"={self.source}\n", (self.directory / "e").read_text().replace(") ", "="))
        for name, path in ("e", self.program), ("b", self.directory / "bare"):
            with self.subTest(name):
                ended = subprocess.run(
                    [cg2test.TOOLS / "cg2_annotate", "--inlines=yes", name],
                    cwd=self.directory,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
                self.assertIn(f"{path}", ended.stderr)
                self.assertIn("no debug information", ended.stderr)

    def test_without_build_id(self) -> None:
        """Size and time of modification tell a file that has no build-id."""
        subprocess.run(
            ["gcc", "-g", "-O2", "-Wl,--build-id=none", self.source, "-o", self.program], check=True
        )
        command = [
            "valgrind",
            f"--tool={cg2test.TOOL}",
            "--dump-instr=yes",
            "--cg2-out-file=n",
            str(self.program),
        ]
        subprocess.run(
            command, cwd=self.directory, env=cg2test.env(), check=True, capture_output=True
        )
        self.assertEqual(self.warnings("cg2_annotate", "--asm=yes", "n"), [])
        os.utime(self.program, (1, 1))
        self.assertEqual(
            self.warnings("cg2_annotate", "--asm=yes", "n"),
            [
                f"n: warning: {self.program} was modified after it ran, and has no build-id; "
                "what is read from it may be wrong"
            ],
        )


if __name__ == "__main__":
    unittest.main()
