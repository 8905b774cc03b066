"""Writes all pages of the HTML report, as tasks that processes can share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from mosslite.parallel import do_all, processes_for
from mosslite.records import no_progress
from mosslite.report.folder import replacement, resolved
from mosslite.report.html.groups import cases_of, pictures_of, write_groups
from mosslite.report.html.overview import (
    carried_over,
    excerpts_of,
    write_likely_boilerplate,
    write_overview,
)
from mosslite.report.html.pairs import pair_tasks
from mosslite.report.html.site import Earlier, Site
from mosslite.report.html.submissions import submission_tasks
from mosslite.report.html.templates import environment, template_root
from mosslite.report.review import review_script
from mosslite.report.similar_names import with_distinct_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import jinja2

    from mosslite.parallel import Task
    from mosslite.records import Progress, Report
    from mosslite.report.ci.baseline import States
    from mosslite.report.html.groups import Cases

__all__ = ["ReportMetadata", "write_html"]

_ASSETS: Final = (".css", ".js")

# Templates that each process needs: compiled before there are several, they are so once.
_OF_ALL: Final = ("layout.html", "macros.html", "pair.html", "submission.html")


@dataclass(frozen=True, slots=True)
class ReportMetadata:
    """When a report was made, and by which version of mosslite: printed as they are."""

    created: str
    version: str


def write_html(
    report: Report,
    directory: Path,
    imprint: ReportMetadata,
    *,
    states: States | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Write the report as a folder of plain files that need nothing but a browser.

    An old report in ``directory`` is replaced as a whole, or left alone when this one fails. The
    same report and imprint give the same bytes.

    Args:
        report: With names or without.
        directory: Where the folder shall be.
        imprint: When and by what it was made.
        states: What each pair is to a baseline; None without one.
        progress: Is told how many pairs are written.

    Returns:
        The path of ``index.html``.

    Raises:
        OutputError: ``directory`` is somebody else's, or cannot be written.
    """
    shown, pairs = with_distinct_names(report), len(report.pairs)
    pages = _pages(shown, imprint, states)
    with replacement(directory) as fresh:
        site = Site(fresh, pages, Earlier(resolved(directory), fresh))
        site.write("review-data.js", review_script(report))  # marks go by the names as they are
        carried = carried_over(report.base, directory)  # files are found by their own names
        tasks = _tasks(shown, site, directory, carried)
        do_all(
            tasks,
            processes=processes_for(report.options),
            told=lambda done: progress("writing", pairs * done // len(tasks), pairs),
        )
    return directory / "index.html"


def _pages(report: Report, imprint: ReportMetadata, states: States | None) -> jinja2.Environment:
    """Prepare to render pages, with what stands on many of them."""
    pages = environment()
    pages.globals.update(
        created=imprint.created,
        version=imprint.version,
        title=report.options.comment or "mosslite report",
        is_reviewed=True,
        states=states,
    )
    for template in _OF_ALL if report.pairs else ():
        pages.get_template(template)
    return pages


def _tasks(
    report: Report, site: Site, directory: Path, carried: Mapping[str, bytes]
) -> list[Task[None]]:
    cases = cases_of(report)
    return [
        partial(_write_index, report, site, directory, cases),
        partial(_write_others, report, site, carried),
        *submission_tasks(report, site, cases),
        *pair_tasks(report, site),
    ]


def _write_index(report: Report, site: Site, directory: Path, cases: Cases) -> None:
    """Write the overview and the pages of groups, which show the same pictures."""
    pictures = pictures_of(report, cases)
    write_overview(report, site, directory, cases, pictures.of_all)
    write_groups(report, site, cases, pictures)


def _write_others(report: Report, site: Site, carried: Mapping[str, bytes]) -> None:
    """Write what is not a page."""
    for asset in template_root().iterdir():
        if asset.name.endswith(_ASSETS):
            site.write_bytes(asset.name, asset.read_bytes())
    write_likely_boilerplate(excerpts_of(report.common), site, carried)
