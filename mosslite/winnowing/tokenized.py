"""Tokenizes submissions and determines their comparable tokens."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice, starmap

import numpy as np

from mosslite.frontends import Reading
from mosslite.frontends.scheduling import read_all
from mosslite.frontends.selection import language_to_read
from mosslite.languages import Language
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.records import (
    Batch,
    Comparable,
    Document,
    InternedStream,
    Progress,
    Segment,
    SourceFile,
    Submission,
    TokenizedSubmission,
    TokenStream,
)
from mosslite.winnowing.base_code import base_code, without_base_code
from mosslite.winnowing.boilerplate import without_common_code
from mosslite.winnowing.fingerprints import comparable_of, own_tokens
from mosslite.winnowing.significance import token_bits


def tokenized_submissions(
    batch: Batch, options: Options, progress: Progress
) -> tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]:
    """Tokenize a batch and mark its boilerplate.

    Args:
        batch: Submissions and base files.
        options: Language, thresholds, sharing limit and jobs.
        progress: Called with the number of files tokenized.

    Returns:
        Submissions in the order of the batch, and the base files.
    """
    owned = [(-number, file) for number, file in enumerate(batch.base, 1)]
    owned += [
        (number, file) for number, each in enumerate(batch.submissions) for file in each.files
    ]
    with closing(documents_of(owned, options, progress)) as documents:
        base = tuple(islice(documents, len(batch.base)))
        handed_out = base_code(base)
        by_submission: Iterable[Sequence[Document]] = (
            without_base_code([*islice(documents, len(each.files))], handed_out)
            for each in batch.submissions
        )
        if options.max_sharing is not None:
            by_submission = without_common_code([*by_submission], options.max_sharing)
        # One after the other, as the columns of its files are released when they are concatenated.
        own = [*starmap(_with_own, zip(batch.submissions, by_submission, strict=True))]
    bits = token_bits([stream for _, stream, _ in own])
    submissions = [
        TokenizedSubmission(*source, Comparable(stream, segments, partial(np.asarray, information)))
        for (source, stream, segments), information in zip(own, bits, strict=True)
    ]
    return tuple(submissions), base


_Own = tuple[tuple[Submission, tuple[Document, ...]], TokenStream, tuple[Segment, ...]]


def _with_own(submission: Submission, documents: Sequence[Document]) -> _Own:
    """Return a submission, its documents as parts of their concatenated tokens, and these."""
    own, segments = own_tokens(documents)
    stream, parts = InternedStream.of(own), list(documents)
    for each in segments:
        document = documents[each.document]
        if each.stop - each.start == len(document.stream):
            part = stream.part(slice(each.start, each.stop))
            parts[each.document] = replace(document, stream=part)
    return (submission, tuple(parts)), stream, segments


def tokenized(submission: Submission, documents: Sequence[Document]) -> TokenizedSubmission:
    """Return the submission with the comparable tokens of its documents."""
    source, stream, segments = _with_own(submission, documents)
    return TokenizedSubmission(*source, comparable_of(stream, segments))


def documents_of(
    owned: Sequence[tuple[int, SourceFile]], options: Options, progress: Progress
) -> Generator[Document]:
    """Yield the documents of files, each given with its submission number."""
    files = [file for _, file in owned]
    sources = [source_of(file, options) for file in files]
    readings = read_all(
        sources,
        options,
        lambda done: progress("tokenizing", done, len(files)),
        owners=[owner for owner, _ in owned],
    )
    for file, (_, language), reading in zip(files, sources, readings, strict=True):
        yield document_of(file, language, reading, options)


def source_of(file: SourceFile, options: Options) -> tuple[str, Language]:
    """Return the text of a file that a front-end reads, and its language."""
    return file.text if file.code is None else file.code, language_to_read(file, options)


def document_of(
    file: SourceFile, language: Language, reading: Reading, options: Options
) -> Document:
    """Return a file with its tokens, none of them marked as boilerplate."""
    defaults = PROSE_DEFAULTS if language.is_prose else CODE_DEFAULTS
    return Document(
        file=file,
        language=language.name,
        thresholds=options.thresholds(defaults),
        is_boilerplate=np.broadcast_to(np.False_, len(reading.stream)),
        **reading._asdict(),
    )
