"""Limits, summaries and objects that somebody made to hang a command or to break it."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from toolsupport import TOOLS

import cg2test
import starts

from cg2tools.diff.limits import _lines, read_limits
from cg2tools.profile.glob import glob
from cg2tools.program.buildid import build_id
from cg2tools.program.disassembly import disassembled
from cg2tools.program.excerpt import write_excerpt

PROFILE = "events: Ir\nfl=a.c\nfn={name}\n1 10\n"
LONG = "a" * 65_000


class Fixture(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        for name, function in ("old", "f"), ("new", LONG):
            self.write(name, PROFILE.format(name=function))

    def write(self, name: str, text: str | bytes) -> None:
        (self.directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def fault(self, *arguments: str) -> str:
        """The one line that a command says."""
        ended = starts.run(
            [TOOLS / arguments[0], *arguments[1:]], directory=self.directory, limit=cg2test.HANG
        )
        self.assertEqual((ended.returncode, ended.stderr.count("\n")), (1, 1), ended.stderr[-500:])
        return ended.stderr


class Limits(Fixture):
    def test_malformed(self) -> None:
        digits = "9" * 5_000
        for text, said in (
            (f"[total]\nIr = {digits}\n", "limits.toml: a number of too many digits; expected"),
            (f"[total]\nIr = 0x{digits}\n", "limits.toml:2: a value of too many digits"),
            (f"[total]\nIr = [1, [0x{digits}]]\n", "limits.toml:2: a value of too many digits"),
            ("[total]\nIr = 18446744073709551616\n", "limits.toml:2: 18446744073709551616 for Ir"),
            (f"[total]\nIr = {digits}.5e7\n", "limits.toml:2: inf for Ir"),
            ("[total]\nIr = 2021-99-99\n", "limits.toml:2: "),
            (f"{'a.' * 5_000}b = 1\n", "limits.toml:1: 'a'; expected [total]"),
            (f"total.Ir = {'[' * 5_000}", "limits.toml: brackets in too many brackets"),
            (f"functions.f{'.inclusive' * 2_000} = 1\n", "limits.toml:1: a table for inclusive"),
            ("#" * (1 << 20) + "\n", "limits.toml: more than 1,048,576 bytes; expected limits"),
            (f'[functions]\n"{LONG}b".Ir = "1%"\n', "limits.toml:2: no function 'aaa"),
        ):
            with self.subTest(text[:40]):
                self.write("limits.toml", text)
                fault = self.fault("cg2_diff", "--limits=limits.toml", "old", "new")
                self.assertEqual(fault[: len(said)], said)

    def test_endless(self) -> None:
        self.assertIn(
            "/dev/zero: more than", self.fault("cg2_diff", "--limits=/dev/zero", "old", "new")
        )

    def test_lines(self) -> None:
        """An array of 4,000 lines took 28 s, as each line was read again with all in front of it."""
        rows = ',\n"2%"' * 4_000
        self.write("limits.toml", f'[functions]\nf = {{ Ir = ["1%"{rows}] }}\ng.Ir = """5"""\n')
        start = time.monotonic()
        with self.assertRaisesRegex(Exception, "limits.toml:4003: '5' for Ir"):
            read_limits(str(self.directory / "limits.toml"))
        self.assertLess(time.monotonic() - start, 5)

    def test_statements(self) -> None:
        """Where keys are, whatever strings and comments have in them."""
        text = (
            '# [a] "\n[total] # ]\n"a#b" = "["\nc = \'\'\'\n]\n"\'\'\'\nd = """\n\\"""]"""\n'
            "e = [ # [\n 1,\n]\n[functions.f]\nIr = {a = 1}\n"
        )
        found = _lines(text)
        self.assertEqual(
            {path: line for path, line in found.items() if len(path) == 2},
            {
                ("total", "a#b"): 3, ("total", "c"): 4, ("total", "d"): 7, ("total", "e"): 9,
                ("functions", "f"): 12,
            },
        )  # fmt: skip
        self.assertEqual(found["functions", "f", "Ir", "a"], 13)

    def test_pattern(self) -> None:
        """Stars before a letter that is not there took time that doubles with each."""
        for pattern in f"{'*a' * 30}*b", f"{'*?a' * 30}*b", f"*{'a' * 3_000}b":
            with self.subTest(pattern[:20]):
                self.write("limits.toml", f'[functions]\n"{pattern}".Ir = "1%"\n')
                fault = self.fault("cg2_diff", "--limits=limits.toml", "old", "new")
                self.assertIn("no function", fault)


class Patterns(unittest.TestCase):
    def test_random(self) -> None:
        """Patterns of few letters match as regular expressions do."""
        chance = random.Random(1)
        for _ in range(3_000):
            pattern = "".join(chance.choices("ab*?[].\n", k=chance.randrange(8)))
            text = "".join(chance.choices("ab[].\n", k=chance.randrange(9)))
            words = re.split(r"(\[[*?]\]|[*?])", pattern)
            letters = "".join(
                {"*": ".*", "?": "."}.get(
                    word, re.escape(word[1] if word in ("[*]", "[?]") else word)
                )
                for word in words
            )
            wanted = re.fullmatch(letters, text, re.DOTALL) is not None
            self.assertEqual(glob(pattern)(text), wanted, (pattern, text))


class Summaries(Fixture):
    def test_malformed(self) -> None:
        """A summary whose words are no strings, or whose figures are none that a profile has."""
        good = {
            "functions": [{"object": "o", "file": "f", "name": "n", "self": [1]}],
            "events": ["Ir"], "total": [1], "cmd": "./a", "parts": [{"descriptions": {"a": "b"}}],
        }  # fmt: skip
        function = good["functions"][0]  # type: ignore[index]
        names: list[object] = [1, None, [], {}, "\ud800", "a\nb"]
        bad: list[dict[str, object]] = [
            {"functions": [{**function, "name": name}]} for name in names
        ]
        bad += [{"functions": [{**function, "self": [10**4_000]}]}, {"total": [True]}]
        bad += [
            {"events": [1]},
            {"cmd": {}},
            {"partial": [[]]},
            {"parts": {"a": 1}},
            {"parts": [1]},
        ]
        bad += [{"parts": [{"descriptions": [1]}]}, {"parts": [{"descriptions": {"a": 1}}]}]
        bad += [{"functions": {"a": 1}}, {"functions": [1]}, {"functions": 1}]
        self.write("good.json", json.dumps(good))
        for change in bad:
            with self.subTest(str(change)[:60]):
                self.write("bad.json", json.dumps({**good, **change}))
                self.assertEqual(
                    self.fault("cg2_diff", "--json", "bad.json", "good.json", "good.json"),
                    "bad.json:1: not what cg2_annotate --json writes; expected that, or a profile\n",
                )


class Objects(Fixture):
    def test_option(self) -> None:
        """An object is no option of objdump's and no file of options, whatever its name begins with."""
        log = self.directory / "log"
        self.write("objdump", f'#!/bin/sh\nprintf "%s\\n" "$@" >>{log}\n')
        (self.directory / "objdump").chmod(0o755)
        for name in "-D", "@options", "--help":
            self.write(name, "no ELF file\n")
            log.write_text("")
            subprocess.run(
                [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1])\n"
                 "from cg2tools.program.disassembly import disassembled\n"
                 "disassembled(sys.argv[2], [(1, 2)])", str(TOOLS), name],
                cwd=self.directory, check=True, env={**os.environ, "OBJDUMP": "./objdump"},
            )  # fmt: skip
            last = log.read_text().splitlines()[-1]
            self.assertEqual(last, os.path.realpath(self.directory / name))

    def test_long_name(self) -> None:
        name = "n" * 252
        self.write(name, Path(sys.executable).read_bytes()[:4096])
        self.assertEqual(disassembled(str(self.directory / name), [(1, 2)]).addresses, [])

    def test_headers(self) -> None:
        """Headers that lie of places and sizes: nothing is found, and nothing breaks."""
        whole = Path("/bin/true").read_bytes()
        chance = random.Random(1)
        path = self.directory / "object"
        for _ in range(300):
            head = bytearray(whole)
            for at in chance.sample(range(16, 64), 8):
                head[at] = chance.choice((0, 1, 0x7F, 0xFF))
            path.write_bytes(head)
            self.assertIsInstance(build_id(str(path)), str)
            with open(self.directory / "excerpt", "wb") as target:
                self.assertIsInstance(write_excerpt(str(path), [(0x1000, 0x2000)], target), bool)
