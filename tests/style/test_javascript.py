"""The JavaScript of the page of cg2_report: its form, its types, and what a linter says."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import npmpackage
from cg2test import BUILD, SOURCE

PAGE = SOURCE / "tools" / "report"
SCHEMA = Path("tools", "cg2tools", "report", "schema.json")
# The sources are copied beside the packages that check them, where these are found.
FOLDER = BUILD / "tests-javascript"
COPY = FOLDER / "tools" / "report"
SOURCES = sorted(path for ending in ("js", "mjs", "ts") for path in PAGE.rglob(f"*.{ending}"))

# How types are escaped from: no value is of any type, and no error is passed over.
ESCAPE = re.compile(r"@ts-(?:ignore|expect-error|nocheck)|eslint-disable|[{<(|,:=]\s*any\b(?!\w)")

# A module that is checked with the others: what is wrong with it has to be found.
MISSPELT = """\
/** @param {import("./types").Profile} profile */
export function lines(profile) {
  return profile.table("lines").fiel;
}
"""


@functools.cache
def why_not() -> str:
    """Why the sources cannot be checked here, or ""; else they are in COPY."""
    if not shutil.which("node"):
        return (
            "node, which checks JavaScript, is not installed (Debian: apt-get install nodejs npm)"
        )
    missing = npmpackage.why_not_locked(FOLDER, PAGE)
    if missing:
        return missing
    shutil.rmtree(FOLDER / "tools", ignore_errors=True)
    shutil.copytree(PAGE, COPY, ignore=shutil.ignore_patterns("node_modules"))
    (FOLDER / SCHEMA).parent.mkdir(parents=True)
    shutil.copy(SOURCE / SCHEMA, FOLDER / SCHEMA)
    shutil.copy(SOURCE / ".editorconfig", FOLDER)
    (COPY / "misspelt.js").write_text(MISSPELT)
    return ""


@functools.cache
def said_by(program: str, *words: str) -> list[str]:
    """What a program of the packages says of the copy: nothing, if it finds nothing wrong.

    It ends so soon that code is faster without being optimised.
    """
    command = ["node", "--no-opt", str(FOLDER / "node_modules" / program), *words]
    ended = subprocess.run(command, cwd=COPY, capture_output=True, text=True, check=False)
    said = (ended.stdout + ended.stderr).splitlines()
    return said or [f"exit status {ended.returncode}"] if ended.returncode else []


def types() -> list[str]:
    return said_by("typescript/bin/tsc", "--project", ".")


class JavaScript(unittest.TestCase):
    def setUp(self) -> None:
        if why_not():
            self.skipTest(why_not())

    def test_types(self) -> None:
        """tsc finds no fault, as strict as it can be, in JSDoc's types and in those of schema.json."""
        self.assertEqual([line for line in types() if not line.startswith("misspelt.js")], [])

    def test_columns_are_types(self) -> None:
        """A column that the schema does not have is an error of types."""
        (said,) = [line for line in types() if line.startswith("misspelt.js")]
        self.assertIn(
            "misspelt.js(3,33): error TS2339: Property 'fiel' does not exist on type", said
        )

    def test_linter(self) -> None:
        """eslint finds nothing, by the rules of eslint.config.js."""
        self.assertEqual(said_by("eslint/bin/eslint.js", "."), [])

    def test_form(self) -> None:
        """All of it is as prettier leaves it, with the width of .editorconfig."""
        files = "**/*.{js,mjs,ts}"
        said = said_by("prettier/bin/prettier.cjs", "--log-level=warn", "--check", files)
        self.assertEqual(said, [])


class Escapes(unittest.TestCase):
    def test_none(self) -> None:
        """Nothing is kept from being checked."""
        self.assertGreater(len(SOURCES), 40)
        found = [
            f"{path.relative_to(SOURCE)}: {match[0]}"
            for path in SOURCES
            for match in ESCAPE.finditer(path.read_text())
        ]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
