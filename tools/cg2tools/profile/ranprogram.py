"""Which program a command line runs."""

import os
import re
from collections.abc import Iterable


def program_run(command: str, objects: Iterable[str]) -> str:
    """The shortest beginning of a command line that is called as one of the objects is, for a path may have
    blanks; else its first word."""
    words = command.strip()
    beginnings = [words[: blank.start()] for blank in re.finditer(" |$", words)]
    called = {os.path.basename(name) for name in objects}
    return next((each for each in beginnings if os.path.basename(each) in called), beginnings[0])
