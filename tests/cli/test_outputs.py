import csv
import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import BOTH, SUMMARY, refusal
from tests.conftest import Outcome, Run
from tests.posix import O_NONBLOCK, mkfifo
from tests.programs import TEMPLATE, write_files

pytestmark = pytest.mark.usefixtures("copies")
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")

JAVA = Path(__file__).parents[2] / "samples" / "java" / "submissions"


def test_quiet_prints_nothing_and_writes_everything(run: Run, tmp_path: Path) -> None:
    assert run("a.py", "b.py", "gone.py", "-q", "--json", "x.json") == Outcome(0, "", "")
    assert (tmp_path / "x.json").exists()
    assert (tmp_path / "mosslite-report" / "index.html").exists()


def test_a_result_on_standard_output_moves_the_summary_to_standard_error(run: Run) -> None:
    outcome = run(*BOTH, "--json", "-")
    assert (outcome.code, outcome.err) == (0, SUMMARY)
    assert json.loads(outcome.out)["pairs"][0]["score"] == 1
    outcome = run(*BOTH, "--csv", "-")
    assert outcome.err == SUMMARY
    assert next(csv.DictReader(io.StringIO(outcome.out)))["left"] == "a.py"


def test_likely_boilerplate_that_nobody_declared_is_a_warning_in_every_result(
    run: Run, tmp_path: Path
) -> None:
    names = ("ada", "ben", "cleo", "dan", "eva", "fay")
    write_files(tmp_path, {f"class/{name}.py": TEMPLATE for name in names})
    said = "most submissions share these passages; if you handed them out, exclude them with "
    warning = f"{said}-b: ada.py (lines 1-18)"

    outcome = run("class", "--json", "-", "--markdown", "x.md", "--sarif", "x.sarif")

    option = "-b mosslite-report/likely-boilerplate"
    assert f"warning: {said}{option}: ada.py (lines 1-18)\n" in outcome.err
    assert json.loads(outcome.out)["warnings"] == [warning]
    for name in ("x.md", "x.sarif"):
        assert warning in (tmp_path / name).read_text(encoding="utf-8")
    page = (tmp_path / "mosslite-report" / "index.html").read_text(encoding="utf-8")
    assert '<a href="#shared">Shared passages' in page
    assert said not in page
    assert option in page


def test_a_report_in_one_file_has_no_folder_of_likely_boilerplate_to_exclude(
    run: Run, tmp_path: Path
) -> None:
    names = ("ada", "ben", "cleo", "dan", "eva", "fay")
    write_files(tmp_path, {f"class/{name}.py": TEMPLATE for name in names})

    outcome = run("class", "--single-file")

    assert "if you handed them out, exclude them with -b: ada.py (lines 1-18)\n" in outcome.out
    assert "report: mosslite-report.html\n" in outcome.out


def test_short_passages_are_named_by_lines_and_point_to_no_report_that_is_not_written(
    run: Run,
) -> None:
    outcome = run(str(JAVA), "--no-html")

    (line,) = [line for line in outcome.out.splitlines() if "these short passages" in line]
    remark, files = line.split(" -b: ")
    assert remark.endswith("if you handed them out, exclude them with")
    assert files == "mateo/ParkingMain.java (lines 30-35)"


def test_results_in_files_are_those_on_standard_output(run: Run, tmp_path: Path) -> None:
    assert run(*BOTH, "--json", "x.json", "--csv", "x.csv").out == SUMMARY
    for option, name in (("--json", "x.json"), ("--csv", "x.csv")):
        text = (tmp_path / name).read_bytes().decode()
        assert run(*BOTH, "-q", option, "-").out == text
        assert "\r" not in text


def test_the_report_goes_to_the_folder_asked_for_and_replaces_an_older_one(
    run: Run, tmp_path: Path
) -> None:
    page = tmp_path / "out" / "deep" / "index.html"
    for title in ("older title", "second & <last>"):
        outcome = run("a.py", "b.py", "-o", "out/deep", "-c", title)
        assert "report: out/deep/index.html\n" in outcome.out
        assert outcome.code == 0
    assert "older title" not in page.read_text(encoding="utf-8")
    assert "second &amp; &lt;last&gt;" in page.read_text(encoding="utf-8")
    assert not (tmp_path / "mosslite-report").exists()
    assert run("a.py", "b.py", "-o", "out/deep", "--json", "out/deep/x.json", "-q").code == 0
    assert json.loads((page.parent / "x.json").read_text())["format"] == 1


def test_a_folder_that_is_not_a_report_is_never_written_over(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"thesis/chapter.tex": "precious"})
    message = (
        "'thesis' contains files that are not a mosslite report: choose another folder with -o"
    )
    assert run("a.py", "b.py", "-o", "thesis") == refusal(message)
    assert run("a.py", "b.py", "-o", "c.py") == refusal("'c.py' is a file: choose a folder with -o")
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "precious"
    assert run("a.py", "b.py", "-o", "c.py/x").err.startswith("mosslite: cannot write the report")


def test_names_too_long_for_the_file_system_are_explained(run: Run) -> None:
    name = 300 * "x"
    reason = os.strerror(errno.ENAMETOOLONG).lower()
    assert run(*BOTH, "--json", name) == refusal(f"cannot write {name!r}: {reason}")
    assert run(*BOTH, "--json", 250 * "x", "-q") == Outcome(0, "", "")
    outcome = run("a.py", "b.py", "-o", name)
    assert outcome.err.lower() == f"mosslite: cannot write the report to {name!r}: {reason}\n"
    assert run(*BOTH, name).out.splitlines()[7] == f"skipped: {name} cannot be read: {reason}"


def test_without_html_nothing_is_written(run: Run, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert run(*BOTH).code == 0
    assert run(*BOTH, "--json", "gone/x").code == 2
    assert sorted(tmp_path.iterdir()) == before


def test_a_result_takes_the_place_of_a_file_but_not_of_a_link_or_a_pipe(
    run: Run, tmp_path: Path
) -> None:
    assert run(*BOTH, "-q", "--json", "linked.json").code == 0
    (tmp_path / "x.json").symlink_to("linked.json")
    assert run(*BOTH, "-q", "--json", "x.json").code == 0
    assert (tmp_path / "x.json").is_symlink()
    assert json.loads((tmp_path / "linked.json").read_text())["format"] == 1
    if hasattr(os, "mkfifo"):
        mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | O_NONBLOCK)
        assert run(*BOTH, "-q", "--csv", "pipe").code == 0
        assert os.read(reader, 13) == b"left,right,sc"
        os.close(reader)
        assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("option", ["--json", "--csv"])
def test_a_file_that_is_not_a_result_is_not_written_over(
    run: Run, tmp_path: Path, option: str
) -> None:
    (tmp_path / "c.py").write_text("print('mine')")

    outcome = run(option, "c.py", "a.py", "b.py")  # as a pattern gives it behind a forgotten name

    assert outcome == refusal(f"'c.py' exists and is not a result of {option}: give another file")
    assert (tmp_path / "c.py").read_text() == "print('mine')"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_where_one_result_cannot_be_written_the_others_still_are(run: Run, tmp_path: Path) -> None:
    outcome = run(*BOTH, "--json", "/dev/full", "--csv", "x.csv")

    reason = os.strerror(errno.ENOSPC).lower()
    assert outcome == refusal(f"cannot write '/dev/full': {reason}")
    assert (tmp_path / "x.csv").is_file()


@pytest.mark.parametrize("option", ["-o", "--moss-html"])
def test_a_result_does_not_replace_a_page_of_the_report(
    run: Run, tmp_path: Path, option: str
) -> None:
    outcome = run("a.py", "b.py", option, "pages", "--json", "pages/index.html")

    assert outcome == refusal(
        "--json would overwrite a page of the report: 'pages/index.html': choose another name"
    )
    outcome = run("a.py", "b.py", option, "pages", "--csv", "pages/results.json")
    assert outcome == refusal(
        "--csv would overwrite a page of the report: 'pages/results.json': choose another name"
    )
    assert not (tmp_path / "pages").exists()
    assert run("a.py", "b.py", "-o", "pages", "--json", "pages/results.json").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_where_the_report_cannot_be_written_other_results_are(tmp_path: Path) -> None:
    program = (
        "import resource\nfrom mosslite.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, resource.RLIM_INFINITY))\nmain()"
    )
    arguments = ("a.py", "b.py", "--json", "x.json", "--csv", "x.csv")
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, *arguments],  # or compiled modules would be cut short
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    reason = os.strerror(errno.EFBIG).lower()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"mosslite: cannot write the report to 'mosslite-report': {reason}"
    )
    assert sorted(path.name for path in tmp_path.glob("x.*")) == ["x.csv", "x.json"]
    assert not (tmp_path / "mosslite-report").exists()


def a_link_to_an_empty_folder(link: Path, elsewhere: Path) -> None:
    elsewhere.mkdir()
    link.symlink_to(elsewhere)


def a_link_to_nothing(link: Path, elsewhere: Path) -> None:
    link.symlink_to(elsewhere)


def a_link_to_a_report(link: Path, elsewhere: Path) -> None:
    write_files(elsewhere, {".mosslite-report": "", "index.html": "older"})
    link.symlink_to(elsewhere)


def a_link_to_a_link(link: Path, elsewhere: Path) -> None:
    a_link_to_a_report(link.with_name("second"), elsewhere)
    link.symlink_to("second")


def a_link_to_itself(link: Path, _elsewhere: Path) -> None:
    link.symlink_to(link.name)


def a_link_to_a_file(link: Path, elsewhere: Path) -> None:
    write_files(elsewhere, {"notes.txt": "mine"})
    link.symlink_to(elsewhere / "notes.txt")


@needs_links
@pytest.mark.parametrize(
    "plant",
    [
        a_link_to_an_empty_folder,
        a_link_to_nothing,
        a_link_to_a_report,
        a_link_to_a_link,
        a_link_to_itself,
        a_link_to_a_file,
    ],
)
def test_the_default_report_does_not_go_where_a_link_leads(
    run: Run, tmp_path: Path, plant: Callable[[Path, Path], None]
) -> None:
    plant(tmp_path / "mosslite-report", tmp_path / "elsewhere")
    before = sorted(tmp_path.rglob("*")), (tmp_path / "mosslite-report").readlink()

    message = "'mosslite-report' is a link, which is not followed: remove it, or choose another "
    message += "folder with -o"
    assert run("a.py", "b.py") == refusal(message)
    assert run("a.py", "b.py", "--json", "-") == refusal(message)
    assert before == (sorted(tmp_path.rglob("*")), (tmp_path / "mosslite-report").readlink())
    assert run(*BOTH, "-q") == Outcome(0, "", "")


@needs_links
@pytest.mark.parametrize("is_new", [True, False])
def test_a_half_written_result_is_no_link_that_lies_there(
    run: Run, tmp_path: Path, *, is_new: bool
) -> None:
    assert is_new or run(*BOTH, "-q", "--json", "x.json").code == 0
    write_files(tmp_path, {"elsewhere/notes.txt": "mine"})
    (tmp_path / f".mosslite-{os.getpid()}.tmp").symlink_to("elsewhere/notes.txt")

    assert run(*BOTH, "-q", "--json", "x.json") == Outcome(0, "", "")

    assert (tmp_path / "elsewhere" / "notes.txt").read_text() == "mine"
    assert not (tmp_path / "x.json").is_symlink()
    assert json.loads((tmp_path / "x.json").read_text())["format"] == 1


@needs_links
@pytest.mark.parametrize("source", ["command line", "file"])
def test_a_report_goes_where_a_link_leads_that_the_user_named(
    run: Run, tmp_path: Path, source: str
) -> None:
    write_files(tmp_path, {"hw/a.py": "", "mosslite.toml": 'output = "mosslite-report"\n'})
    (tmp_path / "real").mkdir()
    (tmp_path / "mosslite-report").symlink_to("real")
    write_files(tmp_path / "hw", {name: (tmp_path / name).read_text() for name in ("a.py", "b.py")})
    options = ("--no-config", "-o", "mosslite-report") if source == "command line" else ()
    assert run("hw", *options).code == 0
    assert (tmp_path / "real" / "index.html").is_file()


@pytest.mark.parametrize("content", [None, {"chapter.tex": "mine"}, {"index.html": "mine"}])
def test_what_is_planted_in_the_place_of_the_default_report_is_neither_lost_nor_followed(
    run: Run, tmp_path: Path, content: dict[str, str] | None
) -> None:
    if content is None:
        (tmp_path / "mosslite-report").write_text("mine", encoding="utf-8")
        message = "'mosslite-report' is a file: choose a folder with -o"
    else:
        write_files(tmp_path / "mosslite-report", content)
        message = "'mosslite-report' contains files that are not a mosslite report: "
        message += "choose another folder with -o"
    before = sorted(tmp_path.rglob("*"))
    assert run("a.py", "b.py") == refusal(message)
    assert sorted(tmp_path.rglob("*")) == before


@needs_links
def test_links_inside_a_planted_report_lead_nothing_elsewhere(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"elsewhere/kept.txt": "mine", "elsewhere/1.html": "mine"})
    planted = tmp_path / "mosslite-report"
    marker = "a report\nindex.html\npairs/1.html\n../elsewhere/kept.txt\n/etc/hostname\n"
    write_files(planted, {".mosslite-report": marker, "submissions/x": ""})
    (planted / "index.html").symlink_to("../elsewhere/kept.txt")
    (planted / "notes").symlink_to("../elsewhere")

    assert run("a.py", "b.py").code == 0

    kept = [(tmp_path / "elsewhere" / name).read_text() for name in ("kept.txt", "1.html")]
    assert kept == ["mine", "mine"]
    assert not (planted / "index.html").is_symlink()
    assert (planted / "notes").readlink() == Path("../elsewhere")


@needs_links
@pytest.mark.parametrize("option", ["-o", "--moss-html"])
def test_a_folder_that_is_a_link_to_itself_is_refused(
    run: Run, tmp_path: Path, option: str
) -> None:
    (tmp_path / "circle").symlink_to("circle")
    assert run("a.py", "b.py", option, "circle") == refusal(
        "cannot write the report to 'circle': it is a link to itself"
    )


@needs_links
@pytest.mark.parametrize("option", ["--json", "--csv", "--anonymize"])
def test_a_result_takes_the_place_of_a_link_that_leads_to_itself(
    run: Run, tmp_path: Path, option: str
) -> None:
    (tmp_path / "circle").symlink_to("circle")
    assert run(*BOTH, "-q", option, "circle") == Outcome(0, "", "")
    assert (tmp_path / "circle").is_file()
