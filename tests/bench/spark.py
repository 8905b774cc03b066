"""What both engines take for so many documents: ``python -m tests.bench.spark FOLDER COUNT...``.

Beside the seconds on the clock it tells those of processors, which other programs disturb less.

FOLDER has real programs, from which as many are made as are asked for: each is a real one in which
numbers and names were changed and lines of others put in, one in fifty is a copy of another.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import NamedTuple

_NAME = re.compile(r"\b[a-z_]\w{2,}\b")


def write_documents(sources: list[Path], count: int, folder: Path) -> None:
    """Write programs that are like the real ones, and like each other as those are."""
    random = Random(count)  # noqa: S311 - not a secret
    texts = [path.read_text("utf-8", "replace") for path in sources]
    for number in range(count):
        text = mutated(random.choice(texts), random.choice(texts), random)
        place = folder / f"{number // 1_000:04}"
        place.mkdir(exist_ok=True)
        suffix = sources[0].suffix
        (place / f"{number:08}{suffix}").write_text(text, "utf-8")


def mutated(text: str, other: str, random: Random) -> str:
    """Return a text with names renamed, lines left out and lines of another one put in."""
    lines, foreign = text.splitlines(), other.splitlines() or [""]
    share = random.choice([0.02, 0.3, 0.6])
    kept = [
        random.choice(foreign) if random.random() < share else line
        for line in lines
        if random.random() > share / 2
    ]
    names = sorted({*_NAME.findall(text)})
    renamed = {name: f"{name}{random.randrange(100)}" for name in names if random.random() < share}
    return _NAME.sub(lambda found: renamed.get(found[0], found[0]), "\n".join(kept)) + "\n"


class Figures(NamedTuple):
    """A figure of each kind of process: megabytes, or seconds of a processor."""

    driver: float = 0.0
    java: float = 0.0
    workers: float = 0.0

    @classmethod
    def of(cls, figures: Iterable[tuple[str, float]]) -> "Figures":
        sums = dict.fromkeys(cls._fields, 0.0)
        for kind, figure in figures:
            sums[kind] += figure
        return cls(**sums)

    def since(self, before: "Figures") -> "Figures":
        return Figures(*(now - then for now, then in zip(self, before, strict=True)))


class Watch(Thread):
    """Looks at what a process and all below it hold and spend, and during which stage.

    Attributes:
        peak: Megabytes at the moment when the sum was largest, and by stage.
        spent: Seconds of a processor until the end of each stage, named by how many were done.
    """

    def __init__(self, root: int, stages: Path | None) -> None:
        super().__init__(daemon=True)
        self.is_done, self._root, self._stages = Event(), root, stages
        self.peak, self.driver = Figures(), 0.0
        self.by_stage, self.spent = dict[int, Figures](), dict[int, Figures]()
        self._by_process = dict[int, tuple[str, float]]()

    def run(self) -> None:
        nth = 0
        while not self.is_done.wait(_LOOK):
            done, processes = len(manifests(self._stages)), descendants(self._root)
            self.spent[done] = self._spent(processes)
            if nth % _LOOKS_AT_MEMORY == 0:
                now = Figures.of((self._kind(each), megabytes(each)) for each in processes)
                self.driver = max(self.driver, now.driver)
                self.peak = max(self.peak, now, key=sum)
                self.by_stage[done] = max(self.by_stage.get(done, Figures()), now, key=sum)
            nth += 1

    def _kind(self, process: int) -> str:
        return "driver" if process == self._root else kind_of(process)

    def _spent(self, processes: set[int]) -> "Figures":
        """Return what was spent so far, also by processes that have ended."""
        for each in processes:
            self._by_process[each] = self._kind(each), processor_seconds(each)
        return Figures.of(self._by_process.values())

    def spent_in(self, stage: int) -> "Figures":
        """Return what was spent while so many stages were done."""
        before = [figures for done, figures in self.spent.items() if done < stage]
        return self.spent[stage].since(before[-1] if before else Figures())


# Seconds between two looks, and how many of them are for one look at memory, which takes longer.
_LOOK = 0.2
_LOOKS_AT_MEMORY = 5


def manifests(stages: Path | None) -> list[Path]:
    """Return the manifests of the stages that are done, in the order in which they were."""
    found = [] if stages is None else list(stages.glob("*/_manifest.json"))
    return sorted(found, key=lambda each: each.stat().st_mtime_ns)


def descendants(root: int) -> set[int]:
    """Return a process and all that it has started."""
    parents = {}
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                fields = (path / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(path.name)] = int(fields[1])
            except OSError:
                continue
    found = {root}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def kind_of(process: int) -> str:
    try:
        return "java" if b"java" in Path(f"/proc/{process}/comm").read_bytes() else "workers"
    except OSError:
        return "workers"


def megabytes(process: int) -> float:
    """Return the memory that is this process's own, where the system tells it."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if sys.platform == "win32":
    _TICKS = 1  # there is nothing to read
else:
    _TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has taken by itself, where the system tells it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Run(NamedTuple):
    """A check: its seconds, those of processors, and what was seen of it."""

    seconds: float
    processors: float
    watch: Watch

    def __str__(self) -> str:
        peak = self.watch.peak._asdict().items()
        parts = ", ".join(f"{name} {size:,.0f}" for name, size in peak if size)
        return (
            f"{self.seconds:,.1f} s, of processors {self.processors:,.1f} s; "
            f"peak (MB) {parts}; driver alone {self.watch.driver:,.0f}"
        )


def timed(batch: Path, *arguments: str, stages: Path | None = None) -> Run:
    """Run a check, and watch it."""
    command = [sys.executable, "-m", "mosslite", "check", str(batch), "-q", "--no-html"]
    start, before = perf_counter(), children_seconds()
    running = subprocess.Popen([*command, "--no-cache", "--time-limit", "60", *arguments])
    watch = Watch(running.pid, stages)
    watch.start()
    if running.wait():
        sys.exit(1)
    watch.is_done.set()
    watch.join()
    return Run(perf_counter() - start, children_seconds() - before, watch)


def children_seconds() -> float:
    """Return the processor time of all processes that were started from here and have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def measured(sources: list[Path], count: int, work: Path, *, is_spark_alone: bool) -> None:
    """Print what both engines take for so many documents, and stage by stage for Spark."""
    batch, stages, log = work / "batch", work / "stages", work / "log"
    if not (work / "written").exists():
        shutil.rmtree(batch, ignore_errors=True)
        batch.mkdir(parents=True)
        write_documents(sources, count, batch)
        (work / "written").touch()
    shutil.rmtree(log, ignore_errors=True)
    log.mkdir()
    flat = ["--name-pattern", r"\d+/(?P<name>\d+)"]
    spark = ["--engine", "spark", "--master", "local[2]", "--stages", str(stages)]
    for setting in ("enabled=true", "compress=false", f"dir={log}"):
        spark += ["--spark-conf", f"spark.eventLog.{setting}"]
    result = work / "spark.json"
    run = timed(batch, *flat, *spark, "--json", str(result), stages=stages)
    print(f"{count:,} documents, spark: {run}", flush=True)
    by_stage(stages, count, run.watch, shuffled(log))
    if is_spark_alone:
        return
    run = timed(batch, *flat, "--json", str(work / "local.json"))
    print(f"{count:,} documents, local: {run}", flush=True)
    are_equal = same(work / "local.json", result)
    print("the same bytes" if are_equal else "DIFFERENT", flush=True)


def same(left: Path, right: Path) -> bool:
    return left.read_bytes() == right.read_bytes()


def shuffled(log: Path) -> Counter[str]:
    """Return the bytes that were shuffled for each of our stages, as Spark's log of events says."""
    sizes, names = Counter[str](), dict[int, str]()
    for path in sorted(log.rglob("events*")):
        lines = path.read_text("utf-8").split("\n")
        for line in lines[:-1]:  # what follows the last line end is cut off, if Spark was killed
            if '"SparkListenerJobStart"' in line:
                event = json.loads(line)
                name = event["Properties"].get("spark.job.description", "")
                names |= dict.fromkeys(event["Stage IDs"], name)
            elif '"SparkListenerTaskEnd"' in line:
                event = json.loads(line)
                written = (event.get("Task Metrics") or {}).get("Shuffle Write Metrics") or {}
                sizes[names.get(event["Stage ID"], "")] += written.get("Shuffle Bytes Written", 0)
    return sizes


def by_stage(stages: Path, count: int, watch: Watch, moved: Counter[str]) -> None:
    """Print what each stage took, its bytes for each document, and the peak while it ran.

    Of stages that an earlier run has done there are bytes alone.
    """
    print(
        f"  {'stage':20}{'seconds':>9}   of processors: driver, java, workers"
        "   bytes each: written, shuffled   MB: driver, java, workers"
    )
    before = 0.0
    for nth, manifest in enumerate(manifests(stages)):
        name, at = manifest.parent.name, manifest.stat().st_mtime
        size = sum(each.stat().st_size for each in manifest.parent.glob("*.parquet"))
        seconds = f"{at - before:.1f}" if before and nth in watch.spent else ""
        row(name, seconds, nth, watch, f"{size / count:10,.0f} {moved[name] / count:10,.0f}")
        before = at
    row("report", "", len(manifests(stages)), watch, "")


def row(name: str, seconds: str, nth: int, watch: Watch, sizes: str) -> None:
    spent = figures(watch.spent_in(nth), 1) if nth in watch.spent else ""
    peak = figures(watch.by_stage[nth], 0) if nth in watch.by_stage else ""
    print(f"  {name:20}{seconds:>9}   {spent:29}{sizes:>31}   {peak}".rstrip(), flush=True)


def figures(found: Figures, decimals: int) -> str:
    return " ".join(f"{each:9,.{decimals}f}" for each in found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.spark")
    parser.add_argument("folder", type=Path, help="real programs")
    parser.add_argument("counts", type=int, nargs="+", metavar="count", help="of documents")
    parser.add_argument("--spark-alone", action="store_true", help="do not run the local engine")
    parser.add_argument(
        "--keep", type=Path, help="keep documents and stages here; a run that was killed goes on"
    )
    given = parser.parse_args()
    sources = sorted(each for each in given.folder.rglob("*") if each.is_file())
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    for count in given.counts:
        with ExitStack() as stack:
            kept = given.keep and given.keep / str(count)
            work = kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            measured(sources, count, work, is_spark_alone=given.spark_alone)


if __name__ == "__main__":
    main()
