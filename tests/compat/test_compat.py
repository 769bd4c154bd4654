"""cg2 against stock Callgrind: the same program, the same figures.

Each program of workloads.py runs under both tools in the same directory and environment. After the rules of
rules.py (differences on purpose, each predicted to the last instruction) there must be no difference: total
Ir, self cost of every function, call count and inclusive cost of every arc.
"""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
import unittest
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "lib")]

import cg2test  # noqa: E402  (found through the path just set)
from compare import differences, summary, table  # noqa: E402
from graph import Graph, load  # noqa: E402
from rules import apply_rules  # noqa: E402
from workloads import WORKLOADS, Workload  # noqa: E402

SHOWN = 40
"""How many differences a failing test prints."""


@functools.cache
def environment() -> dict[str, str]:
    """The environment of all runs. README says why it depends on the dynamic linker's symbols."""
    names = {key.name for key in cg2test.profile_of(["/bin/true"], tool="callgrind").functions}
    return cg2test.env() if "_dl_start" in names else cg2test.env(LD_BIND_NOW="1")


def profile(
    workload: Workload,
    directory: Path,
    tool: str,
    name: str,
    *options: str,
    variables: Mapping[str, str] | None = None,
) -> Path:
    """Run a workload under a tool, with more variables in its environment; the profile it left."""
    path = directory / "profiles" / name
    run = cg2test.run_cg2(
        workload.make(directory),
        *options,
        tool=tool,
        directory=directory,
        out_file=str(path),
        environment=environment() | dict(variables or {}),
    )
    if run.status != 0:
        raise AssertionError(
            f"{workload.name} under {tool}: exit status {run.status}\n{run.stderr}"
        )
    return path


def stock_profile(workload: Workload, directory: Path, name: str) -> Path:
    """What Callgrind writes, with addresses, which the rules need to tell jumps from calls."""
    return profile(workload, directory, "callgrind", name, "--dump-instr=yes")


def annotated_total(path: Path) -> int:
    """The program's total as callgrind_annotate gives it; it must read the profile without a complaint."""
    annotate = Path(shutil.which(cg2test.VALGRIND) or "").with_name("callgrind_annotate")
    run = subprocess.run(
        [str(annotate), "--auto=no", "--tree=both", str(path)],
        capture_output=True,
        text=True,
        errors="replace",
    )
    complaints = run.stderr + "".join(re.findall(r".*WARNING.*\n?", run.stdout))
    if run.returncode != 0 or complaints:
        raise AssertionError(
            f"callgrind_annotate {path}: exit status {run.returncode}\n{complaints}"
        )
    found = re.search(r"^\s*([\d,]+)(?: \(100\.0%\))?\s+PROGRAM TOTALS$", run.stdout, re.MULTILINE)
    if found is None:
        raise AssertionError(f"callgrind_annotate {path}: no PROGRAM TOTALS\n{run.stdout[:500]}")
    return int(found[1].replace(",", ""))


# Runs of a pair whose program did not do the same each time, at most.
PAIRS = 3


class Compat(unittest.TestCase):
    """A test for each program; add_test below makes them."""

    def compare(self, workload: Workload) -> None:
        """Run one program under both tools and compare all figures."""
        directory = cg2test.new_directory()
        try:
            workload.make(directory)
        except FileNotFoundError as missing:
            self.skipTest(f"{missing} is not installed")
        for _ in range(PAIRS):
            said, is_certain = self.difference(workload, directory)
            if not said or is_certain:
                break
        self.assertFalse(said, said)

    def difference(self, workload: Workload, directory: Path) -> tuple[str, bool]:
        """What differs in one pair of runs; and whether Callgrind at least agrees with itself."""
        stock_path = stock_profile(workload, directory, "first.out")
        cg2_path = profile(workload, directory, "cg2", "other.out")
        stock, cg2 = load(stock_path), load(cg2_path)
        total = cg2.total()
        notes = apply_rules(stock, cg2)
        found = differences(stock, cg2)
        if not found:
            self.assertEqual(annotated_total(cg2_path), total)
            return "", True
        doubt = self.doubt(workload, directory, load(stock_path))
        return (
            "\n".join(["", *notes, table(found, SHOWN) + summary(stock, cg2, found) + doubt]),
            not doubt,
        )

    def doubt(self, workload: Workload, directory: Path, stock: Graph) -> str:
        """Whether Callgrind even agrees with itself."""
        again = load(stock_profile(workload, directory, "again.out"))
        found = differences(stock, again)
        return f"Callgrind differs from itself in {len(found)} figures\n" if found else ""


def add_test(workload: Workload) -> None:
    """Give Compat the test of one workload."""

    def test(self: Compat) -> None:
        self.compare(workload)

    test.__doc__ = f"{workload.name}: every figure equals Callgrind's."
    setattr(Compat, f"test_{workload.name}", test)


for each in WORKLOADS:
    add_test(each)

if __name__ == "__main__":
    unittest.main()
