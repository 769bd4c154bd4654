"""A full disk: a part that fails after some bytes leaves nothing half-written, and loses and doubles
nothing."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import STARTS
from cg2test import Run, compile, env, new_directory, run_cg2
from facts import Graph
from test_combined import COMBINED, CombinedCase
from test_parts import RECURSIVE, THREADS

KEPT = "its costs go into the next part"


def messages(run: Run) -> list[str]:
    """The errors that a run printed, and what it says about them."""
    said = [re.sub(r"^==\d+== ", "", line) for line in run.stderr.splitlines()]
    return [
        line for line in said if line.startswith("error: ") or KEPT in line or "instead" in line
    ]


def too_large(path: Path) -> str:
    return f"error: cannot write the profile '{path}': File too large"


class FullCase(CombinedCase):
    def run_full(self, limits: str, *options: str, status: int = 0) -> tuple[Run, Path]:
        """Run full.c with these limits of a file's bytes; give where it writes, and where else if it
        cannot."""
        self.directory = new_directory()
        (self.directory / "tmp").mkdir()
        run = run_cg2(
            [compile("full.c", "-O0", lines_of_libc=True), *limits.split()],
            "--dump-after=work",
            *options,
            out_file="profile",
            directory=self.directory,
            environment=env(TMPDIR=str(self.directory / "tmp")),
        )
        self.assertEqual(run.status, status, run.stderr)
        return run, self.directory / "profiles" / "profile"

    def left(self) -> list[str]:
        """The files that there are, but for vgdb's."""
        found = [
            path for path in self.directory.rglob("*") if path.is_file() and "vgdb" not in path.name
        ]
        return sorted(str(path.relative_to(self.directory)) for path in found)

    def whole(self, limits: str) -> Graph:
        """The profile of a run in one part."""
        return self.graph_of(compile("full.c", "-O0", lines_of_libc=True), args=limits.split())


class Full(FullCase):
    def test_part(self) -> None:
        """Parts fail in the first, and in the second piece that is written; the next one that fits has
        all."""
        limits = "1000 40000 0 100 0"
        run, base = self.run_full(limits)
        first, second = (base.with_name(f"profile.{n}") for n in (1, 2))
        self.assertEqual(
            messages(run), [too_large(first), KEPT, too_large(first), KEPT, too_large(second), KEPT]
        )
        graphs = self.check_parts(run)
        self.assertEqual([graph.called("work") for graph in graphs], [3, 2, 0])
        self.assertChained(graphs)
        self.assertSum(graphs, self.whole(limits), "work", "main", "limit")
        self.assertEqual(self.left(), [f"profiles/profile{n}" for n in ("", ".1", ".2")])

    def test_last(self) -> None:
        """When the last part does not fit anywhere, what is lost is said, and the parts before it are
        there. Nothing was said before that this contradicts."""
        run, base = self.run_full("0 1000", status=1)
        self.assertNotIn("nothing is lost", run.stderr)
        [name] = re.findall(rf"{self.directory}/tmp/cg2.out.\d+", run.stderr)
        self.assertEqual(
            messages(run),
            [
                too_large(base.with_name("profile.2")),
                KEPT,
                too_large(base),
                too_large(Path(name)),
                "error: the profile is lost: part 2",
            ],
        )
        self.assertEqual(self.left(), ["profiles/profile.1"])
        self.assertEqual(self.check_part(run.profile_paths[0]).called("work"), 1)

    def test_only(self) -> None:
        run, base = self.run_full("1000", status=1)
        self.assertEqual(messages(run)[-1], "error: the profile is lost")
        self.assertEqual(self.left(), [])

    def test_in_temporary_directory(self) -> None:
        """Where the profile belongs into the temporary directory, it is tried there once."""
        directory = new_directory()
        run = run_cg2(
            [compile("full.c", "-O0"), "1000"],
            out_file=str(directory / "cg2.out.%p"),
            environment=env(TMPDIR=str(directory)),
        )
        failure, lost = messages(run)
        self.assertRegex(
            failure, rf"cannot write the profile '{directory}/cg2.out.\d+': File too large"
        )
        self.assertEqual(lost, "error: the profile is lost")

    def test_older_profile(self) -> None:
        """A profile of an earlier run stays as it is when the new one does not fit."""
        run, base = self.run_full("0")
        old = base.read_text()
        run_cg2(
            [compile("full.c", "-O0"), "1000"],
            out_file="profile",
            directory=run.directory,
        )
        self.assertEqual(base.read_text(), old)

    def test_elsewhere(self) -> None:
        """The last part on a device that is full: it goes to the temporary directory."""
        self.directory = new_directory()
        (self.directory / "tmp").mkdir()
        environment = env(TMPDIR=str(self.directory / "tmp"))
        run = run_cg2(
            [compile("full.c", "-O0"), "0"],
            out_file="/dev/full",
            environment=environment,
        )
        [saved] = self.left()
        path = self.directory / saved
        self.assertEqual(
            messages(run),
            [
                "error: cannot write the profile '/dev/full': No space left on device",
                f"the profile was written to '{path}' instead",
            ],
        )
        self.assertEqual(run.status, 1)
        self.assertEqual(self.check_whole(run, path).called("work"), 1)

    def test_combined(self) -> None:
        """The file of all parts stays as it was after the last part that fitted."""
        limits = "0 47000 1000 0 0"
        run, base = self.run_full(limits, COMBINED)
        self.assertEqual(messages(run), 2 * [too_large(base), KEPT])
        graphs = self.check_combined(base)
        self.assertEqual([graph.called("work") for graph in graphs], [1, 3, 1, 0])
        self.assertChained(graphs)
        self.assertSum(graphs, self.whole(limits), "work", "main", "limit")
        self.assertEqual(self.left(), ["profiles/profile"])

    def test_combined_last(self) -> None:
        """Also when the last one does not fit; it is alone then where it goes instead."""
        run, base = self.run_full("0 0 10000", COMBINED, status=1)
        graphs = self.check_combined(base)
        self.assertEqual([graph.called("work") for graph in graphs], [1, 1])
        [elsewhere] = [name for name in self.left() if name != "profiles/profile"]
        path = self.directory / elsewhere
        self.assertEqual(messages(run)[-1], f"the profile was written to '{path}' instead")
        last = self.check_part(path)
        self.assertEqual((last.part.part, last.called("work")), (3, 1))
        self.check_sum(run, [*graphs, last])

    def test_thread(self) -> None:
        """Where threads are kept apart, it is said whose part is lost."""
        run, base = self.run_full("40000", "--separate-threads=yes", status=1)
        self.assertEqual(messages(run)[-1], "error: the profile is lost, thread 1")
        self.assertEqual(self.left(), [])


FEW = 2  # parts of a thread


class Threads(CombinedCase):
    def test_parts(self) -> None:
        """Nothing is lost, and nothing is in two parts, where parts of one thread cannot be written and
        others' can."""
        program = compile("threads.c", "-O0", RECURSIVE, "-pthread", lines_of_libc=True)
        for _ in range(5):
            run = self.run_without_odd_parts(program)
            if len(list(run.directory.glob("parts/*-02"))) > 1000 + FEW:
                break  # how many parts fall into the thread's life is chance
        directory = run.directory / "parts"
        self.assertEqual(run.status, 0, run.stderr)
        failed, kept = messages(run)[0::2], messages(run)[1::2]
        self.assertEqual(kept, len(failed) * [KEPT])
        self.assertGreater(len(failed), 1)
        for message in failed:
            self.assertRegex(
                message, r"^error: cannot write the profile '.*\.\d+-02': Is a directory$"
            )
        graphs = [
            self.check_part(path, STARTS) for path in sorted(directory.iterdir()) if path.is_file()
        ]
        self.assertSum(graphs, self.graph_of(program, args=["3"], spontaneous=STARTS), *THREADS)
        self.check_sum(run, graphs)
        written = [graph.part.part for graph in graphs if graph.part.thread == 2]
        self.assertGreater(len(written), FEW)

    def run_without_odd_parts(self, program: Path) -> Run:
        """A run that cannot write its second thread's parts with odd numbers."""
        directory = new_directory() / "parts"
        directory.mkdir()
        for n in range(1, 2000, 2):
            (directory / f"profile.{n}-02").mkdir()
        return run_cg2(
            [program, "3"],
            "--separate-threads=yes",
            "--dump-every-bb=60",
            out_file=str(directory / "profile"),
            directory=directory.parent,
        )

    def test_last(self) -> None:
        """Where the last part of one thread cannot be written, it goes elsewhere; the others' do not."""
        program = compile("threads.c", "-O0", RECURSIVE, "-pthread", lines_of_libc=True)
        directory = new_directory()
        for name in ("profile-02", "tmp"):
            (directory / name).mkdir()
        run = run_cg2(
            [program, "3"],
            "--separate-threads=yes",
            out_file=str(directory / "profile"),
            environment=env(TMPDIR=str(directory / "tmp")),
        )
        self.assertEqual(run.status, 1)
        [elsewhere] = (directory / "tmp").glob("cg2.out.*-02")
        self.assertEqual(
            messages(run),
            [
                f"error: cannot write the profile '{directory / 'profile-02'}': Is a directory",
                f"the profile was written to '{elsewhere}' instead",
            ],
        )
        paths = [directory / f"profile-{n:02}" for n in (1, 3, 4)]
        graphs = [self.check_part(path, STARTS) for path in [*paths, elsewhere]]
        self.assertSum(graphs, self.graph_of(program, args=["3"], spontaneous=STARTS), *THREADS)
        self.check_sum(run, graphs)


if __name__ == "__main__":
    unittest.main()
