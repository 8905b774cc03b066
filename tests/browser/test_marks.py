"""Marks on pairs, and a file of them, in a browser."""

import json
import re
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Page, expect

import mosslite
from mosslite.options import Options
from mosslite.report.json_files import schema_of
from mosslite.report.review import ReviewFile
from mosslite.signatures import is_own_result
from tests.browser.conftest import Open, written
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files

CHANGED = "changed since it was reviewed"


def dismiss(page: Page) -> None:
    review = page.locator("#review")
    review.get_by_label("Dismissed").check()
    review.get_by_label("Reason").fill("common idiom")
    review.get_by_label("Note").fill("told me <b>in the lab</b>")


def mark_in_row(page: Page, rank: int) -> str:
    return page.locator(f"#pair-table [data-pair='{rank}'] .mark").inner_text()


def expect_mark(page: Page, rank: int, start: str) -> None:
    """Wait until a row shows a mark: what one page stores can reach the next a moment later."""
    mark = page.locator(f"#pair-table [data-pair='{rank}'] .mark")
    expect(mark).to_have_text(re.compile(f"^{re.escape(start)}"), use_inner_text=True)


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save review to a file").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def changed(page: Page, folder: Path, **mark: object) -> Path:
    """Save the review of a page that has one mark, and change that in the file."""
    path = saved(page, folder)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["marks"][0] |= mark
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def load(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Load review from a file").click()
    chooser.value.set_files(path)
    expect(page.locator(".review-tools .review-status")).to_contain_text("loaded")


def test_a_mark_is_kept_and_shown_there_and_in_the_row_of_its_pair(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "1.html")
    review = page.locator("#review")
    status = review.locator(".review-form .review-status")
    expect(review.get_by_label("To do")).to_be_checked()
    expect(review.get_by_label("Reason")).to_be_hidden()

    review.get_by_label("Dismissed").check()
    expect(status).to_have_text("Enter a reason for the dismissal.")
    dismiss(page)
    expect(status).to_have_text("Saved in this browser.")
    page.reload()

    expect(review.get_by_label("Dismissed")).to_be_checked()
    expect(review.get_by_label("Reason")).to_have_value("common idiom")
    expect(review.get_by_label("Note")).to_have_value("told me <b>in the lab</b>")
    page.goto((report / "index.html").as_uri())
    expect_mark(page, 1, "Dismissed: common idiom\ntold me <b>in the lab</b>")
    expect_mark(page, 2, "To do")


def test_a_mark_is_made_by_keyboard_alone(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")

    page.locator("#review").get_by_label("To do").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.type("no n and p here")

    expect(page.locator("#review").get_by_label("Confirmed")).to_be_checked()
    expect(page.locator("#review").get_by_label("Note")).to_have_value("no n and p here")


def test_marks_are_saved_to_a_file_and_loaded_elsewhere(
    report: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(report / "pairs" / "1.html")
    dismiss(page)
    path = saved(page, tmp_path)
    written = path.read_bytes()
    content = json.loads(written)
    Draft202012Validator(schema_of("review", ReviewFile)).validate(content)
    (mark,) = content["marks"]
    assert is_own_result(written)
    assert set(mark) == {"left", "right", "code", "state", "reason", "note", "at"}
    assert (mark["state"], mark["reason"]) == ("dismissed", "common idiom")
    assert mark["note"] == "told me <b>in the lab</b>"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", mark["at"])
    page.evaluate("localStorage.clear()")

    page.goto((report / "index.html").as_uri())
    expect_mark(page, 1, "To do")
    load(page, path)

    expect(page.locator(".review-tools .review-status")).to_have_text("1 mark loaded")
    expect_mark(page, 1, "Dismissed: common idiom")


WRONG: tuple[dict[str, object], ...] = (
    {"note": None}, {"at": "zzz"}, {"at": ""}, {"state": "toString"}, {"state": "odd"}
)  # fmt: skip


def test_a_file_that_is_not_a_review_is_refused(
    report: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(report / "pairs" / "1.html")
    dismiss(page)
    status = page.locator(".review-tools .review-status")

    for wrong in WRONG:
        load(page, saved(page, tmp_path))
        expect(status).not_to_contain_text("nothing was loaded")
        load(page, changed(page, tmp_path, **wrong))
        expect(status).to_contain_text("nothing was loaded")


def test_of_two_marks_on_a_pair_the_later_one_holds(
    report: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(report / "pairs" / "1.html")
    dismiss(page)
    path = saved(page, tmp_path)
    page.locator("#review").get_by_label("Confirmed").check()

    load(page, path)

    expect(page.locator("#review").get_by_label("Confirmed")).to_be_checked()


@pytest.mark.parametrize("at", ["2999-01-01T00:00:00Z", "2999-01-01T00:00:00.000Z"])
def test_what_a_reader_does_now_holds_against_a_clock_that_is_ahead(
    report: Path, open_page: Open, tmp_path: Path, at: str
) -> None:
    page = open_page(report / "pairs" / "1.html")
    dismiss(page)
    load(page, changed(page, tmp_path, at=at))

    page.locator("#review").get_by_label("Confirmed").check()
    page.reload()

    expect(page.locator("#review").get_by_label("Confirmed")).to_be_checked()


def test_marks_are_saved_though_a_browser_has_no_room_left_to_keep_them(
    report: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.evaluate("""() => {
        for (let size = 1 << 22; size; size >>= 1) {
            try {
                for (let part = 0; ; part += 1) {
                    localStorage.setItem(`filler ${size} ${part}`, "x".repeat(size));
                }
            } catch {
                // The next is half as large.
            }
        }
    }""")

    dismiss(page)

    status = page.locator("#review .review-form .review-status")
    expect(status).to_have_text("This browser cannot store the review: save it to a file.")
    (mark,) = json.loads(saved(page, tmp_path).read_text(encoding="utf-8"))["marks"]
    assert mark["note"] == "told me <b>in the lab</b>"


def test_a_pair_whose_code_changed_is_flagged_until_the_mark_is_confirmed(
    report: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(report / "pairs" / "1.html")
    warning = page.locator(".review-changed")
    dismiss(page)
    expect(warning).to_be_hidden()
    load(page, changed(page, tmp_path, code="00", at="2999-01-01T00:00:00Z"))
    expect(warning).to_be_visible()
    page.goto((report / "index.html").as_uri())
    expect_mark(page, 1, f"Dismissed: common idiom, {CHANGED}\n")

    page.go_back()
    warning.get_by_role("button").click()
    expect(warning).to_be_hidden()

    page.goto((report / "index.html").as_uri())
    expect_mark(page, 1, "Dismissed: common idiom\n")


def test_marks_that_came_with_the_report_are_shown(hostile: Path, open_page: Open) -> None:
    page = open_page(hostile / "index.html")

    marks = [
        text for text in page.locator("#pair-table .mark").all_inner_texts() if CHANGED in text
    ]

    assert len(marks) == 1
    assert marks[0].startswith("Dismissed: ")


def test_another_tab_sees_a_mark_at_once(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    other = page.context.new_page()
    other.goto((report / "pairs" / "1.html").as_uri())

    other.locator("#review .panel-toggle").click()
    other.locator("#review").get_by_label("Confirmed").check()

    expect(page.locator("#pair-table [data-pair='1'] .mark")).to_have_text("Confirmed")
    other.close()


# --- at the keyboard, many at once, and how far one is -------------------------------------------


def progress(page: Page) -> str:
    return page.locator("#progress").inner_text().strip()


def high_pairs(page: Page) -> int:
    return page.locator("#pair-table tr.is-high").count()


def test_a_pair_is_marked_with_one_key_and_undecided_with_another(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "1.html")
    before = progress(page)

    for key, state in (("c", "Confirmed"), ("d", "Dismissed"), ("u", "To do")):
        page.keyboard.press(key)
        expect(page.locator("#review").get_by_label(state)).to_be_checked()
        assert progress(page) == before or progress(page).startswith("1 of ")
    assert progress(page) == before


def test_rows_are_walked_through_marked_and_opened_by_keyboard(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "index.html")

    for key in ("j", "j", "j", "k", "c"):
        page.keyboard.press(key)

    expect_mark(page, 2, "Confirmed")
    expect(page.locator("#review-tools .review-status")).to_have_text("Pair 2: Confirmed.")
    assert progress(page) == f"1 of {high_pairs(page)} looked at"
    page.keyboard.press("Enter")
    page.wait_for_url("**/pairs/2.html*")


def test_the_next_pair_to_do_is_one_key_away(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "1.html")
    page.keyboard.press("c")
    page.keyboard.press("t")
    page.wait_for_url("**/pairs/2.html*")
    page.keyboard.press("c")
    page.keyboard.press("k")
    page.wait_for_url("**/pairs/1.html*")

    page.keyboard.press("t")

    page.wait_for_url("**/pairs/3.html*")


def test_a_whole_group_is_marked_at_once_and_back(report: Path, open_page: Open) -> None:
    page = open_page(report / "pairs" / "2.html")
    dismiss(page)
    page.goto((report / "groups" / "2.html").as_uri())
    marks = page.locator("#pair-table .mark-state")
    count = marks.count()
    assert count > 1

    page.locator("#group-review").get_by_role("button", name="Confirmed").click()
    assert marks.all_inner_texts() == ["Confirmed"] * count
    assert progress(page).startswith(f"{count} of ")

    page.locator("#group-review").get_by_role("button", name="Undo").click()
    assert sorted(marks.all_inner_texts()) == [
        "Dismissed: common idiom",
        *["To do"] * (count - 1),
    ]


def test_the_table_is_filtered_by_mark(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    rows = page.locator("#pair-table tbody tr:visible")
    for key in ("j", "c", "j", "d"):
        page.keyboard.press(key)

    page.locator("#filter-mark").select_option("done")
    assert rows.evaluate_all("(rows) => rows.map((row) => row.dataset.pair)") == ["1", "2"]
    page.locator("#filter-mark").select_option("dismissed")
    assert rows.evaluate_all("(rows) => rows.map((row) => row.dataset.pair)") == ["2"]
    page.locator("#filter-mark").select_option("todo")
    expect(page.locator("#pair-table tbody tr[data-pair='1']")).to_be_hidden()


def test_a_filtered_overview_is_come_back_to_from_a_pair(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    page.locator("#filter-mark").select_option("todo")
    page.locator("#filter-score").fill("0.1")
    page.locator("#pair-table thead button", has_text="Lines").click()
    rows = page.locator("#pair-table tbody tr:visible")
    first, second = (rows.nth(number).get_attribute("data-pair") for number in (0, 1))
    rows.first.locator("a").first.click()
    page.wait_for_url(f"**/pairs/{first}.html*")
    page.keyboard.press("j")
    page.wait_for_url(f"**/pairs/{second}.html*")

    page.keyboard.press("o")

    page.wait_for_url("**/index.html?*")
    expect(page.locator("#filter-mark")).to_have_value("todo")
    expect(page.locator("#filter-score")).to_have_value("0.1")
    expect(page.locator("#pair-table th[aria-sort='descending']")).to_have_text("Lines")


def test_names_stay_hidden_while_marks_are_made(report: Path, open_page: Open) -> None:
    page = open_page(report / "index.html")
    name = page.locator("#pair-table td.side").first.inner_text()
    page.get_by_role("button", name="Hide names").click()

    page.keyboard.press("j")
    page.keyboard.press("c")

    expect(page.locator("#review-tools .review-status")).to_have_text("Pair 1: Confirmed.")
    assert name not in page.locator("main").inner_text()


def rows_in_sight(page: Page) -> list[str]:
    rows = page.locator("#pair-table tbody tr:visible")
    found: list[str] = rows.evaluate_all("(rows) => rows.map((row) => row.dataset.pair)")
    return found


def focused(page: Page) -> str:
    return str(
        page.evaluate("document.activeElement.closest('[data-pair]:not(body)')?.dataset.pair")
    )


@pytest.mark.parametrize("key", ["c", "d"])
def test_a_row_leaves_the_filter_with_its_mark_and_the_next_one_is_chosen(
    report: Path, open_page: Open, key: str
) -> None:
    page = open_page(report / "index.html")
    status = page.locator("#filter-status")
    count = int(status.inner_text().split()[0])
    page.locator("#filter-mark").select_option("todo")
    page.locator("#filter-mark").blur()

    for each in ("j", "j", key, key):
        page.keyboard.press(each)

    assert rows_in_sight(page)[:3] == ["1", "4", "5"]
    assert focused(page) == "4"
    expect(status).to_contain_text(f"{count - 2} of {count} pairs")


# --- marks belong to the assignment, and to code -------------------------------------------------


def report_on(folder: Path, texts: dict[str, str], options: Options | None = None) -> Path:
    shutil.rmtree(folder / "class", ignore_errors=True)
    write_files(folder, {f"class/{path}": text for path, text in texts.items()})
    return written(mosslite.check(folder / "class", options=options or Options(jobs=1)), folder)


CLASS = {"ann.py": QUEUE, "bob.py": QUEUE_RENAMED, "eve.py": PRIMES, "zoe.py": PRIMES}


def rank_of(page: Page, *names: str) -> str:
    rows = page.locator("#pair-table tbody tr")
    for name in names:
        rows = rows.filter(has_text=name)
    return rows.first.get_attribute("data-pair") or ""


def mark_of(page: Page, *names: str) -> str:
    return mark_in_row(page, int(rank_of(page, *names)))


def test_marks_survive_a_rerun_in_the_same_folder_without_a_file(
    open_page: Open, tmp_path: Path
) -> None:
    report = report_on(tmp_path, CLASS)
    page = open_page(report / "index.html")
    for key in ("j", "c", "j", "d"):
        page.keyboard.press(key)
    before = {each: mark_of(page, *each) for each in (("ann", "bob"), ("eve", "zoe"))}

    report_on(tmp_path, CLASS | {"tim.py": QUEUE.replace("Queue", "Pile")})
    page.reload()

    assert {each: mark_of(page, *each) for each in before} == before
    assert sorted(before.values()) == ["Confirmed", "Dismissed"]
    assert mark_of(page, "ann", "tim") == "To do"


def test_a_mark_follows_the_code_of_a_student_who_is_called_otherwise_now(
    open_page: Open, tmp_path: Path
) -> None:
    titled = Options(jobs=1, comment="Homework 1")
    page = open_page(report_on(tmp_path, CLASS, titled) / "index.html")
    for key in ("j", "c", "j", "d"):
        page.keyboard.press(key)
    before = {each: mark_of(page, *each) for each in (("ann", "bob"), ("eve", "zoe"))}

    renamed = {name.replace("ann", "annika"): text for name, text in CLASS.items()}
    report_on(tmp_path, renamed, titled)
    page.reload()

    assert mark_of(page, "annika", "bob") == before["ann", "bob"]
    assert mark_of(page, "eve", "zoe") == before["eve", "zoe"]


@pytest.mark.parametrize("is_later", [True, False])
def test_what_two_reviewers_say_of_a_pair_is_shown_until_it_is_decided(
    report: Path, open_page: Open, tmp_path: Path, *, is_later: bool
) -> None:
    page = open_page(report / "pairs" / "1.html")
    dismiss(page)
    at = "2999-01-01T00:00:00Z" if is_later else "2001-01-01T00:00:00Z"
    path = changed(page, tmp_path, state="confirmed", at=at)
    page.goto((report / "index.html").as_uri())

    load(page, path)

    expect(page.locator("#review-tools .review-status")).to_have_text(
        "1 mark loaded; 1 contradicts a mark that was here"
    )
    page.reload()
    first, second = "Confirmed", "Dismissed: common idiom"
    if not is_later:
        first, second = second, first
    expect_mark(page, 1, f"{first}; another mark says: {second}")
    assert progress(page).startswith("0 of ")

    page.goto((report / "pairs" / "1.html").as_uri())
    page.keyboard.press("c")
    page.goto((report / "index.html").as_uri())
    expect_mark(page, 1, "Confirmed\n")
    assert progress(page).startswith("1 of ")


def test_both_decisions_are_one_click_away_in_the_bar_of_a_pair(
    report: Path, open_page: Open
) -> None:
    page = open_page(report / "pairs" / "1.html")
    bar = page.locator(".page-bar")
    state = page.locator("#review-state")
    confirm = bar.get_by_role("button", name="Confirm")

    confirm.click()

    expect(confirm).to_have_attribute("aria-pressed", "true")
    expect(state).to_have_text("Confirmed")
    bar.get_by_role("button", name="Dismiss").click()
    expect(confirm).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("Reason")).to_be_visible()
    bar.get_by_role("button", name="Dismiss").click()
    expect(state).to_have_text("To do")
