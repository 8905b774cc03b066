import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.programs import PRIMES, QUEUE, TEMPLATE, WORDS, write_files

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


def results(folder: Path, arguments: Sequence[str], *, seed: int) -> dict[str, bytes]:
    """Run the command line in a process of its own and give every file it writes."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [
        sys.executable, "-m", "mosslite", *arguments,
        "-o", "out", "--json", "out/data.json", "--csv", "out/data.csv",
    ]  # fmt: skip
    environment = os.environ | {"PYTHONHASHSEED": str(seed), "SOURCE_DATE_EPOCH": "1795257000"}
    done = subprocess.run(
        command, check=True, cwd=folder, env=environment, capture_output=True, timeout=120
    )
    paths = sorted(path for path in (folder / "out").rglob("*") if path.is_file())
    written = {str(path.relative_to(folder)): path.read_bytes() for path in paths}
    return written | {"standard output": done.stdout, "standard error": done.stderr}


@pytest.mark.parametrize("language", ["java", pytest.param("prose", marks=pytest.mark.slow)])
def test_hash_seed_jobs_and_order_of_arguments_change_no_byte(
    tmp_path: Path, language: str
) -> None:
    shutil.copytree(SAMPLES / language, tmp_path / language)
    submissions = sorted(str(path) for path in (tmp_path / language / "submissions").iterdir())
    submissions = [os.path.relpath(path, tmp_path) for path in submissions]
    base = ["-b", f"{language}/template"]
    first = results(tmp_path, [*submissions, *base, "-j1", "-n20"], seed=0)
    assert "out/pairs/1.html" in first
    for seed, order in ((1, submissions[::-1]), (2, submissions[7:] + submissions[:7])):
        assert results(tmp_path, [*order, *base, f"-j{seed + 1}", "-n20"], seed=seed) == first


def test_worker_processes_change_no_byte(tmp_path: Path) -> None:
    # The remark makes it enough text to be worth workers.
    pieces, remark = (PRIMES, QUEUE, TEMPLATE, WORDS), f"# {'blah ' * 10_000}\n"
    for number in range(12):
        mixed = [pieces[number * place % 4] for place in range(5)]
        write_files(tmp_path, {f"hw/{number}.py": remark + "\n".join(mixed)})
    assert sum(path.stat().st_size for path in (tmp_path / "hw").iterdir()) > 500_000
    alone = results(tmp_path, ["hw", "-j1", "-n9"], seed=1)
    assert results(tmp_path, ["hw", "-j4", "-n9"], seed=2) == alone


@pytest.mark.slow
def test_with_directories_prior_and_base_code_the_order_changes_no_byte(tmp_path: Path) -> None:
    files = {
        "ann/b.py": QUEUE, "ann/a.py": PRIMES, "bob/a.py": QUEUE + WORDS, "cy/x.py": PRIMES,
        "2024/ann.py": QUEUE, "2025/ann.py": PRIMES, "s1.py": TEMPLATE, "s2.py": "x = 1\n",
    }  # fmt: skip
    write_files(tmp_path, files)
    others = ["--prior", "2024", "--prior", "2025", "-b", "s1.py", "-b", "s2.py", "-d"]
    current = ["ann/b.py", "ann/a.py", "./ann/a.py", "bob/a.py", "cy/x.py", "gone.py"]
    forward = results(tmp_path, [*current, *others], seed=1)
    others = ["-d", "-b", "s2.py", "-b", "s1.py", "--prior", "2025", "--prior", "2024"]
    assert results(tmp_path, [*others, *reversed(current)], seed=2) == forward
