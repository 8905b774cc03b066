"""What is known of tokens is kept from one text to the next, and changes no reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import token_properties, tokenize
from mosslite.frontends.token_properties import Vocabulary, vocabulary_of
from mosslite.languages import find_language
from tests.builders import LAW
from tests.test_text_concatenation import TEXTS, columns_of

JAVA = find_language("java")
NAMES = ["python", "java", "c", "javascript"]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> dict[object, Vocabulary]:
    """Return what is kept by name of the language, which is nothing yet."""
    nothing: dict[object, Vocabulary] = {}
    monkeypatch.setattr(token_properties, "_kept", nothing)
    return nothing


@LAW
@given(TEXTS, st.sampled_from(NAMES))
def test_a_text_is_read_alike_whatever_was_read_before(texts: list[str], name: str) -> None:
    language = find_language(name)
    after_others = [columns_of(tokenize(text, language)) for text in texts]

    for text, found in zip(texts, after_others, strict=True):
        token_properties._kept.clear()
        assert columns_of(tokenize(text, language)) == found


def test_two_that_read_at_the_same_time_have_vocabularies_of_their_own() -> None:
    with vocabulary_of(JAVA) as one, vocabulary_of(JAVA) as other:
        assert one is not other
        assert columns_of(tokenize("int x;", JAVA)) == columns_of(tokenize("int x;", JAVA))
