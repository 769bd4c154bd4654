"""--combine-dumps=yes: all parts of a process in one file.

Each part, behind what is said once in the file, is a profile that passes all checks of one.
"""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

from case import LEVELS, STARTS, Case
from cg2test import TOOLS, Run, compile, env, new_directory, run_cg2, usage_of
from cg2tools.profile.reader import read_profile
from facts import Graph
from test_monitor import Monitored
from test_parts import RECURSIVE, THREADS, only

COMBINED = "--combine-dumps=yes"
PART = re.compile(r"^part: ", re.MULTILINE)


def texts(path: Path) -> list[str]:
    """What a file says once, with one of its parts each."""
    once, *parts = PART.split(path.read_text())
    return [f"{once}part: {part.rstrip()}\n" for part in parts]


class CombinedCase(Case):
    def check_combined(self, path: Path, numbers: list[int] | None = None) -> list[Graph]:
        """All that is true of a file with these parts (1, 2, ... unless said); give their call graphs."""
        directory = new_directory()
        graphs = []
        for n, text in enumerate(texts(path)):
            part = directory / f"part-{n}"
            part.write_text(text)
            graphs.append(self.check_part(part, STARTS))
        read = read_profile(path).parts
        self.assertEqual(
            [part.functions for part in read], [graph.part.functions for graph in graphs]
        )
        self.assertEqual(
            [graph.part.part for graph in graphs], numbers or list(range(1, len(graphs) + 1))
        )
        return graphs

    def check_sum(self, run: Run, graphs: list[Graph]) -> None:
        """The closing lines say what all parts have together."""
        self.check_closing_lines(run.stderr, ["Ir"], [sum(graph.total for graph in graphs)])

    def combined_of(self, program: Path, *options: str) -> list[Graph]:
        """Run `program`; give the call graph of each part of the one file that it leaves."""
        run = run_cg2([program], COMBINED, *options, "--check-cells=yes")
        self.assertEqual(run.status, 0, run.stderr)
        [path] = run.profile_paths
        graphs = self.check_combined(path)
        self.check_sum(run, graphs)
        return graphs


class Combined(CombinedCase):
    def test_parts(self) -> None:
        """The same parts as in files of their own, in the same order."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("parts.c", level, RECURSIVE, "-static")
                ours = self.combined_of(program, "--dump-before=region")
                trigger = "--dump-before=region"
                self.assertTriggers(ours, trigger, trigger, trigger, "Program termination")
                self.assertChained(ours)
                apart = self.parts_of(program, "--dump-before=region")
                for one, other in zip(ours, apart, strict=True):
                    self.assertEqual(one.part.functions, other.part.functions)

    def test_one_part(self) -> None:
        """A run without parts writes what it would write anyway."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        [one] = self.combined_of(program)
        self.assertEqual(one.part.functions, self.graph_of(program).part.functions)

    def test_too_large(self) -> None:
        """A file of 4 GiB, which KCachegrind reads wrong: said once, when it has become so large."""
        directory = new_directory()
        large = directory / "large"
        (directory / "profile").symlink_to(large)
        run = run_cg2(
            [compile("growing.c", "-O1", "-static"), large],
            COMBINED,
            out_file=str(directory / "profile"),
        )
        self.addCleanup(large.unlink)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertGreater(large.stat().st_size, 1 << 32)
        self.assertEqual(
            re.findall("warning: .*", run.stderr),
            [
                f"warning: '{directory}/profile' has 4 GiB or more, which KCachegrind reads wrong; "
                "--dump-instr=no makes profiles smaller, cg2_convert --for=speedscope this one"
            ],
        )

    def test_layout(self) -> None:
        """What Callgrind writes between parts; beside what cg2 says of processor, environment and objects."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        between = [
            re.findall(r"^totals: \d+$(.*?)^ob=", run_text(program, tool), re.MULTILINE | re.DOTALL)
            for tool in ("cg2", "callgrind")
        ]
        own = re.compile(r"^desc: (CPU|Environment|Started|Objects): .*\n", re.MULTILINE)
        ours, theirs = (
            [re.sub(r"\d+", "N", own.sub("", text)) for text in texts] for texts in between
        )
        self.assertEqual(len(ours), 4)
        self.assertEqual(ours, theirs)

    def test_uncompressed(self) -> None:
        """In any form of names and positions."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        for options in (
            ["--compress-strings=no", "--compress-pos=no"],
            ["--dump-instr=yes", "--format=spec"],
        ):
            with self.subTest(options=options):
                self.assertEqual(len(self.combined_of(program, "--dump-after=region", *options)), 4)

    def test_threads(self) -> None:
        """Threads that are kept apart are parts of one number, which differ in their thread."""
        program = compile("threads.c", "-O0", RECURSIVE, "-pthread", "-static")
        run = run_cg2([program, "2"], COMBINED, "--separate-threads=yes", "--dump-after=deep")
        self.assertEqual(run.status, 0, run.stderr)
        graphs = self.check_combined(run.profile_paths[0], numbers=[1, 2, 3, 3, 3])
        self.assertEqual(sorted(graph.part.thread or 0 for graph in graphs[:2]), [2, 3])
        self.assertEqual([graph.part.thread for graph in graphs[2:]], [1, 2, 3])
        self.check_sum(run, graphs)
        self.assertSum(graphs, self.graph_of(program, args=["2"], spontaneous=STARTS), *THREADS)

    def test_fork(self) -> None:
        """Each process has a file of its own."""
        run = run_cg2([compile("fork.c", "-O0", "-static")], COMBINED, "--dump-before=common")
        self.assertEqual(run.status, 0, run.stderr)
        processes = {path.name.split(".")[0] for path in run.profile_paths}
        runs = [only(run, process) for process in processes]
        child, parent = sorted((self.check_combined(one.profile_paths[0]) for one in runs), key=len)
        self.assertEqual([graph.called("common") for graph in parent], [0, 1, 1, 1, 1])
        self.assertEqual([graph.called("common") for graph in child], [0, 1, 1])
        self.assertEqual([graph.part.descriptions.get("Parent") for graph in parent], 5 * [None])
        self.assertEqual(
            {graph.part.descriptions["Parent"] for graph in child}, {str(parent[0].part.pid)}
        )

    def test_appears_whole(self) -> None:
        """A run that is killed leaves all parts that were written, complete, and nothing else."""
        monitored = Monitored(
            compile("waiting.c", "-O0", is_dynamic=True), COMBINED, "--dump-every-bb=5000"
        )
        monitored.kill()
        [path] = monitored.profiles()
        graphs = self.check_combined(path)
        self.assertGreater(len(graphs), 3)
        self.assertChained(graphs)
        self.assertEqual(
            {graph.part.descriptions["Trigger"] for graph in graphs}, {"--dump-every-bb=5000"}
        )

    def test_older_file(self) -> None:
        """The profile of an earlier run is replaced, not gone on with."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        first = run_cg2([program], COMBINED, "--dump-after=region", out_file="profile")
        run_cg2(
            [program], COMBINED, "--dump-after=nest", out_file="profile", directory=first.directory
        )
        graphs = self.check_combined(first.profile_paths[0])
        self.assertTriggers(graphs, "--dump-after=nest", "Program termination")

    def test_taken_away(self) -> None:
        """Where the file has gone, or is another, the next part begins a new one."""
        program = compile("moving.c", "-O0", "-static")
        directory = new_directory()
        (directory / "here").mkdir()
        profile = directory / "here" / "profile"
        run = run_cg2(
            [program, directory / "here", directory / "gone"],
            COMBINED,
            "--dump-after=work",
            out_file=str(profile),
        )
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(run.stderr.count("No such file or directory"), 2)
        graphs = self.check_combined(profile)
        self.assertEqual([graph.called("work") for graph in graphs], [1, 3, 0])
        self.assertEqual(sorted(path.name for path in profile.parent.iterdir()), ["profile"])

    def test_pipe(self) -> None:
        """What is no regular file gets one part after the other."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        where = new_directory()
        (where / "profiles").mkdir()
        (where / "profiles" / "link").symlink_to(where / "target")
        run_cg2([program], COMBINED, "--dump-after=region", out_file="link", directory=where)
        self.assertEqual(len(self.check_combined(where / "target")), 4)
        self.assertTrue((where / "profiles" / "link").is_symlink())

    def test_annotate(self) -> None:
        """cg2_annotate adds the parts up."""
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        run = run_cg2([program], COMBINED, "--dump-before=region")
        command = [str(TOOLS / "cg2_annotate"), "--auto=no", str(run.profile_paths[0])]
        said = subprocess.run(command, capture_output=True, text=True, env=env(), check=True)
        total = sum(graph.total for graph in self.check_combined(run.profile_paths[0]))
        self.assertIn(f"\n{total:,} (100.0%)  PROGRAM TOTALS\n", said.stdout)
        self.assertEqual(said.stderr, "")


def run_text(program: Path, tool: str) -> str:
    """The one file of a run in parts, from its first part's totals on."""
    run: Run = run_cg2([program], COMBINED, "--dump-before=region", tool=tool)
    [path] = run.profile_paths
    return "\n".join(path.read_text().splitlines()) + "\nob=\n"


class Speed(CombinedCase):
    alone = True

    def test_many_parts(self) -> None:
        """Ten times as many parts take at most twelve times as long."""
        program = compile("manyparts.c", "-O1", "-static")
        seconds = {}
        for n in (1000, 10000):
            path = new_directory() / "profile"
            usage = usage_of([program, str(n)], COMBINED, f"--cg2-out-file={path}")
            seconds[n] = usage.seconds
            self.assertEqual(len(read_profile(path).parts), n + 1)
        self.assertLessEqual(seconds[10000], 12 * seconds[1000])


class Exec(CombinedCase):
    def test_not_traced(self) -> None:
        """The program that is replaced writes the last part."""
        program = compile("exec.c", "-O0", "-static")
        run = run_cg2([program, "1"], COMBINED, "--dump-after=work")
        self.assertEqual(run.status, 0, run.stderr)
        graphs = self.check_combined(run.profile_paths[0])
        self.assertTriggers(graphs, "--dump-after=work", f"exec {program}")
        self.assertEqual([graph.called("once") for graph in graphs], [2, 0])

    def test_traced(self) -> None:
        """Each of the programs has all of its parts in its own file."""
        program = compile("exec.c", "-O0", "-static")
        run = run_cg2([program, "1"], COMBINED, "--dump-after=work", "--trace-children=yes")
        self.assertEqual(run.status, 0, run.stderr)
        replaced, last = sorted(run.profile_paths, key=lambda path: path.suffix)
        self.assertEqual([replaced.suffix, last.suffix], [".exec1", ".profile"])
        self.assertEqual([graph.called("once") for graph in self.check_combined(replaced)], [2, 0])
        self.assertEqual([graph.called("once") for graph in self.check_combined(last)], [1, 0])

    def test_failed(self) -> None:
        """What was written for an exec that fails is taken back; the parts before it stay."""
        broken = new_directory() / "broken"
        broken.write_bytes(b"\x7fELF is not enough")
        broken.chmod(0o755)
        program = compile("exec.c", "-O0", "-static")
        for options in ["--dump-after=once"], ["--dump-after=nothing"]:
            for traced in "no", "yes":
                with self.subTest(options=options, traced=traced):
                    run = run_cg2(
                        [program, "0", broken], COMBINED, f"--trace-children={traced}", *options
                    )
                    [path] = run.profile_paths
                    graphs = self.check_combined(path)
                    self.assertSum(graphs, self.graph_of(program, args=["0", broken]))
                    self.assertEqual(graphs[-1].part.descriptions["Trigger"], "Program termination")
                    self.check_sum(run, graphs)


if __name__ == "__main__":
    unittest.main()
