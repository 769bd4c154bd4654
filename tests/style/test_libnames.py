"""The names in the libraries: a function of a header has the name of its file, and no two files have one
name."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2test import SOURCE

TREES = {
    SOURCE / "tools" / "libcg2profile": "cg2p",
    SOURCE / "tools" / "libcg2debug": "cg2d",
}
LEAST = 0.95
"""How many of the functions in headers have the name of their file."""

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
BODY = re.compile(r"\{[^{}]*\}")


def functions(header: Path, prefix: str) -> list[str]:
    """The functions that a header declares or defines, not those that they call."""
    text = COMMENT.sub("", header.read_text())
    text = re.sub(r"^#.*$|extern \"C\" \{", "", text, flags=re.MULTILINE)
    while (shorter := BODY.sub(";", text)) != text:
        text = shorter
    return re.findall(rf"\b({prefix}_\w+)\(", text)


def misnamed(folder: Path, prefix: str) -> tuple[list[str], int]:
    """The functions without the name of their file, each behind it; and how many functions there are."""
    wrong, count = [], 0
    for header in sorted(folder.rglob("*.h")):
        if header.stem in ("cg2profile", "cg2debug"):  # all of an interface
            continue
        for name in functions(header, prefix):
            count += 1
            if not name.startswith(f"{prefix}_{header.stem}_"):
                wrong.append(f"{header.relative_to(folder)}: {name}")
    return wrong, count


class Names(unittest.TestCase):
    def test_functions(self) -> None:
        for folder, prefix in TREES.items():
            wrong, count = misnamed(folder, prefix)
            with self.subTest(folder.name):
                self.assertGreater(count, 30)
                self.assertGreaterEqual(1 - len(wrong) / count, LEAST, "\n".join(wrong))

    def test_files(self) -> None:
        """A file has its name, but for the extension, for itself; include/ has names for the public side of
        modules."""
        for folder in TREES:
            modules: dict[str, set[Path]] = {}
            for path in folder.rglob("*.[ch]"):
                if "include" not in path.parts:
                    modules.setdefault(path.stem, set()).add(path.parent)
            with self.subTest(folder.name):
                self.assertEqual([name for name, where in modules.items() if len(where) > 1], [])


if __name__ == "__main__":
    unittest.main()
