"""What pages show of who was first: commits, hand-in times and attempts."""

from pathlib import Path

import pytest

import mosslite
from mosslite.options import Intake, Options
from tests.browser.conftest import PAYLOADS, Open, violations, written
from tests.git_repositories import needs_git, place_object, repository
from tests.programs import QUEUE

pytestmark = [needs_git, pytest.mark.slow]

WAYS = [(1280, False), (1280, True), (390, False), (390, True)]


@pytest.fixture(scope="module")
def firsts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on repositories whose commits mean harm."""
    folder = tmp_path_factory.mktemp("firsts")
    for name in ("ann", "bob"):
        own = repository(folder / "hw" / name)
        (own / "main.py").write_text(QUEUE, encoding="utf-8")
        blob = place_object(own / ".git", "blob", QUEUE.encode())
        tree = place_object(own / ".git", "tree", b"100644 main.py\0" + bytes.fromhex(blob))
        text = " ".join(each.replace("\n", " ") for each in PAYLOADS)
        who = f"{text[:150]} <{name}@x> 1700000000 +0000"
        head = f"tree {tree}\nauthor {who}\ncommitter {who}\n\n{text}\n"
        commit = place_object(own / ".git", "commit", head.encode())
        (own / ".git/refs/heads/main").write_text(commit, encoding="utf-8")
    return written(mosslite.check(folder / "hw", options=Options(uses_workers=False)), folder)


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on two attempts, of which the second is another's work."""
    folder = tmp_path_factory.mktemp("attempts")
    (folder / "hw").mkdir()
    works = {"ann_attempt_2026-01-10-10-00-00": QUEUE, "zoe_attempt_2026-01-12-10-00-00": QUEUE}
    works["zoe_attempt_2026-01-09-10-00-00"] = "\n".join(f"print({n} + {n})" for n in range(30))
    for name, text in works.items():
        (folder / "hw" / f"Hw_{name}_main.py").write_text(text, encoding="utf-8")
    options = Options(uses_workers=False, intake=Intake(all_attempts=True))
    return written(mosslite.check(folder / "hw", options=options), folder)


@pytest.mark.parametrize(("width", "is_dark"), WAYS)
def test_first_commits_can_be_read_everywhere(
    firsts: Path, open_page: Open, width: int, is_dark: bool
) -> None:
    page = open_page(firsts / "pairs/1.html", width=width, is_dark=is_dark)
    assert page.get_by_role("heading", name="First commits").is_visible()
    assert "can be forged" in page.locator(".first-commits").inner_text()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "is_dark"), WAYS)
@pytest.mark.parametrize("path", ["groups/1.html", "submissions/3.html", "pairs/1.html"])
def test_hand_ins_and_attempts_can_be_read_everywhere(
    attempts: Path, open_page: Open, path: str, width: int, is_dark: bool
) -> None:
    page = open_page(attempts / path, width=width, is_dark=is_dark)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_commits_say_is_text_and_nothing_else(firsts: Path, open_page: Open) -> None:
    page = open_page(firsts / "pairs/1.html")
    shown = page.locator(".commit-table").inner_text()
    assert "<script>window.__hacked=1</script>" in shown
    assert page.locator(".commit-table script, .commit-table img").count() == 0
    assert "\u202e" not in shown


def test_first_commits_are_printed(firsts: Path, open_page: Open) -> None:
    page = open_page(firsts / "pairs/1.html")
    page.emulate_media(media="print")
    assert page.locator(".commit-table").is_visible()


def test_hiding_names_hides_who_committed(firsts: Path, open_page: Open) -> None:
    page = open_page(firsts / "pairs/1.html")
    page.get_by_text("Hide names").click()
    shown = page.locator(".first-commits").inner_text()
    assert "ann" not in shown
    assert "@x" not in shown
    assert "2023-11-14" in shown
