"""The modules that need no Valgrind, without it: each test here is one file test_*.c in one flavour.

A file checks one module, or (test_model) all of the engine against a model of random programs; see
check.h.
"""

from __future__ import annotations

import os
import re
import unittest
from collections.abc import Callable
from typing import ClassVar

from cg2test import new_directory
from cg2tools.profile.model import FunctionKey
from cg2tools.profile.positions import Position
from cg2tools.profile.reader import read_profile
from hostbuild import (
    ARM64,
    FUZZ,
    PLAIN,
    SANITIZED,
    UNIT,
    WORD32,
    Flavour,
    build,
    can_build,
    modules_of,
    run,
    unit_of,
)

FULL = os.environ.get("CG2_FULL") == "1"
PROGRAMS = sorted(path.stem for path in UNIT.glob("test_*.c"))
# What does random steps, many of each kind: where checks take long, half of those that Plain does are enough.
RANDOM = ("test_allocations", "test_model")
# What they need besides the engine.
PARTS = [
    *(UNIT / f"{name}.c" for name in ("programs", "check", "fixture")),
    *(FUZZ / f"{name}.c" for name in ("parse", "facts")),
]


class Programs(unittest.TestCase):
    """All C tests in the flavour of the subclass."""

    flavour: ClassVar[Flavour]

    @classmethod
    def setUpClass(cls) -> None:
        reason = can_build(cls.flavour)
        if reason:
            raise unittest.SkipTest(reason)

    def check_program(self, name: str) -> None:
        """Run a C test; it ends with the line `N checks passed, M failed`."""
        files = [UNIT / f"{each}.c" for each in PROGRAMS if hasattr(self, each)]
        program = build(self.flavour, *PARTS, *files)
        ended = run([program, name], CG2_TEST_SIZE="20" if FULL else self.size(name))
        said = ended.stdout + ended.stderr
        counted = re.search(r"^(\d+) checks passed, (\d+) failed$", ended.stdout, re.MULTILINE)
        assert counted is not None, said
        self.assertEqual((ended.returncode, int(counted[2])), (0, 0), said)
        self.assertGreater(int(counted[1]), 0)

    def size(self, name: str) -> str:
        return "1/2" if name in RANDOM else "1"


class Plain(Programs):
    flavour = PLAIN

    def size(self, name: str) -> str:
        return "1"


class Sanitized(Programs):
    """Under AddressSanitizer and UndefinedBehaviorSanitizer."""

    flavour = SANITIZED


class Word32(Programs):
    """The same programs with words of 32 bits, as on x86."""

    flavour = WORD32


class Arm64(Programs):
    """The same programs with a guest whose calls push nothing, as on arm64."""

    flavour = ARM64

    def size(self, name: str) -> str:
        """A fifth of test_allocations, if all modules that it needs are those of Sanitized."""
        if name != "test_allocations":
            return super().size(name)
        files = [UNIT / f"{name}.c", *modules_of([UNIT / f"{name}.c"])]
        is_same = all(unit_of(ARM64, file) == unit_of(SANITIZED, file) for file in files)
        return "1/5" if is_same else super().size(name)


def check(name: str) -> Callable[[Programs], None]:  # noqa: F821  (it is deleted at the end)
    return lambda test: test.check_program(name)


# What these programs do with their stacks, or read as machine code, is an x86 processor's.
OF_X86 = ("cpu", "elffile", "exits", "fibers", "guest_code", "jump", "probe", "thread", "thunkcode",
          "veccode")  # fmt: skip
OF_ARM64 = ("cpu_arm64",)
OF_WORD64 = ("veccode",)

for name in PROGRAMS:
    for programs in (Plain, Sanitized, Word32, Arm64):
        others = OF_X86 if programs is Arm64 else OF_ARM64
        if programs is Word32:
            others += OF_WORD64
        if name.removeprefix("test_") not in others:
            setattr(programs, name, check(name))
del Programs, programs  # not a test itself


# ------------------------------------------------------------ what is written, read back

Key = tuple[FunctionKey, Position]
CallKey = tuple[FunctionKey, Position, FunctionKey, Position]


class Written(unittest.TestCase):
    """The project's reader gets back what the writer was given, in each way of writing."""

    def test_reader(self) -> None:
        program = build(
            SANITIZED, UNIT / "write_profiles.c", FUZZ / "facts.c", FUZZ / "graph_of_bytes.c"
        )
        for seed in range(1, 4):
            directory = new_directory()
            ended = run([program, directory, str(seed)])
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            profiles = sorted(path for path in directory.iterdir() if path.suffix != ".facts")
            self.assertEqual(len(profiles), 12)
            for path in profiles:
                with self.subTest(seed=seed, profile=path.name):
                    self.check_profile(str(path))

    def check_profile(self, path: str) -> None:
        costs, calls = read_facts(f"{path}.facts")
        part = read_profile(path).parts[0]
        part.check()
        self.assertEqual(part.self_total(), [sum(costs.values())])
        found_costs: dict[Key, int] = {}
        found_calls: dict[CallKey, tuple[int, int]] = {}
        for key, function in part.functions.items():
            for position, cost in function.costs.items():
                found_costs[key, position] = cost[0]
            for call in function.calls:
                target = (key, call.source, call.callee, call.target)
                count, inclusive = found_calls.get(target, (0, 0))
                found_calls[target] = (count + call.count, inclusive + call.inclusive[0])
        self.assertEqual(found_costs, costs)
        self.assertEqual(found_calls, calls)


def read_facts(path: str) -> tuple[dict[Key, int], dict[CallKey, tuple[int, int]]]:
    """Self costs, and counts and inclusive costs of calls; see tests/fuzz/facts.h."""
    costs: dict[Key, int] = {}
    calls: dict[CallKey, tuple[int, int]] = {}
    with open(path) as lines:
        for line in lines:
            field = line.rstrip("\n").split("\t")
            key = FunctionKey(field[0], field[1], field[2])
            at = Position(field[3], int(field[4]), int(field[5]))
            callee = FunctionKey(field[6], field[7], field[8])
            target = Position(field[7], int(field[9]), int(field[10]))
            if callee.name:
                calls[key, at, callee, target] = (int(field[11]), int(field[12]))
            else:
                costs[key, at] = int(field[12])
    return costs, calls


if __name__ == "__main__":
    unittest.main()
