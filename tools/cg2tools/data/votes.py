"""Which type the blocks of an allocating place have: the code that touches them votes.

An instruction whose base register points to a type, as debug information says, votes for it with
each access, and for every type that has it at the offset where it was found. Pointers that take
what the allocation gives vote, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cg2tools.data.layout import Type
from cg2tools.data.memberrows import flexible, holds

_BY_POINTER = 0.1
"""How much of all accesses' votes the pointers have that take an allocation's result."""

_LEAST_SHARE = 1 / 3
"""The votes that a type needs: blocks of which fewer agree are of several types, or of none that is known."""

_OWN_SHARE = 0.02
"""The votes that a structure needs for itself or for one in it: others only fit, as numbers do in any
structure."""

_REGULAR_SHARE = 0.9
"""The votes for an array's type that agree on where its elements begin."""

_NOWHERE = -1

_TYPES_MAX = 40
"""How many types, those with the most votes, are candidates."""


@dataclass(frozen=True, slots=True)
class Vote:
    """Somebody holds the bytes at an offset of a block for the start of a type."""

    type: Type
    offset: int
    stride: int  # 0: this offset alone; else any at this distance
    is_indexed: bool  # some elements behind, nobody knows how many
    weight: float


@dataclass(slots=True)
class Result:
    """The type that has won."""

    type: Type
    share: float  # of the votes


def elect(votes: list[Vote], pointers: Iterable[Type], block_size: int) -> Result | None:
    """The type that most votes fit; `block_size` 0: blocks are of several sizes."""
    total = sum(vote.weight for vote in votes)
    taking = {key_of(type): type for type in pointers if type.size > 1}
    for type in taking.values():
        votes = [*votes, Vote(type, 0, 0, False, (total or 1) * _BY_POINTER / len(taking))]
    candidates = _candidates(votes)
    fitting = [type for type in candidates if fits(type, block_size)]
    best, most = None, 0.0
    for type in sorted(fitting or candidates, key=_preference):
        agreeing = [vote for vote in votes if agrees(vote, type)]
        score = sum(vote.weight for vote in agreeing)
        if score > most * 1.01 and _is_meant(type, agreeing, score):
            best, most = type, score
    share = most / sum(vote.weight for vote in votes) if votes else 0
    return Result(best, share) if best and share >= _LEAST_SHARE else None


def _is_meant(type: Type, agreeing: list[Vote], score: float) -> bool:
    """Whether votes are for a structure, and do not only fit it."""
    own = sum(vote.weight for vote in agreeing if vote.type.members)
    return not type.members or own >= _OWN_SHARE * score


def is_mixed(votes: Iterable[Vote], type: Type) -> bool:
    """Whether blocks hold records of several sizes, each of which begins with the type: who takes bytes for
    the type finds them at distances that are no multiples of its size."""
    weights: dict[int, float] = {}
    for vote in votes:
        if key_of(vote.type) == key_of(type) and not vote.is_indexed:
            regular = not vote.stride % type.size
            place = vote.offset % type.size if regular else _NOWHERE
            weights[place] = weights.get(place, 0.0) + vote.weight
    most = max((weight for place, weight in weights.items() if place != _NOWHERE), default=0.0)
    return most < _REGULAR_SHARE * sum(weights.values())


def key_of(type: Type) -> tuple[str, int]:
    return type.name, type.size


def _candidates(votes: Iterable[Vote]) -> list[Type]:
    """The types that votes are for, those with the most first; bytes are no types."""
    weights: dict[tuple[str, int], float] = {}
    types = {}
    for vote in votes:
        if vote.type.size > 1:
            key = key_of(vote.type)
            weights[key] = weights.get(key, 0.0) + vote.weight
            types[key] = vote.type
    return [types[key] for key in sorted(weights, key=lambda key: -weights[key])[:_TYPES_MAX]]


def _preference(type: Type) -> tuple[bool, int]:
    """Structures before numbers, and the whole before its parts, where as many votes fit."""
    return not type.members, -type.size


def fits(type: Type, block_size: int) -> bool:
    """Whether blocks of a size can be of a type, or of several."""
    if not block_size:
        return True
    return block_size % type.size == 0 or (flexible(type) is not None and block_size >= type.size)


def agrees(vote: Vote, type: Type) -> bool:
    """Whether a block of a type, or an array of it, has what a vote says where it says."""
    if vote.is_indexed and key_of(vote.type) == key_of(type):
        return True
    if vote.stride and vote.stride % type.size and type.size % vote.stride:
        return False
    if key_of(vote.type) == key_of(type):
        return vote.offset % type.size == 0
    offset = vote.offset
    if offset >= type.size and not flexible(type):
        offset %= type.size
    return offset >= 0 and holds(type, vote.type.name, vote.type.size, offset)
