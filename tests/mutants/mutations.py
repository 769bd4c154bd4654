"""Small faults that can be put into a source, one line each: the rules, and what they make of a text.

    for mutation in mutations(text, "c", fields, seed): ...

Rules know nothing of what a program does, only what lines look like, as the sources are formatted.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

# Words between blanks, and what each becomes.
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "*": "/", "<<": ">>", ">>": "<<"}
LOGIC = {
    "c": {"&&": "||", "||": "&&", "&": "|", "|": "&"},
    "py": {"and": "or", "or": "and"},
}
TRUTH = {"True": "False", "False": "True", "true": "false", "false": "true"}

NUMBER = re.compile(r"(?<![\w.'\"#])(\d+)(?![\w.'\"])")
FIELD = re.compile(r"(?<=->)\w+\b(?!\()|(?<=\w\.)\w+\b(?!\()")
COMMENT = re.compile(r"^\s*(/\*|\*|#|//|\"\"\"|')")
STATEMENT = {
    "c": re.compile(r"^( +)(?!return|goto|case|else|break|continue|typedef)"
                    r"[\w>.\[\]-]+(\(.*\)| [|&+*/-]?= .*|\+\+|--);$"),
    "py": re.compile(r"^( {4,})(?!return|raise|assert|import|from|yield|def|class)"
                     r"[\w.\[\]]+(\(.*\)| [|&+*/-]?= .*)$"),
}  # fmt: skip
CONDITION = {
    "c": re.compile(r"^(\s+(?:\} else )?if )\((.*)\)( .*;| \{|)$"),
    "py": re.compile(r"^(\s+(?:el)?if )(.*):()$"),
}


@dataclass(frozen=True)
class Mutation:
    """A line of a source that becomes another one."""

    number: int  # from 0
    rule: str
    before: str
    after: str

    def put_into(self, text: str) -> str:
        lines = text.split("\n")
        assert lines[self.number] == self.before
        lines[self.number] = self.after
        return "\n".join(lines)


def alike(headers: Iterable[str]) -> dict[str, list[str]]:
    """By the name of a field of a structure in C: those of the same type in the same structure."""
    found: dict[str, list[str]] = defaultdict(list)
    for header in headers:
        for body in re.findall(r"^typedef struct \w+ \{\n(.*?)^\}", header, re.M | re.S):
            by_type: dict[str, list[str]] = defaultdict(list)
            for kind, names in re.findall(r"^ +([\w ]+?[ *]+)(\w+(?:, \w+)*);", body, re.M):
                by_type[kind.strip()] += names.split(", ")
            for names in by_type.values():
                for name in names:
                    found[name] += [other for other in names if other != name]
    return {name: sorted(set(others)) for name, others in found.items() if others}


def mutations(
    text: str, language: str, fields: Mapping[str, list[str]], seed: str
) -> list[Mutation]:
    """All small faults that the rules know for a text; where there is a choice, the seed and the line make
    it."""
    found = []
    is_comment = False
    for number, line in enumerate(text.split("\n")):
        is_comment = is_comment or line.lstrip().startswith("/*")
        if not is_comment and line[:1] == " " and not COMMENT.match(line):
            chance = random.Random(f"{seed} {line}")
            for rule, after in changes(line, language, fields, chance):
                found.append(Mutation(number, rule, line, after))
        if "*/" in line:
            is_comment = False
    return found


def changes(
    line: str, language: str, fields: Mapping[str, list[str]], chance: random.Random
) -> Iterator[tuple[str, str]]:
    """What rules make of a line of code, each with the rule's name."""
    words = [("comparison", TURNED), ("sign", SIGNS), ("logic", LOGIC[language])]
    for rule, table in words:
        for match in re.finditer(r"(?<= )\S+(?= )", code_of(line)):
            if match[0] in table:
                yield rule, spliced(line, match, table[match[0]])
    for match in re.finditer(r"\b\w+\b", code_of(line)):
        if match[0] in TRUTH:
            yield "truth", spliced(line, match, TRUTH[match[0]])
    for match in NUMBER.finditer(code_of(line)):
        yield "constant", spliced(line, match, str(int(match[0]) + chance.choice((1, -1))))
    if language == "c":
        for match in FIELD.finditer(code_of(line)):
            if match[0] in fields:
                yield "field", spliced(line, match, chance.choice(fields[match[0]]))
    if statement := STATEMENT[language].match(line):
        yield "statement", statement[1] + (";" if language == "c" else "pass")
    if (condition := CONDITION[language].match(line)) and is_balanced(condition[2]):
        negated = f"(!({condition[2]}))" if language == "c" else f"not ({condition[2]}):"
        yield "condition", condition[1] + negated + condition[3]


def code_of(line: str) -> str:
    """A line with blanks in place of texts and of a comment behind it."""
    blank = re.compile(r"\"(?:[^\"\\]|\\.)*\"|/\*.*|  # .*")
    return blank.sub(lambda match: "_" * len(match[0]), line)


def spliced(line: str, match: re.Match[str], other: str) -> str:
    return line[: match.start()] + other + line[match.end() :]


def is_balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0
