"""The library finds and writes the stacks that the commands found and wrote in Python, whose figures are
kept."""

from __future__ import annotations

import gzip
import os
import sys
import threading
import unittest
from unittest import mock
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

from canonical import hashed  # noqa: E402
from library import Directory  # noqa: E402
from stacks import FORMATS, VERSION, Choices, choices, graph, told  # noqa: E402

from cg2tools.profile import stacks as written  # noqa: E402
from cg2tools.profile.model import ProfileError  # noqa: E402
from cg2tools.profile.reader import read_profile  # noqa: E402
from cg2tools.profile.stacks import CHROME, FOLDED, PPROF, SPEEDSCOPE, Stacks  # noqa: E402

HERE = Path(__file__).resolve().parent
GRAPHS = 500
OTHER_DATA = f', "otherData": {{"exporter": "cg2_convert {VERSION}"}}'.encode()
"""What says in a trace for Chrome who wrote it."""


def stored() -> dict[str, str]:
    """What stacks.txt says of each profile."""
    lines = (HERE / "stacks.txt").read_text("ascii").splitlines()
    words = (line.split(" ", 2) for line in lines if line and not line.startswith("#"))
    return {f"{kind} {number}": rest for kind, number, rest in words}


class Figures(Directory):
    def found(self, data: bytes, asked: Choices) -> str:
        """What stacks.txt says of a profile's first part."""
        path = self.file("profile", data)
        stacks = Stacks(read_profile(path).parts[0], asked.smallest, asked.by_line)
        found = told(stacks)
        said = [
            len(found),
            stacks.apportioned,
            hashed(ascii([tuple(stack) for stack in found])),
        ]
        for to in FORMATS:
            output = self.directory / "output"
            with mock.patch.object(written, "VERSION", VERSION):
                stacks.write(output, to, asked.events, full_names=True)
            data = output.read_bytes()
            text = gzip.decompress(data) if to == PPROF else data
            text = text.replace(OTHER_DATA, b"")  # which there was not
            said.append(hashed(text.replace(str(path).encode(), b"profile")))
        return " ".join(map(str, said))

    def test_graphs(self) -> None:
        """Graphs with cycles, recursion and call chains, small shares, by line and not."""
        expected = stored()
        for number in range(GRAPHS):
            data = graph(number)
            width = len(data.partition(b"\n")[0].split()) - 1
            self.assertEqual(
                self.found(data, choices(number, width)), expected[f"graph {number}"], data
            )

    def test_files(self) -> None:
        """What Callgrind and cg2 wrote."""
        expected = stored()
        for path in sorted((HERE / "profiles").glob("*.gz")):
            data = gzip.decompress(path.read_bytes())
            for by_line in (False, True):
                asked = Choices(0.0001, by_line, [0])
                name = f"{'lines' if by_line else 'file'} {path.stem}"
                self.assertEqual(self.found(data, asked), expected[name], name)


SMALL = b"""\
events: Ir
fl=a.c
fn=main
1 1
cfn=f
calls=2 1
2 9
fn=f
5 4
cfn=g
calls=3 1
6 5
fn=g
7 5
"""


class Writing(Directory):
    def small(self) -> Stacks:
        return Stacks(read_profile(self.file("profile", SMALL)).parts[0], 0)

    def written(self, to: int, name: str) -> bytes:
        self.small().write(self.directory / name, to, [0])
        return (self.directory / name).read_bytes()

    def test_packed(self) -> None:
        """A name in .gz has the same text with gzip; pprof has it with any name."""
        for to in (FOLDED, SPEEDSCOPE, CHROME):
            plain = self.written(to, "plain")
            self.assertEqual(gzip.decompress(self.written(to, "packed.gz")), plain)
        self.assertEqual(self.written(PPROF, "plain"), self.written(PPROF, "packed.gz"))
        self.assertEqual(self.written(FOLDED, "plain"), b"main 1\nmain;f 4\nmain;f;g 5\n")

    def test_pipe(self) -> None:
        """A pipe, or a device, is written to, and stays what it is."""
        os.mkfifo(self.directory / "pipe")
        found: list[bytes] = []
        reader = threading.Thread(
            target=lambda: found.append((self.directory / "pipe").read_bytes()), daemon=True
        )
        reader.start()
        self.small().write(self.directory / "pipe", FOLDED, [0])
        reader.join()
        self.assertEqual(found, [b"main 1\nmain;f 4\nmain;f;g 5\n"])
        self.assertTrue((self.directory / "pipe").is_fifo())

    def test_nothing_is_left(self) -> None:
        """Where a file cannot be written, the error says so and nothing is left behind."""
        for to in FORMATS:
            with self.assertRaises(FileNotFoundError) as caught:
                self.written(to, "none/x")
            self.assertEqual(caught.exception.filename, str(self.directory / "none/x"))
        self.assertEqual([entry.name for entry in self.directory.iterdir()], ["profile"])

    def test_too_large(self) -> None:
        most = (1 << 64) - 1
        path = self.file("large", f"events: Ir\nfn=f\n1 {most}\nfn=g\n1 1\n".encode())
        [part] = read_profile(path).parts
        with self.assertRaisesRegex(
            ProfileError, f"{path}:1: the costs of Ir add up to more than 64 bits"
        ):
            Stacks(part, 0)

    def test_above(self) -> None:
        """main 1,000 Ir, 10 Dr; f below it 99 and 9; g 1 and none; h nothing."""
        path = self.file(
            "shares",
            b"events: Ir Dr\nfn=main\n1 900 1\n"
            b"cfn=f\ncalls=1 2\n1 99 9\ncfn=g\ncalls=1 3\n1 1\ncfn=h\ncalls=1 4\n1 0\n"
            b"fn=f\n2 99 9\nfn=g\n3 1\nfn=h\n4 0\n",
        )
        stacks = Stacks(read_profile(path).parts[0], 0)

        def above(share: float) -> list[str]:
            numbers = stacks.above(share)
            self.assertEqual(stacks.count_above(share), len(numbers))
            return [stacks.name(stacks.functions[number]) for number in numbers]

        self.assertEqual(above(0), ["main", "f", "g"])
        self.assertEqual(above(0.001), ["main", "f", "g"])
        self.assertEqual(above(0.0011), ["main", "f"])
        self.assertEqual(above(0.9), ["main", "f"])
        self.assertEqual(above(0.91), ["main"])
        self.assertEqual(above(1), ["main"])
        self.assertEqual(above(1.5), [])

    def test_empty(self) -> None:
        """A part without functions has no stacks."""
        path = self.file("empty", b"events: Ir\n")
        for by_line in (False, True):
            stacks = Stacks(read_profile(path).parts[0], 0, by_line)
            self.assertEqual(told(stacks), [])
            for to in FORMATS:
                stacks.write(self.directory / "output", to, [0])


if __name__ == "__main__":
    unittest.main()
