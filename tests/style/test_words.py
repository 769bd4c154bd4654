"""A word of the glossary in docs/design.md says one thing: its verbs name functions of the engine only."""

from __future__ import annotations

import re
import unittest

from cg2test import SOURCE

TOOL = SOURCE / "cg2"
VERBS = r"settles?|settled|lands?|landed|arrives?|arrived|arrival|classify|classifies|put_aside|puts_aside"
# A name in front of its arguments: of a function that is defined, declared or called.
NAMED = re.compile(rf"\b(?:\w+_)?(?:{VERBS})(?:_\w+)?(?=\()")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# What the engine shows of itself begins so.
ENGINES = re.compile(r"cg2_(?:arrival|callee|fibers|handlers|plain|probe|stack|thread|threads)_")


def misused(text: str) -> list[str]:
    """The functions of a file outside the engine that have a verb of the engine in their names."""
    return [name for name in NAMED.findall(COMMENT.sub("", text)) if not ENGINES.match(name)]


class Verbs(unittest.TestCase):
    def test_misused(self) -> None:
        self.assertEqual(misused("x = level_is_settled(y); /* settle(x) */"), ["level_is_settled"])
        self.assertEqual(misused("land(a); island(b); cg2_thread_has_arrived();"), ["land"])

    def test_tool(self) -> None:
        wrong = [
            f"{path.relative_to(TOOL)}: {name}"
            for path in sorted(TOOL.rglob("*.[ch]"))
            if path.parent != TOOL / "engine"
            for name in misused(path.read_text())
        ]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
