"""Lexers: the driver gives the tokens that Pygments gives, whatever the text."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from pygments.lexers import get_all_lexers, get_lexer_by_name

from mosslite.frontends.deadline import TooSlowError, listed
from mosslite.frontends.lexing import fast_tokens
from mosslite.frontends.lexing.rules import Token
from tests.fuzz.frontends import SNIPPET
from tests.fuzz.inputs import chosen, parted, written
from tests.fuzz.running import fuzz

# Those that students write in are fuzzed as often as all others together.
_OFTEN: Final = (
    *("python", "java", "c", "cpp", "csharp", "javascript", "typescript", "html", "php", "ruby"),
    *("r", "octave", "haskell", "sql", "go", "rust", "kotlin", "bash", "perl", "scheme"),
)
# XQuery's keeps what it knows of a text for the next one.
_ALL: Final = tuple(
    sorted({row[1][0] for row in get_all_lexers(plugins=False) if row[1]} - {"xquery"})
)
_MOST_TOKENS: Final = 20_000
_SECONDS: Final = 1.0


def TestOneInput(data: bytes) -> None:  # noqa: N802 - as libFuzzer calls it
    """Require the same tokens and the same end. The numbers: the lexer."""
    content, (often, first, second) = parted(data, 3)
    alias = chosen(_ALL, 256 * first + second) if often % 2 else chosen(_OFTEN, first)
    text = content.decode("utf-8", "replace")
    try:
        expected = _seen(get_lexer_by_name(alias).get_tokens_unprocessed(text))
        found = _seen(fast_tokens(get_lexer_by_name(alias), text))
    except TooSlowError:
        return
    assert found == expected, alias


def _seen(tokens: Iterable[Token]) -> tuple[list[Token], str]:
    """Return the tokens and how the lexer failed, if it did: lexers promise nothing."""
    seen: list[Token] = []

    def each() -> Iterator[None]:
        for token in islice(tokens, _MOST_TOKENS):
            seen.append(token)
            yield

    try:
        listed(each(), _SECONDS)
    except TooSlowError:
        raise
    except Exception as error:  # noqa: BLE001 - as foreign code fails
        return seen, repr(error)
    return seen, ""


def seeds() -> Iterator[bytes]:
    """Yield a text in many languages."""
    for number in range(len(_OFTEN)):
        yield written(SNIPPET.encode(), 0, number, 0)
        yield written(SNIPPET.replace("\n", "\r\n").encode(), 0, number, 0)
    for number in range(0, len(_ALL), 20):
        yield written(SNIPPET.encode(), 1, *divmod(number, 256))


if __name__ == "__main__":
    sys.exit(fuzz("lexers", sys.argv[1:]))
