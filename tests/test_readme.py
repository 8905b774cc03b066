"""What the README shows is what happens."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from mosslite.frontends import tokenize
from mosslite.languages import find_language
from mosslite.winnowing.winnow import kgram_hashes, robust_winnow
from tests.checkouts import ROOT, copy_of_all, shell
from tests.conftest import Run
from tests.programs import write_files

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = "".join(page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs").glob("*.md")))
PYTHON_PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
CONSOLE_BLOCKS = re.findall(r"^```console\n\$ (.*?)\n(.*?)```$", README, re.M | re.S)
PYTHON_BLOCKS = re.findall(r"^```python\n(.*?)```$", PYTHON_PAGE, re.M | re.S)
TOML_BLOCKS = re.findall(r"^```toml\n(.*?)```$", PYTHON_PAGE, re.M | re.S)
(MAIN_JOB, SHOWN_OUTPUT), (TEST_COMMAND, _) = CONSOLE_BLOCKS


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy what a user gets, without what has been built or run in it."""
    return copy_of_all(tmp_path)


def test_the_main_job_prints_what_is_shown(checkout: Path) -> None:
    job = MAIN_JOB.split(" && ")[-1].replace(".venv/bin/mosslite", "python -m mosslite")

    done = shell(job, checkout)

    assert done.stdout == SHOWN_OUTPUT
    assert (checkout / "mosslite-report" / "index.html").is_file()


@pytest.mark.slow
def test_the_command_of_the_first_screen_sets_up_and_runs_the_main_job(checkout: Path) -> None:
    done = shell(MAIN_JOB, checkout)

    assert done.stdout.endswith(SHOWN_OUTPUT), done.stderr


def test_ci_runs_the_test_command_as_it_is_shown() -> None:
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def with_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive and results as JSON, which the examples in Python read."""
    folder = copy_of_all(tmp_path_factory.mktemp("readme"))
    with_cache = f"export MOSSLITE_CACHE_DIR={folder.parent}/cache; "
    sample = "samples/python/submissions"
    add = f"python -m mosslite archive add cs101.mosslite --term 2025-autumn {sample}"
    assert shell(f"{with_cache}{add} -b samples/python/template", folder).returncode == 0
    check = f"python -m mosslite {sample} -q --no-html --json results.json"
    assert shell(with_cache + check, folder).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("example", "printed"),
    list(
        zip(
            PYTHON_BLOCKS[:-1],
            (
                r"(\S+ \S+ (0\.\d+|1\.0)\n){3}",
                r"fenna\.py and tibor\.py: score 0\.\d\d\n(fenna\.py, lines \d+ to \d+: \d+ .*\n)+",
                r"(\S+ \S+ 0\.\d+\n){3}",
                r"2025-autumn corin\.py: \d+%\n2025-autumn lorcan\.py: \d+%\n17 submissions\n",
            ),
            strict=True,
        )
    ),
)
def test_the_python_examples_print_what_they_say(
    with_archive: Path, example: str, printed: str
) -> None:
    (with_archive / "example.py").write_text(example, encoding="utf-8")

    done = shell("python example.py", with_archive)

    assert re.fullmatch(printed, done.stdout), done.stdout + done.stderr


def test_the_front_end_of_ones_own_reads_its_files_once_it_is_installed(tmp_path: Path) -> None:
    metadata = tomllib.loads(TOML_BLOCKS[-1])["project"]
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in metadata["entry-points"].items()
    )
    statements = [f"let v{n} be {n} + {word}({n})" for n, word in enumerate("abcdefgh")]
    renamed = [line.replace("v", "w") + " # mine" for line in statements]
    files = {
        "minilang.py": PYTHON_BLOCKS[-1],
        "minilang-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: minilang\nVersion: 1.0\n",
        "minilang-1.0.dist-info/entry_points.txt": points,
        "hw/ann.mini": "\n".join(statements),
        "hw/bob.mini": "\n".join(renamed),
    }
    write_files(tmp_path, files)

    done = shell("PYTHONPATH=.:$PYTHONPATH python -m mosslite hw --no-html -q --json -", tmp_path)

    results = json.loads(done.stdout)
    assert [each["languages"] for each in results["submissions"]] == [["minilang"], ["minilang"]]
    assert [pair["similarity"] for pair in results["pairs"]] == [1]
    assert results["warnings"] == []


def test_the_commands_listed_for_use_name_real_options(run: Run) -> None:
    # What stands in the rows of the table about other tools are their options.
    own = re.sub(r"^\|.*$|^```.*?^```$", "", README + PAGES, flags=re.M | re.S)
    shown = set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", own))
    commands = (
        *("check", "query", "archive add", "archive remove", "archive rebuild"),
        *("baseline update", "import-moss", "import-jplag", "report", "lab density"),
    )
    accepted = "".join(run(*each.split(), "--help").out for each in commands)

    not_ours = {"-q", "-e", "-m", "--help"}
    assert {option for option in shown - not_ours if option not in accepted} == set()


def test_the_ten_tokens_of_the_architecture_go_through_all_stages_as_shown() -> None:
    shown = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    python = find_language("python")

    stream, *_ = tokenize("x = f(a, b + 1)", python)
    renamed, *_ = tokenize("result = add(first, second + 25)", python)
    hashes = kgram_hashes(stream.codes, 4)
    digits = [f"{code:016x}"[:3] for code in hashes.tolist()]

    assert len(stream) == 10
    assert stream.codes.tolist() == renamed.codes.tolist()
    assert "   ".join(digits) in shown
    for position in robust_winnow(hashes, 3).tolist():
        assert f"[{digits[position]}, {position}]" in shown
