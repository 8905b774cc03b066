"""The head of every printed page: what was compared, when and how; as a style sheet.

Browsers print their own head or none, and a page cannot place text on each sheet but by the margin
boxes of ``@page``, whose text is a string of CSS.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from mosslite.display import one_line
from mosslite.report.html.overview import language_rows
from mosslite.report.wording import NO_VERDICT, compared, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mosslite.records import Report
    from mosslite.report.html.pages import ReportMetadata
    from mosslite.texts import Texts

__all__ = ["css_string", "head_style"]

# Longer ones would push the rest off the sheet.
_LONGEST_TITLE: Final = 120
_MOST_LANGUAGES: Final = 3

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 .,:;()=+/-]")

# Boxes beside each other share the width of the sheet.
_STYLE: Final = """\
@page {{
  @top-left {{ content: {left}; }}
  @top-right {{ content: {right} {page} counter(page) {of} counter(pages); }}
  @bottom-left {{ content: {foot}; }}
}}
"""


def head_style(report: Report, metadata: ReportMetadata, texts: Texts) -> str:
    """Write the style sheet that puts the head of a report on each printed page.

    Args:
        report: What is printed; its title may hold anything.
        metadata: When it was made, as on the pages, and by which version.
        texts: The language of the pages.
    """
    scope = "; ".join(_scope(report, texts))
    return _STYLE.format(
        left=css_string(f"{_title(report, texts)}\n{scope}\n{_options(report, texts)}"),
        right=css_string(f"mosslite {metadata.version}\n{texts.moment(metadata.created)}\n"),
        foot=css_string(sentence(texts.gettext(NO_VERDICT))),
        page=css_string(texts.gettext("page ")),
        of=css_string(texts.gettext(" of ")),
    )


def css_string(text: str) -> str:
    r"""Write a string of CSS in which nothing but plain characters is not escaped.

    A line end is ``\a``, which a margin box shows as one.
    """
    return f'"{_UNSAFE.sub(_escaped, text)}"'


def _escaped(found: re.Match[str]) -> str:
    return f"\\{ord(found.group()):x} "


def _title(report: Report, texts: Texts) -> str:
    title = one_line(report.options.comment or texts.gettext("mosslite report"))
    return title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}\u2026"


def _scope(report: Report, texts: Texts) -> Iterator[str]:
    """Yield the size of the batch and the threshold."""
    yield compared(report, texts)
    threshold = report.threshold
    if threshold is None:
        yield texts.gettext("no threshold suggested")
    else:
        score, low, high = map(texts.rounded, (threshold.score, threshold.low, threshold.high))
        yield texts.gettext("threshold %(score)s", score=score) + f" ({low}-{high})"


def _options(report: Report, texts: Texts) -> str:
    options, rows = report.options, language_rows(report)
    parts = [
        f"{row.title}: k = {row.thresholds.noise}, t = {row.thresholds.guarantee}"
        for row in rows[:_MOST_LANGUAGES]
    ]
    if len(rows) > _MOST_LANGUAGES:
        more = len(rows) - _MOST_LANGUAGES
        parts.append(texts.ngettext("%(count)s more language", "%(count)s more languages", more))
    parts.append(
        texts.ngettext("%(count)s base code path", "%(count)s base code paths", len(report.base))
        if report.base
        else texts.gettext("no base code")
    )
    if options.language:
        parts.append(f"-l {options.language}")
    if options.directories:
        parts.append("-d")
    if options.max_sharing:
        parts.append(f"-m {options.max_sharing}")
    if options.show is not None:
        parts.append(f"-n {options.show}")
    return "; ".join(parts)
