"""Where an input can be read as often as one likes: what a pipe gives, once, is kept in memory.

Some commands look at the beginning of a file before they have it read as what it is.
"""

import os
import shutil
import stat

_kept: dict[str, str] = {}
"""Where the bytes are that a pipe has given, by the name of the pipe."""


def lasting(path: str | os.PathLike[str]) -> str:
    """A path at which the bytes of a file stay: its own, but for pipes and standard input, "-"."""
    name = os.fspath(path)
    if name in _kept:
        return _kept[name]
    if name != "-" and not _is_read_once(name):
        return name
    _kept[name] = f"/proc/self/fd/{_copied(name)}"
    return _kept[name]


def _copied(name: str) -> int:
    """A file in memory of what a pipe gives."""
    kept = os.memfd_create("input")
    is_standard = name == "-"
    try:
        with (
            open(0 if is_standard else name, "rb", 0, closefd=not is_standard) as pipe,
            open(kept, "wb", closefd=False) as copy,
        ):
            shutil.copyfileobj(pipe, copy)
    except OSError as error:
        raise OSError(
            error.errno, error.strerror, "standard input" if is_standard else name
        ) from None
    return kept


def _is_read_once(name: str) -> bool:
    """Whether a file is a pipe, a socket or a device; one that is not there is none."""
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
