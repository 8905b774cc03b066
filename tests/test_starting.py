"""Signals while processes are started."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from mosslite.processes import interrupts_held

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals that wait are POSIX")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_is_heard_when_what_holds_it_is_over(name: str) -> None:
    number, heard = getattr(signal, name), list[int]()
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        with interrupts_held():
            os.kill(os.getpid(), number)
            assert heard == []
        assert heard == [number]
    finally:
        signal.signal(number, before)
