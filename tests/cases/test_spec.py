"""--format=spec: every line is one of the grammar in the format's specification, to the letter.

The grammar's own examples have a blank behind `positions:`, and no blank at the end of a line; readers take
both. `summary:` and `totals:` are not in the grammar, but in the text below it.
"""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import LEVELS, Case
from cg2test import MACHINE, compile, run_cg2
from cg2tools.profile.model import Part

NUMBER = r"(?:0x[0-9a-fA-F]+|[0-9]+)"
SUBPOSITION = rf"(?:{NUMBER}|\+{NUMBER}|-{NUMBER}|\*)"
POSITIONS = rf"(?:{SUBPOSITION}[ \t]+)+"
NAME = r"[a-zA-Z][a-zA-Z0-9]*"
HEADER = re.compile(
    r"|#.*"
    r"|cmd:[ \t]*.*"
    rf"|(?:pid|thread|part):[ \t]*{NUMBER}"
    rf"|desc:[ \t]*{NAME}[ \t]*:.*"
    rf"|events:[ \t]*{NAME}(?:[ \t]+{NAME})*"
    r"|positions:(?: ?instr)?(?:[ \t]+line)?"
    rf"|summary: {NUMBER}"
)
BODY = re.compile(
    r"|#.*"
    rf"|{POSITIONS}(?:{NUMBER}[ \t]+)*"
    rf"|(?:ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)=[ \t]*(?:\({NUMBER}\))?(?:[ \t]*.*)?"
    rf"|calls=[ \t]*{NUMBER}[ \t]+{POSITIONS}"
    rf"|jump=[ \t]*{NUMBER}[ \t]+{POSITIONS}"
    rf"|jcnd=[ \t]*{NUMBER}[ \t]+{NUMBER}[ \t]+{POSITIONS}"
)
POSITION_OPTIONS: list[list[str]] = [
    [],
    ["--dump-instr=yes"],
    ["--compress-strings=no", "--compress-pos=no"],
]
FIRST = re.compile(r"# callgrind format\nversion: 1\ncreator:.*\n")
LAST = re.compile(rf"totals: {NUMBER}\n$")


def strange_lines(path: Path) -> list[str]:
    """The lines that the grammar does not know."""
    text = path.read_text()
    first, last = FIRST.match(text), LAST.search(text)
    if not first or not last:
        return [text[:100], text[-100:]]
    header, mark, body = text[first.end() : last.start()].partition("\nsummary:")
    cost, _, body = body.partition("\n")
    lines = [line for line in (header + mark + cost).split("\n") if not HEADER.fullmatch(line)]
    return lines + [line for line in body.split("\n") if not BODY.fullmatch(line)]


class Spec(Case):
    def test_grammar(self) -> None:
        for level in LEVELS:
            for positions in POSITION_OPTIONS:
                with self.subTest(level, positions=positions):
                    has_lines = level == LEVELS[0]
                    program = compile("switches.c", level, is_dynamic=True, lines_of_libc=has_lines)
                    run = run_cg2([program], "--format=spec", "--collect-jumps=yes", *positions)
                    (path,) = run.profile_paths
                    self.assertEqual(strange_lines(path), [])
                    spec = self.check_whole(run, path).part
                    usual = self.graph_of(program, "--collect-jumps=yes", *positions).part
                    self.assertEqual(facts(spec), facts(usual))

    def test_usual(self) -> None:
        """Callgrind's format has lines that are not in the grammar."""
        run = run_cg2(
            [compile("switches.c", "-O0", lines_of_libc=True)],
            "--collect-jumps=yes",
            "--format=callgrind",
        )
        strange = strange_lines(run.profile_paths[0])
        # No jump of arm64's libc goes from one file to another.
        jumps = ("jcnd=",) if MACHINE == "aarch64" else ("jcnd=", "jfi=")
        for start in ("desc: I1 cache", *jumps, "calls="):
            self.assertTrue(any(line.startswith(start) for line in strange), start)


def facts(part: Part) -> list[object]:
    """All that a profile says of functions, costs, calls and jumps."""
    return [
        (key, sorted(f.costs.items()), f.calls, f.jumps)
        for key, f in sorted(part.functions.items(), key=lambda f: f[0])
    ]


if __name__ == "__main__":
    unittest.main()
