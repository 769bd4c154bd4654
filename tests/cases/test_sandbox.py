"""A sandbox that kills (seccomp): what was counted is written before it is entered."""

from __future__ import annotations

import json
import unittest

from case import Case
from cg2test import Run, compile, new_directory, run_cg2
from cg2tools.profile.reader import read_profile
from facts import Graph

SAID = "the program enters a sandbox (seccomp)"


class Sandbox(Case):
    def run_in(self, sandbox: str, *options: str) -> tuple[Run, Graph]:
        """Run the program, which works three times before it enters the sandbox and twice there."""
        run = run_cg2([compile("sandboxed.c", "-O0"), sandbox], *options)
        self.assertEqual(len(run.profile_paths), 1, run.stderr)
        (part,) = read_profile(run.profile_paths[0]).parts
        part.check()
        return run, Graph(part)

    def test_killed(self) -> None:
        """The kernel kills the process in the sandbox: its profile is there, and the message says where."""
        for options in ((), ("--combine-dumps=yes",)):
            run, graph = self.run_in("strict", *options)
            self.assertEqual(run.status, -9)
            self.assertEqual(graph.called("work"), 3)
            self.assertEqual(graph.part.descriptions["Trigger"], "sandbox")
            self.assertEqual(run.stderr.count(SAID), 1)
            self.assertIn(f"what was counted so far is in '{run.profile_paths[0]}'", run.stderr)

    def test_survived(self) -> None:
        """Where the sandbox lets the process end, the profile is that of all of it, in one part."""
        for options in ((), ("--combine-dumps=yes",), ("--separate-threads=yes",)):
            with self.subTest(options=options):
                directory = new_directory()
                asked = [f"--json-summary={directory}/s"]
                run = run_cg2([compile("sandboxed.c", "-O0"), "kill"], *options, *asked)
                self.assertEqual((run.status, run.stderr.count(SAID)), (0, 1))
                (path,) = run.profile_paths
                self.assertEqual(self.check_part(path).called("work"), 5)
                (process,) = json.loads((directory / "s").read_bytes())["processes"]
                self.assertEqual([part["part"] for part in process["parts"]], [1])

    def test_parts(self) -> None:
        """What earlier parts have is not in it."""
        run = run_cg2([compile("sandboxed.c", "-O0"), "strict"], "--dump-after=work")
        graphs = [Graph(read_profile(path).parts[0]) for path in sorted(run.profile_paths)]
        self.assertEqual(sorted(graph.called("work") for graph in graphs), [0, 1, 1, 1])

    def test_signal(self) -> None:
        """A signal for a system call kills as well, by whichever system call the sandbox is entered."""
        run = run_cg2([compile("sandboxed.c", "-O0"), "signal"])
        self.assertEqual(run.stderr.count(SAID), 1)

    def test_harmless(self) -> None:
        """A sandbox that only refuses is none of these."""
        run, graph = self.run_in("errno")
        self.assertEqual((run.status, graph.called("work")), (0, 5))
        self.assertNotIn(SAID, run.stderr)


if __name__ == "__main__":
    unittest.main()
