"""What users can rely on: options and their words, and what JSON says, as lines of text.

    cg2 annotate: --inclusive no yes
    tool: --combine-dumps no yes
    cg2-explain: $.causes[].cause is string
    cg2-explain: $.causes[].text always

promise.txt has what was promised. What it says stays so: an option, a word that one takes, a member of JSON
and its type, and that it is always there. New ones may come. `make promise` adds those that are new.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cg2test import SOURCE

PROMISED = Path(__file__).with_name("promise.txt")
REFERENCE = SOURCE / "docs" / "reference"
SCHEMAS = sorted(SOURCE.glob("docs/*.schema.json"))
WORD = re.compile(r"[a-z0-9][a-z0-9_-]*")


def facts() -> dict[str, set[str]]:
    """What is so today: what each thing is called, and its words."""
    found = options(REFERENCE / "options.md", "tool") | options(REFERENCE / "commands.md", "")
    for path in SCHEMAS:
        schema = json.loads(path.read_text())
        name = path.name.removesuffix(".schema.json")
        for member, words in members(schema, schema, "$", frozenset()):
            found.setdefault(f"{name}: {member}", set()).update(words)
    return found


def options(page: Path, program: str) -> dict[str, set[str]]:
    """The options in the tables of a page, of `program` or of what a heading names."""
    found = {}
    for line in page.read_text().splitlines():
        if line.startswith("## ") and page.name == "commands.md":
            program = line[3:]
        row = re.match(r"\| (`-[^|]*(?:\\\|[^|]*)*) \|", line)
        for spelling in re.findall(r"`(.*?)`", row[1]) if row else ():
            name, _, values = spelling.replace("\\|", "|").partition("=")
            found[f"{program}: {name.split()[0]}"] = words_of(values)
    return found


def words_of(values: str) -> set[str]:
    """The words among the values of an option: `no|yes` has two, `<file>` none."""
    values = values.strip("[]")
    alternatives = values.split("|")
    return {word for word in alternatives if WORD.fullmatch(word)} if alternatives[1:] else set()


def members(
    schema: dict[str, Any], whole: dict[str, Any], at: str, outer: frozenset[str]
) -> Iterator[tuple[str, set[str]]]:
    """What a schema says of each member, with its place. A definition is followed once on each way."""
    if "$ref" in schema:
        *_, name = schema["$ref"].split("/")
        if name not in outer:
            yield from members(whole["definitions"][name], whole, at, outer | {name})
        return
    kinds = schema.get("type", "string" if "enum" in schema else "any")
    yield f"{at} is", set([kinds] if isinstance(kinds, str) else kinds)
    for name in schema.get("required", ()):
        yield f"{at}.{name} always", set()
    for name, member in schema.get("properties", {}).items():
        yield from members(member, whole, f"{at}.{name}", outer)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from members(schema["additionalProperties"], whole, f"{at}.*", outer)
    if "items" in schema:
        yield from members(schema["items"], whole, f"{at}[]", outer)


def promised() -> dict[str, set[str]]:
    """What was promised, by what it is about."""
    found = {}
    for line in PROMISED.read_text().splitlines():
        about, _, words = line.partition("\t")
        found[about] = set(words.split())
    return found


def broken(promises: dict[str, set[str]], today: dict[str, set[str]]) -> list[str]:
    """Which promises do not hold."""
    gone = [f"{about}: is gone" for about in promises if about not in today]
    less = [
        f"{about}: no longer {' '.join(sorted(words - today[about]))}"
        for about, words in promises.items()
        if about in today and words - today[about]
    ]
    return gone + less


def new(promises: dict[str, set[str]], today: dict[str, set[str]]) -> list[str]:
    """What is not promised yet."""
    return [
        f"{about}: {' '.join(sorted(words - promises.get(about, set())))}".rstrip()
        for about, words in today.items()
        if about not in promises or words - promises[about]
    ]


def store(promises: dict[str, set[str]]) -> None:
    lines = [f"{about}\t{' '.join(sorted(words))}".rstrip() for about, words in promises.items()]
    PROMISED.write_text("".join(f"{line}\n" for line in sorted(lines)))


def main() -> None:
    """Adds to what is promised what is new; what is gone stays."""
    promises = promised() if PROMISED.exists() else {}
    today = facts()
    for line in broken(promises, today):
        raise SystemExit(f"promise: {line}; whoever takes it away breaks a promise")
    for line in new(promises, today):
        print(f"promise: new: {line}")
    store({about: promises.get(about, set()) | words for about, words in today.items()})


if __name__ == "__main__":
    main()
