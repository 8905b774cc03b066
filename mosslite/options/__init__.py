"""Every choice a user can make, with its default and its limits."""

from __future__ import annotations

from mosslite.options.comparison import (
    CODE_DEFAULTS,
    CONFIG_NAMES,
    PROSE_DEFAULTS,
    Mark,
    Options,
    Thresholds,
)
from mosslite.options.intake import LAYOUTS, NAME_GROUPS, Intake, Limits

__all__ = [
    "CODE_DEFAULTS",
    "CONFIG_NAMES",
    "LAYOUTS",
    "NAME_GROUPS",
    "PROSE_DEFAULTS",
    "Intake",
    "Limits",
    "Mark",
    "Options",
    "Thresholds",
]
