"""Reads one file: bytes to the texts that are compared, or the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mosslite.intake.decoding import decoded, decoded_plainly
from mosslite.intake.entries import NotReadError, content_of
from mosslite.intake.extraction import extracted
from mosslite.languages import find_language, language_of
from mosslite.model import Role, SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.entries import Entry
    from mosslite.options import Intake

__all__ = ["Effort", "read_entry"]

# Characters of a submission that are read with care: more than anybody writes in a course. They are
# counted as bytes, and once more for each text that is made of them. Files as long as people write
# them have as many for themselves, so that a long one beside a program changes nothing for it.
_MOST_CHARACTERS: Final = 32 << 20
_LONGEST_USUAL: Final = 1 << 16


class Effort:
    """How much of a submission has been read; characters, so that it is the same everywhere."""

    def __init__(self, role: Role) -> None:
        is_instructors = role in {Role.BASE, Role.REFERENCE}
        self._most = float("inf") if is_instructors else _MOST_CHARACTERS
        self._spent = {True: 0, False: 0}

    def is_spent(self, size: int) -> bool:
        """Return whether a file of so many bytes is to be read in the plainest way."""
        return self._spent[size <= _LONGEST_USUAL] >= self._most

    def spend(self, size: int, files: Sequence[SourceFile]) -> None:
        """Count what was made of a file of so many bytes."""
        self._spent[size <= _LONGEST_USUAL] += size + sum(len(each.text) for each in files)


def read_entry(
    entry: Entry, intake: Intake, language: str | None, effort: Effort
) -> tuple[SourceFile, ...]:
    """Read what an entry holds to compare, one file for each language in it.

    Args:
        entry: Its name is that of the files.
        intake: Limits of size, the encoding, and whether prose beside code is wanted.
        language: MOSS name or Pygments alias of every file; None asks the file.
        effort: Of its submission; once it is spent, a file is one text as it stands, in the first
            encoding that fits.

    Raises:
        NotReadError: It cannot be read, is no text, or holds nothing to compare.
    """
    content = content_of(entry, intake.limits.of(entry.name))
    files: tuple[SourceFile, ...] = ()
    try:
        if effort.is_spent(len(content)):
            files = (_plain_file(entry, content, intake),)
        else:
            files = extracted(_file(entry, content, intake, language), intake, language)
    finally:
        effort.spend(len(content), files)
    return files


def _file(entry: Entry, content: bytes, intake: Intake, language: str | None) -> SourceFile:
    told = language_of(entry.name) if language is None else find_language(language)
    is_python = told is not None and told.name == "python"
    text, encoding, by = decoded(content, intake.encoding, is_python=is_python)
    return SourceFile(entry.name, text, encoding, by, entry.is_given, path=entry.path)


def _plain_file(entry: Entry, content: bytes, intake: Intake) -> SourceFile:
    if len(content) > intake.limits.file:
        msg = "is not read: too much else of the submission is"
        raise NotReadError(msg)
    text, encoding, by = decoded_plainly(content)
    return SourceFile(
        entry.name, text, encoding, by, entry.is_given, is_plain=True, path=entry.path
    )
