"""A record of the tool has few fields: with many it is several things in one."""

from __future__ import annotations

import re
import unittest

from cg2test import SOURCE

TOOL = SOURCE / "cg2"
FIELDS_MAX = 15

# Records with more fields, each with the reason: name of the record, or file and name of its object.
EXCEPTIONS = {
    "Block": "is in one allocation with what stands behind it, and each run of a probe reads it",
    "Function": "two of its fields are nodes of tables",
    "Thread": "all that changes when another thread runs on, in one copy",
    "Statx": "is the kernel's",
    "Toucher": "what an access needs fills one line of the host's cache",
    "CacheLevel": "each policy of replacement has an array or two, which the hottest loop reads",
    "Memory": "the tables that generated code reads lie behind what every access reads",
    "model/callgrind/hierarchy.c hierarchy": "what every access reads, in neighbouring lines",
}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
INNERMOST = re.compile(r"\b(struct|union|enum)\s*(\w*)\s*\{([^{}]*)\}\s*([^;]*);")
PARAMETERS = re.compile(r"\([^()]*\)")


def number_of_fields(body: str) -> int:
    """The fields that the text between the braces of a struct declares; those of records in it are the
    record's."""
    while (shorter := PARAMETERS.sub("", body)) != body:
        body = shorter
    return sum(len(field.split(",")) for field in body.split(";") if field.strip())


def records(text: str) -> list[tuple[str, int]]:
    """The structs of a C file: the tag, or else what follows the braces, and the number of fields."""
    text = COMMENT.sub("", text)
    found: list[tuple[str, int]] = []

    def take(record: re.Match[str]) -> str:
        kind, tag, body, behind = record.groups()
        if kind == "struct":
            name = tag or (re.findall(r"\w+", behind) or [""])[0]
            found.append((name, number_of_fields(body)))
        return f"int {behind or 'unnamed'};"

    while (shorter := INNERMOST.sub(take, text)) != text:
        text = shorter
    return found


def large() -> dict[str, int]:
    """The records of the tool with more fields than FIELDS_MAX, by type, or by file and object."""
    found = {}
    for path in sorted(TOOL.rglob("*.[ch]")):
        for name, fields in records(path.read_text()):
            is_type = name[:1].isupper()
            if fields > FIELDS_MAX:
                found[name if is_type else f"{path.relative_to(TOOL)} {name}"] = fields
    return found


class Counting(unittest.TestCase):
    def test_fields(self) -> None:
        text = """
            typedef struct A { int a, b; struct { int x, y, z; } c; void (*d)(int, int); } A;
            static struct { /* int no; */ int e : 1; union { int f; int g; } h; } object;
        """
        self.assertEqual(sorted(records(text)), [("A", 4), ("c", 3), ("object", 2)])


class Records(unittest.TestCase):
    def test_few_fields(self) -> None:
        wrong = {name: fields for name, fields in large().items() if name not in EXCEPTIONS}
        self.assertEqual(wrong, {})

    def test_exceptions(self) -> None:
        """No record is excused that has few fields by now."""
        self.assertEqual(EXCEPTIONS.keys() - large().keys(), set())


if __name__ == "__main__":
    unittest.main()
