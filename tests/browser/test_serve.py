"""``mosslite serve`` in a browser: dropping, comparing, marking; and another site that tries it."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from mosslite.texts import LOCALES
from tests.browser.conftest import EXECUTABLES, FLAGS, PAYLOADS, violations
from tests.programs import QUEUE, QUEUE_RENAMED, write_files
from tests.serving import Served, served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent there")

SAMPLES = Path(__file__).parents[2] / "samples" / "python"
SECONDS = 60_000  # a machine with much else to do takes its time


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """A server of a test's own, which it may stop."""
    with served(tmp_path / "served") as running:
        yield running


@pytest.fixture
def page(browser: Browser, started: Served) -> Iterator[Page]:
    for role in started.state()["uploads"]:
        assert started.ask(f"uploads/{role}", "DELETE").status == 200
    with control_page(browser, started) as opened:
        yield opened


@pytest.fixture
def own_page(browser: Browser, server: Served) -> Iterator[Page]:
    with control_page(browser, server) as opened:
        yield opened


@contextmanager
def control_page(browser: Browser, server: Served) -> Iterator[Page]:
    """Open the control page; in the end nothing may have been refused by its own policy."""
    context = browser.new_context(accept_downloads=True, viewport={"width": 1280, "height": 1024})
    context.set_default_timeout(SECONDS)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(server.url)
    yield opened
    context.close()
    assert wrong == []


def drop(page: Page, role: str, *paths: Path) -> None:
    """Drop files or folders as the system's own file manager does."""
    page.locator(f"[data-role='{role}']").scroll_into_view_if_needed()
    box = page.locator(f"[data-role='{role}']").bounding_box()
    assert box
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    place = {"x": box["x"] + 20, "y": box["y"] + 20, "data": data}
    tools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        tools.send("Input.dispatchDragEvent", {"type": kind, **place})
    name = page.locator(f"[data-role='{role}'] .drop-name")
    expect(name).to_contain_text(paths[0].name, timeout=SECONDS)


def export(folder: Path) -> Path:
    return Path(shutil.make_archive(str(folder / "Homework 3"), "zip", SAMPLES / "submissions"))


def compare(page: Page) -> None:
    earlier = page.locator("#open").get_attribute("href") or ""
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("#open")).not_to_have_attribute("href", earlier, timeout=SECONDS)
    expect(page.get_by_role("heading", name="The report is ready")).to_be_visible(timeout=SECONDS)


def open_report(page: Page) -> Page:
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open the report").click()
    opened.value.wait_for_load_state()
    return opened.value


def test_the_whole_form_is_seen_on_a_small_screen(page: Page, started: Served) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    for locale in LOCALES:
        page.goto(f"{started.url}?locale={locale}")

        assert page.evaluate("document.documentElement.scrollHeight") == 800, locale
        expect(page.locator("#start")).to_be_in_viewport(ratio=1)


def test_an_export_and_base_code_are_dropped_and_the_report_is_read_and_saved(
    page: Page, tmp_path: Path
) -> None:
    drop(page, "submissions", export(tmp_path))
    drop(page, "base", SAMPLES / "template")

    compare(page)
    expect(page.get_by_role("link", name="Open the report")).to_be_in_viewport()
    report = open_report(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the report").click()

    assert download.value.suggested_filename == "mosslite-report.zip"
    assert download.value.path().read_bytes().startswith(b"PK")
    expect(page.get_by_label("Title")).to_have_value("Homework 3")
    expect(page.locator("#lines")).to_contain_text("17 submissions")
    expect(report.get_by_role("heading", level=1)).to_have_text("Homework 3")
    assert report.locator("#pair-table [data-pair]").count() > 10
    report.locator("#pair-table [data-pair='1'] a").first.click()
    expect(report.locator("#review")).to_be_visible()
    assert report.evaluate("Object.keys(localStorage)") == []


def test_a_folder_that_is_dropped_is_the_same_batch_as_its_archive(
    page: Page, tmp_path: Path
) -> None:
    long = "a-long-name-" * 12
    files = {
        f"class/{long}/hw.py": QUEUE,
        "class/b\u00e9a \u4e2d/hw.py": QUEUE_RENAMED,
        "class/zoe/a/b.py": QUEUE,
    }
    write_files(tmp_path, files)
    drop(page, "submissions", tmp_path / "class")

    compare(page)
    report = open_report(page)

    expect(page.locator("#lines")).to_contain_text("3 submissions, one per folder in submissions")
    text = report.locator("#pair-table").inner_text()
    assert "b\u00e9a \u4e2d" in text
    assert long in text


def test_files_and_folders_are_chosen_without_a_mouse(page: Page) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose file: Submissions").press("Enter")
    chooser.value.set_files(sorted((SAMPLES / "submissions").glob("*.py"))[:3])
    expect(page.locator("[data-role='submissions'] .drop-name")).to_contain_text("3 files")

    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose folder: Base code").press("Enter")
    chooser.value.set_files(str(SAMPLES / "template"))
    expect(page.locator("[data-role='base'] .drop-name")).to_contain_text("template")
    compare(page)

    expect(page.locator("#lines")).to_contain_text("3 submissions, one per file")
    expect(page.get_by_role("heading", name="The report is ready")).to_be_focused()


def test_marks_are_kept_without_saving_a_file(page: Page, tmp_path: Path) -> None:
    drop(page, "submissions", export(tmp_path))
    compare(page)
    report = open_report(page)
    report.locator("#pair-table [data-pair='1'] a").first.click()

    report.locator("#review").get_by_label("Confirmed").check()
    report.locator("#review").get_by_label("Note").fill("met both")
    status = report.locator("#review .review-form .review-status")
    expect(status).to_have_text("Saved in your review file.")
    report.go_back()
    expect(report.locator("#pair-table [data-pair='1'] .mark")).to_contain_text("Confirmed")
    report.close()
    again = open_report(page)

    expect(again.locator("#pair-table [data-pair='1'] .mark")).to_contain_text("met both")
    kept = json.loads(Path(page.locator("#review").inner_text()).read_text(encoding="utf-8"))
    assert [(mark["state"], mark["note"]) for mark in kept["marks"]] == [("confirmed", "met both")]


def test_a_mark_that_cannot_be_kept_is_said_to_be_lost(
    own_page: Page, server: Served, tmp_path: Path
) -> None:
    drop(own_page, "submissions", export(tmp_path))
    compare(own_page)
    report = open_report(own_page)
    report.locator("#pair-table [data-pair='1'] a").first.click()
    expect(report.locator("#review")).to_be_visible()

    server.interrupt()
    report.locator("#review").get_by_label("Confirmed").check()

    expect(report.locator("#marks-lost")).to_contain_text("Save the review to a file")


def test_a_run_that_fails_says_why_and_another_can_follow(page: Page, tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\3\4 and nothing more")
    drop(page, "submissions", tmp_path / "broken.zip")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing to compare", timeout=SECONDS)

    drop(page, "submissions", export(tmp_path))
    compare(page)

    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_run_is_cancelled(page: Page, tmp_path: Path) -> None:
    drop(page, "submissions", export(tmp_path))
    page.get_by_role("button", name="Compare", exact=True).click()

    page.get_by_role("button", name="Cancel").click()

    expect(page.locator("#run")).to_be_hidden()
    expect(page.locator("#result")).to_be_hidden()
    expect(page.get_by_role("button", name="Compare", exact=True)).to_be_enabled()


def test_the_page_stops_the_server(own_page: Page, server: Served) -> None:
    own_page.get_by_role("button", name="Stop mosslite").click()

    expect(own_page.locator("body")).to_have_text("mosslite has stopped. You can close this page.")
    assert server.process.wait(60) == 0


def test_an_answer_that_comes_after_the_stop_changes_nothing(
    own_page: Page, server: Served
) -> None:
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    own_page.route("**/state*", hold)
    own_page.goto(server.url)
    own_page.get_by_role("button", name="Stop mosslite").click()
    stopped = "mosslite has stopped. You can close this page."
    expect(own_page.locator("body")).to_have_text(stopped)
    empty = {"submissions": None, "base": None}
    state = {"uploads": empty, "run": {"state": "none"}, "report": None, "review": ""}

    late[0].fulfill(json=state)
    own_page.wait_for_load_state("networkidle")

    expect(own_page.locator("body")).to_have_text(stopped)


def test_a_class_that_means_harm_runs_no_script(page: Page, tmp_path: Path) -> None:
    texts = "\n".join(f"# {payload}\nprint({payload!r})" for payload in PAYLOADS)
    files = {f"class/{payload.replace('/', '_')}/hw.py": QUEUE + texts for payload in PAYLOADS}
    write_files(tmp_path, files)
    drop(page, "submissions", tmp_path / "class")
    page.get_by_label("Title").fill(PAYLOADS[0])

    compare(page)
    report = open_report(page)
    addresses = [report.url, report.url.replace("index.html", "pairs/1.html")]

    for address in addresses:
        report.goto(address)
        assert report.evaluate("typeof window.__hacked") == "undefined"
    assert page.evaluate("typeof window.__hacked") == "undefined"


def test_the_page_is_accessible(page: Page, tmp_path: Path) -> None:
    assert violations(page) == []

    drop(page, "submissions", export(tmp_path))
    compare(page)

    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(page) == [], scheme


# --- another site --------------------------------------------------------------------------------


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def another_site(folder: Path, text: str) -> Iterator[str]:
    """Serve a page from another origin of this machine."""
    (folder / "index.html").write_text(text, encoding="utf-8")
    handler = partial(_Silent, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://localhost:{other.server_address[1]}/"
        other.shutdown()


# What it tries though it has the token, which it cannot have.
ATTACK = """\
<!doctype html><title>another site</title>
<form id="form" method="post" action="{url}quit" target="frame"><input name="x" value="y"></form>
<iframe name="frame"></iframe><iframe id="page" src="{url}"></iframe>
<script>
const url = "{url}";
const found = [];
const note = (what) => (value) => found.push(`${{what}}: ${{value}}`);
const load = (tag, path) => new Promise((resolve) => {{
  const made = document.createElement(tag);
  made.onload = () => {{ found.push(`${{tag}} was loaded`); resolve(); }};
  made.onerror = () => resolve();
  made.src = url + path;
  document.body.append(made);
}});
const ask = (path, options) => fetch(url + path, options).then(
  (answer) => answer.type === "opaque" || found.push(`${{path}} was read`), () => 0);
document.getElementById("form").submit();
Promise.all([
  load("img", "state"), load("script", "serve.js"), ask("state"),
  ask("state", {{ mode: "no-cors" }}),
  ask("quit", {{ method: "POST", mode: "no-cors", body: "" }}),
  ask("uploads/submissions", {{ method: "POST", mode: "no-cors", body: "x" }}),
  ask("run", {{ method: "POST", headers: {{ "Content-Type": "application/json" }}, body: "{{}}" }}),
  ask("uploads/base", {{ method: "DELETE" }}),
]).then(() => {{ document.title = `found ${{JSON.stringify(found)}}`; }});
</script>
"""


def test_another_site_can_do_nothing_though_it_knows_the_address(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    server.upload("base", b"kept")
    opened = browser.new_page()
    with another_site(tmp_path, ATTACK.format(url=server.url)) as url:
        opened.goto(url)
        expect(opened).to_have_title("found []")
    framed = opened.frames[-1].content()
    opened.close()

    assert "Compare submissions" not in framed
    assert server.process.poll() is None
    assert list(server.state()["uploads"]) == ["base"]
    assert server.state()["run"] == {"state": "none"}


def test_a_name_of_another_site_that_leads_here_is_refused(
    browser: Browser, started: Served
) -> None:
    rules = "--host-resolver-rules=MAP evil.example 127.0.0.1"
    executable = next(filter(None, map(shutil.which, EXECUTABLES)))
    rebound = browser.browser_type.launch(executable_path=executable, args=[*FLAGS, rules])
    opened = rebound.new_page()
    port = started.host.rpartition(":")[2]

    answer = opened.goto(f"http://evil.example:{port}{started.path}")
    text = opened.content()
    rebound.close()

    assert answer is not None
    assert answer.status == 403
    assert "wrong host" in text
