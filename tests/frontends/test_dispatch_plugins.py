"""Front-ends of other packages, installed as pip does it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mosslite.frontends import Reading, Token, reading_of
from mosslite.languages import plug_ins
from tests.conftest import Run
from tests.programs import QUEUE, QUEUE_RENAMED, write_files
from tests.tables import texts_of

TOY = texts_of("scripts")["TOY"]


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = "[mosslite.frontends]\ntoy = toylang:read\nbroken = toylang:broken\n"
    write_files(
        tmp_path / "site",
        {
            "toylang.py": TOY,
            "toylang-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: toylang\nVersion: 1.0",
            "toylang-1.0.dist-info/entry_points.txt": points + "wrong = toylang:wrong\n",
        },
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    plug_ins.cache_clear()
    yield
    plug_ins.cache_clear()


@pytest.fixture
def batch(tmp_path: Path) -> None:
    texts = {"a": QUEUE, "b": QUEUE_RENAMED}
    write_files(
        tmp_path, {f"hw/{name}.toy": text.replace(" = ", " <- ") for name, text in texts.items()}
    )


def results(run: Run, *options: str) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = json.loads(
        run("-q", "--no-html", "--json", "-", *options, "hw").out
    )
    return found


@pytest.mark.usefixtures("batch")
def test_files_of_its_patterns_are_read_by_a_front_end_that_is_installed(run: Run) -> None:
    found = results(run)

    assert [each["languages"] for each in found["submissions"]] == [["toy"], ["toy"]]
    assert found["pairs"][0]["similarity"] == 1


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize("name", ["broken", "wrong"])
def test_a_front_end_that_fails_is_replaced_by_the_plain_tokenizer(run: Run, name: str) -> None:
    (warning,) = results(run, "-l", name)["warnings"]

    assert str(warning).startswith("read by a plain tokenizer")


@pytest.mark.usefixtures("batch")
def test_a_front_end_that_cannot_be_loaded_stops_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site/toylang-1.0.dist-info/entry_points.txt").write_text(
        "[mosslite.frontends]\ntoy = toylang:gone\n"
    )

    assert run("hw").err == (
        "mosslite: front-end 'toy' (toylang:gone) cannot be loaded: module 'toylang' has no "
        "attribute 'gone'\n"
    )


def test_languages_of_plug_ins_are_listed_with_the_files_they_read(run: Run) -> None:
    assert "\n\nplug-in  files\nbroken\ntoy      *.toy\nwrong\n\n" in run("languages").out


def test_an_archive_outlives_the_front_end_that_read_it(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"old/a.toy": QUEUE, "new/b.py": QUEUE})
    run("archive", "add", "a.mosslite", "--term", "2025", "old")
    (tmp_path / "site/toylang-1.0.dist-info/entry_points.txt").unlink()
    plug_ins.cache_clear()

    assert "b.py  2025/a.toy  1.000" in run("--archive", "a.mosslite", "new").out
    assert run("archive", "rebuild", "a.mosslite", "-k", "10").code == 0


def test_an_archive_is_rebuilt_by_a_front_end_that_has_changed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, {"old/a.toy": QUEUE})
    run("archive", "add", "a.mosslite", "--term", "2025", "old")
    monkeypatch.setattr("toylang.read", changed)
    plug_ins.cache_clear()

    assert "100 %" not in run("query", "a.mosslite", "old/a.toy").out
    assert run("archive", "rebuild", "a.mosslite").code == 0
    assert "100 %  2025/a.toy" in run("query", "a.mosslite", "old/a.toy").out


def changed(text: str) -> Reading:
    """Read words only."""
    return reading_of(text, [Token(*each.span()) for each in re.finditer(r"\w+", text)])


changed.patterns = ("*.toy",)  # type: ignore[attr-defined]
