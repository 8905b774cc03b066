import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import OptionError
from mosslite.intake.documents import extracted
from mosslite.intake.entries import NotReadError
from mosslite.languages import find_language
from mosslite.options import Intake
from mosslite.records import SourceFile
from tests.builders import LAW

LINE_END = re.compile(r"\r\n|[\r\n]")
LANGUAGES = st.sampled_from([None, "python", "ascii"])


def outcome(name: str, text: str, language: str | None = None) -> tuple[SourceFile, ...] | str:
    try:
        return extracted(SourceFile(name, text), Intake(reads_markdown=True), language)
    except NotReadError as error:
        return str(error)


def assert_in_form(files: tuple[SourceFile, ...] | str, *, resolves: bool = False) -> None:
    """Require a one-line reason, or files whose code is blanks but for what is in the text."""
    if isinstance(files, str):
        assert files.startswith(("is not a valid notebook: ", "contains no "))
        assert "\n" not in files
        return
    assert files
    assert len({file.name for file in files}) == len(files)
    for file in files:
        assert file.language is None or find_language(file.language).name == file.language
        assert_placed(file, resolves=resolves)


def assert_placed(file: SourceFile, *, resolves: bool) -> None:
    if file.code is None:
        return
    assert file.code.strip()
    assert len(file.code) == len(file.text)
    ends = [[(each.start(), each.group()) for each in LINE_END.finditer(t)]
            for t in (file.text, file.code)]  # fmt: skip
    assert ends[0] == ends[1]
    changed = [t for t, c in zip(file.text, file.code, strict=True) if c not in {" ", t}]
    # A reference's sign stands where its first characters are, and few take more than one.
    assert all(resolves and (each in "&#" or each.isalnum()) for each in changed)


def pieces(*marks: str) -> st.SearchStrategy[str]:
    """Draw texts of marks that mean something, and of anything."""
    return st.lists(st.sampled_from(marks) | st.text(max_size=3)).map("".join)


CELLS = pieces(
    *("%", "!", "?", "%%", "%%bash", "%%writefile a.c", "x", "=", " ", "\n", "\r\n", "\r", "\\"),
    *("'", '"', "'''", '"""', "#", "(", ")", "[", "]", "\ud800", "\0"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "worksheets", "cell_type", "source", "input", "metadata"])
            | st.sampled_from(["kernelspec", "language", "language_info", "name"])
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def test_any_other_file_is_given_as_it_is() -> None:
    for name in (
        "a.py",
        "notes.md",
        "page.xhtml",
        "a.htmls",
        ".ipynb",
        "a.rnw",
        "a",
    ):
        file = SourceFile(name, "<p>```{r}", "cp1251", "guess", is_given=False)
        assert extracted(file, Intake(), None) == (file,)
        assert extracted(file, Intake(), "java") == (file,)


def test_what_is_known_of_a_file_is_known_of_its_parts() -> None:
    for name, text in (
        ("a.html", "<p>x<script>y</script>"),
        ("a.Rmd", "words\n```{r}\nx\n```\n"),
        ("a.ipynb", '{"cells": [{"cell_type": "code", "source": "x"}, {"source": "y"}]}'),
    ):
        file = SourceFile(name, text, "cp1251", "guess", is_given=False)
        files = extracted(file, Intake(reads_markdown=True), None)
        assert len(files) == 2
        for each in files:
            assert (each.encoding, each.encoding_by, each.is_given) == ("cp1251", "guess", False)


def test_an_unknown_language_is_the_users_mistake() -> None:
    with pytest.raises(OptionError):
        extracted(SourceFile("a.py", "x"), Intake(), "pyhton")


@LAW
@given(JSON, LANGUAGES)
def test_any_json_is_a_notebook_or_refused_with_a_reason(value: object, given: str | None) -> None:
    assert_in_form(outcome("a.ipynb", json.dumps(value), given))


@LAW
@given(st.text())
def test_any_text_is_a_notebook_or_refused_with_a_reason(text: str) -> None:
    assert_in_form(outcome("a.ipynb", text))


@LAW
@given(st.lists(st.tuples(st.sampled_from(["code", "markdown"]), CELLS), min_size=1), LANGUAGES)
def test_the_code_of_any_cells_is_in_its_place(
    cells: list[tuple[str, str]], given: str | None
) -> None:
    listed = [{"cell_type": kind, "source": source} for kind, source in cells]
    assert_in_form(outcome("a.ipynb", json.dumps({"cells": listed}), given))


@LAW
@given(st.lists(CELLS, min_size=1))
def test_a_cell_s_lines_are_counted_from_its_first(sources: list[str]) -> None:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    files = outcome("a.ipynb", json.dumps({"cells": cells}))
    for file in files if isinstance(files, tuple) else ():
        lines = LINE_END.sub("\n", file.text).split("\n")
        for part in file.parts:
            assert lines[part.first_line - 2] == f"# cell {part.cell}"
            assert file.cell_at(part.first_line) == (part.cell, 1)


@LAW
@given(
    pieces("```", "````", "{r}", "{python}", "{", "}", " ", "\n", "\r\n", "\r", ">", "---\n", "x"),
    LANGUAGES,
)
def test_the_code_of_any_document_is_in_its_place(text: str, given: str | None) -> None:
    files = outcome("a.Rmd", text, given)
    assert not isinstance(files, str)
    assert_in_form(files)


@LAW
@given(
    pieces(
        *("<", ">", "</", "<!--", "-->", "<script", "</script>", "<style>", "</style>", "<b ", "="),
        *('"', "'", "&", "&lt;", "&#10;", "&#x41", ";", " ", "\n", "\r", "x", "type=", "<!", "<?"),
    )
)
def test_what_is_seen_of_any_page_is_in_its_place(text: str) -> None:
    assert_in_form(outcome("a.html", text), resolves=True)
