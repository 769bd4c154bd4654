"""cg2p_matching_new gives functions and files of two profiles common numbers, in the order of their names."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import read
from cg2tools.profile.matching import IN_NEW, IN_OLD, Matching, Named

HEADER = "# callgrind format\nevents: Ir\n\n"


def graph_of(body: str) -> Graph:
    """The call graph of a profile, which is gone from the disk."""
    with tempfile.NamedTemporaryFile("w", suffix=".out") as file:
        file.write(HEADER + body)
        file.flush()
        return Graph(read(Path(file.name)).parts[0])


def function(name: str, file: str = "a.c", object: str = "app") -> str:
    return f"ob={object}\nfl={file}\nfn={name}\n1 5\n\n"


class Matched(unittest.TestCase):
    def test_numbers(self) -> None:
        """Functions are in the order of object, file and name, whatever the order of the profiles."""
        old = graph_of(function("g") + function("f") + function("e", object="zoo"))
        new = graph_of(function("h") + function("g") + function("f", file="0.c"))
        found = Matching(Named(old), Named(new))
        said = [(key.object, key.file, key.name) for key in map(found.key, range(found.count))]
        self.assertEqual(
            said,
            [
                ("app", "0.c", "f"),
                ("app", "a.c", "f"),
                ("app", "a.c", "g"),
                ("app", "a.c", "h"),
                ("zoo", "a.c", "e"),
            ],
        )
        self.assertEqual([nodes.tolist() for nodes in found.nodes], [[2, 1, 4], [3, 2, 0]])
        both = IN_OLD + IN_NEW
        self.assertEqual(list(found.sides), [IN_NEW, IN_OLD, both, IN_NEW, IN_OLD])
        self.assertEqual(found.keys, list(map(found.key, range(found.count))))

    def test_files(self) -> None:
        """A name has the same number in both, also that of a file that only lines have."""
        old = graph_of("fl=b.c\nfn=f\n1 5\nfi=a.h\n2 7\n")
        new = graph_of("fl=a.h\nfn=g\n1 5\nfe=b.c\n2 7\n")
        found = Matching(Named(old), Named(new))
        for side, graph in enumerate((old, new)):
            names = graph.part.profile.names
            self.assertEqual([found.file(number) for number in found.files[side]], names)
        self.assertEqual(found.texts, sorted(found.texts))

    def test_other_names(self) -> None:
        """A file and a node count as what they are given; a function of the file's name keeps its own."""
        old = graph_of(function("x/a.c", file="x/a.c") + function("f.part.0", file="x/a.c"))
        new = graph_of(function("f") + function("x/a.c"))
        number = old.part.profile.names.index("x/a.c")
        found = Matching(Named(old, {number: "a.c"}, {1: "f"}), Named(new))
        self.assertEqual([nodes.tolist() for nodes in found.nodes], [[1, 0], [0, 1]])
        self.assertEqual([key.name for key in found.keys], ["f", "x/a.c"])

    def test_levels(self) -> None:
        """A node has its name without a level, also where no function has that alone."""
        found = Matching(Named(graph_of(function("f'2"))), Named(graph_of(function("f"))))
        self.assertEqual((found.count, found.key(0).name), (1, "f"))

    def test_two_become_one(self) -> None:
        graph = graph_of(function("f.part.0") + function("f"))
        found = Matching(Named(graph, {}, {0: "f"}), Named(graph))
        self.assertEqual([nodes.tolist() for nodes in found.nodes], [[0, 0], [1, 0]])

    def test_parts(self) -> None:
        """A side may have several graphs; a function of two is one."""
        graphs = [graph_of("".join(map(function, names))) for names in ("fg", "gh", "hf")]
        found = Matching(*map(Named, graphs), old_count=2)
        self.assertEqual([nodes.tolist() for nodes in found.nodes], [[0, 1], [1, 2], [2, 0]])
        self.assertEqual(found.sides, bytes([IN_OLD | IN_NEW, IN_OLD, IN_OLD | IN_NEW]))
        self.assertEqual([found.key(number) for number in range(3)], found.keys)
        self.assertEqual([key.name for key in found.keys], ["f", "g", "h"])

    def test_letters(self) -> None:
        """Bytes that are no UTF-8, and letters outside ASCII, are kept."""
        graph = graph_of(function("f\u00e4") + function("\u4e00"))
        found = Matching(Named(graph, {}, {0: "\udcff"}), Named(graph))
        self.assertEqual([key.name for key in found.keys], ["f\u00e4", "\u4e00", "\udcff"])

    def test_nothing(self) -> None:
        empty = graph_of("")
        found = Matching(Named(empty), Named(empty))
        self.assertEqual((found.count, found.sides, found.keys), (0, b"", []))


class Names(unittest.TestCase):
    """Names of a profile by letters in them; none is made that is not asked for."""

    def test_with_letters(self) -> None:
        graph = graph_of(function("a.b.c") + function("a[1]", file="d/e.c") + function("f"))
        profile = graph.part.profile
        for letters in "./", ".[", "/", "]":
            expected = {
                number: name
                for number, name in enumerate(profile.names)
                if set(name) & set(letters)
            }
            self.assertEqual(profile.names_with(letters), expected, letters)
        self.assertEqual(profile.numbers_of("a["), [])
        self.assertEqual(profile.numbers_of("a[1]"), [profile.names.index("a[1]")])
        self.assertEqual(profile.numbers_of("???"), [0])
        for start in "a", "a[", "???", "no such name", "a[1]":
            begin = {number for number, name in enumerate(profile.names) if name.startswith(start)}
            self.assertEqual(profile.names_that_begin(start), begin, start)


if __name__ == "__main__":
    unittest.main()
