"""Makes the pictures of the documentation from a sample class: ``python docs/pictures.py``.

It needs Chromium and what the tests need. Each picture is of a page as a reader meets it.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import mosslite
from mosslite.options import Options
from mosslite.report import ReportMetadata, write_html

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
SAMPLE = "samples/python"
# The time that all pictures show.
_CREATED = "2026-09-01T09:00:00+00:00"
_DESK = {"width": 1280, "height": 900}


def main() -> None:
    """Write a picture of each page that the documentation shows."""
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    FOLDER.mkdir(exist_ok=True)
    with (
        contextlib.chdir(ROOT),
        tempfile.TemporaryDirectory() as scratch,
        sync_playwright() as playwright,
    ):
        folder = Path(scratch) / "report"
        report = mosslite.check(
            f"{SAMPLE}/submissions",
            base=f"{SAMPLE}/template",
            options=Options(comment="Log analyser", uses_workers=False, uses_cache=False),
        )
        write_html(report, folder, ReportMetadata(_CREATED, mosslite.__version__))
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport=_DESK)
        for name, address in (("overview", "index.html"), ("pair", "pairs/1.html")):
            page.goto((folder / address).as_uri())
            page.screenshot(path=str(FOLDER / f"{name}.png"))
        browser.close()


if __name__ == "__main__":
    main()
