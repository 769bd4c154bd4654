"""Packages of npm that tests need: fetched once, at a fixed version, into the build directory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from building import only_here


def why_not(folder: Path, name: str, version: str, file: Path) -> str:
    """Fetch a package into a folder unless its file is there; why that cannot be done, or ""."""
    with only_here("npm"):
        return "" if file.exists() else why_not_fetched(folder, name, version, file)


def why_not_fetched(folder: Path, name: str, version: str, file: Path) -> str:
    if not shutil.which("npm"):
        return f"npm, which fetches {name}, is not installed (Debian: apt-get install npm)"
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--no-audit", "--no-fund", "--ignore-scripts"]
    ended = subprocess.run(
        ["npm", "install", *options, f"{name}@{version}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if file.exists() else f"npm cannot fetch {name}: {ended.stderr.strip()[-200:]}"
