"""What is wrong with Callgrind, and right here.

Each test states a fact, shows that it holds for cg2, and that it does not for Callgrind: the day that it does,
the test says so, and a point in the manual's list of differences can go.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Callable
from pathlib import Path

from case import Case
from cg2test import VALGRIND, Run, compile, run_cg2
from cg2tools.profile import Part
from cg2tools.reader import read_profile
from disassembly import instructions
from facts import Graph
from test_exact import expected_lines
from test_monitor import Monitored

Fact = Callable[[str], None]


class Faults(Case):
    def check_both(self, fact: Fact) -> None:
        """`fact`, a check of the tool that it is given, holds for cg2 and fails for Callgrind."""
        fact("cg2")
        with self.assertRaises(self.failureException, msg="Callgrind is right now"):
            fact("callgrind")

    def run_both(self, program: Path, *options: str, tool: str) -> Run:
        run = run_cg2([program], *options, tool=tool)
        self.assertEqual(run.status, 0, run.stderr)  # 1 would be the program's own check
        return run

    def assertTotalsAgree(self, path: Path) -> None:
        """Header, last line and body of a profile say the same total."""
        part = only_part(path)
        self.assertEqual(part.summary, part.totals)
        self.assertEqual(part.summary, part.self_total())

    def test_zero_in_threads(self) -> None:
        """Zero acts on all threads: `summary:` is what the body adds up to."""
        program = compile("zeroing.c", "-O0", "-pthread")

        def agrees(tool: str) -> None:
            run = self.run_both(program, tool=tool)
            self.assertTotalsAgree(run.profile_paths[0])
            graph = Graph(only_part(run.profile_paths[0]))
            self.assertEqual(graph.self_costs["work"], 23 * len(instructions(program, "work")))

        self.check_both(agrees)

    def test_last_block(self) -> None:
        """The block in which a program ends is in the total."""
        program = compile("exact.S", "-nostdlib", "-static")

        def has_all(tool: str) -> None:
            part = only_part(self.run_both(program, tool=tool).profile_paths[0])
            self.assertEqual(part.self_total(), [sum(expected_lines().values())])

        self.check_both(has_all)

    def test_handlers_in_summary(self) -> None:
        """What handlers of signals cost is in `summary:`."""
        program = compile("signals.c", "-O0")

        def has_all(tool: str) -> None:
            part = only_part(self.run_both(program, tool=tool).profile_paths[0])
            assert part.summary is not None
            self.assertGreaterEqual(part.summary[0], part.self_total()[0])

        self.check_both(has_all)

    def test_toggled_handlers(self) -> None:
        """A handler that runs inside the function which toggles collection is collected."""
        program = compile("signals.c", "-O0")
        own = len(instructions(program, "on_usr1"))

        def has_handler(tool: str) -> None:
            run = self.run_both(program, "--toggle-collect=main", tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["on_usr1"], 4 * own)

        self.check_both(has_handler)

    def test_toggling_handler(self) -> None:
        """A function that toggles collection may be a handler itself."""
        program = compile("signals.c", "-O0")
        own = len(instructions(program, "on_usr1"))

        def has_handler(tool: str) -> None:
            run = self.run_both(program, "--toggle-collect=on_usr1", tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["on_usr1"], 4 * own)

        self.check_both(has_handler)

    def test_toggled_threads(self) -> None:
        """A thread that is started inside the function is collected, where that is wanted."""
        program = compile("region.c", "-O0", "-pthread")
        work = len(instructions(program, "work"))

        def has_thread(tool: str) -> None:
            scope = ["--collect-scope=process"] if tool == "cg2" else []
            run = self.run_both(program, "--toggle-collect=region", *scope, tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["work"], 15 * work)

        self.check_both(has_thread)

    def test_nested_toggles(self) -> None:
        """Of two functions that toggle collection, one inside the other, the inner one is collected."""
        program = compile("parts.c", "-O0")
        leaf = len(instructions(program, "leaf"))

        def has_leaf(tool: str) -> None:
            options = ["--toggle-collect=main", "--toggle-collect=leaf"]
            run = self.run_both(program, *options, tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["leaf"], 10 * leaf)

        self.check_both(has_leaf)

    def test_no_empty_file(self) -> None:
        """A program that is killed leaves no file without anything in it."""

        def leaves_nothing(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            monitored.kill()
            self.assertEqual([path.stat().st_size for path in monitored.profiles()], [])

        self.check_both(leaves_nothing)

    def test_no_calls_of_zero(self) -> None:
        """A call that was open when a part began is a call: nothing was called 0 times."""

        def counts(tool: str) -> None:
            run = self.run_both(compile("parts.c", "-O0"), "--dump-before=finish", tool=tool)
            [text] = [p.read_text() for p in run.profile_paths if "Program termination" in p.read_text()]
            self.assertIsNone(re.search(r"^calls=0 ", text, re.MULTILINE))

        self.check_both(counts)

    def test_unknown_words(self) -> None:
        """A monitor command that is given what it does not know says so, and does nothing."""

        def refuses(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            try:
                self.assertIn("expected", monitored.ask("status", "foo"))
                self.assertIn("expected", monitored.ask("instrumentation", "blah"))
            finally:
                monitored.end()

        self.check_both(refuses)

    def test_unmatched(self) -> None:
        """When nothing is collected because no function has the name, that is said."""
        program = compile("parts.c", "-O0")
        option = "--toggle-collect=nosuch"

        def says(tool: str) -> None:
            run = self.run_both(program, option, tool=tool)
            self.assertEqual(only_part(run.profile_paths[0]).self_total(), [0])
            said = re.findall(r"^==\d+== (.*nosuch.*)$", run.stderr.split("Command:")[1], re.MULTILINE)
            self.assertEqual(said, [f"{option}: no function of this name was seen"])

        self.check_both(says)

    def test_unknown_request(self) -> None:
        """A client request that there is not is warned of. Later Callgrinds than Valgrind 3.19's do so."""
        program = compile("unknown.c", "-O0")

        def warns(tool: str) -> None:
            self.assertIn("43540063", self.run_both(program, tool=tool).stderr)

        if valgrind_version().startswith("3.19."):
            self.check_both(warns)
        else:
            warns("cg2")


def only_part(path: Path) -> Part:
    """The part of a profile, whatever its sums are."""
    [part] = read_profile(path).parts
    return part


def valgrind_version() -> str:
    said = subprocess.run([VALGRIND, "--version"], capture_output=True, text=True, check=True).stdout
    return said.strip().removeprefix("valgrind-")


if __name__ == "__main__":
    unittest.main()
