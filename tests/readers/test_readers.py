"""Other people's readers open cg2's profiles of every mode without a complaint.

What a reader cannot take, Mode.not_for says, and so does the manual; there the profile that `cg2_convert
--for` writes is opened instead.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import cg2test
import desktop
import profiletexts
from cg2test import BUILD, IN_PLACE
from cg2tools.profile.reader import read_profile
from desktop import Desktop
from modes import MODES, Mode, convert
from speedscope import Speedscope, why_not

SCREENSHOTS = BUILD / "tests-readers"


class Readers(unittest.TestCase):
    def setUp(self) -> None:
        if not list(IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{IN_PLACE} has no cg2")

    def plain(self, mode: Mode, reader: str) -> Path:
        """The mode's profile, as it is or as cg2_convert writes it for the reader."""
        path = mode.profile()
        if reader not in mode.not_for:
            return path
        converted = path.with_name(f"converted.{reader}")  # KCachegrind opens all that begin alike
        convert(f"--for={reader}", "-o", str(converted), str(path))
        return converted


class KCachegrind(Readers):
    def test_all(self) -> None:
        """KCachegrind shows the profile's name and command, no error, and says nothing."""
        if desktop.missing():
            self.skipTest(f"not installed: apt-get install {desktop.missing()}")
        SCREENSHOTS.mkdir(exist_ok=True)
        with Desktop() as screen:
            for mode in MODES:
                if "kcachegrind" in mode.not_for:
                    continue
                path = mode.profile()
                program = read_profile(path).parts[0].cmd
                with self.subTest(mode.name):
                    picture = SCREENSHOTS / f"kcachegrind-{mode.name.replace(' ', '-')}.png"
                    seen = screen.show(
                        "kcachegrind", str(path), title=f"[{program}]", screenshot=picture
                    )
                    self.assertEqual(len(seen.windows), 1, seen)
                    self.assertRegex(seen.windows[0], rf"{path.name}.*\[{program}\] — KCachegrind")
                    self.assertEqual(
                        [line for line in seen.stderr if not line.startswith('Selected  "')], []
                    )
                    self.assertGreater(seen.colours, 100, picture)

    def test_complains(self) -> None:
        """A wrong line, and a file that is no profile, are seen here: the test can fail."""
        if desktop.missing():
            self.skipTest(f"not installed: apt-get install {desktop.missing()}")
        wrong = cg2test.new_directory() / "wrong.out"
        picture = wrong.with_suffix(".png")
        text = MODES[0].profile().read_text()
        with Desktop() as screen:
            wrong.write_text(re.sub(r"(?m)^fn=", "rec=1\nfn=", text, count=1))
            seen = screen.show("kcachegrind", str(wrong), title="wrong.out", screenshot=picture)
            self.assertIn("Invalid line", seen.stderr[0])
            wrong.write_text(text.replace("\nevents:", "\nvents:"))
            seen = screen.show("kcachegrind", str(wrong), title="wrong.out", screenshot=picture)
            self.assertIn("Error — KCachegrind", seen.windows)


class CallgrindAnnotate(Readers):
    def annotated(self, path: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["callgrind_annotate", "--auto=no", str(path)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def test_all(self) -> None:
        """No warning, and the total of the profile.

        Sources are left out: there it complains of its own about events that a line has none of, also in
        profiles of Callgrind.
        """
        if not shutil.which("callgrind_annotate"):
            self.skipTest("callgrind_annotate is not installed")
        for mode in MODES:
            with self.subTest(mode.name):
                ended = self.annotated(mode.profile())
                said = ended.stdout + ended.stderr
                complains = ended.returncode != 0 or "WARNING" in said or bool(ended.stderr)
                self.assertEqual(
                    complains, "callgrind_annotate" in mode.not_for, f"{ended.stderr}{said[:500]}"
                )
                if not complains:
                    total = read_profile(mode.profile()).merged().self_total()[0]
                    self.assertRegex(
                        ended.stdout, rf"(?m)^\s*{total:,} \(100.0%\) .*PROGRAM TOTALS"
                    )


class Gprof2dot(Readers):
    """gprof2dot is no package of Debian's: its rules, as far as they are known."""

    HEADER = set(
        "version creator cmd pid thread part desc event events positions summary totals".split()
    )
    BODY = re.compile(
        r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)=(\(\d+\))?.*|calls=\d+( ([-+*]?|0x)[0-9a-f*]+)+ ?"
        r"|(([-+*]?|0x)[0-9a-f*]*)( (([-+*]?|0x)[0-9a-f*]+))* ?|#.*"
    )

    def test_all(self) -> None:
        for mode in MODES:
            with self.subTest(mode.name):
                path = self.plain(mode, "gprof2dot")
                for line in path.read_text().splitlines():
                    key = re.match(r"(\w+):", line)
                    self.assertTrue(
                        key is not None and key[1] in self.HEADER or self.BODY.fullmatch(line),
                        f"{path}: {line}",
                    )


class InSpeedscope(Readers):
    browser: Speedscope

    @classmethod
    def setUpClass(cls) -> None:
        reason = why_not()
        if reason:
            raise unittest.SkipTest(reason)
        cls.browser = Speedscope()
        cls.addClassCleanup(cls.browser.close)

    def test_all(self) -> None:
        """Speedscope shows each event, and the console has no error."""
        for mode in MODES:
            with self.subTest(mode.name):
                path = self.plain(mode, "speedscope")
                shown = self.browser.show(path)
                self.assertEqual(shown.errors, [])
                self.assertIn("Importing as Callgrind profile", shown.console)
                self.assertIn("Sandwich", shown.text)
                self.assertIn(read_profile(path).parts[0].events[0], shown.text)

    def test_converted(self) -> None:
        """Speedscope shows the JSON that cg2_convert writes, also of paths, and the console has no error."""
        with tempfile.TemporaryDirectory() as folder:
            paths = Path(folder) / "app.paths"
            paths.write_bytes(profiletexts.paths(7))
            for path in MODES[0].profile(), paths:
                converted = path.with_suffix(".json")
                convert("--to=speedscope", "-o", str(converted), str(path))
                shown = self.browser.show(converted)
                self.assertEqual(shown.errors, [])
                self.assertIn("Importing as speedscope json file", shown.console)
                self.assertIn("Sandwich", shown.text)

    def test_complains(self) -> None:
        """Several parts in a file are refused, as the manual says."""
        (several,) = (mode for mode in MODES if mode.name == "parts in one file")
        shown = self.browser.show(several.profile())
        self.assertNotIn("Sandwich", shown.text)
        self.assertIn("Something went wrong", shown.text)
        self.assertEqual(len(shown.errors), 1, shown.console)


if __name__ == "__main__":
    unittest.main()
