"""Converts submissions to archive entries and back, and checks index parameters."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pygments
from numpy.typing import NDArray

from mosslite.cache import NOT_PACKED, Contents, is_of, pack, unpack
from mosslite.errors import ArchiveError, OptionError
from mosslite.history import Archive, ArchivedFile, Entry, IndexParameters
from mosslite.languages import TEXT, find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.ranges import covered
from mosslite.records import Document, LeftOut, SourceFile, TokenizedSubmission, TokenStream
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints


def front_ends() -> str:
    """Return the versions of everything that determines tokens and fingerprints."""
    return f"{FRONT_ENDS} with Pygments {pygments.__version__}"


def index_parameters(options: Options) -> IndexParameters:
    """Return the index parameters of a run."""
    return IndexParameters(
        code=options.thresholds(CODE_DEFAULTS),
        prose=options.thresholds(PROSE_DEFAULTS),
        language=_canonical(options.language),
        front_ends=front_ends(),
    )


def require_parameters(archives: Sequence[str], options: Options) -> None:
    """Check that archives have the index parameters of a run.

    Raises:
        ArchiveError: One differs; the message says how to rebuild it.
    """
    for path in archives:
        with Archive(path) as archive:
            require_same_parameters(archive, index_parameters(options))


def require_same_parameters(archive: Archive, wanted: IndexParameters) -> None:
    """Check the index parameters of an archive.

    Raises:
        ArchiveError: They differ; the message says how to rebuild it.
    """
    held = archive.shape()
    if held in (None, wanted):
        return
    held = archive_parameters(archive)
    msg = (
        f"archive {archive.path!r} was built with {_words(held)}, but the options say "
        f"{_words(wanted)}: use the archive's options, or run 'mosslite archive rebuild' with these"
    )
    raise ArchiveError(msg)


def archive_parameters(archive: Archive) -> IndexParameters:
    """Return the index parameters of an archive made by these front-ends.

    Raises:
        ArchiveError: It is empty, or other front-ends were used.
    """
    held = archive.shape()
    if held is None:
        msg = f"archive {archive.path!r} is empty: 'mosslite archive add' adds submissions"
        raise ArchiveError(msg)
    if held.front_ends != front_ends():
        msg = (
            f"archive {archive.path!r} was built by a different mosslite or Pygments "
            f"(front-ends {held.front_ends} instead of {front_ends()}): "
            "run 'mosslite archive rebuild'"
        )
        raise ArchiveError(msg)
    return held


def _words(shape: IndexParameters) -> str:
    language = "" if shape.language is None else f" and -l {shape.language}"
    return (
        f"k = {shape.code.noise} and t = {shape.code.guarantee} for code, "
        f"{shape.prose.noise} and {shape.prose.guarantee} for prose{language}"
    )


_FROM_ITS_TERM = "base code of its term"


def entry_of(submission: TokenizedSubmission, term: str, *, keeps_text: bool) -> Entry:
    """Return the archive entry of a submission; without text, it has no names, words or strings."""
    return Entry(
        term=term,
        name=submission.name,
        hand_in=submission.source.hand_in,
        files=tuple(_kept(document, keeps_text=keeps_text) for document in submission.documents),
        fingerprints=fingerprints_of(submission.documents),
    )


def fingerprints_of(documents: Sequence[Document]) -> NDArray[np.uint64]:
    """Return the distinct fingerprints of a submission's files, ascending."""
    return np.unique(fingerprints(comparable_tokens(documents)).hashes)


def document_of(archive: Archive, kept: ArchivedFile, shape: IndexParameters) -> Document:
    """Return an archived file as a document.

    Raises:
        DamageError: Its reading is invalid, or of another text.
    """
    stream, traces, disguises, colours = contents_of(archive, kept)
    return Document(
        file=kept.file,
        language=_known(kept.language),
        thresholds=shape.prose if kept.is_prose else shape.code,
        stream=stream,
        is_boilerplate=kept.is_boilerplate,
        traces=traces,
        left_out=_left_out(kept),
        is_degraded=kept.is_degraded,
        disguises=disguises,
        colours=colours,
        has_text=kept.has_text,
    )


def _left_out(kept: ArchivedFile) -> tuple[LeftOut, ...]:
    tokens = int(kept.is_boilerplate.sum())
    return (LeftOut(_FROM_ITS_TERM, tokens),) * bool(tokens)


def contents_of(archive: Archive, kept: ArchivedFile) -> Contents:
    """Unpack the reading of an archived file.

    Raises:
        DamageError: It is invalid, or of another text.
    """
    try:
        contents = unpack(kept.reading)
    except NOT_PACKED as error:
        raise archive.damage() from error
    if len(contents.stream) != len(kept.is_boilerplate) or not is_of(contents, kept.file.text):
        raise archive.damage()
    return contents


def with_parameters(documents: Sequence[Document], shape: IndexParameters) -> list[Document]:
    """Return documents with the thresholds of an archive."""
    return [
        replace(each, thresholds=shape.prose if _is_prose(each) else shape.code)
        for each in documents
    ]


def _kept(document: Document, *, keeps_text: bool) -> ArchivedFile:
    contents = Contents(document.stream, document.traces, document.disguises, document.colours)
    return ArchivedFile(
        file=document.file if keeps_text else _without_text(document),
        language=document.language,
        is_prose=_is_prose(document),
        reading=pack(contents if keeps_text else _without_words(contents)),
        is_boilerplate=document.is_boilerplate,
        is_degraded=document.is_degraded,
        has_text=keeps_text,
    )


def _is_prose(document: Document) -> bool:
    return find_language(document.language).is_prose


def _canonical(asked: str | None) -> str | None:
    """Return the canonical name of a language, and patterns as they are."""
    if asked is None or "=" in asked:
        return asked
    return find_language(asked).name


def _known(language: str) -> str:
    """Return a language, or plain text if it needs a plug-in that is not installed."""
    try:
        return find_language(language).name
    except OptionError:
        return TEXT.name


def _without_text(document: Document) -> SourceFile:
    return replace(document.file, text=_form_of(document.file.text, document.stream), code=None)


def _form_of(text: str, stream: TokenStream) -> str:
    """Return a dot for each character of a token, and a blank for each other one.

    Line ends are kept, and so are line numbers.
    """
    is_token = covered(stream.starts, stream.stops, len(text))
    return "".join(
        each if each.isspace() else "." if of_token else " "
        for each, of_token in zip(text, is_token.tolist(), strict=True)
    )


def _without_words(contents: Contents) -> Contents:
    is_kept = np.zeros(len(contents.traces), np.bool_)
    return Contents(contents.stream, contents.traces.where(is_kept), (), None)
