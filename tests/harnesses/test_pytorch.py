"""PyTorch's benchmark utilities run cg2 as Callgrind: the script finds itself, parts and tables are read."""

from __future__ import annotations

import unittest

import pytorch
from cg2test import need_vgdb, new_directory
from launcher import Harness


def of_python(counts: pytorch.Counts) -> list[tuple[str, int]]:
    """The functions of the interpreter's program.

    Others of the run are known to differ: Callgrind takes stubs in .plt.got for functions, and `statement`,
    which libffi calls on a stack frame that it made itself, for a function at libffi's address.
    """
    return [row for row in counts.functions if "[/usr/bin/python3" in row[0]]


class PyTorch(Harness):
    def test_counts(self) -> None:
        """The parts' names and totals, and the costs of all of the interpreter's functions, are the same."""
        need_vgdb()
        directory = new_directory() / "scratch"
        theirs, ours = self.with_both(lambda launcher: pytorch.run(launcher, directory))
        names = ["callgrind.out"] + [f"callgrind.out.{i + 1}" for i in range(pytorch.REPEATS + 1)]
        self.assertEqual(theirs.names, names)
        self.assertEqual(ours.names, names)
        for their, our in zip(
            theirs.exclusive + theirs.inclusive, ours.exclusive + ours.inclusive, strict=True
        ):
            self.assertEqual(our.total, their.total)
            self.assertGreater(len(of_python(their)), 5)
            self.assertEqual(of_python(our), of_python(their))
        for counts in ours.inclusive[: pytorch.REPEATS]:
            self.assertIn("statement", " ".join(name for name, _ in counts.functions))


if __name__ == "__main__":
    unittest.main()
