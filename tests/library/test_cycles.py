"""The estimate of cycles: loops whose time is known by how they are made, by a core of round numbers.

cycles.c takes a loop as words; each loop is bound by one thing, which is the cause that its cycles are
charged to.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "unit"))

from hostbuild import LIBRARY, LIBRARY_SANITIZED, build_on_library, can_build  # noqa: E402

FULL = os.environ.get("CG2_FULL") == "1"
HERE = Path(__file__).resolve().parent

CORE = """core Round
machine zen4
code x86-64
pipeline width=4 fetch=8 queue=32 retire=8 reorder=128 scheduler=64 loads=32 stores=32 refill=12
fetch taken=1 indirect=1 return=1 cross=no
memory load=4 vector=6 wide=6 L2=14 L3=40 memory=100 fills=8 superqueue=8 tlb=7 walk=25 walkers=2
bandwidth L2=1 L3=2 memory=4.5
forward latency=7 fast=7 failed=12
eliminate moves=yes immediates=no zero=yes
fuse cmp test # a remark
ports a b c d e f l s
group alu = a b c d e f
access load=l store-address=l store-data=s
default latency=1 slots=1 uses=alu
op add r64,r64 latency=1 slots=1 uses=alu
op imul r64,r64 latency=3 slots=1 uses=b
op one r64 latency=1 slots=1 uses=c
op div r64 latency=12 slots=1 uses=a divider=10
op jne i latency=1 slots=1 uses=alu
"""

EVENTS = ("Ir", "Bc", "Bcm", "D1mr", "D2mr", "DLmr", "I1mr", "D1mw", "D2mw")
CAUSES = (
    "CyRet",
    "CyFe",
    "CyBr",
    "CyDep",
    "CyPort",
    "CyDiv",
    "CyFwd",
    "CyL1",
    "CyL2",
    "CyLL",
    "CyTLB",
)
ITERATIONS = 100000
ROUNDS = 500  # of an instruction that repeats itself, of 8 bytes


def runs_of(words: Sequence[str], i: int) -> float:
    """Instructions that one iteration executes at a word: what a stub executes costs where it is called, and
    each round of what repeats itself counts."""
    if words[i] == "stub":
        return 3
    if words[i] == "rep":
        return ROUNDS
    return 0.5 if i and words[i - 1] == "turn2" else 1


def profile_of(
    words: list[str],
    missed: int = 0,
    level: str = "",
    cold: Sequence[int] = (),
    forwarded: Sequence[str] = (),
) -> str:
    """The profile of a loop: `missed` branches are mispredicted, all loads miss up to `level`, or stores if
    that is D1mw; the code of the instructions `cold` comes from the last level each time; `forwarded` is
    what the header says of loads.
    """
    last = len(words) - 1
    lines = [
        "# callgrind format",
        "version: 1",
        "creator: test",
        *(["desc: Forwarded: " + "\t".join(forwarded)] if forwarded else []),
        "positions: instr line",
        "events: " + " ".join(EVENTS),
    ]
    body, totals = [], [0] * len(EVENTS)
    levels = EVENTS[3 : EVENTS.index(level) + 1] if level in EVENTS[3:6] else ()
    for i, word in enumerate(words):
        costs = dict.fromkeys(EVENTS, 0)
        costs["Ir"] = int(ITERATIONS * runs_of(words, i))
        if i == last:
            costs.update(Bc=ITERATIONS, Bcm=missed)
        if i in cold:
            costs["I1mr"] = ITERATIONS
        if word in ("load", "chase"):
            costs.update(dict.fromkeys(levels, ITERATIONS))
        if word == "store" and level == "D1mw":
            costs["D1mw"] = ITERATIONS
        if word == "rep" and level == "D1mw":
            costs["D1mw"] = ITERATIONS * ROUNDS // 8  # of lines
        totals = [a + b for a, b in zip(totals, costs.values())]
        body.append(f"{0x1000 + 4 * i:#x} {i + 1} " + " ".join(map(str, costs.values())))
        targets = {"skip": 1, "stub": 1, "turn1": 1, "turn2": 2}.get(word, 0)
        for k in range(targets):
            body += [
                f"jump={ITERATIONS // targets} {0x1004 + 4 * (i + k):#x} {i + k + 2}",
                f"{0x1000 + 4 * i:#x} {i + 1}",
            ]
    body += [f"jcnd={ITERATIONS - 1}/{ITERATIONS} 0x1000 1", f"{0x1000 + 4 * last:#x} {last + 1}"]
    lines += ["summary: " + " ".join(map(str, totals)), "ob=/bin/loop", "fl=a.c", "fn=main", *body]
    return "\n".join([*lines, "totals: " + " ".join(map(str, totals)), ""])


@functools.cache
def on_built_library() -> Path:
    """cycles.c with the library that `make` built, which walks ten times as fast as under sanitizers."""
    program = cg2test.new_directory() / "cycles"
    library = cg2test.BUILD / "libcg2profile.so.1"
    flags = (f"-I{LIBRARY}/include", f"-Wl,-rpath,{library.parent}")
    subprocess.run(["gcc", *flags, "-o", program, HERE / "cycles.c", library], check=True)
    return program


class Loops(unittest.TestCase):
    program: Path
    loop: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        reason = can_build(LIBRARY_SANITIZED)
        if reason:
            raise unittest.SkipTest(reason)
        cls.program = build_on_library(LIBRARY_SANITIZED, HERE / "cycles.c")

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def ended(
        self, core: str, profile: str, words: list[str], seed: int = 0
    ) -> subprocess.CompletedProcess[str]:
        (self.folder / "a.core").write_text(core)
        (self.folder / "a.cg2").write_text(profile)
        command = [str(self.program), "a.core", "a.cg2", str(seed), *words]
        return subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=cg2test.HANG,
            check=False,
        )

    def estimated(
        self,
        words: str,
        missed: int = 0,
        level: str = "",
        seed: int = 0,
        core: str = CORE,
        cold: Sequence[int] = (),
        forwarded: Sequence[str] = (),
    ) -> dict[str, float]:
        """Cycles an iteration by cause, and their sum; self.loop has the line of what bounds the loop."""
        row = words.split()
        ended = self.ended(core, profile_of(row, missed, level, cold, forwarded), row, seed)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        lines = [line.split() for line in ended.stdout.splitlines()]
        self.loop = next((line[1:] for line in lines if line[0] == "loop"), [])
        totals = {line[0]: int(line[1]) for line in lines if line[0] != "loop"}
        self.assertEqual(totals["Ir"], ITERATIONS * sum(runs_of(row, i) for i in range(len(row))))
        self.assertEqual(tuple(totals)[len(EVENTS) :], CAUSES)
        cycles = {cause: totals[cause] / ITERATIONS for cause in CAUSES}
        return {**cycles, "all": sum(cycles.values())}

    def go_on_quickly(self) -> None:
        """Have the next loops of a kind walked by the library that is built, but at full size."""
        if not FULL:
            self.program = on_built_library()

    def check_bound(self, cycles: dict[str, float], expected: float, cause: str) -> None:
        self.assertAlmostEqual(cycles["all"], expected, delta=0.03 * expected)
        beside = {name: cost for name, cost in cycles.items() if name not in ("all", "CyRet")}
        self.assertEqual(max(beside, key=lambda name: beside[name]), cause, cycles)

    def test_chain(self) -> None:
        """Three multiplications that wait for each other take nine cycles."""
        self.check_bound(self.estimated("imul imul imul back"), 9, "CyDep")
        self.assertEqual(
            self.loop, ["1000-100c", self.loop[1], "9.00", "3.00", "1.00", "1000", "1004", "1008"]
        )

    def test_width(self) -> None:
        """Eight additions of their own and a branch are nine slots of a width of four."""
        cycles = self.estimated("add1 add2 add3 add4 add7 add8 add9 add10 back")
        self.assertAlmostEqual(cycles["all"], 2.25, delta=0.08)
        self.assertAlmostEqual(cycles["CyRet"], 2.25, delta=0.01)

    def test_ports(self) -> None:
        self.check_bound(self.estimated("one1 one2 one3 one4 back"), 4, "CyPort")
        self.assertEqual(self.loop[4], "1.25")

    def test_divider(self) -> None:
        self.check_bound(self.estimated("div1 back"), 10, "CyDiv")

    def test_behind_the_divider(self) -> None:
        """What works on a quotient hides behind the next division; a chain beside divisions does not."""
        cycles = self.estimated("div0 imul imul back")
        self.check_bound(cycles, 10, "CyDiv")
        self.assertLess(cycles["CyDep"], 0.1)
        cycles = self.estimated("div1 imul imul imul imul back")
        self.check_bound(cycles, 12, "CyDep")
        self.assertLess(cycles["CyDiv"], 0.1)

    def test_forwarding(self) -> None:
        """What is stored is loaded, and stored again."""
        self.check_bound(self.estimated("load store back"), 7, "CyFwd")

    def test_popped(self) -> None:
        """What is pushed is popped seven cycles later, or at once where a core follows the stack pointer."""
        slow = self.estimated("imul push pop back")["all"]
        fast = self.estimated("imul push pop back", core=CORE.replace("fast=7", "fast=0"))["all"]
        self.assertAlmostEqual(slow - fast, 7, delta=0.2)
        self.assertAlmostEqual(fast, 5, delta=0.2)

    def test_forwarded(self) -> None:
        """A load whose address the code says nothing of, of what the header says it is forwarded: each time,
        the last but one, what one of two stores has stored of which the other is not there, part of it, or
        sometimes. Lines about others, and what is none, say nothing."""
        for said, expected, cause in (
            ([f"{ITERATIONS} 0x1000 0x1004 1 /bin/loop"], 7, "CyFwd"),
            ([f"{ITERATIONS} 0x1000 0x1004 2 /bin/loop"], 3.5, "CyFwd"),
            ([f"{ITERATIONS // 2} 0x1000 0x1004 {ago} /bin/loop" for ago in (1, 1)], 7, "CyFwd"),
            (
                [
                    f"{ITERATIONS * share // 4} 0x1000 {store} 1 /bin/loop"
                    for share, store in ((3, "0x1004"), (1, "0x1008"))
                ],
                7,
                "CyFwd",
            ),
            (
                [f"{ITERATIONS} 0x1000 0x1004 1 /bin/other", "7", "x 0x1000 0x1004 1 /bin/loop"],
                2,
                "",
            ),
            ([f"{ITERATIONS} 0x1000 0x1004 {ago} /bin/loop" for ago in (0, 33)], 2, ""),
            ([f"{ITERATIONS} 0x1000 0x1008 1 /bin/loop"], 2, ""),
        ):
            with self.subTest(said):
                cycles = self.estimated("other store back", forwarded=said)
                self.assertAlmostEqual(cycles["all"], expected, delta=0.03 * expected + 0.02)
                if cause:
                    self.check_bound(cycles, expected, cause)
                    self.assertEqual(float(self.loop[2]), expected)
            self.go_on_quickly()
        sometimes = [f"{ITERATIONS // 2} 0x1000 0x1004 1 /bin/loop"]
        found = self.estimated("other store back", forwarded=sometimes)["all"]
        self.assertTrue(1.9 < found < 6, found)
        partly = [f"{ITERATIONS} 0x1000 0x1004 1 partly /bin/loop"]
        self.assertGreater(self.estimated("other store back", forwarded=partly)["all"], 12)

    def test_recorded(self) -> None:
        """What the header says goes before what the code says, by which the load reads what was stored in the
        iteration before: the last but one, or none, as the header has only others of the object."""
        for said, expected, chain in (
            ([f"{ITERATIONS} 0x1000 0x1004 2 /bin/loop"], 3.5, 3.5),
            ([f"{ITERATIONS} 0x1008 0x1004 1 /bin/loop"], 2, 0),
            ([f"{ITERATIONS} 0x1008 0x1004 1 /bin/other"], 7, 7),
        ):
            with self.subTest(said):
                cycles = self.estimated("load store back", forwarded=said)
                self.assertAlmostEqual(cycles["all"], expected, delta=0.03 * expected + 0.02)
                self.assertEqual(float(self.loop[2]), chain)
            self.go_on_quickly()

    def test_learned(self) -> None:
        """A core that learns what a load reads has it early, if the load reads the same each time."""
        core = CORE.replace("fast=7", "fast=2 learned=yes")
        always = [f"{ITERATIONS} 0x1000 0x1004 1 /bin/loop"]
        cycles = self.estimated("other store back", core=core, forwarded=always)
        self.assertAlmostEqual(cycles["all"], 2, delta=0.06)
        self.assertEqual(float(self.loop[2]), 2)
        self.go_on_quickly()
        often = [f"{ITERATIONS * 3 // 4} 0x1000 0x1004 1 /bin/loop"]
        plain = self.estimated("other store back", forwarded=often)
        learned = self.estimated("other store back", core=core, forwarded=often)
        self.assertEqual(learned, plain)

    def test_jumps(self) -> None:
        """Four jumps that are taken take four cycles, or two where two are taken in each."""
        for core, expected in (
            (CORE, 4),
            (CORE.replace("taken=1", "taken=1 jumps=2"), 2),
            (CORE.replace("taken=1", "taken=2 jumps=2"), 4),
        ):
            with self.subTest(expected):
                self.check_bound(self.estimated("skip skip skip back", core=core), expected, "CyFe")
            self.go_on_quickly()

    def test_decoupled(self) -> None:
        """A jump with six cycles of bubbles, and sixteen instructions of four cycles: they take turns in
        fetching, or go on side by side where predicting is before fetching."""
        words = "turn1 " + "add1 add2 add3 add7 " * 4 + "back"
        core = CORE.replace("indirect=1", "indirect=5 ahead=8", 1)
        self.assertAlmostEqual(self.estimated(words, core=core)["all"], 9, delta=0.1)
        core = core.replace("ahead=8", "ahead=8 decoupled=yes")
        self.assertAlmostEqual(self.estimated(words, core=core)["all"], 7, delta=0.1)

    def test_levels(self) -> None:
        """A load of the address of the next load, from each level. The library that is built walks for the
        last one, which is the longest, and in a check for the one before; under sanitizers test_schedulers
        has loads from the last."""
        for level, expected, cause in (
            ("", 4, "CyDep"),
            ("D1mr", 14, "CyL1"),
            ("D2mr", 40, "CyL2"),
            ("DLmr", 100, "CyLL"),
        ):
            if level == "D2mr":
                self.go_on_quickly()
            if level == "DLmr":
                self.program = on_built_library()
            with self.subTest(level):
                self.check_bound(self.estimated("chase back", level=level), expected, cause)

    def test_out_of_order(self) -> None:
        """A load whose address another one brings asks late; loads of later iterations do not wait for it."""
        self.go_on_quickly()
        core = CORE.replace("fills=8", "fills=64")
        cycles = self.estimated("load imul imul chase back", level="D1mr", core=core)["all"]
        self.assertAlmostEqual(cycles, 2.2, delta=0.2)

    def test_sets(self) -> None:
        """Lines 4,096 bytes apart come to one set of level 1, one after another: those from beyond level 2
        take twice as long, and those that were stored to take time to leave. Lines side by side do not.
        """
        core = CORE.replace("superqueue=8", "superqueue=8 set=12 dirty=9")
        self.program = on_built_library()
        for words, level, expected, cause in (
            ("load step64 back", "D1mr", 12, "CyL1"),
            ("load step128 back", "D1mr", 12, "CyL1"),
            ("load step64 back", "D2mr", 24, "CyL2"),
            ("load store step64 back", "D1mr", 21, "CyL1"),
        ):
            with self.subTest(words, level=level):
                self.check_bound(self.estimated(words, level=level, core=core), expected, cause)
        for words in ("load step1 back", "load store step1 back", "load step96 back"):
            with self.subTest(words):
                plain = self.estimated(words, level="D1mr")["all"]
                found = self.estimated(words, level="D1mr", core=core)["all"]
                self.assertAlmostEqual(found, 6 if "step96" in words else plain, delta=0.1)

    def test_held(self) -> None:
        """A store that finds no room waits for those before it, whatever its data take to come."""
        core = CORE.replace("superqueue=8", "superqueue=8 set=12")
        self.program = on_built_library()
        for words in ("store step64 back", "imul store step64 back"):
            cycles = self.estimated(words, level="D1mw", core=core)
            self.check_bound(cycles, 12, "CyL1")
            self.assertGreater(cycles["CyL1"], 9)

    def test_repeats(self) -> None:
        """What repeats itself takes what its bytes take, or its lines, and holds back what is behind it."""
        self.program = on_built_library()
        core = CORE + "repeat start=20 bytes=50\n"
        for words, cycles in (("rep back", 100), ("rep add1 rep back", 200)):
            self.check_bound(self.estimated(words, core=core), cycles, "CyPort")
        wide = core.replace("bytes=50", "bytes=100")
        self.check_bound(self.estimated("rep back", core=wide), 60, "CyPort")
        self.check_bound(self.estimated("rep back", level="D1mw", core=wide), 82, "CyPort")

    def test_prefetches(self) -> None:
        """A load that misses all levels waits for the last one alone, where as many lines were prefetched;
        of two such loads half do, where half as many were."""
        self.program = on_built_library()
        self.check_bound(self.estimated("prefetch chase back", level="DLmr"), 40, "CyLL")
        half = self.estimated("prefetch chase chase back", level="DLmr")["all"]
        self.assertAlmostEqual(half, 140, delta=1)

    def test_chases(self) -> None:
        """A load whose base a load made may take less than others; not with an index."""
        core = CORE.replace("load=4", "load=4 chase=3")
        self.check_bound(self.estimated("chase back", core=core), 3, "CyDep")
        self.assertEqual(self.loop[2], "3.00")

    def test_extended(self) -> None:
        """A load takes two cycles more where the table has a line of its form."""
        core = CORE + "op mov latency=2 slots=1 uses=alu\n"
        self.check_bound(self.estimated("chase back", core=core), 6, "CyDep")

    def test_complex_addresses(self) -> None:
        """A load may take longer where its index is scaled, or has a base and a displacement beside it."""
        core = CORE.replace("load=4", "load=4 complex=1")
        for word, expected in (("chase", 4), ("indexed", 4), ("scaled2", 5), ("sum", 5)):
            with self.subTest(word):
                self.check_bound(self.estimated(f"{word} back", core=core), expected, "CyDep")

    def test_results(self) -> None:
        """Where a port has one result a cycle, two of 3 cycles and one of 1 cycle on it cannot take turns
        of three cycles, as two of them would end together: they take half a cycle more."""
        core = CORE + "op new r64 latency=3 slots=1 uses=c\n"
        self.check_bound(self.estimated("new1 new2 one3 back", core=core), 3, "CyPort")
        core = core.replace("scheduler=64", "scheduler=64 results=1", 1)
        self.check_bound(self.estimated("new1 new2 one3 back", core=core), 3.5, "CyPort")

    def test_several_targets(self) -> None:
        """A computed jump may take longer where it went to several targets."""
        core = CORE.replace("indirect=1", "indirect=1 several=3")
        for word, more in (("turn1", 0), ("turn2", 3)):
            with self.subTest(word):
                before, after = (
                    self.estimated(f"{word} add1 add2 back", core=each)["all"]
                    for each in (CORE, core)
                )
                self.assertAlmostEqual(after - before, more, delta=0.02)

    def test_stubs(self) -> None:
        """What goes through a stub of two instructions comes two cycles later, by its computed jump, and
        takes two slots more."""
        plain, through = (self.estimated(f"{word} add1 back") for word in ("skip", "stub"))
        self.assertAlmostEqual(through["all"] - plain["all"], 2, delta=0.02)
        self.assertAlmostEqual(through["CyRet"] - plain["CyRet"], 0.5, delta=0.01)

    def test_moves(self) -> None:
        """Eight moves of a register are eliminated, unless there is no counter left for its value."""
        words = "copy1 copy2 copy3 copy5 copy6 copy7 copy8 copy9 back"
        self.assertAlmostEqual(self.estimated(words)["all"], 2.25, delta=0.08)
        core = CORE.replace("eliminate", "eliminate counters=1")
        self.check_bound(self.estimated(words, core=core), 8, "CyPort")

    def test_stack(self) -> None:
        """What uses the stack pointer behind a push takes a slot more."""
        for more, expected in (("", 1.0), ("stack=yes ", 1.25)):
            core = CORE.replace("eliminate ", f"eliminate {more}")
            cycles = self.estimated("push use add1 back", core=core)
            self.assertAlmostEqual(cycles["all"], expected, delta=0.04)

    def test_fusion(self) -> None:
        """A comparison and its branch take a slot, or two where the table has them apart."""
        for more, expected in (("", 1.0), ("apart test cmp = js jne\n", 1.25)):
            core = CORE.replace("ports a", f"{more}ports a")
            cycles = self.estimated("add1 add2 add3 cmp back", core=core)
            self.assertAlmostEqual(cycles["all"], expected, delta=0.04)

    def test_written_by_both(self) -> None:
        """A pair that writes a register takes other ports than one that compares, where the table says so."""
        core = CORE.replace("fuse cmp", "fuse cmp dec") + "op fused latency=1 slots=1 uses=c\n"
        self.check_bound(self.estimated("one1 dec2 back", core=core), 2, "CyPort")
        self.assertAlmostEqual(self.estimated("one1 cmp back", core=core)["all"], 1, delta=0.03)

    def test_spread(self) -> None:
        """Six slots of a cycle, three of them for two ports and three for four, are two for the first port
        if they are spread over the ports in turn; else each port has one and a half of them."""
        core = CORE.replace("fuse cmp", "fuse cmp dec").replace("width=4", "width=6")
        core = core.replace("uses=c", "uses=ends").replace("uses=alu", "uses=all")
        core += "op fused latency=1 slots=1 uses=ends\n"
        groups = "".join(f"scheduler 24 = {port}\n" for port in "abcd")
        groups += "group all = a b c d\ngroup ends = a d\n"
        core = core.replace("default", f"{groups}default", 1)
        words = "one1 one2 add3 add4 add5 dec6 back"
        for more, expected in (("", 1.5), ("spread=yes ", 2)):
            cycles = self.estimated(words, core=core.replace("width=6", f"{more}width=6"))
            with self.subTest(more):
                self.assertAlmostEqual(cycles["all"], expected, delta=0.05)

    def test_near(self) -> None:
        """Eight jumps in turn take a cycle each; two if the core knows no more than four at once."""
        words = "skip " * 7 + "back"
        for near, expected in ((8, 8), (4, 16)):
            core = CORE.replace("taken=1", f"taken=1 near={near} beyond=1")
            self.check_bound(self.estimated(words, core=core), expected, "CyFe")

    def test_mispredictions(self) -> None:
        """Half of the branches cost the refill of 12, and four cycles until the branch is resolved."""
        self.check_bound(
            self.estimated("add1 back", missed=ITERATIONS // 2), 0.5 * 16 + 0.5, "CyBr"
        )

    def fetching(self, more: str, words: str, cold: Sequence[int] = ()) -> float:
        """The cycles of a loop whose code lies in lines of 16 bytes, which are four instructions."""
        core = CORE.replace("cross=no", f"cross=no line=16 {more}", 1)
        return self.estimated(words, core=core, cold=cold)["all"]

    def test_lines(self) -> None:
        """Three lines are fetched in three cycles; two at a time as soon as the width allows."""
        words = "add1 add2 add3 add4 add7 add8 add9 add10 back"
        self.assertAlmostEqual(self.fetching("lines=1", words), 3, delta=0.05)
        self.assertAlmostEqual(self.fetching("lines=2", words), 2.25, delta=0.08)

    def test_decoding(self) -> None:
        """Nine instructions in three lines: the cache of decoded ones has them all, or else none of them, as
        one set of the newest goes round; then they are decoded so many bytes or slots at a time. A line is
        not there in part, and none that takes more ways than the most."""
        words = "add1 add2 add3 add4 add7 add8 add9 add10 back"
        for more, expected in (
            ("ways=3 slots=4 most=1 bytes=8 width=8", 2.25),
            ("ways=2 slots=4 most=1 bytes=8 width=8", 5),
            ("ways=2 slots=4 most=1 bytes=16 width=2", 5),
            ("ways=2 slots=4 most=1 bytes=16 width=8", 3),
            ("ways=5 slots=2 most=2 bytes=8 width=8", 2.25),
            ("ways=4 slots=2 most=2 bytes=8 width=8", 5),
            ("ways=16 slots=3 most=1 bytes=8 width=8", 4),
        ):
            with self.subTest(more):
                found = self.fetching(f"lines=4\ndecode sets=1 {more}", words)
                self.assertAlmostEqual(found, expected, delta=0.08)
            if expected == 5:
                self.go_on_quickly()

    def test_split(self) -> None:
        """An instruction is decoded with the bytes that it ends in; if its opcode lies in the bytes before,
        it takes a place there, too. Twelve of four bytes lie in nine windows of six bytes. The first has an
        opcode, and the last an end; the others have two ends, or one and an opcode."""
        self.go_on_quickly()
        words = "add1 add2 add3 add4 add7 add8 add9 add10 add11 add12 add13 back"
        for width, expected in ((1, 16), (2, 9)):
            with self.subTest(width=width):
                decode = f"lines=4\ndecode sets=1 ways=1 slots=2 most=1 bytes=6 width={width}"
                self.assertAlmostEqual(self.fetching(decode, words), expected, delta=0.3)

    def test_borders(self) -> None:
        """Two lines of which the second ends with the branch: they are decoded each time if none with such a
        jump is kept, one line of eight bytes in a cycle. Where the branch is not the last there are three.
        """
        for words, borders, expected in (
            ("add1 add2 add3 add4 add7 add8 add9 back", "no", 2),
            ("add1 add2 add3 add4 add7 add8 add9 back", "yes", 4),
            ("add1 add2 add3 add4 add7 add8 add9 add10 back", "yes", 2.25),
        ):
            more = f"lines=4\ndecode sets=1 ways=4 slots=4 most=1 bytes=8 width=8 borders={borders}"
            with self.subTest(words=words, borders=borders):
                self.assertAlmostEqual(self.fetching(more, words), expected, delta=0.08)

    def test_code(self) -> None:
        """Fourteen lines of the last level: 40 cycles each, or as many of them in that time as are asked for
        before, but no more than the link carries, a line in five cycles."""
        words = "add1 add2 add3 add4 " * 14 + "add7 back"
        cold = range(0, 56, 4)
        for more, each in (("ahead=0", 40), ("ahead=2", 20), ("ahead=16 code=5", 5)):
            with self.subTest(more):
                self.assertAlmostEqual(
                    self.fetching(more, words, cold) / 14, each, delta=0.05 * each
                )
            if each == 20:
                self.go_on_quickly()

    def test_far(self) -> None:
        """A branch that is taken in a line which has just come costs so much more."""
        far = self.fetching("ahead=16 far=6", "add1 add2 back", [0])
        self.go_on_quickly()
        near = self.fetching("ahead=16 far=0", "add1 add2 back", [0])
        self.assertAlmostEqual(far - near, 6, delta=0.05)

    def test_schedulers(self) -> None:
        """Multiplications wait for loads in a scheduler: one load more than it has entries is under way."""
        for entries in (1, 3):
            core = CORE.replace("group alu", f"scheduler {entries} = b\ngroup alu", 1)
            cycles = self.estimated("load imul back", level="DLmr", core=core)
            with self.subTest(entries):
                self.assertAlmostEqual(cycles["all"] * (entries + 1), 102, delta=4)
            self.go_on_quickly()

    def test_turns(self) -> None:
        """Where ports take turns, what has begun keeps its entry of a scheduler for four more cycles: four
        micro-operations of one port take five cycles each, by one entry, or by several at a time.
        """
        self.go_on_quickly()
        for entries, expected in ((1, 20), (2, 10), (4, 5)):
            core = CORE.replace("group alu", f"scheduler {entries} = c\ngroup alu", 1)
            core = core.replace("scheduler=64", "scheduler=64 turns=yes", 1)
            cycles = self.estimated("one1 one2 one3 one4 back", core=core)["all"]
            with self.subTest(entries):
                self.assertAlmostEqual(cycles, expected, delta=0.05)

    def test_unknown_forms(self) -> None:
        """Forms that the table lacks are as its default; the profile says how much of Ir they are."""
        self.estimated("new1 new2 new3 back")
        self.assertIn("75.0 % of Ir unknown to the table", (self.folder / "made").read_text())

    def test_without_code(self) -> None:
        ended = self.ended(CORE, profile_of(["add1", "back"]), [])
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("100.0 % of Ir without code", (self.folder / "made").read_text())

    def test_seeds(self) -> None:
        """Other walks give the same within a percent; the same walk gives the same bytes, also on one
        processor, and the library that is built the same figures. By that one go the other walks, but at
        full size."""
        words = "add1 imul chase load store back"
        estimated = functools.partial(self.estimated, words, ITERATIONS // 5, "D1mr")
        sanitized = estimated()
        first = (self.folder / "made").read_bytes()
        processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, processors)
        os.sched_setaffinity(0, {min(processors)})
        estimated()
        os.sched_setaffinity(0, processors)
        self.assertEqual((self.folder / "made").read_bytes(), first)
        found = [estimated(seed=seed)["all"] for seed in range(1, 10)] if FULL else []
        self.program = on_built_library()
        self.assertEqual(estimated(), sanitized)
        found += [estimated(seed=seed)["all"] for seed in range(1, 10)]
        found.append(sanitized["all"])
        self.assertLess(max(found) / min(found), 1.01)

    def test_sums(self) -> None:
        """The summary, the totals and what lines cost are the same."""
        self.estimated("add1 imul chase load store back", ITERATIONS // 5, "D1mr")
        made = (self.folder / "made").read_text().splitlines()
        stated = [line.split()[1:] for line in made if line.startswith(("summary:", "totals:"))]
        self.assertEqual(stated[0], stated[1])
        width = len(EVENTS) + len(CAUSES)
        rows = [
            line.split()[2:]
            for line in made
            if line[:1] in tuple("0123456789+*") and len(line.split()) > 3
        ]
        sums = [sum(int(row[i]) if i < len(row) else 0 for row in rows) for i in range(width)]
        self.assertEqual(sums, [int(n) for n in stated[0] + ["0"] * (width - len(stated[0]))])

    def test_needs(self) -> None:
        """Profiles that lack something name the option that makes it."""
        whole = profile_of(["add1", "back"])
        no_jumps = (
            "\n".join(line for line in whole.splitlines() if not line.startswith("jcnd=")) + "\n"
        )
        no_jumps = no_jumps.replace("0x1004 2\n", "", 1)
        no_addresses = "version: 1\nevents: Ir\nfl=a.c\nfn=f\n1 3\n"
        for profile, word in (
            (no_jumps, "--collect-jumps=yes"),
            (no_addresses, "--dump-instr=yes"),
        ):
            with self.subTest(word):
                ended = self.ended(CORE, profile, ["add1", "back"])
                self.assertEqual((ended.returncode, len(ended.stdout.splitlines())), (1, 1))
                self.assertIn(word, ended.stdout)

    def test_tables(self) -> None:
        """Tables that are wrong: one line, with the line of the table."""
        for old, new, line, word in (
            ("width=4", "width=0", 4, "width=0"),
            ("width=4", "width=nine", 4, "width=nine"),
            ("width=4", "height=4", 4, "height"),
            ("uses=b", "uses=q", 16, "q"),
            ("uses=b", "uses=b*0", 16, "uses=0"),
            ("moves=yes", "moves=perhaps", 9, "perhaps"),
            ("memory=4.5", "memory=4.x", 7, "4.x"),
            ("op one r64", "op add r64,r64", 17, "add r64,r64"),
            ("core Round", "kernel Round", 1, "kernel"),
            ("ports a b", "ports " + "p " * 33, 11, "32 ports"),
            ("code x86-64\n", "", 18, "code"),
        ):
            with self.subTest(new):
                ended = self.ended(
                    CORE.replace(old, new, 1), profile_of(["add1", "back"]), ["add1", "back"]
                )
                self.assertEqual((ended.returncode, ended.stderr), (1, ""))
                self.assertRegex(ended.stdout, rf"^a\.core:{line}: .*{word}.*\n$")


if __name__ == "__main__":
    unittest.main()
