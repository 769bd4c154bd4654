"""How many small faults the tests find: mutants of the sources, one at a time, and what concerns them.

    mutants.py [--count=N] [--seed=N] [--minutes=N] [--only=PATTERN] [--again] [--anew] [--list]

A mutant is the tree with one line changed, by a rule (mutations.py), at a place that chance chooses; a seed
has the same ones as long as the lines are there. SHARES says how many of a hundred are put where. It is built
in a copy of the tree (treecopy.py), in tests-mutants/ of the build directory. There the tests run that
concern the file, the best for their time first (order.py), until one fails. What does not compile, and what
compiles to the same, is no mutant: the next one takes its place. So it is where a reader has found that a
mutant changes nothing. A test that also fails without the mutant catches nothing. No wave of tests begins
when a mutant has had BOUND seconds.

A line is printed for each mutant, and at last how many were caught, and those that survived. What became of
each is kept in found.txt, a line each, and is not tried once more; --again tries those that survived, --anew
those that were caught, the test first that did. A reader who finds that a mutant changes nothing writes
"changes nothing: WHY" in place of "survived". --minutes ends the run early, and the next one goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from mutations import Mutation, alike, mutations
from order import class_of, waves
from treecopy import SOURCE, Copy

from concerns import git

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
BOUND = 600  # seconds of tests for a mutant
FOUND = Path(__file__).with_name("found.txt")
PATIENT = 300  # seconds more than ten times what tests took, until a mutant hangs

NONE, SURVIVED, CAUGHT, SAME = "none", "survived", "caught by ", "changes nothing: "


@dataclass(frozen=True)
class Mutant:
    path: str
    mutation: Mutation
    nth: int  # of those of the file that have the same words

    def __str__(self) -> str:
        one = self.mutation
        change = f"{one.before.strip()}  ->  {one.after.strip()}"
        return f"{self.path}: {one.rule}: {change}" + (f" ({self.nth})" if self.nth > 1 else "")

    def place(self, seed: int) -> str:
        """What orders the mutants of a seed, which stays when other lines change."""
        return hashlib.sha256(f"{seed} {self}".encode()).hexdigest()


# ------------------------------------------------------------ choosing


def candidates(paths: list[str], seed: int) -> list[Mutant]:
    """All mutants of some files, in the order in which a seed takes them."""
    headers = [path for path in git("ls-files", "cg2", "tools") if path.endswith(".h")]
    fields = alike((SOURCE / path).read_text() for path in headers)
    found = []
    for path in paths:
        language = "py" if path.endswith(".py") else "c"
        seen: Counter[tuple[str, str, str]] = Counter()
        for one in mutations(Copy.text(path), language, fields, str(seed)):
            words = (one.rule, one.before.strip(), one.after.strip())
            seen[words] += 1
            found.append(Mutant(path, one, seen[words]))
    return sorted(found, key=lambda mutant: mutant.place(seed))


def chosen(count: int, seed: int, only: str) -> list[tuple[int, list[Mutant]]]:
    """For each share how many mutants it has, and those that there are for it."""
    paths = [path for path in git("ls-files", "cg2", "tools") if path.endswith((".c", ".py"))]
    groups = []
    for pattern, share in SHARES:
        own = [path for path in paths if fnmatchcase(path, pattern)]
        paths = [path for path in paths if path not in own]
        wanted = [path for path in own if fnmatchcase(path, only)]
        groups.append((round(count * share / 100), candidates(wanted, seed)))
    return groups


def in_turn(groups: list[tuple[int, list[Mutant]]]) -> list[Iterator[Mutant]]:
    """For each mutant that is wanted, what it is the next one of; a run that ends early has some of every
    share."""
    parts: list[tuple[float, int, Iterator[Mutant]]] = []
    for share, (n, mutants) in enumerate(groups):
        left = iter(mutants)
        parts += [((i + 0.5) / n, share, left) for i in range(n)]
    return [left for _, _, left in sorted(parts, key=lambda part: part[:2])]


# ------------------------------------------------------------ trying


class Results:
    """What became of mutants, by their words, in a file that grows."""

    def __init__(self, file: Path) -> None:
        self.file = file
        lines = file.read_text().splitlines() if file.exists() else []
        rows = (line.split("\t") for line in lines if not line.startswith("#"))
        self.known = {words: said for said, words in rows}

    def note(self, mutant: Mutant, said: str) -> None:
        self.known[str(mutant)] = said
        with self.file.open("a") as file:
            file.write(f"{said}\t{mutant}\n")

    def caught(self) -> Counter[str]:
        """How many mutants each class of tests has caught."""
        tests = (test for said in self.known.values() for test in catchers(said))
        return Counter(map(class_of, tests))

    def is_open(self, mutant: Mutant, given: argparse.Namespace) -> bool:
        """Whether a mutant is to be tried."""
        said = self.known.get(str(mutant), SURVIVED)
        is_new = str(mutant) not in self.known
        return is_new or (given.again and said == SURVIVED) or (given.anew and bool(catchers(said)))


def catchers(said: str) -> list[str]:
    """The test that caught a mutant, if one did."""
    return [said.removeprefix(CAUGHT)] if said.startswith(CAUGHT) else []


class Trial:
    """Tries mutants in a copy of the tree, and notes what becomes of them."""

    def __init__(self, copy: Copy, results: Results, given: argparse.Namespace) -> None:
        self.copy = copy
        self.results = results
        self.given = given
        self.sound: dict[str, bool] = {}  # by the name of a test: it passes without a mutant

    def outcome(self, mutant: Mutant) -> str:
        """What becomes of a mutant, or became of it."""
        known = self.results.known.get(str(mutant), "")
        if not self.results.is_open(mutant, self.given):
            return known
        changed = mutant.mutation.put_into(Copy.text(mutant.path))
        is_one = self.copy.put(mutant.path, changed)
        said = self.judged(mutant.path, changed, catchers(known)) if is_one else NONE
        if said != known:
            self.results.note(mutant, said)
        return said

    def judged(self, path: str, changed: str, first: list[str]) -> str:
        """What the tests say of a mutant, `first` before others."""
        spent = 0.0
        for tests, seconds in waves(self.copy.directory, path, self.results.caught(), first):
            if spent > BOUND:
                break
            began = time.monotonic()
            if test := self.catching(path, changed, tests, seconds):
                return CAUGHT + test
            spent += time.monotonic() - began
        return SURVIVED

    def catching(self, path: str, changed: str, tests: list[str], seconds: float) -> str | None:
        """A test that fails with the mutant, and not without it."""
        while tests:
            failing = self.copy.failing(tests, 10 * seconds + PATIENT)
            if not failing:
                return None
            if not self.are_sound(failing, seconds):
                tests = [test for test in tests if test not in failing]
                self.copy.put(path, changed)
                continue
            return failing[0]
        return None

    def are_sound(self, tests: list[str], seconds: float) -> bool:
        """Whether these tests pass without the mutant, which is not there then."""
        unknown = [test for test in tests if test not in self.sound]
        if unknown:
            self.copy.restore()
            self.copy.build()
            passes = not self.copy.failing(unknown, 10 * seconds + PATIENT)
            self.sound.update(dict.fromkeys(unknown, passes))
        return all(self.sound[test] for test in tests)


def outcomes(
    trial: Trial, groups: list[tuple[int, list[Mutant]]], end: float
) -> Iterator[tuple[Mutant, str]]:
    """What becomes of each mutant until that moment, also of those that a reader found to change nothing."""
    for left in in_turn(groups):
        for mutant in left:
            if time.monotonic() > end:
                return
            said = trial.outcome(mutant)
            if said == NONE:
                continue
            yield mutant, said
            if not said.startswith(SAME):
                break


def report(found: list[tuple[Mutant, str]]) -> None:
    caught = sum(1 for _, said in found if catchers(said))
    same = sum(1 for _, said in found if said.startswith(SAME))
    count = len(found) - same
    share = 100 * caught / count if count else 0
    print(
        f"\n{count} mutants, {caught} caught ({share:.0f} %); beside them {same} that change nothing"
    )
    for mutant, said in found:
        if not catchers(said):
            print(f"  {mutant}\n    {said}")


def main() -> None:
    assert __doc__
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--only", default="*", help="files to change")
    parser.add_argument("--again", action="store_true", help="try those that survived once more")
    parser.add_argument("--anew", action="store_true", help="try those that were caught once more")
    parser.add_argument("--list", action="store_true", help="print the first mutants only")
    given = parser.parse_args()
    groups = chosen(given.count, given.seed, given.only)
    if given.list:
        print("\n".join(str(mutant) for n, mutants in groups for mutant in mutants[:n]))
        return
    end = time.monotonic() + 60 * given.minutes
    build = Path(os.environ.get("CG2_BUILD", SOURCE))
    trial = Trial(Copy(build / "tests-mutants"), Results(FOUND), given)
    found = []
    for mutant, said in outcomes(trial, groups, end):
        found.append((mutant, said))
        print(f"{mutant}\n    {said}", flush=True)
    report(found)


if __name__ == "__main__":
    main()
