"""Every identifier, option and file that a document names is there.

An identifier is a word alone between backticks, or one with our prefix; it occurs in the source. An option is
known to a --help: the tool's, a command's, or a script's. A path that begins with a folder of ours, and in
pages about the source each name that ends as a file does, is a file.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import starts
from cg2test import HANG, IN_PLACE, SOURCE, TOOLS, VALGRIND, env
from cg2tools.door.commands import DOOR

READMES = sorted(
    path
    for folder in ("tests", "cg2", "packaging", "tools")
    for path in (SOURCE / folder).rglob("README")
    if "node_modules" not in path.parts
)
PAGES = sorted(SOURCE.glob("docs/**/*.md"))
DOCUMENTS = [SOURCE / "README", SOURCE / "NEWS", *PAGES, *READMES]
# Pages about the source; others name files of the reader's own, such as app.c.
INSIDE = [
    *READMES,
    *(
        SOURCE / "docs" / f"{name}.md"
        for name in ("decisions", "design", "measured", "simulator", "tour")
    ),
]

# Where a path may begin: the tree, the tool, the commands' library.
ROOTS = [SOURCE, SOURCE / "cg2", SOURCE / "tools" / "cg2tools"]
ENDS = ("c", "h", "S", "py", "md", "js", "ac", "am", "sh")

# Words that the source need not have: what programs, readers and other documents call things.
WORDS = {
    **dict.fromkeys(
        ("D8Kmw", "D8Ks16mr", "D8Kw8l32mr", "DL8Mmr", "DL8Mmw", "I8Kmr", "IL8Mmr"),
        "events that sweeps name",
    ),
    **dict.fromkeys(
        ("D1pw", "D2pr", "D2pw", "DLpw", "I2pr", "ILpr"),
        "events of machines, made of the names of their levels",
    ),
    "FN": "stands for a function's name",
    "GLIBC_TUNABLES": "read by libc",
    **dict.fromkeys(
        ("_dl_runtime_profile_avx", "la_pltenter", "la_pltexit"),
        "of the dynamic linker, for LD_AUDIT",
    ),
    "PMI_RANK": "set by MPICH",
    "SLURM_PROCID": "set by Slurm",
    "_Z5levell": "an example of a mangled name",
    "_dl_runtime_resolve_xsave": "of the dynamic linker",
    "__libc_start_call_main": "of libc",
    "lzma_alloc": "of xz",
    "pos_prev": "of xz",
    "pos_prev_2": "of xz",
    "prev_2": "of xz",
    "_init": "of libc",
    "execve": "of libc",
    "mountinfo": "a file of /proc",
    "vmaskmovps": "an instruction",
    "Iop_MullS8": "of libvex_ir.h",
    "Iop_MullU64": "of libvex_ir.h",
    "Iop_Mul8": "of libvex_ir.h",
    "Iop_Mul64": "of libvex_ir.h",
}

# Options of other programs, which have no --help here or are not installed everywhere.
OPTIONS = {
    "--array": "of sbatch",
    "--cflags": "of pkg-config",
    "--ct-verbose": "of Callgrind, where cg2 has none",
    "--emit-relocs": "of ld",
    "--profiler": "of create_llvm_prof",
    "--sample": "of llvm-profdata",
    "--disable-shared": "of xz's configure",
    "--disable-tcl": "of SQLite's configure",
    "--disable-threads": "of xz's configure",
    "--fast": "of the program in an example",
    "--libs": "of pkg-config",
    "--lzma2": "of xz",
    "--param": "of cc1",
    "--perf-basic-prof": "of node",
    "--pid": "of vgdb",
    "--prefix": "of configure",
    "--host": "of configure",
    "--scheduling-quantum": "of Valgrind, which does not show it",
    "--simulate-cache": "an older name, as of Callgrind's --cache-sim",
    "--trace-jump": "an older name, as of Callgrind's --collect-jumps",
    "--wrap": "of sbatch",
}

# Headers that are Valgrind's.
VALGRINDS = {"libvex_ir.h"}

# What looks like a path, and is none.
NO_PATHS = {name: "a quotient in a table" for name in ("cg2/none", "cg2/native")}


@cache
def words() -> frozenset[str]:
    """Every word of the source: all files that are no documents."""
    found: set[str] = set()
    for path in files():
        if path not in (*DOCUMENTS, Path(__file__)) and path.suffix not in (".md", ".1", ".3"):
            found.update(re.findall(r"\w+", path.read_text(errors="replace")))
            found.add(path.stem)
    return frozenset(found)


@cache
def files() -> tuple[Path, ...]:
    """The files of the source tree, without what was built."""
    folders = (
        "cg2",
        "tools",
        "tests",
        "docs",
        "build-aux",
        "packaging",
    )
    inside = [path for folder in folders for path in (SOURCE / folder).rglob("*")]
    return tuple(
        path
        for path in [*SOURCE.glob("*"), *inside]
        if path.is_file()
        and not {"node_modules", "__pycache__", ".deps"} & set(path.parts)
        and path.suffix not in (".o", ".d", ".pyc", ".log", ".status")
    )


@cache
def options() -> frozenset[str]:
    """Every option that a --help tells, or that a script of the tests takes."""
    told = [
        subprocess.run(command, capture_output=True, text=True, env=env(), check=False).stdout
        for command in (
            [VALGRIND, "--tool=cg2", "--help-debug"],
            [str(IN_PLACE / "bin" / "cg2"), "--help"],
        )
    ]
    # What the door has a command of its own for, it asks cg2_annotate.
    commands: list[list[str | Path]] = [[path] for path in TOOLS.glob("cg2_*")]
    commands += [[TOOLS / "cg2_annotate", f"--command={name}"] for name in DOOR]
    told += [
        starts.run([*words, "--help"], directory="/", limit=HANG, environment=env()).stdout
        for words in commands
    ]
    for path in (SOURCE / "tests").rglob("*.py"):
        told += re.findall(r'add_argument\(\s*"(--[\w-]+)"', path.read_text())
    for path in (SOURCE / "build-aux").glob("*.m4"):
        found = re.findall(r"AC_ARG_WITH\(\[([\w-]+)\]", path.read_text())
        told += [f"--with-{name}" for name in found]
    return frozenset(re.findall(r"--[a-zA-Z][\w-]*", "\n".join(told)))


def identifiers(text: str) -> Iterator[str]:
    yield from re.findall(r"(?<!`)`([A-Za-z_]\w*)(?:\(\))?`(?!`)", text)
    yield from re.findall(r"\b(?:cg2|CG2|CALLGRIND)_\w+", text)


def named_options(text: str) -> Iterator[str]:
    """Without the prefixes that name a tool."""
    text = re.sub(r"--(cg2|callgrind):", "--", text)
    yield from re.findall(r"(?<![\w-])--[a-zA-Z](?:[\w-]*\w)?", text)


def paths(text: str) -> Iterator[str]:
    """What begins with a folder of ours."""
    folders = sorted(path.name for root in ROOTS for path in root.glob("*/"))
    first = "|".join(re.escape(name) for name in folders)
    for found in re.findall(rf"(?<![\w./-])(?:{first})/[\w./*{{}},+-]*", text):
        yield found.rstrip(".,")


def is_path(root: Path, name: str) -> bool:
    """Whether there is such a file, folder, or module (translate/emit)."""
    return any(list(root.glob(name.rstrip("/") + end)) for end in ("", ".h"))


def file_names(text: str) -> Iterator[str]:
    ends = "|".join(ENDS)
    yield from re.findall(rf"(?<![\w./*-])[\w-]+\.(?:{ends})\b(?![./\w])", text)


class Names(unittest.TestCase):
    def each(self, documents: list[Path], find: object, is_known: object) -> None:
        assert callable(find) and callable(is_known)
        unknown = [
            f"{path.relative_to(SOURCE)}: {name}"
            for path in documents
            for name in sorted(set(find(path.read_text())))
            if not is_known(name)
        ]
        self.assertEqual(unknown, [], "\n".join(unknown))

    def test_identifiers(self) -> None:
        self.each(DOCUMENTS, identifiers, lambda name: name in words() or name in WORDS)

    def test_options(self) -> None:
        if not list(IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{IN_PLACE} has no cg2")
        known = options()
        self.each(
            DOCUMENTS,
            named_options,
            lambda name: name in known or name.removesuffix("N") in known or name in OPTIONS,
        )

    def test_paths(self) -> None:
        for document in DOCUMENTS:
            roots = [*ROOTS, document.parent]
            with self.subTest(str(document.relative_to(SOURCE))):
                self.each(
                    [document],
                    paths,
                    lambda name: name in NO_PATHS or any(is_path(root, name) for root in roots),
                )

    def test_exceptions(self) -> None:
        """Each exception is needed."""
        text = "\n".join(path.read_text() for path in DOCUMENTS)
        known = set(identifiers(text)) | set(named_options(text)) | set(paths(text))
        self.assertEqual({*WORDS, *OPTIONS, *NO_PATHS} - known, set())

    def test_files(self) -> None:
        names = {path.name for path in files()} | VALGRINDS
        self.each(INSIDE, file_names, lambda name: name in names)


class Callgrind(unittest.TestCase):
    """What the reference says of Callgrind's options."""

    def options_of(self, tool: str) -> set[str]:
        """The options that a tool tells, without their numbers: --fn-group of --fn-group<n>."""
        ended = subprocess.run(
            [VALGRIND, f"--tool={tool}", "--help-debug"],
            capture_output=True,
            text=True,
            env=env() if tool == "cg2" else None,
            check=False,
        )
        return set(re.findall(r"^ +(--[a-zA-Z][\w-]*)", ended.stdout, re.MULTILINE))

    def knows(self, option: str) -> bool:
        """Whether Callgrind takes an option that its help does not tell, with or without a number in its
        name."""
        answers = [
            subprocess.run(
                [
                    VALGRIND,
                    "--tool=callgrind",
                    f"{name}=1",
                    "--callgrind-out-file=/dev/null",
                    "true",
                ],
                capture_output=True,
                text=True,
                check=False,
            ).stderr
            for name in (option, f"{option}1")
        ]
        return any("Unknown option" not in answer for answer in answers)

    def test_own_options(self) -> None:
        """The reference names the options that Callgrind does not have, and no others."""
        theirs = self.options_of("callgrind")
        if not theirs or not list(IN_PLACE.glob("cg2-*")):
            self.skipTest("no Callgrind, or no cg2")
        reference = (SOURCE / "docs" / "reference" / "callgrind.md").read_text()
        listed = re.search(
            r"options that Callgrind does not have:\n(.*?)\nThe value `inherit`",
            reference,
            re.DOTALL,
        )
        assert listed is not None
        named = set(re.findall(r"`(--[\w-]+)`", listed[1]))
        own = self.options_of("cg2") - theirs
        self.assertEqual(named, {option for option in own if not self.knows(option)})

    def test_no_others(self) -> None:
        """Only options for debugging Callgrind itself are not cg2's."""
        left = self.options_of("callgrind") - self.options_of("cg2")
        self.assertEqual({option for option in left if not option.startswith("--ct-")}, set())


class Library(unittest.TestCase):
    """The man page of libcg2profile."""

    def setUp(self) -> None:
        page = (SOURCE / "docs" / "libcg2profile.3").read_text()
        self.text, self.example = page.split("\n.EX\n")
        headers = (SOURCE / "tools" / "libcg2profile" / "include" / "cg2profile").glob("*.h")
        self.headers = [path.read_text() for path in headers if path.stem != "common"]

    def test_named(self) -> None:
        """The headers have each function that the page names, of each section of them at least one."""
        named = set(re.findall(r"\bcg2p_\w+", self.text))
        self.assertGreater(len(self.headers), 10)
        for section in (
            part for text in self.headers for part in re.split(r"/\*--- .* -\*+/", text)
        ):
            declared = set(re.findall(r"\b(cg2p_\w+)\(", section))
            self.assertTrue(declared & named, f"none of {sorted(declared)}")
            named -= set(re.findall(r"\bcg2p_\w+", section))
        self.assertEqual(named, set())

    def test_example(self) -> None:
        """The page's example is docs/example.c."""
        shown = self.example.split(".EE\n")[0].replace("\\-", "-").replace("\\e", "\\")
        self.assertEqual(shown, (SOURCE / "docs" / "example.c").read_text())


class Folders(unittest.TestCase):
    def test_modules(self) -> None:
        """The README of each folder of the tool lists the modules that are in it."""
        tool = SOURCE / "cg2"
        for folder in sorted({path.parent for path in tool.rglob("*.h")} - {tool}):
            with self.subTest(str(folder.relative_to(SOURCE))):
                text = (folder / "README").read_text()
                listed = re.findall(r"^  (\w+)  +\S", text, re.MULTILINE)
                modules = {path.stem for path in folder.glob("*.[ch]")}
                self.assertEqual(sorted(listed), sorted(modules))

    def test_suites(self) -> None:
        """tests/README says what each suite proves."""
        tests = SOURCE / "tests"
        listed = re.findall(r"^  (\w+)  +\S", (tests / "README").read_text(), re.MULTILINE)
        suites = {path.parent.name for path in tests.glob("*/test_*.py")}
        self.assertEqual(suites - set(listed), set())


if __name__ == "__main__":
    unittest.main()
