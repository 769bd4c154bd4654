"""Packed debug information (-gz) says what it says unpacked. A file without a name has it, not memory."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import cg2test
from cg2tools.data.debugtypes import TypeSource
from cg2tools.debug.libcg2debug import DebugError, DebugObject

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import Scratch  # noqa: E402

PACKINGS = ("zlib", "zstd")


def unpacked_maps() -> list[str]:
    """Files without a name that this process has in its memory."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    return [line for line in lines if re.search(r"/#\d+ \(deleted\)$", line)]


def has_zstd() -> bool:
    said = subprocess.run(["objcopy", "--help"], capture_output=True, text=True, check=True).stdout
    return "zstd" in said


class Unpacked(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.before = unpacked_maps()  # of objects that other tests have left open

    def maps(self) -> list[str]:
        """What has come since the test began."""
        return [line for line in unpacked_maps() if line not in self.before]

    def packed(self, packing: str) -> None:
        """Have the program's debug information packed."""
        option = f"--compress-debug-sections={packing}"
        subprocess.run(["objcopy", option, self.program], check=True)

    def said(self) -> tuple[tuple[str, int], list[tuple[str, int]], int]:
        """A type and its size, the static variables, and how many files without a name are open."""
        with DebugObject(str(self.program)) as debug:
            found = TypeSource(debug).named("struct point")
            assert found
            statics = [(one.name, one.size) for one in debug.statics()]
            return (found.name, found.size), statics, len(self.maps())

    def packings(self) -> list[str]:
        return [packing for packing in PACKINGS if packing == "zlib" or has_zstd()]

    def test_same(self) -> None:
        """A file without a name has it, and all is said as without packing."""
        self.build("types.c", "gcc", "-O1")
        plain = self.said()
        self.assertEqual((plain[0], plain[2]), (("struct point", 12), 0))
        self.assertGreater(len(plain[1]), 2)
        for packing in self.packings():
            with self.subTest(packing=packing):
                self.build("types.c", "gcc", "-O1")
                self.packed(packing)
                self.assertEqual(self.said()[:2], plain[:2])
                self.assertGreater(self.said()[2], 0)
                self.assertEqual(self.maps(), [])

    def test_separate(self) -> None:
        """A file of its own is unpacked, too: by its build-id, or by a sum of its bytes. Another object's is
        not taken."""
        for id_option in ("--build-id=sha1", "--build-id=none"):
            with self.subTest(id=id_option):
                self.build("types.c", "gcc", f"-Wl,{id_option}")
                self.separate()
                said = self.said()
                self.assertEqual(said[0], ("struct point", 12))
                self.assertGreater(said[2], 0)
                shutil.copy(self.other(id_option), self.directory / "own.debug")
                with self.assertRaises(DebugError):
                    self.said()
                self.assertEqual(self.maps(), [])

    def separate(self) -> None:
        """Have it in a file of its own, packed."""
        own = self.directory / "own.debug"
        own.unlink(missing_ok=True)
        pack: list[str | Path] = [
            "objcopy",
            "--only-keep-debug",
            "--compress-debug-sections",
            self.program,
            own,
        ]
        subprocess.run(pack, check=True)
        subprocess.run(["strip", "-g", self.program], check=True)
        link: list[str | Path] = ["objcopy", f"--add-gnu-debuglink={own}", self.program]
        subprocess.run(link, check=True)

    def other(self, id_option: str) -> Path:
        """Packed debug information of another object."""
        path = self.directory / "other"
        source = cg2test.SOURCE / "tests" / "debug" / "programs" / "frames.c"
        command: list[str | Path] = ["gcc", "-g", "-gz", f"-Wl,{id_option}", "-o", path, source]
        subprocess.run(command, check=True)
        return path

    def test_no_room(self) -> None:
        """Where no file can be made, libdw unpacks it in memory."""
        self.build("types.c", "gcc", "-gz")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
        try:
            said = self.said()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertEqual((said[0], said[2]), (("struct point", 12), 0))

    def test_claims(self) -> None:
        """A section that claims to be 60 GB is left alone, and there is nothing to say."""
        self.build("types.c", "gcc", "-gz")
        said = subprocess.run(
            ["readelf", "-SW", self.program], capture_output=True, text=True, check=True
        ).stdout
        [offset] = re.findall(r"\.debug_info +PROGBITS +\S+ (\S+)", said)
        size = int(offset, 16) + 8  # ch_size
        data = bytearray(self.program.read_bytes())
        data[size : size + 8] = (60 << 30).to_bytes(8, "little")
        self.program.write_bytes(data)
        with DebugObject(str(self.program)) as debug:
            self.assertEqual(debug.statics(), [])
            self.assertEqual(self.maps(), [])


if __name__ == "__main__":
    unittest.main()
