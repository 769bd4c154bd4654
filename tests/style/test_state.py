"""How much of the tool's state lies at file scope."""

import unittest

from test_style import TOOL, defined, mutable, objects

# Objects that change and are not constant, in all of cg2/. What belongs together is one record: a module's
# state, a folder's configuration. The limits fall with them, and do not grow.
OBJECTS_MAX = 60  # but for those of repeat/, which keeps a world of its own
REPEAT_MAX = 19
AVX512_MAX = 1  # of avx512/, which VEX would have been


class State(unittest.TestCase):
    """What nm says of the tool's objects for one platform."""

    def test_mutable_objects(self) -> None:
        """There are few mutable objects at file scope, static ones of functions included."""
        if not objects():
            self.skipTest("no objects of the tool: not built yet")
        found = []
        for source in sorted(TOOL.rglob("*.c")):
            [first, *_] = [
                path for path in objects()[source.stem] if path.parent.name == source.parent.name
            ]
            found += [f"{source.relative_to(TOOL)}: {name}" for name in mutable([first])]
        self.assertGreater(len(found), 20)
        repeat = [name for name in found if name.startswith("repeat/")]
        self.assertLessEqual(len(repeat), REPEAT_MAX, "\n".join(repeat))
        avx512 = [name for name in found if name.startswith("avx512/")]
        self.assertLessEqual(len(avx512), AVX512_MAX, "\n".join(avx512))
        others = len(found) - len(repeat) - len(avx512)
        self.assertLessEqual(others, OBJECTS_MAX, "\n".join(found))
        self.assertTrue(any(map(defined, objects()["main"])))


if __name__ == "__main__":
    unittest.main()
