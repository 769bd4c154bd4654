"""What `--explain` does: two profiles in, the causes of their difference out."""

from collections.abc import Iterator

from cg2tools.commandline.console import Busy
from cg2tools.diff.asked import Given
from cg2tools.diff.causereport import CauseReport
from cg2tools.diff.causes import causes_of
from cg2tools.diff.commonevents import in_common, left_out_of
from cg2tools.profile.model import Profile, ProfileError


def explained(given: Given, old: Profile, new: Profile) -> Iterator[str]:
    """The lines of a report on why NEW costs more or less than OLD."""
    for profile in (old, new):
        part = profile.parts[0]
        if part.is_data or part.has_paths:
            raise ProfileError(
                profile.path, 0, "has no functions and calls to explain; expected a profile"
            )
    left_out = left_out_of(old, new)
    old, new = in_common(old, new)
    old.check_events()
    new.check_events()
    with Busy(given.command, "comparing"):
        found = causes_of(old, new, given.names, given.exclude)
    total = sum(part.lines.self_total()[0] for part in old.parts)
    report = CauseReport(found, total, given.shown.rows, given.shown.full_names)
    if given.shown.json:
        yield from report.json_lines()
        return
    yield from map(str, left_out)
    yield from (report.markdown_lines if given.shown.markdown else report.text_lines)()
