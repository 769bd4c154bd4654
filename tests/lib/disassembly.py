"""What a compiled program's machine code looks like, according to binutils."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cg2test import BUILD, MACHINE

# How the mnemonics of jumps, returns among them, and of calls begin.
JUMP, CALL = (r"b$|b\.|br|cb|tb|ret", r"bl") if MACHINE == "aarch64" else (r"j|ret|rep", r"call")


def _output(*command: str | Path) -> str:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


@dataclass(frozen=True)
class Instruction:
    """An instruction: its address, its mnemonic, and where it goes if it is a direct jump."""

    address: int
    mnemonic: str
    target: int | None


def decoded(binary: Path, function: str) -> list[Instruction]:
    """The instructions of `function`, in order."""
    text = _output("objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", binary)
    found = []
    for m in re.finditer(r"^ +([0-9a-f]+):\t(\S+)(?:[^#\n]*\s([0-9a-f]+) <)?", text, re.MULTILINE):
        goes = int(m[3], 16) if m[3] and re.match(JUMP, m[2]) else None
        found.append(Instruction(int(m[1], 16), m[2], goes))
    return found


def instructions(binary: Path, function: str) -> list[int]:
    """The addresses of the instructions of `function`, in the file's own address space."""
    return [instruction.address for instruction in decoded(binary, function)]


def lines_with_code(binary: Path, functions: Iterable[str]) -> set[int]:
    """The lines that some instruction of `functions` belongs to."""
    addresses = [address for function in functions for address in instructions(binary, function)]
    return set(address_lines(binary, addresses).values())


def straight_lines(binary: Path, functions: Iterable[str]) -> dict[int, int]:
    """The lines that run from their first instruction to their last, whenever they run: how many they have.

    Its instructions lie together, only the last may jump, none calls, and no jump leads between them.
    """
    lengths: dict[int, int] = {}
    for function in functions:
        code = decoded(binary, function)
        line_of = address_lines(binary, [instruction.address for instruction in code])
        targets = {instruction.target for instruction in code}
        runs = [
            list(run)
            for _, run in groupby(code, key=lambda instruction: line_of[instruction.address])
        ]
        in_runs = Counter(line_of[run[0].address] for run in runs)
        for run in runs:
            line = line_of[run[0].address]
            jumps = any(re.match(JUMP, i.mnemonic) for i in run[:-1])
            calls = any(re.match(CALL, i.mnemonic) for i in run)
            entered = any(i.address in targets for i in run[1:])
            if in_runs[line] == 1 and not (jumps or calls or entered):
                lengths[line] = len(run)
    return lengths


def symbols(binary: Path) -> set[str]:
    """The names of the symbols defined in `binary`."""
    text = _output("nm", "--defined-only", binary)
    return {line.split()[-1] for line in text.splitlines()}


def interpreter(binary: Path) -> Path:
    """The dynamic linker that `binary` asks for."""
    text = _output("readelf", "-lW", binary)
    found = re.search(r"program interpreter: (.*)\]", text)
    assert found is not None, f"{binary}: no program interpreter"
    return Path(found[1])


def stripped(library: Path) -> Path:
    """A copy of a system library, under its own name, without symbols and without a hint where they are."""
    copy = BUILD / "tests-programs" / "stripped" / library.name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        fresh = copy.with_name(f"{copy.name}.{os.getpid()}")
        shutil.copy(library, fresh)
        hints = ["--remove-section=.note.gnu.build-id", "--remove-section=.gnu_debuglink"]
        _output("strip", "--strip-all", *hints, fresh)
        fresh.rename(copy)
    return copy


def needed(binary: Path, name: str) -> Path:
    """The library called `name` that `binary` is linked with on this machine."""
    found = re.search(rf"{re.escape(name)} => (\S+)", _output("ldd", binary))
    assert found is not None, f"{binary}: does not need {name}"
    return Path(found[1])


def stub_sections(binary: Path, function: str) -> set[str]:
    """The sections that hold a stub for `function`."""
    found = set()
    section = ""
    for line in _output("objdump", "-d", binary).splitlines():
        if line.startswith("Disassembly of section "):
            section = line.removeprefix("Disassembly of section ").rstrip(":")
        elif line.endswith(f"<{function}@plt>:"):
            found.add(section)
    return found


def address_lines(binary: Path, addresses: list[int]) -> dict[int, int]:
    """The source line of each address."""
    text = _output("addr2line", "-e", binary, *(hex(address) for address in addresses))
    return {
        address: int(line.split(" ")[0].rsplit(":", 1)[1])
        for address, line in zip(addresses, text.splitlines(), strict=True)
    }
