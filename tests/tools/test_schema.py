"""The tables of the page of cg2_report are as schema.json says: members, kinds, lengths, and what numbers
stand for."""

from __future__ import annotations

import base64
import functools
import unittest
import zlib
from collections.abc import Iterator
from typing import Any

import cg2test
from test_annotate import PROFILE
from test_convert import TWO_CALLERS
from test_page import unpacked_table
from test_pathpage import PROFILE as PATHS_PROFILE
from toolsupport import PATHS, read

from cg2tools.data.objects import DataFile
from cg2tools.data.typed import shown_types
from cg2tools.debug.cycles import estimated
from cg2tools.profile.reader import read_paths, read_profile
from cg2tools.report.contents import Contents
from cg2tools.report.options import PageOptions
from cg2tools.report.packed import packed
from cg2tools.report.pathtables import tree_of_runs
from cg2tools.report.schema import Member, Schema

SCHEMA = Schema.read()
OPTIONS = PageOptions(smallest=0)
RUN = ("--dump-instr=yes", "--collect-jumps=yes", "--cache-sweep=D:8k..16k", "--data=together")
PARTS = """\
part: 1
pid: 7
desc: Trigger: half
events: Ir
fl=a.c
fn=f
1 500
part: 2
thread: 3
events: Ir
fl=a.c
fn=g
2 1500
"""


def meanings(schema: dict[str, Any]) -> set[str]:
    """What is said of all members of a table, and of those in it."""
    found: set[str] = set()
    for kind, members in schema.items():
        if kind in ("by name", "optional"):
            found |= meanings(members)
        elif kind != "about":
            for meaning in members.values():
                found |= {meaning} if isinstance(meaning, str) else meanings(meaning)
    return found


def are(value: object, length: int, *kinds: type) -> bool:
    """Whether a value is a list of so many of some kinds."""
    return (
        isinstance(value, list)
        and len(value) == length
        and all(isinstance(one, kinds) and not isinstance(one, bool) for one in value)
    )


def is_of_kind(kind: str, value: Any, rows: int, events: int) -> bool:
    """Whether a member that was read from a page is what the head of the schema says of its kind."""
    if kind == "costs":
        return len(value) == events and all(are(column, rows, int) for column in value)
    if kind == "cost":
        return value == [] or are(value, events, int)
    columns: dict[str, list[type]] = {
        "column": [int],
        "unknowns": [int, type(None)],
        "words": [str],
    }
    if kind in columns:
        return are(value, rows, *columns[kind])
    if kind.endswith(" by name"):
        one = str if kind.startswith("texts") else int
        return all(isinstance(each, one) for each in value.values())
    if kind in ("factors", "points", "runs"):
        seconds: dict[str, tuple[type, ...]] = {
            "factors": (int, float),
            "points": (list,),
            "runs": (str,),
        }
        second = seconds[kind]
        return all(isinstance(one[0], int) and isinstance(one[1], second) for one in value)
    single: dict[str, tuple[type, ...]] = {
        "text": (str,),
        "texts": (list,),
        "number": (int, float),
        "flag": (bool,),
        "unknown": (int, type(None)),
    }
    return isinstance(value, single[kind])


@functools.cache
def pages() -> list[dict[str, Any]]:
    """The tables of some pages, as a page has them; together they have each member of the schema."""
    program = cg2test.compile("report.c", "-O1", "-g", "-pthread")
    run = cg2test.run_cg2([program], *RUN, out_file=None)
    profile = read_profile(str(run.profile_paths[0]))
    (path,) = run.directory.glob("cg2.data.*")
    data = DataFile(read_profile(str(path)))
    shown_types(data, [])
    older = read(
        TWO_CALLERS.replace("1 33 5\ntotals", "2 30 5\ntotals").replace("107 12", "104 12")
    )
    return [
        as_written(contents)
        for contents in (
            Contents(profile, PageOptions(share=1), None, data),
            Contents(estimated("cg2_report", profile, "zen4"), PageOptions(share=1)),
            Contents(read(TWO_CALLERS), OPTIONS, older),
            Contents(read(PARTS), OPTIONS),
            Contents(read(PROFILE), OPTIONS),
            of_paths(),
        )
    ]


def of_paths() -> Contents:
    """Paths, compared with those of an older run."""
    parts = []
    for text in (PATHS, PATHS):
        path = cg2test.new_directory() / "cg2.paths.1"
        path.write_text(text)
        parts.append(read_paths(path).parts)
    profile = read(PATHS_PROFILE)
    return Contents(profile, PageOptions(smallest=30), profile, None, tree_of_runs(*parts))


def as_written(contents: Contents) -> dict[str, Any]:
    """Tables, written and read."""
    return {
        name: unpacked_table(zlib.decompress(base64.b64decode(b"".join(packed(table)))))
        for name, table in contents.each()
    }


def members() -> Iterator[tuple[dict[str, Any], str, Member]]:
    """Each member of each table of each page, with the page and the table's name."""
    for page in pages():
        for name, table in page.items():
            for member in SCHEMA.members(name, table):
                yield page, name, member


def row_counts(table: dict[str, Any]) -> set[int]:
    """How long the columns of a table are that hold numbers or costs."""
    columns = [
        column
        for name, value in table.items()
        if name != "total" and isinstance(value, list)
        for column in (value if value and isinstance(value[0], list) else [value])
    ]
    return set(map(len, columns))


class Tables(unittest.TestCase):
    """What is written is what the schema has."""

    def test_kinds(self) -> None:
        """Values are of their kind: columns of a table as long as each other, costs as many as there are
        events."""
        for page, name, member in members():
            total = page[name if name == "data" else "profile"]["total"]
            is_column = member.kind in ("column", "costs", "words", "unknowns")
            rows = row_counts(member.table) if is_column else {0}
            self.assertEqual(len(rows), 1, member.place)
            right = is_of_kind(member.kind, member.value, rows.pop(), len(total))
            self.assertTrue(right, member[:3])

    def test_meanings(self) -> None:
        """What columns say that they are is there: names, rows of tables, ones and zeros."""
        for page, name, member in members():
            if member.kind != "column":
                continue
            least, end = 0, None
            if member.meaning.startswith("name: "):
                end = len(page["profile"]["strings"])
            elif member.meaning.startswith("row of functions"):
                end = len(page["profile"]["functions"]["name"])
            elif member.meaning.startswith("row of objects"):
                end = len(page["data"]["objects"]["name"])
            elif member.meaning.startswith("row of this table"):
                end = len(member.value)
            elif member.meaning.startswith("whether"):
                end = 2
            if "-1" in member.meaning:
                least = -1
            for number in member.value:
                self.assertGreaterEqual(number, least, member[:3])
                self.assertTrue(end is None or number < end, member[:3])

    def test_all_seen(self) -> None:
        """No table and no member is in the schema that no page has, and nothing has no meaning."""
        for name, schema in SCHEMA.tables.items():
            seen = {member.meaning for _, table, member in members() if table == name}
            self.assertEqual(meanings(schema) - seen, set(), name)
            self.assertNotIn("", meanings(schema))

    def test_tables(self) -> None:
        """A page that has everything has the tables that the schema has."""
        found = {name for page in pages() for name in page}
        self.assertEqual(found, set(SCHEMA.tables))

    def test_faults(self) -> None:
        """A member too few or too many is said with its place."""
        page = pages()[0]
        for name, table, said in (
            ("arcs", {"caller": []}, "arcs.callee: is not there; the schema has it"),
            ("arcs", page["arcs"] | {"x": 1}, "arcs.x: the schema does not have it"),
            ("sources", {"7": {"path": ""}}, "sources.7.count: is not there; the schema has it"),
        ):
            with self.assertRaises(AssertionError) as raised:
                SCHEMA.check(name, table)
            self.assertEqual(str(raised.exception), said)


if __name__ == "__main__":
    unittest.main()
