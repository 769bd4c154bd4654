"""The simulator of caches and branches, without Valgrind.

Each structure is compared with a slow, obvious model on accesses of all kinds; kernels miss as often as can
be derived on paper; and what a program does, instruction by instruction, costs what stock Callgrind says.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from cg2test import IN_PLACE, compile, new_directory, run_cg2
from stock import StockCase, only_part

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "unit"))

from hostbuild import (
    MODEL,
    PLAIN,
    SANITIZED,
    UNIT,
    WORD32,
    Flavour,
    build,
    can_build,
    run,
)  # noqa: E402

FULL = os.environ.get("CG2_FULL") == "1"

COMPARISONS = [
    *("compare_branch", "compare_cache", "compare_hierarchy", "compare_lru"),
    *("compare_memory", "compare_predictor", "compare_sweep", "kernels", "kernels_memory"),
]
LEARNING = ("compare_predictor",)  # what it counts at its end has to have settled
MADE_UP = ("compare_memory",)  # of machines made up by chance: a smaller size has fewer of them
REFERENCES = [
    MODEL / f"{name}.c" for name in ("reference", "reference_memory", "reference_predictor")
]


# ------------------------------------------------------------ against the reference, and paper


class Programs(unittest.TestCase):
    """The comparisons in the flavour of the subclass: a quarter of a million accesses of each structure, five
    times as many of those that learn; at full size more than 10^7."""

    flavour: ClassVar[Flavour]
    size: ClassVar[int]  # at full size, in 5 million accesses
    small_size: ClassVar[str] = "1/20"
    small_size_of_learning: ClassVar[str] = "1/4"

    @classmethod
    def setUpClass(cls) -> None:
        reason = can_build(cls.flavour)
        if reason:
            raise unittest.SkipTest(reason)

    def check_program(self, name: str) -> None:
        program = build(self.flavour, MODEL / f"{name}.c", *REFERENCES, UNIT / "check.c")
        ended = run([program], CG2_TEST_SIZE=str(self.size) if FULL else self.small_size_of(name))
        said = ended.stdout + ended.stderr
        counted = re.search(r"^(\d+) checks passed, (\d+) failed$", ended.stdout, re.MULTILINE)
        assert counted is not None, said
        self.assertEqual((ended.returncode, int(counted[2])), (0, 0), said)
        self.assertGreater(int(counted[1]), 0)

    def small_size_of(self, name: str) -> str:
        """The size of a comparison in a check."""
        return self.small_size_of_learning if name in LEARNING else self.small_size


class Plain(Programs):
    """1.25 million accesses of each structure, twice as many of those that learn, a million where machines
    are made up; at full size more than 10^8."""

    flavour = PLAIN
    size = 21
    small_size = "1/4"
    small_size_of_learning = "1/2"

    def small_size_of(self, name: str) -> str:
        """Four times as many machines as under sanitizers, where they are made up."""
        return "1/5" if name in MADE_UP else super().small_size_of(name)


class Sanitized(Programs):
    """Under AddressSanitizer and UndefinedBehaviorSanitizer: a fifth of the accesses that the plain program
    makes, half of those of what learns."""

    flavour = SANITIZED
    size = 2


class Word32(Programs):
    """The same programs with words of 32 bits, as on x86: as many accesses as under sanitizers; at full size
    16 times as many as the plain program makes in a check."""

    flavour = WORD32
    size = 4


def check(name: str) -> Callable[[Programs], None]:  # noqa: F821  (it is deleted at the end)
    return lambda test: test.check_program(name)


for name in COMPARISONS:
    for programs in (Plain, Sanitized, Word32):
        setattr(programs, f"test_{name}", check(name))
del Programs, programs  # not a test itself


# ------------------------------------------------------------ against Callgrind

Counts = dict[int, list[int]]  # of each address
Shape = tuple[int, int, int]  # of a cache: size, ways, line

# Callgrind takes numbers of sets that are powers of two, and lines of at least 32 bytes. Its last level has
# more than one set here, and its first levels too when cache use is looked at: in these cases it forgets the
# second line of an access across two.
MACHINES: list[tuple[Shape, Shape, Shape]] = [
    ((32768, 8, 64), (32768, 8, 64), (8388608, 16, 64)),
    ((1024, 2, 32), (1024, 1, 32), (4096, 4, 32)),
    ((4096, 4, 64), (2048, 2, 64), (16384, 16, 64)),
    ((256, 2, 64), (128, 1, 32), (512, 4, 64)),
    ((512, 2, 32), (1024, 2, 256), (8192, 4, 64)),
    ((3072, 3, 64), (10240, 5, 128), (49152, 24, 128)),
    ((1024, 4, 64), (8192, 32, 64), (2048, 2, 32)),
    ((2048, 2, 512), (512, 2, 64), (65536, 2, 1024)),
]

# What the simulator is asked for, and Callgrind's option.
VARIANTS = {
    "plain": "--cache-sim=yes",
    "wb": "--simulate-wb=yes",
    "hwpref": "--simulate-hwpref=yes",
    "cacheuse": "--cacheuse=yes",
}

# Described: kind, log2 of the entries, branches that are remembered.
PREDICTORS = [
    ("gshare", 14, 14),
    ("gshare", 5, 12),
    ("perceptron", 10, 16),
    ("perceptron", 4, 64),
    ("tage", 12, 64),
    ("tage", 5, 200),
]

LACKEY = [
    "--trace-mem=yes",
    "--trace-superblocks=yes",
    "--vex-guest-chase=no",
    "--vex-iropt-unroll-thresh=0",
]


@cache
def traced(program: Path, *arguments: str) -> str:
    """What the program does as Lackey tells it, as `replay` reads it: Callgrind does not count the last
    block."""
    said = run_cg2([program, *arguments], *LACKEY, tool="lackey", out_file=None)
    if said.status != 0:
        raise AssertionError(
            f"{program}: exit status {said.status} under Lackey\n{said.stderr[-2000:]}"
        )
    before, _, last = said.stderr.rpartition("\nSB ")
    return f"{before}\nlast\n{last}"


def stock_counts(program: Path, *arguments: str, options: Sequence[str]) -> Counts:
    """What each instruction costs under Callgrind."""
    return counts_of("callgrind", program, *arguments, options=options)


def counts_of(tool: str, program: Path, *arguments: str, options: Sequence[str]) -> Counts:
    """What each instruction costs under a tool."""
    said = run_cg2([program, *arguments], "--dump-instr=yes", "--skip-plt=no", *options, tool=tool)
    if said.status != 0:
        raise AssertionError(
            f"{program}: exit status {said.status} under {tool}\n{said.stderr[-2000:]}"
        )
    counts: Counts = {}
    for function in only_part(said.profile_paths[0]).functions.values():
        for position, cost in function.costs.items():
            sums = counts.setdefault(position.instr, [0] * len(cost))
            counts[position.instr] = [a + b for a, b in zip(sums, cost, strict=True)]
    return counts


def replayed(text: str, *arguments: str) -> Counts:
    """What each instruction costs in the simulator."""
    program = build(PLAIN, MODEL / "replay.c", MODEL / "reference_predictor.c")
    ended = subprocess.run(
        [program, *arguments], input=text, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        raise AssertionError(f"replay {' '.join(arguments)}: {ended.stderr}")
    rows = (line.split() for line in ended.stdout.splitlines())
    return {int(row[0], 16): [int(count) for count in row[1:]] for row in rows}


def can_compare_x86() -> bool:
    """Whether a 32-bit program can be traced, and profiled by Callgrind."""
    return not can_build(WORD32) and (IN_PLACE / "callgrind-x86-linux").exists()


def pairs(is_x86: bool) -> Iterator[tuple[tuple[Shape, Shape, Shape], str]]:
    """Machines and variants of models to compare.

    In a check each of the programs of amd64 and x86 has each machine once, each time with other models, and
    each variant twice: the simulator is the same for both.
    """
    is_shared = not FULL and can_compare_x86()
    for i, machine in enumerate(MACHINES):
        for k, variant in enumerate(VARIANTS):
            if not is_shared or (i + i // len(VARIANTS) + 2 * is_x86) % len(VARIANTS) == k:
                yield machine, variant


def totals(counts: Mapping[int, list[int]]) -> list[int]:
    return [sum(column) for column in zip(*counts.values())]


def assert_same(test: unittest.TestCase, found: Counts, expected: Counts) -> None:
    """Each instruction costs in the simulator what it costs in stock Callgrind."""
    test.assertEqual(totals(found), totals(expected))
    different = {
        hex(at): (found.get(at), expected.get(at)) for at in found.keys() | expected.keys()
    }
    test.assertEqual(
        {at: pair for at, pair in different.items() if pair[0] != pair[1]},
        {},
        "(cg2, Callgrind)",
    )


class Parity(unittest.TestCase):
    """A program's instructions cost in the simulator what they cost in stock Callgrind, each of them."""

    def setUp(self) -> None:
        reason = can_build(PLAIN)
        if reason:
            self.skipTest(reason)

    def check_caches(self, program: Path, *arguments: str, is_x86: bool = False) -> None:
        trace = traced(program, *arguments)
        if is_x86:
            trace = trace.replace("\nlast\n", "\n")
        for machine, variant in pairs(is_x86):
            with self.subTest(machine=machine, variant=variant):
                shapes = [",".join(map(str, shape)) for shape in machine]
                levels = [f"--{name}={shape}" for name, shape in zip(("I1", "D1", "LL"), shapes)]
                options = [VARIANTS[variant], *levels]
                found = replayed(trace, *shapes, variant)
                assert_same(self, found, stock_counts(program, *arguments, options=options))
                self.assertGreater(min(totals(found)[:9]), 0)

    def test_caches(self) -> None:
        """A program of the C library, in eight machines with four models each, or one of these."""
        self.check_caches(compile("misses.c", "-O2", "-static", "-no-pie"))

    def test_caches_x86(self) -> None:
        """A 32-bit program: Callgrind counts its last block, too."""
        if not can_compare_x86():
            self.skipTest("no 32-bit compiler, or no 32-bit tools")
        self.check_caches(compile("misses.c", "-O2", "-static", "-no-pie", "-m32"), is_x86=True)

    def test_caches_longer(self) -> None:
        """Ten rounds of it."""
        self.check_caches(compile("misses.c", "-O2", "-static", "-no-pie"), "10")

    test_caches_longer.full = True  # type: ignore[attr-defined]


class Branches(unittest.TestCase):
    """A program's branches, each of them, are predicted in the simulator as in stock Callgrind, and under the
    tool as the slow models of described predictors do."""

    def setUp(self) -> None:
        reason = can_build(PLAIN)
        if reason:
            self.skipTest(reason)

    def test_branches(self) -> None:
        """Callgrind's predictors, which the simulator has without a machine."""
        program = compile("predicted.S", "-nostdlib", "-static")
        expected = stock_counts(program, options=["--branch-sim=yes"])
        found = replayed(branches(program), "branches")
        assert_same(self, found, {at: cost[1:] for at, cost in expected.items() if any(cost[1:])})
        conditional, wrong, indirect, wrong_indirect = totals(found)
        self.assertTrue(
            conditional > wrong > 10000 and indirect > wrong_indirect > 1000, totals(found)
        )

    def counts(self, program: Path, described: str) -> Counts:
        """Bc, Bcm, Bi, Bim, and Brm of tage, of the instructions that are branches."""
        path = new_directory() / "some.machine"
        path.write_text(f"cache L1 size=32K ways=8\n{described}\n")
        counts = counts_of("cg2", program, options=["--branch-sim=yes", f"--machine={path}"])
        columns = 5 if "tage" in described else 4
        return {at: cost[-columns:] for at, cost in counts.items() if any(cost[-columns:])}

    def test_predictors(self) -> None:
        """Tables that are large enough, and that are not."""
        program = compile("predicted.S", "-nostdlib", "-static")
        all_wrong = set()
        for kind, bits, history in PREDICTORS:
            with self.subTest(kind=kind, bits=bits, history=history):
                expected = replayed(branches(program), "branches", kind, str(bits), str(history))
                described = f"branches predictor={kind} bits={bits} history={history}"
                self.assertEqual(self.counts(program, described), expected)
                conditional, wrong, indirect, wrong_indirect, *_ = totals(expected)
                self.assertTrue(conditional > wrong > 10000)
                self.assertTrue(indirect > wrong_indirect > 5000)
                all_wrong.add(wrong)
        self.assertEqual(len(all_wrong), len(PREDICTORS))

    def test_returns(self) -> None:
        """Calls within calls, fewer than the return stack has places and more; returns that go elsewhere."""
        program = compile("returns.S", "-nostdlib", "-static")
        expected = replayed(branches(program), "branches", "tage", "10", "200")
        self.assertEqual(self.counts(program, "branches predictor=tage"), expected)
        # The outermost 9 of 41 calls in each other; and the one that goes elsewhere.
        self.assertEqual(totals(expected)[4], 9 + 1)

    def test_defaults(self) -> None:
        """What a description leaves out is as docs/machines.md says."""
        program = compile("predicted.S", "-nostdlib", "-static")
        for said, *meant in (
            ("predictor=gshare", "gshare", "14", "14"),
            ("predictor=gshare bits=8", "gshare", "8", "8"),
            ("predictor=perceptron", "perceptron", "14", "32"),
            ("predictor=tage latency=3", "tage", "10", "200"),
        ):
            with self.subTest(said):
                self.assertEqual(
                    self.counts(program, f"branches {said}"),
                    replayed(branches(program), "branches", *meant),
                )

    def test_callgrind(self) -> None:
        """With Callgrind's predictor, or none, all is as without a machine."""
        program = compile("predicted.S", "-nostdlib", "-static")
        plain = {
            at: cost[1:]
            for at, cost in counts_of("cg2", program, options=["--branch-sim=yes"]).items()
            if any(cost[1:])
        }
        for said in ("", "branches predictor=callgrind", "branches latency=9"):
            with self.subTest(said):
                self.assertEqual(self.counts(program, said), plain)


class Faults(StockCase):
    """What is wrong with Callgrind's simulator, and right here.

    Last levels are so large that nothing is evicted: as many accesses miss as there are lines, in every
    model.
    """

    def setUp(self) -> None:
        reason = can_build(PLAIN)
        if reason:
            self.skipTest(reason)
        self.program = compile("misses.c", "-O2", "-static", "-no-pie")

    def last_misses(self, tool: str, last: Shape, *variants: str) -> list[int]:
        """ILmr, DLmr, DLmw."""
        shapes = ["32768,8,64", "32768,8,64", ",".join(map(str, last))]
        if tool == "cg2":
            return totals(replayed(traced(self.program), *shapes, *variants))[6:9]
        levels = [f"--{name}={shape}" for name, shape in zip(("I1", "D1", "LL"), shapes)]
        options = [VARIANTS[variant] for variant in variants]
        return totals(stock_counts(self.program, options=[*options, *levels]))[6:9]

    def test_empty_ways(self) -> None:
        """S08: A line is not found in an empty way. The program lies below 8 MiB, the size of a way."""
        for variant in ("wb", "cacheuse"):

            def misses_all(tool: str) -> None:
                last = (16777216, 2, 64)
                self.assertEqual(
                    self.last_misses(tool, last, variant), self.last_misses(tool, last, "plain")
                )

            self.check_both(misses_all)

    def test_one_set(self) -> None:
        """An access across two lines loads both into a cache of one set."""

        def loads_both(tool: str) -> None:
            last = (1048576, 16384, 64)
            self.assertEqual(
                self.last_misses(tool, last, "wb"), self.last_misses(tool, last, "plain")
            )

        self.check_both(loads_both)

    def test_prefetched(self) -> None:
        """A prefetched line is found, also when lines are written back."""

        def finds_some(tool: str) -> None:
            last = (1048576, 16, 64)
            found = self.last_misses(tool, last, "wb", "hwpref")
            self.assertLess(sum(found), sum(self.last_misses(tool, last, "wb")))

        self.check_both(finds_some)


@cache
def branches(program: Path) -> str:
    """The branches that a program executes, as `replay` reads them."""
    return "\n".join(branches_of(program, traced(program)))


def branches_of(program: Path, trace: str) -> Iterator[str]:
    """The branches of a trace: what they are says the disassembly, where they went the next instruction."""
    listed = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True
    )
    code = {
        f"{int(at, 16):08x}": mnemonic
        for at, mnemonic in re.findall(r"^ +([0-9a-f]+):\t(\S+ *\*?)", listed.stdout, re.MULTILINE)
    }
    branching = {at for at, mnemonic in code.items() if mnemonic[0] == "j" or is_call(mnemonic)}
    executed = re.findall(r"^I +([0-9a-f]+),(\d+)$", trace, re.MULTILINE)
    for number, (at, size) in enumerate(executed[:-1]):
        if at not in branching:
            continue
        place, following = int(at, 16), int(executed[number + 1][0], 16)
        mnemonic = code[at].split()[0]
        after = place + int(size)
        if mnemonic in ("jmp", "call"):
            if code[at].endswith("*"):
                yield f"i {place:x} {following:x}"
            if mnemonic == "call" and following != after:
                yield f"k {place:x} {after:x}"
        elif mnemonic == "ret":
            yield f"r {place:x} {following:x}"
        else:
            yield f"c {place:x} {int(following != after)}"


def is_call(mnemonic: str) -> bool:
    """Whether an instruction calls or returns."""
    return mnemonic.split()[0] in ("call", "ret")


if __name__ == "__main__":
    unittest.main()
