"""Programs that run under a tool of Valgrind, and speaking to them with vgdb.

A *run* is a process. Valgrind's program vgdb lists the runs that take commands,
sends a command to one and prints the answer.
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from cg2tools.control.pipes import locked_out
from cg2tools.profile.terms import printable

# A line that Valgrind prints by itself, with time stamps or without.
_MESSAGE = re.compile(r"(==|--|\*\*)(?:[\d:.]+ )?\d+\1 ?(.*)")
# How an answer names a file that was made.
_PROFILE = "profile: "
# What vgdb says when there is no process, or no longer.
_ENDED = re.compile(
    "no FIFO found|existence failed|No such process|Got EOF|error opening .* shared memory"
)


# Seconds between two looks whether a run that does not answer has ended.
_LOOKS = 1.0

# Seconds that a run may take to end, once it was told to.
_ENDING = 3.0


class ControlError(Exception):
    """A failure to speak to a run; the message is one line."""


class RunEnded(ControlError):
    """The run is no more."""

    def __init__(self) -> None:
        super().__init__("it has ended meanwhile")


@dataclass(frozen=True, slots=True)
class Run:
    """A process under the tool."""

    pid: int
    words: tuple[str, ...]  # the program and its arguments

    @property
    def command(self) -> str:
        """The program and its arguments in one line, whatever is in them."""
        return printable(" ".join(self.words))

    def is_called(self, name: str) -> bool:
        """Whether `name` is the run's process id, its program, or the program's file."""
        program = self.words[0] if self.words else ""
        return name in (str(self.pid), program, os.path.basename(program))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run says to a command."""

    lines: list[str]  # the answer itself
    messages: list[str]  # what Valgrind and the tool say besides

    def profiles(self) -> list[str]:
        """The files that the command made; ControlError if the answer has anything else.

        It is the answer to a command that only does something, when it is done.
        """
        errors = [text for text in map(_message_text, self.messages) if text.startswith("error:")]
        others = [line for line in self.lines if not line.startswith(_PROFILE)]
        for text in [*others, *errors]:
            raise ControlError(text.removeprefix("error:").strip())
        return [line.removeprefix(_PROFILE) for line in self.lines]


def _message_text(line: str) -> str:
    match = _MESSAGE.match(line)
    return match[2] if match else line


# ---- vgdb --------------------------------------------------------------------


def find_vgdb(places: Sequence[Path]) -> str:
    """The vgdb in the first of these directories that has one, else of PATH."""
    for place in places:
        if os.access(place / "vgdb", os.X_OK):
            return str(place / "vgdb")
    found = shutil.which("vgdb")
    if found is None:
        raise ControlError("no vgdb in PATH; expected the one of Valgrind")
    return found


@dataclass(frozen=True, slots=True)
class Vgdb:
    """Valgrind's vgdb: where it is, and how it is called."""

    path: str
    prefix: str = ""  # of its pipes; "": the one by default
    limit: int = 30  # seconds to wait for an answer
    is_apart: bool = False  # it gets no signals from our terminal
    proc: Path = Path("/proc")  # where the system shows its processes

    def _options(self) -> list[str]:
        return [f"--vgdb-prefix={self.prefix}"] if self.prefix else []

    def listing(self) -> str:
        """The list that vgdb has of all runs of Valgrind; empty if there is none."""
        return self._output("-l")[0]

    def ask(self, run: Run, *requests: str) -> Answer:
        """Send commands to a run, which executes nothing between them."""
        status, output, errors = self._ask(run.pid, *requests, watched=run.pid)
        if status != 0 or _ENDED.search(errors):
            raise self._error(errors)
        return _answer(output)

    def ask_last(self, run: Run, *requests: str) -> Answer:
        """The same with commands of which the last one ends the run."""
        status, output, errors = self._ask(run.pid, *requests)
        if status != 0:
            raise self._error(errors)
        return _answer(output)

    def sees_end(self, run: Run) -> bool:
        """Whether the process of a run, which may be ending, has ended within some seconds."""
        end = time.monotonic() + _ENDING
        while not self._has_ended(run.pid):
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
        return True

    def _ask(self, pid: int, *requests: str, watched: int | None = None) -> tuple[int, str, str]:
        locked = locked_out(pid, self.prefix, self.proc)
        if locked:
            raise ControlError(f"{locked}; a command would end it, without a profile")
        commands = [word for request in requests for word in ("-c", request)]
        output, errors, status = self._output(
            f"--cmd-time-out={self.limit}", f"--pid={pid}", *commands, watched=watched
        )
        return status, output, errors

    def _output(self, *arguments: str, watched: int | None = None) -> tuple[str, str, int]:
        """What vgdb prints to stdout and to stderr, and its exit status.

        Vgdb gives up by itself when its command is not taken. When a command is
        taken but not answered, or the process that is `watched` ends and vgdb does
        not see it, it is told to end; it then leaves the run as it was, which it would not if it
        were killed.
        """
        try:
            vgdb = subprocess.Popen(
                [self.path, *self._options(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="surrogateescape",
                start_new_session=self.is_apart,
            )
        except OSError as error:
            raise ControlError(f"{self.path}: {error.strerror}") from None
        with vgdb:
            try:
                output, errors = self._communicate(vgdb, watched)
            except BaseException:  # also of a user who leaves
                _end(vgdb)
                raise
        return output, errors, vgdb.returncode

    def _communicate(self, vgdb: "subprocess.Popen[str]", watched: int | None) -> tuple[str, str]:
        end = time.monotonic() + self.limit + 1
        while (rest := end - time.monotonic()) > 0:
            has_ended = watched is not None and self._has_ended(watched)
            try:
                return vgdb.communicate(timeout=min(rest, _LOOKS))
            except subprocess.TimeoutExpired:
                if has_ended:
                    raise RunEnded from None
        raise self._no_answer()

    def _has_ended(self, pid: int) -> bool:
        """Whether the system shows that there is no such process, or what is left of one."""
        if not (self.proc / "self").exists():
            return False
        try:
            stat = (self.proc / str(pid) / "stat").read_bytes()
        except OSError:
            return True
        return stat.rpartition(b") ")[2][:1] in (b"Z", b"X")

    def _error(self, errors: str) -> ControlError:
        """Why vgdb failed, by what it printed to stderr."""
        if _ENDED.search(errors):
            return RunEnded()
        if "did not handle a command" in errors:
            return self._no_answer()
        said = [
            line
            for line in errors.splitlines()
            if line.strip() and not line.startswith("sending command ")
        ]
        return ControlError(f"vgdb failed: {said[0] if said else 'it does not say why'}")

    def _no_answer(self) -> ControlError:
        return ControlError(
            f"no answer within {self.limit} s; it is stopped or busy, or "
            "it waits and ptrace is not permitted"
        )


def _end(vgdb: "subprocess.Popen[str]") -> None:
    vgdb.terminate()
    try:
        vgdb.communicate(timeout=2)
    except subprocess.TimeoutExpired:
        vgdb.kill()


def _answer(output: str) -> Answer:
    lines = output.splitlines()
    messages = [line for line in lines if _MESSAGE.match(line)]
    return Answer([line for line in lines if line.strip() and line not in messages], messages)


# ---- Finding -----------------------------------------------------------------


def find_runs(vgdb: Vgdb, tool: str, proc: Path) -> list[Run]:
    """The runs under a tool, by process id.

    The process's executable says what the tool is, however it was chosen; where
    the system does not show it, the options do. The list of vgdb has arguments
    with blanks between them, so it is the last source for them.
    """
    found = {}
    for line in vgdb.listing().splitlines():
        match = re.fullmatch(r"use --pid=(\d+) for (.*)", line)
        if match is None:
            continue
        pid = int(match[1])
        directory = proc / match[1]
        if (proc / "self").exists() and not directory.exists():
            continue  # the process has ended meanwhile, or the text is part of an argument
        words = _command_line(directory) or match[2].split()
        if (_executable_tool(directory) or _option_tool(words)) == tool:
            found[pid] = Run(pid, tuple(_program(words)))
    return [found[pid] for pid in sorted(found)]


def _command_line(directory: Path) -> list[str]:
    """The words of a process's command line; none if it cannot be read."""
    try:
        text = (directory / "cmdline").read_bytes()
    except OSError:
        return []
    return [os.fsdecode(word) for word in text.split(b"\0")[:-1]]


def _executable_tool(directory: Path) -> str | None:
    """The tool whose executable a process is, as in cg2-amd64-linux."""
    try:
        path = os.readlink(directory / "exe")
    except OSError:
        return None
    match = re.fullmatch(r"(.*)-\w+-\w+(?: \(deleted\))?", os.path.basename(path))
    return match[1] if match else None


def _options(words: list[str]) -> Iterator[str]:
    """Valgrind's options: what begins with a dash, up to program or `--`."""
    return takewhile(lambda word: word.startswith("-") and word != "--", words[1:])


def _option_tool(words: list[str]) -> str | None:
    tools = [word.removeprefix("--tool=") for word in _options(words) if word.startswith("--tool=")]
    return tools[-1] if tools else None


def _program(words: list[str]) -> list[str]:
    """The program and its arguments."""
    rest = words[1 + len(list(_options(words))) :]
    return rest[1:] if rest[:1] == ["--"] else rest
