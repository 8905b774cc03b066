"""Which pairs reach the threshold: the same ones in every output, of every language."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from mosslite.cli.check import summary_lines
from mosslite.records import LanguageLimit, NoThreshold, Report, TokenizedSubmission
from mosslite.report import ReportMetadata, write_html
from mosslite.report.baseline import Gate
from mosslite.report.cases import groups_of
from mosslite.report.formats import BY_OPTION, Found
from tests.reports import named, pair_of, report_of, results_in

TEXT = "one two three four five six"


METADATA = ReportMetadata("2026-11-25T00:00:00+00:00", "1")


def written_in(name: str, *languages: str) -> TokenizedSubmission:
    """Return a submission of a file in each language, the first one the longest."""
    texts = [f"{TEXT} {TEXT}", *[TEXT for _ in languages[1:]]]
    submission = named(name, texts=texts)
    documents = tuple(
        replace(document, language=language)
        for document, language in zip(submission.documents, languages, strict=True)
    )
    return replace(submission, documents=documents)


def mixed_report(*, has_threshold: bool = True) -> Report:
    """Return pairs on both sides of the thresholds of three languages, some in two of them."""
    submissions = [
        *(written_in(f"python {number}", "python") for number in range(3)),
        *(written_in(f"c {number}", "c") for number in range(3)),
        *(written_in(f"java {number}", "java") for number in range(3)),
        written_in("mostly c", "c", "python"),
        written_in("mostly java", "java", "python", "c"),
    ]
    scores = (0.55, 0.45, 0.35, 0.25, 0.92)
    pairs = [
        pair_of(left, right, scores[(3 * at + 2 * to) % len(scores)] + at / 1000, (0, 5))
        for at, left in enumerate(submissions)
        for to, right in enumerate(submissions[at + 1 :])
    ]
    report = report_of(submissions, pairs, threshold=0.4)
    assert report.threshold is not None
    if not has_threshold:
        return replace(report, threshold=None, no_threshold=NoThreshold.TOO_FEW)
    limits = (LanguageLimit("c", 0.3, True), LanguageLimit("java", 0.5, False))
    return replace(report, threshold=replace(report.threshold, languages=limits))


def expected_in(report: Report) -> list[int]:
    """Return the ranks of the pairs at or above the higher one of their languages' thresholds."""
    limits = {"python": 0.4, "c": 0.3, "java": 0.5} if report.threshold else {}
    return [
        rank
        for rank, pair in enumerate(report.pairs, 1)
        if pair.score
        >= max(
            limits.get(name.split()[-2 if name[-1].isdigit() else -1], 0.5)
            for name in (pair.left.name, pair.right.name)
        )
    ]


def written(report: Report, option: str) -> str:
    return content_of(Found(report, "", Gate(), METADATA), option)


def content_of(found: Found, option: str) -> str:
    content = BY_OPTION[option].write(found)
    return content if isinstance(content, str) else b"".join(content).decode()


def flagged_in_folder(report: Report, folder: Path) -> list[int]:
    write_html(report, folder, METADATA)
    rows = re.findall(r'<tr data-pair="(\d+)"[^>]*class="is-high', page(folder, "index.html"))
    texts = [page(folder, f"pairs/{rank}.html") for rank in range(1, len(report.pairs) + 1)]
    if report.threshold:
        said = [re.search(r'id="threshold">(at or above|below)', text) for text in texts]
        assert [rank for rank, each in enumerate(said, 1) if each and each[1] != "below"] == [
            *map(int, rows)
        ]
    return [*map(int, rows)]


def page(folder: Path, name: str) -> str:
    return (folder / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("has_threshold", [True, False])
def test_every_output_flags_the_same_pairs(tmp_path: Path, *, has_threshold: bool) -> None:
    report = mixed_report(has_threshold=has_threshold)
    expected = expected_in(report)
    assert 0 < len(expected) < len(report.pairs)

    assert flagged_in_folder(report, tmp_path / "report") == expected
    one_file = written(report, "--single-file")
    bold = re.findall(r'<tr class="is-high">\s*<th[^>]*>(?:<a[^>]*>)?(\d+)', one_file)
    assert [*map(int, bold)] == expected
    results = json.loads(written(report, "--sarif"))["runs"][0]["results"]
    levels = [each["level"] for each in results]
    assert [rank for rank, level in enumerate(levels, 1) if level == "warning"] == expected
    assert f"**{len(expected)} pairs** at or above score" in written(report, "--markdown")
    saved = results_in(written(report, "--json").encode())
    assert [rank for rank, pair in enumerate(saved.pairs, 1) if saved.stands_out(pair)] == expected


@pytest.mark.parametrize("has_threshold", [True, False])
def test_a_grade_book_says_of_each_student_whether_a_pair_reaches_the_threshold(
    *, has_threshold: bool
) -> None:
    report = mixed_report(has_threshold=has_threshold)
    high = {
        side.name
        for rank in expected_in(report)
        for side in (report.pairs[rank - 1].left, report.pairs[rank - 1].right)
    }

    rows = [line.split(",") for line in written(report, "--grades").splitlines()[1:]]

    assert {row[0] for row in rows if row[5] == "yes"} == high


def test_results_without_a_threshold_have_the_groups_of_the_report(tmp_path: Path) -> None:
    report = mixed_report(has_threshold=False)
    write_html(report, tmp_path / "report", METADATA)

    groups = groups_of(results_in(written(report, "--json").encode()))

    assert len(groups) == len([*(tmp_path / "report" / "groups").iterdir()])


def test_a_gate_fails_by_its_own_score_in_every_output(tmp_path: Path) -> None:
    report, gate = mixed_report(), Gate(fail_above=50)
    found = Found(report, "", gate, METADATA)
    count = sum(pair.score >= 0.5 for pair in report.pairs)

    results = json.loads(content_of(found, "--sarif"))["runs"][0]["results"]
    assert sum(each["level"] == "error" for each in results) == count
    assert f"**{count} pairs** at or above score 0.5" in content_of(found, "--markdown")
    assert f"--fail-above 50: {count} pairs" in "\n".join(summary_lines(found, None))
    names = {each.name for p in report.pairs if p.score >= 0.5 for each in (p.left, p.right)}
    assert content_of(found, "--junit").count("<failure ") == len(names)
