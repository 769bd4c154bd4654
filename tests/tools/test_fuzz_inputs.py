"""Mutated limits, summaries as baselines, and data files: each is read, or refused by a ProfileError in one
line, in bounded time and memory.

Profiles are in test_fuzz.py; what C reads byte by byte has libFuzzer targets in tests/fuzz.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import tempfile
import time
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path

import toolsupport
from datafiles import list_and_array
from profiletexts import TOKENS, Chance, mutant

from cg2tools.annotate.asked import Screen
from cg2tools.annotate.datareport import data_report
from cg2tools.annotate.dataview import DataOptions
from cg2tools.annotate.report import Options, report
from cg2tools.data.objects import read_data
from cg2tools.data.typedfile import typed_text
from cg2tools.diff.comparison import compare
from cg2tools.diff.limits import read_limits
from cg2tools.diff.names import Names
from cg2tools.diff.report import Report, json_report, markdown_report, text_report
from cg2tools.diff.trend import summary_source
from cg2tools.diff.verdicts import verdicts_of
from cg2tools.profile.checks import check_alike
from cg2tools.profile.model import ProfileError
from cg2tools.profile.reader import read_profile

SEED = 20_261_128
MUTANTS = 200
SECONDS = 60 * float(os.environ.get("CG2_FUZZ_MINUTES", "2")) if "CG2_FULL" in os.environ else 0
"""How long each kind of file is mutated at full size; in a check MUTANTS are made."""
LONGEST = 10
"""Seconds of processor that an input may take; few take a hundredth of one."""
MEMORY_KB = 1 << 20

LIMITS = b"""\
# what may grow, and how far
[total]
Ir = "1%"
Dr = "2%"
[functions."f*"]
Ir = [ "0.5%", 1_000 ]
inclusive.Ir = "3%"
[functions]
main.inclusive = { Ir = "1.5%", Dr = 0x10 }
"""
LIMIT_TOKENS = [
    *b'"1%" 5 -1 1e400 0x1_0 true [ ] { } [] {max=1} beyond="layout" Ir inclusive . , = " """ \' #'.split(),
    *(
        b"9" * 5_000,
        b"\n",
        b"Dr = 1\n",
        b"[total]\n",
        b"[functions]\n",
        b'f."*a*a*a*b"',
        b"\xff",
        b"\\u0000",
    ),
]
SUMMARY_TOKENS = [
    *rb'0 -1 1.5 1e999 NaN null true [ ] { } [] {} " "" "\ud800" "\n" , : "self":[1,2], "name":"f",'.split(),
    *(b"9" * 5_000, b"\xff", b"\n"),
]
OLD, NEW = (
    b"events: Ir Dr\nfl=a.c\nfn=main\n1 %d 3\ncfn=f\ncalls=2 5\n2 %d 4\nfn=f\n5 %d 4\n" % costs
    for costs in ((10, 20, 20), (11, 29, 29))
)


class Fuzz(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def fuzz(self, data: bytes, use: Callable[[Path], None], tokens: Sequence[bytes]) -> None:
        """Lets `use` have `data`, which it takes, and mutants, of which it takes some and refuses some."""
        chance, path = Chance(SEED), self.directory / "mutant"
        path.write_bytes(data)
        use(path)
        taken = refused = 0
        begin = time.monotonic()
        for number in itertools.count():
            if number >= MUTANTS and time.monotonic() - begin >= SECONDS:
                break
            text = mutant(chance, data, tokens)
            path.write_bytes(text)
            start = time.process_time()
            try:
                use(path)
                taken += 1
            except ProfileError as error:
                refused += 1
                self.assertTrue(error.message.isprintable(), error.message)
                self.assertIn(error.line, range(text.count(b"\n") + 2))
            except Exception as error:
                raise AssertionError(f"mutant {number}: {text!r}") from error
            self.assertLess(time.process_time() - start, LONGEST, text)
        self.assertGreater(taken, (taken + refused) // 50)
        self.assertGreater(refused, (taken + refused) // 20)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, MEMORY_KB)

    def test_limits(self) -> None:
        """Each limit that is read is judged, in all forms."""
        old, new = map(toolsupport.read, (OLD, NEW))
        check_alike(old, new)
        found = compare(old.merged(), new.merged(), Names(), "Ir")

        def use(path: Path) -> None:
            verdicts = verdicts_of(found, read_limits(str(path)))
            for form in text_report, markdown_report, json_report:
                for line in form(Report(old, new, found, 0, 0, verdicts)):
                    self.assertNotIn("\n", line)

        self.fuzz(LIMITS, use, LIMIT_TOKENS)

    def test_summaries(self) -> None:
        """What `cg2_annotate --json` wrote, with which cg2_trend compares: costs of each event, in lines."""
        profile = toolsupport.read(OLD)
        lines = report(profile, Options(screen=Screen(json=True), threshold=100.0))
        summary = "\n".join(lines).encode()
        self.assertEqual(json.loads(summary)["total"], [30, 7])

        def use(path: Path) -> None:
            # What is no UTF-8 is not asked whether it is a summary.
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            source = summary_source(str(path), text)
            for _, cost in source.costs:
                self.assertEqual(len(cost), len(source.events))
            for event in source.events:
                self.assertNotIn("\n", event)

        self.fuzz(summary, use, SUMMARY_TOKENS)

    def test_data_files(self) -> None:
        """Objects, what touches them and how they look inside, as text, as JSON and as a profile by types."""

        def use(path: Path) -> None:
            for json_too in False, True:
                options = DataOptions(screen=Screen(json=json_too), threshold=100.0)
                lines = list(data_report(read_profile(path), options))
                for line in lines:
                    self.assertNotIn("\n", line)
                if json_too:
                    json.loads("\n".join(lines))
            for line in typed_text(read_data(str(path))):
                self.assertNotIn("\n", line)

        self.fuzz(list_and_array().encode(), use, TOKENS)


if __name__ == "__main__":
    unittest.main()
