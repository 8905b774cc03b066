"""Hints on batches that look otherwise than they are read: base code among them, and sections."""

from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.pipeline import check
from tests.batches import batch_of, hand_in
from tests.commands import refusal
from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, program

CLASS = {"ann.py": QUEUE, "bob.py": PRIMES, "cy/main.py": WORDS}


pytestmark = pytest.mark.usefixtures("in_empty_folder")


def remarks_on(*words: str, **choices: object) -> tuple[str, ...]:
    return batch_of(*words, **choices).remarks


def section(*, of: int) -> dict[str, str]:
    return {f"student{number}.py": program(number) for number in range(of)}


def write_sections(*folders: str, of: int) -> None:
    for folder in folders:
        hand_in(folder, section(of=of))


@pytest.mark.parametrize(
    "name", ["base/x.py", "Template/x.py", "starter-code/x.py", "skeleton.py", "vorlage.py"]
)
def test_base_code_among_the_submissions_is_named(name: str) -> None:
    hand_in("hw", {**CLASS, name: WORDS})
    path = f"hw/{name.removesuffix('/x.py')}"
    told = (f"compared, but named like code that you handed out (-b {path} excludes it): {path}",)

    assert remarks_on("hw") == told
    assert remarks_on("hw", layout="plain") == told
    assert remarks_on("hw", "--base", path) == ()


@pytest.mark.parametrize("name", ["basil/x.py", "ann/base/x.py", "databases.py", ".base/x.py"])
def test_what_only_resembles_the_name_of_base_code_is_not_named(name: str) -> None:
    hand_in("hw", {**CLASS, name: WORDS})
    assert remarks_on("hw") == ()


def test_base_code_in_a_section_or_an_archive_is_named() -> None:
    hand_in("all", {f"{day}/{name}": CLASS[name] for day in "ab" for name in CLASS})
    hand_in("all/b", {"template/x.py": WORDS})
    hand_in("hw.zip", {**CLASS, "template/x.py": WORDS})

    (in_section,) = remarks_on("all", each=True)
    (in_archive,) = remarks_on("hw.zip")
    assert in_section.endswith(": all/b/template")
    assert in_archive.endswith(": hw.zip/template")


def test_a_listing_and_a_summary_show_hints_in_the_language_asked_for(run: Run) -> None:
    hand_in("hw", {**CLASS, "template.py": WORDS})
    told = "warning: compared, but named like code that you handed out (-b hw/template.py excludes"

    assert told in run("hw", "--list").out
    assert told in run("hw", "--no-html").out
    assert "Warnung: " in run("hw", "--list", "--locale", "de").out


def test_a_few_submissions_of_many_programs_may_be_sections() -> None:
    write_sections("all/a", "all/b c/sheet", of=40)
    told = "2 submissions with 40 or more programs or folders each; if these are sections of the "

    (remark,) = remarks_on("all")
    assert remark == f"{told}course, use --each with all/a 'all/b c/sheet'"
    (given_each,) = remarks_on("all/a", "all/b c")
    assert given_each == remark
    assert remarks_on("all", layout="plain") == ()
    assert remarks_on("all/a", "all/b c/sheet", each=True) == ()


@pytest.mark.parametrize(
    ("folders", "given", "each", "advice"),
    [
        ("all/a all/b", "all", False, "if these are sections of the course, add --each"),
        ("all/a all/b", "all.zip", False, "add --each"),
        ("all/a/sheet all/b/sheet", "all", True, "use --each with all/a/sheet all/b/sheet"),
    ],
)
def test_sections_need_only_an_option_or_their_folders(
    folders: str, given: str, each: bool, advice: str
) -> None:
    write_sections(*folders.split(), of=40)
    files = {f"{day}/{name}": text for day in "ab" for name, text in section(of=40).items()}
    hand_in("all.zip", files)

    (remark,) = remarks_on(given, each=each)
    assert remark.endswith(advice)


def test_submissions_of_fewer_programs_are_not_sections() -> None:
    write_sections("hw/ann", "hw/bob", of=39)
    hand_in("hw/ann", {"data.csv": "1,2\n", "README.md": "Notes\n"})
    assert remarks_on("hw") == ()


@pytest.mark.parametrize("name", ["week 3", "week 3.zip"])
def test_a_folder_or_an_archive_that_holds_the_whole_class_is_named(run: Run, name: str) -> None:
    hand_in(f"hw/{name}", CLASS)

    assert run("hw") == refusal(
        "nothing to compare: only 1 submission in 'hw', at least 2 are needed: to "
        f"compare what is in it, give 'hw/{name}' instead"
    )


@pytest.mark.parametrize("spelling", ["hw.zip", "./hw.zip", "../{}/hw.zip"])
@pytest.mark.parametrize("folders", ["hw/week 3", "course/hw/week 3"])
def test_a_class_some_folders_deep_in_an_archive_needs_an_option(
    run: Run, folders: str, spelling: str
) -> None:
    files = {f"{folders}/{name}": text for name, text in CLASS.items()}
    hand_in("hw.zip", files | {"__MACOSX/course/._hw": "\0"})
    path = spelling.format(Path.cwd().name)

    if folders == "hw/week 3":
        assert ": to compare what is in it, add --each" in run(path).err
    done = run("--each", path, "--no-html")
    assert (done.code, f"{len(CLASS)} submissions" in done.out) == (0, True)


def test_nothing_given_is_refused() -> None:
    with pytest.raises(InputError, match="no paths were given"):
        check([])


def test_a_single_program_has_no_folder_to_name(run: Run) -> None:
    hand_in("hw", {"ann.py": QUEUE})
    assert "to compare what is in it" not in run("hw").err


def test_files_of_one_folder_given_in_two_ways_name_it_once(run: Run) -> None:
    hand_in("hw", CLASS)
    outcome = run("-d", "hw/ann.py", Path.cwd() / "hw/bob.py", "--no-html")

    assert outcome.code == 2
    assert outcome.err.endswith(f"give {Path('hw').resolve()} instead\n")
