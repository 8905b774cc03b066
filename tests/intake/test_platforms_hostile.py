"""Names and metadata that a student chooses decide about that student's own work alone."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from mosslite.frontends.selection import gather
from mosslite.intake.exports import ExportEntry
from mosslite.options import Intake, Options
from mosslite.records import Batch, Inputs, Role
from tests.archives import zip_of
from tests.batches import hand_in
from tests.conftest import Run
from tests.exports import EXPORTS, STUDENTS, Student, entries_of, recognized, within
from tests.programs import PRIMES, QUEUE, WORDS, write_files

# Those whom nobody may become, join, split or take out, as platforms call their files.
CLASSMATES = [
    *("smithb", "doea", "340934", "340935", "submission_340934", "submission_340935"),
    *("smithbob_340934_208490285_hw.py", "doeann_LATE_340935_208490287_hw.py"),
    "Ann Doe_340935_assignsubmission_file",
    "340935-77 - Ann Doe - January 15, 2024 1159 PM",
]
INFO = "filename,full_name,ignored,created_at\n" + "".join(
    f"{each},Mallory,true,2030-01-01 10:00:00 Z\n{each}/hw.py,Mallory,true,\n"
    for each in CLASSMATES
)
METADATA = "".join(
    f"{each}:\n  :submitters:\n  - :name: Mallory\n  :created_at: 2030-01-01 10:00:00 Z\n"
    for each in CLASSMATES
)
NOTE = "Name: Ann Doe (doea)\nName: Bob Smith (smithb)\n\nSubmission Field:\nx = 1\n"
PLANTED = {
    "info.csv": INFO,
    "submission_metadata.yml": METADATA,
    "index.html": "<p>",
    "grades.csv": "name,grade\nann,1\n",
    "roster.csv": "identifier\nann\n",
    "gradebook.db": "x",
    "nbgrader_config.py": "c = 1\n",
    "submitted": "x",
    "source": "x",
    "me50": "x",
    "main-1.py": "x = 1\n",
    "hw1-submissions": "x",
    "assignment_7_export": "x",
    "doeann_340935_208490299_hw.py": "x = 1\n",
    "Ann Doe_340935_assignsubmission_file_x.py": "x = 1\n",
    "Homework_1_doea_attempt_2030-01-16-08-05-09.txt": NOTE,
    "Homework_1_doea_attempt_2030-01-16-08-05-09_x.py": "x = 1\n",
    "340935-77 - Ann Doe - January 15, 2030 1159 PM - x.py": "x = 1\n",
    "submission_340935": "x",
    "hw1-doea": "x",
    "_attempt_2030-01-16-08-05-09_x.py": "x = 1\n",
    "_LATE_340935_208490299_x.py": "x = 1\n",
}
MAIN = {"main.py": "m = 1\n"}


def exported(layout: str, files: Mapping[str, str]) -> dict[str, str]:
    mallory = Student("Mal", "Ory", 340940, files)
    return dict(EXPORTS[layout]([*STUDENTS, mallory]))


def placed(files: Mapping[str, str]) -> tuple[str, dict[str, ExportEntry]]:
    found = recognized(entries_of(files), "hw", Intake())
    return found.title, dict(zip(files, found.places, strict=True))


@pytest.mark.parametrize("place", ["", "deep/", "work.zip/", "work.zip/hw/", "info.csv/"])
@pytest.mark.parametrize("layout", EXPORTS)
def test_what_lies_in_a_submission_tells_nothing_of_others_nor_hides_itself(
    layout: str, place: str
) -> None:
    title, before = placed(exported(layout, MAIN))
    # Of the platform's own metadata, Dolos' know one more file.
    before.pop("info.csv", None)
    (own,) = {each.key for each in before.values() if is_own(each)}
    for planted in PLANTED:
        now, after = placed(with_planted(layout, place, planted))
        assert now == title, planted
        assert {path: after[path] for path in before} == before, planted
        after.pop("info.csv", None)
        theirs = {after[path].key for path in after.keys() - before.keys()}
        assert theirs - {"nbgrader/autograded"} == {own}, planted
        assert all(each.role is None for each in after.values()), planted


def with_planted(layout: str, place: str, planted: str) -> dict[str, str]:
    """Return an export in which one student has handed in one more file, maybe in an archive."""
    archive, _, inside = f"{place}{planted}".partition(".zip/")
    added = f"{archive}.zip" if inside else archive
    files = exported(layout, MAIN | {added: PLANTED[planted]})
    return {
        f"{path}/{inside}" if inside and path.endswith(added) else path: text
        for path, text in files.items()
    }


def is_own(place: ExportEntry) -> bool:
    return not place.ignored and any(
        word in f"{place.key} {place.name}".casefold() for word in ("ory", "340940")
    )


# Where each file is a submission

CLASS = {"aldo.py": QUEUE, "bea.py": PRIMES, "cy.py": WORDS, "di.py": QUEUE, "eve.py": PRIMES}
ROWS = "".join(f"{name},F,true\n" for name in CLASS)
NAMED = "".join(f"{name}:\n  :submitters:\n  - :name: F\n" for name in CLASS)
TOPS: dict[str, dict[str, str]] = {
    "info.csv of some": {"info.csv": "filename,full_name,ignored\naldo.py,F,true\n"},
    "info.csv of all": {"info.csv": f"filename,full_name,ignored\n{ROWS}"},
    "info.csv that joins": {"info.csv": "filename,full_name\n" + ROWS.replace(",true", "")},
    "submission_metadata.yml": {"submission_metadata.yml": NAMED},
    "a course": {
        "nbgrader_config.py": "c = 1\n",
        "submitted/mal/ps1/timestamp.txt": "2030-01-01 10:00:00 UTC",
        "submitted/mal/ps1/a.py": "a = 1\n",
    },
    "more of a course": {
        **dict.fromkeys(("nbgrader_config.py", "gradebook.db", "source"), "c = 1\n"),
        "submitted/mal/ps1/a.ipynb": "{}",
    },
    "grades.csv": {"grades.csv": "name,grade\n"},
    "index.html": {"index.html": "<p>x"},
    "names of a platform": {
        "aldo_340935_208490299_hw.py": "x = 1\n",
        "aldo_340935_208490298_hw.py": "x = 2\n",
    },
    "submissions of a platform": {"submission_1/a.py": "x = 1\n", "submission_metadata.yml": NAMED},
}


def gathered(*paths: str | Path, layout: str = "auto") -> Batch:
    return gather(Inputs(tuple(map(str, paths))), Options(intake=Intake(layout)))


def handed_in(way: str, folder: Path, files: dict[str, str]) -> tuple[str | Path, ...]:
    if way == "by name":
        return tuple(sorted(Path(hand_in(folder / "hw", files)).iterdir()))
    if way == "a folder in a zip":
        return (hand_in(folder / "hw.zip", within("hw", files)),)
    return (hand_in(folder / way, files),)


WAYS = ("hw", "hw.zip", "a folder in a zip", "hw.tar.gz", "by name")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", TOPS)
@pytest.mark.parametrize("are_archives", [False, True])
def test_where_a_file_is_a_submission_no_file_tells_of_others(
    kind: str, way: str, are_archives: bool, tmp_path: Path
) -> None:
    if are_archives:  # as each student uploads one
        hand_in(tmp_path / "hw", {f"{name}.zip": zip_of({"a.py": CLASS[name]}) for name in CLASS})
        batch = gathered(hand_in(tmp_path / "hw", TOPS[kind]))
    else:
        batch = gathered(*handed_in(way, tmp_path, CLASS | TOPS[kind]))

    assert batch.base == ()
    texts = {Path(each.name).name.removesuffix(".zip"): each for each in batch.submissions}
    assert {name: texts[name].files[0].text for name in CLASS} == CLASS
    assert all(len(texts[name].files) == 1 for name in CLASS)
    assert "(" not in batch.description
    assert len({each.hand_in.owner or each.name for each in batch.submissions}) == len(texts)


@pytest.mark.parametrize("layout", EXPORTS)
def test_the_only_submission_of_a_batch_is_not_taken_out_by_what_is_in_it(
    layout: str, tmp_path: Path
) -> None:
    rows = "filename,full_name,ignored\nsrc,F,true\nlib,F,true\n"
    inside = {"info.csv": rows, "src/main.py": QUEUE, "lib/words.py": WORDS}
    files = EXPORTS[layout]([Student("Mal", "Ory", 340940, inside)])
    write_files(tmp_path / "late", dict(files))
    write_files(tmp_path / "own/ann", inside)

    for folder in ("late", "own"):
        batch = gathered(tmp_path / folder)
        assert batch.base == ()
        code = [file.text for each in batch.submissions for file in each.files]
        assert {QUEUE, WORDS} <= set(code)


def test_metadata_that_are_not_believed_are_named(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "hw", CLASS | TOPS["info.csv of all"])

    outcome = run("check", "hw", "--no-html")

    assert (
        "warning: not used, as a student could have submitted it (--layout dolos uses it): "
        "hw/info.csv\n"
    ) in outcome.out


def test_dolos_metadata_must_tell_of_nearly_all(tmp_path: Path) -> None:
    folders = {f"hw/{n}/a.py": f"x = {n}\n" for n in range(10)}
    rows = [f"{n},Student {n}\n" for n in range(10)]
    for told, title in ((8, "Dolos"), (7, "")):
        table = "filename,full_name\n" + "".join(rows[:told])
        write_files(tmp_path, folders | {"hw/info.csv": table})
        assert (f"({title})" in gathered(tmp_path / "hw").description) == bool(title)


# What metadata are believed to say


@pytest.mark.parametrize("layout", ["auto", "dolos"])
def test_a_submission_that_metadata_take_for_base_code_is_named_in_every_result(
    run: Run, tmp_path: Path, layout: str
) -> None:
    rows = "1/a.py,Ann,false\n2/b.py,Bob,false\n3/given.py,,true\n"
    texts = {"hw/1/a.py": QUEUE, "hw/2/b.py": WORDS, "hw/3/given.py": PRIMES}
    write_files(tmp_path, texts | {"hw/info.csv": f"filename,full_name,ignored\n{rows}"})
    results = ("json", "csv", "sarif", "junit", "markdown")
    outputs = [word for name in results for word in (f"--{name}", f"results.{name}")]

    outcome = run("check", "hw", "--layout", layout, *outputs, "-o", "report")

    reason = "is base code according to the export's metadata"
    assert f"skipped: hw/3/given.py {reason}\n" in outcome.out
    assert f"skipped: hw/3/given.py {reason}" in run("check", "hw", "--list").out
    paths = [tmp_path / f"results.{each}" for each in results]
    for path in (*paths, tmp_path / "report/index.html"):
        text = path.read_text("utf-8").replace("&#39;", "'").replace("&#x27;", "'")
        assert "hw/3/given.py" in text
        assert reason in text
    (skipped,) = json.loads(paths[0].read_text("utf-8"))["skipped"]
    assert (skipped["path"], skipped["reason"]) == ("hw/3/given.py", reason)
    rows_of = list(csv.DictReader(paths[1].read_text("utf-8").splitlines()))
    assert (rows_of[-1]["left"], rows_of[-1]["skipped"]) == ("hw/3/given.py", reason)


def test_the_name_in_a_blackboard_note_is_the_one_that_the_platform_wrote() -> None:
    place = "Hw_{}_attempt_2024-01-15-23-59-00"
    files = {
        f"{place.format('ann')}.txt": "Nombre: Ann (ann)\nComentarios:\nName: Bob Doe (bob)\n",
        f"{place.format('cy')}.txt": "Nombre: Cy (cy)\nComentarios:\nName: Bob Doe (cy)\n",
        f"{place.format('di')}.txt": "Name: Bob Doe (bob)\n",
        f"{place.format('bob')}.txt": "Name: Bob Doe (bob)\n",
    } | {f"{place.format(who)}_a.py": "" for who in ("ann", "bob", "cy", "di")}
    _, places = placed(files)
    names = {path: each.name for path, each in places.items() if path.endswith(".py")}
    assert list(names.values()) == ["ann", "Bob Doe", "cy", "di"]
    assert Role.BASE not in {each.role for each in places.values()}
