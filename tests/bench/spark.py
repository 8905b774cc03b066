"""What both engines take for so many documents: ``python -m tests.bench.spark FOLDER COUNT...``.

FOLDER has real programs, from which as many are made as are asked for: each is a real one in which
numbers and names were changed and lines of others put in, one in fifty is a copy of another.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import perf_counter
from typing import NamedTuple

_NAME = re.compile(r"\b[a-z_]\w{2,}\b")
_PAGE = os.sysconf("SC_PAGE_SIZE") / 1e6 if hasattr(os, "sysconf") else 0.0


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


class Peak(NamedTuple):
    """Megabytes at the same moment, by kind of process, where their sum was largest."""

    driver: float = 0.0
    java: float = 0.0
    workers: float = 0.0


class Watch(Thread):
    """Looks once a second at what a process and all below it hold, and during which stage."""

    def __init__(self, root: int, stages: Path | None) -> None:
        super().__init__(daemon=True)
        self.peak, self.is_done, self._root = Peak(), Event(), root
        self.driver, self._stages = 0.0, stages
        self.by_stage: dict[int, Peak] = {}

    def run(self) -> None:
        while not self.is_done.wait(1.0):
            now, done = self._now(), len(manifests(self._stages))
            self.driver = max(self.driver, now.driver)
            self.peak = max(self.peak, now, key=sum)
            self.by_stage[done] = max(self.by_stage.get(done, Peak()), now, key=sum)

    def _now(self) -> Peak:
        sizes = dict.fromkeys(("driver", "java", "workers"), 0.0)
        for process in descendants(self._root):
            kind = "driver" if process == self._root else kind_of(process)
            sizes[kind] += megabytes(process)
        return Peak(**sizes)


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


def timed(batch: Path, *arguments: str, stages: Path | None = None) -> tuple[float, Watch]:
    """Run a check, and return its seconds and what was seen of it."""
    command = [sys.executable, "-m", "mosslite", "check", str(batch), "-q", "--no-html"]
    start = perf_counter()
    running = subprocess.Popen([*command, "--no-cache", "--time-limit", "60", *arguments])
    watch = Watch(running.pid, stages)
    watch.start()
    if running.wait():
        sys.exit(1)
    seconds = perf_counter() - start
    watch.is_done.set()
    watch.join()
    return seconds, watch


def measured(sources: list[Path], count: int, work: Path) -> None:
    """Print what both engines take for so many documents, and stage by stage for Spark."""
    batch, stages, log = work / "batch", work / "stages", work / "log"
    for folder in (batch, log):
        folder.mkdir()
    write_documents(sources, count, batch)
    flat = ["--name-pattern", r"\d+/(?P<name>\d+)"]
    spark = ["--engine", "spark", "--master", "local[2]", "--stages", str(stages)]
    for setting in ("enabled=true", "compress=false", f"dir={log}"):
        spark += ["--spark-conf", f"spark.eventLog.{setting}"]
    result = work / "spark.json"
    seconds, watch = timed(batch, *flat, *spark, "--json", str(result), stages=stages)
    print(f"{count:,} documents, spark: {told(seconds, watch)}", flush=True)
    by_stage(stages, count, watch, shuffled(log))
    seconds, watch = timed(batch, *flat, "--json", str(work / "local.json"))
    print(f"{count:,} documents, local: {told(seconds, watch)}", flush=True)
    are_equal = same(work / "local.json", result)
    print("the same bytes" if are_equal else "DIFFERENT", flush=True)


def same(left: Path, right: Path) -> bool:
    return left.read_bytes() == right.read_bytes()


def told(seconds: float, watch: Watch) -> str:
    parts = ", ".join(f"{name} {size:,.0f}" for name, size in watch.peak._asdict().items() if size)
    return f"{seconds:,.1f} s, peak (MB) {parts}; driver alone {watch.driver:,.0f}"


def shuffled(log: Path) -> Counter[str]:
    """Return the bytes that were shuffled for each of our stages, as Spark's log of events says."""
    sizes, names = Counter[str](), dict[int, str]()
    for path in sorted(log.rglob("events*")):
        for line in path.read_text("utf-8").splitlines():
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
    """Print the time of each stage, its bytes for each document, and the peak while it ran."""
    done = manifests(stages)
    before = done[0].stat().st_mtime
    print(
        "  stage                seconds    bytes each: written, shuffled  MB: driver, java, workers"
    )
    for nth, manifest in enumerate(done):
        name, at = manifest.parent.name, manifest.stat().st_mtime
        size = sum(each.stat().st_size for each in manifest.parent.glob("*.parquet"))
        peak = " ".join(f"{each:7,.0f}" for each in watch.by_stage.get(nth, Peak()))
        moves = moved[name] / count
        print(f"  {name:20} {at - before:8.1f} {size / count:10,.0f} {moves:10,.0f}   {peak}")
        before = at
    peak = " ".join(f"{each:7,.0f}" for each in watch.by_stage.get(len(done), Peak()))
    print(f"  {'report':20} {'':30}   {peak}", flush=True)


def main() -> None:
    folder, *counts = sys.argv[1:]
    sources = sorted(each for each in Path(folder).rglob("*") if each.is_file())
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    for count in counts:
        with tempfile.TemporaryDirectory() as work:
            measured(sources, int(count), Path(work))


if __name__ == "__main__":
    main()
