"""What CONTRIBUTING.md says is so, and its recipes work."""

import re
import shutil
from pathlib import Path

import pytest

from tests.checkouts import ROOT, copy_of_all, shell

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.*?)\n(.*?)(?=^### |\Z)", PAGE, re.M | re.S))
EXAMPLES = {title: re.findall(r"git apply (\S+)", text, re.M)[0] for title, text in RECIPES.items()}
NEW_FILES = {
    path
    for example in EXAMPLES.values()
    for path in re.findall(
        r"^--- /dev/null\n\+\+\+ b/(.*)$", (ROOT / example).read_text(encoding="utf-8"), re.M
    )
}
# What is written as code in the text, not in the blocks.
WORDS = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", PAGE, flags=re.M | re.S))
PATHS = sorted({word for word in WORDS if re.match(r"(mosslite|tests|templates)/[\w./*]*$", word)})
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="Git applies the examples")


def commands_in(text: str) -> list[str]:
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


COMMANDS = commands_in(PAGE.split("## Recipes\n")[0])


def own(command: str) -> str:
    """Run a tool of this environment on the tree that is the current folder."""
    return re.sub(r"\.venv/bin/(?:python\b|(\w+))", _module, command)


def _module(found: re.Match[str]) -> str:
    return f"python -m {found[1]}" if found[1] else "python"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the tree to where Git sees no repository around it."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return copy_of_all(tmp_path)


def test_each_path_that_is_named_exists() -> None:
    assert [path for path in PATHS if path not in NEW_FILES and not list(ROOT.glob(path))] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [each for each in COMMANDS if re.search(r"pytest -q.* tests/(?!laws)", each)]
)
def test_each_command_for_some_tests_finds_them(command: str) -> None:
    asked = (
        own(command.split("#", maxsplit=1)[0]).replace("--update", "")
        + " --collect-only -p no:cacheprovider"
    )

    done = shell(asked, ROOT)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[1-9]\d*(/\d+)? tests collected", done.stdout)


@pytest.mark.slow
@needs_git
@pytest.mark.parametrize("title", RECIPES)
def test_a_recipes_example_works_as_its_commands_show(title: str, copy: Path) -> None:
    printed = ""
    for command in commands_in(RECIPES[title]):
        done = shell(own(command), copy)
        assert done.returncode == 0, done.stdout + done.stderr
        printed = done.stdout

    (expected,) = re.findall(r"^Expect .*?`(.*)`\.$", RECIPES[title], re.M)
    assert expected in printed


@needs_git
@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_names_each_file_that_its_example_changes_and_keeps_it_in_style(
    title: str, copy: Path
) -> None:
    example = (ROOT / EXAMPLES[title]).read_text(encoding="utf-8")
    changed = re.findall(r"^\+\+\+ b/(.*)$", example, re.M)

    assert [path for path in changed if f"`{path}`" not in RECIPES[title]] == []
    assert shell(f"git apply {EXAMPLES[title]}", copy).returncode == 0
    files = " ".join(changed)
    done = shell(f"python -m ruff check {files} && python -m ruff format --check {files}", copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@needs_git
@pytest.mark.parametrize("title", [each for each in RECIPES if "law" not in each])
def test_the_tests_of_an_example_fail_without_the_rest_of_it(title: str, copy: Path) -> None:
    (command,) = (each for each in commands_in(RECIPES[title]) if "pytest" in each)

    assert shell(f"git apply --include 'tests/*' {EXAMPLES[title]}", copy).returncode == 0
    assert shell(f"{own(command)} -x", copy).returncode in {1, 2}
