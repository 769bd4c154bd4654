"""Memory comes to its end, where Valgrind ends the run: the profile is written before."""

from __future__ import annotations

import unittest

from case import FULL, Case
from cg2test import Run, can_run_32_bits, compile, run_cg2
from facts import Graph

SAID = "memory comes to its end; what was counted so far is in"
CALLS = 100  # of each round
FRAMES = 41  # of each call


class MemoryEnd(Case):
    flags: tuple[str, ...] = ()

    def run_in(self, megabytes: int, *stop: str, options: tuple[str, ...] = ()) -> tuple[Run, int]:
        """Run the program, whose paths take all room there is; also how many rounds it has begun."""
        program = compile("memoryend.c", "-O0", *self.flags)
        run = run_cg2(
            [program, str(megabytes), *stop],
            "--contexts=full",
            "--separate-recs=64",
            "--contexts-max=100000000",
            *options,
            out_file="p.profile",
        )
        self.assertEqual(run.stderr.count(SAID), 1, run.stderr)
        self.assertEqual(len(run.profile_paths), 1)
        return run, int(run.stdout.split()[-1])

    def counts(self, run: Run) -> tuple[Graph, int]:
        graph = self.check_part(run.profile_paths[0])
        return graph, sum(map(graph.called, ("first", "second", "third")))

    def test_ended(self) -> None:
        """What was counted before is whole: sums, rounds, and 41 frames for each call that has ended."""
        for megabytes in (30, 40, 50) if FULL else (30, 50):
            with self.subTest(megabytes=megabytes):
                run, begun = self.run_in(megabytes)
                self.assertEqual(run.status, 1)
                self.assertIn("out of memory", run.stderr)
                graph, frames = self.counts(run)
                self.assertEqual(graph.part.descriptions["Trigger"], "memory")
                rounds = graph.called("go_round")
                self.assertGreater(rounds, 10)
                self.assertLessEqual(rounds, begun)
                self.assertGreater(frames, (rounds - 1) * CALLS * FRAMES)
                self.assertLessEqual(frames, rounds * CALLS * FRAMES)

    def test_survived(self) -> None:
        """Where the program ends in time, the profile is that of all of it, in one part, and nothing
        failed."""
        for options in ((), ("--combine-dumps=yes",), ("--separate-threads=yes",)):
            with self.subTest(options=options):
                file = "profiles/p.profile" + ("-01" if "threads" in str(options) else "")
                run, begun = self.run_in(30, file, options=options)
                self.assertEqual(run.status, 0, run.stderr)
                graph, frames = self.counts(run)
                self.assertEqual(graph.part.descriptions["Trigger"], "Program termination")
                self.assertEqual(graph.called("go_round"), begun)
                self.assertEqual(frames, begun * CALLS * FRAMES)


@unittest.skipUnless(can_run_32_bits(), "no 32-bit programs here")
class MemoryEnd32(MemoryEnd):
    flags = ("-m32",)


if __name__ == "__main__":
    unittest.main()
