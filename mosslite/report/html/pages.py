"""Writes all pages of the HTML report, including the pages of pairs and their sources."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import jinja2
import numpy as np

from mosslite.display import character_name, one_line, script_json, spelled_out
from mosslite.parallel import Task, blocks, do_all, processes_for
from mosslite.records import (
    SYNTAX_CLASSES,
    Document,
    Pair,
    Progress,
    Report,
    TokenizedSubmission,
    no_progress,
)
from mosslite.report.folder import replacement
from mosslite.report.html.groups import Cases, cases_of, pictures_of, write_groups
from mosslite.report.html.listing import RenderedSource, Sheet, listing_of
from mosslite.report.html.overview import (
    carried_over,
    excerpts_of,
    language_rows,
    list_script,
    write_likely_boilerplate,
    write_overview,
)
from mosslite.report.html.sides import (
    MOST_LINES,
    Side,
    file_properties,
    first_shown,
    identical_files,
    marks_of,
    origins_of,
    remark_of,
    sides_of,
)
from mosslite.report.html.site import ASSETS, Site, asset, environment, messages_script
from mosslite.report.html.submissions import submission_tasks
from mosslite.report.recording import json_of
from mosslite.report.review import review_script
from mosslite.report.similar_names import counted_disguises, with_distinct_names
from mosslite.report.wording import NO_VERDICT, compared, sentence
from mosslite.signatures import REPORT_RESULTS
from mosslite.texts import ENGLISH, Texts, texts_in

_SheetOf = Callable[[TokenizedSubmission], Sheet]


def source_script(submission: TokenizedSubmission, number: int, texts: Texts = ENGLISH) -> str:
    """Write the script with a submission's text for ``pair/sources.js``."""
    canvases = [RenderedSource(document) for document in submission.documents]
    counts = np.bincount(submission.comparable.documents, minlength=len(canvases)).tolist()
    hidden = {each.text[place] for each in canvases for place in np.flatnonzero(each.hidden)}
    content = {
        "submission": number,
        "classes": SYNTAX_CLASSES,
        "hidden": {character: character_name(character) for character in sorted(hidden)},
        "files": [
            _file(document, canvas, is_comparable=count > 0, texts=texts)
            for document, canvas, count in zip(submission.documents, canvases, counts, strict=True)
        ],
    }
    return f'"use strict";\nmosslite.addSource({script_json(content)});\n'


def _file(
    document: Document, canvas: RenderedSource, *, is_comparable: bool, texts: Texts
) -> dict[str, object]:
    """Return a file: what stands above its lines, where its parts begin, and its lines."""
    lines = len(canvas.lines)
    facts = file_properties(document, lines, is_comparable=is_comparable, texts=texts)
    others = {
        "given": document.file.is_given,
        "nothing": not is_comparable,
        "disguises": document.disguises and counted_disguises(document.disguises, texts),
        "remark": remark_of(document, texts),
        "origins": document.origins,
        "parts": [part.first_line for part in document.file.parts],
    }
    return {
        "name": spelled_out(document.file.name),
        "facts": facts,
        **{key: value for key, value in others.items() if value},
        **listing_of(canvas)._asdict(),
    }


# Number of pages per task, and of submissions that each process keeps prepared.
_TOGETHER: Final = 8
_PREPARED: Final = 500


def _pair_tasks(report: Report, site: Site) -> list[Task[None]]:
    """Return tasks that write a page for each pair, and a script for each submission in one."""
    numbers, highs = report.numbers, report.highs
    first: dict[str, tuple[int, TokenizedSubmission]] = {}
    for rank, pair in enumerate(report.pairs, 1):
        first.setdefault(pair.left.name, (rank, pair.left))
        first.setdefault(pair.right.name, (rank, pair.right))
    sources = defaultdict[int, list[TokenizedSubmission]](list)
    for rank, submission in first.values():
        sources[rank].append(submission)
    sheet_of = lru_cache(_PREPARED)(Sheet)

    def write(ranks: range) -> None:
        for rank in ranks:
            pair = report.pairs[rank - 1]
            sides = sides_of(pair, numbers[pair.left.name], numbers[pair.right.name])
            site.write_page(
                f"pairs/{rank}.html",
                "pair.html",
                pair=pair,
                rank=rank,
                sides=sides,
                data=script_json(_data(pair, sides, sheet_of, site.texts)),
                origins=origins_of(pair),
                identical=identical_files(pair.left, pair.right),
                most_lines=MOST_LINES,
                limit=highs.limit_of(pair),
            )
            for submission in sources[rank]:  # of which it is the first to show the text
                number = numbers[submission.name]
                script = source_script(submission, number, site.texts)
                site.write(f"sources/{number}.js", script)

    return [partial(write, some) for some in blocks(len(report.pairs), _TOGETHER)]


def _data(
    pair: Pair, sides: tuple[Side, Side], sheet_of: _SheetOf, texts: Texts
) -> dict[str, object]:
    """Return the data for ``pair/matches.js`` besides the sources."""
    named = {
        side.name: {
            "submission": side.number,
            "name": spelled_out(side.submission.name),
            "shares": {n: texts.percent(s) for n, s in enumerate(side.shares) if s},
        }
        for side in sides
    }
    return named | marks_of(pair, sheet_of, texts) | {"first": first_shown(pair, sides)}


# Templates that each process needs: compiled before forking.
_OF_ALL: Final = (
    "layout.html",
    "macros.html",
    "firsts.html",
    "pair-fixed.html",
    "pair.html",
    "submission.html",
)


@dataclass(frozen=True, slots=True)
class ReportMetadata:
    """Time of creation, version of mosslite, and language of a report."""

    created: str
    version: str
    locale: str = "en"


def write_html(
    report: Report,
    directory: Path,
    metadata: ReportMetadata,
    *,
    progress: Progress = no_progress,
) -> Path:
    """Write the report as a folder of plain files that only need a browser.

    An earlier report in ``directory`` is replaced as a whole, or kept if this one fails. The output
    is deterministic.

    Args:
        report: With or without names.
        directory: The target folder.
        metadata: Time of creation, version and language.
        progress: Called with the number of pairs written.

    Returns:
        The path of ``index.html``.

    Raises:
        OutputError: ``directory`` contains other files, or cannot be written.
    """
    shown, pairs = with_distinct_names(report), len(report.pairs)
    created, version = metadata.created, metadata.version
    progress("writing", 0, pairs)
    pages = templates_of(shown, metadata)
    with replacement(directory, about=report.description) as fresh:
        texts, cases = texts_in(metadata.locale), cases_of(shown)
        site = Site(fresh, pages, texts)
        site.write("paper.css", head_style(shown, metadata, texts))
        site.write("messages.js", messages_script(metadata.locale))
        site.write_bytes(REPORT_RESULTS, json_of(report, created=created, version=version))
        site.write("lists.js", list_script(shown, cases, texts=texts))
        site.write("review-data.js", review_script(report))  # marks refer to original names
        carried = carried_over(report.base, directory)  # found by original names
        tasks = _tasks(shown, site, directory, cases, carried)
        do_all(
            tasks,
            processes=processes_for(report.options),
            on_progress=lambda done: progress("writing", pairs * done // len(tasks), pairs),
        )
    return directory / "index.html"


def templates_of(report: Report, metadata: ReportMetadata) -> jinja2.Environment:
    """Return the template environment, with values common to many pages."""
    pages = environment(texts_in(metadata.locale))
    pages.globals.update(
        report=report,
        languages=language_rows(report),
        created=metadata.created,
        version=metadata.version,
        title=report.options.comment or texts_in(metadata.locale).gettext("mosslite report"),
        is_reviewed=True,
    )
    for template in _OF_ALL if report.pairs else ():
        pages.get_template(template)
    return pages


def _tasks(
    report: Report, site: Site, directory: Path, cases: Cases, carried: Mapping[str, bytes]
) -> list[Task[None]]:
    return [
        partial(_write_others, report, site, directory, cases, carried),
        *submission_tasks(report, site, cases),
        *_pair_tasks(report, site),
    ]


def _write_others(
    report: Report, site: Site, directory: Path, cases: Cases, carried: Mapping[str, bytes]
) -> None:
    """Write the overview and the pages of groups, which share graphs, and what is not a page."""
    of_all, of_each = pictures_of(report, cases)
    write_overview(report, site, directory, cases, of_all)
    write_groups(report, site, cases, of_each)
    for name, parts in ASSETS.items():
        site.write(name, asset(*parts))
    write_likely_boilerplate(excerpts_of(report.common), site, carried)


# --- headers of printed pages: only the margin boxes of @page repeat on each sheet ---------------

# Longer titles would push the rest off the sheet.
_LONGEST_TITLE: Final = 120
_MOST_LANGUAGES: Final = 3

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 .,:;()=+/-]")


def head_style(report: Report, metadata: ReportMetadata, texts: Texts) -> str:
    """Return the style sheet that prints a report's header on each page.

    Args:
        report: The report; its title may contain any characters.
        metadata: Time of creation, and version.
        texts: Language of the pages.
    """
    title = cut(report.options.comment or texts.gettext("mosslite report"), _LONGEST_TITLE)
    scope = texts.gettext("; ").join(_scope(report, texts))
    about = css_string(f"mosslite {metadata.version}\n{texts.moment(metadata.created)}\n")
    edges = {
        "top-left": css_string(f"{title}\n{scope}\n{_options(report, texts)}"),
        "top-right": f"{about} {page_number(texts)}",
        "bottom-left": css_string(sentence(texts.gettext(NO_VERDICT))),
    }
    return margins(edges)


def margins(edges: Mapping[str, str], look: str = "") -> str:
    """Return the style sheet of the margins of printed pages; adjacent boxes share the width.

    Args:
        edges: Content of each box.
        look: Declarations for all of them.
    """
    boxes = (f"  @{place} {{ content: {text};{look} }}\n" for place, text in edges.items())
    return f"@page {{\n{''.join(boxes)}}}\n"


def page_number(texts: Texts) -> str:
    """Return the content of a box with the number of the page and of all pages."""
    page, of = css_string(texts.gettext("page ")), css_string(texts.gettext(" of "))
    return f"{page} counter(page) {of} counter(pages)"


def cut(text: str, most: int) -> str:
    """Return a text as one line of at most so many characters, and a sign if there are more."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[:most]}\u2026"


def css_string(text: str) -> str:
    r"""Return a CSS string in which all characters except plain ones are escaped.

    A line end becomes ``\a``, which a margin box displays as a line break.
    """
    safe = _UNSAFE.sub(lambda found: f"\\{ord(found.group()):x} ", text)
    return f'"{safe}"'


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
    colon = texts.gettext(": ")
    parts = [
        f"{texts.gettext(row.title)}{colon}"
        f"k = {row.thresholds.noise}, t = {row.thresholds.guarantee}"
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
    return texts.gettext("; ").join(parts)
