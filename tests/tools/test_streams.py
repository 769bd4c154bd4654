"""Standard streams that are closed, or that nothing can be written to: a command says so in one line."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from toolsupport import TOOLS

import starts
from cg2test import HANG
from cg2tools.report.page import TEMPLATE

# Each command, as it writes to standard output.
WRITING = [
    ["cg2_annotate", "FILE"],
    ["cg2_annotate", "--json", "FILE"],
    ["cg2_control"],
    ["cg2_convert", "FILE"],
    ["cg2_convert", "--to=pprof", "FILE"],
    ["cg2_convert", "--to=callgrind", "FILE"],
    ["cg2_diff", "FILE", "FILE"],
    ["cg2_diff", "--markdown", "FILE", "FILE"],
    ["cg2_merge", "--imbalance", "FILE", "FILE"],
    ["cg2_merge", "-o", "-", "FILE", "FILE"],
    ["cg2_report", "-o", "-", "FILE"],
]
NAMES = sorted({command[0] for command in WRITING})


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.text = "events: Ir\nfn=f\n1 1\ncfn=g\ncalls=1 1\n1 2\nfn=g\n1 2\n"
        (self.directory / "FILE").write_text(self.text)

    def run_command(self, command: list[str], streams: starts.Streams) -> tuple[int, str, str]:
        """Exit status, output and messages of a command whose streams lead elsewhere."""
        if command[0] == "cg2_report" and "--help" not in command and not TEMPLATE.exists():
            self.skipTest("tools/report is not built")
        ended = starts.run(
            [TOOLS / command[0], *command[1:]],
            directory=self.directory,
            limit=HANG,
            environment={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=self.text,
            streams=streams,
            errors="replace",
        )
        return ended.returncode, ended.stdout, ended.stderr

    def test_output(self) -> None:
        """An error is one line, and has status 1; of helps and versions, too."""
        wrong: list[tuple[starts.Streams, str]] = [
            ({1: None}, "Bad file descriptor"),
            ({1: None, 0: None}, "Bad file descriptor"),
            ({1: "/dev/full"}, "No space left on device"),
        ]
        for streams, error in wrong:
            for command in (
                *WRITING,
                *([name, option] for name in NAMES for option in ("--help", "--version")),
            ):
                with self.subTest(command, streams=streams):
                    said = f"standard output: {error}\n"
                    status, output, errors = self.run_command(command, streams)
                    self.assertEqual(
                        (status, output, errors.removeprefix("cg2_control: ")), (1, "", said)
                    )

    def test_messages(self) -> None:
        """What nobody hears changes neither output nor status."""
        for command in (*WRITING, ["cg2_control", "--help"]):
            if command == ["cg2_control"]:  # lists what happens to run
                continue
            for streams in {2: None}, {0: None}, {0: None, 2: None}:
                with self.subTest(command, streams=streams):
                    status, output, _ = self.run_command(command, {})
                    said = self.run_command(command, streams)
                    self.assertEqual((status, said), (0, (0, output, "")))
        for name in NAMES:
            self.assertEqual(self.run_command([name, "--no-such"], {2: None}), (2, "", ""))
        for name in "cg2_annotate", "cg2_convert", "cg2_report":
            self.assertEqual(self.run_command([name, "nosuch"], {2: None}), (1, "", ""))

    def test_input(self) -> None:
        """A profile from standard input."""
        for name, *rest in [
            ["cg2_annotate"],
            ["cg2_convert"],
            ["cg2_convert", "--from=folded"],
            ["cg2_diff", "FILE"],
            ["cg2_report"],
        ]:
            self.assertEqual(
                self.run_command([name, *rest, "-"], {0: None}),
                (1, "", "standard input: Bad file descriptor\n"),
            )

    def test_files(self) -> None:
        """No file that is read or written becomes a standard stream."""
        closed = {0: None, 1: None, 2: None}
        for command in (
            ["cg2_merge", "-o", "OUT", "FILE", "FILE"],
            ["cg2_convert", "--to=callgrind", "-o", "OUT", "FILE"],
            ["cg2_convert", "-o", "OUT", "FILE"],
        ):
            self.assertEqual(self.run_command(command, {}), (0, "", ""))
            expected = (self.directory / "OUT").read_bytes()
            (self.directory / "OUT").unlink()
            self.assertEqual(self.run_command(command, closed), (0, "", ""))
            self.assertEqual((self.directory / "OUT").read_bytes(), expected)
        self.assertEqual(self.run_command(["cg2_convert", "FILE"], closed), (1, "", ""))
        self.assertEqual((self.directory / "FILE").read_text(), self.text)


if __name__ == "__main__":
    unittest.main()
