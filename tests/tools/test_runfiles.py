"""What a run left: without a file, and of a program just profiled, all processes and parts are shown."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolsupport import Output, annotate

from cg2test import HANG, IN_PLACE
from cg2tools.commandline.runfiles import newest_named, run_of


def profile(pid: int, cost: int, part: int = 1, extra: str = "", events: str = "Ir") -> str:
    return f"""\
# callgrind format
creator: callgrind-cg2-0.1
pid: {pid}
cmd: ./app: x
part: {part}
{extra}desc: Trigger: Program termination
positions: line
events: {events}
summary: {cost}
ob=/bin/app
fl=a.c
fn=f{pid}
1 {cost}
totals: {cost}
"""


class Fixture(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.time = 1000

    def write(self, name: str, *described: object, **more: str) -> None:
        """A file that is newer than those before it."""
        path = self.directory / name
        path.write_text(profile(*described, **more))  # type: ignore[arg-type]
        self.time += 1
        os.utime(path, (self.time, self.time))

    def run_of(self, name: str) -> list[str]:
        return [os.path.basename(path) for path in run_of(str(self.directory / name))]


class Files(Fixture):
    def test_parts(self) -> None:
        """Parts and threads in their order, whichever of them is named."""
        names = ["cg2.out.7.1-01", "cg2.out.7.1-02", "cg2.out.7-01", "cg2.out.7-02"]
        for number, name in enumerate(names):
            self.write(name, 7, 10, 1 + number // 2, f"thread: {1 + number % 2}\n")
        for name in names:
            self.assertEqual(self.run_of(name), names)
        self.assertEqual(Path(newest_named(str(self.directory / "cg2.out.7"))).name, names[-1])

    def test_processes(self) -> None:
        """The first process, and behind it those that it forked; programs that replaced each other."""
        self.write("cg2.out.40", 40, 1, 1, "desc: Parent: 7\n")
        self.write("cg2.out.9.exec1", 9, 1, 1, "desc: Parent: 40\ndesc: Image: 1\n")
        self.write("cg2.out.9", 9, 1, 1, "desc: Image: 2\n")
        self.write("cg2.out.7", 7, 1)
        self.write("cg2.out.8", 8, 1)
        for name in ("cg2.out.7", "cg2.out.9", "cg2.out.9.exec1", "cg2.out.40"):
            self.assertEqual(
                self.run_of(name), ["cg2.out.7", "cg2.out.40", "cg2.out.9.exec1", "cg2.out.9"]
            )
        self.assertEqual(self.run_of("cg2.out.8"), ["cg2.out.8"])

    def test_older_children(self) -> None:
        """A child that began before the process that has the number of its parent is of an older run."""
        old, new = (
            "desc: Started: 2026-11-26 20:06:5%d.489318 UTC\n" % second for second in (1, 3)
        )
        self.write("cg2.out.40", 40, 1, 1, "desc: Parent: 7\n" + old)
        self.write("cg2.out.41.exec1", 41, 1, 1, "desc: Parent: 7\ndesc: Image: 1\n" + new)
        self.write("cg2.out.41", 41, 1, 1, "desc: Image: 2\n" + new.replace(":53", ":54"))
        self.write("cg2.out.7", 7, 1, 1, new)
        for name in ("cg2.out.7", "cg2.out.41"):
            self.assertEqual(self.run_of(name), ["cg2.out.7", "cg2.out.41.exec1", "cg2.out.41"])
        self.assertEqual(self.run_of("cg2.out.40"), ["cg2.out.40"])

    def test_names(self) -> None:
        """Names without a process, and with one in front."""
        self.write("one", 7, 1)
        self.write("one.pid8", 8, 1, 1, "desc: Parent: 7\n")
        self.assertEqual(self.run_of("one"), ["one", "one.pid8"])
        self.write("7.out", 7, 1, 2)
        self.write("7.out.1", 7, 1, 1)
        self.assertEqual(self.run_of("7.out.1"), ["7.out.1"], "newer than the second part")

    def test_older_run(self) -> None:
        """A process that had the same number has left parts: those that are not overwritten are no part."""
        for name, number in ("cg2.out.7.1", 1), ("cg2.out.7.2", 2), ("cg2.out.7", 3):
            self.write(name, 7, 10, number)
        self.assertEqual(self.run_of("cg2.out.7"), ["cg2.out.7.1", "cg2.out.7.2", "cg2.out.7"])
        self.write("cg2.out.7.1", 7, 10, 1)
        self.write("cg2.out.7", 7, 10, 2)
        self.assertEqual(self.run_of("cg2.out.7"), ["cg2.out.7.1", "cg2.out.7"])
        self.write("cg2.out.7", 7, 10, 1)
        self.assertEqual(self.run_of("cg2.out.7"), ["cg2.out.7"])

    def test_same_process(self) -> None:
        """Runs with one process id are apart, and the newest is the last one."""
        self.write("cg2.out.7", 7, 10)
        self.write("cg2.out.7.run2.1", 7, 10, 1)
        self.write("cg2.out.7.run2", 7, 10, 2)
        self.write("cg2.out.7.run3", 7, 10)
        for names in (["cg2.out.7"], ["cg2.out.7.run2.1", "cg2.out.7.run2"], ["cg2.out.7.run3"]):
            for name in names:
                self.assertEqual(self.run_of(name), names)
        newest = newest_named(str(self.directory / "cg2.out.7"))
        self.assertEqual(Path(newest).name, "cg2.out.7.run3")

    def test_odd(self) -> None:
        """What says no process is alone; other events cannot be added; circles end; pipes are not opened."""
        for text in ("events: Ir\nfn=f\n1 1\n", "", "\0" * 5000):
            (self.directory / "cg2.out.3").write_text(text)
            self.assertEqual(self.run_of("cg2.out.3"), ["cg2.out.3"])
        self.write("cg2.out.7", 7, 1, 1, "desc: Parent: 8\n")
        self.write("cg2.out.8", 8, 1, 1, "desc: Parent: 7\n")
        self.assertEqual(set(self.run_of("cg2.out.7")), {"cg2.out.7", "cg2.out.8"})
        self.write("cg2.out.9", 9, 1, 1, "desc: Parent: 7\n", events="Dr")
        self.assertEqual(len(self.run_of("cg2.out.7")), 2)
        os.mkfifo(self.directory / "cg2.out.10")
        self.assertEqual(len(self.run_of("cg2.out.7")), 2)
        self.assertEqual(self.run_of("cg2.out.10"), ["cg2.out.10"])


class Commands(Fixture):
    def said(self, *arguments: str) -> Output:
        output = annotate(*arguments, directory=self.directory)
        self.assertEqual(output.status, 0, output.stderr)
        return output

    def setUp(self) -> None:
        super().setUp()
        self.write("cg2.out.7.1", 7, 60, 1)
        self.write("cg2.out.8", 8, 900, 1, "desc: Parent: 7\n")
        self.write("cg2.out.7", 7, 40, 2)

    def test_sum(self) -> None:
        """60 + 40 of the parent, 900 of the child are 1,000, of which the child has 90 %."""
        output = self.said()
        self.assertEqual(
            output.stderr,
            "cg2_annotate: reading cg2.out.7, the newest profile here, and 2 others of its run\n",
        )
        self.assertEqual(
            output.stdout.splitlines()[:6],
            [
                "Program: ./app: x (PID 7) and 1 other process",
                "Profile: cg2.out.7.1, cg2.out.7, cg2.out.8 (3 parts)",
                "",
                "1,000 Ir: instructions executed",
                "90.0 % of Ir in process 8",
                "",
            ],
        )
        for what, asked in ("each process", "summary"), ("each part", "threads --columns=part"):
            command = f"cg2 {asked} cg2.out.7.1 cg2.out.7 cg2.out.8"
            self.assertRegex(output.stdout, f"(?m)^{what}: +{re.escape(command)}$")
        self.assertIn("1,000 (100.0%)  TOTAL", self.said("--summary").stdout)

    def test_left_out(self) -> None:
        """A file that is named is shown alone, and what is left out of its run is said."""
        self.assertEqual(
            self.said("cg2.out.7").stdout.splitlines()[2],
            "Left out: 2 other files of the run: cg2.out.7.1, cg2.out.8; "
            "cg2 summary adds files up",
        )
        self.assertNotIn("Left out", self.said("cg2.out.7", "cg2.out.7.1", "cg2.out.8").stdout)

    def test_callgrind(self) -> None:
        """With --callgrind a single file is read, and it is said that there are others."""
        output = self.said("--callgrind")
        self.assertIn("Profile data file 'cg2.out.7'", output.stdout)
        self.assertEqual(
            output.stderr,
            "cg2_annotate: reading cg2.out.7, the newest profile here; "
            "2 others of its run not read\n",
        )


PROGRAM = r"""
#include <unistd.h>
#include <sys/wait.h>
volatile long n;
__attribute__((noinline)) void work(long k) { for (long i = 0; i < k; i++) n += i; }
int main(int argc, char** argv)
{
   work(100000);
   if (argc > 1) {
      if (!fork()) { work(900000); _exit(0); }
      wait(0);
   }
   return 0;
}
"""


class Door(unittest.TestCase):
    def shown(self, *command: str) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="cg2door-") as folder:
            program = Path(folder) / "app"
            source = Path(folder) / "app.c"
            source.write_text(PROGRAM)
            subprocess.run(["gcc", "-g", "-O1", source, "-o", program], check=True)
            ended = subprocess.run(
                [IN_PLACE / "bin" / "cg2", *command],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=HANG,
            )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout.splitlines()

    def cost_of_work(self, lines: list[str]) -> int:
        (row,) = [line for line in lines if re.search("app.c:work ", line)]
        return int(row.split()[0].replace(",", ""))

    def test_child(self) -> None:
        """Parent and child run 1,000,000 rounds together: ten times what the parent alone does."""
        alone = self.cost_of_work(self.shown("./app"))
        lines = self.shown("./app", "fork")
        both = self.cost_of_work(lines)
        self.assertAlmostEqual(both / alone, 10, delta=0.001)
        self.assertRegex(lines[1], r"^Program: ./app fork \(PID \d+\) and 1 other process$")
        self.assertRegex("\n".join(lines), r"(?m)^8\d\.\d % of Ir in process \d+$")

    def test_parts(self) -> None:
        """The part that ends with `work` is in the sum."""
        whole = self.cost_of_work(self.shown("./app"))
        lines = self.shown("--dump-after=work", "./app")
        self.assertEqual(self.cost_of_work(lines), whole)
        self.assertRegex(lines[2], r"^Profile: cg2.out.(\d+).1, cg2.out.\1 \(2 parts\)$")
