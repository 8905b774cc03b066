"""A report as served: its files, the reviewer's marks, and all of it as one archive."""

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from mimetypes import guess_type
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from mosslite.errors import OutputError
from mosslite.options import Mark
from mosslite.report.html.site import asset
from mosslite.report.review import marks_by_key, read_marks, review_text, with_marks
from mosslite.serve.guard import new_token

_MOST_OF_A_TITLE: Final = 40
_INDEX: Final = "index.html"
_REVIEW_DATA: Final = "review-data.js"

# A report's own policy forbids all connections; the server replaces it by one for saving marks.
_POLICY: Final = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n?')
_NEVER: Final = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def default_review(folder: Path, title: str) -> Path:
    """Return the user's review file of all batches with this title.

    The name starts with the characters of the title that are safe in file names, followed by a
    digest that makes it unique.
    """
    words = re.sub(r"[^a-z0-9]+", "-", title.lower())[:_MOST_OF_A_TITLE].strip("-")
    digest = blake2b(title.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return folder / f"{words or 'untitled'}-{digest}.json"


class Review:
    """The user's review file, to which each mark is saved.

    Args:
        path: Path of the file, which need not exist yet.
        write: Writes a text file atomically.

    Raises:
        InputError: The file is not a review.
    """

    def __init__(self, path: Path, write: Callable[[str, str], None]) -> None:
        self.path = path
        self._write = write
        self.marks: tuple[Mark, ...] = read_marks(path) if path.exists() else ()

    def add(self, marks: Iterable[Mark]) -> None:
        """Add marks to the file, keeping those that others have added since.

        Raises:
            MossliteError: The file cannot be written, or is no longer a review.
        """
        there = read_marks(self.path) if self.path.exists() else self.marks
        both = tuple(marks_by_key((*there, *marks)).values())
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(
                "cannot make the folder %(parent)r for the review", self.path.parent
            ) from error
        self._write(str(self.path), review_text(both))
        self.marks = both


class ServedReport:
    """A finished report, under a token of its own.

    The files served were listed when it was created, so no path from a request is ever
    opened.
    """

    def __init__(self, folder: Path, review: Review) -> None:
        self.token = new_token()
        self.review = review
        self._folder = folder
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        }

    def file(self, name: str) -> tuple[str, bytes] | None:
        """Return type and content of a file of the report, without its own policy."""
        path = self._files.get(name or _INDEX)
        if path is None:
            return None
        if name == _REVIEW_DATA:
            script = asset("serve/serve-marks.js")
            return "text/javascript", (self._review_data() + script).encode("utf-8")
        content = path.read_bytes()
        if path.suffix == ".html":
            content = _POLICY.sub("", content.decode("utf-8"), count=1).encode("utf-8")
        return guess_type(path.name)[0] or "application/octet-stream", content

    def policy(self, origin: str) -> str:
        """Return the report's own policy, extended to allow saving marks on this server."""
        page = self._files[_INDEX].read_text(encoding="utf-8")
        found = _POLICY.search(page)
        own = found.group(1) if found else "default-src 'none'"
        return f"{own}; connect-src {origin}/{self.token}/marks; {_NEVER}"

    def save(self, target: Path) -> None:
        """Write the report with all its marks, the review and the results to a zip file."""
        with ZipFile(target, "w", ZIP_DEFLATED) as saved:
            for name, path in self._files.items():
                content = path.read_bytes()
                if name == _REVIEW_DATA:
                    content = self._review_data().encode("utf-8")
                saved.writestr(f"mosslite-report/{name}", content)
            saved.writestr("mosslite-review.json", review_text(self.review.marks))
            for name in ("results.json", "results.csv"):
                saved.write(self._folder.parent / name, name)

    def _review_data(self) -> str:
        script = self._files[_REVIEW_DATA].read_text(encoding="utf-8")
        return with_marks(script, self.review.marks)
