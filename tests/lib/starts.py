"""Runs of the commands at a fifth of what a start costs: forks of a process that has imported them.

A start of a command is mostly imports. A process beside the tests (prepared.py) has done these, and nothing
else, and forks for each run. The child gets the arguments, environment, directory, files and limits of the
run, executes the command's own script, and ends as Python ends. tools.test_starts proves that output, status
and files are a start's.

What is about starting itself uses start() or subprocess: signals, terminals, what is preloaded, commands that
are elsewhere, memory so small that imports matter. The runs of a process of tests share one seed of hashes.
"""

from __future__ import annotations

import atexit
import functools
import io
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

PREPARED = Path(__file__).with_name("prepared.py")
PIPE = 1 << 16  # bytes that a pipe holds

Streams = Mapping[int, str | None]
"""Where standard streams, by number, lead: to a file, or nowhere, as they are closed."""


class Prepared:
    """A process that forks the commands of one folder, a child of this one until it is closed."""

    def __init__(
        self, tools: str | Path, environment: Mapping[str, str], options: Sequence[str] = ()
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cg2forked-"))
        self.path = str(self.folder / "socket")
        self.owner = os.getpid()
        self.process = subprocess.Popen(
            [sys.executable, *options, PREPARED, tools, self.path],
            cwd="/",
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Python remembers of its streams whether they can seek: a run's may be pipes.
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout
        if self.process.stdout.readline() != b"ready\n":
            raise AssertionError(self.process.communicate()[1].decode())

    def run(self, request: bytes, streams: Sequence[int]) -> tuple[int, float]:
        """The exit status of a run, -N after signal N, and its seconds of processors."""
        with socket.socket(socket.AF_UNIX) as connection, _memory_file() as told:
            told.write(request)
            told.flush()
            connection.connect(self.path)
            socket.send_fds(connection, [b"\n"], [told.fileno(), *streams])
            with connection.makefile() as answer:
                status, seconds = answer.readline().split()
        return os.waitstatus_to_exitcode(int(status)), float(seconds)

    def close(self) -> None:
        if self.owner == os.getpid():  # no fork of this process, which ends, too
            self.process.kill()
            self.process.communicate()
            shutil.rmtree(self.folder)


class Programs:
    """What a shell can run: programs in a folder that have the names of the commands, and fork them.

    They find the prepared process by `environment`. Once closed it is in the account of this one's children.
    """

    def __init__(self, tools: Path, program: Path) -> None:
        self.prepared = Prepared(tools, {"LC_ALL": "C"}, ["-I"])
        self.folder = self.prepared.folder
        for path in tools.glob("cg2_*"):
            (self.folder / path.name).symlink_to(program)
        self.environment = {"CG2_PREPARED": self.prepared.path}

    def close(self) -> None:
        self.prepared.close()


_cpu = 0.0


def cpu_seconds() -> float:
    """What the runs have had of processors, which no account of this process's children has."""
    return _cpu


def count_cpu(seconds: float) -> None:
    """Add what other processes had, which outlive a test."""
    global _cpu
    _cpu += seconds


@functools.cache
def _prepared(_process: int, tools: str, settings: tuple[tuple[str, str], ...]) -> Prepared:
    """The process that forks for this one."""
    prepared = Prepared(tools, dict(settings))
    atexit.register(prepared.close)
    return prepared


def addresses(tools: Path) -> int:
    """The bytes of addresses that a run of commands of this folder has, in this environment, as it begins."""
    prepared = _prepared(os.getpid(), str(tools), _settings(os.environ))
    pages = Path(f"/proc/{prepared.process.pid}/statm").read_text().split()[0]
    return int(pages) * resource.getpagesize()


def _settings(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What Python, and the loader of libraries, look at before they run anything. Memory that a library has
    asked for, and written nothing to, is full of something: what depends on it is seen."""
    begins = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "GLIBC_")
    said = {name: value for name, value in environment.items() if name.startswith(begins)}
    return tuple(sorted(({"MALLOC_PERTURB_": "165"} | said).items()))


def _memory_file() -> BinaryIO:
    return open(os.memfd_create("run"), "w+b")


def _content(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


def _full_pipe(content: bytes) -> int:
    """The end of a pipe from which the content can be read."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


def _request(
    words: Sequence[str],
    directory: str | Path,
    limit: int,
    environment: Mapping[str, str],
    memory: int | None,
    streams: Streams,
) -> bytes:
    fields = [
        *(str(limit), str(memory or 0)),
        " ".join(f"{number}={path or ''}" for number, path in streams.items()),
        *(os.path.abspath(os.fsdecode(directory)), str(len(words)), *words),
        *(f"{name}={value}" for name, value in environment.items()),
    ]
    return b"\0".join(map(os.fsencode, fields))


def run_bytes(
    command: Sequence[str | Path],
    *,
    directory: str | Path,
    limit: int,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    memory: int | None = None,
    streams: Streams = {},
    tools: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a script of cg2 with arguments, as subprocess.run does: for at most `limit` seconds, with so many
    bytes of addresses, with `stdin` in a pipe or else this process's own. The commands are those
    of the script's folder, or of `tools`."""
    global _cpu
    environment = dict(os.environ if environment is None else environment)
    if len(stdin or b"") > PIPE:
        return start(
            command,
            directory=directory,
            limit=limit,
            environment=environment,
            stdin=stdin,
            memory=memory,
            streams=streams,
        )
    words = [os.fsdecode(word) for word in command]
    request = _request(words, directory, limit, environment, memory, streams)
    source = 0 if stdin is None else _full_pipe(stdin)
    try:
        with _memory_file() as output, _memory_file() as error:
            folder = tools or Path(words[0]).parent
            prepared = _prepared(os.getpid(), str(folder), _settings(environment))
            status, seconds = prepared.run(request, [source, output.fileno(), error.fileno()])
            _cpu += seconds
            said = _content(output), _content(error)
    finally:
        if source:
            os.close(source)
    return subprocess.CompletedProcess(words, status, *said)


def start(
    command: Sequence[str | Path],
    *,
    directory: str | Path,
    limit: int,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    memory: int | None = None,
    streams: Streams = {},
) -> subprocess.CompletedProcess[bytes]:
    """Do what run_bytes does by a start."""

    def restrict() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    redirected = " ".join(
        f"{number}<>{path}" if path else f"{number}>&-" for number, path in streams.items()
    )
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "-", sys.executable, *command],
        cwd=directory,
        env=environment,
        input=stdin,
        capture_output=True,
        timeout=limit,
        preexec_fn=restrict,
        check=False,
    )


def run(
    command: Sequence[str | Path],
    *,
    directory: str | Path,
    limit: int,
    environment: Mapping[str, str] | None = None,
    stdin: str | None = None,
    memory: int | None = None,
    streams: Streams = {},
    errors: str = "strict",
) -> subprocess.CompletedProcess[str]:
    """What run_bytes does, in UTF-8."""
    ended = run_bytes(
        command,
        directory=directory,
        limit=limit,
        environment=environment,
        stdin=None if stdin is None else stdin.encode(),
        memory=memory,
        streams=streams,
    )
    texts = (
        io.TextIOWrapper(io.BytesIO(said), encoding="utf-8", errors=errors).read()
        for said in (ended.stdout, ended.stderr)
    )
    return subprocess.CompletedProcess(ended.args, ended.returncode, *texts)
