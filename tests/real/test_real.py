"""Real programs of all kinds: under cg2 they do what they do without it, and leave profiles that are right.

programs.py says which they are.
"""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import textrules  # noqa: E402  (found through the path just set)
from case import FULL, Case  # noqa: E402
from cg2test import (
    HANG,
    SOURCE,
    can_run_32_bits,
    env,
    lean_env,
    new_directory,
    run_cg2,
)  # noqa: E402
from cg2tools.profile.model import Part  # noqa: E402
from cg2tools.profile.reader import read_profile  # noqa: E402
from facts import Graph  # noqa: E402
from programs import PROGRAMS, Program  # noqa: E402


# How often the prose is in the text. Programs that work on blocks of 32 KiB still have more than one of them.
COPIES = 8 if FULL else 2


def place() -> Path:
    """A directory for a program to run in: the inputs, a text and a manual page."""
    directory = new_directory() / "run"
    shutil.copytree(HERE / "inputs", directory)
    (directory / "text").write_text((SOURCE / "COPYING").read_text() * COPIES)
    shutil.copy(SOURCE / "docs" / "cg2.1", directory / "page.1")
    return directory


def native(
    command: list[str], directory: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """A run without a tool."""
    return subprocess.run(
        ["setarch", "-R", *command],
        cwd=directory,
        env=lean_env(),
        input=stdin,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )


class Real(Case):
    """A test for each program; add_test below makes them."""

    def check_program(self, program: Program) -> None:
        """Run it without and with cg2, and compare; then check the profiles."""
        command = shlex.split(program.command)
        self.require(program, program.needs.split() or [command[0]])
        alone = self.prepared(program)
        watched = shutil.copytree(alone, new_directory() / "run")
        stdin = (alone / program.stdin).read_text() if program.stdin else ""
        profiles = new_directory()
        logs = new_directory()
        run = run_cg2(
            command,
            *program.options.split(),
            f"--log-file={logs}/%p",
            out_file=f"{profiles}/%p",
            directory=watched,
            stdin=stdin,
            environment=lean_env(),
        )
        expected = native(command, alone, stdin)
        if run.status == -signal.SIGILL != expected.returncode:
            self.require_valgrind(command, alone, stdin)
        log = "".join(path.read_text() for path in sorted(logs.iterdir()))
        self.assertEqual(run.stdout, expected.stdout, log)
        self.assertEqual(run.stderr, expected.stderr, log)
        self.assertEqual(run.status, expected.returncode, log)
        for name in program.made.split():
            self.assertTrue(
                (watched / name).read_bytes() == (alone / name).read_bytes(), f"{name} differs"
            )
        images = program.images.split() or [Path(command[0]).name]
        paths = sorted(profiles.iterdir())
        self.assertGreaterEqual(len(paths), program.profiles, "profiles")
        self.check_profiles(paths, set(images))
        if program.roots:
            for path in paths:
                roots = Graph(checked(path)).roots()
                self.assertLessEqual(len(roots), program.roots, roots)

    def require(self, program: Program, needed: list[str]) -> None:
        """Skip the test where something is not installed."""
        for name in needed:
            if not shutil.which(name, path=env()["PATH"]):
                self.skipTest(
                    f"{name} is not installed (Debian: apt-get install {program.package})"
                )
        if program.package == "gcc-multilib" and not can_run_32_bits():
            self.skipTest("no 32-bit programs here")

    def require_valgrind(self, command: list[str], directory: Path, stdin: str) -> None:
        """Skip the test where no tool runs the program: Valgrind says that there is RDTSCP, and does not know
        it on a processor without."""
        run = run_cg2(
            command,
            tool="none",
            out_file=None,
            directory=directory,
            stdin=stdin,
            environment=lean_env(),
        )
        if run.status == -signal.SIGILL:
            unhandled = re.search("unhandled instruction bytes: [^\n]*", run.stderr)
            self.skipTest(f"Valgrind does not run it here: {unhandled and unhandled[0]}")

    def prepared(self, program: Program) -> Path:
        """A directory for the program to run in, with what it makes first."""
        directory = place()
        if program.prepare:
            ended = native(shlex.split(program.prepare), directory)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        return directory

    def check_profiles(self, paths: list[Path], images: set[str]) -> None:
        """Each is right in itself, and each of `images` left one; Callgrind's reader takes the largest."""
        ran = set()
        for path in paths:
            part = checked(path)
            ran.add(Path(part.cmd.split()[0]).name)
        self.assertEqual(images - ran, set(), f"left no profile; these did: {ran}")
        largest = max(paths, key=lambda path: path.stat().st_size)
        self.assertEqual(textrules.faults(largest), [])
        self.check_annotate(largest, checked(largest))


def checked(path: Path) -> Part:
    """The one part of a profile; its summary and totals are the sum of self costs, which is not 0."""
    (part,) = read_profile(path).parts
    assert part.summary is not None and part.totals is not None, path
    part.check()
    assert part.self_total()[0] > 0, path
    return part


def add_test(program: Program) -> None:
    """Give Real the test of one program."""

    def test(self: Real) -> None:
        self.check_program(program)

    test.__doc__ = f"{program.command[:60]}: as without a tool, and profiled."
    test.full = program.full  # type: ignore[attr-defined]
    setattr(Real, f"test_{program.name}", test)


for each in PROGRAMS:
    add_test(each)

if __name__ == "__main__":
    unittest.main()
