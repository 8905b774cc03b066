"""How the documentation is built: ``sphinx-build -W docs FOLDER``; ``-b man`` for mosslite(1)."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import click

import mosslite
from mosslite.cli.commands import commands

if TYPE_CHECKING:
    from collections.abc import Iterator

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

myst_enable_extensions = ["deflist"]
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

man_pages = [("commands", "mosslite", "find copied work in a batch of submissions", [author], 1)]


def _as_it_is(_app: Sphinx, _context: click.Context, lines: list[str]) -> None:
    """Keep patterns of help texts, such as ``*.java``, from being read as emphasis."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


# Commands by what one types, as sphinx-click takes them from a module; and where the page has them.
_FOUND = sys.modules["found_commands"] = ModuleType("found_commands")
_PLACE = "<!-- the commands are inserted here -->"


def _insert_commands(_app: Sphinx, name: str, source: list[str]) -> None:
    """Insert a section for each command, whose title is all that one types."""
    if name == "commands":
        sections = "\n".join(_sections_of(commands, click.Context(commands, info_name="mosslite")))
        source[0] = source[0].replace(_PLACE, sections)


def _sections_of(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            own = click.Context(command, info_name=name, parent=context)
            attribute = own.command_path.replace(" ", "_")
            setattr(_FOUND, attribute, command)
            directive = f".. click:: {_FOUND.__name__}:{attribute}\n   :prog: {own.command_path}"
            yield f"```{{eval-rst}}\n{directive}\n```\n"
            if isinstance(command, click.Group):
                yield from _sections_of(command, own)


def setup(app: Sphinx) -> None:
    """Connect what reads the help of commands."""
    app.connect("source-read", _insert_commands)
    app.connect("sphinx-click-process-description", _as_it_is)
    app.connect("sphinx-click-process-options", _as_it_is)
