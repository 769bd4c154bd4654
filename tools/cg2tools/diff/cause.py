"""A summand of the difference of two totals."""

from dataclasses import dataclass, field

from cg2tools.diff.comparison import Change, Line
from cg2tools.profile.model import Cost, FunctionKey


@dataclass(slots=True)
class Cause:
    """A summand of the difference."""

    kind: str
    costs: Cost
    function: FunctionKey | None = None
    callee: FunctionKey | None = None
    was: FunctionKey | None = None
    """What stood in the function's place in OLD; of calls, what called the callee there."""
    calls: tuple[int, int] = (0, 0)
    """How often the function was called, or the callee by it, in OLD and in NEW."""
    callers: tuple[int, int] = (0, 0)
    """Where `calls` are the callee's: how often the function itself was called."""
    is_guess: bool = False
    """Whether nothing but lines tell if the code is the same."""
    lines: list[Change[Line]] = field(default_factory=list)
    what: str = ""
    """What differs in the environment."""
    below: list["Cause"] = field(default_factory=list)
    count: int = 0
    """How many the rest is."""
