"""What is said in a comparison of rows of which most is rounds of repeated instructions (`rep stos`)."""

from cg2tools.diff.callpaths import CallPath
from cg2tools.diff.comparison import Change, Comparison, Line, Pair, What
from cg2tools.diff.dataplaces import Place
from cg2tools.profile.model import FunctionKey, Profile
from cg2tools.profile.rounds import Rounds


class BothRounds:
    """The rounds of OLD and NEW."""

    def __init__(self, old: Profile, new: Profile, comparison: Comparison) -> None:
        self._comparison = comparison
        self._old, self._new = Rounds(*old.parts), Rounds(*new.parts)

    def said_of(self, change: Change[What]) -> str:
        """What stands behind a row; mostly nothing.  Of several runs nothing is said."""
        if self._comparison.runs > 1:
            return ""
        of, what = self._comparison.columns.said_of, change.what
        old = of(change.old, _rounds_at(self._old, what, is_old=True)) if change.old else ""
        new = of(change.new, _rounds_at(self._new, what, is_old=False)) if change.new else ""
        if old and new:
            return new if old == new else f"{old} ->{new}"
        if old and change.new:
            return f" OLD:{old}"
        return f" NEW:{new}" if new and change.old else old or new


def _rounds_at(
    rounds: Rounds, what: FunctionKey | Line | Pair | Place | CallPath, is_old: bool
) -> int:
    """The rounds of a function or a line that no event counts."""
    if isinstance(what, FunctionKey):
        return rounds.of_function(what)
    number = (what.old if is_old else what.new) if isinstance(what, Line) else None
    return rounds.of_line(what.file, number) if isinstance(what, Line) and number else 0
