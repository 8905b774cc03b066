"""Layout and comments change nothing, in any language that is read in a way of its own."""

from pathlib import Path
from typing import Final

import pytest

from tests.builders import codes
from tests.laws.edits import (
    BLOCK_MARKS,
    MARKS,
    blank_lines,
    deeper,
    with_asides,
    with_comments,
    without_comments,
)

FOLDER = Path(__file__).parents[1] / "readings"
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


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_layout_and_comments_change_nothing(language: str) -> None:
    text = (FOLDER / f"{language}.txt").read_text(encoding="utf-8")
    expected = codes(text, language)
    for edit in (edit for edit, languages in EDITS.items() if language in languages):
        edited = edit(text, language)

        assert edited != text
        assert codes(edited, language) == expected, edit
