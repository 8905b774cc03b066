"""What is known of tokens is kept from one text to the next, and changes no reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.frontends import token_properties, tokenize
from mosslite.frontends.token_properties import Vocabulary, vocabulary_of
from mosslite.languages import find_language
from tests.builders import LAW
from tests.test_dispatch import NESTED_MAIL
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


def test_a_token_that_was_met_before_has_its_number_still(kept: dict[object, Vocabulary]) -> None:
    tokenize("int x;", JAVA)
    before = list(kept[JAVA].numbers.distinct)
    tokenize("int y = x;", JAVA)

    assert kept[JAVA].numbers.distinct[: len(before)] == before
    assert len(kept[JAVA].properties().classes) == len(kept[JAVA].numbers.distinct)


@pytest.mark.parametrize(("limit", "most"), [("_MOST_KEPT", 20), ("_MOST_TEXT", 60)])
def test_a_vocabulary_that_has_grown_too_large_makes_way_for_another(
    limit: str, most: int, kept: dict[object, Vocabulary], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenize("int x;", JAVA)
    assert list(kept) == [JAVA]
    monkeypatch.setattr(token_properties, limit, most)
    many = "".join(f"int name{number};\n" for number in range(20))

    reading = tokenize(many, JAVA)

    assert not kept
    assert columns_of(tokenize(many, JAVA)) == columns_of(reading)


def test_what_a_failure_leaves_behind_is_forgotten(kept: dict[object, Vocabulary]) -> None:
    language = find_language("mime")
    tokenize("a: b\n", language)
    assert list(kept) == [language]

    assert tokenize(NESTED_MAIL, language).is_degraded
    assert not kept


def test_two_that_read_at_the_same_time_have_vocabularies_of_their_own() -> None:
    with vocabulary_of(JAVA) as one, vocabulary_of(JAVA) as other:
        assert one is not other
        assert columns_of(tokenize("int x;", JAVA)) == columns_of(tokenize("int x;", JAVA))
