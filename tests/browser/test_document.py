"""Case files and reports in one file, as a browser shows and prints them."""

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

import mosslite
from mosslite.options import Options
from mosslite.records import Report
from mosslite.report.cases import source_of
from mosslite.report.course import roll_up, to_page
from mosslite.report.html.document import Case, case_file, to_one_file
from mosslite.report.recording import to_json
from mosslite.report.students import Given, joined
from tests.browser.conftest import (
    MARKS,
    METADATA,
    PAYLOADS,
    SAMPLES,
    Open,
    hostile_files,
    violations,
)
from tests.programs import write_files
from tests.reports import results, results_in

PAGES = ("case.html", "one.html", "course.html")


def case_of(report: Report, rank: int = 1) -> str:
    """Return the case file of a pair, as from results that have just been written."""
    results = results_in(
        to_json(report, created=METADATA.created, version=METADATA.version).encode()
    )
    pair = results.pairs[rank - 1]
    sources = {each.name: source_of(each) for each in report.submissions if each.name in pair.names}
    return case_file(Case(results, "0" * 64, (pair,), sources), METADATA)


def course_page(*payloads: str) -> str:
    """Return the page of a course of four assignments, in which a group stands out twice."""
    names = [f"{name}.py" for name in ("ann", "bob", "cleo", "dan", "eve")] + [*payloads]
    ring = dict.fromkeys(pairwise(names), 0.9)
    titles = ("Door log", "Car park", "Run log", *payloads)
    texts = [results(names, ring if n < 2 else {}, title=t) for n, t in enumerate(titles)]
    texts.append(results(["zoe", "ann"], {("zoe", "ann"): 0.7}, title="Queue"))
    found = [
        Given(Path(f"{n}.json"), results_in(text.encode()), str(n)) for n, text in enumerate(texts)
    ]
    return to_page(
        roll_up(joined(found), METADATA), METADATA, "CS 101 ".join(("", *payloads)) or "CS 101"
    )


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case file, a report in one file, and a course, on sample classes."""
    folder, java = tmp_path_factory.mktemp("documents"), SAMPLES / "java"
    options = Options(comment="CS 101: a car park", show=8, jobs=1)
    report = mosslite.check(java / "submissions", base=java / "template", options=options)
    pages = {"case.html": case_of(report), "one.html": to_one_file(report, METADATA)}
    write_files(folder, {**pages, "course.html": course_page()})
    return folder


@pytest.fixture(scope="session")
def hostile_documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same on a class that means harm."""
    folder = tmp_path_factory.mktemp("hostile-documents")
    write_files(folder, hostile_files())
    options = Options(comment=" ".join(PAYLOADS), review=MARKS, jobs=1)
    report = mosslite.check(folder / "class", options=options)
    cases = {f"case-{n}.html": case_of(report, n) for n in range(1, len(report.pairs) + 1, 9)}
    pages = {"one.html": to_one_file(report, METADATA), "course.html": course_page(*PAYLOADS)}
    write_files(folder, {**cases, **pages})
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "telephone"])
@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_is_wrong(
    documents: Path, open_page: Open, name: str, is_dark: bool, width: int
) -> None:
    page = open_page(documents / name, is_dark=is_dark, width=width)

    assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_reaches_over_the_edge(documents: Path, open_page: Open, name: str) -> None:
    for width in (1280, 720, 390):
        page = open_page(documents / name, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


@pytest.mark.parametrize("name", PAGES)
def test_a_document_needs_no_other_file_and_runs_no_script(
    documents: Path, open_page: Open, name: str
) -> None:
    open_page(documents / name)

    html = (documents / name).read_text(encoding="utf-8")
    assert not re.search(r"<(script|link|img|iframe|object|embed|form|base)\b", html)
    assert not re.search(r"\s(src|style|on\w+)=", html)
    assert set(re.findall(r'href="(.)', html)) <= {"#"}
    style = re.search(r"<style>(.*?)</style>", html, re.S)
    assert style
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html


def test_a_case_file_prints_with_page_numbers(
    documents: Path, open_page: Open, tmp_path: Path
) -> None:
    page = open_page(documents / "case.html")

    made = page.pdf(path=tmp_path / "case.pdf", prefer_css_page_size=True)

    assert made.count(b"/Type /Page\n") >= 8
    style = (documents / "case.html").read_text(encoding="utf-8")
    assert 'content: "page " counter(page) " of " counter(pages)' in style
    assert 'content: "CS 101: a car park"' in style


def test_a_pair_is_found_from_the_list(documents: Path, open_page: Open) -> None:
    page = open_page(documents / "one.html", width=390)

    page.get_by_role("link", name="7", exact=True).click()

    assert page.evaluate("location.hash") == "#pair-7"
    assert page.get_by_role("heading", name=re.compile("^7[.] ")).is_visible()


def test_hostile_names_do_no_harm(hostile_documents: Path, open_page: Open) -> None:
    for path in sorted(hostile_documents.glob("*.html")):
        page = open_page(path)
        assert page.evaluate("document.scripts.length") == 0
        assert page.evaluate("[...document.links].every((link) => link.protocol === 'file:')")
        assert page.evaluate("document.querySelectorAll('style').length") == 1
    assert "{{7*7}}" in (hostile_documents / "one.html").read_text(encoding="utf-8")
