from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mosslite.errors import InputError, OptionError
from mosslite.intake import collect
from mosslite.intake.corpus import Packing, pack
from mosslite.intake.plan import plan
from mosslite.messages import as_json
from mosslite.options import Intake, Limits, Options
from mosslite.ranking import candidates
from mosslite.records import Inputs, LeftOut, no_progress
from mosslite.spark import Cluster, SparkError
from mosslite.spark.engine import engine_on
from mosslite.spark.reading import Blocks, Numbering
from mosslite.spark.search import features_and_fingerprints
from mosslite.spark.session import cause_of, require_spark
from mosslite.spark.stages import Row, concatenated, pack_submission, unpack_submission
from mosslite.winnowing.boilerplate import common_origin
from mosslite.winnowing.fingerprints import fingerprints
from mosslite.winnowing.tokenized import tokenized_submissions
from tests.programs import program
from tests.spark_runs import (
    JAVA,
    SAMPLES,
    everything,
    json_by,
    needs_spark,
    options_for_everything,
    started,
)
from tests.stuck import STUCK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from mosslite.intake.entries import Planned


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """One session for all tests, as it takes seconds to start."""
    with started() as session_of_all:
        yield session_of_all


def require_same(spark: SparkSession, inputs: Inputs, options: Options | None = None) -> str:
    """Return the result of a check, which both engines must give."""
    how = options or Options()
    expected = json_by(inputs, how)
    with engine_on(spark, None, "0") as engine:
        assert json_by(inputs, how, engine) == expected
    return expected


# --- rows, which need no Spark -------------------------------------------------------------------


def test_what_was_left_out_can_be_translated_after_it_moved(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("print('x' * 3)\n" * 20)
    batch, options = collect(Inputs((str(tmp_path),))), Options(uses_workers=False)
    (one,), _ = tokenized_submissions(batch, options, no_progress)
    left_out = (LeftOut(common_origin(3), 5),)
    documents = tuple(replace(each, left_out=left_out) for each in one.documents)

    _, found = unpack_submission(pack_submission(replace(one, documents=documents), 0))

    assert as_json(found.documents[0].left_out[0].origin) == as_json(common_origin(3))


def test_a_fingerprint_that_a_submission_has_twice_is_sent_once(tmp_path: Path) -> None:
    text = "".join(f"if a{n}:\n    b = c[{n}] + d(e, {n})\n" for n in range(9))
    (tmp_path / "one.py").write_text(text + "while a:\n    b -= 1\n" + text)
    batch, options = collect(Inputs((str(tmp_path),))), Options(uses_workers=False)
    (one,), _ = tokenized_submissions(batch, options, no_progress)
    row = Row(0, "tokenized", pack_submission(one, 0))

    rows = list(features_and_fingerprints([row], numbering=Numbering(None, 1, 1, Blocks.of(1))))

    repeated = fingerprints(one.comparable).hashes
    sent = concatenated(rows, "fingerprints")["values"]
    assert len(repeated) > len(np.unique(repeated))
    assert np.array_equal(np.sort(sent), np.unique(repeated))


def test_a_setting_of_spark_has_a_value() -> None:
    with pytest.raises(OptionError, match="give a setting of Spark"):
        Cluster(settings=("spark.executor.memory",))


def test_what_java_raises_is_told_by_its_cause() -> None:
    raised = RuntimeError(
        "An error occurred while calling None.org.apache.spark.api.java.JavaSparkContext.\n"
        ": java.lang.IllegalArgumentException: requirement failed: a is below b.\n"
        "\tat scala.Predef$.require(Predef.scala:337)\n"
    )

    assert (
        cause_of(raised) == "java.lang.IllegalArgumentException: requirement failed: a is below b"
    )


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

    with pytest.raises(
        SparkError, match=r"needs PySpark: in a checkout, pip install '\.\[spark\]'"
    ):
        require_spark()


# --- jobs ----------------------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
def test_both_engines_give_the_same_bytes_and_a_stopped_job_goes_on(
    spark: SparkSession, tmp_path: Path
) -> None:
    with (
        pytest.raises(SparkError, match="this process has a session of Spark already"),
        started(master="local[1]"),
    ):
        pass
    inputs, options = everything(tmp_path), options_for_everything()
    expected, work = json_by(inputs, options), tmp_path / "work"
    without_names = json_by(inputs, options, is_anonymous=True)
    with engine_on(spark, str(work), "0") as engine:
        assert json_by(inputs, options, engine) == expected
    removed = ["ties", "scores"]
    for name in removed:
        (work / name / "_manifest.json").unlink()
    written = {each.parent.name: each.stat().st_mtime_ns for each in manifests(work)}
    with engine_on(spark, str(work), "0") as engine:
        assert json_by(inputs, options, engine, is_anonymous=True) == without_names
    again = {each.parent.name: each.stat().st_mtime_ns for each in manifests(work)}
    assert {name for name in again if again[name] != written.get(name)} == set(removed)
    with (
        engine_on(spark, str(work), "0") as engine,
        pytest.raises(InputError, match=r"belongs to another job \(other options\): remove"),
    ):
        json_by(inputs, options_for_everything(max_sharing=5), engine)


@needs_spark
@pytest.mark.slow
def test_a_corpus_of_earlier_terms_is_read_once_for_all_jobs(
    spark: SparkSession, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier.corpus"
    write_corpus(earlier, [str(SAMPLES / each / "submissions") for each in ("c", "python")])
    base, options = str(SAMPLES / "python" / "template"), Options(uses_workers=False)
    inputs = Inputs((str(SAMPLES / "python" / "submissions"),), (), (str(earlier),))
    with_base = replace(inputs, base=(base,))
    expected, expected_with_base = json_by(inputs, options), json_by(with_base, options)
    with engine_on(spark, None, "0") as engine:
        assert json_by(inputs, options, engine) == expected
    for part in earlier.glob("part-*.parquet"):
        without_contents(part)
    assert json_by(inputs, options) != expected
    with engine_on(spark, None, "0") as engine:
        assert json_by(with_base, options, engine) == expected_with_base


def write_corpus(folder: Path, paths: list[str]) -> None:
    plans = [(path, "packed", partial(planned_of, path, Path(path).name)) for path in sorted(paths)]
    pack(str(folder), plans, Packing("0", "2024", Limits()), lambda _: None)


def planned_of(path: str, prefix: str) -> list[Planned]:
    planned = plan(Inputs((path,)), Intake(), directories=False).submissions
    return [replace(each, name=f"{prefix}/{each.name}") for each in planned]


def without_contents(part: Path) -> None:
    """Leave of a part of a corpus all but what is in the files."""
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(part)
    place = table.column_names.index("content")
    empty = pytest.importorskip("pyarrow").array([b""] * len(table), table.schema.types[place])
    parquet.write_table(table.set_column(place, table.schema.field(place), empty), part)


def manifests(work: Path) -> list[Path]:
    return sorted(work.glob("*/_manifest.json"))


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
    require_same(spark, inputs, replace(options_for_everything(), **options))


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize(("partitions", "adaptive"), [(1, "true"), (7, "false"), (64, "true")])
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
        require_same(spark, JAVA)
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
        require_same(spark, JAVA)
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


# --- what is hard to read ------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
def test_a_text_that_hangs_a_lexer_is_told_of_and_fails_no_job(
    spark: SparkSession, tmp_path: Path
) -> None:
    batch = tmp_path / "batch"
    shutil.copytree(SAMPLES / "python" / "submissions", batch)
    (batch / "stuck.sh").write_text(STUCK["bash"])
    (batch / "broken.py").write_bytes(b"\0\1\2" * 30)
    inputs, options = Inputs((str(batch),)), Options(seconds=0.5)

    with engine_on(spark, None, "0") as engine:
        found = json.loads(json_by(inputs, options, engine))

    assert any("plain tokenizer" in each and "stuck.sh" in each for each in found["warnings"])
    assert [each["path"].rpartition("/")[2] for each in found["skipped"]] == ["broken.py"]


@needs_spark
@pytest.mark.slow
def test_words_in_disguise_change_the_evidence_in_neither_engine(
    spark: SparkSession, tmp_path: Path
) -> None:
    batch = tmp_path / "batch"
    batch.mkdir()
    rare = "# the qonstant of the algorithm is recieved by newtonMethode\nnewtonMethode = 7\n"
    for number, path in enumerate(sorted((SAMPLES / "python" / "submissions").glob("*.py"))):
        text = path.read_text() + "# constant received newtonMethod algorithm\n"
        own = rare.replace("o", "\N{CYRILLIC SMALL LETTER O}") if number % 2 else rare
        (batch / f"{number:02}.py").write_text(text + own * (number in {1, 2, 7, 8}))
    inputs = Inputs((str(batch),))

    expected = require_same(spark, inputs)

    assert any(pair["rare_evidence"] for pair in json.loads(expected)["pairs"])


# --- what everybody has --------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
def test_passages_that_most_share_are_shown_in_the_same_files(
    spark: SparkSession, tmp_path: Path
) -> None:
    helpers = [program(900 + number, functions=2) for number in range(2)]
    for number in range(8):
        (tmp_path / f"{number}").mkdir()
        for name, helper in zip("ab", helpers, strict=True):
            text = program(10 * number + ord(name), functions=9 - number)
            (tmp_path / f"{number}" / f"{name}.py").write_text(f"{text}\n\n{helper}")
    inputs = Inputs((str(tmp_path),))

    expected = require_same(spark, inputs)

    assert any("most submissions share" in told for told in json.loads(expected)["warnings"])


@needs_spark
@pytest.mark.slow
def test_fingerprints_beyond_the_budget_are_left_out_and_told_alike(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each of what all have takes 1,000 times 1,000 look-ups, and there may be those of two.
    monkeypatch.setattr(candidates, "_LOOKUPS", 2_000_000)
    monkeypatch.setattr(candidates, "_LOOKUPS_EACH", 500)
    shared = (SAMPLES / "python" / "submissions" / "aldo.py").read_text()[:400]
    batch = tmp_path / "batch"
    batch.mkdir()
    for number in range(1_000):
        own = "\n".join(f"v{number % k} = f{k}(x[{k}], {number % 7})" for k in (2, 3, 5, 7, 11))
        (batch / f"{number}.py").write_text(f"{shared}\nclass C{number}:\n    pass\n{own}\n")
    inputs, options = Inputs((str(batch),)), Options(show=10)

    told = json.loads(require_same(spark, inputs, options))["warnings"]

    assert any("too common to be used" in each for each in told)


# --- settings of Spark ---------------------------------------------------------------------------


@needs_spark
@pytest.mark.slow
@pytest.mark.parametrize(
    ("configured", "given", "partitions"),
    [("", (), "64"), ("7", (), "7"), ("7", ("9",), "9"), ("", ("9",), "9")],
)
def test_settings_that_spark_was_started_with_count(
    configured: str, given: tuple[str, ...], partitions: str, tmp_path: Path
) -> None:
    name = "spark.sql.shuffle.partitions"
    defaults = f"{name} {configured}\n" if configured else ""
    (tmp_path / "spark-defaults.conf").write_text(defaults)
    settings = tuple(f"{name}={each}" for each in given)
    script = (
        "from mosslite.spark.session import Cluster, session\n"
        f"with session(Cluster('local[1]', {settings})) as started:\n"
        f"    print(started.conf.get({name!r}))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SPARK_CONF_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == [partitions]
