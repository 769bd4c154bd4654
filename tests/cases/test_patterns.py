"""What a pattern of functions' names matches: the name as lists show it, the whole one, the mangled one."""

from __future__ import annotations

import unittest
from collections import Counter

from case import Case
from cg2test import MACHINE, compile, profile_of

LAMBDA = "main::{lambda(int)#1}::operator()(int) const"

# How often each function is called, by its forms: as lists show it, whole, mangled.
FORMS = {
    ("tmpl<long>", "long tmpl<long>(long)", "_Z4tmplIlET_S0_"): 3,
    ("tmpl<int>(int)", "int tmpl<int>(int)", "_Z4tmplIiET_S0_"): 5,
    ("main::{lambda#1}::operator()", LAMBDA, "_ZZ4mainENKUliE_clEi"): 2,
    ("shapes::Square::area", "shapes::Square::area(int) const", "_ZNK6shapes6Square4areaEi"): 4,
    (
        "std::vector<int>::push_back",
        "std::vector<int, std::allocator<int> >::push_back(int const&)",
        "_ZNSt6vectorIiSaIiEE9push_backERKi",
    ): 6,
}  # fmt: skip


class Forms(Case):
    """Each form of a name means the function, and no other one."""

    def dumps(self, *patterns: str) -> Counter[str]:
        """How often a part was written before functions that the patterns match."""
        program = compile("shownnames.cc", "-O0", "-static", compiler="g++")
        options = [f"--dump-before={pattern}" for pattern in patterns]
        graphs = self.parts_of(program, *options)
        triggers = [graph.part.descriptions["Trigger"] for graph in graphs[:-1]]
        return Counter(trigger.removeprefix("--dump-before=") for trigger in triggers)

    def test_forms(self) -> None:
        """A part is written for each call, whichever form the command line has."""
        expected = {whole: times for (_, whole, _), times in FORMS.items()}
        for number, form in enumerate(("shown", "whole", "mangled")):
            with self.subTest(form):
                self.assertEqual(self.dumps(*(forms[number] for forms in FORMS)), expected)

    def test_wildcards(self) -> None:
        """`*` and `?` stand for letters of the shown name and of a mangled one that begins alike."""
        self.assertEqual(self.dumps("main::{lambda#?}::operator()"), {LAMBDA: 2})
        self.assertEqual(self.dumps("_Z4tmplI?E*"), {
            "long tmpl<long>(long)": 3, "int tmpl<int>(int)": 5,
        })  # fmt: skip
        # All symbols of C++ begin with _, but what is meant are names that do.
        self.assertEqual(self.dumps("_*S0_"), {})

    @unittest.skipIf(MACHINE == "aarch64", "the size of call() is another one")
    def test_offset(self) -> None:
        """Code without a symbol is known by its offset, as lists show it."""
        program = compile("shownnames.cc", "-O0", "-s", "-static", compiler="g++")
        part = profile_of([program])
        unnamed = next(
            key
            for key in part.functions
            if key.name.startswith("0x") and key.object == str(program)
        )
        offset = int(unnamed.name, 16)
        shown = f"{program.name}+{offset:#x}"
        collected = profile_of([program], f"--toggle-collect={shown}")
        self.assertIn(unnamed, collected.functions)
        self.assertGreater(sum(collected.self_total()), 0)


if __name__ == "__main__":
    unittest.main()
