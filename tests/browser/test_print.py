"""Pages on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.browser.conftest import Open


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


def test_a_mark_is_printed_and_not_its_form(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.locator("#review").get_by_label("Confirmed").check()
    page.locator("#review").get_by_label("Note").fill("seen by both of us")

    page.emulate_media(media="print")

    assert "Confirmed. seen by both of us" in page.locator("#review").inner_text()
    assert page.locator(".review-form").is_hidden()
    assert page.locator(".names-switch").is_hidden()


def test_a_note_on_a_pair_that_is_still_to_do_is_printed(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.locator("#review").get_by_label("Note").fill("ask the tutor first")

    page.emulate_media(media="print")

    assert "To do. ask the tutor first" in page.locator("#review").inner_text()
