"""What keeps the catalogues of ``mosslite/locales`` whole."""

import re
from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages import Message

from mosslite.texts import script_messages
from tests.catalogues import (
    ROOT,
    SCRIPTS,
    catalogue_path,
    compiled,
    extracted,
    said,
    stored,
    translated,
)

LANGUAGES = pytest.mark.parametrize("locale", translated())


def forms(message: Message) -> tuple[str, ...]:
    """Return all translations of a message."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def english(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def values(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[srd]", text))


def test_a_catalogue_has_the_messages_of_the_code_and_no_others() -> None:
    for locale in translated():
        assert {each.id for each in stored(locale)} == {each.id for each in extracted()}, locale
        assert not stored(locale).obsolete


@LANGUAGES
def test_every_message_is_translated_in_all_its_forms(locale: str) -> None:
    missing = [each.id for each in stored(locale) if each.id and not said(each.string)]
    unsure = [each.id for each in stored(locale) if each.id and each.fuzzy]
    fewer = [each.id for each in stored(locale) if len(forms(each)) != len(english(each))]
    assert (missing, unsure, fewer) == ([], [], [])


@LANGUAGES
def test_a_translation_has_the_values_of_its_message(locale: str) -> None:
    for each in stored(locale):
        for message, form in zip(english(each), forms(each), strict=True):
            assert values(form) == values(message), message if each.id else ""


@LANGUAGES
def test_a_translation_begins_and_ends_as_its_message_does(locale: str) -> None:
    for each in stored(locale):
        for message, form in zip(english(each), forms(each), strict=True):
            if each.id:
                spaces = [(len(t) - len(t.lstrip(" ")), t[-1:] == " ") for t in (message, form)]
                assert spaces[0] == spaces[1], message
                assert (message[-1] == ".") == (form[-1] == "."), message


@LANGUAGES
def test_what_programs_read_is_compiled_from_what_people_read(locale: str) -> None:
    kept = GNUTranslations(BytesIO(catalogue_path(locale).with_suffix(".mo").read_bytes()))
    fresh = GNUTranslations(BytesIO(compiled(stored(locale))))
    without_tool = [
        {key: text for key, text in vars(each)["_catalog"].items() if key} for each in (kept, fresh)
    ]
    assert without_tool[0] == without_tool[1]


def test_the_scripts_of_pages_get_all_that_they_say() -> None:
    for locale in translated():
        of_scripts = (each for each in extracted((SCRIPTS,)) if each.id)
        kept = stored(locale)
        expected = {english(each)[0]: [*forms(kept[each.id])] for each in of_scripts}
        assert len(expected) > 50
        assert script_messages(locale) == expected


@LANGUAGES
def test_what_scripts_say_is_written_out_and_translated_also_within_a_message(locale: str) -> None:
    scripts = "".join(path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.js"))
    first_forms = re.findall(r'\bn?gettext\(\s*"((?:[^"\\]|\\.)*)"', scripts)
    assert len(first_forms) > 100
    assert re.findall(r'(?<!function )\bn?gettext\((?!\s*").*', scripts) == []
    assert {each for each in first_forms if each not in script_messages(locale)} == set()


@LANGUAGES
def test_careful_words_stay_careful(locale: str) -> None:
    harsh = re.compile(r"plagia|betrug|betr\u00fcg|trampa|triche|fraude", re.IGNORECASE)
    for each in stored(locale):
        assert not harsh.search(" ".join(forms(each))), each.id
