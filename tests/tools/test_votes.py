"""Votes for the types of heap blocks: which type wins, and which votes are too few."""

from __future__ import annotations

import unittest

import toolsupport  # noqa: F401  (finds the commands' packages)

from cg2tools.data.layout import Member, Type
from cg2tools.data.votes import Vote, elect

NUMBER, LONG = Type("unsigned int", 4), Type("long", 8)


def structure(name: str, numbers: int) -> Type:
    """A structure of so many numbers."""
    members = [Member(f"m{i}", 4 * i, 4, 0, 0, NUMBER, "a.c", i + 2) for i in range(numbers)]
    return Type(name, 4 * numbers, "a.c", 1, members)


NODE, TABLE = structure("struct node", 4), structure("struct table", 6)


def votes(type: Type, weight: float, *offsets: int) -> list[Vote]:
    return [Vote(type, offset, 0, False, weight) for offset in offsets]


class Election(unittest.TestCase):
    def test_structure(self) -> None:
        """A vote for a number counts for the structure that has one there."""
        result = elect([*votes(NODE, 10, 0), *votes(NUMBER, 90, 4, 8)], [], 16)
        assert result
        self.assertEqual((result.type.name, result.share), ("struct node", 1.0))

    def test_one_place(self) -> None:
        """A rare structure that has numbers where most votes see some is not the type of blocks of any
        size."""
        result = elect([*votes(NODE, 1, 0), *votes(NUMBER, 99, 4, 8, 4096)], [], 0)
        assert result
        self.assertEqual(result.type.name, "unsigned int")

    def test_several_types(self) -> None:
        """Blocks of many types, as of a program's own malloc: none, where too few agree."""
        many = [structure(f"struct s{i}", i + 2) for i in range(5)]
        found = [vote for type in many for vote in votes(type, 10, 0)]
        self.assertIsNone(elect([*found, *votes(LONG, 45, 4)], [], 0))
        result = elect([*found, *votes(NODE, 60, 0)], [], 0)
        assert result
        self.assertEqual(result.type.name, "struct node")

    def test_pointers(self) -> None:
        """A pointer that takes the blocks votes for what it points to, unless that is characters, which any
        memory is taken for."""
        letter = Type("char", 1)
        result = elect([], [NODE, letter], 16)
        assert result
        self.assertEqual((result.type.name, result.share), ("struct node", 1.0))
        self.assertIsNone(elect([], [letter], 16))

    def test_nobody(self) -> None:
        self.assertIsNone(elect([], [], 16))


if __name__ == "__main__":
    unittest.main()
