"""The processors whose cycles can be estimated: a table of each, NAME.core, beside the machines.

    names()             as --cycles= takes them
    core_path("zen4")   the table; also of a file of the user's own, whose name has a / in it
    native()            the name of the table of this processor

The library reads the tables; what is in them, it says.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from cg2tools.bindings.interface import profile_library, reference, text_of
from cg2tools.bindings.libpath import library_path
from cg2tools.bindings.structures import ADDRESS, cg2p_error
from cg2tools.profile.libcg2profile import raise_error

_ENDING = ".core"
_FOLDERS = "cg2-machines", ".in_place/cg2-machines"
"""Beside the library, as it is installed and as it is built."""

NATIVE, HELP = "native", "help"
"""What --cycles= takes beside names."""

_CPUINFO = Path("/proc/cpuinfo")

_FAMILIES: tuple[tuple[str, int, tuple[range, ...], str], ...] = (
    ("AuthenticAMD", 25, (range(0x00, 0x10), range(0x20, 0x60)), "zen3"),
    ("AuthenticAMD", 25, (range(0x10, 0x20), range(0x60, 0x80), range(0xA0, 0xB0)), "zen4"),
    ("AuthenticAMD", 26, (range(0x00, 0x50), range(0x60, 0x80)), "zen5"),
    ("GenuineIntel", 6, (range(0x55, 0x56),), "skylake-sp"),
    ("GenuineIntel", 6, (range(0x4E, 0x4F), range(0x5E, 0x5F)), "skylake"),
    ("GenuineIntel", 6, (range(0x8E, 0x8F), range(0x9E, 0x9F), range(0xA5, 0xA7)), "skylake"),
    ("GenuineIntel", 6, (range(0x6A, 0x6B), range(0x6C, 0x6D), range(0x7D, 0x7F)), "icelake"),
    ("GenuineIntel", 6, (range(0x8F, 0x90), range(0xCF, 0xD0)), "sapphirerapids"),
)
"""Vendor, family and models, as /proc/cpuinfo has them, and the table."""

_ARM_PARTS = {(0x41, 0xD0C): "neoverse-n1", (0x41, 0xD40): "neoverse-v1"}
"""The implementer and the part that register MIDR_EL1 has, and the table."""


class UnknownCoreError(ValueError):
    """A processor has no table; the text says which do."""


@dataclass(frozen=True, slots=True)
class CoreFacts:
    """What a table says of itself."""

    name: str  # as --cycles= takes it
    title: str  # as people call the processor
    measured: str  # median errors by kind of code, as "loop=8 flat=9"; "": never measured

    @property
    def error(self) -> str:
        """The error that was measured, in words."""
        words = [word.partition("=") for word in self.measured.split()]
        kinds = ", ".join(f"{kind} {percent} %" for kind, _, percent in words)
        return f"median error measured: {kinds}" if kinds else "table only, never measured"


class Core:
    """A processor's table, which is freed with it."""

    def __init__(self, name: str) -> None:
        path = core_path(name)
        error = cg2p_error()
        self.handle: ADDRESS | None = None
        address = profile_library().cg2p_core_open(str(path).encode(), reference(error))
        if not address:
            raise_error(error, str(path))
        self.handle = ADDRESS(address)
        self.facts = CoreFacts(
            path.name.removesuffix(_ENDING),
            text_of(profile_library().cg2p_core_name(self.handle)),
            text_of(profile_library().cg2p_core_measured(self.handle)),
        )

    def __del__(self) -> None:
        if self.handle:
            profile_library().cg2p_core_free(self.handle)


def _folder() -> Path:
    """Where the tables are; a folder that may not be there."""
    beside = library_path().parent
    found = (beside / name for name in _FOLDERS)
    return next((folder for folder in found if folder.is_dir()), beside / _FOLDERS[0])


def names() -> list[str]:
    """The processors that have tables."""
    return sorted(path.name.removesuffix(_ENDING) for path in _folder().glob(f"*{_ENDING}"))


def core_path(name: str) -> Path:
    """The table of a processor, or the file that a name with a / is; UnknownCoreError: none."""
    if "/" in name:
        return Path(name)
    if name not in names():
        raise UnknownCoreError(f"no processor {name}; expected {expected()}")
    return _folder() / f"{name}{_ENDING}"


def expected() -> str:
    """What --cycles= takes, in words."""
    return f"{', '.join(names())}, {NATIVE}, or a file (./NAME.core)"


def help_lines() -> list[str]:
    """The processors, each with its title and the error that was measured."""
    facts = [Core(name).facts for name in names()]
    width = max((len(each.name) for each in facts), default=0)
    title = max((len(each.title) for each in facts), default=0)
    return [f"{each.name:{width}}  {each.title:{title}}  {each.error}" for each in facts]


def native(cpuinfo: str | None = None, machine: str | None = None) -> str:
    """The table of this processor, or of the one that a text like /proc/cpuinfo describes."""
    text = cpuinfo if cpuinfo is not None else _CPUINFO.read_text(errors="replace")
    said: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            said.setdefault(key.strip(), value.strip())
    arm = (machine or os.uname().machine) == "aarch64"
    name, who = _arm(said) if arm else _x86(said)
    if not name or name not in names():
        raise UnknownCoreError(f"no table of this processor, {who}; expected {expected()}")
    return name


def _arm(said: dict[str, str]) -> tuple[str, str]:
    key = _number(said.get("CPU implementer", "")), _number(said.get("CPU part", ""))
    return _ARM_PARTS.get(key, ""), f"implementer {key[0]:#x} part {key[1]:#x}"


def _x86(said: dict[str, str]) -> tuple[str, str]:
    vendor = said.get("vendor_id", "unknown")
    family, model = _number(said.get("cpu family", "")), _number(said.get("model", ""))
    found = (
        name
        for known, number, models, name in _FAMILIES
        if (known, number) == (vendor, family) and any(model in each for each in models)
    )
    return next(found, ""), f"{vendor} family {family} model {model}"


def _number(text: str) -> int:
    """A number, decimal or behind 0x; -1: it is none."""
    return int(text, 0) if re.fullmatch(r"0x[0-9a-fA-F]+|0|[1-9][0-9]*", text) else -1
