#!/usr/bin/python3
"""Fetches Debian's other Valgrinds and unpacks them, without installing anything.

    fetch.py [--architecture=NAME] DIRECTORY [SUITE...]

leaves DIRECTORY/valgrind-3.24.0/usr and the like, each a prefix for configure's
--with-valgrind, and prints them: of the suites named, or of those that have another
Valgrind than Debian 12. DIRECTORY/apt holds a set of apt's own files,
so that the machine's stay as they are. What is there already is not fetched. NAME is
Debian's name of another architecture, whose packages are in DIRECTORY/NAME.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

# Debian's suites that have another Valgrind than bookworm's 3.19.
SUITES = {"trixie": "3.24", "sid": "3.27"}


class FetchError(Exception):
    """A package could not be had; says why in one line."""


def fetch(suite: str, directory: Path, architecture: str = "") -> Path:
    """The prefix of the Valgrind of Debian's `suite`, below `directory`; of this machine's, or that
    architecture."""
    directory = directory / architecture
    link = directory / suite
    if not link.exists():
        package = download(suite, directory / "apt", architecture)
        link.unlink(missing_ok=True)
        link.symlink_to(unpack(package, directory).name)
    return link.resolve() / "usr"


def download(suite: str, apt: Path, architecture: str) -> Path:
    """The Debian package of Valgrind in `suite`."""
    options = private(suite, apt) + (of_architecture(architecture) if architecture else [])
    command("apt-get", *options, "-q", "update")
    packages = apt / suite / "packages"
    packages.mkdir(exist_ok=True)
    command("apt-get", *options, "-q", "download", "valgrind", directory=packages)
    return sorted(packages.glob("valgrind_*.deb"))[-1]


def private(suite: str, apt: Path) -> list[str]:
    """Options that make apt work on `suite` alone, with all its files below `apt`."""
    root = apt / suite
    for name in ("state/lists/partial", "cache/archives/partial"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "status").touch()
    (root / "sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {suite} main\n")
    settings = {
        "Dir::Etc::sourcelist": root / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::Etc::preferences": "-",
        "Dir::Etc::preferencesparts": "-",
        "Dir::State": root / "state",
        "Dir::State::status": root / "status",
        "Dir::Cache": root / "cache",
        "Acquire::Languages": "none",
        # Signatures count; a list that is old, or a clock that is off, does no harm here.
        "Acquire::Check-Valid-Until": "false",
        "Acquire::Check-Date": "false",
        "APT::Update::Error-Mode": "any",
        "APT::Sandbox::User": "root",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def of_architecture(name: str) -> list[str]:
    """Options that make apt work on packages of an architecture alone."""
    chosen = {"APT::Architecture": name, "APT::Architectures": name}
    return [word for option, value in chosen.items() for word in ("-o", f"{option}={value}")]


def unpack(package: Path, directory: Path) -> Path:
    """Unpack the package into a directory named by its upstream version."""
    version = command("dpkg-deb", "-f", str(package), "Version")
    upstream = version.split(":")[-1].split("-")[0]
    result = directory / f"valgrind-{upstream}"
    command("dpkg-deb", "-x", str(package), str(result))
    return result


def command(*words: str, directory: Path = Path("/")) -> str:
    """Run a command; give its output, stripped."""
    try:
        ended = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise FetchError(f"{words[0]}: not found, this is not Debian") from error
    if ended.returncode != 0:
        complaint = [line for line in ended.stderr.splitlines() if line] or ["failed"]
        raise FetchError(f"{words[0]}: {complaint[-1]}")
    return ended.stdout.strip()


def main() -> int:
    arguments = sys.argv[1:]
    architecture = ""
    if arguments and arguments[0].startswith("--architecture="):
        architecture = arguments.pop(0).partition("=")[2]
    if not arguments or arguments[0].startswith("-"):
        print("usage: fetch.py [--architecture=NAME] DIRECTORY [SUITE...]", file=sys.stderr)
        return 2
    directory = Path(arguments[0]).resolve()
    try:
        for suite in arguments[1:] or SUITES:
            print(fetch(suite, directory, architecture))
    except (FetchError, OSError) as error:
        print(f"fetch.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
