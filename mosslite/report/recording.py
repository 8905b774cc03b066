"""Records a run as results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import msgspec
from msgspec import UNSET, UnsetType

from mosslite.display import seconds_between
from mosslite.messages import as_json
from mosslite.options import Mark
from mosslite.records import (
    Location,
    Match,
    Pair,
    RareEvidence,
    Report,
    Skipped,
    TokenizedSubmission,
)
from mosslite.report.json_files import english_of, in_pieces
from mosslite.report.results import (
    FORMAT,
    BaseResult,
    BoilerplateResult,
    ByChanceResult,
    DisguiseResult,
    EvidenceResult,
    HandedInResult,
    LeftOutResult,
    MatchResult,
    MessageResult,
    NotComparedResult,
    OptionsResult,
    PairResult,
    PlaceResult,
    Results,
    ReviewResult,
    SubmissionResult,
)
from mosslite.report.review import marks_by_key, pair_code, pair_key, submission_code, text_digest
from mosslite.report.timelines import attempts_of
from mosslite.report.wording import place_in_part, warnings_on
from mosslite.winnowing.fingerprints import sketch_of


def to_json(report: Report, *, created: str, version: str) -> str:
    """Return the results of a run as JSON; see ``results_of``."""
    return b"".join(json_of(report, created=created, version=version)).decode()


def json_of(report: Report, *, created: str, version: str) -> Iterator[bytes]:
    """Yield the same as UTF-8, piece by piece."""
    results = results_of(report, (), created=created, version=version)
    return in_pieces(results, pairs=_pairs(report))


def results_of(
    report: Report, pairs: tuple[PairResult, ...] | None = None, *, created: str, version: str
) -> Results:
    """Return the results of a run.

    Args:
        report: With or without names.
        pairs: Those of the results; defaults to all of the report.
        created: An ISO 8601 time.
        version: Version of mosslite.
    """
    warnings = warnings_on(report)
    inputs = {} if report.inputs is None else asdict(report.inputs)
    students = {id(rows): rows for _, rows in sorted(attempts_of(report).items())}
    return Results(
        format=FORMAT,
        mosslite=version,
        created=created,
        anonymous=report.is_anonymous or UNSET,
        options=msgspec.to_builtins(
            OptionsResult.of(report.options, report.base), enc_hook=english_of
        ),
        inputs={role: tuple(sorted(paths)) for role, paths in inputs.items() if paths} or UNSET,
        submissions=tuple(map(_submission, report.submissions)),
        threshold=report.threshold,
        no_threshold=UNSET if report.threshold else report.no_threshold,
        unlisted=len(report.unlisted),
        pairs=tuple(_pairs(report)) if pairs is None else pairs,
        attempts=tuple(tuple(row.result for row in rows) for rows in students.values()) or UNSET,
        not_compared=tuple(
            NotComparedResult(name=each.name, reason=each.reason, message=message_in(each.reason))
            for each in report.not_compared
        )
        or UNSET,
        skipped=tuple(map(_left_out, report.skipped)),
        ignored=tuple(map(_left_out, report.ignored)),
        warnings=tuple(warnings),
        messages=messages_of(warnings),
    )


def messages_of(texts: Sequence[str]) -> tuple[MessageResult | None, ...]:
    """Return what texts are made of, in the same order; None for one that is only a text."""
    return tuple(message_in(each) or None for each in texts)


def message_in(said: str) -> MessageResult | UnsetType:
    """Return what a text is made of, if it is a message."""
    message = as_json(said)
    return UNSET if message is None else msgspec.convert(message, MessageResult)


def _left_out(skipped: Skipped) -> LeftOutResult:
    return LeftOutResult(
        path=skipped.path,
        reason=skipped.reason,
        message=message_in(skipped.reason),
        limit=skipped.limit or UNSET,
        submission=skipped.submission or UNSET,
    )


def _submission(submission: TokenizedSubmission) -> SubmissionResult:
    documents, metadata = submission.documents, submission.source.hand_in
    languages = tuple(sorted({document.language for document in documents}))
    degraded = tuple(document.file.name for document in documents if document.is_degraded)
    disguises = tuple(
        DisguiseResult(
            file=document.file.name,
            kind=each.kind,
            characters=tuple(f"U+{ord(character):04X}" for character in each.characters),
            lines=tuple(each.lines),
            count=each.count,
        )
        for document, each in submission.disguises
    )
    return SubmissionResult(
        name=submission.name,
        role=submission.role,
        members=metadata.members or UNSET,
        ids=metadata.ids if any(metadata.ids) else UNSET,
        emails=metadata.emails if any(metadata.emails) else UNSET,
        submitted=metadata.submitted or UNSET,
        label=metadata.label or UNSET,
        late=metadata.is_late or UNSET,
        files=tuple(document.file.name for document in documents),
        tokens=len(submission.comparable),
        boilerplate=_boilerplate(submission),
        languages=languages,
        language=submission.language if len(languages) > 1 else UNSET,
        code=submission_code(submission),
        text=text_digest(submission) or UNSET,
        sketch=sketch_of(submission),
        disguises=disguises or UNSET,
        degraded=degraded or UNSET,
    )


def _boilerplate(submission: TokenizedSubmission) -> BoilerplateResult | UnsetType:
    total, by_origin = 0, Counter[str]()
    for document in submission.documents:
        total += int(document.is_boilerplate.sum())
        for origin, tokens in document.left_out:
            by_origin[origin] += tokens
    origins = (BaseResult(origin=each, tokens=by_origin[each]) for each in sorted(by_origin))
    return BoilerplateResult(tokens=total, origins=tuple(origins)) if total else UNSET


def _pairs(report: Report) -> Iterator[PairResult]:
    marks = marks_by_key(report.options.review)
    for each in report.pairs:
        yield _pair(each, marks.get(pair_key(each.left.name, each.right.name)))


def _pair(pair: Pair, mark: Mark | None) -> PairResult:
    by_chance = pair.by_chance
    review: ReviewResult | UnsetType = UNSET
    if mark is not None:
        is_changed = mark.code != pair_code(pair)
        review = ReviewResult(
            state=mark.state, reason=mark.reason, note=mark.note, at=mark.at, changed=is_changed
        )
    return PairResult(
        left=pair.left.name,
        right=pair.right.name,
        score=pair.score,
        similarity=pair.similarity,
        left_similarity=pair.left_similarity,
        right_similarity=pair.right_similarity,
        matched_tokens=pair.matched_tokens,
        matched_lines=pair.matched_lines,
        longest_match=pair.longest_match,
        placed_by=pair.placed_by,
        baseline=pair.baseline or UNSET,
        tiny=pair.left.is_tiny or UNSET,
        handed_in=handed_in_of(pair),
        repositories=pair.repositories or UNSET,
        matches=tuple(_match(pair, each) for each in pair.matches),
        by_chance=ByChanceResult(matches=len(by_chance), tokens=int(by_chance.tokens.sum())),
        rare_evidence=tuple(_evidence(pair, each) for each in pair.rare_evidence),
        review=review,
    )


def _match(pair: Pair, match: Match) -> MatchResult:
    return MatchResult(
        left=_place(pair.left, match.left),
        right=_place(pair.right, match.right),
        tokens=match.tokens,
        bits=match.alone.bits,
        expected=match.alone.expected,
        block=match.block,
        block_bits=match.together.bits,
        block_expected=match.together.expected,
        first_commits=match.first_commits or UNSET,
    )


def _place(submission: TokenizedSubmission, place: Location) -> PlaceResult:
    file, first, last = submission.documents[place.document].file, place.first_line, place.last_line
    return PlaceResult(
        file=file.name,
        first_line=first,
        last_line=last,
        first_place=place_in_part(file, first) if file.parts else UNSET,
        last_place=place_in_part(file, last) if file.parts else UNSET,
    )


def handed_in_of(pair: Pair) -> HandedInResult | UnsetType:
    """Return when both sides were handed in, and which first, if the times can be compared."""
    left, right = (each.source.hand_in.submitted for each in (pair.left, pair.right))
    seconds = seconds_between(left, right)
    if seconds is None:
        return UNSET
    first = "left" if seconds > 0 else "right" if seconds < 0 else "both"
    return HandedInResult(left=left, right=right, first=first, seconds_between=abs(seconds))


def _evidence(pair: Pair, evidence: RareEvidence) -> EvidenceResult:
    left, right = evidence.left, evidence.right
    return EvidenceResult(
        kind=evidence.kind,
        text=evidence.text,
        resembles=evidence.resembles or UNSET,
        left=left.numbers,
        left_file=pair.left.documents[left.document].file.name,
        right=right.numbers,
        right_file=pair.right.documents[right.document].file.name,
        submissions=evidence.submissions,
    )
