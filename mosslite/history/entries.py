"""Works as they are kept in an archive, and kept files as documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mosslite.cache import NOT_PACKED, Contents, is_of, pack, unpack
from mosslite.errors import OptionError
from mosslite.history import Entry, Kept
from mosslite.languages import TEXT, find_language
from mosslite.ranges import covered
from mosslite.records import Document, LeftOut, Work
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mosslite.history import Archive, Shape
    from mosslite.records import SourceFile, TokenStream

__all__ = ["contents_of", "document_of", "entry_of", "fingerprints_of", "with_shape"]

_FROM_ITS_TERM = "base code of its term"


def entry_of(work: Work, term: str, *, keeps_text: bool) -> Entry:
    """Return what is kept of a work: without its text, no names, words or strings either."""
    return Entry(
        term=term,
        name=work.name,
        hand_in=work.submission.hand_in,
        files=tuple(_kept(document, keeps_text=keeps_text) for document in work.documents),
        fingerprints=fingerprints_of(work.documents),
    )


def fingerprints_of(documents: Sequence[Document]) -> NDArray[np.uint64]:
    """Return the fingerprints of a submission's files, ascending and each once."""
    return np.unique(fingerprints(comparable_tokens(documents)).hashes)


def document_of(archive: Archive, kept: Kept, shape: Shape) -> Document:
    """Return a kept file of an archive as a document.

    Raises:
        DamageError: Its reading is none, or one of another text.
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


def _left_out(kept: Kept) -> tuple[LeftOut, ...]:
    tokens = int(kept.is_boilerplate.sum())
    return (LeftOut(_FROM_ITS_TERM, tokens),) * bool(tokens)


def contents_of(archive: Archive, kept: Kept) -> Contents:
    """Unpack the reading of a kept file.

    Raises:
        DamageError: It is none, or one of another text.
    """
    try:
        contents = unpack(kept.reading)
    except NOT_PACKED as error:
        raise archive.damage() from error
    if len(contents.stream) != len(kept.is_boilerplate) or not is_of(contents, kept.file.text):
        raise archive.damage()
    return contents


def with_shape(documents: Sequence[Document], shape: Shape) -> list[Document]:
    """Return documents with the thresholds of an archive."""
    return [
        replace(each, thresholds=shape.prose if _is_prose(each) else shape.code)
        for each in documents
    ]


def _kept(document: Document, *, keeps_text: bool) -> Kept:
    contents = Contents(document.stream, document.traces, document.disguises, document.colours)
    return Kept(
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


def _known(language: str) -> str:
    """Return a language, or that of plain text where its front-end was a plug-in that is gone."""
    try:
        return find_language(language).name
    except OptionError:
        return TEXT.name


def _without_text(document: Document) -> SourceFile:
    return replace(document.file, text=_form_of(document.file.text, document.stream), code=None)


def _form_of(text: str, stream: TokenStream) -> str:
    """Return a text with dots for the characters of its tokens, and blanks for all others.

    Line ends stay where they are, so that lines keep their numbers.
    """
    is_token = covered(stream.starts, stream.stops, len(text))
    return "".join(
        each if each.isspace() else "." if of_token else " "
        for each, of_token in zip(text, is_token.tolist(), strict=True)
    )


def _without_words(contents: Contents) -> Contents:
    is_kept = np.zeros(len(contents.traces), np.bool_)
    return Contents(contents.stream, contents.traces.where(is_kept), (), None)
