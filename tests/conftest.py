"""What the tests of whole runs share."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partialmethod
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import settings

from mosslite.cli import main
from mosslite.options import Options
from mosslite.spark.session import SparkError, require_spark
from tests.programs import PRIMES, QUEUE, WORDS, write_files

SAMPLES = Path(__file__).parents[1] / "samples"
LABELLED_COPIES = {("hana", "lena"), ("bruno", "nadia")}
ADD = ("archive", "add", "a.mosslite", "--term", "2025")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the command line left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]

_NUMBERS = count()

# A few examples of each law; ``--hypothesis-profile=full`` tries all.
settings.register_profile("few", max_examples=20, deadline=None)
settings.register_profile("full", max_examples=100, deadline=None)
settings.load_profile("few")

# Some machines set it for all of Python. Hundreds of processes start in these tests, and each would
# compile all modules and templates.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the goldens of the tests")


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep nothing where the user's own runs do, nor take anything from there."""
    folder = tmp_path_factory.getbasetemp() / f"cache-{next(_NUMBERS)}"  # made when it is used
    monkeypatch.setenv("MOSSLITE_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(scope="session")
def spark_or_skip() -> None:
    if os.name == "nt":
        pytest.skip("not on Windows")
    try:
        require_spark()
    except SparkError as error:
        pytest.skip(str(error))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process, in an empty folder, at the beginning of 1970.

    Without ``-j``, its lexers run in this process, too: a pool of workers takes longer to start
    than most of these batches take.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # which a run sets for good
    monkeypatch.delenv("MOSSLITE_LOCALE", raising=False)

    own_defaults = Options.__init__

    def run_main(*arguments: str | Path) -> Outcome:
        words = ["mosslite", *(os.fspath(each) for each in arguments)]
        monkeypatch.setattr(sys, "argv", words)
        has_workers = any(word.startswith(("-j", "--jobs")) for word in words)
        defaults = partialmethod(own_defaults, uses_workers=has_workers)
        monkeypatch.setattr(Options, "__init__", defaults)
        before = signal.getsignal(signal.SIGINT)
        try:
            with pytest.raises(SystemExit) as left:
                main()
        finally:
            signal.signal(signal.SIGINT, before)  # a process that ends is deaf, unlike this one
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Outcome(left.value.code, captured.out, captured.err)

    return run_main


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def copies(tmp_path: Path) -> None:
    """Two files that are copies of each other but for a comment, and one that is not."""
    write_files(tmp_path, {"a.py": QUEUE, "b.py": f"# my own work\n{QUEUE}", "c.py": PRIMES})


@pytest.fixture
def filled(run: Run, tmp_path: Path) -> Path:
    """Return an archive of three submissions."""
    write_files(tmp_path, {"old/ann.py": QUEUE, "old/bob.py": PRIMES, "old/cid/x.py": WORDS})
    assert run(*ADD, "old").out == "added: 3 submissions to 2025\n"
    return tmp_path / "a.mosslite"


@pytest.fixture
def labelled_set(tmp_path: Path) -> Path:
    """Return a folder of six programs in Java, and labels of all their pairs."""
    folder = tmp_path / "class"
    (folder / "files").mkdir(parents=True)
    names = sorted({name for pair in LABELLED_COPIES for name in pair} | {"goran", "ines"})
    for name in names:
        sources = (SAMPLES / "java" / "submissions" / name).glob("*.java")
        largest = min(sources, key=lambda path: -path.stat().st_size)
        shutil.copy(largest, folder / "files" / f"{name}.java")
    rows = [
        f"lot,{right}.java,{left}.java,{int((left, right) in LABELLED_COPIES)},x"
        for left, right in combinations(names, 2)
    ]
    text = "\n".join(["task,a,b,label,kind", *rows, ""])
    (folder / "pairs.csv").write_text(text, encoding="utf-8")
    return folder
