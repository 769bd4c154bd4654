"""Files that appear when they are complete.

Until then a file has the name OUT.unfinished, and whatever ends the process
removes it: an error, or a signal.
"""

import errno
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

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
    unfinished = f"{os.fspath(path)}.unfinished"
    try:
        with _removed_by_signals(unfinished):
            with open(unfinished, "wb") as stream:
                stream.writelines(pieces)
            os.replace(unfinished, path)
    except BaseException as error:
        _remove(unfinished)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from error
        raise


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

    with _removed_by_signals(f"{path}.unfinished"):
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


@contextmanager
def _removed_by_signals(path: str) -> Iterator[None]:
    """While this lasts, a signal that would end the process removes the file first.

    A signal that is ignored, or that somebody else handles, is left alone.  Only
    the main thread can handle signals.
    """

    def end(number: int, _: FrameType | None) -> None:
        _remove(path)
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
