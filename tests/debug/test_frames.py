"""Variables in frames: where they are is what the program says itself, and data files get them."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "lib"))
sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from datafiles import DataText  # noqa: E402
from test_types import PROGRAMS, Scratch  # noqa: E402

from cg2tools.data.debugtypes import TypeSource  # noqa: E402
from cg2tools.data.objects import read_data  # noqa: E402
from cg2tools.data.typed import add_types  # noqa: E402
from cg2tools.debug.libcg2debug import DebugObject  # noqa: E402

SOURCE = PROGRAMS / "frames.c"
TYPES = {
    **{"numbers": "int[20]", "range": "struct range", "mark": "char"},
    **{"inner": "struct range[3]", "own": "long[5]"},
}


class Frames(Scratch):
    def told(self) -> dict[str, int]:
        """Where the variables are, as the program says."""
        said = subprocess.run([self.program], capture_output=True, text=True, check=True).stdout
        return {name: int(place) for name, place in map(str.split, said.splitlines())}

    def address(self, function: str) -> int:
        said = subprocess.run(["nm", self.program], capture_output=True, text=True, check=True)
        rows = map(str.split, said.stdout.splitlines())
        return next(int(row[0], 16) for row in rows if row[-1] == function)

    def test_places(self) -> None:
        """By gcc and clang, optimised or not, those of a function that is inlined too."""
        for compiler in ("gcc", "clang"):
            for level in ("-O0", "-O2", "-O2 -fomit-frame-pointer", "-O1 -fno-omit-frame-pointer"):
                with self.subTest(compiler=compiler, options=level):
                    self.build("frames.c", compiler, *level.split())
                    self.check_places()

    def check_places(self) -> None:
        found = {}
        with DebugObject(str(self.program)) as debug:
            source = TypeSource(debug)
            for function in ("plain", "outside"):
                for local in debug.locals(self.address(function)):
                    if local.name in TYPES:
                        found[local.name] = local.offset
                        type = source.type(local.type).name.replace("long int", "long")
                        self.assertEqual(type, TYPES[local.name])
        self.assertEqual(found, self.told())

    def test_parts(self) -> None:
        """A pointer in a frame says what it points to, also where gcc has put a part of the function
        elsewhere."""
        self.build("parts.c", "gcc", "-O2")
        command = ["objdump", "-d", "--disassemble=chosen", str(self.program)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.assertIn("<chosen.cold>", said)
        found = re.findall(r"^ *([0-9a-f]+):.*\bmov +0x8\(%r(?!sp)", said, re.MULTILINE)
        with DebugObject(str(self.program)) as debug:
            source = TypeSource(debug)
            ((access,),) = debug.accesses([int(address, 16) for address in found])
            self.assertEqual((source.type(access.type).name, access.offset), ("struct node", 8))

    def test_data_file(self) -> None:
        """Bytes of a frame are those of its variables, each with its type; others have no name."""
        self.build("frames.c", "gcc", "-O0")
        address, places = self.address("plain"), self.told()
        frame, code = ("stack::plain", str(self.program)), (str(self.program), str(SOURCE), "plain")
        made = DataText()
        # The return address is at -8 from the canonical frame address, where offsets begin.
        for name, byte, count in (("numbers", 4, 7), ("numbers", 76, 5), ("range", 8, 3)):
            made.touch(frame, -8 - places[name] - byte, code, (address, 1), count, Dr=count)
        made.touch(frame, 0, code, (address, 1), 2, Dw=2)
        path = self.directory / "cg2.data"
        path.write_text(made.text())
        data = read_data(str(path))
        coverage = add_types(data)
        (object,) = data.objects
        variables = {variable.name: variable for variable in object.variables}
        self.assertEqual(
            {name: variable.count for name, variable in variables.items()},
            {"numbers": 12, "range": 3, "": 2},
        )
        members = {member.row.path: member.count for member in variables["range"].members}
        self.assertEqual(members, {"low": 0, "high": 3})
        self.assertEqual(coverage.typed, 17)


class Statics(Scratch):
    def test_data_file(self) -> None:
        """A static variable has the type that it is declared with, by the name of its symbol."""
        self.build("statics.cc", "g++", "-O1")
        made = DataText()
        code = (str(self.program), str(PROGRAMS / "statics.cc"), "main")
        for name, offset in (
            *(("_ZN6shapesL4sumsE", 8), ("_ZN6shapes6Circle4unitE", 0)),
            *(("_ZZ4nextvE7counter (statics.cc)", 0), ("depth (thread-local)", 0)),
        ):
            made.touch((f"static::{name}", str(self.program)), offset, code, (0x401000, 1), 1, Dr=1)
        path = self.directory / "cg2.data"
        path.write_text(made.text())
        data = read_data(str(path))
        add_types(data)
        found = {object.text: object.typed and object.typed.type.name for object in data.objects}
        self.assertEqual(
            found,
            {
                "_ZN6shapesL4sumsE": "long int[8]",
                "_ZN6shapes6Circle4unitE": "shapes::Circle",
                "_ZZ4nextvE7counter (statics.cc)": "int",
                "depth (thread-local)": "short int",
            },
        )


if __name__ == "__main__":
    unittest.main()
