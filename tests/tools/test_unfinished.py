"""A command that is ended while it writes leaves no file, and ends by the signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from toolsupport import TOOLS

from cg2test import HANG
from cg2tools.report.page import TEMPLATE

# Each writes more than a pipe holds.
COMMANDS = ["cg2_merge", "cg2_convert", "cg2_report"]

SIGNALS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


class Unfinished(unittest.TestCase):
    """The unfinished file is a pipe that nobody empties, so that the command is sure to be writing."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.unfinished = self.directory / "out.unfinished"
        for number in SIGNALS:  # a program keeps ignoring what those ignore who started it
            if signal.getsignal(number) is signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
                self.addCleanup(signal.signal, number, signal.SIG_IGN)
        functions = "".join(f"fn=f{i}_{'x' * 90}\n{i} {i + 1}\n" for i in range(4000))
        (self.directory / "profile").write_text(f"events: Ir\n{functions}")

    def start(self, name: str, prepare: str = "") -> tuple[subprocess.Popen[str], int]:
        """The command, and the other end of what it writes, after some of that was read."""
        os.mkfifo(self.unfinished)
        process = subprocess.Popen(
            ["sh", "-c", f'{prepare} exec "$@"', "-", sys.executable]
            + [str(TOOLS / name), "-o", "out", "profile"],
            cwd=self.directory,
            stderr=subprocess.PIPE,
            text=True,
        )
        pipe = os.open(self.unfinished, os.O_RDONLY)
        self.assertEqual(len(os.read(pipe, 1)), 1)
        return process, pipe

    def check_ended(self, process: subprocess.Popen[str], number: signal.Signals) -> None:
        _, said = process.communicate(timeout=HANG)
        self.assertEqual((process.returncode, said), (-number, ""))
        self.assertEqual(os.listdir(self.directory), ["profile"])

    def test_signals(self) -> None:
        for name in COMMANDS:
            for number in SIGNALS:
                if name == "cg2_report" and not TEMPLATE.exists():
                    continue
                with self.subTest(name, number=number):
                    process, pipe = self.start(name)
                    process.send_signal(number)
                    self.check_ended(process, number)
                    os.close(pipe)

    def test_closed_pipe(self) -> None:
        process, pipe = self.start("cg2_merge")
        os.close(pipe)
        self.check_ended(process, signal.SIGPIPE)

    def test_ignored(self) -> None:
        """Under nohup a command goes on when its terminal is closed."""
        process, pipe = self.start("cg2_merge", prepare="trap '' HUP;")
        process.send_signal(signal.SIGHUP)
        while os.read(pipe, 1 << 16):
            pass
        os.close(pipe)
        _, said = process.communicate(timeout=HANG)
        self.assertEqual((process.returncode, said), (0, ""))
        self.assertEqual(sorted(os.listdir(self.directory)), ["out", "profile"])


if __name__ == "__main__":
    unittest.main()
