"""Packages of npm that tests need: fetched once, at a fixed version, into the build directory."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
from pathlib import Path

from building import only_here

_OPTIONS = ("--no-audit", "--no-fund", "--ignore-scripts")


def why_not(folder: Path, name: str, version: str, file: Path) -> str:
    """Fetch a package into a folder unless its file is there; why that cannot be done, or ""."""
    with only_here("npm"):
        if file.exists():
            return ""
        missing = _why_not_run(folder, name, "install", f"{name}@{version}")
        return "" if file.exists() else missing


def why_not_locked(folder: Path, source: Path) -> str:
    """Fetch what a source's package-lock.json names into a folder, with what only checks it, unless it is
    there.

    Why that cannot be done, or "".
    """
    lock, fetched = source / "package-lock.json", folder / "fetched.json"
    with only_here("npm"):
        if fetched.exists() and filecmp.cmp(lock, fetched, shallow=False):
            return ""
        folder.mkdir(parents=True, exist_ok=True)
        for file in (lock, source / "package.json"):
            shutil.copy(file, folder)
        missing = _why_not_run(folder, "what checks JavaScript", "ci")
        if not missing:
            shutil.copy(lock, fetched)
        return missing


def _why_not_run(folder: Path, what: str, *words: str) -> str:
    """Have npm fetch something; why that failed, or ""."""
    if not shutil.which("npm"):
        return f"npm, which fetches {what}, is not installed (Debian: apt-get install npm)"
    folder.mkdir(parents=True, exist_ok=True)
    ended = subprocess.run(
        ["npm", words[0], *_OPTIONS, *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    reason = " ".join(ended.stderr.split())[-200:]
    return f"npm cannot fetch {what}: {reason}" if ended.returncode else ""
