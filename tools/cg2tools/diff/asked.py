"""What the commands on differences are asked for."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.commandline.parser import Line
from cg2tools.diff.baselines import DIRECTORY
from cg2tools.diff.limits import Limit, read_limits
from cg2tools.diff.names import Names
from cg2tools.profile.cycles import CYCLES
from cg2tools.diff.report import Report, json_report, markdown_report, text_report


@dataclass(frozen=True, slots=True)
class Shown:
    """Which rows are shown, and in which form."""

    sort: str = ""
    rows: int = 20
    smallest: float | None = None
    full_names: bool = False
    json: bool = False
    markdown: bool = False
    html: str | None = None  # a file, "-" is standard output

    @property
    def smallest_shown(self) -> float:
        """Percent; a comment is short."""
        if self.smallest is None:
            return 0.05 if self.markdown else 0.01
        return self.smallest

    def report(self, report: Report) -> Iterator[str]:
        """The lines of a report."""
        if self.json:
            return json_report(report)
        return markdown_report(report) if self.markdown else text_report(report)


@dataclass(frozen=True, slots=True)
class Gate:
    """What costs may be, and who is told that they are more."""

    fail_above: list[Limit] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    junit: str | None = None
    github: bool = False

    def all(self) -> list[Limit]:
        """What the command line says, then what files say."""
        return self.fail_above + [limit for path in self.files for limit in read_limits(path)]


@dataclass(frozen=True, slots=True)
class Kept:
    """Profiles that are kept by name."""

    baseline: str = ""
    save: str = ""
    directory: str = DIRECTORY


@dataclass(frozen=True, slots=True)
class Given:
    """What a command line says."""

    command: str
    profiles: list[str]
    shown: Shown
    gate: Gate
    kept: Kept
    names: Names
    cycles: str
    inlines: bool
    partial: bool
    follows: bool = False  # a trend, also of two profiles
    explains: bool = False  # why two profiles differ
    exclude: list[str] = field(default_factory=list)  # causes that are left out
    old: list[str] = field(default_factory=list)  # runs of OLD, in place of `profiles`,
    new: list[str] = field(default_factory=list)  # and of NEW

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        """The files of OLD and those of NEW."""
        if self.old:
            return self.old, self.new
        old, new = self.profiles
        return [old], [new]

    @property
    def is_trend(self) -> bool:
        if self.old:
            return False
        is_pair = len(self.profiles) == 2 and not any(map(os.path.isdir, self.profiles))
        return self.follows or not is_pair or self.shown.html is not None


def given_by(line: Line) -> Given:
    """What a command line says; of options that the command does not have, their defaults."""
    return Given(
        line.command,
        line["profiles"],
        Shown(
            line["sort"] or (CYCLES if line["cycles"] else line["sort"]),
            line["rows"],
            line["smallest"],
            line["names"] == "full",
            line["json"],
            line["markdown"],
            line["html"],
        ),
        Gate(
            line["fail_above"] or [], line["limits"] or [], line["junit"], line["github"] or False
        ),
        Kept(line["baseline"] or "", line["save_baseline"] or "", line["baselines"] or DIRECTORY),
        _names_of(line),
        line["cycles"] or "",
        line["inlines"] or False,
        line["partial"],
        explains=line["explain"] or False,
        exclude=line["exclude"] or [],
        old=line["old"] or [],
        new=line["new"] or [],
    )


def _names_of(line: Line) -> Names:
    """How names of two builds are made alike."""
    return Names(
        fold_paths=line["fold_paths"] is not False,
        fold_clones=line["fold_clones"] is not False,
        fold_templates=line["fold_templates"] or False,
        mod_filename=line["mod_filename"] or [],
        mod_funcname=line["mod_funcname"] or [],
        data_types=line["data_type"] or [],
    )
