"""./bootstrap in a Debian 12 that has nothing but its base, as README promises it.

The system is made by debootstrap from the mirror that apt uses here, and removed at the end. The tests run in
it with its own Python and nothing of ours but the kernel and the packages that were fetched before.

With --full, `./bootstrap check` passes there, all of it, with all packages that it installs: 4 GB. A check
runs what CG2_BARE names ("style unit"; .ci/run does so): `./bootstrap profile` builds and profiles, the
packages that these tests need are installed, and of the others it is seen that apt could install them. What
its compiler would make of the same text comes from the cache of this check if it is the compiler of this
machine, to the byte. It is done in memory where there is enough.
"""

from __future__ import annotations

import os
import re
import shutil
import unittest
from pathlib import Path

from baresystem import be_quick, in_memory, inside, make_system, missing, must_inside
from building import CACHE, must, only_here, source
from cg2test import BUILD, SOURCE

RELEASE = "bookworm"
TESTS = os.environ.get("CG2_BARE", "").split()
IS_WHOLE = not TESTS or os.environ.get("CG2_FULL") == "1"

# Why tests may be skipped: they need what ./bootstrap does not install, another Valgrind that the mirror
# lacks, or another processor.
MAY_SKIP = re.compile(
    r": (npm\b.* is not installed|(ffmpeg|go|qemu-img|rustc|Go's pprof|ld\.lld) is not installed"
    r"|clang and lld are not installed|no gfortran |there is no (go|llvm-mca of LLVM 22|/usr/lib/llvm-\S+)\b"
    r"|this source tree is no repository|no Python 3.12 or later|no Valgrind of Debian's \w+: "
    r"|this processor (has no|is not Intel's)|calls push the return address|takes minutes; --full runs it)"
)


# What tests need that CG2_BARE may name: one that misses a program is skipped, and that is a failure here.
NEEDED = "clang fish g++ llvm rustc zsh".split()


class Bare(unittest.TestCase):
    # The whole check has as many workers as it has here, and tests that assert speed.
    alone = IS_WHOLE

    def setUp(self) -> None:
        reason = missing()
        if reason:
            self.skipTest(reason)
        self.enterContext(only_here("bare"))
        self.root = BUILD / "tests-bare"
        self.remove()  # what is left of a run that was killed
        self.root.mkdir()
        self.root.chmod(0o755)
        self.addCleanup(self.remove)

    def remove(self) -> None:
        if self.root.is_mount():
            must("umount", self.root)
        must("rm", "-rf", "--one-file-system", self.root)

    def make(self, *packages: str) -> None:
        """Make the system, and put the sources into it."""
        try:
            make_system(self.root, RELEASE, *packages)
        except AssertionError as error:
            self.skipTest(f"debootstrap makes no {RELEASE} here: {str(error).splitlines()[-1]}")
        shutil.copytree(source(), self.root / "cg2", symlinks=True)

    def check(self, said: str) -> None:
        """All tests passed; few were skipped, as they need what Debian has not."""
        counts = said.splitlines()[-1]
        self.assertRegex(counts, r"^\d+ passed, 0 failed(, \d+ skipped)?$", said)
        skipped = re.findall(r"^skipped (.*)", said, re.MULTILINE)
        self.assertEqual([line for line in skipped if not MAY_SKIP.search(line)], [])

    def test_check(self) -> None:
        """A bare Debian builds and profiles, and tests pass."""
        if IS_WHOLE:
            self.check_all()
        else:
            self.check_some()

    def check_all(self) -> None:
        self.make()
        shown = inside(self.root, "/cg2/bootstrap", "profile", "true").stdout
        self.assertRegex(shown, r"(?m)^[\d,]+ Ir: ", shown)
        self.check(inside(self.root, "/cg2/bootstrap", "check").stdout)

    def check_some(self) -> None:
        in_memory(self.root)
        be_quick(self.root)
        self.make("ccache")
        cache = Path(CACHE["CCACHE_DIR"])
        cache.mkdir(exist_ok=True)
        settings = {**CACHE, "CCACHE_CONFIGPATH": "/cg2/tests/lib/ccache.conf", "CC": "ccache gcc"}
        builds = ("/cg2/bootstrap", "profile", "true")
        shown = inside(self.root, *builds, shared=[cache], **settings).stdout
        self.assertRegex(shown, r"(?m)^[\d,]+ Ir: ", shown)
        install = ("apt-get", "-qy", "--no-install-recommends", "install")
        must_inside(self.root, *install, "--print-uris", *packages_of_check())
        must_inside(self.root, *install, *NEEDED)
        runs = ("/usr/bin/python3", "/cg2/tests/run.py", *TESTS)
        self.check(
            inside(self.root, *runs, CG2_BUILD="/cg2", CG2_VALGRIND="/usr/bin/valgrind").stdout
        )

    test_check.full = not TESTS  # type: ignore[attr-defined]


def packages_of_check() -> list[str]:
    """What ./bootstrap check installs."""
    text = (SOURCE / "bootstrap").read_text()
    lists = re.findall(r"(?ms)^(?:build|check)_packages='(.*?)'$", text)
    assert len(lists) == 2, lists
    return " ".join(lists).split()


if __name__ == "__main__":
    unittest.main()
