from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mosslite.errors import InputError, OptionError
from mosslite.options import Options
from mosslite.records import Inputs, no_progress
from mosslite.spark import Cluster, SparkError
from mosslite.spark.engine import engine_on
from mosslite.spark.rows import (
    Row,
    packed,
    packed_submission,
    parted,
    unpacked,
    unpacked_submission,
)
from mosslite.spark.session import require_spark, session
from mosslite.spark.stages import Stages
from mosslite.submissions import collect
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.spark_runs import (
    FAST,
    SAMPLES,
    everything,
    json_by,
    needs_spark,
    options_for_everything,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession

JAVA = Inputs((str(SAMPLES / "java" / "submissions"),))


def started(*settings: str, master: str = "local[2]") -> AbstractContextManager[SparkSession]:
    return session(Cluster(master, (*FAST, *settings)))


# --- rows, which need no Spark -------------------------------------------------------------------


def test_columns_are_read_as_they_were_written() -> None:
    columns = {"a": np.arange(3, dtype=np.uint64), "none": np.empty(0, np.bool_)}

    found = unpacked(packed(**columns))

    assert list(found) == ["a", "none"]
    assert all(np.array_equal(found[name], each) for name, each in columns.items())
    assert all(found[name].dtype == each.dtype for name, each in columns.items())


def test_a_submission_is_read_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_bytes(b"# \xef\xbb\xbf caf\xc3\xa9\nprint('x' * 3)\n" * 20)
    inputs = Inputs((str(tmp_path),), (str(SAMPLES / "python" / "template"),))
    batch = collect(inputs)
    (one,), _ = tokenized_submissions(batch, Options(uses_workers=False), no_progress)

    number, found = unpacked_submission(packed_submission(one, 7))

    assert (number, found.source) == (7, one.source)
    for ours, theirs in zip(one.documents, found.documents, strict=True):
        assert np.array_equal(ours.stream.codes, theirs.stream.codes)
        assert np.array_equal(ours.is_boilerplate, theirs.is_boilerplate)
        assert np.array_equal(ours.traces.codes, theirs.traces.codes)
        assert (ours.left_out, ours.thresholds) == (theirs.left_out, theirs.thresholds)
    assert np.array_equal(one.comparable.lexemes, found.comparable.lexemes)


def test_columns_are_parted_by_key_in_their_order() -> None:
    rows = list(parted({"a": np.arange(5)}, np.array([3, 1, 3, 1, 1]), "kind"))

    assert [(row.key, unpacked(row.payload)["a"].tolist()) for row in rows] == [
        (1, [1, 3, 4]),
        (3, [0, 2]),
    ]


def test_a_setting_of_spark_has_a_value() -> None:
    with pytest.raises(OptionError, match="give a setting of Spark"):
        Cluster(settings=("spark.executor.memory",))


# --- what is missing -----------------------------------------------------------------------------


def test_without_java_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    monkeypatch.setenv("JAVA_HOME", "/nowhere")

    with pytest.raises(SparkError, match="needs Java, which is not found: install Java 17 or 21"):
        require_spark()


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands for Java")
def test_a_java_of_another_version_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("pyspark")
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_292\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    with pytest.raises(SparkError, match="does not run on Java 8: install Java 17 or 21"):
        require_spark()


def test_without_pyspark_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(SparkError, match=r"install mosslite\[spark\]"):
        require_spark()


# --- jobs ----------------------------------------------------------------------------------------


@needs_spark
def test_both_engines_give_the_same_bytes_and_a_stopped_job_goes_on(
    tmp_path: Path,
) -> None:
    # All in one, as a session takes seconds to start.
    inputs, options = everything(tmp_path), options_for_everything()
    expected, work = json_by(inputs, options), tmp_path / "work"
    with started() as spark:
        with engine_on(spark, str(work), "0") as engine:
            assert json_by(inputs, options, engine) == expected
        removed = ["ties", "scores"]
        for name in removed:
            (work / name / "_manifest.json").unlink()
        written = {each.parent.name: each.stat().st_mtime_ns for each in manifests(work)}
        with engine_on(spark, str(work), "0") as engine:
            assert json_by(inputs, options, engine) == expected
        again = {each.parent.name: each.stat().st_mtime_ns for each in manifests(work)}
        assert {name for name in again if again[name] != written.get(name)} == set(removed)
        with (
            engine_on(spark, str(work), "0") as engine,
            pytest.raises(InputError, match=r"is of another job \(other options\): remove"),
        ):
            json_by(inputs, options_for_everything(max_sharing=5), engine)


def manifests(work: Path) -> list[Path]:
    return sorted(work.glob("*/_manifest.json"))


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with started() as session_of_all:
        yield session_of_all


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{"max_sharing": 3}, {"show": 0}, {"noise": 5, "guarantee": 9}, {"language": "java"}],
    ids=str,
)
def test_every_option_gives_the_same_bytes(
    spark: SparkSession, tmp_path: Path, options: dict[str, Any]
) -> None:
    inputs = replace(everything(tmp_path), archives=())  # one is of one language, k and t
    how = replace(options_for_everything(), **options)
    with engine_on(spark, None, "0") as engine:
        assert json_by(inputs, how, engine) == json_by(inputs, how)


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("partitions", [1, 7, 64])
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_neither_partitions_nor_adaptive_execution_show(
    spark: SparkSession, partitions: int, adaptive: str
) -> None:
    settings = {
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.adaptive.enabled": adaptive,
    }
    before = {name: spark.conf.get(name) or "" for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        with engine_on(spark, None, "0") as engine:
            assert json_by(JAVA, Options(), engine) == json_by(JAVA, Options())
    finally:
        for name in settings:
            spark.conf.set(name, before[name])


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_size_of_batches_does_not_show(spark: SparkSession, size: int) -> None:
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(name) or ""
    try:
        spark.conf.set(name, str(size))
        with engine_on(spark, None, "0") as engine:
            assert json_by(JAVA, Options(), engine) == json_by(JAVA, Options())
    finally:
        spark.conf.set(name, before)


@needs_spark
@pytest.mark.slow
def test_the_order_of_paths_does_not_show(spark: SparkSession) -> None:
    paths = sorted(map(str, (SAMPLES / "c" / "submissions").iterdir()))
    with engine_on(spark, None, "0") as engine:
        found = json_by(Inputs(tuple(paths[::-1])), Options(), engine)

    assert found == json_by(Inputs(tuple(paths)), Options())


@needs_spark
@pytest.mark.slow
def test_the_stages_of_a_job_that_is_done_are_removed(
    spark: SparkSession, cache_folder: Path
) -> None:
    with engine_on(spark, None, "0") as engine:
        json_by(JAVA, Options(), engine)
        assert len(manifests(next((cache_folder / "spark").iterdir()))) > 5

    assert list((cache_folder / "spark").iterdir()) == []


# --- what dies -----------------------------------------------------------------------------------


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
    usual = stages.grouped

    def grouped(self: Stages, stage: str, frame: object, function: object) -> object:
        if stage == name:
            function = partial(first_dies, function=function, marker=str(marker), victim=victim)
        return usual(self, stage, frame, function)  # type: ignore[arg-type]

    return grouped


def first_dies(rows: list[Row], *, function: object, marker: str, victim: str) -> Iterable[Row]:
    return function(dying_once(rows, marker=marker, victim=victim))  # type: ignore[operator, no-any-return]


TESTS_FOUND = f"spark.executorEnv.PYTHONPATH={Path(__file__).parents[1]}"


@needs_spark
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds an executor in /proc")
@pytest.mark.parametrize(("victim", "stage"), [("worker", "scores"), ("executor", "weights")])
def test_a_process_that_dies_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, victim: str, stage: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    marker = tmp_path / "marker"
    monkeypatch.setattr(Stages, "grouped", with_death(Stages, marker, victim, stage))

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
        *("--spark-conf", FAST[0], "--json", str(result)),
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


# --- what everybody has --------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_fingerprints_beyond_the_budget_are_left_out_and_told_alike(
    spark: SparkSession, tmp_path: Path
) -> None:
    # 15,000 times 15,000 look-ups for what all have are more than there may be.
    shared = (SAMPLES / "python" / "submissions" / "aldo.py").read_text()[:400]
    batch = tmp_path / "batch"
    batch.mkdir()
    for number in range(15_000):
        own = "\n".join(f"v{number % k} = f{k}(x[{k}], {number % 7})" for k in (2, 3, 5, 7, 11))
        (batch / f"{number}.py").write_text(f"{shared}\nclass C{number}:\n    pass\n{own}\n")
    inputs, options = Inputs((str(batch),)), Options(show=10)

    expected = json_by(inputs, options)

    told = json.loads(expected)["warnings"]
    assert any("not used to find candidate pairs" in each for each in told)
    with engine_on(spark, None, "0") as engine:
        assert json_by(inputs, options, engine) == expected
