from html.entities import html5

import pytest

from mosslite.intake.documents import extracted
from mosslite.intake.entries import NotReadError
from mosslite.options import Intake
from mosslite.records import SourceFile
from tests.tables import table


def words_of(text: str, name: str = "a.html") -> dict[str, str]:
    files = extracted(SourceFile(name, text), Intake(), None)
    assert {file.text for file in files} == {text}
    return {file.name: " ".join((file.code or "").split()) for file in files}


def seen_in(text: str) -> str:
    return words_of(text).get("a.html", "")


@pytest.mark.parametrize("name", ["a.html", "b/a.HTM"])
def test_a_page_is_the_text_that_is_seen_and_its_scripts(name: str) -> None:
    text = (
        "<!DOCTYPE html><html><head><title>Home</title><style>p { color: red }</style></head>"
        "<body class='wide'><!-- hidden --><p>Hello <b>you</b></p><script>run(1 < 2)</script>"
    )
    assert words_of(text, name) == {name: "Home Hello you", f"{name} [javascript]": "run(1 < 2)"}
    files = extracted(SourceFile(name, text), Intake(), None)
    assert [file.language for file in files] == ["text", "javascript"]


def test_a_page_is_left_as_it_is_if_a_language_is_given() -> None:
    file = SourceFile("a.html", "<p>seen</p>")
    assert extracted(file, Intake(), "html") == (file,)


@table("text", "seen")
def test_character_references_are_resolved_in_their_place(text: str, seen: str) -> None:
    assert seen_in(text) == seen


def test_every_named_character_fits_into_its_reference() -> None:
    for name in html5:
        (file,) = extracted(SourceFile("a.html", f"x&{name}x"), Intake(), None)
        assert len(file.code or "") == len(file.text)


@table("text", "seen")
def test_mark_up_ends_where_a_browser_ends_it(text: str, seen: str) -> None:
    assert seen_in(text) == seen


@pytest.mark.parametrize(
    "attributes",
    [
        *("", " src=x", " type=module", " TYPE='text/javascript'", ' type=""', " data-type=text/x"),
        *(" async type = application/javascript defer", " language=JavaScript"),
    ],
)
def test_a_script_is_code(attributes: str) -> None:
    assert words_of(f"<script{attributes}>run()</script>") == {"a.html [javascript]": "run()"}


@pytest.mark.parametrize(
    "type_",
    ["application/json", "text/template", "importmap", "text/x-handlebars", "text/php", "ld"],
)
def test_data_and_templates_in_a_script_are_left_out(type_: str) -> None:
    assert words_of(f"<p>x</p><script type='{type_}'>run()</script>") == {"a.html": "x"}


@table("type_", "language")
def test_a_script_of_any_type_that_may_be_run_is_code(type_: str, language: str) -> None:
    assert words_of(f'<script type="{type_}">run()</script>') == {f"a.html [{language}]": "run()"}


@pytest.mark.parametrize("name", ["title", "TITLE", "textarea"])
def test_no_comment_begins_in_a_title(name: str) -> None:
    page = f"<{name} id=a><!-- &lt;b</{name}><p>x</p><script>run()</script>"
    assert words_of(page) == {"a.html": "<!-- < b x", "a.html [javascript]": "run()"}


@pytest.mark.parametrize(
    "attribute",
    ["onclick='run()'", 'onClick = "run()"', "onload=run()", "class=a ONERROR='run()' id=b"],
)
def test_event_handlers_are_code(attribute: str) -> None:
    assert words_of(f"<p {attribute}>x</p>") == {"a.html": "x", "a.html [javascript]": "run()"}


def test_what_only_looks_like_an_event_handler_is_not_code() -> None:
    assert words_of("<p data-onclick=a title='onclick=a' alt=\" onload='b'\">x</p>") == {
        "a.html": "x"
    }


def test_a_link_that_is_a_program_is_code() -> None:
    page = "<a href='javascript:run()'>x</a><a href=b.html>y</a>"
    assert words_of(page) == {"a.html": "x y", "a.html [javascript]": "javascript:run()"}


def test_a_page_without_text_is_refused() -> None:
    for text in ("<p></p>", "<script></script>", "<!--", "<style>x</style>", "&nbsp;"):
        with pytest.raises(NotReadError, match=r"^contains no text$"):
            words_of(text)
