"""A program's profiles in every mode that changes what a profile looks like."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import cg2test
import starts

EVENTS = ("--cache-sim=yes", "--simulate-wb=yes", "--collect-systime=nsec", "--collect-bus=yes")
DATA = ("--cache-sim=yes", "--data=accesses", "--data-out-file=data.out")
MISSES = ("--cache-sim=yes", "--data=misses", "--data-out-file=data.out")


@dataclass(frozen=True)
class Mode:
    """Options, and which readers cannot take what they write: the manual says so."""

    name: str
    options: tuple[str, ...]
    not_for: frozenset[str] = frozenset()
    program: str = "threads.c"
    file: str = "profile"
    """Or "data"; or what cg2_convert has made: "types", a data file with types, or "inlines", a profile with
    inlined functions."""

    def profile(self) -> Path:
        """The profile, or the first file of several."""
        return _profile(self)


def _mode(
    name: str,
    *options: str,
    not_for: str = "",
    program: str = "threads.c",
    file: str = "profile",
) -> Mode:
    return Mode(name, options, frozenset(not_for.split()), program, file)


MODES = [
    _mode("plain"),
    _mode("instructions", "--dump-instr=yes", not_for="speedscope"),
    _mode("without lines", "--dump-instr=yes", "--dump-line=no", not_for="speedscope"),
    _mode("jumps", "--collect-jumps=yes", not_for="speedscope gprof2dot"),
    _mode(
        "jumps of instructions",
        "--collect-jumps=yes",
        "--dump-instr=yes",
        not_for="speedscope gprof2dot",
    ),
    _mode("events", *EVENTS),
    _mode("uncompressed", "--compress-strings=no", "--compress-pos=no"),
    _mode("as specified", "--format=spec", not_for="speedscope"),
    _mode("threads", "--separate-threads=yes"),
    _mode("callers", "--separate-callers=3", "--separate-recs=4"),
    _mode("parts", "--dump-every-bb=20000"),
    _mode(
        "parts in one file",
        "--dump-every-bb=20000",
        "--combine-dumps=yes",
        not_for="callgrind_annotate speedscope",
    ),
    _mode("data", *DATA, not_for="speedscope", program="dataobjects.c", file="data"),
    _mode("misses of data", *MISSES, not_for="speedscope", program="dataobjects.c", file="data"),
    _mode("data with types", *DATA, program="dataobjects.c", file="types"),
    _mode("C++", program="templates.cc"),
    _mode(
        "inlined functions",
        "--dump-instr=yes",
        not_for="speedscope",
        program="templates.cc",
        file="inlines",
    ),
    _mode("blocks", "--dump-bb=yes", not_for="callgrind_annotate kcachegrind speedscope gprof2dot"),
]


def convert(*words: str) -> None:
    """Run cg2_convert, which has to succeed."""
    command = [str(cg2test.TOOLS / "cg2_convert"), *words]
    ended = starts.run(command, directory=cg2test.BUILD, limit=cg2test.HANG)
    assert ended.returncode == 0, ended.stderr


@functools.cache
def _profile(mode: Mode) -> Path:
    compiler = "g++" if mode.program.endswith(".cc") else "gcc"
    program = cg2test.compile(mode.program, "-O1", "-pthread", compiler=compiler, is_dynamic=True)
    run = cg2test.run_cg2([program], *mode.options, tool="cg2", out_file="profile.out")
    assert run.status == 0, run.stderr
    data = run.directory / "data.out"
    if mode.file in ("types", "inlines"):
        made = run.directory / "made.out"
        given = data if mode.file == "types" else run.profile_paths[0]
        convert(f"--{mode.file}=yes", "-o", str(made), str(given))
        return made
    return data if mode.file == "data" else run.profile_paths[0]
