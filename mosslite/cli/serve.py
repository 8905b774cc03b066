"""``mosslite serve``: a local web page for users who do not like terminals."""

import os
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
import platformdirs

import mosslite
from mosslite.cli.commands import require_installed
from mosslite.cli.files import write_file
from mosslite.cli.main import Interruption
from mosslite.cli.options import PATH, integer, option, shared
from mosslite.cli.outputs import created_now
from mosslite.cli.terminal import part_of_run, tell
from mosslite.display import counted
from mosslite.messages import M_
from mosslite.report.review import read_marks
from mosslite.terms.archive import Archive

# Seconds between checks for a stop on the page, during which Windows delivers Ctrl-C.
_PAUSE = 0.5


def _offered(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield archives by absolute path, with their descriptions for the page."""
    for path in paths:
        with Archive(path) as archive:
            submissions = archive.submissions()
        terms = sorted({each.term for each in submissions})
        name, listed = Path(path).name, ", ".join(terms)
        said = M_(
            "%(name)s: %(listed)s (%(submissions)s)",
            name,
            listed,
            counted(len(submissions), "submission"),
        )
        yield str(Path(path).absolute()), said


_ONLY_HERE: Final = M_(
    "Only this computer can reach it, and only by this address. Press Ctrl-C to stop."
)


_MOST_PORT: Final = 65_535


def _port(value: str | int) -> int:
    """Parse the number of a port; 0 is any."""
    found = integer(value)
    if not 0 <= found <= _MOST_PORT:
        raise click.BadParameter(
            M_("%(value)s is not in the range %(range)s", value, f"0<=x<={_MOST_PORT}")
        )
    return found


@click.command()
@option(
    "--port",
    "Port of the page  [default: any free port]",
    type=_port,
    default=0,
    metavar="N",
    show_default=False,
)
@option("--no-open", "Do not open the page in a browser.", is_flag=True)
@option(
    "--review",
    "Keep all review marks in this file  [default: one file per title in your data folder]",
    type=PATH,
    metavar="FILE",
)
@option(
    "--archive",
    "Offer an archive of earlier terms on the page; repeatable.",
    type=PATH,
    multiple=True,
    metavar="FILE",
)
@shared("locale")
def serve(**given: Any) -> None:
    """Compare submissions on a page in your browser.

    Drop an export or a folder on the page, compare, and read the report. The page is served to
    this computer alone and runs until you stop it there or press Ctrl-C. Uploads and reports are
    then removed; review marks are kept.

    \b
    Example:
      mosslite serve --archive cs101.mosslite
    """  # noqa: D301 - the escape is click's, for lines to be left as they are
    require_installed(
        ("starlette", "uvicorn"),
        M_("mosslite serve needs a web server: in a checkout, pip install '.[serve]'"),
    )
    from mosslite.serve import Settings, serving  # noqa: PLC0415 - its dependencies are an extra

    archives = tuple(_offered(given["archive"]))
    review = Path(given["review"]).absolute() if given["review"] else None
    if review is not None and review.exists():
        read_marks(review)
    created_now()  # an invalid SOURCE_DATE_EPOCH is reported at once
    settings = Settings(
        port=given["port"],
        review=review,
        reviews=platformdirs.user_data_path("mosslite", appauthor=False) / "reviews",
        archives=archives,
        version=mosslite.__version__,
        created=created_now,
        measure=part_of_run,
        write=write_file,
        locale=given["locale"],
    )
    try:
        with serving(settings) as server:
            tell([M_("mosslite serves %(url)s", server.url), _ONLY_HERE])
            if not given["no_open"] and not os.environ.get("CI"):
                webbrowser.open(server.launch)
            while not server.is_over.wait(_PAUSE):
                pass
    except Interruption:
        tell([""])
    tell([M_("Stopped. Uploads and reports are removed; review marks are kept.")])
