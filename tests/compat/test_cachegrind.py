"""A described machine against Cachegrind, a simulator that nobody here wrote."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

import cg2test
from cg2test import new_directory, run_cg2

# I1, D1, LL: size, ways, line.
SHAPES = [
    ((32768, 8, 64), (32768, 8, 64), (8388608, 16, 64)),
    ((1024, 2, 32), (4096, 4, 64), (65536, 8, 64)),
    ((256, 1, 64), (1024, 1, 32), (16384, 16, 128)),
    ((512, 2, 64), (2048, 32, 64), (32768, 2, 64)),
    ((512, 8, 64), (8192, 16, 128), (262144, 64, 128)),
]
COLUMNS = "I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw".split()


def table(text: str) -> dict[str, int]:
    """The sums of a profile, by event."""
    found = [re.search(rf"^{key}: ?(.*)$", text, re.MULTILINE) for key in ("events", "summary")]
    assert found[0] is not None and found[1] is not None
    return dict(zip(found[0][1].split(), map(int, found[1][1].split()), strict=True))


class Cachegrind(unittest.TestCase):
    def of_cachegrind(self, program: Path, shape: tuple[tuple[int, ...], ...]) -> dict[str, int]:
        out = new_directory() / "out"
        levels = [f"--{name}={','.join(map(str, s))}" for name, s in zip(("I1", "D1", "LL"), shape)]
        options = ("--cache-sim=yes", f"--cachegrind-out-file={out}", *levels)
        run = run_cg2([program], *options, tool="cachegrind", out_file=None)
        self.assertEqual(run.status, 0, run.stderr)
        return table(out.read_text())

    def of_machine(self, program: Path, shape: tuple[tuple[int, ...], ...]) -> dict[str, int]:
        names = ("I1", "D1", "L2")
        caches = [
            f"cache {name} size={size} ways={ways} line={line} write=none\n"
            for name, (size, ways, line) in zip(names, shape)
        ]
        path = new_directory() / "its.machine"
        path.write_text("".join([*caches, "levels ask=whole\n"]))
        run = run_cg2([program], f"--machine={path}")
        self.assertEqual(run.status, 0, run.stderr)
        return table(run.profile_paths[0].read_text())

    def test_walks(self) -> None:
        program = cg2test.compile("walks.c", "-O1", "-static", "-nostdlib", "-fno-stack-protector")
        for shape in SHAPES:
            with self.subTest(shape=shape):
                expected = self.of_cachegrind(program, shape)
                found = self.of_machine(program, shape)
                self.assertEqual({e: found[e] for e in COLUMNS}, {e: expected[e] for e in COLUMNS})
                self.assertGreater(found["Dr"], 100_000)
                self.assertGreater(found["D1mr"], 1000)


if __name__ == "__main__":
    unittest.main()
