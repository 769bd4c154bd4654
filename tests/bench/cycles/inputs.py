"""What the programs of real.tsv work on: the same bytes each time, of no other source than chance."""

from __future__ import annotations

import random
from pathlib import Path

SQL = """create table t(a integer primary key, b integer, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 80000)
  insert into t select i, (i * 7919) % 10007, 'x' || ((i * 31) % 5003) from n;
create index tb on t(b);
select count(*), sum(a * b % 97) from t where b between 1000 and 6000;
select c, count(*) from t group by c order by 2 desc, 1 limit 5;
select count(*) from t x join t y on x.b = y.a where y.c like 'x1%';
select sum(length(c)) from (select c from t order by c desc);
"""
PYTHON = """
import re
class Shape:
    def __init__(self, w, h): self.w, self.h = w, h
    def area(self): return self.w * self.h
shapes = [Shape(i % 17, i * 7 % 23) for i in range(45000)]
counts = {}
for shape in shapes * 4:
    counts[shape.area()] = counts.get(shape.area(), 0) + 1
text = " ".join(f"k{i * 7919 % 1009}=v{i % 31}" for i in range(45000))
found = {m[1]: int(m[2]) for m in re.finditer(r"(k[0-9]+)=v([0-9]+)", text)}
sieve = bytearray([1]) * 450001
for i in range(2, 670):
    if sieve[i]:
        for j in range(i * i, 450001, i): sieve[j] = 0
print(sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:3], sum(found.values()), sum(sieve))
"""
PERL = r"""
my (%h, $t);
for my $i (1 .. 200000) { my $k = 'k' . ($i * 7919 % 1009); $h{$k}++; $t .= "$k " if $i % 3 == 0; }
my $n = 0;
while ($t =~ /(\w)(\d+) /g) { $n += $2; }
my @s = sort { $h{$b} <=> $h{$a} || $a cmp $b } keys %h;
my @a = sort { $a <=> $b } map { ($_ * 7919) % 10007 } 1 .. 150000;
my $s = 0;
for (@a) { $s = ($s * 31 + $_) % 1000003; }
print "$n $s[0] $s\n";
"""
LUA = """
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {} for i = 1, 200000 do t[i] = (i * 7919) % 10007 end table.sort(t)
local s = 0 for i = 1, #t do s = (s * 31 + t[i]) % 1000003 end
local parts = {} for i = 1, 60000 do parts[#parts + 1] = string.format("%d:%s", i, "abc") end
local c = 0 for w in table.concat(parts, " "):gmatch("%d+") do c = c + tonumber(w) end
print(fib(27), s, c)
"""
BC = """define f(n) { auto r, i; r = 1; for (i = 2; i <= n; i++) r *= i; return r }
scale = 250
f(2500) % 1000003
a = 0
for (i = 1; i < 20000; i++) a = (a * 31 + i) % 1000003
a
sqrt(2) * sqrt(3) / 7
4 * a(1)
e(1.5)
"""
TCL = """
proc collatz n { set s 0; while {$n != 1} {
  if {$n % 2} {set n [expr {3*$n+1}]} else {set n [expr {$n/2}]}; incr s }
  return $s }
set m 0
for {set i 1} {$i < 12000} {incr i} { set c [collatz $i]; if {$c > $m} {set m $c}
  lappend l "k[expr {$i*7919%1009}]" }
foreach k [lsort -unique $l] { append text $k " " }
puts "$m [string length $text] [regexp -all {k[0-9]*7 } $text]"
"""
M4 = """define(`forloop', `pushdef(`$1', `$2')_forloop($@)popdef(`$1')')dnl
define(`_forloop', `$4`'ifelse($1, `$3', `', `define(`$1', incr($1))$0($@)')')dnl
define(`word', `eval(`$1 * 7919 % 1009') translit(`abc$1', `a-c0-9', `x-z9876543210')')dnl
forloop(`i', 1, 30000, `word(i) ifelse(eval(i % 7), 0, `seven', `len(defn(`i'))')
')
"""
C = """struct s%d { int a, b; struct s%d *n; double d[4]; };
int f%d(struct s%d *p, int k) {
  int r = 0;
  for (int i = 0; i < k; i++) {
    while (p) { r += p->a * i; if (p->b > %d) r ^= p->b; else p->d[i & 3] += r; p = p->n; }
    switch (r & 7) { case 0: r += 3; break; case 1: r *= 5; break; case 2: r -= k; break; case 5: return r;
      default: r ^= i; }
  }
  return r;
}
"""
ASSEMBLY = """f%d: mov (%%rdi,%%rax,8), %%rbx
 add $%d, %%rbx
 cmp %%rbx, %%rcx
 jne 1f
 imul $%d, %%rbx, %%rdx
1: movups %d(%%rsp), %%xmm1
 mulps %%xmm1, %%xmm2
 call f%d
 ret
"""


def text(words: list[str], size: int) -> str:
    """Words, the first ones often, in lines."""
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(words[min(int(random.expovariate(1 / 300)), len(words) - 1)])
        length += len(parts[-1]) + 1
        if random.random() < 0.1:
            parts.append("\n")
    return " ".join(parts)


def make(folder: Path) -> None:
    """Writes all inputs."""
    random.seed(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(random.choices(letters, k=random.randint(2, 9))) for _ in range(3000)]
    names = [random.choice(words) for _ in range(25000)]
    tags = [random.sample(words, 4) for _ in names]
    sizes = [random.randrange(1000) for _ in names]
    items = list(zip(names, sizes, tags, strict=True))
    entries = ('{"name":"%s","size":%d,"tags":["%s"]}' % (n, s, '","'.join(t)) for n, s, t in items)
    elements = (
        '<item size="%d"><name>%s</name>%s</item>' % (s, n, "".join(f"<tag>{w}</tag>" for w in t))
        for n, s, t in items
    )
    files = {
        "text.6m": text(words, 6000000),
        "text.1m": text(words, 1500000),
        "words.txt": "".join(
            random.choice(words) + random.choice(words) + "\n" for _ in range(300000)
        ),
        "work.sql": SQL,
        "work.py": PYTHON,
        "work.pl": PERL,
        "work.lua": LUA,
        "work.bc": BC,
        "work.tcl": TCL,
        "work.m4": M4,
        "work.c": "".join(C % (i, i, i, i, i * 3) for i in range(60)),
        "work.s": "".join(ASSEMBLY % (i, i, i % 9 + 3, i % 50, i * 7 % 6000) for i in range(30000)),
        "work.json": "[" + ",\n".join(entries) + "]",
        "work.xml": "<all>" + "\n".join(elements) + "</all>",
    }
    for name, content in files.items():
        (folder / name).write_text(content)
    (folder / "blob").write_bytes(random.randbytes(40000000))
