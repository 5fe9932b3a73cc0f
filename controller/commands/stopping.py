"""Stopping: SIGTERM and SIGHUP end a command as Ctrl-C does, so that what it opened is closed: a
terminal's other screen, folders for a while, lights."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

import click

ENDING = ("SIGTERM", "SIGHUP")
"""Windows lacks the second, which says that the terminal is gone."""
STOPPING = ("SIGINT", *ENDING)
Heard = Callable[[int, object], object]
"""What is done about a signal."""


class Stopped(KeyboardInterrupt):
    """A signal came."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def status(stopped: BaseException | None) -> int:
    """What a command exits with that was stopped, as shells count it."""
    number = stopped.number if isinstance(stopped, Stopped) else signal.SIGINT
    return 128 + number


def asked(gone: BaseException) -> int:
    """What a command exits with that ended at a question: stopped, or nobody was there."""
    return status(gone.__context__) if isinstance(gone.__context__, KeyboardInterrupt) else 1


def ended(gone: BaseException) -> bool:
    """Whether the computer stopped it, or its terminal is gone: nobody is to be asked any more."""
    return isinstance(gone.__context__, Stopped)


def gone(error: BaseException) -> None:
    """Nobody answers a question any more: at its end that is well, but for who stopped it."""
    if isinstance(error.__context__, KeyboardInterrupt):
        raise click.exceptions.Exit(status(error.__context__)) from None


@contextlib.contextmanager
def stopping() -> Iterator[None]:
    """In here the first such signal stops the command, and later ones hurt nothing that closes.
    One that is ignored stays so (nohup)."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        came.append(number)
        if len(came) == 1:
            raise Stopped(number)

    unheard = [it for it in ENDING if _handler(it) == signal.SIG_DFL]
    with _handling(dict.fromkeys(unheard, stop)):
        yield


@contextlib.contextmanager
def heeding(heed: Callable[[Heard, int], object]) -> Iterator[None]:
    """In here `heed` is told what would be done about a signal that stops a command, and which one
    that is."""

    def told(name: str, before: Heard) -> Heard:
        return lambda number, _: heed(before, number)

    heard = {it: told(it, before) for it in STOPPING if callable(before := _handler(it))}
    with _handling(heard):
        yield


def _handler(name: str) -> object:
    """None where there is no such signal, or it comes to another thread."""
    main = threading.current_thread() is threading.main_thread()
    number = getattr(signal, name, None)
    return signal.getsignal(number) if main and number is not None else None


@contextlib.contextmanager
def _handling(handlers: dict[str, Heard]) -> Iterator[None]:
    before = {it: signal.signal(getattr(signal, it), heard) for it, heard in handlers.items()}
    try:
        yield
    finally:
        for name, it in before.items():
            signal.signal(getattr(signal, name), it)
