"""Which objdump takes an object file apart: one that knows its processor."""

import os
import re
import sys
from pathlib import Path
from shutil import which

_PROCESSORS = {
    3: "x86_64-linux-gnu",
    22: "s390x-linux-gnu",
    40: "arm-linux-gnueabihf",
    62: "x86_64-linux-gnu",
    183: "aarch64-linux-gnu",
    243: "riscv64-linux-gnu",
}
"""Processors, by their numbers in ELF files, as cross compilers call them."""


def objdump_for(path: str) -> str:
    """The command that takes an object file apart.

    It is what OBJDUMP names. Otherwise objdump, for a file of this machine's
    processor; for others the one of a cross compiler, or LLVM's, which knows all
    processors.
    """
    named = os.environ.get("OBJDUMP")
    if named:
        return named
    processor = _processor(path)
    if processor in (None, _processor(sys.executable)):
        return "objdump"
    cross = f"{processor}-objdump"
    return next(filter(which, (cross, *_llvm())), cross)


def package_of(objdump: str) -> str:
    """The Debian package that has a command of objdump_for()."""
    processor = objdump.removesuffix("-objdump")
    known = processor in _PROCESSORS.values()
    return f"binutils-{processor.replace('_', '-')}" if known else "binutils"


def _processor(path: str) -> str | None:
    """The processor that an ELF file is for; None if that is not known here."""
    with open(path, "rb") as file:
        head = file.read(20)
    if len(head) < 20 or head[:4] != b"\177ELF":
        return None
    low, high = head[18:20] if head[5] == 1 else head[19:17:-1]
    return _PROCESSORS.get(high << 8 | low)


def _llvm() -> list[str]:
    """LLVM's objdump, by its name and, from the newest on, with its version."""
    versions = {
        int(found[1])
        for directory in os.get_exec_path()
        for file in Path(directory).glob("llvm-objdump-*")
        if (found := re.fullmatch(r"llvm-objdump-(\d+)", file.name))
    }
    return ["llvm-objdump", *(f"llvm-objdump-{version}" for version in sorted(versions)[::-1])]
