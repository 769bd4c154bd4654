"""The real programs that cg2 is compared with Callgrind on, with small inputs made here.

Every input is the same each time, and so is every run: Callgrind gives the same figures twice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))

import cg2test  # noqa: E402  (found through the path just set)

SQL = """
create table part(id integer primary key, name text, price real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
   insert into part select i, hex(i * 7919 % 1000), i * 0.5 from n;
create index by_name on part(name);
begin;
update part set price = price * 1.1 where id % 3 = 0;
delete from part where name like '39%';
commit;
select count(*), sum(id), round(avg(price), 3) from part where name > '3';
select name, count(*) from part group by name order by 2 desc, 1 limit 5;
select a.id, b.id from part a join part b on a.name = b.name and a.id < b.id order by 1, 2 limit 5;
"""

# How cc1 compiles; without optimisation 4,100 of 5,800 functions run, in half of the time.
LEVEL = "-O1" if os.environ.get("CG2_FULL") == "1" else "-O0"

C_SOURCE = """
struct node{0} {{ struct node{0} *left, *right; int key; }};
int insert{0}(struct node{0} **root, struct node{0} *fresh)
{{
   while (*root)
      root = fresh->key < (*root)->key ? &(*root)->left : &(*root)->right;
   *root = fresh;
   return fresh->key * {0};
}}
int classify{0}(int c)
{{
   switch (c) {{
   case 'a': return {0} + 1;
   case 'b': return insert{0}(0, 0);
   case '0' ... '9': return c - '0';
   default: return c > {0} ? classify{0}(c / 2) : -1;
   }}
}}
"""

PYTHON_SCRIPT = """
import json, re

def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

class Table(dict):
    def __missing__(self, key):
        raise LookupError(key)

table = Table((str(i), [i, fibonacci(i % 10)]) for i in range(150))
missing = 0
for key in range(100, 200):
    try:
        table[str(key)]
    except LookupError:
        missing += 1
text = json.dumps(table, sort_keys=True)
print(len(text), missing, len(re.findall(r"[0-9]+, [1-9]", text)), sum(json.loads(text)["9"]))
"""

PERL_SCRIPT = r"""
my %count;
my $text = "the quick brown fox jumps over the lazy dog and runs " x 40;
$count{lc $_}++ for split /\W+/, $text;
sub ackermann { my ($m, $n) = @_; $m ? ackermann($m - 1, $n ? ackermann($m, $n - 1) : 1) : $n + 1 }
for my $word (sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count) {
   (my $swapped = $word) =~ s/(.)(.)/$2$1/g;
   printf "%-8s %3d %s\n", $word, $count{$word}, eval { die "short\n" if length $word < 4; $swapped } // $@;
}
print ackermann(2, 5), "\n";
"""

AWK_SCRIPT = r"""
function depth(n) { return n > 0 ? depth(n - 1) + 1 : 0 }
{ for (i = 1; i <= NF; i++) { count[$i]++; total += length($i) } }
/[13579]$/ { gsub(/[aeiou]/, "_"); odd = odd substr($0, 1, 3) }
END { n = asorti(count, names); for (i = 1; i <= 5; i++) print names[i], count[names[i]]
      print n, total, depth(50), length(odd), substr(odd, 1, 20), sprintf("%.3f", log(total)) }
"""


@dataclass(frozen=True)
class Workload:
    """A program to run: `make` writes its input into a directory and gives the command line."""

    name: str
    make: Callable[[Path], list[str]]


def text(words: int) -> str:
    """Words that do not repeat too regularly, eight in a line."""
    state, lines = 1, []
    for _ in range(words // 8):
        line = []
        for _ in range(8):
            state = (state * 1103515245 + 12345) % (1 << 31)
            line.append(
                f"{'kilo mega giga milli micro'.split()[state >> 16 & 3]}{(state >> 20) % 700}"
            )
        lines.append(" ".join(line))
    return "\n".join(lines) + "\n"


def write(directory: Path, name: str, content: str) -> str:
    """Write a file; its name."""
    (directory / name).write_text(content)
    return name


def program(name: str) -> str:
    """The path of a program of the system."""
    found = shutil.which(name, path="/usr/bin:/bin")
    if found is None:
        raise FileNotFoundError(name)
    return str(Path(found).resolve())


def cc1() -> str:
    """The path of gcc's compiler proper."""
    asked = subprocess.run(
        [program("gcc"), "-print-prog-name=cc1"], capture_output=True, text=True, check=True
    )
    return asked.stdout.strip()


def compiled(source: str, *flags: str, compiler: str = "gcc") -> str:
    """The path of a program compiled from a source in tests/."""
    return str(cg2test.compile(f"../{source}", *flags, compiler=compiler, lines_of_libc=True))


def xz(directory: Path) -> list[str]:
    return [program("xz"), "-1", "-T1", "-k", "-c", write(directory, "text", text(1500))]


def bzip2(directory: Path) -> list[str]:
    return [program("bzip2"), "-1", "-k", "-c", write(directory, "text", text(1500))]


def sqlite3(directory: Path) -> list[str]:
    return [program("sqlite3"), "-batch", ":memory:", f".read {write(directory, 'input.sql', SQL)}"]


def compiler(directory: Path) -> list[str]:
    source = "".join(C_SOURCE.format(number) for number in (2,))
    heap = [
        "--param",
        "ggc-min-expand=100",
        "--param",
        "ggc-min-heapsize=131072",
    ]  # else by free memory
    return [
        cc1(),
        "-quiet",
        LEVEL,
        "-frandom-seed=1",
        *heap,
        write(directory, "input.c", source),
        "-o",
        "/dev/null",
    ]


def gawk(directory: Path) -> list[str]:
    script = write(directory, "input.awk", AWK_SCRIPT)
    return [program("gawk"), "-f", script, write(directory, "text", text(3000))]


def python3(directory: Path) -> list[str]:
    return [program("python3"), "-B", "-S", write(directory, "input.py", PYTHON_SCRIPT)]


def perl(directory: Path) -> list[str]:
    return [program("perl"), write(directory, "input.pl", PERL_SCRIPT)]


def exceptions(_directory: Path) -> list[str]:
    return [compiled("compat/programs/exceptions.cc", "-O2", compiler="g++")]


def stubs(_directory: Path) -> list[str]:
    """The same with every call of a library through .plt.sec, bound when it is first called."""
    flags = ["-O1", "-fcf-protection", "-Wl,-z,ibtplt", "-Wl,-z,lazy"]
    return [compiled("compat/programs/exceptions.cc", *flags, compiler="g++")]


def threads(_directory: Path) -> list[str]:
    return [compiled("compat/programs/threads.c", "-O2", "-pthread")]


WORKLOADS = [
    Workload("xz", xz),
    Workload("bzip2", bzip2),
    Workload("sqlite3", sqlite3),
    Workload("cc1", compiler),
    Workload("gawk", gawk),
    Workload("python3", python3),
    Workload("perl", perl),
    Workload("exceptions", exceptions),
    Workload("stubs", stubs),
    Workload("threads", threads),
]
