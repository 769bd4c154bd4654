"""The rules that docs/design.md sets for the source: who includes whom, names, state, form."""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from cg2test import BUILD, SOURCE

DESIGN = (SOURCE / "docs" / "design.md").read_text()
TOOL = SOURCE / "cg2"
PACKAGES = SOURCE / "tools" / "cg2tools"
TESTS = SOURCE / "tests"
PUBLIC = TOOL / "cg2.h"  # for users' programs
ACCOUNT = TOOL / "engine" / "account.h"
SOURCES = sorted({*TOOL.rglob("*.c"), *TOOL.rglob("*.h")} - {PUBLIC})
HOST_TESTS = sorted(
    path for suite in ("unit", "fuzz", "model") for path in (TESTS / suite).glob("*.[ch]")
)
LIBRARY = sorted(path for path in SOURCE.glob("tools/libcg2*/*/*.[ch]"))
EXAMPLES = sorted((SOURCE / "docs").glob("*.c"))
ALL_C = [*SOURCES, *HOST_TESTS, *LIBRARY, *EXAMPLES]
COMMANDS = sorted(path for path in SOURCE.glob("tools/cg2_*") if path.is_file())
PYTHON = sorted(
    [
        *(path for top in ("tools", "tests", "packaging") for path in (SOURCE / top).rglob("*.py")),
        *COMMANDS,
    ]
)
COMMENTED = [
    *(PUBLIC, *ALL_C, *PYTHON, SOURCE / "bootstrap", SOURCE / "Makefile.am"),
    *(SOURCE / "packaging" / "action" / name for name in ("comment", "compare", "profile")),
    *(
        path
        for name in ("", "views")
        for path in (SOURCE / "tools" / "report" / name).glob("*.[cjm]*s")
    ),
    *(path for path in TESTS.rglob("programs/**/*.*") if path.suffix in (".c", ".cc", ".S", ".sh")),
]

# What Valgrind's macro VG_DETERMINE_INTERFACE_VERSION defines in main.
INTERFACE = re.compile(r"vg(Plain|Tool)_\w+")
LINES_MAX = 60  # of a function
# What collects garbage less often takes a sixth less time, and 70 MB more.
BLACK = (
    "import gc; gc.set_threshold(500_000, 50, 1000); from black import patched_main; patched_main()"
)
# Suites whose modules others import.
SHARED = ("lib", "unit", "compat", "tools", "library", "bench", "versions", "browser")
# How no comment begins: with a word for what stands above it.
REFERRING = (
    r"(?:Likewise|Of|Those|That|One|Its?|They|Them|These|This|Such|So|Another|Both|Others|As)\b"
)
REFERRING_COMMENT = {
    **dict.fromkeys((".c", ".cc", ".h", ".S", ".css"), rf"/\*[\s*-]*{REFERRING}"),
    **dict.fromkeys((".js", ".mjs", ".ts"), rf"(?:/\*[\s*-]*|(?:^|\s)//\s*){REFERRING}"),
    **dict.fromkeys(("", ".am", ".py", ".sh"), rf"(?:^|\s)# *{REFERRING}"),
}
WIDTH = 80
DESIGN_WORDS_MAX = 2500


def section(title: str) -> str:
    """The text below a heading of design.md, which may have a number before its title."""
    found = re.search(
        rf"^#+ (?:[\d.]+ )?{title}\n(.*?)(?=^#+ |\Z)", DESIGN, re.MULTILINE | re.DOTALL
    )
    assert found is not None, f"docs/design.md has no section {title}"
    return found[1]


# ------------------------------------------------------------ who includes whom


def rows() -> dict[str, str]:
    """The folders of cg2/ in the order of the table in design.md, and which files of each know Valgrind."""
    return dict(re.findall(r"^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$", section("Folders"), re.MULTILINE))


def folder(path: Path) -> str:
    return str(path.parent.relative_to(TOOL))


def included(path: Path) -> list[Path]:
    """The files of cg2/ that a file includes."""
    return [TOOL / header for header in includes(path) if (TOOL / header).exists()]


class Folders(unittest.TestCase):
    """The table of folders in design.md."""

    def test_table_is_complete(self) -> None:
        self.assertEqual(set(rows()), {folder(path) for path in SOURCES})

    def test_order(self) -> None:
        """A file includes files of its own folder and of folders above it in the table."""
        place = {name: number for number, name in enumerate(rows())}
        upward = []
        for path in SOURCES:
            for other in set(included(path)) - {PUBLIC}:
                if place[folder(other)] > place[folder(path)]:
                    upward.append(f"{path.relative_to(TOOL)} includes {other.relative_to(TOOL)}")
        self.assertEqual(upward, [])

    def test_no_cycle(self) -> None:
        """Taken as one, a header and its source include each other's in no cycle."""
        uses: dict[Path, set[Path]] = {}
        for path in SOURCES:
            others = {other.with_suffix("") for other in included(path)}
            uses.setdefault(path.with_suffix(""), set()).update(others - {path.with_suffix("")})
        self.assertEqual(in_circles(uses), [])

    def test_no_cycle_in_library(self) -> None:
        uses: dict[Path, set[Path]] = {}
        for path in LIBRARY:
            others = {path.parent / header for header in includes(path)} & set(LIBRARY)
            modules = {other.with_suffix("") for other in others}
            uses.setdefault(path.with_suffix(""), set()).update(modules - {path.with_suffix("")})
        self.assertEqual(in_circles(uses), [])

    def test_own_header_first(self) -> None:
        """A source includes its own header first, which so stands by itself."""
        for path in TOOL.rglob("*.c"):
            if path.with_suffix(".h").exists():
                self.assertEqual(includes(path)[0], str(path.with_suffix(".h").relative_to(TOOL)))

    def test_no_source_included(self) -> None:
        wrong = [
            path.name for path in SOURCES if any(header.endswith(".c") for header in includes(path))
        ]
        self.assertEqual(wrong, [])

    def test_valgrind(self) -> None:
        """The files that include Valgrind's headers are those that the table names."""
        for name, known in rows().items():
            files = {
                path.stem
                for path in SOURCES
                if folder(path) == name and any(map(is_valgrinds, includes(path)))
            }
            allowed = (
                {path.stem for path in SOURCES if folder(path) == name}
                if known.strip() == "all"
                else set(known.split())
            )
            self.assertEqual(files - allowed, set(), name)

    def test_guards(self) -> None:
        for path in {path for path in SOURCES if path.suffix == ".h"}:
            guard = f"CG2_{path.stem.upper()}_H"
            self.assertIn(f"#ifndef {guard}\n#define {guard}\n", path.read_text(), path.name)


def packages() -> dict[str, int]:
    """The packages of tools/cg2tools: their places in the table of the README there."""
    names = re.findall(r"^  (\w+)/ +\S", (PACKAGES / "README").read_text(), re.MULTILINE)
    return {name: number for number, name in enumerate(names)}


def imported(path: Path) -> list[Path]:
    """The modules of the packages that a module imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        found += [(SOURCE / "tools" / name.replace(".", "/")).with_suffix(".py") for name in names]
    return [module for module in found if module.exists()]


class Packages(unittest.TestCase):
    """The table of packages in tools/cg2tools/README."""

    def setUp(self) -> None:
        self.modules = sorted(PACKAGES.glob("*/*.py"))

    def test_table_is_complete(self) -> None:
        self.assertEqual(set(packages()), {path.parent.name for path in self.modules})

    def test_order(self) -> None:
        """A module imports modules of its own package and of packages above it in the table."""
        place = packages()
        upward = [
            f"{path.relative_to(PACKAGES)} imports {other.relative_to(PACKAGES)}"
            for path in self.modules
            for other in imported(path)
            if place[other.parent.name] > place[path.parent.name]
        ]
        self.assertEqual(upward, [])

    def test_no_cycle(self) -> None:
        uses = {path: set(imported(path)) - {path} for path in self.modules}
        self.assertGreater(sum(map(len, uses.values())), 100)
        self.assertEqual(in_circles(uses), [])


def in_circles(uses: dict[Path, set[Path]]) -> list[str]:
    """The modules that use each other in a circle, and those that use such modules."""
    while free := [module for module in uses if not uses[module] & uses.keys()]:
        for module in free:
            del uses[module]
    return sorted(map(str, uses))


# A processor's name as compilers and Valgrind have it, its instructions, and the size of a
# return address on the stack.
PROCESSOR = re.compile(
    r"""__(?:x86_64|i386|aarch64|arm|SSE\w*?|AVX\w*?)__ | \bVG[AP]_\w+ | \w*mmintrin
        | \b(?:__)?asm(?:__)?\b | [-+]\ sizeof\ ?\(Addr\)""",
    re.VERBOSE,
)


class Processors(unittest.TestCase):
    """What is known of processors is in cg2/arch/ alone."""

    def test_seam(self) -> None:
        """The names that symbols get for the linker are no instructions."""
        known = [
            f"{path.relative_to(TOOL)}: {found}"
            for path in SOURCES
            if folder(path) != "arch"
            for found in PROCESSOR.findall(without_comments(path))
            if (path.name, found) != ("wrap.h", "__asm__")
        ]
        self.assertEqual(known, [])


def without_comments(path: Path) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL)


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*["<](.*?)[">]', path.read_text(), re.MULTILINE)


def is_valgrinds(header: str) -> bool:
    return header.startswith(("pub_tool", "libvex", "valgrind/"))


# ------------------------------------------------------------ what the objects define


@functools.cache
def objects() -> dict[str, list[Path]]:
    """The objects that were built of each module, one for each platform; empty if nothing is built yet."""
    found: dict[str, list[Path]] = {}
    for path in sorted((BUILD / "cg2").rglob("*-*.o")):
        module = path.stem.partition("-")[2]
        if (TOOL / path.parent.relative_to(BUILD / "cg2") / f"{module}.c").exists():
            found.setdefault(module, []).append(path)
    return found


def defined(path: Path) -> list[tuple[str, str]]:
    """Kind (nm's letter) and name of each symbol that one of the objects defines."""
    return symbols()[str(path)]


@functools.cache
def symbols() -> dict[str, list[tuple[str, str]]]:
    """What each of the objects defines, as one run of nm says it."""
    found: dict[str, list[tuple[str, str]]] = {
        str(path): [] for paths in objects().values() for path in paths
    }
    ended = subprocess.run(
        ["nm", "--defined-only", "--print-file-name", *found],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in ended.stdout.splitlines():
        path, _, symbol = line.rpartition(":")
        _, kind, name = symbol.split()
        found[path].append((kind, name))
    return found


class Symbols(unittest.TestCase):
    """What the tool's objects define."""

    def setUp(self) -> None:
        self.objects = objects()
        if not self.objects:
            self.skipTest(f"no objects of the tool in {BUILD}: not built yet")

    def test_all_are_here(self) -> None:
        """Each module is built for each platform, but for repeatable runs, which amd64 alone has."""
        self.assertEqual(set(self.objects), {path.stem for path in TOOL.rglob("*.c")})
        some = {path.stem for path in (TOOL / "repeat").glob("*.c")} | {"kernelcall"}
        counts = {len(paths) for name, paths in self.objects.items() if name not in some}
        self.assertEqual(len(counts), 1, "platforms differ")

    def test_external_names(self) -> None:
        """libvex and libcoregrind export over a thousand names without a prefix."""
        foreign = []
        for module, paths in self.objects.items():
            for path in paths:
                for kind, name in defined(path):
                    known = (
                        name.startswith("cg2_")
                        or (module == "main" and INTERFACE.fullmatch(name))
                        or name.startswith("__wrap_")  # as base/wrap.h has it
                    )
                    if kind.isupper() and not known:
                        foreign.append(f"{path.name}: {name}")
        self.assertEqual(foreign, [])

    def test_mutable_objects(self) -> None:
        """Each has its reason beside its definition, and no reason is left of one that is gone.

        Sources for other processors define nothing here.
        """
        missing, left = [], []
        for module, path in {path.stem: path for path in TOOL.rglob("*.c")}.items():
            objects = mutable(self.objects[module])
            reasons = [paragraph for paragraph in paragraphs(path) if REASON.search(paragraph)]
            defined_here = [objects & words_defined(paragraph) for paragraph in reasons]
            missing += [f"{path.name}: {name}" for name in objects - set().union(*defined_here)]
            left += [
                f"{path.name}: {paragraph}"
                for paragraph, names in zip(reasons, defined_here)
                if not names and any(map(defined, self.objects[module]))
            ]
        self.assertEqual(missing, [], "mutable objects without a reason")
        self.assertEqual(left, [], "reasons without a mutable object")

    def test_reasons_in_headers(self) -> None:
        """Reasons stand where the objects are defined."""
        wrong = [path.name for path in TOOL.rglob("*.h") if REASON.search(path.read_text())]
        self.assertEqual(wrong, [])


REASON = re.compile(
    r"Reason[\s*]+for[\s*]+(?:a[\s*]+)?mutable[\s*]+file-scope[\s*]+objects?:[\s*]+\w"
)


def mutable(paths: list[Path]) -> set[str]:
    """The names of the mutable objects that a module's objects define."""
    found = set()
    for path in paths:
        for kind, name in defined(path):
            # A compiler numbers the objects of a function's own, and names the parts of others.
            if kind in "dDbBC" and not INTERFACE.fullmatch(name):
                found.add(re.sub(r"\.\w+(?:\.\d+)?$", "", name))
    return found


def paragraphs(path: Path) -> list[str]:
    """The text of a C file between empty lines, without the functions; static objects of functions for
    themselves."""
    text = re.sub(r"^{\n.*?^}\n", local_objects, path.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(
        r"^(?:typedef )?\w[^;()\n]*{\n.*?^}", joined, text, flags=re.MULTILINE | re.DOTALL
    )
    return text.split("\n\n")


def local_objects(body: re.Match[str]) -> str:
    """The static objects of a function, each with the comment above it."""
    found = re.findall(
        r"^ +(?:/\*(?:(?!\*/).)*\*/\s+)?static [^;]*;", body[0], re.MULTILINE | re.DOTALL
    )
    return "\n\n" + "\n\n".join(found) + "\n\n"


def joined(structure: re.Match[str]) -> str:
    """A structure without empty lines."""
    return structure[0].replace("\n\n", "\n")


def words_defined(paragraph: str) -> set[str]:
    """The words of a paragraph's definitions: without comments, members and values."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", paragraph, flags=re.DOTALL)
    while (inner := re.sub(r"{[^{}]*}", "", code)) != code:
        code = inner
    return set(re.findall(r"\w+", re.sub(r"\[[^\]]*\]|=[^;,]*", "", code)))


# ------------------------------------------------------------ who changes what

# What follows a field that is assigned to, or is the address that something is written to.
ASSIGNED = r"(?:\[[^\]]*\])?\s*(?:\+\+|--|[-+*/|&^]?=(?!=))"
TARGET = r"(?:cg2_cost_(?!is_zero)\w+|VG_\(mem(?:set|cpy|move)\))\s*\(\s*&?"


def code(path: Path) -> str:
    """A file of C without its comments."""
    return re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)


class Writers(unittest.TestCase):
    """Some records are changed by the functions of one file, or of one folder, only."""

    def test_account(self) -> None:
        """The equation at the head of account.h holds as nobody else changes an Account."""
        field = r"(?:\baccount(?:\.|->)|\ba->)(?:{})\b[\w.]*".format("|".join(account_fields()))
        write = re.compile(rf"{field}{ASSIGNED}|{TARGET}[\w.>-]*?{field}")
        found = [
            f"{path.name}: {match[0]}"
            for path in SOURCES
            if path.stem != "account"
            for match in write.finditer(code(path))
        ]
        self.assertEqual(found, [])

    def test_running_thread(self) -> None:
        """Outside engine/ no file writes a field of cg2_now."""
        field = r"\bcg2_now\.[\w.]*"
        write = re.compile(rf"{field}{ASSIGNED}|{TARGET}{field}")
        found = [
            f"{path.name}: {match[0]}"
            for path in SOURCES
            if folder(path) != "engine"
            for match in write.finditer(code(path))
        ]
        self.assertEqual(found, [])


def account_fields() -> list[str]:
    struct = re.search(r"typedef struct Account \{(.*?)\} Account;", code(ACCOUNT), re.DOTALL)
    assert struct is not None
    return re.findall(r"(\w+)[,;]", struct[1])


# ------------------------------------------------------------ form


def functions(path: Path) -> list[tuple[str, int]]:
    """Each function of a C file: where it is and the line before its body, and how many lines that has."""
    lines = path.read_text().splitlines()
    found = []
    start = 0
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start:
            found.append((f"{path.name}:{start}: {lines[start - 1]}", number - start - 1))
            start = 0
    return found


class Form(unittest.TestCase):
    def test_formatting(self) -> None:
        if not shutil.which("clang-format"):
            self.skipTest("clang-format is not installed (Debian: apt-get install clang-format)")
        command = [
            "clang-format",
            "--dry-run",
            "-Werror",
            *map(str, ALL_C),
        ]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=SOURCE, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr[:3000])

    def test_python_formatting(self) -> None:
        """All Python is as black leaves it, with the settings of pyproject.toml."""
        if not importlib.util.find_spec("black"):
            self.skipTest("black is not installed (Debian: apt-get install black)")
        config = f"--config={SOURCE / 'pyproject.toml'}"
        command = [sys.executable, "-c", BLACK, "--check", config, *map(str, PYTHON)]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=SOURCE, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr[:3000])

    def test_width(self) -> None:
        """Text that a user reads on lines as wide may be wider, as clang-format is told."""
        wide = []
        for path in ALL_C:
            is_formatted = True
            for number, line in enumerate(path.read_text().splitlines(), start=1):
                if "clang-format o" in line:
                    is_formatted = line.endswith("clang-format on */")
                if is_formatted and len(line) > WIDTH:
                    wide.append(f"{path.name}:{number}")
        self.assertEqual(wide, [])

    def test_comments_stand_alone(self) -> None:
        """A comment names its subject: it does not begin with a word for something above it."""
        wrong = []
        for path in COMMENTED:
            text = path.read_text()
            for found in re.finditer(REFERRING_COMMENT[path.suffix], text, re.MULTILINE):
                line = text.count("\n", 0, found.end()) + 1
                wrong.append(f"{path.relative_to(SOURCE)}:{line}: {found[0].strip()}")
        self.assertEqual(wrong, [])

    def test_docstrings_stand_alone(self) -> None:
        """A docstring can be read alone, as a comment can."""
        wrong = [
            f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value.value[:40]}"
            for path in PYTHON
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if re.match(REFERRING, str(node.value.value))
        ]
        self.assertEqual(wrong, [])

    def test_length_of_functions(self) -> None:
        """A function fits on a screen."""
        every = [function for path in ALL_C for function in functions(path)]
        self.assertGreater(len(every), 300)
        self.assertEqual([name for name, lines in every if lines > LINES_MAX], [])

    def test_white_space(self) -> None:
        """No tabs, no blanks at the end of a line, and each file ends with a line's end."""
        wrong = []
        for path in [*ALL_C, *PYTHON]:
            text = path.read_text()
            if (
                re.search(r"[ \t]$|\t|\r", text, re.MULTILINE)
                or not text.endswith("\n")
                or text.endswith("\n\n")
            ):
                wrong.append(str(path.relative_to(SOURCE)))
        self.assertEqual(wrong, [])

    def test_shell(self) -> None:
        """Every shell script is one that its shell can read."""
        scripts = [
            SOURCE / "bootstrap",
            SOURCE / ".ci" / "run",
            SOURCE / "debian" / "build",
            SOURCE / "packaging" / "valgrind",
            *SOURCE.glob("build-aux/*.in"),
            *TESTS.glob("**/*.sh"),
            *(SOURCE / "packaging" / "action" / name for name in ("comment", "compare", "profile")),
        ]
        for script in scripts:
            shell = re.match(r"#!\s*(?:/usr/bin/env )?(?:/bin/)?(sh|bash)\b", script.read_text())
            assert shell is not None, f"{script.name} does not name its shell"
            ended = subprocess.run(
                [shell[1], "-n", str(script)], capture_output=True, text=True, check=False
            )
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), script.name)

    def test_makefile(self) -> None:
        """Makefile.am lists every source that is built or installed."""
        listed = (SOURCE / "Makefile.am").read_text().split()
        sources = [*SOURCES, PUBLIC, *LIBRARY, *PACKAGES.rglob("*.py")]
        names = [str(path.relative_to(SOURCE)) for path in sources]
        self.assertEqual([name for name in names if name not in listed], [])

    def test_time_limits(self) -> None:
        """Limits of time are those of cg2test, HANG and PATIENCE, so that a loaded machine fails no test."""
        limit = re.compile(r"(?<!-)\b(timeout|TIMEOUT)\b[^=\n]*=\s*\d")
        wrong = [str(path) for path in TESTS.glob("**/*.py") if limit.search(path.read_text())]
        self.assertEqual(wrong, [])

    def test_python(self) -> None:
        """Every Python file compiles."""
        for path in PYTHON:
            compile(path.read_text(), str(path), "exec")


class Documents(unittest.TestCase):
    def test_design_is_short(self) -> None:
        """Somebody who comes new reads it in a quarter of an hour."""
        self.assertLessEqual(len(DESIGN.split()), DESIGN_WORDS_MAX)


class Typing(unittest.TestCase):
    """All Python is fully typed: mypy --strict has nothing to say. (tests/tools looks at the tools
    themselves.)"""

    def test_tests(self) -> None:
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed (Debian: apt-get install mypy)")
        folders = {path.parent for path in PYTHON if SOURCE / "tools" not in path.parents}
        groups = without_namesakes(sorted(folders))
        self.assertEqual({folder for group in groups for folder in group}, folders)
        for group in groups:
            with self.subTest([str(folder.relative_to(SOURCE)) for folder in group]):
                self.check_folders(group)

    def check_folders(self, folders: list[Path]) -> None:
        """The files of some suites, which find each other and the libraries of the tests."""
        found = [SOURCE / "tools", SOURCE / "packaging", *(TESTS / name for name in SHARED)]
        command = ["mypy", "--strict", f"--cache-dir={BUILD / 'tests-mypy' / 'tests'}"]
        ended = subprocess.run(
            [*command, *(str(path) for folder in folders for path in sorted(folder.glob("*.py")))],
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "MYPYPATH": ":".join(map(str, found))},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


def without_namesakes(folders: list[Path]) -> list[list[Path]]:
    """The folders in groups, as few as mypy can be given at once: no two files of a group have one name."""
    groups: list[tuple[list[Path], set[str]]] = []
    for folder in folders:
        names = {path.name for path in folder.glob("*.py")}
        for group, taken in groups:
            if not names & taken:
                group.append(folder)
                taken |= names
                break
        else:
            groups.append(([folder], names))
    return [group for group, _ in groups]


if __name__ == "__main__":
    unittest.main()
