"""An object names other files for its debug information: a pipe among them makes nobody wait."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from cg2tools.debug.libcg2debug import DebugError, DebugObject

PATIENCE = 20  # seconds
PROGRAM = "static int a[4]; int f(int x) { return a[x]; } int main(void) { return f(0); }\n"


class Pipes(unittest.TestCase):
    def setUp(self) -> None:
        for program in "gcc", "objcopy":
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed (Debian: apt-get install gcc)")
        folder = tempfile.TemporaryDirectory(prefix="cg2debug-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        (self.directory / "a.c").write_text(PROGRAM)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        self.addCleanup(signal.alarm, 0)

    def run_line(self, line: str) -> None:
        subprocess.run(["sh", "-ec", line], cwd=self.directory, check=True)

    def said(self, name: str) -> str:
        """Why an object has no debug information; "": it has some."""
        pid = os.fork()
        if not pid:  # what waits in a library cannot be ended otherwise
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)
            said = "x"
            try:
                with DebugObject(str(self.directory / name)) as debug:
                    said = "" if len(debug.statics()) else "nothing"
            except DebugError as error:
                said = str(error)
            (self.directory / "said").write_text(said)
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(status, 0, "it waited")
        return (self.directory / "said").read_text()

    def test_link(self) -> None:
        self.run_line("gcc -g a.c -o a; objcopy --only-keep-debug a a.debug; objcopy -g a b")
        self.run_line("objcopy --add-gnu-debuglink=a.debug b")
        self.assertEqual(self.said("b"), "")
        for place in "", ".debug/":
            self.run_line(f"mkdir -p .debug; rm -f a.debug; mkfifo {place}a.debug")
            self.assertIn("it has no debug information", self.said("b"))
            self.run_line(f"rm {place}a.debug")

    def test_split(self) -> None:
        self.run_line("gcc -g -gsplit-dwarf a.c -o a")
        self.assertEqual(self.said("a"), "")
        (dwo,) = self.directory.glob("*.dwo")
        dwo.unlink()
        os.mkfifo(dwo)
        self.assertIn("a .dwo file of it is no file", self.said("a"))

    def test_object(self) -> None:
        os.mkfifo(self.directory / "p")
        self.assertIn("it is no file", self.said("p"))
