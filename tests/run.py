#!/usr/bin/python3
"""Runs the tests: tests/<suite>/test_*.py, each a module of `unittest` cases.

    tests/run.py [--full] [-k PATTERN] [NAME...]
    tests/run.py --changed [REV]
    tests/run.py --list [NAME...]
    tests/run.py [--full] --store-times

A NAME is a suite (`cases`) or the beginning of a test's name up to a dot
(`cases.test_calls.Calls`); without one, all suites run. Tests at full size,
which are those marked `full = True` in their class or on their method, run only
with --full; a test can also ask for CG2_FULL in its environment.

--changed runs what concerns the files that differ from REV (default: the last
commit), as tests/concerns.txt has it; --list prints the names of the tests that
would run. --store-times makes tests/times.txt of what the last runs took, and of
those at full size tests/times-full.txt.

Prints a line for each test, then every failure in full, how long processors
stood idle, and at last the line `N passed, N failed`. Exit status 1 if a test
failed, 2 if there was none to run.

Two classes more than there are processors run side by side (-j N: N of them), those
that took longest the last time first. The tests of a class run in turn, in one
process. Tests that are marked `alone = True`, as they assert speed, run after all
others, one at a time.

CG2_BUILD names the directory that `make` ran in (default: the working
directory if it holds .in_place, else the source tree). CG2_LEFT_OUT names a
file of tests that are skipped, each line the beginning of a name and why.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib.util
import os
import pickle
import re
import resource
import shutil
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from types import TracebackType

FULL_MEMORY = -6, 165  # M_PERTURB of <malloc.h>, and what bytes are made of
# How many new objects Python looks for garbage after, and how many such looks before it looks at older ones:
# profiles that tests read are many objects, and no garbage.
COLLECTED = 200_000, 50, 1000
TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent
sys.path.insert(0, str(TESTS / "lib"))

import starts  # noqa: E402  (found through the path just set)
from concerns import (
    ConcernError,
    changed,
    concerned,
)  # noqa: E402  (found through the path just set)

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


# ------------------------------------------------------------ finding tests


def suites() -> list[str]:
    """The names of all suites."""
    return sorted({path.parent.name for path in TESTS.glob("*/test_*.py")})


def load(suite: str, choice: Choice) -> unittest.TestSuite:
    """The tests of `suite`, but for modules of which none is chosen; a module that does not load is a failing
    test."""
    sys.path.insert(0, str(TESTS / suite))
    loader = unittest.TestLoader()
    found = unittest.TestSuite()
    for path in sorted((TESTS / suite).glob("test_*.py")):
        name = f"{suite}.{path.stem}"
        if not choice.may_be_in(name):
            continue
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            found.addTest(Broken(name, error))
            continue
        found.addTest(loader.loadTestsFromModule(module))
    return found


class Broken(unittest.TestCase):
    """Stands for a module called `name` that does not load."""

    def __init__(self, name: str, error: Exception) -> None:
        super().__init__("fail_to_load")
        self.name = name
        self.error = error

    def id(self) -> str:
        return self.name

    def fail_to_load(self) -> None:
        raise self.error


def cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    """The single tests of a suite of suites."""
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from cases(entry)
        else:
            yield entry


class LeftOut(unittest.TestCase):
    """Stands for a test called `name` that cannot be run, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__("skip_it")
        self.name = name
        self.reason = reason

    def id(self) -> str:
        return self.name

    def skip_it(self) -> None:
        self.skipTest(self.reason)


def left_out() -> dict[str, str]:
    """Why tests are left out, by the beginnings of their names."""
    path = os.environ.get("CG2_LEFT_OUT")
    lines = Path(path).read_text().splitlines() if path else []
    fields = (line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    return {name: reason for name, reason in fields}


def run_or_skip(test: unittest.TestCase, reasons: dict[str, str]) -> unittest.TestCase:
    """The test, or what stands for it if it is left out."""
    for name, reason in reasons.items():
        if f"{test.id()}.".startswith(f"{name}."):
            return LeftOut(test.id(), reason)
    return test


@dataclass(frozen=True)
class Choice:
    """Which tests to run."""

    names: list[str]
    pattern: str | None
    full: bool
    jobs: int

    def takes(self, test: unittest.TestCase) -> bool:
        return (
            self.names_it(test.id())
            and (self.full or not is_marked(test, "full"))
            and (self.pattern is None or matches(test.id(), self.pattern))
        )

    def may_be_in(self, module: str) -> bool:
        """Whether tests of a suite or module are named, or all that it is part of."""
        return self.names_it(module) or any(
            f"{name}.".startswith(f"{module}.") for name in self.names
        )

    def names_it(self, test: str) -> bool:
        return not self.names or any(f"{test}.".startswith(f"{name}.") for name in self.names)


def matches(test: str, pattern: str) -> bool:
    """Like unittest's -k: a pattern with a star, or a part of the name."""
    return fnmatchcase(test, pattern if "*" in pattern else f"*{pattern}*")


def is_marked(test: unittest.TestCase, mark: str) -> bool:
    """Whether the test or its class is marked, as in `full = True`."""
    method = getattr(test, getattr(test, "_testMethodName", ""), None)
    return bool(getattr(test, mark, False) or getattr(method, mark, False))


@dataclass
class Unit:
    """Tests that run in turn in one process: those of a class. What its module prepares is prepared for each
    class."""

    name: str
    tests: unittest.TestSuite = field(default_factory=unittest.TestSuite)

    def names(self) -> list[str]:
        return [test.id() for test in cases(self.tests)]


@dataclass
class Chosen:
    """The tests to run: in units, which may run side by side, and those that are to run alone."""

    units: dict[str, Unit] = field(default_factory=dict)
    alone: Unit = field(default_factory=lambda: Unit("alone"))

    def add(self, test: unittest.TestCase, name: str, is_alone: bool) -> None:
        unit = class_of(name)
        to = self.alone if is_alone else self.units.setdefault(unit, Unit(unit))
        to.tests.addTest(test)

    def names(self) -> list[str]:
        return [name for unit in (*self.units.values(), self.alone) for name in unit.names()]


def chosen(choice: Choice) -> Chosen:
    """The tests to run, of those suites that a name can mean."""
    found = Chosen()
    reasons = left_out()
    for suite in suites():
        if choice.may_be_in(suite):
            for test in filter(choice.takes, cases(load(suite, choice))):
                found.add(run_or_skip(test, reasons), test.id(), is_marked(test, "alone"))
    return found


# ------------------------------------------------------------ running them


@dataclass
class Outcome:
    """What became of one test."""

    name: str
    started: float
    failures: list[str] = field(default_factory=list)
    skipped: str | None = None
    took: float = 0  # seconds since the test before it ended: with what its class prepares
    cpu: float = 0  # seconds of processors in that time, with those of children that ended


class Report(unittest.TestResult):
    """Prints a line for each test as it ends, and counts.

    A test fails once, however many of its subtests do. What a class or module
    does before its tests can fail or skip too; that counts as a test.
    """

    def __init__(self) -> None:
        super().__init__()
        self.done: list[Outcome] = []
        self.current: Outcome | None = None
        self.last = time.monotonic()
        self.last_cpu = cpu_seconds()

    # -- what unittest calls

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.current = Outcome(test.id(), time.monotonic())

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        assert self.current is not None
        self.finish(self.current)
        self.current = None

    def addError(self, test: unittest.TestCase, err: ExcInfo) -> None:
        super().addError(test, err)
        self.fail(test, self.errors[-1][1])

    def addFailure(self, test: unittest.TestCase, err: ExcInfo) -> None:
        super().addFailure(test, err)
        self.fail(test, self.failures[-1][1])

    def addSubTest(
        self,
        test: unittest.TestCase,
        subtest: unittest.TestCase,
        err: ExcInfo | None,
    ) -> None:
        if err is None:
            return
        kind = self.failures if self.is_failure(test, err) else self.errors
        super().addSubTest(test, subtest, err)
        self.fail(test, f"{subtest}\n{kind[-1][1]}")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        if self.current is not None:
            self.current.skipped = reason
        else:
            self.finish(Outcome(test.id(), time.monotonic(), skipped=reason))

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.fail(test, "This test is expected to fail, and passed.\n")

    # -- the rest

    def end(self) -> None:
        """Count what a class does behind its last test as that test's."""
        if self.done:
            self.done[-1].cpu += cpu_seconds() - self.last_cpu

    @staticmethod
    def is_failure(test: unittest.TestCase, err: ExcInfo) -> bool:
        return err[0] is not None and issubclass(err[0], test.failureException)

    def fail(self, test: unittest.TestCase, text: str) -> None:
        """Note a failure of the current test, or of what comes before tests."""
        if self.current is not None:
            self.current.failures.append(text)
        else:
            self.finish(Outcome(test.id(), time.monotonic(), failures=[text]))

    def finish(self, outcome: Outcome) -> None:
        self.done.append(outcome)
        word = "FAIL" if outcome.failures else "skip" if outcome.skipped else "ok"
        now = time.monotonic()
        outcome.took, self.last = now - self.last, now
        cpu = cpu_seconds()
        outcome.cpu, self.last_cpu = cpu - self.last_cpu, cpu
        # A line is written in one piece: other processes write to the same stream.
        sys.stdout.write(f"{word:4} {now - outcome.started:7.2f} s  {outcome.name}\n")
        sys.stdout.flush()


def cpu_seconds() -> float:
    """What this process, its children that ended, and the commands that it had forked have had of
    processors."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + starts.cpu_seconds()


def print_summary(done: list[Outcome]) -> bool:
    """Print skips, failures and the counts; true if nothing failed."""
    failed = [outcome for outcome in done if outcome.failures]
    skipped = [o for o in done if o.skipped and not o.failures]
    for outcome in skipped:
        print(f"\nskipped {outcome.name}: {outcome.skipped}")
    for outcome in failed:
        print(f"\nFAILED {outcome.name}")
        print("\n".join(outcome.failures), end="")
    passed = len(done) - len(failed) - len(skipped)
    counts = f"{passed} passed, {len(failed)} failed"
    print(f"\n{counts}" + (f", {len(skipped)} skipped" if skipped else ""))
    return not failed


# ------------------------------------------------------------ how long tests take


class Times:
    """How many seconds each test took the last time that it ran in a build directory, and how many of
    processors.

    tests/times.txt has those of classes that take long, on two quiet processors, for tests that have not run
    yet. At full size both are other files.
    """

    GUESS = 0.3  # for a test that nothing is known of

    def __init__(self, build: Path, full: bool) -> None:
        size = "-full" if full else ""
        self.file = build / f"tests-times{size}"
        self.file_stored = TESTS / f"times{size}.txt"
        self.stored = read_times(self.file_stored)
        self.measured = read_times(self.file)

    def of(self, unit: Unit) -> float:
        """What a unit will take."""
        names = unit.names()
        known = [self.measured[name] for name in names if name in self.measured]
        rest = len(names) - len(known)
        # A fresh clone knows what a class takes; a test that is new in it takes little beside.
        return sum(known) + (
            rest * self.GUESS if known else self.stored.get(unit.name, rest * self.GUESS)
        )

    def note(self, done: list[Outcome]) -> None:
        """Keep what tests took for the next time."""
        kept = read_figures(self.file)
        ran = {outcome.name: f"{outcome.took:.2f} {outcome.cpu:.2f}" for outcome in done}
        lines = [f"{name} {figures}\n" for name, figures in sorted((kept | ran).items())]
        fresh = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        fresh.write_text("".join(lines))
        fresh.rename(self.file)

    def store(self) -> None:
        """Make the stored file of what was measured: classes that take seconds."""
        sums: dict[str, float] = {}
        for name, took in self.measured.items():
            sums[class_of(name)] = sums.get(class_of(name), 0) + took
        lines = [f"{name} {took:.0f}\n" for name, took in sorted(sums.items()) if took >= 3]
        self.file_stored.write_text("".join(lines))


def class_of(name: str) -> str:
    """The class of a test of this name."""
    return ".".join(name.split(".")[:3])


def read_times(file: Path) -> dict[str, float]:
    """The seconds by name."""
    return {name: float(figures.split()[0]) for name, figures in read_figures(file).items()}


def read_figures(file: Path) -> dict[str, str]:
    """The seconds by name, and those of processors if the line has them; lines that are none are none."""
    lines = file.read_text().splitlines() if file.exists() else []
    found = (re.fullmatch(r"([\w.]+) ([0-9.]+(?: [0-9.]+)?)", line) for line in lines)
    return {words[1]: words[2] for words in found if words}


# ------------------------------------------------------------ side by side


@dataclass(frozen=True)
class Result:
    """What became of a unit, and how many seconds its process was at it."""

    done: list[Outcome]
    took: float


class Workers:
    """Processes that take units from one pipe, in turn, and write what became of them to a file each."""

    def __init__(self, units: list[Unit], results: Path) -> None:
        self.units = units
        self.results = results
        self.numbers, fill = os.pipe()
        for number in range(len(self.units)):
            os.write(fill, number.to_bytes(2, "little"))
        os.close(fill)

    def run(self, jobs: int) -> list[Result]:
        """Run all units in `jobs` processes; a unit whose process ends too early is a failing test."""
        sys.stdout.flush()
        for worker in [self.start() for _ in range(jobs)]:
            os.waitpid(worker, 0)
        return [self.result(number) for number in range(len(self.units))]

    def start(self) -> int:
        worker = os.fork()
        if worker == 0:
            self.work()
            sys.exit()  # not os._exit: what tests leave behind goes at exit
        return worker

    def work(self) -> None:
        while number := os.read(self.numbers, 2):
            self.run_unit(int.from_bytes(number, "little"))

    def run_unit(self, number: int) -> None:
        result = run_tests(self.units[number])
        (self.results / str(number)).write_bytes(pickle.dumps(result))

    def result(self, number: int) -> Result:
        file = self.results / str(number)
        if file.exists():
            result: Result = pickle.loads(file.read_bytes())
            return result
        failure = "The process of these tests ended before they did.\n"
        return Result([Outcome(self.units[number].name, 0, failures=[failure])], 0)


def run_tests(unit: Unit) -> Result:
    began = time.monotonic()
    report = Report()
    unit.tests.run(report)
    report.end()
    return Result(report.done, time.monotonic() - began)


def run_chosen(tests: Chosen, jobs: int, times: Times) -> list[Outcome]:
    """Run units side by side, then what is to run alone; says how long workers had nothing to do."""
    began = time.monotonic()
    units = sorted(tests.units.values(), key=times.of, reverse=True)
    results = Path(tempfile.mkdtemp(prefix="cg2results-"))
    all_done = Workers(units, results).run(min(jobs, len(units)))
    shutil.rmtree(results)
    all_done.append(run_tests(tests.alone))
    done = [outcome for result in all_done for outcome in result.done]
    times.note(done)
    wall = time.monotonic() - began
    idle = jobs * wall - sum(result.took for result in all_done)
    alone = (jobs - 1) * all_done[-1].took
    part = 100 * idle / (jobs * wall)
    print(
        f"\n{jobs} workers, {wall:.0f} s: idle {part:.1f} %, {alone:.0f} s of it beside tests that run alone"
    )
    print_cpu(done, wall)
    return done


def print_cpu(done: list[Outcome], wall: float) -> None:
    """Print how many seconds of processors each suite took, the most first: what a loaded machine changes
    little. And what part that is of all that the processors could do."""
    sums: dict[str, float] = {}
    for outcome in done:
        suite = outcome.name.split(".")[0]
        sums[suite] = sums.get(suite, 0) + outcome.cpu
    most = sorted(sums.items(), key=lambda item: -item[1])
    cpu = sum(sums.values())
    part = 100 * cpu / (wall * (os.cpu_count() or 1))
    said = ", ".join(f"{name} {seconds:.0f}" for name, seconds in most)
    print(f"{cpu:.0f} s of processors, {part:.0f} % of this machine's: {said}")


# ------------------------------------------------------------ the command


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs the tests of cg2.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="suite or test")
    parser.add_argument("-k", metavar="PATTERN", help="only names that match")
    parser.add_argument("--full", action="store_true", help="at full size too")
    parser.add_argument("-j", metavar="N", type=int, help="classes side by side")
    parser.add_argument(
        "--store-times",
        action="store_true",
        help="what the last runs took, into times.txt or times-full.txt",
    )
    parser.add_argument("--list", action="store_true", help="print the tests' names")
    parser.add_argument(
        "--changed", nargs="?", const="HEAD", metavar="REV", help="what concerns changes since REV"
    )
    return parser.parse_args()


def choice_of(given: argparse.Namespace) -> Choice:
    names = list(given.names)
    if given.changed is not None:
        files = changed(given.changed)
        names += concerned(files)
        if not names:
            raise ConcernError(f"nothing differs from {given.changed}")
        print(
            f"{len(files)} files differ from {given.changed}: {' '.join(names)}",
            file=sys.stderr,
        )
    full = bool(given.full) or os.environ.get("CG2_FULL") == "1"
    # More than there are processors: some classes wait, for a disk, a process or a moment.
    jobs = given.j or int(os.environ.get("CG2_TEST_JOBS", 0)) or (os.cpu_count() or 1) + 2
    return Choice(names, given.k, full, jobs)


def set_environment(choice: Choice) -> None:
    """Tell the tests, and what they run, where things are."""
    if "CG2_BUILD" not in os.environ:
        here = Path.cwd()
        build = here if (here / ".in_place").is_dir() else SOURCE
        os.environ["CG2_BUILD"] = str(build)
    if choice.full:
        os.environ["CG2_FULL"] = "1"
    # Tests that run tests are not to share what this run builds with an earlier run, or to fill the machine.
    os.environ["CG2_TEST_RUN"] = f"{os.getpid()}-{time.time_ns()}"
    os.environ["CG2_TEST_JOBS"] = "1"
    # The source tree may be read-only, and is to stay clean. Tests that run tests compile none of them again.
    compiled = str(Path(os.environ["CG2_BUILD"]).resolve() / "tests-python")
    sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", compiled)
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # The memory of commands is full of something, too (starts.py): what depends on unset bytes is seen.
    ctypes.CDLL(None).mallopt(*FULL_MEMORY)
    gc.set_threshold(*COLLECTED)
    tools = Path(os.environ["CG2_BUILD"]).resolve() / "tools"
    sys.path.insert(0, str(tools))


def main() -> int:
    given = arguments()
    try:
        choice = choice_of(given)
    except ConcernError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 2
    set_environment(choice)
    times = Times(Path(os.environ["CG2_BUILD"]), choice.full)
    if given.store_times:
        times.store()
        return 0
    tests = chosen(choice)
    names = tests.names()
    if not names:
        print("run.py: no such test; the suites are " + ", ".join(suites()))
        return 2
    if given.list:
        print("\n".join(sorted(names)))
        return 0
    return 0 if print_summary(run_chosen(tests, choice.jobs, times)) else 1


if __name__ == "__main__":
    sys.exit(main())
