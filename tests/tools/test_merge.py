"""cg2_merge: processes and ranks under cg2, sums to the instruction, merges of merges, errors, memory."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

from profiletexts import SAMPLE
from largeprofiles import write_large
from test_speed import cost
from toolsupport import TOOLS, Output, annotate, command, written

import cg2test
import starts
from cg2tools.merge.imbalance import Imbalance
from cg2tools.profile.libcg2profile import Sum
from cg2tools.profile.libcg2profile import read as read_by_library
from cg2tools.profile.model import Part, Profile, ProfileError
from cg2tools.profile.reader import read_profile

# `work(n)` takes 2 * n + 1 instructions. The parent does 10 rounds, each child as many as its argument says.
PROGRAM = """\
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((naked)) void work(int n)
{ __asm__("1: dec %edi\\n jnz 1b\\n ret"); }
int main(int argc, char **argv)
{
   work(10);
   for (int i = 1; i < argc; i++) {
      if (fork() == 0) {
         work(atoi(argv[i]));
         _exit(0);
      }
      wait(0);
   }
   return 0;
}
"""


def merge(*arguments: str | Path, directory: Path | None = None) -> Output:
    return command("cg2_merge", *arguments, directory=directory)


def self_costs(part: Part) -> dict[str, int]:
    costs: dict[str, int] = {}
    for key, function in part.functions.items():
        costs[key.name] = costs.get(key.name, 0) + function.self_cost()[0]
    return costs


def only_part(path: Path) -> Part:
    (part,) = read_profile(path).parts
    part.check()
    return part


class Processes(unittest.TestCase):
    """A program under cg2."""

    folder: tempfile.TemporaryDirectory[str]
    program: Path

    @classmethod
    def setUpClass(cls) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            raise unittest.SkipTest(f"{cg2test.IN_PLACE} has no cg2")
        cls.folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        cls.program = Path(cls.folder.name) / "app"
        cls.program.with_suffix(".c").write_text(PROGRAM)
        subprocess.run(["gcc", "-g", "-O1", "-o", "app", "app.c"], cwd=cls.folder.name, check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def run_forks(self, *options: str) -> list[Path]:
        """The profiles of a parent and three children."""
        run = cg2test.run_cg2(
            [self.program, "100", "200", "300"], *options, environment=cg2test.lean_env()
        )
        self.assertEqual((run.status, len(run.profile_paths)), (0, 4), run.stderr)
        return run.profile_paths

    def test_fork(self) -> None:
        """Parent and children together: the sum of each function, of all calls, and of the files."""
        paths = self.run_forks("--dump-instr=yes", "--collect-jumps=yes")
        merged = paths[0].with_name("merged")
        output = merge("-o", merged, *paths)
        self.assertEqual((output.status, output.stdout, output.stderr), (0, "", ""))
        part = only_part(merged)
        parts = [only_part(path) for path in paths]
        self.assertEqual(part.totals, [sum(each.self_total()[0] for each in parts)])
        self.assertEqual(part.summary, part.totals)
        costs = self_costs(part)
        self.assertEqual(costs["work"], 2 * (10 + 100 + 200 + 300) + 4)
        for name, whole in costs.items():
            self.assertEqual(whole, sum(self_costs(each).get(name, 0) for each in parts), name)
        calls = [
            call
            for function in part.functions.values()
            for call in function.calls
            if call.callee.name == "work"
        ]
        self.assertEqual(
            sorted((call.count, call.inclusive) for call in calls), [(1, [21]), (3, [1203])]
        )
        (jump,) = [
            jump
            for function in part.functions.values()
            if function.key.name == "work"
            for jump in function.jumps
        ]
        self.assertEqual((jump.taken, jump.executed), (606, 610))
        self.assertEqual((part.pid, part.descriptions["Merged profiles"]), (None, "4"))

    def test_merge_of_merges(self) -> None:
        """In any order and in any groups: the same file, byte by byte."""
        a, b, c, d = self.run_forks()
        where = a.parent
        for out, files in (
            ("all", [a, b, c, d]), ("back", [d, c, b, a]), ("ab", [a, b]), ("cd", [c, d]),
            ("groups", [where / "cd", where / "ab"]), ("again", [where / "all"]),
        ):  # fmt: skip
            self.assertEqual(merge("-o", where / out, *files).status, 0)
        texts = [(where / name).read_bytes() for name in ("all", "back", "groups", "again")]
        self.assertEqual(texts, texts[:1] * 4)

    def test_paths(self) -> None:
        """Trees of processes add up path by path, to what their profiles add up to."""
        full = "--contexts=full", "--paths-out-file=%p.paths", "--separate-recs=9"
        profiles = self.run_forks(*full)
        trees = sorted(profiles[0].parent.parent.glob("*.paths"))
        self.assertEqual(len(trees), 4)
        merged, whole = profiles[0].with_name("sum.paths.gz"), profiles[0].with_name("sum.out")
        self.assertEqual(merge("-o", merged, *trees).stderr, "")
        merge("-o", whole, *profiles)
        profile, tree = only_part(whole), read_by_library(merged, paths=True)
        (part,) = tree.parts
        part.check()
        self.assertEqual(part.self_total(), profile.self_total())
        costs: dict[str, int] = {}
        for key, numbers in zip(part.functions(), part.self_costs()):
            costs[key.name] = costs.get(key.name, 0) + numbers[0]
        self.assertEqual(costs, self_costs(profile))
        one, other = (read_by_library(path, paths=True).parts[0] for path in trees[:2])
        self.assertLess(part.count, one.count + other.count)
        output = merge("-o", "x", trees[0], profiles[0], directory=merged.parent)
        self.assertIn("a profile; expected paths of calls", output.stderr)

    def test_paths_of_perl(self) -> None:
        """Two runs of a large program: paths add up to the profiles; what differs adds up to the
        difference."""
        if not shutil.which("perl"):
            self.skipTest("perl is not installed")
        profiles: list[Path] = []
        trees: list[Path] = []
        for number in 300, 500:
            script = (
                f"sub f {{ my $n = shift; $n < 2 ? 1 : f($n - 1) + f($n - 2) }}; $x{{$_ % 7}} .= f($_ "
                f"% 9) for 1..{number}; print sort values %x"
            )
            options = "--contexts=full", "--paths-out-file=%p.paths", "--cache-sim=yes"
            run = cg2test.run_cg2(["perl", "-e", script], *options, environment=cg2test.lean_env())
            self.assertEqual(run.status, 0, run.stderr)
            profiles += run.profile_paths
            trees += run.directory.glob("*.paths")
        sums = [path.with_name("sum") for path in (profiles[0], trees[0])]
        for files, output in zip((profiles, trees), sums):
            self.assertEqual(merge("-o", output, *files).stderr, "")
        profile, [part] = only_part(sums[0]), read_by_library(sums[1], paths=True).parts
        part.check()
        self.assertGreater(part.count, 2000)
        self.assertEqual(part.self_total(), profile.self_total())
        costs: dict[str, int] = {}
        for key, numbers in zip(part.functions(), part.self_costs()):
            costs[key.name] = costs.get(key.name, 0) + numbers[0]
        levels: dict[str, int] = {}
        for name, value in self_costs(profile).items():
            base = re.sub(r"'[0-9]+$", "", name)
            levels[base] = levels.get(base, 0) + value
        self.assertEqual(costs, levels)
        found = json.loads(command("cg2_diff", "--json", *trees).stdout)
        totals = [found[side]["total"] for side in ("old", "new")]
        differences = [0] * len(totals[0])
        for row in found["paths"]:
            for event, (old, new) in enumerate(
                zip(row["old"] or [0] * len(totals[0]), row["new"] or [0] * len(totals[0]))
            ):
                differences[event] += new - old
        self.assertEqual(differences, [new - old for old, new in zip(*totals)])

    def test_other_readers(self) -> None:
        """cg2_annotate checks the sum; callgrind_annotate shows the same total without a word."""
        paths = self.run_forks()
        merged = paths[0].with_name("merged")
        merge("-o", merged, *paths)
        checked = annotate("--check=calls", merged)
        self.assertEqual((checked.status, checked.stdout), (0, f"{merged}: ok, 1 part\n"))
        if not shutil.which("callgrind_annotate"):
            self.skipTest("callgrind_annotate is not installed")
        ended = subprocess.run(
            ["callgrind_annotate", "--auto=no", merged], capture_output=True, text=True, check=True
        )
        total = only_part(merged).self_total()[0]
        self.assertEqual(ended.stderr, "")
        self.assertIn(f"{total:,} (100.0%)  PROGRAM TOTALS", ended.stdout)

    def test_ranks(self) -> None:
        """Programs that are started as by mpirun, with the rank in the environment, get a table of who has
        how much to do."""
        where = cg2test.new_directory()
        rounds = [1000, 2000, 3000, 6000]
        for rank, count in enumerate(rounds):
            run = cg2test.run_cg2(
                [self.program, str(count)],
                "--toggle-collect=work",
                out_file="rank.%q{OMPI_COMM_WORLD_RANK}",
                environment=cg2test.lean_env(OMPI_COMM_WORLD_RANK=str(rank)),
                directory=where,
            )
            self.assertEqual(run.status, 0, run.stderr)
            for path in (where / "profiles").glob(f"rank.{rank}"):
                path.unlink()  # the parent's: the child's is the rank
            (child,) = (where / "profiles").glob(f"rank.{rank}.*")
            child.rename(where / f"rank.{rank}")
        files = [f"rank.{rank}" for rank in range(4)]
        output = merge("-o", "merged", "--imbalance", "--rows=1", *files, directory=where)
        self.assertEqual((output.status, output.stderr), (0, ""))
        self.assertEqual(output.rows(), [
            "Ir of mean file",
            "2,001 33.34% rank.0", "4,001 66.67% rank.1", "6,001 100.00% rank.2", "12,001 199.98% rank.3",
            "",
            "The mean is 6,001; the most, 12,001, is in rank.3: 99.98% above it.",
            "",
            "above mean mean most in function",
            f"6,000 6,001 12,001 rank.3 {self.program}.c:work [{self.program}]",
        ])  # fmt: skip
        self.assertEqual(
            only_part(where / "merged").totals, [sum(2 * count + 1 for count in rounds)]
        )


RANKS = """\
#include <mpi.h>

__attribute__((noinline)) int work(int rounds)
{
   int sum = 0;
   __asm__ volatile("1: add $1, %0\\n sub $1, %1\\n jnz 1b" : "+r"(sum), "+r"(rounds) : : "cc");
   return sum;
}

int main(int argc, char** argv)
{
   int rank, sum, whole = 0;
   MPI_Init(&argc, &argv);
   MPI_Comm_rank(MPI_COMM_WORLD, &rank);
   sum = work(100000 * (rank + 1));
   MPI_Reduce(&sum, &whole, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
   MPI_Finalize();
   return rank == 0 && whole != 1000000;
}
"""


class Mpi(unittest.TestCase):
    """The guide's recipe: a program with MPI, four ranks by mpirun, each with a profile of its own."""

    full = True

    def setUp(self) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        if not (shutil.which("mpirun") and shutil.which("mpicc")):
            self.skipTest(
                "Open MPI is not installed (Debian: apt-get install openmpi-bin libopenmpi-dev)"
            )

    def test_recipe(self) -> None:
        """The reduction says that all ranks worked; the table, which worked most; the sum, how much in
        all."""
        where = cg2test.new_directory()
        (where / "app.c").write_text(RANKS)
        subprocess.run(["mpicc", "-g", "-O1", "-o", "app", "app.c"], cwd=where, check=True)
        environment = cg2test.env(
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_rmaps_base_oversubscribe="1",
        )
        command = [
            "mpirun",
            "-n",
            "4",
            cg2test.VALGRIND,
            "--tool=cg2",
            "--cg2-out-file=rank.%q{OMPI_COMM_WORLD_RANK}",
        ]
        ended = subprocess.run(
            [*command, "./app"],
            cwd=where,
            env=environment,
            capture_output=True,
            text=True,
            timeout=cg2test.HANG,
            check=False,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        files = [f"rank.{rank}" for rank in range(4)]
        self.assertEqual(sorted(path.name for path in where.glob("rank.*")), files)
        output = merge("-o", "merged", "--imbalance", "--rows=0", *files, directory=where)
        self.assertEqual((output.status, output.stderr), (0, ""))
        # add, sub and jne for each round; mov and ret around them
        most = 3 * 400_000
        rows = [row for row in output.rows() if row.endswith(f"app.c:work [{where}/app]")]
        costs = [self_costs(only_part(where / name))["work"] for name in files]
        around = costs[0] - 3 * 100_000
        self.assertIn(around, range(2, 6))
        self.assertEqual(costs, [3 * 100_000 * rank + around for rank in range(1, 5)])
        mean = sum(costs) // 4
        self.assertEqual(
            rows,
            [
                f"{most + around - mean:,} {mean:,} {most + around:,} rank.3 {where}/app.c:work [{where}/app]"
            ],
        )
        self.assertEqual(self_costs(only_part(where / "merged"))["work"], sum(costs))
        self.assertEqual(only_part(where / "merged").descriptions["Merged profiles"], "4")


class Trees(unittest.TestCase):
    """The recipes for thousands of files, with a hundred: their sum is that of one process."""

    FILES = 100
    programs: ClassVar[starts.Programs]

    @classmethod
    def setUpClass(cls) -> None:
        cls.programs = starts.Programs(TOOLS, cg2test.compile("forked.c", "-O1"))
        cls.addClassCleanup(cls.programs.close)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for rank in range(self.FILES):
            functions = "".join(
                f"fn=f{number}\n{number} {rank + number} 1\ncfn=f{(rank * number) % 7}\ncalls={rank} 1\n2 "
                f"{number}\n"
                for number in range(rank % 3, 20)
            )
            text = f"cmd: app {rank % 2}\nevents: Ir Dr\nfl=a.c\n{functions}"
            (self.folder / f"rank.{rank}").write_text(text)
        names = [f"rank.{rank}" for rank in range(self.FILES)]
        self.assertEqual(merge("-o", "once", *names, directory=self.folder).status, 0)

    def check(self, *commands: str, shares: int) -> None:
        """The commands leave the same sum, and that of each of so many shares."""
        for line in commands:
            ended = subprocess.run(
                ["sh", "-c", line],
                cwd=self.folder,
                env=cg2test.env(
                    PATH=f"{self.programs.folder}:{cg2test.IN_PLACE / 'bin'}:{os.environ['PATH']}",
                    **self.programs.environment,
                    OMPI_ALLOW_RUN_AS_ROOT="1",
                    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                    OMPI_MCA_rmaps_base_oversubscribe="1",
                ),
                capture_output=True,
                text=True,
                timeout=cg2test.HANG,
                check=False,
            )
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(len(list(self.folder.glob("sum.*"))), shares)
        found = (self.folder / "app.merged").read_bytes()
        self.assertEqual(found, (self.folder / "once").read_bytes())
        self.assertIn(b"desc: Merged profiles: 100\n", found)

    def test_xargs(self) -> None:
        self.check(
            """ls rank.* | xargs -n 30 -P 3 sh -c 'cg2_merge -o sum.$$ "$@"' sh""",
            "cg2_merge -o app.merged sum.*",
            shares=4,
        )

    def test_make(self) -> None:
        recipe = (cg2test.SOURCE / "docs" / "recipes-cluster.md").read_text()
        start = recipe.index("sums := ")
        (self.folder / "Makefile").write_text(recipe[start : recipe.index("```", start)])
        self.check("make -j3", shares=10)

    def test_mpirun(self) -> None:
        """64 ranks, and 8 that add up what those have left."""
        if not shutil.which("mpirun"):
            self.skipTest("Open MPI is not installed (Debian: apt-get install openmpi-bin)")
        rank, size = "$OMPI_COMM_WORLD_RANK", "$OMPI_COMM_WORLD_SIZE"
        share = f'awk "NR % {size} == {rank}"'
        self.check(
            f"mpirun -n 64 sh -c 'cg2_merge -o sum.{rank} $(ls rank.* | {share})'",
            f"mpirun -n 8 sh -c 'cg2_merge -o sums.{rank} $(ls sum.* | {share})'",
            "cg2_merge -o app.merged sums.*",
            shares=64,
        )


def merged(*texts: str) -> Profile:
    total = Sum()
    with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
        path = Path(folder) / "profile"
        for text in texts:
            path.write_text(text)
            total.add_profile(read_by_library(path))
        total.result().write(path)
        return read_profile(path)


class Text(unittest.TestCase):
    """Profiles written by hand."""

    HEAD = (
        "creator: x\ncmd: ./app\ndesc: Kind: all\ndesc: Trigger: {0}\nevent: S = 2 Ir : Sum\nevents: Ir "
        "Dr\n"
    )

    def test_all(self) -> None:
        """Every line of a sum: costs, code of another file, calls, jumps, skipped functions, the header."""
        first = (
            "pid: 1\n"
            + self.HEAD.format("a")
            + """\
desc: Skipped: 3 skip
ob=o
fl=a.c
fn=f
1 10 1
3 5
cfi=b.c
cfn=g
calls=2 7
3 40 2
jcnd=3/9 1
3
fi=b.h
8 1
"""
        )
        second = (
            "pid: 2\n"
            + self.HEAD.format("b")
            + """\
desc: Skipped: 4 skip
ob=o
fl=a.c
fn=f
1 100
4 50 6
cfi=b.c
cfn=g
calls=1 7
3 400 20
jcnd=1/2 1
3
fl=b.c
fn=g
7 1
"""
        )
        self.assertEqual(
            written(merged(first, second)),
            """\
# callgrind format
version: 1
creator: x
cmd: ./app
desc: Kind: all
desc: Merged profiles: 2
desc: Skipped: 7 skip
positions: line
event: S = 2 Ir : Sum
events: Ir Dr
summary: 167 7

ob=(1) o
fl=(1) a.c
fn=(1) f
1 110 1
+2 5
jcnd=4/11 -2
*
cfi=(2) b.c
cfn=(2) g
calls=3 +4
* 440 22
+1 50 6
fi=(3) b.h
+4 1

fl=(2)
fn=(2)
7 1

totals: 167 7
""",
        )

    def test_many_shapes(self) -> None:
        """Each file has a line and a call of its own, and lines that all have."""
        texts = [f"events: Ir\nfn=f\n1 1\n{number} 5\ncfn=g\ncalls=1 {number}\n2 7\ncfn=g\ncalls=1 1\n2 3\n"
                 for number in range(10, 60)]  # fmt: skip
        (part,) = merged(*texts).parts
        (function,) = [function for key, function in part.functions.items() if key.name == "f"]
        self.assertEqual({place.line: cost for place, cost in function.costs.items()},
                         {1: [50]} | {number: [5] for number in range(10, 60)})  # fmt: skip
        self.assertEqual(sorted((call.target.line, call.count, call.inclusive) for call in function.calls),
                         [(1, 50, [150])] + [(number, 1, [7]) for number in range(10, 60)])  # fmt: skip
        self.assertEqual((part.summary, part.totals), ([300], [300]))

    def test_parts(self) -> None:
        """A file's parts are added up; a number of another width is the same; all events count."""
        text = (
            SAMPLE.decode()
            .replace("positions: line\n", "positions: instr line\n")
            .replace("3 7\n", "0x9 3 7 4\n")
        )
        text = text.replace("summary: 7\n", "").replace("totals: 7\n", "")
        (part,) = merged(text).parts
        self.assertEqual((part.summary, part.descriptions.get("Trigger")), ([145, 17], None))
        self.assertEqual(part.self_total(), [145, 17])

    def test_too_large(self) -> None:
        """A profile's numbers have 64 bits: a sum that has more is refused."""
        half = f"events: Ir\nfn=f\n1 {1 << 63}\n"
        self.assertEqual(merged(half, "events: Ir\nfn=f\n1 5\n").parts[0].totals, [(1 << 63) + 5])
        with self.assertRaisesRegex(
            ProfileError, ":1: its sum with the other profiles does not fit into 64 bits"
        ):
            merged(half, half)

    def test_commands(self) -> None:
        self.assertEqual(
            merged("cmd: a\nevents: Ir\n", "cmd: b\nevents: Ir\n").parts[0].cmd,
            "(several commands)",
        )

    def test_imbalance(self) -> None:
        """Recursion levels are one function; a function that one file lacks costs nothing there."""
        table = Imbalance("Dr")
        for text in ("fn=f\n1 9 6\nfn=f'2\n1 9 4\nfn=g\n1 9 0\n", "fn=g\n1 9 2\n"):
            with tempfile.NamedTemporaryFile("w", prefix="profile.") as file:
                file.write("events: Ir Dr\n" + text)
                file.flush()
                table.add(read_by_library(file.name))
        rows = [" ".join(row.split()[:3]) for row in table.lines(0)]
        self.assertEqual(rows[1][:9], "10 166.67")
        self.assertEqual(rows[2][:8], "2 33.33%")
        self.assertEqual(rows[-2:], ["5 5 10", "1 1 2"])

    def test_names_of_imbalance(self) -> None:
        """Functions are named as people say them, overloads told apart by their parameters; or in full."""
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            profile = Path(folder) / "a"
            profile.write_text(
                "events: Ir\nfl=a.cc\nfn=void g<int>(int)\n1 4\nfn=f(int)\n1 9\nfn=f(long)\n1 5\n"
            )
            for option, names in (
                ("--names=short", ["f(int)", "f(long)", "g<int>"]),
                ("--names=full", ["f(int)", "f(long)", "void g<int>(int)"]),
            ):
                lines = merge("--imbalance", option, str(profile)).stdout.splitlines()
                found = sorted(line.partition("a.cc:")[2] for line in lines if "a.cc:" in line)
                self.assertEqual(found, names)


class Errors(unittest.TestCase):
    """Each error is one line, and nothing is written."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "a").write_text("version: 1\npositions: line\nevents: Ir\nfn=f\n1 2\n")

    def check(self, status: int, error: str, *arguments: str) -> None:
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        output = merge(*arguments, directory=self.folder)
        self.assertEqual((output.status, output.stdout, output.stderr), (status, "", error + "\n"))
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_not_alike(self) -> None:
        for text, error in (
            ("version: 1\nevents: Ir Dr\nfn=f\n1 2\n", "b:2: events: Ir Dr; expected Ir as in a"),
            ("positions: instr line\nevents: Ir\n", "b:1: positions: instr line; expected line as in a"),
            ("version: 0\nevents: Ir\n", "b:1: version: 0; expected 1 as in a"),
            ("events: Ir\nfn=f\nx\n",
                "b:3: unknown line 'x'; expected 'key: value', 'spec=name' or a cost line"),
            ("creator: callgrind-cg2-0.1\nevents: Ir\nsummary: 3\nfn=f\n1 2\ntotals: 2\n",
             "b:3: summary: says 3 Ir, but the self costs add up to 2; expected the same"),
        ):  # fmt: skip
            with self.subTest(error):
                (self.folder / "b").write_text(text)
                self.check(1, error, "-o", "out", "a", "a", "b")

    def test_files(self) -> None:
        self.check(1, "nosuch: No such file or directory", "-o", "out", "a", "nosuch")
        self.check(1, "nosuch/out: No such file or directory", "-o", "nosuch/out", "a")
        self.check(1, ".: Is a directory", "-o", ".", "a")
        self.check(1, "a: is to be merged and cannot be written as well; expected another name for the sum",
                   "-o", "./a", "a")  # fmt: skip
        self.check(1, "a:3: no event 'Dr'; expected one of Ir", "--imbalance", "--sort=Dr", "a")

    def test_standard_input(self) -> None:
        """A file "-" is standard input: a pipe or a file, which is not the one to write."""
        text = (self.folder / "a").read_text()
        sums = [sys.executable, str(TOOLS / "cg2_merge"), "-o", "out", "a", "-"]
        ended = subprocess.run(
            sums, cwd=self.folder, input=text, capture_output=True, text=True, check=False
        )
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))
        self.assertIn("\ntotals: 4\n", (self.folder / "out").read_text())
        for given, said in (
            ("out", "-: is to be merged and cannot be written as well; expected another name for the sum"),
            ("/dev/null", "standard input:1: the file is empty; expected a profile"),
        ):  # fmt: skip
            with open(self.folder / given) as stream:
                ended = subprocess.run(
                    sums, cwd=self.folder, stdin=stream, capture_output=True, text=True, check=False
                )
            self.assertEqual((ended.returncode, ended.stderr), (1, said + "\n"))

    def test_full_disk(self) -> None:
        """Nothing of a file stays that does not fit; a device that is full is said by its name."""
        many = "".join(f"fn=f{i}\n{i} 1\n" for i in range(2000))
        (self.folder / "a").write_text(f"events: Ir\n{many}")
        command = [sys.executable, str(TOOLS / "cg2_merge"), "-o"]
        for out, limits, said in (
            ("out", (5000, 5000), "out: File too large\n"),
            ("/dev/full", (resource.RLIM_INFINITY,) * 2, "/dev/full: No space left on device\n"),
        ):
            ended = subprocess.run(
                [*command, out, "a"],
                cwd=self.folder,
                capture_output=True,
                text=True,
                check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
            )
            self.assertEqual((ended.returncode, ended.stderr), (1, said))
            self.assertEqual(sorted(os.listdir(self.folder)), ["a"])

    def test_arguments(self) -> None:
        self.check(
            2,
            "cg2_merge: nothing to do; expected -o OUT, --imbalance, or both; see cg2_merge --help",
            "a",
        )
        self.check(
            2,
            "cg2_merge: the following arguments are required: FILE; see cg2_merge --help",
            "-o",
            "out",
        )
        self.check(2,
            "cg2_merge: argument --rows: 'x'; expected a number of lines, 0 or more; see cg2_merge --help",
                   "--rows=x", "a")  # fmt: skip

    def test_progress(self) -> None:
        """A terminal sees how far it is, and nothing of it remains; a pipe sees nothing."""
        program = (
            "import threading, time; clock = iter(range(100)); time.monotonic = lambda: next(clock);"
            "from cg2tools.merge.main import MERGE; MERGE.run(['-o', 'out'] + ['a'] * 5)"
        )
        command = [sys.executable, "-c", program]
        environment = {"PYTHONPATH": str(TOOLS), "PATH": os.environ["PATH"]}
        master, terminal = os.openpty()
        subprocess.run(command, cwd=self.folder, env=environment, stderr=terminal, check=True)
        os.close(terminal)
        shown = os.read(master, 10_000).decode()
        os.close(master)
        self.assertTrue(shown.startswith("\rcg2_merge: reading 5 files: 40 %"), shown)
        self.assertTrue(shown.endswith("\r"), shown)
        ended = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, check=True
        )
        self.assertEqual((ended.stdout, ended.stderr), (b"", b""))

    def test_help(self) -> None:
        self.assertLess(max(map(len, merge("--help").stdout.splitlines())), 81)


class Memory(unittest.TestCase):
    """The memory of a merge grows with the functions, not with the files."""

    def peak(self, folder: Path, size: int, files: int) -> int:
        """The largest resident set, in KB, of merging that many files of `size` bytes; the sum is checked."""
        one = folder / "one"
        write_large(one, size)
        paths = [str(folder / str(number)) for number in range(files)]
        for path in paths:
            if not os.path.exists(path):
                os.symlink(one, path)
        arguments = [
            sys.executable,
            str(TOOLS / "cg2_merge"),
            "-o",
            str(folder / "sum"),
            "--imbalance",
            *paths,
        ]
        _, memory = cost(arguments, folder / "table")
        whole, single = only_part(folder / "sum"), read_profile(one).parts[0]
        self.assertEqual(whole.totals, [files * single.self_total()[0]])
        return memory

    def test_memory(self) -> None:
        """Eighty files take no 3 MB more than eight."""
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            few, many = (self.peak(Path(folder), 50_000, files) for files in (8, 80))
        self.assertLess(many - few, 3_000)

    def test_thousand_files(self) -> None:
        """A thousand files of 1 MB in 200 MB."""
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            self.assertLess(self.peak(Path(folder), 1_000_000, 1000), 200_000)

    test_thousand_files.full = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    unittest.main()
