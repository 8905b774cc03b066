"""Pages on paper."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mosslite.options import Options
from mosslite.report.html.pages import head_style
from mosslite.texts import ENGLISH
from tests.browser.conftest import METADATA, PAYLOADS, Open, written
from tests.reports import scored_report


@pytest.mark.parametrize("path", ["index.html", "pairs/1.html"])
def test_a_page_prints_as_pdf(report: Path, open_page: Open, path: str, tmp_path: Path) -> None:
    page = open_page(report / path)

    made = page.pdf(path=tmp_path / "page.pdf", format="A4")

    assert made.startswith(b"%PDF-")
    assert len(made) > 10_000


@pytest.mark.parametrize(
    "path", ["index.html", "groups/1.html", "pairs/1.html", "submissions/1.html"]
)
def test_nothing_reaches_over_the_edge_of_the_paper(
    report: Path, open_page: Open, path: str
) -> None:
    page = open_page(report / path, width=720)
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") == 720


@pytest.mark.parametrize("state", ["Confirmed", "To do"])
def test_a_mark_and_a_note_are_printed_and_not_their_form(
    report: Path, open_page: Open, state: str
) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.locator("#review").get_by_label(state).check()
    page.locator("#review").get_by_label("Note").fill("seen by both of us")

    page.emulate_media(media="print")

    assert f"{state}. seen by both of us" in page.locator("#review").inner_text()
    assert page.locator(".review-form").is_hidden()
    assert page.locator(".names-switch").is_hidden()


MARGINS = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const [page] = sheet.cssRules;
  return Object.fromEntries([...page.cssRules].map((box) => [box.name, box.style.content]));
}"""


def margins(page: Page, options: Options) -> dict[str, str]:
    """Return what a browser makes of the margins of a report with these options."""
    found = replace(scored_report([(1, 2, 0.9)], 2), options=options)
    boxes: dict[str, str] = page.evaluate(MARGINS, head_style(found, METADATA, ENGLISH))
    return boxes


def test_each_sheet_has_title_size_threshold_date_version_and_its_number(
    report: Path, open_page: Open
) -> None:
    options = Options(comment="CS 101, Sheet 3", max_sharing=7)
    boxes = margins(open_page(report / "index.html"), options)

    for words in ("CS 101, Sheet 3", "2 submissions compared", "threshold 0.50", "-m 7"):
        assert words in boxes["top-left"]
    for words in ("2026-11-21 09:30", "mosslite 0.1.0", "counter(page)", "counter(pages)"):
        assert words in boxes["top-right"]


def test_no_title_ends_the_string_that_it_stands_in(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")

    for title in PAYLOADS:
        boxes = margins(page, Options(comment=title))
        assert sorted(boxes) == ["bottom-left", "top-left", "top-right"], title
        assert "2 submissions compared" in boxes["top-left"], title


def test_all_groups_are_printed_and_how_many_of_the_pairs_is_said(
    open_page: Open, tmp_path: Path
) -> None:
    pairs = [(n, n + 1, 0.9 - n / 1000) for n in range(1, 121, 2)]
    page = open_page(written(scored_report(pairs, 121), tmp_path) / "index.html")
    rows = page.locator("#group-table tbody tr")
    assert rows.count() < len(pairs)

    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert rows.count() == len(pairs)
    expect(page.locator("#filter-status")).to_be_visible()
    expect(page.locator("#filter-status")).to_have_text("60 of 60 pairs, the first 50 shown")
    expect(page.locator("#filter-name")).to_be_hidden()

    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows.count() < len(pairs)
