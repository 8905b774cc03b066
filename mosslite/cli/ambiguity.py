"""Options that are the names of files too, as a shell's ``*.py`` brings a ``--base=ann.py``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from mosslite.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["END_OF_OPTIONS", "refuse_files_as_options"]

END_OF_OPTIONS: Final = "--"


def refuse_files_as_options(arguments: Sequence[str]) -> None:
    """Refuse a command line of which nobody can tell whether a student wrote a part of it.

    What stands before ``--`` was written by the user, unless that is the name of a file itself.

    Raises:
        OptionError: An option has the name of a file.
    """
    ends = END_OF_OPTIONS in arguments
    doubtful = [END_OF_OPTIONS] if ends else [each for each in arguments if _is_option(each)]
    for each in doubtful:
        if os.path.lexists(each):
            before = "" if ends else f"put {END_OF_OPTIONS!r} between options and paths, or "
            msg = (
                f"{each!r} is an option and the name of a file here: {before}write paths with "
                f"their folder, as in {f'./{each}'!r}"
            )
            raise OptionError(msg)


def _is_option(argument: str) -> bool:
    return len(argument) > 1 and argument.startswith("-")
