"""What tests of exact counts for compilers share: profiles that have what they need, converted."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from toolsupport import TOOLS

import cg2test
import starts

RECORDED = "--dump-instr=yes", "--collect-jumps=yes"


def profiled(*argv: str | Path, options: tuple[str, ...] = RECORDED) -> Path:
    return cg2test.run_cg2(argv, *options).profile_paths[0]


def convert(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return starts.run(
        [TOOLS / "cg2_convert", *arguments],
        directory=".",
        limit=cg2test.HANG,
        environment=cg2test.env(),
    )


def converted(*arguments: str | Path) -> str:
    ended = convert(*arguments)
    if ended.returncode or ended.stderr:
        raise AssertionError(ended.stderr)
    return ended.stdout


def found(program: str, package: str) -> str:
    """Where a program of others is; a test that needs it is skipped where there is none."""
    where = shutil.which(program)
    if not where:
        raise unittest.SkipTest(f"there is no {program}: apt-get install {package}")
    return where


def of_llvm(version: str, program: str, package: str) -> str:
    """Where a program of a version of LLVM is, of Debian's package, or unpacked where CG2_LLVM says."""
    folder = Path(os.environ.get("CG2_LLVM", "/usr/lib"), f"llvm-{version}", "bin")
    return found(str(folder / program), f"{package}-{version}")


def does(*command: str | Path, **options: str) -> str:
    """Run a program of others; all that it prints."""
    ended = subprocess.run(
        [*map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C", **options},
    )
    if ended.returncode:
        raise AssertionError(f"{command[0]}: {ended.returncode}\n{ended.stdout}")
    return ended.stdout
