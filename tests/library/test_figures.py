"""The library reads, writes and adds up as the commands' reader, writer and sum in Python did, whose figures
are kept."""

from __future__ import annotations

import os
import sys
import unittest
from collections.abc import Callable
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from canonical import body, canonical, figures, hashed, refusal  # noqa: E402
from library import Directory  # noqa: E402
from stored import cases, folded_cases, stored, sums  # noqa: E402

from cg2tools.profile.libcg2profile import (  # noqa: E402
    FULL_NAMES,
    FULL_POSITIONS,
    LibraryProfile,
    read,
    read_folded,
)
from cg2tools.profile.model import ProfileError  # noqa: E402
from cg2tools import VERSION  # noqa: E402

FULL = os.environ.get("CG2_FULL") == "1"
FORMS = range(4)
FOLDED_CREATOR = "callgrind-cg2_convert-0.1"  # when the figures were stored
OPPOSITE = (0, FULL_NAMES | FULL_POSITIONS), (FULL_NAMES, FULL_POSITIONS)

Reading = Callable[[Path], LibraryProfile]


class Figures(Directory):
    def found(self, data: bytes, reading: Reading = read) -> str:
        """What figures.txt says of a profile: what is wrong, or what was read and written."""
        path = self.file("profile", data)
        try:
            found = reading(path)
        except ProfileError as error:
            return f"refused {refusal(str(error))}"
        profile = library.profile_of(found, str(path))
        written = b"".join(self.written(found, form) for form in FORMS)
        text, creator = canonical(profile), f"callgrind-cg2_convert-{VERSION}"
        if creator in text:
            text = text.replace(creator, FOLDED_CREATOR)
            written = written.replace(creator.encode(), FOLDED_CREATOR.encode())
        return f"{hashed(text)} {hashed(written)} {figures(profile)}"

    def written(self, found: LibraryProfile, form: int) -> bytes:
        path = self.fresh("written")
        found.write(path, form)
        return path.read_bytes()

    def check(self, *kinds: str) -> None:
        expected = {name: said for name, said in stored().items() if name.split()[0] in kinds}
        for name, data in cases(*kinds):
            self.assertEqual(self.found(data), expected.pop(name), f"{name}: {data!r}")
        self.assertEqual(expected, {})

    def test_stored(self) -> None:
        """Profiles that tests wrote, and what Callgrind and cg2 wrote."""
        self.check("text", "file")

    def test_generated(self) -> None:
        self.check("generated")

    def test_mutants(self) -> None:
        """What is wrong is said in the same words."""
        self.check("mutant")

    def test_folded(self) -> None:
        """Folded stacks."""
        expected = {name: said for name, said in stored().items() if name.startswith("folded ")}
        for name, data in folded_cases():
            found = self.found(data, lambda path: read_folded(path, "samples"))
            self.assertEqual(found, expected.pop(name), f"{name}: {data!r}")
        self.assertEqual(expected, {})

    def test_sums(self) -> None:
        """Ten profiles added up: each function has the same costs, calls and jumps."""
        expected = {name: said for name, said in stored().items() if name.startswith("sum ")}
        for name, texts in sums():
            paths = [self.file(f"profile{i}", text) for i, text in enumerate(texts)]
            output = self.fresh("sum")
            library.merge(paths, output)
            [part] = library.read_by_line(output).parts
            self.assertEqual(hashed(body(part)), expected.pop(name), name)
        self.assertEqual(expected, {})


class RoundTrip(Directory):
    """Read, write, read: the same profile, and the same file when it is written once more. In a check, each
    profile in two forms, which have nothing in common: names and positions in full, or short."""

    def test_all(self) -> None:
        compared = 0
        for number, (name, data) in enumerate(cases()):
            path = self.file("profile", data)
            try:
                found = read(path)
            except ProfileError:
                continue
            profile = library.profile_of(found, str(path))
            for part in profile.parts:
                if part.totals is None and not part.functions:
                    part.totals = [0] * len(part.events)  # what ends a part that has no body
            expected = canonical(profile, with_lines=False)
            for form in FORMS if FULL else OPPOSITE[number // 2 % 2]:
                once, twice = map(self.fresh, ("once", "twice"))
                found.write(once, form)
                again = read(once)
                copied = library.profile_of(again, str(once))
                self.assertEqual(canonical(copied, with_lines=False), expected, name)
                again.write(twice, form)
                self.assertEqual(once.read_bytes(), twice.read_bytes(), name)
            compared += 1
        self.assertGreater(compared, 1500)


if __name__ == "__main__":
    unittest.main()
