"""A case that shows what is wrong with Callgrind as it comes with Valgrind, and right in cg2.

A fact is a check of the tool, `cg2` or `callgrind`, that it is given. It holds for the one and fails for the
other: so it is known to be a check that can fail, and the day that Callgrind is right the test says so.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from case import Case
from cg2test import HANG, SOURCE, Run, env, run_cg2
from cg2test import VALGRIND as COMMAND
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from facts import Graph

Fact = Callable[[str], None]

VALGRIND = Path(shutil.which(COMMAND) or COMMAND)


class StockCase(Case):
    def check_both(self, fact: Fact) -> None:
        """`fact` holds for cg2 and fails for Callgrind."""
        fact("cg2")
        with self.assertRaises(self.failureException, msg="Callgrind is right now"):
            fact("callgrind")

    def run_both(
        self, program: Path, *options: str, tool: str, out_file: str = "%p.profile"
    ) -> Run:
        """A run under the tool that ends well; with another status the program's own check has failed."""
        run = run_cg2([program], *options, tool=tool, out_file=out_file)
        self.assertEqual(run.status, 0, run.stderr)
        return run

    def graph_by(self, tool: str, program: Path, *options: str) -> Graph:
        """The graph of the one profile that a run leaves."""
        [path] = self.run_both(program, *options, tool=tool).profile_paths
        return Graph(only_part(path))


def only_part(path: Path) -> Part:
    """The part of a profile, whatever its sums are."""
    [part] = read_profile(path).parts
    return part


def command_of(tool: str, name: str) -> Path:
    """The tool's own `control` or `annotate`."""
    return (
        SOURCE / "tools" / f"cg2_{name}"
        if tool == "cg2"
        else VALGRIND.with_name(f"callgrind_{name}")
    )


def said_by(command: Path, *arguments: str | Path, directory: Path | None = None) -> str:
    """What a command prints, on stdout and then on stderr."""
    ended = subprocess.run(
        [command, *map(str, arguments)],
        cwd=directory,
        env=env(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    return ended.stdout + ended.stderr
