"""Collecting only a part of a run: --toggle-collect, --collect-atstart and --collect-scope."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import MACHINE, compile, env, profile_of, run_cg2
from disassembly import instructions
from facts import Graph
from test_fork import only
from test_linking import MARKED, STUB, linked

RECURSIVE = "-fno-optimize-sibling-calls"


class Toggle(Case):
    """Costs are collected in the function, with all that it calls, and nowhere else."""

    def collected(self, program: Path, *functions: str, args: tuple[str, ...] = ()) -> Graph:
        options = [f"--toggle-collect={name}" for name in functions]
        return self.graph_of(program, *options, args=args, spontaneous=STARTS)

    def assertLikeCallgrind(self, graph: Graph, program: Path, *functions: str) -> None:
        """Callgrind collects the same: the own cost of every function."""
        if MACHINE == "aarch64":
            return  # it takes jumps for calls there, and toggles at the wrong ones
        options = [f"--toggle-collect={name}" for name in functions]
        part = profile_of([program], *options, tool="callgrind")
        self.assertEqual(+graph.self_costs, +Graph(part).self_costs)

    def test_calls(self) -> None:
        """From the callee's first instruction to its last; the calls that lead there count."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                graph = self.collected(program, "region")
                self.assertCallers(graph, "leaf", {"region": 6})
                self.assertCallers(graph, "region", {"main": 3})
                self.assertEqual(graph.called("main"), 1)
                self.assertEqual(graph.self_costs["leaf"], 6 * len(instructions(program, "leaf")))
                self.assertEqual(graph.total, graph.arc_costs["main", "region"])
                self.assertEqual(graph.total, graph.self_costs["region"] + graph.self_costs["leaf"])
                self.assertLikeCallgrind(graph, program, "region")

    def test_recursion(self) -> None:
        """The outermost call matters; what it calls itself does not switch it off."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                graph = self.collected(program, "nest")
                self.assertCallers(graph, "nest", {"main": 1})
                self.assertCallers(graph, "nest'2", {"nest": 1, "nest'2": 2})
                self.assertCallers(graph, "leaf", {"nest": 1, "nest'2": 3})
                self.assertEqual(graph.total, graph.arc_costs["main", "nest"])
                self.assertLikeCallgrind(graph, program, "nest")

    def test_nested(self) -> None:
        """Two functions, one of which calls the other: collected is what is in either."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                inner = self.collected(program, "region", "leaf")
                self.assertCallers(inner, "leaf", {"region": 6, "nest": 1, "nest'2": 3})
                self.assertCallers(inner, "nest'2", {"nest": 1, "nest'2": 2})
                self.assertEqual(inner.self_costs["nest"], 0)
                leaf = len(instructions(program, "leaf"))
                region = self.collected(program, "region").total
                self.assertEqual(inner.total, region + 4 * leaf)
                outer = self.collected(program, "main", "region")
                self.assertEqual(outer.total, self.collected(program, "main").total)

    def test_pattern(self) -> None:
        """An option that matches two functions is the same as two options."""
        program = compile("parts.c", "-O0", "-static")
        both = self.collected(program, "region", "between")
        named = self.collected(program, "re?ion", "bet*n")
        self.assertEqual(named.self_costs, both.self_costs)

    def test_longjmp(self) -> None:
        """Left by longjmp, it is left where control arrives."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("longjmp.c", level, "-static")
                graph = self.collected(program, "down")
                self.assertCallers(graph, "down", {"catcher": 3})
                self.assertCallers(graph, "thrower", {"down'2": 3})
                self.assertCallers(graph, "after", {})
                self.assertEqual(graph.total, graph.arc_costs["catcher", "down"])
                self.assertLikeCallgrind(graph, program, "down")

    def test_exception(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                program = compile("exceptions.cc", level, "-static", compiler="g++")
                graph = self.collected(program, "level(long)")
                self.assertCallers(graph, "thrower(long)", {"level(long)'2": 3})
                self.assertEqual(graph.called("Guard::~Guard()"), 12)
                self.assertCallers(graph, "after()", {})
                self.assertEqual(graph.total, graph.arc_costs["catcher()", "level(long)"])

    def test_tail_call(self) -> None:
        """Entered by a jump, and left by one: with the function that was jumped to."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("tail.c", level, "-static")
                first = len(instructions(program, "first"))
                third, second = len(instructions(program, "third")), len(
                    instructions(program, "second")
                )
                graph = self.collected(program, "second")
                self.assertCallers(graph, "second", {"first": 5, "second_or_third": 3})
                self.assertCallers(graph, "third", {"second": 8})
                self.assertEqual(graph.total, 8 * (second + third))
                graph = self.collected(program, "first")
                self.assertEqual(graph.total, 5 * (first + second + third))
                graph = self.collected(program, "third")
                self.assertCallers(
                    graph, "third", {"second": 8, "second_or_third": 2, "through": 2}
                )
                self.assertEqual(graph.total, 12 * third)
                self.assertLikeCallgrind(graph, program, "third")

    def test_stub(self) -> None:
        """The stub on the way to the function is outside; those that it calls through are inside."""
        for level in LEVELS:
            with self.subTest(level):
                program = linked(level, "-Wl,-z,now")
                library = Path(program_library(self.collected(program, "lib_twice")))
                once, twice = (
                    len(instructions(library, name)) for name in ("lib_once", "lib_twice")
                )
                graph = self.collected(program, "lib_twice")
                self.assertCallers(graph, "lib_once", {"lib_twice": 12})
                self.assertEqual(graph.total, 12 * once + 6 * twice + 12 * STUB)
                self.assertEqual(self.collected(program, "lib_once").total, 12 * once)

    def test_resolver(self) -> None:
        """The resolver that finds the function is outside; where it is called inside it is collected."""
        for level in LEVELS:
            for flags in (["-Wl,-z,lazy"], MARKED):
                with self.subTest(level, flags=flags):
                    program = linked(level, *flags)
                    once = self.collected(program, "lib_once")
                    self.assertCallers(once, "lib_once", {"lib_twice": 12})
                    self.assertEqual(
                        {name for name, cost in once.self_costs.items() if cost}, {"lib_once"}
                    )
                    self.assertEqual(once.total, once.arc_costs["lib_twice", "lib_once"])
                    twice = self.collected(program, "lib_twice")
                    bound = self.graph_of(
                        program, "--toggle-collect=lib_twice", environment=env(LD_BIND_NOW="1")
                    )
                    self.assertCallers(twice, "lib_once", {"lib_twice": 12})
                    self.assertGreater(twice.total, bound.total + 100)
                    self.assertEqual(twice.self_costs["lib_once"], bound.self_costs["lib_once"])

    def test_handler(self) -> None:
        """A function that is a handler: it is collected from entry to return."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level, "-static")
                graph = self.collected(program, "on_usr1")
                self.assertCallers(graph, "in_handler", {"on_usr1": 8})
                self.assertEqual(graph.total, graph.inclusive("on_usr1"))
                self.assertEqual(
                    graph.self_costs["on_usr1"], 4 * len(instructions(program, "on_usr1"))
                )

    def test_handler_left_by_jump(self) -> None:
        """A handler that leaves itself, and what it interrupted, by longjmp."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level, "-static")
                own = self.graph_of(program).self_costs["on_hup"]
                graph = self.collected(program, "on_hup")
                self.assertEqual(graph.self_costs["on_hup"], own)
                self.assertCallers(graph, "landed", {})
                self.assertEqual(graph.total, graph.inclusive("on_hup"))
                graph = self.collected(program, "deeper")
                self.assertEqual(graph.self_costs["on_hup"], own)
                self.assertCallers(graph, "deeper'2", {"deeper": 5, "deeper'2": 5})
                self.assertCallers(graph, "landed", {})

    def test_handler_inside(self) -> None:
        """A handler that runs inside is collected, and is no cost of what it interrupts."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level, "-static")
                graph = self.collected(program, "send")
                self.assertCallers(graph, "in_handler", {"on_usr1": 8})
                self.assertCallers(graph, "in_nested", {"on_term": 3})
                self.assertCallers(graph, "in_alternate", {"on_alternate": 2})
                self.assertCallers(graph, "landed", {})
                self.assertEqual(
                    graph.self_costs["on_usr2"], 3 * len(instructions(program, "on_usr2"))
                )

    def test_fork(self) -> None:
        """In the child of a fork inside the function collection goes on."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("forking.c", level, "-static")
                run = run_cg2([program], "--toggle-collect=region", "--check-cells=yes")
                self.assertEqual((run.status, len(run.profile_paths)), (0, 2), run.stderr)
                graphs = [self.check_whole(only(run, path), path) for path in run.profile_paths]
                child, parent = sorted(graphs, key=lambda graph: "in_parent" in graph.names())
                self.assertCallers(parent, "in_parent", {"region": 3})
                self.assertCallers(parent, "common", {"region": 2})
                self.assertCallers(child, "in_child", {"region": 5})
                self.assertCallers(child, "common", {"region": 2})
                self.assertEqual((parent.called("region"), child.called("region")), (1, 1))
                for graph in graphs:
                    self.assertEqual(graph.called("main"), 1)


def program_library(graph: Graph) -> str:
    """The object that has lib_once."""
    [name] = [key.object for key in graph.part.functions if key.name == "lib_once"]
    return name


class Unmatched(Case):
    """Patterns that no function's name matches."""

    def said(self, *options: str, program: Path | None = None) -> list[str]:
        run = run_cg2([program or compile("parts.c", "-O0", "-static")], *options)
        lines = [re.sub(r"^==\d+== ", "", line) for line in run.stderr.splitlines()]
        return [line for line in lines if "no function of this name was seen" in line]

    def test_all(self) -> None:
        """Each is said at the end, whatever was collected; -v looks for inlined functions, too."""
        options = [
            "--dump-before=nosuch",
            "--toggle-collect=main",
            "--zero-before=mai?n",
            "--dump-after=fin*",
        ]
        expected = [
            "--dump-before=nosuch: no function of this name was seen",
            "--zero-before=mai?n: no function of this name was seen; near to it: main",
        ]
        hint = "; if it was inlined, -v says where"
        self.assertEqual(self.said(*options), [line + hint for line in expected])
        self.assertEqual(self.said("-v", *options), expected)
        self.assertEqual(self.said("-q", *options), [])

    def test_swapped(self) -> None:
        """Two letters that are swapped make one mistake: of four, that is near."""
        said = "--dump-before=mian: no function of this name was seen; near to it: main"
        self.assertEqual(self.said("-v", "--dump-before=mian"), [said])

    def test_kinds(self) -> None:
        """Whatever an option does to functions, it is named if there are none; those that match are not."""
        numbered = ["--separate-recs2", "--separate-callers3", "--fn-group1"]
        plain = ["--fn-skip", "--pop-on-jump", "--dump-after", *numbered]
        said = self.said(
            *(f"{option}=nosuch" for option in plain), "--fn-skip=leaf*", "--obj-skip=*/libc.so.6"
        )
        self.assertEqual([line.partition("=")[0] for line in said], plain)

    def test_objects(self) -> None:
        """An object is no function; directories do not matter for what is near."""
        program = compile("parts.c", "-O0", "-static")
        wrong = program.parent / "x" / program.name
        run = run_cg2([program], f"--obj-skip={wrong}", "--obj-skip=nosuch")
        said = [line.partition(" ")[2] for line in run.stderr.splitlines() if "--obj-skip" in line]
        none = "no object file of this name was seen"
        self.assertEqual(
            said[-2:],
            [f"--obj-skip={wrong}: {none}; near to it: {program}", f"--obj-skip=nosuch: {none}"],
        )

    def test_near(self) -> None:
        """Overloads of the name are near, and a misspelt name; what is neither is not."""
        program = compile("overloads.cc", "overloads2.cc", "-O1", "-static", compiler="g++")
        for pattern, near in (
            ("f(short)", "; near to it: f(int), f(long)"),
            ("hiden", "; near to it: (anonymous namespace)::hidden()"),
            ("Shape::Shpae", "; near to it: Shape::Shape()"),
            ("*qq*", ""),
        ):
            with self.subTest(pattern):
                option = f"--toggle-collect={pattern}"
                hint = "; if it was inlined, -v says where"
                expected = f"{option}: no function of this name was seen{near}{hint}"
                self.assertEqual(self.said(option, program=program), [expected])

    def test_near_trait(self) -> None:
        """Brackets that a name of Rust begins with are a scope."""
        said = self.said(
            "-v", "--dump-before=area", program=compile("traitname.c", "-O1", "-static")
        )
        near = "near to it: <app::Square as app::Shape>::area"
        expected = f"--dump-before=area: no function of this name was seen; {near}"
        self.assertEqual(said, [expected])

    def test_inlined(self) -> None:
        """With -v it is said where a function of the name was inlined, whatever the option and its scopes."""
        program = compile("inlinedin.cc", "-O1", "-g", "-static", compiler="g++")
        area = "in second(shapes::Square const&) (inlinedin.cc:15), main (inlinedin.cc:21)"
        grown = "main (inlinedin.cc:22), main (inlinedin.cc:23) and elsewhere"
        expected = {
            "--toggle-collect=area": f"; it was inlined {area}",
            "--dump-before=shapes::Square::area() const": f"; it was inlined {area}",
            "--separate-callers3=*rown": "; it was inlined in second(shapes::Square const&)"
            f" (inlinedin.cc:15), {grown}",
            "--zero-before=nosuch::*": "",
        }
        self.assertEqual(
            self.said("-v", *expected, program=program),
            [f"{option}: no function of this name was seen{at}" for option, at in expected.items()],
        )

    def test_without_parameters(self) -> None:
        """A pattern without a parenthesis means all overloads; with one, it means that one."""
        program = compile("overloads.cc", "overloads2.cc", "-O1", "-static", compiler="g++")
        collected = {}
        for pattern in ("f", "f(int)", "f(long)"):
            part = profile_of([program], f"--toggle-collect={pattern}")
            collected[pattern] = {
                (key.file, key.name): function.self_cost()
                for key, function in part.functions.items()
                if function.costs
            }
        self.assertEqual(collected["f"], collected["f(int)"] | collected["f(long)"])
        self.assertEqual({name for _, name in collected["f(int)"]}, {"f(int)"})
        self.assertEqual({name for _, name in collected["f(long)"]}, {"f(long)"})

    def test_nothing_collected(self) -> None:
        options = ["--toggle-collect=main2", "--dump-before=main"]
        self.assertEqual(
            self.said(*options),
            [
                "--toggle-collect=main2: no function of this name was seen; near to it: main"
                "; if it was inlined, -v says where"
            ],
        )
        self.assertEqual(self.said("-q", *options), [])


class Start(Case):
    """--collect-atstart."""

    def test_off(self) -> None:
        """Nothing is collected, and the profile is empty but proper."""
        graph = self.graph_of(compile("parts.c", "-O0", "-static"), "--collect-atstart=no")
        self.assertEqual((graph.total, graph.names()), (0, set()))

    def test_all_but(self) -> None:
        """With --collect-atstart=yes after --toggle-collect all is collected but the function."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                graph = self.graph_of(program, "--toggle-collect=region", "--collect-atstart=yes")
                self.assertCallers(graph, "leaf", {"nest": 1, "nest'2": 3})
                self.assertEqual(graph.self_costs["region"], 0)
                inside = self.graph_of(program, "--toggle-collect=region")
                self.assertEqual(graph.total + inside.total, self.graph_of(program).total)

    def test_order(self) -> None:
        """The option that is given last counts."""
        graph = self.graph_of(
            compile("parts.c", "-O0", "-static"), "--collect-atstart=yes", "--toggle-collect=region"
        )
        self.assertCallers(graph, "leaf", {"region": 6})
        self.assertCallers(graph, "between", {})


class Threads(Case):
    """--collect-scope: whose collection a function toggles."""

    def region(self, level: str, *options: str) -> Graph:
        program = compile("region.c", level, "-pthread", "-static")
        return self.graph_of(program, "--toggle-collect=region", *options, spontaneous=STARTS)

    def test_thread(self) -> None:
        """thread: only that of the thread that runs it, so what it starts is not collected."""
        for level in LEVELS:
            with self.subTest(level):
                for graph in (self.region(level), self.region(level, "--collect-scope=thread")):
                    self.assertCallers(graph, "work", {"region": 5})
                    self.assertCallers(graph, "handled", {"on_usr1": 3})
                    self.assertEqual(graph.called("worker"), 0)

    def test_process(self) -> None:
        """process: that of all threads, also of those that begin meanwhile."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.region(level, "--collect-scope=process")
                self.assertCallers(graph, "work", {"region": 5, "worker": 10})
                self.assertCallers(graph, "handled", {"on_usr1": 3})
                self.assertEqual(graph.called("worker"), 1)
                self.assertCallers(graph, "outside", {})

    def test_thread_start(self) -> None:
        """The function that a thread starts with: each thread collects itself."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("threads.c", level, RECURSIVE, "-pthread", "-static")
                graph = self.graph_of(
                    program, "--toggle-collect=body", args=["3"], spontaneous=STARTS
                )
                self.assertEqual(graph.called("body"), 3)
                self.assertCallers(graph, "work", {"body": 600})
                self.assertCallers(graph, "step", {"work": 1800})
                self.assertCallers(graph, "join_all", {})
                self.assertEqual(graph.total, graph.inclusive("body"))

    def test_thread_end(self) -> None:
        """start_thread never returns: it is left when its thread ends."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("region.c", level, "-pthread", "-static")
                for scope in ("thread", "process"):
                    options = ["--toggle-collect=start_thread", f"--collect-scope={scope}"]
                    graph = self.graph_of(program, *options, spontaneous=STARTS)
                    self.assertCallers(graph, "work", {"worker": 18})

    def test_handlers(self) -> None:
        """A signal that comes to another thread: its handler is collected while the function runs, and not
        else."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("scope.c", level, "-pthread", "-static")
                own = len(instructions(program, "handled"))
                for scope, calls in (("thread", 0), ("process", 3)):
                    options = ["--toggle-collect=region", f"--collect-scope={scope}"]
                    graph = self.graph_of(program, *options, spontaneous=STARTS)
                    self.assertEqual(graph.counts["on_usr1", "handled"], calls)
                    self.assertEqual(graph.self_costs["handled"], own * calls)
                    self.assertCallers(graph, "interrupt", {"region": 1})
                everything = self.graph_of(program, spontaneous=STARTS)
                self.assertCallers(everything, "handled", {"on_usr1": 9})

    def test_in_threads(self) -> None:
        """A function that threads call at the same time, for each of them."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("threads.c", level, RECURSIVE, "-pthread", "-static")
                graph = self.graph_of(
                    program, "--toggle-collect=work", args=["3"], spontaneous=STARTS
                )
                step, work = (len(instructions(program, name)) for name in ("step", "work"))
                self.assertCallers(graph, "work", {"body": 600})
                self.assertEqual(graph.total, 600 * work + 1800 * step)


class Together(Case):
    """Collection and parts."""

    def test_parts(self) -> None:
        """A part has what was collected; what was not is in none."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                options = ["--toggle-collect=region", "--dump-before=between"]
                graphs = self.parts_of(program, *options)
                self.assertEqual([graph.called("leaf") for graph in graphs], [1, 2, 3, 0])
                self.assertEqual([graph.called("region") for graph in graphs], [1, 1, 1, 0])
                self.assertEqual([graph.called("main") for graph in graphs], [1, 1, 1, 0])
                self.assertEqual(graphs[3].total, 0)
                self.assertSum(graphs, self.graph_of(program, "--toggle-collect=region"))

    def test_parts_inside(self) -> None:
        """A part that begins inside: the calls that are open there count in it."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                graphs = self.parts_of(program, "--toggle-collect=nest", "--dump-before=leaf")
                self.assertEqual(len(graphs), 11)
                self.assertEqual(sum(graph.total for graph in graphs[:6]), 0)
                self.assertEqual([graph.called("leaf") for graph in graphs[7:]], [1, 1, 1, 1])
                self.assertEqual([graph.called("nest") for graph in graphs[7:]], [2, 3, 4, 4])
                self.assertSum(graphs, self.graph_of(program, "--toggle-collect=nest"))

    def test_same_function(self) -> None:
        """Toggled, dumped before and after: the parts are the calls, and between them is nothing."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                options = ["--toggle-collect=region", "--dump-before=region", "--dump-after=region"]
                graphs = self.parts_of(program, *options)
                self.assertEqual([graph.called("leaf") for graph in graphs], [0, 1, 0, 2, 0, 3, 0])
                self.assertEqual([graph.total for graph in graphs[::2]], [0, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
