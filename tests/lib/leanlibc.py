"""The C library of this system without what libc6-dbg says of its lines, for programs that tests compile.

Valgrind reads debug information of libc and of the dynamic linker whenever a program starts, which takes
longer than most programs of tests do. A program that is linked with `link_flags` runs with copies of both
whose debug files have all names and nothing else: functions are found and named as ever, but no line of
them is known. Nor does Valgrind find how to unwind them, which the program itself does; so a test that
switches instrumentation on within them needs this system's. That they count the same is proved by
cases/test_leanlibc.py.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

LINKER = Path("/lib64/ld-linux-x86-64.so.2")
LIBRARIES = ["libc.so.6", "libm.so.6"]
DEBUG = Path("/usr/lib/debug/.build-id")
COMPILERS = {"gcc", "g++", "clang", "clang++"}
# The name of the section that Valgrind unwinds by, and another one; programs find what is in it by the
# segment PT_GNU_EH_FRAME.
FRAMES, HIDDEN = b"\0.eh_frame\0", b"\0.of_frame\0"
# A program for another processor, or one that no dynamic linker starts, has other libraries or none.
OTHERS = ("-m32", "-static", "-nostdlib", "-shared", "-c", "-r", "-static-pie")


def link_flags(store: Path, compiler: str, inputs: Sequence[str]) -> list[str]:
    """The flags that link a program with the copies, which are kept in a directory of `store`; none where the
    program would not use them, or there is nothing to leave out."""
    if compiler not in COMPILERS or any(item in OTHERS for item in inputs):
        return []
    directory = _copies(store)
    if directory is None:
        return []
    return [f"-Wl,-dynamic-linker={directory / LINKER.name}", f"-Wl,-rpath={directory}"]


def library_path(store: Path) -> dict[str, str]:
    """The variables with which a program of this system runs with the copies."""
    directory = _copies(store)
    return {"LD_LIBRARY_PATH": str(directory)} if directory else {}


def is_usual(flags: Sequence[str]) -> bool:
    """Whether flags say nothing of what a program is linked with, or how."""
    others = {*OTHERS, "-pie", "-rdynamic"} - {"-m32"}
    return not any(flag in others or flag.startswith(("-Wl,", "-l", "/")) for flag in flags)


@functools.cache
def _copies(store: Path) -> Path | None:
    """The directory with the copies, which is made; its name holds a digest of what was copied."""
    if platform.machine() != "x86_64" or not shutil.which("objcopy") or not LINKER.exists():
        return None
    files = [LINKER, *(LINKER.resolve().with_name(name) for name in LIBRARIES)]
    if not all(
        file.exists() and (found := _build_id(file)) and _debug_file(found) for file in files
    ):
        return None
    contents = [HIDDEN, *(file.read_bytes() for file in files)]
    digest = hashlib.sha256(b"".join(contents)).hexdigest()[:12]
    directory = store / f"libc-{digest}"
    if not directory.exists():
        fresh = Path(tempfile.mkdtemp(dir=store, prefix="fresh-"))
        for file in files:
            _copy(file, fresh / file.name)
        fresh.chmod(0o755)
        try:
            fresh.rename(directory)
        except OSError:  # somebody else was faster
            shutil.rmtree(fresh)
    return directory


def _build_id(file: Path) -> str:
    """The build id of an ELF file, which names its debug file; empty if there is none."""
    said = subprocess.run(["readelf", "-n", file], capture_output=True, text=True, check=False)
    found = re.search(r"Build ID: ([0-9a-f]{40})\b", said.stdout)
    return found[1] if found else ""


def _debug_file(build_id: str) -> Path | None:
    file = DEBUG / build_id[:2] / f"{build_id[2:]}.debug"
    return file if file.exists() else None


def _copy(file: Path, copy: Path) -> None:
    """Copy a file, with a build id that nothing else has, a debug file of names beside it, and no section to
    unwind by."""
    build_id = bytes.fromhex(_build_id(file))
    text = file.read_bytes()
    assert text.count(build_id) == 1, f"{file}: its build id is there {text.count(build_id)} times"
    copy.write_bytes(text.replace(build_id, bytes(255 - byte for byte in build_id)))
    names = copy.with_name(f"{copy.name}.debug")
    _objcopy("--strip-debug", str(_debug_file(build_id.hex())), str(names))
    _objcopy("--remove-section=.gnu_debuglink", f"--add-gnu-debuglink={names}", str(copy))
    text = copy.read_bytes()
    assert text.count(FRAMES) == 1, f"{file}: {FRAMES!r} is there {text.count(FRAMES)} times"
    copy.write_bytes(text.replace(FRAMES, HIDDEN))
    os.chmod(copy, 0o755)


def _objcopy(*words: str) -> None:
    subprocess.run(["objcopy", *words], check=True)
