"""--json-summary: what a process cost and wrote, as JSON; its figures are those that cg2_annotate makes of
the profiles."""

from __future__ import annotations

import json
import os
import re
import subprocess
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import schema
from case import Case
from cg2test import TOOLS, Run, compile, env, new_directory, run_cg2

Object = dict[str, Any]

SESSION = ["-pthread"]
"""How session.c is compiled."""


def annotated(*paths: str | Path) -> Object:
    """What cg2_annotate sums profiles up to."""
    command = [str(TOOLS / "cg2_annotate"), "--json", "--summary", *map(str, paths)]
    ended = subprocess.run(command, capture_output=True, env=env(), check=False)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert isinstance(found, dict)
    return found


KINDS: list[list[str]] = [
    [],
    ["--cache-sim=yes", "--branch-sim=yes"],
    ["--cache-sim=yes", "--L2=262144,8,64", "--dump-instr=yes"],
    ["--machine=skylake"],
    ["--machine=i486"],
    ["--cache-sweep=D:8k..64k"],
    ["--combine-dumps=yes", "--dump-before=once"],
    ["--dump-before=once", "--cache-sim=yes"],
    ["--separate-threads=yes", "--dump-after=once"],
    ["--compress-strings=no", "--fn-skip=once"],
]
"""Options with which all kinds of events and files are written."""


class Summary(Case):
    def run_summed_up(
        self, argv: Sequence[str | Path], *options: str, status: int = 0, name: str = "%p.json"
    ) -> tuple[Run, dict[str, Object]]:
        """Run a program; give the summaries that it leaves, by name without the process."""
        where = new_directory()
        run = run_cg2(argv, f"--json-summary={name}", *options, directory=where)
        self.assertEqual(run.status, status, run.stderr)
        found = {}
        for path in where.glob("*.json*"):
            found[path.name] = json.loads(path.read_bytes())
            self.assertEqual(schema.faults(found[path.name], schema.load("cg2-summary")), [])
        return run, found

    def check_alike(self, run: Run, found: Object) -> None:
        """A summary of one process is what its profiles add up to."""
        of_profiles = annotated(*found["files"])
        self.assertEqual(schema.faults(of_profiles, schema.load("cg2-summary")), [])
        self.assertEqual(of_profiles, found)

    def only(self, found: dict[str, Object]) -> Object:
        (summary,) = found.values()
        return summary

    def collected(self, run: Run) -> list[int]:
        """What a run says at its end that it has collected."""
        said = re.search(r"Collected : ([\d ]+)", run.stderr)
        assert said is not None
        return list(map(int, said[1].split()))

    def test_alike(self) -> None:
        """With each kind of events the tool says what cg2_annotate does."""
        for options in KINDS:
            with self.subTest(options=options):
                run, found = self.run_summed_up(
                    [compile("exec.c", "-O0", "-static"), "0"], *options
                )
                self.check_alike(run, self.only(found))

    def test_derived(self) -> None:
        """Hits of the levels and of memory, and the cycles that harnesses estimate of them; with a machine
        its own."""
        _, found = self.run_summed_up([compile("exec.c", "-O0", "-static"), "0"], "--cache-sim=yes")
        summary = self.only(found)
        cost = dict(zip(summary["events"], summary["total"], strict=True))
        first = cost["I1mr"] + cost["D1mr"] + cost["D1mw"]
        last = cost["ILmr"] + cost["DLmr"] + cost["DLmw"]
        l1, ll = cost["Ir"] + cost["Dr"] + cost["Dw"] - first, first - last
        self.assertEqual(
            summary["derived"],
            {
                "l1_hits": l1,
                "ll_hits": ll,
                "ram_hits": last,
                "estimated_cycles": l1 + 5 * ll + 35 * last,
            },
        )
        self.assertEqual(summary["processes"][0]["derived"], summary["derived"])
        run, found = self.run_summed_up(
            [compile("exec.c", "-O0", "-static"), "0"], "--machine=skylake"
        )
        formula = re.search(
            r"^event: CEst = (.*) :", run.profile_paths[0].read_text(), re.MULTILINE
        )
        assert formula is not None
        summary = self.only(found)
        cost = dict(zip(summary["events"], summary["total"], strict=True))
        terms = [term.rpartition(" ") for term in formula[1].split(" + ")]
        estimate = sum(int(factor or "1") * cost[event] for factor, _, event in terms)
        self.assertEqual(summary["derived"]["estimated_cycles"], estimate)
        for option in "--cache-sim=no", "--branch-sim=yes", "--machine=i486":
            _, found = self.run_summed_up([compile("exec.c", "-O0", "-static"), "0"], option)
            self.assertIsNone(self.only(found)["derived"])

    def test_cpu(self) -> None:
        """What the program was told of its processor, as the profile's header has it."""
        _, found = self.run_summed_up([compile("exec.c", "-O0", "-static"), "0"], "--cpu=baseline")
        summary = self.only(found)
        self.assertRegex(summary["cpu"], "^baseline")
        self.assertEqual(summary["processes"][0]["cpu"], summary["cpu"])

    def test_parts(self) -> None:
        """Each part is listed with its cost, and the total is that of all."""
        run, found = self.run_summed_up(
            [compile("exec.c", "-O0", "-static"), "0"], "--dump-before=once", name="sum.json"
        )
        summary = found["sum.json"]
        (process,) = summary["processes"]
        self.assertEqual(
            [(part["part"], part["trigger"]) for part in process["parts"]],
            [(1, "--dump-before=once"), (2, "Program termination")],
        )
        self.assertEqual(
            [os.path.basename(part["path"]) for part in process["parts"]],
            [f"{process['pid']}.profile.1", f"{process['pid']}.profile"],
        )
        self.assertEqual(summary["files"], [part["path"] for part in process["parts"]])
        self.assertEqual([sum(part["total"][0] for part in process["parts"])], self.collected(run))
        self.assertEqual(summary["total"], self.collected(run))

    def test_threads(self) -> None:
        """Threads that are kept apart have totals, which add up to the process."""
        run, found = self.run_summed_up(
            [compile("region.c", "-O0", "-pthread", "-static")],
            "--separate-threads=yes",
            "--dump-before=region",
        )
        summary = self.only(found)
        (process,) = summary["processes"]
        threads = process["threads"]
        self.assertEqual([thread["thread"] for thread in threads][:2], [1, 2])
        self.assertEqual(sum(thread["total"][0] for thread in threads), summary["total"][0])
        for thread in threads:
            parts = [part for part in process["parts"] if part["thread"] == thread["thread"]]
            self.assertEqual(sum(part["total"][0] for part in parts), thread["total"][0])
        self.check_alike(run, summary)
        _, found = self.run_summed_up([compile("region.c", "-O0", "-pthread", "-static")])
        self.assertEqual(self.only(found)["processes"][0]["threads"], [])

    def test_processes(self) -> None:
        """Each forked child and each program that is replaced has a summary; together they are that of all
        profiles."""
        program = compile("session.c", "-O0", *SESSION, "-static")
        for name, forms in (
            ("%p.json", ["N.json", *3 * ["N.json"], *3 * ["N.json.exec1"]]),
            ("one.json", ["one.json", *3 * ["one.json.pidN"], *3 * ["one.json.pidN.exec1"]]),
        ):
            with self.subTest(name):
                run, found = self.run_summed_up(
                    [program, "region", "exec"], "--trace-children=yes", name=name
                )
                said = [re.sub(r"(?<=pid)\d+|^\d+", "N", name) for name in found]
                self.assertEqual(sorted(said), sorted(forms))
                for summary in found.values():
                    self.check_alike(run, summary)
                processes = [
                    process for summary in found.values() for process in summary["processes"]
                ]
                whole = annotated(*run.profile_paths)
                self.assertEqual(len(whole["processes"]), 7)
                key = lambda process: (process["pid"], process["image"] or 0)  # noqa: E731
                self.assertEqual(sorted(whole["processes"], key=key), sorted(processes, key=key))
                self.assertEqual(
                    whole["total"], [sum(process["total"][0] for process in processes)]
                )
                (parent,) = [process for process in processes if process["image"] is None]
                self.assertEqual(
                    {process["parent"] for process in processes if process["image"] == 1},
                    {parent["pid"]},
                )

    def test_failed_exec(self) -> None:
        """An exec that fails leaves nothing behind, and nothing is counted twice."""
        broken = new_directory() / "broken"
        broken.write_bytes(b"\x7fELF is not enough")
        broken.chmod(0o755)
        for option in "--trace-children=no", "--trace-children=yes":
            run, found = self.run_summed_up(
                [compile("exec.c", "-O0", "-static"), "0", broken], option
            )
            summary = self.only(found)
            self.assertEqual(len(summary["processes"][0]["parts"]), 1)
            self.check_alike(run, summary)

    def test_replaced(self) -> None:
        """Without --trace-children the program that is replaced is the last one."""
        run, found = self.run_summed_up([compile("exec.c", "-O0", "-static"), "1"])
        summary = self.only(found)
        (part,) = summary["processes"][0]["parts"]
        self.assertEqual(part["trigger"], f"exec {compile('exec.c', '-O0', '-static')}")
        self.check_alike(run, summary)

    def test_nothing_collected(self) -> None:
        """Where nothing is collected the summary says so."""
        for options in ["--collect-atstart=no"], ["--instr-atstart=no", "--separate-threads=yes"]:
            with self.subTest(options=options):
                run, found = self.run_summed_up(
                    [compile("exec.c", "-O0", "-static"), "0"], "--cache-sim=yes", *options
                )
                summary = self.only(found)
                self.assertEqual(summary["total"], [0] * 9)
                self.assertEqual(summary["derived"], dict.fromkeys(summary["derived"], 0))
                self.assertEqual(summary["processes"][0]["objects"], [])
                self.check_alike(run, summary)

    def test_text(self) -> None:
        """Each byte of a command that is no UTF-8 becomes U+FFFD; all else is as in the profile's header."""
        argv = ["/bin/echo", 'a"b\\c', "line\nline", "\t\x01\x7f", "é€😀"]
        script = "exec \"$@\" $(printf '\\377\\342\\202z')"
        run, found = self.run_summed_up(
            ["/bin/sh", "-c", script, "sh", *argv], "--trace-children=yes"
        )
        (summary,) = [found for found in found.values() if found["cmd"].startswith("/bin/echo")]
        self.assertEqual(
            summary["cmd"],
            '/bin/echo a"b\\\\c line\\nline \t\x01\x7f é€😀 \ufffd\ufffd\ufffdz',
        )
        self.check_alike(run, summary)

    def test_cannot_be_written(self) -> None:
        """What is wrong is said in one line, before the program runs; at the end the profile is there
        nevertheless."""
        where = new_directory()
        run = run_cg2(["/bin/echo", "ran"], "--json-summary=no/such.json", directory=where)
        self.assertEqual((run.status, run.stdout, run.profile_paths), (1, "", []))
        said = f"error: cannot write the summary '{where}/no/such.json': No such file or directory"
        self.assertEqual(re.sub(r"==\d+== ", "", run.stderr).splitlines()[-1], said)
        (where / "sub").mkdir()
        argv = ["/bin/mv", "sub", "gone"]
        run = run_cg2(argv, "-q", "--json-summary=sub/s.json", directory=where)
        self.assertEqual(run.status, 1)
        said = f"error: cannot write the summary '{where}/sub/s.json': No such file or directory"
        self.assertEqual(re.sub(r"==\d+== ", "", run.stderr).splitlines(), [said])
        self.assertGreater(annotated(*run.profile_paths)["total"][0], 1000)

    def test_elsewhere(self) -> None:
        """A last part that is written to the temporary directory is listed there."""
        where = new_directory()
        (where / "sub").mkdir()
        run = run_cg2(
            ["/bin/mv", "sub", "gone"],
            "--json-summary=s.json",
            out_file=f"{where}/sub/profile",
            directory=where,
            environment=env(TMPDIR=str(where)),
        )
        self.assertEqual(run.status, 1)
        summary = json.loads((where / "s.json").read_bytes())
        (process,) = summary["processes"]
        self.assertEqual(summary["files"], [f"{where}/cg2.out.{process['pid']}"])
        self.check_alike(run, summary)

    def test_lost(self) -> None:
        """What a full disk keeps from being written in a part is in the next; at the end it has no path, and
        counts."""
        program = compile("full.c", "-O0", "-static")
        run, found = self.run_summed_up([program, "4000", "0"], "--dump-after=work")
        self.assertIn("its costs go into the next part", run.stderr)
        summary = self.only(found)
        self.assertEqual([part["part"] for part in summary["processes"][0]["parts"]], [1, 2])
        self.assertEqual(summary["total"], self.collected(run))
        self.check_alike(run, summary)
        run, found = self.run_summed_up([program, "4000"], status=1)
        self.assertIn("the profile is lost", run.stderr)
        summary = self.only(found)
        self.assertEqual(
            (summary["files"], summary["processes"][0]["parts"][0]["path"]), ([], None)
        )
        self.assertEqual(summary["total"], self.collected(run))


if __name__ == "__main__":
    unittest.main()
