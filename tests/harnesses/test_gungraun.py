"""gungraun and iai-callgrind run cg2 as Callgrind, and read the same figures."""

from __future__ import annotations

import unittest
from collections import Counter
from dataclasses import dataclass

import gungraun
from launcher import ENDING, Harness, Launcher, application, program

MANY_EVENTS = [
    "--branch-sim=yes", "--collect-bus=yes", "--collect-systime=nsec", "--simulate-wb=yes",
    "--collect-jumps=yes",
]  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """What a benchmark is judged by: all sums, and the costs of functions and calls."""

    part: int | None
    thread: int | None
    events: list[str]
    totals: list[int]
    self_costs: dict[str, int]
    calls: dict[tuple[str, str], tuple[int, int]]  # count and inclusive cost


def counted(profile: gungraun.Profile) -> Counted:
    calls = {arc: (count, profile.inclusive[arc]) for arc, count in profile.calls.items()}
    return Counted(
        profile.part, profile.thread, profile.events, profile.totals, profile.self_costs, calls
    )


class Gungraun(Harness):
    def test_toggled(self) -> None:
        """A benchmark that is collected by a pattern counts the same: all sums, functions and calls."""

        def work(launcher: Launcher) -> tuple[list[str], Counted]:
            found = gungraun.run(launcher, program(), options=["--toggle-collect=bench_*"])
            self.assertEqual(found.names, ["callgrind.X.log.#PID", "callgrind.X.out.#PID-01"])
            [profile], [log] = found.profiles, found.logs
            self.assertEqual(profile.command.split(), [str(program())])
            self.assertEqual(log["Command"], str(program()))
            self.assertEqual(log["Collected"], " ".join(map(str, profile.totals)))
            self.assertEqual(log["Events"], " ".join(profile.events))
            self.assertEqual(log["I   refs"], f"{profile.totals[0]:,}")
            self.assertIn("Parent PID", log)
            return profile.descriptions[:3], counted(profile)

        _, found = self.assertSame(work)
        self.assertEqual(sorted(found.self_costs), ["bench_one", "bench_two", "leaf", "recur"])

    def test_whole(self) -> None:
        """Without a pattern all is the same but the program's last block, which Callgrind does not count."""

        def work(launcher: Launcher) -> gungraun.Profile:
            [profile] = gungraun.run(launcher, program()).profiles
            return profile

        theirs, ours = self.with_both(work)
        ending = Counter({"(below main)": ENDING})
        self.assertEqual(ours.self_costs, theirs.self_costs + ending)
        self.assertEqual(ours.totals, [theirs.totals[0] + ENDING, *theirs.totals[1:]])
        self.assertEqual(counted(ours).calls, counted(theirs).calls)

    def test_events(self) -> None:
        """Each event that can be collected is one that it knows; those of system calls have times."""

        def work(launcher: Launcher) -> Counted:
            options = ["--toggle-collect=bench_*", *MANY_EVENTS]
            [profile] = gungraun.run(launcher, program(), options=options).profiles
            self.assertIn("sysCpuTime", profile.events)
            return counted(profile)

        self.assertSame(work)

    def test_threads(self) -> None:
        """Each thread has a file of its own, with its own costs; and so has each part."""

        def work(launcher: Launcher) -> tuple[list[str], list[tuple[int | None, int | None, int]]]:
            options = ["--toggle-collect=region"]
            found = gungraun.run(launcher, application(), "threads", options=options)
            threads = [
                (profile.part, profile.thread, profile.totals[0]) for profile in found.profiles
            ]
            return found.names, threads

        names, threads = self.assertSame(work)
        self.assertEqual(
            names,
            ["callgrind.X.log.#PID", "callgrind.X.out.#PID-01"]
            + ["callgrind.X.out.#PID-02", "callgrind.X.out.#PID-03", "callgrind.X.out.#PID.1-01"],
        )

    def test_children(self) -> None:
        """A child has a file and a log of its own; its costs are those of its own work.

        In Callgrind's file of a child is also what the parent did before, region(1): that is not the child's.
        """

        def work(launcher: Launcher) -> tuple[list[str], list[int]]:
            options = ["--toggle-collect=region"]
            found = gungraun.run(launcher, application(), "fork", options=options)
            return found.names, sorted(profile.totals[0] for profile in found.profiles)

        (their_names, theirs), (our_names, ours) = self.with_both(work)
        self.assertEqual(our_names, their_names)
        self.assertEqual(ours[1], theirs[1])
        # The parent does region(1) and region(3), the child region(2): what a round of the loop costs
        # follows.
        a_round = theirs[1] - theirs[0]
        region_of_1 = (theirs[1] - 2 * a_round) // 2
        self.assertEqual(ours[0], theirs[0] - region_of_1)

    def test_exec(self) -> None:
        """What a process did before it became another program is lost, and no file is left of it."""

        def work(launcher: Launcher) -> list[object]:
            options = ["--toggle-collect=region"]
            found = gungraun.run(launcher, application(), "exec", options=options)
            return [found.names, [profile.totals for profile in found.profiles]]

        self.assertSame(work)


if __name__ == "__main__":
    unittest.main()
