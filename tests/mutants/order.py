"""The tests that concern a file, those first that are likely to find a fault in it for their time.

    for tests, seconds in waves(copy.directory, path, caught, first): ...

concerns.txt has which; tests of form, of documents and of speed are left out: those judge no behaviour, and
these also fail on a busy machine. What a class of tests takes is known from earlier runs. That it finds a
fault is likelier where chance() says so, and where it has found others.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from treecopy import SOURCE

from concerns import concerned

NO_BEHAVIOUR = ("style", "docs", "tools.test_typing", "build")
AT_FIRST = (
    "unit.test_unit.Plain",
    "model.test_model.Plain",
)  # programs of their own: modules one by one
FIRST = ("library", "debug", "tools")
# What they find, others find, but for chance, and what is built for them takes long.
LATER = ("unit.test_unit.Sanitized", "unit.test_unit.Arm64", "model.test_model.Sanitized", "fuzz")
GUESS = 0.5  # seconds that a test takes of which nothing is known
WAVES = [6, 25]  # seconds of tests that run together at first; then all that are left do


def waves(
    directory: Path, path: str, caught: Counter[str], first: list[str]
) -> Iterator[tuple[list[str], float]]:
    """Names of tests that run together, and the seconds that they take; `caught` counts the faults that
    classes of tests have found. `first` are the first ones."""
    tests = [test for test in listed(directory, path) if test not in first]
    times = seconds_of(directory, first + tests)
    named = [test for test in tests if test.endswith(f"Plain.test_{Path(path).stem}")]
    early: list[list[str]] = []
    late: list[list[str]] = []
    for own in in_order(tests, times, caught):
        (late if own[0].startswith(LATER) else early).append(own)
    for wave in [first, named, *parts_of(early, times), *parts_of(late, times)]:
        if wave:
            yield wave, total(times, wave)


def parts_of(classes: list[list[str]], times: dict[str, float]) -> list[list[str]]:
    """Tests in the same order, in parts that take as long as WAVES says."""
    parts: list[list[str]] = [[]]
    for own in classes:
        if len(parts) <= len(WAVES) and total(times, parts[-1] + own) > WAVES[len(parts) - 1]:
            parts.append([])
        parts[-1] += own
    return parts


def listed(directory: Path, path: str) -> list[str]:
    """The names of all tests that concern a file."""
    names = (name for name in concerned([path]) if not name.startswith(NO_BEHAVIOUR))
    wanted = tuple(f"{name}." for name in names)
    return [test for test in all_tests(directory) if f"{test}.".startswith(wanted)]


@functools.cache
def all_tests(directory: Path) -> list[str]:
    words = [sys.executable, "tests/run.py", "--list"]
    place = {**os.environ, "CG2_BUILD": str(directory)}
    ended = subprocess.run(
        words, cwd=directory, env=place, capture_output=True, text=True, check=True
    )
    return [test for test in ended.stdout.split() if ".Speed." not in test]


def in_order(tests: list[str], times: dict[str, float], caught: Counter[str]) -> list[list[str]]:
    """Tests by classes, those first that find most for their time."""
    classes: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        classes[test if test.startswith(AT_FIRST) else class_of(test)].append(test)
    cost = {name: total(times, own) / chance(name, caught) for name, own in classes.items()}
    return [classes[name] for name in sorted(classes, key=cost.__getitem__)]


def chance(name: str, caught: Counter[str]) -> float:
    """How likely a test or a class finds a fault, compared with others."""
    if name.startswith(AT_FIRST):
        told = 4.0
    elif name.startswith(FIRST):
        told = 2.0
    else:
        told = 0.1 if name.startswith(LATER) else 0.5
    return told + caught[class_of(name)]


# ------------------------------------------------------------ what tests take


def seconds_of(directory: Path, tests: list[str]) -> dict[str, float]:
    """What each test takes of a processor, as it was measured in this directory; or what times.txt has for
    its class."""
    measured, stored = read(directory / "tests-times"), read(SOURCE / "tests" / "times.txt")
    members = Counter(map(class_of, tests))
    guesses = {name: stored[name] / n if name in stored else GUESS for name, n in members.items()}
    return {test: measured.get(test, guesses[class_of(test)]) for test in tests}


def read(file: Path) -> dict[str, float]:
    lines = file.read_text().splitlines() if file.exists() else []
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {name: float(seconds[-1]) for name, *seconds in rows}


def total(times: dict[str, float], tests: list[str]) -> float:
    return sum(times[test] for test in tests)


def class_of(test: str) -> str:
    return ".".join(test.split(".")[:3])
