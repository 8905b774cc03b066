"""What a check found, and all that a result is written from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import mosslite
from mosslite.report import to_csv, to_json
from mosslite.report.ci import to_junit, to_markdown, to_sarif

if TYPE_CHECKING:
    from collections.abc import Callable

    from mosslite.records import Report
    from mosslite.report.ci.gate import Gate

__all__ = ["TEXTS", "Found"]


@dataclass(frozen=True, slots=True)
class Found:
    """A report as it is to be shown, and what the options add to it.

    Attributes:
        report: With names or without.
        key: The key to a report without names.
        gate: What fails the job, and which pairs are known.
    """

    report: Report
    key: str
    gate: Gate


# What each option for one file writes, of what was found and when.
TEXTS: Final[dict[str, Callable[[Found, str], str]]] = {
    "--json": lambda found, created: to_json(
        found.report, created=created, version=mosslite.__version__, states=found.gate.states
    ),
    "--csv": lambda found, _: to_csv(found.report, states=found.gate.states),
    "--sarif": lambda found, _: to_sarif(found.report, found.gate, version=mosslite.__version__),
    "--junit": lambda found, _: to_junit(found.report, found.gate),
    "--markdown": lambda found, _: to_markdown(found.report, found.gate),
    "--anonymize": lambda found, _: found.key,
}
