"""Runs of the commands at a fifth of what a start costs: forks of a process that has imported them.

A start of a command is mostly imports. A process beside the tests (prepared.py) has done these, and nothing
else, and forks for each run. The child gets the arguments, environment, directory, files and limits of the
run, executes the command's own script, and ends as Python ends. tools.test_starts proves that output, status
and files are a start's.

What is about starting itself uses start() or subprocess: signals, terminals, what is preloaded, commands that
are elsewhere, memory so small that imports matter. The runs of a process of tests share one seed of hashes.
"""

from __future__ import annotations

import functools
import io
import json
import os
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

PREPARED = Path(__file__).with_name("prepared.py")
PIPE = 1 << 16  # bytes that a pipe holds

Streams = Mapping[int, str | None]
"""Where standard streams, by number, lead: to a file, or nowhere, as they are closed."""


class Prepared:
    """A process that forks the commands of one folder."""

    def __init__(self, tools: str, environment: Mapping[str, str]) -> None:
        self.ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, PREPARED, tools, str(theirs.fileno())],
                cwd="/",
                env=environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self.answers = self.ours.makefile()

    def run(self, request: Mapping[str, object], streams: Sequence[int]) -> tuple[int, float]:
        """The exit status of a run, -N after signal N, and its seconds of processors."""
        with _memory_file() as told:
            told.write(json.dumps(request).encode())
            told.flush()
            socket.send_fds(self.ours, [b"\n"], [told.fileno(), *streams])
        status, seconds = self.answers.readline().split()
        return os.waitstatus_to_exitcode(int(status)), float(seconds)


_cpu = 0.0


def cpu_seconds() -> float:
    """What the runs have had of processors, which no account of this process's children has."""
    return _cpu


@functools.cache
def _lock(_process: int) -> threading.Lock:
    """Held by the run that goes on; another one meanwhile is a start."""
    return threading.Lock()


@functools.cache
def _prepared(_process: int, tools: str, settings: tuple[tuple[str, str], ...]) -> Prepared:
    return Prepared(tools, dict(settings))


def _settings(environment: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What Python, and the loader of libraries, look at before they run anything."""
    begins = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "GLIBC_")
    return tuple(sorted(item for item in environment.items() if item[0].startswith(begins)))


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


def run_bytes(
    command: Sequence[str | Path],
    *,
    directory: str | Path,
    limit: int,
    environment: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    memory: int | None = None,
    streams: Streams = {},
) -> subprocess.CompletedProcess[bytes]:
    """Run a script of cg2 with arguments, as subprocess.run does: for at most `limit` seconds, with so many
    bytes of addresses, with `stdin` in a pipe or else this process's own."""
    global _cpu
    environment = dict(os.environ if environment is None else environment)
    lock = _lock(os.getpid())
    if len(stdin or b"") > PIPE or not lock.acquire(blocking=False):
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
    request = {
        "command": words,
        "directory": os.path.abspath(os.fsdecode(directory)),
        "environment": environment,
        "limit": limit,
        "memory": memory,
        "streams": list(streams.items()),
    }
    source = 0 if stdin is None else _full_pipe(stdin)
    try:
        with _memory_file() as output, _memory_file() as error:
            prepared = _prepared(os.getpid(), os.path.dirname(words[0]), _settings(environment))
            status, seconds = prepared.run(request, [source, output.fileno(), error.fileno()])
            _cpu += seconds
            said = _content(output), _content(error)
    finally:
        if source:
            os.close(source)
        lock.release()
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
