"""Builds programs of the engine's modules that run without Valgrind, on the stand-in host_vg.

    program = build(SANITIZED, "test_probe.c")

Objects and programs are kept in BUILD/tests-unit/; their names hold a digest of all that they depend on, so they are
never out of date.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cg2test import BUILD, HANG, SOURCE

ENGINE = SOURCE / "cg2"
UNIT = SOURCE / "tests" / "unit"
FUZZ = SOURCE / "tests" / "fuzz"
MODEL = SOURCE / "tests" / "model"
LIBRARY = SOURCE / "tools" / "libcg2profile"
STORE = BUILD / "tests-unit"

FLAGS = [
    "-std=gnu99", "-g", "-Wall", "-Wextra", "-Werror", "-fno-builtin", "-fno-strict-aliasing", "-DCG2_HOST",
    f"-I{UNIT}", f"-I{FUZZ}", f"-I{MODEL}", f"-I{ENGINE}",
]  # fmt: skip

# The flags with which Makefile.am compiles libcg2profile.
LIBRARY_FLAGS = [
    "-std=gnu11", "-D_GNU_SOURCE", "-g", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off",
    '-DCG2P_VERSION="0"', f"-I{LIBRARY}", f"-I{LIBRARY}/include", f"-I{FUZZ}",
]  # fmt: skip


@dataclass(frozen=True)
class Flavour:
    """A way of compiling."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    common: tuple[str, ...] = tuple(FLAGS)


ARM64 = Flavour("arm64", "gcc", ("-O1", "-DCG2_TEST_ARM64"))
SANITIZERS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)

PLAIN = Flavour("plain", "gcc", ("-O2",))
SANITIZED = Flavour("sanitized", "gcc", ("-O1", *SANITIZERS))
WORD32 = Flavour("word32", "gcc", ("-O2", "-m32"))
FUZZING = Flavour("fuzzing", "clang", ("-O1", "-fsanitize=fuzzer", *SANITIZERS))
ARM64_FUZZING = Flavour("arm64-fuzzing", "clang", (*FUZZING.flags, *ARM64.flags[1:]))
LIBRARY_FUZZING = Flavour("library-fuzzing", "clang", FUZZING.flags, tuple(LIBRARY_FLAGS))
LIBRARY_SANITIZED = Flavour("library-sanitized", "gcc", SANITIZED.flags, tuple(LIBRARY_FLAGS))


def build(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources`, the engine and the stand-in make."""
    common = [UNIT / "guest.c", UNIT / "host_vg.c"]
    return link(flavour, [*sources, *common, *engine_sources()])


def build_on_library(flavour: Flavour, *sources: Path) -> Path:
    """The program that `sources` and libcg2profile make."""
    return link(flavour, [*sources, *sorted(LIBRARY.rglob("*.c"))], "-lz", "-lzstd")


def link(flavour: Flavour, sources: Sequence[Path], *libraries: str) -> Path:
    objects = compile_all(flavour, sources)
    digest = hashlib.sha256("\0".join(path.name for path in objects).encode()).hexdigest()[:12]
    result = STORE / flavour.name / f"{sources[0].stem}-{digest}"
    if not result.exists():
        make(result, [flavour.compiler, *flavour.flags, *map(str, objects), *libraries, "-o"])
    return result


def engine_sources() -> list[Path]:
    """The modules that run without Valgrind."""
    return [path for path in sorted(ENGINE.rglob("*.c")) if not knows_valgrind(path)]


@functools.cache
def knows_valgrind(path: Path) -> bool:
    """Whether a file of the tool, or one that it includes, includes Valgrind's headers otherwise than by vg.h."""
    if path == ENGINE / "base" / "vg.h":
        return False
    headers = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
    return any(
        knows_valgrind(ENGINE / header)
        if (ENGINE / header).exists()
        else header.startswith(("pub_tool", "libvex"))
        for header in headers
    )


def compile_all(flavour: Flavour, sources: Sequence[Path]) -> list[Path]:
    """The objects of `sources`, compiled as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(functools.partial(compile_one, flavour), sources))


def compile_one(flavour: Flavour, source: Path) -> Path:
    command = [flavour.compiler, *flavour.flags, *flavour.common, "-c", str(source), "-o"]
    digest = hashlib.sha256("\0".join([*command, headers()]).encode() + source.read_bytes())
    name = "_".join(source.relative_to(SOURCE).with_suffix("").parts)
    result = STORE / flavour.name / f"{name}-{digest.hexdigest()[:12]}.o"
    if not result.exists():
        make(result, command)
    return result


@functools.cache
def headers() -> str:
    """A digest of all headers."""
    digest = hashlib.sha256()
    for directory in (ENGINE, UNIT, FUZZ, MODEL, LIBRARY):
        for path in sorted(directory.rglob("*.h")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def make(result: Path, command: Sequence[str]) -> None:
    """Run a command that ends in the name of its output; older results of the same name go."""
    result.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=result.parent) as scratch:
        fresh = Path(scratch) / result.name
        ended = subprocess.run([*command, str(fresh)], capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise AssertionError(f"{' '.join(command)} {result.name}: failed\n{ended.stderr}")
        stem = result.stem.rpartition("-")[0]
        for old in result.parent.glob(f"{stem}-*{result.suffix}"):
            if old.stem.rpartition("-")[0] == stem and old.suffix == result.suffix:
                old.unlink(missing_ok=True)
        fresh.rename(result)


def can_build(flavour: Flavour) -> str | None:
    """None, or why the flavour's compiler makes no programs here."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "empty.c"
        source.write_text(
            "int LLVMFuzzerTestOneInput(void);\nint LLVMFuzzerTestOneInput(void) { return 0; }\n"
        )
        if "-fsanitize=fuzzer" not in flavour.flags:
            source.write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
        command = [
            flavour.compiler,
            *flavour.flags,
            str(source),
            "-o",
            str(Path(scratch) / "empty"),
        ]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return f"{flavour.compiler} is not installed"
        if ended.returncode != 0:
            return f"{' '.join(command[:-3])} fails: {ended.stderr.strip().splitlines()[-1]}"
    return None


def run(command: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one of the programs. The engine frees little: leaks are looked for where `environment` asks for it."""
    fixed = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    return subprocess.run(
        [str(word) for word in command],
        env=fixed | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )
