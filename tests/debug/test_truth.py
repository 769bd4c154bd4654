"""Types in data files of real runs, against more than fifty that are known by construction, and the share
that is right."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest
from collections.abc import Mapping
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import PROGRAMS, Scratch  # noqa: E402

from cg2tools.data.objects import DataObject, read_data  # noqa: E402
from cg2tools.data.typed import add_types  # noqa: E402

LEAST_SHARE = 0.9

_NOTE = re.compile(r"0x[0-9a-f]+ \d+ (\d+) (\S+) (.*)")

Known = Mapping[str, str]
"""Types by objects; both are patterns."""

NODE = r"std::_Rb_tree_node<{}>"
COUNTED = r"std::_Sp_counted_ptr_inplace<Texture, .*>"

CONTAINERS: Known = {
    r"\(.*fill_map|M_emplace_hint_unique": NODE.format(r"std::pair<(int const|const int), Order> "),
    r"\(.*fill_set": NODE.format("long( int)?"),
    r"\(.*fill_vector": "Order",
    r"\(.*grow_numbers|std::vector<double": "double",
    r"\(.*fill_deque|main\)|std::deque<.*_M_push_back_aux|_M_create_nodes": "Order",
    r"_M_initialize_map|_M_reallocate_map": r"Order\*",
    r"\(.*fill_list": "std::_List_node<Order>",
    r"\(.*fill_table": r"std::__detail::_Hash_node<std::pair<(long int const|const long), Order>, false>",
    r"std::_Hashtable<.*_M_rehash": r"std::__detail::_Hash_node_base\*",
    r"\(.*make_texture": COUNTED,
    r"std::vector<(unsigned short|short unsigned int).*_M_default_append": "(unsigned short|short unsigned "
    "int)",
    r"std::vector<std::shared_ptr.*_M_realloc_insert": "std::shared_ptr<Texture>",
    r"_ZN7countedL8countersE": r"counted::Counter\[16\]",
    r"_ZN7counted4wordE": "counted::Word",
    r"_ZN7counted8RegistryI5OrderE3allE": "counted::Registry<Order>",
    r"_ZN7counted4bitsE \(thread-local\)": "counted::Bits",
    r"^last$": r"std::pair<long( int)?, Order>",
    r"_ZL6prices": r"Order\[8\]",
    r"_ZL8function": r"function\*",
}

BESIDE: Known = {
    r"^words": r"char\*\[5\]",
    r"std::vector<Account.*_M_realloc_insert|\(open_account": r"Account\*",
}
"""What is not noted."""

RUST: Known = {
    r"\(types::list": "types::Node",
    r"\(types::points": "types::Point",
    r"\(types::tree": "types::Tree",
    r"\(alloc::raw_vec::.*finish_grow": "types::Shape",
    r"\(types::accounts": "alloc::rc::Rc(Box|Inner)<types::Account>",
    r"\(types::wrap": "types::Wrapper<types::Point>",
    r"\(types::rows": "alloc::vec::Vec<f64, alloc::alloc::Global>",
    r"\(types::row\b": "f64",
    r"_ZN5types6PRIMES": r"u16\[8\]",
    r"_ZN5types8COUNTERS": r"types::Counter\[4\]",
    r"_ZN5types6NOTING": r"core::sync::atomic::AtomicBool",
}


class Truth(Scratch):
    maxDiff = None

    """How many of the accesses that a program's own code makes to the heap and to statics are of the right
    type.

    The linker's tables are left out: they are not the program's.
    """

    def check(self, known: Known, least: int) -> None:
        options = "--cache-sim=yes", "--data=accesses", "--data-out-file=data"
        # What debug information says of libc is asked nowhere: only the program's own accesses count.
        run = cg2test.run_cg2([self.program], *options, environment=cg2test.lean_env())
        self.assertEqual(run.status, 0, run.stderr)
        data = read_data(str(run.directory / "data"))
        add_types(data)
        right = total = 0
        wrong, met = {}, set()
        for object in data.objects:
            count = self.own(object)
            if object.kind not in ("heap", "static") or not count or object.text.startswith(".got"):
                continue
            total += count
            type = object.typed.type.name if object.typed else ""
            wanted = next((key for key in known if re.search(key, object.text)), "")
            if wanted and re.fullmatch(known[wanted], type):
                right += count
                met.add(wanted)
            elif wanted or not self.is_explained(object):
                wrong[object.text] = type
        self.assertEqual(wrong, {})
        self.assertGreater(right / total, LEAST_SHARE)
        self.assertGreaterEqual(len(met), least, known.keys() - met)

    def own(self, object: DataObject) -> int:
        return sum(
            touch.count for touch in object.touches if touch.function.object == str(self.program)
        )

    def is_explained(self, object: DataObject) -> bool:
        """What is no variable of the source: literals, tables of the linker and of compilers; libraries'."""
        rust = r"_RN.*5alloc|_RN.*(3std|4core)|_ZN(3std|4core)|__rustc"
        rust += r"|(\w+/)?(once|thread_info|c_str|mod)\.rs:"
        compilers = (
            r"\.|segment |_ZT[ISV]|anon\.|DW\.ref|completed\.0|str\.|switch\.table|reltable\."
        )
        return object.elf != str(self.program) or bool(re.match(f"{compilers}|{rust}", object.text))


class Real(Truth):
    def test_noted(self) -> None:
        """Types of C and C++, by gcc and clang: each place that allocates says what it allocates."""
        for name, compiler in (
            *(("types.c", "gcc"), ("types.c", "clang")),
            *(("types.cc", "g++"), ("types.cc", "clang++")),
        ):
            with self.subTest(program=name, compiler=compiler):
                self.build(name, compiler, "-O2")
                known = self.noted(name)
                self.check(known, {"types.c": 15, "types.cc": 13}[name])

    def noted(self, name: str) -> Known:
        said = subprocess.run(
            [self.program],
            env={**os.environ, "NOTES": "yes"},
            capture_output=True,
            text=True,
            check=True,
        )
        notes = filter(None, map(_NOTE.fullmatch, said.stderr.splitlines()))
        return {**{rf"^{name}:{note[1]} ": re.escape(note[3]) for note in notes}, **BESIDE}

    def test_containers(self) -> None:
        """What C++'s containers allocate, and static variables, also thread-local ones and those of
        templates."""
        for compiler in "g++", "clang++":
            with self.subTest(compiler=compiler):
                self.build("collections.cc", compiler, "-O2")
                self.check(CONTAINERS, 16)

    def test_rust(self) -> None:
        """Boxes, vectors, counted references, generic types and statics, by each compiler that there is."""
        home = Path.home() / ".cargo" / "bin" / "rustc"
        compilers = shutil.which("rustc"), "/usr/bin/rustc", str(home)
        found = {
            str(Path(path).resolve()): path for path in compilers if path and Path(path).exists()
        }
        if not found:
            self.skipTest("there is no rustc: apt-get install rustc")
        for compiler in found.values():
            with self.subTest(compiler=compiler):
                options = "-g", "-O", "-o", self.program
                subprocess.run(
                    [compiler, *options, PROGRAMS / "types.rs"], capture_output=True, check=True
                )
                self.check(RUST, 10)


if __name__ == "__main__":
    unittest.main()
