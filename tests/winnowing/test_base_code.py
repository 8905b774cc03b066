"""Whole runs with base code: what is said of what was left out."""

import json
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import mosslite
from mosslite.records import Report
from mosslite.report import to_json

STDLIB = Path(sysconfig.get_path("stdlib"))


def module(name: str) -> str:
    return (STDLIB / f"{name}.py").read_text(encoding="utf-8")


def run(folder: Path, base: dict[str, str], submissions: dict[str, str]) -> Report:
    for kind, files in (("base", base), ("work", submissions)):
        (folder / kind).mkdir()
        for name, text in files.items():
            path = folder / kind / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    paths = [str(folder / "base" / name) for name in base]
    return mosslite.check(folder / "work", base=paths)


def submissions_of(report: Report) -> dict[str, dict[str, Any]]:
    content = json.loads(to_json(report, created="", version=""))
    return {each["name"]: each for each in content["submissions"]}


def left_out(submission: dict[str, Any]) -> dict[str, int]:
    """Return the tokens left out by the name of the base file."""
    boilerplate = submission.get("boilerplate", {"tokens": 0, "origins": []})
    found = {Path(each["from"]).name: each["tokens"] for each in boilerplate["origins"]}
    assert max(found.values(), default=0) <= boilerplate["tokens"] <= sum(found.values())
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    heapq, bisect, shlex = (module(name) for name in ("heapq", "bisect", "shlex"))
    return run(
        tmp_path_factory.mktemp("run"),
        {"given.py": bisect, "other.py": module("sched")},
        {
            "ann.py": f"{bisect}\n{heapq}",
            "ben.py": heapq,
            "cleo/own.py": shlex,
            "cleo/given.py": bisect,
        },
    )


def test_results_say_how_much_was_left_out_and_from_which_base_file(report: Report) -> None:
    [ann, ben, cleo] = submissions_of(report).values()

    tokens = len(next(w for w in report.submissions if w.name == "cleo").documents[0].stream)
    assert left_out(cleo)["given.py"] >= tokens
    assert left_out(ann)["given.py"] >= tokens
    assert ann["tokens"] == ben["tokens"]


def test_identical_work_behind_base_code_is_all_matched(report: Report) -> None:
    [pair] = [each for each in report.pairs if each.score > 0.5]

    assert (pair.left.name, pair.right.name) == ("ann.py", "ben.py")
    assert (pair.left_similarity, pair.right_similarity) == (1.0, 1.0)


def test_base_code_that_was_handed_out_is_no_matter_for_a_warning(report: Report) -> None:
    assert not any("is left out" in warning for warning in report.warnings)


def test_base_code_that_takes_out_most_of_most_submissions_is_named(tmp_path: Path) -> None:
    solution, own = module("heapq"), module("bisect")
    report = run(
        tmp_path,
        {"solution.py": solution, "given.py": module("sched")},
        {"ann.py": f"{own}\n{solution}", "ben.py": solution, "cleo.py": module("shlex")},
    )

    [warning] = [each for each in report.warnings if "is excluded;" in each]
    assert warning.startswith("most of 2 of 3 submissions is excluded; check that you ")
    assert "solution.py" in warning
    assert "given.py" not in warning


def with_lines_between(given: str) -> tuple[str, int]:
    """Put a line of 11 tokens behind each call and list in the second half; return their number."""
    lines, count = list[str](), 0
    given_lines = given.splitlines()
    for number, line in enumerate(given_lines):
        lines.append(line)
        if number > len(given_lines) // 2 and line.startswith("    ") and line[-1] in ")]":
            count += 1
            indent = " " * (len(line) - len(line.lstrip()))
            lines.append(f"{indent}own{count}.append({count} + len(own{count}))")
    return "\n".join(lines), count


def test_pieces_of_base_code_between_lines_of_the_student_are_left_out(tmp_path: Path) -> None:
    text, count = with_lines_between(module("fnmatch"))
    report = run(
        tmp_path, {"given.py": module("fnmatch")}, {"ann.py": text, "ben.py": module("shlex")}
    )

    ann = submissions_of(report)["ann.py"]
    assert count > 20
    assert 0.97 < ann["tokens"] / (11 * count) < 1.03
