"""What is read of a profile that was cut off: what its whole lines say, wherever the cut is."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import unittest
import zlib

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

from library import Directory, merge  # noqa: E402
from profiletexts import SAMPLE, Chance, folded, generated  # noqa: E402

from cg2tools.profile.libcg2profile import FUNCTIONS, SUMS, read, read_folded  # noqa: E402
from cg2tools.profile.model import Function, FunctionKey, Part, Profile  # noqa: E402
from cg2tools.profile.reader import read_profile  # noqa: E402
from cg2tools.profile.terms import CutOff, ProfileError  # noqa: E402

LARGE = 300  # profiles,
CUTS = 6  # each cut at so many places

Figures = list[tuple[list[str], dict[FunctionKey, Function]]]


def figures(profile: Profile) -> Figures:
    """What parts say of functions of which more than a name is known, where there are some."""
    return [(part.events, told(part)) for part in profile.parts if told(part)]


def told(part: Part) -> dict[FunctionKey, Function]:
    return {
        key: function
        for key, function in part.functions.items()
        if function.costs or function.calls or function.jumps
    }


class Partial(Directory):
    def by_hand(self, text: bytes) -> Profile | None:
        """What the whole lines of a text say: the reader of whole files takes as many as are a profile."""
        text = text[: text.rfind(b"\n") + 1]
        while text:
            try:
                return read_profile(self.file("by_hand", text))
            except ProfileError as error:
                self.assertRegex(error.message, "^the file ends |^the file is empty")
            text = text[: text.rfind(b"\n", 0, -1) + 1]
        return None

    def check(self, text: bytes, length: int) -> bool:
        """Reads the beginning of a text in both ways; whether it is cut off."""
        cut = text[:length]
        path = self.file("cut", cut)
        expected = self.by_hand(cut)
        try:
            found = read_profile(path, partial=True)
        except ProfileError as error:
            said = "in front of its first function; expected at|is empty; expected a"
            self.assertRegex(error.message, said)
            self.assertNotIsInstance(error, CutOff)
            self.assertEqual(expected and figures(expected) or [], [], cut)
            return True
        assert expected, cut
        self.assertEqual(figures(found), figures(expected), cut)
        self.check_sums(found)
        for detail in FUNCTIONS, SUMS:
            less = read(path, detail=detail, partial=True)
            for part, whole in zip(less.parts, found.parts, strict=True):
                self.assertEqual(part.self_total(), whole.self_total())
        return found.cut_off != ""

    def check_sums(self, found: Profile) -> None:
        """The last part says that it is cut off, and where, and states what its functions cost."""
        last = found.parts[-1]
        said = f"cut off {found.cut_off}" if found.cut_off else None
        self.assertEqual(last.descriptions.get("Partial"), said)
        self.assertEqual([part.partial for part in found.parts[:-1]], [""] * (len(found.parts) - 1))
        for stated in (last.summary, last.totals) if found.cut_off else ():
            self.assertIn(stated, (None, last.self_total()))

    def test_every_byte(self) -> None:
        """The sample is cut, whose two parts have calls, jumps, names by ids, relative positions."""
        cut = [self.check(SAMPLE, length) for length in range(len(SAMPLE) + 1)]
        # The sample is whole, too, where no header of a second part follows the first one.
        second = SAMPLE.index(b"part: 2")
        self.assertEqual(
            [length for length in range(len(cut)) if not cut[length]],
            [second - 1, second, len(SAMPLE)],
        )

    def test_every_byte_of_others(self) -> None:
        """Who wrote it is not known: a file that ends in a whole line may be whole."""
        text = SAMPLE.replace(b"creator: callgrind-3.19.0\n", b"")
        for length in range(len(text) + 1):
            self.check(text, length)
        self.assertFalse(self.check(text[: text.index(b"part: 2")], len(text)))

    def test_generated(self) -> None:
        chance = Chance(11)
        for number in range(LARGE):
            text = generated(number)
            for _ in range(CUTS):
                self.check(text, chance.randrange(len(text) + 1))

    def test_large(self) -> None:
        """A large file is read in pieces."""
        lines = [b"creator: callgrind-cg2-0.1\nevents: Ir Dr\n"]
        for i in range(30_000):
            lines.append(
                b"fn=(%d) function_%d\n%d %d %d\ncfn=(%d)\ncalls=1 1\n+1 40 5\n"
                % (i + 2, i, i, 7 * i, i, i + 1 if i else 2)
            )
        text = b"".join(lines) + b"totals: 3149895000 449985000\n"
        chance = Chance(5)
        for length in [chance.randrange(len(text)) for _ in range(4)]:
            self.assertTrue(self.check(text, length))
        self.assertFalse(self.check(text, len(text)))

    def test_half_a_number(self) -> None:
        """The last line may be a number of which the end is missing: 1000 is not 10."""
        text = b"creator: callgrind-cg2-0.1\nevents: Ir\nsummary: 1007\nfn=f\n1 7\n2 1000\n"
        whole = len(text)
        for length, total, where in (
            (whole, 1007, "behind line 6, at byte 68"),
            (whole - 1, 7, "in line 6, at byte 67"),
            (whole - 3, 7, "in line 6, at byte 65"),
            (whole - 7, 7, "behind line 5, at byte 61"),
            (whole - 8, 0, "in line 5, at byte 60"),
        ):
            path = self.file("half", text[:length])
            if not total:
                with self.assertRaises(ProfileError) as caught:
                    read(path, partial=True)
                said = f"the file is cut off {where}, in front of its first function"
                self.assertEqual(caught.exception.message, f"{said}; expected at least one")
                continue
            found = read(path, partial=True)
            self.assertEqual(found.parts[0].self_total(), [total])
            self.assertEqual(found.cut_off, where)

    def test_wrong_in_front(self) -> None:
        """What is wrong in front of the cut is not made right by it."""
        at = SAMPLE.index(b"calls=2")
        text = SAMPLE[:at] + b"wrong\n" + SAMPLE[at:-20]
        with self.assertRaisesRegex(ProfileError, "unknown line 'wrong'") as caught:
            read(self.file("wrong", text), partial=True)
        self.assertNotIsInstance(caught.exception, CutOff)

    def test_said_of_whole_files(self) -> None:
        """Who reads a file as a whole is told that it is cut off, in the error or beside the figures."""
        text = (
            b"creator: callgrind-cg2-0.1\nevents: Ir\nfn=f\n1 7\ncfn=g\ncalls=1 1\n2 9\ntotals: 7\n"
        )
        for end, where in (
            (b"calls", "in line 6, at byte 58"),
            (b"1 1\n2 9", "behind line 6, at byte 63"),
        ):
            keep = text.index(end) + (5 if end == b"calls" else 4)
            with self.assertRaisesRegex(CutOff, f"; the file is cut off {where}"):
                read(self.file("cut", text[:keep]))
        for keep, where in (
            (len(text), ""),
            (len(text) - 1, "in line 8, at byte 76"),
            (len(text) - 10, "behind line 7, at byte 67"),
        ):
            self.assertEqual(read(self.file("cut", text[:keep])).cut_off, where)

    # ---- Packed -------------------------------------------------------

    def test_gzip(self) -> None:
        """What could be unpacked is read; the byte is one of the file."""
        text = generated(3) * 1
        packed = gzip.compress(b"creator: callgrind-cg2-0.1\n" + text)
        for length in range(20, len(packed), max(1, len(packed) // 40)):
            there = zlib.decompressobj(31).decompress(packed[:length])
            expected = self.by_hand(there)
            path = self.file("cut", packed[:length])
            if expected is None or not any(part.functions for part in expected.parts):
                with self.assertRaisesRegex(ProfileError, f"at byte {length}, in front of its"):
                    read_profile(path, partial=True)
                continue
            found = read_profile(path, partial=True)
            self.assertEqual(figures(found), figures(expected))
            self.assertRegex(found.cut_off, f", at byte {length}$")

    def test_zstd(self) -> None:
        """zstd unpacks whole blocks, of 128 KiB."""
        if not shutil.which("zstd"):
            self.skipTest("there is no zstd; apt-get install zstd")
        lines = b"".join(b"%d %d\n" % (i, i * i) for i in range(200_000))
        packed = subprocess.run(
            ["zstd", "-q"], input=b"events: Ir\nfn=f\n" + lines, capture_output=True, check=True
        ).stdout
        path = self.file("cut", packed[: len(packed) // 2])
        with self.assertRaisesRegex(CutOff, "the zstd data end at byte"):
            read(path)
        part = read_profile(path, partial=True).parts[0]
        (function,) = part.functions.values()
        self.assertEqual(part.self_total(), [sum(i * i for i in range(len(function.costs)))])
        self.assertGreater(len(function.costs), 50_000)

    def test_damaged(self) -> None:
        """What does not unpack is wrong, and maybe so is what was unpacked before."""
        packed = bytearray(gzip.compress(SAMPLE))
        packed[-6] ^= 1
        with self.assertRaisesRegex(ProfileError, "the gzip data are damaged at byte"):
            read(self.file("damaged", bytes(packed)), partial=True)

    # ---- What is made of it --------------------------------------------

    def test_written(self) -> None:
        """A file of its own, whose sums agree, and which says what it is."""
        path = self.file("cut", SAMPLE[: SAMPLE.index(b"fn=(4)\n-4")])
        read(path, partial=True).write(self.directory / "written")
        text = (self.directory / "written").read_text()
        self.assertIn("desc: Partial: cut off behind line 44, at byte 579\n", text)
        self.assertRegex(text, "summary: 41 4\n(?s:.*)\ntotals: 41 4\n")
        again = read_profile(self.directory / "written")
        self.assertEqual((again.cut_off, again.parts[0].self_total()), ("", [41, 4]))
        self.assertEqual(again.partial, [f"{again.path}: cut off behind line 44, at byte 579"])

    def test_next_part(self) -> None:
        """The part behind one that is cut off is not, though it inherits other descriptions."""
        text = b"desc: Partial: cut off\ndesc: a: b\nevents: Ir\nfn=f\n1 1\npart: 2\nevents: Ir\nfn=f\n1 1\n"
        parts = read_profile(self.file("two", text)).parts
        self.assertEqual([part.descriptions for part in parts][1], {"a": "b"})

    def test_sums(self) -> None:
        """A sum says how many of its files were cut off, whatever the order and grouping."""
        whole = b"events: Ir\nfn=f\n1 7\n"
        paths = [
            self.file("whole", whole),
            self.file("said", b"desc: Partial: cut off in line 9\n" + whole),
            self.file("too", b"desc: Partial: cut off in line 9\n" + whole),
        ]
        outputs = [self.directory / name for name in ("a", "b", "pair", "c")]
        merge(paths, outputs[0])
        merge(paths[::-1], outputs[1])
        merge(paths[1:], outputs[2])
        merge([outputs[2], paths[0]], outputs[3])
        texts = [path.read_text() for path in outputs]
        self.assertIn("desc: Partial: profiles that were cut off: 2\n", texts[0])
        self.assertIn("desc: Partial: profiles that were cut off: 2\n", texts[2])
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[3])
        merge(paths[:1], outputs[0])
        self.assertNotIn("Partial", outputs[0].read_text())

    def test_folded(self) -> None:
        """A last line without its end is no stack."""
        text = folded(4)
        for length in range(text.index(b"\n") + 1, len(text) + 1):
            lines = text[:length].rfind(b"\n") + 1
            path = self.file("cut", text[:length])
            found = read_folded(path, "x", partial=True)
            expected = read_folded(self.file("by_hand", text[:lines]), "x")
            self.assertEqual(found.parts[0].self_total(), expected.parts[0].self_total())
            self.assertEqual(found.cut_off != "", lines < length)
            self.assertEqual(expected.cut_off, "")


if __name__ == "__main__":
    unittest.main()
