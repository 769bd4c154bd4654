"""What the commands on differences do: profiles in, what differs or one line of error out."""

import errno
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from cg2tools.commandline.console import Busy, on_terminal
from cg2tools.commandline.inputs import check_sums, fail, newest_profile, read_shown
from cg2tools.commandline.runfiles import is_whole
from cg2tools.data.events import definitions, first_event
from cg2tools.diff.asked import Given
from cg2tools.diff.baselines import Baselines
from cg2tools.diff.commonevents import common_events, in_common, left_out_of
from cg2tools.diff.comparison import compare
from cg2tools.diff.explaining import explained
from cg2tools.diff.systems import without
from cg2tools.profile.layouts import beside, runs_of
from cg2tools.diff import trendreport
from cg2tools.diff.places import Places
from cg2tools.diff.report import Report
from cg2tools.diff.trend import (
    Source,
    check_event,
    not_in_all,
    profile_source,
    program_of_source,
    snapshot_of,
    summary_source,
    trend_of,
)
from cg2tools.diff.trendreport import TrendReport
from cg2tools.diff.verdictfiles import annotation, junit_report
from cg2tools.diff.verdicts import exceeded, exceeded_lines, verdicts_of
from cg2tools.profile.model import Part, Profile, ProfileError
from cg2tools.profile.outputfile import write_file
from cg2tools.profile.terms import say

_LIMIT_EXCEEDED = 3  # an exit status


def diff(given: Given) -> int:
    """Do what is asked for; return the exit status."""
    if not (given.kept.baseline or given.kept.save):
        return _reported(given)
    kept = Baselines(given.kept.directory)
    new = given.profiles[-1] if given.profiles else newest_profile(given.command)
    if given.kept.save and not os.path.isfile(new) and os.path.exists(new):
        raise ProfileError(new, 0, "cannot be kept as a baseline; expected a file")
    old = given.profiles[:-1]
    if given.kept.baseline:
        old = [kept.find(given.kept.baseline)]
    elif not old and given.kept.save and kept.is_kept(given.kept.save):
        old = [kept.path(given.kept.save)]
    status = _reported(replace(given, profiles=[*old, new])) if old else _checked(new, given)
    if given.kept.save:
        _keep(given, kept, new, status)
    return status


def _checked(new: str, given: Given) -> int:
    """The exit status for a profile that there is nothing to compare with."""
    said = f"there is no baseline '{given.kept.save}' to compare with"
    say(f"{given.command}: {said}; {new} becomes it")
    return 1 if _read(new, given).cut_off else 0


def _keep(given: Given, kept: Baselines, new: str, status: int) -> None:
    """Keep a profile as a baseline, unless it is cut off or too costly."""
    name = given.kept.save
    if status:
        say(f"{given.command}: {kept.path(name)} is left as it is")
        return
    say(f"{given.command}: wrote {kept.keep(name, new)}")


def _reported(given: Given) -> int:
    if given.explains:
        return _explained(given)
    report: Report | TrendReport
    if given.is_trend:
        report = _followed(given)
        _show_trend(given, report)
    else:
        report = _compared(given)
        for line in given.shown.report(report):
            print(on_terminal(line))
    sys.stdout.flush()
    if given.gate.junit is not None:
        write_file(given.gate.junit, junit_report(report.verdicts))
    _say_exceeded(given, report)
    if given.partial and report.is_cut_off:
        return 1
    return _LIMIT_EXCEEDED if exceeded(report.verdicts) else 0


def _explained(given: Given) -> int:
    old, new = (runs_of([_read(paths[0], given)])[0] for paths in given.sides)
    for line in explained(given, old, new):
        print(on_terminal(line))
    sys.stdout.flush()
    return 1 if given.partial and (old.cut_off or new.cut_off) else 0


def _say_exceeded(given: Given, report: Report | TrendReport) -> None:
    """Tell stderr which costs are above their limits."""
    if not given.gate.github:
        for line in exceeded_lines(report.verdicts, given.shown.rows):
            fail(f"{given.command}: {line}")
        return
    places = None if isinstance(report, TrendReport) else Places(report.comparison, given.names)
    for verdict in exceeded(report.verdicts)[: given.shown.rows or None]:
        function = verdict.function
        fail(annotation(str(verdict), places.of(function) if places and function else None))


def _compared(given: Given) -> Report:
    limits = given.gate.all()
    sides = [[_read(path, given) for path in paths] for paths in given.sides]
    old, new = (profiles[0] for profiles in sides)
    left_out = left_out_of(old, new)
    sides = _runs_of(sides)
    old, new = (runs[0] for runs in sides)
    event = given.shown.sort or new.parts[0].events[0]
    with Busy(given.command, "comparing"):
        was, now = (_with_definitions(_as_one(runs)) for runs in sides)
        if now.is_data:
            event = given.shown.sort or first_event(now, was)
        comparison = without(compare(was, now, given.names, event), given.exclude)
        verdicts = verdicts_of(comparison, limits, given.shown.full_names)
    return Report(
        old,
        new,
        comparison,
        given.shown.rows,
        given.shown.smallest_shown,
        verdicts,
        given.shown.full_names,
        left_out,
        given.exclude,
    )


def _runs_of(sides: list[list[Profile]]) -> list[list[Profile]]:
    """The runs of each side, as many of one as of the other, with events that all have."""
    runs = [runs_of(profiles) for profiles in sides]
    count = min(map(len, runs))
    old, new = (each[:count] for each in runs)
    pairs = [in_common(*pair) for pair in zip(old, new)]
    part = pairs[0][0].parts[0]
    if count > 1 and (part.is_data or part.has_paths):
        raise ProfileError(
            part.path, 0, "is no profile; expected profiles where there are several of a side"
        )
    return [list(side) for side in zip(*pairs)]


def _as_one(runs: list[Profile]) -> Part:
    return runs[0].merged() if len(runs) == 1 else beside(runs)


def _with_definitions(part: Part) -> Part:
    """The part; of a data file with the events that are known of data."""
    return replace(part, event_definitions=definitions(part)) if part.is_data else part


def _followed(given: Given) -> TrendReport:
    """All sources; the last one, which names the program, first."""
    limits = given.gate.all()
    if given.exclude:
        raise ProfileError(
            given.profiles[0], 0, "--exclude needs two profiles to compare; there are more"
        )
    paths = _in_directories(given.profiles)
    if len(paths) < 2:
        place = given.profiles[0]
        raise FileNotFoundError(
            errno.ENOENT, f"expected 2 profiles or more; there is {len(paths)}", place
        )
    last, first = _read_source(paths[-1], given), _read_source(paths[0], given)
    event = given.shown.sort or (common_events(first.events, last.events) or last.events)[0]
    check_event(first, last, event)
    for limit in limits:
        if limit.function or limit.event not in ("", event):
            raise limit.fault(f"a trend has limits of its total of {event} alone; expected those")
    program = program_of_source(last)
    snapshots = [snapshot_of(last, event, given.names, program)]
    events = [last.events]
    for path in reversed(paths[:-1]):
        source = first if path == paths[0] else _read_source(path, given)
        check_event(source, last, event)
        events.insert(0, source.events)
        snapshots.insert(0, snapshot_of(source, event, given.names, program))
    trend = trend_of(snapshots, event, given.shown.smallest_shown)
    order = "in the order given" if paths == given.profiles else "in the order of their names"
    return TrendReport(
        trend, order, given.shown.rows, limits, given.shown.full_names, not_in_all(events)
    )


def _show_trend(given: Given, report: TrendReport) -> None:
    if given.shown.html == "-":
        sys.stdout.buffer.writelines(trendreport.page(report))
        return
    if given.shown.html is not None:
        write_file(given.shown.html, trendreport.page(report))
        say(f"{given.command}: wrote {given.shown.html}; open it in a browser")
        return
    lines = trendreport.text_report
    if given.shown.json or given.shown.markdown:
        lines = trendreport.json_report if given.shown.json else trendreport.markdown_report
    for line in lines(report):
        print(on_terminal(line))


def _in_directories(paths: list[str]) -> list[str]:
    """The paths, with the files of directories in place of these."""
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        files = [each for each in Path(path).iterdir() if each.is_file()]
        wanted = [
            each
            for each in files
            if each.name[0] != "." and each.suffix != ".html" and is_whole(each)
        ]
        found += sorted(map(str, wanted), key=_by_numbers)
    return found


def _by_numbers(text: str) -> list[tuple[int, str]]:
    """Sorts 9 before 10."""
    words = re.findall(r"[0-9]+|[^0-9]+", text)
    return [(int(word), "") if word.isdigit() else (-1, word) for word in words]


def _read_source(path: str, given: Given) -> Source:
    if path.endswith(".json"):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return summary_source(path, file.read())
    return profile_source(_read(path, given))


def _read(path: str, given: Given) -> Profile:
    profile = read_shown(given.command, path, partial=given.partial, paths=True)
    check_sums(profile)
    if given.cycles:
        from cg2tools.debug.cycles import estimated  # only where it is asked for

        profile = estimated(given.command, profile, given.cycles)
    if given.inlines and not profile.parts[0].is_data:
        from cg2tools.debug.inlines import shown_apart  # only where it is asked for

        return shown_apart(given.command, profile)
    return profile
