"""The folder of page templates and the Jinja environment that renders them."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jinja2
from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape

from mosslite.display import (
    character_name,
    code_point,
    counted,
    hundredths,
    name_parts,
    percent,
    spelled_out,
)
from mosslite.report.disguises import counted_disguises
from mosslite.report.html.compiled import compiled_templates
from mosslite.report.whereabouts import whereabouts
from mosslite.report.words import moment

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

    from jinja2 import nodes
    from jinja2.compiler import Frame

__all__ = ["environment", "template_root"]

# Names, mostly: all of a large batch.
_MOST_KEPT: Final = 1 << 16

# Words that stand on every page, and whatever was printed last.
_MOST_SHOWN: Final = 1 << 12


class _Generator(CodeGenerator):
    """Lets a page call ``shown`` for whatever it prints, which saves it two calls.

    Should Jinja come to write its code in another way, ``finalize`` and ``escape`` do the same.
    """

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if _is_escaped(frame):
            self.write("environment.shown(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if _is_escaped(frame):
            self.write(")")
        else:
            super()._output_child_post(node, frame, finalize)


class _Pages(jinja2.Environment):
    """Makes pages, with ``finalize`` and ``escape`` as one step."""

    code_generator_class = _Generator

    @staticmethod
    def shown(value: object) -> str:
        """Make a value visible and safe; the signs of a number are."""
        if isinstance(value, Markup):
            return value
        if type(value) is str:
            return _shown_text(value)
        return str(value) if isinstance(value, (int, float)) else escape(_finalize(value))


def template_root() -> Traversable:
    """Return the folder of report templates.

    A wheel carries it as ``mosslite/templates``; a checkout keeps it beside the package.
    """
    packaged = files("mosslite") / "templates"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parents[3] / "templates"


def environment() -> jinja2.Environment:
    """Prepare to render pages; whatever a template prints is escaped and made visible."""
    root = template_root()
    pages = _Pages(
        loader=jinja2.FunctionLoader(lambda name: (root / name).read_text(encoding="utf-8")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled_templates(__file__),
    )
    pages.globals = {"range": range, "states": None}  # nothing is known without a baseline
    pages.filters.update(
        character_name=character_name,
        code_point=code_point,
        counted=counted,
        counted_disguises=counted_disguises,
        hundredths=hundredths,
        moment=moment,
        name_parts=name_parts,
        number="{:,}".format,
        percent=percent,
        user_text=_user_text(pages),
        whereabouts=whereabouts,
    )
    return pages


def _user_text(pages: jinja2.Environment) -> Callable[[str], Markup]:
    """Return what shows a name or another text of users; most of them stand on many pages."""

    @lru_cache(maxsize=_MOST_KEPT)
    def user_text(text: str) -> Markup:
        macros = vars(pages.get_template("macros.html").module)
        shown: Markup = macros["user_text"](text)
        return shown

    return user_text


def _is_escaped(frame: Frame) -> bool:
    return frame.eval_ctx.autoescape is True and not frame.eval_ctx.volatile


@lru_cache(maxsize=_MOST_SHOWN)
def _shown_text(text: str) -> str:
    return escape(spelled_out(text))


def _finalize(value: object) -> object:
    """Spell out hidden characters in all text but that of macros, which comes as mark-up."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return spelled_out(value)
    return value
