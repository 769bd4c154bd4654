"""Limits of cg2_diff: for the program, for functions and events, on the command line and in a file."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from toolsupport import Output, command, key

import cg2test
from cg2tools.diff.limits import Limit, parse_limit, read_limits
from cg2tools.diff.verdicts import named

# `work` takes 2 + 2 * rounds instructions and is called a hundred times, `rest` 2 + 2 * 250000.
PROGRAM = """\
int data = 1; /* without writable data Valgrind reads no symbols */
#define BODY(TEXT) { __asm__(TEXT); }
__attribute__((naked)) void work(void)
BODY("mov $ROUNDS, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) void rest(void)
BODY("mov $250000, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) void _start(void)
BODY("mov $100, %edx\\n1: call work\\n dec %edx\\n jnz 1b\\n call rest\\n"
     "mov $60, %eax\\n xor %edi, %edi\\n syscall")
"""


class Program(unittest.TestCase):
    """A program of which one function gets worse, under cg2."""

    def test_hidden_by_total(self) -> None:
        """A function 3 % worse in a program 0.1 % worse is above its own limit, not above the total's."""
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        old, new = (self.profile(Path(folder.name), rounds) for rounds in (99, 102))
        output = command("cg2_diff", "--fail-above=1%", old, new)
        self.assertEqual((output.status, output.stderr), (0, ""))
        limits = ["--fail-above=1%", "--fail-above=work:Ir=2%", "--fail-above=rest:Ir=0%"]
        output = command("cg2_diff", *limits, old, new)
        self.assertEqual(
            (output.status, output.stderr),
            (
                3,
                "cg2_diff: app.c:work [app]: Ir grew by 3.00 %, from 20,000 to 20,600; "
                "expected at most 2 %\n",
            ),
        )
        found = json.loads(command("cg2_diff", "--json", *limits, old, new).stdout)
        total, work, rest = found["limits"]
        self.assertEqual((work["old"], work["new"]), (100 * (2 + 2 * 99), 100 * (2 + 2 * 102)))
        self.assertEqual((rest["old"], rest["new"]), (500002, 500002))
        self.assertEqual(total["new"] - total["old"], 600)
        self.assertAlmostEqual((total["new"] - total["old"]) / total["old"], 0.001, places=3)

    def profile(self, folder: Path, rounds: int) -> Path:
        program = folder / str(rounds) / "app"
        program.parent.mkdir()
        program.with_suffix(".c").write_text(PROGRAM.replace("ROUNDS", str(rounds)))
        subprocess.run(
            ["gcc", "-g", "-O1", "-nostdlib", "-static", "-o", "app", "app.c"],
            cwd=program.parent,
            check=True,
        )
        run = cg2test.run_cg2([program])
        self.assertEqual(run.status, 0, run.stderr)
        (path,) = run.profile_paths
        return path


HEAD = "events: Ir Dr\nfl=a.c\n"
OLD = HEAD + (
    "fn=main\n1 10 1\ncfn=parse(int)\ncalls=1 3\n1 1000 50\ncfn=parse(char*)\ncalls=1 9\n1 200 20\n"
    "fn=parse(int)\n3 1000 50\nfn=parse(char*)\n9 200 20\nfn=gone\n12 5 5\n"
)
NEW = HEAD + (
    "fn=main\n1 10 1\ncfn=parse(int)\ncalls=1 3\n1 1030 50\ncfn=parse(char*)\ncalls=1 9\n1 200 22\n"
    "fn=parse(int)\n3 1030 50\nfn=parse(char*)\n9 200 22\nfn=come\n12 5 5\n"
)


class Fixture(unittest.TestCase):
    """Profiles that are written by hand."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "old").write_text(OLD)
        (self.folder / "new").write_text(NEW)
        self.file = self.folder / "limits.toml"

    def diff(self, *options: str) -> Output:
        return command("cg2_diff", *options, "old", "new", directory=self.folder)


class Files(Fixture):
    """What limits say, and files of them."""

    def verdicts(self, *options: str) -> list[tuple[str, str, int, int, bool]]:
        """What JSON has: the function, the event, what it cost, and whether that is too much."""
        return [
            (each["function"]["name"] if each["function"] else "", each["event"],
             each["old"], each["new"], each["exceeded"])
            for each in json.loads(self.diff("--json", *options).stdout)["limits"]
        ]  # fmt: skip

    def test_soft_and_hard(self) -> None:
        """What is exactly a limit passes; a hard one is for what NEW costs, whatever OLD did."""
        for limit, status in (
            ("Dr=2%", 3), ("dr=3%", 0), ("Dr=78", 0), ("Dr=77", 3), ("Ir=1245", 0), ("Ir=1244", 3),
            ("parse(int):3%", 0), ("parse(int):2.99%", 3), ("parse(int):Ir=1030", 0),
            ("parse(int):Ir=1029", 3),
            ("main:Ir=0%", 0), ("main:inclusive:Ir=2.4%", 3), ("main:inclusive:Ir=2.5%", 0),
            ("gone:Ir=0%", 0),
            ("come:Ir=0%", 0), ("come:Ir=4", 3), ("main:self:Ir=10", 0),
        ):  # fmt: skip
            with self.subTest(limit):
                self.assertEqual(self.diff(f"--fail-above={limit}").status, status)

    def test_names(self) -> None:
        """A name without parameters is that of each overload; a pattern is that of each function that it
        fits."""
        overloads = [("parse(char*)", "Ir", 200, 200), ("parse(int)", "Ir", 1000, 1030)]
        for name in "parse", "a.c:parse", "pa*e", "p????":
            found = [verdict[:4] for verdict in self.verdicts(f"--fail-above={name}:Ir=9%")]
            self.assertEqual(sorted(found), overloads, name)
        (only,) = self.verdicts("--fail-above=parse(char*):Dr=10%")
        self.assertEqual(only, ("parse(char*)", "Dr", 20, 22, False))
        every = self.verdicts("--fail-above=*:Ir=1%")
        self.assertEqual([verdict[0] for verdict in every if verdict[4]], ["parse(int)"])
        self.assertEqual(len(every), 5)

    def test_forms(self) -> None:
        vector = key("std::vector<int, std::allocator<int> >::at(unsigned long)", "v.h", "/bin/app")
        code, other = key("0x0000000000014c40", object="/lib/libx.so"), key("?_x", "???")
        lambdas = key("main::{lambda(int)#1}::operator()(int) const", "a.cc")
        picks = [key(f"int pick<int>({argument})", "a.cc") for argument in ("int", "char")]
        rust = key("mycrate::inner::foo", "a.rs")
        generic, method = key("g::apply::<g::Sq, 7>", "g.rs"), key(
            "<g::Tree<u32>>::add_all", "g.rs"
        )
        keys = [vector, code, other, lambdas, *picks, rust, generic, method]
        for name, expected in (
            ("std::vector<int>::at", [vector]), ("v.h:std::vector<int>::at", [vector]),
            ("v.h:std::vector<int>::at [/bin/app]", [vector]), ("std::vector<*>::at", [vector]),
            (vector.name, [vector]), (str(vector), [vector]), ("libx.so+0x14c40", [code]),
            ("?_x", [other]), ("???:?_x", [other]), ("at", []), ("vector", []), ("*", keys),
            ("main::{lambda#1}::operator()", [lambdas]), ("pick<int>", picks),
            ("pick<int>(char)", picks[1:]), ("a.cc:pick<int>(char)", picks[1:]),
            ("_ZNSt6vectorIiSaIiEE2atEm", [vector]), ("_Z4pickIiEic", picks[1:]),
            ("_ZZ4mainENKUliE_clEi", [lambdas]), ("_Z4pickIlEic", []),
            ("_RNvNtCs1234_7mycrate5inner3foo", [rust]), ("_RNvNtCs1234_7mycrate5inner3bar", []),
            ("_RINvCshhNdl82Kjmm_1g5applyNtB2_2SqKj7_EB2_", [generic]), ("g::apply::<g::Sq, 7>", [generic]),
            ("_RINvCshhNdl82Kjmm_1g5applyNtB2_2SqKj8_EB2_", []), ("g::apply::<*>", [generic]),
            ("_RNvMCshhNdl82Kjmm_1gINtB2_4TreemE7add_allB2_", [method]),
        ):  # fmt: skip
            self.assertEqual(named(keys, name), expected, name)

    def test_command_line(self) -> None:
        """Functions of C++ have colons of their own."""
        cases: list[tuple[str, str, str, bool, Fraction | int]] = [
            ("1%", "", "", False, Fraction(1)),
            ("ir=5%", "", "ir", False, Fraction(5)),
            ("ir=10000", "", "ir", False, 10000),
            ("f:Ir=3%", "f", "Ir", False, Fraction(3)),
            ("f:0.5%", "f", "", False, Fraction(1, 2)),
            ("f:inclusive:Ir=3%", "f", "Ir", True, Fraction(3)),
            ("A::self:Ir=3%", "A::self", "Ir", False, Fraction(3)),
            ("A::inclusive:inclusive:7%", "A::inclusive", "", True, Fraction(7)),
            ("a.c:A::operator==:Ir=3", "a.c:A::operator==", "Ir", False, 3),
        ]
        for text, function, event, inclusive, most in cases:
            expected = Limit(most, f"--fail-above={text}", 0, event, function, inclusive)
            self.assertEqual(parse_limit(text), expected)
        for text in "", "1", "%", "Ir=", "Ir=5x", "Ir=1.5", "f:3", "=5%", "Ir=-1%", "Ir=5%%":
            with self.assertRaises(ValueError, msg=text):
                parse_limit(text)

    def test_file(self) -> None:
        """Each limit is at its line, whatever form of TOML says it."""
        self.file.write_text(
            '# limits\r\n[total]\r\nIr = "5%"\r\nDr = [\r\n  "1%",\r\n  80 ]\n\n[functions]\n"f" = { Ir = 3 '
            "}\n"
            'g.inclusive.Ir = 1_000\n\n[functions."h::x"]  # class h\nIr = "0.5%"\n\n'
            '[functions."h::x".inclusive]\nDr = 7\n'
        )
        path = str(self.file)
        self.assertEqual(
            read_limits(path),
            [
                Limit(Fraction(5), path, 3, "Ir"),
                Limit(Fraction(1), path, 4, "Dr"),
                Limit(80, path, 4, "Dr"),
                Limit(3, path, 9, "Ir", "f"),
                Limit(1000, path, 10, "Ir", "g", True),
                Limit(Fraction(1, 2), path, 13, "Ir", "h::x"),
                Limit(7, path, 16, "Dr", "h::x", True),
            ],
        )

    def test_wrong_file(self) -> None:
        """An error is one line, with file, line and what is allowed; the exit status is not that of a
        limit."""
        amount = 'a percentage as "5%", or a figure as 10000'
        for text, error in (
            ('[total]\nIr = "5"\n', f":2: '5' for Ir; expected {amount}"),
            ('[total]\n\nIr = "5 ms"\n', f":3: '5 ms' for Ir; expected {amount}"),
            ("[total]\nIr = 5.0\n", f":2: 5.0 for Ir; expected {amount}"),
            ("[total]\nIr = -5\n", f":2: -5 for Ir; expected {amount}"),
            ("[total]\nIr = true\n", f":2: true for Ir; expected {amount}"),
            ('[total]\nIr = ["5%",\n "x"]\n', f":2: 'x' for Ir; expected {amount}"),
            ("[total]\nIr = []\n", f":2: [] for Ir; expected {amount}"),
            ("[total]\nIr.Dr = 1\n", f":2: a table for Ir; expected {amount}"),
            ("total = 3\n", ":1: 3 for total; expected a table as Ir = \"5%\""),
            ("[[total]]\nIr = 3\n", ":1: [{'ir': 3}] for total; expected a table as Ir = \"5%\""),
            ('\n[functions]\nf = "1%"\n', ":3: '1%' for f; expected a table as Ir = \"5%\""),
            ("functions = 1\n", ":1: 1 for functions; expected a table as \"NAME\" = { Ir = \"5%\" }"),
            ("[function.f]\nIr = 1\n", ":1: 'function'; expected [total] or [functions.\"NAME\"]"),
            ('[total]\nIr = "1%"\nXx = "1%"\n', ":3: no event 'Xx'; expected one of Ir, Dr"),
            ('[functions.parze]\n\nIr = 1\n',
             ":3: no function 'parze'; expected one of OLD or NEW"),
            ('[functions."pars(int)"]\nIr = 1\n',
             ":2: no function 'pars(int)'; expected one of OLD or NEW, such as parse(int)"),
            ("[total]\nIr 5\n", ":2: expected '=' after a key in a key/value pair, in column 4; "
             "expected TOML as 'Ir = \"5%\"'"),
            ('[total]\nIr = ["5%",\n', ":2: invalid value; expected TOML as 'Ir = \"5%\"'"),
            ("[total]\nIr = 1\nIr = 2\n", ":3: cannot overwrite a value, in column 7; "
             "expected TOML as 'Ir = \"5%\"'"),
            ("a = " + "[" * 5000, ": brackets in too many brackets; expected limits"),
        ):  # fmt: skip
            with self.subTest(text):
                self.file.write_text(text)
                output = self.diff("--limits=limits.toml")
                self.assertEqual(
                    (output.status, output.stdout, output.stderr), (1, "", f"limits.toml{error}\n")
                )
        self.file.write_bytes(b'[total]\nIr = "\xff"\n')
        self.assertEqual(
            self.diff("--limits=limits.toml").stderr,
            "limits.toml:2: bytes that are no UTF-8; expected TOML\n",
        )
        output = self.diff("--limits=nosuch.toml")
        self.assertEqual(
            (output.status, output.stderr), (1, "nosuch.toml: No such file or directory\n")
        )

    def test_wrong_option(self) -> None:
        for limit, error in (
            ("Xx=1%", "no event 'Xx'; expected one of Ir, Dr"),
            ("x:Ir=1%", "no function 'x'; expected one of OLD or NEW"),
        ):
            output = self.diff(f"--fail-above={limit}")
            self.assertEqual(
                (output.status, output.stdout, output.stderr),
                (1, "", f"--fail-above={limit}: {error}\n"),
            )

    def test_near_template(self) -> None:
        """What is shown of a template is near, though its full name has a type in front and behind."""
        full = "unsigned long twice<unsigned long>(unsigned long)"
        for name, text in (("old", OLD), ("new", NEW)):
            (self.folder / name).write_text(text.replace("parse(char*)", full))
        self.assertEqual(
            self.diff("--fail-above=tiwce<unsigned long>:Ir=1").stderr,
            "--fail-above=tiwce<unsigned long>:Ir=1: no function 'tiwce<unsigned long>'; "
            "expected one of OLD or NEW, such as twice<unsigned long>\n",
        )

    def test_formulas(self) -> None:
        """An event that a formula makes has limits, too."""
        for name, text in (("old", OLD), ("new", NEW)):
            (self.folder / name).write_text("event: Both = Ir + 10 Dr\n" + text)
        self.assertEqual(
            self.verdicts("--fail-above=both=2%", "--fail-above=parse(char*):Both=420"),
            [("", "Both", 1975, 2025, True), ("parse(char*)", "Both", 400, 420, False)],
        )

    def test_text(self) -> None:
        """Several limits: how many are exceeded, and each that is, as many as there are rows."""
        self.file.write_text('[total]\nIr = "9%"\n[functions."parse*"]\nIr = 100\nDr = "99%"\n')
        wrong = [
            "a.c:parse(int): Ir grew by 3.00 %, from 1,000 to 1,030; expected at most 100",
            "a.c:parse(char*): Ir is the same, 200; expected at most 100",
        ]
        output = self.diff("--limits=limits.toml", "--fail-above=1.5%")
        first = "cg2_diff: Ir grew by 2.47 %, from 1,215 to 1,245; expected at most 1.5 %"
        self.assertEqual(
            output.stderr.splitlines(), [first, *(f"cg2_diff: {line}" for line in wrong)]
        )
        self.assertEqual(
            output.stdout.splitlines()[2:7],
            [
                "Ir grew by 2.47 %, from 1,215 to 1,245",
                "3 of 6 costs are above their limits",
                "  Ir grew by 2.47 %, from 1,215 to 1,245; expected at most 1.5 %",
                *(f"  {line}" for line in wrong),
            ],
        )
        output = self.diff("--limits=limits.toml", "--markdown", "--rows=1")
        self.assertEqual(
            output.stdout.splitlines()[:6],
            [
                "### Ir grew by 2.47 %, from 1,215 to 1,245",
                "",
                "**FAILED**: 2 of 5 costs are above their limits.",
                "",
                f"- `{wrong[0]}`",
                "- `and 1 more; --rows=0 shows all`",
            ],
        )
        output = self.diff("--fail-above=5%", "--fail-above=gone:Ir=5%")
        self.assertEqual(output.stdout.splitlines()[3], "all costs are within their limits")


class Forms(Fixture):
    """What limits say, for the programs that run a comparison."""

    def junit(self, *options: str) -> ElementTree.Element:
        self.diff("--junit=found.xml", *options)
        return ElementTree.parse(self.folder / "found.xml").getroot()

    def test_junit(self) -> None:
        """A case for each verdict; elements and attributes are those that Jenkins' schema junit-10.xsd
        has."""
        suites = self.junit(
            "--fail-above=9%", "--fail-above=parse:Ir=2%", "--fail-above=main:inclusive:Ir=900"
        )
        (suite,) = suites
        self.assertEqual(
            suites.attrib, {"name": "cg2_diff", "tests": "4", "failures": "2", "errors": "0"}
        )
        self.assertEqual(
            suite.attrib,
            {"name": "limits", "tests": "4", "failures": "2", "errors": "0", "skipped": "0"},
        )
        said = [
            "a.c:parse(int): Ir grew by 3.00 %, from 1,000 to 1,030; expected at most 2 %",
            "a.c:main, with what it calls: Ir grew by 2.48 %, from 1,210 to 1,240; expected at most 900",
        ]
        self.assertEqual(
            [(case.tag, case.get("classname"), case.get("name"), [each.get("message") for each in case])
             for case in suite],
            [
                ("testcase", "total", "total: Ir grows by at most 9 %", []),
                ("testcase", "a.c", "a.c:parse(int): Ir grows by at most 2 %", said[:1]),
                ("testcase", "a.c", "a.c:parse(char*): Ir grows by at most 2 %", []),
                ("testcase", "a.c", "a.c:main, with what it calls: Ir at most 900", said[1:]),
            ],
        )  # fmt: skip
        failures = [each for case in suite for each in case]
        self.assertEqual(
            [(each.tag, each.get("type")) for each in failures], [("failure", "limit")] * 2
        )
        self.assertEqual([each.text for each in failures], said)
        for case in suite:
            self.assertEqual(set(case.attrib), {"name", "classname"})

    def test_odd_names(self) -> None:
        """Letters that XML cannot have, or that GitHub takes for its own."""
        name = 'f<"&\x01\udcff%,:>'
        for file, cost in (("old", 10), ("new", 20)):
            text = f"events: Ir\nfl=/x/a,b:c%.c\nfn={name}\n7 {cost}\n"
            (self.folder / file).write_text(text, errors="surrogateescape")
        shown = name.replace("\x01", "\\x01").replace("%", "%25")
        (case,) = self.junit("--names=full", "--fail-above=*:1%")[0]
        self.assertIn('f<"&\ufffd\ufffd%,:>', case.get("name", ""))
        self.assertEqual(
            self.diff("--names=full", "--github", "--fail-above=*:1%").stderr,
            f"::error file=/x/a%2Cb%3Ac%25.c,line=7,title=cg2_diff::a,b:c%25.c:{shown}: "
            "Ir grew by 100.00 %25, from 10 to 20; expected at most 1 %25\n",
        )

    def test_github(self) -> None:
        """An annotation is at the line that got worse most, of a file that is told from here."""
        text = (
            "events: Ir\nfl={0}/src/a.c\nfn=f.constprop.0\n5 10\n6 {1}\n9 {2}\nfi=/usr/include/i.h\n3 {3}\n"
            "fl=/other/b.c\nfn=g\n1 10\ncfn=f.constprop.0\ncalls=1 5\n1 {1}\nfn=h\n3 {2}\n"
        )
        (self.folder / "old").write_text(text.format(self.folder, 100, 7, 100))
        (self.folder / "new").write_text(text.format(self.folder, 150, 9, 200))
        output = self.diff(
            "--github", "--fail-above=f:Ir=1%", "--fail-above=g:inclusive:Ir=9", "--fail-above=h:Ir=8",
            "--fail-above=Ir=1",
        )  # fmt: skip
        self.assertEqual(
            output.stderr.splitlines(),
            [
                "::error file=src/a.c,line=6,title=cg2_diff::a.c:f: Ir grew by 70.05 %25, from 217 to 369; "
                "expected at most 1 %25",
                "::error file=/other/b.c,title=cg2_diff::b.c:g, with what it calls: "
                "Ir grew by 45.45 %25, from 110 to 160; expected at most 9",
                "::error file=/other/b.c,line=3,title=cg2_diff::b.c:h: Ir grew by 28.57 %25, from 7 to 9; "
                "expected at most 8",
                "::error title=cg2_diff::Ir grew by 65.81 %25, from 234 to 388; expected at most 1",
            ],
        )

    def test_without_limits(self) -> None:
        output = self.diff("--junit=found.xml")
        self.assertEqual(
            (output.status, output.stderr),
            (2, "cg2_diff: --junit=FILE writes what limits say; expected --fail-above or --limits; "
             "see cg2_diff --help\n"),
        )  # fmt: skip

    def test_comment(self) -> None:
        """First what changed in all: totals of events, how many functions; each table is folded."""
        lines = self.diff("--markdown", "--smallest=0.5").stdout.splitlines()
        self.assertEqual(
            lines[:11],
            [
                "### Ir grew by 2.47 %, from 1,215 to 1,245",
                "",
                "| event | old | new | difference | |",
                "| --- | ---: | ---: | ---: | --- |",
                "| `Ir` | 1,215 | 1,245 | +2.47% | worse |",
                "| `Dr` | 76 | 78 | +2.63% | worse |",
                "",
                "Ir of functions, by what they cost themselves: **1 worse**, **0 better**, 4 unchanged, "
                "or by less than 0.5 % of the total.",
                "",
                "<details><summary>Functions, by what they cost themselves</summary>",
                "",
            ],
        )
        self.assertEqual(
            (lines.count("</details>"), sum("<details>" in line for line in lines)), (4, 4)
        )
        lines = self.diff("--markdown", "--smallest=0", "--sort=Dr").stdout.splitlines()
        self.assertIn(
            "Dr of functions, by what they cost themselves: **2 worse**, **1 better**, 2 unchanged.",
            lines,
        )


class Kept(Fixture):
    """Baselines."""

    def run_here(self, *options: str) -> Output:
        return command("cg2_diff", *options, directory=self.folder)

    def test_kept(self) -> None:
        """A profile is kept as it is; then others are compared with it."""
        output = self.run_here("--save-baseline=main", "old")
        self.assertEqual(
            (output.status, output.stdout, output.stderr),
            (0, "", "cg2_diff: there is no baseline 'main' to compare with; old becomes it\n"
             "cg2_diff: wrote .cg2/baselines/main.out\n"),
        )  # fmt: skip
        kept = self.folder / ".cg2" / "baselines" / "main.out"
        self.assertEqual(kept.read_text(), OLD)
        for options in (["--baseline=main", "new"], ["new", "--baseline=main", "--json"]):
            self.assertIn("1215", self.run_here(*options).stdout.replace(",", ""))
        output = self.run_here("--baseline=main", "--fail-above=1%", "new")
        self.assertEqual(output.status, 3)
        self.assertEqual(kept.read_text(), OLD)

    def test_replaced(self) -> None:
        """What is kept is compared and replaced, unless a cost is above its limit."""
        kept = self.folder / "here" / "v1.out"
        for new, limit, status, text in (
            ("old", "1%", 0, OLD), ("new", "1%", 3, OLD), ("new", "5%", 0, NEW), ("old", "0%", 0, OLD),
        ):  # fmt: skip
            output = self.run_here(
                "--baselines=here", "--save-baseline=v1", f"--fail-above={limit}", new
            )
            self.assertEqual((output.status, kept.read_text()), (status, text))
            self.assertEqual("left as it is" in output.stderr, status == 3)
        output = self.run_here("--baselines=here", "--save-baseline=v2", "--baseline=v1", "new")
        self.assertIn("Old: here/v1.out ()", output.stdout)
        self.assertEqual((kept.read_text(), kept.with_name("v2.out").read_text()), (OLD, NEW))
        output = self.run_here("--baselines=here", "--save-baseline=v1", "old", "new")
        self.assertIn("Old: old ()", output.stdout)
        self.assertEqual(kept.read_text(), NEW)

    def test_newest(self) -> None:
        """Without NEW, the newest profile here is meant."""
        (self.folder / "cg2.out.7").write_text(NEW)
        self.run_here("--save-baseline=main", "old")
        output = self.run_here("--baseline=main")
        self.assertIn("New: cg2.out.7", output.stdout)
        self.assertEqual(output.stderr, "cg2_diff: reading cg2.out.7, the newest profile here\n")

    def test_missing(self) -> None:
        """A baseline that is not there, which there are, and what is none."""
        for options, status, error in (
            (["--baseline=main", "new"], 1, ".cg2/baselines: no baseline 'main'; there are none; "
             "--save-baseline=main keeps one"),
            (["--baseline=../x", "new"], 2,
                "cg2_diff: argument --baseline: '../x'; expected letters, digits and "
             ". _ + @ - as in main or v1.2; see cg2_diff --help"),
            (["--save-baseline=main", "nosuch"], 1, "nosuch: No such file or directory"),
            (["--save-baseline=main", "/dev/null"], 1,
                "/dev/null: cannot be kept as a baseline; expected a file"),
            (["--baseline=main", "old", "new"], 2, "cg2_diff: with --baseline, expected one profile, "
             "which is compared with it; see cg2_diff --help"),
        ):  # fmt: skip
            output = self.run_here(*options)
            self.assertEqual((output.status, output.stderr.splitlines()[-1]), (status, error))
        for name in "main", "v1":
            self.run_here(f"--save-baseline={name}", "old")
        self.assertEqual(
            self.run_here("--baseline=mian", "new").stderr,
            ".cg2/baselines: no baseline 'mian'; expected main or v1; --save-baseline=mian keeps one\n",
        )
        (self.folder / "wrong").write_text("events: Ir\nfn=f\nx\n")
        output = self.run_here("--save-baseline=wrong", "wrong")
        self.assertEqual(output.status, 1)
        self.assertFalse((self.folder / ".cg2/baselines/wrong.out").exists())


if __name__ == "__main__":
    unittest.main()
