"""Arrows beside lines, from where a jump is to where it goes."""

from collections.abc import Sequence

_LANES = 8
"""The most arrows side by side; what has no lane left is not drawn."""

_DOWN = bytes(ord("+" if character == ord("-") else "|") for character in range(256))
_ACROSS = bytes(ord("+" if chr(character) in "|+" else "-") for character in range(256))
"""What becomes of each character where a line is drawn over it."""


def arrows(jumps: Sequence[tuple[int, int]], count: int) -> list[str]:
    """What stands before each of `count` lines: arrows (from, to) of lines.

    Short arrows are next to the lines, and no two share a place:

        ,---- jle 3
        | ,-> add
        | '-- jne 1
        '---> ret
    """
    lanes = _lanes(jumps)
    depth = max(lanes.values(), default=-1) + 1
    width = 2 * depth + 1 if depth else 0
    drawn = bytearray(b" ") * (width * count)
    for (start, end), lane in lanes.items():
        column = 2 * (depth - 1 - lane)
        top, bottom = sorted((start, end))
        inside = slice((top + 1) * width + column, bottom * width + column, width)
        drawn[inside] = drawn[inside].translate(_DOWN)
        for line in (top, bottom):
            across = slice(line * width + column + 1, (line + 1) * width)
            drawn[across] = drawn[across].translate(_ACROSS)
            corner = "," if line == top else "'"
            drawn[line * width + column] = ord("*" if start == end else corner)
    for _, end in lanes:
        drawn[(end + 1) * width - 1] = ord(">")
    text = drawn.decode("ascii")
    return [text[line * width : (line + 1) * width] for line in range(count)]


def _lanes(jumps: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """A lane for each different arrow, 0 next to the lines; shortest first."""
    lanes: dict[tuple[int, int], int] = {}
    used = [0] * _LANES  # a bit for each line
    for jump in sorted(set(jumps), key=lambda jump: (abs(jump[0] - jump[1]), jump)):
        top, bottom = sorted(jump)
        lines = (2 << bottom - top) - 1 << top
        for lane, taken in enumerate(used):
            if not taken & lines:
                lanes[jump] = lane
                used[lane] |= lines
                break
    return lanes
