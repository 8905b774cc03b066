"""The language that a report is written in."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

import mosslite
from mosslite.options import Options
from mosslite.texts import LOCALES
from tests.browser.conftest import METADATA, SAMPLES, Open, written

PAGES = ("index.html", "pairs/1.html", "groups/1.html", "submissions/1.html")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report on a class in each language, with a threshold that connects several to a group."""
    folder = tmp_path_factory.mktemp("languages")
    found = mosslite.check(SAMPLES / "java" / "submissions")
    assert found.threshold
    lower = replace(found.threshold, score=0.13)
    found = replace(found, options=Options(), threshold=lower)
    return {
        locale: written(found, folder / locale, replace(METADATA, locale=locale))
        for locale in LOCALES
    }


@pytest.mark.parametrize("locale", LOCALES)
def test_a_page_names_its_language_and_opens_without_an_error(
    open_page: Open, reports: dict[str, Path], locale: str
) -> None:
    for path in PAGES:
        expect(open_page(reports[locale] / path).locator("html")).to_have_attribute("lang", locale)


def test_scripts_speak_the_language_of_the_page(open_page: Open, reports: dict[str, Path]) -> None:
    page = open_page(reports["de"] / "index.html")
    page.keyboard.press("?")
    assert page.locator("#keys-heading").inner_text() == "Tastenk\u00fcrzel"
    assert "Paare" in page.locator("#filter-status").inner_text()


def test_a_telephone_has_room_for_longer_words_and_for_the_picture_of_a_group(
    open_page: Open, reports: dict[str, Path]
) -> None:
    drawn = 0
    for path in (*PAGES, *(f"groups/{number}.html" for number in range(2, 6))):
        page = open_page(reports["de"] / path, width=390, height=844)

        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        boxes = [node.bounding_box() for node in page.locator(".sub-page .node").all()]
        assert not boxes or any(box and box["x"] + box["width"] <= 390 for box in boxes)
        drawn += len(boxes)
    assert drawn


@pytest.mark.parametrize("locale", LOCALES)
def test_all_tools_of_a_pair_are_in_sight(
    open_page: Open, reports: dict[str, Path], locale: str
) -> None:
    pairs = sorted((reports[locale] / "pairs").iterdir())
    offers_all = (each for each in pairs if 'class="choice" hidden' not in each.read_text("utf-8"))
    path = next(offers_all)
    for width in (1200, 1280):
        page = open_page(path, width=width)

        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator("#save-case")).to_be_in_viewport(ratio=1)


def test_what_was_changed_is_labelled_in_the_language_of_the_page(
    open_page: Open, reports: dict[str, Path]
) -> None:
    pairs = sorted((reports["de"] / "pairs").iterdir())
    path = next(each for each in pairs if '"kind":"changed"' in each.read_text("utf-8"))
    page = open_page(path)

    expect(page.locator("#columns .gap-label").first).to_be_attached()
    labels = set(page.locator("#columns .gap-label").all_text_contents())
    assert "ge\u00e4ndert" in labels
    assert labels <= {"ge\u00e4ndert", "eingef\u00fcgt"}


@pytest.mark.parametrize(
    ("locale", "title"),
    [
        ("en", r"Submission \d+ and Submission \d+ - mosslite report"),
        ("de", r"Abgabe \d+ und Abgabe \d+ - mosslite-Bericht"),
    ],
)
def test_the_title_of_hidden_names_is_in_the_language_of_the_page(
    open_page: Open, reports: dict[str, Path], locale: str, title: str
) -> None:
    page = open_page(reports[locale] / "pairs" / "1.html")
    page.locator(".names-switch").click()
    assert re.fullmatch(title, page.title())


def test_hostile_names_are_shown_in_another_language_and_do_nothing(
    open_page: Open, hostile: Path, tmp_path: Path
) -> None:
    names = open_page(hostile / "index.html").locator("#pair-table bdi").all_text_contents()
    found = mosslite.check(hostile.parent / "class", options=Options(jobs=1))
    page = open_page(written(found, tmp_path, replace(METADATA, locale="fr")) / "index.html")

    assert page.locator("#pair-table bdi").all_text_contents() == names
