from dataclasses import replace

import pytest

from mosslite.options import Options
from mosslite.records import LanguageLimit, NoThreshold, Threshold, UnlistedPair
from mosslite.report.wording import not_listed, where_to_begin
from tests.reports import scored_report

REPORT = scored_report([(1, 2, 0.9), (3, 4, 0.7)], 5)
LIMITS = (
    LanguageLimit("java", 0.63, is_suggested=True),
    LanguageLimit("c", 0.5, is_suggested=False),
)


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (
            Threshold(0.68, 0.65, 0.7, 1.0, 12, 9, 3),
            "12 pairs of 9 submissions in 3 groups score 0.68 or higher (threshold uncertain: "
            "0.65-0.70). By chance alone, about 1 unrelated pair would be expected up there.",
        ),
        (
            Threshold(0.68, 0.65, 0.7, 14.0, 1, 2, 1),
            "1 pair of 2 submissions in 1 group scores 0.68 or higher (threshold uncertain: "
            "0.65-0.70). By chance alone, about 14 unrelated pairs would be expected up there.",
        ),
        (
            Threshold(0.12, 0.08, 0.16, 107.0, 107, 80, 3),
            "107 pairs of 80 submissions in 3 groups score 0.12 or higher (threshold uncertain: "
            "0.08-0.16). About as many unrelated pairs would be expected up there by chance: start "
            "at the top of the list.",
        ),
        (
            Threshold(0.47, 0.44, 0.5, 1.0, 0),
            "No pair scores 0.47 or higher (threshold uncertain: 0.44-0.50).",
        ),
        (
            Threshold(0.4, 0.3, 0.5, 1.0, 2, 4, 2, LIMITS),
            "2 pairs of 4 submissions in 2 groups score 0.40 or higher (threshold uncertain: "
            "0.30-0.50; Java 0.63, C 0.50 by default). By chance alone, about 1 "
            "unrelated pair would be expected up there.",
        ),
    ],
)
def test_what_stands_out_is_counted_beside_what_chance_would_bring(
    threshold: Threshold, words: str
) -> None:
    assert where_to_begin(replace(REPORT, threshold=threshold)) == words


@pytest.mark.parametrize(
    ("why", "begin", "limit"),
    [
        (NoThreshold.TOO_FEW, "Too few submissions to suggest a threshold: ", "0.50"),
        (NoThreshold.TOO_ALIKE, "No threshold can be suggested, as most scores are high", "0.90"),
        (NoThreshold.NO_GAP, "No threshold can be suggested, as thousands of pairs", "0.90"),
    ],
)
def test_without_a_threshold_the_top_of_the_list_is_where_to_begin(
    why: NoThreshold, begin: str, limit: str
) -> None:
    words = where_to_begin(replace(REPORT, threshold=None, no_threshold=why))
    assert words.startswith(begin)
    assert words.endswith(
        f": start at the top of the list (groups contain pairs with a score of {limit} or higher)."
    )
    assert "expected" not in words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, ""),
        (1, "1 more pair reaches the threshold but is not listed; -n 3 lists all"),
        (1200, "1,200 more pairs reach the threshold but are not listed; -n 1202 lists all"),
    ],
)
def test_what_is_not_listed_is_counted(count: int, words: str) -> None:
    cut = UnlistedPair(REPORT.submissions[0], REPORT.submissions[4], 0.6)
    report = replace(REPORT, unlisted=(cut,) * count, options=Options(show=2))
    assert not_listed(report) == words


def test_without_a_threshold_what_is_not_listed_has_a_score() -> None:
    cut = UnlistedPair(REPORT.submissions[0], REPORT.submissions[4], 0.6)
    report = replace(REPORT, unlisted=(cut,), threshold=None)
    assert not_listed(report).startswith("1 more pair scores 0.50 or higher but is not listed; -n ")
