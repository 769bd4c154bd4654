"""Mutated profiles: each is read, or refused by a ProfileError, in bounded time."""

from __future__ import annotations

import gzip
import json
import os
import resource
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import toolsupport
from profiletexts import SAMPLE, Chance, mutant

from cg2tools.annotate.asked import Screen
from cg2tools.annotate.report import Options, report
from cg2tools.diff.comparison import compare
from cg2tools.diff.limits import parse_limit
from cg2tools.diff.names import Names
from cg2tools.diff.report import Report, json_report, markdown_report, text_report
from cg2tools.diff.verdicts import verdicts_of
from cg2tools.merge.imbalance import Imbalance
from cg2tools.profile import libcg2profile
from cg2tools.profile.checks import check_alike
from cg2tools.profile.libcg2profile import FULL_NAMES, FULL_POSITIONS
from cg2tools.profile.model import Profile, ProfileError
from cg2tools.profile.reader import read_folded, read_profile
from cg2tools.profile.stacks import CHROME, FOLDED, PPROF, SPEEDSCOPE, Stacks
from cg2tools.profile.terms import printable
from cg2tools.profile.transform import simplified
from cg2tools.report.contents import Contents
from cg2tools.report.options import PageOptions
from cg2tools.report.page import page

SEED = 20_260_101
FULL = os.environ.get("CG2_FULL") == "1"
MUTANTS = 4000 if FULL else 500
OF_TWO = 1000 if FULL else 500
SECONDS = 60  # of processor time, in all; a few seconds are usual


class Fuzz(unittest.TestCase):
    def test_sample_is_well_formed(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sample"
            path.write_bytes(SAMPLE)
            first, second = read_profile(path).parts
            self.assertEqual((first.self_total(), second.self_total()), ([138, 13], [7, 0]))
            first.check()
            second.check()

    def test_mutants(self) -> None:
        """Reading, checking and reporting either work or raise ProfileError."""
        chance = Chance(SEED)
        read = refused = 0
        start = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mutant"
            for number in range(MUTANTS):
                data = mutant(chance)
                path.write_bytes(data)
                try:
                    errors = self.use(path)
                except Exception as error:
                    raise AssertionError(f"mutant {number}: {data!r}") from error
                for fault in errors:
                    self.assertEqual(printable(fault.message), fault.message)
                    self.assertIn(fault.line, range(1, data.count(b"\n") + 2))
                read += not errors
                refused += bool(errors)
                self.assertLess(time.process_time() - start, SECONDS)
        # Neither refuses everything nor takes everything.
        self.assertGreater(read, MUTANTS // 20)
        self.assertGreater(refused, MUTANTS // 4)

    def use(self, path: Path) -> list[ProfileError]:
        """Read a profile, check it, report on it; what was raised."""
        try:
            profile = read_profile(path)
        except ProfileError as error:
            return [error]
        self.check_copy(profile)
        errors = []
        for part in profile.parts:
            try:
                part.check()
            except ProfileError as error:
                errors.append(error)
        uses: list[Callable[[Profile], None]] = [
            self.check_reports,
            self.check_formats,
            self.check_page,
        ]
        for use in uses:
            try:
                use(profile)
            except ProfileError as error:
                errors.append(error)
        return errors

    def check_reports(self, profile: Profile) -> None:
        for options in (
            Options(tree="both", inclusive=True, threshold=100.0),
            Options(asm=True, auto=False, threshold=100.0),
            Options(screen=Screen(json=True), threshold=100.0),
        ):
            lines = list(report(profile, options))
            for line in lines:
                self.assertNotIn("\n", line)
            if options.screen.json:
                json.loads("\n".join(lines))

    def check_page(self, profile: Profile, old: Profile | None = None) -> None:
        """What a page is told can be written, and has the profile's sum."""
        tables = dict(Contents(profile, PageOptions(), old).each())
        written = b"".join(page("<!-- profile -->", tables.items()))
        self.assertEqual(written.count(b"</script>"), len(tables))
        self.assertEqual(
            [sum(column) for column in tables["lines"]["self"]], profile.merged().self_total()
        )

    def check_formats(self, profile: Profile) -> None:
        """Each format has the costs of the profile; what is written for other readers can be read."""
        part = profile.merged()
        (total, *_) = part.self_total()
        stacks = Stacks(part, 0.0001, by_line=True)
        events = list(range(len(part.events)))
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            path = Path(folder) / "stacks"
            stacks.write(path, FOLDED, events)
            folded = path.read_bytes().split(b"\n")[:-1]
            self.assertEqual(sum(int(line.rpartition(b" ")[2]) for line in folded), total)
            stacks.write(path, PPROF, events)
            self.assertGreater(len(gzip.decompress(path.read_bytes())), 10)
            stacks.write(path, SPEEDSCOPE, events)
            found = json.loads(path.read_bytes())["profiles"][0]
            self.assertEqual(sum(found["weights"]), total)
            stacks.write(path, CHROME, events)
            json.loads(path.read_bytes())
        plain = simplified(part, part.events, alike=False)
        written = toolsupport.written(
            Profile(profile.path, parts=[plain]), FULL_NAMES | FULL_POSITIONS
        )
        self.assertEqual(
            toolsupport.read(os.fsencode(written)).parts[0].self_total(), part.self_total()
        )

    def test_folded(self) -> None:
        """Mutated folded stacks: read, or refused with a line."""
        chance = Chance(SEED + 2)
        read = 0
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "stacks"
        for number in range(MUTANTS):
            data = mutant(
                chance,
                b"app;main;f 3\napp;main;f;f;g 10\n\napp;main;operator new(unsigned long) 4\n",
            )
            path.write_bytes(data)
            try:
                profile = read_folded(path, "samples")
                read += 1
                profile.parts[0].check()
                written = toolsupport.written(profile)
                self.assertEqual(
                    toolsupport.read(os.fsencode(written)).parts[0].self_total(),
                    profile.parts[0].self_total(),
                )
            except ProfileError as error:
                self.assertIn(error.line, range(1, data.count(b"\n") + 2))
            except Exception as error:
                raise AssertionError(f"mutant {number}: {data!r}") from error
        self.assertIn(read, range(MUTANTS // 20, MUTANTS * 9 // 10))

    def check_copy(self, profile: Profile) -> None:
        """What was read can be written, and is then read as the same."""
        written = toolsupport.written(profile)
        copy = toolsupport.read(os.fsencode(written))
        self.assertEqual(toolsupport.written(copy), written)
        for part, again in zip(profile.parts, copy.parts, strict=True):
            self.assertEqual(again.self_total(), part.self_total())


IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where files are written fastest; None: no such place."""


class Two(unittest.TestCase):
    """A mutant beside the profile it was made of: compared, and added up."""

    ORIGINAL = SAMPLE.partition(b"\npart: 2")[0]
    SECONDS_EACH = 10
    MEMORY_KB = 2_000_000

    def test_mutants(self) -> None:
        self.check_mutants(OF_TWO)

    def test_pages(self) -> None:
        """What the page of cg2_report is told of both."""
        chance = Chance(SEED + 2)
        old = toolsupport.read(self.ORIGINAL)
        worked = 0
        mutants = OF_TWO // 2
        for _ in range(mutants):
            try:
                new = toolsupport.read(mutant(chance, self.ORIGINAL))
                check_alike(old, new)
                tables = dict(Contents(new, PageOptions(), old).each())
            except ProfileError:
                continue
            self.assertEqual(tables["comparison"]["oldTotal"], [138, 13])
            worked += 1
        self.assertIn(worked, range(mutants // 10, mutants * 9 // 10))

    def test_million_mutants(self) -> None:
        self.check_mutants(1_000_000)

    test_million_mutants.full = True  # type: ignore[attr-defined]

    def check_mutants(self, mutants: int) -> None:
        """Either work or raise ProfileError, in bounded time and memory."""
        chance = Chance(SEED + 1)
        worked = 0
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            original, path = Path(folder) / "original", Path(folder) / "mutant"
            original.write_bytes(self.ORIGINAL)
            for number in range(mutants):
                data = mutant(chance, self.ORIGINAL)
                path.write_bytes(data)
                start = time.process_time()
                for use in self.diff, self.merge:
                    try:
                        worked += use(original, path)
                    except ProfileError as error:
                        self.assertEqual(printable(error.message), error.message)
                        self.assertIn(error.line, range(1, data.count(b"\n") + 2))
                    except Exception as error:
                        raise AssertionError(f"mutant {number}: {data!r}") from error
                self.assertLess(time.process_time() - start, self.SECONDS_EACH, data)
        # Neither refuses everything nor takes everything.
        self.assertIn(worked, range(mutants // 5, mutants * 2 * 9 // 10))
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, self.MEMORY_KB)

    def diff(self, original: Path, mutated: Path) -> bool:
        """Compares the two profiles both ways, in all forms."""
        profiles = [read_profile(original), read_profile(mutated)]
        names = Names(fold_templates=True)
        for old, new in (profiles, profiles[::-1]):
            check_alike(old, new)
            found = compare(old.merged(), new.merged(), names, "Ir")
            limits = [parse_limit("1%"), parse_limit("*:inclusive:1%")]
            verdicts = verdicts_of(found, limits)
            for form in text_report, markdown_report, json_report:
                for line in form(Report(old, new, found, 0, 0, verdicts)):
                    self.assertNotIn("\n", line)
        return True

    def merge(self, original: Path, mutated: Path) -> bool:
        """The sum is read again, and has the sums that it says."""
        profiles = [libcg2profile.read(original), libcg2profile.read(mutated)]
        merge, imbalance = libcg2profile.Sum(), Imbalance("")
        for profile in profiles:
            merge.add_profile(profile)
            imbalance.add(profile)
        written = mutated.with_name("sum")
        merge.result().write(written)
        (part,) = read_profile(written).parts
        part.check()
        totals = [part.self_total() for profile in profiles for part in profile.parts]
        self.assertEqual(part.totals, [sum(column) for column in zip(*totals)])
        self.assertGreater(len(list(imbalance.lines(5))), 5)
        return True


if __name__ == "__main__":
    unittest.main()
