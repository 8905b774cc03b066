"""What dies in a job of Spark; every test has a session of its own, as a process has one only."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

from mosslite.options import Options
from mosslite.spark.engine import engine_on
from mosslite.spark.stages import Row, Stages
from tests.spark_runs import FAST, JAVA, json_by, needs_spark, started


def dying_once(rows: list[Row], *, marker: str, victim: str) -> Iterable[Row]:
    """Kill a process when this is called for the first time by any process."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return rows
    process = os.getpid() if victim == "worker" else executor_of(os.getpid())
    os.kill(process, signal.SIGKILL)  # type: ignore[attr-defined,unused-ignore]
    return rows


def executor_of(process: int) -> int:
    """Return the process of Java that a worker descends from."""
    while b"java" not in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]:
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return process


def with_death(stages: type[Stages], marker: Path, victim: str, name: str) -> object:
    """Return a method that does a stage by tasks of which the first that begins dies."""
    usual = stages.map_groups

    def map_groups(self: Stages, stage: str, frame: object, function: object) -> object:
        if stage == name:
            function = partial(first_dies, function=function, marker=str(marker), victim=victim)
        return usual(self, stage, frame, function)  # type: ignore[arg-type]

    return map_groups


def first_dies(rows: list[Row], *, function: object, marker: str, victim: str) -> Iterable[Row]:
    return function(dying_once(rows, marker=marker, victim=victim))  # type: ignore[operator, no-any-return]


TESTS_FOUND = f"spark.executorEnv.PYTHONPATH={Path(__file__).parents[2]}"


@needs_spark
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds an executor in /proc")
@pytest.mark.parametrize(
    ("victim", "stage"), [("worker", "tokenized"), ("worker", "scores"), ("executor", "weights")]
)
def test_a_process_that_dies_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, victim: str, stage: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    marker = tmp_path / "marker"
    monkeypatch.setattr(Stages, "map_groups", with_death(Stages, marker, victim, stage))

    with (
        started(TESTS_FOUND, master="local-cluster[2,1,1024]") as cluster,
        engine_on(cluster, str(tmp_path / "work"), "0") as engine,
    ):
        found = json_by(JAVA, Options(), engine)

    assert marker.exists()
    assert found == json_by(JAVA, Options())


@needs_spark
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_driver_that_is_killed_between_stages_goes_on_when_it_is_started_again(
    tmp_path: Path,
) -> None:
    work, result = tmp_path / "work", tmp_path / "result.json"
    command = [
        *("env", "--default-signal=INT"),  # in a background a process is born deaf to it
        *(sys.executable, "-m", "mosslite", "check", *JAVA.current, "--no-html", "-q"),
        *("--engine", "spark", "--master", "local[2]", "--stages", str(work)),
        *(word for each in FAST for word in ("--spark-conf", each)),
        *("--json", str(result)),
    ]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "0"}
    running = subprocess.Popen(command, env=environment)
    while not (work / "tokenized" / "_manifest.json").exists():
        assert running.poll() is None
    running.kill()
    running.wait()
    assert not result.exists()
    before = (work / "tokenized" / "_manifest.json").stat().st_mtime_ns

    subprocess.run(command, env=environment, check=True)

    assert (work / "tokenized" / "_manifest.json").stat().st_mtime_ns == before
    plain = tmp_path / "plain.json"
    arguments = [*command[:7], "--no-html", "-q", "--json", str(plain)]
    subprocess.run(arguments, env=environment, check=True)
    assert result.read_bytes() == plain.read_bytes()


@needs_spark
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_an_interrupt_ends_the_job_and_its_processes(tmp_path: Path) -> None:
    work = tmp_path / "work"
    command = [
        *("env", "--default-signal=INT"),  # in a background a process is born deaf to it
        *(sys.executable, "-m", "mosslite", "check", *JAVA.current, "--no-html", "-q"),
        *("--engine", "spark", "--master", "local[2]", "--stages", str(work)),
    ]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (work / "documents" / "_manifest.json").exists():
        assert running.poll() is None
    own = {each for each in processes() if session_of(each) == running.pid} - {running.pid}
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)

    assert running.returncode == 130
    assert told.strip() == "mosslite: interrupted, nothing more is written"
    assert own
    deadline = 100
    while deadline and own & set(processes()):
        signal.sigtimedwait([], 0.2)  # type: ignore[attr-defined,unused-ignore]
        deadline -= 1
    assert own.isdisjoint(processes())


def processes() -> list[int]:
    return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]


def session_of(process: int) -> int:
    try:
        return os.getsid(process)  # type: ignore[attr-defined,no-any-return,unused-ignore]
    except ProcessLookupError:
        return 0
