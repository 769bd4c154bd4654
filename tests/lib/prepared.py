"""A process that has imported the commands of one folder, and forks when one of them is to run: see starts.py.

    python3 prepared.py TOOLS SOCKET

Each request is a byte on SOCKET with four files: what is to run (a Request in JSON), and its standard input,
output and error. The answer is a line: the status of wait, and the seconds of processors of the run, with
those of this process.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import runpy
import signal
import socket
import sys
import time


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def import_commands(tools: str) -> None:
    """Have all that a start imports, and nothing that a run makes."""
    sys.path[0] = tools
    from cg2tools.bindings.interface import debug_library, profile_library
    from cg2tools.door.commands import DOOR, OF_THE_DOOR, SCRIPTS, found

    for place in (*DOOR.values(), *SCRIPTS.values(), *OF_THE_DOOR.values()):
        found(place)
    for library in (profile_library, debug_library):
        library()


def redirect(streams: list[tuple[int, str | None]]) -> None:
    """Have standard streams lead to files, or closed, as a shell does: Python has no object for these."""
    for number, path in streams:
        if path is None:
            os.close(number)
            setattr(sys, ("stdin", "stdout", "stderr")[number], None)
        else:
            file = os.open(path, os.O_RDWR)
            os.dup2(file, number)
            os.close(file)


def become(files: list[int], connection: socket.socket) -> str:
    """Be as a process that was started for a request; the script to run."""
    connection.close()
    with open(files[0]) as request:
        request.seek(0)
        wanted = json.load(request)
    for number, file in enumerate(files[1:]):
        os.dup2(file, number)
        os.close(file)
    redirect(wanted["streams"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    time.tzset()
    os.chdir(wanted["directory"])
    sys.argv = wanted["command"]
    gc.enable()
    signal.alarm(wanted["limit"])  # ends what would never end
    if wanted["memory"]:
        resource.setrlimit(resource.RLIMIT_AS, (wanted["memory"], wanted["memory"]))
    script: str = sys.argv[0]
    return script


def next_request(connection: socket.socket) -> str:
    """Serve until the other side ends; in the child that a request is for, the script to run."""
    told = 0.0
    while True:
        word, files, _, _ = socket.recv_fds(connection, 1, 4)
        if not word:
            sys.exit()
        child = os.fork()
        if child == 0:
            return become(files, connection)
        for file in files:
            os.close(file)
        _, status, used = os.wait4(child, 0)
        now = cpu_seconds()
        seconds = used.ru_utime + used.ru_stime + now - told
        told = now
        connection.sendall(f"{status} {seconds}\n".encode())


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
    run(next_request(socket.socket(fileno=int(sys.argv[2]))))
