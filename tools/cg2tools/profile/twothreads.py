"""Two pieces of work at the same time: the library's goes on while Python waits for the other."""

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

_First = TypeVar("_First")
_Second = TypeVar("_Second")


def in_two_threads(
    first: Callable[[], _First], second: Callable[[], _Second]
) -> tuple[_First, _Second]:
    """What both make; one after the other if there is no thread to be had.

    What fails is raised, by the first if both do.
    """
    made: list[_Second] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            made.append(second())
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=work)
    try:
        thread.start()
    except RuntimeError:
        return first(), second()
    try:
        one = first()
    finally:
        thread.join()
    if failed:
        raise failed[0]
    return one, made[0]
