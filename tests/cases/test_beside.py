"""What is written beside a profile, and cannot be: the data file and the paths of a part.

The part is over with its profile, so that nothing is in two parts; what cannot be written goes elsewhere, or
is said to be lost.
"""

from __future__ import annotations

import os
import re
import resource
import unittest
from itertools import zip_longest
from pathlib import Path

from cg2test import Run, compile, env, new_directory, run_cg2
from test_combined import CombinedCase
from test_full import messages
from test_parts import RECURSIVE

DATA = ["--data=accesses", "--cache-sim=yes", "--data-out-file=data"]
PATHS = ["--contexts=full", "--paths-out-file=paths"]
BESIDE = {"data": (DATA, "data file"), "paths": (PATHS, "file of paths")}


def totals(path: Path) -> list[int]:
    """The costs that a file of one part says it has in all, without zeros at the end."""
    [said] = re.findall(r"^totals: (.*)$", path.read_text(), re.MULTILINE)
    return [int(number) for number in said.split()]


def added(paths: list[Path]) -> list[int]:
    return [sum(numbers) for numbers in zip_longest(*map(totals, paths), fillvalue=0)]


class Beside(CombinedCase):
    has_lines = False  # of libc

    def setUp(self) -> None:
        self.directory = new_directory()
        self.tmp = self.directory / "tmp"
        self.tmp.mkdir()
        self.program = compile("parts.c", "-O0", RECURSIVE, lines_of_libc=self.has_lines)

    def run_parts(self, *options: str, status: int = 0) -> Run:
        """Run the program in four parts."""
        run = run_cg2(
            [self.program],
            "--dump-after=region",
            *options,
            out_file="profile",
            directory=self.directory,
            environment=env(TMPDIR=str(self.tmp)),
        )
        self.assertEqual(run.status, status, run.stderr)
        return run

    def whole(self, name: str) -> list[int]:
        """What the files of this kind have together where all can be written."""
        self.setUp()
        self.run_parts(*BESIDE[name][0])
        return added([self.directory / f"{name}{end}" for end in (".1", ".2", ".3", "")])

    def check_profiles(self, run: Run) -> None:
        """The parts of the profile are those that they would be otherwise."""
        graphs = self.check_parts(run)
        self.assertEqual([graph.called("region") for graph in graphs], [1, 1, 1, 0])
        self.assertEqual([graph.called("leaf") for graph in graphs], [1, 2, 3, 4])
        self.assertChained(graphs)

    def test_middle(self) -> None:
        """A directory in the place of the second part's: the file goes elsewhere, the third part has its own
        costs only."""
        for name, (options, what) in BESIDE.items():
            with self.subTest(name):
                whole = self.whole(name)
                self.setUp()
                failed = self.directory / f"{name}.2"
                failed.mkdir()
                run = self.run_parts(*options, status=1)
                [elsewhere] = self.tmp.glob(f"cg2.{name}.*.2")
                self.assertEqual(
                    messages(run),
                    [
                        f"error: cannot write the {what} '{failed}': Is a directory",
                        f"the {what} was written to '{elsewhere}' instead",
                    ],
                )
                self.check_profiles(run)
                files = [self.directory / f"{name}{end}" for end in (".1", ".3", "")]
                self.assertEqual(added([*files, elsewhere]), whole)

    def test_last(self) -> None:
        """The last part's: the run says by its status, too, that a file is not where it belongs."""
        for name, (options, what) in BESIDE.items():
            with self.subTest(name):
                self.setUp()
                run = run_cg2(
                    ["/bin/sh", "-c", f"rm -f {name}; mkdir {name}"],
                    *options,
                    out_file="profile",
                    directory=self.directory,
                    environment=env(TMPDIR=str(self.tmp)),
                )
                self.assertEqual(run.status, 1)
                [elsewhere] = self.tmp.glob(f"cg2.{name}.*")
                self.assertIn(f"the {what} was written to '{elsewhere}' instead", messages(run))

    def test_with_profile(self) -> None:
        """Where the last part's profile goes elsewhere, what belongs to it is written all the same."""
        for name, (options, _) in BESIDE.items():
            with self.subTest(name):
                whole = self.whole(name)
                self.setUp()
                run = self.run_parts(*options, "--cg2-out-file=/dev/full", status=1)
                self.assertEqual(len(list(self.tmp.glob("cg2.out.*"))), 1)
                [last] = self.directory.glob(name)
                self.assertEqual(totals(last), whole)
                self.assertNotIn("is lost", run.stderr)

    def test_full_device(self) -> None:
        """A device that is full, for the file beside alone: each part's goes elsewhere, the profile is
        whole."""
        for name, (options, what) in BESIDE.items():
            with self.subTest(name):
                whole = self.whole(name)
                self.setUp()
                to_full = [*options[:-1], f"--{name}-out-file=/dev/full"]
                run = self.run_parts(*to_full, status=1)
                failure = f"error: cannot write the {what} '/dev/full': No space left on device"
                self.assertEqual(messages(run)[0::2], 4 * [failure])
                self.check_profiles(run)
                elsewhere = list(self.tmp.glob(f"cg2.{name}.*"))
                self.assertEqual(len(elsewhere), 4)
                self.assertEqual(added(elsewhere), whole)

    def test_limit(self) -> None:
        """A limit of a file's size that the profile is below, and the file beside it is not: what is lost is
        said, of which part."""
        self.has_lines = True  # the profile is larger then than the last data file
        self.setUp()
        large = self.run_parts(*DATA)
        sizes = [path.stat().st_size for path in large.profile_paths]
        limit = max(sizes) + 100
        self.assertLess(limit, (self.directory / "data.1").stat().st_size)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))
        self.setUp()
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            run = self.run_parts(*DATA, status=1)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.check_profiles(run)
        self.assertEqual(
            [line for line in messages(run) if "is lost" in line],
            ["error: the data file is lost: part 1"],
        )
        left = sorted(path.name for path in self.directory.glob("data*"))
        self.assertEqual(left, ["data", "data.2", "data.3"])
        self.assertEqual(list(self.tmp.glob("cg2*")), [])


class Special(CombinedCase):
    """Files that are none get each part as they are."""

    def run_to(self, out_file: str, *options: str) -> Run:
        program = compile("parts.c", "-O0", RECURSIVE)
        return run_cg2([program], "--dump-after=region", *options, out_file=out_file)

    def test_null(self) -> None:
        """All parts are thrown away: no file is made beside the device."""
        before = set(os.listdir("/dev"))
        data = ["--data=accesses", "--cache-sim=yes", "--data-out-file=/dev/null"]
        run = self.run_to("/dev/null", *data)
        self.assertEqual((run.status, messages(run)), (0, []))
        self.assertEqual(set(os.listdir("/dev")) - before, set())

    def test_pipe(self) -> None:
        """All parts, one behind the other."""
        where = new_directory() / "pipe"
        os.mkfifo(where)
        reader = os.open(where, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        run = self.run_to(str(where))
        self.assertEqual((run.status, messages(run)), (0, []))
        text = os.read(reader, 1 << 20)
        read = where.with_name("read")
        read.write_bytes(text)
        graphs = self.check_combined(read)
        self.assertEqual([graph.called("leaf") for graph in graphs], [1, 2, 3, 4])
        self.assertEqual(sorted(path.name for path in where.parent.iterdir()), ["pipe", "read"])


class Unfinished(CombinedCase):
    """What is beside a profile while that is written."""

    def test_prepared(self) -> None:
        """Links with the names that such files had once, for every process: nothing is made through them."""
        where = new_directory()
        (where / "profiles").mkdir()
        victim = where / "victim"
        highest = int(Path("/proc/sys/kernel/pid_max").read_text())
        last = int(Path("/proc/loadavg").read_text().split()[-1])
        for n in range(last, min(last + 3000, highest)):
            (where / "profiles" / f"profile.{n}.part").symlink_to(victim)
        run = run_cg2(
            [compile("parts.c", "-O0", RECURSIVE)],
            out_file="profile",
            directory=where,
        )
        self.assertEqual(run.status, 0)
        self.assertFalse(victim.exists())
        self.assertEqual(self.check_part(where / "profiles" / "profile").called("leaf"), 10)


if __name__ == "__main__":
    unittest.main()
