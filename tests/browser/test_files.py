"""A pair of several files in a browser: where it opens, and what stands beside what."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import mosslite
from tests.browser.conftest import Open, wait_until, written
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, program, write_files

GIVEN = "".join(f"def given_{n}(value):\n    return value * {n} + {n + 1}\n" for n in range(28))
TITLE = '"""Homework."""\n\n# written at home\nimport os\n\n'


def _files(name: str, queue: str) -> dict[str, str]:
    return {
        f"class/{name}/all.py": program(len(name + queue), functions=16) + PRIMES,
        f"class/{name}/given.py": GIVEN,
        f"class/{name}/queue.py": TITLE + queue,
        f"class/{name}/words.py": WORDS,
    }


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on two submissions of four files; one file of both was handed out."""
    folder = tmp_path_factory.mktemp("several")
    write_files(folder, _files("ann", QUEUE) | _files("bob", QUEUE_RENAMED))
    write_files(folder, {"given/given.py": GIVEN})
    return written(mosslite.check(folder / "class", base=folder / "given"), folder)


@pytest.fixture
def page(several: Path, open_page: Open) -> Page:
    return open_page(several / "pairs" / "1.html")


def file_in_sight(page: Page, side: str) -> str:
    """Return the name of the file at the height at which a reader looks."""
    name: str = page.evaluate(
        """(side) => {
            const pane = document.getElementById(`${side}-pane`);
            const { left, top, height } = pane.getBoundingClientRect();
            const found = document.elementsFromPoint(left + 90, top + height * 0.31);
            const file = found.map((each) => each.closest(".file")).find(Boolean);
            return file.querySelector(".file-name").textContent;
        }""",
        side,
    )
    return name


def test_a_pair_opens_on_its_best_file(page: Page) -> None:
    shares = page.locator("#left-pane .file-share").all_inner_texts()
    assert shares[0] != "100 % matched"
    assert shares[-1] == "100 % matched"

    wait_until(page, "document.querySelectorAll('#left-pane .line.is-current').length > 0")
    assert file_in_sight(page, "left") == file_in_sight(page, "right") == "queue.py"


def test_the_first_match_is_one_key_from_the_best_file_and_stays_in_the_address(
    page: Page,
) -> None:
    page.keyboard.press("n")
    wait_until(page, "location.search.includes('match=1')")
    page.reload()

    assert file_in_sight(page, "left") == "all.py"


def test_a_match_is_told_with_its_files(page: Page) -> None:
    page.keyboard.press("n")

    status = page.locator("#step-status")
    expect(status).to_contain_text("Match 1 of ")
    expect(status).to_contain_text("all.py, lines ")

    page.get_by_role("button", name="Hide names").click()
    expect(status).not_to_contain_text("all.py")
    expect(status).to_contain_text("file 2, lines ")
    page.keyboard.press("n")
    expect(status).to_contain_text("Match 2 of ")
    expect(status).not_to_contain_text(".py")


def test_files_that_nobody_changed_stand_beside_each_other_in_the_diff(page: Page) -> None:
    page.keyboard.press("v")

    tables = page.locator("#diff table")
    given = tables.filter(has=page.locator("thead .file-name", has_text="given.py"))
    expect(given).to_have_count(1)
    expect(given.locator("thead .file-name")).to_have_text(["given.py", "given.py"])
    given.scroll_into_view_if_needed()
    expect(given.locator("tr.is-same")).not_to_have_count(0)
    expect(given.locator("tr.is-left, tr.is-right, tr.is-replaced")).to_have_count(0)


def line_in_sight(page: Page) -> tuple[str, float]:
    found = page.evaluate(
        """() => {
            const pane = document.getElementById("left-pane");
            const { left, top, height, width } = pane.getBoundingClientRect();
            const at = document.elementsFromPoint(left + width / 2, top + height * 0.3);
            const line = at.map((each) => each.closest(".line")).find(Boolean);
            return [line.closest(".file").dataset.document + ":" + line.dataset.line,
                line.getBoundingClientRect().top - top];
        }"""
    )
    return found[0], found[1]


def test_a_reader_stays_where_he_is_when_all_lines_are_shown_again(page: Page) -> None:
    page.get_by_label("Only matches").check()
    page.keyboard.press("n")
    page.wait_for_timeout(500)
    before = line_in_sight(page)
    assert before[0].startswith("0:")

    page.get_by_label("Only matches").uncheck()
    page.wait_for_timeout(1000)

    line, height = line_in_sight(page)
    assert line == before[0]
    assert height == pytest.approx(before[1], abs=2)
