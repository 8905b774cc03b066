"""The benchmarks of whole runs: they measure what they say, and end."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.bench import growth, runs
from tests.bench.batches import programs_in, write_batch
from tests.bench.spent import spent

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "java" / "submissions"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the accounting is of Unix")


def contents(folder: Path) -> Mapping[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_a_larger_batch_holds_the_smaller_one_and_no_text_twice(tmp_path: Path) -> None:
    programs = programs_in(SAMPLES, 20_000)

    for count in (3, len(programs) + 5):
        write_batch(programs, count, tmp_path / str(count))

    smaller, larger = sorted(map(contents, tmp_path.iterdir()), key=len)
    assert len(smaller) == 3
    assert len(larger) == len({*larger.values()}) == len(programs) + 5
    assert smaller.items() <= larger.items()


def test_what_a_command_takes_is_reported_and_its_failure_raised() -> None:
    hungry = "held = b'x' * 300_000_000; sum(range(3_000_000))"
    idle = spent([sys.executable, "-c", "pass"])
    busy = spent([sys.executable, "-c", hungry])
    assert busy.cpu > idle.cpu > 0
    assert busy.seconds > 0
    assert busy.megabytes > 280
    with pytest.raises(RuntimeError, match="exited with 3"):
        spent([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.slow
def test_growth_is_reported_for_each_count(capsys: pytest.CaptureFixture[str]) -> None:
    growth.main([str(SAMPLES), "--counts", "5", "40"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["5", "40"]
    assert re.search(r"to the power of -?\d+\.\d\d$", lines[-1])


@pytest.mark.slow
def test_every_comparison_of_whole_runs_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOSSLITE_CACHE_DIR", "put back afterwards")
    runs.main([str(SAMPLES), "--rounds", "1"])
    titles = [re.split(r"  +", line)[0] for line in capsys.readouterr().out.splitlines()]
    assert titles == [
        "a cold run, to bare lexing",
        "one file changed, to a cold run",
        "--version, to python -c pass",
        "--help, to python -c pass",
    ]
