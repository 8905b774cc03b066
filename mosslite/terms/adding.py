"""Adds submissions to archives of earlier terms, and rebuilds their fingerprints."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Final

import numpy as np
import pygments
from numpy.typing import NDArray

from mosslite.cache import pack
from mosslite.display import names_joined
from mosslite.errors import ArchiveError, InputError, OptionError
from mosslite.frontends.selection import gather, why_none
from mosslite.languages import find_language
from mosslite.languages.known import FRONT_ENDS
from mosslite.messages import M_
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Options
from mosslite.ranges import covered
from mosslite.records import (
    Batch,
    Document,
    Inputs,
    Progress,
    Role,
    Submission,
    SubmissionMetadata,
    TokenStream,
    no_progress,
)
from mosslite.terms.archive import Archive, is_there
from mosslite.terms.tables import ArchivedFile, ArchivedSubmission, Entry, IndexParameters
from mosslite.winnowing.fingerprints import comparable_tokens, fingerprints
from mosslite.winnowing.tokenized import tokenized_submissions


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
        "archive %(path)r was built with %(held)s, not %(wanted)s: use its options, or run "
        "'mosslite archive rebuild' with these",
        archive.path,
        _words(held, wanted),
        _words(wanted, held),
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


def _words(shape: IndexParameters, other: IndexParameters) -> str:
    """Write the parameters that differ from those of the other, each with its option."""
    words: list[str] = []
    if (shape.code, shape.prose) != (other.code, other.prose):
        words.append(
            M_(
                "k = %(k)s and t = %(t)s (prose: %(k_prose)s and %(t_prose)s)",
                *(shape.code.noise, shape.code.guarantee),
                *(shape.prose.noise, shape.prose.guarantee),
            )
        )
    if shape.language != other.language:
        words.append(M_("no -l") if shape.language is None else f"-l {shape.language}")
    return names_joined(words)


# Number of submissions read at a time; the archive stores a tenth of what reading them takes.
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What to store of submissions.

    Attributes:
        term: Name of the term, such as ``2025-autumn``.
        has_text: Store texts; otherwise tokens are stored as digests, without texts, names, words
            and strings.
        renamed: Callback that renames submissions, given the names already in the term; the
            archive is locked during the call.
    """

    term: str
    has_text: bool = True
    renamed: Callable[[Sequence[Entry], Collection[str]], Sequence[Entry]] | None = None

    def __post_init__(self) -> None:
        """Check the name of the term.

        Raises:
            OptionError: It is blank, or not printable on one line.
        """
        if not self.term.strip() or not self.term.isprintable():
            raise OptionError(
                "term (--term) is %(term)r: give a name such as 2025-autumn", self.term
            )


def add(
    path: str,
    add_options: AddOptions,
    inputs: Inputs,
    options: Options,
    progress: Progress = no_progress,
) -> Batch:
    """Add submissions to an archive, all or none, and create it if it does not exist.

    Of the inputs, current submissions are added, and base code is marked in them. The batch that
    was added is returned.

    Raises:
        MossliteError: An option is invalid, there is nothing to add, or the archive cannot take it.
    """
    shape = index_parameters(options)
    if is_there(path):  # before any reading
        with Archive(path, "add") as archive:
            require_same_parameters(archive, shape)
    batch = gather(inputs, options)
    if not batch.submissions:
        raise InputError(why_none(M_("nothing to add: no submission could be read"), batch))
    entries = list(_entries(batch, add_options, options, progress))
    with Archive(path, "add") as archive, archive.in_one_step():
        require_same_parameters(archive, shape)
        names = {each.name for each in archive.submissions() if each.term == add_options.term}
        if add_options.renamed:
            entries = [*add_options.renamed(entries, names)]
        archive.add(entries, shape)
    return batch


def rebuild(
    path: str, options: Options, progress: Progress = no_progress, *, keeps_tokens: bool = False
) -> int:
    """Rebuild all fingerprints of an archive, reading texts again if needed.

    Texts are read again even if no parameter differs, as the front-end of a plug-in may have
    changed. A language of None is kept, and so are k and t if both are None. Submissions without
    texts are refused, unless their stored tokens are kept. Their number is returned.

    Raises:
        ArchiveError: Texts are needed but not stored; the archive is unchanged.
    """
    with Archive(path, "change") as archive:
        held, stored = archive.shape(), archive.submissions()
        if held is None:
            return 0
        wanted = _wanted(held, options)
        is_read_alike = (held.language, held.front_ends) == (wanted.language, wanted.front_ends)
        if not (is_read_alike or keeps_tokens):
            _require_texts(path, stored)
        # Other k and t take no text.
        is_read_anew = not is_read_alike or held == wanted
        again = [each for each in stored if is_read_anew and each.has_text]
        kept = [each for each in stored if not (is_read_anew and each.has_text)]
        options = replace(options, language=wanted.language)
        made = _read_anew(archive, again, wanted, options, progress)
        archive.replace(stored, chain(_with_tokens(archive, kept, wanted), made), wanted)
    return len(stored)


def _entries(
    batch: Batch, add_options: AddOptions, options: Options, progress: Progress
) -> Iterator[Entry]:
    """Read submissions in batches, and yield only the data that the archive stores."""
    done, total = 0, sum(len(submission.files) for submission in batch.submissions)
    for start in range(0, len(batch.submissions), _AT_ONCE):
        some = batch.submissions[start : start + _AT_ONCE]
        onward = partial(_onward, progress, done, total)
        submissions, _ = tokenized_submissions(replace(batch, submissions=some), options, onward)
        for submission in submissions:
            documents = submission.documents
            if not add_options.has_text:
                documents = tuple(map(_without_text, documents))
            hand_in = submission.source.hand_in
            yield _entry_of(add_options.term, submission.name, hand_in, documents)
        done += sum(len(submission.files) for submission in some)


def _onward(progress: Progress, before: int, total: int, stage: str, done: int, _: int) -> None:
    progress(stage, before + done, total)


def _wanted(held: IndexParameters, options: Options) -> IndexParameters:
    """Return the index parameters asked for; one of k and t sets both, as for a check."""
    asked = index_parameters(replace(options, language=options.language or held.language))
    if options.noise is None and options.guarantee is None:
        return replace(asked, code=held.code, prose=held.prose)
    return asked


def _require_texts(path: str, stored: Sequence[ArchivedSubmission]) -> None:
    silent = [f"{each.term}/{each.name}" for each in stored if not each.has_text]
    if silent:
        others = M_(" and others") if len(silent) > 1 else ""
        raise ArchiveError(
            "archive %(path)r cannot be rebuilt, as it does not store the text "
            "of %(silent)r%(others)s: remove and add them again, or reuse their "
            "tokens with --keep-tokens",
            path,
            silent[0],
            others,
        )


def _with_tokens(
    archive: Archive, stored: Sequence[ArchivedSubmission], shape: IndexParameters
) -> Iterator[Entry]:
    """Yield submissions with other index parameters, from their stored tokens."""
    for each in stored:
        documents = with_parameters(archive.files_of(each.number), shape)
        yield _entry_of(each.term, each.name, each.hand_in, documents)


def _read_anew(
    archive: Archive,
    stored: Sequence[ArchivedSubmission],
    shape: IndexParameters,
    options: Options,
    progress: Progress,
) -> Iterator[Entry]:
    """Yield submissions read again from their texts; marks of base code are kept."""
    for start in range(0, len(stored), _AT_ONCE):
        progress("tokenizing", start, len(stored))
        some = stored[start : start + _AT_ONCE]
        before = [archive.files_of(each.number) for each in some]
        batch = tuple(
            Submission(each.name, Role.CURRENT, tuple(of.file for of in documents), each.hand_in)
            for each, documents in zip(some, before, strict=True)
        )
        submissions, _ = tokenized_submissions(Batch(batch, (), (), ""), options, no_progress)
        for each, documents, submission in zip(some, before, submissions, strict=True):
            shaped = with_parameters(submission.documents, shape)
            again = tuple(map(_marked, shaped, documents))
            yield _entry_of(each.term, each.name, each.hand_in, again)


def _marked(document: Document, before: Document) -> Document:
    """Mark the tokens that start where marked ones did."""
    starts = before.stream.starts[before.is_boilerplate]
    return replace(document, is_boilerplate=np.isin(document.stream.starts, starts))


def _entry_of(
    term: str, name: str, hand_in: SubmissionMetadata, documents: Sequence[Document]
) -> Entry:
    files = [
        ArchivedFile(
            file=each.file,
            language=each.language,
            reading=pack(each),
            is_boilerplate=each.is_boilerplate,
            is_degraded=each.is_degraded,
            has_text=each.has_text,
        )
        for each in documents
    ]
    return Entry(term, name, hand_in, tuple(files), fingerprints_of(documents))


def _without_text(document: Document) -> Document:
    """Return a document without text, names, words and strings."""
    return replace(
        document,
        file=replace(document.file, text=_form_of(document.file.text, document.stream), code=None),
        traces=document.traces.where(np.zeros(len(document.traces), np.bool_)),
        disguises=(),
        colours=None,
        has_text=False,
    )


def _form_of(text: str, stream: TokenStream) -> str:
    """Return a dot for each character of a token, and a blank for each other one.

    Line ends are kept, and so are line numbers.
    """
    is_token = covered(stream.starts, stream.stops, len(text))
    return "".join(
        each if each.isspace() else "." if of_token else " "
        for each, of_token in zip(text, is_token.tolist(), strict=True)
    )
