from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.messages import PLACEHOLDER, Message, Templates
from mosslite.texts import ENGLISH, LOCALES, recognized, texts_in
from tests.catalogues import extracted, stored

# Some end only the lists in other messages.
IN_LISTS = ("%(shown)s and %(last)s", "%(first)s; %(lines)s")
TRAVELLING = [each for each in extracted() if each.context and each.id not in IN_LISTS]
# Names as students choose them, quotes, blanks and signs among them, but no words of messages.
# A quote and a blank are a message too: what stands in no quotes has none.
PLAIN = st.text("aZ\u00e9\\/.-%", min_size=1, max_size=12)
NAMES = st.text("aZ\u00e9'\"\\/._- (%", min_size=1, max_size=12).filter(lambda name: name.strip())
HOSTILE = [
    "'" * 5_000,
    ": " * 5_000,
    "; " * 5_000,
    ", its share of the limit" * 400,
    "is a PDF, which is not read: " * 300,
    "(" * 9_000 + ")" * 9_000,
    " and 1 more" * 900,
    "\\'" * 5_000,
]


def forms_of(message: object) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)  # type: ignore[arg-type]


def written(form: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: values[found[1]], form)


def a_value(draw: st.DrawFn, kind: str) -> str:
    if kind == "d":
        return f"{draw(st.integers(0, 10**9)):,}"
    return repr(draw(NAMES)) if kind == "r" else draw(PLAIN)


@st.composite
def messages(draw: st.DrawFn) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """Draw a message of the code with values, as a text, its forms and its values."""
    message = draw(st.sampled_from(TRAVELLING))
    forms = forms_of(message.id)
    nth = draw(st.integers(0, len(forms) - 1))
    values = {name: a_value(draw, kind) for name, kind in PLACEHOLDER.findall(forms[nth])}
    if len(forms) == 2:
        values["count"] = ("1", "2,001")[nth]
    return written(forms[nth], values), forms, values


@given(messages())
def test_every_message_is_recognized_in_every_language_with_its_values(
    drawn: tuple[str, tuple[str, ...], dict[str, str]],
) -> None:
    text, forms, values = drawn
    found = recognized(text)
    assert found is not None
    if "predicate" not in values:  # what is only the rest of a message
        assert ENGLISH.rendered(found) == text
    if sum(kind == "s" for _, kind in PLACEHOLDER.findall(forms[0])) == 0:
        assert sorted(map(str, found.values.values())) == sorted(values.values())
    for locale in LOCALES:
        told = texts_in(locale).translated(text)
        for value in values.values():
            shown = value
            if re.fullmatch(r"\d{1,3}(,\d{3})*", value):
                shown = texts_in(locale).number(int(value.replace(",", "")))
            assert shown in told


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_long_hostile_names_are_said_as_they_are(text: str) -> None:
    text += "x"  # what ends in "and 1 more" is a list
    for english in (f"zero bytes, read as spaces: {text}", f"cannot read {text!r}: {text}"):
        assert texts_in("de").translated(english).count(text) >= 1


def test_a_name_that_reads_like_a_message_stays_a_name() -> None:
    told = texts_in("de").translated("zero bytes, read as spaces: is empty, folder and 3 more")
    assert told == "Null-Bytes, als Leerzeichen gelesen: is empty, folder und 3 weitere"
    assert texts_in("fr").translated("'is empty' does not exist") == "'is empty' n\u2019existe pas"


def test_values_that_are_messages_are_said_too() -> None:
    reason = "is a PDF, which is not supported: submit plain text"
    error = f"nothing to compare: no files in 'x'; 2 skipped: 'y' {reason}; 'z' is empty"
    assert texts_in("de").translated(error) == (
        "nichts zu vergleichen: keine Dateien in 'x'; 2 \u00fcbersprungen: 'y': ein PDF, nicht "
        "unterst\u00fctzt: einfachen Text abgeben lassen; 'z': leer"
    )


def test_numbers_in_messages_are_those_of_the_language() -> None:
    english = "is larger than 4,194,304 bytes (--max-file-size)"
    assert (
        texts_in("de").translated(english)
        == "gr\u00f6\u00dfer als 4.194.304 Bytes (--max-file-size)"
    )
    assert texts_in("en").translated(english) == english


def test_other_texts_stay_as_they_are() -> None:
    for text in ("", "something else", "x" * 100_000):
        assert texts_in("es").translated(text) == text


def test_the_template_that_knows_most_of_a_text_is_the_one() -> None:
    templates = Templates([("report", ("is %(kind)s",)), ("report", ("is %(kind)s, not read",))])
    found = templates.recognized("is odd, not read")
    assert found == Message("report", ("is %(kind)s, not read",), {"kind": "odd"})


@pytest.mark.parametrize("locale", [each for each in LOCALES if each != "en"])
def test_open_values_are_parted_by_something(locale: str) -> None:
    for each in stored(locale):
        for form in forms_of(each.id) if each.context else ():
            assert ")s%(" not in form
