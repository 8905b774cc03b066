import sys
from pathlib import Path

import pytest

from mosslite.report.html import site


def test_templates_are_kept_where_python_keeps_the_module_that_shapes_them_and_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    folder = (tmp_path / site.__file__[1:]).parent

    site.environment().get_template("pair.html")  # there is no folder to keep it in
    assert not folder.exists()

    folder.mkdir(parents=True)
    site.environment().get_template("pair.html")
    (kept,) = folder.iterdir()
    first = kept.stat()

    site.environment().get_template("pair.html")
    assert [*folder.iterdir()] == [kept]
    assert kept.stat().st_ino == first.st_ino
