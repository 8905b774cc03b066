"""JSON and CSV results, and the locations of submitted files."""

from __future__ import annotations

import csv
import io
import json
import posixpath
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote

from mosslite.display import cell
from mosslite.messages import as_json
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Intake, Options
from mosslite.records import (
    Inputs,
    Location,
    Origin,
    Pair,
    RareEvidence,
    Report,
    RepositorySummary,
    Skipped,
    SourceFile,
    Threshold,
    TokenizedSubmission,
)
from mosslite.report.review import marks_by_key, reviewed, submission_code, text_digest
from mosslite.report.similar_names import disguises_for_programs, with_distinct_names
from mosslite.report.timelines import AttemptRow, attempts_of
from mosslite.report.wording import first_handed_in, place_in_part, warnings_on
from mosslite.winnowing.fingerprints import sketch_of

if TYPE_CHECKING:
    from mosslite.report.ci.baseline import States

_ROOT: Final = "file://"

# Data about one side of a pair.
Side = TypeVar("Side")


def is_one_file(submission: TokenizedSubmission) -> bool:
    """Return whether a submission is a single file that it is named after."""
    first, *others = submission.source.files
    return not others and f"/{submission.name}".endswith(f"/{first.name}")


def path_of(submission: TokenizedSubmission, file: SourceFile) -> str:
    """Return the path of a submission's file, or its name where the path is unknown."""
    if file.path:
        return posixpath.normpath(file.path)
    return submission.name if is_one_file(submission) else f"{submission.name}/{file.name}"


def uri_of(path: str) -> str:
    """Return a path as a URI reference: relative as given, an absolute one with its scheme."""
    # A surrogate represents a byte of an undecodable name; the URI must contain the byte.
    steps = [quote(step, safe="", errors="surrogatepass") for step in path.split("/")]
    joined = "/".join(steps)
    return f"{_ROOT}{joined}" if path.startswith("/") else joined


# Format 1: submissions, pairs with matches by file and lines, skipped, ignored, warnings, and
# whether the report is anonymous.
FORMAT = 1

# The reason in the row of the config file, which a table lists among skipped files.
_CONFIG: Final = "options were read from it"

_COLUMNS = (
    "score",
    "similarity",
    "left_similarity",
    "right_similarity",
    "matched_tokens",
    "matched_lines",
    "longest_match",
)


def to_json(report: Report, *, created: str, version: str, states: States | None = None) -> str:
    """Return the report as JSON.

    Args:
        report: With or without names.
        created: An ISO 8601 time.
        version: Version of mosslite.
        states: State of each pair relative to a baseline; None without one.
    """
    marks = marks_by_key(report.options.review)
    content = {
        "format": FORMAT,
        "mosslite": version,
        "created": created,
        **({"anonymous": True} if report.is_anonymous else {}),
        "options": _options(report.options) | {"base": report.base},
        **_inputs(report.inputs),
        "submissions": [_submission(submission) for submission in report.submissions],
        "threshold": report.threshold and _threshold(report.threshold),
        **({} if report.threshold else {"no_threshold": report.no_threshold.value}),
        "unlisted": len(report.unlisted),
        "pairs": [_pair(pair, states) | reviewed(pair, marks) for pair in report.pairs],
        **_attempts(report),
        **_not_compared(report),
        "skipped": [_left_out_entry(each) for each in report.skipped],
        "ignored": [_left_out_entry(each) for each in report.ignored],
        **with_messages(warnings_on(report)),
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def to_csv(report: Report, *, states: States | None = None) -> str:
    r"""Return CSV with a line for each pair, then one for each skipped file with its reason.

    The config file, which every result names, comes first among the latter. With a baseline, a
    column contains the state of each pair.

    Names that spreadsheets would interpret as formulas are prefixed with an apostrophe; control and
    hidden characters are escaped as in ``\x1b``, so that each row is one line. Names that look
    alike are escaped where they differ. JSON contains the original names.
    """
    report = with_distinct_names(report)
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    last = [] if states is None else ["baseline"]
    writer.writerow(["left", "right", *_COLUMNS, "skipped", *last])
    for pair in report.pairs:
        numbers = [getattr(pair, column) for column in _COLUMNS]
        state = [] if states is None else [states.of(pair)]
        writer.writerow([cell(pair.left.name), cell(pair.right.name), *numbers, "", *state])
    config = report.options.config
    sources = [Skipped(config, _CONFIG)] if config else []
    for each in (*sources, *report.skipped):
        zeros = [0] * len(_COLUMNS)
        writer.writerow([cell(each.path), "", *zeros, cell(each.reason), *[""] * len(last)])
    return lines.getvalue()


def _left_out_entry(skipped: Skipped) -> dict[str, object]:
    """Return an entry for a skipped file, with its owner and the limit it exceeds, if any."""
    about = {"limit": skipped.limit, "submission": skipped.submission}
    return {
        "path": skipped.path,
        **with_message("reason", skipped.reason),
        **{key: value for key, value in about.items() if value},
    }


def with_message(name: str, said: str) -> dict[str, object]:
    """Return a text in English and, if it is a message, what other languages are made of."""
    message = as_json(said)
    return {name: said, "message": message} if message else {name: said}


def with_messages(warnings: Sequence[str]) -> dict[str, object]:
    """Return the warnings in English, and as messages in the same order."""
    return {"warnings": warnings, "messages": [*map(as_json, warnings)]}


def _not_compared(report: Report) -> dict[str, object]:
    """Return the submissions of which nothing was compared, if there are any."""
    found = [
        {"name": each.name, **with_message("reason", each.reason)} for each in report.not_compared
    ]
    return {"not_compared": found} if found else {}


def _options(options: Options) -> dict[str, object]:
    thresholds = {
        kind: options.thresholds(defaults)
        for kind, defaults in (("code", CODE_DEFAULTS), ("prose", PROSE_DEFAULTS))
    }
    return {
        "language": options.language,
        "directories": options.directories,
        "max_sharing": options.max_sharing,
        "show": options.show,
        "comment": options.comment,
        "noise": {kind: each.noise for kind, each in thresholds.items()},
        "guarantee": {kind: each.guarantee for kind, each in thresholds.items()},
        "chance": options.chance,
        "time_limit": options.seconds,
        **({"config": options.config} if options.config else {}),
        **_intake(options.intake),
    }


def _inputs(inputs: Inputs | None) -> dict[str, object]:
    """Return the paths given, by role, in a fixed order."""
    if inputs is None:
        return {}
    given = {role: sorted(paths) for role, paths in asdict(inputs).items()}
    return {"inputs": {role: paths for role, paths in given.items() if paths}}


def _threshold(threshold: Threshold) -> dict[str, object]:
    languages = [each._asdict() for each in threshold.languages]
    return asdict(threshold) | {"languages": languages}


def _intake(intake: Intake) -> dict[str, object]:
    metadata = {
        "name_pattern": intake.name_pattern,
        "patterns": intake.patterns,
        "each": intake.each,
    }
    return {
        "layout": intake.layout,
        **{key: value for key, value in metadata.items() if value},
        "attempts": "all" if intake.all_attempts else "latest",
        "reads_ignored": intake.reads_ignored,
        "encoding": intake.encoding,
        "markdown": intake.reads_markdown,
        "limits": asdict(intake.limits),
    }


def _submission(submission: TokenizedSubmission) -> dict[str, object]:
    disguises = disguises_for_programs(submission)
    languages = sorted({document.language for document in submission.documents})
    degraded = [document.file.name for document in submission.documents if document.is_degraded]
    return {
        "name": submission.name,
        "role": submission.role.value,
        **_hand_in(submission),
        "files": [document.file.name for document in submission.documents],
        "tokens": len(submission.comparable),
        **_boilerplate(submission),
        "languages": languages,
        **({"language": submission.language} if len(languages) > 1 else {}),
        "code": submission_code(submission),
        **({"text": digest} if (digest := text_digest(submission)) else {}),
        "sketch": sketch_of(submission),
        **({"disguises": disguises} if disguises else {}),
        **({"degraded": degraded} if degraded else {}),
    }


def _boilerplate(submission: TokenizedSubmission) -> dict[str, object]:
    """Return the number of boilerplate tokens, and that of each base file."""
    total, by_origin = 0, Counter[str]()
    for document in submission.documents:
        total += int(document.is_boilerplate.sum())
        for origin, tokens in document.left_out:
            by_origin[origin] += tokens
    if not total:
        return {}
    origins = [{"from": origin, "tokens": by_origin[origin]} for origin in sorted(by_origin)]
    return {"boilerplate": {"tokens": total, "origins": origins}}


def _hand_in(submission: TokenizedSubmission) -> dict[str, object]:
    """Return the platform's metadata; keys without a value are left out."""
    metadata = submission.source.hand_in
    content = {
        "members": metadata.members,
        "ids": metadata.ids if any(metadata.ids) else (),
        "emails": metadata.emails if any(metadata.emails) else (),
        "submitted": metadata.submitted,
        "label": metadata.label,
        "late": metadata.is_late,
    }
    return {key: value for key, value in content.items() if value}


def _pair(pair: Pair, states: States | None) -> dict[str, object]:
    return {
        "left": pair.left.name,
        "right": pair.right.name,
        **{column: getattr(pair, column) for column in _COLUMNS},
        "placed_by": pair.placed_by,
        **({} if states is None else {"baseline": states.of(pair)}),
        **({"tiny": True} if pair.left.is_tiny else {}),
        **_handed_in(pair),
        **_of_sides("repositories", pair.left_repository, pair.right_repository, _repository),
        "matches": [
            {
                "left": _place(pair.left, match.left),
                "right": _place(pair.right, match.right),
                "tokens": match.tokens,
                **match.alone._asdict(),
                "block": match.block,
                **{f"block_{key}": value for key, value in match.together._asdict().items()},
                **_of_sides("first_commits", match.left_origin, match.right_origin, _origin),
            }
            for match in pair.matches
        ],
        "by_chance": {
            "matches": len(pair.by_chance),
            "tokens": int(pair.by_chance.tokens.sum()),
        },
        "rare_evidence": [_evidence(pair, each) for each in pair.rare_evidence],
    }


def _attempts(report: Report) -> dict[str, object]:
    """Return the growth of each student's work, if several attempts are compared."""
    rows_of = attempts_of(report)
    students = {id(rows): rows for _, rows in sorted(rows_of.items())}
    content = [[_attempt(row) for row in rows] for rows in students.values()]
    return {"attempts": content} if content else {}


def _attempt(row: AttemptRow) -> dict[str, object]:
    content: dict[str, str | float | None] = {
        "submission": row.submission.name,
        "kept_from_before": row.kept,
        "new": row.new,
        "most_like": row.other and row.other[1].name,
        "found_there": row.found,
        "found_there_before": row.found_before,
    }
    known = {key: value for key, value in content.items() if value is not None}
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in known.items()}
    return {**rounded, "jumps": row.is_jump}


def _handed_in(pair: Pair) -> dict[str, object]:
    """Return the submission times of both sides, and which was first, if known."""
    first = first_handed_in(pair)
    if first is None:
        return {}
    left, right = pair.left.source.hand_in.submitted, pair.right.source.hand_in.submitted
    side, seconds = first
    times = {"left": left, "right": right, "first": side or "both", "seconds_between": seconds}
    return {"handed_in": times}


def _of_sides(
    key: str, left: Side | None, right: Side | None, content: Callable[[Side], dict[str, object]]
) -> dict[str, object]:
    """Return the content for either side; empty if both are unknown."""
    sides = {"left": left, "right": right}
    known = {side: content(each) for side, each in sides.items() if each is not None}
    return {key: known} if known else {}


def _repository(summary: RepositorySummary) -> dict[str, object]:
    return {
        "commits": summary.commits,
        "authors": summary.authors,
        **({"first": summary.first._asdict()} if summary.first else {}),
        **({"last": summary.last._asdict()} if summary.last else {}),
        "remarks": summary.remarks,
    }


def _origin(origin: Origin) -> dict[str, object]:
    """Return the first commit that contains a match, or the largest share in any commit."""
    if origin.commit is None:
        return {"commit": None, "share": round(origin.before, 4)}
    return {
        "commit": origin.commit._asdict(),
        "commits": origin.commits,
        "share_before": round(origin.before, 4),
        "arrived_whole": origin.is_whole,
        "is_oldest_read": origin.is_start,
        "is_same_commit": origin.is_shared,
    }


def _evidence(pair: Pair, evidence: RareEvidence) -> dict[str, object]:
    resembles = {"resembles": evidence.resembles} if evidence.resembles else {}
    return {
        "kind": evidence.kind,
        "text": evidence.text,
        **resembles,
        "left": evidence.left.numbers,
        "left_file": pair.left.documents[evidence.left.document].file.name,
        "right": evidence.right.numbers,
        "right_file": pair.right.documents[evidence.right.document].file.name,
        "submissions": evidence.submissions,
    }


def _place(submission: TokenizedSubmission, place: Location) -> dict[str, object]:
    file = submission.documents[place.document].file
    lines = {
        "file": file.name,
        "first_line": place.first_line,
        "last_line": place.last_line,
    }
    if not file.parts:
        return lines
    return lines | {
        "first_place": place_in_part(file, place.first_line),
        "last_place": place_in_part(file, place.last_line),
    }
