"""Builds programs of the engine's modules that run without Valgrind, on the stand-in host_vg.

    program = build(SANITIZED, UNIT / "test_probe.c", UNIT / "check.c", UNIT / "programs.c")
    run([program, "test_probe"])

Objects and programs are kept in BUILD/tests-unit/. The name of an object holds a digest of the command that
compiles it, of its source and of every file that the source includes; the name of a program one of its
objects, and so does that of an archive, in which the engine is, or a library. So they are never out of date,
and a change of a header compiles anew what includes it, and nothing else.

What is in an archive is compiled in groups, as groups.py says, but for what is optimised as users have it.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from building import only_here
from cg2test import BUILD, HANG, SOURCE
from groups import groups

ENGINE = SOURCE / "cg2"
UNIT = SOURCE / "tests" / "unit"
FUZZ = SOURCE / "tests" / "fuzz"
MODEL = SOURCE / "tests" / "model"
LIBRARY = SOURCE / "tools" / "libcg2profile"
DEBUG = SOURCE / "tools" / "libcg2debug"
STORE = BUILD / "tests-unit"

FLAGS = [
    "-std=gnu99", "-g1", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-fno-strict-aliasing", "-DCG2_HOST",
    f"-I{UNIT}", f"-I{FUZZ}", f"-I{MODEL}", f"-I{ENGINE}",
]  # fmt: skip

# The flags with which Makefile.am compiles the libraries. Both find their headers by them: programs of both
# share objects. There is no libiberty: the system's C++ library demangles names.
LIBRARY_FLAGS = [
    "-std=gnu11", "-D_GNU_SOURCE", "-g1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
    '-DCG2P_VERSION="0"', f"-I{LIBRARY}", f"-I{LIBRARY}/include", f"-I{ENGINE}",
    f"-I{FUZZ}", f"-I{DEBUG}", f"-I{DEBUG}/include",
]  # fmt: skip

FULL = os.environ.get("CG2_FULL") == "1"

# What runs so long under sanitizers that checks in its code, without a call, save more than they cost.
WALKS = LIBRARY / "cycles"

# What computes much. All else takes longer to be optimised than to run: most of the libraries, too, unless
# fuzzers run for minutes.
BUSY = (
    *(UNIT / name for name in ("test_allocations.c", "test_model.c", "host_vg.c", "guest.c")),
    *(ENGINE / name for name in ("base", "code", "engine", "model", "data/heap/allocations.c")),
    *(LIBRARY / name for name in ("base", "cycles", "profile", "read")),
    *(MODEL, FUZZ),
    *((LIBRARY, DEBUG) if FULL else ()),
)

# The one that takes two thirds of the time, where it is there.
LINKER = ("-fuse-ld=gold",) if shutil.which("ld.gold") else ()

MOST = 16  # sources of a group: where one has changed, all are compiled anew

RESULT = "RESULT"  # in a command: the file that it makes


@dataclass(frozen=True)
class Flavour:
    """A way of compiling and linking."""

    name: str  # flavours of the same name share objects
    compiler: str
    flags: tuple[str, ...]
    common: tuple[str, ...] = tuple(FLAGS)
    defined: str = ""  # a macro that files which mention it are compiled with
    unwatched: tuple[str, ...] = ()  # flags of references in place of the others, if there are any
    linked: tuple[str, ...] = ()  # flags for the linker besides


# A check of an access is a call: half of the code, and a third less to compile.
SHORTER = ("-mllvm", "-asan-instrumentation-with-call-threshold=0")
# What libFuzzer learns from: edges and, where it has minutes, the operands of comparisons. In a thousand runs
# it learns nothing of operands, and to note them takes up to half of a program's time.
COVERAGE = (
    "-fsanitize=fuzzer-no-link" if FULL else "-fsanitize-coverage=inline-8bit-counters,pc-table"
)
# The coverage that libFuzzer needs changes nothing that the others do: one set of objects serves all
# programs.
SANITIZERS = (
    COVERAGE,
    "-fsanitize=address,undefined",
    *SHORTER,
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
FUZZER = ("-fsanitize=fuzzer",)

PLAIN = Flavour("plain", "gcc", ("-O2",))
# What gcc makes of the modules when it optimises more, PLAIN runs.
WORD32 = Flavour("word32", "gcc", ("-O2" if FULL else "-O1", "-m32"))
# What results are compared with is slow by design, and not what is tested.
SANITIZED = Flavour("sanitized", "clang", ("-O1", *SANITIZERS), unwatched=("-O2",))
ARM64 = replace(SANITIZED, defined="CG2_TEST_ARM64")
FUZZING = replace(SANITIZED, linked=FUZZER)
ARM64_FUZZING = replace(ARM64, linked=FUZZER)
LIBRARY_SANITIZED = replace(SANITIZED, name="library-sanitized", common=tuple(LIBRARY_FLAGS))
LIBRARY_FUZZING = replace(LIBRARY_SANITIZED, linked=FUZZER)


def build(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources`, the engine and the stand-in make."""
    common = [UNIT / "guest.c", UNIT / "host_vg.c"]
    return link(flavour, [*sources, *common], [archive(flavour, engine_sources())])


def build_alone(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources` and the stand-in make with no more of the engine than they need: where
    little of it is used, a flavour costs little."""
    own = [*sources, UNIT / "host_vg.c"]
    return link(flavour, own, [archive(flavour, modules_of(own))])


def modules_of(sources: Sequence[Path]) -> list[Path]:
    """The engine's modules whose headers `sources` include, or other such modules: of cpu.h, cpu.c and
    cpu_arm64.c are."""
    modules: dict[Path, set[Path]] = {}  # of each header
    for path in engine_sources():
        for stem in {path.stem, path.stem.partition("_")[0]}:
            modules.setdefault(path.with_name(f"{stem}.h"), set()).add(path)
    found: set[Path] = set()
    new = set(sources)
    while new:
        files = {file for source in new for file in files_of(source, folders(FLAGS))}
        new = set().union(*(modules.get(file, set()) for file in files)) - found
        found |= new
    return sorted(found)


def build_on_library(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources` and libcg2profile make."""
    return link(flavour, sources, [archive(flavour, sources_of_library())], "-lz", "-lzstd")


def sources_of_library() -> list[Path]:
    return [ENGINE / "base" / "shorten.c", *sorted(LIBRARY.rglob("*.c"))]


def build_on_debug(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources` and libcg2debug make."""
    libraries = ("-lz", "-lzstd", "-ldw", "-lelf", "-lcapstone", "-lstdc++")
    parts = (sorted(DEBUG.rglob("*.c")), sources_of_library())
    return link(flavour, sources, [archive(flavour, part) for part in parts], *libraries)


def link(flavour: Flavour, own: Sequence[Path], others: Sequence[Path], *libraries: str) -> Path:
    """The program of its own sources, and of other objects or an archive of them."""
    objects = [*compile_all(flavour, own), *others]
    words = [
        flavour.compiler,
        *flavour.flags,
        *flavour.linked,
        *LINKER,
        *map(str, objects),
        *libraries,
    ]
    name = own[0].stem + (f"-{flavour.defined}" if flavour.defined else "")
    result = STORE / flavour.name / f"{name}-{digest_of(words)}"
    if not result.exists():
        make(result, [*words, "-o", RESULT])
    return result


def archive(flavour: Flavour, sources: Sequence[Path]) -> Path:
    """The objects of `sources` in one file, which a linker reads in half the time."""
    objects = compile_units(flavour, units_of(flavour, sources))
    words = [*map(str, objects)]
    kind = objects[0].stem.rpartition("-")[0] + (f"-{flavour.defined}" if flavour.defined else "")
    result = STORE / flavour.name / f"{kind}-{digest_of(words)}.a"
    with only_here(f"unit-{flavour.name}"):
        if not result.exists():
            make(result, ["ar", "rcsD", RESULT, *words])
    return result


def engine_sources() -> list[Path]:
    """The modules that run without Valgrind."""
    return [path for path in sorted(ENGINE.rglob("*.c")) if not knows_valgrind(path)]


@functools.cache
def knows_valgrind(path: Path) -> bool:
    """Whether a file of the tool, or one that it includes, includes Valgrind's headers otherwise than by
    vg.h."""
    if path == ENGINE / "base" / "vg.h":
        return False
    headers = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
    return any(
        knows_valgrind(ENGINE / header)
        if (ENGINE / header).exists()
        else header.startswith(("pub_tool", "libvex"))
        for header in headers
    )


@dataclass(frozen=True)
class Unit:
    """What a compiler takes at once."""

    name: str  # of the object, without a digest
    words: tuple[str, ...]  # the command, without its files
    file: Path


def unit_of(flavour: Flavour, source: Path) -> Unit:
    """A source alone."""
    is_reference = source.name.startswith("reference")
    flags = flavour.unwatched if is_reference and flavour.unwatched else flavour.flags
    if source.is_relative_to(WALKS):
        flags = tuple(flag for flag in flags if flag not in SHORTER)
    words = [flavour.compiler, *flags, *flavour.common]
    name = "_".join(source.relative_to(SOURCE).with_suffix("").parts)
    if flavour.defined and mentions(flavour.defined, source, folders(words)):
        words.append(f"-D{flavour.defined}")
        name += f"-{flavour.defined}"
    if source.parent == UNIT and source.name.startswith("test_"):
        # The program has many mains: see check.h.
        words += [f'-DCHECK_PROGRAM="{source.stem}"', f"-Dmain=main_of_{source.stem}"]
    if not is_busy(source):
        words.append("-O0")
    return Unit(name, tuple(words), source)


def units_of(flavour: Flavour, sources: Sequence[Path]) -> list[Unit]:
    """Groups of the sources; each is compiled by one command, and of all that mention a macro that a flavour
    defines, or of none, so that flavours share what they can. What is optimised as users have it is alone.
    """
    found = []
    alike: dict[tuple[tuple[str, ...], bool], list[Unit]] = {}
    for unit in (unit_of(flavour, source) for source in sources):
        if "-O2" in unit.words and "-O0" not in unit.words:
            found.append(unit)
        else:
            is_special = mentions(ARM64.defined, unit.file, folders(unit.words))
            alike.setdefault((unit.words, is_special), []).append(unit)
    for units in alike.values():
        of_file = {unit.file: unit for unit in units}
        for members in groups(list(of_file), headers(), MOST):
            found.append(together([of_file[member] for member in members]))
    return found


@functools.cache
def headers() -> tuple[Path, ...]:
    return tuple(path for top in (ENGINE, LIBRARY, DEBUG) for path in top.rglob("*.h"))


def together(units: Sequence[Unit]) -> Unit:
    """A unit that includes the files of others; of one alone, that one."""
    if len(units) == 1:
        return units[0]
    text = "".join(f'#include "{unit.file}"\n' for unit in units)
    file = STORE / "groups" / f"{units[0].file.stem}-{digest_of([text])}.c"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.write_text(text)
        fresh.rename(file)
    return replace(units[0], name=f"{units[0].name}-group", file=file)


def compile_all(flavour: Flavour, sources: Sequence[Path]) -> list[Path]:
    """The objects of `sources`, one of each."""
    return compile_units(flavour, [unit_of(flavour, source) for source in sources])


def compile_units(flavour: Flavour, units: Sequence[Unit]) -> list[Path]:
    """The objects of units, compiled as many at a time as there are processors.

    Whoever needs objects of the flavour at the same time waits for them, and does not compile them once more.
    """
    with only_here(f"unit-{flavour.name}"), ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(functools.partial(compile_one, STORE / flavour.name), units))


@functools.cache
def compile_one(directory: Path, unit: Unit) -> Path:
    command = [*unit.words, "-c", str(unit.file)]
    digest = digest_of([*command, *map(text_of, files_of(unit.file, folders(unit.words)))])
    result = directory / f"{unit.name}-{digest}.o"
    if not result.exists():
        make(result, [*command, "-o", RESULT])
    return result


def is_busy(source: Path) -> bool:
    return any(source.is_relative_to(busy) for busy in BUSY)


def digest_of(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:12]


# ------------------------------------------------------------ what a source includes


def folders(command: Iterable[str]) -> tuple[Path, ...]:
    """Where a compiler's command has included files looked for."""
    return tuple(Path(word[2:]) for word in command if word.startswith("-I"))


def mentions(macro: str, source: Path, folders: tuple[Path, ...]) -> bool:
    """Whether a source, or a file of the project that it includes, mentions a macro."""
    return any(macro in text_of(path) for path in files_of(source, folders))


@functools.cache
def files_of(source: Path, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """A source, and every file of the project that it includes, directly or not, under whatever condition."""
    found = {source}
    new = [source]
    while new:
        new = [path for path in included(new.pop(), folders) if path not in found] + new
        found.update(new)
    return tuple(sorted(found))


@functools.cache
def included(file: Path, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    """The files of the project that `file` itself includes."""
    names = re.findall(r'^[ \t]*#[ \t]*include[ \t]+"(.*)"', text_of(file), re.MULTILINE)
    places = (file.parent, *folders)
    found = (first(folder / name for folder in places) for name in names)
    return tuple(path.resolve() for path in found if path)


def first(paths: Iterable[Path]) -> Path | None:
    """The first of them that is there."""
    return next((path for path in paths if path.is_file()), None)


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text()


# ------------------------------------------------------------ commands


def make(result: Path, command: Sequence[str]) -> None:
    """Run a command that makes RESULT; older results of the same name go."""
    result.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=result.parent) as scratch:
        fresh = Path(scratch) / result.name
        words = [str(fresh) if word == RESULT else word for word in command]
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: failed\n{ended.stderr}")
        stem = result.stem.rpartition("-")[0]
        for old in result.parent.glob(f"{stem}-*{result.suffix}"):
            if old.stem.rpartition("-")[0] == stem and old.suffix == result.suffix:
                old.unlink(missing_ok=True)
        fresh.rename(result)


@functools.cache
def can_build(flavour: Flavour) -> str | None:
    """None, or why the flavour's compiler makes no programs that run here. That it did is noted in STORE."""
    text = "#include <stdio.h>\nint main(void) { return 0; }\n"
    if flavour.linked == FUZZER:
        name = "int LLVMFuzzerTestOneInput(void)"
        text = f"{name};\n{name} {{ return 0; }}\n"
    compiler = shutil.which(flavour.compiler)
    if not compiler:
        return f"{flavour.compiler} is not installed"
    words = [compiler, *flavour.flags, *flavour.linked]
    noted = STORE / f"works-{digest_of([*words, text])}"
    if noted.exists():
        return None
    with tempfile.TemporaryDirectory() as scratch:
        source, program = Path(scratch) / "empty.c", str(Path(scratch) / "empty")
        source.write_text(text)
        command = [*words, str(source), "-o", program]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            return f"{' '.join(words)} fails: {ended.stderr.strip().splitlines()[-1]}"
        try:
            subprocess.run([program, "-runs=0"], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            return f"what {' '.join(words)} makes does not run here: {error}"
    STORE.mkdir(parents=True, exist_ok=True)
    noted.touch()
    return None


def run(
    command: Sequence[str | Path], longest: int = HANG, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run one of the programs, for `longest` seconds at most. All memory that is asked for is full of
    something.

    The engine frees little: leaks are looked for where `environment` asks for it.
    """
    wanted = environment.pop("ASAN_OPTIONS", "detect_leaks=0")
    fixed = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "ASAN_OPTIONS": f"max_malloc_fill_size={1 << 30}:{wanted}",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return subprocess.run(
        [str(word) for word in command],
        env=fixed | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=longest,
        check=False,
    )
