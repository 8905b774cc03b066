import re
from collections.abc import Mapping

import pytest

from mosslite.intake.exports import ExportEntry
from mosslite.intake.platforms import BLACKBOARD_NAME
from mosslite.options import Intake
from mosslite.records import Role
from tests.exports import (
    EXPORTS,
    ODD_NAMES,
    STUDENTS,
    Student,
    blackboard_export,
    brightspace_export,
    canvas_anonymous_export,
    canvas_export,
    canvas_name,
    dolos_export,
    entries_of,
    github_export,
    gradescope_export,
    moodle_export,
    nbgrader_export,
    recognized,
    sakai_export,
    submit50_export,
    title_of,
)
from tests.tables import table

ODD_STUDENTS = [
    Student(first, last, 1000 + n, {"a_1_2_b.py": "", "c - d, e.py": ""})
    for n, (first, last) in enumerate(ODD_NAMES)
]
ALL_ATTEMPTS = Intake(all_attempts=True)
DOLOS = Intake("dolos")


def places_of(
    files: Mapping[str, str | bytes], *, title: str, intake: Intake | None = None
) -> dict[str, ExportEntry]:
    """Place files of a batch that is to be recognized as this, by their names in it."""
    found = recognized(entries_of(files), "hw", intake or Intake())
    assert found.title == title
    return dict(zip(files, found.places, strict=True))


def submission_of(places: Mapping[str, ExportEntry]) -> dict[str, list[str]]:
    """Return the files of each submission, which is to have one key."""
    keys = {(each.name, each.key) for each in places.values() if not each.ignored}
    assert len(keys) == len(dict(keys))
    submission: dict[str, list[str]] = {}
    for each in places.values():
        if not each.ignored:
            submission.setdefault(each.name, []).append(each.file)
    return submission


@table("platform", "rule", "names", "expected")
def test_each_platform_names_students_and_files(
    platform: str, rule: str, names: str, expected: str
) -> None:
    found = places_of(dict.fromkeys(names.split(" | "), ""), title=platform)
    read = [f"{name}: {', '.join(files)}" for name, files in submission_of(found).items()]
    assert " | ".join(read) == expected, rule


def ignored_in(places: Mapping[str, ExportEntry]) -> dict[str, str]:
    return {name: each.ignored.message() for name, each in places.items() if each.ignored}


@pytest.mark.parametrize(
    "kind",
    ["canvas", "moodle", "moodle, flat", "gradescope", "blackboard", "brightspace", "dolos"],
)
def test_whatever_students_are_called_they_are_distinguished(kind: str) -> None:
    title = title_of(kind)
    places = places_of(EXPORTS[kind](ODD_STUDENTS), title=title)
    expected = [canvas_name(each) if title == "Canvas" else each.name for each in ODD_STUDENTS]
    if title == "Moodle":
        expected = [each.replace("_", " ") for each in expected]
    files = ["a_1_2_b.py", "c - d, e.py"]
    assert submission_of(places) == {each.strip(): files for each in expected}


# Sakai and Autolab


def test_sakai_keeps_what_was_handed_in_apart_from_what_the_instructor_gave_back() -> None:
    ann = "Homework 1/Doe, Ann(doea)"
    files = sakai_export() | {f"{ann}/Doe, Ann(doea)_submissionText.html": "<p>see file</p>"}
    places = places_of(files, title="Sakai")
    assert submission_of(places) == {
        "Smith, Bob": ["hw.py", "lib/list.py"],
        "Doe, Ann": ["hw.py", "submissionText.html"],
        "O'Hara, Cy": ["my_1_2_hw.py"],
    }
    assert places[f"{ann}/timestamp.txt"].submitted == "2024-01-16T08:05:09"
    records = ["comments.txt", "feedbackText.html", "timestamp.txt"]
    records.append("Feedback Attachment(s)/model.py")
    reasons = dict.fromkeys(records, "is Sakai's record of a submission")
    ignored = ignored_in(places)
    assert {name: ignored.get(f"{ann}/{name}") for name in records} == reasons
    assert ignored["Homework 1/grades.csv"] == "is metadata of the export"


def test_of_sakai_a_student_without_files_is_named() -> None:
    names = [*sakai_export(), "Homework 1/Roe, Eve(eve)/", "Homework 1/Lee, Kim(kim)/timestamp.txt"]
    found = [each.name for each in places_of(dict.fromkeys(names, ""), title="Sakai").values()]
    assert found[-2:] == ["Roe, Eve", "Lee, Kim"]


def test_versions_in_autolab_are_attempts_of_one_student() -> None:
    names = [f"{who}@cs.example.edu_{n}_hw_2_a.tar" for who in ("a.b_c", "d") for n in (9, 10)]
    places = places_of(dict.fromkeys(names, ""), title="Autolab")
    assert {each.name for each in places.values()} == {"a.b_c@cs.example.edu", "d@cs.example.edu"}
    assert {each.file for each in places.values()} == {"hw_2_a.tar"}
    assert max(names, key=lambda name: (places[name].attempt, name)) == names[3]


# Canvas


def test_canvas_tells_students_by_their_number_and_who_was_late() -> None:
    places = places_of(canvas_export(), title="Canvas")
    assert submission_of(places) == {
        "smithbob": ["hw.py", "lib_list.py"],
        "doeann": ["hw.py"],
        "oharacy": ["my_1_2_hw.py"],
    }
    assert [each.name for each in places.values() if each.is_late] == ["doeann"]


def test_canvas_without_names_still_tells_students() -> None:
    places = places_of(canvas_anonymous_export(), title="Canvas")
    assert submission_of(places) == {
        "anon_aB340934": ["hw.py", "lib_list.py"],
        "anon_aB340935": ["hw.py"],
        "anon_aB340936": ["my_1_2_hw.py"],
    }
    assert [each.name for each in places.values() if each.is_late] == ["anon_aB340935"]


UPLOADS = dict.fromkeys(
    [
        "smithbob_340934_20849001_hw.py",
        "smithbob_340934_20849002_hw-1.py",
        "smithbob_340934_20849005_hw-10.py",
        "smithbob_340934_20849003_lab.zip/main.py",
        "smithbob_340934_20849004_lab-1.zip/main.py",
        "smithbob_340934_20849006_notes.txt",
        "doeann_340935_20849007_part-1.py",
        "doeann_340935_20849008_part-2.py",
    ],
    "",
)


@pytest.mark.parametrize("intake", [Intake(), ALL_ATTEMPTS])
def test_a_name_like_that_of_a_later_upload_to_canvas_hides_nothing(intake: Intake) -> None:
    places = places_of(UPLOADS, title="Canvas", intake=intake)
    assert ignored_in(places) == {}
    assert {each.attempt for each in places.values()} == {""}


# Moodle


@pytest.mark.parametrize("is_old", [True, False])
def test_moodle_gives_each_student_a_folder(is_old: bool) -> None:
    assert submission_of(places_of(moodle_export(is_old=is_old), title="Moodle")) == {
        "Bob Smith": ["hw.py", "lib/list.py"],
        "Ann Doe": ["hw.py"],
        "Cy O'Hara": ["my_1_2_hw.py"],
    }


def test_feedback_in_moodles_export_is_no_submission() -> None:
    feedback = {
        "Bob Smith_340934_assignfeedback_file/hw.py": "",
        "Bob Smith_340934_assignfeedback_comments_.html": "",
        "Ann Doe_7_assignfeedback_editpdf/combined.pdf": "",
    }
    places = places_of(moodle_export() | feedback, title="Moodle")
    assert ignored_in(places) == dict.fromkeys(feedback, "is feedback of the staff in Moodle")
    files = [(each.key, each.file) for each in places.values()]
    assert len(files) == len({*files})


@pytest.mark.parametrize("word", ["Participant", "Teilnehmer"])
def test_moodle_students_without_names_are_told_by_their_numbers(word: str) -> None:
    students = [Student(word, "", number) for number in (7, 8)]
    places = places_of(moodle_export(students), title="Moodle")
    assert list(submission_of(places)) == [f"{word} 7", f"{word} 8"]


# Gradescope


def test_gradescope_metadata_tell_names_and_times_and_teams() -> None:
    bob, ann, cy = STUDENTS
    places = places_of(gradescope_export([(bob, ann), (cy,)]), title="Gradescope")
    assert submission_of(places) == {
        "Bob Smith, Ann Doe": ["hw.py", "lib/list.py"],
        "Cy O'Hara": ["my_1_2_hw.py"],
    }
    assert {each.members for each in places.values()} == {("Bob Smith", "Ann Doe"), ()}
    assert places["submission_340934/hw.py"].submitted == "2024-01-15T23:59:00+00:00"
    assert ignored_in(places) == {"submission_metadata.yml": "is metadata of the export"}
    assert not recognized(entries_of(gradescope_export([(bob,)])), "hw", Intake()).remark


def test_gradescope_papers_are_files() -> None:
    metadata = "123.pdf:\n  :submitters:\n  - :name: Ann\n124.pdf:\n  :submitters: []\n"
    files = {"submission_metadata.yml": metadata, "123.pdf": "", "124.pdf": "", "125.pdf": ""}
    places = places_of(files, title="Gradescope")
    assert submission_of(places) == {
        "Ann": ["123.pdf"],
        "124.pdf": ["124.pdf"],
        "125.pdf": ["125.pdf"],
    }


@pytest.mark.parametrize(
    "metadata",
    [
        "",
        "\0",
        "{" * 100_000,
        "[" * 18 + "]" * 18,
        "submission_1: &a [*a]",
        "submission_1:\n  :submitters: 7\nsubmission_2:\n  :submitters:\n  - [1]\n  - :name: {}\n",
        "? [a, {b: c}]\n: submission_1\n",
        "submission_1: !ruby/object:Gem::Installer {i: x}",
        "submission_1: !!python/object/apply:os.system [exit 7]",
        b"\xff\xfe\xfd",
        "x: " + "y" * (3 << 20),
        "x: " + "y" * (17 << 20),
    ],
    ids=range(12),
)
def test_gradescope_metadata_that_tell_nothing_leave_the_names_of_the_folders(
    metadata: str | bytes,
) -> None:
    files = {"submission_metadata.yml": metadata, "submission_1/a.py": "", "submission_2/b.py": ""}
    places = places_of(files, title="Gradescope")
    assert submission_of(places) == {"submission_1": ["a.py"], "submission_2": ["b.py"]}
    assert recognized(entries_of(files), "hw", Intake()).remark == (
        "metadata that names no student, so folders name the submissions: "
        "hw/submission_metadata.yml"
    )


def test_gradescope_metadata_construct_nothing_but_text() -> None:
    metadata = (
        "submission_1:\n  :submitters:\n  - !!python/object/apply:os.getcwd\n"
        "    :name: !!binary QW5u\n  :created_at: 2024-02-30 25:00:00 Z\n"
    )
    files = {"submission_metadata.yml": metadata, "submission_1/a.py": ""}
    place = places_of(files, title="Gradescope")["submission_1/a.py"]
    assert (place.name, place.submitted) == ("QW5u", "2024-02-30 25:00:00 Z")


def test_gradescope_history_is_skipped_however_long_it_is() -> None:
    history = "".join(f"  - :id: {n}\n    :output: |\n      {'x' * 900}\n" for n in range(4000))
    metadata = f"submission_1:\n  :history:\n{history}  :submitters:\n  - :name: Ann\n"
    files = {"submission_metadata.yml": metadata, "submission_1/a.py": ""}
    assert submission_of(places_of(files, title="Gradescope")) == {"Ann": ["a.py"]}


# Blackboard


def test_blackboard_notes_tell_names_and_are_no_work() -> None:
    places = places_of(blackboard_export(), title="Blackboard")
    assert submission_of(places) == {
        "Bob Smith": ["hw.py", "lib_list.py"],
        "Ann Doe": ["hw.py"],
        "Cy O'Hara": ["my_1_2_hw.py"],
    }
    assert set(ignored_in(places).values()) == {"is Blackboard's note on a submission"}
    assert {each.submitted for each in places.values()} == {
        *("2024-01-15T23:59:00", "2024-01-16T08:05:09"),
    }


def test_blackboard_times_are_attempts() -> None:
    names = [f"Hw_ann_attempt_2024-{month}-15-23-59-00_a.py" for month in ("02", "10", "01")]
    names.append("Hw_bob_attempt_2024-01-15-23-59-00_a.py")
    places = list(places_of(dict.fromkeys(names, ""), title="Blackboard").values())
    assert [each.name for each in places] == ["ann", "ann", "ann", "bob"]
    assert places[2].attempt < places[0].attempt < places[1].attempt


def test_blackboard_names_may_hold_brackets_and_end_before_the_login() -> None:
    line = "Name:\t Ann (Annie) Smith  (ann) \r\n"
    found = BLACKBOARD_NAME.search(f"Name: no login\r\n{line}")
    assert found is not None
    assert (found["name"].strip(), found["user"]) == ("Ann (Annie) Smith", "ann")


def test_a_line_of_blanks_or_brackets_in_a_blackboard_note_takes_no_long_search() -> None:
    for blanks in (" ", "(", ") (", "() "):
        assert BLACKBOARD_NAME.search(f"Name:{blanks * 100_000}x") is None


def test_blackboard_text_is_work_if_there_is_no_file() -> None:
    place = "Hw_ann_attempt_2024-01-15-23-59-00"
    note = {f"{place}.txt": "Name: Ann (ann)\n\nSubmission Field:\nprint(1)\n\nComments:\n"}
    bob = {"Hw_bob_attempt_2024-01-15-23-59-00_a.py": ""}
    assert submission_of(places_of({**note, **bob}, title="Blackboard")) == {
        "Ann": ["submission.txt"],
        "bob": ["a.py"],
    }
    with_file = places_of({**note, **bob, f"{place}_a.py": ""}, title="Blackboard")
    assert list(ignored_in(with_file)) == [f"{place}.txt"]


# Brightspace


@pytest.mark.parametrize(
    ("when", "submitted"),
    [
        ("January 15, 2024 1159 PM", "2024-01-15T23:59:00"),
        ("Jan 5, 2024 930 AM", "2024-01-05T09:30:00"),
        ("Jan 5, 2024 9:30\u202fp.m.", "2024-01-05T21:30:00"),
        ("5 May 2024 9.30pm", "2024-05-05T21:30:00"),
        ("den 9 maj 2024 9.30em", "2024-05-09T21:30:00"),
        ("5 May 2024 12:05am", "2024-05-05T00:05:00"),
        ("Sept. 5, 2024 1205 AM", "2024-09-05T00:05:00"),
        ("5 May, 2024 1305", "2024-05-05T13:05:00"),
        ("9 mai 2024", "2024-05-09"),
        ("15 mai, 2024 9 30", "2024-05-15T09:30:00"),
        ("1 août 2024 0905", "2024-08-01T09:05:00"),
        ("3 juin 2024 21h30", "2024-06-03T21:30:00"),
        ("3 juillet 2024 2130", "2024-07-03T21:30:00"),
        ("24 févr. 2024 9:05", "2024-02-24T09:05:00"),
        ("9 de diciembre de 2024 930 p. m.", "2024-12-09T21:30:00"),
        ("martes 9 de mayo de 2024 9 30", "2024-05-09T09:30:00"),
        ("9 de março de 2024 12 05", "2024-03-09T12:05:00"),
        ("9. März 2024 2130", "2024-03-09T21:30:00"),
        ("31. Dezember 2024 9.05 Uhr", "2024-12-31T09:05:00"),
        ("9 maart 2024 930", "2024-03-09T09:30:00"),
        ("den 9 maj 2024 9.30 em", "2024-05-09T21:30:00"),
        ("9 Ağustos 2024 09:30 ÖS", "2024-08-09T21:30:00"),
        ("1 Şubat 2024 2359", "2024-02-01T23:59:00"),
        ("9 kesäkuuta 2024 klo 9.30", "2024-06-09T09:30:00"),
        ("9 marraskuuta 2024 2130", "2024-11-09T21:30:00"),
        ("9 października 2024 2130", "2024-10-09T21:30:00"),
        ("9 октября 2024 2130", "2024-10-09T21:30:00"),
        ("٩ أكتوبر ٢٠٢٤ ٩:٣٠ م", "2024-10-09T21:30:00"),
        ("2024年5月9日 下午930", "2024-05-09T21:30:00"),
        ("2024년 5월 9일 오전 12:30", "2024-05-09T00:30:00"),
        ("2024-05-09 2130", "2024-05-09T21:30:00"),
        ("15.05.2024 9 30", "2024-05-15T09:30:00"),
        ("05.06.2024 930", "05.06.2024 930"),
        ("9 Blurgh 2024 1305", "9 Blurgh 2024 1305"),
        (f"2024 {'9' * 60} 5", f"2024 {'9' * 60} 5"),
        (f"9 May 2024 {'9' * 60}", f"9 May 2024 {'9' * 60}"),
        ("May 91, 2024 1305", "May 91, 2024 1305"),
    ],
)
def test_brightspace_folders_tell_names_and_times(when: str, submitted: str) -> None:
    places = places_of(brightspace_export(when=when), title="Brightspace")
    assert submission_of(places) == {
        "Bob Smith": ["hw.py", "lib_list.py"],
        "Ann Doe": ["hw.py"],
        "Cy O'Hara": ["my_1_2_hw.py"],
    }
    assert ignored_in(places) == {"index.html": "is Brightspace's index"}
    assert {each.submitted for each in places.values() if not each.ignored} == {submitted}


def test_brightspace_folders_of_one_student_are_attempts() -> None:
    names = [
        "101-77 - Ann - Lee - October 2, 2024 930 AM/a.py",
        "101-77 - Ann - Lee - February 2, 2024 1030 AM/a.py",
        "101-77 - Ann - Lee - February 2, 2024 930 AM/a.py",
        "102-77 - Ann - Lee - May 1, 2024 930 AM/a - May 1, 2024 930 AM - b.py",
        "103-77 - Bob - May 1, 2024 930 AM - a.py",
    ]
    october, later, earlier, namesake, bob = places_of(
        dict.fromkeys(names, ""), title="Brightspace"
    ).values()
    assert october.key == later.key == earlier.key != namesake.key
    assert earlier.attempt < later.attempt < october.attempt
    assert (namesake.name, namesake.file) == ("Ann - Lee", "a - May 1, 2024 930 AM - b.py")
    assert (bob.name, bob.file) == ("Bob", "a.py")


# Clones


def test_github_clones_are_named_by_what_follows_the_assignment() -> None:
    places = places_of(github_export(slug="hw-1"), title="GitHub Classroom")
    assert list(submission_of(places)) == ["smithb", "doea", "o'harac"]
    inside = {f"hw1-{name}/a.c": "" for name in ("ann-lee", "ann-may")}
    found = recognized(entries_of(inside), "x/hw1-submissions/", Intake())
    assert [each.name for each in found.places] == ["ann-lee", "ann-may"]


def test_submit50_clones_are_named_by_their_user() -> None:
    places = places_of(submit50_export(), title="submit50")
    assert submission_of(places)["smithb"] == ["hw.py", "lib/list.py"]


@pytest.mark.parametrize(
    ("layout", "title", "prefix"),
    [("submit50", "submit50", ""), ("github", "GitHub Classroom", "hw1-")],
)
def test_clones_in_another_folder_have_to_be_asked_for(
    layout: str, title: str, prefix: str
) -> None:
    files = {f"{prefix}ann/a.c": "", f"{prefix}bob/a.c": ""}
    places = places_of(files, title=title, intake=Intake(layout))
    assert submission_of(places) == {"ann": ["a.c"], "bob": ["a.c"]}


# nbgrader


def test_nbgrader_hands_in_what_is_in_submitted() -> None:
    notebooks = [Student("Ann", "Doe", 1, {"p.ipynb": "", "data/x.csv": ""})]
    places = places_of(nbgrader_export(notebooks), title="nbgrader")
    assert submission_of(places) == {"doea": ["p.ipynb", "data/x.csv"]}
    assert places["submitted/doea/ps1/p.ipynb"].submitted == "2024-01-15T23:59:00+00:00"
    assert set(ignored_in(places).values()) == {
        "is nbgrader's timestamp file",
        "is not in nbgrader's folder 'submitted'",
    }


def test_nbgrader_assignments_of_a_student_are_one_submission() -> None:
    files = {
        "ann/ps1/timestamp.txt": "2024-01-15 10:00:00 UTC",
        "ann/ps1/p.ipynb": "",
        "ann/ps2/timestamp.txt": "2024-01-15 11:00:00 +0300",
        "ann/ps2/p.ipynb": "",
        "ann/notes.txt": "",
        "bob/ps2/p.ipynb": "",
    }
    found = recognized(entries_of(files), "course/submitted", Intake())
    places = dict(zip(files, found.places, strict=True))
    assert submission_of(places) == {
        "ann": ["ps1/p.ipynb", "ps2/p.ipynb", "notes.txt"],
        "bob": ["ps2/p.ipynb"],
    }
    assert places["ann/ps2/p.ipynb"].submitted == "2024-01-15T10:00:00+00:00"


# Dolos


def test_dolos_rows_tell_names_labels_and_times() -> None:
    places = places_of(dolos_export(), title="Dolos")
    assert submission_of(places) == {
        "Bob Smith": ["hw.py", "list.py"],
        "Ann Doe": ["hw.py"],
        "Cy O'Hara": ["my_1_2_hw.py"],
    }
    place = places["340935/hw.py"]
    assert (place.label, place.submitted) == ("late", "2024-01-16T08:05:09+02:00")
    assert ignored_in(places) == {"info.csv": "is metadata of the export"}


@pytest.mark.timeout(60)
def test_a_table_of_many_columns_and_many_rows_takes_no_product_of_the_two() -> None:
    table = "filename,full_name" + ",x" * 1_000_000 + "\n1.py,Ann\n2.py,Bob\n" + "y\n" * 90_000

    places = places_of(
        {"info.csv": table, "1.py": "", "2.py": ""}, title="Dolos", intake=Intake(layout="dolos")
    )

    assert {place.name for place in places.values()} == {"info.csv", "Ann", "Bob"}


def test_dolos_rows_of_one_name_are_attempts_in_the_order_of_their_times() -> None:
    table = (
        "\ufefffilename,created_at,full_name\r\n"
        '1.py,2019-07-23 17:12:33 +0200,"Smith, Ann"\r\n'
        '2.py,2019-07-23 16:12:33 UTC,"Smith, Ann"\r\n'
    )
    files = {"info.csv": table, "1.py": "", "2.py": ""}
    first, second = list(places_of(files, title="Dolos", intake=DOLOS).values())[1:]
    assert first.key == second.key
    assert first.name == "Smith, Ann"
    assert first.attempt < second.attempt


def test_dolos_files_of_one_name_in_one_attempt_keep_apart() -> None:
    table = "filename,full_name\na/x.py,Ann\nb/x.py,Ann\nc/x.py,Bob\n"
    files = {"info.csv": table, "a/x.py": "", "b/x.py": "", "c/x.py": ""}
    assert submission_of(places_of(files, title="Dolos")) == {
        "Ann": ["a/x.py", "b/x.py"],
        "Bob": ["x.py"],
    }


def test_a_dolos_row_may_name_a_folder_or_an_archive() -> None:
    table = "filename,full_name,labels\n./ann.zip,Ann,g1\nbob\\,Bob,g2\n../../etc/passwd,Eve,\n"
    files = {"info.csv": table, "ann.zip/src/a.py": "", "bob/b.py": "", "cy/c.py": ""}
    places = places_of(files, title="Dolos", intake=DOLOS)
    assert submission_of(places) == {"Ann": ["src/a.py"], "Bob": ["b.py"], "cy": ["c.py"]}
    assert places["bob/b.py"].label == "g2"


def test_a_file_without_a_row_is_nobody_s_whatever_students_are_called() -> None:
    files = {"info.csv": "filename,full_name\na.py,b.py\n", "a.py": "", "b.py": ""}
    _, named, other = places_of(files, title="Dolos", intake=DOLOS).values()
    assert named.name == other.name == "b.py"
    assert named.key != other.key


def test_the_ignored_row_of_dolos_is_base_code() -> None:
    table = "filename,full_name,ignored\nt.py,Ann,true\na.py,Ann,false\nb.py,,\n"
    files = {"info.csv": table, "t.py": "", "a.py": "", "b.py": ""}
    template, ann, nobody = list(places_of(files, title="Dolos", intake=DOLOS).values())[1:]
    assert template.role is Role.BASE
    assert ann.role is None
    assert template.key != ann.key
    assert nobody.name == "b.py"


@pytest.mark.parametrize("table", ["", "filename\n", 'filename\n"' + "x" * 200_000, "\0,\0\n\0"])
def test_a_table_that_names_no_file_is_not_one_of_dolos(table: str) -> None:
    found = recognized(entries_of({"info.csv": table, "a.py": ""}), "hw", Intake())
    assert found.title == ""


# Times


def test_times_that_can_be_told_are_given_in_iso_8601() -> None:
    times = re.compile(r"[0-9T:+-]*")
    for files in (blackboard_export(), nbgrader_export(), gradescope_export(), dolos_export()):
        for place in recognized(entries_of(files), "hw", Intake()).places:
            assert times.fullmatch(place.submitted)


# Virtual Programming Lab


def vpl_export(students: Mapping[str, list[str]]) -> dict[str, str]:
    """Return for each folder of a student those of the attempts, with what was tested."""
    files = {"Report.txt": "Number of users: 2", "Errors.txt": "none"}
    for folder, times in students.items():
        for number, time in enumerate(times):
            files |= {f"{folder}/{time}/hw.py": f"a = {number}", f"{folder}/{time}/lib/a.py": ""}
            files |= {f"{folder}/{time}.ceg/{name}.txt": "" for name in ("execution", "grade")}
    return files


def test_vpl_folders_tell_names_ids_and_attempts() -> None:
    first, second = "2024-05-09-10-30-00", "2024-05-15-09-00-07"
    files = vpl_export({"Doe Ann 1001 ann7": [first, second], "Group 5 12 ": [first]})
    places = places_of(files, title="Moodle VPL")

    read = [(e.name, e.file, e.attempt) for e in places.values() if not e.ignored]
    assert read == [
        ("Doe Ann", "hw.py", "2024-05-09T10:30:00"),
        ("Doe Ann", "lib/a.py", "2024-05-09T10:30:00"),
        ("Doe Ann", "hw.py", "2024-05-15T09:00:07"),
        ("Doe Ann", "lib/a.py", "2024-05-15T09:00:07"),
        ("Group 5", "hw.py", "2024-05-09T10:30:00"),
        ("Group 5", "lib/a.py", "2024-05-09T10:30:00"),
    ]
    reasons = {*ignored_in(places).values()}
    assert reasons == {"is VPL's report", "is VPL's record of tests and grades"}
    assert places["Doe Ann 1001 ann7/" + first + "/hw.py"].ids == ("1001",)
