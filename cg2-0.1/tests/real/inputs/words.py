"""Words of a text by how often they occur; generators, exceptions, regular expressions, big numbers."""

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def powers(base: int) -> Iterator[int]:
    value = 1
    while True:
        yield value
        value *= base


text = open("text").read()
counts = Counter(re.findall(r"[a-z]+", text.lower()))
print(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5])
print(json.dumps(dict(sorted(counts.items())[:3])), zlib.crc32(text.encode()), fibonacci(12))
print(next(power for power in powers(7) if power > 10**40))
try:
    counts["nosuch"] // 0
except ZeroDivisionError as error:
    print(error)
