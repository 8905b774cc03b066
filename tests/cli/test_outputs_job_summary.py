from pathlib import Path

import pytest

from mosslite.cli.outputs import append_to_job_summary, is_job_summary
from mosslite.errors import OutputError


@pytest.mark.parametrize("value", [None, ""])
def test_without_a_page_nothing_is_written(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    if value is not None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", value)
    append_to_job_summary("## mosslite\n")

    assert list(tmp_path.iterdir()) == []


def test_a_page_that_cannot_be_written_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    with pytest.raises(OutputError, match=r"\(GITHUB_STEP_SUMMARY\): is a directory$"):
        append_to_job_summary("## mosslite\n")


def test_the_page_is_known_by_whatever_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert is_job_summary("summary.md")
    assert not is_job_summary("other.md")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert not is_job_summary("")
