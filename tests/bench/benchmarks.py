"""The programs that cg2's speed is measured on.

Each takes 0.1 to 1 second without a tool, but those of SHORT, and says what it is good and bad at measuring.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "compat"))

from workloads import (
    C_SOURCE,
    cc1,
    compiled,
    program,
    text,
    write,
)  # noqa: E402  (found through the path just set)

PYTHON_SCRIPT = """
import json, re

class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

total = Vector(0, 0)
for i in range(160000):
    total = total + Vector(i % 7, i % 11)
words = [f"word{i * 7919 % 1009}" for i in range(30000)]
counts = {}
for word in words:
    counts[word] = counts.get(word, 0) + 1
dump = json.dumps(sorted(counts.items()))
primes = [n for n in range(2, 11000) if all(n % d for d in range(2, int(n ** 0.5) + 1))]
print(total.x, total.y, fibonacci(23), len(dump), len(re.findall(r"d(\\d)\\1", dump)), sum(primes))
"""

PERL_SCRIPT = r"""
my (%count, $state);
my @words = map { $state = ($state * 1103515245 + 12345) % 2147483648; "w" . ($state >> 18) % 900 }
   1 .. 110000;
$count{$_}++ for @words;
my $text = join " ", @words;
my $doubled = () = $text =~ /(\d)\1/g;
(my $swapped = $text) =~ s/w(\d)(\d)/w$2$1/g;
sub fibonacci { my $n = shift; $n < 2 ? $n : fibonacci($n - 1) + fibonacci($n - 2) }
my @top = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "$doubled @top[0 .. 4] ", length $swapped, " ", fibonacci(22), " ", unpack("%32C*", $swapped), "\n";
"""

SQL = """
create table part(id integer primary key, name text, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
   insert into part select i, hex(i * 7919 % 100003), i * 0.5 from n;
create index by_name on part(name);
update part set price = price * 1.1 where id % 3 = 0;
select count(*), sum(id), round(avg(price), 3) from part where name > '3';
select substr(name, 1, 2), count(*), max(price) from part group by 1 order by 2 desc, 1 limit 5;
select count(*) from part a join part b on b.name = hex(a.id * 31 % 100003);
"""


@dataclass(frozen=True)
class Benchmark:
    """A program to time: `make` writes its input into a directory and gives the command line.

    `note` says what it is good and bad at measuring.
    """

    name: str
    make: Callable[[Path], list[str]]
    note: str


def xz(directory: Path) -> list[str]:
    return [program("xz"), "-3", "-T1", "-k", "-c", write(directory, "text", text(250000))]


def bzip2(directory: Path) -> list[str]:
    return [program("bzip2"), "-9", "-k", "-c", write(directory, "text", text(350000))]


def gzip(directory: Path) -> list[str]:
    return [program("gzip"), "-6", "-n", "-k", "-c", write(directory, "text", text(250000))]


def python3(directory: Path) -> list[str]:
    return [program("python3"), "-B", "-S", write(directory, "input.py", PYTHON_SCRIPT)]


def perl(directory: Path) -> list[str]:
    return [program("perl"), write(directory, "input.pl", PERL_SCRIPT)]


def sqlite3(directory: Path) -> list[str]:
    return [program("sqlite3"), "-batch", ":memory:", f".read {write(directory, 'input.sql', SQL)}"]


def compiler(directory: Path) -> list[str]:
    source = "".join(C_SOURCE.format(number) for number in range(2, 18))
    return [
        cc1(),
        "-quiet",
        "-O2",
        "-frandom-seed=1",
        write(directory, "input.c", source),
        "-o",
        "/dev/stdout",
    ]


def calls(_directory: Path) -> list[str]:
    return [compiled("bench/programs/calls.c", "-O2"), "600"]


def floats(_directory: Path) -> list[str]:
    return [compiled("bench/programs/floats.c", "-O2", "-lm"), "300"]


def true(_directory: Path) -> list[str]:
    return [program("true")]


def git(_directory: Path) -> list[str]:
    return [program("git"), "--version"]


def short_python3(_directory: Path) -> list[str]:
    return [program("python3"), "-c", "1"]


def short_compiler(directory: Path) -> list[str]:
    source = 'int puts(const char*);\nint main(void)\n{\n   return puts("hello") < 0;\n}\n'
    return [cc1(), "-quiet", "-O2", write(directory, "hello.c", source), "-o", "/dev/stdout"]


SHORT = [
    Benchmark("true", true, "the start of a process"),
    Benchmark("git-version", git, "a large program that does next to nothing"),
    Benchmark("python3-1", short_python3, "an interpreter's start"),
    Benchmark("cc1-hello", short_compiler, "a compiler with hardly any input"),
]

BENCHMARKS = [
    Benchmark("xz", xz, "one hot function with unpredictable branches; few calls, little code"),
    Benchmark(
        "bzip2", bzip2, "tight loops of many small blocks (sorting); says nothing about calls"
    ),
    Benchmark("gzip", gzip, "the smallest loops: the price of counting a block; hardly any call"),
    Benchmark(
        "python3",
        python3,
        "an interpreter: calls, indirect jumps, recursion levels; its start is a part",
    ),
    Benchmark(
        "perl", perl, "an interpreter that calls a function per operation, through a pointer"
    ),
    Benchmark(
        "sqlite3", sqlite3, "calls of all depths in medium-sized code; no system call in the loop"
    ),
    Benchmark(
        "cc1",
        compiler,
        "much code, run briefly: translation and symbols; the hot path hardly counts",
    ),
    Benchmark(
        "calls", calls, "calls and returns only, the worst case of the call graph; little code"
    ),
    Benchmark(
        "floats", floats, "long blocks and floating point, the best case; nothing about calls"
    ),
]


def stencil(_directory: Path) -> list[str]:
    return [compiled("bench/programs/stencil.c", "-O2"), "400"]


def of_valgrind(source: Path, name: str, *arguments: str) -> Callable[[Path], list[str]]:
    """What makes a program of the performance tests in Valgrind's source, the folder `source`."""

    def make(directory: Path) -> list[str]:
        write(directory, "config.h", "#define HAVE_MEMALIGN 1\n")
        tests, built = source / "perf", directory / name
        includes = [f"-I{directory}", f"-I{source}"]
        files = ["-o", str(built), str(tests / f"{name}.c")]
        subprocess.run(["gcc", "-O2", "-w", *includes, *files, "-lm"], check=True)
        return [str(built), *(argument.format(tests=tests) for argument in arguments)]

    return make


def second_set(source: Path) -> list[Benchmark]:
    """Programs that were not looked at while the tool was written; `source` is the folder of Valgrind's
    source."""
    return [
        Benchmark("bz2", of_valgrind(source, "bz2"), "tight loops, in one large file of C"),
        Benchmark("fbench", of_valgrind(source, "fbench"), "floating point with small functions"),
        Benchmark("heap", of_valgrind(source, "heap"), "malloc and free, and little else"),
        Benchmark(
            "tinycc",
            of_valgrind(source, "tinycc", "-c", "{tests}/test_input_for_tinycc.c"),
            "a compiler of one pass: a call each 46 instructions",
        ),
        Benchmark("stencil", stencil, "doubles in rows that miss, and that cross lines"),
    ]
