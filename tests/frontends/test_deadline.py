import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from threading import Thread
from time import sleep, thread_time
from types import FrameType
from typing import TypeVar

import pytest
from pygments.lexers import get_lexer_by_name

from mosslite.frontends import degraded, tokenize, tokenize_all
from mosslite.frontends.deadline import TooSlowError, deadline_in, watched, within
from mosslite.frontends.tokens import TokenInterner, lex_all
from mosslite.languages import find_language
from tests.builders import document_of
from tests.posix import ITIMER_VIRTUAL, SIGVTALRM, getitimer, needs_alarm, setitimer

# Nobody waits for these: each would take years.
SHORT = 0.05
LONG = 1000.0

Item = TypeVar("Item")


def stuck() -> Iterator[bool]:
    """Look for a first item that is found in years."""
    yield re.match("(a|a)+$", "a" * 99 + "b") is None


def listed(items: Iterable[Item], seconds: float | None) -> list[Item]:
    return within(lambda: list(watched(items, deadline_in(seconds))), seconds)


def failing() -> Iterator[int]:
    yield 1
    raise RecursionError


@pytest.mark.parametrize("seconds", [None, LONG])
@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 1000])
def test_in_time_all_items_are_listed(size: int, seconds: float | None) -> None:
    assert listed(iter(range(size)), seconds) == list(range(size))


@pytest.mark.parametrize("seconds", [SHORT, 0.0])
def test_items_without_end_are_given_up(seconds: float) -> None:
    with pytest.raises(TooSlowError):
        listed(count(), seconds)


@needs_alarm
@pytest.mark.parametrize(
    "items",
    [range(9), count(), stuck(), failing()],
    ids=["range", "count", "stuck", "failing"],
)
def test_the_alarm_clock_is_left_as_it_was(items: Iterator[int]) -> None:
    with suppress(TooSlowError, RecursionError):
        listed(items, SHORT)

    assert signal.getsignal(SIGVTALRM) is signal.SIG_DFL
    assert getitimer(ITIMER_VIRTUAL) == (0, 0)


@needs_alarm
def test_a_destructor_ends_before_the_alarm_is_heard() -> None:
    ended = list[bool]()

    class Slow:
        def __del__(self) -> None:
            stop = thread_time() + 10 * SHORT
            while thread_time() < stop:
                pass
            ended.append(True)

    def items() -> Iterator[bool]:
        Slow()
        yield from stuck()

    with pytest.raises(TooSlowError):
        listed(items(), SHORT)
    assert ended == [True]


@needs_alarm
def test_an_alarm_clock_that_is_in_use_is_left_alone() -> None:
    def other(_signal: int, _frame: FrameType | None) -> None: ...

    signal.signal(SIGVTALRM, other)
    try:
        with pytest.raises(TooSlowError):
            listed(count(), SHORT)
        assert signal.getsignal(SIGVTALRM) is other
    finally:
        signal.signal(SIGVTALRM, signal.SIG_DFL)


@needs_alarm
def test_an_alarm_that_is_set_is_left_alone() -> None:
    setitimer(ITIMER_VIRTUAL, LONG)
    try:
        with pytest.raises(TooSlowError):
            listed(count(), SHORT)
        assert getitimer(ITIMER_VIRTUAL)[0] > 0
    finally:
        setitimer(ITIMER_VIRTUAL, 0)


@needs_alarm
def test_what_others_compute_does_not_count() -> None:
    def compute() -> None:
        sum(range(30_000_000))

    def items() -> Iterator[int]:
        thread = Thread(target=compute)
        thread.start()
        thread.join()
        yield 1

    assert listed(items(), SHORT) == [1]


def test_what_is_waited_for_does_not_count() -> None:
    def items() -> Iterator[int]:
        sleep(3 * SHORT)
        yield 1

    assert listed(items(), SHORT) == [1]


def test_beside_the_main_thread_items_without_end_are_given_up() -> None:
    raised = []

    def run() -> None:
        try:
            listed(count(), SHORT)
        except TooSlowError:
            raised.append(True)

    thread = Thread(target=run)
    thread.start()
    thread.join()

    assert raised == [True]


def test_beside_the_main_thread_a_text_inside_of_another_is_given_up() -> None:
    text = f"<script>{'a(b);' * 200_000}</script>"
    needed = []

    def run() -> None:
        tokenize(text[:99], find_language("html"))  # what is kept of a lexer is there
        begun = thread_time()
        with suppress(TooSlowError):
            lex_all([(get_lexer_by_name("html"), text)], TokenInterner(), seconds=SHORT)
        needed.append(thread_time() - begun)

    thread = Thread(target=run)
    thread.start()
    thread.join()

    assert needed[0] < 10 * SHORT


@pytest.mark.timeout(60)
def test_a_lexer_that_gives_a_list_is_read_once() -> None:
    reading = tokenize("0 = 0 axiom 1\n", find_language("tnt"), 5)

    assert not reading.is_degraded


def test_where_the_lexer_takes_too_long_the_plain_tokenizer_stands_in() -> None:
    text = "word other third " * 60_000
    reading, plain = tokenize(text, find_language("java"), SHORT), degraded(text)

    assert reading.is_degraded
    assert reading.stream.codes.tolist() == plain.stream.codes.tolist()
    assert reading.traces.codes.tolist() == plain.traces.codes.tolist()
    assert reading.colours is None


def test_texts_that_are_read_together_have_one_limit() -> None:
    slow = "word other third " * 60_000, find_language("java")

    with pytest.raises(TooSlowError):
        tokenize_all([("x", slow[1]), slow, slow], SHORT)


@needs_alarm
def test_whatever_computes_too_long_is_interrupted() -> None:
    with pytest.raises(TooSlowError):
        within(lambda: re.match("(a|a)+$", "a" * 99 + "b"), SHORT)
    assert within(lambda: 1, SHORT) == within(lambda: 1, None) == 1


@needs_alarm
def test_a_lexer_that_hangs_is_stopped() -> None:
    # In a process of its own, where no plugin's code runs between two of the lexer's steps.
    script = (
        "from mosslite.frontends import tokenize\n"
        "from mosslite.languages import find_language\n"
        f"print(tokenize('<!--\\n', find_language('mcschema'), {SHORT}).is_degraded)"
    )

    printed = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert (printed.stdout.strip(), printed.stderr) == ("True", "")


@pytest.mark.parametrize("alias", ["c", "cpp", "java", "python"])
@pytest.mark.parametrize("blank", ["\n", "    \n", " ", "\t\r\n"])
def test_long_blanks_are_read_as_short_ones(alias: str, blank: str) -> None:
    text, short = (f"x = 1;{blank * times}y = 2;" for times in (30_000, 1))
    reading = tokenize(text, find_language(alias))

    assert (
        reading.stream.codes.tolist() == tokenize(short, find_language(alias)).stream.codes.tolist()
    )
    assert reading.stream.starts[4] == len(text) - len("y = 2;")
    document = document_of(reading.stream, text=text)
    last = 1 + text.count("\n")
    assert document.lines_at(reading.stream.starts[[4]]).tolist() == [last]
    assert document.lines_at(reading.traces.starts[[-1]]).tolist() == [last]
