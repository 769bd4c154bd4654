"""PyTorch itself, as Debian has it, counts a statement under cg2 as under Callgrind."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path

import torchpackages
from cg2test import need_vgdb, new_directory
from launcher import Harness, Launcher

SCRIPT = """\
import json
from torch.utils.benchmark import Timer

timer = Timer("total = sum(range(1000))", num_threads=1)
found = timer.collect_callgrind(number=20, repeats=2, collect_baseline=True)
rows = [[[row.function, row.count] for row in stats.stats()] for stats in found]
print(json.dumps(rows))
"""

TOLERANCE = 0.001

Rows = list[
    dict[str, int]
]  # of each repeat: file:function, and its cost beyond the empty statement's


class Torch(Harness):
    full = True  # Callgrind takes three minutes to import PyTorch

    def collected(self, launcher: Launcher, directory: Path) -> Rows:
        directory.mkdir()
        (directory / "timer.py").write_text(SCRIPT)
        (directory / "python").symlink_to("/usr/bin/python3")
        environment = launcher.environment(TMPDIR=str(directory), **torchpackages.environment())
        environment["PATH"] = f"{directory}:{environment['PATH']}"
        ended = launcher.run("python", "timer.py", directory=directory, environment=environment)
        shutil.rmtree(directory)
        return [dict(rows) for rows in json.loads(ended.stdout.splitlines()[-1])]

    def test_collect_callgrind(self) -> None:
        """Timer.collect_callgrind gives the same costs of what the statement does, but for a thousandth.

        How often Python frees memory by way of its lists depends on the environment, which has VALGRIND_LIB
        under cg2.
        """
        need_vgdb()
        torchpackages.unpacked()
        directory = new_directory() / "timer"
        theirs, ours = self.with_both(lambda launcher: self.collected(launcher, directory))
        self.assertEqual(len(ours), 2)
        for their, our in zip(theirs, ours, strict=True):
            self.assertLess(abs(sum(our.values()) / sum(their.values()) - 1), TOLERANCE)
            dear = {name: count for name, count in their.items() if count > 5000}
            self.assertGreater(len(dear), 3)
            for name, count in dear.items():
                self.assertLess(abs(our[name] / count - 1), TOLERANCE, name)


if __name__ == "__main__":
    unittest.main()
