"""Options come from the instructor's files alone, and whatever is written names the file."""

import csv
import io
import json
import shlex
import sys
import zipfile
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from mosslite.cli.check import check
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, write_files
from tests.tables import column_of, table

RESULTS: Final = ("--json", "x.json", "--csv", "x.csv", "--sarif", "x.sarif", "--junit", "x.xml")
ALL_RESULTS: Final = (*RESULTS, "--markdown", "x.md", "--moss-html", "moss")
WRITTEN: Final = ("x.json", "x.csv", "x.sarif", "x.xml", "x.md", "moss/index.html")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def options_text(name: str, comment: str) -> str:
    head = "[tool.mosslite]\n" if name == "pyproject.toml" else ""
    return f'{head}comment = "{comment}"\nquiet = true\nno-html = true\n'


@pytest.fixture(params=["mosslite.toml", "pyproject.toml"])
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def course(tmp_path: Path, name: str) -> Path:
    """A course with files of options that students have put wherever they can put files."""
    planted = options_text(name, "planted")
    programs = {"ann": QUEUE, "bob": QUEUE, "cy": PRIMES}
    folder = tmp_path / "course"
    for each, text in programs.items():
        write_files(folder, {f"flat/{each}.py": text, f"hw/{each}/main.py": text})
        write_files(folder, {f"old/{each}.py": WORDS, f"hw/{each}/{name}": planted})
    write_files(folder, {f"{batch}/{name}": planted for batch in ("flat", "hw", "old")})
    (folder / "link").symlink_to("flat")
    write_files(folder, {"links/note": ""})
    for each in programs:
        (folder / "links" / each).symlink_to(f"../hw/{each}")
        (folder / "links" / f"{each}.py").symlink_to(f"../flat/{each}.py")
    (folder / "flat" / "one.py").write_bytes(b"PK\3\4 = 3\n" + QUEUE.encode())
    return folder


def parsed(arguments: str) -> dict[str, Any]:
    """Return what a command line comes to, with the file that options were read from."""
    return check.make_context("check", shlex.split(arguments)).params


def note_on(name: str) -> str:
    return (
        f"options in {name!r} are ignored, as the file is among the submissions: "
        "if it is yours, pass it with --config"
    )


FLAT: Final = column_of("cli/test_config_trust", "FLAT")
FOLDERS: Final = column_of("cli/test_config_trust", "FOLDERS")
INSIDE: Final = column_of("cli/test_config_trust", "INSIDE")


@pytest.fixture(params=["as it is", "by a link"])
def start(request: pytest.FixtureRequest, course: Path) -> Path:
    """The folder of the course, or one in which all its folders are links."""
    if request.param == "as it is":
        return course
    for each in ("flat", "hw", "old", "link", "links"):
        write_files(course.parent, {"course/linked/note": ""})
        (course / "linked" / each).symlink_to(course / each)
    return course / "linked"


@pytest.mark.parametrize(
    ("folder", "spellings"), [("flat", FLAT), ("hw", FOLDERS), ("hw/ann", INSIDE)]
)
def test_options_among_what_was_handed_in_are_never_read_and_that_is_said(
    start: Path, monkeypatch: pytest.MonkeyPatch, name: str, folder: str, spellings: tuple[str, ...]
) -> None:
    here = start / folder
    monkeypatch.chdir(here)
    for arguments in spellings:
        for each in (arguments, f"-q {arguments}"):
            found = parsed(each.format(here=here, name=name))
            assert (found["config"], found["comment"]) == (None, ""), each
            assert found["config_notes"] == (note_on(name),), each


@pytest.mark.parametrize("quiet", ["", "-q"])
def test_a_run_says_which_options_it_has_not_used(
    run: Run, course: Path, monkeypatch: pytest.MonkeyPatch, name: str, quiet: str
) -> None:
    monkeypatch.chdir(course / "flat")
    outcome = run("ann.py", "bob.py", "--no-html", *quiet.split())
    assert note_on(name) in (outcome.err if quiet else outcome.out).splitlines()
    assert outcome.code == 0
    listed = run("ann.py", "bob.py", "--list", *quiet.split())
    assert note_on(name) in (listed.err if quiet else listed.out).splitlines()


@table("arguments")
def test_options_above_the_batch_are_read_however_its_paths_are_written(
    course: Path, monkeypatch: pytest.MonkeyPatch, name: str, arguments: str
) -> None:
    write_files(course, {name: options_text(name, "mine"), "mine.py": PRIMES})
    for batch in ("flat", "old"):
        with zipfile.ZipFile(course / f"{batch}.zip", "w") as packed:
            packed.write(course / batch / "ann.py", "ann.py")
            packed.write(course / batch / "bob.py", "bob.py")
    monkeypatch.chdir(course)
    found = parsed(arguments.format(here=course))
    assert (found["config"], found["comment"], found["quiet"]) == (name, "mine", True)
    assert found["config_notes"] == (f"options from {name}",)


def test_a_file_that_is_named_is_read_wherever_it_is(
    course: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(course / "flat")
    found = parsed(f"ann.py bob.py --config {name}")
    assert (found["config"], found["comment"]) == (name, "planted")
    assert found["config_notes"] == (f"options from {name}",)
    found = parsed("ann.py bob.py --no-config")
    assert (found["config"], found["config_notes"]) == (None, ())


@pytest.mark.parametrize("target", ["flat", "flat/ann.py", "link"])
def test_a_link_to_what_a_student_has_written_is_not_read(
    course: Path, monkeypatch: pytest.MonkeyPatch, name: str, target: str
) -> None:
    arguments = "flat" if target != "flat/ann.py" else "flat/ann.py flat/bob.py"
    (course / name).symlink_to(f"{target.partition('/')[0]}/{name}")
    monkeypatch.chdir(course)
    found = parsed(arguments)
    assert (found["config"], found["config_notes"]) == (None, (note_on(name),))


@pytest.mark.parametrize("arguments", ["hw2/*", "hw2/lin?", "hw2/* --prior hw2/*"])
def test_options_beside_what_a_matched_link_leads_to_are_not_read(
    course: Path, monkeypatch: pytest.MonkeyPatch, name: str, arguments: str
) -> None:
    write_files(course, {f"away/{name}": options_text(name, "planted"), "away/hw/a.py": PRIMES})
    (course / "hw2").mkdir()
    (course / "hw2/link").symlink_to("../away/hw")
    monkeypatch.chdir(course)
    found = parsed(arguments)
    assert (found["config"], found["comment"]) == (None, "")


@pytest.mark.parametrize("content", [b"\xff", b"a." * 500_000, b"[" * 100_000, b"quiet = true"])
def test_what_is_not_read_cannot_stop_a_run(run: Run, tmp_path: Path, content: bytes) -> None:
    write_files(tmp_path, {"a.py": QUEUE, "b.py": QUEUE})
    for name in ("mosslite.toml", "pyproject.toml"):
        (tmp_path / name).write_bytes(b"# mosslite\n" + content)
    outcome = run("a.py", "b.py", "--no-html")
    assert (outcome.code, outcome.out.count("are ignored, as")) == (0, 2)


def test_an_archive_is_filled_without_the_options_of_students(
    run: Run, course: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(course / "flat")
    write_files(course, {f"flat/{name}": options_text(name, "x") + 'exclude = ["ann.py"]\n'})
    done = run("archive", "add", "../a.mosslite", "--term", "1", "ann.py", "bob.py")
    assert f"options in {name!r} are ignored" in done.out
    assert "added: 2 submissions to 1\n" in done.out


@pytest.mark.parametrize("options", [(), ("--anonymize", "key.csv"), ("--exclude", "hw/*")])
def test_every_result_names_the_file_that_options_come_from(
    run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    text = 'quiet = true\nexclude = ["bob.py"]\n'
    write_files(tmp_path, {"mosslite.toml": text, "hw/ann.py": QUEUE, "hw/cy.py": QUEUE})
    outcome = run("hw", *ALL_RESULTS, *options)
    assert (outcome.code, outcome.err) == (0, "options from mosslite.toml\n")
    for each in (*WRITTEN, "mosslite-report/index.html"):
        assert "mosslite.toml" in (tmp_path / each).read_text(encoding="utf-8"), each
    assert not run("hw", "--no-config", *ALL_RESULTS, *options).err
    for each in (*WRITTEN, "mosslite-report/index.html"):
        assert "mosslite.toml" not in (tmp_path / each).read_text(encoding="utf-8"), each


def test_the_name_of_the_file_is_text_wherever_it_is_written(run: Run, tmp_path: Path) -> None:
    name = "=1+1 <b>&amp;|`x`\n\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}.toml"
    write_files(tmp_path, {name: "show = 1", "hw/ann.py": QUEUE, "hw/cy.py": QUEUE})
    outcome = run("hw", "--config", name, *ALL_RESULTS)
    assert outcome.out.startswith("options from =1+1 <b>&amp;|`x`\\n\\x1b[2J\\u202e.toml\n")
    read = {each: (tmp_path / each).read_text(encoding="utf-8") for each in WRITTEN}
    assert json.loads(read["x.json"])["options"]["config"] == name
    rows = list(csv.DictReader(io.StringIO(read["x.csv"])))
    assert [row["left"][:5] for row in rows] == ["ann.p", "'=1+1"]
    assert rows[1]["skipped"] == "options were read from it"
    assert ElementTree.fromstring(read["x.xml"]).find("testsuite/properties/property") is not None  # noqa: S314
    page = (tmp_path / "mosslite-report" / "index.html").read_text(encoding="utf-8")
    for text in (page, read["moss/index.html"]):
        assert "<b>" not in text
        assert "&lt;b&gt;&amp;amp;" in text
    for each in set(WRITTEN) - {"x.json"}:
        assert not {"\x1b", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(read[each]), each


def test_a_report_without_names_has_none_of_the_file_that_options_come_from(
    run: Run, tmp_path: Path
) -> None:
    write_files(tmp_path, {"deep/fenna.toml": "show = 1", "hw/ann.py": QUEUE, "hw/cy.py": QUEUE})
    run("hw", "--config", "deep/fenna.toml", "--anonymize", "key.csv", *ALL_RESULTS)
    for each in (*WRITTEN, "mosslite-report/index.html"):
        assert "fenna" not in (tmp_path / each).read_text(encoding="utf-8"), each
    options = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["options"]
    assert options["config"] == "a file whose name is withheld"
