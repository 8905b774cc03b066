"""The benchmark of rankings reads labelled sets and measures what it says."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.rankings import average_precision, recall_at, tasks_of
from tests.builders import LAW
from tests.conftest import LABELLED_COPIES

ROOT = Path(__file__).parents[2]


def test_a_set_is_read_with_its_pairs_in_ascending_order(labelled_set: Path) -> None:
    (task,) = tasks_of(labelled_set)

    labelled = {
        tuple(Path(task.submissions[side].name).stem for side in pair)
        for pair, is_copy in zip(task.pairs.tolist(), task.labels.tolist(), strict=True)
        if is_copy
    }

    assert labelled == LABELLED_COPIES
    assert len(task.pairs) == 15
    assert task.pairs.tolist() == sorted(task.pairs.tolist())
    assert set(task.kinds) == {"x"}


@pytest.mark.slow
def test_a_set_is_shown_again_without_honest_pairs_that_are_the_same(labelled_set: Path) -> None:
    files = labelled_set / "files"
    shutil.copy(files / "goran.java", files / "twin.java")
    with (labelled_set / "pairs.csv").open("a", encoding="utf-8") as pairs:
        pairs.write("lot,goran.java,twin.java,0,x\n")

    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.rankings", f"one={labelled_set}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    shown, again = done.stdout.splitlines()[1:3]
    assert shown.split() == ["class", "0.583", "0.583", "x", "0.00"]
    assert again.split() == ["-", "1", "same", "1.000", "1.000", "x", "1.00"]


def test_recall_counts_the_copies_above_all_but_a_hundredth_of_the_honest_pairs() -> None:
    honest = np.arange(200) / 200
    scores = np.concatenate([honest, [0.98, 0.986, 1.0, 1.0]])
    labels = np.arange(204) >= 200
    is_asked = np.arange(204) < 203

    assert recall_at(scores, labels, is_asked) == pytest.approx(2 / 3)


@LAW
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), min_size=1))
def test_average_precision_is_the_mean_precision_down_to_each_copy(
    ranking: list[tuple[float, bool]],
) -> None:
    if not any(is_copy for _, is_copy in ranking):
        return
    scores, labels = (np.array(column) for column in zip(*ranking, strict=True))

    order = sorted(ranking, key=lambda row: (-row[0], row[1]))
    precisions = [
        sum(label for _, label in order[:rank]) / rank
        for rank, (_, is_copy) in enumerate(order, 1)
        if is_copy
    ]

    assert average_precision(scores, labels) == pytest.approx(sum(precisions) / len(precisions))
