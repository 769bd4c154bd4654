"""The interface that programs are built against, as it is stored, beside that of the library that was built.

`make abi` runs this module: `abi.py list` lists what the library exports, of which make links the library,
and `abi.py store` stores the built interface, unless something that is stored was removed or changed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Not from cg2test: what is here also runs when the library cannot be loaded yet.
SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CG2_BUILD", SOURCE))

STORED = SOURCE / "tests" / "library" / "libcg2profile.abi"
LIBRARY = BUILD / "libcg2profile.so.1"
ROOT = SOURCE / "tools" / "libcg2profile"
HEADERS = ROOT / "include"
EXPORTS = ROOT / "libcg2profile.map"

BROKEN_ONLY = ("--no-added-syms",)


def declared() -> list[str]:
    """The functions that the public headers declare, in order."""
    return sorted(re.findall(r"\bCG2P_API\s[^;]*?\b(cg2p_\w+)\(", declarations()))


def declarations() -> str:
    """The public headers, one behind the other, without comments."""
    text = "".join(path.read_text() for path in sorted(HEADERS.rglob("*.h")))
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def exports() -> str:
    """The linker's script as it should be: its last version has all functions that no earlier one has."""
    before, after = EXPORTS.read_text().rsplit("global:\n", 1)
    names = [name for name in declared() if f" {name};" not in before]
    after = re.sub(r"\A(?: +cg2p_\w+;\n)*", "".join(f"   {name};\n" for name in names), after)
    return f"{before}global:\n{after}"


def what_is_missing() -> str | None:
    """Why interfaces cannot be compared here."""
    if not shutil.which("abidiff"):
        return "abidiff is not installed (Debian: apt-get install abigail-tools)"
    if ".debug_info" not in said("readelf", "-SW", LIBRARY):
        return f"{LIBRARY} was built without -g"
    return None


def said(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def differences(*options: str) -> str:
    """What abidiff says of the built library against what is stored; "": nothing."""
    with tempfile.TemporaryDirectory() as directory:
        now = Path(directory) / "now.abi"
        now.write_text(built())
        command: list[str | Path] = ["abidiff", "--no-architecture", *options, STORED, now]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.stdout + ended.stderr if ended.returncode else ""


# What libabigail makes of --headers-dir, by whose label it knows that types which are left out still have
# names; but by places, not by names of files: own headers of the library are called as public ones are.
PUBLIC_ONLY = """\
[suppress_type]
  label = Artificial private types suppression specification
  source_location_not_regexp = /include/
  drop = yes
"""


def built() -> str:
    """The built library's interface as abidw writes it, without places in the sources but for files'
    names."""
    with tempfile.NamedTemporaryFile("w", suffix=".suppr") as public_only:
        public_only.write(PUBLIC_ONLY)
        public_only.flush()
        text = said(
            *("abidw", "--no-architecture", "--no-corpus-path", "--no-comp-dir-path"),
            *("--no-elf-needed", "--no-write-default-sizes", "--type-id-style", "hash"),
            *("--exported-interfaces-only", "--suppressions", public_only.name, LIBRARY),
        )
    text = re.sub(r"(path=')[^']*/", r"\1", text)
    return re.sub(r" line='\d+' column='\d+'", " line='1' column='1'", text)


def store() -> None:
    missing = what_is_missing()
    if missing:
        sys.exit(f"make abi: {missing}")
    broken = differences(*BROKEN_ONLY) if STORED.exists() else ""
    if broken:
        sys.exit(
            f"{broken}{STORED}: the library breaks programs that use this; expected additions only (remove "
            f"the"
            " file first if no release has what is in it; else the library needs another soname)"
        )
    STORED.write_text(built())


if __name__ == "__main__":
    if sys.argv[1:] == ["list"]:
        EXPORTS.write_text(exports())
    else:
        store()
