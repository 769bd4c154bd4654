"""Each option of the tool is written once: as a row of the table in run/options.c, which the tool reads and
shows."""

import re
import subprocess
import unittest

from cg2test import AS_CALLGRIND, SOURCE, VALGRIND, env

TABLE = (SOURCE / "cg2" / "run" / "options.c").read_text()
ROWS = re.findall(r'^   \{"(--[\w-]+)",\s+OPTION_(\w+),', TABLE, re.MULTILINE)

# Values that are right: of each kind, and of options that have values of their own.
OF_KIND = {"SWITCH": "yes", "NUMBER": "1", "COUNT": "1", "TEXT": "f", "PATTERN": "f"}
OF_OPTION = {
    "--keep-env": "HOME",
    "--I1": "32768,8,64",
    "--D1": "32768,8,64",
    "--L2": "262144,8,64",
    "--LL": "8388608,16,64",
    "--data-alloc": "f,size=1,free=g",
    "--cache-sweep": "D:8k..1m",
    "--machine": "skylake",
    "--cpu": "host",
    "--inherited-state": "on,outside,straight",
}
WIDTH = 80


def say(*options: str) -> subprocess.CompletedProcess[str]:
    """What the tool says to options; no program runs."""
    return subprocess.run(
        [VALGRIND, "--tool=cg2", *options, "/bin/true"],
        capture_output=True,
        text=True,
        env=env(),
        check=False,
    )


def lines_of_help() -> list[str]:
    """The lines about cg2's own options, without the machines."""
    text = say("--help-debug").stdout
    groups = re.findall(
        r"^  (?:user|debugging) options for cg2:\n(.*?)(?=^  \w|\Z)", text, re.MULTILINE | re.DOTALL
    )
    text = re.sub(r"^   machines .*?\n\n", "", "".join(groups), flags=re.MULTILINE | re.DOTALL)
    return text.splitlines()


def entries() -> list[tuple[str, str, str]]:
    """The name, the values and the text of each option in the help, read as simply as its form allows."""
    found: list[tuple[str, str, str]] = []
    for line in lines_of_help():
        head = re.fullmatch(r" {4}(--[a-zA-Z\d-]+)(\S*) {2,}(\S.*)", line)
        if head:
            found.append((head[1], head[2], head[3]))
        elif line.startswith(" " * 32):
            name, values, text = found.pop()
            found.append((name, values, f"{text} {line.strip()}"))
    return found


class Options(unittest.TestCase):
    """The rows of the table."""

    def assertTaken(self, option: str) -> None:
        """Behind options that the tool takes --machine=help is obeyed."""
        said = say(option, "--machine=help")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertRegex(said.stderr, r"^\s+machines that --machine=<name> simulates:\n")

    def test_help(self) -> None:
        """The help has each option once, in the order of the table."""
        self.assertGreater(len(ROWS), 50)
        self.assertEqual(len(set(ROWS)), len(ROWS))
        self.assertEqual([name for name, _, _ in entries()], [name for name, _ in ROWS])

    def test_form(self) -> None:
        """Each line of the help is a heading, begins an option or goes on with one."""
        for line in lines_of_help():
            self.assertLessEqual(len(line), WIDTH, line)
            self.assertRegex(line, r"^$|^ {3}\w.*:$|^ {4}--[a-zA-Z]\S* {2,}\S|^ {32}\S")

    def test_accepted(self) -> None:
        """The tool takes each option with a value that is right."""
        values = {name: values for name, values, _ in entries()}
        for name, kind in ROWS:
            value = OF_OPTION.get(name) or OF_KIND.get(kind) or values[name].split("|")[-1]
            option = f"{name}3=f" if kind == "NUMBERED" else f"{name}={value}"
            with self.subTest(option):
                self.assertTaken(option)
        self.assertTaken("--pop-on-jump")

    def test_unknown(self) -> None:
        """An option that is in no row is none, although its name begins as another's."""
        for option in ("--dump-lines=yes", "--dat=no", "--data-out-files=f", "--nothing=1"):
            with self.subTest(option):
                self.assertIn(f"Unknown option: {option}", say(option, "--machine=help").stderr)

    def test_defaults(self) -> None:
        """Each default that the help tells is a value that the option takes."""
        for name, values, text in entries():
            default = re.search(r"\[(\S+)\]$", text)
            if default and values.startswith("="):
                with self.subTest(name):
                    self.assertTaken(f"{name}={default[1]}")
        known = {name for name, _, text in entries() if text.endswith("]")}
        switches = {name for name, kind in ROWS if kind in ("SWITCH", "WORD", "COUNT")}
        self.assertLessEqual(switches, known)

    def test_callgrind(self) -> None:
        """Under the name of Callgrind the help tells the defaults of that name."""
        command = [str(AS_CALLGRIND / "bin" / "valgrind"), "--tool=callgrind", "--help"]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        self.assertIn("the same as --cg2-out-file [callgrind.out.%p]", said)


if __name__ == "__main__":
    unittest.main()
