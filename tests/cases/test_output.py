"""The profile as a file: its name and mode, when it appears, its text by option; and what stderr says."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import unittest
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from case import Case
from cg2test import (
    MACHINE,
    TOOL,
    Run,
    compile,
    env,
    new_directory,
    part_of,
    profile_of,
    run_cg2,
    text_of_any_run,
)
from cg2tools.profile.model import Part
from cg2tools.profile.positions import Position
from disassembly import CALL, decoded, instructions
from facts import Graph

PROGRAM = "calls.c"
NO_OPTIONS: list[str] = []

SWITCHES = [
    "--dump-line", "--dump-instr", "--dump-bb", "--compress-strings", "--compress-pos", "--combine-dumps",
    "--keep-all",
    "--separate-threads", "--skip-direct-rec", "--skip-plt", "--collect-jumps", "--trace-jump",
    "--collect-atstart", "--collect-alloc", "--collect-bus", "--collect-rep", "--check-cells",
]  # fmt: skip
NUMBERS = {
    "--separate-recs": "1 to 1000",
    "--separate-callers": "0 to 1000",
    "--dump-every-bb": "0 to 1000000000000000000",
    "--data-callers": "1 to 64",
}
NUMBERED = {
    "--separate-recs": "1 to 1000",
    "--separate-callers": "0 to 1000",
    "--fn-group": "1 to 1000000",
}
TOO_LARGE = ["1000000000000000001", "18446744073709551617", 30 * "9"]  # the second is 1 in 64 bits
PATTERNS = [
    "--dump-before", "--dump-after", "--zero-before", "--toggle-collect", "--fn-skip", "--obj-skip",
    "--pop-on-jump",
]  # fmt: skip
PATTERN = "expected a name, which may contain * and ?"
WORDS = {
    "--format": "callgrind or spec",
    "--function-files": "declared or first",
    "--collect-scope": "thread, process or session",
    "--instr-atstart": "no, yes or inherit",
    "--data": "no, misses, accesses or together",
    "--collect-systime": "no, yes, msec, usec or nsec",
}


class Text(Case):
    def test_deterministic(self) -> None:
        """Two runs of a program that does the same write the same, but for the process and the time."""
        for source, flags, lines in (
            ("recursion.c", ["-O0"], True),
            ("sorting.c", ["-O2"], False),
            ("signals.c", ["-O0"], False),
        ):
            for options in NO_OPTIONS, ["--dump-instr=yes"]:
                with self.subTest(source, options=options):
                    program = compile(source, *flags, is_dynamic=True, lines_of_libc=lines)
                    first, second = (
                        run_cg2([program], *options).profile_paths[0] for _ in range(2)
                    )
                    self.assertEqual(text_of_any_run(first), text_of_any_run(second))

    def test_what_ran(self) -> None:
        """The header has the time when the run began; of each object whose code ran its build-id, or its
        size and last modification."""
        program, bare = compile(PROGRAM, "-O0", lines_of_libc=True), compile(
            PROGRAM, "-O0", "-Wl,--build-id=none"
        )
        notes = subprocess.run(
            ["readelf", "-n", program], capture_output=True, text=True, check=True
        )
        found = re.search(r"Build ID: (\w+)", notes.stdout)
        assert found
        size, (seconds, rest) = bare.stat().st_size, divmod(bare.stat().st_mtime_ns, 10**9)
        for path, known in (
            (program, f"build-id={found[1]}"),
            (bare, f"size={size},mtime={seconds}.{rest:09}"),
        ):
            with self.subTest(known):
                before = datetime.now(timezone.utc)
                said = profile_of([path]).descriptions
                began = datetime.fromisoformat(said["Started"].replace(" UTC", "+00:00"))
                self.assertLess(before, began)
                self.assertLess(began, datetime.now(timezone.utc))
                names = [word.partition(" ")[2] for word in said["Objects"].split("\t")]
                self.assertIn(f"{known} {path}", said["Objects"].split("\t"))
                shorts = {Path(name).name.partition(".")[0] for name in names}
                self.assertEqual(
                    {short for short in shorts if not short.startswith("vgpreload_core-")},
                    {path.name, "libc", f"ld-linux-{MACHINE.replace('_', '-')}"},
                )

    def test_header(self) -> None:
        """The header's lines and their order."""
        run = run_cg2([compile(PROGRAM, "-O0", lines_of_libc=True), "an argument"])
        lines = run.profile_paths[0].read_text().splitlines()
        self.assertEqual(lines[:2], ["# callgrind format", "version: 1"])
        self.assertTrue(lines[2].startswith("creator: callgrind-"), lines[2])
        keys = [line.split(":")[0] for line in lines if re.match(r"\w+:", line)]
        order = [
            "version",
            "creator",
            "pid",
            "cmd",
            "part",
            "desc",
            "positions",
            "events",
            "summary",
            "totals",
        ]
        self.assertEqual(sorted(set(keys), key=keys.index), order)
        self.assertIn(f"cmd:  {compile(PROGRAM, '-O0', lines_of_libc=True)} an argument", lines)
        self.assertIn("desc: Trigger: Program termination", lines)
        self.assertTrue(
            any(re.fullmatch(r"desc: Timerange: Basic block 0 - \d+", line) for line in lines)
        )
        self.assertIn("positions: line", lines)
        self.assertIn("events: Ir", lines)

    def test_compression(self) -> None:
        """Names and positions written short or in full are the same profile, and are written as asked."""
        program = compile("recursion.c", "-O0", lines_of_libc=True)
        for positions in NO_OPTIONS, ["--dump-instr=yes"]:
            profiles = []
            for strings in ("yes", "no"):
                for pos in ("yes", "no"):
                    options = [*positions, f"--compress-strings={strings}", f"--compress-pos={pos}"]
                    run = run_cg2([program], *options)
                    text = run.profile_paths[0].read_text()
                    body = text[text.index("summary:") :]
                    self.assertEqual(
                        strings == "yes", bool(re.search(r"^c?fn=\(\d+\)", body, re.MULTILINE))
                    )
                    self.assertEqual(pos == "yes", bool(re.search(r"^[+*-]", body, re.MULTILINE)))
                    profiles.append(contents(self.check_whole(run, run.profile_paths[0]).part))
            for other in profiles[1:]:
                self.assertEqual(profiles[0], other)

    def test_positions(self) -> None:
        """--dump-line and --dump-instr choose the columns; functions and calls are the same in all."""
        program = compile("recursion.c", "-O0", lines_of_libc=True)
        columns = {
            (): ["line"],
            ("--dump-line=no", "--dump-instr=yes"): ["instr"],
            ("--dump-instr=yes",): ["instr", "line"],
            ("--dump-line=no",): ["line"],  # something must be there
        }
        graphs = []
        for options, expected in columns.items():
            with self.subTest(options=options):
                graph = self.graph_of(program, *options)
                self.assertEqual(graph.part.positions, expected)
                graphs.append(graph)
        for other in graphs[1:]:
            self.assertEqual(graphs[0].self_costs, other.self_costs)
            self.assertEqual(graphs[0].counts, other.counts)
            self.assertEqual(graphs[0].arc_costs, other.arc_costs)

    def test_blocks(self) -> None:
        """--dump-bb: each instruction in the block that it ran in, as Callgrind has it; blocks add them
        up."""
        for level in "-O0", "-O2":
            with self.subTest(level):
                program = compile(
                    "parts.c", level, "-fno-optimize-sibling-calls", lines_of_libc=True
                )
                options = ["--dump-bb=yes", "--dump-instr=yes"]
                exact = costs_in(program, profile_of([program], *options))
                self.assertEqual(
                    exact, costs_in(program, profile_of([program], *options, tool="callgrind"))
                )
                self.assertGreater(len({position.block for position in exact}), 10)
                self.assertTrue(all(position.block <= position.instr for position in exact))
                by_block: Counter[Position] = Counter()
                for position, cost in exact.items():
                    by_block[position._replace(instr=0)] += cost
                self.assertEqual(
                    costs_in(program, profile_of([program], "--dump-bb=yes")), by_block
                )

    def test_columns_of_blocks(self) -> None:
        """`bb` stands between the others; the sums are the same in all."""
        program = compile("parts.c", "-O0", lines_of_libc=True)
        total = profile_of([program]).self_total()
        for options, columns in (
            (["--dump-bb=yes"], ["bb", "line"]),
            (["--dump-bb=yes", "--dump-instr=yes"], ["instr", "bb", "line"]),
            (["--dump-bb=yes", "--dump-line=no"], ["bb"]),
            (
                ["--dump-bb=yes", "--dump-instr=yes", "--dump-line=no", "--collect-jumps=yes"],
                ["instr", "bb"],
            ),
        ):
            with self.subTest(options=options):
                part = profile_of([program], *options)
                self.assertEqual(part.positions, columns)
                self.assertEqual(part.self_total(), total)

    def test_calls_of_blocks(self) -> None:
        """A call is made from a block, and goes to the one that the function begins with."""
        program = compile("parts.c", "-O0", lines_of_libc=True)
        [at] = [i.address for i in decoded(program, "region") if re.match(CALL, i.mnemonic)]
        [call] = [
            call
            for key, function in profile_of([program], "--dump-bb=yes").functions.items()
            for call in function.calls
            if key.name == "region"
        ]
        self.assertEqual(call.source.block, at)  # a block of one instruction: a loop begins with it
        self.assertEqual(call.target.block, instructions(program, "leaf")[0])


def costs_in(program: Path, part: Part) -> Counter[Position]:
    """The cost of each position in the blocks of parts.c's functions, whichever name a profile has for
    them."""
    names = ("leaf", "region", "between", "nest", "finish", "main")
    code = {address for name in names for address in instructions(program, name)}
    costs: Counter[Position] = Counter()
    for key, function in part.functions.items():
        if key.object == str(program):
            costs.update({at: cost[0] for at, cost in function.costs.items() if at.block in code})
    return costs


def contents(part: Part) -> object:
    """All that a part says about costs and calls, comparable."""
    return {
        key: (
            function.costs,
            sorted(
                (call.callee, call.source, call.target, call.count, call.inclusive)
                for call in function.calls
            ),
        )
        for key, function in part.functions.items()
    }


class Names(Case):
    """--cg2-out-file and what may stand in its value."""

    def run_to(self, value: str | None, **more: str) -> Run:
        run = run_cg2([compile(PROGRAM, "-O0")], out_file=value, environment=env(**more))
        self.assertEqual(run.status, 0, run.stderr)
        return run

    def pid_of(self, run: Run) -> str:
        found = re.search(r"^==(\d+)== ", run.stderr, re.MULTILINE)
        assert found is not None
        return found[1]

    def assertLeft(self, run: Run, *names: str) -> None:
        """The run left profiles of these names, each complete, and nothing else anywhere."""
        self.assertEqual([path.name for path in run.profile_paths], sorted(names))
        for path in run.profile_paths:
            part_of(path)
        elsewhere = [
            path
            for path in run.directory.rglob("*")
            if path.is_file() and path not in run.profile_paths
        ]
        self.assertEqual(elsewhere, [])

    def test_default(self) -> None:
        run = self.run_to(None)
        self.assertLeft(run, f"{TOOL}.out.{self.pid_of(run)}")

    def test_plain(self) -> None:
        self.assertLeft(self.run_to("profile"), "profile")

    def test_pid(self) -> None:
        run = self.run_to("a.%p.b.%p")
        pid = self.pid_of(run)
        self.assertLeft(run, f"a.{pid}.b.{pid}")

    def test_variable(self) -> None:
        self.assertLeft(self.run_to("of-%q{CG2_CASE}-run", CG2_CASE="one"), "of-one-run")

    def test_number(self) -> None:
        self.assertLeft(self.run_to("part%n"), "part1")

    def test_percent(self) -> None:
        self.assertLeft(self.run_to("100%%"), "100%")

    def test_synonym(self) -> None:
        """--callgrind-out-file is understood as well."""
        run = run_cg2(
            [compile(PROGRAM, "-O0")], out_file="profile", out_option="--callgrind-out-file"
        )
        self.assertLeft(run, "profile")

    def test_absolute(self) -> None:
        """An absolute path; a program that changes its directory does not change where a relative one is."""
        directory = new_directory()
        run_cg2([compile(PROGRAM, "-O0")], out_file=str(directory / "profile"))
        part_of(directory / "profile")

    def test_mode(self) -> None:
        """For the owner alone, whatever the umask."""
        old = os.umask(0)
        try:
            run = self.run_to("profile")
        finally:
            os.umask(old)
        self.assertEqual(stat.S_IMODE(run.profile_paths[0].stat().st_mode), 0o600)

    def test_overwrites(self) -> None:
        """An older profile of that name is replaced: as a file of its own, not written into."""
        run = self.run_to("profile")
        old = run.profile_paths[0]
        kept = old.with_name("kept")
        os.link(old, kept)
        before = kept.read_text()
        again = run_cg2(
            [compile("recursion.c", "-O0")], out_file="profile", directory=run.directory
        )
        self.assertEqual(again.status, 0)
        self.assertEqual(kept.read_text(), before)
        self.assertIn("fact", {key.name for key in part_of(old).functions})

    def test_appears_whole(self) -> None:
        """While the program runs, nothing stands under the profile's name: also not an empty file."""
        run = run_cg2(["/bin/sh", "-c", "echo profiles/*"], out_file="profile")
        self.assertEqual((run.status, run.stdout), (0, "profiles/*\n"))
        self.assertLeft(run, "profile")

    def test_link(self) -> None:
        """A link stays one: what it points to is written."""
        where = new_directory()
        (where / "profiles").mkdir()
        (where / "profiles" / "link").symlink_to(where / "target")
        run_cg2([compile(PROGRAM, "-O0")], out_file="link", directory=where)
        self.assertTrue((where / "profiles" / "link").is_symlink())
        self.assertGreater(part_of(where / "target").self_total()[0], 0)

    def test_others_files(self) -> None:
        """Files beside the profile that another program might have left are not touched."""
        where = new_directory()
        (where / "profiles").mkdir()
        other = where / "profiles" / "mine.part"
        other.write_text("kept")
        run_cg2([compile(PROGRAM, "-O0")], out_file="mine", directory=where)
        self.assertEqual(other.read_text(), "kept")
        self.assertEqual(
            sorted(path.name for path in other.parent.iterdir()), ["mine", "mine.part"]
        )

    def test_newline_in_name(self) -> None:
        """A program whose name holds a newline: the name is on one line."""
        program = new_directory() / "two\nlines"
        program.write_bytes(compile(PROGRAM, "-O0").read_bytes())
        program.chmod(0o755)
        [path] = run_cg2([program]).profile_paths
        self.assertTrue(any(key.object.endswith("two\\nlines") for key in part_of(path).functions))

    def test_ids(self) -> None:
        """An id of a function stands for one object, file and name; each is defined once, in order."""
        [path] = run_cg2([compile("exceptions.cc", "-O0", compiler="g++")]).profile_paths
        numbers = [int(n) for n in re.findall(r"^c?fn=\((\d+)\) ", path.read_text(), re.MULTILINE)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        owners: dict[str, set[tuple[str, str]]] = {}
        here = {"ob": "", "fl": ""}
        for line in path.read_text().splitlines():
            spec, _, value = line.partition("=")
            if spec in here:
                here[spec] = value.split(" ")[0]
            elif spec == "fn":
                owners.setdefault(value.split(" ")[0], set()).add((here["ob"], here["fl"]))
        self.assertTrue(all(len(places) == 1 for places in owners.values()))


class Errors(Case):
    """What is wrong is said in one clear line, before the program starts; the status is not 0."""

    def assertRefused(self, run: Run, *said: str) -> None:
        self.assertNotEqual(run.status, 0)
        self.assertEqual(run.stdout, "", "the program ran")
        for text in said:
            self.assertIn(text, run.stderr)
        self.assertEqual(run.profile_paths, [])

    def test_unwritable(self) -> None:
        """The line names the file and the reason."""
        missing = new_directory() / "missing" / "profile"
        run = run_cg2(["/bin/echo", "ran"], out_file=str(missing))
        self.assertRefused(run, str(missing), "directory")
        self.assertEqual(len([line for line in run.stderr.splitlines() if str(missing) in line]), 1)

    def test_directory(self) -> None:
        directory = new_directory()
        self.assertRefused(
            run_cg2(["/bin/echo", "ran"], out_file=str(directory)), str(directory), "directory"
        )

    def test_directory_goes_away(self) -> None:
        """What cannot be written at the end goes to the temporary directory, and the message says where."""
        directory = new_directory()
        (directory / "gone").mkdir()
        (directory / "tmp").mkdir()
        run = run_cg2(
            ["/usr/bin/perl", "-e", "rmdir 'gone'"],
            out_file=str(directory / "gone" / "profile"),
            directory=directory,
            environment=env(TMPDIR=str(directory / "tmp")),
        )
        self.assertFalse((directory / "gone").exists())
        saved = [path for path in (directory / "tmp").iterdir() if "vgdb" not in path.name]
        self.assertEqual(len(saved), 1, run.stderr)
        part_of(saved[0])
        self.assertEqual(stat.S_IMODE(saved[0].stat().st_mode), 0o600)
        self.assertIn(str(saved[0]), run.stderr)
        self.assertIn(str(directory / "gone" / "profile"), run.stderr)

    def test_variable_not_set(self) -> None:
        self.assertRefused(run_cg2(["/bin/echo", "ran"], out_file="%q{CG2_NOT_SET}"), "CG2_NOT_SET")

    def test_bad_format(self) -> None:
        self.assertRefused(run_cg2(["/bin/echo", "ran"], out_file="a%z"), "%z")

    def assertOneReason(self, option: str, reason: str, said: str = "") -> None:
        """The option is refused with exactly one line that says what would be right."""
        run = run_cg2(["/bin/echo", "ran"], option)
        self.assertRefused(run)
        lines = [re.sub(r"^(valgrind|==\d+==): ?", "", line) for line in run.stderr.splitlines()]
        [usage] = [line for line in lines if line.startswith("Use --help")]
        self.assertEqual(lines, [f"Bad option: {said or option}", reason, usage])

    def test_switches(self) -> None:
        """yes or no, and nothing else."""
        for option in SWITCHES:
            for value in ("", "Yes", "yesx", "1", "-1"):
                with self.subTest(option, value=value):
                    reason = f"Invalid boolean value '{value}' (should be 'yes' or 'no')"
                    self.assertOneReason(f"{option}={value}", reason)

    def test_numbers(self) -> None:
        """Digits alone, in the range that is told."""
        for option, range_ in NUMBERS.items():
            for value in ("", "-1", "1x", "x", "0x10", "+5", " 5", "5 ", "5.0", *TOO_LARGE):
                with self.subTest(option, value=value):
                    self.assertOneReason(f"{option}={value}", f"expected a number from {range_}")
        self.assertOneReason("--separate-recs=0", "expected a number from 1 to 1000")

    def test_numbered(self) -> None:
        """A number in the option's name, and a function's behind it."""
        for option, range_ in NUMBERED.items():
            for number in ("-1", "x", "2x", " 2", *TOO_LARGE):
                with self.subTest(option, number=number):
                    self.assertOneReason(f"{option}{number}=f", f"expected a number from {range_}")
            self.assertOneReason(f"{option}3=", PATTERN)
        self.assertOneReason("--fn-group=f", "expected a number from 1 to 1000000")

    def test_patterns(self) -> None:
        for option in PATTERNS:
            with self.subTest(option):
                self.assertOneReason(f"{option}=", PATTERN)

    def test_words(self) -> None:
        """The value is one of a few words."""
        for option, words in WORDS.items():
            for value in ("", "other", words.split()[-1].upper(), words.split()[-1] + "x"):
                with self.subTest(option, value=value):
                    self.assertOneReason(f"{option}={value}", f"expected {words}")

    def test_no_value(self) -> None:
        """Without a value: what is missing is said, as for an empty one."""
        for option in SWITCHES:
            reason = "Invalid boolean value '' (should be 'yes' or 'no')"
            self.assertOneReason(option, reason, f"{option}=")
        for option, range_ in NUMBERS.items():
            self.assertOneReason(option, f"expected a number from {range_}", f"{option}=")
        for option in PATTERNS:
            if option != "--pop-on-jump":
                self.assertOneReason(option, PATTERN, f"{option}=")
        for option in NUMBERED:
            self.assertOneReason(f"{option}2", PATTERN, f"{option}2=")
        for option, words in WORDS.items():
            self.assertOneReason(option, f"expected {words}", f"{option}=")

    def test_bad_names(self) -> None:
        """Names of profiles that cannot be; those as long as the file system allows can."""
        for value in ("", "a%", "%q", "%q{", "%q{}"):
            for option in ("--cg2-out-file", "--callgrind-out-file"):
                with self.subTest(option, value=value):
                    run = run_cg2(["/bin/echo", "ran"], f"{option}={value}", out_file=None)
                    self.assertRefused(run, f"Bad option: {option}={value}")
        for length in (100, 244, 245, 255):
            run = run_cg2([compile(PROGRAM, "-O0")], out_file="x" * length)
            self.assertEqual((run.status, len(run.profile_paths)), (0, 1), run.stderr)
            part_of(run.profile_paths[0])
        long = run_cg2(["/bin/echo", "ran"], out_file="x" * 256)
        self.assertRefused(long, "File name too long")
        self.assertRefused(run_cg2(["/bin/echo", "ran"], out_file="/dev/null/x"), "Not a directory")

    def test_no_position(self) -> None:
        """Without any position lines are written all the same, and that is said."""
        options = ["--dump-line=no", "--dump-instr=no", "--dump-bb=no"]
        run = run_cg2([compile(PROGRAM, "-O0")], *options)
        self.assertEqual(run.stderr.count("Using source line as position."), 1)
        self.assertEqual(part_of(run.profile_paths[0]).positions, ["line"])

    def test_unknown(self) -> None:
        run = run_cg2(["/bin/echo", "ran"], "--no-such-option=1")
        self.assertRefused(run, "Unknown option: --no-such-option=1")
        self.assertNotIn("near to it", run.stderr)

    def test_unknown_near(self) -> None:
        """An option that is not known names the one that may be meant."""
        for wrong, near in {
            "--cachesim=yes": "--cache-sim",
            "--toogle-collect=main": "--toggle-collect",
            "--separate-caller3=main": "--separate-callers",
            "--dump-inst=yes": "--dump-instr",
        }.items():
            with self.subTest(wrong):
                said = f"{wrong}: no such option; near to it: {near}\n"
                self.assertRefused(run_cg2(["/bin/echo", "ran"], wrong), said, "Unknown option")


class Messages(Case):
    def test_closing_lines(self) -> None:
        """Events, Collected, an empty line, I refs: each line as Callgrind writes it (numbers: see Case)."""
        run = run_cg2([compile(PROGRAM, "-O0")])
        lines = [re.sub(r"^==\d+== ?", "", line) for line in run.stderr.splitlines()]
        total = Graph(part_of(run.profile_paths[0])).total
        self.assertEqual(
            lines[-6:-2],
            ["Events    : Ir", f"Collected : {total}", "", f"I   refs:      {total:,}"],
        )

    def last_line(
        self, argv: Sequence[str | Path], *options: str, out: str = "x", option: str | None = None
    ) -> str:
        """The last line that a run prints; its process id is PID, and its directory HERE."""
        run = run_cg2(argv, *options, out_file=out, out_option=option)
        self.assertEqual(run.status, 0, run.stderr)
        last = run.stderr.splitlines()[-1]
        pid = re.match(r"==(\d+)== ", last)
        assert pid is not None, last
        return last.removeprefix(pid[0]).replace(pid[1], "PID").replace(str(run.directory), "HERE")

    def test_last_line(self) -> None:
        """Where the profile is, by its whole path, and what one types here to see it."""
        program = compile(PROGRAM, "-O0")
        parts = compile("parts.c", "-O0")
        threads = compile("threads.c", "-O0", "-pthread")
        cases: list[tuple[list[str | Path], list[str], str, str]] = [
            ([program], [], "x.%p", "HERE/profiles/x.PID; to see it: cg2_annotate profiles/x.PID"),
            (
                [program],
                [],
                "a b'c",
                r"'HERE/profiles/a b'\''c'; to see it: cg2_annotate 'profiles/a b'\''c'",
            ),
            (
                [parts],
                ["--dump-before=region"],
                "x",
                "4 files in HERE/profiles; to see it: cg2_annotate profiles/x profiles/x.*",
            ),
            (
                [parts],
                ["--dump-before=main"],
                "x",
                "2 files in HERE/profiles; to see it: cg2_annotate profiles/x.1 profiles/x",
            ),
            (
                [parts],
                ["--dump-before=region", "--combine-dumps=yes"],
                "x",
                "HERE/profiles/x; to see it: cg2_annotate profiles/x",
            ),
            (
                [threads, "3"],
                ["--separate-threads=yes"],
                "x",
                "4 files in HERE/profiles; to see it: cg2_annotate --columns=thread profiles/x-0*",
            ),
        ]
        for argv, options, out, expected in cases:
            with self.subTest(options=options, out=out):
                self.assertEqual(self.last_line(argv, *options, out=out), f"Profile: {expected}")

    def test_last_line_of_others(self) -> None:
        """A script for Callgrind, and who has no file, is told nothing; -q says nothing."""
        program = compile(PROGRAM, "-O0")
        for out, option in (("x", "--callgrind-out-file"), ("/dev/null", None)):
            with self.subTest(out):
                self.assertRegex(self.last_line([program], out=out, option=option), "^I   refs")

    def test_last_line_of_each_process(self) -> None:
        """Parent and child of a fork each name their own."""
        run = run_cg2([compile("fork.c", "-O0")])
        named = re.findall(r"^==(\d+)== Profile: /\S*/profiles/(\S+);", run.stderr, re.MULTILINE)
        self.assertEqual(
            sorted(named), sorted((path.stem, path.name) for path in run.profile_paths)
        )

    def test_quiet(self) -> None:
        """-q: nothing at all, and the profile as ever."""
        run = run_cg2([compile(PROGRAM, "-O0")], "-q")
        self.assertEqual((run.status, run.stdout, run.stderr), (0, "", ""))
        part_of(run.profile_paths[0])

    def test_exit_status(self) -> None:
        """The program's own exit status, and the death by a signal, are passed on; the profile is written."""
        run = run_cg2(["/bin/sh", "-c", "exit 7"])
        self.assertEqual(run.status, 7)
        part_of(run.profile_paths[0])
        run = run_cg2(["/bin/sh", "-c", "kill -TERM $$"])
        self.assertEqual(run.status, -15)
        part_of(run.profile_paths[0])


if __name__ == "__main__":
    unittest.main()
