"""SARIF 2.1.0 for code scanning, one result for each pair.

Section numbers refer to the OASIS standard. Results are ordered by score, new failing pairs first,
and limited to the number that hosts accept: GitHub rejects runs of more than 25,000 and shows
5,000.
"""

import json
import posixpath
from hashlib import blake2b
from typing import Final
from urllib.parse import quote

from mosslite.display import counted, one_line
from mosslite.records import (
    HighScores,
    Location,
    Pair,
    Report,
    Role,
    SourceFile,
    TokenizedSubmission,
)
from mosslite.report.baseline import Gate
from mosslite.report.review import pair_code, pair_key
from mosslite.report.similar_names import DistinctNames, names_of, with_distinct_names
from mosslite.report.wording import NO_VERDICT, format_lines, is_one_file, options_from, warnings_on
from mosslite.texts import hundredths, percent

_ROOT: Final = "file://"
_RULE: Final = "similar-code"
MOST_RESULTS: Final = 5_000
# Locations of a result besides the first; GitHub shows no more.
MOST_PLACES: Final = 100

# The paper whose method the program implements; the program itself needs no server.
_DRIVER: Final = {
    "name": "mosslite",
    "informationUri": "https://doi.org/10.1145/872757.872770",
}
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_HELP: Final = (
    "Two submissions share code that is not in the boilerplate. Read both sides before you judge: "
    "the reason can be a common source, a task with one obvious solution, or allowed teamwork."
)


def to_sarif(report: Report, gate: Gate, *, version: str) -> str:
    """Write the report as SARIF.

    Args:
        report: With or without names.
        gate: The score from which a pair is an error, and the known pairs.
        version: Version of mosslite.
    """
    names, highs = names_of(report), report.highs
    notes = _notifications(with_distinct_names(report))
    run: dict[str, object] = {
        "tool": {"driver": _DRIVER | {"version": version, "rules": [_rule()]}},
        "invocations": [{"executionSuccessful": True} | notes],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(pair, names, highs, gate) for pair in gate.failing_first(report)[:MOST_RESULTS]
        ],
    }
    content = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _rule() -> dict[str, object]:
    return {
        "id": _RULE,
        "name": "SimilarCode",
        "shortDescription": {"text": "Two submissions share code"},
        "fullDescription": {"text": f"Two submissions share code; {NO_VERDICT}."},
        "help": {"text": _HELP},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["similarity"]},
    }


def _notifications(report: Report) -> dict[str, object]:
    """Return notifications: the config file, what was not compared, and warnings."""
    notes = warnings_on(report)
    cut = len(report.pairs) - MOST_RESULTS
    if cut > 0:
        notes = (*notes, f"{counted(cut, 'pair')} with lower scores left out")
    notifications = [_notification(text, "note") for text in options_from(report.options.config)]
    notifications += [
        _notification(f"not compared: {each.name}: {each.reason}", "error")
        for each in report.not_compared
    ]
    notifications += [  # incomplete results are an error (3.58.6)
        _notification(f"skipped: {each.path}: {each.reason}", "error" if each.limit else "warning")
        for each in report.skipped
    ]
    notifications += [_notification(note, "warning") for note in notes]
    return {"toolExecutionNotifications": notifications} if notifications else {}


def _notification(note: str, level: str) -> dict[str, object]:
    return {"level": level, "message": {"text": _text(note)}}


def _result(pair: Pair, names: DistinctNames, highs: HighScores, gate: Gate) -> dict[str, object]:
    first, *others = _places(pair, names)
    related = [{"id": number} | place for number, place in enumerate(others[:MOST_PLACES], 1)]
    usual = "warning" if highs.hold(pair) else "note"
    state = {"baselineState": pair.baseline} if pair.baseline else {}
    return {
        "ruleId": _RULE,
        "ruleIndex": 0,
        "level": "error" if gate.reaches(pair) else usual,
        "rank": round(pair.score * 100, 6),
        "message": {"text": _message(pair, names)},
        "locations": [first],
        "relatedLocations": related,
        "partialFingerprints": _fingerprints(pair),
        "properties": {
            "score": pair.score,
            "similarity": pair.similarity,
            "matchedLines": pair.matched_lines,
            "matchedTokens": pair.matched_tokens,
        },
        **state,
    }


def _message(pair: Pair, names: DistinctNames) -> str:
    """Name both sides; link the second, as GitHub shows no other related locations."""
    first, second = (_text(names.shown(submission.name)) for submission in _sides(pair))
    return (
        f"{first} and [{second}](1): "
        f"{percent(pair.similarity)} similar, {counted(pair.matched_lines, 'line')}, "
        f"score {hundredths(pair.score)}; {NO_VERDICT}"
    )


def _fingerprints(pair: Pair) -> dict[str, str]:
    """Return the fingerprints that identify a pair across runs.

    GitHub only uses ``primaryLocationLineHash``, which is of the names alone: a dismissed alert
    must not come back whenever the code changes. The second fingerprint changes with the code.
    """
    key = pair_key(pair.left.name, pair.right.name).encode("utf-8", "surrogatepass")
    names = blake2b(key, digest_size=12).hexdigest()
    return {"primaryLocationLineHash": names, "pairCode/v1": pair_code(pair), "pairNames/v1": names}


def _places(pair: Pair, names: DistinctNames) -> list[dict[str, object]]:
    """Return both locations of each match, the longest first, current submissions first."""
    first, second = _sides(pair)
    matches = sorted(pair.matches, key=lambda match: -match.tokens)
    if not matches:
        return [_location(first, None, names), _location(second, None, names)]
    ends = ((match.left, match.right) for match in matches)
    in_order = ends if first is pair.left else (both[::-1] for both in ends)
    return [
        _location(submission, place, names)
        for both in in_order
        for submission, place in zip((first, second), both, strict=True)
    ]


def _sides(pair: Pair) -> tuple[TokenizedSubmission, TokenizedSubmission]:
    """Put a current submission first, as some hosts show only the first location."""
    is_in_order = pair.left.role is Role.CURRENT
    return (pair.left, pair.right) if is_in_order else (pair.right, pair.left)


def _location(
    submission: TokenizedSubmission, place: Location | None, names: DistinctNames
) -> dict[str, object]:
    file = submission.source.files[0 if place is None else place.document]
    physical: dict[str, object] = {
        "artifactLocation": {"uri": _uri_of(_path_of(submission, file))},
    }
    said = names.shown(submission.name)
    if place is not None and file.parts:
        # The lines of a notebook's code differ from those of its file.
        said += f", {format_lines(file, place.first_line, place.last_line)}"
    elif place is not None:
        physical["region"] = {"startLine": place.first_line, "endLine": place.last_line}
    return {"physicalLocation": physical, "message": {"text": _text(said)}}


def _text(text: str) -> str:
    """Escape text so that it contains no link or placeholder (3.11.5, 3.11.6)."""
    shown = one_line(text).replace("\\", "\\\\").replace("{", "{{").replace("}", "}}")
    return shown.replace("[", "\\[").replace("]", "\\]")


def _path_of(submission: TokenizedSubmission, file: SourceFile) -> str:
    """Return the path of a submission's file, or its name where the path is unknown."""
    if file.path:
        return posixpath.normpath(file.path)
    return submission.name if is_one_file(submission) else f"{submission.name}/{file.name}"


def _uri_of(path: str) -> str:
    """Return a path as a URI reference: relative as given, an absolute one with its scheme."""
    # A surrogate represents a byte of an undecodable name; the URI must contain the byte.
    steps = [quote(step, safe="", errors="surrogatepass") for step in path.split("/")]
    joined = "/".join(steps)
    return f"{_ROOT}{joined}" if path.startswith("/") else joined
