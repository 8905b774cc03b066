"""Metadata of submissions and files on the pages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from mosslite.records import (
    SYNTAX_CLASSES,
    CommonPassage,
    Part,
    Report,
    Skipped,
    SourceFile,
    SubmissionMetadata,
)
from mosslite.report.html import ReportMetadata, write_html
from mosslite.report.html.listing import RenderedSource, listing_of
from mosslite.report.html.overview import excerpts_of
from mosslite.report.wording import format_lines
from mosslite.texts import ENGLISH
from tests.builders import document_of, stream_of_text
from tests.pages import unpacked
from tests.reports import named, pair_of, report_of, told_report
from tests.tables import table

HOSTILE = "\"'><script>alert(1)</script>\u202e{{ 7 * 7 }}"


def page_of(report: Report, folder: Path, path: str) -> str:
    write_html(report, folder / "report", ReportMetadata("2026-11-21 09:30", "0.1.0"))
    return (folder / "report" / path).read_text(encoding="utf-8")


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).replace(" ,", ",")


def section_of(html: str, name: str) -> str:
    """Return the text of the section with this heading, or nothing."""
    found = re.search(rf'<section[^>]* aria-labelledby="{name}">.*?</section>', html, re.DOTALL)
    return text_of(found.group()) if found else ""


def told(hand_in: SubmissionMetadata) -> Report:
    """Return a pair whose left side was handed in so."""
    left, right = named("ada"), named("ben")
    left = replace(left, source=replace(left.source, hand_in=hand_in))
    return report_of([left, right], [pair_of(left, right, 0.9, (0, 6))])


# ---- Who handed in what, and when ----


@pytest.mark.parametrize("path", ["submissions/1.html", "pairs/1.html"])
def test_members_time_and_label_of_a_submission_are_reported(tmp_path: Path, path: str) -> None:
    team = SubmissionMetadata(
        "7", ("Ada L.", "Ben B."), "2026-11-21T09:30:00Z", "Lab 3", is_late=True
    )
    html = text_of(page_of(told(team), tmp_path, path))

    assert "Members Ada L., Ben B. " in html
    assert "Handed in 2026-11-21 09:30:00 UTC late " in html
    assert "Label Lab 3 " in html


@pytest.mark.parametrize("path", ["submissions/1.html", "pairs/1.html", "index.html"])
def test_what_was_not_told_leaves_no_trace(tmp_path: Path, path: str) -> None:
    html = page_of(told(SubmissionMetadata(owner="the-number-of-ada")), tmp_path, path)

    assert 'class="hand-in' not in html
    assert "Handed in" not in html
    assert "the-number-of-ada" not in html


@table("time", "shown")
def test_a_time_is_written_for_reading_and_what_is_none_as_it_stands(time: str, shown: str) -> None:
    assert ENGLISH.moment(time) == shown


def test_what_a_platform_tells_is_text_wherever_it_stands(tmp_path: Path) -> None:
    hand_in = SubmissionMetadata(HOSTILE, (HOSTILE,), HOSTILE, HOSTILE)
    report = replace(told(hand_in), ignored=(Skipped(f"hw/ada/{HOSTILE}", HOSTILE),))

    for path in ("index.html", "submissions/1.html", "pairs/1.html"):
        html = page_of(report, tmp_path, path)
        assert "<script>alert" not in html
        assert "\u202e" not in html
        assert "{{ 7 * 7 }}" in html


# ---- What a rule left out ----


def test_a_submission_lists_what_was_left_out_of_its_folder_or_archive(tmp_path: Path) -> None:
    paths = ("hw/ada/x.class", "hw/ADA.zip/.git/", "ada.tar.gz/y", "hw/ada.txt/z", "hw/adam/x")
    ignored = tuple(Skipped(path, "is hidden") for path in paths)
    html = page_of(
        replace(told(SubmissionMetadata()), ignored=ignored), tmp_path, "submissions/1.html"
    )

    shown = section_of(html, "ignored")
    assert [path for path in paths if path in shown] == list(paths[:3])


# ---- Hidden and look-alike characters ----


def test_the_overview_names_the_submissions_that_have_them_and_judges_nobody(
    tmp_path: Path,
) -> None:
    html = page_of(told_report("ann"), tmp_path, "index.html")
    shown = section_of(html, "disguises")

    assert "ann two 5 zero-width characters, 1 look-alike character 1" in shown
    assert "ann one" not in shown
    assert "says nothing about copying" in shown
    assert 'href="submissions/2.html#disguises"' in html


def test_the_page_of_a_submission_has_their_lines_and_names(tmp_path: Path) -> None:
    shown = section_of(page_of(told_report("ann"), tmp_path, "submissions/2.html"), "disguises")

    assert "1, 3 U+200B zero width space, U+200D zero width joiner" in shown
    assert "1 look-alike character 2 U+0430 cyrillic small letter a" in shown
    assert "\u0430" not in shown


def test_the_pair_page_says_so_at_the_head_of_the_file(tmp_path: Path) -> None:
    script = page_of(told_report("ann"), tmp_path, "sources/2.js")
    (remark,) = re.findall(r'"remark":"(.*?)"', script)

    assert remark == (
        "5 zero-width characters (lines 1, 3); 1 look-alike character (line 2). "
        "This says nothing about copying."
    )


# ---- How a file was read ----


@table("encoding", "by", "shown")
def test_a_file_says_how_its_bytes_were_read(
    tmp_path: Path, encoding: str, by: str, shown: str
) -> None:
    submission = named("ada")
    file = replace(submission.documents[0].file, encoding=encoding, encoding_by=by)
    submission = replace(submission, documents=(replace(submission.documents[0], file=file),))
    html = page_of(report_of([submission], []), tmp_path, "submissions/1.html")

    assert f"<td>{shown}</td>" in html


def test_a_file_says_that_a_part_of_it_is_compared_and_that_its_lexer_gave_up(
    tmp_path: Path,
) -> None:
    report = told_report("ann")
    reason = "read by the plain tokenizer: its lexer failed or took too long"

    files = section_of(page_of(report, tmp_path, "submissions/1.html"), "files")
    assert f"compared in part, {reason}" in files
    assert reason in page_of(report, tmp_path, "sources/1.js")


# ---- What is not compared ----


def test_what_is_not_compared_looks_like_a_comment_and_is_in_no_match() -> None:
    text, code = "Some prose here\nx = 1 <br> y", "               \nx = 1      y"
    document = document_of(stream_of_text(code), text=text)
    document = replace(document, file=replace(document.file, code=code))
    canvas = RenderedSource(document)

    comment = SYNTAX_CLASSES.index("comment")
    assert unpacked(*listing_of(canvas)) == [
        [("Some prose here", comment, 0)],
        [("x = 1", 0, 0), (" <br> ", comment, 0), ("y", 0, 0)],
    ]
    own = [character for character, is_own in zip(text, canvas.is_own, strict=True) if is_own]
    assert "".join(own) == "x = 1y"


# ---- Cells of notebooks ----


NOTEBOOK = SourceFile("a.ipynb", "", parts=(Part(4, 1), Part(9, 2)))


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (5, 5, "cell 1, line 2"),
        (4, 7, "cell 1, lines 1-4"),
        (7, 10, "cell 1, line 4 to cell 2, line 2"),
        (4, 9, "cell 1, line 1 to cell 2, line 1"),
        (3, 4, "cell 1 to cell 1, line 1"),
        (1, 1, "line 1"),
        (1, 2, "lines 1-2"),
        (2, 4, "line 2 to cell 1, line 1"),
    ],
)
def test_lines_of_a_notebook_are_told_by_cell(first: int, last: int, shown: str) -> None:
    assert format_lines(NOTEBOOK, first, last) == shown


def test_the_matches_of_a_notebook_are_listed_by_cell(tmp_path: Path) -> None:
    html = page_of(told_report("ann"), tmp_path, "pairs/1.html")
    (row,) = re.findall(r'<tr data-row="1">.*?</tr>', html, re.DOTALL)

    assert "cell 1, lines 1-2 1-2" in text_of(row)
    assert '"where":"cell 1, lines 1-2"' in html


def test_common_code_of_a_notebook_is_written_as_code_under_a_name_that_tells_its_language(
    tmp_path: Path,
) -> None:
    submission = told_report("ann").submissions[0]
    document = replace(
        submission.documents[0],
        file=replace(submission.documents[0].file, language="python"),
        language="python",
    )
    submission = replace(submission, documents=(document,))
    passage = CommonPassage(submission, submission.place_of(0, 12), 12, 8, is_whole=True)

    (excerpt,) = excerpts_of([passage])
    report = replace(report_of([submission], []), common=(passage,))
    html = page_of(report, tmp_path, "index.html")

    assert "seven eight nine" in excerpt.text
    assert "seven eight nine" not in excerpt.code
    assert "cell 1, line 1 to cell 2, line 1" in text_of(html)
    (written,) = (tmp_path / "report" / "likely-boilerplate").iterdir()
    assert written.name == "ann_one.ipynb.py"
