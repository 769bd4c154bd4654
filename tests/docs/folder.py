"""A folder in which the commands of the documents can be run: what they name is there.

The programs that they pipe to, or that are not Debian's, have stand-ins, which look at what they are given.
"""

from __future__ import annotations

import atexit
import functools
import re
import select
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import ClassVar

import cg2test
import starts
from cg2test import IN_PLACE, SOURCE, TOOLS
from commands import shown
from datafiles import list_and_array

HERE = Path(__file__).resolve().parent
GATE = SOURCE / "docs" / "guide" / "gate.md"

# Programs that take what cg2_convert writes, or that write what it takes.
STAND_INS = {
    "flamegraph.pl": """\
#!/bin/sh
bad=$(grep -Evc '^[^ ;].* [0-9]+$')
test "$bad" = 0 && echo '<svg/>'
""",
    "gprof2dot": """\
#!/bin/sh
test "$*" = '-f callgrind' || exit 2
text=$(cat)
echo "$text" | head -n 1 | grep -qx '# callgrind format' || exit 1
! echo "$text" | grep -E '^(jump|jcnd|jfi|jfn)=' && echo 'digraph {}'
""",
    "perf": '#!/bin/sh\ntest "$*" = script && echo samples\n',
    "stackcollapse-perf.pl": "#!/bin/sh\ngrep -qx samples && echo 'app;main;work 12'\n",
    "ssh": '#!/bin/sh\ntest "$1" = host && mkdir -p www && exec sh -c "$2"\n',
    "kcachegrind": '#!/bin/sh\ntest -s "$1"\n',
}

# The profiles that commands name.
PROFILES = [
    *(f"cg2.out.{name}" for name in ("4711", "4711.1", "4712", "1", "2", "before", "after")),
    *("before.out", "after.out", "main.out", "old", "new", "OLD", "NEW"),
    *("a.1", "a.2", "a.3", "b.1", "b.2", "b.3"),
    *("v1.out", "v2.out", "v3.out", "commits/1.out", "commits/2.out"),
]

# What cg2 is here: its door, but for cg2_control below.
DOOR = """\
#!/bin/sh
test "$1" = control && shift && exec cg2_control "$@"
test "$1" = top && shift && exec cg2_control --top "$@"
exec {behind}/cg2 "$@"
"""

# Profiles of the threads of a run, with the number in the header.
THREADS = {f"cg2.out.4711-0{number}": number for number in (1, 2, 3)}

# cg2_control looks at the runs of this test alone, one of which is 4711.
CONTROL = """\
#!/bin/sh
for word; do
   shift
   test "$word" = 4711 && word={pid}
   set -- "$@" "$word"
done
exec {tools}/cg2_control --vgdb-prefix={folder}/vgdb "$@"
"""


@functools.cache
def place() -> Path:
    """Where the folders of this process are, one at a time: programs and profiles say where they were
    made.

    Profiles have objects in the order of their paths, and the documents show the program first: before
    the libc that is beside compiled programs.
    """
    directory = min(tempfile.gettempdir(), str(cg2test.compiled()))
    made = Path(tempfile.mkdtemp(prefix="documents-", dir=directory))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made / "me"


class Documented(unittest.TestCase):
    """Tests that run command lines, whose commands are forked: see starts.py."""

    commands: ClassVar[starts.Programs]

    @classmethod
    def setUpClass(cls) -> None:
        if not list(IN_PLACE.glob("cg2-*")):
            raise unittest.SkipTest(f"{IN_PLACE} has no cg2")
        cls.commands = starts.Programs(TOOLS, cg2test.compile("forked.c", "-O1"))
        cls.addClassCleanup(cls.commands.close)


class Folder:
    """A directory with all that the commands name: a program, its profiles, the tools, and cg2 built in
    place.

    It is filled once in a process. Each folder is a copy of what it was then, in the same place.
    """

    last: ClassVar[Folder | None] = None

    def __init__(self, test: Documented) -> None:
        self.test = test
        self.commands = test.commands
        self.path = place()
        self.programs = self.path / "programs"
        self.run_of_app: subprocess.Popen[bytes] | None = None
        filled = self.path.with_name("filled")
        if Folder.last:
            Folder.last.remove()
        else:
            self.fill()
            shutil.copytree(self.path, filled, symlinks=True)
            shutil.rmtree(self.path)
        shutil.copytree(filled, self.path, symlinks=True)
        self.add_doors()
        Folder.last = self

    def remove(self) -> None:
        if self.run_of_app:
            self.run_of_app.kill()
            self.run_of_app.wait()
        shutil.rmtree(self.path)

    def fill(self) -> None:
        (self.programs / "behind").mkdir(parents=True)
        self.add_program()
        self.add_profiles()
        for name, text in STAND_INS.items():
            self.add_script(name, text)
        (self.programs / "python3.12").symlink_to("/usr/bin/python3")
        self.add_script("../bootstrap", f'#!/bin/sh\nexec {SOURCE}/bootstrap "$@"\n')
        (self.path / "tools").symlink_to(TOOLS)
        (self.path / "docs").symlink_to(SOURCE / "docs")
        (self.path / ".in_place").symlink_to(IN_PLACE)

    def add_doors(self) -> None:
        """Adds cg2 as it is in place, but that the commands behind it are those that are forked."""
        door = (IN_PLACE / "bin" / "cg2").read_text()
        door = door.replace(f"commands='{TOOLS}'", f"commands='{self.commands.folder}'")
        assert str(self.commands.folder) in door
        self.add_script("behind/cg2", door)
        self.add_script("cg2", DOOR.format(behind=self.programs / "behind"))

    def add_script(self, name: str, text: str) -> None:
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)

    def add_program(self) -> None:
        docs = SOURCE / "docs"
        for name in (
            *(HERE / "app" / "main.c", HERE / "app" / "app.c"),
            *(docs / "words.c", docs / "lookup.cc"),
        ):
            shutil.copy(name, self.path)
        self.link("-static")  # Valgrind starts it in half the time
        (self.path / "app.js").write_text(
            "let sum = 0;\nfor (let i = 0; i < 1000; i++) sum += i;\n"
        )
        (self.path / "app.py").write_text("print(sum(range(1000)))\n")

    def link(self, *flags: str) -> None:
        """Make the program app."""
        command = ["gcc", "-g", "-O1", *flags, "-o", "app", "main.c", "app.c"]
        subprocess.run(command, cwd=self.path, check=True)

    def add_profiles(self) -> None:
        """Adds the profiles that the documents name: two processes, a part, two builds; and paths."""
        options = ["--cache-sim=yes", "--cache-sweep=D:4k..1m", "--dump-instr=yes"]
        options += ["--collect-jumps=yes"]
        options += ["--contexts=full", "--paths-out-file=cg2.paths.4711"]
        run = cg2test.run_cg2(
            ["./app"],
            *options,
            out_file="app",
            directory=self.path,
            tool="cg2",
            environment=cg2test.lean_env(),
        )
        assert run.status == 0, run.stderr
        text = run.profile_paths[0].read_text()
        (self.path / "commits").mkdir()
        for name in PROFILES:
            (self.path / name).write_text(text)
        for name, number in THREADS.items():
            (self.path / name).write_text(
                re.sub(r"(?m)^(part: .*)$", rf"\1\nthread: {number}", text)
            )
        (self.path / "pr.out").write_text(costlier(text))
        shutil.copy(self.path / "cg2.paths.4711", self.path / "cg2.paths.4712")
        (self.path / "cg2.data.4711").write_text(list_and_array())
        (self.path / "cg2-limits.toml").write_text(shown(GATE, "# cg2-limits.toml"))
        (self.path / "profiles" / "app").unlink()

    def new_profiles(self, command: str) -> list[Path]:
        """The profiles that a command left here, under the name that it gives."""
        named = re.search(r"--cg2-out-file=([^\s%']+)", command)
        pattern = f"{named[1]}*" if named else "cg2.out.*"
        return [path for path in self.path.glob(pattern) if path.name not in (*PROFILES, *THREADS)]

    def start_app(self) -> None:
        """Have a program that waits, for cg2_control."""
        if self.run_of_app and self.run_of_app.poll() is None:
            return
        # The program's profiles are elsewhere, and not the newest here.
        runs = self.path / "profiles"
        command = [
            *(
                cg2test.VALGRIND,
                "-q",
                "--tool=cg2",
                "--cache-sim=yes",
                f"--vgdb-prefix={self.path}/vgdb",
            ),
            *(f"--cg2-out-file={runs}/cg2.out.%p", "./app", "--fast"),
        ]
        run = self.run_of_app = subprocess.Popen(
            command, cwd=self.path, env=cg2test.lean_env(), stderr=subprocess.DEVNULL
        )
        self.test.addCleanup(run.wait)
        self.test.addCleanup(run.kill)
        control = CONTROL.format(tools=self.commands.folder, folder=self.path, pid=run.pid)
        self.add_script("cg2_control", control)
        for _ in range(200):
            if re.search(r"\] +parse \(217 x\)", self.run("cg2_control -b 4711").stdout):
                return
            select.select([], [], [], 0.1)
        raise AssertionError("app does not come to where it waits")

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command line as a user does, with cg2 and its tools installed."""
        path = f"{self.programs}:{self.commands.folder}:{Path(shutil.which(cg2test.VALGRIND) or '/').parent}"
        environment = cg2test.lean_env(
            HOME=str(self.path),
            **self.commands.environment,
            # mpirun: as root, and on a machine of fewer processors than ranks.
            OMPI_ALLOW_RUN_AS_ROOT="1",
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_rmaps_base_oversubscribe="1",
        )
        environment["PATH"] = f"{path}:{environment['PATH']}"
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="backslashreplace",  # a format may be binary: cg2_convert --to=pprof
            timeout=cg2test.HANG,
            check=False,
        )


def costlier(text: str) -> str:
    """The profile with 1.5 % more instructions, in main."""
    more = int(re.search(r"(?m)^summary: (\d+)", text)[1]) * 15 // 1000  # type: ignore[index]
    text = re.sub(r"(?m)^(summary|totals): (\d+)", lambda m: f"{m[1]}: {int(m[2]) + more}", text)
    first = re.search(r"(?m)^fn=\(\d+\) main\n0x\w+ \d+ (\d+)", text)
    assert first, "the profile says main before its costs"
    return f"{text[: first.start(1)]}{int(first[1]) + more}{text[first.end(1) :]}"
