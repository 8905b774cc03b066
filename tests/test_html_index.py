import re
from dataclasses import replace
from pathlib import Path

from mosslite.options import Options
from mosslite.records import Role, Skipped
from tests.pages import pair, parsed, report, submission, three_pairs, write


def test_the_index_says_first_what_was_compared_and_what_came_of_it(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    assert [each.text for each in page.of_tag("p")][:2] == [
        "3 submissions compared: 3 pairs of 3 submissions in 1 group to review.",
        "3 submissions, one per folder in submissions/",
    ]


def test_the_index_says_that_similarity_is_not_a_verdict(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    assert "Similarity is evidence, not a verdict" in [each.text for each in page.of_tag("h2")]


def test_the_title_of_a_report_is_its_comment(tmp_path: Path) -> None:
    titled = replace(three_pairs(), options=Options(comment="Sheet 6"))
    assert parsed(write(titled, tmp_path / "a")).of_tag("h1")[0].text == "Sheet 6"
    assert parsed(write(three_pairs(), tmp_path / "b")).of_tag("h1")[0].text == "mosslite report"


def test_the_ranking_keeps_the_order_of_the_pairs_and_links_each_name(tmp_path: Path) -> None:
    page = parsed(write(three_pairs(), tmp_path / "report"))
    links = [each for each in page.of_tag("a") if each.attributes["href"].startswith("pairs/")]
    worst, graph = 4, 3  # links; of a group no more than two pairs are singled out
    assert [(each.text, each.attributes["href"]) for each in links[worst:-graph]] == [
        ("ada", "pairs/1.html"),
        ("ben", "pairs/1.html"),
        ("ada", "pairs/2.html"),
        ("eve", "pairs/2.html"),
        ("ben", "pairs/3.html"),
        ("eve", "pairs/3.html"),
    ]


def test_a_row_of_the_ranking_has_all_numbers_of_its_pair(tmp_path: Path) -> None:
    page = parsed(write(report(pair(submission("ada"), submission("ben"))), tmp_path / "report"))
    labels = [each for each in page.of_tag("td") if "data-label" in each.attributes][:10]
    assert {each.attributes["data-label"]: each.text.strip() for each in labels} == {
        "Rank": "1",
        "Left": "ada",
        "Left %": "90 %",
        "Right": "ben",
        "Right %": "33 %",
        "Score": "0.99",
        "Lines": "140",
        "Longest": "220",
        "Others": "0",
        "Review": "",
    }


def test_who_is_not_being_graded_has_a_badge(tmp_path: Path) -> None:
    old, model = submission("old", role=Role.PRIOR), submission("model", role=Role.REFERENCE)
    index = write(
        report(pair(submission("ada"), old), pair(submission("ada"), model)), tmp_path / "report"
    )
    shown = [each.text for each in parsed(index).of_class("role")]
    assert shown == ["prior", "reference"] * 3  # the worst pairs, all pairs, all submissions
    assert [each.text for each in parsed(index.parent / "pairs/2.html").of_class("role")] == [
        "reference"
    ]


def test_what_was_skipped_is_listed_with_its_reason(tmp_path: Path) -> None:
    skipping = replace(three_pairs(), skipped=(Skipped("a/b.class", "holds NUL bytes"),))
    page = parsed(write(skipping, tmp_path / "report"))
    assert [each.text for each in page.of_tag("bdi")][-3:-1] == ["a/b.class", "holds NUL bytes"]
    assert (
        "3 submissions compared, 1 skipped: 3 pairs of 3 submissions in 1 group to review."
        in page.elements[0].text
    )


def test_warnings_are_listed(tmp_path: Path) -> None:
    page = parsed(write(replace(three_pairs(), warnings=("one", "<two>")), tmp_path / "report"))
    assert [each.text for each in page.of_tag("li")][:2] == ["one", "<two>"]


def test_the_parameters_of_the_run_are_listed(tmp_path: Path) -> None:
    options = Options(language="java", max_sharing=10, show=0)
    run = replace(three_pairs(), options=options, base=("base/A.java",))
    text = parsed(write(run, tmp_path / "report")).of_class("run")[0].text
    for words in (
        "java",
        "base/A.java",
        "in more than 10 submissions",
        "all",
        "mosslite 0.1.0",
        "2026-11-21 09:30",
    ):
        assert words in text
    assert re.sub(r"\s+", " ", text).startswith(" LanguageFileskt Java31220")


def test_a_report_without_pairs_says_so_and_has_no_table_of_them(tmp_path: Path) -> None:
    index = write(replace(three_pairs(), pairs=()), tmp_path / "report")
    page = parsed(index)
    assert "no pair shares code" in page.of_class("lead")[0].text
    assert page.of_class("empty")
    assert not page.of_class("ranking")
    assert list(index.parent.glob("pairs/*")) == []
