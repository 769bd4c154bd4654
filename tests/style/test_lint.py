"""What linters say of Python and shell, how wide lines are, and how much a class of Python has."""

from __future__ import annotations

import ast
import configparser
import io
import re
import shutil
import subprocess
import tokenize
import tomllib
import unittest
from collections.abc import Iterator
from pathlib import Path

try:
    from flake8.plugins.pyflakes import FLAKE8_PYFLAKES_CODES  # type: ignore[import]
    from pyflakes import checker  # type: ignore[import]
except ImportError:
    checker = None

from cg2test import SOURCE
from test_style import PYTHON

WIDTH = 110
BLACK = 100  # what black makes of code; texts may be as wide as all else
METHODS_MAX = 20  # of a class
FIELDS_MAX = 15

# Classes of cg2tools that have more, each with what it has: an entry goes when its class gets smaller.
LARGE: dict[str, str] = {}

TESTS, TOOLS = SOURCE / "tests", SOURCE / "tools"
PAGE = TOOLS / "report"
SCRIPTS = [
    *(SOURCE / name for name in ("bootstrap", ".ci/run", "debian/build", "packaging/valgrind")),
    *(SOURCE / "packaging" / "action" / name for name in ("comment", "compare", "profile")),
    *SOURCE.glob("build-aux/*.in"),
    *TESTS.rglob("*.sh"),
    PAGE / "bundle",
]
CODE = [
    *PYTHON,
    *SCRIPTS,
    *(path for kind in ("js", "mjs", "ts", "css", "html") for path in PAGE.rglob(f"*.{kind}")),
    *(TOOLS / "cg2tools").rglob("*.html"),
    *(TOOLS / "cg2tools").rglob("*.json"),
    *(path for path in TESTS.rglob("programs/**/*.*") if path.suffix in (".c", ".cc", ".h", ".S")),
    *(SOURCE / name for name in ("Makefile.am", "configure.ac")),
]
MADE = {"report.html"}  # by the build, of many lines as one


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


class Width(unittest.TestCase):
    def test_lines(self) -> None:
        """No line of code is wider than an editor's window, whatever language it is in."""
        self.assertGreater(len(CODE), 400)
        wide = [
            f"{named(path)}:{number}: {len(line)}"
            for path in CODE
            if path.name not in MADE and "node_modules" not in path.parts
            for number, line in enumerate(path.read_text().splitlines(), start=1)
            if len(line) > WIDTH
        ]
        self.assertEqual(wide, [])

    def test_editors(self) -> None:
        """What editors are told is what is checked: here, by clang-format and by black."""
        rules = configparser.ConfigParser()
        rules.read_string("[all]\n" + (SOURCE / ".editorconfig").read_text())
        widths = {name: rule.get("max_line_length") for name, rule in rules.items()}
        self.assertEqual(widths["*"], str(WIDTH))
        (limit,) = re.findall(r"^ColumnLimit: (\d+)$", (SOURCE / ".clang-format").read_text(), re.M)
        self.assertEqual(widths["*.{c,h,cc}"], limit)
        others = {name for name, width in widths.items() if width} - {"*", "*.{c,h,cc}"}
        self.assertEqual(others, set())
        black = tomllib.loads((SOURCE / "pyproject.toml").read_text())["tool"]["black"]
        self.assertEqual(black["line-length"], BLACK)


class Linters(unittest.TestCase):
    def test_python(self) -> None:
        """flake8's rules of pyflakes find nothing: no name that is unknown, unused or hidden."""
        if checker is None:
            self.skipTest("flake8 is not installed (Debian: apt-get install flake8)")
        wrong = faults(
            "import os  # noqa: F401, E402\nimport sys  # noqa: E402\nimport re\nx = y\n"
        )
        self.assertEqual([said.split()[0] for said in wrong], ["2:F401", "3:F401", "4:F821"])
        found = [f"{named(path)}:{said}" for path in PYTHON for said in faults(path.read_text())]
        self.assertEqual(found, [])

    def test_joined_literals(self) -> None:
        """Two literals of text on one line are one."""
        joined = [f"{named(path)}:{line}" for path in PYTHON for line in literals_joined(path)]
        self.assertEqual(joined, [])

    def test_shell(self) -> None:
        """shellcheck finds nothing in any script."""
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed (Debian: apt-get install shellcheck)")
        command = ["shellcheck", "--format=gcc", *map(str, SCRIPTS)]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=SOURCE, check=False)
        self.assertEqual((ended.returncode, ended.stdout + ended.stderr), (0, ""))


def faults(text: str) -> list[str]:
    """What flake8 says of Python by the rules of pyflakes; black makes the others superfluous."""
    lines = text.splitlines()
    found = []
    for said in checker.Checker(ast.parse(text)).messages:
        code = FLAKE8_PYFLAKES_CODES[type(said).__name__]
        excused = re.search(r"# noqa: ([\w, ]+)", lines[said.lineno - 1])
        if not excused or code not in re.split(r"[, ]+", excused[1]):
            found.append(f"{said.lineno}:{code} {said.message % said.message_args}")
    return sorted(found)


def literals_joined(path: Path) -> Iterator[int]:
    """The lines on which a literal of text follows another one."""
    before = None
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.STRING:
            if before is not None and before.end[0] == token.start[0]:
                yield token.start[0]
            before = token
        elif token.type not in (tokenize.NL, tokenize.COMMENT):
            before = None


class Classes(unittest.TestCase):
    """A class does one thing: it has few methods and few fields."""

    def test_size(self) -> None:
        found = dict(sized for path in (TOOLS / "cg2tools").rglob("*.py") for sized in large(path))
        self.assertEqual(found, LARGE)


def large(path: Path) -> Iterator[tuple[str, str]]:
    """The classes of a module that have too much, and what."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = sum(isinstance(member, ast.FunctionDef) for member in node.body)
        fields = len(fields_of(node))
        much = [f"{methods} methods"] if methods > METHODS_MAX else []
        much += [f"{fields} fields"] if fields > FIELDS_MAX else []
        if much:
            yield f"{path.relative_to(TOOLS / 'cg2tools')}: {node.name}", ", ".join(much)


def fields_of(node: ast.ClassDef) -> set[str]:
    """What a class declares, and what its methods give to self."""
    declared = {ast.unparse(one.target) for one in node.body if isinstance(one, ast.AnnAssign)}
    given = {
        target.attr
        for assignment in ast.walk(node)
        for target in targets_of(assignment)
        if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self"
    }
    return declared | given


def targets_of(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.AnnAssign):
        return [node.target]
    if not isinstance(node, ast.Assign):
        return []
    return [
        each
        for target in node.targets
        for each in (target.elts if isinstance(target, ast.Tuple) else [target])
    ]


if __name__ == "__main__":
    unittest.main()
