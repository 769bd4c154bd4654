"""Holds a JSON value against a JSON Schema: as much of draft 7 as the schemas in docs/ use.

    self.assertEqual(schema.faults(value, schema.load("cg2-summary")), [])
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from cg2test import SOURCE

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "null": type(None),
}
KNOWN = {
    *("$schema", "$ref", "title", "description", "definitions", "type", "const", "required"),
    *("properties", "additionalProperties", "items", "minItems", "minimum", "maximum", "enum"),
}


def load(name: str) -> dict[str, Any]:
    """The schema of this name."""
    found = json.loads((SOURCE / "docs" / f"{name}.schema.json").read_text())
    assert isinstance(found, dict)
    return found


def faults(value: object, schema: dict[str, Any]) -> list[str]:
    """What is wrong with a value, each with its place."""
    return list(_faults(value, schema, schema, "$"))


def _faults(value: Any, schema: dict[str, Any], whole: dict[str, Any], at: str) -> Iterator[str]:
    assert set(schema) <= KNOWN, f"not known here: {set(schema) - KNOWN}"
    if "$ref" in schema:
        *_, name = schema["$ref"].split("/")
        yield from _faults(value, whole["definitions"][name], whole, at)
        return
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r}; expected {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r}; expected one of {', '.join(schema['enum'])}"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and (
        isinstance(value, bool) or not any(isinstance(value, TYPES[kind]) for kind in kinds)
    ):
        yield f"{at}: {value!r}; expected {' or '.join(kinds)}"
    if isinstance(value, int):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{at}: {value} is out of range"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{at}: expected at least {schema['minItems']}"
        for i, item in enumerate(value):
            yield from _faults(item, schema.get("items", {}), whole, f"{at}[{i}]")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{at}: {key} is not there"
        for key, member in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if known is None:
                yield f"{at}.{key}: the schema does not have it"
            else:
                yield from _faults(member, known, whole, f"{at}.{key}")
