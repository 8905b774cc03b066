"""Students of whom nothing was compared are named first, have no score, and fail a job."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.programs import PRIMES, QUEUE, WORDS, program, write_files

HONEST = {"ann/main.py": QUEUE, "bob/main.py": PRIMES, "bob/README.md": "# Read me\n"}
NOTHING = "1 student not compared: zed "


def batch(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    write_files(tmp_path, {f"hw/{name}": text for name, text in HONEST.items()})
    for name, content in files.items():
        path = tmp_path / "hw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


KINDS: dict[str, dict[str, str | bytes]] = {
    "binary": {"zed/main.py": b"\x00\x01\xff\xfe" * 500},
    "empty": {"zed/main.py": ""},
    "comments": {"zed/main.py": "# nothing yet\n"},
    "damaged": {"zed.zip": b"PK\x03\x04 and then nothing of the kind"},
    "picture": {"zed/photo.png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(200)},
    "compiled": {"zed/Main.class": b"\xca\xfe\xba\xbe\x00\x00\x00\x34" + bytes(200)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_student_of_whom_nothing_was_compared_is_named_first(
    run: Run, tmp_path: Path, kind: str
) -> None:
    batch(tmp_path, KINDS[kind])

    done = run("hw", "--json", "r.json", "--grades", "g.csv")
    run("hw", "--single-file", "-o", "one.html")

    assert done.code == 0
    second = done.out.splitlines()[1].replace("zed.zip", "zed")
    assert second.startswith(NOTHING), done.out
    results = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    (absent,) = results["not_compared"]
    assert absent["name"].removesuffix(".zip") == "zed"
    assert f"{absent['name']} {absent['reason']}" in done.out
    for page in ("mosslite-report/index.html", "one.html"):
        html = (tmp_path / page).read_text(encoding="utf-8")
        top = html.index("1 student not compared")
        assert top < html.index('id="pairs"')
    rows = {row["Student"]: row for row in rows_of(tmp_path / "g.csv")}
    assert rows[absent["name"]]["Highest score"] == ""
    assert rows[absent["name"]]["Not compared"] == absent["reason"]
    assert rows["ann"]["Not compared"] == ""


def rows_of(path: Path) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("kind", KINDS)
def test_such_a_student_fails_a_job(run: Run, tmp_path: Path, kind: str) -> None:
    batch(tmp_path, KINDS[kind])
    outputs = ("--no-html", "--junit", "j.xml", "--sarif", "s.json", "--markdown", "m.md")

    done = run("hw", "--fail-above", "90", *outputs)

    assert done.code == 1
    assert "--fail-above 90: 0 pairs at or above score 0.9, 1 student not compared\n" in done.out
    assert 'type="not-compared"' in (tmp_path / "j.xml").read_text(encoding="utf-8")
    assert '"not compared: zed' in (tmp_path / "s.json").read_text(encoding="utf-8")
    assert "**1 student not compared:**" in (tmp_path / "m.md").read_text(encoding="utf-8")


def test_a_file_left_out_beside_others_is_no_student(run: Run, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "ann/notes.md": "Some notes.\n",
        "ann/photo.png": b"\x89PNG\r\n\x1a\n" + bytes(200),
        "ann/empty.py": "",
        "bob/.git/config": "[core]\n",
        ".DS_Store": b"\x00\x00\x00\x01Bud1",
    }
    batch(tmp_path, files)

    done = run("hw", "--no-html", "--fail-above", "90", "--json", "r.json")

    assert done.code == 0, done.out
    assert "not compared" not in done.out
    assert "not_compared" not in json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))


def test_a_file_given_twice_is_no_student(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": QUEUE, "b.py": PRIMES})

    done = run("a.py", "b.py", "./a.py", "--no-html", "--fail-above", "90")

    assert (done.code, "not compared" in done.out) == (0, False)


def test_unchanged_base_code_is_named_but_fails_no_job(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"base.py": WORDS})
    batch(tmp_path, {"zed/main.py": WORDS})

    done = run("hw", "-b", "base.py", "--no-html", "--fail-above", "90")

    assert done.code == 0
    assert f"{NOTHING}is almost entirely boilerplate\n" in done.out


def test_all_names_stand_before_the_files_that_were_skipped(run: Run, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"{n:02}/{name}": text
        for n in range(20)
        for name, text in {"main.py": program(n), "README.md": "# Read me\n"}.items()
    }
    files |= {f"lost{n}/main.py": b"\x00\x01\xff\xfe" * 500 for n in range(7)}
    batch(tmp_path, files)

    lines = run("hw", "--no-html").out.splitlines()

    names = lines[1].removeprefix("7 students not compared: ").split("; ")
    assert [each.split()[0] for each in names] == [f"lost{n}" for n in range(7)]


def test_students_of_an_export_have_their_names_and_nobody_is_named_in_an_anonymous_report(
    run: Run, tmp_path: Path
) -> None:
    batch(tmp_path, {"zed/main.py": b"\x00\x01\xff\xfe" * 500, "bobby/empty.py": ""})

    done = run(
        *("hw", "--anonymize", "key.csv", "--grades", "g.csv", "--json", "r.json", "--no-html"),
    )

    assert "2 students not compared: Not compared 1 " in done.out
    for name in ("g.csv", "r.json"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "zed" not in text
        assert "bobby" not in text


def test_a_score_is_true_or_empty_where_pairs_were_cut(run: Run, tmp_path: Path) -> None:
    shared = program(1, functions=2)
    files = {f"hw/{n:02}.py": f"{program(100 + n)}\n\n{shared}" for n in range(12)}
    write_files(tmp_path, files)

    for show, name in (("1", "few.csv"), ("0", "all.csv")):
        assert run("hw", "--no-html", "-n", show, "--grades", name).code == 0

    few, everything = (rows_of(tmp_path / name) for name in ("few.csv", "all.csv"))
    scores = [row["Highest score"] for row in few]
    assert "0.0000" not in scores
    assert scores == [row["Highest score"] for row in everything]
    assert [row["Partner"] for row in few] == [row["Partner"] for row in everything]


def test_a_damaged_archive_among_archives_is_a_student(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hw").mkdir()
    for name, text in (("ann", QUEUE), ("bob", PRIMES)):
        with zipfile.ZipFile(tmp_path / "hw" / f"{name}.zip", "w") as archive:
            archive.writestr("main.py", text)
    (tmp_path / "hw" / "cy.zip").write_bytes(b"PK\x03\x04" + bytes(40))

    done = run("hw", "--no-html", "--fail-above", "90")

    assert done.code == 1
    assert done.out.splitlines()[1].startswith("1 student not compared: cy")
