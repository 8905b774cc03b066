"""What an accessibility checker says of every kind of page."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page

from mosslite.records import UnlistedPair
from mosslite.report import ReportMetadata, write_html
from tests.browser.conftest import CREATED, VERSION, Open, violations, wait_until
from tests.reports import scored_report

PAGES = ("index.html", "groups/1.html", "submissions/1.html", "pairs/1.html")


@pytest.mark.slow
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_serious_is_wrong(report: Path, open_page: Open, path: str, is_dark: bool) -> None:
    page = open_page(report / path, is_dark=is_dark)

    assert violations(page) == []


@pytest.mark.slow
def test_the_table_of_scores_can_be_scrolled_by_keyboard(tmp_path: Path, open_page: Open) -> None:
    found = replace(scored_report([(1, 2, 0.9)], 2), histogram=(1,) * 50)
    write_html(found, tmp_path / "report", ReportMetadata(CREATED, VERSION))
    page = open_page(tmp_path / "report" / "index.html")
    page.get_by_text("Show the numbers").click()

    assert violations(page) == []
    table = page.get_by_role("region", name="Table of pairs by score")
    table.focus()
    page.keyboard.press("End")
    wait_until(page, "document.activeElement.scrollTop > 0")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "telephone"])
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("count", [12, 70])
def test_nothing_serious_is_wrong_with_a_group_of_copies(
    tmp_path: Path, open_page: Open, count: int, is_dark: bool, width: int
) -> None:
    pairs = [(x, y, 1 - (x * y % 40) / 100) for x, y in combinations(range(1, count + 1), 2)]
    found = scored_report(pairs[:200], count)
    unlisted = [
        UnlistedPair(found.submissions[x - 1], found.submissions[y - 1], s)
        for x, y, s in pairs[200:]
    ]
    shown = replace(found, unlisted=tuple(sorted(unlisted, key=lambda pair: -pair.score)))
    write_html(shown, tmp_path / "report", ReportMetadata(CREATED, VERSION))

    for name in ("index.html", "groups/1.html"):
        page = open_page(tmp_path / "report" / name, is_dark=is_dark, width=width)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_nothing_serious_is_wrong_on_a_telephone(report: Path, open_page: Open, path: str) -> None:
    page = open_page(report / path, width=390)

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "telephone"])
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, "submissions/2.html"])
def test_nothing_serious_is_wrong_where_everything_is_shown(
    told: Path, open_page: Open, path: str, is_dark: bool, width: int
) -> None:
    page = open_page(told / path, is_dark=is_dark, width=width)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_nothing_serious_is_wrong_with_the_dialog_of_keys(
    report: Path, open_page: Open, path: str
) -> None:
    page = open_page(report / path)
    page.keyboard.press("?")

    assert violations(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_nothing_serious_is_wrong_with_a_folded_head_and_an_open_panel(
    report: Path, open_page: Open, is_dark: bool
) -> None:
    page = open_page(report / "pairs" / "1.html", height=800, is_dark=is_dark)
    page.keyboard.press("d")

    assert violations(page) == []


@pytest.mark.slow
def test_nothing_serious_is_wrong_with_names_hidden_and_a_pair_marked(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.get_by_role("button", name="Hide names").click()
    page.locator("#review").get_by_label("Dismissed").check()

    assert violations(page) == []


def look_of(page: Page, selector: str, *properties: str) -> list[str]:
    """Return how the first element of a selector is drawn."""
    found: list[str] = page.locator(selector).first.evaluate(
        "(node, names) => names.map((name) => getComputedStyle(node)[name])", list(properties)
    )
    return found


@pytest.mark.slow
def test_colours_of_the_readers_system_still_tell_what_tints_tell(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "4.html", has_forced_colours=True)

    for each in ("mark", ".match-list .badge", ".match-list tr[data-row]"):
        chosen = look_of(page, f"{each}.is-current", "backgroundColor", "outlineStyle")
        assert chosen != look_of(
            page, f"{each}:not(.is-current)", "backgroundColor", "outlineStyle"
        )
    assert look_of(page, "mark.is-current .keyword", "color") == look_of(
        page, "mark.is-current", "color"
    )
    assert look_of(page, ".line > .boilerplate", "color") != look_of(page, ".line", "color")
    assert look_of(page, ".legend .gap-changed", "textDecorationStyle") == ["wavy"]

    page.get_by_role("radio", name="Diff").check()
    assert look_of(page, ".diff del", "textDecorationLine") == ["underline"]
