"""The parameters of fingerprints: those of a run, and those of archives."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pygments
from numpy.typing import NDArray

from mosslite.errors import ArchiveError
from mosslite.languages import find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.messages import M_, Message
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.records import Document
from mosslite.terms.archive import Archive
from mosslite.terms.tables import IndexParameters
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints


def front_ends() -> str:
    """Return the versions of everything that determines tokens and fingerprints."""
    return f"{FRONT_ENDS} with Pygments {pygments.__version__}"


def index_parameters(options: Options) -> IndexParameters:
    """Return the index parameters of a run."""
    language = options.language
    if language is not None and "=" not in language:  # patterns stay as they are
        language = find_language(language).name
    return IndexParameters(
        code=options.thresholds(CODE_DEFAULTS),
        prose=options.thresholds(PROSE_DEFAULTS),
        language=language,
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
    if archive.shape() in (None, wanted):
        return
    held = archive_parameters(archive)
    raise ArchiveError(
        "archive %(path)r was built with %(held)s, but the options say "
        "%(wanted)s: use the archive's options, or run 'mosslite archive "
        "rebuild' with these",
        archive.path,
        _words(held),
        _words(wanted),
    )


def archive_parameters(archive: Archive) -> IndexParameters:
    """Return the index parameters of an archive made by these front-ends.

    Raises:
        ArchiveError: It is empty, or other front-ends were used.
    """
    held = archive.shape()
    if held is None:
        raise ArchiveError(
            "archive %(path)r is empty: 'mosslite archive add' adds submissions", archive.path
        )
    if held.front_ends != front_ends():
        raise ArchiveError(
            "archive %(path)r was built by a different mosslite or Pygments "
            "(front-ends %(front_ends)s instead of %(front_ends2)s): run "
            "'mosslite archive rebuild'",
            archive.path,
            held.front_ends,
            front_ends(),
        )
    return held


def with_parameters(documents: Iterable[Document], shape: IndexParameters) -> list[Document]:
    """Return documents with the k and t of an archive."""
    return [replace(each, thresholds=shape.thresholds(each.language)) for each in documents]


def fingerprints_of(documents: Sequence[Document]) -> NDArray[np.uint64]:
    """Return the distinct fingerprints of a submission's files, ascending."""
    return np.unique(fingerprints(comparable_tokens(documents)).hashes)


def _words(shape: IndexParameters) -> Message:
    thresholds = M_(
        "k = %(k)s and t = %(t)s for code, %(k_prose)s and %(t_prose)s for prose",
        *(shape.code.noise, shape.code.guarantee, shape.prose.noise, shape.prose.guarantee),
    )
    if shape.language is None:
        return thresholds
    return M_("%(thresholds)s and -l %(language)s", thresholds, shape.language)
