"""Work at the same time: the library's goes on in another thread while Python does other work."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_First = TypeVar("_First")
_Second = TypeVar("_Second")


class SecondThread:
    """A thread that does one piece of work after another.

    with SecondThread() as second:
        made = second.begin(work)
        ...                          while `work` is done
        made()                       what `work` made; what failed is raised

    If there is no thread to be had, work is done when somebody asks what it made.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = ThreadPoolExecutor(1)

    def __enter__(self) -> "SecondThread":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def begin(self, work: Callable[[], _Second]) -> Callable[[], _Second]:
        """Have work done behind all that was begun before; return what gives its result."""
        if self._pool:
            try:
                return self._pool.submit(work).result
            except RuntimeError:
                self._pool = None
        return work

    def end(self) -> None:
        """Wait for the work that goes on; what is not begun yet is not done."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def in_two_threads(
    first: Callable[[], _First], second: Callable[[], _Second]
) -> tuple[_First, _Second]:
    """What both make.  What fails is raised, by the first if both do."""
    with SecondThread() as thread:
        made = thread.begin(second)
        return first(), made()
