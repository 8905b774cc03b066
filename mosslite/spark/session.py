"""A Spark session: started quietly, waited for so that Ctrl-C is heard, stopped for sure."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mosslite.errors import MossliteError, OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

__all__ = [
    "JAVA_VERSIONS",
    "Cluster",
    "SparkError",
    "doing",
    "read_text",
    "remove",
    "session",
    "write_text",
]


JAVA_VERSIONS: Final = (17, 21)
"""Versions of Java that this release of Spark runs on."""

_INSTALL: Final = "install mosslite[spark] to use it"
_JAVA: Final = f"install Java {' or '.join(map(str, JAVA_VERSIONS))} (openjdk-17-jre-headless)"

# Options that the user can set otherwise.
_DEFAULTS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.maxResultSize": "0",
    "spark.sql.shuffle.partitions": "64",
    # Rows are large, and Java holds several batches of them at once.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "32",
    "spark.hadoop.parquet.block.size": str(16 << 20),
    "spark.sql.parquet.compression.codec": "zstd",
}
_ON_THIS_MACHINE: Final = {
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
        master: As ``spark-submit --master`` takes it; None is what ``spark-submit`` says, else all
            processors of this machine.
        settings: Spark's own, as ``spark.executor.memory=4g``.
        is_verbose: Spark's log goes to standard error.
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
        SparkError: PySpark or Java is missing or of the wrong version, it does not start, or this
            process has a session, which would run the job under settings of its own.
    """
    require_spark()
    _refuse_second_session()
    with _quietly(), TemporaryDirectory(prefix="mosslite-spark-") as scratch:
        started = _started(cluster, scratch)
        try:
            yield started
        finally:
            _stop(started)


def _refuse_second_session() -> None:
    from pyspark.sql import SparkSession  # noqa: PLC0415

    if SparkSession.getActiveSession() is not None:
        msg = "this process has a session of Spark already: stop it, then check"
        raise SparkError(msg)


def require_spark() -> None:
    """Raise a SparkError unless PySpark and a Java that it runs on are there."""
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
    version = subprocess.run(  # noqa: S603 - the first on the path, as Spark starts it
        [java, "-version"], capture_output=True, text=True, check=False
    )
    found = re.search(r'version "(?:1\.)?(\d+)', version.stderr + version.stdout)
    return int(found[1]) if found else None


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what the bridge to Java logs away from the terminal."""
    logger = logging.getLogger("py4j")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _without_standard_error() -> Iterator[None]:
    """Let processes that are started meanwhile inherit no standard error to write their log to."""
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

    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # else spark-submit says which
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    builder = SparkSession.builder.appName("mosslite")
    for name, value in _settings(cluster, scratch).items():
        builder = builder.config(name, value)
    handlers = {number: signal.getsignal(number) for number in _signals()}
    try:
        if cluster.is_verbose:
            started = builder.getOrCreate()
        else:
            with _without_standard_error():
                started = builder.getOrCreate()
    except (PySparkException, OSError, _py4j_error()) as error:
        msg = f"Spark does not start: {_first_line(error)}"
        raise SparkError(msg) from error
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)  # Spark puts its own in their place
    started.sparkContext.setLogLevel("WARN" if cluster.is_verbose else "OFF")
    return started


def _signals() -> list[signal.Signals]:
    from threading import current_thread, main_thread  # noqa: PLC0415

    return [signal.SIGINT] if current_thread() is main_thread() else []


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


def _py4j_error() -> type[Exception]:
    error: type[Exception] = import_module("py4j.protocol").Py4JError  # PySpark's own
    return error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _stop(started: SparkSession) -> None:
    """Stop a session with its jobs and processes."""
    from pyspark import SparkContext  # noqa: PLC0415

    gateway = SparkContext._gateway
    with suppress(Exception), _without_standard_error():
        started.sparkContext.cancelAllJobs()
        started.stop()
    process = getattr(gateway, "proc", None)
    if process is not None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        with suppress(Exception):
            gateway.shutdown()  # type: ignore[union-attr]
        process.stdin.close()
        process.terminate()
        process.wait()
        SparkContext._gateway = SparkContext._jvm = None


Result = TypeVar("Result")

# Seconds between two looks at how far a job is.
_LOOK: Final = 0.2


def doing(
    started: SparkSession, action: Callable[[], Result], on_share: Callable[[float], None]
) -> Result:
    """Run an action of Spark in a thread, so that this one hears signals, and tell how far it is.

    Raises:
        SparkError: The job fails.
    """
    from pyspark.errors import PySparkException  # noqa: PLC0415

    network_error: type[Exception] = import_module("py4j.protocol").Py4JNetworkError
    pool = ThreadPoolExecutor(1)
    future = pool.submit(action)
    try:
        while wait([future], _LOOK).not_done:
            with suppress(_py4j_error()):
                on_share(_share_done(started))
        return future.result()
    except (ConnectionError, network_error) as error:
        raise SparkError(_ENDED) from error
    except (PySparkException, _py4j_error()) as error:
        msg = f"the job failed in Spark: {_cause(error)}"
        raise SparkError(msg) from error
    finally:
        if not future.done():
            with suppress(ConnectionError, _py4j_error()):
                started.sparkContext.cancelAllJobs()
        pool.shutdown(wait=False, cancel_futures=True)


_ENDED: Final = (
    "the process of Java has ended: if it was out of memory, give it more, as with "
    "--spark-conf spark.driver.memory=8g; the stages that are done are kept"
)


def _share_done(started: SparkSession) -> float:
    """Return which share of the tasks of what is running now is done."""
    tracker = started.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    tasks = sum(each.numTasks for each in stages if each)
    done = sum(each.numCompletedTasks for each in stages if each)
    return done / tasks if tasks else 0.0


# --- files, wherever the machines of a job find them ---------------------------------------------


def _path(started: SparkSession, path: str) -> tuple[Any, Any]:
    """Return a path and its file system, as Hadoop has them; PySpark has no words for these."""
    context = started.sparkContext
    java: Any = context._jvm
    found = java.org.apache.hadoop.fs.Path(path)
    return found, found.getFileSystem(context._jsc.hadoopConfiguration())


def read_text(started: SparkSession, path: str) -> str | None:
    """Read a small file of ASCII; None where there is none.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        if not system.exists(found):
            return None
        stream = system.open(found)
        try:
            return bytes(stream.readAllBytes()).decode("ascii", "replace")
        finally:
            stream.close()


def write_text(started: SparkSession, path: str, text: str) -> None:
    """Write a small file of ASCII, which is there wholly or not at all.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        temporary, _ = _path(started, f"{path}.new")
        stream = system.create(temporary, True)
        try:
            stream.write(bytearray(text.encode("ascii")))
        finally:
            stream.close()
        system.delete(found, False)
        system.rename(temporary, found)


def remove(started: SparkSession, path: str) -> None:
    """Remove a folder with all that is in it.

    Raises:
        SparkError: The file system cannot be reached.
    """
    with _failures_as_ours():
        found, system = _path(started, path)
        system.delete(found, True)


@contextmanager
def _failures_as_ours() -> Iterator[None]:
    try:
        yield
    except _py4j_error() as error:
        msg = f"the folder for the stages cannot be used: {_cause(error)}"
        raise SparkError(msg) from error


_RAISED: Final = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b.*", re.MULTILINE)


def _cause(error: Exception) -> str:
    """Return the last line that names an exception, which is that of the task."""
    found = _RAISED.findall(str(error))
    return (found[-1] if found else _first_line(error)).strip().rstrip(".")
