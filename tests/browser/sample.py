"""A profile of which every figure is known, its source file, and an older one to compare it with."""

from __future__ import annotations

SOURCE = """\
#include "app.h"

int main(int count, char** words)
{ work(count);
  return leaf(words); }


void work(int count) { for (int i = 0; i < count; i++)
      leaf(0); }


int leaf(void* unused) { return unused == 0; }
"""


PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 7
cmd: ./app 1
part: 1
thread: 1
desc: Trigger: phase one
desc: Timerange: all
positions: line
event: Est = Ir + 10 Dr : Estimate
events: Ir Dr D1m_8k D1m_16k
summary: 1000 50 20 2
ob=/bin/app
fl=app.c
fn=main
3 90 4 5 1
5 10 0 0 0
cfn=work
calls=2 8
4 900 46 15 1
fn=work
8 600 30 10 1
9 100 6 0 0
cfn=leaf
calls=6 12
9 200 10 5 0
fn=leaf
12 200 10 5 0
totals: 1000 50 20 2

part: 2
thread: 1
desc: Trigger: phase two
desc: Timerange: all
positions: line
events: Ir Dr D1m_8k D1m_16k
summary: 300 10 4 0
ob=/bin/app
fl=app.c
fn=main
5 100 0 0 0
cfi=lib<b>.c
cfn=</script><i>odd & "quoted"
calls=1 3
5 50 3 1 0
cfi=app.c
cfn=leaf
calls=1 12
5 150 7 3 0
fn=leaf
12 150 7 3 0
fl=lib<b>.c
fn=</script><i>odd & "quoted"
3 50 3 1 0
totals: 300 10 4 0

part: 1
thread: 2
desc: Threads: 2 loader
desc: Trigger: phase one
desc: Timerange: all
positions: line
events: Ir Dr D1m_8k D1m_16k
summary: 700 0 0 0
ob=/bin/app
fl=app.c
fn=leaf
12 700 0 0 0
totals: 700 0 0 0
"""

# work cost 200 less on its first line, leaf was called twice less, and gone() was there.
OLD = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 6
cmd: ./app 1
positions: line
events: Ir Dr D1m_8k D1m_16k
summary: 1805 60 24 2
ob=/bin/app
fl=app.c
fn=main
3 90 4 5 1
5 110 0 0 0
cfn=work
calls=2 8
4 700 46 15 1
cfn=leaf
calls=1 12
5 150 7 3 0
cfi=lib<b>.c
cfn=</script><i>odd & "quoted"
calls=1 3
5 50 3 1 0
cfi=app.c
cfn=gone
calls=1 20
5 5 0 0 0
fn=work
8 400 30 10 1
9 100 6 0 0
cfn=leaf
calls=4 12
9 200 10 5 0
fn=leaf
12 1050 17 8 0
fn=gone
20 5 0 0 0
fl=lib<b>.c
fn=</script><i>odd & "quoted"
3 50 3 1 0
totals: 1805 60 24 2
"""


def deep(levels: int) -> str:
    """A profile of functions that call each other one below the other."""
    text = ["events: Ir", "fl=deep.c"]
    for level in range(levels):
        text.append(f"fn=f{level}\n{level + 1} 1")
        if level + 1 < levels:
            text.append(f"cfn=f{level + 1}\ncalls=1 {level + 2}\n{level + 1} {levels - level - 1}")
    return "\n".join(text) + "\n"


# Profiles that lack something, or have much of it; and the views of each.
MOST = ["Summary", "Functions", "Calls", "Call graph", "Flame graph", "Treemap"]
ODD = {
    "nothing": ("events: Ir\n", [*MOST, "Source"]),
    "no addresses": ("positions: instr line\nevents: Ir\n", [*MOST, "Source", "Machine code"]),
    "no cost": ("events: Ir\nfl=a.c\nfn=f\n1 0\ncfn=g\ncalls=1 2\n1 0\n", [*MOST, "Source"]),
    "addresses only": (
        "positions: instr\nevents: Ir\nob=/no/app\nfn=f\n0x10 1\n0x5000 2\n",
        [*MOST, "Machine code"],
    ),
    "no calls": (
        "desc: I1 cache: none\ncmd: ./app\nevents: Ir\nfl=/no/a.c\nfn=f\n1 3\n0 4\nsummary: 7\n",
        [*MOST, "Source"],
    ),
    "circle": (
        "events: Ir\nfl=a.c\nfn=f\n1 3\ncfn=g\ncalls=2 2\n1 8\nfn=g\n2 4\ncfn=f\ncalls=1 1\n2 3\n",
        [*MOST, "Source"],
    ),
    "call only": (
        "positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x10 1 0\ncfn=g\ncalls=1 0x40 2\n0x14 1 9\nfn=g\n"
        "0x40 2 9\n",
        [*MOST, "Source", "Machine code"],
    ),
    "deep": (deep(1500), [*MOST, "Source"]),
    "large numbers": (
        f"events: Ir\nfl=a.c\nfn=f\n1 {(1 << 53) - 1}\nfn=g\n2 {(1 << 60) + 512}\nfn=h\n3 70000\n",
        [*MOST, "Source"],
    ),
}


# A function of 10,000 Ir: one instruction has 90 % of them, and five have less than 10 % each.
CUT = """\
positions: instr line
events: Ir
ob=/no/app
fl=cut.c
fn=hot
0x10 1 9000
jcnd=5/60 0x10 1
0x14 2
0x14 2 60
jcnd=5/200 0x10 1
0x18 3
0x18 3 200
cfn=cold
calls=7 0x100 20
0x1c 4 30
fn=cold
0x100 20 30
fl=other.c
fn=warm
0x200 5 640
jump=1 0x200 5
0x204 6
0x204 6 70
"""


def large(lines: int) -> str:
    """A profile with addresses of so many cost lines, in functions of fifty that call each other."""
    text = [
        "# callgrind format",
        "positions: instr line",
        "events: Ir Dr Dw",
        "ob=(1) /bin/large",
        "fl=(1) large.c",
    ]
    for number in range(lines // 50):
        text.append(f"fn=({number + 1}) function_{number}")
        text.extend(
            f"{0x1000 + number * 256 + at * 4:#x} {number * 60 + at} {number % 97 + at} {at} 1"
            for at in range(50)
        )
        if number:
            callee = number // 2 + 1
            text.append(f"cfn=({callee})\ncalls=3 {0x1000 + callee * 256 - 256:#x} 1")
            text.append(f"{0x1000 + number * 256:#x} 1 {9 * number} 5 1")
    return "\n".join(text) + "\n"


VECTOR = "std::vector<int, std::allocator<int> >::at(unsigned long)"

SAID = f"""\
events: Ir
ob=/lib/libx.so
fl=app.c
fn={VECTOR}
1 60
cfn=0x0000000000014c40
calls=1 0
1 30
fn=0x0000000000014c40
2 30
fn=f(int)
3 6
fn=f(long)
4 4
"""
"""Names that people say otherwise."""

SAID_BEFORE = SAID.replace("1 60", "1 50")

SCOPES = {
    "main": "",
    "f(std::vector<int>)": "",
    "void std::sort<int*>(int*, int*)": "std",
    "std::ostream& std::operator<< <char>(std::ostream&, char const*)": "std",
    "(anonymous namespace)::run(int)": "(anonymous namespace)",
    "main::{lambda(int)#1}::operator()(int) const": "main::{lambda(int)#1}",
    "A::f() const::{lambda()#1}::operator()() const": "A::f() const::{lambda()#1}",
    "Pointer::operator->() const": "Pointer",
    "operator new(unsigned long)": "",
    "ns::operator<(ns::A, ns::A)": "ns",
    "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop": "<alloc::vec::Vec<T> as core::ops::drop::Drop>",
    "app::call<fn() -> app::Order>": "app",
}
"""Names of functions in C++ and Rust, each with its scope."""

CALLED_TWICE = """\
events: Ir
fl=a.c
fn=main
1 10
cfn=small
calls=1 2
1 15
cfn=large
calls=1 3
1 185
fn=small
2 5
cfn=middle
calls=1 4
2 10
fn=large
3 85
cfn=middle
calls=1 4
3 100
fn=middle
4 10
cfn=leaf
calls=2 5
4 100
fn=leaf
5 100
"""
"""Nobody knows from here how much leaf costs when small has called middle: a share of 10 in 110."""

CHAINS = """\
events: Ir
fl=a.c
fn=main
1 10
cfn=small'main
calls=1 2
1 15
cfn=large'main
calls=1 3
1 185
fn=small'main
2 5
cfn=middle'small'main
calls=1 4
2 10
fn=large'main
3 85
cfn=middle'large'main
calls=1 4
3 100
fn=middle'small'main
4 8
cfn=leaf'middle'small'main
calls=1 5
4 2
fn=middle'large'main
4 2
cfn=leaf'middle'large'main
calls=1 5
4 98
fn=leaf'middle'small'main
5 2
fn=leaf'middle'large'main
5 98
"""
"""The same run with --separate-callers, which knows: 2."""

PASSED_ON = """\
events: Ir
fl=a.c
fn=_start
1 2
cfn=main
calls=1 2
1 1008
fn=main
2 8
cfn=work
calls=1 3
2 700
cfn=clone
calls=1 5
2 1
cfn=report
calls=1 4
2 299
fn=work
3 700
fn=report
4 1
cfn=print
calls=1 6
4 298
fn=print
6 298
fn=clone
5 1
cfn=thread
calls=1 7
5 500
fn=thread
7 500
"""
"""Ways from the program's start and from a thread's. report passes on, too, but on no way of all that is
spent."""

# start hands on to run; hot calls itself, ping and pong each other.
GRAPH = """\
events: Ir
fl=graph.c
fn=start
1 1
cfn=run
calls=1 2
1 999
fn=run
2 100
cfn=hot
calls=4 3
2 600
cfn=ping
calls=1 4
2 290
cfn=tiny
calls=1 6
2 9
fn=hot
3 600
cfn=hot
calls=5 3
3 20
fn=ping
4 100
cfn=pong
calls=3 5
4 190
fn=pong
5 190
cfn=ping
calls=2 4
5 40
fn=tiny
6 9
"""

# a and b both reach d, through c; nobody but c calls d.
MERGED = """\
events: Ir
fl=merged.c
fn=main
1 100
cfn=a
calls=1 2
1 300
cfn=b
calls=2 3
1 500
fn=a
2 100
cfn=c
calls=1 4
2 200
fn=b
3 100
cfn=c
calls=2 4
3 400
fn=c
4 60
cfn=d
calls=3 5
4 540
fn=d
5 540
"""

SWEPT = """\
events: Ir D16Kmr D8Kmr D16Kmw D8Kmw I1Kmr I2Kmr I4Kmr
fl=a.c
fn=reader
1 100 8 30 0 1 3 2 1
fn=writer
2 50 1 2 20 40
"""
"""Misses of reads and of writes in caches of two sizes, and of code in three."""

# f is called by a and b, and calls a, which calls f once more: levels 2 of both.
LEVELS = """\
events: Ir
fl=levels.c
fn=main
1 5
cfn=a
calls=1 2
1 555
cfn=b
calls=1 3
1 45
fn=a
2 505
cfn=f
calls=1 4
2 50
fn=b
3 5
cfn=f
calls=1 4
3 40
fn=f
4 70
cfn=a'2
calls=1 2
4 20
fn=a'2
2 4
cfn=f'2
calls=1 4
2 16
fn=f'2
4 16
"""


# via costs little itself, but nearly all of hot is called by it; a thread starts in other.
WAYS = """\
events: Ir
fl=ways.c
fn=main
1 300
cfn=via
calls=1 2
1 410
fn=via
2 10
cfn=hot
calls=4 3
2 400
fn=hot
3 401
fn=other
4 289
cfn=hot
calls=1 3
4 1
"""


def wide(functions: int) -> str:
    """A profile of a function that calls many, which all call one more."""
    text = ["events: Ir", "fl=wide.c", "fn=main", "1 1"]
    for number in range(functions):
        text.append(f"cfn=f{number}\ncalls=1 2\n1 11")
    for number in range(functions):
        text.append(f"fn=f{number}\n2 1\ncfn=leaf\ncalls=1 3\n2 10")
    text.append(f"fn=leaf\n3 {10 * functions}")
    return "\n".join(text) + "\n"
