"""The pipeline: from the paths given by the user to a report."""

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from mosslite.display import counted
from mosslite.errors import InputError
from mosslite.frontends.selection import gather, why_none
from mosslite.intake import folder_inside
from mosslite.intake.entries import Planned, real_path
from mosslite.intake.listing import shown_name
from mosslite.intake.reading import Found, read_each
from mosslite.matching import matched
from mosslite.messages import M_, NM_
from mosslite.options import Intake, Options
from mosslite.ranking import WEIGHTS, Ranked, Ranking, ranked, score_explanation
from mosslite.reasons import Reason
from mosslite.records import (
    Batch,
    Detail,
    Document,
    Inputs,
    Match,
    NotCompared,
    Pair,
    Progress,
    Report,
    Role,
    Skipped,
    TokenizedSubmission,
    no_progress,
)
from mosslite.remarks import remarks_on, remarks_on_candidates
from mosslite.terms.adding import require_parameters
from mosslite.terms.queries import Origin, Query, archives_given_twice, with_archives
from mosslite.terms.queries import query as find_origins
from mosslite.winnowing.tokenized import tokenized_submissions

StrPath = str | os.PathLike[str]


class Engine(NamedTuple):
    """Implementations of the stages: on this machine by default.

    Attributes:
        gathered: Implements ``gather``.
        tokenized: Implements ``tokenized_submissions``.
        ranked: Implements ``ranked``.
        matched: Implements ``matched``.
    """

    gathered: Callable[[Inputs, Options], Batch]
    tokenized: Callable[
        [Batch, Options, Progress], tuple[tuple[TokenizedSubmission, ...], tuple[Document, ...]]
    ]
    ranked: Callable[..., Ranking]
    matched: Callable[..., tuple[Pair, ...]]


LOCAL: Final = Engine(gather, tokenized_submissions, ranked, matched)


def compare(
    inputs: Inputs,
    options: Options,
    *,
    detail: Detail = Detail.MATCHES,
    progress: Progress = no_progress,
    engine: Engine = LOCAL,
) -> Report:
    """Compare every submission with every other that its role allows.

    Args:
        inputs: Paths by role.
        options: Options of the comparison and of the report.
        detail: What is computed of every pair at once; the rest is computed on first access.
        progress: Called as stages advance.
        engine: Implementation of the stages; it does not change the report.

    Raises:
        MossliteError: An option is invalid, or nothing is left to compare.
    """
    if not inputs.current:
        raise InputError("no paths were given: name the folder, archive or files to compare")
    progress("reading", 0, 1)
    require_parameters(inputs.archives, options)  # before any reading
    batch = _with_skipped(engine.gathered(inputs, options), archives_given_twice(inputs.archives))
    submissions, base = engine.tokenized(batch, options, progress)
    batch = replace(batch, submissions=())  # lets an engine release their texts
    submissions, chosen, remarks = with_archives(submissions, base, inputs.archives, options)
    if len(submissions) < (least := 1 if inputs.archives else 2) or not _count_current(submissions):
        raise InputError(_too_few(submissions, least, inputs.current, batch, options.intake))
    ranking = engine.ranked(submissions, options, progress, chosen)
    pairs = engine.matched(submissions, ranking.pairs, options, progress, detail=detail)
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
        warnings=(*on_batch, *remarks, *remarks_on_candidates(ranking.unused)),
        score_explanation=score_explanation(WEIGHTS),
        threshold=ranking.limits.threshold,
        no_threshold=ranking.limits.no_threshold,
        unlisted=ranking.unlisted,
        best=ranking.best,
        not_compared=_not_compared(batch, submissions, options),
        histogram=ranking.histogram,
        common=ranking.common,
        inputs=Inputs(*(tuple(map(shown_name, paths)) for paths in astuple(inputs))),
    )


def _not_compared(
    batch: Batch, submissions: Iterable[TokenizedSubmission], options: Options
) -> tuple[NotCompared, ...]:
    """Return the current submissions of which nothing was compared, by name."""
    found = [*batch.not_compared]
    for each in submissions:
        if each.role is Role.CURRENT and not each.tokens:
            has_base = any(document.is_boilerplate.any() for document in each.documents)
            reason = (Reason.MOSTLY_BOILERPLATE if has_base else Reason.NO_CODE).message()
            is_handed_out = has_base and options.max_sharing is None
            found.append(NotCompared(each.name, reason, each.source.hand_in, is_handed_out))
    return tuple(sorted(found, key=lambda each: each.name))


def _with_origins(
    pairs: tuple[Pair, ...], options: Options, progress: Progress
) -> tuple[Pair, ...]:
    """Add the commits that introduced matches, if there are git repositories."""
    if not any(pair.left.source.repositories or pair.right.source.repositories for pair in pairs):
        return pairs
    from mosslite.matching.commit_origins import with_origins  # noqa: PLC0415 - rarely needed

    return with_origins(pairs, options, progress)


def read_again(
    inputs: Inputs, options: Options, names: Collection[str]
) -> dict[str, TokenizedSubmission]:
    """Read some submissions of a batch, and no others, in the same way as for a comparison.

    Args:
        inputs: Paths by role; archives are only opened for submissions not found otherwise.
        options: Options of the comparison.
        names: Names of the submissions needed.

    Returns:
        The submissions found, by name.

    Raises:
        MossliteError: An option is invalid, or a path is missing.
    """
    batch = gather(inputs, options, partial(_read_wanted, names, options))
    submissions, base = tokenized_submissions(batch, options, no_progress)
    if inputs.archives and not {*names} <= {each.name for each in submissions}:
        submissions, _, _ = with_archives(submissions, base, inputs.archives, options)
    return {each.name: each for each in submissions if each.name in names}


def _read_wanted(
    names: Collection[str],
    options: Options,
    planned: Sequence[Planned],
    intake: Intake,
    language: str | None,
) -> Iterator[Found]:
    """Read the submissions of some names, and base code; leave out the others."""
    is_any = options.max_sharing is not None  # boilerplate depends on all submissions
    for each in planned:
        if is_any or each.role is Role.BASE or each.name in names:
            yield from read_each([each], intake, language)
        else:
            yield Found((), [], [])


def match_again(
    sides: Iterable[tuple[TokenizedSubmission, TokenizedSubmission]], options: Options
) -> list[tuple[Match, ...]]:
    """Find the matches of pairs that were read again; they depend on no other submissions."""
    pairs = [*sides]
    submissions = list({each.name: each for pair in pairs for each in pair}.values())
    numbers = {each.name: number for number, each in enumerate(submissions)}
    ranking = [Ranked(0.0, numbers[left.name], numbers[right.name]) for left, right in pairs]
    return [pair.matches for pair in matched(submissions, ranking, options, no_progress)]


def _with_skipped(batch: Batch, more: Sequence[Skipped]) -> Batch:
    skipped = sorted([*batch.skipped, *more], key=lambda each: (each.path, each.reason))
    return replace(batch, skipped=tuple(skipped))


def _count_current(submissions: Sequence[TokenizedSubmission]) -> int:
    return sum(submission.role is Role.CURRENT for submission in submissions)


def _too_few(
    submissions: Sequence[TokenizedSubmission],
    least: int,
    paths: Sequence[str],
    batch: Batch,
    intake: Intake,
) -> str:
    """Return the message that there is nothing to compare: the paths, and what was left out."""
    current = _count_current(submissions)
    found = M_("no submission")
    if current:
        found = M_("only %(submissions)s", counted(current, "submission"))
    elif not batch.skipped and not batch.ignored:
        found = M_("no files")
        least = 1
    words = M_("nothing to compare: %(found)s in %(paths)r", found, paths[0])
    if len(paths) != 1:
        words = M_("nothing to compare: %(found)s in the %(paths)d paths given", found, len(paths))
    if least != 1:
        words = M_("%(words)s, at least 2 are needed", words)
    inside = folder_inside(each.source for each in submissions)
    is_given = [real_path(inside)] == [*map(real_path, paths)]
    if is_given and Path(inside).is_file() and not intake.each:
        words = M_("%(words)s: to compare what is in it, add --each", words)
    elif inside and not is_given:
        words = M_(
            "%(words)s: to compare what is in it, give %(inside)s instead",
            words,
            shlex.quote(inside),
        )
    return why_none(words, batch)


def _description(submissions: Sequence[TokenizedSubmission], how: str) -> str:
    counts = {role: sum(submission.role is role for submission in submissions) for role in Role}
    description: str = NM_(
        "%(count)d submission, %(how)s", "%(count)d submissions, %(how)s", counts[Role.CURRENT], how
    )
    if prior := counts[Role.PRIOR]:
        description = M_("%(description)s, %(prior)d prior", description, prior)
    if reference := counts[Role.REFERENCE]:
        description = M_("%(description)s, %(reference)d reference", description, reference)
    return description


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
        base: Base code, handed out by the instructor.
        prior: Earlier terms, compared with ``paths`` but not among themselves.
        reference: Staff or web solutions, likewise.
        archives: Files of ``mosslite archive add``, likewise.
        options: Options; None means the defaults without worker processes, as these need a program
            that starts under ``if __name__ == "__main__"``.
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
    """Find the submissions in an archive that share most with a file, as ``mosslite query`` does.

    Args:
        archive: A file of ``mosslite archive add``.
        file: A file, or a folder or archive, whose files are looked up together.
        base: Base code, handed out by the instructor, which is not looked up.
        window: Winnow the file with a larger window than the archive's: fewer look-ups, and a
            coarser answer.
        smallest: Look up only this many of the smallest fingerprints.
        show: Maximum number of results; 0 shows all submissions that share a fingerprint.

    Returns:
        By descending containment, then by descending resemblance.

    Raises:
        MossliteError: The file cannot be read, the archive cannot be used, or a number is invalid.
    """
    how = Query(window, smallest, show, _texts(base))
    return find_origins(os.fspath(archive), os.fspath(file), how)


def _texts(paths: StrPath | Iterable[StrPath]) -> tuple[str, ...]:
    if isinstance(paths, str | os.PathLike):
        return (os.fspath(paths),)
    return tuple(os.fspath(path) for path in paths)
