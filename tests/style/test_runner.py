"""run.py, on tests of its own: which it runs, in which order, side by side or alone, and what it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

from cg2test import SOURCE, new_directory
from concerns import TABLE, rows

TESTS = SOURCE / "tests"

# Classes that take long and little, a module that prepares something, tests with marks.
ONE = """
import time, unittest

class Short(unittest.TestCase):
    def test_first(self): time.sleep(0.1)

class Long(unittest.TestCase):
    def test_first(self): time.sleep(0.6)
    def test_second(self): time.sleep(0.1)

class Alone(unittest.TestCase):
    alone = True
    def test_alone(self): time.sleep(0.4)

class Full(unittest.TestCase):
    full = True
    def test_full(self): self.fail()
"""
TWO = """
import unittest

def setUpModule():
    global prepared
    prepared = 0

class First(unittest.TestCase):
    def test_a(self):
        global prepared
        prepared += 1

class Second(unittest.TestCase):
    def test_b(self): self.assertEqual(prepared, 0)
"""
THREE = """
import os, unittest

class Ends(unittest.TestCase):
    def test_ends(self): os._exit(0)

class Fails(unittest.TestCase):
    def test_fails(self): self.fail("for a reason")
    def test_skips(self): self.skipTest("it lacks something")
"""

# Tests that keep a processor busy, themselves and by a child, and one that waits.
FOUR = """
import subprocess, sys, time, unittest

class Busy(unittest.TestCase):
    def test_child(self):
        busy = "import time\\nwhile time.process_time() < 0.5: pass"
        subprocess.run([sys.executable, "-c", busy], check=True)
    def test_own(self):
        end = time.process_time() + 0.5
        while time.process_time() < end: pass
    def test_waits(self): time.sleep(0.5)
"""


class Runner(unittest.TestCase):
    def setUp(self) -> None:
        self.top = new_directory()
        (self.top / "lib").mkdir()
        (self.top / "some").mkdir()
        for name in ("run.py", "concerns.txt", "lib/concerns.py", "lib/starts.py"):
            shutil.copy(TESTS / name, self.top / name)
        (self.top / "times.txt").write_text("some.test_one.Long 2\nsome.test_one.Short 1\n")
        for name, text in (("one", ONE), ("two", TWO), ("three", THREE), ("four", FOUR)):
            (self.top / "some" / f"test_{name}.py").write_text(text)

    def run_tests(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CG2_")}
        return subprocess.run(
            [sys.executable, self.top / "run.py", *words],
            cwd=self.top,
            env=environment | {"CG2_BUILD": str(self.top)},
            capture_output=True,
            text=True,
            check=False,
        )

    def order(self, said: str) -> list[str]:
        return re.findall(r"^ok .* s  some\.test_(\S+)$", said, re.MULTILINE)

    def test_order(self) -> None:
        """What takes longest comes first: by the table, then by what was measured. What is alone comes
        last."""
        ended = self.run_tests("-j1", "some.test_one")
        long = ["one.Long.test_first", "one.Long.test_second"]
        self.assertEqual(
            self.order(ended.stdout), [*long, "one.Short.test_first", "one.Alone.test_alone"]
        )
        measured = dict(
            line.split(" ", 1) for line in (self.top / "tests-times").read_text().splitlines()
        )
        self.assertGreater(float(measured["some.test_one.Long.test_first"].split()[0]), 0.5)
        self.assertEqual(len(measured), 4)
        text = (self.top / "tests-times").read_text()
        (self.top / "tests-times").write_text(re.sub(r"(Short\S+) .*", r"\1 99", text))
        ended = self.run_tests("-j1", "some.test_one")
        self.assertEqual(
            self.order(ended.stdout), ["one.Short.test_first", *long, "one.Alone.test_alone"]
        )

    def test_cpu(self) -> None:
        """Seconds of processors: a test's own and its children's, and not those in which it waits."""
        said = self.run_tests("some.test_four").stdout
        lines = (self.top / "tests-times").read_text().splitlines()
        child, own, waits = (float(line.split()[2]) for line in lines)
        self.assertTrue(0.5 <= own < 0.7 and 0.5 <= child < 0.9 and waits < 0.2, lines)
        summed = re.search(
            r"(?m)^(\d+) s of processors, (\d+) % of this machine's: some (\d+)$", said
        )
        assert summed is not None, said
        took = re.search(r"(?m)^\d+ workers, (\d+) s: ", said)
        assert took is not None, said
        most, least = (
            100 * (child + own + waits) / (int(took[1]) + rounded) / (os.cpu_count() or 1)
            for rounded in (-0.5, 0.5)
        )
        self.assertTrue(least - 1 <= int(summed[2]) <= most + 1, said)
        for figure in summed.group(1, 3):
            self.assertAlmostEqual(int(figure), child + own + waits, delta=0.55)

    def test_store_times(self) -> None:
        """What was measured, by class, becomes the table for a fresh clone; what takes little is left out."""
        (self.top / "tests-times").write_text(
            "a.test_b.C.d 2.50\na.test_b.C.e 1.00\na.test_b.D.f 1\n"
        )
        self.assertEqual(self.run_tests("--store-times").returncode, 0)
        self.assertEqual((self.top / "times.txt").read_text(), "a.test_b.C 4\n")
        (self.top / "tests-times-full").write_text("a.test_b.D.f 100 90\n")
        self.assertEqual(self.run_tests("--full", "--store-times").returncode, 0)
        self.assertEqual((self.top / "times-full.txt").read_text(), "a.test_b.D 100\n")
        self.assertEqual((self.top / "times.txt").read_text(), "a.test_b.C 4\n")

    def test_idle(self) -> None:
        """A worker has nothing to do while the long class ends, and while a test runs alone."""
        ended = self.run_tests("-j2", "some.test_one")
        self.assertEqual(ended.stdout.splitlines()[-1], "4 passed, 0 failed")
        said = re.search(
            r"^2 workers, (\d+) s: idle ([\d.]+) %, (\d+) s of it beside",
            ended.stdout,
            re.MULTILINE,
        )
        assert said is not None, ended.stdout
        self.assertTrue(20 < float(said[2]) < 70, said[0])

    def test_modules(self) -> None:
        """What a module prepares is prepared for each class, in whichever process."""
        for jobs in "-j1", "-j2":
            ended = self.run_tests(jobs, "some.test_two")
            self.assertEqual(
                sorted(self.order(ended.stdout)), ["two.First.test_a", "two.Second.test_b"]
            )

    def test_failures(self) -> None:
        """A process that ends is a failure of its class alone; the last line counts all."""
        ended = self.run_tests("some.test_three", "some.test_two")
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout.splitlines()[-1], "2 passed, 2 failed, 1 skipped")
        for line in (
            "FAILED some.test_three.Ends\n",
            "FAILED some.test_three.Fails.test_fails\n",
            "\nskipped some.test_three.Fails.test_skips: it lacks something\n",
        ):
            self.assertIn(line, ended.stdout)

    def test_list(self) -> None:
        """The names, of all or of some; tests at full size with --full."""
        ended = self.run_tests("--list", "some.test_one")
        names = ["Alone.test_alone", "Long.test_first", "Long.test_second", "Short.test_first"]
        self.assertEqual(ended.stdout.splitlines(), [f"some.test_one.{name}" for name in names])
        ended = self.run_tests("--list", "--full", "some.test_one.Full")
        self.assertEqual(ended.stdout, "some.test_one.Full.test_full\n")

    def test_loaded(self) -> None:
        """A module that does not load is a failing test, and is none where others are named."""
        (self.top / "some" / "test_one.py").write_text("import nothing_of_this_name\n")
        named = self.run_tests("--list", "some.test_two", "some.test_three.No")
        self.assertEqual(named.stdout.splitlines(), self.listed("some.test_two"))
        self.assertEqual(self.listed("some.test_one"), ["some.test_one"])
        self.assertIn("some.test_one", self.listed())

    def listed(self, *names: str) -> list[str]:
        return self.run_tests("--list", *names).stdout.splitlines()

    def test_none(self) -> None:
        ended = self.run_tests("other")
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(ended.stdout, "run.py: no such test; the suites are some\n")


class Changed(unittest.TestCase):
    """tests/concerns.txt and --changed."""

    def test_names(self) -> None:
        """Each test that the table names is there."""
        ended = subprocess.run(
            [sys.executable, TESTS / "run.py", "--list"], capture_output=True, text=True, check=True
        )
        tests = ended.stdout.splitlines()
        named = {name for _, names in rows() for name in names} - {"itself", "users"}
        unused = [n for n in named if not any(f"{test}.".startswith(f"{n}.") for test in tests)]
        self.assertEqual(unused, [])

    def test_patterns(self) -> None:
        """Each pattern is the first that some file of the source matches."""
        paths = [str(path.relative_to(SOURCE)) for path in files()]
        patterns = [pattern for pattern, _ in rows()]
        first = {next(p for p in patterns if fnmatchcase(path, p)) for path in paths}
        self.assertEqual([p for p in patterns if p not in first], [], TABLE)

    def repository(self) -> Path:
        """A repository with the runner and some files, committed."""
        top = new_directory()
        for name in ("run.py", "concerns.txt", "lib/concerns.py", "lib/starts.py"):
            (top / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TESTS / name, top / "tests" / name)
        (top / "tests/cases").mkdir()
        for name in ("calls", "spec"):
            path = top / "tests/cases" / f"test_{name}.py"
            path.write_text(ONE + f"# compiles {name}.c\n")
        for name in ("cg2/run/main.c", "tests/programs/calls.c", "tools/cg2tools/merge/main.py"):
            (top / name).parent.mkdir(parents=True)
            (top / name).write_text("1\n")
        who = ("-c", "user.name=A", "-c", "user.email=a@b.c")
        for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "All"]):
            subprocess.run(["git", *words], cwd=top, check=True)
        return top

    def said(self, top: Path, *words: str) -> tuple[int, str]:
        ended = subprocess.run(
            [sys.executable, "tests/run.py", "--list", "--changed", *words],
            cwd=top,
            env=os.environ | {"CG2_BUILD": str(top)},
            capture_output=True,
            text=True,
            check=False,
        )
        return ended.returncode, ended.stderr

    def test_changed(self) -> None:
        """Files that were changed, removed or made since a commit, and what the table says of them."""
        top = self.repository()
        self.assertEqual(self.said(top), (2, "run.py: nothing differs from HEAD\n"))
        (top / "tests/cases/test_calls.py").write_text(ONE + "# compiles calls.c, too\n")
        expected = "1 files differ from HEAD: cases.test_calls style\n"
        self.assertEqual(self.said(top), (0, expected))
        (top / "tests/programs/calls.c").unlink()
        (top / "tests/cases/test_new.py").write_text(ONE)
        expected = "3 files differ from HEAD: cases.test_calls cases.test_new style\n"
        self.assertEqual(self.said(top, "HEAD"), (0, expected))
        (top / "tools/cg2tools/merge/main.py").write_text("2\n")
        self.assertIn(
            " style tools.test_merge tools.test_reference tools.test_typing\n", self.said(top)[1]
        )
        status, message = self.said(top, "no-such-commit")
        self.assertEqual((status, message.count("\n")), (2, 1))
        self.assertIn("no-such-commit", message)


def files() -> list[Path]:
    """The files that git tracks; there are none in a tree without it, or that was unpacked in another one."""
    ended = subprocess.run(
        ["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True, check=False
    )
    if ended.returncode != 0 or not ended.stdout:
        raise unittest.SkipTest("this source tree is no repository")
    return [SOURCE / line for line in ended.stdout.splitlines()]


if __name__ == "__main__":
    unittest.main()
