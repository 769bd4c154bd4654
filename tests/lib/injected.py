"""System calls that fail, one at a time: strace has one call of a run fail, and counts them.

    for fault in faults(command, directory, ["write"], ["ENOSPC", "EIO"], environment):
        ended = fault.run()

Only calls that name `directory`, or a file there that is open, are made to fail. The command has to make the
same calls each time.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cg2test import HANG, new_directory

Ended = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Fault:
    """The call of a command that fails."""

    command: Sequence[str]
    environment: Mapping[str, str]
    call: str
    number: int  # of the calls of this name
    error: str

    def run(self) -> Ended:
        """Run the command while only this call fails, as it has to."""
        inject = f"inject={self.call}:error={self.error}:when={self.number}"
        # No other call stops, which is half of what a run takes; strace wants -f for that.
        only = ["-f", "--seccomp-bpf", "-e", f"trace={self.call}"]
        log = new_directory() / "log"
        ended = traced(self.command, self.environment, "-o", str(log), *only, "-e", inject)
        assert "(INJECTED)" in log.read_text(), self
        return ended

    def __str__(self) -> str:
        return f"{self.call} {self.number} fails with {self.error}"


def need_strace() -> None:
    """Skip a test where there is no strace, or it may not trace."""
    if not shutil.which("strace"):
        raise unittest.SkipTest("there is no strace (Debian: apt-get install strace)")
    ended = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    if ended.returncode:
        raise unittest.SkipTest("strace may not trace here")


def traced(command: Sequence[str], environment: Mapping[str, str], *options: str) -> Ended:
    return subprocess.run(
        ["strace", "-qq", *options, *command],
        env=dict(environment),
        cwd=new_directory(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )


def faults(
    command: Sequence[str],
    directory: Path,
    calls: Sequence[str],
    errors: Sequence[str],
    environment: Mapping[str, str],
) -> Iterator[Fault]:
    """Each call of these names that concerns a file in `directory`, failing in each of these ways."""
    log = new_directory() / "log"
    names = ",".join(f"?{call}" for call in calls)
    traced(command, environment, "-y", "-s", "4096", "-o", str(log), "-e", f"trace={names}")
    text = log.read_text()
    for call in calls:
        lines = re.findall(rf"^{call}\(.*", text, re.MULTILINE)
        for number, line in enumerate(lines, 1):
            if f"{directory}/" in line:
                for error in errors:
                    yield Fault(command, environment, call, number, error)
