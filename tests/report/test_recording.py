import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mosslite
from mosslite import Report
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS, Intake, Limits, Options
from mosslite.records.results import Lines, RareEvidence
from mosslite.report.formats.csv_files import to_csv
from mosslite.report.recording import to_json
from mosslite.report.results import read_results
from tests.programs import JAVA, PRIMES, QUEUE, QUEUE_RENAMED, TEMPLATE, WORDS, write_files
from tests.reports import scored_report, told_report

pytestmark = pytest.mark.usefixtures("in_empty_folder")


CREATED = "2026-11-21T09:00:00+00:00"


def report_on(files: dict[str, str], options: Options | None = None) -> Report:
    write_files(Path(), files)
    return mosslite.check(sorted(files), options=options)


def as_json(report: Report) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(to_json(report, created=CREATED, version="0.1.0"))
    return content


def as_rows(report: Report) -> list[list[str]]:
    return list(csv.reader(io.StringIO(to_csv(report), newline=""), strict=True))


@pytest.fixture
def report() -> Report:
    """Two copies in folders of their own, an older copy, and one file that is not text."""
    write_files(
        Path(),
        {
            "hw/ann/queue.py": QUEUE,
            "hw/ann/helper.py": PRIMES,
            "hw/bob/line.py": QUEUE_RENAMED,
            "hw/cy/Tree.java": JAVA,
            "2025/dan.py": QUEUE,
            "stub.py": TEMPLATE,
        },
    )
    Path("hw/cy/Tree").write_bytes(b"\xca\xfe\0\0")
    return mosslite.check(["hw"], prior=["2025"], base=["stub.py"])


def test_json_has_the_keys_and_types_of_format_1(report: Report) -> None:
    content = as_json(report)
    assert list(content) == [
        "format", "mosslite", "created", "options", "inputs", "submissions", "threshold",
        "no_threshold", "unlisted", "pairs", "skipped", "ignored", "warnings", "messages",
    ]  # fmt: skip
    assert (content["format"], content["mosslite"]) == (1, "0.1.0")
    assert content["created"] == CREATED
    assert content["options"]["show"] is None  # no number was given
    assert sorted(content["inputs"]) == ["base", "current", "prior"]
    assert content["unlisted"] == 0
    assert content["threshold"] is None  # so few submissions suggest none
    assert content["no_threshold"] == "too few pairs"
    assert content["options"]["base"] == ["stub.py"]
    pair = content["pairs"][0]
    kinds = {key: type(value) for key, value in pair.items()}
    assert kinds == {
        "left": str, "right": str, "score": float, "placed_by": str, "similarity": float,
        "left_similarity": float, "right_similarity": float, "matched_tokens": int,
        "matched_lines": int, "longest_match": int, "matches": list, "by_chance": dict,
        "rare_evidence": list,
    }  # fmt: skip
    said = {"reason": "is binary", "message": {"id": "is binary", "params": {}}}
    assert content["skipped"] == [{"path": "hw/cy/Tree", **said}]
    assert content["warnings"] == [
        "base code not found in any submission, so nothing is excluded: stub.py (read as Python)",
        "no other submission is in its language, so copies can be missed: cy (read as Java)",
    ]
    name = {"id": "%(name)s (read as %(languages)s)", "params": {"name": "stub.py"}}
    name["params"]["languages"] = "Python"  # type: ignore[index]
    assert content["messages"][0] == {
        "id": "base code not found in any submission, so nothing is excluded: %(names)s",
        "params": {"names": [name]},
    }


def test_json_tells_of_every_submission_its_role_files_tokens_and_languages(
    report: Report,
) -> None:
    submissions = as_json(report)["submissions"]
    tokens = {each["name"]: each.pop("tokens") for each in submissions}
    codes = {each["name"]: (each.pop("code"), each.pop("sketch")) for each in submissions}
    assert len({each.pop("text") for each in submissions}) == 4
    assert submissions == [
        {"name": "ann", "role": "current", "files": ["helper.py", "queue.py"]}
        | {"languages": ["python"]},
        {"name": "bob", "role": "current", "files": ["line.py"], "languages": ["python"]},
        {"name": "cy", "role": "current", "files": ["Tree.java"], "languages": ["java"]},
        {"name": "dan.py", "role": "prior", "files": ["dan.py"], "languages": ["python"]},
    ]
    assert codes["bob"] != codes["dan.py"]  # names differ
    assert codes["bob"][1] == codes["dan.py"][1]  # and the structure does not
    assert tokens["bob"] == tokens["dan.py"] > 0
    assert tokens["ann"] > tokens["bob"]


def test_json_gives_matches_by_file_and_line(
    report: Report,
) -> None:
    copy = as_json(report)["pairs"][0]
    assert (copy["left"], copy["right"], copy["similarity"]) == ("bob", "dan.py", 1.0)
    assert 0.75 < copy["score"] < 1
    [match] = copy["matches"]
    surprise = [match.pop(key) for key in ("bits", "block_bits", "expected", "block_expected")]
    assert surprise[0] == surprise[1] > 100
    assert surprise[2] == surprise[3] < 0.001
    assert copy["matches"] == [
        {
            "left": {"file": "line.py", "first_line": 2, "last_line": 14},
            "right": {"file": "dan.py", "first_line": 1, "last_line": 16},
            "tokens": copy["longest_match"],
            "block": 1,
        }
    ]
    assert copy["matched_tokens"] == copy["longest_match"]


def test_json_names_the_options_and_the_thresholds_in_force_for_code_and_for_prose() -> None:
    given = Options(noise=9, comment="Übung 3", language="py")
    options = as_json(report_on({"a.py": QUEUE, "b.py": PRIMES}, given))["options"]
    code, prose = (given.thresholds(each) for each in (CODE_DEFAULTS, PROSE_DEFAULTS))
    assert options["noise"] == {"code": 9, "prose": 9}
    assert options["guarantee"] == {"code": code.guarantee, "prose": prose.guarantee}
    assert (options["comment"], options["language"]) == ("Übung 3", "py")


def test_json_names_what_shapes_the_reading() -> None:
    intake = Intake(
        layout="moodle",
        name_pattern="(?P<name>[^_]+)_",
        all_attempts=True,
        patterns=("*.txt", "!notes.txt"),
        encoding="cp1252",
        reads_markdown=True,
        limits=Limits(file=99),
    )
    report = replace(scored_report([], 1), options=Options(seconds=2.5, intake=intake))
    options = as_json(report)["options"]
    assert {key: options[key] for key in list(options)[list(options).index("time_limit") :]} == {
        "time_limit": 2.5,
        "layout": "moodle",
        "name_pattern": "(?P<name>[^_]+)_",
        "patterns": ["*.txt", "!notes.txt"],
        "attempts": "all",
        "reads_ignored": False,
        "encoding": "cp1252",
        "markdown": True,
        "limits": {
            "file": 99, "unpacked": 1 << 30, "members": 100_000, "ratio": 100, "depth": 3,
        },
        "base": [],
    }  # fmt: skip


def test_json_has_no_key_for_patterns_that_were_not_given() -> None:
    options = as_json(scored_report([], 1))["options"]
    assert not {"name_pattern", "patterns"} & set(options)
    assert (options["layout"], options["attempts"]) == ("auto", "latest")


def test_json_tells_of_a_submission_what_the_platform_told_and_no_more() -> None:
    team, late = as_json(told_report("ann"))["submissions"]
    assert team["members"] == ["Ada ann one", "Ben ann one"]
    assert team["submitted"] == "2026-11-21T09:30:00Z ann one"
    assert team["label"] == "Lab ann one"
    assert "late" not in team
    assert (late["submitted"], late["late"]) == ("2026-11-22T09:30:00+01:00", True)
    assert not {"members", "label", "owner"} & set(late)


def test_json_names_the_characters_in_disguise_by_file() -> None:
    plain, disguised = as_json(told_report("ann"))["submissions"]
    assert "disguises" not in plain
    file = "ann two.html [javascript]"
    assert disguised["disguises"] == [
        {"file": file, "kind": "zero-width", "characters": ["U+200B", "U+200D"]}
        | {"lines": [1, 3], "count": 5},
        {"file": file, "kind": "homoglyph", "characters": ["U+0430"], "lines": [2], "count": 1},
    ]


def test_json_says_in_which_cell_of_a_notebook_a_match_is() -> None:
    ((match,),) = (pair["matches"] for pair in as_json(told_report("ann"))["pairs"])
    assert match["left"] == {
        "file": "ann one.ipynb", "first_line": 1, "last_line": 2,
        "first_place": "cell 1, line 1", "last_place": "cell 1, line 2",
    }  # fmt: skip
    assert set(match["right"]) == {"file", "first_line", "last_line"}


def test_json_lists_what_a_rule_left_out() -> None:
    ignored = as_json(told_report("ann"))["ignored"]
    assert ignored[0] == {"path": "hw/ann one.zip/.git/", "reason": "is hidden"}


def test_csv_has_a_line_for_each_pair_and_for_each_thing_skipped(report: Report) -> None:
    header, *rows = as_rows(report)
    assert header == [
        "left", "right", "score", "similarity", "left_similarity", "right_similarity",
        "matched_tokens", "matched_lines", "longest_match", "skipped",
    ]  # fmt: skip
    *pairs, skipped = rows
    assert [row[:2] for row in pairs] == [
        [pair.left.name, pair.right.name] for pair in report.pairs
    ]
    assert 0.75 < float(pairs[0][2]) < 1
    assert [float(value) for value in pairs[0][3:6]] == [1.0, 1.0, 1.0]
    assert [int(value) for value in pairs[0][6:9]] == [
        report.pairs[0].matched_tokens,
        report.pairs[0].matched_lines,
        report.pairs[0].longest_match,
    ]
    assert pairs[0][9] == ""
    assert skipped == ["hw/cy/Tree", "", *["0"] * 7, "is binary"]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=HYPERLINK(A1).py", "'=HYPERLINK(A1).py"),
        ("+1.py", "'+1.py"),
        ("-1.py", "'-1.py"),
        ("@SUM.py", "'@SUM.py"),
        ("  =1+1.py", "'  =1+1.py"),
        ("\N{FULLWIDTH EQUALS SIGN}1+1.py", "'\N{FULLWIDTH EQUALS SIGN}1+1.py"),
        ("a;=1+1;b; @c.py", "a;'=1+1;b;' @c.py"),
        ('a;"=1+1.py', "a;'\"=1+1.py"),
        ("\t=1+1.py", r"\x09=1+1.py"),
        ("a,b.py", "a,b.py"),
        ('"quoted".py', '"quoted".py'),
        ("two\nlines\r.py", r"two\x0alines\x0d.py"),
        ("\x1b[2J\x7f\x9b.py", r"\x1b[2J\x7f\x9b.py"),
        ("\u202egnp\u200b\u200b.py", r"\u202egnp\u200b\u200b.py"),
        ("soft\xadhyphen\U000e0041.py", r"soft\xadhyphen\U000e0041.py"),
        ("日本語 🦊.py", "日本語 🦊.py"),
    ],
)
def test_csv_shows_a_name_so_that_no_program_takes_it_for_more(name: str, cell: str) -> None:
    report = report_on({name: QUEUE, "zz.py": QUEUE})
    header, row = as_rows(report)
    assert len(row) == len(header)
    assert cell in row[:2]
    assert len(to_csv(report).splitlines()) == 2


@pytest.mark.parametrize(
    "name",
    [
        "a\nb.py",
        "\x1b[2J.py",
        '"a\\b".py',
        "=1+1.py",
        "-a.py",
        "\u202egnp.py",
        "日本 🦊.py",
        "<b>&amp;.py",
    ],
)
def test_json_gives_every_name_exactly(name: str) -> None:
    content = as_json(report_on({name: QUEUE, "zz.py": QUEUE}))
    assert sorted(each["name"] for each in content["submissions"]) == sorted([name, "zz.py"])
    assert sorted((content["pairs"][0]["left"], content["pairs"][0]["right"])) == sorted(
        [name, "zz.py"]
    )


def test_results_without_pairs_are_valid() -> None:
    report = report_on({"a.py": QUEUE, "b.py": WORDS})
    assert as_json(report)["pairs"] == []
    assert len(as_rows(report)) == 1


def test_json_of_a_text_with_half_a_character_is_written_and_read(
    report: Report, tmp_path: Path
) -> None:
    evidence = RareEvidence("word", "a\ud800b", Lines(0, (1,)), Lines(0, (1,)), 2)
    pair = replace(report.pairs[0], rare_evidence=(evidence,))
    text = to_json(replace(report, pairs=(pair,)), created=CREATED, version="0.1.0")
    (tmp_path / "r.json").write_text(text, encoding="utf-8")

    results, _ = read_results(tmp_path / "r.json")

    assert results.pairs[0].rare_evidence[0].text == "a?b"
