"""cg2_diff --explain: whether a function's code is the same, by the code itself."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from shutil import which
from typing import Any

import cg2test
from toolsupport import command

from cg2tools.program.likecode import comparable, is_comparable

# Two loops whose rounds have nothing to do with each other, so that lines do not tell that it is data.
SOURCE = """\
#include <string.h>
#ifndef ROUNDS
#define ROUNDS 1000
#endif
#ifdef MOVED
int unrelated[900] = {1};
int before(int x) { return x * 7 + unrelated[x & 3]; }
#endif
volatile int sink = 5;
char text[300];
#ifdef HANDLER
#include <signal.h>
void HANDLER(int count)
{
   for (int i = 0; i < 100 * count; i++)
      sink += i;
}
#endif
const int table[] = {3, 1, 4, 1};
__attribute__((noinline)) int leaf(int x) { return x * table[x & 3]; }
__attribute__((noinline)) int rounds(int n)
{
   int sum = 0;
   for (int i = 0; i < n; i++)
      sum += sink;
   if (n > 100)
      for (int i = 0; i < n * n / 50; i++)
         sum ^= leaf(i) + (int)strlen(text);
   return sum;
}
__attribute__((noinline)) void fixed(void)
{
   for (int i = 0; i < ROUNDS; i++)
      sink ^= i;
}
int main(int count, char** given)
{
   memset(text, 'x', 20);
#ifdef HANDLER
   signal(SIGUSR1, HANDLER);
   raise(SIGUSR1);
#endif
   fixed();
   return rounds(count > 1 ? 150 : 60) == 1;
}
"""


ARM_SOURCE = """\
#define ALONE __attribute__((noinline))
#ifdef MOVED
int unrelated[900] = {1};
int before(int x) { return x * 7 + unrelated[x & 3]; }
#define OTHER 3
#else
#define OTHER 2
#endif
volatile int sink = 5;
char text[300];
const int table[] = {3, 1, 4, 1};
int many[2000];
ALONE int leaf(int x) { return x * table[x & 3]; }
ALONE int rounds(int n)
{
   int sum = 0;
   for (int i = 0; i < n; i++)
      sum += sink;
   if (n > 100)
      for (int i = 0; i < n * n / 50; i++)
         sum ^= leaf(i) + text[i & 7];
   return sum;
}
ALONE double reads(void) { return sink * 3.14159; }
ALONE int member(int* values) { return values[OTHER] + many[5]; }
ALONE void fixed(void) { for (int i = 0; i < ROUNDS; i++) sink ^= i; }
ALONE int calls(int x) { return OTHER == 2 ? leaf(x) + 1 : rounds(x) + 1; }
"""


class Code(unittest.TestCase):
    """A program that was linked again, so that all of it is elsewhere."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        (self.folder / "app.c").write_text(SOURCE)

    def build(self, name: str, *flags: str) -> Path:
        made = self.folder / name / "app"
        made.parent.mkdir()
        options = ["-g", "-O1", "-fno-stack-protector", *flags]
        subprocess.run(["gcc", *options, "-o", made, self.folder / "app.c"], check=True)
        return made

    def profiled(self, program: Path, *arguments: str, options: tuple[str, ...] = ()) -> Path:
        run = cg2test.run_cg2([program, *arguments], *options, environment=cg2test.lean_env())
        self.assertEqual(run.status, 0, run.stderr)
        return run.profile_paths[0]

    def causes(self, old: Path, new: Path) -> list[dict[str, Any]]:
        output = command("cg2_diff", "--explain", "--json", old, new)
        self.assertEqual((output.status, output.stderr), (0, ""))
        causes: list[dict[str, Any]] = json.loads(output.stdout)["causes"]
        return causes

    def kinds(self, old: Path, new: Path) -> dict[str, Any]:
        """The causes of functions whose own code, or what it does, is another."""
        causes = self.causes(old, new)
        return {cause["function"]: cause for cause in causes if cause["cause"] in ("self", "work")}

    def test_linked_again(self) -> None:
        """Code that lies elsewhere is the same; a loop with another bound in it is not, though its lines cost
        as many times what they did."""
        dump = ("--dump-instr=yes",)
        for number, link in enumerate(((), ("-no-pie",))):
            with self.subTest(link=link):
                old = self.build(f"old{number}", *link)
                new = self.build(f"new{number}", "-DMOVED", "-DROUNDS=2000", *link)
                was, now = (
                    self.profiled(program, *arguments, options=dump)
                    for program, arguments in ((old, ()), (new, ("more",)))
                )
                found = self.kinds(was, now)
                self.assertEqual(found["rounds"]["cause"], "work")
                self.assertEqual(found["fixed"]["cause"], "self")
                self.assertNotIn("suggest", found["rounds"]["text"])
                os.utime(new)
                self.assertEqual(self.kinds(was, now)["fixed"]["cause"], "self")

    def test_nameless(self) -> None:
        """Functions without names, which are at other addresses, are one if their code is the same."""
        dump = ("--dump-instr=yes",)
        old = self.build("old", "-s")
        new = self.build("new", "-s", "-DMOVED")
        was, now = self.profiled(old, options=dump), self.profiled(new, "more", options=dump)
        found = self.kinds(was, now)
        nameless = {name: cause for name, cause in found.items() if name.startswith("0x")}
        self.assertEqual({cause["cause"] for cause in nameless.values()}, {"work"})
        self.assertGreater(max(int(cause["costs"]["Ir"]) for cause in nameless.values()), 1000)

    def test_roots(self) -> None:
        """A function that nothing calls, such as a handler of signals, is one that has its code."""
        old = self.build("old", "-DHANDLER=on_signal")
        new = self.build("new", "-DHANDLER=tell", "-DMOVED")
        handlers = {"on_signal", "tell"}
        for options, expected in ((), handlers), (("--dump-instr=yes",), set()):
            was, now = (self.profiled(program, options=options) for program in (old, new))
            found = {cause.get("function") for cause in self.causes(was, now)}
            self.assertEqual(found & handlers, expected, options)

    def test_not_there(self) -> None:
        """Without instructions, or of a program that was built anew, lines tell, and it is said."""
        old, new = self.build("old"), self.build("new", "-DMOVED", "-DROUNDS=2000")
        found = self.kinds(self.profiled(old), self.profiled(new, "more"))
        self.assertEqual(found["rounds"]["cause"], "self")
        self.assertEqual(found["fixed"]["cause"], "work")
        self.assertIn("as its lines suggest", found["fixed"]["text"])
        dump = ("--dump-instr=yes",)
        was, now = self.profiled(old, options=dump), self.profiled(new, options=dump)
        self.assertEqual(self.kinds(was, now)["fixed"]["cause"], "self")
        new.write_bytes(old.read_bytes())
        self.assertEqual(self.kinds(was, now)["fixed"]["cause"], "work")


class Arm(unittest.TestCase):
    """The same of aarch64, whose code two instructions make an address in."""

    def functions(self, path: Path) -> dict[str, tuple[str, ...]]:
        """The code of each function, by its name."""
        listed = subprocess.run(["nm", "-S", path], capture_output=True, text=True, check=True)
        rows = [line.split() for line in listed.stdout.splitlines()]
        symbols = {row[3]: row[:2] for row in rows if len(row) == 4 and row[2] in "Tt"}
        pieces = {}
        for name, (start, size) in symbols.items():
            first = int(start, 16)
            pieces[name] = first, first + int(size, 16) - 4
        found = comparable(str(path), list(pieces.values()))
        return {name: found[piece] for name, piece in pieces.items()}

    def test_linked_again(self) -> None:
        """Code that lies elsewhere is the same; another bound, another variable's offset or another callee
        are not."""
        for program in ("clang", "ld.lld", "llvm-objdump"):
            if not which(program):
                self.skipTest(
                    f"{program} is not installed (Debian: apt-get install clang lld llvm)"
                )
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = folder / "app.c"
            source.write_text(ARM_SOURCE)
            sides = []
            for number, flags in enumerate((["-DROUNDS=1000"], ["-DROUNDS=2000", "-DMOVED"])):
                made = folder / f"app{number}"
                target = "--target=aarch64-linux-gnu", "-nostdlib", "-fuse-ld=lld", "-Wl,-e,rounds"
                subprocess.run(["clang", *target, "-O1", *flags, source, "-o", made], check=True)
                self.assertTrue(is_comparable(str(made)))
                sides.append(self.functions(made))
        old, new = sides
        same = {function for function, code in old.items() if code == new[function]}
        self.assertEqual(same, {"leaf", "rounds", "reads"})
        self.assertEqual(old.keys() - same, {"fixed", "member", "calls"})
        self.assertIn("adrp", " ".join(old["rounds"]))


if __name__ == "__main__":
    unittest.main()
