from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from mosslite.options import Options
from mosslite.records import NotCompared, Report, Role, Skipped, SubmissionMetadata
from mosslite.report.baseline import Gate, with_baseline
from mosslite.report.formats.junit import MOST_PARTNERS, to_junit
from tests.reports import baseline_of, named, pair_of, report_of, scored_report


def suite_of(report: Report, *, fail_above: float | None = None) -> ET.Element:
    text = to_junit(report, Gate(fail_above))
    suites = ET.fromstring(text.encode("utf-8"))  # noqa: S314 - our own
    (suite,) = suites
    return suite


def failing(suite: ET.Element) -> list[str]:
    return [case.attrib["name"] for case in suite if case.find("failure") is not None]


def failure_of(suite: ET.Element, name: str) -> ET.Element:
    found = suite.find(f"testcase[@name='{name}']/failure")
    assert found is not None
    return found


def a_report() -> Report:
    return scored_report([(1, 2, 0.9), (2, 3, 0.8), (3, 4, 0.7)], 4)


def test_every_current_submission_is_a_test_case() -> None:
    report = report_of([named("ann"), named("old", role=Role.PRIOR), named("bob")], [])
    assert [case.attrib["name"] for case in suite_of(report)] == ["ann", "bob"]


def test_both_submissions_of_a_pair_at_or_above_the_score_fail() -> None:
    assert failing(suite_of(a_report(), fail_above=80)) == ["work 1", "work 2", "work 3"]
    assert failing(suite_of(a_report(), fail_above=81)) == ["work 1", "work 2"]


def test_where_the_report_is_full_of_failing_pairs_nothing_else_has_passed() -> None:
    report = replace(a_report(), options=Options(show=3))
    (left_out,) = suite_of(
        replace(report, submissions=(*report.submissions, named("ann"))), fail_above=70
    )[4:]

    assert left_out.attrib["name"] == "ann"
    assert [each.tag for each in left_out] == ["skipped"]
    assert left_out[0].attrib["message"] == (
        "none of the 3 pairs in the report has it, but more pairs may reach the limit: -n 0 lists "
        "all"
    )
    assert suite_of(report, fail_above=71).attrib["skipped"] == "0"


def test_without_a_score_to_fail_at_nothing_fails() -> None:
    assert failing(suite_of(a_report())) == []


def test_known_pairs_fail_nothing() -> None:
    report = a_report()
    known = with_baseline(report, baseline_of(report, above=0.85))
    assert failing(suite_of(known, fail_above=70)) == ["work 2", "work 3", "work 4"]


def test_a_failure_names_the_partners_the_most_suspicious_first_and_is_not_a_verdict() -> None:
    failure = failure_of(suite_of(a_report(), fail_above=80), "work 2")
    assert failure.attrib["message"] == "shares code with 2 submissions, score up to 0.90"
    assert (failure.text or "").splitlines() == [
        "work 1: 60 % similar, 4 lines, score 0.90",
        "work 3: 60 % similar, 4 lines, score 0.80",
        "Similarity is evidence, not a verdict.",
    ]


def test_a_partner_that_is_not_current_is_reported_with_its_role_and_is_not_a_case() -> None:
    ann, old = named("ann"), named("old", role=Role.PRIOR)
    suite = suite_of(report_of([ann, old], [pair_of(ann, old, 0.9)]), fail_above=80)
    assert failing(suite) == ["ann"]
    assert (failure_of(suite, "ann").text or "").startswith("old (prior): ")


def test_partners_beyond_the_most_are_counted() -> None:
    count = MOST_PARTNERS + 4
    report = scored_report([(1, n, 0.9) for n in range(2, count + 1)], count)
    lines = (failure_of(suite_of(report, fail_above=1), "work 1").text or "").splitlines()
    assert len(lines) == MOST_PARTNERS + 2
    assert lines[-2] == "and 3 more"


def test_what_could_not_be_compared_is_skipped_with_its_reason() -> None:
    report = report_of([named("ann"), named("bob", texts=[""])], [])
    absent = (
        NotCompared("bob", "contains no code", SubmissionMetadata()),
        NotCompared("cy", "is empty", SubmissionMetadata()),
    )
    report = replace(report, not_compared=absent)
    suite = suite_of(replace(report, skipped=(Skipped("c.class", "is binary"),)))
    skipped = {case.attrib["name"]: case.find("skipped") for case in suite}
    told = {name: each.attrib["message"] for name, each in skipped.items() if each is not None}
    assert told == {"bob": "contains no code", "cy": "is empty", "c.class": "is binary"}


@pytest.mark.parametrize("name", ["<failure/>", "a\"b'c", "&amp;", "]]>", "--><!--", "日本 🦊"])
def test_a_name_is_read_back_as_it_is(name: str) -> None:
    submissions = named(name), named("bob")
    suite = suite_of(report_of(submissions, [pair_of(*submissions, 0.9)]), fail_above=80)
    assert [case.attrib["name"] for case in suite] == [name, "bob"]
    assert (failure_of(suite, "bob").text or "").startswith(f"{name}: ")
    assert suite.attrib["failures"] == "2"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x00b", "a[U+0000]b"),
        ("\x1b[2J", "[U+001B][2J"),
        ("a\nb\tc", "a[U+000A]b[U+0009]c"),
        ("\ufffe\ud800", "[U+FFFE][U+D800]"),
        ("\u202egnp", "[U+202E]gnp"),
    ],
)
def test_what_xml_cannot_hold_or_nobody_can_see_is_spelled_out(name: str, shown: str) -> None:
    submissions = named(name), named("bob")
    suite = suite_of(report_of(submissions, [pair_of(*submissions, 0.9)]), fail_above=80)
    assert suite[0].attrib["name"] == shown
    assert (failure_of(suite, "bob").text or "").startswith(f"{shown}: ")


def test_no_name_counts_as_a_failure() -> None:
    suite = suite_of(report_of([named("<failure"), named("<skipped")], []))
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("0", "0")
