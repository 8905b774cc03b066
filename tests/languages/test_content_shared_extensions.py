"""Where several languages share an extension, the content decides, or what ``-l`` says."""

from pathlib import Path

import pytest

from mosslite.errors import OptionError
from mosslite.frontends.selection import gather, language_to_read
from mosslite.languages import asked_language
from mosslite.languages.content import SHARED, language_in
from mosslite.options import Options
from mosslite.records import Inputs
from tests.conftest import Run
from tests.tables import texts_of

PROGRAMS = texts_of("languages/test_content_shared_extensions")


@pytest.mark.parametrize("row", PROGRAMS)
def test_the_content_decides_between_languages_that_share_an_extension(
    row: str, tmp_path: Path
) -> None:
    name, language = row.split()
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / name).write_text(PROGRAMS[row])
    batch = gather(Inputs((str(tmp_path),)), Options())
    files = [file for each in batch.submissions for file in each.files]
    assert {language_to_read(file, Options()).name for file in files} == {language}


def test_the_usual_language_is_read_where_nothing_decides() -> None:
    for extension, (usual, *others) in SHARED.items():
        expected = (usual, False) if others else None
        assert language_in(f"a{extension}", "xyzzy 12 plugh") == expected


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    text = "x\n" * 40_000 + PROGRAMS["a.pl prolog"]
    assert language_in("a.pl", text) == ("perl", False)


@pytest.mark.parametrize(
    ("asked", "name", "language"),
    [
        ("*.pl=prolog", "b/a.pl", "prolog"),
        ("*.pl=prolog", "A.PL", "prolog"),
        ("*.pl=prolog", "a.pm", None),
        ("*.pl=prolog,*.m=objective-c", "a.m", "objective-c"),
        ("c,*.pl=prolog", "a.pl", "prolog"),
        ("c,*.pl=prolog", "a.x", "c"),
        ("lib/*=octave", "lib/a.m", "octave"),
        ("prolog", "a.x", "prolog"),
        (None, "a.pl", None),
    ],
)
def test_a_pattern_asks_for_the_language_of_the_files_that_match(
    asked: str | None, name: str, language: str | None
) -> None:
    found = asked_language(asked, name)
    assert (found and found.name) == language


def test_an_unknown_language_of_a_pattern_is_an_error() -> None:
    with pytest.raises(OptionError, match="unknown language 'prolg'"):
        asked_language("*.pl=prolg")


def test_patterns_of_languages_can_be_repeated_and_read_unknown_extensions(
    run: Run, tmp_path: Path
) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.zzz").write_text(PROGRAMS["a.pl prolog"])
        (tmp_path / student / "b.pl").write_text("x")
    patterns = ("-l", "*.pl=prolog", "-l", "*.zzz=prolog")
    shown = run("check", tmp_path, *patterns, "--list")
    assert shown.out.count("prolog") == 4


def test_where_nothing_decides_a_file_is_read_like_the_others_of_the_batch(
    run: Run, tmp_path: Path
) -> None:
    for student, text in (("ann", PROGRAMS["a.pl prolog"]), ("bob", "xyzzy")):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.pl").write_text(text)
    shown = run("check", tmp_path, "--list").out
    assert shown.count("prolog") == 2


def test_a_warning_names_what_was_decided_without_being_sure(run: Run, tmp_path: Path) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "a.pl").write_text("xyzzy plugh 1 2 3\n" * 40)
    done = run("check", tmp_path, "--no-html")
    assert "read as Perl, although it may be another language" in done.out + done.err
    told = run("check", tmp_path, "--no-html", "-l", "*.pl=prolog")
    assert "may be another language" not in told.out + told.err


@pytest.mark.parametrize(
    ("unclear", "beside", "language"),
    [
        ("a.h", {"a.c": "int f(void) { return 1; }\n"}, "C"),
        ("a.h", {"a.cpp": "int f() { return 1; }\n"}, "C++"),
        ("a.h", {"a.mm": "int f() { return 1; }\n"}, "Objective-C"),
        ("a.pl", {"a.pm": PROGRAMS["a.pl perl"]}, "Perl"),
        ("a.m", {"a.mm": "int f() { return 1; }\n"}, "Objective-C"),
    ],
)
def test_where_only_files_beside_decide_nothing_is_warned_of(
    run: Run, unclear: str, beside: dict[str, str], language: str, tmp_path: Path
) -> None:
    for student in ("ann", "bob"):
        (tmp_path / student).mkdir()
        for name, text in {unclear: "xyzzy plugh\n" * 40, **beside}.items():
            (tmp_path / student / name).write_text(text)
    batch = gather(Inputs((str(tmp_path),)), Options())
    files = [file for each in batch.submissions for file in each.files if file.name == unclear]
    assert {language_to_read(file, Options()).title for file in files} == {language}
    done = run("check", tmp_path, "--no-html")
    assert "may be another language" not in done.out + done.err


def test_the_warning_says_how_such_a_file_is_read_otherwise(run: Run, tmp_path: Path) -> None:
    several = {extension: names for extension, names in SHARED.items() if len(names) > 1}
    for extension in several:
        for student in ("ann", "bob"):
            (tmp_path / f"{student}{extension}").write_text("xyzzy plugh 1 2 3\n" * 40)
    for extension, (_, other, *_) in several.items():
        paths = [f"{student}{extension}" for student in ("ann", "bob")]
        done = run("check", *paths, "--no-html", "--no-config")
        assert f"(-l '*{extension}={other}' sets it)" in done.out + done.err
