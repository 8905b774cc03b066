"""The switch that hides names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.browser.conftest import Open

PAGES = ("index.html", "groups/1.html", "submissions/1.html", "pairs/1.html")
# All that is shown or read out: text, but not that of the sources, titles and labels.
SHOWN = """() => {
  const body = document.body.cloneNode(true);
  const texts =
    "pre, .code, .diff, .paper, .evidence, .legend, .colophon, .strip, script, noscript";
  for (const code of body.querySelectorAll(texts)) code.remove();
  const labels = [...body.querySelectorAll("[title], [aria-label]")].map(
    (each) => `${each.title ?? ""} ${each.getAttribute("aria-label") ?? ""}`);
  return [document.title, body.textContent, ...labels].join("\\n");
}"""


def names(report: Path) -> list[str]:
    script = (report / "review-data.js").read_text(encoding="utf-8")
    found: list[str] = json.loads(script.partition("REVIEW = ")[2].rstrip(";\n"))["names"]
    return found


def hide(page: Page) -> None:
    page.get_by_role("button", name="Hide names").click()


def names_on(page: Page, report: Path) -> list[str]:
    shown = page.evaluate(SHOWN)
    return [name for name in names(report) if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", shown)]


@pytest.mark.parametrize("path", PAGES)
def test_no_name_is_left_on_a_page(report: Path, open_page: Open, path: str) -> None:
    page = open_page(report / path)
    assert names_on(page, report)

    hide(page)

    assert names_on(page, report) == []
    assert "Submission 1" in page.evaluate(SHOWN)


@pytest.mark.parametrize("path", PAGES)
def test_names_come_back(report: Path, open_page: Open, path: str) -> None:
    page = open_page(report / path)
    before = page.evaluate(SHOWN)

    hide(page)
    hide(page)

    assert page.evaluate(SHOWN) == before


def test_file_names_and_paths_are_hidden_too(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")
    assert ".java" in page.evaluate(SHOWN)
    hide(page)
    assert ".java" not in page.evaluate(SHOWN)

    page.goto((report / "index.html").as_uri())
    assert "submissions/" not in page.locator("header").inner_text()


@pytest.mark.parametrize("path", PAGES)
def test_what_the_platform_told_is_hidden_too(told: Path, open_page: Open, path: str) -> None:
    page = open_page(told / path)
    before = page.evaluate(SHOWN)
    assert "Zoe" in before

    hide(page)
    hidden = page.evaluate(SHOWN)
    assert "2026-11-22" not in hidden
    # Where a reason names somebody, it does so in quotation marks.
    assert "Zoe" not in hidden.replace("is an earlier attempt of Zoe one", "")

    hide(page)
    assert page.evaluate(SHOWN) == before


def test_the_switch_is_remembered_on_all_pages(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    hide(page)

    for path in PAGES:
        page.goto((report / path).as_uri())
        assert names_on(page, report) == []
        expect(page.get_by_role("button", name="Hide names")).to_have_attribute(
            "aria-pressed", "true"
        )


def test_a_browser_that_remembers_nothing_is_told_by_the_links(
    report: Path, browser: Browser
) -> None:
    page = browser.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } });"
    )
    page.goto((report / "index.html").as_uri())
    hide(page)

    page.locator("#pair-table [data-pair='1'] a").first.click()
    page.wait_for_url("**/pairs/1.html?*")
    assert names_on(page, report) == []

    page.go_back()
    page.locator(".graph .node:visible").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/submissions/*.html?*")
    assert names_on(page, report) == []
    page.close()


def test_names_in_the_title_of_the_tab_are_hidden(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")

    hide(page)

    assert re.fullmatch(r"Submission \d+ and Submission \d+ - mosslite report", page.title())
