"""Signals while processes are started."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

import pytest

from mosslite.parallel import interrupts_held
from tests.posix import blocked_signals, pthread_kill

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals that wait are POSIX")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_is_heard_when_what_holds_it_is_over(name: str) -> None:
    number, heard = getattr(signal, name), list[int]()
    with _handled(number, heard), interrupts_held():
        os.kill(os.getpid(), number)
        assert heard == []
    assert heard == [number]


def test_a_signal_waits_too_if_the_system_gives_it_to_another_thread() -> None:
    heard, is_over = list[int](), Event()
    other = Thread(target=is_over.wait, daemon=True)
    other.start()
    with _handled(signal.SIGTERM, heard), interrupts_held():
        assert other.ident is not None
        pthread_kill(other.ident, signal.SIGTERM)
        sleep(0.1)  # in which the other thread takes it
        assert heard == []
    assert heard == [signal.SIGTERM]
    is_over.set()


def test_threads_other_than_the_first_may_hold_signals() -> None:
    held = list[bool]()

    def hold() -> None:
        with interrupts_held():
            held.append(signal.SIGINT in blocked_signals())

    other = Thread(target=hold)
    other.start()
    other.join()
    assert held == [True]


@contextmanager
def _handled(number: int, heard: list[int]) -> Iterator[None]:
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(number, before)
