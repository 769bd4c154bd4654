"""A copy of the tree that is built once, and in which one line at a time is another one.

    copy = Copy(directory)
    if copy.put(path, changed): name = copy.failing(tests, seconds)

Only what a line concerns is built anew, which is nothing for a line of Python. Compilers go through ccache
where it is installed, so that what a line does not concern is compiled once.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / "lib")]

from concerns import git

MADE = ["cg2-amd64-linux", "cg2-x86-linux", "libcg2profile.so.1", "libcg2debug.so.0"]
CCACHE = "/usr/lib/ccache"  # where Debian has compilers' names that call it


class Copy:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.differing = ""  # the path of the file that is another one now
        self.is_stale = False  # a file that is compiled has changed since the last build
        self.make()
        self.sound = self.digest()

    def make(self) -> None:
        """Bring the copy up to date; what was built in it stays."""
        for path in git("ls-files"):
            place = self.directory / path
            if not (SOURCE / path).is_file():
                continue
            new = (SOURCE / path).read_bytes()
            if not place.is_file() or place.read_bytes() != new:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / path, place)
        ended = subprocess.run(
            ["./bootstrap", "build"],
            cwd=self.directory,
            env=self.compilers(),
            capture_output=True,
            text=True,
        )
        if ended.returncode:
            sys.exit(f"mutants: the sources do not build: {ended.stderr.strip().splitlines()[-1]}")

    def put(self, path: str, text: str) -> bool:
        """Have a file say something else, and no other one; false: it does not build, or builds the same."""
        self.restore()
        if path.endswith(".py") and not is_other_python(self.text(path), text):
            return False
        self.differing = path
        self.write(path, text)
        return self.build() and (path.endswith(".py") or self.digest() != self.sound)

    def restore(self) -> None:
        """Have all files say what they said; what put() builds next is built of them."""
        if self.differing:
            self.write(self.differing, self.text(self.differing))
        self.differing = ""

    def write(self, path: str, text: str) -> None:
        (self.directory / path).write_text(text)
        self.is_stale = self.is_stale or not path.endswith(".py")

    @staticmethod
    def text(path: str) -> str:
        return (SOURCE / path).read_text()

    def build(self) -> bool:
        if not self.is_stale:
            return True
        words = ["make", f"-j{os.cpu_count()}"]
        ended = subprocess.run(words, cwd=self.directory, env=self.compilers(), capture_output=True)
        self.is_stale = ended.returncode != 0
        return not self.is_stale

    def digest(self) -> str:
        """A digest of all code that is built: what debuggers know of it does not count."""
        found = hashlib.sha256()
        words = ["--strip-debug", "--remove-section=.note.gnu.build-id"]
        with tempfile.NamedTemporaryFile() as bare:
            for path in (self.directory / name for name in MADE):
                if path.exists():
                    subprocess.run(["objcopy", *words, path, bare.name], check=True)
                    found.update(Path(bare.name).read_bytes())
        return found.hexdigest()

    def failing(self, names: list[str], seconds: float) -> list[str]:
        """The first of these tests that fails; or all those that have not ended after so many seconds."""
        words = [sys.executable, "tests/run.py", *names]
        left = set(names)
        with tempfile.TemporaryDirectory(
            prefix="cg2mutant-", ignore_cleanup_errors=True
        ) as scratch:
            process = subprocess.Popen(
                words,
                cwd=self.directory,
                env=self.environment(scratch),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
            timer = threading.Timer(seconds, end_all, [process])
            timer.start()
            try:
                assert process.stdout
                for line in process.stdout:
                    if line.startswith("FAIL "):
                        return [line.split()[-1]]
                    left -= set(line.split()[-1:])
                return sorted(left or names) if process.wait() else []
            finally:
                timer.cancel()
                end_all(process)

    def environment(self, scratch: str) -> dict[str, str]:
        return {**self.compilers(), "CG2_BUILD": str(self.directory), "TMPDIR": scratch}

    def compilers(self) -> dict[str, str]:
        """The environment in which compilers go through ccache."""
        path = f"{CCACHE}:{os.environ['PATH']}" if Path(CCACHE).is_dir() else os.environ["PATH"]
        return {**os.environ, "CCACHE_DIR": str(self.directory / "tests-ccache"), "PATH": path}


def end_all(process: subprocess.Popen[str]) -> None:
    """End what a process has left of its own group, and wait for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def is_other_python(before: str, after: str) -> bool:
    """Whether a text is Python, and not the same program as another one."""
    try:
        return code_of(after) != code_of(before)
    except SyntaxError:
        return False


def code_of(text: str) -> str:
    """A program without comments and docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return ast.dump(tree)
