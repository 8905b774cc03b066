import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.errors import InputError
from mosslite.intake.entries import Entry
from mosslite.intake.exports import ExportEntry
from mosslite.options import LAYOUTS, Intake
from mosslite.reasons import Reason
from tests.builders import LAW
from tests.exports import (
    EXPORTS,
    STUDENTS,
    Placed,
    canvas_export,
    entries_of,
    recognized,
    title_of,
    within,
)

KINDS = [kind for kind in EXPORTS if kind != "plain"]


def names_in(*names: str, root: str = "hw", intake: Intake | None = None) -> Placed:
    return recognized(entries_of(dict.fromkeys(names, "")), root, intake or Intake())


# Which layout it is


@pytest.mark.parametrize(
    ("kind", "wrappers"),
    [
        (kind, wrappers)
        for kind in KINDS
        for wrappers in ([], ["export.zip"], ["export.zip", "hw"])
        # What Dolos' metadata lie in could be a submission, if it is all there is.
        if kind != "dolos" or not wrappers
    ],
)
def test_an_export_is_recognized_wherever_it_is(kind: str, wrappers: list[str]) -> None:
    files = EXPORTS[kind](STUDENTS)
    for wrapper in reversed(wrappers):
        files = within(wrapper, files)
    found = recognized(entries_of(files), "hw/", Intake())
    assert found.title == title_of(kind)
    assert len({each.key for each in found.places if not each.ignored}) == len(STUDENTS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_layout_asked_for_gives_what_finding_it_out_gives(kind: str) -> None:
    entries = entries_of(EXPORTS[kind](STUDENTS))
    asked = Intake(kind.partition(",")[0])
    assert recognized(entries, "hw", asked) == recognized(entries, "hw", Intake())


@pytest.mark.parametrize(
    "names",
    [
        ["ann/main.py", "bob/main.py"],
        ["lab_1_2_ann.py", "lab_1_2_bob.py"],
        ["lab_1_2_ann.py", "lab_1_3_bob.py"],
        ["lab_2023_2024_ann.py", "lab_2023_2025_bob.py"],
        ["lab_1_1_ann.py", "lab_2_2_bob.py"],
        ["Lab_1_2_ann.py", "Exam_2_3_bob.py"],
        ["ann smith_1_2_hw.py", "bob_2_3_hw.py"],
        ["ann_1_12345_a.py", "bob_1_12346_a.py"],
        ["hw_1_text.html", "hw_2_text.html"],
        ["smithbob_340934_208490284_a.py", "main.py"],
        ["Ann_assignsubmission_file/a.py", "Bob_assignsubmission_file/a.py"],
        ["submission_1/a.py", "submission_2/a.py"],
        ["hw_ann_attempt_1.py", "hw_bob_attempt_2.py"],
        ["1-2 - Ann/a.py", "1-3 - Bob/a.py"],
        ["hw1-ann/a.py", "hw1-bob/a.py"],
        ["submitted/ann/main.py", "submitted/bob/main.py"],
        ["submitted/ann.ipynb", "feedback/ann.html"],
        ["info.csv", "main.py"],
        ["index.html", "grades.csv"],
    ],
)
def test_names_that_only_resemble_an_export_are_plain(names: list[str]) -> None:
    found = names_in(*names)
    assert found.title == ""
    parts = [name.partition("/") for name in names]
    assert [(each.key, each.name, each.file) for each in found.places] == [
        (top, top, rest or top) for top, _, rest in parts
    ]


def test_a_file_or_two_beside_an_export_are_submissions_of_their_own() -> None:
    students = [f"ann{n}_{n}_{n + 100}_hw.py" for n in range(4)]
    found = names_in(*students, "solution.py")
    assert found.title == "Canvas"
    assert found.places[4] == ExportEntry(
        "solution.py", "solution.py", "solution.py", mark="solution.py"
    )
    assert names_in(*students[:3], "solution.py").title == ""
    assert names_in(*students, "solution.py", "other.py").title == ""


def test_the_list_of_grades_is_not_a_submission() -> None:
    found = names_in("ann_1_101_hw.py", "bob_2_102_hw.py", "grades.csv")
    assert found.title == "Canvas"
    assert [each.ignored for each in found.places] == [None, None, Reason.METADATA]


def test_an_archive_that_cannot_be_read_still_has_its_student() -> None:
    entries = entries_of({"doeann_3_4_hw.py": ""})
    entries.append(Entry("hw/smithbob_1_2_hw.zip", "smithbob_1_2_hw.zip", obstacle="is damaged"))
    entries.append(Entry("hw/.git", ".git", obstacle="is a tool's", is_ignored=True))
    found = recognized(entries, "hw", Intake())
    assert found.title == "Canvas"
    assert [each.name for each in found.places] == ["doeann", "smithbob", ".git"]


def test_nothing_in_nothing_is_plain() -> None:
    assert names_in() == Placed("", (), "")
    assert names_in(intake=Intake("canvas")) == Placed("", (), "")


@pytest.mark.parametrize("layout", [each for each in LAYOUTS if each not in {"auto", "plain"}])
def test_a_layout_asked_for_that_fits_nothing_is_refused(layout: str) -> None:
    with pytest.raises(InputError, match=r"^'hw' does not look like an export of [^\n]+$"):
        names_in("ann.py", "bob.py", intake=Intake(layout))


def test_the_refusal_says_what_was_looked_for() -> None:
    with pytest.raises(InputError) as caught:
        names_in("ann.py", intake=Intake("canvas"))
    assert str(caught.value) == (
        "'hw' does not look like an export of Canvas: "
        "expected names such as smithbob_340934_208490284_hw.py"
    )


def test_a_layout_asked_for_needs_no_proof() -> None:
    found = names_in("lab_1_2_ann.py", "lab_1_2_bob.py", "x.py", intake=Intake("canvas"))
    assert [each.name for each in found.places] == ["lab", "lab", "x.py"]


# Plain


def test_the_folder_around_a_plain_archive_is_not_a_submission() -> None:
    entries = entries_of(dict.fromkeys(["hw/ann/a.py", "hw/bob.py"], ""))
    entries.append(Entry("x/__MACOSX", "__MACOSX", obstacle="is a tool's", is_ignored=True))
    for layout in ("auto", "plain"):
        found = recognized(entries, "hw.zip", Intake(layout), is_archive=True)
        assert [(each.name, each.file) for each in found.places] == [
            *(("ann", "a.py"), ("bob.py", "bob.py"), ("__MACOSX", "__MACOSX")),
        ]
        found = recognized(entries, "hw", Intake(layout))
        assert [each.name for each in found.places] == ["hw", "hw", "__MACOSX"]


def test_plain_is_plain_whatever_the_names_are() -> None:
    found = recognized(entries_of(canvas_export()), "hw", Intake("plain"))
    assert found.title == ""
    assert [each.name for each in found.places] == list(canvas_export())


# A pattern of the user's own


def test_a_name_pattern_tells_students_attempts_and_times() -> None:
    pattern = r"(?P<label>g\d)-(?P<name>\w+)-(?P<id>\d+)-(?P<attempt>\d+)-(?P<time>[\d-]+ [\d:]+)"
    found = names_in(
        "g1-ann-7-9-2024-01-02 10:11:12/src/main.py",
        "g1-ann-7-10-2024-01-03 10:11:12/main.py",
        "g1-ann-8-1-2024-01-03 10:11:12",
        "readme.md",
        intake=Intake(name_pattern=pattern),
    )
    first, second, other, plain = found.places
    assert (first.name, first.file, first.label) == ("ann", "src/main.py", "g1")
    assert first.submitted == "2024-01-02T10:11:12"
    assert first.key == second.key != other.key
    assert first.attempt < second.attempt
    assert other.file == "g1-ann-8-1-2024-01-03 10:11:12"
    assert plain == ExportEntry("readme.md", "readme.md", "readme.md", mark="readme.md")


def test_a_name_pattern_wins_over_a_layout_and_may_name_the_file() -> None:
    intake = Intake("moodle", name_pattern=r"(?P<name>[^_]+)_(?P<file>.+)")
    place = names_in("ann_src/main.py", intake=intake).places[0]
    assert (place.name, place.file) == ("ann", "src/main.py")


def test_what_follows_a_name_pattern_is_the_file() -> None:
    found = names_in("ann_main.py", "bob/x/y.py", intake=Intake(name_pattern=r"(?P<name>[a-z]+)_?"))
    assert [each.file for each in found.places] == ["main.py", "x/y.py"]


def test_a_name_pattern_that_matches_nothing_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        names_in("ann.py", intake=Intake(name_pattern=r"(?P<name>\d+)"))
    assert str(caught.value) == (
        r"name pattern '(?P<name>\\d+)' does not match any name in 'hw', such as 'ann.py'"
    )


# Whatever the names are

PIECES = st.sampled_from(
    [
        *("ann", "Ann Smith", "_", "_1_2_", "_LATE", "anon_", "_text.html", "/", "//", " - ", "-1"),
        *("_7_assignsubmission_file", "submission_3", "submission_metadata.yml", "info.csv"),
        *("_attempt_2024-99-15-23-59-00", ".txt", "1-2 - ", "May 91, 2024 2530 PM", "submitted"),
        *("timestamp.txt", "me50", "hw1-submissions", "index.html", "hw.py", "\n", "\udcff", "é"),
    ]
)
NAMES = st.lists(st.one_of(st.lists(PIECES, max_size=6).map("".join), st.text()), max_size=8)


@LAW
@given(NAMES, st.sampled_from(LAYOUTS), st.booleans(), st.booleans(), st.binary(max_size=80))
def test_every_entry_has_a_place(
    names: list[str], layout: str, is_archive: bool, all_attempts: bool, content: bytes
) -> None:
    entries = [Entry(name, name, content) for name in names]
    try:
        found = recognized(
            entries, "hw", Intake(layout, all_attempts=all_attempts), is_archive=is_archive
        )
    except InputError:
        assert layout not in {"auto", "plain"}
        return
    assert len(found.places) == len(names)
    assert all(each.key and each.name and each.file for each in found.places)


@LAW
@given(NAMES)
def test_every_entry_has_a_place_by_a_name_pattern(names: list[str]) -> None:
    try:
        found = names_in(*names, intake=Intake(name_pattern=r"(?P<name>[^_]*)_?(?P<id>\d*)"))
    except InputError:
        return
    assert len(found.places) == len(dict.fromkeys(names))
    assert all(each.key and each.name and each.file for each in found.places)
