"""Names that look alike are displayed differently, wherever they are shown."""

import json
import re
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.report.similar_names import distinct_names
from tests.builders import LAW
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files

NFC, NFD = "Jos\u00e9", "Jose\u0301"
NFC_SHOWN, NFD_SHOWN = "Jos[U+00E9]", "Jose[U+0301]"

ALIKE = [
    (NFC, NFD),
    ("ann", "\u0430nn"),  # Cyrillic
    ("cop", "\u0441\u043e\u0440"),  # Cyrillic all through
    ("\u0410\u043d\u043d\u0430", "A\u043d\u043d\u0430"),
    ("\u043e\u0301", "\u03bf\u0301"),  # Cyrillic and Greek
    ("ann", "ann\u200b"),
    ("ann", "a\u00adnn"),
    ("ann", "ann "),
    ("ann", " ann"),
    ("ann lee", "ann  lee"),
    ("ann lee", "ann\u00a0lee"),
    ("ann", "\uff41nn"),  # of full width
    ("file", "\ufb01le"),
    ("a\u0430", "\u0430a"),  # the same letters, in another order
    ("\u00c5ngstr\u00f6m", "\u212bngstro\u0308m"),
    ("e\u0323\u0301", "e\u0301\u0323"),
    ("ann", "\ufeffann"),
    ("\ud55c\uae00", unicodedata.normalize("NFD", "\ud55c\uae00")),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_are_distinguished_by_what_differs(one: str, other: str) -> None:
    names = distinct_names([one, other])

    shown = names.shown(one), names.shown(other)

    assert len(set(shown)) == 2
    assert any("[U+" in each for each in shown)
    for each in shown:  # each can be seen in any font, and stays as it is on any terminal
        assert each.isprintable()
    assert unicodedata.normalize("NFKD", shown[0]) != unicodedata.normalize("NFKD", shown[1])


def test_only_what_differs_is_spelled_out() -> None:
    names = distinct_names([NFC, NFD, "\u0410\u043d\u043d\u0430", "A\u043d\u043d\u0430"])
    assert names.shown(NFC) == NFC_SHOWN
    assert names.shown(NFD) == NFD_SHOWN
    assert names.shown("\u0410\u043d\u043d\u0430") == "[U+0410]\u043d\u043d\u0430"
    assert names.shown("A\u043d\u043d\u0430") == "A\u043d\u043d\u0430"


@pytest.mark.parametrize(
    "name", [NFC, NFD, "\u0410\u043d\u043d\u0430", "ann lee", "Ann", "\u5f20\u4f1f", "ann "]
)
def test_a_name_that_looks_like_no_other_stays_as_it_is(name: str) -> None:
    names = distinct_names([name, "ben", "Jose", "Jos\u00e8", "ANN"])
    assert names.shown(name) == name


def test_the_parts_of_paths_are_distinguished_separately() -> None:
    names = distinct_names([f"hw/{NFC}/a.py", f"{NFD}/a.py", "hw/x.py"])
    assert names.shown(f"x/{NFD}/a.py") == f"x/{NFD_SHOWN}/a.py"
    assert names.in_text(f"read as text: {NFD}, hw/{NFC}/a.py and {NFC}s") == (
        f"read as text: {NFD_SHOWN}, hw/{NFC_SHOWN}/a.py and {NFC}s"
    )


def test_nobody_is_called_as_another_one_is_shown() -> None:
    names = distinct_names([NFC, NFD, NFD_SHOWN, NFC_SHOWN])
    assert len({names.shown(each) for each in (NFC, NFD, NFD_SHOWN, NFC_SHOWN)}) == 4


LETTERS = "aA\u0430\u0410e\u00e9\u0301 \u200b[U+0]\uff41o\u043e\u03bf"


def _look(text: str) -> str:
    return unicodedata.normalize("NFKD", text).translate(
        {0x430: "a", 0x410: "A", 0x43E: "o", 0x3BF: "o"}
    )


@LAW
@given(st.lists(st.text(LETTERS, min_size=1, max_size=5), max_size=6, unique=True))
def test_no_two_names_are_shown_alike(some: list[str]) -> None:
    names = distinct_names(some)
    shown = {each: names.shown(each) for each in some}
    for one, other in combinations(some, 2):
        assert _look(shown[one]) != _look(shown[other])
        assert distinct_names(reversed(some)).shown(one) == shown[one]


@pytest.fixture
def two_of_one_look(tmp_path: Path) -> None:
    """Hand in copies whose names differ by their Unicode form alone, and a third work."""
    write_files(tmp_path / "hw", {f"{NFC}/main.py": QUEUE, f"{NFD}/main.py": QUEUE})
    if len(list((tmp_path / "hw").iterdir())) == 1:
        pytest.skip("this file system takes them for one name")
    write_files(tmp_path / "hw", {"cy/main.py": PRIMES, "cy/m\u0430in.py": WORDS})
    (tmp_path / "hw" / NFD / "empty.py").touch()


@pytest.mark.usefixtures("two_of_one_look")
def test_what_people_read_tells_them_apart_and_what_programs_read_has_their_names(
    run: Run, tmp_path: Path
) -> None:
    results = [f"r.{kind}" for kind in ("json", "csv", "md", "xml", "sarif")]
    options = ["--json", "--csv", "--markdown", "--junit", "--sarif"]
    written = [each for pair in zip(options, results, strict=True) for each in pair]

    outcome = run("hw", "-o", "report", "--moss-html", "moss", "--fail-above", "50", *written)

    assert outcome.code == 1
    texts = {name: (tmp_path / name).read_text(encoding="utf-8") for name in results}
    texts["terminal"] = outcome.out
    texts["moss"] = (tmp_path / "moss/index.html").read_text(encoding="utf-8")
    for text in (each for name, each in texts.items() if name not in {"r.json", "r.sarif"}):
        assert NFC_SHOWN in text
        assert NFD_SHOWN in text
        assert NFC not in text
        assert NFD not in text
    assert f"skipped: hw/{NFD_SHOWN}/empty.py is empty\n" in outcome.out

    found = json.loads(texts["r.json"])
    assert {each["name"] for each in found["submissions"]} == {NFC, NFD, "cy"}
    assert {found["pairs"][0]["left"], found["pairs"][0]["right"]} == {NFC, NFD}
    assert found["skipped"][0]["path"] == f"hw/{NFD}/empty.py"
    sarif = json.loads(texts["r.sarif"])["runs"][0]["results"][0]
    said = sarif["message"]["text"].replace("\\", "")
    assert NFC_SHOWN in said
    assert NFD_SHOWN in said
    assert "Jos%C3%A9" in json.dumps(sarif)


@pytest.mark.usefixtures("two_of_one_look")
def test_each_page_of_the_report_tells_them_apart(run: Run, tmp_path: Path) -> None:
    assert run("hw", "-o", "report").code == 0

    pages = {path: path.read_text(encoding="utf-8") for path in tmp_path.rglob("report/**/*.html")}
    shown = [path for path, page in pages.items() if NFD_SHOWN in page]
    assert not any(NFC in page or NFD in page for page in pages.values())
    assert {path.parent.name for path in shown} >= {"report", "pairs", "submissions"}
    assert any("m[U+0430]in.py" in page for page in pages.values())
    # What is left out of a submission is still found by its name.
    (own,) = (each for each in shown if "submissions" in str(each) and "empty.py" in pages[each])
    assert re.search(rf"<title[^>]*>{re.escape(NFD_SHOWN)} - ", pages[own])
    # Marks go by the names as they are, from run to run.
    data = (tmp_path / "report/review-data.js").read_text(encoding="utf-8")
    assert NFD_SHOWN not in data
    names = re.search(r'"names": ?(\[[^\]]*\])', data)
    assert names
    assert {NFC, NFD} <= set(json.loads(names[1]))


@pytest.mark.usefixtures("two_of_one_look")
def test_who_is_not_compared_is_told_apart_too(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", {f"{NFD}/main.py": "", "dan/main.py": QUEUE})
    assert run("hw", "-o", "report", "--junit", "r.xml", "-n", "1").code == 0

    page = (tmp_path / "report/index.html").read_text(encoding="utf-8")
    for text in (page, (tmp_path / "r.xml").read_text(encoding="utf-8")):
        assert NFD_SHOWN in text
        assert NFD not in text


def test_base_code_is_distinguished_where_a_page_says_what_it_took_out(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"main.py": PRIMES, "m\u0430in.py": WORDS})
    write_files(tmp_path, {"hw/ann/a.py": QUEUE + WORDS, "hw/bob/a.py": QUEUE + PRIMES})

    assert run("hw", "-o", "report", "-b", "main.py", "-b", "m\u0430in.py").code == 0

    pages = [each.read_text("utf-8") for each in tmp_path.glob("report/submissions/*.html")]
    assert not any("m\u0430in.py" in page for page in pages)
    told = [page for page in pages if "m[U+0430]in.py</bdi>" in page]
    assert ["91 tokens from <span data-file><bdi" in page for page in told] == [True]


@pytest.mark.usefixtures("two_of_one_look")
def test_lists_of_submissions_tell_them_apart(run: Run) -> None:
    listed = run("hw", "--list").out
    assert f"current {NFC_SHOWN}\n" in listed
    assert f"current {NFD_SHOWN}\n" in listed
    assert f"skipped: hw/{NFD_SHOWN}/empty.py is empty\n" in listed
    assert "  m[U+0430]in.py: python" in listed

    assert run("archive", "add", "a.mosslite", "--term", "1", "hw").code == 0
    listed = run("archive", "list", "a.mosslite").out
    assert listed == f"1/{NFD_SHOWN}\n1/{NFC_SHOWN}\n1/cy\n"
    asked = run("query", "a.mosslite", "hw/cy/main.py", "-n", "0").out
    assert "1/cy" in asked
    asked = run("query", "a.mosslite", f"hw/{NFC}/main.py", "-n", "0").out
    assert NFC_SHOWN in asked
    assert NFD_SHOWN in asked
    removed = run("archive", "remove", "a.mosslite", "--student", NFD_SHOWN).out
    assert removed == f"removed: 1/{NFD_SHOWN}\n"


@pytest.mark.usefixtures("two_of_one_look")
def test_an_update_of_a_baseline_tells_them_apart(run: Run) -> None:
    assert run("hw", "--no-html", "--json", "r.json").code == 0
    out = run("baseline", "update", "b.json", "r.json").out
    assert f"added: {NFD_SHOWN} and {NFC_SHOWN}\n" in out
    again = run("hw", "--no-html", "--baseline", "b.json", "--fail-above", "50")
    assert again.code == 0
    assert "known" in again.out


@pytest.mark.usefixtures("two_of_one_look")
def test_an_anonymous_report_has_neither(run: Run, tmp_path: Path) -> None:
    assert run("hw", "-o", "report", "--anonymize", "key.csv").code == 0
    pages = [each.read_text(encoding="utf-8") for each in tmp_path.rglob("report/**/*.html")]
    assert not any("Jos" in page for page in pages)
    key = (tmp_path / "key.csv").read_text(encoding="utf-8")
    assert NFC in key
    assert NFD in key
