"""Every command line that the documents show is run, in a folder that has what it names.

What they show of the output is compared, too, but for the figures.
"""

from __future__ import annotations

import re
import unittest
from itertools import groupby

import cg2test
from cg2test import BUILD, SOURCE
from commands import MARKDOWN, PAGES, Command, all_commands, is_of_cg2, name_of, shown
from folder import STAND_INS, Documented, Folder

PAGE = SOURCE / "tools" / "cg2tools" / "report" / "report.html"  # which cg2_report fills in

# What is not run here, and why: a document, a section, or a command.
NOT_HERE = {
    "install.md": "tests/build installs cg2, and runs what was installed",
    "Where things are": "files, no commands",
    "./bootstrap check": "runs this test",
}

# What goes on until the program ends.
ENDLESS = re.compile(r"cg2(?: top|[_ ]control --top)\b(?!.*--count)")

# Exit statuses other than 0, by a part of the command. pr.out costs 1.5 % more than main.out.
STATUS = {"--fail-above=1%": 3, "--limits=": 3}


def program_of(command: str) -> str:
    """The first word that is no variable."""
    return next(word for word in command.split() if not re.match(r"\w+=", word))


class Commands(Documented):
    """A test for each document."""

    def run_document(self, commands: list[Command]) -> None:
        """Each section in a folder of its own: the commands of one may go on with each other's files."""
        here = [
            c
            for c in commands
            if not {c.document, c.section, c.text} & set(NOT_HERE) and not ENDLESS.match(c.text)
        ]
        for _, section in groupby(here, lambda command: command.section):
            folder = Folder(self)
            for command in section:
                with self.subTest(str(command)):
                    self.run_command(folder, command.text)

    def run_command(self, folder: Folder, command: str) -> None:
        program = program_of(command)
        if program == "./bootstrap" and BUILD != SOURCE:
            return  # it works in the source tree, and this build is elsewhere
        if re.match(r"\S*cg2[_ ]report\b", command) and not PAGE.exists():
            self.skipTest(f"{PAGE} is not built, which needs npm")
        if re.match(r"cg2(?:[_ ]control| top)\b", command):
            folder.start_app()
        ended = folder.run(command)
        if "no table of this processor" in ended.stderr:
            self.skipTest(ended.stderr.strip())
        status = next((status for part, status in STATUS.items() if part in command), 0)
        self.assertEqual(ended.returncode, status, ended.stderr)
        self.assertNotIn("Traceback", ended.stderr)
        if is_of_cg2(command):
            self.assertTrue(
                ended.stdout or left(folder, command), "it shows nothing, and leaves nothing"
            )
        elif {"valgrind", "cg2"} & set(command.split()):
            self.assertTrue(folder.new_profiles(command), "no profile")


def left(folder: Folder, command: str) -> bool:
    """Whether the file that a command writes is there, and not empty."""
    written = re.search(r"(?:-o |--html=|> ?)([^\s'-]+)", command)
    kept = re.search(r"--save-baseline=(\w+)", command)
    is_report = bool(re.search(r"cg2[_ ]report", command))
    name = written[1] if written else "cg2_report.html" if is_report else ""
    name = f".cg2/baselines/{kept[1]}.out" if kept else name
    return bool(name) and (folder.path / name).stat().st_size > 0


def skeleton(text: str) -> list[str]:
    """The lines without figures and blanks."""
    return [" ".join(re.sub(r"[\d,]+", "N", line).split()) for line in text.strip().splitlines()]


class Shown(Documented):
    """What the documents show of the output of commands."""

    GUIDE = SOURCE / "docs" / "guide"
    FORMAT = SOURCE / "docs" / "format.md"

    def setUp(self) -> None:
        self.folder = Folder(self)

    def run_all(self, *commands: str) -> str:
        """The output of the last one."""
        for command in commands:
            ended = self.folder.run(command)
            self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_stack(self) -> None:
        """The guide's stack, but for what libc has below main; the program has a dynamic linker there."""
        self.folder.link()
        self.folder.start_app()
        found = skeleton(self.run_all("cg2_control -b -e Ir 4711"))
        expected = skeleton(shown(self.GUIDE / "control.md", "PID 4711: ./app"))
        last = next(i for i, line in enumerate(expected) if "main (N x)" in line)
        self.assertEqual(found[: last + 1], expected[: last + 1])
        self.assertEqual(expected[last + 1 :], ["[ N] . (below main)"])
        self.assertTrue(any(line.endswith("(below main) (N x)") for line in found))

    def test_imbalance(self) -> None:
        """The guide's table, for ranks of the same program: rank.3 has most to do, in work."""
        mpirun, merge = (
            command.text
            for command in all_commands()["guide/many.md"]
            if command.section == "Adding up many processes"
            and (command.text.startswith("mpirun") or "--rows=3" in command.text)
        )
        found = self.run_all(mpirun, merge)
        expected = shown(self.GUIDE / "many.md", "        Ir  of mean")
        top = [line.replace("/home/me", str(self.folder.path)) for line in expected.splitlines()]
        table = skeleton("\n".join(top).replace("app.c:work", f"{self.folder.path}/app.c:work"))
        self.assertEqual(skeleton(found)[: len(table)], table)

    def test_sums(self) -> None:
        """What a run prints at its end."""
        ended = self.folder.run("valgrind --tool=cg2 ./app")
        text = shown(self.GUIDE / "run.md", "Events    : Ir")
        expected = skeleton(text.replace("/home/me/app", str(self.folder.path)))
        lines = [line.partition("== ")[2] for line in ended.stderr.splitlines()]
        self.assertEqual(skeleton("\n".join(lines))[-len(expected) :], expected)

    def test_first_profile(self) -> None:
        """The first profile: its hottest functions, the line that costs most, and what the change brings."""
        page = SOURCE / "docs" / "first-profile.md"
        given = [
            c.text for c in all_commands()[page.name] if c.text.startswith(("gcc", "cg2 --cg2-out"))
        ]
        build, profile, rebuild, profile_again = given
        for block, *commands in (
            ("43,066,092 Ir:", build, profile),
            ("         .           int is_same", "cg2 annotate words.out words.c"),
            ("Ir shrank", rebuild, profile_again, "cg2 diff words.out better.out"),
        ):
            found = skeleton(self.run_all(*commands).replace(str(self.folder.path), "/home/me"))
            expected = skeleton(shown(page, block))
            self.assertIn(expected[0], found)
            first = found.index(expected[0])
            self.assertEqual(found[first : first + len(expected)], expected)

    def test_recipes_of_data(self) -> None:
        """The recipe whose program is here: the object that misses, and what the other layout brings."""
        page = SOURCE / "docs" / "recipes-data.md"
        build, profile, show, rebuild, profile_again, compare = (
            command.text for command in all_commands()[page.name]
        )
        for block, *commands in (
            ("738,407 (94", build, profile, show),
            ("L1m shrank by 69", rebuild, profile_again, compare),
            ("difference  of total      old      new           object\n  -510", compare),
        ):
            found = skeleton(self.run_all(*commands))
            lines = [
                line
                for line in skeleton(shown(page, block))
                # The lines of the standard library are those of its version.
                if "stl_" not in line and not line.startswith("difference")
            ]
            self.assertLessEqual(set(lines), set(found))

    def test_phases(self) -> None:
        """The guide's program with phases leaves the parts that it says."""
        text = shown(self.GUIDE / "control.md", "#include <cg2/cg2.h>").replace(
            "<cg2/cg2.h>", f'"{cg2test.PUBLIC}"'
        )
        (self.folder.path / "phases.c").write_text(
            "static void load(void) {}\nstatic void work(void) {}\n" + text
        )
        self.run_all(
            "gcc -o phases phases.c", "valgrind --tool=cg2 --cg2-out-file=phases.out ./phases"
        )
        parts = [
            cg2test.part_of(self.folder.path / name)
            for name in ("phases.out.1", "phases.out.2", "phases.out")
        ]
        self.assertEqual(
            [part.descriptions["Trigger"] for part in parts], ["Client Request", "load", "work"]
        )

    def test_format(self) -> None:
        """The example of format.md, in its three forms: every line about the program's own functions."""
        (self.folder.path / "demo.c").write_text(shown(self.FORMAT, "static int square"))
        self.run_all("gcc -g -O0 -o demo demo.c")
        for start, options in (
            ("# callgrind format", ""),
            ("0x1138 7 1", "--dump-instr=yes"),
            ("ob=/home", "--compress-strings=no --compress-pos=no"),
        ):
            self.run_all(f"valgrind --tool=cg2 --cg2-out-file=demo.out {options} ./demo")
            text = (self.folder.path / "demo.out").read_text()
            for part in re.split(r"(?m)^\.\.\.$", shown(self.FORMAT, start)):
                lines = [self.as_here(line) for line in part.strip().splitlines()]
                self.assertIn("\n".join(lines), self.without_figures(text), options)

    def as_here(self, line: str) -> str:
        """A line of format.md without what explains it."""
        return self.without_figures(
            re.split(r"(?<=\S) {4,}", line)[0].replace("/home/user/demo", str(self.folder.path))
        )

    def without_figures(self, text: str) -> str:
        """Without those that depend on libc, on what the compiler is, or on this machine."""
        text = re.sub(r"(?m)^(desc: (?:CPU|Environment|Started|Objects)): .*$", r"\1: N", text)
        text = re.sub(r"(?m)^desc: Rounds of .*\n", "", text)
        text = re.sub(r"(?m)^(pid|summary|totals): \d+$", r"\1: N", text)
        return re.sub(r"(?m)(?<=block 0 - )\d+|^0x11[0-9a-f]{2}(?= 7 1$)", "N", text)


def anchor(heading: str) -> str:
    """The name of a heading in links, as viewers of Markdown make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Documents(unittest.TestCase):
    """What is said of the documents as a whole."""

    def test_links(self) -> None:
        """Each link leads to a file and a heading that there are."""
        count = 0
        for path in MARKDOWN:
            for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
                name, _, heading = target.partition("#")
                file = (path.parent / name).resolve() if name else path
                self.assertTrue(file.exists(), f"{name_of(path)}: {target}")
                if heading:
                    headings = re.findall(r"(?m)^#+ (.*)$", file.read_text())
                    self.assertIn(heading, map(anchor, headings), f"{name_of(path)}: {target}")
                count += 1
        self.assertGreater(count, 200)

    def test_all_have_commands(self) -> None:
        counts = {name: len(commands) for name, commands in all_commands().items()}
        for name in ("README", "guide/read.md"):
            self.assertGreater(counts[name], 1, name)
        for page in PAGES:
            self.assertGreater(counts[page.name], 0, page.name)

    def test_exceptions(self) -> None:
        """Each thing that is left out, or ends otherwise, is there."""
        every = [command for commands in all_commands().values() for command in commands]
        for name in NOT_HERE:
            self.assertTrue(any(name in (c.document, c.section, c.text) for c in every), name)
        for part in STATUS:
            self.assertTrue(any(part in command.text for command in every), part)
        for program in STAND_INS:
            self.assertTrue(any(program in command.text for command in every), program)


def is_generated(document: str) -> bool:
    """Whether a document has, from the same tables, the commands of the man pages."""
    return document == "reference/commands.md" or document.endswith(" --help")


def to_run() -> dict[str, list[Command]]:
    """The commands of each document; those that a man page has, too, only there."""
    every = all_commands()
    run = {c.text for name, commands in every.items() if name.endswith(".1") for c in commands}
    return {
        name: [c for c in commands if not (is_generated(name) and c.text in run)]
        for name, commands in every.items()
    }


def add_tests() -> None:
    for name, commands in to_run().items():
        if not commands:
            continue

        def test(self: Commands, commands: list[Command] = commands) -> None:
            self.run_document(commands)

        test.__doc__ = f"The command lines of {name}."
        setattr(
            Commands,
            f"test_{re.sub('[^a-z0-9]+', '_', name.lower().replace('cg2-', 'door_'))}",
            test,
        )


add_tests()

if __name__ == "__main__":
    unittest.main()
