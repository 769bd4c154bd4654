"""A record of the libraries has few fields: with many it is several things in one. Public ones are an
interface, which is fixed."""

from __future__ import annotations

import unittest

from cg2test import SOURCE
from test_folders import LIBRARIES
from test_structs import FIELDS_MAX, records

# Records with more fields, each with the reason. None may get more: the number is what it has.
EXCEPTIONS = {
    "cg2p_part": (48, "all that a file says of a part: what the public header asks for one by one"),
    "cg2p_inlining": (25, "its rooms for the function at hand are used again for the next one"),
    "Instances": (25, "arrays of one function at hand, which are used again for the next one"),
    "Graph": (19, "what the steps of one file, graph.c, hand each other"),
    "cg2p_merge": (19, "the state of a sum, and what is so of its last part"),
    "OriginSearch": (17, "arrays of the object at hand, with their rooms"),
    "Input": (18, "a file that is plain, of gzip or of zstd, in one"),
    "Writer": (18, "what is written, and what its two kinds of bodies remember"),
    "cg2d_object": (20, "what is known of an object, each kind once it was asked for"),
    "cg2p_stacks": (17, "the answer: arrays, each with its number"),
    "FlowWalk": (16, "what is known at each place of the code, and where it was found"),
    "StackWriter": (16, "what is written, and what formats keep"),
    "Wide": (21, "the fields that a prefix of an instruction has"),
}


def large() -> dict[str, int]:
    """The records of the libraries, but for the public ones, with more fields than FIELDS_MAX."""
    return {
        name: fields
        for library in LIBRARIES
        for path in sorted(library.rglob("*.[ch]"))
        if "include" not in path.parts
        for name, fields in records(path.read_text())
        if fields > FIELDS_MAX
    }


class LibraryRecords(unittest.TestCase):
    def test_few_fields(self) -> None:
        """No other record is large; those that are do not grow, and one that has become smaller is not
        excused."""
        excused = {name: fields for name, (fields, _) in EXCEPTIONS.items()}
        self.assertEqual(large(), excused)

    def test_is_seen(self) -> None:
        header = (SOURCE / "tools/libcg2profile/stacks/maker.h").read_text()
        self.assertIn(("Maker", 15), records(header))


if __name__ == "__main__":
    unittest.main()
