"""What each table of the page has, as schema.json says it; its head says which kinds of members there are.

    schema = Schema.read()
    schema.check("lines", table)       AssertionError: "lines.file: the schema does not have it"
    for place, kind, meaning, value in schema.members("lines", table): ...
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cg2tools.report.jsontables import Table

FILE = Path(__file__).with_name("schema.json")


class Member(NamedTuple):
    """A member of a table: where it is, and what the schema says of it."""

    place: str
    kind: str
    meaning: str
    value: Any
    table: Table
    """The table that it is in."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The tables by their names, as the file has them."""

    tables: dict[str, Any]

    @staticmethod
    def read() -> "Schema":
        return Schema(json.loads(FILE.read_text(encoding="utf-8"))["tables"])

    def check(self, name: str, table: Table) -> None:
        """Fail if a table has not exactly the members that it should have."""
        for _ in self.members(name, table):
            pass

    def members(self, name: str, table: Table) -> Iterator[Member]:
        """The members of a table and of those in it; AssertionError if one is missing, or should not be
        there."""
        return _members(self.tables[name], table, name)


def _members(schema: dict[str, Any], table: Table, place: str) -> Iterator[Member]:
    if "by name" in schema:
        for name, one in table.items():
            yield from _members(schema["by name"], one, f"{place}.{name}")
        return
    optional = dict(_kinds(schema.get("optional", {})))
    kinds = dict(_kinds(schema)) | optional
    missing = [name for name in kinds if name not in table and name not in optional]
    assert not missing, f"{place}.{missing[0]}: is not there; the schema has it"
    for name, value in table.items():
        assert name in kinds, f"{place}.{name}: the schema does not have it"
        kind, meaning = kinds[name]
        yield from _member(f"{place}.{name}", kind, meaning, value, table)


def _kinds(schema: dict[str, Any]) -> Iterator[tuple[str, tuple[str, Any]]]:
    """By the name of each member, its kind and its meaning, which is a schema for tables."""
    for kind, members in schema.items():
        if kind not in ("about", "optional"):
            for name, meaning in members.items():
                yield name, (kind, meaning)


def _member(place: str, kind: str, meaning: Any, value: Any, table: Table) -> Iterator[Member]:
    if kind == "table":
        yield from _members(meaning, value, place)
    elif kind == "tables":
        for number, one in enumerate(value):
            yield from _members(meaning, one, f"{place}[{number}]")
    elif kind == "tables by name":
        for name, one in value.items():
            yield from _members(meaning, one, f"{place}.{name}")
    else:
        yield Member(place, kind, meaning, value, table)
