"""Code that comes and goes: libraries opened and closed in turn, code written at run time."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import MACHINE, compile, run_cg2

CODE = "0x0000000020000000"  # where jit.c puts its code, as a name
NO_OPTIONS: list[str] = []


class Reopened(Case):
    def test_names(self) -> None:
        """Two libraries that lie at the same address in turn keep their own names and counts."""
        for level in LEVELS:
            with self.subTest(level):
                flags = [level, "-shared", "-fPIC", "-fno-optimize-sibling-calls"]
                red = compile("libdlopen.c", *flags, "-DRED")
                blue = compile("libdlopen.c", *flags)
                run = run_cg2([compile("dlopen.c", level, is_dynamic=True), red, blue])
                self.assertEqual((run.status, run.stdout), (0, "5 same\n"), run.stderr)
                graph = self.check_whole(run, run.profile_paths[0])
                self.assertCallers(graph, "entry_red", {"use": 20})
                self.assertCallers(graph, "inner_red", {"entry_red": 20})
                self.assertCallers(graph, "entry_blue", {"use": 15})
                self.assertCallers(graph, "inner_blue", {"entry_blue": 30})
                self.assertCallers(graph, "use", {"main": 10})
                objects = {
                    key.name: key.object
                    for key in graph.part.functions
                    if "_red" in key.name or "_blue" in key.name
                }
                self.assertEqual(
                    objects,
                    {
                        "entry_red": str(red),
                        "inner_red": str(red),
                        "entry_blue": str(blue),
                        "inner_blue": str(blue),
                    },
                )


class LoadedTwice(Case):
    def test_counts(self) -> None:
        """A library in two namespaces, the same code at two addresses; Valgrind may know names for one
        only."""
        for level in LEVELS:
            with self.subTest(level):
                library = compile("libtwice.c", level, "-shared", "-fPIC")
                graph = self.graph_of(compile("twice.c", level, is_dynamic=True), args=[library])
                named = graph.counts["main", "outer"]
                self.assertIn(named, [150, 300])
                unnamed = sum(
                    count
                    for (caller, callee), count in graph.counts.items()
                    if caller == "main" and callee.startswith("0x")
                )
                self.assertEqual(named + unnamed, 300)
                self.assertEqual(graph.called("main"), 1)


class Far(Case):
    """A program whose parts lie so far apart that another object is loaded between them."""

    def test_counts(self) -> None:
        """Each address is in the object that is there; the linker's veneers, if calls need any, are
        functions."""
        wide = ["-mcmodel=large"] if MACHINE == "x86_64" else []
        place = "-Wl,--section-start=farcode=0x20000000"
        for level in ("-O1", "-O2"):
            with self.subTest(level):
                graph = self.graph_of(compile("far.c", level, "-no-pie", place, *wide))
                veneer = "__far_veneer"
                if MACHINE == "aarch64":
                    self.assertCallers(graph, "far", {veneer: 20})
                    self.assertCallers(graph, veneer, {"near": 10, "leap": 10})
                else:
                    self.assertCallers(graph, "far", {"near": 10, "leap": 10})
                self.assertCallers(graph, "near", {"main": 10})
                self.assertCallers(graph, "leap", {"main": 10})
                self.assertEqual(graph.called("far_down"), 6 if level == "-O1" else 1)


class Jit(Case):
    def test_counts(self) -> None:
        """Code without a symbol is named by its address; each version of it costs its own instructions."""
        for level in LEVELS:
            for options in NO_OPTIONS, ["--smc-check=all"], ["--smc-check=none"]:
                with self.subTest(level, options=options):
                    graph = self.graph_of(compile("jit.c", level), *options)
                    self.assertCallers(graph, CODE, {"run": 34})
                    self.assertCallers(graph, "callback", {CODE: 4})
                    self.assertCallers(graph, "run", {"main": 3})
                    self.assertCallers(graph, "install", {"main": 3})
                    self.assertEqual(
                        graph.arc_costs["run", CODE], CODE_COST + graph.self_costs["callback"]
                    )
                    unnamed = [
                        key
                        for key in graph.part.functions
                        if key.name.startswith("0x00000000200000")
                    ]
                    self.assertEqual({key.object for key in unnamed}, {"???"})
                    self.assertEqual(sum(graph.self_costs[key.name] for key in unnamed), CODE_COST)


# Three versions, as jit.c counts them.
CODE_COST = 10 * 2 + 20 * 13 + 4 * (5 if MACHINE == "aarch64" else 4)


if __name__ == "__main__":
    unittest.main()
