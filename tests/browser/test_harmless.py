"""Text that means harm does none, on any kind of page."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open

FOLDERS = ("groups", "submissions", "pairs")


def pages(report: Path, folder: str) -> list[Path]:
    return sorted((report / folder).glob("*.html"))


def poke(page: Page) -> None:
    """Hover, click and type wherever a page reacts, but go nowhere."""
    page.evaluate(
        """() => {
          const off = (event) => event.preventDefault();
          document.addEventListener("click", off, true);
          document.addEventListener("submit", off, true);
          const reacting = "button, summary, a, label, [data-match]";
          for (const each of document.querySelectorAll(reacting)) {
            for (const type of ["mouseover", "mouseenter", "focus"]) {
              each.dispatchEvent(new Event(type));
            }
          }
          for (const each of document.querySelectorAll("button, [data-match]")) {
            if (each.className !== "review-button") each.click();
          }
          for (const each of document.querySelectorAll("details")) each.open = true;
        }"""
    )


def links(page: Page) -> list[str]:
    found: list[str] = page.evaluate("[...document.links].map((link) => link.protocol)")
    return found


def test_the_overview_does_no_harm(hostile: Path, open_page: Open) -> None:
    page = open_page(hostile / "index.html")

    poke(page)

    assert set(links(page)) == {"file:"}
    assert "{{7*7}}" in page.content()


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_other_page_does_harm(hostile: Path, open_page: Open, folder: str) -> None:
    assert pages(hostile, folder)
    for path in pages(hostile, folder)[:6]:
        page = open_page(path)
        poke(page)
        assert set(links(page)) <= {"file:"}


def test_only_scripts_of_ours_are_in_the_folder_and_on_the_pages(hostile: Path) -> None:
    for page in [hostile / "index.html", *hostile.glob("*/*.html")]:
        html = page.read_text(encoding="utf-8")
        ours = html.count('<script src="') + html.count('<script type="application/json" id="')
        assert html.count("<script") == ours
        assert "<svg onload" not in html
        assert "<img" not in html


def test_hidden_characters_are_spelled_out(hostile: Path, open_page: Open) -> None:
    page = open_page(hostile / "index.html")

    text = page.locator("body").inner_text()

    assert "U+202E" in text
    assert not set("\x1b\u2028\u202e\u200b") & set(text)


def test_a_note_in_a_review_file_is_text(hostile: Path, open_page: Open) -> None:
    page = open_page(hostile / "index.html")
    rank = page.locator("#pair-table tr.is-changed").first.get_attribute("data-pair")

    page.goto((hostile / "pairs" / f"{rank}.html").as_uri())

    assert "\x1b[31m" in page.locator("#review").get_by_label("Note").input_value()
