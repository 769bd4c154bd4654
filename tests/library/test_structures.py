"""The structures of the headers as Python has them, field by field, and what functions give."""

from __future__ import annotations

import ctypes
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from cg2test import SOURCE

from cg2tools.bindings import structures
from cg2tools.bindings.interface import DEBUG_RESULTS

HEADERS = [SOURCE / "tools" / name / "include" for name in ("libcg2profile", "libcg2debug")]
STRUCTURE = re.compile(r"typedef struct (cg2[pd]_\w+) \{(.*?)\n\} \1;", re.DOTALL)

# How a C compiler says the type of a scalar, by the letters that ctypes has for its types.
KIND = """\
#define KIND(x) _Generic((x), int: 'i', unsigned: 'I', int64_t: 'l', uint64_t: 'L', default: 'P')
"""


def declared() -> dict[str, list[str]]:
    """The structures of the headers that have fields there, each with the names of its fields."""
    texts = [path.read_text() for top in HEADERS for path in sorted(top.rglob("*.h"))]
    text = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)
    return {name: fields(body) for name, body in STRUCTURE.findall(text)}


def fields(body: str) -> list[str]:
    """The names in the body of a structure: behind them is the end, a comma or the length of an array."""
    body = re.sub(r"\(\*(\w+)\)\([^;]*\)", r"\1", body)
    return re.findall(r"(\w+)(?:\[[^\]]*\])?(?=[,;])", body)


def of_python() -> dict[str, Any]:
    found = vars(structures).items()
    return {name: kind for name, kind in found if re.match("cg2[pd]_", name)}


def letter(kind: Any) -> str:
    """The kind of a scalar as KIND says it; "": it is no scalar."""
    if issubclass(kind, (ctypes.Structure, ctypes.Array)):
        return ""
    letter = getattr(kind, "_type_", "P")
    return letter if isinstance(letter, str) and letter in "iIlL" else "P"


def layout_in_python() -> list[str]:
    lines = []
    for name, kind in of_python().items():
        lines.append(f"{name} {ctypes.sizeof(kind)}")
        for field, of in kind._fields_:
            at = getattr(kind, field)
            lines.append(f"{name}.{field} {at.offset} {at.size} {letter(of)}".rstrip())
    return lines


def layout_in_c() -> list[str]:
    """The same lines, as a compiler has the headers."""
    program = ['#include "cg2debug.h"', "#include <stdio.h>", KIND, "int main(void) {"]
    for name, kind in of_python().items():
        program.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, of in kind._fields_:
            at = f"offsetof({name}, {field}), sizeof((({name}*)0)->{field})"
            if letter(of):
                said = f'"{name}.{field} %zu %zu %c\\n", {at}, KIND((({name}*)0)->{field})'
            else:
                said = f'"{name}.{field} %zu %zu\\n", {at}'
            program.append(f"printf({said});")
    with tempfile.TemporaryDirectory() as directory:
        source, built = Path(directory) / "layout.c", Path(directory) / "layout"
        source.write_text("\n".join([*program, "}"]))
        includes = [f"-I{top}" for top in HEADERS]
        subprocess.run(["gcc", "-std=gnu11", *includes, "-o", built, source], check=True)
        ended = subprocess.run([built], capture_output=True, text=True, check=True)
    return ended.stdout.splitlines()


class Structures(unittest.TestCase):
    def test_all(self) -> None:
        """Python has each structure of the headers, with its fields in their order."""
        found = {name: [field for field, _ in kind._fields_] for name, kind in of_python().items()}
        self.assertGreater(len(found), 25)
        self.assertEqual(found, declared())

    def test_layout(self) -> None:
        """Each field has the place, size and kind that a compiler gives it."""
        self.assertEqual(layout_in_python(), layout_in_c())


class Results(unittest.TestCase):
    def test_debug(self) -> None:
        """What a function of libcg2debug gives is for Python what the header declares."""
        text = (HEADERS[1] / "cg2debug.h").read_text()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        results = {name: kind for kind, names in DEBUG_RESULTS for name in names.split()}
        declared = re.findall(r"\bCG2D_API\s+([^;]*?)\s*\b(cg2d_\w+)\(", text)
        self.assertGreater(len(declared), 5)
        for result, name in declared:
            with self.subTest(name):
                if result in ("void", "int"):
                    self.assertNotIn(name, results)
                elif result == "uint32_t":
                    self.assertIs(results[name], structures.U32)
                else:
                    item = re.sub(r"const |\*", "", result)
                    known = of_python().get(item) if item.startswith("cg2d") else None
                    self.assertIs(getattr(results[name], "_type_", None), known or "P")


if __name__ == "__main__":
    unittest.main()
