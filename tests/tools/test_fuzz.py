"""Mutated profiles: each is read, or refused by a ProfileError, in bounded time."""

from __future__ import annotations

import os
import random
import tempfile
import time
import unittest
from pathlib import Path

import toolsupport

from cg2tools.annotate import Options, report
from cg2tools.profile import Profile, ProfileError
from cg2tools.reader import read_profile
from cg2tools.writer import profile_lines

SEED = 20_260_101
MUTANTS = 4000
SECONDS = 60  # in all; a few seconds are usual

SAMPLE = b"""\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  ./prog arg
part: 1

desc: I1 cache:
desc: Timerange: Basic block 0 - 29968
desc: Trigger: Program termination

positions: instr line
event: Sum = Ir + 2 Dr : Both
events: Ir Dr
summary: 138 13

ob=(1) /bin/prog
fl=(1) main.c
fn=(1) main
0x1000 3 10 1
+4 +1 20
cob=(2) /lib/libc.so.6
cfi=(2) ???
cfn=(2) puts
calls=2 0x40 0
* * 77 7
jfi=(3) inl.h
jcnd=3/17 +8 +2
* *
fi=(3)
+2 90 5 2
fe=(1)
jump=4 -4 *
+4 4
cfn=(3) fib
calls=1 0x1100 20
* * 26 3

fn=(3)
0x1100 20 6 1
cfn=(4) fib'2
calls=1 -4 *
+4 +1 20 2

fn=(4)
-4 -1 20 2

ob=(2)
fl=(2)
fn=(2)
0x40 0 77 7

totals: 138 13

part: 2
desc: Trigger: Client Request
positions: line
events: Ir Dr
summary: 7
fl=(1) main.c
fn=(1) main
3 7
totals: 7
"""

TOKENS = [
    b"0", b"1", b"-1", b"+1", b"*", b"0x10", b"18446744073709551616", b"9" * 30,
    b"(1)", b"(9)", b"(1) x", b"(", b")", b"'2", b"=", b":", b"/", b"\xff", b"\0",
    b"\r", b"#", b" ", b"calls=1 1\n", b"cfn=(1)\n", b"fn=(3)\n", b"jump=1 1\n",
    b"events: Ir\n", b"events: Ir Dr\n", b"positions: instr line\n", b"totals: 5\n",
    b"summary: 1\n", b"part: 3\n", b"event: A = 2 B\n",
]


def mutant(chance: random.Random) -> bytes:
    """The sample after one to four changes: bytes, tokens, lines, or its end."""
    data = SAMPLE
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        lines = data.splitlines(keepends=True)
        if kind == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + chance.choice(TOKENS) + data[at:]
        elif kind == 2:
            data = data[:at] + data[at + chance.randint(1, 12) :]
        elif kind == 3:
            data = data[:at]
        elif kind == 4 and lines:
            lines.pop(chance.randrange(len(lines)))
            data = b"".join(lines)
        elif kind == 5 and lines:
            line = chance.choice(lines)
            lines.insert(chance.randrange(len(lines) + 1), line)
            data = b"".join(lines)
        elif lines:
            words = chance.choice(lines).split()
            if words:
                data = data.replace(chance.choice(words), chance.choice(TOKENS), 1)
    return data


class Fuzz(unittest.TestCase):
    def test_sample_is_well_formed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sample"
            path.write_bytes(SAMPLE)
            first, second = read_profile(path).parts
            self.assertEqual(
                (first.self_total(), second.self_total()), ([138, 13], [7, 0])
            )
            first.check()
            second.check()

    def test_mutants(self) -> None:
        """Reading, checking and reporting either work or raise ProfileError."""
        chance = random.Random(SEED)
        read = refused = 0
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mutant"
            for number in range(MUTANTS):
                data = mutant(chance)
                path.write_bytes(data)
                try:
                    errors = self.use(path)
                except Exception as error:
                    raise AssertionError(f"mutant {number}: {data!r}") from error
                for fault in errors:
                    self.assertTrue(fault.message.isprintable(), fault.message)
                    self.assertIn(fault.line, range(1, data.count(b"\n") + 2))
                read += not errors
                refused += bool(errors)
                self.assertLess(time.monotonic() - start, SECONDS)
        # Neither refuses everything nor takes everything.
        self.assertGreater(read, MUTANTS // 20)
        self.assertGreater(refused, MUTANTS // 4)

    def use(self, path: Path) -> list[ProfileError]:
        """Read a profile, check it, report on it; what was raised."""
        try:
            profile = read_profile(path)
        except ProfileError as error:
            return [error]
        self.check_copy(profile)
        errors = []
        for part in profile.parts:
            try:
                part.check()
            except ProfileError as error:
                errors.append(error)
        try:
            options = Options(tree="both", inclusive=True, threshold=100.0)
            for line in report(profile, options):
                self.assertNotIn("\n", line)
        except ProfileError as error:
            errors.append(error)
        return errors


    def check_copy(self, profile: Profile) -> None:
        """What was read can be written, and is then read as the same."""
        written = "\n".join(profile_lines(profile))
        copy = toolsupport.read(os.fsencode(written))
        self.assertEqual("\n".join(profile_lines(copy)), written)
        for part, again in zip(profile.parts, copy.parts, strict=True):
            self.assertEqual(again.self_total(), part.self_total())


if __name__ == "__main__":
    unittest.main()
