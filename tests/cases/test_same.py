"""The same figure everywhere: under `cg2 --repeatable` a program says the same, and its profile has the same
bytes, in situations that differ in all that should not matter to it."""

from __future__ import annotations

import os
import shutil
import unittest
from pathlib import Path

from case import Case
from cg2test import compile
from situations import differences

IS_FULL = os.environ.get("CG2_FULL") == "1"

PYTHON = """
import os, random, tempfile, threading, time
print(hash('x'), list({'a', 'b', 'c', 'd'}), random.random(), time.time(), os.cpu_count())
print(object(), tempfile.mktemp(), os.environ.get('TZ'), os.uname())
threads = [threading.Thread(target=print, args=(i,)) for i in range(3)]
[t.start() for t in threads]
"""
PERL = (
    'print join(" ", keys %{{map { $_ => 1 } 1 .. 50}}), " ", time, " ", rand, " ", \\%ENV, "\\n"'
)
PIPES = "for i in 1 2 3; do echo $i $RANDOM; done | sort -r | (while read a b; do echo $b $a; done) | cat"
SQL = "select hex(randomblob(8)), datetime('now'), random(); create table t(a); insert into t values (1);"
SOURCE = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(__DATE__ __TIME__); return rand(); }\n"


class Same(Case):
    def check(self, *argv: str, options: tuple[str, ...] = ()) -> None:
        if not shutil.which(argv[0]):
            self.skipTest(f"{argv[0]} is missing")
        found = differences(argv, *options, is_full=IS_FULL)
        self.assertEqual(found, [], "\n".join(found))

    def test_world(self) -> None:
        """All that a program is told of the world outside."""
        self.check(str(compile("world.c", "-O1", "-pthread")))

    def test_pointers(self) -> None:
        """Addresses of the heap."""
        self.check(str(compile("pointers.cc", "-O1", compiler="g++")))

    def test_pool(self) -> None:
        """Threads that wait for each other."""
        self.check(str(compile("pool.c", "-O1", "-pthread")))

    def test_python(self) -> None:
        """Hashes, chance, time, threads of Python."""
        self.check("/usr/bin/python3", "-S", "-c", PYTHON)

    def test_perl(self) -> None:
        """The order of Perl's hashes."""
        self.check("/usr/bin/perl", "-e", PERL)

    def test_sqlite(self) -> None:
        """A database."""
        self.check("sqlite3", "test.db", SQL)


class SameCompilers(Same):
    """Programs that take longer."""

    full = True

    def test_cc1(self) -> None:
        """A compiler."""
        source = Path(__file__).parent.parent / "programs" / "calls.c"
        self.check("gcc", "-O2", "-c", str(source), options=("--trace-children=yes",))

    def test_php(self) -> None:
        self.check(
            "php", "-r", "echo rand(), uniqid(), spl_object_hash(new stdClass), microtime(true);"
        )

    def test_guile(self) -> None:
        self.check("guile", "-c", "(display (list (random 100) (current-time) (getcwd)))")

    def test_luajit(self) -> None:
        self.check("luajit", "-e", "for k in pairs{a=1,b=2,c=3,d=4} do print(k, {}, os.time()) end")

    def test_ruby(self) -> None:
        self.check("ruby", "-e", "p rand, 'x'.hash, Time.now, Object.new")


if __name__ == "__main__":
    unittest.main()
