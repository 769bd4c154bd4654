"""A seed chooses the layout of memory (--layout): what gets into each other's way in a cache changes,
nothing else."""

from __future__ import annotations

from case import Case
from cg2test import compile, run_cg2
from cg2tools.profile.reader import read_profile

CACHES = "--cache-sim=yes", "--D1=4096,1,64"  # one way of a page
ROUNDS = 1000
SEEDS = 8


class Layout(Case):
    def costs(self, *options: str) -> dict[str, list[int]]:
        """What each function costs itself, by the events of the caches."""
        graph = self.graph_of(compile("layout.c", "-O1", "-static"), *CACHES, *options)
        return {key.name: each.self_cost() for key, each in graph.part.functions.items()}

    def test_misses(self) -> None:
        """Two variables that share a set do so where they are, and with one seed in 64; a variable's own
        lines always."""
        reads = 2 * ROUNDS
        where_they_are = self.costs()
        self.assertEqual(where_they_are["take_turns"][4], reads)
        self.assertEqual(self.costs("--layout=0"), where_they_are)
        apart = 0
        for seed in range(1, SEEDS + 1):
            costs = self.costs(f"--layout={seed}")
            self.assertEqual(costs["take_turns"][:2], where_they_are["take_turns"][:2])
            self.assertIn(costs["take_turns"][4], (2, reads))
            self.assertEqual(costs["take_turns_within"][4], reads)
            apart += costs["take_turns"][4] == 2
        self.assertGreaterEqual(apart, SEEDS - 2)

    def test_same_seed(self) -> None:
        """A seed gives the same figures again, and says so in the profile."""
        program = compile("layout.c", "-O1", "-static")
        runs = [run_cg2([program], *CACHES, "--layout=7") for _ in range(2)]
        parts = [read_profile(run.profile_paths[0]).parts[0] for run in runs]
        self.assertEqual(parts[0].self_total(), parts[1].self_total())
        self.assertEqual(parts[0].descriptions["Layout"], "7")

    def test_heap(self) -> None:
        """The heap begins elsewhere within its page, by multiples of what allocators align to."""
        program = compile("layout.c", "-O1", "-static")
        starts = [int(run_cg2([program], f"--layout={seed}").stdout, 16) for seed in range(5)]
        self.assertEqual(len(set(starts)), 5, list(map(hex, starts)))
        self.assertEqual({start % 16 for start in starts}, {0})
        self.assertEqual({start // 4096 for start in starts}, {starts[0] // 4096})

    def test_sweeps(self) -> None:
        """Caches of a sweep see the same layout: that of the machine's size misses as often."""
        program = compile("layout.c", "-O1", "-static")
        run = run_cg2([program], *CACHES, "--cache-sweep=D:4k..8k,ways=1", "--layout=3")
        part = read_profile(run.profile_paths[0]).parts[0]
        total = dict(zip(part.events, part.self_total()))
        self.assertEqual(total["D4Kw1mr"], total["D1mr"])
        self.assertEqual(total["D4Kw1mw"], total["D1mw"])

    def test_machines(self) -> None:
        """A described machine, and private caches, see whole maps elsewhere, which take hardly more pages.
        Lines miss otherwise; instructions, and a TLB of 1,536 entries, do not."""
        program = compile("layout.c", "-O1", "-static")
        for option in ("--machine=skylake", "--private-caches=yes"):
            runs = [
                run_cg2([program], "--cache-sim=yes", option, f"--layout={seed}")
                for seed in (0, 1, 2, 3, 3)
            ]
            parts = [read_profile(run.profile_paths[0]).parts[0] for run in runs]
            functions = [
                next(each for key, each in part.functions.items() if key.name == "take_turns")
                for part in parts
            ]
            events = parts[0].events
            self.assertEqual(len({each.self_cost()[0] for each in functions}), 1, option)
            totals = [dict(zip(events, part.self_total())) for part in parts]
            self.assertEqual(totals[3], totals[4], option)
            self.assertGreater(len({(each["D1mr"], each["I1mr"]) for each in totals}), 2, option)
            for event in {"IT2mr", "DT2mr", "DT2mw"} & set(events):
                counts = [each[event] for each in totals]
                self.assertLess(max(counts), 2 * counts[0] + 10, event)
