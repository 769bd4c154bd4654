"""Where an object is touched: by offset, by member, and by line of code.

    rows(object)            what is touched where there is no type: offsets, in few rows
    code_of(touches)        the lines of code that touch it
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cg2tools.data.objects import Touch
from cg2tools.profile.model import Cost, FunctionKey, add_cost

_WIDER = 8
"""How many times as wide the next unit of offsets is."""


@dataclass(slots=True)
class OffsetRow:
    """Some bytes of an object, and what touches them."""

    offset: int  # -1: the file has lines of a declaration in place of offsets
    size: int  # bytes that are one row; 0: one offset
    stride: int  # 0: these bytes alone; else also all at this distance
    declared: int  # the line of the declaration, if there is no offset
    cost: Cost
    count: int = 0
    touches: list[Touch] = field(default_factory=list)

    def add(self, touch: Touch) -> None:
        add_cost(self.cost, touch.cost)
        self.count += touch.count
        self.touches.append(touch)

    def __str__(self) -> str:
        """Where it is, for a person."""
        if self.offset < 0:
            return f"line {self.declared}"
        if self.stride:
            return f"{self.offset:,} every {self.stride:,}"
        return (
            f"{self.offset:,} to {self.offset + self.size - 1:,}"
            if self.size
            else f"{self.offset:,}"
        )


def rows(touches: Iterable[Touch], most: int) -> list[OffsetRow]:
    """By offset; bytes that are side by side are one row where there were more than `most`."""
    known = list(touches)
    single = {touch.offset for touch in known if not touch.stride}
    unit = 1
    while len({offset // unit for offset in single}) > most:
        unit *= _WIDER
    found: dict[tuple[int, int, int], OffsetRow] = {}
    for touch in known:
        size = 0 if touch.stride or touch.offset < 0 or unit == 1 else unit
        offset = touch.offset // unit * unit if size else touch.offset
        key = touch.stride, offset, touch.declared if offset < 0 else 0
        if key not in found:
            zero = [0] * len(touch.cost)
            found[key] = OffsetRow(offset, size, touch.stride, key[2], zero)
        found[key].add(touch)
    return [found[key] for key in sorted(found)]


@dataclass(slots=True)
class Code:
    """A line of code that touches an object."""

    function: FunctionKey
    file: str
    line: int  # 0: not known
    cost: Cost
    count: int = 0
    touches: list[Touch] = field(default_factory=list)


def code_of(touches: Iterable[Touch]) -> list[Code]:
    """The lines of code, in no order that means anything."""
    found: dict[tuple[FunctionKey, str, int], Code] = {}
    for touch in touches:
        key = touch.function, touch.file, touch.line
        if key not in found:
            found[key] = Code(*key, [0] * len(touch.cost))
        code = found[key]
        add_cost(code.cost, touch.cost)
        code.count += touch.count
        code.touches.append(touch)
    return list(found.values())
