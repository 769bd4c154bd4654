"""Paths of compilers have room by default: clang has millions of them. Only with --full: it takes minutes."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "lib"))

from case import FULL, Case  # noqa: E402  (found through the path just set)
from cg2test import new_directory, run_cg2  # noqa: E402

SOURCES = {
    "sorted.cc": """\
#include <algorithm>
#include <vector>
int sum(std::vector<int>& numbers)
{
   std::sort(numbers.begin(), numbers.end());
   int sum = 0;
   for (int number : numbers)
      sum += number;
   return sum;
}
""",
    "counted.rs": """\
use std::collections::HashMap;
fn main() {
    let mut counts: HashMap<String, Vec<u32>> = HashMap::new();
    for i in 0..100u32 {
        counts.entry(format!("{}", i % 7)).or_default().push(i);
    }
    let mut sums: Vec<u32> = counts.values().map(|list| list.iter().sum()).collect();
    sums.sort();
    println!("{:?}", sums);
}
""",
}


def compiler_of(source: Path) -> list[str]:
    """The compiler itself, which a driver or a script of rustup calls, and its options; []: there is none."""
    if source.suffix == ".rs":
        if not shutil.which("rustc"):
            return []
        root = subprocess.check_output(["rustc", "--print=sysroot"], text=True).strip()
        return [f"{root}/bin/rustc", "-O", "--emit=obj", "-Ccodegen-units=1", source.name]
    if not shutil.which("clang++"):
        return []
    told = subprocess.run(
        ["clang++", "-###", "-O2", "-c", source.name],
        cwd=source.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = (line for line in told.stderr.splitlines() if '"-cc1"' in line)
    return [word.strip('"') for word in line.split()]


@unittest.skipUnless(FULL, "takes minutes; --full runs it")
class Room(Case):
    def test_compilers(self) -> None:
        """At most a twentieth of all instructions is in (more), and the profile is whole."""
        for name, text in SOURCES.items():
            with self.subTest(name):
                source = new_directory() / name
                source.write_text(text)
                command = compiler_of(source)
                if not command:
                    self.skipTest("no clang or no rustc")
                options = ["--contexts=full", "--paths-out-file=paths"]
                run = run_cg2(command, *options, directory=source.parent)
                self.assertEqual(run.status, 0, run.stderr)
                more, total = 0, 0
                with (source.parent / "paths").open(encoding="utf-8", errors="replace") as lines:
                    for line in lines:
                        key, _, said = line.partition(":")
                        if key == "more":
                            more = int(said.split()[2])
                        elif key == "totals":
                            total = int(said.split()[0])
                self.assertGreater(total, 100_000_000)
                self.assertLessEqual(20 * more, total)


if __name__ == "__main__":
    unittest.main()
