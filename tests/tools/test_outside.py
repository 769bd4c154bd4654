"""The world around the commands: pipes, odd texts, other programs' profiles, the environment of Python."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolsupport import TOOLS, read

from cg2test import HANG
from cg2tools.commandline.console import PLAIN, RED, on_terminal
from cg2tools.profile.terms import ProfileError
from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.reader import read_profile

PROFILE = """\
# callgrind format
creator: callgrind-cg2-0.1
pid: 7
cmd: ./app {argument}
part: 1
positions: line
events: Ir
summary: 30
ob=/bin/app
fl=a.c
fn={name}
1 30
totals: 30
"""


class Fixture(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def write(self, name: str, argument: str = "x", function: str = "main") -> None:
        text = PROFILE.format(argument=argument, name=function)
        (self.directory / name).write_text(text, encoding="utf-8")

    def shell(self, command: str, **environment: str) -> str:
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=self.directory,
            env={**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}", **environment},
            capture_output=True,
            timeout=HANG,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertNotIn(b"Traceback", ended.stderr)
        return ended.stdout.decode()


class Pipes(Fixture):
    def test_annotate(self) -> None:
        """What looks at the beginning of a pipe leaves it to the reader: 30 Ir, twice 60."""
        self.write("cg2.out.7")
        for pipe in "<(cat cg2.out.7)", "/dev/stdin", "-":
            with self.subTest(pipe):
                shown = self.shell(f"cat cg2.out.7 | cg2_annotate {pipe}")
                self.assertIn("\n30 Ir", shown)
        self.assertIn("\n60 Ir", self.shell("cat cg2.out.7 | cg2_annotate cg2.out.7 -"))
        self.assertIn("\n60 Ir", self.shell("cg2_annotate <(cat cg2.out.7) <(cat cg2.out.7)"))
        self.shell("mkfifo fifo; cat cg2.out.7 > fifo & cg2_annotate fifo | grep '^30 Ir'")

    def test_commands(self) -> None:
        """Pipes are inputs of all commands."""
        self.write("cg2.out.7")
        pipe = "<(cat cg2.out.7)"
        self.assertIn("Ir is the same, 30", self.shell(f"cg2_diff {pipe} {pipe}"))
        self.assertIn("totals: 60", self.shell(f"cg2_merge -o sum {pipe} {pipe}; cat sum"))
        self.assertEqual(self.shell(f"cg2_convert {pipe}"), "main 30\n")
        self.assertIn("ok, 1 part", self.shell(f"cg2_annotate --check {pipe}"))
        self.assertIn("30 (100.0%)  TOTAL", self.shell(f"cg2_annotate --summary {pipe}"))
        grouped = self.shell(f"cg2_diff --old={pipe} --old={pipe} --new={pipe} --new={pipe}")
        self.assertIn("Ir is the same, 30", grouped)
        (self.directory / "limits").write_text("[total]\nIr = 29\n")
        judged = self.shell(f"cg2_diff --limits=<(cat limits) {pipe} {pipe} 2>&1 || true")
        self.assertIn("Ir is the same, 30; expected at most 29\n", judged)
        self.assertIn("totals: 30\n", self.shell(f"cg2_convert --to=callgrind {pipe}"))
        page = self.shell(f"cg2_report -o page {pipe}; head -c 15 page")
        self.assertEqual(page.lower(), "<!doctype html>")

    def test_message(self) -> None:
        """A fault is in the pipe, not where its bytes are kept."""
        ended = subprocess.run(
            [f"{TOOLS}/cg2_annotate", "/dev/stdin"], input=b"x\n", capture_output=True
        )
        self.assertEqual(ended.returncode, 1)
        self.assertTrue(ended.stderr.startswith(b"/dev/stdin:1: unknown line 'x'"), ended.stderr)
        self.write("cg2.out.7")
        for asked in "annotate --inlines=yes", "annotate --cycles=zen4", "convert --to=bolt":
            for pipe, name in ("<(cat cg2.out.7)", "/dev/fd/\\d+"), (
                "- < cg2.out.7",
                "standard input",
            ):
                with self.subTest(asked, pipe=pipe):
                    said = self.shell(f"cg2_{asked} {pipe} 2>&1 || true")
                    self.assertRegex(said, rf"\A{name}:\d+: the profile has no addresses")


class Texts(Fixture):
    def test_json(self) -> None:
        """Each line of JSON is one, whatever Unicode takes for a line's end."""
        argument = "a\u2028b\u2029c\u0085d\x7fe"
        self.write("cg2.out.7", argument)
        for options in "--summary --json", "--json":
            text = self.shell(f"cg2_annotate {options} cg2.out.7")
            self.assertEqual(json.loads(text)["cmd"], f"./app {argument}")
            self.assertEqual(text.count("\n"), len(text.splitlines()))

    def test_controls(self) -> None:
        """Names and command lines do nothing to a terminal."""
        self.write("cg2.out.7", "\x1b]0;title\x07\u202e", "f\x1b[2J\x9b5A")
        self.write("cg2.out.8", "x", "g\x1b[2J")
        for command in (
            "cg2_annotate cg2.out.7",
            "cg2_annotate --callgrind cg2.out.7",
            "cg2_annotate --tree=both cg2.out.7",
            "cg2_annotate --summary cg2.out.7",
            "cg2_diff cg2.out.7 cg2.out.8",
        ):
            with self.subTest(command):
                shown = self.shell(command)
                self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
                self.assertIn("\\x1b", shown)

    def test_messages(self) -> None:
        """Names of files in messages do nothing to a terminal: notes, faults, and what cannot be opened."""
        name = "cg2.out.\x1b[2J"
        self.write(name)
        (self.directory / "bad\x1b[2J").write_text("events: Ir\nx\n")
        for command, status in (
            (["cg2_annotate"], 0),
            (["cg2_annotate", "bad\x1b[2J"], 1),
            (["cg2_annotate", "gone\x1b[2J"], 1),
            (["cg2_report", "-o", "p\x1b[2J.html", name], 0),
        ):
            with self.subTest(command):
                ended = subprocess.run(
                    [f"{TOOLS}/{command[0]}", *command[1:]],
                    cwd=self.directory,
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(ended.returncode, status, ended.stderr)
                self.assertIn("\\x1b[2J", ended.stderr)
                self.assertNotIn("\x1b", ended.stderr)

    def test_on_terminal(self) -> None:
        """Colours of ours stay, and letters of all languages."""
        for line in "größe\t日本\u3000語", "a\udcffb":
            self.assertEqual(on_terminal(line), line)
        self.assertEqual(
            on_terminal(f"{RED} 5{PLAIN} f\x1b[2J\r\x1b[0m"),
            "\x1b[1;31m 5\x1b[0m f\\x1b[2J\\r\\x1b[0m",
        )


class Environment(Fixture):
    def test_python(self) -> None:
        """Variables of Python, and modules with the names of its own, are not the commands'."""
        self.write("cg2.out.7")
        (self.directory / "types.py").write_text("raise SystemExit('wrong types')\n")
        for name in sorted(path.name for path in TOOLS.glob("cg2_*") if path.is_file()):
            for variables in {"PYTHONHOME": "/nowhere"}, {"PYTHONPATH": str(self.directory)}:
                with self.subTest(name, **variables):
                    self.assertIn("usage:", self.shell(f"{name} --help", **variables))

    def test_longest_match(self) -> None:
        """The file that has most of the name wins, whichever -I comes first."""
        for name in "one/a.c", "two/src/a.c", "three/lib/src/a.c":
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        one, two, three = (str(self.directory / name) for name in ("one", "two", "three"))
        self.write("cg2.out.7")
        (part,) = read_profile(self.directory / "cg2.out.7").parts
        for name, include, found in (
            ("/x/lib/src/a.c", [one, two, three], f"{three}/lib/src/a.c"),
            ("/x/lib/src/a.c", [one, two], f"{two}/src/a.c"),
            ("/x/lib/b/a.c", [two, one], f"{one}/a.c"),
        ):
            self.assertEqual(SourceFiles(part, include).path(name), found)


class OtherPrograms(unittest.TestCase):
    def test_xdebug(self) -> None:
        """Xdebug does not know where callees begin, and writes two zeros for it: {main} 100 + 20."""
        (part,) = read(
            "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\ncmd: /srv/index.php\npart: 1\n"
            "positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"
            "fl=(1) php:internal\nfn=(1) php::strlen\n3 20 8\n\n"
            "fl=(2) /srv/index.php\nfn=(2) {main}\n1 100 40\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 20 8\n\n"
            "summary: 120 48\n"
        ).parts
        main, strlen = sorted(part.functions.values(), key=lambda function: function.key.name)[::-1]
        self.assertEqual((main.key.name, strlen.key.name), ("{main}", "php::strlen"))
        (call,) = main.calls
        self.assertEqual((call.count, call.inclusive), (1, [20, 8]))
        self.assertEqual(part.self_total(), [120, 48])
        for wrong in "calls=1 0 5", "calls=1 5 0", "calls=1 0 0 +1":
            with self.assertRaises(ProfileError):
                read(f"events: Ir\nfn=f\ncfn=g\n{wrong}\n3 20\n")

    def test_pprofile(self) -> None:
        """The command line of pprofile has a key of its own."""
        (part,) = read(
            "# callgrind format\nversion: 1\ncreator: pprofile\ncmds: python prog.py\n"
            "event: usphit :microseconds/hit\nevents: hits microseconds usphit\n"
            "fl=prog.py\nfn=main:3\n3 2 10 5\ncfl=prog.py\ncfn=f:8\ncalls=1 8\n4 1 7 7\n"
            "fn=f:8\n9 1 7 7\n"
        ).parts
        self.assertEqual((part.cmd, part.self_total()), ("python prog.py", [3, 17, 12]))
