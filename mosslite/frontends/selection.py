"""Collects the files to compare, and determines the language of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, compress
from pathlib import PurePath
from typing import Final

from mosslite.display import grouped_reasons
from mosslite.intake import collect
from mosslite.intake.reading import Reader, read_each
from mosslite.languages import TEXT, Language, asked_language, find_language, is_data, language_of
from mosslite.languages.content import SHARED
from mosslite.messages import M_, chained
from mosslite.options import Options
from mosslite.reasons import Reason
from mosslite.records import Batch, Inputs, Skipped, SourceFile, Submission


def language_to_read(file: SourceFile, options: Options) -> Language:
    """Return the language asked for, else the one of the file's content or name, else prose."""
    asked = asked_language(options.language, file.name)
    if asked is None and file.language is not None:
        return find_language(file.language)
    return asked or language_of(file.name) or TEXT


def without_stray_files(batch: Batch, options: Options) -> Batch:
    """Leave out prose and data files found in a folder beside code.

    A README or a data set would count as much as the program: it is compared only if there is
    nothing else, or if the user names it.
    """
    kept, skipped = [], list(batch.skipped)
    for submission in batch.submissions:
        is_wanted = _are_wanted(submission.files, options)
        if all(is_wanted):
            kept.append(submission)
            continue
        kept.append(replace(submission, files=tuple(compress(submission.files, is_wanted))))
        skipped += [
            Skipped(f"{submission.name}/{file.name}", (file.doubt or Reason.NOT_CODE).message())
            for file, is_it in zip(submission.files, is_wanted, strict=True)
            if not is_it
        ]
    skipped = _without_stray_files_over_limits(skipped, kept, options)
    skipped.sort(key=lambda each: (each.path, each.reason))
    return replace(batch, submissions=tuple(kept), skipped=tuple(skipped))


def wanted_files(files: Sequence[SourceFile], options: Options) -> tuple[SourceFile, ...]:
    """Return the files of one submission that ``without_stray_files`` keeps; texts do not count."""
    return tuple(compress(files, _are_wanted(files, options)))


def _are_wanted(files: Sequence[SourceFile], options: Options) -> list[bool]:
    is_wanted = [_is_wanted(file, options) for file in files]
    return is_wanted if any(is_wanted) else [True] * len(files)


def _without_stray_files_over_limits(
    skipped: Sequence[Skipped], kept: Sequence[Submission], options: Options
) -> list[Skipped]:
    """Leave out files over limits that are data beside code, and so are not missed."""
    with_code = {
        each.name for each in kept if any(_is_wanted(file, options) for file in each.files)
    }
    return [
        replace(each, limit="", submission="")
        if each.submission in with_code and _is_stray(each, options)
        else each
        for each in skipped
    ]


def _is_stray(skipped: Skipped, options: Options) -> bool:
    """Return whether this is a file, not an archive, that would be left out beside code."""
    language = language_of(skipped.path)
    if language is None:
        return skipped.limit == "--max-file-size"
    return not _is_code(language, skipped.path, options)


def _is_wanted(file: SourceFile, options: Options) -> bool:
    """Return whether the user names a file, its content determines its language, or it is code."""
    if file.doubt is Reason.OLDER_COPY:
        return False
    if file.language is not None:
        return True
    language = language_of(file.name)
    if file.is_given or language is None:
        return file.is_given or _is_named(options, file.name)
    return _is_code(language, file.name, options)


def _is_code(language: Language, name: str, options: Options) -> bool:
    asked = asked_language(options.language, name)
    is_asked = language == asked or _is_named(options, name)
    return is_asked or not (language.is_prose or is_data(language))


def _is_named(options: Options, name: str) -> bool:
    """Return whether ``-l`` has a pattern for a file."""
    return "=" in (options.language or "") and asked_language(options.language, name) is not None


# Characters of the reasons why files were left out in a message, which counts all.
_ROOM_FOR_REASONS: Final = 80


def gather(inputs: Inputs, options: Options, read: Reader = read_each) -> Batch:
    """Read everything that is compared; ``read`` is as in ``collect``.

    Raises:
        MossliteError: An option is invalid, or a required path is missing.
    """
    asked_language(options.language)  # stop at an unknown one before reading anything
    batch = collect(
        inputs,
        intake=options.intake,
        directories=options.directories,
        language=options.language,
        read=read,
    )
    return without_stray_files(_with_majorities(batch, options), options)


def _with_majorities(batch: Batch, options: Options) -> Batch:
    """Read files whose content does not decide like most others in one of their languages.

    Those with the same extension come first, then all.
    """
    files = [file for submission in batch.submissions for file in submission.files]
    unclear = {_extension(file) for file in files if file.is_unclear}
    if not unclear:
        return batch
    counts = Counter[tuple[str, str]]()
    for file in files:
        if not file.is_unclear:
            language = language_to_read(file, options).name
            counts.update([(_extension(file), language), ("", language)])
    usual = {
        extension: name
        for extension in unclear
        if (name := _most_usual(extension, counts)) is not None
    }
    submissions = (
        replace(each, files=tuple(_like_others(file, usual) for file in each.files))
        for each in batch.submissions
    )
    return replace(batch, submissions=tuple(submissions))


def _most_usual(extension: str, counts: Mapping[tuple[str, str], int]) -> str | None:
    """Return the language of most files with an extension, else of most that can share it."""
    possible = {*SHARED[extension], *(["c"] if "cpp" in SHARED[extension] else [])}
    own = {name: count for (of, name), count in counts.items() if of == extension}
    others = {name: counts.get(("", name), 0) for name in possible if ("", name) in counts}
    found = own or others
    return max(sorted(found), key=found.__getitem__) if found else None


def _like_others(file: SourceFile, usual: Mapping[str, str]) -> SourceFile:
    is_changed = file.is_unclear and _extension(file) in usual
    return replace(file, language=usual[_extension(file)], is_unclear=False) if is_changed else file


def _extension(file: SourceFile) -> str:
    return PurePath(file.name).suffix.lower()


def why_none(error: str, batch: Batch) -> str:
    """Return a message that a batch is empty with the reasons."""
    if batch.skipped:
        lines = _listed(batch.skipped)
        error = M_("%(error)s; %(skipped)d skipped: %(lines)s", error, len(batch.skipped), lines)
    if batch.ignored:
        lines = _listed(batch.ignored)
        error = M_("%(error)s; %(ignored)d ignored: %(lines)s", error, len(batch.ignored), lines)
    return error


def _listed(left_out: Sequence[Skipped]) -> str:
    lines = list(grouped_reasons(((each.path, each.reason) for each in left_out), repr))
    fitting = sum(end <= _ROOM_FOR_REASONS for end in accumulate(map(len, lines)))
    shown = lines[: max(fitting, 1)]
    return chained([*shown, *["..."] * (len(lines) > len(shown))])
