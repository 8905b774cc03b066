"""Single keys: whose they are, and that none is lost on the way from page to page."""

import shutil
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open

MODIFIERS = ("Alt", "Control", "Meta", "Control+Alt")
MARKED = "() => Object.keys(localStorage).some((name) => name.startsWith('mosslite.review'))"


def states(page: Page) -> list[str]:
    rows = page.locator("#pair-table tr[data-state]")
    found: list[str] = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.state)")
    return found


def answered(page: Page, keys: list[str]) -> list[str]:
    """Press keys, of which the browser itself makes nothing; return those that the page took."""
    found: list[str] = page.evaluate(
        """(keys) => keys.filter((key) => {
            const [name, ...held] = key.split("+").reverse();
            const options = { key: name, bubbles: true, cancelable: true };
            for (const each of held) {
                options[`${each.replace("Control", "ctrl").toLowerCase()}Key`] = true;
            }
            return !(document.activeElement ?? document.body).dispatchEvent(
                new KeyboardEvent("keydown", options));
        })""",
        keys,
    )
    return found


@pytest.mark.parametrize("path", ["index.html", "pairs/1.html", "groups/2.html"])
def test_keys_with_a_modifier_are_the_browsers(report: Path, open_page: Open, path: str) -> None:
    page = open_page(report / path)
    page.keyboard.press("j") if path == "index.html" else None

    held = ["+".join(each) for each in product(MODIFIERS, "cdutjknpvmoelCDU?")]
    assert answered(page, held) == []
    assert not page.evaluate(MARKED)
    assert page.locator("dialog[open]").count() == 0
    assert answered(page, ["?"]) == ["?"]


def test_keys_pressed_before_the_scripts_are_there_count(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html").context.new_page()
    page.add_init_script("""
        const early = new MutationObserver(() => {
            if (!document.body) return;
            early.disconnect();
            for (const key of window.__early ?? []) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }
        });
        window.__early = location.pathname.includes("/pairs/7.html") ? ["c", "e"] : [];
        early.observe(document, { childList: true, subtree: true });
        addEventListener("load", () => {
            window.__stateAtLoad = document.getElementById("review").dataset.state;
        });
    """)

    page.goto((report / "pairs" / "7.html").as_uri())

    # Whoever leaves a page as soon as it is there has made the mark.
    assert page.evaluate("window.__stateAtLoad") == "confirmed"
    expect(page.locator("#review").get_by_label("Confirmed")).to_be_checked()
    expect(page.locator("#review textarea")).to_be_focused()
    page.close()


def test_keys_pressed_on_the_way_to_the_next_page_are_the_next_pages(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "1.html")

    # All in one turn of the page, as when a reader is faster than the browser.
    page.evaluate("""() => {
        for (const key of ["c", "j", "d", "j", "c", "o"]) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }
    }""")

    page.wait_for_url("**/index.html*", timeout=30_000)
    assert states(page)[:4] == ["confirmed", "dismissed", "confirmed", "todo"]


def test_text_typed_on_the_way_to_the_next_page_is_no_key(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.locator("#review textarea").evaluate(
        "(area) => area.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }))"
    )

    expect(page.locator("#review").get_by_label("To do")).to_be_checked()


# --- the next pair to do -------------------------------------------------------------------------


def test_t_does_not_pass_a_pair_without_a_mark_unsaid(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")

    page.keyboard.press("t")
    expect(page.locator("#bar-status")).to_have_text(
        "This pair has no mark yet. Press t again to leave it so."
    )
    assert page.url.split("?")[0].endswith("/pairs/1.html")

    page.keyboard.press("t")
    page.wait_for_url("**/pairs/2.html*")


def test_the_last_pair_to_do_is_not_called_looked_at(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    count = page.locator("#pair-table tr.is-high").count()
    for _ in range(count - 1):
        page.keyboard.press("j")
        page.keyboard.press("c")
    page.goto((report / "pairs" / f"{count}.html").as_uri())

    page.keyboard.press("t")
    page.keyboard.press("t")
    expect(page.locator("#bar-status")).to_have_text("No other pair is to do.")

    page.keyboard.press("c")
    page.keyboard.press("t")
    expect(page.locator("#bar-status")).to_have_text("Every pair has been looked at.")


# --- where a report lies -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pairs", "groups", "submissions"])
def test_a_report_is_no_other_for_the_name_of_its_folder(
    report: Path, open_page: Open, tmp_path: Path, name: str
) -> None:
    shutil.copytree(report, tmp_path / name)
    page = open_page(tmp_path / name / "index.html")
    page.locator("#filter-score").fill("0.1")
    page.locator("#pair-table a").first.click()
    page.wait_for_url(f"**/{name}/pairs/1.html?back=score*")

    page.locator(".pair-bar a").first.click()

    page.wait_for_url(f"**/{name}/index.html?score=0.1*")
    expect(page.locator("#filter-score")).to_have_value("0.1")
