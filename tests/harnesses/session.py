"""A program that waits under Callgrind, to be talked to."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from cg2test import HANG
from launcher import Launcher, application, profiles_in, scratch, wait_for


class Session:
    """dropin.c waits after region(1), and after each further one until `go_on`."""

    def __init__(self, launcher: Launcher, *options: str) -> None:
        self.launcher = launcher
        self.directory = scratch()
        # Pipes of other runs on this machine are elsewhere.
        self.environment = launcher.environment(TMPDIR=str(self.directory))
        (self.directory / "app").symlink_to(application())
        self.process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=out", *options, "./app", "wait"],
            cwd=self.directory,
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Session:
        wait_for(self.directory / "ready", self.process)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def say(self, *command: str) -> list[str]:
        """What a command prints, line by line, with N for each number and PID for the process; and its
        status."""
        words = [word.replace("PID", str(self.process.pid)) for word in command]
        ended = self.launcher.run(
            *words, directory=self.directory, environment=self.environment, status=None
        )
        said = (ended.stdout + ended.stderr).replace(str(self.process.pid), "PID")
        return [
            *re.sub(r"\d[\d,]*", "N", re.sub(r" +", " ", said)).splitlines(),
            f"status {ended.returncode}",
        ]

    def go_on(self) -> None:
        (self.directory / "ready").unlink()
        wait_for(self.directory / "ready", self.process)

    def end(self) -> int:
        """Let the program run to its end; its exit status."""
        while self.process.poll() is None:
            (self.directory / "ready").unlink(missing_ok=True)
        return self.process.wait(HANG)

    def profiles(self) -> list[Path]:
        return profiles_in(self.directory, "out*")


def triggers(paths: Sequence[Path]) -> list[str]:
    """Why each part was written."""
    lines = [line for path in paths for line in path.read_text().splitlines()]
    return [line for line in lines if line.startswith("desc: Trigger:")]
