"""--cache-sweep: each of its columns is what a run with a cache of that size alone counts, in each
function."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

import together
from case import Case
from cg2test import can_run_32_bits, compile, run_cg2
from cg2tools.profile.model import FunctionKey, Part

COLUMN = re.compile(
    r"(I|D|LL) sweep of \d+ (?:sets?|ways?), (fetch|read|write) misses, (\d+) B, (\d+) B, "
    r"(?:(\d+)-way|direct-)"
)
EVENTS = {
    ("I", "fetch"): "I1mr",
    ("D", "read"): "D1mr",
    ("D", "write"): "D1mw",
    ("LL", "fetch"): "ILmr",
    ("LL", "read"): "DLmr",
    ("LL", "write"): "DLmw",
}
# What is simulated but for the cache that is swept.
SMALL = ("--I1=1024,2,64", "--D1=512,2,64", "--LL=65536,16,64")
Counts = dict[FunctionKey, dict[str, int]]


def counts_of(part: Part) -> Counts:
    return {
        key: dict(zip(part.events, f.self_cost(), strict=True)) for key, f in part.functions.items()
    }


def columns_of(part: Part) -> dict[str, tuple[str, str, str]]:
    """Each column's cache, its shape as an option has it, and what a run with that counts."""
    found = {}
    for name, event in part.event_definitions.items():
        said = COLUMN.match(event.long_name)
        if said:
            cache, kind, size, line, ways = said.groups()
            option = {"I": "I1", "D": "D1"}.get(cache, cache)
            found[name] = (f"--{option}={size},{ways or 1},{line}", cache, EVENTS[cache, kind])
    return found


class Sweeps(Case):
    program: Path

    def part_of(self, *options: str) -> Part:
        run = run_cg2([self.program], *options)
        self.assertEqual(run.status, 0, run.stderr)
        return self.check_whole(run, run.profile_paths[0]).part

    def check(self, sweep: str, n: int, *options: str) -> None:
        """`n` columns, of which each is equal to what a run with `options` and its cache counts."""
        part = self.part_of(f"--cache-sweep={sweep}", *options)
        swept = counts_of(part)
        columns = columns_of(part)
        self.assertEqual(len(columns), n)
        runs = {option: counts_of(self.part_of("--cache-sim=yes", *SMALL, *options, option))
                for option in {option for option, _, _ in columns.values()}}  # fmt: skip
        for name, (option, _, event) in columns.items():
            with self.subTest(sweep=sweep, column=name, options=options):
                one = {key: cost[event] for key, cost in runs[option].items()}
                self.assertEqual({key: cost[name] for key, cost in swept.items()}, one)
                self.assertGreater(sum(one.values()), 0)

    def setUp(self) -> None:
        self.program = compile("misses.c", "-O2", "-static", "-no-pie")

    def test_data(self) -> None:
        """Caches of one set, of many sets, and of the same ways; lines of several sizes."""
        self.check("D:512..8k", 10)
        self.check("D:1k..8k,sets=8", 8)
        self.check("D:512..4k,ways=2,line=32", 8)
        self.check("D:960..2880,step=960,sets=3,line=16", 6)

    def test_code(self) -> None:
        self.check("I:512..8k", 5)
        self.check("I:1k..4k,ways=4", 3)
        self.check("I:3k..12k,sets=12,line=128", 3)

    def test_last(self) -> None:
        """The last level sees what the first ones miss; when written back, each write; and what is fetched in
        advance."""
        self.check("LL:4k..16k", 9, *SMALL)
        self.check("LL:4k..16k,ways=4", 9, *SMALL, "--simulate-wb=yes")
        self.check("LL:4k..16k,sets=16", 9, *SMALL, "--simulate-hwpref=yes")

    @unittest.skipUnless(can_run_32_bits(), "no 32-bit programs here")
    def test_x86(self) -> None:
        """32-bit programs, with more events than one shadow of their registers has room for."""
        self.program = compile("misses.c", "-O2", "-static", "-m32")
        self.check(
            "D:512..8k",
            10 + 8 + 18,
            *SMALL,
            "--cache-sweep=I:512..64k",
            "--cache-sweep=LL:4k..128k,sets=16",
        )

    def test_beside(self) -> None:
        """Sweeps, and what they sweep beside, count alike together and alone."""
        both = (
            "--cache-sweep=D:512..4k,ways=2",
            "--cache-sweep=I:2k",
            "--cache-sweep=D:1k..2k,sets=8",
        )
        together = counts_of(self.part_of("--cache-sim=yes", *SMALL, *both))
        for alone in (("--cache-sim=yes", *SMALL), *([option] for option in both)):
            with self.subTest(alone):
                one = counts_of(self.part_of(*alone))
                events = next(iter(one.values()))
                self.assertEqual(
                    {key: {e: cost[e] for e in events} for key, cost in together.items()}, one
                )

    def test_names(self) -> None:
        """Columns are named by what they sweep, and say so in full."""
        part = self.part_of(
            "--cache-sweep=D:1536..3k",
            "--cache-sweep=I:1k,ways=1,line=32",
            *SMALL,
            "--cache-sweep=LL:4k,sets=4",
        )
        self.assertEqual(
            part.events[9:],
            "I1Kw1l32mr D1536Bmr D1536Bmw D3Kmr D3Kmw IL4Ks4mr DL4Ks4mr DL4Ks4mw".split(),
        )
        named = {name: event.long_name for name, event in part.event_definitions.items()}
        self.assertEqual(
            named["I1Kw1l32mr"], "I sweep of 1 way, fetch misses, 1024 B, 32 B, direct-mapped"
        )
        self.assertEqual(
            named["D1536Bmw"], "D sweep of 1 set, write misses, 1536 B, 64 B, 24-way associative"
        )
        self.assertEqual(
            named["DL4Ks4mr"], "LL sweep of 4 sets, read misses, 4096 B, 64 B, 16-way associative"
        )


class Together(together.Together):
    """A sweep beside all else that a run can be told."""

    COUNTED = ("--cache-sweep=D:512..8k",)
    OTHERS = (
        ("--separate-threads=yes", "--dump-instr=yes", "--collect-jumps=yes"),
        ("--separate-callers=2", "--toggle-collect=main", "--collect-systime=nsec"),
        ("--fn-skip=leaf", "--dump-every-bb=20000", "--skip-plt=no"),
        ("--zero-before=pairs_on", "--cache-sweep=LL:4k..1m", "--collect-bus=yes"),
    )
    X86 = ("--cache-sweep=LL:4k..1m",)

    def check_costs(self, part: Part) -> None:
        """Larger caches never miss more often, in any function."""
        for cost in counts_of(part).values():
            for kind, accesses in (("mr", "Dr"), ("mw", "Dw")):
                row = [
                    cost[accesses],
                    *(cost[f"D{size}{kind}"] for size in ("512B", "1K", "2K", "4K", "8K")),
                ]
                self.assertEqual(row, sorted(row, reverse=True))

    def test_parts(self) -> None:
        """Parts add up to the whole."""
        program = compile("misses.c", "-O2", "-static", "-no-pie")
        options = ("--cache-sweep=D:1k..4k", "--cache-sweep=I:1k")
        whole = self.graph_of(program, *options).part.self_total()
        parts = self.parts_of(program, *options, "--dump-every-bb=5000")
        self.assertGreater(len(parts), 3)
        self.assertEqual(
            [sum(column) for column in zip(*(g.part.self_total() for g in parts))], whole
        )

    def test_switched(self) -> None:
        """When instrumentation goes on, nothing is in any size: all of 100,000 bytes miss, twice of three
        times."""
        run = run_cg2(
            [compile("walking.c", "-O1")],
            "--cache-sweep=D:128k..512k",
            "--cache-sweep=D:128k..512k,ways=8",
        )
        self.assertEqual(run.status, 0, run.stderr)
        part = self.check_part(run.profile_paths[0], ["(below main)"]).part
        [cost] = [
            dict(zip(part.events, f.self_cost()))
            for key, f in part.functions.items()
            if key.name == "walk"
        ]
        lines = 100_000 // 64 + 1
        for size in ("128K", "256K", "512K"):
            self.assertIn(
                cost[f"D{size}mr"], (2 * lines, 2 * lines - 1)
            )  # the first line may hold other data
            self.assertEqual(cost[f"D{size}w8mr"], cost[f"D{size}mr"])


class Refused(unittest.TestCase):
    """A bad sweep is refused in one line, before the program starts."""

    def check(self, expected: str, *sweeps: str) -> None:
        run = run_cg2(["/bin/true"], *(f"--cache-sweep={sweep}" for sweep in sweeps))
        self.assertEqual((run.status, run.profile_paths), (1, []))
        lines = run.stderr.splitlines()
        self.assertEqual(lines[0], f"valgrind: Bad option: --cache-sweep={sweeps[-1]}")
        self.assertEqual(lines[1], f"valgrind: {expected}")
        self.assertEqual(len(lines), 3)

    def test_each(self) -> None:
        """What is no sweep; tests/unit has all of them."""
        self.check("there is no size from 1048576 to 8192 bytes", "D:1m..8k")
        self.check("too many sizes: a sweep has at most 24", "D:1k..64k,step=1k")
        self.check("8192 bytes are no multiple of 96 sets of 64 byte lines", "D:8k..1m,sets=96")

    def test_together(self) -> None:
        """Sweeps that do not go together."""
        self.check("D of 1M is in another sweep already", "D:8k..1m", "I:1m", "D:1m..2m")
        self.check(
            "all sweeps together have 57 columns, not more than 56: I has 1 for a size, D 2, LL 3",
            *(
                "D:1k..1m",
                "LL:1m..64m",
                "I:1k..16k",
                "I:2k..16k,sets=2",
                "I:3k,sets=4",
                "I:5k,sets=2",
                "LL:128m",
            ),
        )
        self.check(
            "all sweeps together look an access up in 29 sizes, not more than 28",
            "I:1k..24k,step=1k",
            "I:25k..29k,step=1k",
        )

    def test_others(self) -> None:
        """Models that a sweep cannot ask with."""
        for sweep, other in (
            ("LL:1m..2m", "--cacheuse=yes"),
            ("D:1m..2m", "--machine=skylake"),
            ("I:1m..2m", "--private-caches=yes"),
        ):
            run = run_cg2(["/bin/true"], f"--cache-sweep={sweep}", other)
            self.assertEqual((run.status, run.profile_paths), (1, []))
            option = "--cache-sweep=LL" if sweep.startswith("LL") else "--cache-sweep"
            self.assertIn(
                f"{option} does not go together with {other.removesuffix('=skylake')}\n", run.stderr
            )
            self.assertNotIn("Events", run.stderr)


if __name__ == "__main__":
    unittest.main()
