"""--tool=callgrind that is cg2: what only that name changes, and the wrapper that makes it so."""

from __future__ import annotations

import os
import re
import subprocess
import unittest
from pathlib import Path

from case import Case
from cg2test import AS_CALLGRIND, HANG, Run, compile, new_directory, run_cg2
from cg2tools.profile.reader import read_profile
from stock import VALGRIND

WRAPPER = AS_CALLGRIND / "bin" / "valgrind"


def wrapped(*arguments: str | Path, directory: Path, **environment: str) -> Run:
    """Run the wrapper with nothing in the environment but what is given."""
    ended = subprocess.run(
        ["setarch", "-R", WRAPPER, *map(str, arguments)],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    return Run(ended.stdout, ended.stderr, ended.returncode, directory, sorted(directory.iterdir()))


def run_as_callgrind(*arguments: str | Path, **environment: str) -> Run:
    """Run `valgrind --tool=callgrind` in a fresh directory: the profiles are all that is in it."""
    return wrapped("--tool=callgrind", *arguments, directory=new_directory(), **environment)


class Guise(Case):
    def test_first_lines(self) -> None:
        """The default name; the first line says who counts, and the greeting is Callgrind's."""
        run = run_as_callgrind(compile("region.c", "-O0"))
        lines = re.sub(r"==\d+== ?", "", run.stderr).split("\n")
        self.assertRegex(lines[0], r"^cg2-[0-9.]+, ")
        self.assertEqual(lines[5], "For interactive control, run 'callgrind_control -h'.")
        self.assertRegex(run.profile_paths[0].name, r"^callgrind\.out\.[0-9]+$")
        self.assertNotIn("cg2_annotate", run.stderr)

    def test_greeting_with_prefix(self) -> None:
        prefix = f"--vgdb-prefix={new_directory()}/pipe"
        said = run_as_callgrind(prefix, compile("region.c", "-O0")).stderr
        self.assertIn(f"For interactive control, run 'callgrind_control {prefix} -h'.", said)
        self.assertEqual(run_as_callgrind("-q", compile("region.c", "-O0")).stderr, "")

    def test_prefix_of_options(self) -> None:
        """--callgrind: is taken, and options that only cg2 has are, too."""
        run = run_as_callgrind(
            "--callgrind:dump-instr=yes", "--function-files=first", compile("region.c", "-O0")
        )
        (profile,) = run.profile_paths
        self.assertIn("\npositions: instr line\n", profile.read_text())

    def test_last_level(self) -> None:
        """--L2 is the last level, as in Callgrind, and a private level for cg2 by its own name."""
        caches = "--I1=32768,8,64", "--D1=32768,8,64", "--L2=1048576,16,64"
        (profile,) = run_as_callgrind("-q", *caches, compile("region.c", "-O0")).profile_paths
        last = "desc: LL cache: 1048576 B, 64 B, 16-way associative"
        self.assertIn(last, profile.read_text())
        (profile,) = run_cg2(
            [compile("region.c", "-O0")], *caches, "--LL=2097152,16,64"
        ).profile_paths
        self.assertNotIn(last, profile.read_text())

    def test_debugging(self) -> None:
        """Options for debugging Callgrind are taken where they ask for nothing, and then do nothing."""
        program = compile("calls.c", "-O0")
        directory = new_directory()  # one for all: its name is in the environment
        totals = []
        for options in (), ("--mangle-names=yes", "--ct-verbose=0", "--collect-alloc=no"):
            run = wrapped("-q", "--tool=callgrind", *options, program, directory=directory)
            self.assertEqual((run.status, run.stderr), (0, ""))
            (path,) = run.profile_paths
            (part,) = read_profile(path).parts
            totals.append((part.events, part.self_total()))
            path.unlink()
        self.assertEqual(totals[0], totals[1])
        self.assertEqual(run_as_callgrind("--mangle-names=no", program).status, 1)
        said = run_cg2([program], "--mangle-names=yes").stderr
        self.assertIn("Unknown option: --mangle-names=yes", said)

    def test_all_kept(self) -> None:
        """--keep-all=yes keeps what Callgrind would overwrite; --keep-all=no does so under cg2's own name."""
        again = compile("exec.c", "-O0"), "1"
        run = run_as_callgrind("-q", "--trace-children=yes", "--keep-all=yes", *again)
        self.assertEqual([path.suffix == ".exec1" for path in run.profile_paths], [False, True])
        run = run_cg2(again, "--trace-children=yes", "--keep-all=no")
        (path,) = run.profile_paths
        (part,) = read_profile(path).parts
        part.check()
        self.assertNotIn("Image", part.descriptions)

    def test_child_overwrites(self) -> None:
        """Without %p in the name, parent and child write one file: the parent ends last."""
        program = compile("forking.c", "-O0")
        run = run_as_callgrind("-q", "--callgrind-out-file=one", program)
        self.assertEqual([path.name for path in run.profile_paths], ["one"])
        (part,) = read_profile(run.profile_paths[0]).parts
        part.check()
        self.assertNotIn("Parent", part.descriptions)


class Wrapper(unittest.TestCase):
    def test_other_tools(self) -> None:
        """What is not Callgrind is Valgrind's own, its version too; cg2 is there by its own name."""
        version = wrapped("--version", directory=new_directory())
        own = {**os.environ, "VALGRIND_LIB": str(VALGRIND.parents[1] / "libexec" / "valgrind")}
        stock = subprocess.run(
            [VALGRIND, "--version"], capture_output=True, text=True, check=True, env=own
        )
        self.assertEqual((version.status, version.stdout), (0, stock.stdout))
        said = wrapped("--tool=none", "/bin/true", directory=new_directory()).stderr
        self.assertIn("Nulgrind, the minimal Valgrind tool", said)
        run = wrapped("-q", "--tool=cg2", "--machine=zen3", "/bin/true", directory=new_directory())
        self.assertIn("\ndesc: Machine: AMD Zen 3", run.profile_paths[0].read_text())

    def test_children(self) -> None:
        """What the program starts is under the same tool."""
        options = "-q", "--tool=callgrind", "--trace-children=yes"
        run = wrapped(
            *options, "/bin/sh", "-c", "/bin/true; /bin/true; :", directory=new_directory()
        )
        self.assertEqual(len(run.profile_paths), 3)
        for path in run.profile_paths:
            self.assertIn("\ncreator: callgrind-cg2-", path.read_text())

    def refused(self, valgrind: Path) -> str:
        """What the wrapper says if its Valgrind is another file."""
        text = WRAPPER.read_text()
        changed = new_directory() / "valgrind"
        changed.write_text(re.sub(r"^valgrind=.*", f"valgrind='{valgrind}'", text, flags=re.M))
        changed.chmod(0o755)
        ended = subprocess.run([changed, "true"], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        return ended.stderr

    def test_another_valgrind(self) -> None:
        """The wrapper names the version that it finds, and the one that cg2 was built for."""
        built_for = re.search(r"^version='(.*)'$", WRAPPER.read_text(), re.M)
        assert built_for
        other = new_directory() / "valgrind"
        remedy = f"; cg2 was built for Valgrind {built_for[1]}: install that, or build cg2 anew\n"
        self.assertEqual(self.refused(other), f"cg2: {other} is gone{remedy}")
        other.write_text("#!/bin/sh\necho valgrind-3.1.0\n")
        os.chmod(other, 0o755)
        self.assertEqual(self.refused(other), f"cg2: {other} is valgrind-3.1.0{remedy}")


if __name__ == "__main__":
    unittest.main()
