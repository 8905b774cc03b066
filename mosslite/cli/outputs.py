"""The outputs of a check, and their validation before the run."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, TextIO

from mosslite import signatures
from mosslite.cli.files import (
    STANDARD_OUTPUT,
    files_first,
    require_apart,
    require_folder_of,
    require_no_archive,
    require_own,
    require_unseen,
    stream_beside,
    write_each,
    write_file,
    write_key,
)
from mosslite.errors import OptionError, OutputError
from mosslite.messages import M_, texts_in_message
from mosslite.records import Detail, Progress, no_progress
from mosslite.report import refuse_folder_of_others, write_html
from mosslite.report.folder import batch_of, resolved
from mosslite.report.formats import BY_OPTION, Found
from mosslite.report.formats.moss import write_moss_html

# GitHub's name, also used by Gitea and Forgejo.
_VARIABLE: Final = "GITHUB_STEP_SUMMARY"


def is_job_summary(target: str) -> bool:
    """Return whether a path is the CI job's summary, to which other steps write as well."""
    page = os.environ.get(_VARIABLE)
    return bool(page) and os.path.realpath(target) == os.path.realpath(str(page))


def append_to_job_summary(markdown: str) -> None:
    """Append to the job's summary if the CI service has one.

    Raises:
        OutputError: The service names a file that cannot be written.
    """
    target = os.environ.get(_VARIABLE)
    if not target:
        return
    try:
        with Path(target).open("a", encoding="utf-8", newline="\n") as page:
            page.write(f"{markdown}\n")
    except OSError as error:
        raise OutputError(
            "cannot write %(target)r (%(variable)s): %(reason)s", target, _VARIABLE, error
        ) from error


# Extensions of a report's own files; other results inside its folder must not have them.
_PAGES = frozenset({".html", ".js", ".css"})


@dataclass(frozen=True, slots=True)
class Outputs:
    """The output locations and settings.

    Attributes:
        html: Folder of the report; None for no report.
        moss_html: Folder of the pages in MOSS' format; None for none.
        files: Path of each single-file result, by option; ``-`` is standard output.
        is_quiet: Only errors are printed.
        follows_link: ``html`` was named by the user, and may be a link; the default could be a link
            planted by a student.
    """

    html: Path | None
    moss_html: Path | None
    files: Mapping[str, str]
    is_quiet: bool
    follows_link: bool = True

    @property
    def is_anonymous(self) -> bool:
        """Whether names are replaced by aliases, with a separate key."""
        return "--anonymize" in self.files

    @property
    def detail(self) -> Detail:
        """What results show of every pair; the summary shows more of a few."""
        has_pages = self.html is not None or self.moss_html is not None
        pages = Detail.MATCHES if has_pages else Detail.SCORE
        return max([pages, *(BY_OPTION[option].detail for option in self.files)])

    @property
    def stream(self) -> TextIO:
        """The stream of the summary: standard error if a result is written to standard output."""
        return stream_beside(self.files.values())

    def replaced_batch(self, description: str) -> str:
        """Return the description of the batch in the report to be replaced, unless it is this one.

        Args:
            description: Description of the new batch.
        """
        before = None if self.html is None else batch_of(self.html)
        is_other = before is not None and texts_in_message(before) != texts_in_message(description)
        return before if before is not None and is_other else ""

    def require_possible(self) -> None:
        """Check outputs before any work is done.

        Raises:
            OptionError: Two results have the same path, or the key would be published.
            OutputError: The report's folder contains other files, a file's folder is missing, or a
                key is that of an archive.
        """
        created_now()
        self._require_apart()
        for option, target in self.files.items():
            if _is_added(option, target):
                require_folder_of(target, made=self.html)
            else:
                what, signature = M_("result of %(option)s", option), BY_OPTION[option].signature
                require_own(target, what, signature, made=self.html)
        if self.is_anonymous:
            require_no_archive(self.files["--anonymize"])
        if self.html is not None:
            self._require_no_link(self.html)
            refuse_folder_of_others(self.html)
        if self.moss_html is not None:
            refuse_folder_of_others(self.moss_html, "--moss-html")

    def write(self, found: Found, progress: Progress) -> Path | None:
        """Write every result; return the first page of the HTML report, if there is one.

        If one cannot be written, the others still are.

        Args:
            found: The results.
            progress: Called with the number of pages written.

        Raises:
            OutputError: Results cannot be written; all reasons are in one line.
        """
        write_each(self._writers(found, progress))
        if self.html is not None:
            return self.html / "index.html"
        single = self.files.get("--single-file", STANDARD_OUTPUT)
        return None if single == STANDARD_OUTPUT else Path(single)

    def _writers(self, found: Found, progress: Progress) -> Iterator[Callable[[], object]]:
        report = found.report
        if self.html is not None:
            yield partial(write_html, report, self.html, found.metadata, progress=progress)
        if self.moss_html is not None:
            # Like MOSS, as in ``Sat Nov 23 09:30:00 UTC 2019``.
            day, _, year = datetime.fromisoformat(found.metadata.created).ctime().rpartition(" ")
            date = f"{day} UTC {year}"
            # Repeating a stage would move the progress bar back.
            own_progress = progress if self.html is None else no_progress
            yield partial(
                write_moss_html, report, self.moss_html, created=date, progress=own_progress
            )
        for option, target in files_first(self.files):
            yield partial(_write_file, option, target, found)

    def _require_no_link(self, html: Path) -> None:
        """Check that a folder not named by the user is not a link that leads elsewhere."""
        is_junction = getattr(os.path, "isjunction", os.path.islink)  # since Python 3.12
        if not self.follows_link and (html.is_symlink() or is_junction(html)):
            raise OutputError(
                "%(html)r is a link, which is not followed: remove it, or choose "
                "another folder with -o",
                html,
            )

    def _require_apart(self) -> None:
        """Check that no result replaces another or a page, and that no key is published."""
        folders = [folder for folder in (self.html, self.moss_html) if folder is not None]
        key = self.files.get("--anonymize")
        if key is not None:
            require_unseen(key)
        for folder in folders:
            if key is not None and resolved(key).is_relative_to(resolved(folder)):
                raise OptionError(
                    "the key %(key)r would be inside the report %(folder)r: give "
                    "--anonymize a file elsewhere",
                    key,
                    folder,
                )
        if len(folders) > 1 and resolved(folders[0]).is_relative_to(resolved(folders[1])):
            raise OptionError(
                "--moss-html would replace the report %(html)r: give another folder", self.html
            )
        for option, target in self.files.items():
            path = resolved(target)
            is_results = path.name == signatures.REPORT_RESULTS and option != "--json"
            is_page = path.suffix in _PAGES or is_results
            if is_page and any(path.is_relative_to(resolved(folder)) for folder in folders):
                raise OptionError(
                    "%(option)s would overwrite a page of the report: %(target)r: choose "
                    "another name",
                    option,
                    target,
                )
        require_apart(self.files)


def _write_file(option: str, target: str, found: Found) -> None:
    content = BY_OPTION[option].write(found)
    if isinstance(content, str) and option == "--anonymize":
        write_key(target, content)
    elif not _is_added(option, target):
        write_file(target, content)
    if isinstance(content, str) and option == "--markdown":
        append_to_job_summary(content)


def _is_added(option: str, target: str) -> bool:
    """Return whether a result is appended to the CI job's summary page."""
    return option == "--markdown" and is_job_summary(target)


def created_now() -> str:
    """Return the time of the run, or SOURCE_DATE_EPOCH, as ISO 8601 in UTC."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        moment = datetime.fromtimestamp(int(given) if given else int(time.time()), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise OptionError(
            "SOURCE_DATE_EPOCH is %(given)r: it must be a number of seconds since 1970", given
        ) from error
    return moment.isoformat()
