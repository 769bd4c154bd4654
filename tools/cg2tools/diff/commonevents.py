"""Profiles that count different events: they are compared in those that both have."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cg2tools.profile.checks import check_alike
from cg2tools.profile.model import Profile
from cg2tools.profile.transform import with_events


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Events that only one profile has."""

    path: str
    events: list[str]

    def __str__(self) -> str:
        return self.said(str)

    def said(self, form: Callable[[str], str]) -> str:
        """Says it with the names of events and the file in a form."""
        events = " ".join(map(form, self.events))
        return f"Left out: {events}, which only {form(self.path)} has"


def left_out_of(old: Profile, new: Profile) -> list[LeftOut]:
    """What of each is not in the other."""
    kept = common_events(old.parts[0].events, new.parts[0].events)
    found = [
        LeftOut(profile.path, [event for event in profile.parts[0].events if event not in kept])
        for profile in (old, new)
    ]
    return [each for each in found if each.events]


def common_events(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The events of both, in NEW's order."""
    return [event for event in new if event in old]


def in_common(old: Profile, new: Profile) -> tuple[Profile, Profile]:
    """OLD and NEW with the events that both have; ProfileError if they cannot be set against each other.

    Of data files and files of paths, the events must be the same.
    """
    was, now = old.parts[0], new.parts[0]
    common = common_events(was.events, now.events)
    if common and not (now.is_data or now.has_paths or was.is_data or was.has_paths):
        old, new = (_with_events(profile, common) for profile in (old, new))
    check_alike(old, new)
    return old, new


def _with_events(profile: Profile, events: list[str]) -> Profile:
    profile.check_events()
    if profile.parts[0].events == events:
        return profile
    return replace(profile, parts=[with_events(part, events) for part in profile.parts])
