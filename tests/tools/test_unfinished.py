"""What a command writes appears when it is complete, whatever else writes to its directory, and however the
command ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from toolsupport import TOOLS

from cg2test import HANG, compile
from cg2tools.report.page import TEMPLATE

COMMANDS = ["cg2_merge", "cg2_convert", "cg2_report"]

SIGNALS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP

UNFINISHED = re.compile(r"out\.[0-9]+-[0-9a-f]{8}\.unfinished")


class Fixture(unittest.TestCase):
    """A command waits before its file gets its name, until there is a file called "go": latename.c."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.waiting = compile("latename.c", "-shared", "-fPIC")
        for number in SIGNALS:  # a program keeps ignoring what those ignore who started it
            if signal.getsignal(number) is signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
                self.addCleanup(signal.signal, number, signal.SIG_IGN)
        self.write("profile", 1)
        self.write("other", 2)

    def write(self, name: str, cost: int) -> None:
        """A profile of more functions than a pipe holds, each of this cost."""
        functions = "".join(f"fn=f{i}_{'x' * 90}\n{i} {cost}\n" for i in range(4000))
        (self.directory / name).write_text(f"events: Ir\n{functions}")

    def start(
        self, name: str, given: str = "profile", prepare: str = "", waits: bool = True
    ) -> subprocess.Popen[str]:
        command = ["sh", "-c", f'{prepare} exec "$@"', "-", sys.executable]
        command += [str(TOOLS / name), "-o", "out", given]
        preload = {"LD_PRELOAD": str(self.waiting)} if waits else {}
        environment = os.environ | preload
        return self.awaited(command, waits, cwd=self.directory, env=environment)

    def awaited(self, command: list[str], waits: bool = True, **told: Any) -> subprocess.Popen[str]:
        """A process, once it says that it waits."""
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **told)
        self.addCleanup(process.kill)
        until = time.monotonic() + HANG
        while waits and not (self.directory / f"waits.{process.pid}").exists():
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return process

    def left(self) -> list[str]:
        """The files that there are beside the profiles."""
        names = set(os.listdir(self.directory)) - {"profile", "other", "go"}
        return sorted(name for name in names if not name.startswith("waits."))

    def check_ended(self, process: subprocess.Popen[str], status: int) -> None:
        _, said = process.communicate(timeout=HANG)
        if "; open it in a browser" in said:  # what a page is good for
            said = ""
        self.assertEqual((process.returncode, said), (status, ""))


class Ended(Fixture):
    """A command that is ended while it writes leaves no file, and ends by the signal."""

    def test_signals(self) -> None:
        """Where the library writes, and where Python does."""
        for name in (*COMMANDS[:2], "page"):
            for number in SIGNALS:
                with self.subTest(name, number=number):
                    process = self.start_page() if name == "page" else self.start(name)
                    (unfinished,) = self.left()
                    self.assertRegex(unfinished, UNFINISHED)
                    process.send_signal(number)
                    self.check_ended(process, -number)
                    self.assertEqual(self.left(), [])

    def start_page(self) -> subprocess.Popen[str]:
        """What writes pages, once it has written the beginning of one."""
        program = (
            "import os, signal, time; from cg2tools.profile.outputfile import write_file;"
            "signal.signal(signal.SIGINT, signal.SIG_DFL);"
            "pieces = (time.sleep(n) or open(f'waits.{os.getpid()}', 'w').name.encode() for n in (0, 999));"
            "write_file('out', pieces)"
        )
        environment = os.environ | {"PYTHONPATH": str(TOOLS)}
        return self.awaited([sys.executable, "-c", program], cwd=self.directory, env=environment)

    def test_closed_pipe(self) -> None:
        """A pipe is written as it is, and stays."""
        os.mkfifo(self.directory / "out")
        process = self.start("cg2_merge", waits=False)
        pipe = os.open(self.directory / "out", os.O_RDONLY)
        self.assertEqual(len(os.read(pipe, 1)), 1)
        os.close(pipe)
        self.check_ended(process, -signal.SIGPIPE)
        self.assertEqual(self.left(), ["out"])

    def test_ignored(self) -> None:
        """Under nohup a command goes on when its terminal is closed."""
        process = self.start("cg2_merge", prepare="trap '' HUP;")
        process.send_signal(signal.SIGHUP)
        (self.directory / "go").touch()
        self.check_ended(process, 0)
        self.assertEqual(self.left(), ["out"])


class Others(Fixture):
    """Who may write to the directory."""

    def test_two_commands(self) -> None:
        """Two that write one file at a time: it is what one of them wrote, whole."""
        for name in COMMANDS[:2]:
            with self.subTest(name):
                wanted = []
                (self.directory / "go").touch()
                for given in ("profile", "other"):
                    self.check_ended(self.start(name, given, waits=False), 0)
                    wanted.append((self.directory / "out").read_bytes())
                (self.directory / "go").unlink()
                both = [self.start(name, given) for given in ("profile", "other")]
                (self.directory / "go").touch()
                for process in both:
                    self.check_ended(process, 0)
                self.assertIn((self.directory / "out").read_bytes(), wanted)
                self.assertEqual(self.left(), ["out"])
                (self.directory / "go").unlink()

    def test_links(self) -> None:
        """A link with the name that a file had until it was complete is not followed, nor is it in the way;
        one with the file's own name is replaced."""
        victim = self.directory / "victim"
        for name in COMMANDS:
            if name == "cg2_report" and not TEMPLATE.exists():
                continue
            with self.subTest(name):
                victim.write_text("precious")
                for link in ("out.unfinished", "out"):
                    (self.directory / link).unlink(missing_ok=True)
                    (self.directory / link).symlink_to(victim)
                self.check_ended(self.start(name, waits=False), 0)
                self.assertEqual(victim.read_text(), "precious")
                self.assertFalse((self.directory / "out").is_symlink())
                self.assertEqual(self.left(), ["out", "out.unfinished", "victim"])

    def test_mounted_alone(self) -> None:
        """A file that cannot be replaced is written in place."""
        if os.geteuid() != 0:
            self.skipTest("only root can mount a file")
        for name in COMMANDS[:2]:
            with self.subTest(name):
                (self.directory / "out").write_text("old")
                (self.directory / "outside").write_text("old" * 100_000)
                command = f"mount --bind outside out && exec {sys.executable} {TOOLS / name} -o out profile"
                ended = subprocess.run(
                    ["unshare", "-m", "sh", "-c", command],
                    cwd=self.directory,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if "unshare failed" in ended.stderr or "mount:" in ended.stderr:
                    self.skipTest(ended.stderr.strip())
                self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                self.assertEqual((self.directory / "out").read_text(), "old")
                self.check_ended(self.start(name, waits=False), 0)
                self.assertEqual(
                    (self.directory / "outside").read_bytes(), (self.directory / "out").read_bytes()
                )
                self.assertEqual(self.left(), ["out", "outside"])


if __name__ == "__main__":
    unittest.main()
