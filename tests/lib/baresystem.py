"""Debian with nothing but its base, in a directory: for tests of what a user does there.

Each system is made by debootstrap, from the mirror that apt uses here if it knows the release, and gets its
packages from there. It shares apt's cache of packages with this machine, so that none is fetched twice. apt
refuses a cache that another apt fills: who has such a system holds only_here("bare"). Only root can make one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from building import Ended, must, run

MIRROR = "http://deb.debian.org/debian"
LONGEST = 7200  # seconds that a command in such a system may take: it may fetch a thousand packages
PACKAGES = "/var/cache/apt/archives"

# In namespaces of its own, so that nothing stays mounted and no process is left when the tests end, however
# they do. Its root is that of the namespace: below a mere chroot the kernel gives nobody a user namespace.
ENTER = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec")
MOUNT = """
mount --bind "$0" "$0"
for directory in dev sys; do mount --rbind /$directory "$0/$directory"; done
mount -t proc proc "$0/proc"
for directory in $SHARED; do
   mkdir -p "$0$directory"
   mount --bind "$directory" "$0$directory"
done
cd "$0"
pivot_root . .
umount -l .
exec "$@"
"""

# What belongs to the kernel and to the package manager, and what the latter makes anew.
NOT_OURS = ("dev", "proc", "sys", "tmp", "etc/ld.so.cache", "var/cache", "var/lib", "var/log")


def apt_sources(release: str) -> dict[str, str]:
    """The mirror of each part of a release: bookworm, bookworm-updates, ..."""
    asked = ["apt-get", "indextargets", "--format", "$(CREATED_BY) $(RELEASE) $(REPO_URI)"]
    lines = must(*asked).splitlines()
    found = (line.split() for line in lines if line.startswith("Packages "))
    known = {name: mirror for _, name, mirror in found if name.startswith(release)}
    return known or {release: MIRROR}


def missing() -> str | None:
    """None, or why there can be no bare system here."""
    if os.geteuid() != 0:
        return "only root can make another system: sudo make check-full"
    for program in ("debootstrap", "unshare", "chroot"):
        if not shutil.which(program):
            return f"{program} is not installed (Debian: apt-get install debootstrap)"
    if not shutil.which("apt-get"):
        return "there is no apt here"
    entered = run("unshare", "--mount", "--pid", "--fork", "true")
    return None if entered.status == 0 else f"no other system here: {entered.stderr.strip()}"


def in_memory(directory: Path) -> bool:
    """Make the directory one of memory, if this machine has far more than a system takes that `be_quick` was
    told of."""
    text = Path("/proc/meminfo").read_text()
    free = re.search(r"MemAvailable: +(\d+) kB", text)
    is_enough = free is not None and int(free[1]) > 10_000_000
    tmpfs = ("mount", "-t", "tmpfs", "-o", "size=4g,mode=755", "cg2-bare", directory)
    return is_enough and run(*tmpfs).status == 0


def be_quick(root: Path) -> None:
    """Before a system is made: nothing in it waits for the disk, and it has no texts that no program needs,
    nor lists of what packages are in other languages."""
    texts = ("doc", "info", "locale", "man")
    lines = ["force-unsafe-io", *(f"path-exclude=/usr/share/{name}/*" for name in texts)]
    settings = root / "etc/dpkg/dpkg.cfg.d"
    settings.mkdir(parents=True)
    (settings / "quick").write_text("".join(f"{line}\n" for line in lines))
    settings = root / "etc/apt/apt.conf.d"
    settings.mkdir(parents=True)
    (settings / "quick").write_text('Acquire::Languages "none";\n')


def make_system(root: Path, release: str, *packages: str) -> None:
    """The base of a release of Debian and these packages; it gets others from where this machine gets its
    own."""
    sources = apt_sources(release)
    options = ["--variant=minbase", f"--cache-dir={PACKAGES}"]
    if packages:
        options.append(f"--include={','.join(packages)}")
    must("debootstrap", *options, release, root, sources[release], directory=root.parent)
    lines = [f"deb {mirror} {name} main\n" for name, mirror in sources.items()]
    (root / "etc/apt/sources.list").write_text("".join(lines))
    # Debian's installer does so, too; a browser's driver asks for localhost.
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n")
    # Proxies, and how often to try.
    (root / "etc/apt/apt.conf.d/99acquire").write_text(must("apt-config", "dump", "Acquire"))
    # What was fetched stays in the cache.
    (root / "etc/apt/apt.conf.d/99keep").write_text('APT::Keep-Downloaded-Packages "true";\n')


def inside(
    root: Path, *command: str | Path, shared: Sequence[Path] = (), **environment: str
) -> Ended:
    """Run a command in the system in `root`, which sees nothing of ours but the kernel and the directories
    that are shared; all it says is its stdout."""
    proxies = {name: value for name, value in os.environ.items() if name.endswith("_proxy")}
    fixed = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C",
        "DEBIAN_FRONTEND": "noninteractive",
        "SHARED": " ".join([PACKAGES, *map(str, shared)]),
    }
    ended = subprocess.run(
        [*ENTER, MOUNT, str(root), *map(str, command)],
        env=fixed | proxies | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=LONGEST,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, "")


def must_inside(root: Path, *command: str | Path) -> str:
    """Run a command in the system in `root` that has to succeed; give what it said."""
    ended = inside(root, *command)
    words = " ".join(map(str, command))
    assert ended.status == 0, f"{words}: exit status {ended.status}\n{ended.stdout}"
    return ended.stdout


def installed(root: Path) -> set[str]:
    """The names of all files, links and directories of the system that packages or programs put there."""
    return {name for name in names(root) if not name.startswith(NOT_OURS)}


def names(root: Path) -> Iterator[str]:
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if str(here / name) not in NOT_OURS]
        yield from (str(here / name) for name in (*folders, *files))
