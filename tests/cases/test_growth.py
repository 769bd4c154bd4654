"""Many of everything: blocks in a function, functions below a call site, callers of a function, memory."""

from __future__ import annotations

import re
import unittest
from collections.abc import Sequence

from case import FULL, Case
from cg2test import MACHINE, compile, run_cg2, usage_of
from disassembly import instructions


class ManyBlocks(Case):
    def test_costs(self) -> None:
        """New blocks of a function that is running, at two levels of recursion: every instruction counts."""
        graph = self.graph_of(compile("growing.S", "-nostdlib", "-static"))
        outer = sum(big(b) for b in (0, 15, 15, 15))
        deeper = sum(big(b) for b in range(1, 16))
        self.assertCallers(graph, "big", {"(below main)": 4})
        self.assertCallers(graph, "big'2", {"big": 1, "big'2": 14})
        self.assertEqual(graph.self_costs["big"], outer)
        self.assertEqual(graph.self_costs["big'2"], deeper)
        self.assertEqual(graph.arc_costs["big", "big'2"], deeper)
        self.assertEqual(graph.total, outer + deeper + 9)

    def test_instructions(self) -> None:
        """Each address has its own count, whichever level met it first."""
        program = compile("growing.S", "-nostdlib", "-static")
        graph = self.graph_of(program, "--dump-instr=yes")
        nops = instructions(program, "big")[2:12:3]  # of the first four units
        for bit, address in enumerate(nops):
            found = sum(
                cost[0]
                for function in graph.part.functions.values()
                for position, cost in function.costs.items()
                if position.instr == address
            )
            self.assertEqual(found, sum(b >> bit & 1 for b in [*range(16), 15, 15, 15]))


def big(b: int) -> int:
    """What one call of big(b) costs, without the call it makes."""
    around_call = 5 if MACHINE == "aarch64" else 3
    return 2000 * 2 + 500 * b.bit_count() + 3 + (around_call if b < 15 else 0)


class ManyFunctions(Case):
    def test_counts(self) -> None:
        """4,096 callees of one call site, and 4,096 callers of one function."""
        # gcc takes five seconds for -O1, and longer for more.
        for level in ("-O0", "-O1") if FULL else ("-O0",):
            with self.subTest(level):
                graph = self.graph_of(compile("many.c", level))
                expected = {f"f0x{i:03x}": i % 7 + 1 for i in range(4096)}
                self.assertEqual(graph.callees("dispatch"), expected)
                self.assertEqual(graph.callers("common"), expected)


OF_CODE = ("arena", "thunk")
"""What memory is for that grows with the code that has run."""


class Keeping(Case):
    def kept_by(self, source: Sequence[str], rounds: int, *options: str) -> dict[str, int]:
        """Bytes of cg2's memory, by what they are for, after so many rounds of a program."""
        run = run_cg2([compile(*source), str(rounds)], "--profile-heap=yes", *options)
        self.assertEqual(run.status, 0, run.stderr)
        found = re.findall(r"([\d,]+) in +[\d,]+: cg2\.(\w+)$", run.stderr, re.MULTILINE)
        return {what: int(size.replace(",", "")) for size, what in found}


class Retranslated(Keeping):
    """Code that is translated over and over, as where libraries come and go: nothing of it is kept twice."""

    def kept(self, rounds: int) -> dict[str, int]:
        """Bytes of the memory for records and thunks after so many translations."""
        found = self.kept_by(["again.c", "-O1"], rounds, "--cache-sim=yes")
        return {what: found.get(what, 0) for what in OF_CODE}

    def test_kept(self) -> None:
        once = self.kept(1)
        if MACHINE in ("x86_64", "aarch64"):
            self.assertGreater(once["thunk"], 0)
        self.assertEqual(self.kept(200), once)


@unittest.skipUnless(MACHINE == "x86_64", "--repeatable is of amd64")
class Emulated(Keeping):
    """Directories, files of /proc and timers of a repeatable run: nothing is kept of what is closed."""

    def test_closed(self) -> None:
        """A block has 16 bytes, at least."""
        few, rounds = 3, 300
        before, after = (
            self.kept_by(["opens.c", "-O1", "-static"], n, "--repeatable=yes")
            for n in (few, rounds)
        )
        self.assertIn("seen", before)
        more = {what: size - before.get(what, 0) for what, size in after.items()}
        least = 16 * (rounds - few)
        kept = {what for what, size in more.items() if size >= least and what not in OF_CODE}
        self.assertEqual(kept, set())


# What ten times as many blocks may take of the time: it is ten times, less what each run takes
# to begin, on a machine that is never quite as fast. What grows as the square takes a hundred times.
TEN_TIMES = 15


class Memory(Case):
    """--data=misses with many blocks of the heap: time and memory that it takes grow as their number does."""

    def use(self, kind: str, n: int, *options: str) -> tuple[float, int]:
        """Seconds of the processor and bytes of memory."""
        argv = [str(compile("live.c", "-O1", "-fno-builtin")), kind, str(n)]
        usage = usage_of(argv, "--cg2-out-file=profile", "--cache-sim=yes", *options)
        return usage.seconds, usage.memory

    def check_time(self, kind: str, most: int) -> None:
        n, less = 10_000, 0.0
        while n <= most:
            seconds, _ = self.use(kind, n, "--data=misses", "--data-out-file=data")
            if less:
                self.assertLess(seconds, TEN_TIMES * less, f"{n} blocks")
            n, less = 10 * n, seconds

    def test_together(self) -> None:
        """Blocks that live at a time."""
        self.check_time("together", 10_000_000 if FULL else 1_000_000)

    test_together.alone = True  # type: ignore[attr-defined]

    def test_in_turn(self) -> None:
        """Blocks that come and go."""
        self.check_time("in-turn", 100_000_000 if FULL else 1_000_000)

    test_in_turn.alone = True  # type: ignore[attr-defined]

    def test_bytes(self) -> None:
        """A block that lives takes 16 bytes more, and a little for the pages that they lie in."""
        n = 10_000_000 if FULL else 1_000_000
        _, without = self.use("together", n)
        _, few = self.use("together", n // 10, "--data=misses", "--data-out-file=data")
        _, few_without = self.use("together", n // 10)
        _, many = self.use("together", n, "--data=misses", "--data-out-file=data")
        each = (many - without - (few - few_without)) / (n - n // 10)
        self.assertGreater(each, 8)
        self.assertLess(each, 20)
        self.assertLess(many, 2 * without + 16 * n)


if __name__ == "__main__":
    unittest.main()
