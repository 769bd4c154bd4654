"""How many small faults the tests find: mutants of the sources, one at a time, and what concerns them.

    mutants.py [--count=N] [--seed=N] [--minutes=N] [--only=PATTERN] [--list]

A mutant is the tree with one line changed, by a rule (mutations.py), at a place that chance chooses; a seed
always chooses the same ones of the same sources. SHARES says how many of a hundred are put where. It is built
in a copy of the tree, in tests-mutants/ of the build directory. There the tests run that concerns.txt names
for the file: those that have its name first, then unit and model, then the others, cheapest first, until one
fails. What does not compile, and what compiles to the same, is no mutant: the next one takes its place. A
test that also fails without the mutant catches nothing. Tests of form and of documents are left out: they
judge no behaviour.

A line is printed for each mutant, and at last how many were caught, and those that survived. Some survivors
change nothing that can be seen, as where a table only grows earlier. --minutes ends the run early.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "lib"), str(SOURCE / "tests" / "mutants")]

from concerns import concerned, git
from mutations import Mutation, alike, mutations

# How many of a hundred mutants are of these files.
SHARES = [
    ("cg2/engine/*", 22),
    ("cg2/model/*", 14),
    ("cg2/profile/*", 14),
    ("cg2/*", 18),
    ("tools/libcg2profile/*", 12),
    ("tools/libcg2debug/*", 6),
    ("tools/cg2tools/*", 14),
]
MADE = ["cg2-amd64-linux", "cg2-x86-linux", "libcg2profile.so.0", "libcg2debug.so.0"]
NO_BEHAVIOUR = ("style", "docs", "tools.test_typing", "build")
FIRST = ("unit.test_unit.Plain", "model.test_model.Plain", "library", "tools")
PATIENT = 120  # seconds more than ten times what tests took, until a mutant hangs


@dataclass(frozen=True)
class Mutant:
    path: str
    mutation: Mutation

    def __str__(self) -> str:
        one = self.mutation
        change = f"{one.before.strip()}  ->  {one.after.strip()}"
        return f"{self.path}:{one.number + 1}: {one.rule}: {change}"


@dataclass(frozen=True)
class Verdict:
    mutant: Mutant
    caught_by: str | None  # the names of tests, or None: it survived


# ------------------------------------------------------------ choosing


def candidates(paths: list[str], chance: random.Random) -> list[Mutant]:
    """All mutants of some files, in the order in which chance takes them."""
    headers = [path for path in git("ls-files", "cg2", "tools") if path.endswith(".h")]
    fields = alike((SOURCE / path).read_text() for path in headers)
    found = []
    for path in paths:
        language = "py" if path.endswith(".py") else "c"
        text = (SOURCE / path).read_text()
        found += [Mutant(path, one) for one in mutations(text, language, fields, chance)]
    chance.shuffle(found)
    return found


def chosen(count: int, seed: int, only: str) -> list[tuple[int, list[Mutant]]]:
    """For each share how many mutants it has, and those that there are for it."""
    paths = [path for path in git("ls-files", "cg2", "tools") if path.endswith((".c", ".py"))]
    groups = []
    for pattern, share in SHARES:
        own = [path for path in paths if fnmatchcase(path, pattern)]
        paths = [path for path in paths if path not in own]
        wanted = [path for path in own if fnmatchcase(path, only)]
        chance = random.Random(f"{seed} {pattern}")
        groups.append((round(count * share / 100), candidates(wanted, chance)))
    return groups


def in_turn(groups: list[tuple[int, list[Mutant]]]) -> list[tuple[int, list[Mutant]]]:
    """The same in parts of one mutant each, so that a run that ends early has some of every share."""
    parts: list[tuple[float, int, list[Mutant]]] = []
    for share, (n, mutants) in enumerate(groups):
        parts += [((i + 0.5) / n, share, mutants[i::n]) for i in range(n)]
    return [(1, mutants) for _, _, mutants in sorted(parts, key=lambda part: part[:2])]


# ------------------------------------------------------------ the copy of the tree


class Copy:
    """A copy of the tree, which is built, and in which one line is another one at times."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.sound: dict[str, bool] = {}  # by the names of tests: they pass without a mutant
        self.make()

    def make(self) -> None:
        """Bring the copy up to date; what was built in it stays."""
        for path in git("ls-files"):
            place = self.directory / path
            if not (SOURCE / path).is_file():
                continue
            new = (SOURCE / path).read_bytes()
            if not place.is_file() or place.read_bytes() != new:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / path, place)
        ended = subprocess.run(
            ["./bootstrap", "build"], cwd=self.directory, capture_output=True, text=True
        )
        if ended.returncode:
            sys.exit(f"mutants: the sources do not build: {ended.stderr.strip().splitlines()[-1]}")

    def build(self) -> bool:
        words = ["make", f"-j{os.cpu_count()}"]
        ended = subprocess.run(words, cwd=self.directory, capture_output=True)
        return ended.returncode == 0

    def digest(self) -> str:
        """A digest of all that is built."""
        made = (self.directory / name for name in MADE)
        texts = [path.read_bytes() for path in made if path.exists()]
        return hashlib.sha256(b"".join(texts)).hexdigest()

    def write(self, path: str, text: str) -> None:
        (self.directory / path).write_text(text)

    def passes(self, names: list[str], seconds: float) -> bool:
        """Whether these tests pass; a run that takes too long does not."""
        words = [sys.executable, "tests/run.py", *names]
        environment = {**os.environ, "CG2_BUILD": str(self.directory)}
        process = subprocess.Popen(
            words,
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            end_all(process)


def end_all(process: subprocess.Popen[bytes]) -> None:
    """End what a process has left of its own group, and wait for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


# ------------------------------------------------------------ tests


def seconds_of_classes() -> dict[str, float]:
    """What classes of tests take, as far as it is known."""
    rows = (
        line.rsplit(" ", 1) for line in (SOURCE / "tests" / "times.txt").read_text().splitlines()
    )
    return {name: float(seconds) for name, seconds in rows if not name.startswith("#")}


def listed(directory: Path, names: list[str]) -> list[str]:
    """The names of all tests that these names mean."""
    words = [sys.executable, "tests/run.py", "--list", *names]
    ended = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=True)
    return ended.stdout.split()


def batches(copy: Copy, path: str) -> list[tuple[list[str], float]]:
    """The tests that concern a file, in the order in which they run, each with the seconds that it takes."""
    wanted = [name for name in concerned([path]) if not name.startswith(NO_BEHAVIOUR)]
    tests = listed(copy.directory, wanted)
    stem = Path(path).stem
    named = [test for test in tests if test.endswith(f".test_{stem}") and ".Arm64." not in test]
    times = seconds_of_classes()
    classes = sorted({test.rpartition(".")[0] for test in tests})
    ranked = sorted(classes, key=lambda name: (rank(name), times.get(name, 1.0)))
    rest = [([name], times.get(name, 1.0)) for name in ranked]
    return [(named, 10.0), *rest] if named else rest


def rank(name: str) -> int:
    return next((i for i, first in enumerate(FIRST) if name.startswith(first)), len(FIRST))


# ------------------------------------------------------------ trying


def tried(copy: Copy, mutant: Mutant) -> Verdict | None:
    """What becomes of a mutant; None: it is none."""
    text = (SOURCE / mutant.path).read_text()
    changed = mutant.mutation.put_into(text)
    before = copy.digest()
    copy.write(mutant.path, changed)
    try:
        if not is_another(copy, mutant, text, changed, before):
            return None
        return judged(copy, mutant, text, changed)
    finally:
        copy.write(mutant.path, text)
        copy.build()


def is_another(copy: Copy, mutant: Mutant, text: str, changed: str, before: str) -> bool:
    """Whether the changed program can be built, and is not the same."""
    if mutant.path.endswith(".py"):
        try:
            return ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text))
        except SyntaxError:
            return False
    return copy.build() and copy.digest() != before


def judged(copy: Copy, mutant: Mutant, text: str, changed: str) -> Verdict:
    for names, seconds in batches(copy, mutant.path):
        if copy.passes(names, 10 * seconds + PATIENT):
            continue
        if is_sound(copy, mutant.path, text, changed, names, seconds):
            return Verdict(mutant, " ".join(names))
    return Verdict(mutant, None)


def is_sound(
    copy: Copy, path: str, text: str, changed: str, names: list[str], seconds: float
) -> bool:
    """Whether these tests pass without the mutant, which is there again then."""
    key = " ".join(names)
    if key not in copy.sound:
        copy.write(path, text)
        copy.build()
        copy.sound[key] = copy.passes(names, 10 * seconds + PATIENT)
        copy.write(path, changed)
        copy.build()
    return copy.sound[key]


def verdicts(copy: Copy, groups: list[tuple[int, list[Mutant]]], end: float) -> Iterator[Verdict]:
    for n, mutants in in_turn(groups):
        for mutant in mutants:
            if n == 0 or time.monotonic() > end:
                break
            verdict = tried(copy, mutant)
            if verdict:
                n -= 1
                yield verdict


def report(found: list[Verdict]) -> None:
    survivors = [one.mutant for one in found if not one.caught_by]
    caught = len(found) - len(survivors)
    share = 100 * caught / len(found) if found else 0
    print(f"\n{len(found)} mutants, {caught} caught ({share:.0f} %)")
    if survivors:
        print("\nsurvivors:")
    for mutant in survivors:
        print(f"  {mutant}")


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--only", default="*", help="files to change")
    parser.add_argument("--list", action="store_true", help="print the first mutants only")
    given = parser.parse_args()
    groups = chosen(given.count, given.seed, given.only)
    if given.list:
        print("\n".join(str(mutant) for n, mutants in groups for mutant in mutants[:n]))
        return
    os.nice(5)
    end = time.monotonic() + 60 * given.minutes
    build = Path(os.environ.get("CG2_BUILD", SOURCE))
    copy = Copy(build / "tests-mutants")
    found = []
    for verdict in verdicts(copy, groups, end):
        found.append(verdict)
        said = f"caught    by {verdict.caught_by}" if verdict.caught_by else "SURVIVED"
        print(f"{verdict.mutant}\n    {said}", flush=True)
    report(found)


if __name__ == "__main__":
    main()
