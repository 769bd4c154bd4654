"""Files that appear when they are complete.

Until then a file has a name that nobody can guess, OUT.PID-XXXXXXXX.unfinished, and was made by nobody
before; whatever ends the process removes it: an error, or a signal.
"""

import errno
import os
import re
import shutil
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import BinaryIO

_ENDING = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE
"""The signals that end a process unless it asks for something else."""


def write_file(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    """Write a file, which appears when complete; else OSError naming it.

    A device or a pipe is written to as it is.
    """
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        _write_device(path, pieces)
        return
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    name = os.fspath(path)
    try:
        with _removed_by_signals(name):
            _write_whole(name, pieces)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _write_whole(path: str, pieces: Iterable[bytes]) -> None:
    unfinished, stream = _made_beside(path)
    try:
        with stream:
            stream.writelines(pieces)
        if unfinished:
            _give_name(unfinished, path)
    except BaseException:
        if unfinished:
            _remove(unfinished)
        raise


_CLOSED = errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV
"""What says that a directory takes no new file, or that a file in it cannot be replaced."""

_NAME_MAX = 255
"""The bytes of a file's name. Source: Linux's limits.h."""


def _made_beside(path: str) -> tuple[str, BinaryIO]:
    """A new file beside another one, and its path; the other one itself, and "", where there can be none."""
    directory, name = os.path.split(path)
    while True:
        end = f".{os.getpid()}-{os.urandom(4).hex()}.unfinished"
        front = os.fsdecode(os.fsencode(name)[: _NAME_MAX - len(end)])
        unfinished = os.path.join(directory, front + end)
        try:
            return unfinished, open(unfinished, "xb")
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in _CLOSED or not os.path.isfile(path):
                raise
            return "", _opened_in_place(path)


def _opened_in_place(path: str) -> BinaryIO:
    return open(os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC), "wb")


def _give_name(unfinished: str, path: str) -> None:
    """Have a file take the place of another one, or, if that cannot be replaced, its text."""
    try:
        os.replace(unfinished, path)
    except OSError as error:
        if error.errno not in _CLOSED:
            raise
        with open(unfinished, "rb") as text, _opened_in_place(path) as place:
            shutil.copyfileobj(text, place)
        os.unlink(unfinished)


def _write_device(path: str | os.PathLike[str], pieces: Iterable[bytes]) -> None:
    try:
        with open(path, "wb") as device:
            device.writelines(pieces)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def write_apart(path: str, write: Callable[[str], None]) -> None:
    """Have `write` write a file, which appears when complete, as the library does it.

    It has a thread of its own, as Python sees signals only between its own steps,
    and only in the main thread.
    """
    failures: list[Exception] = []

    def work() -> None:
        try:
            write(path)
        except Exception as error:
            failures.append(error)

    with _removed_by_signals(path):
        worker = threading.Thread(target=work, daemon=True)
        try:
            worker.start()
        except RuntimeError as error:  # there is no memory for a thread
            raise MemoryError from error
        worker.join()
    for failure in failures:
        raise failure


def _remove(path: str) -> None:
    if os.path.lexists(path):
        os.unlink(path)


def _remove_unfinished(path: str) -> None:
    """Remove what this process has not finished beside a file, whoever of it was writing."""
    directory = os.path.dirname(path) or "."
    own = re.compile(rf".*\.{os.getpid()}-[0-9a-f]{{8}}\.unfinished", re.DOTALL)
    for name in os.listdir(directory):
        if own.fullmatch(name):
            _remove(os.path.join(directory, name))


@contextmanager
def _removed_by_signals(path: str) -> Iterator[None]:
    """While this lasts, a signal that would end the process first removes what is not finished beside a file.

    A signal that is ignored, or that somebody else handles, is left alone.  Only
    the main thread can handle signals.
    """

    def end(number: int, _: FrameType | None) -> None:
        _remove_unfinished(path)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    in_main_thread = threading.current_thread() is threading.main_thread()
    handled = [
        number
        for number in _ENDING
        if in_main_thread and signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in handled:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
