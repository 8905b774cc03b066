import copy
import json
import re
from functools import cache, partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.messages import (
    M_,
    PLACEHOLDER,
    Message,
    Value,
    as_json,
    from_json,
    of_text,
    said_by,
    to_text,
)
from mosslite.texts import ENGLISH, LOCALES, texts_in
from tests.catalogues import stored

# What students call things: messages, templates, quotes and what no terminal shows.
NAMES = st.sampled_from(("archive", "is not text", "%(name)s", "%(count)d", "it's", "a\u202eb")) | (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
)
IS_A_WORD = re.compile(r"[A-Za-z]{3}")


@cache
def all_of_them() -> list[tuple[str, str]]:
    """Return all messages and their plurals; one with a plural has the count that decides."""
    pairs = (
        (each.id, "") if isinstance(each.id, str) else each.id[:2]
        for each in stored("de")
        if each.id
    )
    return [(one, many) for one, many in pairs if not many or "%(count)" in many]


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Draw a message of the code with values."""
    one, many = draw(st.sampled_from(all_of_them()))
    values: dict[str, Value] = {
        name: draw(st.integers(0, 10**9) if kind == "d" or name == "count" else NAMES)
        for name, kind in PLACEHOLDER.findall(one + many)
    }
    return Message(one, values, many)


@settings(deadline=None)  # which reading the catalogues takes part of
@given(messages())
def test_every_message_is_said_in_every_language_with_its_values(message: Message) -> None:
    for locale in set(LOCALES) - {"en"}:
        texts = texts_in(locale)
        known = translations(locale)
        own = (message.id, message.plural) if message.plural else message.id
        said = texts.translated(message)
        shown = partial(as_shown, message, locale)
        expected = [PLACEHOLDER.sub(shown, form) for form in known[own]]
        assert said in expected
    assert ENGLISH.translated(message) == message


def forms_of(strings: object) -> tuple[str, ...]:
    return (strings,) if isinstance(strings, str) else tuple(strings)  # type: ignore[arg-type]


@cache
def translations(locale: str) -> dict[object, tuple[str, ...]]:
    return {each.id: forms_of(each.string) for each in stored(locale)}


def as_shown(message: Message, locale: str, found: re.Match[str]) -> str:
    value = message.params[found[1]]
    if isinstance(value, int) and found[2] == "d":
        return texts_in(locale).number(value)
    return repr(value) if found[2] == "r" else str(value)


@pytest.mark.parametrize("locale", sorted(LOCALES))
def test_a_name_that_reads_like_a_message_stays_a_name(locale: str) -> None:
    said = texts_in(locale).translated
    assert said(M_("added: %(what)s to %(term)s", counted(2, "file"), "archive")).endswith(
        "archive"
    )
    for name in ("is not text", "archive", "contains no files", "a.zip: is not text"):
        assert said(name) == name
        assert repr(name) in said(M_("archive %(file)r is not a file", name))


def test_messages_in_messages_are_said_in_the_same_language() -> None:
    message = M_("cannot be read: %(reason)s", PermissionError(13, "Permission denied"))
    assert message == "cannot be read: permission denied"
    assert "permission" not in texts_in("de").translated(message)


def test_numbers_in_messages_are_those_of_the_language() -> None:
    assert texts_in("de").translated(counted(12_345, "file")) == "12.345 Dateien"
    assert texts_in("es").translated(counted(1, "file")) == "1 archivo"


def test_several_names_are_one_value() -> None:
    message = M_("compared as text, although it starts like %(kind)s: %(names)s", "x", ["a", "b"])
    assert message.endswith(": a, b")
    assert message.params["names"] == ("a", "b")


def test_an_error_has_its_message() -> None:
    error = copy.copy(InputError("archive %(file)r is not a file", "a b"))
    assert said_by(error) == str(error) == "archive 'a b' is not a file"
    assert isinstance(said_by(error), Message)


def test_a_finished_text_is_no_template() -> None:
    assert str(InputError("%(name)s and %(count)d")) == "%(name)s and %(count)d"


@given(messages())
def test_results_keep_messages(message: Message) -> None:
    for kept in (
        from_json(json.loads(json.dumps(as_json(message))), str(message)),
        of_text(to_text(message)),
        copy.deepcopy(message),  # as processes pass it on
    ):
        assert isinstance(kept, Message)
        assert (kept, kept.id, kept.plural) == (message, message.id, message.plural)
        assert dict(kept.params) == dict(message.params)


@pytest.mark.parametrize(
    "content",
    [
        None,
        7,
        "is not text",
        [],
        {},
        {"id": "is not text"},
        {"id": "is not text", "params": {}},
        {"id": 7, "params": {}},
        {"id": "%(a)d", "params": {"a": "7"}},
        {"id": "%(a)s", "params": {"b": 1}},
        {"id": "%(a)s", "params": [["a", 1]]},
        {"id": "%(a)s", "params": {"a": None}},
        {"id": "%(a)s", "params": {"a": 1.5}},
        {"id": "one", "plural": "many", "params": {}},
        {"id": "one", "plural": 7, "params": {"count": 2}},
        {"id": "%(a)s", "params": {"a": {"id": "%(a)s", "params": {}}}},
    ],
)
def test_a_message_that_says_something_else_than_its_english_is_none(content: object) -> None:
    kept = from_json(content, "contains no files")
    assert kept == "contains no files"
    assert not isinstance(kept, Message)


def test_a_deep_message_is_none() -> None:
    content: object = "x"
    for _ in range(5_000):
        content = {"id": "%(a)s", "params": {"a": content}}
    assert not isinstance(from_json(content, "x"), Message)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 3}',
        '{"id": bad',
        '{"id": "a", "params": 3}',
        '{"id": "%(x)d", "params": {"x": "y"}}',
        '{"id": ' + "[" * 100_000,
    ],
    ids=["no params", "no JSON", "params are a number", "no number", "deep"],
)
def test_a_damaged_message_in_a_table_is_its_text(text: str) -> None:
    assert of_text(text) == text
