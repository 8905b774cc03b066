"""A pair's page in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import mosslite
from mosslite.report import ReportMetadata, write_html
from tests.browser.conftest import wait_until
from tests.programs import write_files

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Open

SAMPLES = Path(__file__).parents[2] / "samples" / "java" / "submissions"


def pair_with_matches(report: Path) -> int:
    """Return the rank of the first pair that has several matches."""
    for path in sorted((report / "pairs").glob("*.html"), key=lambda each: int(each.stem)):
        if len(re.findall(r"data-row=", path.read_text(encoding="utf-8"))) > 2:
            return int(path.stem)
    pytest.fail("no pair has three matches")


@pytest.fixture
def page(report: Path, open_page: Open) -> Page:
    return open_page(report / "pairs" / f"{pair_with_matches(report)}.html")


def top_of(page: Page, side: str, number: int) -> float:
    """Return how far below the top of its pane a match's badge is, in pixels."""
    top: float = page.evaluate(
        """(id) => {
          const badge = document.getElementById(id);
          const pane = badge.closest(".pane");
          return badge.getBoundingClientRect().top - pane.getBoundingClientRect().top;
        }""",
        f"{side}-{number}",
    )
    return top


def scrolled(page: Page, side: str) -> float:
    height: float = page.evaluate(f"document.getElementById('{side}-pane').scrollTop")
    return height


# --- the sources ---------------------------------------------------------------------------------


def test_both_sides_are_complete(page: Page) -> None:
    names = page.locator("h1 [data-submission]").all_inner_texts()

    for side, name in zip(("left", "right"), names, strict=True):
        files = sorted((SAMPLES / name).rglob("*.*"))
        counts = [len(file.read_text(encoding="utf-8").splitlines()) for file in files]
        assert page.locator(f"#{side}-pane .line").count() == sum(counts)


def test_each_match_has_its_number_on_both_sides(page: Page) -> None:
    matches = page.locator("#match-list tbody tr").count()

    for side in ("left", "right"):
        numbers = page.locator(f"#{side}-pane .badge").all_text_contents()
        assert sorted(map(int, numbers)) == list(range(1, matches + 1))


@pytest.mark.parametrize("view", ["matches", "diff", "paper"])
def test_the_lines_of_a_notebook_are_numbered_by_cell(
    told: Path, open_page: Open, view: str
) -> None:
    page = open_page(told / "pairs" / "1.html")
    if view == "diff":
        page.get_by_role("radio", name="Diff").check()
    if view == "paper":
        page.evaluate("dispatchEvent(new Event('beforeprint'))")

    # The third line is the heading of the second cell.
    assert numbers_of(page, view, "left") == ["1", "2", "", "1"]
    assert numbers_of(page, view, "right") == ["1", "2", "3", "4"]


def numbers_of(page: Page, view: str, side: str) -> list[str]:
    """Return the numbers beside the lines of a side."""
    if view == "matches":
        shown = "(line) => getComputedStyle(line, '::before').content.replaceAll('\"', '')"
        lines = page.locator(f"#{side}-pane .line")
    else:
        shown = "(cell) => cell.lastChild?.nodeName === '#text' ? cell.lastChild.data : ''"
        column = 1 if side == "left" else 3
        lines = page.locator(f"#{view} td.line-number:nth-child({column})")
    found: list[str] = lines.evaluate_all(f"(lines) => lines.map({shown})")
    return found


def test_n_and_p_step_through_the_matches_and_around(page: Page) -> None:
    count = page.locator("#match-list tbody tr").count()
    status = page.locator("#step-status")
    expect(status).to_contain_text(f"Match 1 of {count}")

    page.keyboard.press("n")
    expect(status).to_contain_text(f"Match 2 of {count}")
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(status).to_contain_text(f"Match {count} of {count}")
    page.locator("#step-on").click()
    expect(status).to_contain_text(f"Match 1 of {count}")


def test_the_status_counts_as_the_list_does(tmp_path: Path, open_page: Open) -> None:
    code = "".join(f"def f{number}(a, b):\n    return a * {number} + b\n" for number in range(99))
    write_files(tmp_path, {"class/ada.py": code, "class/ben.py": code})
    write_html(
        mosslite.check(tmp_path / "class"), tmp_path / "report", ReportMetadata("now", "0.1.0")
    )

    page = open_page(tmp_path / "report" / "pairs" / "1.html")

    tokens = page.locator("#match-list .tokens").inner_text()
    assert "," in tokens
    expect(page.locator("#step-status")).to_contain_text(f"{tokens} tokens")


def test_single_keys_can_be_switched_off_for_all_pairs(page: Page) -> None:
    status = page.locator("#step-status")
    page.get_by_label("Keys", exact=True).uncheck()
    assert page.locator("kbd").first.is_hidden()

    for address in (page.url, page.locator(".pair-nav a[rel=next]").evaluate("(a) => a.href")):
        page.goto(address)
        for key in ("n", "]"):
            page.keyboard.press(key)
        assert page.url == address
        expect(status).to_contain_text("Match 1 of")

    page.get_by_label("Keys", exact=True).check()
    page.keyboard.press("[")
    page.wait_for_url(lambda url: url != address)


def test_a_click_on_a_match_aligns_the_other_side(page: Page) -> None:
    page.locator("#left-pane .badge").nth(1).click()

    number = int(page.locator("#left-pane .badge").nth(1).inner_text())
    expect(page.locator("#step-status")).to_contain_text(f"Match {number} of")
    assert page.locator(f"#right-{number}").is_visible()


def test_a_row_of_the_list_shows_its_match_on_both_sides(page: Page) -> None:
    page.locator("#match-list .badge").nth(2).click()

    for side in ("left", "right"):
        assert 0 <= top_of(page, side, 3) <= 900


# --- room ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("height", [650, 900])
@pytest.mark.parametrize("width", [1024, 1366])
def test_the_lists_and_the_form_keep_their_room_whatever_is_open(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.locator("#formula").evaluate("(formula) => formula.open = true")
    page.locator("#review").get_by_label("Dismissed").check()

    assert page.locator("#panels").evaluate("(lists) => lists.clientHeight") >= 0.25 * height
    for panel in page.locator(".panel").all():
        assert panel.evaluate("(node) => node.scrollHeight - node.clientHeight") <= 1


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1366, 600)])
def test_a_page_that_scrolls_begins_at_its_head_and_goes_to_the_sources_when_asked(
    page: Page, width: int, height: int
) -> None:
    address = page.url
    page.goto("about:blank")  # or the browser would go back to where it was on the page
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    page.wait_for_timeout(200)

    assert page.evaluate("scrollY") == 0
    assert 0 <= top_of(page, "left", 1) <= height
    page.keyboard.press("n")
    assert page.evaluate("scrollY") > 0


# --- scrolling together --------------------------------------------------------------------------


def wheel(page: Page, side: str) -> None:
    before = scrolled(page, side)
    page.locator(f"#{side}-pane").hover()
    page.mouse.wheel(0, 400)
    wait_until(page, f"document.getElementById('{side}-pane').scrollTop > {before}")
    page.wait_for_timeout(200)


def test_the_sides_scroll_together_until_that_is_switched_off(page: Page) -> None:
    page.evaluate("document.getElementById('sources').scrollIntoView()")
    page.evaluate("for (const p of document.querySelectorAll('.pane')) p.scrollTop = 0")
    wheel(page, "left")
    assert scrolled(page, "left") > 0
    wait_until(page, "document.getElementById('right-pane').scrollTop > 0")

    page.get_by_label("Scroll together").uncheck()
    before = scrolled(page, "right")
    wheel(page, "left")

    assert scrolled(page, "right") == before


def test_the_switch_is_remembered(page: Page) -> None:
    page.get_by_label("Scroll together").uncheck()
    page.reload()

    expect(page.get_by_label("Scroll together")).not_to_be_checked()


# --- views ---------------------------------------------------------------------------------------


def test_only_matches_hides_what_is_in_none(page: Page) -> None:
    lines = page.locator(".pane .line:visible")
    before = lines.count()

    page.get_by_label("Only matches").check()
    assert 0 < lines.count() < before

    page.get_by_label("Only matches").uncheck()
    assert lines.count() == before


def test_the_diff_shows_both_sides_row_by_row(page: Page) -> None:
    page.get_by_role("radio", name="Diff").check()

    expect(page.locator("#diff")).to_be_visible()
    expect(page.locator("#columns")).to_be_hidden()
    assert page.locator("#diff tbody tr").count() > 10
    assert page.locator("#diff .is-changed").count() > 0


def test_a_step_leads_from_the_diff_back_to_the_matches(page: Page) -> None:
    page.get_by_role("radio", name="Diff").check()

    page.keyboard.press("n")

    expect(page.locator("#columns")).to_be_visible()


def test_files_can_be_folded(page: Page) -> None:
    summary = page.locator("#left-pane .file summary").first
    lines = page.locator("#left-pane .file").first.locator(".line:visible")
    assert lines.count()

    summary.click()

    assert lines.count() == 0


# --- from pair to pair ---------------------------------------------------------------------------


def test_previous_and_next_pair_are_one_step_away(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "2.html")

    page.locator("a[rel=next]").click()
    page.wait_for_url("**/pairs/3.html*")
    page.locator("a[rel=prev]").click()
    page.wait_for_url("**/pairs/2.html*")
    page.keyboard.press("]")
    page.wait_for_url("**/pairs/3.html*")


def test_typing_a_note_steps_nowhere(page: Page) -> None:
    page.locator("#review").get_by_label("Note").click()
    page.keyboard.type("nnpp[]")

    expect(page.locator("#step-status")).to_contain_text("Match 1 of")
    expect(page.locator("#review").get_by_label("Note")).to_have_value("nnpp[]")


def test_a_line_of_rare_evidence_is_brought_into_view(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")

    page.locator("#rare-list .line-link").last.click()

    expect(page.locator(".pane .is-target").last).to_be_in_viewport()


@pytest.mark.parametrize("width", [360, 800])
def test_a_match_that_is_chosen_comes_into_sight_where_the_page_scrolls(
    report: Path, open_page: Open, width: int
) -> None:
    page = open_page(report / "pairs" / "1.html", width=width)

    page.locator("#match-list [data-row='1'] a").first.click()

    expect(page.locator("#left-file-0 .badge[data-match='1']").first).to_be_in_viewport()
