"""Whose process a run is, and whether it can open the pipes through which vgdb speaks to it.

Valgrind's core ends a program without a profile when the program is spoken to and cannot open its own
pipes: when it has changed its user, or the directory that is its root, since it was started.
"""

import os
import pwd
from dataclasses import dataclass
from glob import escape, glob
from pathlib import Path

_OVERRIDES_MODES = 1 << 1
"""The capability of a process that may open any file: CAP_DAC_OVERRIDE."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a process is: by whom it was started, and as whom it opens files."""

    user: int
    files_user: int
    files_groups: frozenset[int]
    opens_all: bool

    def can_open(self, file: os.stat_result) -> bool:
        """Whether the process may read and write a file."""
        if self.opens_all:
            return True
        if self.files_user == file.st_uid:
            return file.st_mode & 0o600 == 0o600
        if file.st_gid in self.files_groups:
            return file.st_mode & 0o060 == 0o060
        return file.st_mode & 0o006 == 0o006


def owner_of(pid: int, proc: Path) -> Owner | None:
    """Whose a process is; None: the system does not show it."""
    try:
        text = (proc / str(pid) / "status").read_text(errors="replace")
        values = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        users, groups = values["Uid"].split(), values["Gid"].split()
        others = values.get("Groups", "").split()
        capabilities = int(values.get("CapEff", "0"), 16)
        return Owner(
            int(users[0]),
            int(users[3]),
            frozenset(map(int, [groups[3], *others])),
            bool(capabilities & _OVERRIDES_MODES),
        )
    except (OSError, KeyError, IndexError, ValueError):
        return None


def user_name(user: int) -> str:
    """The name of a user, or the number if it has none."""
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def locked_out(pid: int, prefix: str, proc: Path) -> str:
    """Why a process cannot open its pipes; "": it can, or the system does not show that.

    `prefix` is what their names begin with; "": what they begin with by default.
    """
    owner = owner_of(pid, proc)
    if owner is None:
        return ""
    prefix = prefix or f"{os.environ.get('TMPDIR') or '/tmp'}/vgdb-pipe"
    for way in "from-vgdb-to", "to-vgdb-from":
        for pipe in glob(f"{escape(prefix)}-{way}-{pid}-by-*"):
            said = _locked(owner, pipe, proc / str(pid) / "root")
            if said:
                return said
    return ""


def _locked(owner: Owner, pipe: str, root: Path) -> str:
    """Why a process cannot open a pipe, which it sees below a root; "": it can, or that is not known."""
    try:
        file = os.stat(pipe)
    except OSError:
        return ""
    if _is_elsewhere(root) and not os.path.exists(f"{root}/{os.path.abspath(pipe)}"):
        return f"it has another root directory now, which has no {pipe}"
    if owner.can_open(file):
        return ""
    return (
        f"it is user {user_name(owner.files_user)} now and cannot open {pipe}, which is "
        f"{user_name(file.st_uid)}'s with mode {file.st_mode & 0o777:o}"
    )


def _is_elsewhere(root: Path) -> bool:
    """Whether a process's root is known to be another directory than ours."""
    try:
        return not os.path.samefile(root, "/")
    except OSError:
        return False
