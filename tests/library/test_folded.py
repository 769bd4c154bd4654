"""Folded stacks become a profile: sums, names, levels of recursion, messages. figures.txt has a thousand
more."""

from __future__ import annotations

import gzip
import subprocess
import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Directory  # noqa: E402

from cg2tools.profile.libcg2profile import read_folded  # noqa: E402
from cg2tools.profile.model import ProfileError  # noqa: E402

TEXT = b"app;main;f 3\napp;main;f;f;g 10\n\napp;main;operator new(unsigned long) 4\n"


class Folded(Directory):
    def read(self, text: bytes) -> dict[str, tuple[int, list[tuple[str, int]]]]:
        """What each function costs itself, and its calls: callee and cost."""
        found = read_folded(self.file("stacks", text), "cycles")
        [part] = library.profile_of(found, "stacks").parts
        self.assertEqual((part.events, part.positions), (["cycles"], ["line"]))
        self.assertEqual((part.summary, part.totals), (part.self_total(), part.self_total()))
        self.assertEqual({(key.object, key.file) for key in part.functions}, {("???", "???")})
        return {
            key.name: (
                function.self_cost()[0],
                [(call.callee.name, call.inclusive[0]) for call in function.calls],
            )
            for key, function in part.functions.items()
        }

    def test_sums(self) -> None:
        """A function inside itself is its level 2."""
        self.assertEqual(
            self.read(TEXT),
            {
                "app": (0, [("main", 17)]),
                "main": (0, [("f", 13), ("operator new(unsigned long)", 4)]),
                "f": (3, [("f'2", 10)]),
                "f'2": (0, [("g", 10)]),
                "g": (10, []),
                "operator new(unsigned long)": (4, []),
            },
        )

    def test_deep_recursion(self) -> None:
        """An arc inside itself costs each time that it is in the stack."""
        found = self.read(b"f;g;f;g;f;g 5\n")
        self.assertEqual(
            found,
            {"f": (0, [("g", 5)]), "g": (0, [("f'2", 5)]), "f'2": (0, [("g'2", 10)])}
            | {"g'2": (5, [("f'2", 5)])},
        )

    def test_names(self) -> None:
        """What a profile would take for an id, or for two lines, is replaced."""
        found = self.read(b"(1) f;(0xc) g;(0x) h;(1;h\ti;\x7f;() ;(12)'2 3")
        names = ["[1] f", "[0xc] g", "(0x) h", "(1", "h?i", "?", "()", "[12]'2"]
        self.assertEqual(list(found), names)

    def test_refused(self) -> None:
        for text, message in (
            (b"", "1: no stacks; expected lines as 'main;f 12'"),
            (b"\n \n", "1: no stacks; expected lines as 'main;f 12'"),
            (b"a 1\n12\n", "2: '12'; expected names and a whole number, as 'main;f 12'"),
            (b"a -1", "1: 'a -1'; expected names and a whole number, as 'main;f 12'"),
            (b"a 1234567890123456789", None),
            (b"a; 1", "1: 'a; 1' has a frame without a name; expected names, as 'main;f 12'"),
            (b"; 1", "1: '; 1' has a frame without a name; expected names, as 'main;f 12'"),
        ):
            path = self.file("stacks", text)
            with self.assertRaises(ProfileError) as caught:
                read_folded(path, "x")
            if message:
                self.assertEqual(str(caught.exception), f"{path}:{message}")

    def test_too_large(self) -> None:
        most = 10**18 - 1
        path = self.file("stacks", f"a {most}\n".encode() * 19)
        message = f"{path}:19: the costs of x add up to more than 64 bits"
        with self.assertRaisesRegex(ProfileError, message):
            read_folded(path, "x")
        apart = "".join(f"f{i} {most}\n" for i in range(19))
        path = self.file("apart", apart.encode())
        message = f"{path}:19: the costs of x add up to more than 64 bits"
        with self.assertRaisesRegex(ProfileError, message):
            read_folded(path, "x")

    def test_packed(self) -> None:
        self.assertEqual(self.read(gzip.compress(TEXT)), self.read(TEXT))

    def test_standard_input(self) -> None:
        """ "-" is standard input, also to the reader of profiles; messages call it so."""
        for text, message in ((TEXT, "17"), (b"a\n", "standard input:1: 'a'; expected names and")):
            self.assertIn(message, ran(READ_FOLDED, text))
        self.assertIn("[7]", ran(READ, b"events: Ir\nfn=f\n1 7\n"))
        self.assertIn("standard input:1: the file is empty", ran(READ, b""))


def ran(program: str, text: bytes) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", program % (sys.path,)], input=text, capture_output=True, check=True
    )
    return ended.stdout.decode()


READ_FOLDED = """
import sys
sys.path = %r
from cg2tools.profile.libcg2profile import read_folded
from cg2tools.profile.model import ProfileError
try:
    print(read_folded("-", "x").parts[0].self_total())
except ProfileError as error:
    print(error)
"""

READ = """
import sys
sys.path = %r
from cg2tools.profile.libcg2profile import read
from cg2tools.profile.model import ProfileError
try:
    print(read("-").parts[0].self_total())
except ProfileError as error:
    print(error)
"""


if __name__ == "__main__":
    unittest.main()
