"""Debug information that is broken: no mutant of a program has libcg2debug crash, hang or raise anything
unexpected."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path

import cg2test
from cg2test import HANG, PATIENCE
from cg2tools.debug.libcg2debug import DebugError, DebugObject

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import Scratch  # noqa: E402

MUTANTS = 60
CODE = 3000  # bytes of it that are asked for


def sections(program: Path) -> list[tuple[int, int]]:
    """Where in the file the sections of debug information are, and their sizes."""
    said = subprocess.run(
        ["readelf", "-SW", program], capture_output=True, text=True, check=True
    ).stdout
    rows = re.findall(r"\.debug_\w+ +PROGBITS +\S+ (\S+) (\S+)", said)
    return [(int(offset, 16), int(size, 16)) for offset, size in rows]


def mutant(data: bytes, places: list[tuple[int, int]], seed: int) -> bytes:
    chance = random.Random(seed)
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        start, size = chance.choice(places)
        at = start + chance.randrange(size)
        length = chance.choice((1, 1, 2, 8))
        changed[at : at + length] = bytes(
            chance.choice((0, 0xFF, chance.randrange(256))) for _ in range(length)
        )
    return bytes(changed[: len(data)])


def leb128(data: bytes, at: int) -> tuple[int, int]:
    """The number without a sign at a place, and where the next thing is."""
    number = shift = 0
    while data[at] >= 0x80:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return number | data[at] << shift, at + 1


def childless(data: bytes, at: int, end: int) -> list[int]:
    """Where abbreviations say that functions, types and blocks have no entries in them."""
    holders = {0x02, 0x0B, 0x13, 0x17, 0x2E}  # class_type to subprogram, see dwarf.h
    implicit = 0x21
    found = []
    while at < end:
        code, at = leb128(data, at)
        if not code:
            continue
        tag, at = leb128(data, at)
        if tag in holders and not data[at]:
            found.append(at)
        at, named = at + 1, 1
        while named:
            named, at = leb128(data, at)
            form, at = leb128(data, at)
            if form == implicit:
                _, at = leb128(data, at)
    return found


def section(program: Path, name: str) -> tuple[int, int]:
    """Where a section is in the file, and its size."""
    said = subprocess.run(
        ["readelf", "-SW", program], capture_output=True, text=True, check=True
    ).stdout
    [(offset, size)] = re.findall(rf"\{name} +PROGBITS +\S+ (\S+) (\S+)", said)
    return int(offset, 16), int(size, 16)


def ask_all(path: Path, start: int) -> None:
    """Ask for all that there is."""
    try:
        debug = DebugObject(str(path))
    except DebugError:
        return
    with debug:
        statics = debug.statics()
        addresses = range(start, start + CODE)
        found = [access.type for accesses in debug.accesses(addresses) for access in accesses]
        numbers = {*found, *(one.type for one in statics), *(one.type for one in debug.taken())}
        for number in numbers - {0}:
            debug.type(number)
        for address in range(start, start + CODE, 50):
            debug.locals(address)
        debug.find_type("struct nobody")


class Broken(Scratch):
    def survived(self, path: Path, start: int, seconds: int = HANG) -> bool:
        """Whether a process of its own can ask for everything."""
        child = os.fork()
        if child == 0:
            signal.alarm(seconds)
            try:
                ask_all(path, start)
                os._exit(0)
            finally:
                os._exit(1)
        return os.waitpid(child, 0)[1] == 0

    def test_mutants(self) -> None:
        for name, compiler, version in (("types.c", "gcc", 5), ("types.cc", "clang++", 4)):
            self.build(name, compiler, "-O2", f"-gdwarf-{version}")
            data, places = self.program.read_bytes(), sections(self.program)
            start = self.start()
            self.assertTrue(self.survived(self.program, start))
            changed = self.directory / "mutant"
            for seed in range(MUTANTS):
                changed.write_bytes(mutant(data, places, seed))
                with self.subTest(program=name, seed=seed):
                    self.assertTrue(self.survived(changed, start))

    def test_overlapping(self) -> None:
        """Entries that are in others and behind them, too, as those are wrongly said to have entries in them,
        are read once: 2 times at each depth takes for ever."""
        self.build("collections.cc", "g++", "-O2", "-gdwarf-4")
        data = self.program.read_bytes()
        start, size = section(self.program, ".debug_abbrev")
        found = childless(data, start, start + size)
        self.assertGreater(len(found), 10)
        changed = self.directory / "overlapping"
        for wrong in [*([place] for place in found[:10]), found]:
            mutant = bytearray(data)
            for place in wrong:
                mutant[place] = 1
            changed.write_bytes(mutant)
            with self.subTest(wrong=wrong[:2]):
                self.assertTrue(self.survived(changed, self.start(), PATIENCE))

    def start(self) -> int:
        """Where the code begins."""
        said = subprocess.run(
            ["nm", self.program], capture_output=True, text=True, check=True
        ).stdout
        (address,) = re.findall(r"(\S+) T _start", said)
        return int(address, 16)

    def test_cut_off(self) -> None:
        """A file that has lost its end has no debug information, or what is left of it."""
        self.build("types.c", "gcc", "-O2")
        data = self.program.read_bytes()
        cut = self.directory / "cut"
        for part in range(1, 10):
            cut.write_bytes(data[: len(data) * part // 10])
            with self.subTest(tenths=part):
                self.assertTrue(self.survived(cut, 0x401000))


if __name__ == "__main__":
    unittest.main()
