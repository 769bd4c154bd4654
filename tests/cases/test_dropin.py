"""A script written for Callgrind does the same with cg2's name in place of Callgrind's, and with cg2 under
Callgrind's name."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import unittest
from dataclasses import dataclass
from pathlib import Path

from case import STARTS, Case
from cg2test import (
    AS_CALLGRIND,
    HANG,
    PROGRAMS,
    SOURCE,
    VALGRIND,
    env,
    lean_env,
    need_vgdb,
    new_directory,
)
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from disassembly import instructions
from facts import Graph
from test_instrumentation import ROOTS

# What dropin.sh leaves: in each file, calls of work.
CALLS = {
    "plain/callgrind.out.PID": [9],
    "options/all": [9],
    "skipped/PID": [9],
    "default/TOOL.out.PID": [9],
    "environment/nightly.%.1": [9],
    "parts/part.PID.1": [5],
    "parts/part.PID.2": [0],
    "parts/part.PID": [4],
    "toggled/PID": [5],
    "zeroed/PID": [4],
    "requests/out.PID.1": [2],
    "requests/out.PID.2": [4],
    "requests/out.PID": [5],
    "threads/out.PID.1-01": [30],
    "threads/out.PID-01": [40],
    "threads/out.PID-02": [10],
    "threads/out.PID-03": [20],
    "fork/out.PID": [2, 4],
    "exec/out.PID.exec1": [1],
    "exec/out.PID": [9],
    "controlled/out.PID.1": [1],
    "controlled/out.PID.2": [0],
    "controlled/out.PID": [4],
}
# In Callgrind's profile of the child is what the parent did before the fork, too. What was before exec is
# lost.
CALLGRINDS_CALLS = CALLS | {"fork/out.PID": [3, 4]}
del CALLGRINDS_CALLS["exec/out.PID.exec1"]
# Under Callgrind's name cg2 leaves the files that Callgrind leaves. What is in them is right.
GUISE = "cg2 as callgrind"
GUISES_CALLS = CALLGRINDS_CALLS | {"fork/out.PID": CALLS["fork/out.PID"]}
CALLS_BY = {"cg2": CALLS, "callgrind": CALLGRINDS_CALLS, GUISE: GUISES_CALLS}

# Files whose totals are those of Callgrind, but for the block in which the program ends.
WHOLE = [
    "plain/callgrind.out.PID",
    "options/all",
    "default/TOOL.out.PID",
    "environment/nightly.%.1",
]
LAST_BLOCK = 8  # instructions at most


@dataclass(frozen=True)
class Outcome:
    """What the script did with one tool."""

    directory: Path
    stdout: str  # without process ids
    paths: dict[str, list[Path]]  # the profiles, by their names without process ids

    def parts(self, name: str) -> list[Part]:
        """The contents of the files of one name."""
        return [part for path in self.paths[name] for part in read_profile(path).parts]


@functools.cache
def outcome(tool: str) -> Outcome:
    """Run the script with a tool: cg2, callgrind, or cg2 by the name of callgrind."""
    need_vgdb()
    directory = new_directory()
    for name in ("dropin.sh", "dropin.c", "counted.h"):
        shutil.copy(PROGRAMS / name, directory)
    tools = Path(shutil.which(VALGRIND) or VALGRIND).parent
    first = AS_CALLGRIND / "bin" if tool == GUISE else SOURCE / "tools"
    path = f"{first}:{tools}:{env()['PATH']}"
    tool = tool.split()[-1]
    ended = subprocess.run(
        ["setarch", "-R", "sh", "dropin.sh", tool],
        cwd=directory,
        env=lean_env(PATH=path),
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    paths: dict[str, list[Path]] = {}
    for found in directory.glob("*/*"):
        # Callgrind leaves an empty file where each thread has its own.
        if found.stat().st_size > 0 and not found.name.startswith("log."):
            paths.setdefault(anonymous(str(found.relative_to(directory)), tool), []).append(found)
    return Outcome(directory, anonymous(ended.stdout, tool), paths)


def anonymous(text: str, tool: str) -> str:
    """The text without process ids, and TOOL for the tool in the default name of a profile."""
    text = text.replace(f"default/{tool}.out", "default/TOOL.out")
    return re.sub(r"([./]|PID )\d{3,}(?=[.:-]|$)", r"\1PID", text, flags=re.MULTILINE)


def called(part: Part, name: str) -> int:
    """How often a function was called, whoever called it."""
    graph = Graph(part)
    return sum(count for (_, callee), count in graph.counts.items() if callee.split("'")[0] == name)


def own_cost(part: Part, name: str) -> int:
    return sum(
        cost for function, cost in Graph(part).self_costs.items() if function.split("'")[0] == name
    )


def header(part: Part) -> list[object]:
    """What readers tell parts by."""
    return [part.part, part.thread, part.descriptions["Trigger"], part.positions, part.events]


class DropIn(Case):
    def test_said(self) -> None:
        """The script prints the same: exit statuses, parts, costs of functions, answers of the control."""
        for tool in "cg2", GUISE:
            self.assertEqual(outcome(tool).stdout, outcome("callgrind").stdout)
        self.assertIn("\n== controlled\nPID PID: ./app wait\n", outcome("cg2").stdout)
        work = len(instructions(outcome("cg2").directory / "app", "work"))
        self.assertIn(f"\n{9 * work} work\n", outcome("cg2").stdout)

    def test_files(self) -> None:
        """There are the same files, with the same calls in them."""
        for tool, expected in CALLS_BY.items():
            found = {
                name: sorted(called(part, "work") for part in outcome(tool).parts(name))
                for name in outcome(tool).paths
            }
            self.assertEqual(found, expected, tool)

    def test_headers(self) -> None:
        """Each part has the same number, thread and trigger."""
        for name in CALLGRINDS_CALLS:
            with self.subTest(name):
                for tool in "cg2", GUISE:
                    ours = [header(part) for part in outcome(tool).parts(name)]
                    theirs = [header(part) for part in outcome("callgrind").parts(name)]
                    self.assertEqual(ours, theirs)

    def test_costs(self) -> None:
        """Own costs of functions are the same, and what they have to be; totals are the same."""
        for tool, expected in CALLS_BY.items():
            work = len(instructions(outcome(tool).directory / "app", "work"))
            for name, calls in expected.items():
                costs = sorted(own_cost(part, "work") for part in outcome(tool).parts(name))
                self.assertEqual(costs, [work * count for count in calls], f"{tool}: {name}")
        for name in WHOLE:
            [our], [their] = (outcome(tool).parts(name) for tool in ("cg2", "callgrind"))
            more = our.self_total()[0] - their.self_total()[0]
            self.assertTrue(
                0 <= more <= LAST_BLOCK, f"{name}: {more} more instructions than Callgrind's"
            )

    def test_who_wrote_it(self) -> None:
        """Each file of cg2 says so, whatever the name that cg2 was started by."""
        for tool in "cg2", GUISE:
            for path in [path for paths in outcome(tool).paths.values() for path in paths]:
                self.assertIn("\ncreator: callgrind-cg2-", path.read_text())

    def test_whole(self) -> None:
        """Every file of cg2 is one that all readers take."""
        for tool in "cg2", GUISE:
            for name, paths in outcome(tool).paths.items():
                for path in paths:
                    with self.subTest(f"{tool}: {name}"):
                        self.check_part(path, [*STARTS, *ROOTS])


if __name__ == "__main__":
    unittest.main()
