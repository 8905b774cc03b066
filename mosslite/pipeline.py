"""The order of things: from the paths a user gave to a report."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mosslite.display import counted, with_names
from mosslite.errors import InputError
from mosslite.frontends.selection import gather, why_none
from mosslite.history.entries import require_parameters
from mosslite.history.queries import Query, archives_given_twice, with_archives
from mosslite.history.queries import query as find_origins
from mosslite.languages import find_language, language_of
from mosslite.matching import matched
from mosslite.options import Options
from mosslite.parallel import processes_for
from mosslite.ranking import WEIGHTS, Ranked, ranked, score_explanation
from mosslite.records import Detail, Inputs, Report, Role, TraceKind, no_progress, over_limits
from mosslite.submissions import BUILT, EARLIER, MACHINE_MADE, WITH_PROGRAMS
from mosslite.submissions.paths import shown_name
from mosslite.winnowing.tokenized import common_origin, tokenized_submissions

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from mosslite.history.queries import Origin
    from mosslite.ranking import Ranking, Unused
    from mosslite.records import (
        Batch,
        Document,
        Match,
        Pair,
        Progress,
        Skipped,
        TokenizedSubmission,
    )

__all__ = [
    "LOCAL",
    "Engine",
    "check",
    "compare",
    "match_again",
    "query",
    "read_again",
    "remarks_on",
]

StrPath = str | os.PathLike[str]


_DEGRADED = (
    "read by a plain tokenizer, as the lexer failed or took too long, or all of the submission's "
    "files did together"
)
_DISGUISED = "hidden, look-alike or escaped characters, read as what they stand for"
# What is told of an encoding, by what told it.
_WHYS = {
    "mark": "read as {}, by the byte order mark",
    "escapes": "read as {}, as Python runs it, so that its file shows something else",
    "guess": "read as {}, which is a guess",
    "fallback": "read as {}, as nothing else fits",
}

# A string of so many characters can hold a program.
_LONG_STRING = 200

# Columns are compared with a plain number in a fraction of the time.
_STRING = int(TraceKind.STRING)


def remarks_on(
    submissions: Sequence[TokenizedSubmission],
    base: Sequence[Document],
    batch: Batch,
    options: Options,
) -> tuple[str, ...]:
    """Return the remarks on a batch, each on one line."""
    named = [
        (_name(submission, document), document)
        for submission in submissions
        for document in submission.documents
    ]
    named += [(document.file.name, document) for document in base]
    return (
        *batch.remarks,
        *_on_limits(batch.skipped),
        *_on_ignored(batch.ignored),
        *_on_files(named, options),
        *_on_base(base, submissions),
        *_on_large_base(submissions, options.max_sharing),
        *_on_submissions(submissions, options),
    )


def _name(submission: TokenizedSubmission, document: Document) -> str:
    name = document.file.name
    return name if name == submission.name else f"{submission.name}/{name}"


def _on_files(named: Sequence[tuple[str, Document]], options: Options) -> Iterator[str]:
    yield from _on_encodings(named, options)
    yield from _on_language(named, options)
    if options.language is None:
        unknown = [
            name
            for name, each in named
            if each.file.language is None and language_of(each.file.name) is None
        ]
        yield from with_names(
            "read as plain text, as the language is unknown (-l sets it)", unknown
        )
    quoted = [name for name, each in named if _is_quoted(each)]
    yield from with_names("mostly long strings, which are not compared as code", quoted)
    yield from _on_beginnings(named)
    zeros = [name for name, each in named if "\0" in each.file.text]
    yield from with_names("zero bytes, read as spaces", zeros)
    failed = [name for name, each in named if each.is_degraded]
    yield from with_names(_DEGRADED, failed)
    disguised = [name for name, each in named if each.disguises]
    yield from with_names(_DISGUISED, disguised)


# Files of these are often read as one another on purpose.
_RELATED: Final = (frozenset({"c", "cpp"}), frozenset({"javascript", "jsx", "typescript", "tsx"}))


def _on_language(named: Sequence[tuple[str, Document]], options: Options) -> Iterator[str]:
    """Name files of another language than ``-l`` says, where they are most of all."""
    forced = None if options.language is None else find_language(options.language)
    if forced is None or forced.is_prose or forced.is_plugged_in:
        return
    others: dict[str, list[str]] = {}
    for name, each in named:
        own = language_of(each.file.name)
        if own and not own.is_prose and not _is_related(own.name, forced.name):
            others.setdefault(own.title, []).append(name)
    if 2 * sum(map(len, others.values())) > len(named):
        for title in sorted(others):
            count = f"{len(others[title]):,} of {counted(len(named), 'file')}"
            what = f"{count} read as {forced.title} (-l {options.language}) but named like {title}"
            yield from with_names(what, others[title])


def _is_related(name: str, other: str) -> bool:
    return name == other or any({name, other} <= group for group in _RELATED)


def _on_beginnings(named: Sequence[tuple[str, Document]]) -> Iterator[str]:
    """Name the programs that begin like what is not compared."""
    by_kind: dict[str, list[str]] = {}
    for name, each in named:
        if each.file.begins_like:
            by_kind.setdefault(each.file.begins_like, []).append(name)
    for kind in sorted(by_kind):
        yield from with_names(f"compared as text, though it begins as {kind} does", by_kind[kind])


def _on_limits(skipped: Sequence[Skipped]) -> Iterator[str]:
    for limit in sorted({each.limit for each in skipped if each.limit}):
        names = over_limits(each for each in skipped if each.limit == limit)
        yield from with_names(f"not compared in full, as there is a limit ({limit})", names)


def _on_ignored(ignored: Sequence[Skipped]) -> Iterator[str]:
    # A name or a mark that has something left out is easily given to a copy.
    for reason in (*MACHINE_MADE, BUILT, *WITH_PROGRAMS):
        names = [each.path for each in ignored if each.reason == reason]
        yield from with_names(f"not compared, as it {reason} (--no-ignore includes it)", names)
    earlier = [each.path for each in ignored if each.reason == EARLIER]
    yield from with_names("earlier attempts not compared (--attempts all includes them)", earlier)


def _on_encodings(named: Sequence[tuple[str, Document]], options: Options) -> Iterator[str]:
    """Name the files whose encoding was guessed or unusual, by encoding."""
    by_why: dict[str, list[str]] = {}
    for name, each in named:
        why = _WHYS.get(each.file.encoding_by)
        if why is not None and not each.file.encoding.startswith("utf-8"):
            by_why.setdefault(why.format(each.file.encoding), []).append(name)
    for why in sorted(by_why):
        yield from with_names(why, by_why[why])
    if options.intake.encoding is not None:
        others = [name for name, each in named if each.file.encoding_by != "option"]
        yield from with_names(f"not in {options.intake.encoding} (--encoding)", others)


def _is_quoted(document: Document) -> bool:
    """Return whether more of the text is in long strings than outside."""
    traces = document.traces
    sizes = (traces.stops - traces.starts)[traces.kinds == _STRING]
    return 2 * int(sizes[sizes >= _LONG_STRING].sum()) > len(document.file.text)


def _on_base(base: Sequence[Document], submissions: Sequence[TokenizedSubmission]) -> Iterator[str]:
    short = [each.file.name for each in base if len(each.stream) < each.thresholds.noise]
    yield from with_names(
        "base code shorter than the noise threshold, so nothing is excluded", short
    )
    is_found = any(
        each.is_boilerplate.any() for submission in submissions for each in submission.documents
    )
    if len(short) < len(base) and not is_found:
        names = [f"{each.file.name} (read as {each.language})" for each in base]
        yield from with_names(
            "base code not found in any submission, so nothing is excluded", names
        )


def _on_large_base(submissions: Sequence[TokenizedSubmission], limit: int | None) -> Iterator[str]:
    """Name the base code that takes out most of most submissions, as a solution would."""
    current = [submission for submission in submissions if submission.role is Role.CURRENT]
    mostly = [submission for submission in current if _is_mostly_boilerplate(submission)]
    if 2 * len(mostly) <= len(current):
        return
    tokens = Counter[str]()
    for submission in mostly:
        for document in submission.documents:
            tokens.update(dict(document.left_out))
    most = max(tokens.values())
    names = sorted(name for name in tokens if 2 * tokens[name] > most)
    what = f"most of {len(mostly):,} of {counted(len(current), 'submission')} is excluded"
    if limit is not None and common_origin(limit) in names:
        yield f"{what}, as code of more than {counted(limit, 'submission')} (-m {limit})"
        names.remove(common_origin(limit))
    yield from with_names(f"{what}; check that you handed this out", names)


def _is_mostly_boilerplate(submission: TokenizedSubmission) -> bool:
    masks = [document.is_boilerplate for document in submission.documents]
    return 2 * sum(int(mask.sum()) for mask in masks) > sum(map(len, masks))


def _on_submissions(submissions: Sequence[TokenizedSubmission], options: Options) -> Iterator[str]:
    silent = {
        submission.name: any(each.is_boilerplate.any() for each in submission.documents)
        for submission in submissions
        if not len(submission.comparable)
    }
    given = [name for name, is_given in silent.items() if is_given]
    short = [name for name, is_given in silent.items() if not is_given]
    yield from with_names("almost entirely boilerplate, so nothing can match", given)
    yield from with_names("fewer tokens than the noise threshold, so nothing can match", short)
    if options.max_sharing is not None:
        hidden = sum(
            int(d.is_boilerplate.sum()) for submission in submissions for d in submission.documents
        )
        limit = options.max_sharing
        yield (
            f"{hidden:,} tokens excluded as base code or as code shared by more than "
            f"{counted(limit, 'submission')} (-m {limit})"
        )
        if limit == 1:
            yield "-m 1 excludes all that two submissions share, so no pair can match: use -m 2"


def _on_unused(unused: Unused) -> Iterator[str]:
    if unused.count:
        yield (
            f"{counted(unused.count, 'fingerprint')}, each in {unused.least:,} submissions or "
            "more, not used to find candidate pairs, as the look-ups would be too many; pairs that "
            "share nothing else are not listed (-n 0 looks up all)"
        )


class Engine(NamedTuple):
    """What does the work of the stages: this machine, unless another one is asked for.

    Attributes:
        tokenized: Does what ``tokenized_submissions`` does.
        ranked: Does what ``ranked`` does.
        matched: Does what ``matched`` does.
    """

    tokenized: Callable[
        [Batch, Options, Progress], tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]
    ]
    ranked: Callable[..., Ranking]
    matched: Callable[..., tuple[Pair, ...]]


LOCAL: Final = Engine(tokenized_submissions, ranked, matched)


def compare(
    inputs: Inputs,
    options: Options,
    *,
    detail: Detail = Detail.MATCHES,
    progress: Progress = no_progress,
    engine: Engine = LOCAL,
) -> Report:
    """Compare every submission given with every other that its role allows.

    Args:
        inputs: Paths by role.
        options: How to compare, and how much to report.
        detail: What is found of every pair at once; the rest is found where it is asked for.
        progress: Called as stages advance.
        engine: What does the work; the report is the same.

    Raises:
        MossliteError: An option means nothing, or nothing is left to compare.
    """
    progress("reading", 0, 1)
    require_parameters(inputs.archives, options)  # before all the work
    batch = _with_skipped(gather(inputs, options), archives_given_twice(inputs.archives))
    submissions, base = engine.tokenized(batch, options, progress)
    submissions, chosen, remarks = with_archives(submissions, base, inputs.archives, options)
    if len(submissions) < (least := 1 if inputs.archives else 2) or not _count_current(submissions):
        raise InputError(_too_few(_count_current(submissions), least, inputs.current, batch))
    ranking = engine.ranked(submissions, options, progress, chosen)
    processes = processes_for(options)
    pairs = engine.matched(submissions, ranking.pairs, progress, detail=detail, processes=processes)
    if detail is Detail.MATCHES:
        pairs = _with_origins(pairs, options, progress)
    on_batch = remarks_on(submissions, base, batch, options)
    return Report(
        options=options,
        description=_description(submissions, batch.description),
        submissions=submissions,
        base=tuple(file.path or file.name for file in batch.base),
        pairs=pairs,
        skipped=batch.skipped,
        ignored=batch.ignored,
        warnings=(*on_batch, *remarks, *_on_unused(ranking.unused)),
        score_explanation=score_explanation(WEIGHTS),
        threshold=ranking.limits.threshold,
        no_threshold=ranking.limits.no_threshold,
        unlisted=ranking.unlisted,
        histogram=ranking.histogram,
        common=ranking.common,
        inputs=Inputs(*(tuple(map(shown_name, paths)) for paths in astuple(inputs))),
    )


def _with_origins(
    pairs: tuple[Pair, ...], options: Options, progress: Progress
) -> tuple[Pair, ...]:
    """Look up where matches come from, if there are git repositories."""
    if not any(pair.left.source.repositories or pair.right.source.repositories for pair in pairs):
        return pairs
    from mosslite.matching.commit_origins import with_origins  # noqa: PLC0415 - few runs have any

    return with_origins(pairs, options, progress)


def read_again(
    inputs: Inputs,
    options: Options,
    names: Collection[str],
    progress: Progress = no_progress,
) -> dict[str, TokenizedSubmission]:
    """Read some submissions of a batch as they were read to be compared.

    Args:
        inputs: Paths by role; archives are opened where a submission is not found without.
        options: Those of the comparison.
        names: Of the submissions that are wanted.
        progress: Called as stages advance.

    Returns:
        Those that are there, by name.

    Raises:
        MossliteError: An option means nothing, or a path is missing.
    """
    progress("reading", 0, 1)
    batch = gather(inputs, options)
    if options.max_sharing is None:  # else what is left out of one depends on all
        wanted = tuple(each for each in batch.submissions if each.name in names)
        batch = replace(batch, submissions=wanted)
    submissions, base = tokenized_submissions(batch, options, progress)
    if inputs.archives and not {*names} <= {each.name for each in submissions}:
        submissions, _, _ = with_archives(submissions, base, inputs.archives, options)
    return {each.name: each for each in submissions if each.name in names}


def match_again(
    sides: Iterable[tuple[TokenizedSubmission, TokenizedSubmission]],
) -> list[tuple[Match, ...]]:
    """Find the matches of pairs that were read again; they depend on no other submission."""
    pairs = [*sides]
    submissions = list({each.name: each for pair in pairs for each in pair}.values())
    numbers = {each.name: number for number, each in enumerate(submissions)}
    ranking = [Ranked(0.0, numbers[left.name], numbers[right.name]) for left, right in pairs]
    return [pair.matches for pair in matched(submissions, ranking, no_progress)]


def _with_skipped(batch: Batch, more: Sequence[Skipped]) -> Batch:
    skipped = sorted([*batch.skipped, *more], key=lambda each: (each.path, each.reason))
    return replace(batch, skipped=tuple(skipped))


def _count_current(submissions: Sequence[TokenizedSubmission]) -> int:
    return sum(submission.role is Role.CURRENT for submission in submissions)


def _too_few(current: int, least: int, paths: Sequence[str], batch: Batch) -> str:
    """Say that there is nothing to compare, and why: the paths, and what was left out of them."""
    where = repr(paths[0]) if len(paths) == 1 else f"the {len(paths):,} paths given"
    if not current and not batch.skipped and not batch.ignored:
        return f"nothing to compare: no files in {where}"
    found = f"only {counted(current, 'submission')}" if current else "no submission"
    needed = "" if least == 1 else ", at least 2 are needed"
    return f"nothing to compare: {found} in {where}{needed}{why_none(batch)}"


def _description(submissions: Sequence[TokenizedSubmission], how: str) -> str:
    counts = {role: sum(submission.role is role for submission in submissions) for role in Role}
    parts = [f"{counted(counts[Role.CURRENT], 'submission')}, {how}"]
    parts += [
        f"{counts[role]} {role.value}" for role in (Role.PRIOR, Role.REFERENCE) if counts[role]
    ]
    return ", ".join(parts)


def check(
    paths: StrPath | Iterable[StrPath],
    *,
    base: StrPath | Iterable[StrPath] = (),
    prior: StrPath | Iterable[StrPath] = (),
    reference: StrPath | Iterable[StrPath] = (),
    archives: StrPath | Iterable[StrPath] = (),
    options: Options | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Compare submissions with each other, as ``mosslite check`` does.

    Args:
        paths: Files, folders, archives or patterns; a single folder or archive is a batch.
        base: Base code, which the instructor handed out.
        prior: Earlier terms, compared with ``paths`` but not among themselves.
        reference: Staff or web solutions, likewise.
        archives: Files of ``mosslite archive add``, likewise.
        options: How to compare; None means all defaults, but no worker processes, which need a
            program that starts under ``if __name__ == "__main__"``.
        progress: Called with a stage, the steps done and the steps to do.

    Returns:
        Submissions by role and name, and pairs by descending score.

    Raises:
        MossliteError: A path or option is wrong, or nothing is left to compare.
    """
    inputs = Inputs(*(_texts(given) for given in (paths, base, prior, reference, archives)))
    return compare(inputs, options or Options(uses_workers=False), progress=progress)


def query(
    archive: StrPath,
    file: StrPath,
    *,
    base: StrPath | Iterable[StrPath] = (),
    window: int | None = None,
    smallest: int | None = None,
    show: int = 10,
) -> tuple[Origin, ...]:
    """Find which submissions of an archive a file comes from, as ``mosslite query`` does.

    Args:
        archive: A file of ``mosslite archive add``.
        file: A file, or a folder or archive of which all files are asked for together.
        base: Base code, which the instructor handed out, which is not looked up.
        window: Winnow the file with a window that is larger than the archive's: fewer look-ups,
            and a coarser answer.
        smallest: Look up so many fingerprints only, from the smallest on.
        show: How many submissions to name at most; 0 is all that share a fingerprint.

    Returns:
        By descending containment, then by descending resemblance.

    Raises:
        MossliteError: The file cannot be read, the archive not be used, or a number means nothing.
    """
    how = Query(window, smallest, show, _texts(base))
    return find_origins(os.fspath(archive), os.fspath(file), how)


def _texts(paths: StrPath | Iterable[StrPath]) -> tuple[str, ...]:
    if isinstance(paths, str | os.PathLike):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)
