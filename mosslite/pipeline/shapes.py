"""Tells whether fingerprints of an archive can be compared with those of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygments

from mosslite.archive import Archive, Shape
from mosslite.errors import ArchiveError
from mosslite.languages import find_language
from mosslite.languages.front_ends import FRONT_ENDS
from mosslite.options import CODE_DEFAULTS, PROSE_DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mosslite.options import Options

__all__ = ["front_ends", "held_shape", "require_same", "require_shapes", "shape_of"]


def front_ends() -> str:
    """Return the versions of what reads texts and makes fingerprints here."""
    return f"{FRONT_ENDS} with Pygments {pygments.__version__}"


def shape_of(options: Options) -> Shape:
    """Return what shapes the fingerprints of a run."""
    return Shape(
        code=options.thresholds(CODE_DEFAULTS),
        prose=options.thresholds(PROSE_DEFAULTS),
        language=None if options.language is None else find_language(options.language).name,
        front_ends=front_ends(),
    )


def require_shapes(archives: Sequence[str], options: Options) -> None:
    """Refuse archives whose fingerprints are shaped otherwise.

    Raises:
        ArchiveError: Saying how to make them anew.
    """
    for path in archives:
        with Archive(path) as archive:
            require_same(archive, shape_of(options))


def require_same(archive: Archive, wanted: Shape) -> None:
    """Refuse an archive of another shape.

    Raises:
        ArchiveError: Saying how to make it anew.
    """
    held = archive.shape()
    if held in (None, wanted):
        return
    held = held_shape(archive)
    msg = (
        f"archive {archive.path!r} is of {_words(held)}, not of {_words(wanted)}: give the options "
        f"it was made with, or make it anew by 'mosslite archive rebuild' with the other options"
    )
    raise ArchiveError(msg)


def held_shape(archive: Archive) -> Shape:
    """Return the shape of an archive that these front-ends have read.

    Raises:
        ArchiveError: It is empty, or others have read it.
    """
    held = archive.shape()
    if held is None:
        msg = f"archive {archive.path!r} holds nothing: 'mosslite archive add' changes that"
        raise ArchiveError(msg)
    if held.front_ends != front_ends():
        msg = (
            f"archive {archive.path!r} was read by front-ends {held.front_ends}, of another "
            f"mosslite or Pygments than this, which has {front_ends()}: "
            "'mosslite archive rebuild' reads it anew"
        )
        raise ArchiveError(msg)
    return held


def _words(shape: Shape) -> str:
    language = "" if shape.language is None else f" and -l {shape.language}"
    return (
        f"k = {shape.code.noise} and t = {shape.code.guarantee} for code, "
        f"{shape.prose.noise} and {shape.prose.guarantee} for prose{language}"
    )
