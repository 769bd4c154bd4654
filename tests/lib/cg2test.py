"""What every test of cg2 stands on: where things are, compiling a program, running it under the tool.

The environment says where things are:

  CG2_BUILD      the build directory, which holds .in_place (default: the source tree, else its build/)
  CG2_VALGRIND   the valgrind program to run (default: valgrind)
  CG2_TEST_TOOL  the tool to test (default: cg2); `callgrind` shows what stock Callgrind makes of a test
  CG2_EMULATOR   the command that runs a compiled program where the processor is another (default: none)
  CG2_TEST_TWIN  options with which each program runs once more, and must do the same: see twins.py
  CG2_STATIC     0: no program is linked statically that does not ask for it (default at full size)

Runs are made repeatable: no address space randomisation, a fixed small environment, fixed hash seeds.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def _build_directory() -> Path:
    """The directory `make` ran in: CG2_BUILD, else the source tree or its build/, whichever has .in_place."""
    named = os.environ.get("CG2_BUILD")
    if named:
        return Path(named).resolve()
    if (SOURCE / ".in_place").is_dir():
        return SOURCE
    return SOURCE / "build"


BUILD = _build_directory()
IN_PLACE = BUILD / ".in_place"
AS_CALLGRIND = BUILD / ".as_callgrind"  # where --tool=callgrind is cg2; bin/valgrind uses it
TOOLS = BUILD / "tools"  # the commands, which find the library of this build
PROGRAMS = SOURCE / "tests" / "programs"
PUBLIC = SOURCE / "cg2" / "cg2.h"  # what programs include that steer the tool
VALGRIND = os.environ.get("CG2_VALGRIND", "valgrind")
TOOL = os.environ.get("CG2_TEST_TOOL", "cg2")
EMULATOR = os.environ.get("CG2_EMULATOR", "").split()
MORE_OPTIONS = os.environ.get("CG2_TEST_OPTIONS", "").split()  # of the tool, in each run

_STATIC = os.environ.get("CG2_STATIC", "0" if os.environ.get("CG2_FULL") == "1" else "1") == "1"

# The processor of the programs that tests compile, as uname says it.
MACHINE = "aarch64" if (IN_PLACE / "cg2-arm64-linux").exists() else platform.machine()

# Flags of a C++ program whose library Valgrind need not read whole at each start.
STATIC_CXX = ["-static-libstdc++", "-static-libgcc"]

# Seconds after which a test is taken to hang. A limit of time ends what would never end, and judges no
# speed: it is more than ten times what the longest test takes where others run beside it.
HANG = 7200 if os.environ.get("CG2_FULL") == "1" else 1200
# Seconds after which a page, a window or a shell is taken not to show what a test waits for. A test that
# fails takes that long.
PATIENCE = 200

if str(TOOLS) not in sys.path:
    sys.path.insert(0, str(TOOLS))

from cg2tools.profile.model import Part  # noqa: E402  (found through the path just set)
from cg2tools.profile.reader import read_profile  # noqa: E402
import twins  # noqa: E402
from leanlibc import is_usual, library_path, link_flags  # noqa: E402


# ------------------------------------------------------------ environment


def env(**more: str) -> dict[str, str]:
    """The environment of a repeatable run, and whatever `more` adds to it."""
    fixed = {
        "HOME": "/",
        "LC_ALL": "C",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PERL_HASH_SEED": "0",
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
    }
    if IN_PLACE.is_dir():
        fixed["VALGRIND_LIB"] = str(IN_PLACE)
    return fixed | more


def lean_env(**more: str) -> dict[str, str]:
    """The environment of a repeatable run in which programs of this system have the libc of leanlibc.py:
    Valgrind reads that in a tenth of a second less for each process."""
    return env() | ({} if EMULATOR else library_path(compiled())) | more


def _usual_env(program: str) -> dict[str, str]:
    """The environment of a run for which a test names none."""
    is_of_system = "/" not in program or program.startswith(("/bin/", "/usr/"))
    return lean_env() if is_of_system else env()


_scratch: Path | None = None


def new_directory() -> Path:
    """A fresh empty directory, which is removed when the tests end."""
    global _scratch
    if _scratch is None:
        _scratch = Path(tempfile.mkdtemp(prefix="cg2test-"))
        atexit.register(shutil.rmtree, _scratch, ignore_errors=True)
    return Path(tempfile.mkdtemp(dir=_scratch))


# ------------------------------------------------------------ running


@functools.cache
def need_vgdb() -> None:
    """Skip a test where this Valgrind's vgdb does not run, as one of a later Debian may not."""
    vgdb = Path(shutil.which(VALGRIND) or VALGRIND).with_name("vgdb")
    ended = subprocess.run([vgdb, "--help"], capture_output=True, text=True, env=env(), check=False)
    if "GLIBC_" in ended.stderr:
        raise unittest.SkipTest(f"vgdb does not run here: {ended.stderr.strip()}")


@dataclass(frozen=True)
class Run:
    """A finished run of a program under a tool."""

    stdout: str
    stderr: str
    status: int  # exit status; -N after signal N
    directory: Path  # the run's working directory
    profile_paths: list[Path]  # the profiles it left, sorted by name


def run_cg2(
    argv: Sequence[str | Path],
    *options: str,
    tool: str = TOOL,
    out_file: str | None = "%p.profile",
    out_option: str | None = None,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    stdin: str = "",
) -> Run:
    """Run `argv` under the tool in a fresh directory (or `directory`).

    `out_file` is the value of --<tool>-out-file (or of `out_option`); None leaves the option out. Without an
    `environment` it is env(), for a program of this system lean_env(). The profiles are what the run left in
    `profiles/` for a relative `out_file`, or under the default names.
    """
    start = _Start(
        [*map(str, argv)],
        [*(MORE_OPTIONS if tool == TOOL else []), *options],
        tool,
        out_file,
        out_option or f"--{tool}-out-file",
        dict(environment) if environment is not None else _usual_env(str(argv[0])),
        directory or new_directory(),
        stdin,
    )
    has_twin = (
        twins.OPTIONS and tool == TOOL and not any("--repeatable" in each for each in options)
    )
    return _run_with_twin(start) if has_twin else _run(start)


@dataclass(frozen=True)
class _Start:
    """How a program is run."""

    argv: list[str]
    options: list[str]
    tool: str
    out_file: str | None
    out_option: str
    environment: dict[str, str]
    directory: Path
    stdin: str

    def twin(self, copies: twins.Copies) -> _Start:
        """The same in copies of its directories, with more options."""
        return _Start(
            [copies.named(word) for word in self.argv],
            [*twins.OPTIONS, *(copies.named(option) for option in self.options)],
            self.tool,
            self.out_file and copies.named(self.out_file),
            self.out_option,
            {name: copies.named(text) for name, text in self.environment.items()},
            Path(copies.named(str(self.directory))),
            self.stdin,
        )

    def profiles(self, run: Run) -> list[Path]:
        """What the run has left, also where it was told another directory."""
        if self.out_file and self.out_file.startswith(f"{_scratch}/"):
            found = Path(self.out_file).parent.glob("*")  # which may not be there
            return sorted(path for path in found if path.is_file())
        return run.profile_paths


def _run_with_twin(start: _Start) -> Run:
    """Run the program, and once more with more options; give the first run."""
    assert _scratch
    copies = twins.Copies(_scratch)
    other = start.twin(copies)
    run, twin = _run(start), _run(other)
    found = twins.differences(run, twin, copies, (start.profiles(run), other.profiles(twin)))
    if found:
        raise AssertionError("\n".join([f"TWIN of {' '.join(start.argv)}", *found]))
    return run


def _run(start: _Start) -> Run:
    where, tool = start.directory, start.tool
    (where / "profiles").mkdir(exist_ok=True)
    command = ["setarch", "-R", _find(VALGRIND), f"--tool={tool}"]
    if start.out_file is not None:
        path = start.out_file if start.out_file.startswith("/") else f"profiles/{start.out_file}"
        command.append(f"{start.out_option}={path}")
    command += [*start.options, *start.argv]
    ended = subprocess.run(
        command,
        cwd=where,
        env=start.environment,
        input=start.stdin,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )
    left = [*(where / "profiles").iterdir(), *where.glob(f"{tool}.out.*")]
    return Run(ended.stdout, ended.stderr, ended.returncode, where, sorted(left))


def run_alone(
    program: Path, *, directory: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a compiled program, which must succeed, without Valgrind."""
    return subprocess.run(
        [*EMULATOR, program],
        cwd=directory,
        env=env(),
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
    )


@dataclass(frozen=True)
class Usage:
    """What a run took."""

    seconds: float  # of the processor, user and system
    memory: int  # its largest resident set, in bytes


# In a process between, as the kernel reports at least the resident set of the process that started one.
_MEASURE = """
import os, sys
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
"""


def usage_of(argv: Sequence[str | Path], *options: str, tool: str = TOOL) -> Usage:
    """What a run of `argv` under the tool, which must succeed, takes of time and memory."""
    command = ["setarch", "-R", _find(VALGRIND), "-q", f"--tool={tool}", *options, *map(str, argv)]
    said = subprocess.run(
        [sys.executable, "-c", _MEASURE, *command],
        cwd=new_directory(),
        env=env(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    status, seconds, memory = said.splitlines()[-1].split()
    assert status == "0", f"{command}: wait status {status}"
    return Usage(float(seconds), int(memory))


def profile_of(
    argv: Sequence[str | Path],
    *options: str,
    tool: str = TOOL,
    status: int = 0,
    environment: Mapping[str, str] | None = None,
    stdin: str = "",
) -> Part:
    """Run `argv`, which exits with `status` and leaves one profile of one part; give that part, checked."""
    run = run_cg2(argv, *options, tool=tool, environment=environment, stdin=stdin)
    if run.status != status:
        raise AssertionError(
            f"{argv[0]}: exit status {run.status}, expected {status}\n{run.stderr}"
        )
    if len(run.profile_paths) != 1:
        raise AssertionError(f"{argv[0]}: profiles {run.profile_paths}, expected one\n{run.stderr}")
    return part_of(run.profile_paths[0])


def part_of(path: Path) -> Part:
    """The only part of the profile at `path`, checked."""
    parts = read_profile(str(path)).parts
    if len(parts) != 1:
        raise AssertionError(f"{path}: {len(parts)} parts, expected one")
    parts[0].check()
    return parts[0]


def text_of_any_run(profile: Path) -> str:
    """A profile's text without what differs from run to run: the process and the time."""
    text = profile.read_text(errors="replace")
    return re.sub(r"^(pid|desc: Started): .*$", r"\1:", text, flags=re.MULTILINE)


# ------------------------------------------------------------ compiling


def source_of(name: str) -> Path:
    """The file tests/programs/`name`, or its namesake for the processor that tests compile for."""
    own = PROGRAMS / MACHINE / name
    return own if own.is_file() else PROGRAMS / name


def compile(
    source: str,
    *flags: str,
    compiler: str = "gcc",
    is_dynamic: bool = False,
    lines_of_libc: bool = False,
) -> Path:
    """Compile tests/programs/`source` with `flags`; the result is kept in BUILD/tests-programs/.

    The name of the result holds a digest of all that it depends on, so it is never out of date. The program
    is linked statically, as Valgrind starts it in half the time, unless flags say something of that,
    `is_dynamic` or CG2_STATIC. It then runs with the libc of leanlibc.py, or with this system's, of which
    lines are known.
    """
    store = compiled()
    # An emulator runs a dynamic linker as slowly as all else.
    wants_linker = not EMULATOR and (is_dynamic or lines_of_libc)
    if _STATIC and is_usual(flags) and not wants_linker:
        lean = ["-static"]
    elif EMULATOR or lines_of_libc:
        lean = []
    else:
        lean = link_flags(store, compiler, [source, *flags])
    result = store / f"{Path(source).stem}-{_digest(compiler, [source, *flags, *lean])}"
    if not result.exists():
        fresh = store / f"{result.name}.{os.getpid()}"
        compile_to(fresh, source, *flags, *lean, compiler=compiler)
        # The program of a process that was faster may run by now. /proc/self/exe would call it "(deleted)"
        # if its file were replaced.
        with contextlib.suppress(FileExistsError):
            result.hardlink_to(fresh)
        fresh.unlink()
    return result


def compiled() -> Path:
    """Where what is compiled is kept, and a libc without lines beside it. Builds for other Valgrinds have a
    link there."""
    store = BUILD / "tests-programs"
    store.mkdir(parents=True, exist_ok=True)
    return store.resolve()


def compile_to(result: Path, source: str, *flags: str, compiler: str = "gcc") -> None:
    """Compile tests/programs/`source` with `flags`, which may name more sources, into `result`."""
    inputs = [source, *flags]
    command = [compiler, "-g", "-o", str(result)]
    command += [str(source_of(item)) if _is_program(item) else item for item in inputs]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: failed\n{ended.stderr}")


def host_flags() -> set[str]:
    """What this processor can do, as /proc/cpuinfo calls it; of another architecture nothing."""
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return set(flags[1].split()) if flags else set()


def can_run_32_bits() -> bool:
    """Whether a 32-bit program can be compiled, runs on this kernel, and can be profiled."""
    if not (IN_PLACE / f"{TOOL}-x86-linux").exists():
        return False
    try:
        return subprocess.run([compile("calls.c", "-m32")], check=False).returncode == 0
    except (AssertionError, OSError):
        return False


def line_of(source: str, text: str) -> int:
    """The number of the one line of tests/programs/`source` that contains `text`."""
    lines = source_of(source).read_text().splitlines()
    found = [number for number, line in enumerate(lines, start=1) if text in line]
    if len(found) != 1:
        raise AssertionError(f"{source}: {len(found)} lines contain {text!r}, expected one")
    return found[0]


def _digest(compiler: str, inputs: Sequence[str]) -> str:
    """Twelve characters that differ when the compiler, a source, a header that it may use or a flag
    differs."""
    digest = hashlib.sha256("\0".join([compiler, *inputs]).encode())
    sources = [source_of(item) for item in inputs if _is_program(item)]
    for file in [*sources, *sorted(PROGRAMS.glob("*.h")), PUBLIC]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def _is_program(item: str) -> bool:
    """Whether `item` is the name of a source in tests/programs/, not a flag."""
    return not item.startswith(("-", "/")) and (PROGRAMS / item).is_file()


def _find(program: str) -> str:
    """The path of `program`, looked up with the caller's PATH: a run has another one."""
    found = shutil.which(program)
    if found is None:
        raise AssertionError(f"{program}: not found")
    return found
