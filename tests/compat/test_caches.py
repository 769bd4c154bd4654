"""Simulation of caches and branches: each instruction has Callgrind's counts.

Compared are the costs of every instruction that was executed as often under both tools: test_compat.py is
about how often that is. Left out is what Callgrind does not know the object of (code in .plt and .init), and
the last block, which it does not count. gawk is no program for this: it reads /proc/self/maps, which depends
on the tool.

What a run uses of the stack's lines is the same each time, but for one thing. The dynamic linker looks for
the end of LD_PRELOAD with strcspn, which reads four characters at once and looks each up in a table on the
stack. That string is the last one, and the 16 random bytes of AT_RANDOM follow: up to three of them are
looked up. So the environment is made as long as it must be for the string to end where a four ends.
"""

from __future__ import annotations

import functools
import re
import unittest
from pathlib import Path

import cg2test
from cg2tools.profile.model import Cost
from cg2tools.profile.reader import read_profile
from test_compat import environment, profile
from workloads import WORKLOADS, Workload

MACHINES = {
    "usual": ("--I1=32768,8,64", "--D1=49152,12,64", "--LL=16777216,16,64"),
    "tiny": ("--I1=1024,1,32", "--D1=512,2,32", "--LL=16384,4,64"),
    "tall": ("--I1=4096,32,128", "--D1=2048,16,128", "--LL=65536,64,128"),
    "written back": ("--I1=8192,2,64", "--D1=4096,1,64", "--LL=262144,8,64", "--simulate-wb=yes"),
    "prefetched": (
        "--I1=8192,4,32",
        "--D1=8192,4,64",
        "--LL=1048576,16,64",
        "--simulate-hwpref=yes",
    ),
    "one set": ("--I1=1024,16,64", "--D1=1024,16,64", "--LL=8192,128,64"),
}
MODELS = {
    **MACHINES,
    "branches": ("--branch-sim=yes",),
    "usual with branches": (*MACHINES["usual"], "--branch-sim=yes"),
    "written back with branches": (*MACHINES["written back"], "--branch-sim=yes"),
    "prefetched with branches": (
        *MACHINES["prefetched"],
        "--branch-sim=yes",
        "--collect-jumps=yes",
    ),
    "usual use": (*MACHINES["usual"], "--cacheuse=yes"),
    "tiny use": (*MACHINES["tiny"], "--cacheuse=yes"),
    "tall use with branches": (
        *("--I1=16384,32,128", "--D1=8192,16,128", "--LL=131072,64,128"),
        *("--cacheuse=yes", "--branch-sim=yes"),
    ),
}
PROGRAMS = {"xz", "sqlite3", "python3", "perl", "exceptions", "bzip2"}

Place = tuple[str, int]  # an instruction's object and address


@functools.cache
def last_string() -> int:
    """Where the last string of a command without a byte would end, by 4, with LONGER in its environment."""
    program = cg2test.compile("laststring.c")
    run = cg2test.run_cg2([program], environment=environment() | cg2test.lean_env(LONGER=""))
    return int(run.stdout) - string_bytes([str(program)])


def string_bytes(argv: list[str]) -> int:
    """How many bytes the words of a command take in front of the environment's strings."""
    return sum(len(word) + 1 for word in argv)


def by_instruction(workload: Workload, directory: Path, tool: str, model: str) -> dict[Place, Cost]:
    """What each instruction cost."""
    options = ["--dump-instr=yes", *MODELS[model]]
    end = last_string() + string_bytes(workload.make(directory))
    variables = cg2test.lean_env(LONGER="." * (3 - end % 4))
    path = profile(workload, directory, tool, tool, *options, variables=variables)
    [part] = read_profile(path).parts
    found: dict[Place, Cost] = {}
    for key, function in part.functions.items():
        for position, cost in function.costs.items():
            place = found.setdefault((key.object, position.instr), [0] * len(part.events))
            for event, n in enumerate(cost):
                place[event] += n
    return found


class Caches(unittest.TestCase):
    def check(self, workload: Workload, model: str) -> None:
        """Run a pair: each instruction costs under cg2 what it costs under Callgrind."""
        directory = cg2test.new_directory()
        ours, stock = (
            by_instruction(workload, directory, tool, model) for tool in ("cg2", "callgrind")
        )
        same = [place for place, cost in ours.items() if stock.get(place, [0])[0] == cost[0]]
        self.assertGreater(len(same), 0.97 * len(ours))
        different = [
            f"{place}: {ours[place]}, stock {stock[place]}"
            for place in same
            if ours[place] != stock[place]
        ]
        self.assertEqual(different, [])

    def misses_of_walk(self, *options: str) -> list[dict[str, int]]:
        """What walk of walking.c costs under each of the two tools, by event."""
        program = cg2test.compile("walking.c", "-O1")
        found = []
        for tool in ("cg2", "callgrind"):
            run = cg2test.run_cg2([program], "--cache-sim=yes", *options, tool=tool)
            self.assertEqual(run.status, 0, run.stderr)
            [part] = read_profile(run.profile_paths[0]).parts
            [cost] = [f.self_cost() for key, f in part.functions.items() if key.name == "walk"]
            found.append(dict(zip(part.events, cost, strict=True)))
        return found

    def test_switched(self) -> None:
        """What was accessed while nothing is instrumented is not in the caches: nothing is, then."""
        lines = 100_000 // 64 + 1
        large = "--D1=131072,16,64", "--LL=1048576,16,64"
        ours, stock = self.misses_of_walk(*large)
        self.assertEqual(ours, stock)
        self.assertEqual(ours["Dr"], 3 * (lines + 1))  # and its return address
        self.assertIn(
            ours["D1mr"], (2 * lines, 2 * lines - 1)
        )  # the first line may hold other data

    def test_not_collected(self) -> None:
        """What is accessed while nothing is collected is."""
        ours, stock = self.misses_of_walk(
            "--D1=131072,16,64", "--LL=1048576,16,64", "--toggle-collect=walk"
        )
        self.assertEqual(ours, stock)

    def test_last_lines(self) -> None:
        """What is printed at the end has the form of Callgrind's."""
        self.check_last_lines(*MACHINES["usual"])
        self.check_last_lines("--branch-sim=yes")
        self.check_last_lines("--branch-sim=yes", *MACHINES["usual"])

    def check_last_lines(self, *options: str) -> None:
        said = {}
        for tool in ("cg2", "callgrind"):
            program = cg2test.compile("misses.c", "-O0", "-static")
            run = cg2test.run_cg2([program], *options, tool=tool)
            lines = [re.sub(r"^==\d+== ", "", line) for line in run.stderr.splitlines()]
            start = next(i for i, line in enumerate(lines) if line.startswith("I   refs:"))
            said[tool] = [
                re.sub(r"[\d,.]+", "n", re.sub(r" +", " ", line)) for line in lines[start:]
            ]
        self.assertRegex(said["cg2"].pop(), "^Profile: ")
        self.assertEqual(said["cg2"].pop(), "")
        self.assertEqual(said["cg2"], said["callgrind"])

    def test_header(self) -> None:
        """The profile says what was simulated, whatever its number of sets."""
        run = cg2test.run_cg2(
            ["/bin/true"], "--LL=5242880,2,64", "--I1=1024,1,32", "--D1=1024,32,32"
        )
        text = run.profile_paths[0].read_text()
        self.assertIn("\ndesc: I1 cache: 1024 B, 32 B, direct-mapped\n", text)
        self.assertIn("\ndesc: D1 cache: 1024 B, 32 B, 32-way associative\n", text)
        self.assertIn("\ndesc: LL cache: 5242880 B, 64 B, 2-way associative\n", text)

    def test_bad(self) -> None:
        """A cache that cannot be is refused in one line, before the program starts."""
        for value, expected in (
            ("100,2,3", "a line has 16 to 4096 bytes, a power of two; not 3"),
            ("x", "expected <size>,<ways>,<line size>"),
            ("32768,8", "expected <size>,<ways>,<line size>"),
        ):
            run = cg2test.run_cg2(["/bin/echo", "ran"], f"--I1={value}")
            self.assertEqual(run.status, 1)
            self.assertNotIn("ran", run.stdout)
            self.assertIn("valgrind: Bad option: --I1=", run.stderr)
            self.assertIn(expected, run.stderr)


def add_test(workload: Workload, model: str) -> None:
    def test(self: Caches) -> None:
        self.check(workload, model)

    test.__doc__ = f"{workload.name}, {model}: every instruction has the same counts."
    setattr(Caches, f"test_{workload.name}_{model.replace(' ', '_')}", test)
    test.full = workload.name not in ("xz", "exceptions")  # type: ignore[attr-defined]


for each in WORKLOADS:
    if each.name in PROGRAMS:
        for name in MODELS:
            add_test(each, name)

if __name__ == "__main__":
    unittest.main()
