"""What feedback.py trains and measures python3 with: feedback.py N does it N times."""

from __future__ import annotations

import sys


class Point:
    def __init__(self, x: int, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def words(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in text.split(","):
        head, _, tail = word.partition(":")
        counts[head] = counts.get(head, 0) + len(tail)
    return counts


def primes(below: int) -> int:
    sieve = bytearray([1]) * below
    for i in range(2, below):
        if sieve[i]:
            sieve[i * i :: i] = bytes(len(range(i * i, below, i)))
    return sum(sieve) - 2


def once() -> tuple[int, int, float]:
    numbers = sorted((i * 7919) % 10007 for i in range(20000))
    total = sum(numbers[::3]) + fib(18) + primes(20000)
    text = ",".join(f"{i % 100}:{'x' * (i % 7)}" for i in range(6000))
    total += sum(words(text).values())
    place = Point(0, 0.5)
    for i in range(8000):
        place = place + Point(i, 1.0 / (i + 1))
    pairs = {(i, str(i)): [i, i + 1] for i in range(4000)}
    for (number, _), ends in pairs.items():
        try:
            total += ends[number % 3]
        except IndexError:
            total -= 1
    return total, place.x, round(place.y, 6)


for _ in range(int(sys.argv[1])):
    result = once()
print(*result)
