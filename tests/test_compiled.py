import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2.ext import Extension

from mosslite.report.html import site
from mosslite.report.html.site import CompiledTemplates, compiled_templates
from tests.builders import LAW

NAMES = "{% for each in names %}<b>{{ each }}</b>{% endfor %}"


class Counted(Extension):
    """Counts the templates that are compiled."""

    count = 0

    def preprocess(self, source: str, _name: str | None, _filename: str | None = None) -> str:
        self.count += 1
        return source


def compiled_by(folder: Path, *, words: str = "", shaped_by: str = "1") -> int:
    """Render a page with these words, and return how often it was compiled for that."""
    pages = jinja2.Environment(
        autoescape=True,
        loader=jinja2.DictLoader({"page": words + NAMES}),
        bytecode_cache=CompiledTemplates(folder, shaped_by),
    )
    counted = Counted(pages)
    pages.extensions = {"counted": counted}

    shown = pages.get_template("page").render(names=["ada", "b<n"])

    assert shown == f"{words}<b>ada</b><b>b&lt;n</b>"
    return counted.count


@pytest.fixture(autouse=True)
def _python_keeps_what_it_compiles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", False)
        yield


def test_what_was_compiled_is_not_compiled_again(tmp_path: Path) -> None:
    assert [compiled_by(tmp_path) for _ in range(3)] == [1, 0, 0]


def test_it_is_compiled_again_where_it_or_what_shapes_it_has_changed(tmp_path: Path) -> None:
    compiled_by(tmp_path)
    assert compiled_by(tmp_path, words="new") == 1
    assert compiled_by(tmp_path, words="new", shaped_by="2") == 1
    assert compiled_by(tmp_path, words="new", shaped_by="2") == 0


@LAW
@given(st.data())
def test_what_is_damaged_is_compiled_again(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        compiled_by(Path(folder))
        (kept,) = Path(folder).iterdir()
        content = bytearray(kept.read_bytes())
        place = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[place] ^= data.draw(st.integers(1, 255))
        else:
            del content[place:]
        kept.write_bytes(content)

        assert compiled_by(Path(folder)) == 1
        assert compiled_by(Path(folder)) == 0


def test_the_templates_of_pages_are_kept_where_python_keeps_the_module_that_shapes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    module = tmp_path / site.__file__[1:]
    module.parent.mkdir(parents=True)

    site.environment().get_template("pair.html")

    (kept,) = module.parent.iterdir()
    assert kept.suffix == ".template"


def test_without_the_module_that_shapes_them_no_templates_are_kept(tmp_path: Path) -> None:
    assert compiled_templates(str(tmp_path / "missing.py")) is None
