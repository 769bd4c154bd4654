"""compare.py and its rules, on small graphs: each rule predicts exactly, and a wrong number still fails."""

from __future__ import annotations

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from code_at import is_jump_to  # noqa: E402  (found through the path just set)
from compare import differences  # noqa: E402
from graph import Arc, Graph, Node, SelfSite  # noqa: E402
from rules import apply_rules  # noqa: E402


def graph(*lines: str) -> Graph:
    """A graph from lines `fn 12` (self cost) and `a -> b 3 40` (count, inclusive); `?` is no object."""
    result = Graph()
    for line in lines:
        match line.split():
            case [name, cost]:
                result.add_self(node(name), int(cost))
            case [caller, "->", callee, count, inclusive]:
                result.add_arc((node(caller), node(callee)), Arc(int(count), int(inclusive)))
            case _:
                raise ValueError(line)
    return result


def node(name: str) -> Node:
    """A node of the program, or of no object when its name is an address."""
    return Node("???" if name.startswith("0x") else "/bin/program", name)


def compared(stock: Graph, cg2: Graph) -> list[str]:
    """What differs after the rules, without the column layout."""
    apply_rules(stock, cg2)
    return [f"{one.kind} {one.what} {one.delta:+}" for one in differences(stock, cg2)]


class Compare(unittest.TestCase):
    """Without a rule that applies, every figure must be equal."""

    PROFILE = ["main 10", "f 20", "main -> f 2 20"]

    def test_equal(self) -> None:
        """Equal graphs have no difference."""
        self.assertEqual(compared(graph(*self.PROFILE), graph(*self.PROFILE)), [])

    def test_every_figure(self) -> None:
        """An error of one in a self cost, a count or an inclusive cost is a difference."""
        self.assertEqual(
            compared(graph(*self.PROFILE), graph("main 10", "f 19", "main -> f 3 21")),
            [
                "total all functions -1",
                "self f [program] -1",
                "count main [program] -> f [program] +1",
                "inclusive main [program] -> f [program] +1",
            ],
        )

    def test_missing_arc(self) -> None:
        """An arc of no cost that only one side has is a difference."""
        cg2 = graph(*self.PROFILE, "main -> g 0 0")
        self.assertEqual(len(compared(graph(*self.PROFILE), cg2)), 2)

    def test_levels_are_distinct(self) -> None:
        """Recursion levels are not mixed up."""
        self.assertEqual(len(compared(graph("f 3", "f'2 4"), graph("f 4", "f'2 3"))), 2)


class Stubs(unittest.TestCase):
    """A stub's cost and calls go to its callers."""

    STOCK = [
        "main 10",
        "g 5",
        "0x10 3",
        "free 30",
        "main -> 0x10 2 22",
        "g -> 0x10 1 11",
        "0x10 -> free 3 30",
    ]

    def test_folded(self) -> None:
        """Each caller gets its share."""
        cg2 = graph("main 12", "g 6", "free 30", "main -> free 2 20", "g -> free 1 10")
        self.assertEqual(compared(graph(*self.STOCK), cg2), [])

    def test_wrong_share(self) -> None:
        """A share that is one off is a difference."""
        cg2 = graph("main 13", "g 5", "free 30", "main -> free 2 20", "g -> free 1 10")
        self.assertEqual(
            compared(graph(*self.STOCK), cg2), ["self g [program] -1", "self main [program] +1"]
        )

    BOUND = ["main 10", "g 5", "0x10 11", "free 30", "_dl_runtime_resolve 7"]
    BOUND += [
        "main -> 0x10 2 35",
        "g -> 0x10 1 13",
        "0x10 -> free 3 30",
        "0x10 -> _dl_runtime_resolve 1 7",
    ]

    def test_bound_during_the_run(self) -> None:
        """The way to the resolver belongs to the caller whose call bound the stub."""
        cg2 = ["main 19", "g 7", "free 30", "_dl_runtime_resolve 7"]
        cg2 += ["main -> free 2 19", "g -> free 1 11", "main -> _dl_runtime_resolve 1 7"]
        self.assertEqual(compared(graph(*self.BOUND), graph(*cg2)), [])

    def test_bound_by_another(self) -> None:
        """Nobody else may have that cost."""
        cg2 = ["main 14", "g 12", "free 30", "_dl_runtime_resolve 7"]
        cg2 += ["main -> free 2 19", "g -> free 1 11", "main -> _dl_runtime_resolve 1 7"]
        self.assertEqual(
            compared(graph(*self.BOUND), graph(*cg2)),
            ["self g [program] +5", "self main [program] -5"],
        )

    def test_long_code_is_no_stub(self) -> None:
        """Three instructions in each call are a function, which cg2 must show."""
        stock = graph("main 10", "0x10 9", "free 30", "main -> 0x10 3 39", "0x10 -> free 3 30")
        cg2 = graph("main 19", "free 30", "main -> free 3 30")
        self.assertNotEqual(compared(stock, cg2), [])


class ColdHalves(unittest.TestCase):
    """A cold half's cost and calls go to its function."""

    def test_folded(self) -> None:
        """Where one level entered the half, the figures are exact."""
        stock = graph("f 10", "f.cold 5", "f -> f.cold 1 8", "f.cold -> g 1 3", "g 3")
        self.assertEqual(compared(stock, graph("f 15", "f -> g 1 3", "g 3")), [])

    def test_demangled_name(self) -> None:
        """The C++ form of the name is known."""
        stock, cg2 = Graph(), Graph()
        function, half = Node("o", "f()"), Node("o", "f() [clone .cold]")
        stock.add_self(function, 10)
        stock.add_self(half, 5)
        stock.add_arc((function, half), Arc(1, 5))
        cg2.add_self(function, 15)
        self.assertEqual(compared(stock, cg2), [])

    def test_several_levels(self) -> None:
        """Two levels entered the half: they are compared together, and a wrong sum fails."""
        stock = [
            "f 10",
            "f'2 20",
            "f.cold 5",
            "f -> f'2 1 23",
            "f -> f.cold 1 2",
            "f'2 -> f.cold 1 3",
        ]
        self.assertEqual(compared(graph(*stock), graph("f 12", "f'2 23", "f -> f'2 1 23")), [])
        self.assertEqual(
            compared(graph(*stock), graph("f 12", "f'2 22", "f -> f'2 1 23")),
            ["self f [program] -1", "total all functions -1"][::-1],
        )

    def test_called_by_another(self) -> None:
        """A half that another function enters is left alone."""
        stock = graph("f 10", "g.cold 5", "f -> g.cold 1 5")
        self.assertNotEqual(compared(stock, graph("f 15")), [])


class SelfJumps(unittest.TestCase):
    """A jump of a function to its first instruction is no call."""

    BASE = 0x1000
    CODE = {
        "jne": b"\x75\xfe",  # each jumps or calls to its own address, as far as that is in the code
        "near jne": b"\x0f\x85\xfa\xff\xff\xff",
        "jmp": b"\xeb\xfe",
        "near jmp": b"\xe9\xfb\xff\xff\xff",
        "bnd jmp": b"\xf2\xe9\xfa\xff\xff\xff",
        "jmp *%rax": b"\xff\xe0",
        "jmp *%r9": b"\x41\xff\xe1",
        "call": b"\xe8\xfb\xff\xff\xff",
        "call *%rax": b"\xff\xd0",
        "call *8(%rax)": b"\xff\x50\x08",
    }

    def setUp(self) -> None:
        """An object with a page of code for each instruction."""
        self.file = tempfile.NamedTemporaryFile(suffix=".so")
        self.addCleanup(self.file.close)
        text = b"".join(code.ljust(16, b"\x90") for code in self.CODE.values())
        header = (
            b"\x7fELF\x02".ljust(32, b"\0")
            + struct.pack("<Q", 64)
            + bytes(14)
            + struct.pack("<HH", 56, 1)
        )
        header = header.ljust(64, b"\0") + struct.pack(
            "<IIQQQQQQ", 1, 5, 120, self.BASE, 0, len(text), len(text), 0
        )
        self.file.write(header + text)
        self.file.flush()

    def address(self, name: str) -> int:
        """Where an instruction is."""
        return self.BASE + 16 * list(self.CODE).index(name)

    def test_instructions(self) -> None:
        """Jumps are told from calls."""
        for name in self.CODE:
            with self.subTest(name):
                address = self.address(name)
                self.assertEqual(is_jump_to(self.file.name, address, address), "call" not in name)

    def test_elsewhere(self) -> None:
        """A direct jump to a stub is not straight to the function behind it."""
        address = self.address("near jmp")
        self.assertFalse(is_jump_to(self.file.name, address, address + 16))

    def graph(self, self_cost: list[int], inner: tuple[int, int], instruction: str) -> Graph:
        """main calls f, and f itself by an instruction."""
        result = Graph()
        main, f, level = (Node(self.file.name, name) for name in ("main", "f", "f'2"))
        result.add_self(f, self_cost[0])
        result.add_self(level, self_cost[1])
        result.add_arc((main, f), Arc(1, sum(self_cost)))
        if inner[0]:
            result.add_arc((f, level), Arc(*inner))
            address = self.address(instruction)
            result.self_sites.append(SelfSite((f, level), Arc(*inner), address, address))
        return result

    def test_loop(self) -> None:
        """The arc is gone, and the levels are one."""
        self.assertEqual(
            compared(self.graph([3, 9], (1, 9), "jne"), self.graph([12, 0], (0, 0), "jne")), []
        )

    def test_recursion(self) -> None:
        """A call must stay."""
        found = compared(self.graph([3, 9], (1, 9), "call"), self.graph([12, 0], (0, 0), "call"))
        self.assertEqual(len(found), 4)


class Objects(unittest.TestCase):
    """Code of .init is in an object."""

    def test_named(self) -> None:
        """The node with the same figures at the same place of a page is the same."""
        stock = graph("0x0000000004838000 6", "call_init -> 0x0000000004838000 1 6")
        self.assertEqual(compared(stock, self.cg2("0x0000000000001000", 6)), [])

    def test_other_place_or_cost(self) -> None:
        """No other node will do."""
        for name, cost in (("0x0000000000001008", 6), ("0x0000000000001000", 7), ("f", 6)):
            stock = graph("0x0000000004838000 6", "call_init -> 0x0000000004838000 1 6")
            self.assertNotEqual(compared(stock, self.cg2(name, cost)), [])

    def cg2(self, name: str, cost: int) -> Graph:
        """The same as cg2 shows it."""
        result = Graph()
        init = Node("/lib/library.so", name)
        result.add_self(init, cost)
        result.add_arc((node("call_init"), init), Arc(1, cost))
        return result


class Beginning(unittest.TestCase):
    """The entry point of an object has no name for Callgrind, and is _start for cg2."""

    def setUp(self) -> None:
        holder = tempfile.NamedTemporaryFile(prefix="cg2compat-")
        self.addCleanup(holder.close)
        holder.write(b"\x7fELF\x02".ljust(24, b"\0") + struct.pack("<Q", 0x1AB70))
        holder.flush()
        self.path = holder.name

    def graph(self, start: str, cost: int = 9) -> Graph:
        """A graph of what begins and what it calls, which names it."""
        begin, main = Node(self.path, start), Node(self.path, f"main'{start}")
        result = Graph()
        result.add_self(begin, cost)
        result.add_self(main, 20)
        result.add_arc((begin, main), Arc(1, 20))
        return result

    def test_named(self) -> None:
        """The address is the file's entry point, also where it is a caller's name."""
        self.assertEqual(compared(self.graph("0x000000000001ab70"), self.graph("_start")), [])

    def test_elsewhere(self) -> None:
        """At any address but the entry point is another function; a cost that differs is a difference."""
        self.assertNotEqual(compared(self.graph("0x000000000001ab71"), self.graph("_start")), [])
        self.assertNotEqual(compared(self.graph("0x000000000001ab70"), self.graph("_start", 8)), [])


class FunctionsOfOneName(unittest.TestCase):
    """The deleting destructor calls the complete one: no recursion."""

    def compared(self, name: str) -> list[str]:
        """A function of that name that calls another of that name."""
        stock, cg2 = Graph(), Graph()
        outer, inner = Node("o", name), Node("o", name + "'2")
        stock.add_self(outer, 2)
        stock.add_self(inner, 5)
        stock.add_arc((outer, inner), Arc(1, 5))
        cg2.add_self(outer, 7)
        cg2.add_arc((outer, outer), Arc(1, 5))
        return compared(stock, cg2)

    def test_structors(self) -> None:
        """Constructors and destructors, of templates too."""
        for name in (
            "A::A(int)",
            "a::B::~B()",
            "a::B<c::D<int> >::~B()",
            "A<(E)1>::A(f::G<int> const&)",
        ):
            with self.subTest(name):
                self.assertEqual(self.compared(name), [])

    def test_others(self) -> None:
        """Other functions must show their recursion."""
        for name in ("f", "A::f(A::A)", "A::A2()", "f(A::~A)"):
            with self.subTest(name):
                self.assertNotEqual(self.compared(name), [])


class ReadersOfMappings(unittest.TestCase):
    """libsigsegv reads /proc/self/maps."""

    def graph(self, cost: int, calls: int, name: str = "/lib/libsigsegv.so.2") -> Graph:
        """main calls the library's get, which calls its read."""
        result = Graph()
        main, get, read = Node("o", "main"), Node(name, "get"), Node(name, "read")
        for function, own in ((main, 10), (get, 100), (read, cost)):
            result.add_self(function, own)
        result.add_arc((main, get), Arc(1, 100 + cost))
        result.add_arc((get, read), Arc(calls, cost))
        return result

    def test_a_little(self) -> None:
        """A tenth is allowed, and the calls that contain it cost as much more."""
        self.assertEqual(compared(self.graph(200, 20), self.graph(220, 22)), [])

    def test_too_much(self) -> None:
        """More is not."""
        self.assertNotEqual(compared(self.graph(200, 20), self.graph(221, 22)), [])
        self.assertNotEqual(compared(self.graph(200, 20), self.graph(220, 23)), [])

    def test_another_object(self) -> None:
        """Nor in another object."""
        self.assertNotEqual(
            compared(self.graph(200, 20, "/lib/libc.so"), self.graph(220, 22, "/lib/libc.so")), []
        )


class BlocksInFlight(unittest.TestCase):
    """The last block of the program is added, up the whole stack."""

    STOCK = [
        "main 10",
        "exit 5",
        "_exit 4",
        "f 7",
        "main -> exit 1 9",
        "exit -> _exit 1 4",
        "main -> f 1 7",
    ]

    def test_added(self) -> None:
        """Two instructions more in `_exit`, and in every active call."""
        cg2 = graph(
            "main 10",
            "exit 5",
            "_exit 6",
            "f 7",
            "main -> exit 1 11",
            "exit -> _exit 1 6",
            "main -> f 1 7",
        )
        self.assertEqual(compared(graph(*self.STOCK), cg2), [])

    def test_inactive_call(self) -> None:
        """A call that had returned may not cost more."""
        cg2 = graph(
            "main 10",
            "exit 5",
            "_exit 6",
            "f 7",
            "main -> exit 1 11",
            "exit -> _exit 1 6",
            "main -> f 1 9",
        )
        self.assertEqual(
            compared(graph(*self.STOCK), cg2), ["inclusive main [program] -> f [program] +2"]
        )

    def test_too_many(self) -> None:
        """Nine instructions are no block in flight."""
        cg2 = graph(
            "main 10",
            "exit 5",
            "_exit 13",
            "f 7",
            "main -> exit 1 18",
            "exit -> _exit 1 13",
            "main -> f 1 7",
        )
        self.assertEqual(len(compared(graph(*self.STOCK), cg2)), 4)

    def test_less(self) -> None:
        """cg2 may not count less anywhere."""
        cg2 = graph(
            "main 9",
            "exit 5",
            "_exit 6",
            "f 7",
            "main -> exit 1 11",
            "exit -> _exit 1 6",
            "main -> f 1 7",
        )
        self.assertNotEqual(compared(graph(*self.STOCK), cg2), [])


if __name__ == "__main__":
    unittest.main()
