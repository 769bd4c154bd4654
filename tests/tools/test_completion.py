"""What shells complete: typed into real ones, on a terminal, with the key that asks for it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from toolsupport import TOOLS

from cg2test import PATIENCE
from cg2tools.commandline.parser import forms_of
from cg2tools.door.commands import DOOR, SCRIPTS, found
from cg2tools.reference.shells import SHELLS, completed, options_of, write_all

# What is typed, and the words that it becomes.
TYPED = [
    ("cg2_annotate --thres\t50 ", ["--threshold=50"]),
    ("cg2_annotate --tree=calli\t", ["--tree=calling"]),
    ("cg2_annotate --tree calli\t", ["--tree", "calling"]),
    ("cg2_annotate --inclus\ty\t", ["--inclusive=yes"]),
    ("cg2_annotate --view=file\t", ["--view=file:function"]),
    ("cg2_annotate --check=c\t", ["--check=calls"]),
    ("cg2_annotate --jso\tcg2.out.4\t", ["--json", "cg2.out.4711"]),
    ("cg2_annotate --check cg2.out.4\t", ["--check", "cg2.out.4711"]),
    ("cg2_annotate -I sou\t", ["-I", "sources"]),
    ("cg2_convert --to=spe\t--out\tapp.json ", ["--to=speedscope", "--output=app.json"]),
    ("cg2_convert --for=g\tu\t", ["--for=gungraun"]),
    (
        "cg2_diff --fold-t\ty\tcg2.out.4\tcg2.out.4\t",
        ["--fold-templates=yes", "cg2.out.4711", "cg2.out.4711"],
    ),
    ("cg2_merge -o mer\t--imb\tcg2.out.4\t", ["-o", "merged", "--imbalance", "cg2.out.4711"]),
    ("cg2_control -i of\t", ["-i", "off"]),
    ("cg2_control --ins\ton 47\t", ["--instr=on", "4711"]),
    ("cg2 thr\t--colum\tpa\tcg2.out.4\t", ["threads", "--columns=part", "cg2.out.4711"]),
    ("cg2 data --data-o\tnode ", ["data", "--data-object=node"]),
    ("cg2 top 47\t", ["top", "4711"]),
]


class Completion(unittest.TestCase):
    """A directory with files to complete, and commands that tell what they are given."""

    directory: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        cls.addClassCleanup(folder.cleanup)
        cls.directory = Path(folder.name)
        (cls.directory / "cg2.out.4711").touch()
        (cls.directory / "merged").touch()
        (cls.directory / "sources").mkdir()
        write_all(cls.directory / "completion")
        programs = cls.directory / "bin"
        programs.mkdir()
        for name in (*SCRIPTS, "cg2"):
            path = programs / name
            path.write_text(
                '#!/bin/sh\nif [ $# = 0 ]; then echo "PID 4711: ./app --fast"; echo "PID 52: b"; exit; fi\n'
                f"printf '%s\\n' \"$@\" >{cls.directory}/given.new\nmv {cls.directory}/given.new "
                f"{cls.directory}/given\n"
            )
            path.chmod(0o755)

    def check_typed(self, shell: list[str], prepare: str) -> None:
        if not shutil.which(shell[0]):
            self.skipTest(f"{shell[0]} is not installed (Debian: apt-get install {shell[0]})")
        terminal = Terminal(self.directory, shell)
        self.addCleanup(terminal.close)
        terminal.type(prepare + "\n")
        terminal.type("echo ready''now\n")
        terminal.wait_for("readynow")
        for typed, expected in TYPED:
            with self.subTest(typed):
                given = self.directory / "given"
                given.unlink(missing_ok=True)
                for piece in re.split(r"(?<=\t)", typed):
                    terminal.type(piece)
                    terminal.settle()
                terminal.type("\n")
                end = time.monotonic() + PATIENCE
                while not given.exists() and time.monotonic() < end:
                    time.sleep(0.05)
                self.assertTrue(given.exists(), terminal.said[-2000:])
                self.assertEqual(
                    [word.rstrip("/") for word in given.read_text().splitlines()], expected
                )

    def test_bash(self) -> None:
        self.check_typed(
            ["bash", "--norc", "--noprofile", "-i"],
            "bind 'set bell-style none'; for f in completion/bash/*; do . $f; done",
        )

    def test_zsh(self) -> None:
        self.check_typed(
            ["zsh", "-f", "-i"],
            "fpath=($PWD/completion/zsh $fpath); autoload -Uz compinit; compinit -u -D",
        )

    def test_fish(self) -> None:
        """fish tells what it would complete."""
        if not shutil.which("fish"):
            self.skipTest("fish is not installed (Debian: apt-get install fish)")
        for line, expected in (
            ("cg2_annotate --tree=ca", ["--tree=caller", "--tree=calling"]),
            ("cg2_annotate --view=file", ["--view=file:function"]),
            ("cg2_annotate --js", ["--json"]),
            ("cg2_merge -o mer", ["merged"]),
            ("cg2_control -i o", ["off", "on"]),
            ("cg2_control 47", ["4711"]),
            ("cg2 mi", ["misses"]),
            ("cg2 files --view=func", ["--view=function:file"]),
            ("cg2 top 47", ["4711"]),
        ):
            ended = subprocess.run(
                [
                    "fish",
                    "--no-config",
                    "-c",
                    f"for f in completion/fish/*; source $f; end; complete -C '{line}'",
                ],
                cwd=self.directory,
                env=environment(self.directory),
                capture_output=True,
                text=True,
                check=True,
            )
            words = [text.partition("\t")[0] for text in ended.stdout.splitlines()]
            self.assertEqual(sorted(words), expected, line)


class Tables(unittest.TestCase):
    def test_every_command(self) -> None:
        self.assertEqual({*SCRIPTS}, {path.name for path in TOOLS.glob("cg2_*")})
        self.assertEqual({*completed()}, {*SCRIPTS, "cg2"})
        self.assertEqual({*completed()["cg2"]}, {*DOOR})

    def test_every_option(self) -> None:
        """Each option is in each shell's file, and is explained."""
        for program, commands in completed().items():
            for option in (option for options in commands.values() for option in options):
                self.assertTrue(option.meaning, option)
            for name, (text_of, _) in SHELLS.items():
                text = text_of(program, commands)
                for option in (option for options in commands.values() for option in options):
                    for long in option.long:
                        self.assertRegex(
                            text, f"-l {long[2:]}\\b" if name == "fish" else f"{long}\\b"
                        )

    def test_values(self) -> None:
        """Where the help lists values, they are those that are completed."""
        for place in (*SCRIPTS.values(), *DOOR.values()):
            parser = found(place).parser()
            values = {
                name: option.values for option in options_of(parser) for name in option.names()
            }
            for action in (action for group in parser.all_groups() for action in group.actions):
                for flag, behind in forms_of(action):
                    shown = re.fullmatch(r"[= ]((?:[\w:]+\|)+[\w:]+)", behind)
                    if shown:
                        self.assertEqual(sorted(values[flag]), sorted(shown[1].split("|")), flag)


def environment(directory: Path) -> dict[str, str]:
    return {
        "PATH": f"{directory}/bin:{os.environ['PATH']}",
        "HOME": str(directory / "completion"),
        "LC_ALL": "C.UTF-8",
        "TERM": "dumb",
    }


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, directory: Path, command: list[str]) -> None:
        self.said = ""
        master, slave = pty.openpty()
        self.master = master
        self.process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment(directory),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def settle(self, quiet: float = 0.25) -> None:
        """Read until nothing comes any more."""
        while select.select([self.master], [], [], quiet)[0]:
            self.said += os.read(self.master, 4096).decode(errors="replace")

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.said:
            if time.monotonic() > end:
                raise AssertionError(f"no {text!r} in {self.said!r}")
            self.settle(0.1)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


if __name__ == "__main__":
    unittest.main()
