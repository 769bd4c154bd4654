"""Inlined functions of eleven programs, against builds that inline nothing: calls are as many, or marked.

A program's own functions are counted by their names, without what they are in and what they are of. A check
has one level of optimisation of each language and compiler, at full size there are all three.
"""

from __future__ import annotations

import os
import re
import unittest
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import cg2test
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path
from cg2tools.profile.model import Part
from test_inlines import (
    PROGRAMS,
    built,
    built_by_rustc,
    calls,
    converted,
    recorded,
    without_place,
)

SOURCES = PROGRAMS / "inlining"
LEVELS = (1, 2, 3) if os.environ.get("CG2_FULL") == "1" else (2,)

DEFINED = re.compile(
    r"((?:~|\boperator\W+|\b)\w*)\([^;{}]*\)(?: const)?(?: override)?(?: : [^{;]*)?\s*\{"
)
"""A function of C or C++ that is defined: its name, and what may stand in front of its code."""

NO_FUNCTIONS = {"main", "if", "for", "while", "switch"}


def bare(name: str) -> str:
    """A function's name without what it is in, its types and its recursion level."""
    name, are_left = re.sub(r"'\d+$", "", name), 1
    while are_left:
        name, are_left = re.subn(r"<[^<>]*>", "", name)
    return without_place(name).split("(")[0].split(" ")[-1]


def typed(name: str) -> str:
    """The same with the type that a template was made for, if that is one."""
    made = re.search(r"\b(\w+<\w+>)\(|\b(\w+<\w+>)$", re.sub(r"'\d+$", "", name))
    return (made[1] or made[2]) if made else bare(name)


def by_name(part: Part, said: Callable[[str], str]) -> Counter[str]:
    """How often functions were called, by what is said of their names."""
    found: Counter[str] = Counter()
    for name, count in calls(part).items():
        found[said(name)] += count
    return found


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(), "libcg2debug was not built: apt-get install libdw-dev"
)
class Programs(unittest.TestCase):
    """What the classes below have: a language each, as they run side by side."""

    def check(
        self,
        plain: Path,
        inlined: Iterable[tuple[str, Path]],
        names: set[str],
        said: Callable[[str], str] = bare,
    ) -> None:
        """Check builds of a program against one in which each call is made."""
        truth = by_name(cg2test.part_of(recorded(plain)), said)
        self.assertGreater(len({name for name in names if truth[name]}), 4)
        were_inlined = False
        for options, program in inlined:
            with self.subTest(options=options):
                profile = recorded(program)
                whole = by_name(cg2test.part_of(profile), said)
                part = cg2test.part_of(converted(profile))
                found = by_name(part, said)
                marked = {said(name) for name in part.estimated}
                own = {
                    name
                    for name in names
                    if truth[name] and found[name] and found[name] != whole[name]
                }
                were_inlined |= bool(own)
                wrong = {
                    name: (truth[name], found[name])
                    for name in own - marked
                    if found[name] != truth[name]
                }
                self.assertEqual(wrong, {}, "calls that there were, and that are shown")
        self.assertTrue(were_inlined)

    def check_c(self, compiler: str, suffix: str) -> None:
        sources = sorted(SOURCES.glob(f"*{suffix}"))
        self.assertTrue(sources)
        for path in sources:
            source = str(path.relative_to(PROGRAMS))
            names = set(DEFINED.findall(path.read_text())) - NO_FUNCTIONS
            plain = built(source, compiler, "-O0", "-fno-inline")
            levels = [f"-O{level}" for level in LEVELS]
            with self.subTest(source):
                self.check(plain, ((of, built(source, compiler, of)) for of in levels), names)

    def check_typed(self, compiler: str) -> None:
        """Functions that one template was made for several types of are told apart."""
        source = "inlining/typed.cc"
        made = ("addup", "clamp", "scale", "fill", "is_near")
        names = {f"{name}<{type}>" for name in made for type in ("double", "float")}
        plain = built(source, compiler, "-O0", "-fno-inline")
        levels = ("-O1", "-O2", "-O3")
        self.check(plain, ((of, built(source, compiler, of)) for of in levels), names, typed)


class OfC(Programs):
    def test_gcc(self) -> None:
        """GCC marks where a function begins, and leaves marks out of code that it copies."""
        self.check_c("gcc", ".c")

    def test_clang(self) -> None:
        """clang marks nothing: the lines of code say where a function begins."""
        self.check_c("clang", ".c")


class OfGcc(Programs):
    def test_gcc(self) -> None:
        """A template below another whose number of calls is estimated."""
        self.check_c("g++", ".cc")

    def test_typed(self) -> None:
        """A mark at the place where several functions begin is of one of them."""
        self.check_typed("g++")


class OfClang(Programs):
    def test_clang(self) -> None:
        """A function whose first line is in several blocks, as before a loop and behind it."""
        self.check_c("clang++", ".cc")

    def test_typed(self) -> None:
        self.check_typed("clang++")


class OfRust(Programs):
    def test_rustc(self) -> None:
        """Closures, iterators, traits."""
        for path in sorted(SOURCES.glob("*.rs")):
            source = str(path.relative_to(PROGRAMS))
            names = set(re.findall(r"\bfn (\w+)", path.read_text())) - NO_FUNCTIONS
            plain = built_by_rustc(source, "-Copt-level=0")
            levels = [f"-Copt-level={level}" for level in LEVELS]
            with self.subTest(source):
                self.check(plain, ((of, built_by_rustc(source, of)) for of in levels), names)


if __name__ == "__main__":
    unittest.main()
