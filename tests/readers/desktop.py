"""A screen that nobody sees, with a message bus, for programs with windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from cg2test import PATIENCE

NEEDED = {
    "Xvfb": "xvfb", "dbus-daemon": "dbus-daemon", "xdotool": "xdotool", "gm": "graphicsmagick",
    "kcachegrind": "kcachegrind",
}  # fmt: skip


def missing() -> str:
    """The Debian packages that are not there."""
    return " ".join(package for program, package in NEEDED.items() if not shutil.which(program))


@dataclass(frozen=True)
class Seen:
    """What a program showed, and what it said on stderr."""

    windows: list[str]
    stderr: list[str]
    colours: int  # of the screenshot
    status: int | None  # None: it still ran when it was ended


class Desktop:
    def __enter__(self) -> Desktop:
        self.folder = Path(tempfile.mkdtemp(prefix="cg2desktop-"))
        self.folder.chmod(0o700)
        (self.folder / ".config").mkdir()
        (self.folder / ".config" / "kcachegrindrc").write_text("[TipOfDay]\nRunOnStart=false\n")
        self.servers: list[subprocess.Popen[bytes]] = []
        # Nor by a socket without a file: those of a machine are those of all systems in its directories, too,
        # and a program would find the display of that number that another of them has.
        quiet = ("-nolisten", "tcp", "-nolisten", "local")
        # The server does not start anew where the last program ends: the next program would come too early.
        stays = ("-noreset", "-screen", "0", "1280x900x24")
        display = self.start("Xvfb", "-displayfd", "{fd}", *stays, *quiet)
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address={fd}")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "DISPLAY": f":{display}",
            "DBUS_SESSION_BUS_ADDRESS": bus,
        }
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for server in self.servers:
            server.terminate()
            server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, *command: str) -> str:
        """Start a server, which writes a line to the descriptor {fd} when it is ready; that line."""
        reading, writing = os.pipe()
        words = [word.format(fd=writing) for word in command]
        log = (self.folder / "servers.log").open("ab")
        self.servers.append(subprocess.Popen(words, pass_fds=[writing], stdout=log, stderr=log))
        os.close(writing)
        with os.fdopen(reading) as pipe:
            return pipe.readline().strip()

    def show(self, *command: str, title: str, screenshot: Path, seconds: float = PATIENCE) -> Seen:
        """Start a program and wait until it has a window with this in its title, or an error, or ends; then
        end it."""
        errors = self.folder / "stderr"
        with errors.open("wb") as file:
            program = subprocess.Popen(
                command,
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=file,
                cwd=self.folder,
            )
            end = time.monotonic() + seconds
            windows: list[str] = []
            while (
                time.monotonic() < end
                and program.poll() is None
                and not any(title in name or "Error" in name for name in windows)
            ):
                time.sleep(0.1)
                windows = self.windows()
            time.sleep(0.5)  # it draws, and may open more windows
            windows = self.windows()
            colours = self.screenshot(screenshot)
            status = program.poll()
            program.kill()
            program.wait()
        return Seen(windows, errors.read_text().splitlines(), colours, status)

    def windows(self) -> list[str]:
        """The titles of all that are visible."""
        ended = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", ".", "getwindowname", "%@"],
            env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return ended.stdout.splitlines()

    def screenshot(self, path: Path) -> int:
        """Take one; how many colours it has."""
        subprocess.run(
            ["gm", "import", "-window", "root", str(path)], env=self.environment, check=True
        )
        ended = subprocess.run(
            ["gm", "identify", "-format", "%k", str(path)],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(ended.stdout)
