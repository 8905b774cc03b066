"""A browser, reports to look at in it, and an eye on what it must not do."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Request,
    sync_playwright,
)

import mosslite
from mosslite.options import Mark, Options
from mosslite.records import Report
from mosslite.report import ReportMetadata, write_html
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED, WORDS, write_files
from tests.reports import told_report

SAMPLES = Path(__file__).parents[2] / "samples"
EXECUTABLES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
METADATA = ReportMetadata("2026-11-21T09:30:00+00:00", "0.1.0")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

PAYLOADS = (
    "<script>window.__hacked=1</script>",
    "<img src=x onerror=window.__hacked=1>",
    '"><svg onload=window.__hacked=1>',
    "' onmouseover='window.__hacked=1",
    "*/</script></title></textarea><script>window.__hacked=1</script>",
    '\\"};window.__hacked=1;//',
    "</pre><!--",
    "{{7*7}}{% for x in () %}${7*7}",
    "javascript:window.__hacked=1",
    "\u2028window.__hacked=1\u2029",
    "\x1b[31m\x1b]0;hacked\x07\u202e\u200b",
)
# Marks that a hostile review file brings along.
MARKS = tuple(
    Mark("ann", "bob", "00", "dismissed", payload, payload, f"2026-11-21T09:30:{number:02}Z")
    for number, payload in enumerate(PAYLOADS)
)


@dataclass
class Watch:
    """What a page asked for and said since it was last asked itself."""

    page: Page
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self._on_request)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", self._on_error)
        self.page.on("dialog", self._on_dialog)

    def require_silence(self) -> None:
        """Make sure that nothing left the machine, nothing went wrong, and nothing foreign ran."""
        requests, said = self.requests[:], self.said[:]
        self.requests.clear()
        self.said.clear()
        # A blob is what the page itself made, to be saved.
        assert [url for url in requests if not url.startswith(("file:", "blob:", "about:"))] == []
        assert said == []
        assert self.page.evaluate("typeof window.__hacked") == "undefined"

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _on_console(self, message: ConsoleMessage) -> None:
        self.said.append(f"{message.type}: {message.text}")

    def _on_error(self, error: Error) -> None:
        self.said.append(f"error: {error}")

    def _on_dialog(self, dialog: Dialog) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


Open = Callable[..., "Page"]


def violations(page: Page) -> list[str]:
    """Return what an accessibility checker finds to be serious or worse."""
    page.evaluate(AXE)
    # Without its preloading of style sheets, which a page from a file may not fetch.
    found = page.evaluate("() => axe.run({ resultTypes: ['violations'], preload: false })")
    return [
        f"{each['id']}: {node['html']} {node['failureSummary']}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"][:3]
    ]


def written(found: Report, folder: Path, metadata: ReportMetadata = METADATA) -> Path:
    """Write a report into a folder, and return where it is."""
    return write_html(found, folder / "report", metadata).parent


def wait_until(page: Page, condition: str, *, seconds: int = 5) -> None:
    """Wait until a script gives true; the browser's own way needs `eval`, which pages forbid."""
    for _ in range(20 * seconds):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"never true: {condition}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, EXECUTABLES)), None)
    if found is None:
        pytest.skip(f"no browser found: none of {', '.join(EXECUTABLES)} is installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def watch(browser: Browser) -> Iterator[Watch]:
    """One page for all tests, as making one takes longer than most of them."""
    context = browser.new_context(accept_downloads=True)
    context.set_default_timeout(5000)
    yield Watch(context.new_page())
    context.close()


@pytest.fixture
def open_page(watch: Watch) -> Iterator[Open]:
    """Open a file; before the next one, and when the test ends, it must have been silent."""
    page = watch.page

    def opened(
        path: Path,
        *,
        is_dark: bool = False,
        width: int = 1280,
        height: int = 1024,
        has_forced_colours: bool = False,
    ) -> Page:
        watch.require_silence()
        page.emulate_media(
            media="screen",
            color_scheme="dark" if is_dark else "light",
            forced_colors="active" if has_forced_colours else "none",
        )
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path.as_uri())
        return page

    yield opened
    try:
        watch.require_silence()
    finally:
        if page.url.startswith("file:"):
            page.evaluate("localStorage.clear(); window.name = ''")
        page.goto("about:blank")


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a sample class, with a threshold that connects four of them to a group."""
    java = SAMPLES / "java"
    found = mosslite.check(java / "submissions", base=java / "template")
    assert found.threshold
    lower = replace(found.threshold, score=0.13, found=9, groups=6)
    return written(replace(found, threshold=lower), tmp_path_factory.mktemp("java"))


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with all metadata that intake can find; everybody in it is called Zoe."""
    found = told_report("Zoe")
    options = replace(found.options, review=())
    return written(replace(found, options=options), tmp_path_factory.mktemp("told"))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a class that means harm, with its names, paths, texts and title."""
    submission = tmp_path_factory.mktemp("hostile")
    write_files(submission, hostile_files())
    options = Options(comment=" ".join(PAYLOADS), review=MARKS, jobs=1)
    found = mosslite.check(submission / "class", options=options)
    assert len(found.pairs) > len(PAYLOADS)
    return written(found, submission)


def hostile_files() -> dict[str, str]:
    """Return copies of one program, with a payload in each name of a submission and of a file.

    A slash cannot be in a name, so that there it is the one between a folder and what is in it.
    """
    said = "\n".join(f"# {payload}\nprint({payload!r})" for payload in PAYLOADS)
    shown = "\n".join(_lines_apart(payload) for payload in PAYLOADS)
    texts = {"ann": f"{QUEUE}{said}\n", "bob": f"{QUEUE_RENAMED}{said}\n{shown}\n"}
    files = {f"class/{name}/{name}.py": text for name, text in texts.items()}
    for number, payload in enumerate(PAYLOADS):
        text = f"{QUEUE}{PRIMES * (number % 2)}{said}\n"
        files[f"class/{number}{payload.replace('/', '_')}/{payload.strip('/')}.py"] = text
    return files | {"class/{{7*7}}.py": WORDS, f"class/empty/{PAYLOADS[1]}": ""}


def _lines_apart(payload: str) -> str:
    return f'"""\n{payload}\n"""'
