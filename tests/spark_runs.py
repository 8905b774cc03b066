"""Batches for the tests of Spark, compared by both engines."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from mosslite.options import Intake, Options
from mosslite.pipeline import LOCAL, compare
from mosslite.records import Inputs
from mosslite.report.anonymous import anonymous
from mosslite.report.recording import to_json
from mosslite.spark import Cluster
from mosslite.spark.session import session
from mosslite.terms.adding import AddOptions, add

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession

    from mosslite.pipeline import Engine


SAMPLES: Final = Path(__file__).parents[1] / "samples"

FAST: Final = (
    "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1",
    "spark.sql.shuffle.partitions=5",
)
"""So that small jobs do not wait for Java to compile what it runs once, nor for empty tasks."""


JAVA: Final = Inputs((str(SAMPLES / "java" / "submissions"),))


def started(*settings: str, master: str = "local[2]") -> AbstractContextManager[SparkSession]:
    """Start a session; a process has one at a time."""
    return session(Cluster(master, (*FAST, *settings)))


needs_spark: Final = pytest.mark.usefixtures("spark_or_skip")


def everything(folder: Path) -> Inputs:
    """Write a batch that has all there is: languages, roles, attempts, an archive, bad files."""
    batch = folder / "batch"
    for sample in ("python", "java", "c", "prose"):
        for each in sorted((SAMPLES / sample / "submissions").iterdir())[:6]:
            target = batch / f"{sample}{each.stem}" / f"1{each.suffix}"
            target.parent.mkdir(parents=True)
            (shutil.copytree if each.is_dir() else shutil.copy)(each, target)
    attempt = batch / "pythonaldo" / "2.py"
    attempt.write_text((batch / "pythonaldo" / "1.py").read_text() + "\nprint('again')\n")
    (batch / "pythonaldo" / "broken.py").write_bytes(b"\0\1\2" * 30)
    (batch / "javaamara" / "empty.java").write_bytes(b"")
    (batch / "javaamara" / "odd\udcff.java").write_text("class A { /* \u0000 */ int a = 1; }\n")
    # Nothing in one of them decides between the languages of its extension.
    for name, text in (("known", "f(X) :- g(X).\ng(a).\n"), ("unclear", "xyzzy plugh 1 2\n")):
        (batch / f"perl{name}").mkdir()
        (batch / f"perl{name}" / "1main.pl").write_text(text * 30)
    prior, reference = folder / "prior", folder / "reference"
    shutil.copytree(SAMPLES / "python" / "submissions", prior)
    shutil.copytree(SAMPLES / "c" / "submissions", reference)
    archive = folder / "old.mosslite"
    options = Options(uses_workers=False)
    earlier = Inputs((str(SAMPLES / "java" / "submissions"),))
    add(str(archive), AddOptions("old"), earlier, options)
    base = tuple(str(SAMPLES / each / "template") for each in ("python", "java"))
    return Inputs((str(batch),), base, (str(prior),), (str(reference),), (str(archive),))


def options_for_everything(*, max_sharing: int | None = None) -> Options:
    """Return options by which attempts are told apart."""
    pattern = r"(?P<name>[^/]+)/(?P<attempt>\d+)?(?P<file>.*)"
    intake = Intake(name_pattern=pattern, all_attempts=True)
    return Options(uses_workers=False, intake=intake, max_sharing=max_sharing)


def json_by(
    inputs: Inputs, options: Options, engine: Engine = LOCAL, *, is_anonymous: bool = False
) -> str:
    """Return the result of a check as JSON, which has all that other outputs show, and more."""
    report = compare(inputs, options, engine=engine)
    shown = anonymous(report)[0] if is_anonymous else report
    return to_json(shown, created="", version="0")
