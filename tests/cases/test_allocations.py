"""Allocations as events: --collect-alloc."""

from __future__ import annotations

import re
import subprocess
import unittest

from case import LEVELS, STARTS, Case
from cg2test import HANG, VALGRIND, compile, lean_env, new_directory, part_of, run_cg2
from cg2tools.profile.model import Part
from test_events import inclusive, own

# What each function of allocating.c allocates itself: calls and bytes.
EXPECTED = {
    "by_malloc": (10, 550),
    "by_calloc": (2, 128),
    "by_realloc": (3, 101010),
    "by_reallocarray": (1, 63),
    "aligned": (3, 528),
    "wrapper": (2, 11),
    "after_fault": (1, 11),
    "in_thread": (4, 4000),
}
NONE = ["main", "refused", "by_strdup", "by_wrapper", "keep", "malloc", "calloc", "realloc"]


def allocated(part: Part) -> dict[str, tuple[int, int]]:
    """The calls and bytes of each function that allocates something itself."""
    calls, sizes = own(part, "Alloc"), own(part, "AllocBytes")
    return {name: (calls[name], sizes[name]) for name in calls | sizes}


class Allocations(Case):
    def part(self, *options: str, level: str = "-O2", flags: tuple[str, ...] = ()) -> Part:
        program = compile("allocating.c", level, "-pthread", *flags)
        return self.graph_of(
            program, "--collect-alloc=yes", *options, args=["thread"], spontaneous=STARTS
        ).part

    def check_counts(self, part: Part) -> None:
        found = allocated(part)
        self.assertEqual({name: found.get(name) for name in EXPECTED}, EXPECTED)
        self.assertEqual([name for name in NONE if name in found], [])

    def test_counts(self) -> None:
        """Each call counts where it is made; an allocator that calls another one is one."""
        for level in LEVELS:
            with self.subTest(level):
                part = self.part(level=level)
                self.assertEqual(part.events, ["Ir", "Alloc", "AllocBytes"])
                self.check_counts(part)
                self.assertEqual(inclusive(part, "main", "by_strdup", "Alloc"), 1)
                self.assertEqual(inclusive(part, "main", "by_strdup", "AllocBytes"), 6)
                self.assertEqual(inclusive(part, "main", "by_wrapper", "AllocBytes"), 11)

    def test_static(self) -> None:
        """A program that brings its C library along."""
        self.check_counts(self.part(flags=("-static",)))

    def test_modes(self) -> None:
        """What else is counted, and what is kept apart, changes nothing."""
        for options in (
            ["--cache-sim=yes", "--branch-sim=yes"],
            ["--cacheuse=yes"],
            ["--collect-jumps=yes", "--dump-instr=yes"],
            ["--separate-callers=2", "--separate-recs=3"],
        ):
            with self.subTest(options):
                found = {
                    name.split("'")[0]: counts
                    for name, counts in allocated(self.part(*options)).items()
                }
                self.assertEqual({name: found.get(name) for name in EXPECTED}, EXPECTED)

    def test_rest_unchanged(self) -> None:
        """The other events are what they are without the option."""
        program = compile("allocating.c", "-O2", "-pthread")
        options = "--cache-sim=yes", "--dump-instr=yes"
        directory = new_directory()
        parts = []
        for more in ["--collect-alloc=no"], ["--collect-alloc=yes"]:
            run = run_cg2([program], *options, *more, directory=directory)
            parts.append(part_of(run.profile_paths[-1]))
            for path in run.profile_paths:
                path.unlink()
        n = len(parts[0].events)
        self.assertEqual(parts[1].events[:n], parts[0].events)
        for key, function in parts[0].functions.items():
            costs = parts[1].functions[key].costs
            self.assertEqual(
                {position: tuple(cost[:n]) for position, cost in costs.items()},
                {position: tuple(cost) for position, cost in function.costs.items()},
                key.name,
            )

    def test_collection(self) -> None:
        """Only what is collected counts."""
        part = self.part("--toggle-collect=by_calloc")
        self.assertEqual(allocated(part), {"by_calloc": EXPECTED["by_calloc"]})

    def test_as_dhat(self) -> None:
        """In real programs cg2 counts as many blocks and bytes as DHAT, which replaces the allocators."""
        for command in (
            ["/usr/bin/python3", "-S", "-c", "print(sum(i * i for i in range(9999)))"],
            ["/usr/bin/xz", "-c", "/bin/true"],
            ["/bin/ls", "-lR", "/usr/include/linux"],
        ):
            with self.subTest(command[0]):
                run = run_cg2(command, "--collect-alloc=yes")
                part = part_of(run.profile_paths[0])
                total = dict(zip(part.events, part.self_total(), strict=True))
                self.assertEqual((total["AllocBytes"], total["Alloc"]), dhat(command))


def dhat(command: list[str]) -> tuple[int, int]:
    """Bytes and blocks that DHAT counts."""
    ended = subprocess.run(
        ["setarch", "-R", VALGRIND, "--tool=dhat", "--dhat-out-file=/dev/null", *command],
        env=lean_env(),
        cwd=new_directory(),
        input=b"",
        capture_output=True,
        timeout=HANG,
        check=True,
    )
    found = re.search(rb"Total: +([\d,]+) bytes in ([\d,]+) blocks", ended.stderr)
    assert found, ended.stderr
    size, blocks = (int(number.replace(b",", b"")) for number in found.groups())
    return size, blocks


class Languages(Case):
    def test_cxx(self) -> None:
        """operator new counts where it is called, and the malloc in it does not."""
        for options in (), ("--demangle=no",):
            with self.subTest(options):
                run = run_cg2(
                    [compile("newing.cc", "-O1", "-lstdc++")], "--collect-alloc=yes", *options
                )
                found = allocated(part_of(run.profile_paths[0]))
                counts = {name.split("(")[0].lstrip("_Z0123456789"): n for name, n in found.items()}
                self.assertEqual(counts["single_newsv" if options else "single_news"], (5, 20))
                self.assertEqual(counts["array_newsv" if options else "array_news"], (1, 800))
                self.assertNotIn("operator new", counts)


if __name__ == "__main__":
    unittest.main()
