"""What is on the page of cg2_report; the help text of the command says it in full."""

from dataclasses import dataclass, field

from cg2tools.profile.model import EventDefinition


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The options that change the page's tables, with what holds where none is given."""

    title: str = ""
    include: list[str] = field(default_factory=list)
    context: int = 50
    sources: bool = True
    threshold: float = 99.0
    smallest: float = 0.01
    share: float = 0.0002
    events: list[EventDefinition] = field(default_factory=list)
    names: str = "short"  # or full
    left_out: list[str] = field(default_factory=list)
    """What is said of events that only one of two profiles has; no option."""
