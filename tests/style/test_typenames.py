"""No type of the tool's, or of the libraries', has the name of another: one name means one thing."""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterable
from pathlib import Path

from cg2test import SOURCE

FILES = sorted(
    path
    for top in ("cg2", "tools/libcg2profile", "tools/libcg2debug")
    for path in (SOURCE / top).rglob("*.[ch]")
)

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# The innermost braces: what a struct consists of.
BODY = re.compile(r"\{[^{}]*\}")
TAGGED = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*@")
TYPEDEF = re.compile(r"^typedef\b([^;]*);", re.MULTILINE)
FORWARD = re.compile(r"\s*(?:struct|union)\s+(\w+)\s+(\w+)\s*")
POINTER = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(")
FUNCTION = re.compile(r"(\w+)\s*\([^()]*\)\s*$")
PLAIN = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:__attribute__\s*\(\(.*\)\)\s*)?$", re.DOTALL)


def defined(text: str) -> set[str]:
    """The types that a C file defines, but for those that it only says to be somewhere."""
    text = COMMENT.sub("", text)
    while (shorter := BODY.sub("@", text)) != text:
        text = shorter
    return set(TAGGED.findall(text)) | set(map(named, TYPEDEF.findall(text))) - {""}


def named(definition: str) -> str:
    """The name that follows `typedef`; empty where the type has that name and is defined elsewhere."""
    forward = FORWARD.fullmatch(definition)
    if forward and forward[1] == forward[2]:
        return ""
    for form in (POINTER, FUNCTION, PLAIN):
        if found := form.search(definition):
            return found[1]
    raise AssertionError(f"not understood: typedef{definition};")


def shared(files: Iterable[Path]) -> dict[str, list[str]]:
    """The names of types that more than one of the files defines."""
    where: dict[str, list[str]] = {}
    for path in files:
        for name in defined(path.read_text()):
            where.setdefault(name, []).append(str(path.relative_to(SOURCE)))
    return {name: paths for name, paths in where.items() if len(paths) > 1}


class Forms(unittest.TestCase):
    """How a type is defined."""

    def test_all(self) -> None:
        for text, names in (
            ("typedef struct A { struct B { int x; } b; } A;", {"A"}),
            ("typedef struct { int x; } A;\nenum E { ONE };", {"A", "E"}),
            ("typedef struct a a;\nstruct b;", set()),
            ("typedef struct a A;", {"A"}),
            ("typedef unsigned A[4], *B;", {"B"}),
            ("typedef void (*F)(int, void (*)(int));", {"F"}),
            ("typedef int F(int, int);", {"F"}),
            ("typedef unsigned V __attribute__((vector_size(16)));", {"V"}),
            ("/* typedef int A; */ int x;", set()),
        ):
            self.assertEqual(defined(text), names, text)


class Types(unittest.TestCase):
    def test_each_is_one(self) -> None:
        self.assertGreater(len(FILES), 300)
        twice = shared(FILES)
        wrong = [f"{name}: {', '.join(paths)}" for name, paths in sorted(twice.items())]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
