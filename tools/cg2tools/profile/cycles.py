"""Cycles of a profile, estimated by the library; and what profiles say of such an estimate.

    estimating = Estimating(profile, core)      of a LibraryProfile, by a Core
    for number, name in enumerate(estimating.objects): estimating.add(number, operations)
    made, loops = estimating.result(), estimating.loops()

cg2profile/cycles.h says what the events mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cg2tools.bindings.interface import numbers_at, profile_library, reference, structure_at
from cg2tools.bindings.structures import ADDRESS, SIZE, U64, cg2p_bound, cg2p_error
from cg2tools.profile.cores import Core
from cg2tools.profile.libcg2profile import LibraryProfile, raise_error
from cg2tools.profile.terms import Header

CYCLES = "Cyc"
"""The sum of all estimated cycles, a formula."""

CAUSES = tuple(f"Cy{cause}" for cause in "Ret Fe Br Dep Port Div Fwd L1 L2 LL TLB".split())
"""What cycles are divided into."""

CLAIMED = 8
"""Percent: of smaller changes of estimated cycles nothing is claimed."""

ESTIMATED = "Estimated cycles"
"""The kind of description that says what the estimate is, and how far off it was."""


def is_cycles(event: str) -> bool:
    """Whether an event is estimated cycles, all or of one cause."""
    return event == CYCLES or event in CAUSES


def estimate_said(parts: Iterable[Header]) -> str:
    """What parts say of cycles that were estimated; "": there are none."""
    said = (part.descriptions.get(ESTIMATED, "").strip() for part in parts)
    return "; ".join(dict.fromkeys(filter(None, said)))


@dataclass(frozen=True, slots=True)
class Loop:
    """What bounds a loop, in cycles of an iteration."""

    object: str
    first: int
    last: int
    iterations: int
    cycles: float
    chain: float
    ports: float
    width: float
    links: Sequence[int]
    """The addresses of the chain from one iteration to the next, in its order."""


class Estimating:
    """An estimate of the cycles of a profile, which is freed with it."""

    def __init__(self, profile: LibraryProfile, core: Core) -> None:
        error = cg2p_error()
        self._profile = profile
        self._core = core
        self._handle: ADDRESS | None = None
        address = profile_library().cg2p_cycles_new(profile.handle, core.handle, reference(error))
        if not address:
            raise_error(error, profile.path)
        self._handle = ADDRESS(address)

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_cycles_free(self._handle)

    @property
    def objects(self) -> list[str]:
        """The names of objects that have instructions in the profile."""
        found = profile_library()
        count = found.cg2p_cycles_object_count(self._handle)
        numbers = (found.cg2p_cycles_object_name(self._handle, SIZE(i)) for i in range(count))
        return [self._profile.names[number] for number in numbers]

    def addresses(self, number: int) -> tuple[int, int]:
        """Where the addresses of an object's instructions lie, and how many there are."""
        length = SIZE()
        where = profile_library().cg2p_cycles_addresses(
            self._handle, SIZE(number), reference(length)
        )
        return where, length.value

    def add(self, number: int, operations: int) -> None:
        """Say what the instructions of an object do: where cg2p_operations lie, which stay."""
        profile_library().cg2p_cycles_add(self._handle, SIZE(number), ADDRESS(operations))

    def result(self, seed: int = 0) -> LibraryProfile:
        """The profile with its cycles; another seed than 0 takes other walks, for tests."""
        error = cg2p_error()
        address = profile_library().cg2p_cycles_end(self._handle, U64(seed), reference(error))
        if not address:
            raise_error(error, self._profile.path)
        return LibraryProfile(address, self._profile.path)

    def loops(self) -> list[Loop]:
        """What bounds the loops that cost most, after result(); the dearest first."""
        count = SIZE()
        address = profile_library().cg2p_cycles_bounds(self._handle, reference(count))
        names = self.objects
        if not count.value:
            return []
        found = structure_at(cg2p_bound * count.value, address)
        return [
            Loop(
                *(names[one.object], one.first, one.last, one.iterations),
                *(one.cycles, one.chain, one.ports, one.width),
                tuple(numbers_at(one.links, one.n_links)),
            )
            for one in found
        ]
