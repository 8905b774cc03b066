"""Modules next to submissions, or in them, are never imported."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Collection
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest

from tests.jobs import EXAMPLES, ROOT, Job, from_yaml, hook_command, run_action, step_of
from tests.programs import QUEUE, write_files

# It leaves a mark beside itself, and ends the process as one that has found nothing.
EVIL: Final = 'open(__file__ + ".ran", "w").close()\nraise SystemExit(0)\n'

NOT_INSTALLED: Final = ("pip", "sitecustomize", "usercustomize", "toylang", "evil_build")
PACKAGES: Final = ("mosslite", "pip", "click", "numpy", "multiprocessing", "encodings")

POINTS: Final = """\
[mosslite.frontends]
python = toylang:read
[pygments.lexers]
python = toylang:Lexer
[console_scripts]
mosslite = toylang:main
"""
METADATA: Final = "Metadata-Version: 2.1\nName: mosslite\nVersion: 99\n"
OTHERS: Final = {
    "toylang-1.0.dist-info/METADATA": METADATA,
    "toylang-1.0.dist-info/entry_points.txt": POINTS,
    "toylang.egg-info/PKG-INFO": METADATA,
    "toylang.egg-info/entry_points.txt": POINTS,
    "evil.pth": "import toylang\n",
    "pyvenv.cfg": "home = .\ninclude-system-site-packages = true\n",
    ".venv/pyvenv.cfg": "home = .\n",
    ".venv/bin/python": "#!/bin/sh\nexit 0\n",
    "pip.conf": "[global]\nindex-url = http://127.0.0.1:9/\n",
    "setup.cfg": "[install]\nprefix = .\n",
    "setup.py": EVIL,
    "conftest.py": EVIL,
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "evil_build"\n'
    'backend-path = ["."]\n',
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the jobs are for bash")


def plant(folder: Path, *, but: Collection[str] = ()) -> None:
    """Put there whatever Python or pip could take, unless it is known that nobody can help it."""
    known = {*sys.stdlib_module_names, *packages_distributions(), *NOT_INSTALLED}
    modules = [name for name in known if name.isidentifier() and name not in but]
    packages = [name for name in PACKAGES if name not in but]
    files = {f"{name}.py": EVIL for name in modules if name not in packages}
    files |= {f"{name}/{part}.py": EVIL for name in packages for part in ("__init__", "__main__")}
    write_files(folder, OTHERS | files)


def marks(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.ran"))


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A checkout with two copies, and with modules that a student has put beside them."""
    made = Job(tmp_path / "checkout", tmp_path / "temp")
    made.temp.mkdir()
    texts = {"submissions/ann/queue.py": QUEUE, "submissions/bob/queue.py": QUEUE}
    write_files(made.checkout, texts)
    plant(made.checkout)
    return made


def test_the_action_compares_by_its_own_modules(job: Job) -> None:
    assert run_action(job, baseline="") == 1
    assert marks(job.checkout) == []


def test_the_hook_compares_by_its_own_modules(job: Job) -> None:
    assert job.run(hook_command()) == 1
    assert marks(job.checkout) == []


def test_the_job_for_gitlab_compares_by_its_own_modules(job: Job) -> None:
    _install, compare = from_yaml(EXAMPLES / "gitlab.yml")["similarity"]["script"]
    assert job.run(compare.replace("--baseline baseline.json", "")) == 1
    assert marks(job.checkout) == []


def test_the_console_script_imports_nothing_of_the_current_folder(job: Job) -> None:
    options = "-j 2 --no-cache --moss-html moss --anonymize key.csv"
    command = f"mosslite check submissions --fail-above 80 {options}"
    assert job.run(command, PYTHONPATH="") == 1
    assert marks(job.checkout) == []


@pytest.mark.skipif(find_spec("pip") is None, reason="this Python has no pip")
@pytest.mark.parametrize("where", ["the action", "GitLab"])
def test_what_installs_mosslite_is_not_of_the_checkout(job: Job, where: str) -> None:
    wheel = job.temp / "mosslite-99-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("mosslite-99.dist-info/METADATA", METADATA)
        packed.writestr("mosslite-99.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        packed.writestr("mosslite-99.dist-info/RECORD", "")
    steps = from_yaml(ROOT / "action.yml")["runs"]["steps"]
    install, _compare = from_yaml(EXAMPLES / "gitlab.yml")["similarity"]["script"]
    if where == "the action":
        install = step_of(steps, "Install mosslite")["run"]
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(job.temp), "PIP_CONFIG_FILE": os.devnull}
    settings |= {
        "PIP_TARGET": str(job.temp / "site"),
        "GITHUB_ACTION_PATH": str(wheel),
        "MOSSLITE": str(wheel),
    }
    assert job.run(install, **settings) == 0
    assert (job.temp / "site" / "mosslite-99.dist-info").is_dir()
    assert marks(job.checkout) == []


def test_every_command_of_our_files_for_ci_starts_python_without_the_current_folder() -> None:
    scripts = [
        step["run"]
        for path in (ROOT / "action.yml", EXAMPLES / "github.yml")
        for step in _steps(from_yaml(path))
        if "run" in step
    ]
    scripts += from_yaml(EXAMPLES / "gitlab.yml")["similarity"]["script"]
    words = " ".join([*scripts, hook_command()]).split()
    starts = [words[at + 1] for at, word in enumerate(words) if word.startswith("python")]
    assert starts == ["-I"] * 5


def _steps(content: dict[str, Any]) -> list[dict[str, str]]:
    """Return all steps of an action or of the one job of a workflow."""
    runs = content.get("runs") or content["jobs"]["compare"]
    found: list[dict[str, str]] = runs["steps"]
    return found


@pytest.fixture
def modules_before_any_program(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What no program can help: what ``python -m`` has imported before its first line."""
    folder = tmp_path_factory.mktemp("empty")
    write_files(folder, {"program.py": "import sys\nprint(*sys.modules)\n"})
    command = [sys.executable, "-m", "program"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_a_module_of_that_name_in_a_folder_of_submissions_is_compared_not_imported(
    tmp_path: Path, modules_before_any_program: set[str]
) -> None:
    plant(tmp_path, but={"mosslite", *modules_before_any_program})
    write_files(tmp_path, {"ann/queue.py": QUEUE, "bob/queue.py": QUEUE})
    done = subprocess.run(
        [sys.executable, "-m", "mosslite", "ann", "bob", "--fail-above", "80", "--no-cache"],
        cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (marks(tmp_path), done.returncode, done.stderr) == ([], 1, "")


COMMAND_LINE: Final = "from mosslite.cli import main\n    main()"
LIBRARY: Final = (
    "import mosslite\n"
    "    found = mosslite.check(['ann', 'bob'], options=mosslite.Options(jobs=2))\n"
    "    raise SystemExit(len(found.pairs))"
)


@pytest.mark.parametrize(
    ("how", "work"), [("fork", COMMAND_LINE), ("spawn", LIBRARY), ("forkserver", COMMAND_LINE)]
)
def test_worker_processes_import_nothing_of_the_current_folder(
    tmp_path: Path, how: str, work: str
) -> None:
    program = (
        "if __name__ == '__main__':\n    import multiprocessing\n"
        f"    multiprocessing.set_start_method({how!r})\n    {work}\n"
    )
    large = "\n".join(f"{QUEUE}\ndef f{n}(a):\n    return a + {n}" for n in range(150))
    files = {"trusted/program.py": program, "hw/ann/a.py": large, "hw/bob/b.py": large}
    write_files(tmp_path, files)
    plant(tmp_path / "hw")
    arguments = ["ann", "bob", "--fail-above", "80", "--no-cache", "-j2", "--no-html"]
    done = subprocess.run(
        [sys.executable, str(tmp_path / "trusted" / "program.py"), *arguments],
        cwd=tmp_path / "hw", check=False, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert (marks(tmp_path), done.returncode, done.stderr) == ([], 1, "")


def test_a_program_that_checks_can_start_others_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    program = (
        "import os, mosslite\n"
        "if __name__ == '__main__':\n"
        "    mosslite.check(['ann', 'bob'], options=mosslite.Options(jobs=2))\n"
        "    raise SystemExit('PYTHONSAFEPATH' in os.environ)\n"
    )
    write_files(tmp_path, {"program.py": program, "ann/a.py": QUEUE, "bob/b.py": QUEUE})
    command = [sys.executable, "program.py"]
    assert subprocess.run(command, cwd=tmp_path, check=False, timeout=60).returncode == 0
