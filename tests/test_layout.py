"""Layout and comments change nothing, in any language that is read in a way of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from mosslite.languages import find_language
from tests.builders import stream_of_code
from tests.laws.edits import (
    BLOCK_MARKS,
    MARKS,
    blank_lines,
    deeper,
    with_asides,
    with_comments,
    without_comments,
)

FOLDER = Path(__file__).parent / "readings"
LANGUAGES = {path.stem for path in FOLDER.glob("*.txt")} - {"any", "text"}
# In these the column says what a character is.
FIXED_FORMS: Final = {"cobol", "fortranfixed"}
EDITS = {
    blank_lines: LANGUAGES,
    deeper: LANGUAGES - FIXED_FORMS,
    with_asides: LANGUAGES & set(BLOCK_MARKS),
    with_comments: LANGUAGES & set(MARKS),
    without_comments: LANGUAGES & set(MARKS) - {"rust"},  # there all are of documentation
}


@pytest.mark.parametrize(
    ("edit", "language"),
    [(edit, each) for edit, languages in EDITS.items() for each in sorted(languages)],
)
def test_layout_and_comments_change_nothing(edit: Callable[[str, str], str], language: str) -> None:
    text = (FOLDER / f"{language}.txt").read_text(encoding="utf-8")
    edited = edit(text, language)

    first, second = (stream_of_code(each, find_language(language)) for each in (text, edited))

    assert edited != text
    assert first.codes.tolist() == second.codes.tolist()
