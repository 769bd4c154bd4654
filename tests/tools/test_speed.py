"""cg2_annotate beside callgrind_annotate on profiles of 50 MB: time and memory. Only with --full."""

from __future__ import annotations

import os
import random
import shutil
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from toolsupport import TOOLS

from cg2tools.profile.reader import read_profile


def write_large(path: Path, size: int) -> None:
    """A profile with addresses, of functions of some 50 instructions that call each other."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(
            "# callgrind format\npositions: instr line\nevents: Ir\n\nob=(1) /bin/app\nfl=(1) app.c\n"
        )
        number = 0
        while file.tell() < size:
            number += 1
            file.write(
                f"\nfn=({number}) function_{number}\n{number * 0x400:#x} {number * 10} {chance.randrange(9999)}\n"
            )
            for line in range(chance.randrange(100)):
                file.write(
                    f"+{chance.randint(1, 9)} {chance.choice(['*', '+1', '+2', '-1'])} {chance.randrange(9999)}\n"
                )
            for callee in {chance.randint(1, number) for _ in range(2)}:
                file.write(
                    f"cfi=(1)\ncfn=({callee})\ncalls=3 {callee * 0x400:#x} {callee * 10}\n+4 +1 {number}\n"
                )


def write_large_by_line(path: Path, size: int) -> None:
    """A profile by line, as of optimised C++: small functions with code of headers inlined, a call every ten lines."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(
            "# callgrind format\npositions: line\nevents: Ir\n\nob=(1) /bin/app\nfl=(1) app.c\nfl=(2) inlined.h\n"
        )
        number = 0
        while file.tell() < size:
            number += 1
            file.write(
                f"\nfl=(1)\nfn=({number}) space::function_{number}(std::vector<int> const&)\n{1000 + number % 999} 7\n"
            )
            for run in range(chance.randrange(3)):
                file.write("fi=(2)\n" if run else "fe=(1)\n")
                for _ in range(chance.randrange(16)):
                    file.write(
                        f"{chance.choice(['+1', '+2', '-1', '417'])} {chance.randrange(9999)}\n"
                    )
            for callee in {chance.randint(1, number) for _ in range(2)}:
                file.write(
                    f"cfi=(1)\ncfn=({callee})\ncalls={chance.randrange(1, 99)} {1000 + callee % 999}\n+1 {number}\n"
                )


def cost(command: list[str], output: Path) -> tuple[float, int]:
    """User time in seconds and the largest resident set in KB of a command that succeeds."""
    with output.open("wb") as file:
        process = os.posix_spawnp(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 1)]
        )
        _, status, usage = os.wait4(process, 0)
    assert status == 0, command
    return usage.ru_utime, usage.ru_maxrss


class Speed(unittest.TestCase):
    full = True

    def test_with_addresses(self) -> None:
        self.check_against_callgrind_annotate(write_large)

    def test_by_line(self) -> None:
        self.check_against_callgrind_annotate(write_large_by_line)

    def check_against_callgrind_annotate(self, write: Callable[[Path, int], None]) -> None:
        """At least twice as fast, the better of three turns each, and below 1 GB."""
        if not shutil.which("callgrind_annotate"):
            self.skipTest("callgrind_annotate is not installed")
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            profile, report = Path(folder) / "profile", Path(folder) / "report"
            write(profile, 50_000_000)
            mine, stock = [], []
            for _ in range(3):
                stock.append(cost(["callgrind_annotate", "--auto=no", str(profile)], report))
                mine.append(
                    cost(
                        [sys.executable, str(TOOLS / "cg2_annotate"), "--auto=no", str(profile)],
                        report,
                    )
                )
            total = read_profile(profile).parts[0].self_total()[0]
            self.assertIn(f"{total:,} (100.0%)  PROGRAM TOTALS", report.read_text())
        self.assertLess(min(mine)[0] * 2, min(stock)[0], (mine, stock))
        self.assertLess(max(memory for _, memory in mine), 1_000_000)
        print(
            f"cg2_annotate {min(mine)[0]:.1f} s, callgrind_annotate {min(stock)[0]:.1f} s",
            file=sys.stderr,
        )


if __name__ == "__main__":
    unittest.main()
