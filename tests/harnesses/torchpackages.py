"""Debian's PyTorch, unpacked into the build directory and not installed: 105 MB to fetch, 470 MB unpacked."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cg2test import BUILD, env

HERE = BUILD / "tests-harnesses" / "torch"
ROOT = HERE / "root"
PACKAGE = "python3-torch"


def unpacked() -> Path:
    """The folder that holds it and all that it needs; skips the test where it cannot be had."""
    if not ROOT.exists():
        packages = HERE / "packages"
        fresh = HERE / "fresh"
        for folder in (packages, fresh):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        for name in needed():
            apt("download", name, directory=packages)
        for package in sorted(packages.glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, fresh], check=True)
        shutil.rmtree(packages)
        fresh.rename(ROOT)
    return ROOT


def needed() -> list[str]:
    """The packages that an installation would add here."""
    simulated = apt("install", "--simulate", "--no-install-recommends", PACKAGE, directory=HERE)
    return re.findall(r"^Inst (\S+)", simulated, re.MULTILINE) or [PACKAGE]


def apt(*words: str, directory: Path) -> str:
    if not shutil.which("apt-get"):
        raise unittest.SkipTest("there is no apt-get, which fetches Debian's PyTorch")
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


def environment() -> dict[str, str]:
    """What Python needs to find it."""
    libraries = ROOT / "usr" / "lib"
    return {
        "PYTHONPATH": str(libraries / "python3" / "dist-packages"),
        "LD_LIBRARY_PATH": f"{libraries / 'x86_64-linux-gnu'}:{libraries}",
        "OMP_NUM_THREADS": "1",
    }
