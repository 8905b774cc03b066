"""The switch that hides names."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import mosslite
from tests.browser.conftest import Open, written
from tests.programs import program, write_files

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


# All of the page, with its attributes and data, but for the text of the sources.
WHOLE = """() => {
  const page = document.documentElement.cloneNode(true);
  const texts = "pre, .code, .diff .line-text, .diff .hole, .paper .line-text, .evidence";
  for (const code of page.querySelectorAll(texts)) code.remove();
  return page.outerHTML;
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
def test_hidden_names_are_in_no_part_of_a_page_and_come_back(
    report: Path, open_page: Open, path: str
) -> None:
    page = open_page(report / path)
    before = page.evaluate(SHOWN)
    assert names_on(page, report)

    hide(page)

    assert names_on(page, report) == []
    assert left_in(page.evaluate(WHOLE), [*names(report), *files_of(report)]) == []
    assert "Submission 1" in page.evaluate(SHOWN)

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
    assert "Zoe" in page.evaluate(SHOWN)

    hide(page)

    hidden = page.evaluate(SHOWN)
    assert "2026-11-22" not in hidden
    assert "Zoe" not in hidden
    # Where a reason names somebody, it does so in quotation marks.
    assert "Zoe" not in page.evaluate(WHOLE).replace("is an earlier attempt of Zoe one", "")


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


def files_of(report: Path) -> list[str]:
    found: set[str] = set()
    for path in (report / "sources").glob("*.js"):
        text = path.read_text(encoding="utf-8").partition("addSource(")[2].rstrip(");\n")
        found |= {file["name"] for file in json.loads(text)["files"]}
    return sorted(found)


def left_in(text: str, wanted: list[str]) -> list[str]:
    return [each for each in wanted if re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", text)]


def waiting_report(folder: Path) -> Path:
    """Return a report on two submissions of so many files that most of their diff waits."""
    for name in ("ann", "bob"):
        files = {f"class/{name}/{name}_{n}.py": program(n, functions=9) for n in range(24)}
        write_files(folder, files)
    found = mosslite.check(folder / "class")
    return written(found, folder)


def test_names_of_files_are_hidden_where_a_diff_waits_to_be_drawn(
    open_page: Open, tmp_path: Path
) -> None:
    report = waiting_report(tmp_path)
    page = open_page(report / "pairs" / "1.html")
    page.keyboard.press("v")
    page.wait_for_timeout(1500)
    assert page.locator("#diff .is-waiting").count() > 0
    hide(page)

    whole = page.evaluate("() => document.documentElement.outerHTML")
    assert left_in(whole, [*names(report), *files_of(report)]) == []
