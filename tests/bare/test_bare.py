"""`./bootstrap check` in a Debian 12 that has nothing but its base, as README promises it. Only with --full.

The system is made by debootstrap from the mirror that apt uses here, in the build directory: 4 GB, which are removed
at the end. The tests run in it with its own Python and nothing of ours but the kernel; CG2_BARE names some of them
("style unit"), to try it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from building import must, source
from cg2test import BUILD, HANG

RELEASE = "bookworm"
TESTS = os.environ.get("CG2_BARE", "").split()

# In namespaces of its own, so that nothing stays mounted and no process is left when the tests end, however they do.
ENTER = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec")
MOUNT = """
for directory in dev sys; do mount --rbind /$directory "$0/$directory"; done
mount -t proc proc "$0/proc"
cd "$0"
exec chroot "$0" "$@"
"""

# Why tests may be skipped: they need what ./bootstrap does not install, or another Valgrind that the mirror lacks.
MAY_SKIP = re.compile(
    r": (npm\b.* is not installed|(ffmpeg|go|qemu-img|rustc) is not installed"
    r"|no Python 3.12 or later|no Valgrind of Debian's \w+: )"
)


def apt_sources() -> dict[str, str]:
    """The mirror of each part of Debian 12 that apt knows here: bookworm, bookworm-updates, ..."""
    asked = ["apt-get", "indextargets", "--format", "$(CREATED_BY) $(RELEASE) $(REPO_URI)"]
    lines = must(*asked).splitlines()
    found = (line.split() for line in lines if line.startswith("Packages "))
    return {release: mirror for _, release, mirror in found if release.startswith(RELEASE)}


def missing() -> str | None:
    """None, or why there can be no bare system here."""
    if os.geteuid() != 0:
        return "only root can make another system: sudo make check-full"
    for program in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(program):
            return f"{program} is not installed (Debian: apt-get install debootstrap)"
    if not shutil.which("apt-get") or RELEASE not in apt_sources():
        return f"apt knows no mirror of {RELEASE} here"
    return None


def make_system(root: Path) -> None:
    """The base of Debian, which gets packages from where this machine gets its own."""
    sources = apt_sources()
    must("debootstrap", "--variant=minbase", RELEASE, root, sources[RELEASE], directory=root.parent)
    lines = [f"deb {mirror} {release} main\n" for release, mirror in sources.items()]
    (root / "etc/apt/sources.list").write_text("".join(lines))
    # Debian's installer does so, too; a browser's driver asks for localhost.
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    # Proxies, and how often to try.
    (root / "etc/apt/apt.conf.d/99acquire").write_text(must("apt-config", "dump", "Acquire"))


def check(root: Path) -> str:
    """What `./bootstrap check` prints in the system."""
    proxies = {name: value for name, value in os.environ.items() if name.endswith("_proxy")}
    ended = subprocess.run(
        [*ENTER, MOUNT, str(root), "/cg2/bootstrap", "check", *TESTS],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C"} | proxies,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )
    return ended.stdout


class Bare(unittest.TestCase):
    full = True

    def setUp(self) -> None:
        reason = missing()
        if reason:
            self.skipTest(reason)
        self.root = Path(tempfile.mkdtemp(prefix="tests-bare-", dir=BUILD))
        self.root.chmod(0o755)
        self.addCleanup(must, "rm", "-rf", "--one-file-system", self.root)

    def test_check(self) -> None:
        """All tests pass; few are skipped, as they need what Debian has not."""
        make_system(self.root)
        shutil.copytree(source(), self.root / "cg2", symlinks=True)
        said = check(self.root)
        counts = said.splitlines()[-1]
        self.assertRegex(counts, r"^\d+ passed, 0 failed(, \d+ skipped)?$", said)
        skipped = re.findall(r"^skipped (.*)", said, re.MULTILINE)
        self.assertEqual([line for line in skipped if not MAY_SKIP.search(line)], [])


if __name__ == "__main__":
    unittest.main()
