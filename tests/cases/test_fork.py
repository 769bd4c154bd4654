"""fork: parent and child each write a profile of their own, and what was done once is counted once."""

from __future__ import annotations

import unittest
from pathlib import Path

from case import LEVELS, Case
from cg2test import Run, compile, part_of, run_cg2
from facts import Graph


class Fork(Case):
    def run_both(self, level: str) -> tuple[Graph, Graph]:
        """The graphs of parent and child. Their closing lines are mixed, so stderr is not checked here."""
        run = run_cg2([compile("fork.c", level)])
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(len(run.profile_paths), 2, run.profile_paths)
        graphs = [self.check_whole(only(run, path), path) for path in run.profile_paths]
        child, parent = sorted(graphs, key=lambda graph: "in_parent" in graph.names())
        return parent, child

    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                parent, child = self.run_both(level)
                self.assertCallers(parent, "in_parent", {"main": 3})
                self.assertCallers(parent, "common", {"main": 4})
                self.assertNotIn("in_child", parent.names())
                self.assertCallers(child, "in_child", {"main": 5})
                self.assertCallers(child, "common", {"main": 2})
                self.assertNotIn("in_parent", child.names())

    def test_once(self) -> None:
        """What the parent did before the fork is in its own profile, and not in the child's as well."""
        for level in LEVELS:
            with self.subTest(level):
                parent, child = self.run_both(level)
                self.assertCallers(parent, "before", {"main": 7})
                self.assertEqual(child.self_costs["before"], 0)
                self.assertEqual(child.called("before"), 0)
                self.assertLess(child.total, parent.total)

    def test_headers(self) -> None:
        """Each file names its own process, and so does its name."""
        run = run_cg2([compile("fork.c", "-O0")])
        for path in run.profile_paths:
            with self.subTest(path.name):
                self.assertIn(f"\npid: {path.stem}\n", path.read_text())

    def test_described(self) -> None:
        """What is true of the child as of its parent stands in both files: environment, described machine."""
        run = run_cg2([compile("fork.c", "-O0")], "--machine=zen3")
        self.assertEqual(len(run.profile_paths), 2, run.stderr)
        both = [
            [
                line
                for line in path.read_text().splitlines()
                if line.startswith(("desc: Environment: ", "desc: Machine: "))
            ]
            for path in run.profile_paths
        ]
        self.assertEqual(len(both[0]), 2, both)
        self.assertEqual(both[0], both[1])

    def test_one_name(self) -> None:
        """Where both would have one name, the child's profile has its process id behind it."""
        for level in LEVELS:
            with self.subTest(level):
                run = run_cg2([compile("fork.c", level)], out_file="one")
                self.assertEqual(run.status, 0, run.stderr)
                parents, childs = run.profile_paths
                self.assertEqual(parents.name, "one")
                self.assertRegex(childs.name, r"^one\.pid\d+$")
                self.assertIn(f"\npid: {childs.suffix.removeprefix('.pid')}\n", childs.read_text())
                parent, child = (Graph(part_of(path)) for path in run.profile_paths)
                self.assertCallers(parent, "in_parent", {"main": 3})
                self.assertCallers(child, "in_child", {"main": 5})
                self.assertCallers(child, "before", {})

    def test_one_name_in_place(self) -> None:
        """What is no regular file is no file of one process: it has what both write."""
        run = run_cg2([compile("fork.c", "-O0")], out_file="/dev/stdout")
        self.assertEqual((run.status, run.stdout.count("totals: "), run.profile_paths), (0, 2, []))


def only(run: Run, path: Path) -> Run:
    """`run` with those lines of stderr alone that the process wrote which left the profile `path`."""
    mark = f"=={path.stem}=="
    stderr = "\n".join(line for line in run.stderr.splitlines() if line.startswith(mark))
    return Run(run.stdout, stderr, run.status, run.directory, [path])


if __name__ == "__main__":
    unittest.main()
