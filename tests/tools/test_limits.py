"""Limits of cg2_diff: for the program, for functions and events, on the command line and in a file."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path

from toolsupport import Output, command, key

import cg2test
from cg2tools.diff.limits import Limit, parse_limit, read_limits
from cg2tools.diff.verdicts import named

# `work` takes 2 + 2 * rounds instructions and is called a hundred times, `rest` 2 + 2 * 250000.
PROGRAM = """\
#define BODY(TEXT) { __asm__(TEXT); }
__attribute__((naked)) void work(void)
BODY("mov $ROUNDS, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) void rest(void)
BODY("mov $250000, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) int main(void)
BODY("mov $100, %edx\\n1: call work\\n dec %edx\\n jnz 1b\\n call rest\\n xor %eax, %eax\\n ret")
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
        subprocess.run(["gcc", "-g", "-O1", "-o", "app", "app.c"], cwd=program.parent, check=True)
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


class Files(unittest.TestCase):
    """Profiles and files of limits written by hand."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "old").write_text(OLD)
        (self.folder / "new").write_text(NEW)
        self.file = self.folder / "limits.toml"

    def diff(self, *options: str) -> Output:
        return command("cg2_diff", *options, "old", "new", directory=self.folder)

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
            ("parse(int):3%", 0), ("parse(int):2.99%", 3), ("parse(int):Ir=1030", 0), ("parse(int):Ir=1029", 3),
            ("main:Ir=0%", 0), ("main:inclusive:Ir=2.4%", 3), ("main:inclusive:Ir=2.5%", 0), ("gone:Ir=0%", 0),
            ("come:Ir=0%", 0), ("come:Ir=4", 3), ("main:self:Ir=10", 0),
        ):  # fmt: skip
            with self.subTest(limit):
                self.assertEqual(self.diff(f"--fail-above={limit}").status, status)

    def test_names(self) -> None:
        """A name without parameters is that of each overload; a pattern is that of each function that it fits."""
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
        keys = [vector, code, other]
        for name, expected in (
            ("std::vector<int>::at", [vector]), ("v.h:std::vector<int>::at", [vector]),
            ("v.h:std::vector<int>::at [/bin/app]", [vector]), ("std::vector<*>::at", [vector]),
            (vector.name, [vector]), (str(vector), [vector]), ("libx.so+0x14c40", [code]),
            ("?_x", [other]), ("???:?_x", [other]), ("at", []), ("vector", []), ("*", keys),
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
            '# limits\r\n[total]\r\nIr = "5%"\r\nDr = [\r\n  "1%",\r\n  80 ]\n\n[functions]\n"f" = { Ir = 3 }\n'
            'g.inclusive.Ir = 1_000\n\n[functions."h::x"]  # class h\nIr = "0.5%"\n\n[functions."h::x".inclusive]\nDr = 7\n'
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
        """An error is one line, with file, line and what is allowed; the exit status is not that of a limit."""
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
        wrong = [line.replace("(int)", "").replace("(char*)", "") for line in wrong]
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


if __name__ == "__main__":
    unittest.main()
