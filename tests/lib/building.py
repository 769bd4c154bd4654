"""Builds cg2 anew, from what a release would hold: for the tests of the build itself."""

from __future__ import annotations

import fcntl
import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cg2test import BUILD, SOURCE
from groups import FLAGS, groups

HERE = BUILD / "tests-build"


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


# Builds have most objects in common: what ./bootstrap check builds, what differs in the prefix, and the
# libraries for each Valgrind. ccache keeps them; an object is the same in whichever copy of the sources it is
# compiled, if the flags are.
CACHED = ["CC=ccache gcc"] if shutil.which("ccache") else []
CACHE = {
    "CCACHE_CONFIGPATH": str(SOURCE / "tests" / "lib" / "ccache.conf"),
    "CCACHE_DIR": str(BUILD / "tests-ccache"),
    "LC_ALL": "C",
}

WARNING = re.compile(r"(?m)^\S+:\d+:(\d+:)? warning: ")


def prepare(directory: Path, *options: str) -> None:
    """Configure a copy of the sources with `options`, unless an earlier run did so."""
    directory.mkdir(parents=True, exist_ok=True)
    must("cp", "-a", "-u", f"{source()}/.", directory)
    configure(directory, directory, *options, *CACHED)


def configure(top: Path, directory: Path, *options: str) -> None:
    """Configure the sources in `top` in a directory, unless an earlier run did so with these options."""
    configured = directory / "configured-with"
    if not configured.exists() or configured.read_text() != repr(options):
        configured.unlink(missing_ok=True)
        must(top / "configure", *options, directory=directory, **CACHE)
        configured.write_text(repr(options))


def make(directory: Path, *words: str, **environment: str) -> None:
    """Build what has changed in a directory; a warning makes it fail, now and the next time.

    -Werror would do so, too, but would be another flag than those of the build that is tested.
    """
    jobs = f"-j{os.cpu_count() or 1}"
    ended = run("make", jobs, *words, directory=directory, **CACHE, **environment)
    if ended.status != 0 or WARNING.search(ended.stderr):
        (directory / "configured-with").unlink(missing_ok=True)
        raise AssertionError(f"make in {directory}:\n{ended.stdout}{ended.stderr}")


def tools_of(directory: Path) -> list[str]:
    """The tools that are built in a directory that is configured."""
    return re.findall(
        r"(?m)^am__append_\d+ = (cg2-\w+-linux)$", (directory / "Makefile").read_text()
    )


# How a build compiles groups of sources; what they include, the compiler notes beside their objects.
GROUP = """-include $(wildcard groups/*.d)
groups/{name}-%.o: groups/{name}-%.c
\t$(CC) {flags} -c -o $@ $<
"""
TOOL_FLAGS = "$(DEFS) $(AM_CPPFLAGS) $({name}_CFLAGS) $(CFLAGS)"
LIBRARY_FLAGS = "$(CFLAGS) $(library_flags) -MMD -MP"
DEBUG_FLAGS = (
    " $(demangler_flags) -I$(srcdir)/tools/libcg2debug -I$(srcdir)/tools/libcg2debug/include"
)
SOURCES_OF = "sources-of-%: ; @echo $(abs_top_srcdir) $(filter %.c,$($*))"


def make_tools(directory: Path, *variables: str, flags: str, **environment: str) -> None:
    """Build the tools of a directory with flags that no other build has: quickly, and past the cache.

    What is made there later takes them as they are, by `made_tools`.
    """
    for tool in tools_of(directory):
        name = tool.replace("-", "_")
        words = grouped(directory, name, TOOL_FLAGS.format(name=name), "SOURCES", "OBJECTS")
        together = " ".join((flags, *FLAGS))
        make(directory, *words, *variables, f"CFLAGS={together}", tool, **environment)


def grouped_libraries(directory: Path) -> list[str]:
    """Words that tell make to compile the libraries in groups."""
    names = {"libcg2profile": LIBRARY_FLAGS, "libcg2debug": LIBRARY_FLAGS + DEBUG_FLAGS}
    found = (grouped(directory, name, flags, "sources", "objects") for name, flags in names.items())
    return [word for words in found for word in words]


def grouped(directory: Path, name: str, flags: str, sources: str, objects: str) -> list[str]:
    """Words that tell make to compile what a variable of it names in groups, which another is to name."""
    (directory / "groups").mkdir(exist_ok=True)
    made = write_groups(directory, name, f"{name}_{sources}")
    paths = " ".join(str(path.with_suffix(".o")) for path in made)
    return [f"--eval={GROUP.format(name=name, flags=flags)}", f"{name}_{objects}={paths}"]


def write_groups(directory: Path, name: str, variable: str) -> list[Path]:
    """Write a file for each group of the sources that a variable names, if it is not there; give the files'
    names."""
    must("make", "-s", "Makefile", directory=directory)  # else make may say that it makes it anew
    asked = must(
        "make", "-s", f"--eval={SOURCES_OF}", f"sources-of-{variable}", directory=directory
    )
    top, *paths = asked.split()
    sources = [Path(top, path) for path in paths]
    trees = {Path(path).parts[0] for path in paths}
    headers = [path for tree in trees for path in Path(top, tree).rglob("*.h")]
    found = []
    for number, group in enumerate(groups(sources, headers)):
        found.append(Path("groups", f"{name}-{number}.c"))
        text = "".join(f'#include "{source}"\n' for source in group)
        path = directory / found[-1]
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return found


def made_tools(directory: Path) -> list[str]:
    """Words that tell make to leave the tools of a directory as `make_tools` has made them."""
    return [f"--old-file={tool}" for tool in tools_of(directory)]


def take_libraries(directory: Path) -> None:
    """Take the libraries' objects from the build that is tested: no Valgrind has to do with them."""
    if (BUILD / ".libraries").exists():
        # The copies are newer than the sources, and than what configure has made.
        must("cp", "-R", BUILD / ".libraries", directory)


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
    """A build of its own, of the same Valgrind."""
    directory = HERE / name
    with only_here("build"):
        prepare(directory, f"--with-valgrind={valgrind_prefix()}", *options)
        make(directory)
    return directory


@functools.cache
def built_by_clang() -> Path:
    """A build by clang, in a directory elsewhere than the sources.

    The warnings, the linking and the tool's counts are the same at each level; what clang makes of the
    modules that it optimises, suites unit and fuzz run. At full size it is what users build.
    """
    directory = HERE / "clang"
    level = "-O2" if os.environ.get("CG2_FULL") == "1" else "-O0"
    with only_here("build-by-clang"):
        directory.mkdir(parents=True, exist_ok=True)
        configure(source(), directory, f"--with-valgrind={valgrind_prefix()}", "CC=clang")
        make_tools(directory, flags=level)
        libraries = grouped_libraries(directory) if level == "-O0" else []
        make(directory, *libraries, *made_tools(directory), f"CFLAGS={level}", "all")
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
