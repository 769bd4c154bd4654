"""Types of heap blocks by vote, against 28 types that are known by construction, and layouts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cg2test
from cg2tools.data.layout import Type
from cg2tools.data.memberrows import MemberRows
from cg2tools.data.objects import DataFile, DataObject, read_data
from cg2tools.data.typed import Coverage, add_types
from cg2tools.data.debugtypes import TypeSource
from cg2tools.debug.libcg2debug import DebugObject
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from tracing import Traced, traced  # noqa: E402

PROGRAMS = Path(__file__).parent / "programs"
LEAST_SHARE = 0.85

COMPILERS = {"types.c": ("gcc", "clang"), "types.cc": ("g++", "clang++")}

# Versions of DWARF, each with each language and with each family of compilers.
VERSIONS = {"gcc": 5, "clang": 4, "g++": 4, "clang++": 5}


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(),
    "libcg2debug was not built: apt-get install libcapstone-dev libdw-dev",
)
class Scratch(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.program = self.directory / "program"

    def build(self, name: str, compiler: str, *options: str) -> None:
        if not shutil.which(compiler):
            self.skipTest(f"there is no {compiler}: apt-get install {compiler}")
        source = PROGRAMS / name
        subprocess.run(
            [compiler, "-g", "-no-pie", *options, "-o", self.program, source], check=True
        )

    def data(self, traced: Traced, *given: tuple[str, str]) -> tuple[DataFile, Coverage]:
        path = self.directory / "cg2.data"
        path.write_text(traced.text)
        data = read_data(str(path))
        return data, add_types(data, given)


class Votes(Scratch):
    """What the code that touches blocks says of them."""

    def check(self, name: str, compiler: str, *options: str) -> None:
        # The dynamic linker would execute the most.
        self.build(name, compiler, "-O2", "-static", *options)
        self.check_votes(name)

    def test_rust(self) -> None:
        """Boxes, vectors, whose pointers are to bytes, and enumerations with values."""
        rustc = shutil.which("rustc", path=f"{os.environ['PATH']}:{Path.home()}/.cargo/bin")
        if not rustc:
            self.skipTest("there is no rustc: apt-get install rustc")
        options = ("-g", "-O", "-C", "relocation-model=static", "-C", "target-feature=+crt-static")
        subprocess.run(
            [rustc, *options, "-o", self.program, PROGRAMS / "types.rs"],
            capture_output=True,
            check=True,
        )
        self.check_votes("types.rs")

    def check_votes(self, name: str) -> None:
        known = traced(self.program, PROGRAMS / name)
        data, _ = self.data(known)
        right = 0
        wrong = {}
        for object in data.objects:
            found = object.typed.type.name if object.typed else ""
            if found == known.types[object.name]:
                right += known.accesses[object.name]
            else:
                wrong[object.name] = found
        self.assertEqual(len(known.types), {"types.c": 15, "types.cc": 13, "types.rs": 4}[name])
        share = right / sum(known.accesses.values())
        self.assertGreaterEqual(share, LEAST_SHARE, wrong)
        self.assertEqual(wrong, {})

    def test_types(self) -> None:
        """All types are found, of optimised code, by each compiler, in DWARF 4 and 5."""
        for name, compilers in COMPILERS.items():
            for compiler in compilers:
                version = VERSIONS[compiler]
                with self.subTest(program=name, compiler=compiler, dwarf=version):
                    self.check(name, compiler, f"-gdwarf-{version}")

    def test_given(self) -> None:
        """A type that is given is taken, whatever the votes say; one that is not there is not."""
        self.build("types.c", "gcc", "-O2")
        known = traced(self.program, PROGRAMS / "types.c")
        data, _ = self.data(known, ("place_*", "struct node"))
        object = self.object(data, "place_points")
        assert object.typed
        self.assertEqual((object.typed.type.name, object.typed.how), ("struct node", "given"))
        data, _ = self.data(known, ("place_*", "struct nobody"))
        object = self.object(data, "place_points")
        assert object.typed
        self.assertEqual((object.typed.type.name, object.typed.how), ("struct point", "votes"))

    def object(self, data: DataFile, function: str) -> DataObject:
        (found,) = (object for object in data.objects if f"({function})" in object.name)
        return found

    def test_members(self) -> None:
        """Each access is of the member that the source touches: a list of 40, walked once."""
        self.build("types.c", "gcc", "-O2")
        data, _ = self.data(traced(self.program, PROGRAMS / "types.c"))
        typed = self.object(data, "add_node").typed
        assert typed
        # Written once, read by the walk; `next` and `key` by index_nodes and main, too.
        counts = {member.row.path or "hole": member.count for member in typed.members}
        self.assertEqual(
            counts, {"next": 40 + 40 + 40, "key": 40 + 40 + 1, "mark": 0, "hole": 0, "value": 80}
        )
        self.assertEqual(typed.share, 1.0)

    def test_no_debug_information(self) -> None:
        """Objects stay, types are missing, and one line says why."""
        self.build("types.c", "gcc", "-O2")
        known = traced(self.program, PROGRAMS / "types.c")
        subprocess.run(["strip", self.program], check=True)
        data, coverage = self.data(known)
        self.assertTrue(all(object.typed is None for object in data.objects))
        self.assertEqual(coverage.typed, 0)
        said = f"{self.program}: it has no debug information"
        self.assertEqual(coverage.reasons, {said: sum(known.accesses.values())})

    def test_broken_debug_information(self) -> None:
        """Debug information of which nothing can be read: objects stay, and one line says why there are no
        types."""
        self.build("types.c", "gcc", "-O2")
        known = traced(self.program, PROGRAMS / "types.c")
        nothing = self.directory / "nothing"
        nothing.write_bytes(bytes(4096))
        for section in (".debug_info", ".debug_abbrev"):
            update = f"--update-section={section}={nothing}"
            subprocess.run(["objcopy", update, self.program], check=True, capture_output=True)
        data, coverage = self.data(known)
        self.assertEqual({object.name for object in data.objects}, set(known.types))
        self.assertTrue(all(object.typed is None for object in data.objects))
        self.assertEqual(len(coverage.reasons), 1)
        (said,) = coverage.reasons
        self.assertEqual(len(said.splitlines()), 1)


class Arenas(Scratch):
    """Records of several sizes, one behind the other in a block: arena.c."""

    def objects(self) -> dict[str, DataObject]:
        """The two blocks, by the type that they have."""
        self.build("arena.c", "gcc", "-O1")
        options = "--data=accesses", "--data-out-file=data"
        run = cg2test.run_cg2([self.program], *options, environment=cg2test.lean_env())
        self.assertEqual(run.status, 0, run.stderr)
        data = read_data(str(run.directory / "data"))
        add_types(data, ())
        return {
            object.typed.type.name: object
            for object in data.objects
            if object.kind == "heap" and object.typed and "main" in object.text
        }

    def test_members(self) -> None:
        """Records of several sizes are no array: a member has what the code says that touches it."""
        objects = self.objects()
        record, pair = objects["struct record"].typed, objects["struct pair"].typed
        assert record and pair
        self.assertEqual((record.is_array, record.is_mixed), (False, True))
        self.assertEqual((pair.is_array, pair.is_mixed), (True, False))
        counts = {member.row.name: member.count for member in record.members}
        self.assertEqual(
            {name: counts[name] for name in ("size", "kind", "value", "text")},
            {"size": 1000 + 10 * 1000, "kind": 1000, "value": 1000 + 10 * 1000, "text": 0},
        )
        second = next(member for member in pair.members if member.row.name == "second")
        self.assertGreaterEqual(second.count, 10 * 1000)


class Layouts(Scratch):
    """Types as rows: members, nested as they are declared, and holes."""

    def rows(self, name: str, type: str) -> list[str]:
        with DebugObject(str(self.program)) as debug:
            found = TypeSource(debug).named(type)
        assert found
        self.found: Type = found
        return [
            f"{'  ' * row.depth}{row.offset} {row.size} {row}" for row in MemberRows(found).rows
        ]

    def test_c(self) -> None:
        for compiler in COMPILERS["types.c"]:
            for version in (2, 3, 4, 5):
                with self.subTest(compiler=compiler, dwarf=version):
                    self.build("types.c", compiler, f"-gdwarf-{version}")
                    self.check_c()

    def check_c(self) -> None:
        self.assertEqual(
            self.rows("types.c", "struct node"),
            [
                "0 8 struct node* next",
                "8 8 long key",
                "16 1 char mark",
                "17 3 (hole)",
                "20 4 int value",
            ]
            if "long int" not in str(self.rows("types.c", "struct node"))
            else [
                "0 8 struct node* next",
                *("8 8 long int key", "16 1 char mark", "17 3 (hole)", "20 4 int value"),
            ],
        )
        self.assertEqual(
            self.rows("types.c", "struct message")[:6],
            [
                *(
                    "0 8 struct header header",
                    "  0 4 unsigned int length",
                    "  4 4 unsigned int kind",
                ),
                *("8 12 struct point from", "  8 4 float x", "  12 4 float y"),
            ],
        )
        flags = self.rows("types.c", "struct flags")
        self.assertEqual(
            [row.split(" ")[0] + " " + row.split(" ")[-1] for row in flags],
            ["0 is_open:1", "0 mode:3", "0 count:12", "2 next", "4 (hole)", "8 stamp"],
        )
        self.assertEqual(self.found.file, str(PROGRAMS / "types.c"))

    def test_classes(self) -> None:
        """Bases, templates, and a member of a base."""
        for compiler in COMPILERS["types.cc"]:
            with self.subTest(compiler=compiler):
                self.build("types.cc", compiler)
                rows = MemberRows(self.type("shapes::Box"))
                where = {row.path: (row.offset, row.size) for row in rows.rows}
                self.assertEqual(where["<base> shapes::Shape"], (0, 16))
                self.assertEqual(where["<base> shapes::Shape.id"], (8, 4))
                self.assertEqual(where["<base> shapes::Named"], (16, 8))
                self.assertEqual(where["width"], (24, 8))
                self.assertEqual(rows.rows[rows.at(40 + 17)].path, "<base> shapes::Named.name")
                pair = MemberRows(self.type("Pair<int, double>"))
                paths = [row.path for row in pair.rows]
                self.assertEqual(paths, ["key", "", "value"])
                self.build("collections.cc", compiler)
                pair_name = (
                    "std::pair<long int, Order>" if compiler == "g++" else "std::pair<long, Order>"
                )
                names = [row.path for row in MemberRows(self.type(pair_name)).rows]
                self.assertEqual(names[:2], ["first", "second"])
                self.check_storage("int const" if compiler == "g++" else "const int")

    def check_storage(self, key: str) -> None:
        """The bytes that a node of a container keeps its element in have the element's members."""
        node = MemberRows(self.type(f"std::_Rb_tree_node<std::pair<{key}, Order> >"))
        where = {row.path: row.offset for row in node.rows}
        self.assertEqual(where["_M_storage._M_storage.first"], 32)
        self.assertEqual(where["_M_storage._M_storage.second"], 40)

    def type(self, name: str) -> Type:
        with DebugObject(str(self.program)) as debug:
            found = TypeSource(debug).named(name)
        assert found
        return found


if __name__ == "__main__":
    unittest.main()
