"""Turns submissions into works: tokens, then what of them is comparable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mosslite.boilerplate import boilerplate_in, common_code, template_of
from mosslite.fingerprint import comparable_tokens
from mosslite.model import Document, Work
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS
from mosslite.pipeline.readings import read_all
from mosslite.pipeline.selection import language_to_read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mosslite.boilerplate import Template
    from mosslite.model import Batch, Progress, SourceFile, Submission
    from mosslite.options import Options

__all__ = ["without_templates", "works_of"]


def works_of(
    batch: Batch, options: Options, progress: Progress
) -> tuple[tuple[Work, ...], tuple[Document, ...]]:
    """Tokenize a batch and mark its boilerplate.

    Args:
        batch: Submissions and base files.
        options: Language, thresholds, sharing limit and jobs.
        progress: Is told how many files are tokenized.

    Returns:
        Works in the order of the batch's submissions, and the base files.
    """
    owned = [(-number, file) for number, file in enumerate(batch.base, 1)]
    owned += [
        (number, file) for number, each in enumerate(batch.submissions) for file in each.files
    ]
    documents = list(_documents(owned, options, progress))
    base, own = documents[: len(batch.base)], documents[len(batch.base) :]
    own = without_templates(own, base)
    if options.max_sharing is not None:
        owners = [i for i, each in enumerate(batch.submissions) for _ in each.files]
        own = _without_common_code(own, owners, options.max_sharing)
    members = iter(own)
    return tuple(_work(each, members) for each in batch.submissions), tuple(base)


def without_templates(documents: Sequence[Document], base: Sequence[Document]) -> list[Document]:
    """Mark what comes from base code, beside what is marked already."""
    if not base:
        return list(documents)
    templates = [template_of(each.stream, each.thresholds.noise) for each in base]
    given = np.concatenate([np.empty(0, np.uint64), *(each.traces.codes for each in base)])
    names = [each.file.name for each in base]
    return [_without_template(document, templates, names, given) for document in documents]


def _work(submission: Submission, members: Iterator[Document]) -> Work:
    """Take the submission's documents from those that follow."""
    documents = tuple(next(members) for _ in submission.files)
    if len(documents) > 1:
        documents = tuple(map(_all_reached, documents))
    return Work(submission, documents, comparable_tokens(documents))


def _all_reached(document: Document) -> Document:
    """Take all functions as called: what nothing calls is known of a file, and there are more."""
    everything = np.broadcast_to(np.True_, len(document.stream))
    return replace(document, stream=replace(document.stream, is_reached=everything))


def _documents(
    owned: Sequence[tuple[int, SourceFile]], options: Options, progress: Progress
) -> Iterator[Document]:
    """Give the documents of files, each with the number of the submission that it is of."""
    files = [file for _, file in owned]
    languages = [language_to_read(file, options) for file in files]
    texts = [file.text if file.code is None else file.code for file in files]
    readings = read_all(
        list(zip(texts, languages, strict=True)),
        options,
        lambda done: progress("tokenizing", done, len(files)),
        owners=[None if file.is_plain else owner for owner, file in owned],
    )
    longest = max((len(reading.stream) for reading in readings), default=0)
    nothing = np.broadcast_to(np.False_, longest)
    for file, language, reading in zip(files, languages, readings, strict=True):
        defaults = PROSE_DEFAULTS if language.is_prose else CODE_DEFAULTS
        yield Document(
            file=file,
            language=language.name,
            thresholds=options.thresholds(defaults),
            stream=reading.stream,
            is_boilerplate=nothing[: len(reading.stream)],
            traces=reading.traces,
            is_degraded=reading.is_degraded,
            disguises=reading.disguises,
            colours=reading.colours,
        )


def _without_template(
    document: Document,
    templates: Sequence[Template],
    names: Sequence[str],
    given: NDArray[np.uint64],
) -> Document:
    """Mark what comes from base code, and leave out the traces that it has too."""
    mask, origins = document.is_boilerplate, list(document.origins)
    for template, name in zip(templates, names, strict=True):
        if template.noise == document.thresholds.noise:
            found = boilerplate_in(document.stream, [template])
            origins += [name] if found.any() else []
            mask = mask | found
    return replace(
        document,
        is_boilerplate=mask,
        origins=tuple(origins),
        traces=document.traces.where(~np.isin(document.traces.codes, given)),
    )


def _without_common_code(
    documents: Sequence[Document], owners: Sequence[int], limit: int
) -> list[Document]:
    masks = common_code(
        [document.stream for document in documents],
        owners,
        [document.thresholds.noise for document in documents],
        limit,
    )
    return [
        replace(
            document,
            is_boilerplate=document.is_boilerplate | mask,
            origins=document.origins
            + (f"code of more than {limit} submissions",) * bool(mask.any()),
        )
        for document, mask in zip(documents, masks, strict=True)
    ]
