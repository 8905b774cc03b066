"""The workflow for code hosts tries what pyproject.toml promises, by the README's own command."""

import tomllib

import yaml

from tests.test_readme import ROOT, TEST_COMMAND

WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def commands_of(job: str) -> list[str]:
    return [step["run"] for step in WORKFLOW["jobs"][job]["steps"] if "run" in step]


def test_the_plain_tests_are_run_on_three_systems() -> None:
    systems = WORKFLOW["jobs"]["plain"]["strategy"]["matrix"]["system"]

    assert systems == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_each_version_of_python_from_the_first_that_is_promised_is_tried() -> None:
    versions = WORKFLOW["jobs"]["plain"]["strategy"]["matrix"]["python"]
    minors = [int(version.removeprefix("3.")) for version in versions]

    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert minors == list(range(minors[0], minors[-1] + 1))


def test_what_is_installed_and_run_is_what_the_readme_says() -> None:
    install, test = commands_of("plain")

    assert "pip install -q -e '.[dev]'" in TEST_COMMAND
    assert "pip install -q -e .[dev]" in install
    assert TEST_COMMAND.rpartition("/")[2] in test


def test_one_job_runs_everything_that_a_change_must_pass() -> None:
    assert commands_of("everything") == [".ci/run"]
    assert (ROOT / ".ci/run").is_file()
