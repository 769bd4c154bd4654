"""A process id that is used again: what another run has left stays, and the files of a run go together."""

from __future__ import annotations

import subprocess
import unittest
from collections.abc import Sequence
from pathlib import Path

from cg2test import TOOL, compile, env, new_directory
from cg2tools.commandline.inputs import file_beside
from cg2tools.profile.reader import read_profile

# Puts files with the id of this process there, as a run before it left them, and becomes a profiled program.
SCRIPT = 'for name in $OLDER; do echo older >"$(echo $name | sed s/PID/$$/)"; done; exec "$@"'
KINDS = ["cg2.out", "cg2.data", "cg2.paths"]
ALL = ["--data=accesses", "--contexts=full"]


class Reused(unittest.TestCase):
    def left(
        self, older: str, *options: str, program: str = "calls.c", arguments: Sequence[str] = ()
    ) -> tuple[Path, dict[str, str]]:
        """The directory, and the files in it, with PID for the id of the process; "older": as it
        was."""
        where = new_directory()
        command = ["/bin/sh", "-c", SCRIPT, "sh", "valgrind", f"--tool={TOOL}", *options]
        ended = subprocess.run(
            [*command, str(compile(program, "-O0")), *arguments],
            cwd=where,
            env=env(OLDER=older),
            capture_output=True,
            text=True,
            check=True,
        )
        self.pid = ended.stderr.partition("==")[2].partition("==")[0]
        files = sorted(path.name for path in where.iterdir() if path.is_file())
        texts = {name: (where / name).read_text() for name in files}
        return where, {
            name.replace(self.pid, "PID"): "older" if text == "older\n" else text
            for name, text in texts.items()
        }

    def test_together(self) -> None:
        """Whichever of the files is there, all three get the name of a second run, and go together."""
        for older in KINDS:
            with self.subTest(older):
                where, found = self.left(f"{older}.PID", *ALL)
                self.assertEqual(
                    set(found), {f"{older}.PID", *(f"{kind}.PID.run2" for kind in KINDS)}
                )
                self.assertEqual(found[f"{older}.PID"], "older")
                profile = where / f"cg2.out.{self.pid}.run2"
                for part in read_profile(profile).parts:
                    part.check()
                for kind in "data", "paths":
                    beside = where / f"cg2.{kind}.{self.pid}.run2"
                    self.assertEqual(file_beside(str(profile), kind), str(beside))

    def test_third(self) -> None:
        """The number is the first one that no file of the run's names has."""
        _, found = self.left("cg2.out.PID cg2.data.PID.run2", *ALL)
        left = {"cg2.out.PID", "cg2.data.PID.run2"}
        self.assertEqual(set(found), {*left, *(f"{kind}.PID.run3" for kind in KINDS)})
        self.assertEqual({found[name] for name in left}, {"older"})

    def test_parts(self) -> None:
        """Parts are those of the run."""
        _, found = self.left("cg2.out.PID", "--dump-before=leaf", program="parts.c")
        own = {name for name, text in found.items() if text != "older"}
        self.assertTrue({"cg2.out.PID.run2", "cg2.out.PID.run2.1"} <= own, own)
        self.assertEqual(found["cg2.out.PID"], "older")

    def test_programs(self) -> None:
        """What a program of the process has left before it was replaced is not another run's."""
        options = ["--trace-children=yes", "--combine-dumps=yes", "--dump-before=once"]
        for older, own in ("", "cg2.out.PID"), ("cg2.out.PID", "cg2.out.PID.run2"):
            with self.subTest(older):
                _, found = self.left(older, *options, program="exec.c", arguments=["2"])
                names = {own, f"{own}.exec1", f"{own}.exec2", *older.split()}
                self.assertEqual(set(found), names)

    def test_as_before(self) -> None:
        """A name without %p is what the user says; with --keep-all=no a run overwrites what is there."""
        _, found = self.left("one.PID", "--cg2-out-file=one.%p")
        self.assertEqual(set(found), {"one.PID", "one.PID.run2"})
        _, found = self.left("cg2.out.PID", "--keep-all=no")
        self.assertEqual(list(found), ["cg2.out.PID"])
        self.assertNotEqual(found["cg2.out.PID"], "older")
        _, found = self.left("one", "--cg2-out-file=one")
        self.assertEqual(list(found), ["one"])
        self.assertNotEqual(found["one"], "older")


if __name__ == "__main__":
    unittest.main()
