"""cg2_annotate --summary: what the processes and threads of a run cost, as text and as JSON."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from toolsupport import Output, annotate

import schema


def profile(
    pid: int, cost: str, cmd: str = "./app", events: str = "Ir", head: str = "", name: str = "main"
) -> str:
    return (
        f"# callgrind format\nversion: 1\ncreator: callgrind-cg2-0.1\npid: {pid}\ncmd: {cmd}\n"
        f"{head}positions: line\nevents: {events}\nsummary: {cost}\n"
        f"ob=/bin/app\nfl=a.c\nfn={name}\n7 {cost}\ntotals: {cost}\n"
    )


RUN = {
    "a.exec1": profile(10, "50", "sh -c", head="part: 1\ndesc: Image: 1\n"),
    "a": profile(10, "300", "./app", head="part: 1\ndesc: Image: 2\n"),
    "b-01": profile(11, "400", head="part: 2\nthread: 1\ndesc: Parent: 10\n"),
    "b-02": profile(11, "40", head="part: 2\nthread: 2\ndesc: Parent: 10\ndesc: Threads: 2 io\n"),
    "b.1-02": profile(11, "210", head="part: 1\nthread: 2\ndesc: Parent: 10\n"),
}
"""The files of a run: a shell that becomes ./app, and a child of two threads, of which one wrote two
parts."""

CACHES = "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw"


class Summary(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def summed_up(self, files: dict[str, str | bytes], *options: str, status: int = 0) -> Output:
        for name, text in files.items():
            (self.directory / name).write_bytes(text.encode() if isinstance(text, str) else text)
        said = annotate("--summary", *options, *files, directory=self.directory)
        self.assertEqual(said.status, status, said.stderr)
        return said

    def as_json(self, files: dict[str, str | bytes], *options: str) -> dict[str, Any]:
        found = json.loads(self.summed_up(files, "--json", *options).stdout)
        self.assertEqual(schema.faults(found, schema.load("cg2-summary")), [])
        assert isinstance(found, dict)
        return found

    def test_text(self) -> None:
        """A row for the run, for each program in the order of its process, and for each of several
        threads."""
        said = self.summed_up({**RUN}).stdout
        self.assertIn("Summary of 3 programs in 5 files\n", said)
        rows = said.split("program, process and thread\n\n")[1]
        self.assertEqual(
            rows.splitlines(),
            [
                "1,000 (100.0%)  TOTAL",
                "   50 ( 5.00%)  sh -c (PID 10, program 1)",
                "  300 (30.00%)  ./app (PID 10, program 2)",
                "  650 (65.00%)  ./app (PID 11, forked by 10)",
                "  400 (40.00%)    thread 1",
                "  250 (25.00%)    thread 2 (io)",
            ],
        )

    def test_json(self) -> None:
        """The same for programs; parts of a process are in their order."""
        found = self.as_json({**RUN})
        self.assertEqual(found["total"], [1000])
        self.assertEqual(
            [
                (process["pid"], process["parent"], process["image"], process["total"])
                for process in found["processes"]
            ],
            [(10, None, 1, [50]), (10, None, 2, [300]), (11, 10, None, [650])],
        )
        child = found["processes"][2]
        self.assertEqual(
            [(part["part"], part["thread"], part["path"]) for part in child["parts"]],
            [(1, 2, "b.1-02"), (2, 1, "b-01"), (2, 2, "b-02")],
        )
        self.assertEqual(
            [(thread["thread"], thread["name"], thread["total"]) for thread in child["threads"]],
            [(1, None, [400]), (2, "io", [250])],
        )
        self.assertEqual(child["objects"], ["/bin/app"])
        self.assertEqual((found["cpu"], child["caches"], found["derived"]), (None, None, None))

    def test_chosen(self) -> None:
        """--threads, --parts, --show and --event hold for a summary, too."""
        self.assertEqual(self.as_json({**RUN}, "--threads=2")["total"], [250])
        self.assertEqual(self.as_json({**RUN}, "--parts=2")["total"], [440])
        found = self.as_json({**RUN}, "--event=Two = 2 Ir", "--show=Two,Ir")
        self.assertEqual((found["events"], found["total"]), (["Two", "Ir"], [2000, 1000]))

    def test_derived(self) -> None:
        """Hits and estimated cycles follow from the caches, and from the profile's own estimate if it has
        one."""
        text = profile(1, "100 40 20 9 8 7 3 2 1", events=CACHES)
        hits = {"l1_hits": 136, "ll_hits": 18, "ram_hits": 6}
        derived = hits | {"estimated_cycles": 136 + 5 * 18 + 35 * 6}
        self.assertEqual(self.as_json({"a": text})["derived"], derived)
        said = self.summed_up({"a": text}).stdout
        self.assertTrue(
            said.endswith("\n\n136 L1 hits\n 18 LL hits\n  6 RAM hits\n436 Estimated cycles\n"),
            said,
        )
        own = text.replace("events:", "event: CEst = Ir + 3 D1mr + 70 DLmw : Estimate\nevents:")
        derived = hits | {"estimated_cycles": 100 + 24 + 70}
        self.assertEqual(self.as_json({"a": own})["derived"], derived)

    def test_said(self) -> None:
        """Processor and caches are those of the headers; where processors differ none is said of all."""
        one = profile(
            1, "5", head="desc: CPU: avx2 f16c\ndesc: I1 cache: small\ndesc: D1 cache: s\n"
        )
        other = profile(2, "5", head="desc: CPU: avx\n")
        self.assertEqual(self.as_json({"a": one})["cpu"], "avx2 f16c")
        found = self.as_json({"a": one, "b": other})
        self.assertEqual(found["cpu"], None)
        self.assertEqual([process["cpu"] for process in found["processes"]], ["avx2 f16c", "avx"])
        caches = {"I1": "small", "D1": "s", "LL": ""}
        self.assertEqual([process["caches"] for process in found["processes"]], [caches, None])

    def test_without_process(self) -> None:
        """A sum of profiles, which is of no one process, is one without a number."""
        text = profile(1, "5").replace("pid: 1\n", "")
        (process,) = self.as_json({"a": text, "b": text})["processes"]
        self.assertEqual((process["pid"], process["total"]), (None, [10]))
        self.assertIn("10 (100.0%)  ./app\n", self.summed_up({"a": text, "b": text}).stdout)

    def test_bytes(self) -> None:
        """Each byte that is no UTF-8 becomes U+FFFD in JSON."""
        text = profile(1, "5").encode().replace(b"./app", b"./a\xff\xe2\x82 \xc3\xa9")
        self.assertEqual(self.as_json({"a": text})["cmd"], "./a\ufffd\ufffd\ufffd é")

    def test_cut_off(self) -> None:
        """--partial says what is missing."""
        text = profile(1, "5")[: -len("totals: 5\n")] + "fn=f\n8 3\n9 "
        said = self.summed_up({"a": text}, "--partial", "--json", status=1)
        self.assertRegex(json.loads(said.stdout)["partial"][0], "^a: ")

    def test_refused(self) -> None:
        """What a summary does not show, and files that do not go together."""
        for option in (
            "--inclusive=yes", "--tree=both", "--auto=yes", "--asm=yes", "--miss-curve", "--callgrind",
            "--columns=thread", "--view=file:function", "--threshold=50", "-Isrc", "--context=3",
        ):  # fmt: skip
            with self.subTest(option):
                said = self.summed_up({"a": profile(1, "5")}, option, status=2)
                self.assertEqual(
                    said.stderr,
                    "cg2_annotate: --summary with --callgrind, --columns, --miss-curve or an option "
                    "about functions or lines; expected one of them; see cg2_annotate --help\n",
                )
        other = profile(2, "5 6", events="Ir Dr")
        said = self.summed_up({"a": profile(1, "5"), "b": other}, status=1)
        self.assertEqual(said.stderr, "b:7: events: Ir Dr; expected those of the first part (Ir)\n")
        said = self.summed_up({"a": profile(1, "5"), "main.c": "int main;\n"}, status=1)
        self.assertRegex(said.stderr, r"^main\.c:1: .*; expected .*\n$")


if __name__ == "__main__":
    unittest.main()
