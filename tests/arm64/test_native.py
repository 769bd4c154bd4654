"""Real programs without Valgrind: the emulator counts how often each instruction is executed, and so does
cg2.

This is a truth that shares nothing with Valgrind. Compared is the code of the program and of its libraries,
but for the dynamic linker and the library of C, which do other things where other objects are loaded; and
programs that do nothing that depends on addresses.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from cg2test import compile, env, new_directory
from cg2tools.profile.model import Part
from emulation import EMULATOR, PROCESSOR
from emulated import MORE_REAL, REAL, machine, real

PLUGIN = "../bench/programs/blockcount.c"
PIE_BASE = 0x5500000000  # Source: QEMU's user emulation
OTHERS = re.compile(r"ld-linux|libc\.so")
CODE = re.compile(r"LOAD +\S+ (0x\w+) \S+ \S+ (0x\w+) R E")


def emulated(name: str, *options: str) -> str:
    """Run a program of REAL without Valgrind; what it prints."""
    program, *words = (REAL | MORE_REAL)[name]
    system = machine().system
    command: list[str | Path] = ["setarch", "-R", str(EMULATOR), "-cpu", PROCESSOR, "-L", system]
    ended = subprocess.run(
        [*command, *options, system / program, *words],
        cwd=new_directory(),
        env={key: value for key, value in env().items() if key != "VALGRIND_LIB"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=True,
    )
    return ended.stdout


def executed(name: str) -> Counter[int]:
    """How often the instruction at each address is executed."""
    plugin = compile(PLUGIN, "-O2", "-fPIC", "-shared")
    blocks = new_directory() / "blocks"
    emulated(name, "-plugin", f"{plugin},out={blocks}")
    counts: Counter[int] = Counter()
    for line in blocks.read_text().splitlines():
        address, instructions, runs = line.split()
        for number in range(int(instructions)):
            counts[int(address, 16) + 4 * number] += int(runs)
    return counts


def bases(name: str) -> dict[Path, int]:
    """Where each object is loaded, as the dynamic linker says; it tells nothing of the program."""
    system = machine().system
    program = system / (REAL | MORE_REAL)[name][0]
    found = {program: PIE_BASE if "DYN (" in headers(program) else 0}
    said = emulated(name, "-E", "LD_TRACE_LOADED_OBJECTS=1")
    for path, base in re.findall(r" => /(\S+) \((0x[0-9a-f]+)\)", said):
        found[system / path] = int(base, 16)
    return {path: base for path, base in found.items() if not OTHERS.match(path.name)}


def headers(path: Path) -> str:
    return subprocess.run(
        ["readelf", "-hlW", path], capture_output=True, text=True, check=True
    ).stdout


def in_object(counts: Counter[int], path: Path, base: int) -> Counter[int]:
    """The counts of an object's code, by address in its file."""
    code = CODE.search(headers(path))
    assert code is not None, path
    start, size = int(code[1], 16), int(code[2], 16)
    return Counter({at - base: n for at, n in counts.items() if 0 <= at - base - start < size})


def of_object(part: Part, path: Path) -> Counter[int]:
    """What the profile says of the same."""
    found: Counter[int] = Counter()
    for key, function in part.functions.items():
        if Path(key.object).resolve() == path.resolve():
            for position, cost in function.costs.items():
                found[position.instr] += cost[0]
    return found


class Native(unittest.TestCase):
    def check_programs(self, names: Iterable[str]) -> None:
        for name in names:
            # A stub's instructions count where they are, not where it is called.
            part = real(name, "cg2", "--dump-instr=yes", "--skip-plt=no")
            counts = executed(name)
            for path, base in bases(name).items():
                with self.subTest(name, object=path.name):
                    truth = in_object(counts, path, base)
                    self.assertGreater(len(truth), 50)
                    self.assertEqual(of_object(part, path), truth)

    def test_addresses(self) -> None:
        """Each instruction of sqlite3 and xz, and of their libraries, is counted as often as it is
        executed."""
        self.check_programs(["sqlite3", "xz"])

    def test_more_addresses(self) -> None:
        self.check_programs(["bc", "bzip2", "gzip", "mawk", "sed", "sort"])

    test_more_addresses.full = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    unittest.main()
