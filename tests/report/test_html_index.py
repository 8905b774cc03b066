import re
from dataclasses import replace
from pathlib import Path

from mosslite.options import Options
from mosslite.records import Skipped
from tests.pages import pair, parsed, report, submission, three_pairs, write


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
