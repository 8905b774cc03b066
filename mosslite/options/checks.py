"""What is asked of more than one option."""

from __future__ import annotations

from mosslite.errors import OptionError

__all__ = ["at_least"]


def at_least(least: int, what: str, value: int | None) -> None:
    """Refuse a value below ``least``.

    Raises:
        OptionError: Naming the option, the value and what would be right.
    """
    if value is not None and value < least:
        msg = f"{what} is {value}: it must be at least {least}"
        raise OptionError(msg)
