"""Results of JPlag and Dolos become JSON results."""

import io
import json
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosslite.cli.imports import exported_files
from mosslite.errors import InputError
from mosslite.report.importing import Export, dolos_to_json, is_of_dolos, is_of_jplag, jplag_to_json
from tests.conftest import Run
from tests.foreign_results import DOLOS, HOSTILE, JPLAG, PAIRS, at_line, written
from tests.tables import table


def zipped(path: Path, files: Mapping[str, Any], top: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            archive.writestr(f"{top}{name}", text)
    return path


def from_jplag(path: Path) -> dict[str, Any]:
    export = Export(str(path), "JPlag", exported_files(path, is_of_jplag))
    content: dict[str, Any] = json.loads(jplag_to_json(export, version="0.1.0"))
    return content


def from_dolos(path: Path, comment: str = "") -> dict[str, Any]:
    export = Export(str(path), "Dolos", exported_files(path, is_of_dolos))
    content: dict[str, Any] = json.loads(dolos_to_json(export, version="0.1.0", comment=comment))
    return content


@pytest.mark.parametrize("form", ["folder", "archive", "archive of a folder"])
def test_a_result_of_jplag_is_the_same_in_each_form(tmp_path: Path, form: str) -> None:
    if form == "folder":
        path = written(tmp_path / "result", JPLAG)
    else:
        path = zipped(tmp_path / "r.jplag", JPLAG, "result/" if form != "archive" else "")

    content = from_jplag(path)

    assert [(pair["left"], pair["right"], pair["similarity"]) for pair in content["pairs"]] == [
        ("ada", "ben", 0.75),
        ("ada", "cy", 0.25),
    ]
    pair = content["pairs"][0]
    assert (pair["left_similarity"], pair["right_similarity"]) == (0.5, 1.0)
    assert (pair["matched_tokens"], pair["longest_match"], pair["score"]) == (72, 60, None)
    assert pair["matches"] == [
        {
            "left": {"file": "Main.java", "first_line": first, "last_line": last},
            "right": {"file": "Main.java", "first_line": start, "last_line": stop},
            "tokens": tokens,
        }
        for first, last, start, stop, tokens in ((1, 2, 1, 2, 12), (3, 41, 7, 45, 60))
    ]
    assert [each["name"] for each in content["submissions"]] == ["ada", "ben", "cy"]
    assert content["options"] == {
        "language": "java",
        "noise": {"code": 9},
        "guarantee": {"code": 9},
        "base": ["given"],
    }
    assert content["skipped"][0]["path"] == "dan"
    assert content["warnings"] == [
        "1 more pair not in the result",
        "no passages, or not all, of 1 pair: not there, or not in the form of JPlag",
    ]


def test_jplag_6_tells_files_tokens_and_why_a_submission_failed(tmp_path: Path) -> None:
    content = from_jplag(zipped(tmp_path / "r.zip", JPLAG))

    ada = content["submissions"][0]
    assert (ada["files"], ada["tokens"], ada["languages"]) == (
        ["Bay.java", "Main.java"],
        150,
        ["java"],
    )
    assert content["source"] == {"program": "jplag", "version": "6.2.0", "date": "2025-08-30"}
    (skipped,) = content["skipped"]
    assert (skipped["path"], skipped["reason"]) == ("dan", "failed in JPlag: cannot parse")
    assert skipped["message"]["id"] == "failed in JPlag: %(replace)s"


def test_two_submissions_of_one_name_stay_two(tmp_path: Path) -> None:
    files = {**JPLAG, "submissionMappings.json": {"submissionIds": dict.fromkeys("ABC", "ada")}}

    names = [each["name"] for each in from_jplag(written(tmp_path, files))["submissions"]]

    assert names == ["ada (A)", "ada (B)", "ada (C)"]


def test_a_pair_of_several_rows_is_one_as_in_the_most_similar(tmp_path: Path) -> None:
    good = JPLAG["topComparisons.json"][0]
    turned = {
        "firstSubmission": good["secondSubmission"],
        "secondSubmission": good["firstSubmission"],
        "similarities": {"AVG": 0.99},
    }

    content = from_jplag(written(tmp_path, {**JPLAG, "topComparisons.json": [good, turned]}))

    assert [pair["similarity"] for pair in content["pairs"]] == [0.99]


ODD: tuple[object, ...] = (
    *(None, True, -1, 2.0, 10**400, "0.5", [], {}, "x" * 10, HOSTILE),
    {"AVG": 1e308},
    {"AVG": "NaN"},
)


@pytest.mark.parametrize("odd", ODD, ids=lambda value: repr(value)[:20])
def test_rows_that_are_no_pairs_are_left_out_and_counted(tmp_path: Path, odd: object) -> None:
    good = JPLAG["topComparisons.json"][0]
    rows = [good, odd, {**good, "similarities": odd}, {**good, "firstSubmission": 3}]

    content = from_jplag(written(tmp_path, {**JPLAG, "topComparisons.json": rows}))

    assert len(content["pairs"]) == 1
    assert "3 rows left out: not in the form of JPlag" in content["warnings"]


@pytest.mark.parametrize(
    "odd", [*ODD, at_line(0), at_line(2**40), {"line": "3"}], ids=lambda v: repr(v)[:20]
)
@pytest.mark.parametrize("key", ["startInFirst", "endInSecond", "firstFileName"])
def test_passages_that_make_no_sense_are_left_out(tmp_path: Path, key: str, odd: object) -> None:
    if key == "firstFileName" and isinstance(odd, str):
        return
    comparison = JPLAG["comparisons/x.json"]
    first, second = comparison["matches"]
    files = {
        **JPLAG,
        "comparisons/x.json": comparison | {"matches": [{**first, key: odd}, second]},
    }

    content = from_jplag(written(tmp_path, files))

    assert len(content["pairs"][0]["matches"]) == 1
    assert "no passages, or not all, of 2 pairs" in content["warnings"][-1]


@table("text", "why")
def test_what_is_not_a_list_of_pairs_is_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = written(tmp_path / "r", {**JPLAG, "topComparisons.json": text})

    with pytest.raises(InputError) as error:
        from_jplag(path)

    assert str(error.value) == f"{str(path)!r} is not a result of JPlag: {why}"


def test_names_in_a_result_lead_to_no_other_file(tmp_path: Path) -> None:
    written(tmp_path, {"secret.json": JPLAG["comparisons/x.json"]})
    for told in ("../../secret.json", "..\\..\\secret.json", str(tmp_path / "secret.json")):
        mapping = JPLAG["submissionMappings.json"] | {
            "submissionIdsToComparisonFileName": {"A": {"B": told}}
        }
        files = {**JPLAG, "submissionMappings.json": mapping}
        del files["comparisons/x.json"]

        content = from_jplag(written(tmp_path / "r", files))

        assert content["pairs"][0]["matches"] == []


def test_a_link_in_a_result_is_not_followed(tmp_path: Path) -> None:
    secret = written(tmp_path, {"secret.json": JPLAG["comparisons/x.json"]}) / "secret.json"
    folder = written(tmp_path / "r", JPLAG)
    (folder / "comparisons/x.json").unlink()
    (folder / "comparisons/x.json").symlink_to(secret)

    assert from_jplag(folder)["pairs"][0]["matches"] == []


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jplag"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("topComparisons.json", " " * (300 << 20))

    with pytest.raises(
        InputError, match=r"cannot be read: 'topComparisons.json' .* 1,000 times its size$"
    ):
        from_jplag(path)


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    mapping = {"submissionIds": {"A": HOSTILE, "B": "\ud800", "C": "../../c"}}
    files = {**JPLAG, "submissionMappings.json": mapping}

    content = from_jplag(written(tmp_path, files))

    assert {each["name"] for each in content["submissions"]} == {"../../c", HOSTILE, "?"}


@pytest.mark.parametrize("form", ["folder", "archive"])
def test_a_result_of_dolos_is_read(tmp_path: Path, form: str) -> None:
    is_folder = form == "folder"
    path = (
        written(tmp_path / "r", DOLOS) if is_folder else zipped(tmp_path / "r.zip", DOLOS, "rep/")
    )

    content = from_dolos(path)

    assert [
        (pair["left"], pair["right"], pair["similarity"], pair["left_similarity"])
        for pair in content["pairs"]
    ] == [("ada/q.py", "ben/q.py", 0.75, 0.5), ("ada/q.py", "cy/q.py", 0.25, None)]
    assert content["submissions"][0] == {
        "name": "ada/q.py",
        "role": "current",
        "members": ["Ada L"],
        "submitted": "2024-03-01T10:00:00.000Z",
        "label": "monday",
        "files": ["ada/q.py"],
        "tokens": None,
        "languages": ["python"],
    }
    assert [each["name"] for each in content["submissions"]] == ["ada/q.py", "ben/q.py", "cy/q.py"]
    assert content["options"] == {
        "comment": "sheet 3",
        "language": "python",
        "noise": {"code": 23},
        "guarantee": {"code": 39},
        "base": ["/srv/x/stub.py"],
    }
    assert content["warnings"] == []


def test_shares_of_dolos_are_unknown_where_it_ignored_kgrams(tmp_path: Path) -> None:
    """Of 110 k-grams each, 96 are ignored: 13.3 of 14 others are 0.948 of what Dolos counts."""
    pairs = PAIRS.splitlines()[0] + "\n7,1,/x/a.py,2,/x/b.py,0.948,90,90,90,90\n"
    files = "id,path,amountOfKgrams\n1,/x/a.py,110\n2,/x/b.py,110\n"

    (pair,) = from_dolos(written(tmp_path / "r", {"pairs.csv": pairs, "files.csv": files}))["pairs"]

    assert pair["similarity"] == 0.948
    assert (pair["left_similarity"], pair["right_similarity"]) == (None, None)


@pytest.mark.parametrize("similarity", ["NaN", "inf", "-1", "2", "", "1e400", HOSTILE, "0.5,x"])
def test_rows_of_dolos_that_are_no_pairs_are_left_out_and_counted(
    tmp_path: Path, similarity: str
) -> None:
    cell = similarity.replace('"', '""')
    pairs = f'{PAIRS}10,2,b,3,c,"{cell}",1,1,1,1\n11,,,,,,,,,\n12\n'

    content = from_dolos(written(tmp_path, {**DOLOS, "pairs.csv": pairs}))

    assert len(content["pairs"]) == 2
    assert content["warnings"] == ["3 rows left out: not in the form of Dolos"]


@pytest.mark.parametrize("output", ["-", "r.json"])
def test_what_an_import_leaves_out_is_told_on_the_terminal(
    run: Run, tmp_path: Path, output: str
) -> None:
    written(tmp_path / "r", {**DOLOS, "pairs.csv": f"{PAIRS}11,,,,,,,,,\n"})

    outcome = run("import-dolos", "r", "-o", output)

    assert outcome.code == 0
    assert outcome.err == "warning: 1 row left out: not in the form of Dolos\n"


def test_what_an_import_leaves_out_is_told_in_the_language_of_the_user(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "r", {**DOLOS, "pairs.csv": f"{PAIRS}11,,,,,,,,,\n"})
    monkeypatch.setenv("MOSSLITE_LOCALE", "de")

    told = run("import-dolos", "r", "-o", "r.json").err

    assert told.startswith("Warnung: 1 Zeile")


def test_a_folder_of_something_else_is_not_a_result(tmp_path: Path) -> None:
    for read, program, why in (
        (from_jplag, "JPlag", "it has no list of pairs"),
        (from_dolos, "Dolos", "it has no pairs.csv"),
    ):
        with pytest.raises(InputError) as error:
            read(tmp_path)
        assert str(error.value) == f"{str(tmp_path)!r} is not a result of {program}: {why}"


def test_a_result_of_an_older_jplag_is_called_so(tmp_path: Path) -> None:
    written(tmp_path, {"overview.json": {"jplag_version": {"major": 5}}, "a-b.json": {}})

    with pytest.raises(InputError, match="is not a result of JPlag: its version is below 6"):
        from_jplag(tmp_path)


@pytest.mark.parametrize("text", ["", "\n", PAIRS.replace(",", ";"), PAIRS.partition("\n")[2]])
def test_a_table_of_pairs_without_its_columns_is_no_result_without_pairs(
    tmp_path: Path, text: str
) -> None:
    written(tmp_path, {**DOLOS, "pairs.csv": text})

    with pytest.raises(InputError, match=r"'pairs\.csv' has no column 'leftFileId'$"):
        from_dolos(tmp_path)


@pytest.mark.parametrize("command", ["import-jplag", "import-dolos"])
def test_a_path_that_is_not_there_is_one_line(run: Run, command: str) -> None:
    outcome = run(command, "gone")

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "mosslite: 'gone' cannot be read: it does not exist\n"


def test_an_import_has_a_title_and_is_not_written_over_a_file_of_others(
    run: Run, tmp_path: Path
) -> None:
    written(tmp_path / "r", JPLAG)
    (tmp_path / "own.json").write_text("{}")

    assert run("import-jplag", "r", "-c", "CS 101", "-o", "sheet.json").code == 0
    assert json.loads((tmp_path / "sheet.json").read_text())["options"]["comment"] == "CS 101"
    assert run("import-jplag", "r", "-o", "own.json").code == 2
    assert (tmp_path / "own.json").read_text() == "{}"


_KEYS = (
    *("firstSubmission", "secondSubmission", "similarities", "AVG", "matches", "line"),
    *("fileIndexes", "submissionIds", "version", "failedSubmissions", "metrics"),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from([*JPLAG][:-2]), _JSON, min_size=1))
def test_no_json_is_a_traceback(content: dict[str, Any]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, value in {**JPLAG, **content}.items():
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.jplag"
        path.write_bytes(buffer.getvalue())
        with suppress(InputError):
            assert from_jplag(path)["format"] == 1
