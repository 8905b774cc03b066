"""The language of a report: as it is written, and as its reader wants it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import mosslite
from mosslite.options import Options
from mosslite.report import ReportMetadata, write_html
from tests.browser.conftest import CREATED, SAMPLES, VERSION
from tests.reports import told_report

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.browser.conftest import Open

PAGES = ("index.html", "pairs/1.html", "groups/1.html", "submissions/1.html")

# What a reader or a screen reader is told; a page says its own language in <html lang>.
TEXTS = """() => {
  const found = [document.documentElement.lang, document.title];
  const walker = document.createTreeWalker(document.body);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.TEXT_NODE) {
      const isShown = !node.parentElement.closest("script, noscript, .command");
      found.push(isShown ? node.nodeValue.trim() : "");
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      ["title", "aria-label", "data-label", "data-below"].forEach((name) => {
        found.push(node.getAttribute(name));
      });
    }
  }
  return found.filter(Boolean);
}"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One report in three languages, on all that intake can know and on a class."""
    folder = tmp_path_factory.mktemp("languages")
    java = SAMPLES / "java"
    told = replace(told_report("Zoe"), options=Options(comment="Score"))
    found = replace(mosslite.check(java / "submissions"), options=Options())
    for locale in ("en", "de", "fr"):
        metadata = ReportMetadata(CREATED, VERSION, locale)
        write_html(told, folder / "told" / locale, metadata)
        write_html(found, folder / "java" / locale, metadata)
    return {"told": folder / "told", "java": folder / "java"}


# A browser that has nothing left to do, and has drawn what there is.
AT_REST = "new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done)))"


def texts(page: Page) -> list[str]:
    """Return them once the page, which builds its parts one after the other, adds no more."""
    before, found = None, page.evaluate(TEXTS)
    while found != before:
        page.evaluate(AT_REST)
        before, found = found, page.evaluate(TEXTS)
    return [str(each) for each in found]


def switch_to(page: Page, locale: str) -> None:
    with page.expect_navigation():
        page.locator(".language-switch").select_option(locale)
    expect(page.locator("html")).to_have_attribute("lang", locale)


@pytest.mark.parametrize("languages", [("en", "de"), ("de", "en"), ("fr", "de")])
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("kind", ["told", "java"])
def test_a_switched_page_says_what_one_written_so_says(
    open_page: Open, reports: dict[str, Path], kind: str, path: str, languages: tuple[str, str]
) -> None:
    written, wanted = languages
    expected = texts(open_page(reports[kind] / wanted / path))

    page = open_page(reports[kind] / written / path)
    switch_to(page, wanted)

    assert texts(page) == expected


def test_a_choice_holds_on_the_next_page_and_in_the_address(
    open_page: Open, reports: dict[str, Path]
) -> None:
    page = open_page(reports["java"] / "en" / "index.html")
    switch_to(page, "de")
    assert "locale=de" in page.url

    page.locator("#pair-table a").first.click()
    page.wait_for_url("**/pairs/*.html?*locale=de*")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_scripts_speak_the_language_of_the_page(open_page: Open, reports: dict[str, Path]) -> None:
    page = open_page(reports["java"] / "de" / "index.html")
    page.keyboard.press("?")
    assert page.locator("#keys-heading").inner_text() == "Tastenk\u00fcrzel"
    assert "Paare" in page.locator("#filter-status").inner_text()


def test_the_title_of_hidden_names_is_in_the_language_of_the_page(
    open_page: Open, reports: dict[str, Path]
) -> None:
    page = open_page(reports["java"] / "en" / "pairs" / "1.html")
    page.get_by_role("button", name="Hide names").click()
    hidden = page.title()
    switch_to(page, "de")

    assert page.title() == hidden.replace("Submission", "Abgabe").replace(" and ", " und ").replace(
        "mosslite report", "mosslite-Bericht"
    )


def test_hostile_names_are_shown_in_every_language_and_do_nothing(
    open_page: Open, hostile: Path
) -> None:
    page = open_page(hostile / "index.html")
    before = page.locator("#pair-table .user-text").all_text_contents()
    for locale in ("de", "es", "fr", "en"):
        switch_to(page, locale)
        assert page.locator("#pair-table .user-text").all_text_contents() == before
