"""`./bootstrap check` in a Debian 12 that has nothing but its base, as README promises it.

The system is made by debootstrap from the mirror that apt uses here, in the build directory: 4 GB, which are
removed at the end. The tests run in it with its own Python and nothing of ours but the kernel and the
packages that were fetched before. With --full all of them; CG2_BARE names some ("style unit"), which run
there without --full, too: .ci/run does so.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from baresystem import inside, make_system, missing
from building import must, source
from cg2test import BUILD

RELEASE = "bookworm"
TESTS = os.environ.get("CG2_BARE", "").split()

# Why tests may be skipped: they need what ./bootstrap does not install, or another Valgrind that the mirror
# lacks.
MAY_SKIP = re.compile(
    r": (npm\b.* is not installed|(ffmpeg|go|qemu-img|rustc) is not installed"
    r"|this source tree is no repository|no Python 3.12 or later|no Valgrind of Debian's \w+: )"
)


class Bare(unittest.TestCase):
    full = not TESTS

    def setUp(self) -> None:
        reason = missing()
        if reason:
            self.skipTest(reason)
        self.root = Path(tempfile.mkdtemp(prefix="tests-bare-", dir=BUILD))
        self.root.chmod(0o755)
        self.addCleanup(must, "rm", "-rf", "--one-file-system", self.root)

    def test_check(self) -> None:
        """A bare Debian builds and profiles; all tests pass; few are skipped, as they need what Debian has
        not."""
        try:
            make_system(self.root, RELEASE)
        except AssertionError as error:
            self.skipTest(f"debootstrap makes no {RELEASE} here: {str(error).splitlines()[-1]}")
        shutil.copytree(source(), self.root / "cg2", symlinks=True)
        shown = inside(self.root, "/cg2/bootstrap", "profile", "true").stdout
        self.assertRegex(shown, r"(?m)^[\d,]+ Ir: ", shown)
        said = inside(self.root, "/cg2/bootstrap", "check", *TESTS).stdout
        counts = said.splitlines()[-1]
        self.assertRegex(counts, r"^\d+ passed, 0 failed(, \d+ skipped)?$", said)
        skipped = re.findall(r"^skipped (.*)", said, re.MULTILINE)
        self.assertEqual([line for line in skipped if not MAY_SKIP.search(line)], [])


if __name__ == "__main__":
    unittest.main()
