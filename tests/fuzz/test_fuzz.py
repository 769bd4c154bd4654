"""Fuzzing: the transfer classifier and all that stands on it, and the writer, fed with what no program could produce.

Each target is a libFuzzer program under AddressSanitizer and UndefinedBehaviorSanitizer. An input that fails is kept
in BUILD/tests-unit/fuzzing/ and named in the message; `PROGRAM INPUT` runs it again, for fuzz_calls with
CG2_TEST_TRACE=1 step by step.
"""

from __future__ import annotations

import os
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "unit"))

from hostbuild import (
    FUZZ,
    FUZZING,
    STORE,
    build,
    can_build,
    run,
)  # noqa: E402  (found through the path just set)

FULL = os.environ.get("CG2_FULL") == "1"
SECONDS = 300  # of each target, at full size


class Fuzz(unittest.TestCase):
    def setUp(self) -> None:
        reason = can_build(FUZZING)
        if reason:
            self.skipTest(f"{reason} (Debian: apt-get install clang libclang-rt-dev)")

    def fuzz(self, runs: int, max_length: int, *sources: str) -> None:
        """Run a target `runs` times with a fixed seed, or, at full size, for minutes with a new one each time."""
        program = build(FUZZING, *(FUZZ / source for source in sources))
        artifacts = STORE / FUZZING.name
        options = [
            f"-max_len={max_length}",
            "-len_control=0",
            f"-artifact_prefix={artifacts}/",
            "-rss_limit_mb=4096",
        ]
        options += [f"-max_total_time={SECONDS}"] if FULL else ["-seed=1", f"-runs={runs}"]
        ended = run([program, *options])
        self.assertEqual(
            ended.returncode, 0, f"{program} {' '.join(options)}\n{what_failed(ended.stderr)}"
        )
        self.assertIn("Done ", ended.stderr)

    def test_calls(self) -> None:
        self.fuzz(10000, 300, "fuzz_calls.c")

    def test_writer(self) -> None:
        self.fuzz(8000, 400, "fuzz_writer.c", "facts.c", "graph_of_bytes.c", "parse.c")


def what_failed(said: str) -> str:
    """Of all that libFuzzer says, what the target said last, where it ended, and which input it was."""
    lines = [
        line
        for line in said.splitlines()
        if not re.match(r"#\d+\s+(NEW|REDUCE|RELOAD|pulse|INITED)", line)
    ]
    failed = [
        number for number, line in enumerate(lines) if "ERROR" in line or "runtime error" in line
    ]
    start = max(failed[0] - 3, 0) if failed else 0
    kept = lines[start:][:40] + [line for line in lines if "Test unit written" in line]
    return "\n".join(line[:200] for line in kept)


if __name__ == "__main__":
    unittest.main()
