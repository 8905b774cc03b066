"""What an accessibility checker says of every kind of page."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Page

from mosslite.records import UnlistedPair
from tests.browser.conftest import Open, violations, wait_until, written
from tests.reports import scored_report

pytestmark = pytest.mark.slow
PAGES = ("index.html", "groups/1.html", "submissions/1.html", "pairs/1.html")


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def look(request: pytest.FixtureRequest, report: Path, open_page: Open) -> Open:
    """Open a page of the report in the light or in the dark."""
    return lambda path, **how: open_page(report / path, is_dark=request.param, **how)


def nothing(_page: Page) -> None: ...


def ask_for_keys(page: Page) -> None:
    page.keyboard.press("?")


def open_a_panel(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})  # where the head is folded
    page.keyboard.press("d")


def hide_names_and_mark(page: Page) -> None:
    page.get_by_role("button", name="Hide names").click()
    page.locator("#review").get_by_label("Dismissed").check()


@pytest.mark.parametrize(
    ("path", "width", "do"),
    [
        *((path, 1280, nothing) for path in PAGES),
        *((path, 390, nothing) for path in PAGES),
        *((path, 1280, ask_for_keys) for path in PAGES),
        ("pairs/1.html", 1280, open_a_panel),
        ("pairs/1.html", 1280, hide_names_and_mark),
    ],
)
def test_nothing_serious_is_wrong_whatever_a_reader_does(
    look: Open, path: str, width: int, do: Callable[[Page], None]
) -> None:
    page = look(path, width=width)
    do(page)

    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_table_of_scores_can_be_scrolled_by_keyboard(tmp_path: Path, open_page: Open) -> None:
    found = replace(scored_report([(1, 2, 0.9)], 2), histogram=(1,) * 50)
    page = open_page(written(found, tmp_path) / "index.html")
    page.get_by_text("Show the numbers").click()

    assert violations(page) == []
    table = page.get_by_role("region", name="Table of pairs by score")
    table.focus()
    page.keyboard.press("End")
    wait_until(page, "document.activeElement.scrollTop > 0")


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
    made = written(shown, tmp_path)

    for name in ("index.html", "groups/1.html"):
        page = open_page(made / name, is_dark=is_dark, width=width)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


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


def look_of(page: Page, selector: str, *properties: str) -> list[str]:
    """Return how the first element of a selector is drawn."""
    found: list[str] = page.locator(selector).first.evaluate(
        "(node, names) => names.map((name) => getComputedStyle(node)[name])", list(properties)
    )
    return found


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
