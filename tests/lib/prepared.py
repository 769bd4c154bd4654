"""A process that has imported the commands of a folder, and forks when one of them is to run: see starts.py.

    python3 prepared.py TOOLS PATH

It serves all who connect to PATH, until its standard input ends. A request is a byte with four files: what is
to run, and its standard input, output and error. The first has fields with a zero byte between: the seconds
and the bytes of addresses that it may take at most, or 0; streams that lead elsewhere ("1=/dev/full", or "1="
for one that is closed, with blanks between); its directory; the number of its words, and these, of which the
first is a script, of TOOLS unless it is a path; its environment.

The answer is a line: the status of wait, and the seconds of processors of the run and of this process.
"""

from __future__ import annotations

import atexit
import gc
import os
import resource
import runpy
import select
import signal
import socket
import sys
import time


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def import_commands(tools: str) -> None:
    """Have all that a start imports, and nothing that a run makes."""
    sys.path[:] = [path for path in sys.path if path != os.path.dirname(__file__)]
    sys.path.insert(0, tools)
    from cg2tools.bindings.interface import debug_library, profile_library
    from cg2tools.door.commands import DOOR, OF_THE_DOOR, SCRIPTS, found

    for place in (*DOOR.values(), *SCRIPTS.values(), *OF_THE_DOOR.values()):
        found(place)
    for library in (profile_library, debug_library):
        library()


def redirect(streams: list[str]) -> None:
    """Have standard streams lead to files, or closed, as a shell does: Python has no object for these."""
    for number, path in (stream.split("=", 1) for stream in streams):
        if path:
            file = os.open(path, os.O_RDWR)
            os.dup2(file, int(number))
            os.close(file)
        else:
            os.close(int(number))
            setattr(sys, ("stdin", "stdout", "stderr")[int(number)], None)


def become(files: list[int]) -> str:
    """Be as a process that was started for a request; the script to run."""
    with open(files[0], "rb") as request:
        request.seek(0)
        limit, memory, streams, directory, count, *rest = map(
            os.fsdecode, request.read().split(b"\0")
        )
    for number, file in enumerate(files[1:]):
        os.dup2(file, number)
        os.close(file)
    redirect(streams.split())
    os.environ.clear()
    for item in rest[int(count) :]:
        name, _, value = item.partition("=")
        os.environ[name] = value
    time.tzset()
    os.chdir(directory)
    sys.argv = [os.path.join(sys.argv[1], rest[0]), *rest[1 : int(count)]]
    gc.enable()
    signal.alarm(int(limit))  # ends what would never end
    if int(memory):
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    return sys.argv[0]


def serve(path: str) -> str:
    """Serve until standard input ends; in a child that a request is for, give the script to run."""
    running: dict[int, tuple[int, socket.socket]] = {}
    told = 0.0
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(100)
        print("ready", flush=True)
        while True:
            for ready in select.select([listening, sys.stdin, *running], [], [])[0]:
                if ready is sys.stdin:
                    sys.exit()
                if ready is not listening:
                    told = answer(*running.pop(ready), ready, told)
                    continue
                connection, _ = listening.accept()
                _, files, _, _ = socket.recv_fds(connection, 1, 4)
                child = os.fork()
                if child == 0:
                    return become(files)
                for file in files:
                    os.close(file)
                running[os.pidfd_open(child)] = child, connection


def answer(child: int, connection: socket.socket, ended: int, told: float) -> float:
    """Say what became of a child; what of this process's own seconds was said up to now."""
    os.close(ended)
    _, status, used = os.wait4(child, 0)
    now = cpu_seconds()
    seconds = used.ru_utime + used.ru_stime + now - told
    connection.sendall(f"{status} {seconds}\n".encode())
    connection.close()
    return now


def run(script: str) -> None:
    """Run a script, and end: at once where Python would only tidy up, which takes as long as many runs."""
    status: str | int | None = None
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as ended:
        status = ended.code
    if isinstance(status, str):
        sys.exit(status)
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except OSError:
        sys.exit(status)  # Python says so
    os._exit(status or 0)


if __name__ == "__main__":
    # What is never collected is not written to, and stays shared with the children.
    gc.disable()
    import_commands(sys.argv[1])
    gc.freeze()
    run(serve(sys.argv[2]))
