"""The overview, its table and threshold, and the pages of groups and submissions, in a browser."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from mosslite.options import Options
from mosslite.records import LanguageLimit, UnlistedPair
from tests.browser.conftest import Open, wait_until, written
from tests.reports import scored_report


@pytest.fixture
def page(report: Path, open_page: Open) -> Page:
    return open_page(report / "index.html")


def rows(page: Page) -> Locator:
    return page.locator("#pair-table tbody tr:visible")


def column(page: Page, label: str) -> list[str]:
    return page.locator(f"#pair-table tbody tr:visible td[data-label='{label}']").all_inner_texts()


def heading(page: Page, label: str) -> Locator:
    return page.locator("#pair-table thead button", has_text=re.compile(f"^{label}$"))


def number_in(text: str) -> int:
    found = re.match(r"\d+", text)
    return int(found.group()) if found else 0


# --- the table of pairs --------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["Lines", "Longest", "Score"])
def test_a_click_on_a_number_sorts_from_the_top_and_another_from_the_bottom(
    page: Page, label: str
) -> None:
    heading(page, label).click()
    numbers = [float(text) for text in column(page, label)]
    assert numbers == sorted(numbers, reverse=True)

    heading(page, label).click()
    numbers = [float(text) for text in column(page, label)]
    assert numbers == sorted(numbers)


def test_names_are_sorted_from_the_start_by_keyboard(page: Page) -> None:
    heading(page, "Left").focus()
    page.keyboard.press("Enter")

    names = column(page, "Left")
    assert names == sorted(names)
    expect(page.locator("#pair-table th[aria-sort='ascending']")).to_have_text("Left")


def test_the_table_is_searched_by_name(page: Page) -> None:
    name = column(page, "Left")[3].split()[0]
    page.locator("#filter-name").fill(name)

    pairs = [*zip(column(page, "Left"), column(page, "Right"), strict=True)]
    assert pairs
    assert all(name in left + right for left, right in pairs)
    expect(page.locator("#filter-status")).to_contain_text(f"{len(pairs)} of ")


def test_the_table_is_filtered_by_score(page: Page) -> None:
    page.locator("#filter-score").fill("0.5")

    scores = [float(text) for text in column(page, "Score")]
    assert scores
    assert min(scores) >= 0.5


def test_a_row_leads_to_its_pair(page: Page) -> None:
    rows(page).nth(1).get_by_role("link").first.click()

    page.wait_for_url("**/pairs/2.html*")
    expect(page.locator("header")).to_contain_text("Pair 2 of")


# --- the threshold and what follows it -----------------------------------------------------------


def test_counts_and_groups_follow_the_threshold(page: Page) -> None:
    slider = page.locator("#threshold")
    before = page.locator("#look").inner_text()

    slider.fill("0.001")
    expect(page.locator("#look")).not_to_have_text(before)
    page.locator("#more-all").click()
    assert number_in(page.locator("#look").inner_text()) == rows(page).count()
    expect(page.locator("#groups-moved")).to_be_visible()

    slider.fill("1")
    expect(page.locator("#look")).to_have_text("no pair reaches the threshold")
    expect(page.locator("#group-table")).to_be_hidden()


def test_a_report_that_is_full_says_that_there_may_be_more(open_page: Open, tmp_path: Path) -> None:
    full = scored_report([(1, 2, 0.9), (2, 3, 0.4)], 3)
    shown = replace(full, options=Options(show=2))
    page = open_page(written(shown, tmp_path) / "index.html")
    expect(page.locator("#look")).to_have_text("1 pair of 2 submissions in 1 group to review")

    page.locator("#threshold").fill("0.3")

    expect(page.locator("#look")).to_have_text(
        "at least 2 pairs of 3 submissions in 1 group to review"
    )


def test_limits_of_languages_move_with_the_threshold(open_page: Open, tmp_path: Path) -> None:
    found = scored_report([(1, 2, 0.9), (3, 4, 0.6), (5, 6, 0.4)], 6, threshold=0.3)
    assert found.threshold is not None
    higher = (LanguageLimit("text", 0.7, is_suggested=False),)
    shown = replace(found, threshold=replace(found.threshold, languages=higher))
    page = open_page(written(shown, tmp_path) / "index.html")
    high = page.locator("#pair-table tr.is-high")
    expect(high).to_have_count(1)

    page.locator("#threshold").fill("0.2")
    expect(high).to_have_count(2)
    expect(page.locator("#look")).to_have_text("2 pairs of 4 submissions in 2 groups to review")

    page.locator("#threshold").fill("0.3")
    expect(high).to_have_count(1)


def test_a_matrix_keeps_names_whole_and_stays_within_the_page_and_the_paper(
    open_page: Open, tmp_path: Path
) -> None:
    pairs = [(left, right, 0.9) for left, right in combinations(range(1, 41), 2)]
    page = open_page(written(scored_report(pairs, 40), tmp_path) / "groups" / "1.html", width=720)

    name, score = page.locator(".matrix th a").first, page.locator(".matrix td a").first
    assert name.bounding_box()["height"] <= 1.5 * score.bounding_box()["height"]  # type: ignore[index]
    assert page.evaluate("document.documentElement.scrollWidth") == 720
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") == 720


def test_members_of_a_group_are_drawn_though_its_pairs_are_not_listed(
    open_page: Open, tmp_path: Path
) -> None:
    found = scored_report([(1, 2, 0.95), (2, 3, 0.95), (4, 5, 0.9), (5, 6, 0.9)], 6)
    cut = replace(
        found,
        pairs=found.pairs[:2],
        unlisted=tuple(UnlistedPair(pair.left, pair.right, pair.score) for pair in found.pairs[2:]),
    )
    page = open_page(written(cut, tmp_path) / "index.html")
    expect(page.locator(".graph .node:visible")).to_have_count(6)

    page.locator("#threshold").fill("0.92")
    expect(page.locator(".graph .node:visible")).to_have_count(3)

    page.locator("#threshold-reset").click()
    expect(page.locator(".graph .node:visible")).to_have_count(6)


def test_the_picture_has_the_groups_of_three_and_more_at_any_threshold(
    open_page: Open, tmp_path: Path
) -> None:
    found = scored_report([(1, 2, 0.9), (2, 3, 0.9), (4, 5, 0.8), (5, 6, 0.4)], 6)
    page = open_page(written(found, tmp_path) / "index.html")
    nodes = page.locator(".graph .node:visible")
    expect(nodes).to_have_count(3)

    page.locator("#threshold").fill("0.3")
    expect(nodes).to_have_count(6)
    expect(page.locator(".graph .edge:not([hidden])")).to_have_count(4)

    page.locator("#threshold").fill("0.95")
    expect(page.locator("#graph")).to_be_hidden()


def test_the_threshold_is_moved_by_keyboard_and_back(page: Page) -> None:
    before = page.locator("#threshold-value").inner_text()
    page.locator("#threshold").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#threshold-value")).not_to_have_text(before)

    page.locator("#threshold-reset").click()

    expect(page.locator("#threshold-value")).to_have_text(before)
    expect(page.locator("#groups-suggested")).to_be_visible()


# --- a long page ---------------------------------------------------------------------------------


def test_the_navigation_stays_in_sight_and_says_where_one_is(page: Page) -> None:
    page.locator("#groups").scroll_into_view_if_needed()
    page.get_by_role("link", name="Groups", exact=True).click()

    bar = page.locator(".page-bar").bounding_box()
    assert bar
    assert bar["y"] == 0
    expect(page.locator(".contents a.is-current")).to_have_text("Groups")
    top = page.locator("#groups").evaluate("(node) => node.getBoundingClientRect().top")
    assert top >= bar["height"]


def test_sections_fold_and_stay_so_in_the_address(page: Page) -> None:
    page.locator("#distribution").click()
    expect(page.locator(".histogram")).to_be_hidden()
    wait_until(page, "location.search.includes('folded=distribution')")

    page.reload()
    expect(page.locator(".histogram")).to_be_hidden()
    page.get_by_role("link", name="Scores", exact=True).click()
    expect(page.locator(".histogram")).to_be_visible()


def test_a_link_into_a_folded_section_opens_it(report: Path, open_page: Open) -> None:
    page = open_page(report / "submissions" / "1.html")
    page.get_by_role("link", name="All submissions").click()

    expect(page.locator(".submission-table")).to_be_visible()


def test_a_threshold_is_in_the_address(page: Page) -> None:
    page.locator("#threshold").fill("0.5")
    wait_until(page, "location.search.includes('threshold=0.5')")
    words = page.locator("#look").inner_text()

    page.reload()

    expect(page.locator("#look")).to_have_text(words)


# --- groups and submissions ----------------------------------------------------------------------


def test_a_group_leads_to_its_page_and_on_to_a_submission(page: Page) -> None:
    page.locator("#groups-suggested a[href='groups/1.html']").click()
    expect(page.locator("h1")).to_contain_text("Group 1")

    member = page.locator(".member-table a").first
    name = member.inner_text()
    member.click()

    expect(page.locator("h1")).to_contain_text(name)


def test_a_node_of_the_picture_leads_to_its_submission(page: Page) -> None:
    node = page.locator(".graph .node:visible").first
    number = node.get_attribute("data-node")
    node.focus()
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/submissions/{number}.html*")


def test_a_submission_lists_its_partners_and_leads_to_the_pair(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "submissions" / "1.html")
    row = page.locator(".partner-table tbody tr").first
    rank = row.get_attribute("data-pair")

    row.get_by_role("link").click()

    page.wait_for_url(f"**/pairs/{rank}.html*")


def test_every_link_leads_somewhere(report: Path, open_page: Open) -> None:
    for name in ("index.html", "groups/1.html", "submissions/1.html", "pairs/1.html"):
        page = open_page(report / name)
        found = page.evaluate("[...document.links].map((link) => link.href.baseVal ?? link.href)")
        for href in {each.split("#")[0].split("?")[0] for each in found}:
            assert Path(unquote(urlsplit(href).path)).is_file(), href


def test_no_page_scrolls_sideways(told: Path, open_page: Open) -> None:
    for width in (360, 770, 850, 1280):
        page = open_page(told / "index.html", width=width)

        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keys_of_a_pair_go_through_the_list_that_it_was_opened_from(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "index.html")
    name = page.locator("#pair-table tbody tr").nth(0).locator("td.side a").first.inner_text()
    page.locator("#filter-name").fill(name)
    listed = page.locator("#pair-table tbody tr:not([hidden])").evaluate_all(
        "rows => rows.map((row) => row.dataset.pair)"
    )
    assert listed[:2] != ["1", "2"]
    page.locator("#pair-table tbody tr:not([hidden]) td.side a").first.click()
    page.wait_for_url(f"**/pairs/{listed[0]}.html*")
    for rank in listed[1:3]:
        page.keyboard.press("j")
        page.wait_for_url(f"**/pairs/{rank}.html*")
    page.keyboard.press("k")
    page.wait_for_url(f"**/pairs/{listed[1]}.html*")
