"""Decides in which language each file is read, and which files are left out beside code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mosslite.languages import TEXT, find_language, is_data, language_of
from mosslite.model import Skipped

if TYPE_CHECKING:
    from mosslite.languages import Language
    from mosslite.model import Batch, SourceFile, Submission
    from mosslite.options import Options

__all__ = ["asked_language", "language_to_read", "without_bycatch"]


def asked_language(options: Options) -> Language | None:
    """Give the language of all files, if one was asked for.

    Raises:
        OptionError: It is unknown.
    """
    return None if options.language is None else find_language(options.language)


def language_to_read(file: SourceFile, options: Options) -> Language:
    """Give the language asked for, else the one the file's name tells, else prose."""
    return asked_language(options) or language_of(file.name) or TEXT


def without_bycatch(batch: Batch, options: Options) -> Batch:
    """Leave out prose and data files that were only found in a folder beside code.

    A read-me or a data set would count as much as the program: it is compared where it is all
    there is, or where the user names it.
    """
    kept, skipped = [], list(batch.skipped)
    for submission in batch.submissions:
        bycatch = _bycatch(submission, options)
        files = tuple(file for file in submission.files if file not in bycatch)
        kept.append(replace(submission, files=files))
        skipped += [
            Skipped(
                f"{submission.name}/{file.name}", "is no code, but lies in a folder beside code"
            )
            for file in bycatch
        ]
    skipped.sort(key=lambda each: (each.path, each.reason))
    return replace(batch, submissions=tuple(kept), skipped=tuple(skipped))


def _bycatch(submission: Submission, options: Options) -> list[SourceFile]:
    asked = asked_language(options)
    found = [file for file in submission.files if not file.is_given]
    other = [file for file in found if language_of(file.name) != asked and not _is_code(file)]
    return other if len(other) < len(submission.files) else []


def _is_code(file: SourceFile) -> bool:
    language = language_of(file.name)
    return language is not None and not language.is_prose and not is_data(language)
