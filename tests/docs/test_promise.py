"""Options, their words and members of JSON stay what they were promised to be; see promise.py."""

from __future__ import annotations

import unittest

from promise import broken, facts, members, new, promised, words_of


class Promise(unittest.TestCase):
    def test_holds(self) -> None:
        """Nothing that was promised is gone or is something else."""
        promises = promised()
        self.assertGreater(len(promises), 500)
        self.assertEqual(broken(promises, facts()), [])

    def test_all(self) -> None:
        """All that there is is promised, or was added after the last `make promise`."""
        self.assertEqual(new(promised(), facts()), [], "make promise adds them")

    def test_broken(self) -> None:
        """What would break a promise is seen."""
        promises: dict[str, set[str]] = {
            "cg2 x: --a": {"no", "yes"},
            "cg2 x: --b": set(),
            "x: $.k is": {"string"},
        }
        today: dict[str, set[str]] = {"cg2 x: --a": {"yes", "full"}, "x: $.k is": {"integer"}}
        self.assertEqual(
            broken(promises, today),
            ["cg2 x: --b: is gone", "cg2 x: --a: no longer no", "x: $.k is: no longer string"],
        )
        self.assertEqual(new(promises, today), ["cg2 x: --a: full", "x: $.k is: integer"])

    def test_facts(self) -> None:
        today = facts()
        self.assertEqual(today["tool: --combine-dumps"], {"no", "yes"})
        self.assertEqual(today["cg2 annotate: --tree"], {"none", "caller", "calling", "both"})
        self.assertEqual(today["cg2_merge: --output"], set())
        self.assertEqual(today["cg2-explain: $.causes[].text is"], {"string"})
        self.assertEqual(today["cg2-explain: $.causes[].text always"], set())
        self.assertEqual(words_of("<file>"), set())

    def test_members(self) -> None:
        """A definition that holds itself is followed once."""
        tree = {"$ref": "#/definitions/tree"}
        below = {"type": "array", "items": tree}
        schema = {
            "type": "object",
            "required": ["a"],
            "properties": {"a": tree},
            "definitions": {"tree": {"type": "object", "properties": {"below": below}}},
        }
        self.assertEqual(
            list(members(schema, schema, "$", frozenset())),
            [
                ("$ is", {"object"}),
                ("$.a always", set()),
                ("$.a is", {"object"}),
                ("$.a.below is", {"array"}),
            ],
        )


if __name__ == "__main__":
    unittest.main()
