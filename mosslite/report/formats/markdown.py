"""A short Markdown report for the summary of a CI job, as GitHub and GitLab render it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mosslite.display import counted, one_line
from mosslite.languages import find_language
from mosslite.records import Pair, Report
from mosslite.report.baseline import Gate
from mosslite.report.review import is_cut
from mosslite.report.similar_names import with_distinct_names
from mosslite.report.wording import (
    NO_VERDICT,
    NOT_COMPARED,
    compared,
    options_from,
    sentence,
    warnings_on,
    where_to_begin,
)
from mosslite.texts import ENGLISH, hundredths, percent

# An invisible mark that distinguishes the file from a user's own.
_MARK: Final = "<!-- mosslite -->"

# GitHub allows one mebibyte for all summaries of a job.
MOST_PAIRS: Final = 25
MOST_NOTES: Final = 10
# Longer names are truncated.
_MOST_CHARACTERS: Final = 120

_BACKTICKS: Final = re.compile("`+")


def to_markdown(report: Report, gate: Gate) -> str:
    """Return a table of the top pairs, failing ones first, and what was not compared.

    Args:
        report: With or without names.
        gate: What fails the job.
    """
    report = with_distinct_names(report)
    config, absent = report.options.config, report.not_compared
    limited_first = sorted(report.skipped, key=lambda each: not each.limit)
    skipped = [f"{literal(each.path)} {literal(each.reason)}" for each in limited_first]
    not_compared = [f"{literal(each.name)} {literal(each.reason)}" for each in absent]
    blocks = [
        _MARK,
        f"## {literal(report.options.comment) if report.options.comment else 'mosslite'}",
        *_list(f"**{ENGLISH.ngettext(*NOT_COMPARED, len(absent))}:**", not_compared),
        f"{compared(report)}. {_outcome(report, gate)}",
        *_table(report, gate),
        *map(sentence, options_from(config and literal(config))),
        sentence(NO_VERDICT),
        *_list("Not compared:", skipped),
        *_list("Warnings:", list(map(literal, warnings_on(report)))),
    ]
    return "\n\n".join(blocks) + "\n"


def literal(text: str) -> str:
    r"""Escape text for Markdown, also inside a table.

    The result is a code span, the one place where Markdown, HTML, mentions and bare addresses are
    not interpreted. A ``|`` would end a table cell even there, also when escaped, so it is placed
    outside of the span.
    """
    shown = one_line(text)
    if len(shown) > _MOST_CHARACTERS:
        shown = f"{shown[: _MOST_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
    return "&#124;".join(_span(part) for part in shown.split("|"))


def _span(text: str) -> str:
    """Return a code span; renderers collapse consecutive blanks in it."""
    if not text:
        return ""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    needs_room = text[0] in "` " or text[-1] in "` "
    return f"{fence} {text} {fence}" if needs_room else f"{fence}{text}{fence}"


def _outcome(report: Report, gate: Gate) -> str:
    known = f" {counted(report.known, 'known pair')} not counted." if report.known else ""
    fail_above, highs = gate.fail_above, report.highs
    least = "at least " * is_cut(report, 100 * highs.usual if fail_above is None else fail_above)
    if fail_above is None:
        count = counted(sum(map(highs.hold, report.pairs)), "pair")
        unsure = "" if report.threshold else f" {where_to_begin(report)}"
        others = "".join(
            f", in {find_language(name).title} {score:.2f}"
            for name, score in highs.by_language.items()
        )
        return f"**{least}{count}** at or above score {highs.usual:.2f}{others}.{unsure}{known}"
    new = "new " if report.has_baseline else ""
    count = counted(len(gate.failing(report)), f"{new}pair")
    return f"**{least}{count}** at or above score {fail_above / 100:g}.{known}"


def _table(report: Report, gate: Gate) -> Iterator[str]:
    pairs = gate.failing_first(report)[:MOST_PAIRS]
    if not pairs:
        return
    head = "| left | right | score | similar | lines | remark |\n|---|---|--:|--:|--:|---|"
    rows = [
        _row(pair, "**fails**" if gate.fails(pair) else "known" * pair.is_known) for pair in pairs
    ]
    yield "\n".join([head, *rows])
    if len(report.pairs) > MOST_PAIRS:
        yield f"{counted(len(report.pairs) - MOST_PAIRS, 'more pair')} not in this table."


def _row(pair: Pair, remark: str) -> str:
    cells = [
        literal(pair.left.name),
        literal(pair.right.name),
        hundredths(pair.score),
        percent(pair.similarity),
        f"{pair.matched_lines:,}",
        remark,
    ]
    return f"| {' | '.join(cells)} |"


def _list(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield a list, with the number of omitted items; nothing without any."""
    if lines:
        shown = [f"- {line}" for line in lines[:MOST_NOTES]]
        more = len(lines) - MOST_NOTES
        yield "\n".join([title, "", *shown, *([f"- and {more:,} more"] if more > 0 else [])])
