"""Whether a file that a command reads is what ran, as the header of a profile tells.

    changed_source("main.c", part)       "" or what a reader of its lines is to be told
    changed_object("/bin/app", part)     the same of an ELF object
    warn(part, text)                     the line on stderr, once

The header has the time when the run began, and of each object whose code ran its build-id, or,
if it has none, the size and the last modification of its file. Of an object that it does not
name nothing is said: it has no file, or none of its code ran. A profile that has no such
lines, as Callgrind's, was made before it was written: files that are newer have changed.
"""

import os
from datetime import datetime
from functools import cache

from cg2tools.profile.terms import OBJECTS, STARTED, Header, say
from cg2tools.program.buildid import build_id

_BUILD_ID = "build-id="
_DIGITS = 12
"""How many digits of a build-id a message has."""


def changed_source(path: str, part: Header) -> str:
    """What is to be said where lines of a source file are shown; "": it is as it was."""
    since = _newer_than(path, part)
    return f"{path} is newer than {since}; costs may stand beside the wrong lines" if since else ""


def changed_object(path: str, part: Header) -> str:
    """What is to be said where machine code, inlined functions or types of an object are shown; "": it is
    what ran."""
    if OBJECTS not in part.descriptions:
        since = _newer_than(path, part)
        return f"{path} is newer than {since}; {_DOUBT}" if since else ""
    ran = [known for known, name in _objects(part) if name == path]
    if not ran or not os.path.isfile(path):
        return ""
    now = [_identity(path, known) for known in ran]
    if len(ran) > 1:
        return f"{path} was built anew between runs that are added up; {_DOUBT}"
    return "" if now == ran else f"{path} {_difference(now[0], ran[0])}; {_DOUBT}"


@cache
def _say(text: str) -> None:
    say(text)


def warn(part: Header, text: str) -> None:
    """Tell stderr, once, what is to be said of a file that is shown with a part; nothing if it is ""."""
    if text:
        _say(f"{part.path}: warning: {text}")


def note(part: Header, text: str) -> None:
    """Tell stderr, once, what is no warning."""
    _say(f"{part.path}: {text}")


# ---- Time ------------------------------------------------------------------


def _newer_than(path: str, part: Header) -> str:
    """What a file is newer than: the run, or the profile, which tells no time; "": it is older."""
    if not os.path.isfile(path):
        return ""
    changed = os.path.getmtime(path)
    began = _began(part)
    if began is not None:
        return "the run" if changed > began else ""
    is_newer = os.path.isfile(part.path) and changed > os.path.getmtime(part.path)
    return "the profile" if is_newer else ""


def _began(part: Header) -> float | None:
    """When the run began, in seconds since 1970; None: the profile does not say."""
    try:
        return datetime.fromisoformat(
            part.descriptions[STARTED].replace(" UTC", "+00:00")
        ).timestamp()
    except (KeyError, ValueError):
        return None


# ---- Objects ---------------------------------------------------------------

_DOUBT = "what is read from it may be wrong"


def _objects(part: Header) -> list[tuple[str, str]]:
    """What tells each object from others of its path, and the path."""
    words = part.descriptions[OBJECTS].split("\t")
    pairs = [word.partition(" ") for word in words]
    return [(known, path) for known, _, path in pairs]


@cache
def _identity(path: str, like: str) -> str:
    """What tells the file at a path from others, in the way in which `like` does."""
    if like.startswith(_BUILD_ID):
        return _BUILD_ID + build_id(path)
    found = os.stat(path)
    seconds, rest = divmod(found.st_mtime_ns, 10**9)
    return f"size={found.st_size},mtime={seconds}.{rest:09}"


def _difference(now: str, ran: str) -> str:
    """What is another in the file than in the one that ran."""
    if not ran.startswith(_BUILD_ID):
        return "was modified after it ran, and has no build-id"
    now, ran = (known.removeprefix(_BUILD_ID)[:_DIGITS] for known in (now, ran))
    return f"is not the build that ran: its build-id is {now or 'missing'}, not {ran}"
