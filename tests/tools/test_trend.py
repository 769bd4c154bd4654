"""cg2_diff of more than two profiles: what functions cost in one after the other."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from toolsupport import Output, command

# A function takes the instructions that stand beside its name.
PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0
cmd: /build/{number}/app {number}
positions: line
events: {events}
summary: {total}

ob=/build/{number}/app
{functions}
totals: {total}
"""

VERSIONS: list[dict[str, int]] = [
    {"main": 100, "same": 1000, "grows": 500, "gone": 300, "tiny": 1},
    {"main": 100, "same": 1000, "grows": 700, "gone": 300, "tiny": 2},
    {"main": 100, "same": 1000, "grows": 900, "std::vector<int, std::allocator<int> >::size()": 50},
    {"main": 100, "same": 1000, "grows": 800, "std::vector<int, std::allocator<int> >::size()": 60},
]
TOTALS = [sum(version.values()) for version in VERSIONS]

TEXT = """\
4 profiles, in the order given; Ir of functions that changed, by what they cost themselves
From the last but one to the last:
  Ir shrank by 4.39 %, from 2,050 to 1,960

v8.out  v9.out  v10.out  v11.out  first to last  function
 1,901   2,102    2,050    1,960         +3.10%  total
   500     700      900      800        +60.00%  app.c:grows [app]
   300     300        -        -       -100.00%  app.c:gone [app]
     -       -       50       60            new  app.c:std::vector<int>::size [app]
1 changed by less than 0.2 %; --smallest=0 shows all
"""


def profile(number: int, costs: dict[str, int], events: str = "Ir") -> str:
    """The profile of a version; other events are twice the first."""
    columns = [costs] + [{name: 2 * cost for name, cost in costs.items()}] * events.count(" ")
    functions = "".join(
        f"fl=app.c\nfn={name}\n1 {' '.join(str(column[name]) for column in columns)}\n"
        for name in costs
    )
    total = " ".join(str(sum(column.values())) for column in columns)
    return PROFILE.format(number=number, events=events, total=total, functions=functions)


class Trend(unittest.TestCase):
    """Four versions, in files v8.out to v11.out."""

    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.profiles = self.folder / "profiles"
        self.profiles.mkdir()
        for number, version in enumerate(VERSIONS, start=8):
            (self.profiles / f"v{number}.out").write_text(profile(number, version))
        self.paths = [self.profiles / f"v{number}.out" for number in range(8, 12)]

    def diff(self, *arguments: str | Path, status: int = 0, errors: str = "") -> str:
        output: Output = command("cg2_diff", *arguments, directory=self.folder)
        self.assertEqual((output.stderr, output.status), (errors, status))
        return output.stdout

    def test_text(self) -> None:
        """What changed most comes first; what is alike or small is left out, and that is said."""
        self.assertEqual(self.diff("--smallest=0.2", *self.paths), TEXT)

    def test_directory(self) -> None:
        """Files in the order of their names, 9 before 10, but for hidden ones and pages."""
        (self.profiles / ".hidden").write_text("no profile")
        (self.profiles / "page.html").write_text("no profile")
        (self.profiles / "folder").mkdir()
        self.assertEqual(
            self.diff("--smallest=0.2", "profiles"),
            TEXT.replace("in the order given", "in the order of their names"),
        )

    def test_rows(self) -> None:
        text = self.diff("--smallest=0", "--rows=1", *self.paths)
        self.assertIn("app.c:grows [app]\n3 more; --rows=0 shows all\n", text)
        self.assertNotIn("tiny", text)
        self.assertIn("app.c:tiny [app]\n", self.diff("--smallest=0", *self.paths))

    def test_order_given(self) -> None:
        text = self.diff("--sort=Ir", *reversed(self.paths))
        self.assertIn("\nv11.out  v10.out  v9.out  v8.out  first to last  function\n", text)
        self.assertIn(" 1,960    2,050   2,102   1,901         -3.01%  total\n", text)

    def test_limit(self) -> None:
        """The limit is for the last step alone: what grew before is another commit's."""
        self.diff("--fail-above=1%", *self.paths)
        error = "cg2_diff: Ir grew by 10.57 %, from 1,901 to 2,102; expected at most 1 %\n"
        text = self.diff(
            "--fail-above=1%", self.paths[0], self.paths[2], *self.paths[:2], status=3, errors=error
        )
        self.assertIn("  Ir grew by 10.57 %, from 1,901 to 2,102; expected at most 1 %\n", text)
        for limit in "main:Ir=1%", "Dr=5":
            self.diff(
                f"--fail-above={limit}", *self.paths, status=1,
                errors=f"--fail-above={limit}: a trend has limits of its total of Ir alone; expected those\n",
            )  # fmt: skip

    def test_markdown(self) -> None:
        lines = self.diff("--markdown", "--fail-above=1%", *self.paths).splitlines()
        self.assertEqual(
            lines[:10],
            [
                "### Ir shrank by 4.39 %, from 2,050 to 1,960",
                "",
                "**Passed**: at most 1 % is allowed.",
                "",
                "4 profiles, in the order given; Ir of functions that changed, by what they cost themselves.",
                "",
                "| `v8.out` | `v9.out` | `v10.out` | `v11.out` | first to last | function |",
                "| ---: | ---: | ---: | ---: | ---: | --- |",
                "| 1,901 | 2,102 | 2,050 | 1,960 | +3.10% | total |",
                "| 500 | 700 | 900 | 800 | +60.00% | `app.c:grows [app]` |",
            ],
        )

    def test_markdown_is_cut(self) -> None:
        """A comment has no more than 65,536 characters, says what it lacks, and folds what it folds."""
        names = [f"f{number}<{'x' * 900}>" for number in range(100)]
        for path, cost in zip(self.paths, (10, 20, 30)):
            path.write_text(profile(1, dict.fromkeys(names, cost)))
        said = (
            "... cut off here: a comment may have 65,536 characters; fewer rows (--rows=N) or "
            "--names=short make it shorter."
        )
        for paths in (self.paths[:2], self.paths[:3]):
            options = ["--markdown", "--rows=0", "--smallest=0"]
            text = self.diff(*options, "--names=full", *paths)
            self.assertLess(64_000, len(text))
            self.assertLessEqual(len(text), 65_536)
            self.assertIn(f"\n\n{said}\n", text)
            self.assertEqual(text.count("<details>"), text.count("</details>"))
            self.assertLess(len(self.diff(*options, *paths)), 30_000)
        text = self.diff("--markdown", "--rows=30", "--names=full", *self.paths[:2])
        self.assertTrue(text.endswith(f"\n{said}\n\n</details>\n"), text[-300:])
        self.assertEqual((text.count("<details>"), text.count("</details>")), (3, 3))

    def test_json(self) -> None:
        found = json.loads(self.diff("--json", "--smallest=1", *self.paths))
        self.assertEqual(
            [each["label"] for each in found["profiles"]], [path.name for path in self.paths]
        )
        self.assertEqual([each["total"] for each in found["profiles"]], TOTALS)
        self.assertEqual(
            [(each["name"], each["costs"]) for each in found["functions"]],
            [
                ("grows", [500, 700, 900, 800]),
                ("gone", [300, 300, None, None]),
                ("std::vector<int, std::allocator<int> >::size()", [None, None, 50, 60]),
            ],
        )
        self.assertEqual((found["event"], found["smaller"], found["limits"]), ("Ir", 1, []))

    def test_conditions(self) -> None:
        """What else than the program differs between the last two is said, of a summary, too."""
        paths = [self.folder / f"cpu{number}.out" for number in range(3)]
        for path, cpu in zip(paths, ("ssse3", "avx", "avx2 f16c")):
            path.write_text(profile(1, VERSIONS[0]).replace("cmd:", f"desc: CPU: {cpu}\ncmd:"))
        summary = command("cg2_annotate", "--json", paths[2], directory=self.folder)
        (self.folder / "cpu.json").write_text(summary.stdout)
        said = (
            "CPU: avx, then avx2 f16c; libraries choose their code by it; --cpu= makes it the same"
        )
        for last in paths[2], self.folder / "cpu.json":
            files = [*paths[:2], last]
            self.assertIn(f"last:\n  Warning: {said}\n  Ir is the same", self.diff(*files))
            self.assertIn(f"\n\n**Warning**: {said}.\n", self.diff("--markdown", *files))
            self.assertEqual(
                json.loads(self.diff("--json", *files))["conditions"],
                [{"kind": "CPU", "old": "avx", "new": "avx2 f16c", "is_slight": False}],
            )

    def test_summaries(self) -> None:
        """What cg2_annotate wrote as JSON counts as its profile; what it leaves out is said."""
        for options, rest in (
            (["--threshold=100"], ""),
            (["--threshold=50"], "v9.json does not say which functions cost 402 of its total; "
             "what is not in it counts as 0\n"),
        ):  # fmt: skip
            summary = command(
                "cg2_annotate", "--json", *options, self.paths[1], directory=self.folder
            )
            path = self.folder / "v9.json"
            path.write_text(summary.stdout)
            text = self.diff("--smallest=0.2", self.paths[0], path, *self.paths[2:])
            if not rest:
                self.assertEqual(text.replace("v9.json", "v9.out").split(), TEXT.split())
            self.assertTrue(text.endswith(rest), text)

    def test_other_events(self) -> None:
        """Profiles with other events have a trend of one that all have; a line says what not all have."""
        other = self.folder / "other.out"
        other.write_text(profile(12, VERSIONS[0], "Ir Dr"))
        said = "left out: Dr, which not all profiles have"
        for paths in [*self.paths, other], [self.paths[0], other, self.paths[1]]:
            self.assertIn(f"\n{said}\n", self.diff(*paths) + "\n")
        self.assertNotIn("left out", self.diff(*self.paths))

    def test_refused(self) -> None:
        """What is wrong is said in a clear line."""
        other = self.folder / "other.out"
        other.write_text(profile(12, VERSIONS[0], "Dr"))
        for paths in [*self.paths, other], [self.paths[0], other, self.paths[1]]:
            last = paths[-1]
            wrong, events, wanted = (paths[0], "Ir", "Dr") if last == other else (other, "Dr", "Ir")
            self.diff(
                *paths, status=1,
                errors=f"{wrong}:6: events: {events}; expected {wanted} among them, as in {last}\n",
            )  # fmt: skip
        self.diff(
            self.paths[0], status=2,
            errors="cg2_diff: expected two profiles or more, or a directory of them; see cg2_diff --help\n",
        )  # fmt: skip
        empty = self.folder / "empty"
        empty.mkdir()
        self.diff("empty", status=1, errors="empty: expected 2 profiles or more; there is 0\n")
        for text in (
            "{",
            "[]",
            '{"functions": 3}',
            '{"events": ["Ir"], "total": [1, 2], "cmd": "", "functions": []}',
        ):
            bad = self.folder / "bad.json"
            bad.write_text(text)
            self.diff(
                *self.paths[:2], bad, status=1,
                errors=f"{bad}:1: not what cg2_annotate --json writes; expected that, or a profile\n",
            )  # fmt: skip

    def test_partial(self) -> None:
        """What there is of a profile that lost its end counts if that is wanted, and is said."""
        path = self.paths[1]
        path.write_text(path.read_text().partition("one\n1 300")[0])
        output = command("cg2_diff", *self.paths, directory=self.folder)
        self.assertEqual((output.status, output.stdout), (1, ""))
        output = command("cg2_diff", "--partial", *self.paths, directory=self.folder)
        self.assertEqual(output.status, 1)
        self.assertTrue(output.stdout.startswith("Partial: "), output.stdout)
        self.assertIn("   500     700      900      800  ", output.stdout)

    def test_page(self) -> None:
        """All that the table has is in one file, which names nothing that is elsewhere."""
        self.diff(
            "--html=trend.html",
            *self.paths,
            errors="cg2_diff: wrote trend.html; open it in a browser\n",
        )
        text = (self.folder / "trend.html").read_text()
        [data] = [line for line in text.splitlines() if 'id="trend"' in line]
        found = json.loads(data.partition(">")[2].partition("</script>")[0])
        self.assertEqual(found["totals"], TOTALS)
        self.assertEqual(found["functions"][0]["costs"], [500, 700, 900, 800])
        self.assertEqual(found["functions"][2]["name"], "std::vector<int>::size")
        self.assertNotIn("http", text.replace("http://www.w3.org/2000/svg", ""))

    def test_page_of_odd_names(self) -> None:
        odd = '</script><i>odd & "quoted"'
        for path, cost in zip(self.paths, (1, 1000)):
            path.write_text(profile(1, {odd: cost}))
        self.assertNotIn("<i>", self.diff("--html=-", *self.paths[:2]))


if __name__ == "__main__":
    unittest.main()
