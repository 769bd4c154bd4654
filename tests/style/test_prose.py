"""Plain English: sentences that are read once, tables without gaps, lines that fit on a screen."""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterable
from pathlib import Path

from cg2test import SOURCE
from prose import DOCUMENTS, Block, blocks, cells, comments, is_rule, numbered_lines, tables, words

WORDS_MAX = 35  # of a sentence
WIDTH_MAX = 120  # of a line of prose
PAGE_WORDS_MAX = 2500
PAGES = sorted((SOURCE / "docs" / "guide").glob("*.md"))

# Word orders of another language, and what English has in their place.
CALQUES = {
    r"\bfor who\b": "for people who",
    r"\bof which as many\b": "there are as many",
    r"\bthat that\b": "of the",
    r"\bof as many\b": "with the same number of",
    r"(?:^|[.;:] )Who (?:sees|looks|wants|has)\b": "users who",
    r"\bis so with\b": "the same holds for",
    r"\bit is so that\b": "say it without these words",
}
# What documents have not either.
DOCUMENT_CALQUES = {
    r"\b[Ii]t is said\b": "the file, or the command, says",
    r"\bwithout that\b": "although, without",
    r"\belse than\b": "other than",
    r"\bwhich of (?:is|are)\b": "of which",
}
READMES = sorted(
    path
    for top in ("cg2", "packaging", "tests", "tools")
    for path in (SOURCE / top).rglob("README")
    if "node_modules" not in path.parts
)
OTHERS = ("c", "h", "cc", "S", "py", "js")


def sources() -> list[Path]:
    """All sources with comments but the file that lists what they must not have."""
    tops = ("cg2", "libcg2debug", "libcg2profile", "tools", "tests", "docs", "packaging")
    every = [path for top in tops for end in OTHERS for path in (SOURCE / top).rglob(f"*.{end}")]
    return sorted(
        path
        for path in every
        if not {"node_modules", "__pycache__"} & set(path.parts)
        and path.name not in ("test_prose.py", "prose.py")
        and ".bundle" not in path.name
    )


def name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def calques_in(block: Block, calques: dict[str, str]) -> list[str]:
    text = " ".join(block.text.split())
    return [
        f"{calque!r}: {better}" for calque, better in calques.items() if re.search(calque, text)
    ]


def words_of(calques: Iterable[str]) -> re.Pattern[str]:
    """What finds the words of calques in a row, whatever marks and ends of lines are between them."""
    alone = (re.sub(r"\(\?:\^.*?\)", "", calque) for calque in calques)
    return re.compile("|".join(calque.replace(" ", r"\W+") for calque in alone))


class Sentences(unittest.TestCase):
    def test_length(self) -> None:
        """A sentence has at most 35 words."""
        long = [
            f"{name(path)}:{block.line}: {words(sentence)} words: {sentence[:60]}"
            for path in DOCUMENTS
            for block in blocks(path.read_text())
            for sentence in block.sentences()
            if words(sentence) > WORDS_MAX
        ]
        self.assertEqual(long, [], "\n".join(long))

    def test_calques(self) -> None:
        """Documents and comments have the word order of English."""
        found = []
        for path in [*DOCUMENTS, *READMES]:
            for block in blocks(path.read_text()):
                said = calques_in(block, CALQUES | DOCUMENT_CALQUES)
                found += [f"{name(path)}:{block.line}: {one}" for one in said]
        suspect = words_of(CALQUES)
        for path in (path for path in sources() if suspect.search(path.read_text())):
            for block in comments(path):
                found += [f"{name(path)}:{block.line}: {one}" for one in calques_in(block, CALQUES)]
        self.assertEqual(found, [], "\n".join(found))

    def test_itself(self) -> None:
        """The rules see what they are to see."""
        text = "One `a b` word.\nTwo, e.g. three. Four\n\n    code here\n- item\n| a | b c |\n|---|---|\n"
        found = [block.text for block in blocks(text)]
        self.assertEqual(found, ["One `a b` word. Two, e.g. three. Four", "item", "a", "b c"])
        self.assertEqual([words(s) for s in Block(1, found[0]).sentences()], [3, 3, 1])
        self.assertEqual(len(calques_in(Block(1, "a page for\nwho knows"), CALQUES)), 1)
        for text in (
            "/* a page for\n * who knows. */",
            "# It is so. Who\n    # sees it",
            "// of it. Who has",
        ):
            self.assertRegex(text, words_of(CALQUES))


class Pages(unittest.TestCase):
    def test_width(self) -> None:
        """A line of prose fits on a screen. Rows of tables do not wrap."""
        wide = [
            f"{name(path)}:{number}: {len(line)}"
            for path in DOCUMENTS
            for number, line in numbered_lines(path.read_text())
            if len(line) > WIDTH_MAX and not line.startswith("|")
        ]
        self.assertEqual(wide, [])

    def test_tables(self) -> None:
        """A table has a heading, the line below it, and rows of as many cells, with no gap between."""
        wrong = []
        count = 0
        for path in DOCUMENTS:
            for rows in tables(path.read_text()):
                count += 1
                (line, heading), *others = rows
                if not others or not is_rule(others[0][1]):
                    wrong.append(f"{name(path)}:{line}: a row without a table")
                wrong += [
                    f"{name(path)}:{number}: {len(cells(row))} cells, the heading has {len(cells(heading))}"
                    for number, row in others
                    if len(cells(row)) != len(cells(heading))
                ]
        self.assertEqual(wrong, [])
        self.assertGreater(count, 60)

    def test_guide(self) -> None:
        """A page of the guide is read in a quarter of an hour, and its heading is a question."""
        self.assertGreater(len(PAGES), 10)
        for path in PAGES:
            text = path.read_text()
            self.assertLessEqual(len(text.split()), PAGE_WORDS_MAX, path.name)
            if path.name != "README.md":
                self.assertRegex(text, r"\A# .*\?\n", path.name)


if __name__ == "__main__":
    unittest.main()
