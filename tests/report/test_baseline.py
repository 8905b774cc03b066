import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mosslite.errors import InputError
from mosslite.records import Report, Role, TokenizedSubmission
from mosslite.report.baseline import Gate, read_baseline, with_baseline
from mosslite.report.formats.csv_files import to_csv
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.json_files import written
from mosslite.report.review import reaches
from tests.reports import baseline_of, named, pair_of, report_of, scored_report

CODE = " ".join(f"word{number}" for number in range(200))
EDITED = f"{CODE} and a line more"
OTHER = " ".join(f"other{number}" for number in range(200))


def submissions_of(**texts: str) -> list[TokenizedSubmission]:
    return [named(name, texts=[text]) for name, text in texts.items()]


def one_pair(score: float = 0.8, *, ada: str = CODE, ben: str = CODE) -> Report:
    left, right = submissions_of(ada=ada, ben=ben)
    return report_of([left, right], [pair_of(left, right, score, (0, 4))])


def state_after(before: Report, after: Report) -> str | None:
    return with_baseline(after, baseline_of(before)).pairs[0].baseline


def saved(folder: Path, content: object) -> Path:
    path = folder / "baseline.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def content_of(report: Report) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(written(baseline_of(report)))
    return content


# --- what is known -------------------------------------------------------------------------------


def test_a_pair_of_the_same_code_and_score_is_unchanged() -> None:
    assert state_after(one_pair(), one_pair()) == "unchanged"


def test_a_pair_is_known_whichever_side_its_submissions_are_on() -> None:
    after = one_pair()
    turned = report_of(
        after.submissions, [pair_of(after.pairs[0].right, after.pairs[0].left, 0.8, (0, 4))]
    )
    assert state_after(one_pair(), turned) == "unchanged"


def test_a_pair_is_new_that_the_baseline_does_not_list() -> None:
    left, right = submissions_of(ada=CODE, eve=CODE)
    assert state_after(one_pair(), report_of([], [pair_of(left, right, 0.8)])) == "new"


def test_code_that_went_on_under_the_same_names_is_known_and_updated() -> None:
    assert state_after(one_pair(), one_pair(ada=EDITED)) == "updated"
    assert state_after(one_pair(), one_pair(ada=EDITED, ben=EDITED)) == "updated"


@pytest.mark.parametrize("side", ["ada", "ben"])
def test_other_code_under_the_same_names_is_new(side: str) -> None:
    # As where the baseline of another assignment is given.
    assert state_after(one_pair(), one_pair(**{side: OTHER})) == "new"  # type: ignore[arg-type]


def test_other_code_of_a_few_tokens_is_new() -> None:
    before = one_pair(ada="a b c d", ben="a b c d")
    assert state_after(before, one_pair(ada="a b c d", ben="a b c d")) == "unchanged"
    assert state_after(before, one_pair(ada="x y z u", ben="a b c d")) == "new"


@pytest.mark.parametrize(
    ("score", "state"),
    [(0.3, "unchanged"), (0.8, "unchanged"), (0.85, "unchanged"), (0.851, "new"), (1.0, "new")],
)
def test_a_known_pair_is_new_again_once_its_score_has_risen_by_more_than_five_hundredths(
    score: float, state: str
) -> None:
    assert state_after(one_pair(0.8), one_pair(score)) == state


def test_known_pairs_are_counted() -> None:
    assert with_baseline(one_pair(), baseline_of(one_pair())).known == 1
    assert with_baseline(one_pair(), baseline_of(report_of([], []))).known == 0


# --- what fails ----------------------------------------------------------------------------------


def test_without_a_baseline_every_pair_at_or_above_the_score_fails() -> None:
    left, right, other = submissions_of(ada=CODE, ben=CODE, eve=CODE)
    report = report_of([], [pair_of(left, right, 0.8), pair_of(left, other, 0.7999)])
    assert Gate(80).failing(report) == report.pairs[:1]
    assert Gate(0).failing(report) == report.pairs
    assert Gate().failing(report) == ()


def test_with_a_baseline_only_new_pairs_fail() -> None:
    report = one_pair()
    assert Gate(50).failing(with_baseline(report, baseline_of(report))) == ()
    assert Gate(50).failing(with_baseline(report, baseline_of(report, above=0.9)))


def test_a_score_reaches_its_own_percentage() -> None:
    assert all(reaches(percent / 100, percent) for percent in range(101))
    assert not reaches(0.7999, 80)


# --- the file ------------------------------------------------------------------------------------


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    baseline = baseline_of(one_pair(ben=EDITED))
    assert read_baseline(saved(tmp_path, content_of(one_pair(ben=EDITED)))) == baseline


def test_a_baseline_does_not_depend_on_the_order_of_the_pairs() -> None:
    ada, ben, eve = submissions_of(ada=CODE, ben=CODE, eve=CODE)
    one = report_of([ada, ben, eve], [pair_of(ada, ben, 0.8), pair_of(ada, eve, 0.9)])
    other = replace(one, pairs=one.pairs[::-1])
    assert written(baseline_of(one)) == written(baseline_of(other))


def test_the_json_results_of_a_check_make_a_baseline_of_the_pairs_above_a_score() -> None:
    ada, ben, eve = submissions_of(ada=CODE, ben=EDITED, eve=OTHER)
    report = report_of([ada, ben, eve], [pair_of(ada, ben, 0.8), pair_of(ben, eve, 0.7)])
    low, high, none = (baseline_of(report, above=score) for score in (0.7, 0.8, 0.81))
    assert [(pair.left, pair.right, pair.score) for pair in low.pairs] == [
        ("ada", "ben", 0.8),
        ("ben", "eve", 0.7),
    ]
    assert high.pairs == low.pairs[:1]
    assert [[submission.name for submission in each.submissions] for each in (low, high, none)] == [
        ["ada", "ben", "eve"],
        ["ada", "ben"],
        [],
    ]


def test_a_pair_that_was_deleted_by_hand_is_new(tmp_path: Path) -> None:
    baseline = read_baseline(saved(tmp_path, content_of(one_pair()) | {"pairs": []}))
    assert with_baseline(one_pair(), baseline).known == 0


def test_what_a_later_version_adds_is_skipped(tmp_path: Path) -> None:
    content = content_of(one_pair()) | {"more": 1}
    content["pairs"][0]["reason"] = "team"
    assert read_baseline(saved(tmp_path, content)) == baseline_of(one_pair())


@pytest.mark.parametrize(
    ("change", "obstacle"),
    [
        (
            {"kind": "other"},
            "'kind' is \"other\": it must be a value that 'mosslite schema' describes",
        ),
        ({"format": 2}, "it was written by another version of mosslite"),
        (
            {"kind": "other", "format": 2, "pairs": 3},
            "it was written by another version of mosslite",
        ),
        ({"format": None}, "'format' is null: it must be a whole number"),
        ({"pairs": {}}, "'pairs' is {}: it must be a list"),
        ({"submissions": None}, "'submissions' is null: it must be a list"),
        ({"submissions": [1]}, "'submissions[0]' is 1: it must be an object"),
        ({"submissions": []}, "a pair names a submission that is not listed"),
        ({"pairs": ["ada"]}, "'pairs[0]' is \"ada\": it must be an object"),
        (
            {"pairs": [{"left": "ada", "right": "ben"}]},
            "'pairs[0].score' is missing",
        ),
    ],
)
def test_what_is_wrong_in_a_baseline_is_said_in_one_line(
    tmp_path: Path, change: dict[str, object], obstacle: str
) -> None:
    path = saved(tmp_path, content_of(one_pair()) | change)
    with pytest.raises(InputError) as error:
        read_baseline(path)
    assert str(error.value) == f"{str(path)!r} is not a baseline: {obstacle}"


@pytest.mark.parametrize("score", [True, "0.5", -0.1, 1.1, 10**400, float("nan"), None])
def test_a_score_is_a_number_from_0_to_1(tmp_path: Path, score: object) -> None:
    content = content_of(one_pair())
    content["pairs"][0]["score"] = score
    with pytest.raises(InputError, match=r"^.*'pairs\[0\]\.score' is |it is not JSON$"):
        read_baseline(saved(tmp_path, content))


@pytest.mark.parametrize("key", ["code", "sketch"])
def test_digests_are_hexadecimal(tmp_path: Path, key: str) -> None:
    content = content_of(one_pair())
    content["submissions"][0][key] = "x" * 24
    with pytest.raises(InputError, match=rf"'submissions\[0\]\.{key}' is "):
        read_baseline(saved(tmp_path, content))


def test_nothing_is_listed_twice(tmp_path: Path) -> None:
    content = content_of(one_pair())
    twice = content | {"submissions": content["submissions"] * 2}
    with pytest.raises(InputError, match="two submissions have the same name"):
        read_baseline(saved(tmp_path, twice))
    turned = {"left": "ben", "right": "ada", "score": 0.1}
    with pytest.raises(InputError, match="a pair is listed twice"):
        read_baseline(saved(tmp_path, content | {"pairs": [*content["pairs"], turned]}))


def test_half_a_character_in_a_name_does_no_harm(tmp_path: Path) -> None:
    content = json.loads(json.dumps(content_of(one_pair())).replace("ada", r"a\ud800"))
    assert read_baseline(saved(tmp_path, content)).submissions[0].name == "a?"


def test_prior_work_is_known_as_any_other(tmp_path: Path) -> None:
    left, right = submissions_of(ada=CODE)[0], named("old", role=Role.PRIOR, texts=[CODE])
    report = report_of([left, right], [pair_of(left, right, 0.9)])
    path = saved(tmp_path, content_of(report))
    assert with_baseline(report, read_baseline(path)).pairs[0].baseline == "unchanged"


# --- results for readers distinguish known pairs of a baseline from new ones ---------------------


BADGE = '<span class="role">known</span>'


@pytest.fixture
def report() -> Report:
    found = scored_report([(1, 2, 0.9), (1, 3, 0.8)], 3)
    return with_baseline(found, baseline_of(found, above=0.85))


def pages(folder: Path, report: Report) -> dict[str, str]:
    write_html(report, folder / "report", ReportMetadata("", ""))
    return {
        path.relative_to(folder / "report").as_posix(): path.read_text(encoding="utf-8")
        for path in (folder / "report").rglob("*.html")
    }


def test_a_csv_says_what_each_pair_is_to_a_baseline(report: Report) -> None:
    rows = csv.DictReader(io.StringIO(to_csv(report)))
    assert [row["baseline"] for row in rows] == ["unchanged", "new"]


def test_lists_of_pairs_mark_known_ones(report: Report, tmp_path: Path) -> None:
    found = pages(tmp_path, report)
    assert {name: page.count(BADGE) for name, page in found.items() if BADGE in page} == {
        "index.html": 1,
        "submissions/1.html": 1,
        "submissions/2.html": 1,
        "groups/1.html": 1,
    }
    assert "1 listed pair is known from a baseline." in found["index.html"]


def test_the_page_of_a_pair_says_what_it_is_to_the_baseline(report: Report, tmp_path: Path) -> None:
    found = pages(tmp_path, report)
    assert "<dt>Baseline</dt><dd>known, unchanged</dd>" in found["pairs/1.html"]
    assert "<dt>Baseline</dt><dd>new</dd>" in found["pairs/2.html"]
