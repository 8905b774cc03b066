"""Reads one file: bytes to the texts that are compared, or the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mosslite.intake.decoding import decoded
from mosslite.intake.entries import content_of
from mosslite.intake.extraction import extracted
from mosslite.intake.foreign import foreign_kind
from mosslite.languages import find_language, is_program, language_of
from mosslite.model import SourceFile

if TYPE_CHECKING:
    from mosslite.intake.entries import Entry
    from mosslite.options import Intake

__all__ = ["read_entry"]


def read_entry(entry: Entry, intake: Intake, language: str | None) -> tuple[SourceFile, ...]:
    """Read what an entry holds to compare, one file for each language in it.

    Args:
        entry: Its name is that of the files.
        intake: Limits of size, the encoding, and whether prose beside code is wanted.
        language: MOSS name or Pygments alias of every file; None asks the file.

    Raises:
        NotReadError: It cannot be read, is no text, or holds nothing to compare.
    """
    content = content_of(entry, intake.limits.of(entry.name))
    told = language_of(entry.name) if language is None else find_language(language)
    found = decoded(
        content,
        intake.encoding,
        is_python=told is not None and told.name == "python",
        is_program=is_program(entry.name),
    )
    foreign = foreign_kind(content)
    file = SourceFile(
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
    return extracted(file, intake, language)
