"""A Spark session that starts quietly, reacts to Ctrl-C, and stops with all its processes.

A bundle contains what ``spark-submit`` needs to start one on a cluster.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Final, TypeVar

from mosslite.errors import MossliteError, OptionError, OutputError
from mosslite.messages import reason_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA_VERSIONS: Final = (17, 21)
"""Versions of Java that this version of Spark runs on."""

_INSTALL: Final = "in a checkout, pip install '.[spark]'"
_JAVA: Final = f"install Java {' or '.join(map(str, JAVA_VERSIONS))} (openjdk-17-jre-headless)"

# Set once Spark has started, unless spark-submit, its files or the user have set them.
_DEFAULTS_OF_SQL: Final = {
    "spark.sql.shuffle.partitions": "64",
    # Rows have up to several megabytes, and Java has several batches of them in memory at once: a
    # batch of Parquet has 4,096 rows by default, and one of more than 2 GB cannot be read at all.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "32",
    "spark.sql.parquet.columnarReaderBatchSize": "32",
    "spark.sql.parquet.compression.codec": "zstd",
}
# Settings that the user can override.
_DEFAULTS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.maxResultSize": "0",
    "spark.hadoop.parquet.block.size": str(16 << 20),
    "spark.hadoop.parquet.page.size": str(16 << 20),
    "spark.hadoop.parquet.block.size.row.check.min": "1",
    "spark.hadoop.parquet.page.size.row.check.min": "1",
    # Payloads are distinct.
    "spark.hadoop.parquet.enable.dictionary": "false",
}
_ON_THIS_MACHINE: Final = {
    # Java only moves rows; optimized compilation costs more than it saves.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "4g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


class SparkError(MossliteError):
    """Spark cannot be started, or a job of it fails."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where to run, and how.

    Attributes:
        master: As for ``spark-submit --master``; None is the master of ``spark-submit``, or all
            processors of this machine.
        settings: Settings of Spark, as ``spark.executor.memory=4g``.
        is_verbose: Whether Spark's log goes to standard error.
    """

    master: str | None = None
    settings: tuple[str, ...] = ()
    is_verbose: bool = False

    def __post_init__(self) -> None:
        """Refuse settings without a value.

        Raises:
            OptionError: Naming the setting.
        """
        for each in self.settings:
            if not re.match(r"spark\.[\w.-]+=", each):
                msg = f"--spark-conf is {each!r}: give a setting of Spark, as spark.a.b=value"
                raise OptionError(msg)


@contextmanager
def session(cluster: Cluster) -> Iterator[SparkSession]:
    """Start Spark, for as long as the block runs.

    Raises:
        SparkError: PySpark or Java is missing or has the wrong version, Spark does not start, or
            this process already has a session, whose settings would apply to the job.
    """
    require_spark()
    from pyspark.sql import SparkSession  # noqa: PLC0415

    if SparkSession.getActiveSession() is not None:
        msg = "this process has a session of Spark already: stop it, then check"
        raise SparkError(msg)
    with _quietly(), TemporaryDirectory(prefix="mosslite-spark-") as scratch:
        started = _started(cluster, scratch)
        try:
            yield started
        finally:
            _stop(started)


def require_spark() -> None:
    """Raise a SparkError unless PySpark and a suitable Java are installed."""
    try:
        import pyarrow  # noqa: F401, PLC0415 - an extra, loaded when it is asked for
        import pyspark.sql.pandas.utils as found  # noqa: PLC0415

        found.require_minimum_pandas_version()
    except ImportError as error:
        msg = f"--engine spark needs PySpark: {_INSTALL}"
        raise SparkError(msg) from error
    version = _java_version()
    if version is None:
        msg = f"--engine spark needs Java, which is not found: {_JAVA}, or set JAVA_HOME"
        raise SparkError(msg)
    if version not in JAVA_VERSIONS:
        msg = f"--engine spark does not run on Java {version}: {_JAVA}, or set JAVA_HOME"
        raise SparkError(msg)


def _java_version() -> int | None:
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin") if home else None)
    if java is None:
        return None
    version = subprocess.run(  # noqa: S603 - the first on the path, which Spark starts too
        [java, "-version"], capture_output=True, text=True, check=False
    )
    found = re.search(r'version "(?:1\.)?(\d+)', version.stderr + version.stdout)
    return int(found[1]) if found else None


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the log of the bridge to Java away from the terminal."""
    logger = logging.getLogger("py4j")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _without_standard_error() -> Iterator[None]:
    """Redirect standard error, which processes started during this inherit, to the null device."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _started(cluster: Cluster, scratch: str) -> SparkSession:
    from pyspark.errors import PySparkException  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # otherwise set by spark-submit
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    builder = SparkSession.builder.appName("mosslite")
    for name, value in _settings(cluster, scratch).items():
        builder = builder.config(name, value)
    is_main, handler = current_thread() is main_thread(), signal.getsignal(signal.SIGINT)
    try:
        if cluster.is_verbose:
            started = builder.getOrCreate()
        else:
            with _without_standard_error():
                started = builder.getOrCreate()
    except (PySparkException, OSError, py4j_error()) as error:
        msg = f"Spark does not start: {cause_of(error)}"
        raise SparkError(msg) from error
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)  # Spark replaces it
    started.sparkContext.setLogLevel("WARN" if cluster.is_verbose else "OFF")
    given = started.sparkContext.getConf()
    for name, value in _DEFAULTS_OF_SQL.items():
        if not given.contains(name):
            started.conf.set(name, value)
    return started


def _settings(cluster: Cluster, scratch: str) -> dict[str, str]:
    settings = dict(_DEFAULTS)
    master = cluster.master
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        master = "local[*]"
    if master is not None:
        settings["spark.master"] = master
        if master.startswith("local"):
            settings |= _ON_THIS_MACHINE
            settings["spark.local.dir"] = scratch
            settings["spark.sql.warehouse.dir"] = scratch
    for each in cluster.settings:
        name, _, value = each.partition("=")
        settings[name] = value
    return settings


def py4j_error() -> type[Exception]:
    """Return the class of what the bridge to Java raises."""
    error: type[Exception] = import_module("py4j.protocol").Py4JError  # PySpark's own
    return error


def _stop(started: SparkSession) -> None:
    """Stop a session with its jobs and processes.

    PySpark's threads print an error if Java ends before they do, so they are stopped first.
    """
    from pyspark import SparkContext  # noqa: PLC0415

    context = started.sparkContext
    gateway = SparkContext._gateway
    process = getattr(gateway, "proc", None)
    with _without_standard_error():
        for step in (context.cancelAllJobs, started.stop, context._accumulatorServer.shutdown):
            with suppress(Exception):
                step()
        if process is not None and "PYSPARK_GATEWAY_PORT" not in os.environ:
            with suppress(Exception):
                gateway.shutdown()  # type: ignore[union-attr]
            process.stdin.close()
            process.terminate()
            process.wait()
            SparkContext._gateway = SparkContext._jvm = None


Result = TypeVar("Result")

# Seconds between two updates of the progress.
_INTERVAL: Final = 0.2


def doing(
    started: SparkSession, action: Callable[[], Result], on_share: Callable[[float], None]
) -> Result:
    """Run an action of Spark in a thread, so that this one handles signals and reports progress.

    Raises:
        SparkError: The job fails.
    """
    from pyspark.errors import PySparkException  # noqa: PLC0415

    network_error: type[Exception] = import_module("py4j.protocol").Py4JNetworkError
    pool = ThreadPoolExecutor(1)
    future = pool.submit(action)
    try:
        while wait([future], _INTERVAL).not_done:
            with suppress(py4j_error()):
                on_share(_share_done(started))
        return future.result()
    except (ConnectionError, network_error) as error:
        raise SparkError(_ENDED) from error
    except (PySparkException, py4j_error()) as error:
        msg = f"the job failed in Spark: {cause_of(error)}"
        raise SparkError(msg) from error
    finally:
        if not future.done():
            with suppress(ConnectionError, py4j_error()):
                started.sparkContext.cancelAllJobs()
        pool.shutdown(wait=False, cancel_futures=True)


_ENDED: Final = (
    "the process of Java has ended: if it was out of memory, give it more, as with "
    "--spark-conf spark.driver.memory=8g; the stages that are done are kept"
)


def _share_done(started: SparkSession) -> float:
    """Return the share of the tasks of the running stages that are complete."""
    tracker = started.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    tasks = sum(each.numTasks for each in stages if each)
    done = sum(each.numCompletedTasks for each in stages if each)
    return done / tasks if tasks else 0.0


# Exceptions of Java follow a colon or "Caused by".
_RAISED: Final = re.compile(
    r"^(?:: |Caused by: )?((?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b.*)", re.MULTILINE
)


def cause_of(error: Exception) -> str:
    """Return the last line that names an exception, which is the one raised in the task."""
    first_line = str(error).strip().splitlines()[:1] or [type(error).__name__]
    return (_RAISED.findall(str(error)) or first_line)[-1].strip().rstrip(".")


# --- a bundle for spark-submit -------------------------------------------------------------------

ENVIRONMENT: Final = "environment.tar.gz"
LAUNCHER: Final = "mosslite_on_spark.py"

_LAUNCHER_TEXT: Final = '''\
"""Starts mosslite in a driver of Spark; its arguments are those of mosslite."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

if __name__ == "__main__":
    sys.path.insert(0, "environment")
    with TemporaryDirectory(prefix="mosslite-environment-") as folder:
        if not find_spec("mosslite"):  # Spark unpacks the archive for executors alone
            shutil.unpack_archive(Path(__file__).with_name("environment.tar.gz"), folder)
            sys.path.insert(0, folder)
        from mosslite.cli import main

        main()
'''

# The cluster provides these.
_OF_THE_CLUSTER: Final = frozenset({"pyspark", "py4j"})

# Needed for Parquet and Arrow, and required by none of the others.
_OF_SPARK: Final = ("pyarrow", "pandas")


def write_bundle(target: str) -> list[str]:
    """Write the archive and the launcher to a folder, and return instructions.

    Raises:
        SparkError: A package that the cluster needs is not installed here.
        OutputError: They cannot be written.
    """
    if missing := [name for name in _OF_SPARK if not any(Distribution.discover(name=name))]:
        msg = f"the bundle needs {' and '.join(missing)}: {_INSTALL}"
        raise SparkError(msg)
    folder = Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LAUNCHER).write_text(_LAUNCHER_TEXT, "utf-8")
        with tarfile.open(folder / ENVIRONMENT, "w:gz", compresslevel=1) as archive:
            for source, name in sorted(_files(), key=lambda each: each[1]):
                archive.add(source, name, recursive=False, filter=_plain)
    except OSError as error:
        msg = f"the bundle cannot be written to {target!r}: {reason_of(error)}"
        raise OutputError(msg) from error
    return _instructions(folder)


def _instructions(folder: Path) -> list[str]:
    version = ".".join(map(str, sys.version_info[:2]))
    return [
        f"written: {folder / ENVIRONMENT}, {folder / LAUNCHER}",
        f"on machines with Python {version}:",
        f"spark-submit --master URL --archives {folder / ENVIRONMENT}#environment "
        "--conf spark.executorEnv.PYTHONPATH=environment "
        f"{folder / LAUNCHER} check CORPUS --engine spark --stages URL -o REPORT",
    ]


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Remove owner and time of a file, so that equal files make equal archives."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def _files() -> Iterator[tuple[Path, str]]:
    """Yield the files of this program and its dependencies, with their names in the archive."""
    root = Path(__file__).parents[1]
    yield from _below(root, "mosslite")
    templates = root.parent / "templates"
    if not (root / "templates").is_dir() and templates.is_dir():
        yield from _below(templates, "mosslite/templates")
    for each in _needed():
        for file in each.files or ():
            path = Path(str(each.locate_file(file)))
            if ".." not in file.parts and path.is_file() and "__pycache__" not in file.parts:
                yield path, str(file)


def _below(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path, f"{name}/{path.relative_to(folder).as_posix()}"


def _needed() -> list[Distribution]:
    """Return what is installed of all that this program and PySpark need, found step by step."""
    found: dict[str, Distribution] = {}
    waiting = [*_required(distribution("mosslite")), *_OF_SPARK]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found or name in _OF_THE_CLUSTER:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        waiting += _required(found[name])
    return [found[name] for name in sorted(found)]


def _required(given: Distribution) -> list[str]:
    """Return the names of what a distribution always needs."""
    lines = [line for line in given.requires or () if "extra ==" not in line]
    return [match[0] for line in lines if (match := re.match(r"[\w.-]+", line))]
