"""Reads and validates JSON results, which can come from anywhere."""

from collections.abc import Callable
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from mosslite.errors import InputError, OptionError
from mosslite.messages import M_
from mosslite.options import CODE_DEFAULTS, LAYOUTS, PROSE_DEFAULTS, Intake, Limits, Mark, Options
from mosslite.records import (
    Commit,
    Inputs,
    LanguageLimit,
    NotCompared,
    NoThreshold,
    Origin,
    RepositorySummary,
    Role,
    Skipped,
    SubmissionMetadata,
    Threshold,
)
from mosslite.report.saved.records import (
    MOST_BYTES,
    Node,
    SavedEvidence,
    SavedMatch,
    SavedPair,
    SavedPlace,
    SavedResults,
    SavedSubmission,
    WrongError,
    parsed,
)

_OF_SUBMISSION: Final = frozenset(
    {
        "name",
        "role",
        "members",
        "ids",
        "emails",
        "submitted",
        "label",
        "late",
        "files",
        "tokens",
        "boilerplate",
    }
    | {"languages", "language", "code", "text", "sketch", "disguises", "degraded"}
)
_OF_PLACE: Final = frozenset({"file", "first_line", "last_line", "first_place", "last_place"})


def read_results(path: Path) -> SavedResults:
    """Read a file written by ``--json`` or an import.

    Raises:
        InputError: It cannot be read, or is not such a file.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        msg = M_("cannot read the results %(path)r: %(reason)s", path, error)
        if path.is_dir():
            msg = M_(
                "%(path)r is a folder, not a file that 'mosslite check --json FILE' writes", path
            )
        raise InputError(msg) from error
    try:
        return results_in(content)
    except InputError as error:
        raise InputError("%(path)r is not a file of results: %(error)s", path, error) from error


def results_in(content: bytes) -> SavedResults:
    """Parse the content of such a file.

    Raises:
        InputError: It is not valid.
    """
    try:
        return _results(parsed(content), sha256(content).hexdigest())
    except (WrongError, OptionError) as error:
        raise InputError(str(error)) from error


def _results(node: Node, digest: str) -> SavedResults:
    submissions = {each.name: each for each in map(_submission, node.nodes("submissions"))}
    pairs = tuple(_pair(each, rank) for rank, each in enumerate(node.nodes("pairs"), 1))
    for pair in pairs:
        for name in (pair.left, pair.right):
            if name not in submissions:
                raise WrongError(f"pair {pair.rank} names {name!r}, which is not a submission")
    threshold, source = node.optional("threshold"), node.optional("source")
    return SavedResults(
        digest=digest,
        created=node.text("created", ""),
        version=node.text("mosslite", ""),
        program=source.text("program", "") if source else "",
        is_anonymous=node.flag("anonymous"),
        options=_options(node.node("options")),
        thresholds=_constants(node.node("options")),
        base=node.node("options").texts("base"),
        inputs=_inputs(node.optional("inputs")),
        threshold=_threshold(threshold) if threshold else None,
        no_threshold=_no_threshold(node.text("no_threshold", "")),
        submissions=submissions,
        pairs=pairs,
        not_compared=tuple(
            NotCompared(each.text("name"), each.message("reason"), SubmissionMetadata())
            for each in node.nodes("not_compared")
        ),
        skipped=tuple(map(_skipped, node.nodes("skipped"))),
        warnings=node.messages("warnings"),
        unlisted=node.count("unlisted") or 0,
        attempts=tuple(
            tuple(each.text("submission") for each in own) for own in node.node_lists("attempts")
        ),
    )


def _skipped(node: Node) -> Skipped:
    path, limit, submission = (node.text(name, "") for name in ("path", "limit", "submission"))
    return Skipped(path, node.message("reason"), limit, submission)


def _submission(node: Node) -> SavedSubmission:
    role = node.text("role", "current")
    if role not in {each.value for each in Role}:
        raise node.error("role", f"one of {', '.join(each.value for each in Role)}")
    left_out, languages = node.optional("boilerplate"), node.texts("languages")
    origins = left_out.nodes("origins") if left_out else ()
    return SavedSubmission(
        name=node.text("name"),
        role=Role(role),
        files=node.texts("files"),
        tokens=node.count("tokens"),
        languages=languages,
        language=node.text("language", languages[0] if len(languages) == 1 else ""),
        hand_in=SubmissionMetadata(
            members=node.texts("members"),
            submitted=node.text("submitted", ""),
            label=node.text("label", ""),
            is_late=node.flag("late"),
            ids=node.texts("ids"),
            emails=node.texts("emails"),
        ),
        left_out=(
            left_out.required_count("tokens") if left_out else 0,
            tuple((each.text("from"), each.required_count("tokens")) for each in origins),
        ),
        code=node.text("code", ""),
        text=node.text("text", ""),
        degraded=node.texts("degraded"),
        disguised=sum(each.count("count") or 0 for each in node.nodes("disguises")),
        others=node.others(_OF_SUBMISSION),
    )


def _pair(node: Node, rank: int) -> SavedPair:
    review, times = node.optional("review"), node.optional("handed_in")
    by_chance = node.optional("by_chance")
    left, right = node.text("left"), node.text("right")
    left_repository, right_repository = _sides(node.optional("repositories"), _repository)
    return SavedPair(
        rank=rank,
        left=left,
        right=right,
        score=node.number("score", 1),
        placed_by=node.text("placed_by", ""),
        similarity=node.number("similarity", 1),
        left_similarity=node.number("left_similarity", 1),
        right_similarity=node.number("right_similarity", 1),
        matched_tokens=node.count("matched_tokens"),
        matched_lines=node.count("matched_lines"),
        longest_match=node.count("longest_match"),
        matches=tuple(map(_match, node.nodes("matches"))),
        by_chance=(by_chance.count("matches") or 0) if by_chance else 0,
        rare_evidence=tuple(map(_evidence, node.nodes("rare_evidence"))),
        review=_mark(review, left, right) if review else None,
        is_review_outdated=review.flag("changed") if review else False,
        left_repository=left_repository,
        right_repository=right_repository,
        first=(_first(times), times.count("seconds_between") or 0) if times else ("", 0),
    )


_Record = TypeVar("_Record")


def _sides(
    node: Node | None, read: Callable[[Node], _Record]
) -> tuple[_Record | None, _Record | None]:
    """Return the record of either side, None if missing."""
    sides = [node.optional(side) if node else None for side in ("left", "right")]
    left, right = (read(each) if each else None for each in sides)
    return left, right


def _first(node: Node) -> str:
    first = node.text("first", "")
    if first not in ("left", "right", "both"):
        raise node.error("first", "left, right or both")
    return first


def _repository(node: Node) -> RepositorySummary:
    first, last = node.optional("first"), node.optional("last")
    return RepositorySummary(
        commits=node.count("commits") or 0,
        authors=node.count("authors") or 0,
        first=_commit(first) if first else None,
        last=_commit(last) if last else None,
        remarks=node.texts("remarks"),
    )


def _commit(node: Node) -> Commit:
    return Commit(*(node.text(key, "") for key in Commit._fields))


def _origin(node: Node) -> Origin:
    commit = node.optional("commit")
    if commit is None:
        return Origin(None, before=node.number("share", 1) or 0.0)
    return Origin(
        _commit(commit),
        commits=node.count("commits") or 0,
        before=node.number("share_before", 1) or 0.0,
        is_start=node.flag("is_oldest_read"),
        is_shared=node.flag("is_same_commit"),
    )


def _mark(node: Node, left: str, right: str) -> Mark:
    texts = {name: node.text(name, "") for name in ("state", "reason", "note", "at")}
    return Mark(left=left, right=right, code="", **texts)


def _match(node: Node) -> SavedMatch:
    left_origin, right_origin = _sides(node.optional("first_commits"), _origin)
    return SavedMatch(
        left=_place(node.node("left")),
        right=_place(node.node("right")),
        tokens=node.count("tokens"),
        block=node.count("block", 1),
        bits=node.number("block_bits"),
        expected=node.number("block_expected"),
        left_origin=left_origin,
        right_origin=right_origin,
    )


def _place(node: Node) -> SavedPlace:
    first, last = node.required_count("first_line", 1), node.required_count("last_line", 1)
    if last < first:
        raise node.error("last_line", f"a line from {first} on")
    parts = (node.text("first_place", ""), node.text("last_place", ""))
    return SavedPlace(
        file=node.text("file", ""),
        first_line=first,
        last_line=last,
        where=" to ".join(dict.fromkeys(filter(None, parts))),
        others=node.others(_OF_PLACE),
    )


def _evidence(node: Node) -> SavedEvidence:
    return SavedEvidence(
        kind=node.text("kind"),
        text=node.text("text"),
        resembles=node.text("resembles", ""),
        left_file=node.text("left_file", ""),
        left=node.counts("left"),
        right_file=node.text("right_file", ""),
        right=node.counts("right"),
        submissions=node.count("submissions"),
    )


def _threshold(node: Node) -> Threshold:
    numbers = {name: node.number(name) for name in ("score", "low", "high", "expected")}
    if None in numbers.values():
        raise WrongError("'threshold' has no score, low, high and expected")
    return Threshold(
        **{name: float(number or 0) for name, number in numbers.items()},
        found=node.count("found") or 0,
        submissions=node.count("submissions") or 0,
        groups=node.count("groups") or 0,
        languages=tuple(
            LanguageLimit(each.text("language"), each.number("score") or 0.0, is_suggested=True)
            for each in node.nodes("languages")
        ),
    )


def _no_threshold(reason: str) -> NoThreshold | None:
    return next((each for each in NoThreshold if each.value == reason), None)


def _options(node: Node) -> Options:
    """Return the options of the comparison; missing ones have their defaults.

    Raises:
        OptionError: A value is invalid.
    """
    limits, (noise, guarantee) = node.optional("limits"), _given_constants(node)
    layout, encoding = node.text("layout", LAYOUTS[0]), node.text("encoding", "")
    return Options(
        language=node.text("language", "") or None,
        directories=node.flag("directories"),
        max_sharing=node.count("max_sharing"),
        show=node.count("show"),
        comment=node.text("comment", ""),
        noise=noise,
        guarantee=guarantee,
        chance=node.number("chance") or Options().chance,
        seconds=node.number("time_limit") or Options().seconds,
        intake=Intake(
            layout=layout,
            name_pattern=node.text("name_pattern", "") or None,
            all_attempts=node.text("attempts", "latest") == "all",
            patterns=node.texts("patterns"),
            reads_ignored=node.flag("reads_ignored"),
            encoding=encoding or None,
            reads_markdown=node.flag("markdown"),
            limits=_limits(limits) if limits else Limits(),
            each=node.flag("each"),
        ),
        config=node.text("config", ""),
    )


def _limits(node: Node) -> Limits:
    defaults = Limits()
    return Limits(
        **{
            each.name: node.count(each.name) or getattr(defaults, each.name)
            for each in fields(Limits)
        }
    )


def _constants(node: Node) -> dict[str, tuple[int, int]]:
    """Return k and t for each kind of text."""
    noise, guarantee = node.optional("noise"), node.optional("guarantee")
    if noise is None or guarantee is None:
        return {}
    found = {kind: (noise.count(kind, 1), guarantee.count(kind, 1)) for kind in ("code", "prose")}
    return {kind: (k, t) for kind, (k, t) in found.items() if k is not None and t is not None}


def _given_constants(node: Node) -> tuple[int | None, int | None]:
    """Return k and t as options that result in these values for both kinds of text.

    Results contain the values used; they were given as options if they differ from the defaults.
    """
    used, usual = _constants(node), {"code": CODE_DEFAULTS, "prose": PROSE_DEFAULTS}
    if all(used.get(kind) in (None, (each.noise, each.guarantee)) for kind, each in usual.items()):
        return None, None
    noises, guarantees = ({each[at] for each in used.values()} for at in (0, 1))
    return _only(noises), _only(guarantees)


def _only(values: set[int]) -> int | None:
    return next(iter(values)) if len(values) == 1 else None


def _inputs(node: Node | None) -> Inputs | None:
    if node is None:
        return None
    return Inputs(**{each.name: node.texts(each.name) for each in fields(Inputs)})
