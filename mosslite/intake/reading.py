"""Reads one file: bytes to the texts that are compared, or the reason why not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mosslite.intake.decoding import decoded, decoded_plainly
from mosslite.intake.entries import NotReadError, content_of
from mosslite.intake.extraction import extracted
from mosslite.intake.foreign import foreign_kind
from mosslite.languages import find_language, is_program, language_of
from mosslite.model import Role, SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.intake.decoding import Decoded
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
        NotReadError: It cannot be read, is not text, or holds nothing to compare.
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
    found = decoded(
        content,
        intake.encoding,
        is_python=told is not None and told.name == "python",
        is_program=is_program(entry.name),
    )
    return _source_file(entry, content, found)


def _plain_file(entry: Entry, content: bytes, intake: Intake) -> SourceFile:
    if len(content) > intake.limits.file:
        msg = "is not read: too much else of the submission is"
        raise NotReadError(msg)
    found = decoded_plainly(content, is_program=is_program(entry.name))
    return replace(_source_file(entry, content, found), is_plain=True)


def _source_file(entry: Entry, content: bytes, found: Decoded) -> SourceFile:
    foreign = foreign_kind(content)
    return SourceFile(
        name=entry.name,
        text=found.text,
        encoding=found.encoding,
        encoding_by=found.by,
        is_given=entry.is_given,
        # What passes over NUL takes it for a blank.
        code=found.text.replace("\0", " ") if "\0" in found.text else None,
        begins_like=foreign.kind if foreign else "",
        path=entry.path,
    )
