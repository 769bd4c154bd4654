"""Calls through the procedure linkage table, and the dynamic linker's resolver.

No stub appears, and a function hangs below the one that called it: also at the first call, when the stub goes
through the resolver, which finds the function and jumps to it.
"""

from __future__ import annotations

import unittest
from collections import Counter
from pathlib import Path

from case import LEVELS, Case
from cg2test import MACHINE, compile, env
from cg2tools.profile.model import Function, FunctionKey
from disassembly import instructions, interpreter, stripped, stub_sections
from facts import Graph
from stock import StockCase

OWN = {"main", "call", "lib_twice", "lib_once", "lib_back", "back", "lib_pointer"}
# What makes the linker write stubs that are entered by marked branches only, and where it puts them.
MARKED, MARKED_SECTION = (
    (["-mbranch-protection=standard", "-Wl,-z,force-bti,-z,pac-plt,-z,lazy"], ".plt")
    if MACHINE == "aarch64"
    else (["-fcf-protection", "-Wl,-z,ibtplt,-z,lazy"], ".plt.sec")
)
# Instructions of a stub, of one in MARKED, and of a stub's way to the resolver.
STUB, MARKED_STUB, TO_RESOLVER = (4, 5, 5) if MACHINE == "aarch64" else (1, 2, 4)
STUBS = [r"@plt", r"\[PLT\]", r"\*ABS\*"]


def is_linker(key: FunctionKey) -> bool:
    """Whether a function is the dynamic linker's own."""
    return "/ld-linux" in key.object


def linked(level: str, *flags: str) -> Path:
    """plt.c and its library, both compiled with `flags`."""
    library = compile("libplt.c", level, "-shared", "-fPIC", *flags)
    return compile("plt.c", level, *flags, str(library))


class Linking(Case):
    def assertLinked(self, graph: Graph) -> None:
        """Every call has its real caller, whatever lies between."""
        self.assertCallers(graph, "lib_twice", {"main": 6})
        self.assertCallers(graph, "lib_once", {"lib_twice": 12})
        self.assertCallers(graph, "lib_back", {"main": 3})
        self.assertCallers(graph, "back", {"lib_back": 3})
        self.assertCallers(graph, "lib_pointer", {"main": 5, "call": 4})
        own = {
            callee.name
            for caller, callee in graph.keyed_arcs()
            if caller.name == "main" and not is_linker(callee)
        }
        self.assertEqual(own, {"lib_twice", "lib_back", "call", "lib_pointer"})
        self.assertUnnamed(graph, *STUBS)

    def assertNothingBelowResolver(self, graph: Graph) -> None:
        """The resolver calls nothing but the dynamic linker's own functions."""
        for caller, callee in graph.keyed_arcs():
            if caller.name.startswith("_dl_runtime_resolve"):
                self.assertEqual(caller.object, callee.object, f"{caller.name} calls {callee.name}")


@unittest.skipUnless(MACHINE == "x86_64", "other processors have other functions for auditing")
class Auditing(Linking):
    """With LD_AUDIT each call between objects goes through a resolver, also a second time."""

    def audited(self, *flags: str) -> Graph:
        auditor = compile("auditing.c", "-O1", "-shared", "-fPIC", *flags)
        program = linked("-O1", "-Wl,-z,lazy")
        return self.graph_of(program, environment=env(LD_AUDIT=str(auditor)))

    def test_entered(self) -> None:
        """If it is told of calls alone, the resolver jumps to the function, which hangs below its caller."""
        self.assertLinked(self.audited())

    def test_left(self) -> None:
        """If it is told of returns, too, the resolver calls the function itself: as often, from there."""
        graph = self.audited("-DEXITS")
        resolvers = {
            caller.name.partition("'")[0]
            for caller, callee in graph.keyed_arcs()
            if callee.name in OWN and is_linker(caller)
        }
        self.assertEqual(len(resolvers), 1)
        self.assertTrue(resolvers.pop().startswith("_dl_runtime_profile"))
        for function, calls in ("lib_twice", 6), ("lib_once", 12), ("back", 3), ("lib_pointer", 9):
            with self.subTest(function):
                self.assertEqual(sum(graph.callers(function).values()), calls)


class Plt(Linking):
    """Without lazy binding the stub jumps to the function at once."""

    def test_plt(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                program = linked(level, "-Wl,-z,lazy")
                self.assertEqual(stub_sections(program, "lib_twice"), {".plt"})
                self.assertLinked(self.graph_of(program, environment=env(LD_BIND_NOW="1")))

    def test_marked(self) -> None:
        """With control-flow protection: on x86 the stub is in .plt.sec, and .plt has only the way to the
        resolver."""
        for level in LEVELS:
            with self.subTest(level):
                program = linked(level, *MARKED)
                self.assertEqual(stub_sections(program, "lib_twice"), {MARKED_SECTION})
                self.assertLinked(self.graph_of(program, environment=env(LD_BIND_NOW="1")))

    def test_plt_got(self) -> None:
        """A function whose address is taken, too, has its stub in .plt.got."""
        for level in LEVELS:
            with self.subTest(level):
                program = linked(level, "-Wl,-z,now")
                self.assertEqual(stub_sections(program, "lib_pointer"), {".plt.got"})
                self.assertLinked(self.graph_of(program))

    def test_no_plt(self) -> None:
        """With -fno-plt a call goes through the global offset table, without a stub."""
        for level in LEVELS:
            with self.subTest(level):
                program = linked(level, "-fno-plt")
                self.assertEqual(stub_sections(program, "lib_twice"), set())
                self.assertLinked(self.graph_of(program))

    def test_static(self) -> None:
        """A static program has stubs, too: for the functions of libc that are chosen when it starts."""
        program = compile("static.c", "-O0", "-static")
        graph = self.graph_of(program)
        self.assertEqual(graph.callees("fill").keys(), graph.callees("fill_again").keys())
        self.assertEqual(sum(graph.callees("fill").values()), 5)
        self.assertEqual(sum(graph.callees("fill_again").values()), 7)
        self.assertUnnamed(graph, *STUBS)

    def test_chosen(self) -> None:
        """A function that is chosen at start, and has no symbol, hangs below what calls it or jumps to it."""
        for binding in ("-Wl,-z,now", "-Wl,-z,lazy"):
            for strip in ("-Wl,--discard-none", "-Wl,--strip-all"):
                with self.subTest(binding, strip=strip):
                    flags = ["-O2", "-shared", "-fPIC", binding]
                    code = instructions(compile("libchosen.c", *flags), "implementation")
                    library = compile("libchosen.c", *flags, strip)
                    graph = self.graph_of(compile("chosen.c", "-O0", binding, str(library)))
                    name = (
                        "implementation" if strip == "-Wl,--discard-none" else f"0x{code[0]:016x}"
                    )
                    [key] = [
                        key
                        for key in graph.part.functions
                        if key.object == str(library) and key.name == name
                    ]
                    self.assertEqual(
                        graph.callers_of(key), {"lib_calls": 5, "lib_tails": 7, "direct": 3}
                    )
                    self.assertEqual(graph.part.functions[key].self_cost(), [15 * len(code)])
                    self.assertCallers(graph, "lib_tails", {"main": 7})
                    self.assertUnnamed(graph, *STUBS)

    def test_stub_cost(self) -> None:
        """The stub's instructions are the caller's, each time."""
        for flags, stub in (["-Wl,-z,now"], STUB), (["-fno-plt"], 0):
            with self.subTest(flags=flags):
                graph = self.graph_of(linked("-O0", *flags))
                library = compile("libplt.c", "-O0", "-shared", "-fPIC", *flags)
                twice, back = (
                    len(instructions(library, name)) for name in ("lib_twice", "lib_back")
                )
                self.assertEqual(graph.self_costs["lib_twice"], 6 * (twice + 2 * stub))
                self.assertEqual(graph.self_costs["lib_back"], 3 * (back + stub))


class Blocks(Linking):
    def test_stubs(self) -> None:
        """The blocks of stubs are counted, also each of those on the way to the resolver."""
        for binding in "now", "lazy":
            with self.subTest(binding):
                program = linked("-O0", f"-Wl,-z,{binding}")
                skipped, shown = (
                    self.graph_of(program, option) for option in ("--skip-plt=yes", "--skip-plt=no")
                )
                self.assertEqual(skipped.total, shown.total)
                ranges = [graph.part.descriptions["Timerange"] for graph in (skipped, shown)]
                self.assertEqual(ranges[0], ranges[1])


class Shown(StockCase):
    """With --skip-plt=no a stub is a function, called by a jump as well, and calls where it goes."""

    def tailing(self, *flags: str) -> Path:
        library = compile("libtailing.c", "-O2", "-shared", "-fPIC", *flags)
        self.code = {
            name: len(instructions(library, name)) for name in ("lib_tail", "again", "lib_twice")
        }
        program = compile("tailing.c", "-O2", *flags, str(library))
        self.code["back"] = len(instructions(program, "back"))
        return program

    def stub_of_back(self, graph: Graph) -> FunctionKey:
        [stub] = [caller for caller, callee in graph.keyed_arcs() if callee.name == "back"]
        self.assertRegex(stub.name, STUBS[1])
        return stub

    def check_counts(self, graph: Graph) -> Function:
        """Give the stub of back."""
        key = self.stub_of_back(graph)
        stub = graph.part.functions[key]
        self.assertEqual(graph.callers_of(key), {"lib_tail": 6, "again": 4, "lib_twice": 4})
        self.assertEqual(sum(call.count for call in stub.calls if call.callee.name == "back"), 14)
        self.assertEqual(graph.self_costs["lib_tail"], 6 * self.code["lib_tail"])
        return stub

    def test_bound(self) -> None:
        for flags, length in (["-g"], STUB), (MARKED, MARKED_STUB):
            with self.subTest(flags=flags):
                graph = self.graph_of(self.tailing(*flags, "-Wl,-z,now"), "--skip-plt=no")
                stub = self.check_counts(graph)
                self.assertEqual(len(stub.calls), 1)
                self.assertEqual(stub.self_cost(), [14 * length])
                once = self.code["lib_tail"] + length + self.code["back"]
                self.assertEqual(graph.inclusive("lib_tail"), 6 * once)

    def test_lazy(self) -> None:
        """On its way to the resolver a stub goes on in others."""
        graph = self.graph_of(self.tailing("-Wl,-z,lazy"), "--skip-plt=no")
        self.assertEqual(self.check_counts(graph).self_cost(), [14 * STUB + TO_RESOLVER])

    def test_left_out(self) -> None:
        """With --skip-plt=yes who jumps to the stub calls what is behind it, each time, and with simulated
        caches, too."""
        program = self.tailing("-g", "-Wl,-z,now")
        for option in "--cache-sim=no", "--cache-sim=yes":
            graph = self.graph_of(program, option)
            self.assertCallers(graph, "back", {"lib_tail": 6, "again": 4, "lib_twice": 4})
            once = self.code["lib_tail"] + STUB + self.code["back"]
            self.assertEqual(graph.inclusive("lib_tail"), 6 * once, option)

    def test_jumps(self) -> None:
        """A jump that is a call is not among the jumps."""
        graph = self.graph_of(
            self.tailing("-Wl,-z,now"), "--skip-plt=no", "--collect-jumps=yes", "--dump-instr=yes"
        )
        stub = self.check_counts(graph)
        jumps = {key.name for key, function in graph.part.functions.items() if function.jumps}
        self.assertEqual((jumps & {"lib_tail", "again"}, stub.jumps), (set(), []))

    def test_as_callgrind(self) -> None:
        """Callgrind shows the same, but for the stub's name."""
        for binding in ("-Wl,-z,now", "-Wl,-z,lazy"):
            with self.subTest(binding):
                program = self.tailing(binding)
                by_cg2, by_callgrind = (
                    self.around_stub(self.graph_by(tool, program, "--skip-plt=no"))
                    for tool in ("cg2", "callgrind")
                )
                self.assertEqual(by_cg2, by_callgrind)

    def around_stub(self, graph: Graph) -> list[tuple[str, str, int, int]]:
        """The calls of the stub of back, and those that it makes: how many, and what they cost."""
        stub = self.stub_of_back(graph)
        found: Counter[tuple[str, str]] = Counter()
        costs: Counter[tuple[str, str]] = Counter()
        for function in graph.part.functions.values():
            for call in function.calls:
                if stub in (call.caller, call.callee):
                    arc = tuple("stub" if k == stub else k.name for k in (call.caller, call.callee))
                    found[arc[0], arc[1]] += call.count
                    costs[arc[0], arc[1]] += call.inclusive[0]
        return sorted((*arc, count, costs[arc]) for arc, count in found.items())


class Lazy(Linking):
    """With lazy binding the first call of each function goes through the resolver."""

    def test_lazy(self) -> None:
        for level in LEVELS:
            for flags in (["-Wl,-z,lazy"], MARKED):
                with self.subTest(level, flags=flags):
                    graph = self.graph_of(linked(level, *flags))
                    self.assertLinked(graph)
                    self.assertNothingBelowResolver(graph)

    def test_resolver_ran(self) -> None:
        """The lazy program does run through the resolver: it costs more, and that is the caller's."""
        program = linked("-O0", "-Wl,-z,lazy")
        lazy = self.graph_of(program)
        bound = self.graph_of(program, environment=env(LD_BIND_NOW="1"))
        self.assertGreater(lazy.inclusive("lib_back"), bound.inclusive("lib_back") + 100)
        self.assertEqual(lazy.inclusive("back"), bound.inclusive("back"))

    def test_linker_without_symbols(self) -> None:
        """The resolver is known by what it does: not by its name, nor by where the dynamic linker lies."""
        for level in LEVELS:
            with self.subTest(level):
                linker = stripped(interpreter(compile("calls.c", "-O0", is_dynamic=True)))
                graph = self.graph_of(
                    linked(level, "-Wl,-z,lazy", f"-Wl,--dynamic-linker={linker}")
                )
                self.assertLinked(graph)
                self.assertTrue(any(is_linker(key) for key in graph.part.functions))
                for caller, callee in graph.keyed_arcs():
                    if is_linker(caller):
                        self.assertNotIn(callee.name, OWN)


if __name__ == "__main__":
    unittest.main()
