"""An independent truth about a program: gcov, on a build of the same source that counts for itself."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass

from cg2test import compile_to, env, new_directory, run_alone


@dataclass(frozen=True)
class Coverage:
    """How often each function was entered and each line ran."""

    functions: dict[str, int]  # by symbol name
    lines: dict[
        int, int
    ]  # by line of the source; lines without code, and those with a function's name, are absent
    branches: dict[
        int, list[int]
    ]  # by line: how often each way out of each of its branches was taken


def coverage(source: str, *flags: str, stdin: str = "") -> Coverage:
    """Build tests/programs/`source` with counters, run it, and read the counts."""
    directory = new_directory()
    program = directory / "covered"
    compile_to(program, source, *flags, "--coverage")
    run_alone(program, directory=directory, stdin=stdin)
    notes = next(directory.glob("*.gcda"))
    command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", notes.name]
    report = subprocess.run(
        command, cwd=directory, env=env(), capture_output=True, text=True, check=True
    )
    file = next(f for f in json.loads(report.stdout)["files"] if f["file"].endswith(source))
    heads = {function["start_line"] for function in file["functions"]}
    return Coverage(
        {function["name"]: function["execution_count"] for function in file["functions"]},
        {
            line["line_number"]: line["count"]
            for line in file["lines"]
            if line["line_number"] not in heads
        },
        {
            line["line_number"]: [branch["count"] for branch in line["branches"]]
            for line in file["lines"]
            if line["branches"]
        },
    )
