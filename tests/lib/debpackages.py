"""Packages of this Debian with what they need, unpacked into the build directory and not installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cg2test import BUILD, env


def unpacked(suite: str, name: str, *packages: str) -> Path:
    """The folder that holds the packages and all that they need and this system lacks, below that of a suite;
    skips the test where they cannot be had."""
    here = BUILD / f"tests-{suite}" / name
    root = here / "root"
    if not root.exists():
        fetched, fresh = here / "packages", here / "fresh"
        for folder in (fetched, fresh):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        for needed in _needed(here, *packages):
            _apt("download", needed, directory=fetched)
        for package in sorted(fetched.glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, fresh], check=True)
        shutil.rmtree(fetched)
        fresh.rename(root)
    return root


def _needed(here: Path, *packages: str) -> list[str]:
    """The packages that an installation would add here."""
    words = ("install", "--simulate", "--no-install-recommends", *packages)
    return re.findall(r"^Inst (\S+)", _apt(*words, directory=here), re.MULTILINE) or [*packages]


def _apt(*words: str, directory: Path) -> str:
    if not shutil.which("apt-get"):
        raise unittest.SkipTest("there is no apt-get, which fetches Debian's packages")
    ended = subprocess.run(
        ["apt-get", "-q", "-o", "APT::Sandbox::User=root", *words],
        cwd=directory,
        env=env(PATH="/usr/sbin:/usr/bin:/sbin:/bin"),
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        raise unittest.SkipTest(f"apt-get {words[0]}: {ended.stderr.strip()[-200:]}")
    return ended.stdout
