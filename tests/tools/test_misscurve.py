"""cg2_annotate --miss-curve: misses over the size of the cache, found by what `event:` lines say."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from toolsupport import TOOLS, annotate

SWEPT = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app
part: 1
positions: line
event: D2Kmr : D sweep of 1 set, read misses, 2048 B, 64 B, 32-way associative
event: D2Kmw : D sweep of 1 set, write misses, 2048 B, 64 B, 32-way associative
event: D1Kmr : D sweep of 1 set, read misses, 1024 B, 64 B, 16-way associative
event: D1Kmw : D sweep of 1 set, write misses, 1024 B, 64 B, 16-way associative
event: D96Bw1l32mr : D sweep of 1 way, read misses, 96 B, 32 B, direct-mapped
event: D96Bw1l32mw : D sweep of 1 way, write misses, 96 B, 32 B, direct-mapped
event: I4Kw2mr : I sweep of 2 ways, fetch misses, 4096 B, 64 B, 2-way associative
events: Ir Dr Dw D2Kmr D2Kmw D1Kmr D1Kmw D96Bw1l32mr D96Bw1l32mw I4Kw2mr
summary: 10000 600 400 10 10 60 40 150 50 40
fl=main.c
fn=main
3 9000 500 400 0 10 20 30 100 50 4
cfn=work
calls=1 9
4 1000 100 0 10 0 40 10 50 0 36
fn=work
9 1000 100 0 10 0 40 10 50 0 36
totals: 10000 600 400 10 10 60 40 150 50 40
"""
RULE = "-" * 80


class Curves(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.path = self.write(SWEPT)

    def write(self, text: str, name: str = "cg2.out.1") -> Path:
        path = self.directory / name
        path.write_text(text)
        return path

    def lines(self, *arguments: str | Path) -> list[str]:
        """What is drawn, below the head."""
        said = annotate("--miss-curve", *arguments, directory=self.directory)
        self.assertEqual((said.status, said.stderr), (0, ""))
        lines = said.stdout.splitlines()
        return lines[lines.index("") + 1 :]

    def described(self, *arguments: str | Path) -> Any:
        said = annotate("--miss-curve", "--json", *arguments, directory=self.directory)
        self.assertEqual((said.status, said.stderr), (0, ""))
        return json.loads(said.stdout)

    def test_drawn(self) -> None:
        """Sizes ascend; the longest bar is the most misses and fills the line, the others are in
        proportion."""
        self.assertEqual(
            self.lines(self.path)[:14],
            [
                *(RULE, "Misses by size of cache: D, fully associative, lines of 64 bytes"),
                *("size, misses of reads and writes (percent of accesses)", RULE),
                "PROGRAM TOTALS (1,000 accesses)",
                "  1K  100  (10.00%)  " + 59 * "#",
                "  2K   20  ( 2.00%)  " + 12 * "#",
                "",
                "main.c:main (900 accesses)",
                "  1K  50  ( 5.56%)  " + 60 * "#",
                "  2K  10  ( 1.11%)  " + 12 * "#",
                "",
                "main.c:work (100 accesses)",
                "  1K  50  (50.00%)  " + 60 * "#",
            ],
        )

    def test_each_curve(self) -> None:
        """Each cache and shape has a curve; a function without misses is left out; a cache of code is asked
        once for each Ir."""
        titles = [line for line in self.lines(self.path) if line.startswith("Misses")]
        self.assertEqual(
            titles,
            [
                "Misses by size of cache: D, fully associative, lines of 64 bytes",
                "Misses by size of cache: D, 1 way, lines of 32 bytes",
                "Misses by size of cache: I, 2 ways, lines of 64 bytes",
            ],
        )
        self.assertEqual(
            self.lines("--threshold=90", self.path)[-5:],
            [
                "  4K  40  ( 0.40%)  " + 60 * "#",
                "",
                "main.c:work (1,000 accesses)",
                "  4K  36  ( 3.60%)  " + 60 * "#",
                "",
            ],
        )

    def test_order_and_threshold(self) -> None:
        """Hottest first, by misses in the smallest size; or by what --sort says."""
        names = [
            function["name"] for function in self.described(self.path)["curves"][1]["functions"]
        ]
        self.assertEqual(names, ["main", "work"])
        first = self.described("--threshold=70", self.path)["curves"][1]["functions"]
        self.assertEqual([function["name"] for function in first], ["main"])
        by_read = self.described("--sort=D2Kmr", self.path)["curves"][0]["functions"]
        self.assertEqual([function["name"] for function in by_read], ["work"])

    def test_json(self) -> None:
        curve, direct, code = self.described(self.path)["curves"]
        self.assertEqual((curve["cache"], curve["same"], curve["line"]), ("D", "1 set", 64))
        self.assertEqual(curve["sizes"], [1024, 2048])
        self.assertEqual(
            curve["total"],
            {"accesses": 1000, "misses": [100, 20], "read": [60, 10], "write": [40, 10]},
        )
        self.assertEqual(
            curve["functions"][0],
            {
                **{"object": "???", "file": "main.c", "name": "main", "accesses": 900},
                **{"misses": [50, 10], "read": [20, 0], "write": [30, 10]},
            },
        )
        self.assertEqual(
            (direct["same"], direct["sizes"], direct["total"]["misses"]), ("1 way", [96], [200])
        )
        self.assertEqual(
            (code["cache"], code["total"]),
            ("I", {"accesses": 10000, "misses": [40], "fetch": [40]}),
        )

    def test_inclusive(self) -> None:
        functions = self.described("--inclusive=yes", self.path)["curves"][0]["functions"]
        self.assertEqual(
            {f["name"]: f["misses"] for f in functions}, {"main": [100, 20], "work": [50, 10]}
        )

    def test_several_files(self) -> None:
        """Curves of several files are added up."""
        curve = self.described(self.path, self.write(SWEPT, "cg2.out.2"))["curves"][0]
        self.assertEqual(curve["total"]["misses"], [200, 40])
        self.assertEqual(curve["functions"][1]["misses"], [100, 20])

    def test_unknown_accesses(self) -> None:
        """A profile that does not say how often the cache was asked has no rates."""
        events = (
            "I4Kw2mr : LL sweep of 2 sets, fetch misses, 4096 B, 64 B, 32-way associative\nevents: Ir "
            "I4Kw2mr"
        )
        path = self.write(f"event: {events}\nfn=main\n1 100 7\n")
        self.assertEqual(
            self.lines(path),
            [
                *(RULE, "Misses by size of cache: LL, 2 sets, lines of 64 bytes"),
                *("size, misses of fetches", RULE),
                *("PROGRAM TOTALS", "  4K  7            " + 61 * "#", ""),
                *("???:main", "  4K  7            " + 61 * "#", ""),
            ],
        )

    def test_none(self) -> None:
        """A profile without a sweep is refused, where it says what it has."""
        path = self.write("# callgrind format\nevents: Ir\nfn=main\n1 100\n")
        said = annotate("--miss-curve", path)
        self.assertEqual((said.status, said.stdout), (1, ""))
        self.assertEqual(
            said.stderr,
            f"{path}:2: no misses by cache size; expected a profile made with --cache-sweep, whose "
            "event: lines say 'D sweep of ...'\n",
        )

    def test_wrong_options(self) -> None:
        said = annotate("--miss-curve", "--columns=part", self.path)
        self.assertEqual((said.status, said.stdout), (2, ""))
        self.assertIn("--miss-curve and --columns: expected one of them", said.stderr)

    def drawn_on_terminal(self, columns: int) -> list[str]:
        """What a terminal of that width shows."""
        ours, theirs = pty.openpty()
        with os.fdopen(ours, "rb", buffering=0) as screen:
            command: list[str | Path] = [
                sys.executable,
                TOOLS / "cg2_annotate",
                "--miss-curve",
                self.path,
            ]
            subprocess.run(
                command, stdout=theirs, env={**os.environ, "COLUMNS": str(columns)}, check=True
            )
            os.close(theirs)
            shown = b""
            while chunk := self.chunk_of(screen.fileno()):
                shown += chunk
        return shown.decode().splitlines()

    def chunk_of(self, terminal: int) -> bytes:
        try:
            return os.read(terminal, 65536)
        except OSError:  # Linux: the other end is closed
            return b""

    def test_terminal(self) -> None:
        """Bars end where the terminal does; sizes of 10 % misses are red, of 1 % yellow."""
        shown = self.drawn_on_terminal(50)
        self.assertIn("\33[1;31m  1K  100  (10.00%)  " + 29 * "#" + "\33[0m", shown)
        self.assertIn("\33[33m  2K   20  ( 2.00%)  " + 6 * "#" + "\33[0m", shown)
        self.assertIn("\33[33m  4K  36  ( 3.60%)  " + 30 * "#" + "\33[0m", shown)
        self.assertIn("  4K  40  ( 0.40%)  " + 30 * "#", shown)


if __name__ == "__main__":
    unittest.main()
