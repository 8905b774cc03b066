"""CSV: the pairs, and for a grade book a row for each student."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Self

from mosslite.display import csv_text
from mosslite.records import (
    Pair,
    Report,
    Role,
    Skipped,
    SubmissionMetadata,
    TokenizedSubmission,
    UnlistedPair,
)
from mosslite.report.html.groups import cases_of
from mosslite.report.results import COUNTS, MEASURES
from mosslite.report.review import marks_by_key, pair_key
from mosslite.report.similar_names import names_of, with_distinct_names

_MEASURES: Final = (*MEASURES, *COUNTS)
# The reason in the row of the config file, which a table lists among skipped files.
_CONFIG: Final = "options were read from it"


def to_csv(report: Report) -> str:
    r"""Return CSV with a line for each pair, then one for each skipped file with its reason.

    The config file, which every result names, comes first among the latter. With a baseline, a
    column contains the state of each pair.

    Names that spreadsheets would interpret as formulas are prefixed with an apostrophe; control and
    hidden characters are escaped as in ``\x1b``, so that each row is one line. Names that look
    alike are escaped where they differ. JSON contains the original names.
    """
    report = with_distinct_names(report)
    last = ["baseline"] if report.has_baseline else []
    rows: list[list[object]] = [["left", "right", *_MEASURES, "skipped", *last]]
    for pair in report.pairs:
        numbers = [getattr(pair, column) for column in _MEASURES]
        rows.append([pair.left.name, pair.right.name, *numbers, "", *[pair.baseline] * len(last)])
    config = report.options.config
    sources = [Skipped(config, _CONFIG)] if config else []
    for each in (*sources, *report.skipped):
        zeros = [0] * len(_MEASURES)
        rows.append([each.path, "", *zeros, each.reason, *[""] * len(last)])
    return csv_text(rows)


# Canvas finds students by the first two columns, under these names.
_COLUMNS: Final = (
    "Student",
    "ID",
    "Highest score",
    "Partner",
    "Group",
    "Stands out",
    "Review",
    "Not compared",
)
# If a student's pairs have several marks, the first of these is reported.
_MARKS: Final = ("confirmed", "todo", "dismissed")


class _Outcome(NamedTuple):
    """The result of a submission, or of all attempts of a student.

    Attributes:
        partner: The other submission of the pair with the highest score; None without a pair.
        group: Number of the group's page; 0 without a group.
    """

    score: float = 0.0
    partner: TokenizedSubmission | None = None
    group: int = 0
    stands_out: bool = False
    marks: frozenset[str] = frozenset()

    def joined(self, other: Self) -> Self:
        """Return the result of both: the higher of the pairs, the first of the groups."""
        best = max(self, other, key=lambda each: each.score)
        groups = [each.group for each in (self, other) if each.group]
        return best._replace(
            group=min(groups, default=0),
            stands_out=self.stands_out or other.stands_out,
            marks=self.marks | other.marks,
        )


def to_grades(report: Report) -> str:
    r"""Return CSV with a row for each student of the batch, in the order of the report.

    A team has a row for each member, a student with several attempts only one. A score is empty if
    nothing of the student was compared, with the reason in the last column, or if it is not known.
    Names are escaped as
    in ``to_csv``, so that none is a formula or contains a line break. The ID is the platform's:
    empty if unknown, or in anonymous reports.
    """
    names, outcomes = names_of(report), _outcomes(report)
    rows: list[Sequence[object]] = [_COLUMNS]
    not_compared = {each.name: each.reason for each in report.not_compared}
    for attempts in _by_owner(report):
        found = outcomes[attempts[0].name]
        for each in attempts[1:]:
            found = found.joined(outcomes[each.name])
        partner = names.shown(found.partner.name) if found.partner else ""
        mark = next((each for each in _MARKS if each in found.marks), "")
        is_high = "yes" if found.stands_out else "no"
        reasons = [not_compared.get(each.name) for each in attempts]
        is_known = not all(reasons) and (found.partner is not None or report.best is not None)
        score = f"{found.score:.4f}" if is_known else ""
        reason = reasons[-1] if all(reasons) else ""
        result = [score, partner, found.group or "", is_high if is_known else "", mark, reason]
        title = names.shown(attempts[0].name)
        if len(attempts) > 1:
            title = title.removesuffix(f", attempt {attempts[0].source.hand_in.attempt}")
        for name, number in _people(attempts[-1].source.hand_in, title):
            rows.append([name, number, *result])
    compared = {each.name for each in report.submissions}
    owners = {each.source.hand_in.owner for each in report.submissions}
    for absent in report.not_compared:
        if absent.name not in compared and absent.hand_in.owner not in owners - {""}:
            for name, number in _people(absent.hand_in, names.shown(absent.name)):
                empty = [""] * (len(_COLUMNS) - 3)
                rows.append([name, number, *empty, absent.reason])
    return csv_text(rows)


def _by_owner(report: Report) -> list[list[TokenizedSubmission]]:
    """Return the submissions of the batch, the attempts of one student or team together."""
    attempts: dict[tuple[str, str], list[TokenizedSubmission]] = {}
    for each in report.submissions:
        if each.role is Role.CURRENT:
            metadata = each.source.hand_in
            key = (metadata.owner, "") if metadata.attempt else ("", each.name)
            attempts.setdefault(key, []).append(each)
    return list(attempts.values())


def _people(metadata: SubmissionMetadata, title: str) -> Iterator[tuple[str, str]]:
    members = metadata.members or (title,)
    ids = metadata.ids if len(metadata.ids) == len(members) else ("",) * len(members)
    yield from zip(members, ids, strict=True)


def _outcomes(report: Report) -> Mapping[str, _Outcome]:
    """Return the result of each submission, by name."""
    highs, marks = report.highs, marks_by_key(report.options.review)
    found: defaultdict[str, _Outcome] = defaultdict(_Outcome)
    pairs: list[Pair | UnlistedPair] = [*report.pairs, *report.unlisted, *(report.best or ())]
    for pair in pairs:
        mark = marks.get(pair_key(pair.left.name, pair.right.name))
        states = frozenset((mark.state,)) if mark else frozenset()
        for own, other in ((pair.left, pair.right), (pair.right, pair.left)):
            outcome = _Outcome(pair.score, other, 0, highs.hold(pair), states)
            found[own.name] = found[own.name].joined(outcome)
    for group in cases_of(report).groups:
        for number in group.members:
            name = report.submissions[number - 1].name
            found[name] = found[name]._replace(group=group.number)
    return found
