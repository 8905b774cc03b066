import pytest

from mosslite.frontends import tokenize
from mosslite.frontends.dispatch import read_plain
from mosslite.frontends.text import source_of
from mosslite.frontends.tokens import lex
from mosslite.languages import Language, find_language, lexer_of
from tests.builders import stream_of_code

# One recursion for each header, so that the lexer runs into Python's limit.
NESTED_MAIL = "Content-Type: message/rfc822\n\n" * 1000
UNKNOWN = Language("no lexer has this name", "None", is_prose=False, is_caseless=False)


@pytest.mark.parametrize("alias", ["markdown", "restructuredtext", "org", "text"])
def test_prose_with_mark_up_is_prose(alias: str) -> None:
    stream, _, is_degraded, *_ = tokenize("# Title\n\n```c\nint x;\n```\n", find_language(alias))

    assert not is_degraded
    assert len(stream) == len("Titlecintx")


def test_code_is_read_by_its_lexer() -> None:
    stream, _, is_degraded, *_ = tokenize("while (1) // twice", find_language("c"))

    assert not is_degraded
    assert stream.codes.tolist() == stream_of_code("while (1)", find_language("c")).codes.tolist()
    assert len(stream) == 4


def test_a_lexer_may_fail() -> None:
    with pytest.raises(RecursionError):
        lex(lexer_of(find_language("mime")), NESTED_MAIL)


@pytest.mark.parametrize(
    ("text", "language"),
    [(NESTED_MAIL, find_language("mime")), ("while (1)", UNKNOWN)],
    ids=["lexer fails", "no lexer"],
)
def test_where_the_lexer_fails_the_plain_tokenizer_stands_in(text: str, language: Language) -> None:
    stream, _, is_degraded, *_ = tokenize(text, language)

    assert is_degraded
    assert stream.codes.tolist() == read_plain(source_of(text)).codes.tolist()
    assert stream.starts.tolist() == read_plain(source_of(text)).starts.tolist()
    assert len(stream) > 0
