"""Files that are read again: what is no JSON, another JSON or not there is one line."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mosslite.errors import InputError
from mosslite.report.baseline import read_baseline
from mosslite.report.results import read_results
from mosslite.report.review import read_marks

READERS: dict[str, Callable[[Path], object]] = {
    "review": read_marks,
    "baseline": read_baseline,
    "file of results": read_results,
}


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"null", b"{", b"\xff\xfe\0", b"[" * 100_000, b"9" * 10_000, b"{1: NaN}"],
)
def test_what_is_no_json_of_a_kind_is_refused(tmp_path: Path, kind: str, content: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)

    with pytest.raises(InputError, match=f"is not a {kind}: "):
        READERS[kind](path)


@pytest.mark.parametrize("kind", ["review", "baseline"])
def test_what_is_missing_or_a_folder_cannot_be_read(tmp_path: Path, kind: str) -> None:
    for name, why in (("none.json", "no such file or directory"), ("", "is a directory")):
        with pytest.raises(InputError, match=rf"^cannot read the {kind} '.*': {why}$"):
            READERS[kind](tmp_path / name)
