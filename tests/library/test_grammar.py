"""The names of the public functions: cg2p_<object>_<verb>, and cg2d_<object>_<verb> of libcg2debug."""

from __future__ import annotations

import re
import unittest
from collections import defaultdict

from cg2test import SOURCE

OBJECTS = {
    "cg2p": (
        *(
            "annotation",
            "causes",
            "core",
            "cursor",
            "cycles",
            "difference",
            "display",
            "explanation",
            "feedback",
            "graph",
            "inlining",
            "listing",
            "matching",
            "merge",
        ),
        *("part", "pathtree", "profile", "replacement", "stacks", "table"),
    ),
    "cg2d": ("object", "symbol"),
}
"""What the libraries make or read, and what is asked of it."""

NOT_MADE = {"part", "replacement", "symbol"}
"""A part is its profile's; a symbol is a text of the caller's, and replacements are its numbers."""

MAKERS = ("new", "read", "open")
"""The verbs for making an object: from others, from a file of profiles, from a file that stays open."""

MAPS = {
    "cg2p": SOURCE / "tools" / "libcg2profile" / "libcg2profile.map",
    "cg2d": SOURCE / "tools" / "libcg2debug" / "libcg2debug.map",
}

NOT_VERBS = {"begin", "close", "create", "destroy", "get", "init", "make", "of", "release"}
"""Words for acts that have another verb here. `begin_part` begins a part of a sum."""


def exported(prefix: str) -> list[str]:
    """The functions that a library exports, without prefix."""
    return re.findall(rf"^ +{prefix}_(\w+);$", MAPS[prefix].read_text(), re.MULTILINE)


class Grammar(unittest.TestCase):
    def test_objects(self) -> None:
        """Each function is of one of the objects, and says what of it."""
        for prefix, objects in OBJECTS.items():
            pattern = re.compile(rf"({'|'.join(objects)})_[a-z]\w*")
            self.assertGreater(len(exported(prefix)), 5)
            for name in exported(prefix):
                with self.subTest(f"{prefix}_{name}"):
                    self.assertRegex(name, rf"^{pattern.pattern}$")

    def test_lives(self) -> None:
        """Each object is made by one verb, and freed by _free."""
        for prefix, objects in OBJECTS.items():
            verbs = defaultdict(set)
            for name in exported(prefix):
                kind, _, verb = name.partition("_")
                verbs[kind].add(verb)
            for kind in objects:
                with self.subTest(f"{prefix}_{kind}"):
                    makers = {verb for verb in MAKERS if verb in verbs[kind]}
                    self.assertEqual(len(makers), int(kind not in NOT_MADE), makers)
                    self.assertEqual("free" in verbs[kind], kind not in NOT_MADE)

    def test_one_verb(self) -> None:
        """No act has a second verb."""
        for prefix in OBJECTS:
            found = [name for name in exported(prefix) if NOT_VERBS & {name.partition("_")[2]}]
            self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
