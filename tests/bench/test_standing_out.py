"""The benchmark of the threshold counts labelled copies and honest pairs above it."""

import csv
from pathlib import Path

import pytest

from tests.bench.rankings import Task, tasks_of
from tests.bench.standing_out import outcome_of
from tests.programs import program, write_files


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """Return a set of twenty programs: three copies of one, of which labels name two pairs."""
    files = {f"{n:02}.py": program(n) for n in range(17)}
    files |= {f"copy{n}.py": f"{program(30)}\n\n{program(40 + n, functions=1)}" for n in range(3)}
    write_files(tmp_path / "set" / "files", files)
    rows = [("lot", "copy0.py", "copy1.py", 1, "x"), ("lot", "copy1.py", "copy2.py", 1, "x")]
    rows += [("lot", "00.py", name, 0, "x") for name in files if name != "00.py"]
    with (tmp_path / "set" / "pairs.csv").open("w", newline="", encoding="utf-8") as lines:
        csv.writer(lines).writerows([("task", "a", "b", "label", "kind"), *rows])
    (only,) = tasks_of(tmp_path / "set")
    return only


def test_pairs_that_labels_connect_are_copies_and_the_rest_is_honest(task: Task) -> None:
    found = outcome_of(task)

    assert (task.name, len(task.submissions)) == ("lot", 20)
    assert (found.copies, found.all_copies) == (3, 2)
    assert found.threshold is not None
    assert found.pairs - found.copies <= 4
    assert found.submissions >= 3
