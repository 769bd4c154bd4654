"""What instructions do with control is what each does by itself, though alike ones are taken apart once."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

import cg2test
from cg2tools.bindings.interface import DEBUG_LIBRARY, address_at, row
from cg2tools.bindings.libpath import library_path
from cg2tools.bindings.structures import U64, cg2p_code
from cg2tools.debug.libcg2debug import DebugObject

LIBRARIES = ["libc.so.6", "libm.so.6"]

Step = tuple[int, int, int]
"""Target, length, kind."""


def addresses_of(path: Path) -> list[int]:
    """The addresses of an object's instructions, by objdump."""
    said = subprocess.run(["objdump", "-d", "-w", path], capture_output=True, text=True, check=True)
    return [int(found, 16) for found in re.findall(r"^ +([0-9a-f]+):\t", said.stdout, re.MULTILINE)]


def steps_of(path: Path, addresses: list[int]) -> list[Step]:
    with DebugObject(str(path), only_code=True) as debug:
        numbers = row(U64, addresses)
        code = cg2p_code.from_address(debug.steps(address_at(numbers), len(addresses)))
        return [(step.target, step.length, step.kind) for step in code.steps[: len(addresses)]]


@unittest.skipIf(library_path(DEBUG_LIBRARY) is None, "there is no libcg2debug")
@unittest.skipUnless(cg2test.MACHINE == "x86_64", "it reads objects of x86")
class Steps(unittest.TestCase):
    def test_alike(self) -> None:
        """Nothing is known of instructions that do not lie side by side: each is taken apart."""
        for name in LIBRARIES:
            path = Path("/usr/lib/x86_64-linux-gnu", name)
            addresses = addresses_of(path)
            self.assertGreater(len(addresses), 50000)
            together = steps_of(path, addresses)
            for first in 0, 1:
                alone = steps_of(path, addresses[first::2])
                wrong = [
                    (hex(address), found, own)
                    for address, found, own in zip(addresses[first::2], together[first::2], alone)
                    if found != own
                ]
                self.assertEqual(wrong[:5], [], name)


if __name__ == "__main__":
    unittest.main()
