"""The benchmark of references finds rewrites by other rewrites where they are of one program."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from tests.bench import references
from tests.bench.rankings import Task, tasks_of
from tests.bench.references import WAYS, shares_found
from tests.programs import program, write_files

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

HONEST = [f"h{n:02}.py" for n in range(12)]
LINES_IN_COMMON = 6


def folder_of(tmp_path: Path, rewrites: dict[str, tuple[int, str]]) -> Path:
    """Write a set in which each rewrite has half of an honest program, of the number given.

    Two honest programs at a time have a few lines in common, which is more than by chance.
    """
    texts = {
        name: f"{program(n)}\n\n{program(200 + n)}\n\n{beginning_of(program(300 + n // 2))}"
        for n, name in enumerate(HONEST)
    }
    texts |= {
        name: f"{program(number)}\n\n{program(100 + at)}"
        for at, (name, (number, _)) in enumerate(rewrites.items())
    }
    write_files(tmp_path / "set" / "files", texts)
    rows = [("lot", HONEST[n], name, 1, kind) for name, (n, kind) in rewrites.items()]
    rows += [
        ("lot", left, right, 0, "") for at, left in enumerate(HONEST) for right in HONEST[at + 1 :]
    ]
    with (tmp_path / "set" / "pairs.csv").open("w", newline="", encoding="utf-8") as lines:
        csv.writer(lines).writerows([("task", "a", "b", "label", "kind"), *rows])
    return tmp_path / "set"


def beginning_of(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:LINES_IN_COMMON])


def task_of(tmp_path: Path, rewrites: dict[str, tuple[int, str]]) -> Task:
    (only,) = tasks_of(folder_of(tmp_path, rewrites))
    return only


def test_rewrites_of_one_program_are_found_by_each_other(tmp_path: Path) -> None:
    task = task_of(tmp_path, {f"r{n}.py": (0, "model") for n in range(4)})

    assert shares_found(task, 2, 2) == {
        "classmates": 1,
        "strangers": 0,
        "references": 1,
        "both": 1,
    }


def test_rewrites_of_different_programs_are_found_by_their_originals_alone(tmp_path: Path) -> None:
    task = task_of(tmp_path, {f"r{n}.py": (n, "model") for n in range(4)})

    shares = shares_found(task, 2, 2)

    assert (shares["classmates"], shares["references"]) == (1, 0)


def test_rewrites_of_another_kind_have_no_part(tmp_path: Path) -> None:
    rewrites = {"r0.py": (0, "model"), "r1.py": (0, "model"), "r2.py": (1, "tool")}
    task = task_of(tmp_path, rewrites)

    assert shares_found(task, 1, 1, "model")["references"] == 1
    assert shares_found(task, 1, 2)["references"] < 1


def test_a_line_is_printed_for_each_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, {f"r{n}.py": (0, "model") for n in range(4)})

    references.main([str(folder), "--references", "2"])

    head, line, mean = capsys.readouterr().out.splitlines()
    assert head.split() == ["task", *WAYS]
    assert line.split() == ["set", "1", "1.00", "0.00", "1.00", "1.00"]
    assert mean.split() == ["mean", "1.00", "0.00", "1.00", "1.00"]
