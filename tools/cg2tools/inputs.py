"""What the commands on profiles share: reading their files and arguments."""

import argparse
import sys

from cg2tools.console import Progress
from cg2tools.profile import Profile, ProfileError
from cg2tools.reader import read_profile
from cg2tools.transform import Substitution, substitution


def read_shown(command: str, path: str) -> Profile:
    """Read a file; a terminal sees how far that is."""
    progress = Progress(command, f"reading {path}")
    try:
        return read_profile(path, progress)
    finally:
        progress.end()


def check_sums(profile: Profile) -> None:
    """A profile of cg2 must agree with itself; Callgrind's often do not."""
    for part in profile.parts:
        try:
            part.check()
        except ProfileError as error:
            if "cg2" in profile.creator:
                raise
            print(f"{error.path}:{error.line}: warning: {error.message}; the "
                  "total shown is the sum of the self costs", file=sys.stderr)
            return


def fail(message: str) -> int:
    """Say what is wrong; the exit status."""
    print(message, file=sys.stderr)
    return 1


# ---- Arguments -------------------------------------------------------------

def yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise argparse.ArgumentTypeError(f"'{text}'; expected yes or no")
    return text == "yes"


def whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(
            f"'{text}'; expected a number of lines, 0 or more")
    return int(text)


def name_substitution(text: str) -> Substitution:
    try:
        return substitution(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
