import json
import re
from pathlib import Path

import pytest

from tests.conftest import Outcome, Run
from tests.programs import QUEUE, QUEUE_RENAMED, TEMPLATE, write_files

GERMAN = "2 Abgaben verglichen, 0 \u00fcbersprungen, 1 Paar hat gemeinsamen Code"


@pytest.fixture
def batch(tmp_path: Path) -> str:
    """A folder with two copies of one program."""
    write_files(tmp_path, {"hw/ada.py": QUEUE, "hw/ben.py": QUEUE_RENAMED})
    return "hw"


def page(folder: Path) -> str:
    return (folder / "mosslite-report" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["option", "environment", "file"])
def test_a_language_comes_from_the_command_line_the_environment_or_the_configuration(
    run: Run, batch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    options = ["--locale", "de"] if source == "option" else []
    if source == "environment":
        monkeypatch.setenv("MOSSLITE_LOCALE", "de")
    if source == "file":
        (tmp_path / "mosslite.toml").write_text('locale = "de"\n')

    outcome = run(batch, *options)

    assert GERMAN in outcome.out
    assert outcome.out.rstrip().endswith("\u00c4hnlichkeit ist ein Hinweis, kein Beweis")
    assert '<html lang="de"' in page(tmp_path)
    assert "\u00c4hnlichkeit ist ein Hinweis, kein Beweis" in page(tmp_path)


def test_the_machine_does_not_choose_a_language(
    run: Run, batch: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.setenv(name, "de_DE.UTF-8")
    assert "2 submissions compared" in run(batch).out
    assert '<html lang="en"' in page(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "check hw -l klingon",
        "check hw -k 0",
        "check hw --max-file-size 0",
        "query a.mosslite hw/ada.py --smallest 0",
        "baseline update known.json r.json",
    ],
)
def test_what_a_command_says_is_in_its_language(
    run: Run, batch: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(batch, "--no-html", "--json", "r.json", "-q")
    said = []
    for locale in ("en", "de"):
        monkeypatch.setenv("MOSSLITE_LOCALE", locale)
        outcome = run(*command.split())
        words = re.sub(r"mosslite|\S+\.py|'[^']*'|--?\S+", "", outcome.out + outcome.err)
        said.append(set(re.findall(r"\w{5,}", words)))
        Path("known.json").unlink(missing_ok=True)
    assert said[0]
    assert not said[0] & said[1]


@pytest.mark.parametrize("command", ["check", "report", "course"])
def test_a_language_without_a_catalogue_is_refused(run: Run, batch: str, command: str) -> None:
    run(batch, "--no-html", "--json", "r.json", "-q")
    paths = [batch] if command == "check" else ["r.json"]
    outcome: Outcome = run(command, *paths, "--locale", "it")
    refused = "mosslite: unknown locale 'it': give one of en, de, es, fr\n"
    assert (outcome.code, outcome.out, outcome.err) == (2, "", refused)


def test_formats_are_the_same_bytes_in_every_language(run: Run, tmp_path: Path) -> None:
    names = ("ada", "ben", "cleo", "dan", "eva", "fay")
    write_files(tmp_path, {f"class/{name}.py": TEMPLATE for name in names})
    written = []
    for locale in ("en", "fr"):
        files = [
            f"--{name}={locale}.{name}" for name in ("json", "csv", "sarif", "markdown", "junit")
        ]
        run("class", "-q", "--locale", locale, *files)
        written.append([path.read_bytes() for path in sorted(tmp_path.glob(f"{locale}.*"))])
    assert len(written[0]) == 5
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("locale", "heading"), [("de", "Die beiden Abgaben"), ("es", "Las dos entregas")]
)
def test_a_case_file_is_written_in_a_language(
    run: Run, batch: str, tmp_path: Path, locale: str, heading: str
) -> None:
    run(batch, "--no-html", "--json", "r.json", "-q")
    assert run("report", "r.json", "1", "-o", "case.html", "--locale", locale).code == 0
    text = (tmp_path / "case.html").read_text(encoding="utf-8")
    assert re.search(rf'<html lang="{locale}"', text)
    assert heading in text
    assert "The two submissions" not in text


def test_a_course_is_written_in_a_language(run: Run, batch: str, tmp_path: Path) -> None:
    run(batch, "--no-html", "--json", "r.json", "-q")
    assert run("course", "r.json", "-o", "course", "--locale", "fr", "-q").code == 0
    text = (tmp_path / "course" / "index.html").read_text(encoding="utf-8")
    assert "Le cours au fil du temps" in text
    assert "Un cours au fil du temps" in text


def test_a_single_file_is_written_in_a_language(run: Run, batch: str, tmp_path: Path) -> None:
    run(batch, "--single-file", "-o", "one.html", "--locale", "de", "-q")
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert '<html lang="de"' in text
    assert "Bericht in einer Datei" in text


def test_code_that_a_limit_hides_is_not_said_to_be_handed_out(run: Run, batch: str) -> None:
    warnings = run(batch, "-m", "1", "--json", "-").out
    said = json.loads(warnings)["warnings"]
    assert "-m 1 excludes most of 2 of 2 submissions" in said
    assert not [each for each in said if "handed this out" in each]
