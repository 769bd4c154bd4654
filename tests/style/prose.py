"""The prose of a Markdown document, and of comments: blocks, sentences, tables.

A block is a paragraph, an item of a list, a heading or a cell of a table. Code is none: fenced, or indented
by four blanks, and a word between backticks counts as one word.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cg2test import SOURCE

DOCUMENTS = sorted([SOURCE / "README", *(SOURCE / "docs").rglob("*.md")])

_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) +")
_RULE = re.compile(r"[-:| ]+")
_UNDERLINE = re.compile(r"-{3,}|={3,}")
# What ends a sentence, but for abbreviations.
_END = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[)\"*]*\s+")


@dataclass
class Block:
    """Text that belongs together, and the line that it begins in."""

    line: int
    text: str

    def sentences(self) -> list[str]:
        text = re.sub(r"`+[^`]+`+", "code", self.text.replace("<br>", ". "))
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        return [sentence for sentence in _END.split(text) if sentence.strip()]


def words(sentence: str) -> int:
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are no code, with their numbers. Where code was, there is an empty line."""
    fenced = is_code = False
    before = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            line = ""
        elif fenced:
            line = ""
        elif line.startswith("    ") and (is_code or not before.strip()):
            is_code, before = True, line
            yield number, ""
            continue
        is_code, before = False, line
        yield number, line


def cells(row: str) -> list[str]:
    """The cells of a row of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a document."""
    block: Block | None = None
    for number, line in numbered_lines(re.sub(r"<!--.*?-->", "", text)):
        begins = bool(_ITEM.match(line)) or line.startswith(("#", "|"))
        if block and (begins or not line.strip() or _UNDERLINE.fullmatch(line)):
            yield block
            block = None
        if line.startswith("|"):
            if not _RULE.fullmatch(line):
                yield from (Block(number, cell) for cell in cells(line) if cell)
        elif line.startswith("#"):
            yield Block(number, line.strip("# "))
        elif line.strip() and not _UNDERLINE.fullmatch(line):
            line = _ITEM.sub("", line) if begins else line
            block = Block(number, line) if not block else Block(block.line, f"{block.text} {line}")
    if block:
        yield block


def tables(text: str) -> Iterator[list[tuple[int, str]]]:
    """The rows of each table, with their lines: what stands together and begins with a bar."""
    rows: list[tuple[int, str]] = []
    for number, line in numbered_lines(text):
        if line.startswith("|"):
            rows.append((number, line))
        elif rows:
            yield rows
            rows = []
    if rows:
        yield rows


def is_rule(row: str) -> bool:
    """Whether a row is the one below a table's heading."""
    return all(re.fullmatch(r":?-+:?", cell) for cell in cells(row))


def comments(path: Path) -> Iterator[Block]:
    """The comments of a source, and the docstrings if it is Python's."""
    text = path.read_text()
    if path.suffix == ".py":
        yield from _comments_of_python(text)
    else:
        for found in re.finditer(r"/\*.*?\*/|(?:(?:^|(?<=\s))//[^\n]*\n\s*)+", text, re.DOTALL):
            words_alone = re.sub(r"\n\s*(?:\*|//) ?", " ", found[0])
            yield Block(text.count("\n", 0, found.start()) + 1, words_alone)


def _comments_of_python(text: str) -> Iterator[Block]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield Block(node.lineno, " ".join(node.value.value.split()))
    block: Block | None = None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            said = token.string.lstrip("# ")
            if block and block.line + block.text.count("\n") + 1 == token.start[0]:
                block.text += "\n" + said
                continue
            if block:
                yield Block(block.line, " ".join(block.text.split()))
            block = Block(token.start[0], said)
    if block:
        yield Block(block.line, " ".join(block.text.split()))
