"""Repeatable runs: the program sees the same world outside, so that its profile is the same bytes."""

from __future__ import annotations

import time
import unittest

from case import Case
from cg2test import Run, compile, env, run_cg2

HASHES = "import os, time; print(hash('x'), time.time(), os.urandom(4), os.cpu_count())"


class Repeatable(Case):
    def run_twice(self, *argv: str, first: dict[str, str], second: dict[str, str]) -> Run:
        """Two runs in two environments say the same, and leave the same profile."""
        runs = [
            run_cg2(argv, "--repeatable=yes", environment=variables)
            for variables in (first, second)
        ]
        texts = [run.profile_paths[0].read_bytes() for run in runs]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertEqual(texts[0], texts[1])
        return runs[0]

    def test_sleep(self) -> None:
        """Who sleeps 10 s thinks so, and does not: the time goes on."""
        begin = time.monotonic()
        run = self.run_twice(str(compile("slept.c", "-O1")), first=env(), second=env())
        self.assertLess(time.monotonic() - begin, 10)
        calendar, clock, processors = run.stdout.split()
        self.assertEqual((calendar, processors), ("946684810", "4"))
        self.assertEqual(int(float(clock)), 10)
        text = run.profile_paths[0].read_text()
        self.assertIn("desc: Repeatable: yes, seed 1, epoch 946684800, 4 processors\n", text)
        self.assertIn("\npid: 1000\n", text)

    def test_threads(self) -> None:
        """Threads that wait for each other take the same turns."""
        program = str(compile("pool.c", "-O1", "-pthread"))
        run = self.run_twice(program, first=env(), second=env())
        self.assertEqual(sum(map(int, run.stdout.split())), 2000)

    def test_hashes(self) -> None:
        """Hash seeds of Python are the same, as they come."""
        free = {name: text for name, text in env().items() if name != "PYTHONHASHSEED"}
        run = self.run_twice("/usr/bin/python3", "-c", HASHES, first=free, second=free)
        self.assertIn(" 946684800.", run.stdout)


if __name__ == "__main__":
    unittest.main()
