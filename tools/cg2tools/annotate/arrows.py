"""Arrows beside lines, from where a jump is to where it goes."""

from collections.abc import Sequence

_LANES = 8
"""The most arrows side by side; what has no lane left is not drawn."""


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
    rows = [[" "] * width for _ in range(count)]
    for (start, end), lane in lanes.items():
        column = 2 * (depth - 1 - lane)
        top, bottom = sorted((start, end))
        for row in rows[top + 1 : bottom]:
            row[column] = "+" if row[column] == "-" else "|"
        for line in (top, bottom):
            for index in range(column + 1, width):
                crossed = rows[line][index] in "|+"
                rows[line][index] = "+" if crossed else "-"
            corner = "," if line == top else "'"
            rows[line][column] = "*" if start == end else corner
    for _, end in lanes:
        rows[end][width - 1] = ">"
    return ["".join(row) for row in rows]


def _lanes(jumps: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """A lane for each different arrow, 0 next to the lines; shortest first."""
    lanes: dict[tuple[int, int], int] = {}
    used: list[list[tuple[int, int]]] = [[] for _ in range(_LANES)]
    for jump in sorted(set(jumps), key=lambda jump: (abs(jump[0] - jump[1]), jump)):
        top, bottom = sorted(jump)
        for lane, spans in enumerate(used):
            if all(bottom < first or last < top for first, last in spans):
                lanes[jump] = lane
                spans.append((top, bottom))
                break
    return lanes
