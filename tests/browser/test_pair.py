"""A pair's page in a browser."""

import argparse
import inspect
import optparse
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import mosslite
from mosslite.report import ReportMetadata
from tests.browser.conftest import Open, wait_until, written
from tests.programs import write_files

SAMPLES = Path(__file__).parents[2] / "samples" / "java" / "submissions"


def pair_with_matches(report: Path) -> int:
    """Return the rank of the first pair with several matches that opens at the first of them."""
    for path in sorted((report / "pairs").glob("*.html"), key=lambda each: int(each.stem)):
        text = path.read_text(encoding="utf-8")
        if text.count("data-row=") > 2 and '"first":1' in text:
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


def test_single_keys_can_be_switched_off_for_all_pairs(page: Page) -> None:
    status = page.locator("#step-status")
    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    assert page.locator(".stepper kbd").first.is_hidden()

    for address in (page.url, page.locator(".pair-bar a[rel=next]").evaluate("(a) => a.href")):
        page.goto(address)
        for key in ("n", "j"):
            page.keyboard.press(key)
        assert page.url == address
        expect(status).to_contain_text("Match 1 of")

    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").check()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    page.wait_for_url(lambda url: url != address)


def test_all_keys_are_shown_and_none_needs_altgr(page: Page) -> None:
    page.keyboard.press("?")

    shown = page.get_by_role("dialog", name="Keyboard shortcuts").locator("kbd").all_inner_texts()
    assert {"n", "p", "j", "k", "c", "d", "u", "t", "?"} <= set(shown)
    assert not set(shown) & set("[]{}|@\\~")


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


def test_the_lists_and_the_form_keep_their_room_whatever_is_open(page: Page) -> None:
    height = 1000
    page.set_viewport_size({"width": 1024, "height": height})
    page.locator("#formula").evaluate("(formula) => formula.open = true")
    page.locator("#review").get_by_label("Dismissed").check()

    assert page.locator("#panels").evaluate("(lists) => lists.clientHeight") >= 0.15 * height
    for panel in page.locator(".panel").all():
        assert panel.evaluate("(node) => node.scrollHeight - node.clientHeight") <= 1


@pytest.mark.parametrize("height", [650, 999])
def test_the_head_is_folded_where_there_is_little_room(page: Page, height: int) -> None:
    page.set_viewport_size({"width": 1366, "height": height})

    head = page.locator("#columns").evaluate("(node) => node.getBoundingClientRect().top")
    assert head <= min(0.34 * height, 240)
    expect(page.locator("#match-list")).to_be_hidden()


def test_a_folded_panel_drops_down_and_closes_when_a_match_is_chosen(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 800})
    before = page.locator("#columns").bounding_box()
    page.locator("#matches .panel-toggle").click()
    assert page.locator("#columns").bounding_box() == before

    page.locator("#match-list .badge").nth(2).click()

    expect(page.locator("#match-list")).to_be_hidden()
    expect(page.locator("#step-status")).to_contain_text("Match 3 of")


def test_escape_closes_a_panel_and_returns_to_its_heading(page: Page) -> None:
    page.bring_to_front()  # of several pages that are open, one alone has the focus
    page.set_viewport_size({"width": 1366, "height": 800})
    expect(page.locator("#review textarea")).to_be_hidden()  # the page has seen its new size
    page.keyboard.press("e")
    page.keyboard.type("ask them")
    page.keyboard.press("Escape")

    expect(page.locator("#review textarea")).to_be_hidden()
    expect(page.locator("#review .panel-toggle")).to_be_focused()
    page.locator("#review .panel-toggle").click()
    expect(page.locator("#review textarea")).to_have_value("ask them")


def test_panels_are_shown_or_folded_as_the_reader_chose(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 800})
    expect(page.locator("#match-list")).to_be_hidden()  # the page has seen its new size
    page.keyboard.press("l")
    expect(page.locator("#match-list")).to_be_visible()

    page.reload()

    expect(page.locator("#match-list")).to_be_visible()
    expect(page.get_by_label("Show panels")).to_be_checked()


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
    top = page.locator("#columns").evaluate("(node) => node.getBoundingClientRect().top")
    assert top <= height / 2


def test_a_telephone_cuts_nothing(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html", width=390, height=844)

    for name in ("matches", "rare", "review-heading"):
        page.locator(f"#{name} .panel-toggle").click()
        body = page.locator(".panel.is-open .panel-body")
        assert body.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def page_with_all_columns(folder: Path, locale: str) -> Path:
    """Write a report; return a pair whose lists have all columns: blocks, and rare evidence."""
    found = mosslite.check(SAMPLES, base=SAMPLES.parent / "template")
    report = written(found, folder, ReportMetadata("", "0", locale))
    return next(
        path
        for path in sorted((report / "pairs").glob("*.html"))
        if "numeric block" in (text := path.read_text(encoding="utf-8")) and "rare-list" in text
    )


def test_no_column_of_a_list_is_cut_off(open_page: Open, tmp_path: Path) -> None:
    page = open_page(page_with_all_columns(tmp_path, "de"), width=1920, height=1000)
    page.locator("#show-panels").check()

    for width in (390, 900, 1024, 1280, 1366, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 1000})
        for name in ("match-list", "rare-list"):
            body = page.locator(f".panel-body:has(#{name})")
            assert body.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0, width


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


def row_of_match(page: Page) -> Locator:
    return page.locator("#diff tr.is-current").first


def test_the_diff_opens_at_the_current_match_and_steps_on_from_there(page: Page) -> None:
    for _ in range(2):
        page.keyboard.press("n")
    first, _ = lines_of_match(page, 3)
    page.keyboard.press("v")

    expect(row_of_match(page)).to_be_in_viewport()
    assert row_of_match(page).locator("td").first.inner_text().split()[-1] == first

    page.keyboard.press("p")
    expect(page.locator("#step-status")).to_contain_text("Match 2 of")
    expect(page.locator("#diff")).to_be_visible()
    expect(row_of_match(page)).to_be_in_viewport()
    first, _ = lines_of_match(page, 2)
    assert row_of_match(page).locator("td").first.inner_text().split()[-1] == first

    page.keyboard.press("v")
    assert 0 <= top_of(page, "left", 2) <= 900


def lines_of_match(page: Page, number: int) -> list[str]:
    cell = page.locator(f"#match-list [data-row='{number}'] .left-place").first
    first, _, last = cell.inner_text().split()[-1].partition("-")
    return [first, last]


# --- from pair to pair ---------------------------------------------------------------------------


def test_previous_and_next_pair_are_one_step_away(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "2.html")

    page.locator("a[rel=next]").click()
    page.wait_for_url("**/pairs/3.html*")
    page.locator("a[rel=prev]").click()
    page.wait_for_url("**/pairs/2.html*")
    page.keyboard.press("j")
    page.wait_for_url("**/pairs/3.html*")
    page.keyboard.press("k")
    page.wait_for_url("**/pairs/2.html*")


def test_a_view_is_in_the_address_and_can_be_come_back_to(page: Page) -> None:
    page.keyboard.press("n")
    page.keyboard.press("v")
    page.keyboard.press("m")
    wait_until(page, "location.search.includes('view=diff') && location.search.includes('only')")
    address = page.url
    assert "match=2" in address

    page.goto("about:blank")
    page.goto(address)

    expect(page.locator("#diff")).to_be_visible()
    expect(page.locator("#step-status")).to_contain_text("Match 2 of")
    expect(page.get_by_label("Only differences")).to_be_checked()


def test_what_was_inserted_is_marked_in_every_line(tmp_path: Path, open_page: Open) -> None:
    head = "".join(f"int f{n}(int a, int b) {{ return a * {n} + b; }}\n" for n in range(12))
    tail = "".join(f"int g{n}(int a) {{ while (a > {n}) a--; return a; }}\n" for n in range(12))
    added = "".join(f'char *s{n} = "{n}"; puts(s{n});\n\n' for n in range(8))
    write_files(tmp_path, {"class/ada.c": head + tail, "class/ben.c": head + added + tail})
    made = written(mosslite.check(tmp_path / "class"), tmp_path)

    page = open_page(made / "pairs" / "1.html")

    numbers = page.locator("#right-pane .line.is-inserted").evaluate_all(
        "(lines) => lines.map((line) => Number(line.dataset.number))"
    )
    assert set(range(13, 28)) <= set(numbers)
    assert page.locator("#left-pane .line.is-inserted").count() == 0


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
    page.locator("#matches .panel-toggle").click()

    page.locator("#match-list [data-row='1'] a").first.click()

    expect(page.locator("#left-file-0 .badge[data-match='1']").first).to_be_in_viewport()


# --- what chance explains -----------------------------------------------------------------------


def test_what_chance_explains_is_shown_faintly_when_asked_for(
    tmp_path: Path, open_page: Open
) -> None:
    texts = {"a.py": inspect.getsource(optparse), "b.py": inspect.getsource(argparse)}
    write_files(tmp_path / "hw", texts)
    report = mosslite.check([tmp_path / "hw"])
    page = open_page(written(report, tmp_path) / "pairs" / "1.html")
    marks = page.locator("#left-pane .by-chance")
    expect(marks).not_to_have_count(0)
    before = marks.first.evaluate("(each) => getComputedStyle(each).textDecorationLine")

    page.get_by_label("What chance explains").check()

    after = marks.first.evaluate("(each) => getComputedStyle(each).textDecorationLine")
    assert before != after
    (pair,) = report.pairs
    text = pair.left.documents[0].file.text
    passages = [text[start:stop] for _, start, stop in pair.by_chance.lefts.tolist()]
    first = marks.first.text_content()
    assert first
    assert any(first in passage for passage in passages)


def test_code_begins_in_the_first_half_of_a_telephone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()

    pane = page.locator("#left-pane").bounding_box()

    assert pane
    assert pane["y"] < 844 / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_code_of_many_identical_files_begins_in_the_first_half_of_a_telephone(
    tmp_path: Path, open_page: Open
) -> None:
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLES.rglob("*.java"))[:14]]
    assert len(texts) == 14
    for name in ("a rather long name", "another rather long name"):
        write_files(tmp_path / "hw" / name, {f"Part{n}.java": t for n, t in enumerate(texts)})
    report = written(mosslite.check(tmp_path / "hw"), tmp_path)

    page = open_page(report / "pairs" / "1.html", width=390, height=844)

    pane = page.locator("#left-pane").bounding_box()
    assert pane
    assert pane["y"] < 844 / 2


# --- a case file ---------------------------------------------------------------------------------


def saved_case(page: Page, folder: Path) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Case file").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")


def test_a_case_file_has_what_the_page_has_and_no_script(
    page: Page, open_page: Open, tmp_path: Path
) -> None:
    names = page.locator("h1 [data-submission]").all_inner_texts()
    lines = page.locator("#left-pane .line").count()
    matches = page.locator("#match-list tbody tr").count()

    html = saved_case(page, tmp_path)

    assert "<script" not in html
    assert "<a " not in html
    assert not page.locator("#paper > *").count()
    (path,) = tmp_path.glob("case-*.html")
    case = open_page(path)
    assert [name in case.locator("h1").inner_text() for name in names] == [True, True]
    numbers = case.locator(".aligned td:nth-child(1)").all_inner_texts()
    assert len([*filter(str.strip, numbers)]) == lines
    assert case.locator(".match-list").first.locator("tbody tr").count() == matches
    assert case.get_by_text("Identical code can have innocent explanations").count() == 1


def test_a_case_file_has_no_name_that_is_hidden(page: Page, tmp_path: Path) -> None:
    names = page.locator("h1 [data-submission]").all_inner_texts()
    page.get_by_role("button", name="Hide names").click()

    html = saved_case(page, tmp_path)

    assert not [name for name in names if f">{name}<" in html]
    assert "Submission " in html
