"""The overview, its table and threshold, and the pages of groups and submissions, in a browser."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from mosslite.options import Options
from mosslite.records import LanguageLimit, Role, UnlistedPair
from tests.browser.conftest import METADATA, Open, wait_until, written
from tests.reports import named, pair_of, report_of, scored_report, told_report


@pytest.fixture
def page(report: Path, open_page: Open) -> Page:
    return open_page(report / "index.html")


def rows(page: Page) -> Locator:
    return page.locator("#pair-table tbody tr:visible")


def column(page: Page, label: str) -> list[str]:
    return page.locator(f"#pair-table tbody tr:visible td[data-label='{label}']").all_inner_texts()


def heading(page: Page, label: str) -> Locator:
    return page.locator("#pair-table thead button", has_text=re.compile(f"^{label}$"))


def show_all(page: Page, table: str) -> None:
    page.locator(f"#{table}-more button", has_text="Show all").click()


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


def test_the_table_is_filtered_by_roles(open_page: Open, tmp_path: Path) -> None:
    ada, ben = named("ada"), named("ben")
    old, model = named("old", role=Role.PRIOR), named("model", role=Role.REFERENCE)
    pairs = [pair_of(ada, ben, 0.9), pair_of(ada, old, 0.8), pair_of(ada, model, 0.7)]
    shown = report_of([ada, ben, old, model], pairs)
    page = open_page(written(shown, tmp_path) / "index.html")

    for role, other in (
        ("current", "ben"),
        ("prior", "old prior"),
        ("reference", "model reference"),
    ):
        page.locator("#filter-role").select_option(role)
        assert column(page, "Right") == [other]


def test_a_row_leads_to_its_pair(page: Page) -> None:
    rows(page).nth(1).get_by_role("link").first.click()

    page.wait_for_url("**/pairs/2.html*")
    expect(page.locator("header")).to_contain_text("Pair 2 of")


# --- long lists: a page has their first rows, and scripts make all --------------------------------

LISTS = ("pair-table", "group-table", "submission-table")


ROWS = """([text, table]) => {
  const page = text ? new DOMParser().parseFromString(text, "text/html") : document;
  return [...page.querySelectorAll(`#${table} tbody tr`)].map((row) => {
    row = row.cloneNode(true);
    row.removeAttribute("data-state"); // it and the marks are what scripts alone know
    row.classList.remove("is-changed", "is-contradicted");
    row.querySelector(".mark")?.replaceChildren();
    return row.outerHTML;
  });
}"""


def rows_in(page: Page, text: str = "") -> dict[str, list[str]]:
    """Return the rows of each list as mark-up: those of a page, or of its text before scripts."""
    return {
        table: [
            re.sub(r">\s+|\s+<", lambda found: found[0].strip(), row).replace(' class=""', "")
            for row in page.evaluate(ROWS, [text, table])
        ]
        for table in LISTS
    }


@pytest.mark.parametrize("kind", ["report", "told", "hostile", "german"])
def test_scripts_make_the_rows_that_the_page_has(
    kind: str, request: pytest.FixtureRequest, open_page: Open, tmp_path: Path
) -> None:
    if kind == "german":
        folder = written(told_report("Zoë"), tmp_path, replace(METADATA, locale="de"))
    else:
        folder = request.getfixturevalue(kind)
    for name in ("index.html", "groups/1.html"):
        if not (folder / name).is_file():
            continue
        there = (folder / name).read_text(encoding="utf-8")
        page = open_page(folder / name)

        rows = rows_in(page)
        assert rows == rows_in(page, there)
        assert rows["pair-table"]


def test_scripts_write_numbers_at_the_edges_as_the_page_does(
    open_page: Open, tmp_path: Path
) -> None:
    works = [named("nil", texts=("",)), *(named(f"w{number}") for number in range(6))]
    shares = (1.0, 0.999_999_9, 0.995, 0.29, 0.003, 0.0)
    pairs = [
        replace(pair_of(works[0], other, share), left_similarity=share, right_similarity=1 - share)
        for other, share in zip(works[1:], shares, strict=True)
    ]
    page = open_page(written(report_of(works, pairs), tmp_path) / "index.html")

    rows = rows_in(page)
    assert rows == rows_in(page, (tmp_path / "report/index.html").read_text(encoding="utf-8"))
    assert [len(rows[table]) for table in ("pair-table", "submission-table")] == [6, 7]


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of 400 pairs of two, which are 400 groups of 800 submissions."""
    pairs = [(n, n + 1, 0.9 - n / 10_000) for n in range(1, 801, 2)]
    return written(scored_report(pairs, 800), tmp_path_factory.mktemp("long"))


def test_a_long_list_grows_by_request_and_is_searched_as_a_whole(
    long: Path, open_page: Open
) -> None:
    page = open_page(long / "index.html")
    counts = {"pair-table": 50, "group-table": 12, "submission-table": 50}
    for table, count in counts.items():
        listed = page.locator(f"#{table} tbody tr")
        expect(listed).to_have_count(count)
        page.locator(f"#{table}-more button", has_text="Show 200 more").first.evaluate(
            "button => button.click()"
        )
        expect(listed).to_have_count(count + 200)

    page.locator("#filter-name").fill("work 780")
    expect(page.locator("#pair-table tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Submissions", exact=False).first.click()
    page.locator("#submission-filters input").fill("work 78")
    expect(page.locator("#submission-table tbody tr")).to_have_count(11)
    expect(page.locator("#submission-table tbody th a").last).to_have_text("work 789")


def test_names_that_are_hidden_are_not_found_by_a_search(long: Path, open_page: Open) -> None:
    page = open_page(long / "index.html")
    page.get_by_role("button", name="Hide names").click()

    page.locator("#filter-name").fill("work")
    expect(page.locator("#pair-table tbody tr")).to_have_count(0)
    page.locator("#filter-name").fill("submission 780")

    expect(page.locator("#pair-table tbody tr")).to_have_count(1)
    expect(page.locator("#pair-table tbody a").last).to_have_text("Submission 780")


# --- the threshold and what follows it -----------------------------------------------------------


def test_counts_and_groups_follow_the_threshold(page: Page) -> None:
    slider = page.locator("#threshold")
    before = page.locator("#look").inner_text()

    slider.fill("0.001")
    expect(page.locator("#look")).not_to_have_text(before)
    show_all(page, "pair-table")
    assert number_in(page.locator("#look").inner_text()) == rows(page).count()
    expect(page.locator("#groups-moved-note")).to_be_visible()

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
    expect(page.locator("#groups-moved-note")).to_be_hidden()


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
    page.locator("#group-table a[href='groups/1.html']").click()
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
