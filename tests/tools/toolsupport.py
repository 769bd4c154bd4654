"""What the tests of the tools share: profiles from text, and running the commands."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "lib")]

import starts  # noqa: E402  (found through the path just set)
from cg2test import HANG, TOOLS  # noqa: E402
from cg2tools.profile.model import (  # noqa: E402
    FunctionKey,
    Part,
    Profile,
    ProfileError,
)
from cg2tools.profile.positions import Position  # noqa: E402
from cg2tools.profile.reader import read_profile  # noqa: E402
from cg2tools.profile.transform import as_file  # noqa: E402

__all__ = ["SOURCE", "TOOLS", "FunctionKey", "Part", "Position", "Profile"]


PATHS = """\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app
part: 1
positions: line
events: Ir Dr
summary: 10000 60
paths: 9
ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 100 10
fn=(2) parse
1 2 3 4 900
fn=(3) token
2 3 9 300+20 5000 40
2 3 10 100 1000
fn=(4) put
2 4 11 2 30
3 3 20 2 20
fn=(5) print
1 5 4 1 50
2 4 21 7 2500 10
1 4 5 1 400
totals: 10000 60
"""
"""main calls parse, which calls token from two lines and put; and print and put."""


def read(text: str | bytes) -> Profile:
    """The profile that a file with this text is."""
    with tempfile.NamedTemporaryFile(prefix="profile.") as file:
        file.write(text.encode() if isinstance(text, str) else text)
        file.flush()
        return read_profile(file.name)


def written(profile: Profile, form: int = 0) -> str:
    """The text of the file that a profile is written to, without the last end of line."""
    with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
        path = Path(folder) / "profile"
        as_file(profile).write(path, form)
        return os.fsdecode(path.read_bytes()).removesuffix("\n")


def part(text: str | bytes) -> Part:
    """The only part of the profile with this text."""
    (only,) = read(text).parts
    return only


def fault(text: str | bytes) -> str:
    """What the reader says of a malformed text, as "line: message"."""
    try:
        read(text)
    except ProfileError as error:
        assert str(error) == f"{error.path}:{error.line}: {error.message}"
        assert "\n" not in str(error)
        return f"{error.line}: {error.message}"
    raise AssertionError("expected a ProfileError, but the text was read")


def key(name: str, file: str = "???", object: str = "???") -> FunctionKey:
    return FunctionKey(object, file, name)


@dataclass(frozen=True)
class Output:
    """A finished run of a command."""

    status: int
    stdout: str
    stderr: str

    def rows(self) -> list[str]:
        """The lines of the report without runs of blanks."""
        return [" ".join(line.split()) for line in self.stdout.splitlines()]

    def functions(self) -> list[str]:
        """The rows of the list of functions, without what is said of those that it leaves out."""
        rows = self.rows()
        start = next(i for i, row in enumerate(rows) if "file:function" in row)
        rest = rows[start + 2 :]
        ends = [i for i, row in enumerate(rest) if row.startswith(("-----", "and "))]
        return [row for row in rest[: ends[0] if ends else None] if row]


def annotate(*arguments: str | Path, directory: Path | None = None) -> Output:
    return command("cg2_annotate", *arguments, directory=directory)


def command(name: str, *arguments: str | Path, directory: Path | None = None) -> Output:
    """Run a command of tools/ as a user does, outside of the source tree."""
    ended = starts.run(
        [TOOLS / name, *arguments],
        directory=directory or tempfile.gettempdir(),
        environment={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        errors="surrogateescape",
        limit=HANG,
    )
    return Output(ended.returncode, ended.stdout, ended.stderr)
