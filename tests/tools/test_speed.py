"""cg2_annotate beside callgrind_annotate on profiles of 50 MB: time and memory. Only with --full."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from largeprofiles import write_large, write_large_by_line
from toolsupport import TOOLS

from cg2tools.profile.reader import read_profile


# In a process between, as the kernel reports at least the resident set of the process that started one.
MEASURE = """
import os, sys
to = (os.POSIX_SPAWN_OPEN, 1, sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
process = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, file_actions=[to])
_, status, usage = os.wait4(process, 0)
print(status, usage.ru_utime, usage.ru_maxrss)
"""


def cost(command: list[str], output: Path) -> tuple[float, int]:
    """User time in seconds and the largest resident set in KB of a command that succeeds."""
    measure = [sys.executable, "-c", MEASURE, str(output), *command]
    said = subprocess.run(measure, stdout=subprocess.PIPE, text=True, check=True).stdout
    status, seconds, memory = said.split()
    assert status == "0", command
    return float(seconds), int(memory)


READ = """
import sys
sys.path.insert(0, sys.argv[1])
from cg2tools.profile import libcg2profile
libcg2profile.read(sys.argv[2], detail=libcg2profile.FUNCTIONS)
"""


class Speed(unittest.TestCase):
    """On a loaded machine, so by a part of what docs/measured.md has."""

    full = True
    alone = True

    def test_with_addresses(self) -> None:
        self.check_against_callgrind_annotate(write_large, listed=10)

    def test_by_line(self) -> None:
        """Functions are small, and most are listed: 130,000 lines."""
        self.check_against_callgrind_annotate(write_large_by_line, listed=7)

    def check_against_callgrind_annotate(
        self, write: Callable[[Path, int], None], listed: int
    ) -> None:
        """The functions are read 20 times as fast and listed `listed` times as fast, in 250 MB.

        The better of three turns each, user time.
        """
        if not shutil.which("callgrind_annotate"):
            self.skipTest("callgrind_annotate is not installed")
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            profile, report = Path(folder) / "profile", Path(folder) / "report"
            write(profile, 50_000_000)
            commands = {
                "stock": ["callgrind_annotate", "--auto=no", str(profile)],
                "read": [sys.executable, "-c", READ, str(TOOLS), str(profile)],
                "list": [sys.executable, str(TOOLS / "cg2_annotate"), "--auto=no", str(profile)],
            }
            turns = [
                {name: cost(command, report) for name, command in commands.items()}
                for _ in range(3)
            ]
            total = read_profile(profile).parts[0].self_total()[0]
            self.assertIn(f"{total:,} (100.0%)  PROGRAM TOTALS", report.read_text())
        seconds = {name: min(turn[name][0] for turn in turns) for name in commands}
        self.assertLess(seconds["read"] * 20, seconds["stock"], turns)
        self.assertLess(seconds["list"] * listed, seconds["stock"], turns)
        self.assertLess(max(turn["list"][1] for turn in turns), 250_000)
        print(
            ", ".join(f"{name} {value:.2f} s" for name, value in seconds.items()), file=sys.stderr
        )


if __name__ == "__main__":
    unittest.main()
