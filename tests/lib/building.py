"""Builds cg2 anew, from what a release would hold: for the tests of the build itself."""

from __future__ import annotations

import fcntl
import functools
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cg2test import BUILD

HERE = BUILD / "tests-build"

# Where gcc or clang says so, a warning is an error.
STRICT = "CFLAGS=-g1 -O2 -Werror"


@dataclass(frozen=True)
class Ended:
    """A command that has ended."""

    status: int
    stdout: str
    stderr: str


def run(*command: str | Path, directory: Path = BUILD, **environment: str) -> Ended:
    """Run a command in `directory`, with `environment` added to ours."""
    # What a `make check` that we run under told its commands is not for ours.
    inherited = {
        k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    ended = subprocess.run(
        [str(word) for word in command],
        cwd=directory,
        env=inherited | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def must(*command: str | Path, directory: Path = BUILD, **environment: str) -> str:
    """Run a command that has to succeed; give its output."""
    ended = run(*command, directory=directory, **environment)
    if ended.status != 0:
        words = " ".join(map(str, command))
        raise AssertionError(f"{words}: exit status {ended.status}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


@contextmanager
def only_here(name: str) -> Iterator[None]:
    """Do what several modules need, which run side by side, in one of them at a time."""
    with (BUILD / f"tests-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def source() -> Path:
    """The sources as `make dist` packs them: a source tree that holds a build allows no other elsewhere.

    They are packed once in a run of tests.
    """
    name = "tests-source"
    made = BUILD / f"{name}.made"
    run_of_tests = os.environ.get("CG2_TEST_RUN", "")
    with only_here(name):
        if not made.exists() or made.read_text() != run_of_tests:
            shutil.rmtree(BUILD / name, ignore_errors=True)
            must("make", "distdir", f"distdir={name}")
            made.write_text(run_of_tests)
    return BUILD / name


# Builds that differ in their prefix, or in the Valgrind that they are for, have most objects in common:
# ccache keeps them, and an object is the same in whichever directory it is compiled.
CACHED = ["CC=ccache gcc"] if shutil.which("ccache") else []
CACHE = {"CCACHE_DIR": str(BUILD / "tests-ccache"), "CCACHE_BASEDIR": "/", "CCACHE_NOHASHDIR": "1"}


def build(directory: Path, *options: str) -> None:
    """Configure with `options` in `directory`, unless an earlier run did so, and build what has changed."""
    top = source()
    if not any(option.startswith(("CC=", "--host=")) for option in options):
        options = (*options, *CACHED)
    configured = directory / "configured-with"
    if not configured.exists() or configured.read_text() != repr(options):
        directory.mkdir(parents=True, exist_ok=True)
        configured.unlink(missing_ok=True)
        must(top / "configure", *options, directory=directory, **CACHE)
        configured.write_text(repr(options))
    must("make", f"-j{os.cpu_count() or 1}", directory=directory, **CACHE)


def makefile_variable(name: str) -> str:
    """The value of a variable of the build that is tested."""
    for line in (BUILD / "Makefile").read_text().splitlines():
        if line.startswith(f"{name} = "):
            return line.removeprefix(f"{name} = ")
    raise AssertionError(f"{BUILD}/Makefile has no {name}")


def valgrind_prefix() -> Path:
    return Path(makefile_variable("valgrind_prefix"))


@functools.cache
def built(name: str, *options: str) -> Path:
    """A build of its own, of the same Valgrind; a warning makes it fail."""
    directory = HERE / name
    with only_here("build"):
        build(directory, f"--with-valgrind={valgrind_prefix()}", *options, STRICT)
    return directory


PREFIX = HERE / "prefix"


def private() -> Path:
    """A build with a prefix of its own, which some install there, and others below DESTDIR."""
    return built("private", f"--prefix={PREFIX}")


def install(directory: Path, *variables: str) -> None:
    """Install a build; one test at a time, as several install the same."""
    with only_here("install"):
        must("make", "install", *variables, directory=directory)


def files(directory: Path) -> set[str]:
    """The names, relative to `directory`, of all files and links below it."""
    found = (path for path in directory.rglob("*") if path.is_symlink() or not path.is_dir())
    return {str(path.relative_to(directory)) for path in found}
