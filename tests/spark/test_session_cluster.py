"""A standalone cluster of Spark, each machine a network namespace with processes of its own.

The machines share a file system and have PySpark, but not this program, which comes in a bundle.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.posix import SIGKILL
from tests.spark_runs import SAMPLES, needs_spark

IP = shutil.which("ip") or ""
SPARK = "org.apache.spark.deploy"
DOCS = Path(__file__).parents[2] / "docs" / "spark.md"


def _why_not() -> str:
    """Return why there can be no network namespaces; they need root, and a kernel that has them."""
    if not IP:
        return "needs 'ip' of iproute2"
    name = f"mosslite-{os.getpid()}"
    tried = subprocess.run([IP, "netns", "add", name], capture_output=True, check=False)
    subprocess.run([IP, "netns", "del", name], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "cannot make a network namespace: not root?"


WHY_NOT = _why_not()
needs_machines = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
pytestmark = [needs_spark, needs_machines, pytest.mark.slow, pytest.mark.timeout(900)]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the cluster.

    Attributes:
        name: Of its namespace.
        port: Name of its port of the switch.
        folder: Where its processes work.
        environment: Variables of its processes.
    """

    name: str
    address: str
    port: str
    folder: Path
    environment: dict[str, str]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a process there."""
        with (self.folder / "log").open("ab") as log:
            started = subprocess.Popen(
                [IP, "netns", "exec", self.name, *command],
                cwd=self.folder,
                env=self.environment | {"SPARK_LOCAL_IP": self.address},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.processes.append(started)
        return started

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def crash(self) -> None:
        """End all its processes at once."""
        for each in ip("netns", "pids", self.name).split():
            os.kill(int(each), SIGKILL)
        for started in self.processes:
            started.wait()


class Network:
    """Machines that a switch connects."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment = folder, environment
        self._prefix = f"mosslite-{os.getpid()}"
        self.switch, self.machines = f"{self._prefix}-switch", list[Machine]()

    def __enter__(self) -> "Network":
        ip("netns", "add", self.switch)
        ip("-n", self.switch, "link", "add", "name", "bridge0", "type", "bridge")
        ip("-n", self.switch, "link", "set", "bridge0", "up")
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.machines:
            each.crash()
            ip("netns", "del", each.name)
        ip("netns", "del", self.switch)

    def machine(self, name: str) -> Machine:
        """Connect one more machine."""
        nth = len(self.machines) + 1
        found = Machine(
            f"{self._prefix}-{name}",
            f"10.77.0.{nth}",
            f"port{nth}",
            self._folder / name,
            self._environment,
        )
        found.folder.mkdir()
        ip("netns", "add", found.name)
        self.machines.append(found)
        port = ("link", "add", "name", found.port, "type", "veth", "peer", "name", "eth0")
        ip("-n", self.switch, *port, "netns", found.name)
        ip("-n", self.switch, "link", "set", found.port, "master", "bridge0", "up")
        ip("-n", found.name, "addr", "add", f"{found.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", found.name, "link", "set", device, "up")
        return found


def ip(*arguments: str) -> str:
    return subprocess.run([IP, *arguments], check=True, capture_output=True, text=True).stdout


@dataclass(frozen=True, slots=True)
class StandaloneCluster:
    """A master, two workers, and the machine of the driver, as ``docs/spark.md`` wants them."""

    network: Network
    master: Machine
    workers: tuple[Machine, Machine]
    driver: Machine
    stages: Path

    def submit(self, *more: str) -> subprocess.Popen[bytes]:
        """Type the command of the documentation, with more options, on the driver's machine."""
        pattern = re.compile(r"^    (spark-submit --master spark:.*(?:\n     .*)*)", re.MULTILINE)
        (written,) = pattern.findall(DOCS.read_text("utf-8"))
        typed = (
            written.replace("\\\n", " ")
            .replace("HOST", self.master.address)
            .replace("/shared/stages", str(self.stages))
        )
        return self.driver.start(*shlex.split(typed), *more)


@contextmanager
def standalone_cluster(folder: Path) -> Iterator[StandaloneCluster]:
    """Start Spark's own processes."""
    with Network(folder, with_pyspark_alone(folder / "python")) as network:
        master, driver = network.machine("master"), network.machine("driver")
        workers = network.machine("one"), network.machine("two")
        own_pages = ("--webui-port", "0")
        master.start("spark-class", f"{SPARK}.master.Master", "--host", master.address, *own_pages)
        until(lambda: "I have been elected leader" in master.log())
        for each in workers:
            room = ("--work-dir", str(each.folder), "--cores", "1", "--memory", "1500m")
            each.start(
                "spark-class",
                f"{SPARK}.worker.Worker",
                *room,
                *own_pages,
                f"spark://{master.address}:7077",
            )
        until(lambda: master.log().count("Registering worker") == len(workers))
        yield StandaloneCluster(network, master, workers, driver, folder / "stages")


def with_pyspark_alone(folder: Path) -> dict[str, str]:
    """Make an environment of Python that has PySpark and no more, and return its variables."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/*/site-packages")
    for name in ("pyspark", "py4j"):
        found = find_spec(name)
        assert found is not None
        assert found.origin is not None
        (packages / name).symlink_to(Path(found.origin).parent)
    home = packages / "pyspark"
    path = os.pathsep.join([str(folder / "bin"), str(home / "bin"), os.environ["PATH"]])
    kept = {name: os.environ[name] for name in ("JAVA_HOME", "HOME") if name in os.environ}
    return kept | {"PATH": path, "SPARK_HOME": str(home), "SOURCE_DATE_EPOCH": "0"}


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what another machine does; to start Java takes long where others work as well."""
    deadline = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- tests ---------------------------------------------------------------------------------------


CORPUS, RESULT = "contest.corpus", "result.json"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a bundle, a corpus, and what the local engine finds in that."""
    folder = tmp_path_factory.mktemp("prepared")
    for arguments in (
        ("corpus", "bundle", "-o", "bundle"),
        ("corpus", "pack", str(SAMPLES / "java" / "submissions"), "-o", CORPUS),
        ("check", CORPUS, "-q", "--no-html", "--json", RESULT),
    ):
        environment = os.environ | {"SOURCE_DATE_EPOCH": "0"}
        command = [sys.executable, "-m", "mosslite", *arguments]
        subprocess.run(command, check=True, cwd=folder, env=environment)
    return folder


@pytest.fixture
def expected(prepared: Path) -> bytes:
    return (prepared / RESULT).read_bytes()


@pytest.fixture
def cluster(tmp_path: Path, prepared: Path) -> Iterator[StandaloneCluster]:
    with standalone_cluster(tmp_path) as started:
        for name in ("bundle", CORPUS):
            shutil.copytree(prepared / name, started.driver.folder / name, copy_function=os.link)
        yield started


def test_the_command_of_the_documentation_gives_what_one_machine_gives(
    cluster: StandaloneCluster, expected: bytes
) -> None:
    running = cluster.submit("--json", RESULT)

    assert running.wait() == 0, cluster.driver.log()
    assert (cluster.driver.folder / RESULT).read_bytes() == expected
    assert (cluster.driver.folder / "report" / "index.html").is_file()
    for each in cluster.workers:  # it came in the bundle
        assert list(each.folder.glob("app-*/*/environment/mosslite"))


def test_a_machine_that_is_lost_in_the_middle_of_a_stage_changes_nothing(
    cluster: StandaloneCluster, expected: bytes
) -> None:
    running, (_, victim) = cluster.submit("--json", RESULT), cluster.workers
    stage = cluster.stages / "tokenized"
    until(lambda: (stage / "_temporary").exists() or running.poll() is not None)
    victim.crash()
    is_complete = (stage / "_manifest.json").exists()

    assert running.wait() == 0, cluster.driver.log()
    assert not is_complete
    assert (cluster.driver.folder / RESULT).read_bytes() == expected
