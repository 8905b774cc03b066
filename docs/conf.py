"""How the documentation is built: ``sphinx-build -W docs FOLDER``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mosslite

if TYPE_CHECKING:
    import click
    from sphinx.application import Sphinx

project = "mosslite"
author = "The mosslite developers"
version = release = mosslite.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
exclude_patterns = ["pictures/*.py"]
nitpicky = False

myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "mosslite"
html_copy_source = False
html_show_sourcelink = False
# Nothing is loaded from elsewhere: pages and their search work from a folder, offline.
html_static_path: list[str] = []


def _as_it_is(_app: Sphinx, _context: click.Context, lines: list[str]) -> None:
    """Keep patterns of help texts, such as ``*.java``, from being read as emphasis."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


def setup(app: Sphinx) -> None:
    """Connect what reads the help of commands."""
    app.connect("sphinx-click-process-description", _as_it_is)
    app.connect("sphinx-click-process-options", _as_it_is)
