"""cg2 is as fast in Callgrind's place as under its own name."""

from __future__ import annotations

import os
import subprocess
import unittest
from pathlib import Path

from cg2test import IN_PLACE
from launcher import OURS, STOCK, Harness, Launcher, scratch

ROUNDS = 3
# The name decides nothing that runs often. The rest is for what else runs on the machine.
SLOWER_AT_MOST = 1.2

PROGRAM = ["/usr/bin/python3", "-I", "-S", "-c", "sum(i * i for i in range(20000))"]


def seconds(launcher: Launcher, directory: Path, tool: str, **more: str) -> float:
    """User and system CPU time of a run."""
    process = subprocess.Popen(
        ["/usr/bin/setarch", "-R", launcher.valgrind, "-q", f"--tool={tool}", *PROGRAM],
        cwd=directory,
        env=launcher.environment(**more) | more,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return float(usage.ru_utime + usage.ru_stime)


class Speed(Harness):
    alone = True

    def test_as_callgrind(self) -> None:
        """A run takes about as long under either name, or the fastest of a few do."""
        if not OURS.valgrind.exists():
            self.skipTest(f"there is no {OURS.valgrind}")
        directory = scratch()
        as_callgrind, as_cg2 = [], []
        for _ in range(ROUNDS):
            as_callgrind.append(seconds(OURS, directory, "callgrind"))
            as_cg2.append(seconds(STOCK, directory, "cg2", VALGRIND_LIB=str(IN_PLACE)))
            if min(as_callgrind) < SLOWER_AT_MOST * min(as_cg2):
                break
        else:
            self.fail(f"{as_callgrind} s as Callgrind, {as_cg2} s as cg2")


if __name__ == "__main__":
    unittest.main()
