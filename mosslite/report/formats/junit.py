"""JUnit XML for CI servers, with a test case for each current submission."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final
from xml.etree import ElementTree  # which writes here and reads nothing

from mosslite.display import counted, one_line
from mosslite.records import Pair, Report, Role, TokenizedSubmission
from mosslite.report.baseline import Gate
from mosslite.report.review import is_cut
from mosslite.report.similar_names import with_distinct_names
from mosslite.report.wording import NO_VERDICT, sentence
from mosslite.texts import hundredths, percent

# Maximum number of partners listed in a case; the number of further ones is stated.
MOST_PARTNERS: Final = 20

_UNKNOWN: Final = (
    "none of the {} pairs in the report has it, but more pairs may reach the limit: -n 0 lists all"
)


def to_junit(report: Report, gate: Gate) -> str:
    """Write the report as JUnit XML.

    A submission fails if one of its pairs does, consistent with the exit code. Anything that was
    not compared is a skipped case, be it a submission or a single file, and a failing one if it
    fails the job.

    Args:
        report: With or without names.
        gate: The condition for failing.
    """
    report = with_distinct_names(report)
    failing: dict[TokenizedSubmission, list[Pair]] = defaultdict(list)
    for pair in gate.failing(report):
        failing[pair.left].append(pair)
        failing[pair.right].append(pair)
    current = [submission for submission in report.submissions if submission.role is Role.CURRENT]
    may_have_more = is_cut(report, gate.fail_above)
    unknown = _UNKNOWN.format(len(report.pairs)) if may_have_more else ""
    absent = {each.name for each in report.not_compared}
    missing = {each.name for each in gate.missing(report)}
    cases = [_skipped(each.name, each.reason, each.name in missing) for each in report.not_compared]
    cases += [
        _case(submission, failing[submission], unknown)
        for submission in current
        if submission.name not in absent
    ]
    cases += [
        _skipped(each.path, each.reason, gate.misses(each), "mosslite.files")
        for each in report.skipped
    ]
    counts = {
        "tests": len(cases),
        "failures": _count(cases, "failure"),
        "errors": 0,
        "skipped": _count(cases, "skipped"),
        "time": 0,
    }
    name, config = report.options.comment or "mosslite", report.options.config
    inside = [_element("property", {"name": "config", "value": config}, [])]
    properties = [_element("properties", {}, inside)] if config else []
    suite = _element("testsuite", {"name": name, **counts}, [*properties, *cases])
    suites = _element("testsuites", {"name": "mosslite", **counts}, [suite])
    written = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{written}\n'


def _count(cases: Sequence[ElementTree.Element], outcome: str) -> int:
    return sum(case.find(outcome) is not None for case in cases)


def _case(
    submission: TokenizedSubmission, failing: Sequence[Pair], unknown: str
) -> ElementTree.Element:
    """Return a case; if it does not fail, ``unknown`` says why it may not have passed."""
    attributes = {"classname": "mosslite", "name": submission.name, "time": 0}
    if failing:
        return _element("testcase", attributes, [_failure(submission, failing)])
    inside = [_element("skipped", {"message": unknown}, [])] if unknown else []
    return _element("testcase", attributes, inside)


def _failure(submission: TokenizedSubmission, pairs: Sequence[Pair]) -> ElementTree.Element:
    lines = [_partner(submission, pair) for pair in pairs[:MOST_PARTNERS]]
    if len(pairs) > MOST_PARTNERS:
        lines.append(f"and {len(pairs) - MOST_PARTNERS:,} more")
    best = max(pair.score for pair in pairs)
    message = (
        f"shares code with {counted(len(pairs), 'submission')}, score up to {hundredths(best)}"
    )
    failure = _element("failure", {"message": message, "type": "similar-code"}, [])
    failure.text = "\n".join([*lines, sentence(NO_VERDICT)])
    return failure


def _partner(submission: TokenizedSubmission, pair: Pair) -> str:
    other = pair.right if submission is pair.left else pair.left
    role = "" if other.role is Role.CURRENT else f" ({other.role.value})"
    return (
        f"{one_line(other.name)}{role}: {percent(pair.similarity)} similar, "
        f"{counted(pair.matched_lines, 'line')}, score {hundredths(pair.score)}"
    )


def _skipped(
    name: str, reason: str, is_failing: object, classname: str = "mosslite"
) -> ElementTree.Element:
    about = {"message": reason}
    inside = _element("skipped", about, [])
    if is_failing:
        inside = _element("failure", about | {"type": "not-compared"}, [])
    return _element("testcase", {"classname": classname, "name": name, "time": 0}, [inside])


def _element(
    name: str, attributes: Mapping[str, object], children: Sequence[ElementTree.Element]
) -> ElementTree.Element:
    """Return an element with each child on a line of its own.

    Characters that XML does not allow in attributes, and invisible ones, are escaped.
    """
    element = ElementTree.Element(name, {key: one_line(str(v)) for key, v in attributes.items()})
    element.extend(children)
    for child in element:
        element.text = child.tail = "\n"
    return element
