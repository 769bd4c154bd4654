"""The tools are fully typed: mypy --strict has nothing to say."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import unittest

from toolsupport import TOOLS

from cg2test import BUILD


SCRIPTS = ("cg2_annotate", "cg2_control", "cg2_convert", "cg2_diff", "cg2_merge", "cg2_report")


def mypy() -> list[str] | None:
    """The command that runs mypy, if it is installed."""
    if importlib.util.find_spec("mypy"):
        return [sys.executable, "-m", "mypy"]
    found = shutil.which("mypy")
    return [found] if found else None


class Typing(unittest.TestCase):
    def test_mypy_strict(self) -> None:
        command = mypy()
        if command is None:
            self.skipTest("mypy is not installed (Debian: apt-get install mypy)")
        ended = subprocess.run(
            [
                *command,
                "--strict",
                f"--cache-dir={BUILD / 'tests-mypy' / 'tests'}",  # style.test_style has it, too
                "--scripts-are-modules",
                "cg2tools",
                *SCRIPTS,
            ],
            cwd=TOOLS,
            capture_output=True,
            text=True,
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


if __name__ == "__main__":
    unittest.main()
