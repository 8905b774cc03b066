import re
from dataclasses import replace
from html.parser import HTMLParser

import cmarkgfm  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.display import one_line
from mosslite.options import Options
from mosslite.records import Report, Skipped
from mosslite.report.baseline import Gate, with_baseline
from mosslite.report.formats.markdown import MOST_NOTES, MOST_PAIRS, literal, to_markdown
from tests.builders import LAW
from tests.reports import baseline_of, named, pair_of, report_of, scored_report

# Nothing fails, and nothing is known.
OPEN = Gate()

# What a name may hold that Markdown, HTML or a code host would make something of.
HOSTILE = (
    "<script>alert(1)</script>",
    "![x](http://e.vil/x.png)",
    "[x](javascript:alert(1))",
    "@ann #1 GH-1 org/repo#1 0123456789abcdef0123456789abcdef01234567",
    "www.e.vil http://e.vil ann@e.vil",
    "a | b || c|",
    r"a\|b\\|c\`|",
    "`a` ``b`` ```",
    "` ",
    "a`|`b",
    "**a** _b_ ~c~ $x$ :fox:",
    "# a",
    "- a",
    "&lt;b&gt; &#64;ann",
    "a\n\n# b\n| c |",
    "<!-- a",
)


class Rendered(HTMLParser):
    """What GitHub's renderer makes of Markdown: its tags, and the texts of its cells."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.outside = ""
        self._code = self._cell = False
        self.feed(cmarkgfm.github_flavored_markdown_to_html(markdown))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._code = self._code or tag == "code"
        if tag == "td":
            self._cell = True
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._code = self._code and tag != "code"
        self._cell = self._cell and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.cells[-1] += data
        if not self._code:
            self.outside += data


PLAIN_TAGS = {
    *("h2", "p", "strong", "code", "ul", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}


def a_pair(left: str, right: str = "bob") -> Report:
    submissions = named(left), named(right)
    return report_of(submissions, [pair_of(*submissions, 0.93, matched_lines=1200)])


def test_a_pair_is_a_row_with_its_numbers() -> None:
    rendered = Rendered(to_markdown(a_pair("ann"), Gate(80)))
    assert rendered.cells[:5] == ["ann", "bob", "0.93", "60 %", "1,200"]
    assert rendered.cells[5] == "fails"


def test_it_says_what_was_compared_and_that_similarity_is_not_a_verdict() -> None:
    text = to_markdown(a_pair("ann"), Gate(80))
    assert "2 submissions compared. **1 pair** at or above score 0.8." in text
    assert "Similarity is evidence, not a verdict." in text


def test_without_a_score_to_fail_at_the_pairs_that_stand_out_are_counted() -> None:
    report = scored_report([(1, 2, 0.5), (1, 3, 0.49)], 3)
    text = to_markdown(report, OPEN)
    assert "**1 pair** at or above score 0.50." in text
    assert "fails" not in text


@pytest.mark.parametrize(
    ("fail_above", "said"),
    [
        (50, "**at least 2 pairs** at or above score 0.5."),
        (60, "**1 pair** at or above score 0.6."),
        (None, "**at least 2 pairs** at or above score 0.50."),
    ],
)
def test_where_the_report_is_full_of_them_there_may_be_more(
    fail_above: float | None, said: str
) -> None:
    report = scored_report([(1, 2, 0.9), (1, 3, 0.5)], 3)
    assert said in to_markdown(replace(report, options=Options(show=2)), Gate(fail_above))


def test_it_is_said_why_no_threshold_is_suggested() -> None:
    text = to_markdown(scored_report([(1, 2, 0.9)], 2, threshold=None), OPEN)
    assert "at or above score 0.50. Too few submissions to suggest a threshold" in text


def test_what_is_not_equal_never_scores_1() -> None:
    assert "| 0.99 |" in to_markdown(scored_report([(1, 2, 0.9999)], 2), OPEN)


def test_known_pairs_are_marked_and_do_not_count() -> None:
    report = scored_report([(1, 2, 0.9), (1, 3, 0.8)], 3)
    text = to_markdown(with_baseline(report, baseline_of(report, above=0.85)), Gate(80))
    assert "**1 new pair** at or above score 0.8. 1 known pair not counted." in text
    assert [row.rsplit("|", 2)[1].strip() for row in text.splitlines() if "`work" in row] == [
        "**fails**",
        "known",
    ]


def test_pairs_beyond_the_most_are_counted() -> None:
    count = MOST_PAIRS + 3
    text = to_markdown(scored_report([(1, n, 0.9) for n in range(2, count + 1)], count), OPEN)
    assert text.count("| `work 1` |") == MOST_PAIRS
    assert "2 more pairs not in this table." in text


def test_skipped_files_and_warnings_are_listed_as_far_as_they_are_few() -> None:
    skipped = tuple(Skipped(f"{n}.class", "is binary") for n in range(MOST_NOTES + 2))
    text = to_markdown(replace(a_pair("ann"), skipped=skipped, warnings=("few <b>",)), OPEN)
    assert text.count("`is binary`") == MOST_NOTES
    assert "- and 2 more" in text
    assert "- `few <b>`" in text


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_shows_as_it_is_and_nothing_in_it_is_active(name: str) -> None:
    report = replace(
        a_pair(name),
        options=Options(comment=name),
        skipped=(Skipped(name, name),),
        warnings=(name,),
    )
    rendered = Rendered(to_markdown(report, Gate(80)))
    assert rendered.tags <= PLAIN_TAGS
    shown = " ".join(rendered.cells[0].split())
    assert shown == " ".join(one_line(name).split())
    assert rendered.cells[1:5] == ["bob", "0.93", "60 %", "1,200"]


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_a_name_stands_outside_a_code_span_but_bars(name: str) -> None:
    # A code host looks for mentions and references everywhere else, after Markdown is rendered.
    outside = Rendered(f"{literal(name)}\n").outside
    assert re.fullmatch(r"[|\n]*", outside)


@LAW
@given(st.text("ab`|\\<>&@ *_[]()#\n-", min_size=1, max_size=12).filter(str.strip))
def test_any_name_is_one_cell_that_shows_it(name: str) -> None:
    rendered = Rendered(f"| a | b |\n|---|---|\n| {literal(name)} | x |\n")
    assert rendered.tags <= PLAIN_TAGS
    first, *_ = rendered.cells
    assert "".join(first.split()) == "".join(one_line(name).split())
    assert [cell.strip() for cell in rendered.cells[1:]] == ["x"]


def test_without_pairs_there_is_no_table() -> None:
    assert "|" not in to_markdown(report_of([named("ann")], []), OPEN)
