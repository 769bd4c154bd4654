"""Debian's PyTorch, unpacked into the build directory and not installed: 105 MB to fetch, 470 MB unpacked."""

from __future__ import annotations

from pathlib import Path

import debpackages
from cg2test import BUILD

ROOT = BUILD / "tests-harnesses" / "torch" / "root"


def unpacked() -> Path:
    """The folder that holds it and all that it needs; skips the test where it cannot be had."""
    return debpackages.unpacked("harnesses", "torch", "python3-torch")


def environment() -> dict[str, str]:
    """What Python needs to find it."""
    libraries = ROOT / "usr" / "lib"
    return {
        "PYTHONPATH": str(libraries / "python3" / "dist-packages"),
        "LD_LIBRARY_PATH": f"{libraries / 'x86_64-linux-gnu'}:{libraries}",
        "OMP_NUM_THREADS": "1",
    }
