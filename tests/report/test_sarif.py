import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

import mosslite
from mosslite.options import Intake, Options
from mosslite.records import Part, Report, Role, Skipped
from mosslite.report.baseline import Gate, with_baseline
from mosslite.report.formats.sarif import MOST_PLACES, MOST_RESULTS, to_sarif
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, write_files
from tests.reports import TEXT, baseline_of, named, pair_of, report_of, scored_report

# The schema of the standard as OASIS publishes it, unchanged.
SCHEMA = json.loads((Path(__file__).parents[1] / "schemas" / "sarif-2.1.0.json").read_bytes())
# Nothing fails, and nothing is known.
OPEN = Gate()


def run_of(report: Report, gate: Gate = OPEN) -> dict[str, Any]:
    """Write a report as SARIF, hold it against the schema, and give its only run."""
    content = json.loads(to_sarif(report, gate, version="0.1.0"))
    jsonschema.Draft7Validator(SCHEMA).validate(content)
    (run,) = content["runs"]
    assert isinstance(run, dict)
    return run


def results_of(report: Report, gate: Gate = OPEN) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = run_of(report, gate)["results"]
    return results


def uris_of(result: dict[str, Any]) -> list[str]:
    places = [*result["locations"], *result["relatedLocations"]]
    return [place["physicalLocation"]["artifactLocation"]["uri"] for place in places]


def a_pair(left: str = "ann", right: str = "bob", score: float = 0.93) -> Report:
    submissions = named(left), named(right)
    return report_of(submissions, [pair_of(*submissions, score, (0, 3), (4, 11), matched_lines=42)])


def test_the_schema_is_the_public_one_and_refuses_what_is_wrong() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate({"version": "2.1.0"})


def test_a_pair_is_one_result_that_says_how_much_of_what_and_that_it_is_not_a_verdict() -> None:
    (result,) = results_of(a_pair())
    assert result["ruleId"] == "similar-code"
    assert result["message"]["text"] == (
        "ann and [bob](1): 60 % similar, 42 lines, score 0.93; "
        "similarity is evidence, not a verdict"
    )


def test_the_place_of_a_result_is_its_longest_match_and_the_others_are_related() -> None:
    (result,) = results_of(a_pair())
    lines = [
        place["physicalLocation"]["region"]
        for place in (*result["locations"], *result["relatedLocations"])
    ]
    assert uris_of(result) == ["ann/file", "bob/file"] * 2
    assert lines == [{"startLine": 2, "endLine": 4}] * 2 + [{"startLine": 1, "endLine": 1}] * 2


def test_the_first_place_is_that_of_a_current_submission() -> None:
    old, new = named("a", role=Role.PRIOR), named("b")
    (result,) = results_of(report_of([old, new], [pair_of(old, new, 0.9, (0, 3))]))
    assert uris_of(result) == ["b/file", "a/file"]
    assert result["message"]["text"].startswith("b and [a](1): ")


def test_a_new_pair_that_fails_comes_before_the_known_ones() -> None:
    report = scored_report([(1, 2, 0.9), (1, 3, 0.8)], 3)
    report = with_baseline(report, baseline_of(report, above=0.85))
    results = results_of(report, Gate(80))
    assert [result["baselineState"] for result in results] == ["new", "unchanged"]


@pytest.mark.parametrize(
    ("score", "level"),
    [(0.8, "error"), (0.7999, "warning"), (0.5, "warning"), (0.4999, "note")],
)
def test_a_pair_that_fails_is_an_error_and_one_that_stands_out_a_warning(
    score: float, level: str
) -> None:
    assert results_of(a_pair(score=score), Gate(80))[0]["level"] == level


# --- paths ---------------------------------------------------------------------------------------


def test_paths_lead_from_the_repository_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"h w/ann/deep/q.py": QUEUE, "h w/bob.py": QUEUE_RENAMED, "c.py": QUEUE}
    write_files(tmp_path, files | {"h w/ann/p.py": PRIMES})

    batch = results_of(mosslite.check(["./h w/"]))
    single = results_of(mosslite.check(["c.py", "h w/bob.py", "h w/ann"]))

    found = {uri for result in batch + single for uri in uris_of(result)}
    assert {unquote(uri) for uri in found} == set(files)
    assert all((tmp_path / unquote(uri)).is_file() for uri in found)


@pytest.mark.parametrize(
    ("layout", "paths"),
    [
        ("github", ("ps1-submissions/ps1-ann/q.py", "ps1-submissions/ps1-bob/q.py")),
        ("nbgrader", ("submitted/ann/ps1/q.py", "submitted/bob/ps1/q.py")),
    ],
)
def test_paths_lead_to_the_file_whatever_a_platform_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str, paths: tuple[str, str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, dict.fromkeys(paths, QUEUE))
    options = Options(intake=Intake(layout=layout))
    (result,) = results_of(mosslite.check(paths[0].partition("/")[0], options=options))
    assert uris_of(result) == list(paths)


def test_the_path_of_a_page_is_that_of_the_script_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = "for (let i = 0; i < n; i++) { total += prices[i] * counts[i]; list.push(total); }\n"
    page = f"<p>Prices</p><script>\n{script * 3}</script>\n"
    write_files(tmp_path, {"hw/ann/a.html": page, "hw/bob/b.html": page})
    (result,) = results_of(mosslite.check("hw"))
    assert set(uris_of(result)) == {"hw/ann/a.html", "hw/bob/b.html"}


def test_paths_of_earlier_work_lead_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"new/ann/q.py": QUEUE, "new/bob/p.py": PRIMES, "old/cy/q.py": QUEUE})
    (result,) = results_of(mosslite.check("new", prior=["old"]))
    assert uris_of(result) == ["new/ann/q.py", "old/cy/q.py"]


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("/srv/ann", "file:///srv/ann/file"),
        ("../ann", "../ann/file"),
        ("a:b", "a%3Ab/file"),
        ("a b%20?#", "a%20b%2520%3F%23/file"),
        ('<"\\', "%3C%22%5C/file"),
        ("Übung", "%C3%9Cbung/file"),
        ("a\nb\x00", "a%0Ab%00/file"),
        ("\ud800", "%ED%A0%80/file"),
    ],
)
def test_a_name_is_percent_encoded_in_a_path(name: str, uri: str) -> None:
    assert uris_of(results_of(a_pair(left=name))[0])[0] == uri


def test_lines_of_a_notebooks_code_are_not_given_as_lines_of_its_file() -> None:
    submission = named("ann")
    (file,) = submission.source.files
    parted = replace(file, name="n.ipynb", parts=(Part(1, 1),))
    left = replace(submission, source=replace(submission.source, files=(parted,)))
    report = report_of([left], [pair_of(left, named("bob"), 0.9, (0, 3))])
    (result,) = results_of(report)
    place = result["locations"][0]
    assert "region" not in place["physicalLocation"]
    assert place["message"]["text"] == "ann, cell 1, line 1"


# --- hostile text --------------------------------------------------------------------------------


def test_no_name_is_a_link_or_a_placeholder() -> None:
    (result,) = results_of(a_pair(left="[x](http://e.vil) {0}", right="zoe\\](http://e.vil)"))
    assert result["message"]["text"].startswith(
        r"\[x\](http://e.vil) {{0}} and [zoe\\\](http://e.vil)](1): "
    )


@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", "\u202egnp", "\ud800", "\x00"])
def test_what_cannot_be_seen_in_a_name_is_spelled_out(name: str) -> None:
    text = to_sarif(a_pair(left=name), OPEN, version="1")
    assert name not in text
    assert r"\\[U+" in text
    text.encode("utf-8")


# --- what a result is known by -------------------------------------------------------------------


def test_a_result_is_known_by_the_same_from_run_to_run_whichever_side_is_left() -> None:
    turned = a_pair("bob", "ann")
    (one,), (other,) = results_of(a_pair()), results_of(turned)
    assert one["partialFingerprints"] == other["partialFingerprints"]


def test_the_code_changes_one_fingerprint_and_the_names_the_others() -> None:
    def prints(left: str, text: str) -> dict[str, str]:
        submissions = named(left, texts=[text]), named("bob")
        (result,) = results_of(report_of(submissions, [pair_of(*submissions, 0.9, (0, 3))]))
        found: dict[str, str] = result["partialFingerprints"]
        return found

    before, edited, other = prints("ann", TEXT), prints("ann", TEXT + "x"), prints("eve", TEXT)
    assert {key for key in before if before[key] != edited[key]} == {"pairCode/v1"}
    assert {key for key in before if before[key] != other[key]} == {
        "primaryLocationLineHash",
        "pairNames/v1",
    }


def test_no_two_pairs_of_a_report_have_the_same_fingerprint() -> None:
    report = scored_report([(1, 2, 0.9), (1, 3, 0.8), (2, 3, 0.7)], 3)
    prints = [r["partialFingerprints"]["primaryLocationLineHash"] for r in results_of(report)]
    assert len(set(prints)) == 3


def test_a_baseline_tells_new_pairs_from_known_ones() -> None:
    report = scored_report([(1, 2, 0.9), (1, 3, 0.8)], 3)
    known = with_baseline(report, baseline_of(report, above=0.85))
    found = [each["baselineState"] for each in results_of(known)]
    assert found == ["unchanged", "new"]
    assert all("baselineState" not in each for each in results_of(report))


# --- limits and remarks --------------------------------------------------------------------------


@pytest.mark.slow
def test_no_more_results_are_written_than_a_code_host_shows_and_the_rest_is_counted() -> None:
    report = a_pair()
    many = replace(report, pairs=report.pairs * (MOST_RESULTS + 2))
    run = json.loads(to_sarif(many, OPEN, version="1"))["runs"][0]
    assert len(run["results"]) == MOST_RESULTS
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "2 pairs with lower scores left out"


def test_no_more_places_are_written_than_a_code_host_shows() -> None:
    submissions = named("ann"), named("bob")
    report = report_of(submissions, [pair_of(*submissions, 0.9, *[(0, 3)] * 80)])
    assert len(results_of(report)[0]["relatedLocations"]) == MOST_PLACES


def test_what_was_skipped_and_every_warning_is_reported() -> None:
    report = replace(a_pair(), skipped=(Skipped("x.class", "is binary"),), warnings=("few",))
    notes = run_of(report)["invocations"][0]["toolExecutionNotifications"]
    assert [note["message"]["text"] for note in notes] == ["skipped: x.class: is binary", "few"]
