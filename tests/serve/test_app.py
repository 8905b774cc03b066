"""``mosslite serve`` asked by programs: who gets in, what is taken, and what is left in the end."""

import asyncio
import io
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from mosslite.cli.files import write_file
from mosslite.cli.terminal import part_of_run
from mosslite.errors import InputError
from mosslite.serve import Settings, serving
from mosslite.serve.runs import TooLargeError, Uploads, default_review
from tests.commands import subprocess_run
from tests.programs import PRIMES, QUEUE, QUEUE_RENAMED
from tests.serving import Served, request, served, zipped
from tests.tables import table

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent there")

CLASS = {"ann.py": QUEUE, "bob.py": QUEUE_RENAMED, "cid.py": PRIMES}
EVIL = "evil.example"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("served")) as running:
        yield running


@pytest.fixture
def server(started: Served) -> Iterator[Served]:
    """The server of all tests that do not stop it; each leaves it without uploads."""
    yield started
    started.ask("cancel", "POST")
    for role in started.state()["uploads"]:
        assert started.ask(f"uploads/{role}", "DELETE").status == 200


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """A server with a report, and the address of that."""
    with served(tmp_path_factory.mktemp("finished")) as running:
        assert running.upload("submissions", zipped(CLASS)).status == 200
        assert running.run(title="Homework").status == 200
        yield running, running.outcome()["report"]


def mosslite_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess_run(*arguments, cwd=folder, capture_output=True)


def outcome_of(server: Served, content: bytes, **options: object) -> dict[str, Any]:
    assert server.upload("submissions", content).status == 200
    assert server.run(**options).status == 200
    return server.outcome()


# --- who gets in ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/x/", "/state", "//", "/%C3%A9/", "/%00/", "/favicon.ico"])
def test_nothing_is_answered_without_the_token(server: Served, path: str) -> None:
    assert server.ask(path).status == 404


def test_a_token_that_is_nearly_right_is_wrong(server: Served) -> None:
    for token in (server.path[1:-2], server.path[1:-1] + "x", server.path[1:-1].swapcase()):
        assert server.ask(f"/{token}/").status == 404
    assert server.ask("").status == 200


@pytest.mark.parametrize("host", [EVIL, "127.0.0.1", "127.0.0.1:1", "[::1]", "0.0.0.0"])  # noqa: S104
def test_a_host_of_another_name_is_refused_with_the_right_token(server: Served, host: str) -> None:
    port = server.host.rpartition(":")[2]
    for each in (host, f"{host}:{port}") if host != "127.0.0.1" else (host,):
        assert server.ask("state", headers={"Host": each}).status == 403


def test_localhost_is_a_name_of_this_machine(server: Served) -> None:
    port = server.host.rpartition(":")[2]

    assert server.ask("state", headers={"Host": f"localhost:{port}"}).status == 200


FOREIGN = [
    {"Origin": ""},
    {"Origin": "null"},
    {"Origin": f"http://{EVIL}"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN)
@table("method", "path")
def test_another_site_can_change_nothing_though_it_knows_the_token(
    server: Served, method: str, path: str, headers: dict[str, str]
) -> None:
    typed = {"Content-Type": "application/octet-stream", **headers}

    assert server.ask(path, method, body=b"x", headers=typed).status == 403
    assert server.process.poll() is None


@pytest.mark.parametrize("kind", ["image", "script", "iframe", "empty", "style"])
def test_another_site_can_load_nothing(server: Served, kind: str) -> None:
    mode = "navigate" if kind == "iframe" else "no-cors"
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": kind}

    assert server.ask("state", headers=headers).status == 403


def test_the_address_can_be_opened_from_anywhere(server: Served) -> None:
    headers = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }

    assert server.ask("", headers=headers).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_form_can_send_is_not_taken(server: Served, kind: str) -> None:
    for path in ("uploads/submissions", "run"):
        answer = server.ask(path, "POST", body=b"{}", headers={"Content-Type": kind})
        assert answer.status == 400
        assert answer.content["error"].startswith("the content type is")


def test_a_preflight_gets_no_permission(server: Served) -> None:
    asked = {"Origin": f"http://{EVIL}", "Access-Control-Request-Method": "POST"}

    answer = server.ask("run", "OPTIONS", headers=asked)

    assert answer.status == 403
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("path", ["", "state", "serve.js", "nothing", "/wrong/"])
def test_every_answer_forbids_to_keep_frame_and_guess(server: Served, path: str) -> None:
    headers = {name.lower(): value for name, value in server.ask(path).headers.items()}

    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "unsafe" not in headers["content-security-policy"]


def test_only_the_loopback_address_is_bound(server: Served) -> None:
    port = int(server.host.rpartition(":")[2])
    with socket.socket() as other:
        # Another loopback address of the machine, which a server on all addresses would have too.
        assert other.connect_ex(("127.0.0.2", port)) != 0


def test_the_address_that_a_browser_is_started_with_works_once(tmp_path: Path) -> None:
    settings = Settings(
        port=0,
        review=None,
        reviews=tmp_path,
        archives=(),
        version="1",
        created=lambda: "2026-11-21T09:30:00+00:00",
        measure=part_of_run,
        write=write_file,
    )
    with serving(settings) as running:
        first, second = request(running.launch), request(running.launch)

        assert (first.status, first.headers["location"]) == (303, urlsplit(running.url).path)
        assert second.status == 404
        assert request(running.url).status == 200


# --- what is uploaded ----------------------------------------------------------------------------


def test_a_batch_is_compared_as_on_the_command_line(finished: tuple[Served, str]) -> None:
    server, _ = finished
    state = server.state()

    assert state["run"]["state"] == "done"
    assert state["run"]["lines"][0] == "3 submissions, one per file in submissions"
    assert state["run"]["share"] == 1.0


def test_without_submissions_nothing_is_compared(server: Served) -> None:
    answer = server.run()

    assert answer.status == 400
    assert answer.content["error"].startswith("no submissions were uploaded")


def test_names_lead_nowhere_and_are_no_mark_up(server: Served) -> None:
    home = server.temporary.parent
    files = {f"../../../{home.name}-evil.py": QUEUE, "/etc/evil.py": QUEUE, **CLASS}
    files["<img src=x onerror=alert(1)>.py"] = QUEUE
    server.upload("submissions", zipped(files), name="../../../evil.zip")
    server.run(title="</title><script>")
    state = server.outcome()
    page = request(state["report"]).body.decode()
    (folder,) = server.temporary.iterdir()

    assert state["uploads"]["submissions"]["name"] == "../../../evil.zip"
    assert state["run"]["state"] == "done"
    assert [*home.rglob("*evil*"), *home.parent.glob("*evil*")] == []
    assert (folder / "submissions").is_file()
    assert "&lt;img src=x" in page
    assert "<img src=x" not in page
    assert "</h1><script>" not in page


@pytest.mark.parametrize("role", ["report", "..", "%2e%2e", "submissions%2f..%2fx", "Submissions"])
def test_there_is_a_file_for_each_role_and_no_other(server: Served, role: str) -> None:
    assert server.upload(role, b"x").status in (400, 404)
    assert role not in server.state()["uploads"]


def test_what_is_not_an_archive_leaves_nothing_to_compare(server: Served) -> None:
    state = outcome_of(server, b"this is not a zip file")

    assert state["run"]["state"] == "failed"
    assert state["run"]["error"].startswith("nothing to compare")
    assert "report" not in state


def test_half_an_archive_is_an_error_in_a_line(server: Served) -> None:
    whole = zipped(CLASS)

    state = outcome_of(server, whole[: len(whole) // 2])

    assert state["run"]["state"] in ("done", "failed")
    assert "Traceback" not in json.dumps(state)
    assert server.process.poll() is None


def test_a_bomb_is_stopped_by_the_limits_of_archives(server: Served) -> None:
    bomb = zipped({**CLASS, "dan.py": b"x" * (200 << 20)})
    assert len(bomb) < 1 << 20

    state = outcome_of(server, bomb)

    assert state["run"]["state"] == "done"
    assert any("skipped" in line for line in state["run"]["lines"])


def test_an_empty_upload_is_refused(server: Served) -> None:
    answer = server.upload("base", b"")

    assert answer.status == 400
    assert answer.content["error"].startswith("the upload is empty")


def test_an_upload_beyond_the_limit_leaves_nothing(tmp_path: Path) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(10):
            yield b"x" * 10

    uploads = Uploads(tmp_path, most_bytes=99)

    # In a thread: a browser that another test left open has a loop in this one.
    with ThreadPoolExecutor() as pool, pytest.raises(TooLargeError, match="99 bytes are the limit"):
        pool.submit(asyncio.run, uploads.receive("base", "large", chunks())).result()

    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError):
        uploads.inputs(())


def test_an_upload_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        head = f"POST {server.path}uploads/base HTTP/1.1\r\nHost: {server.host}\r\n"
        head += f"Origin: {server.origin}\r\nContent-Type: application/octet-stream\r\n"
        port = int(server.host.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(f"{head}Content-Length: 1000\r\n\r\nhalf".encode())
        state = server.state()
        code, _ = server.interrupt()

    assert state["uploads"] == {}
    assert (code, list(server.temporary.iterdir())) == (0, [])


# --- earlier terms -------------------------------------------------------------------------------


def test_an_export_of_an_earlier_term_is_compared_with_the_batch(server: Served) -> None:
    server.upload("earlier", zipped({"old.py": QUEUE, "older.py": QUEUE}))
    state = outcome_of(server, zipped(CLASS))

    assert state["run"]["lines"][0] == "3 submissions, one per file in submissions, 2 prior"


def test_an_archive_is_uploaded_or_offered_and_chosen(server: Served, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "zoe.py").write_text(QUEUE)
    mosslite_in(tmp_path, "archive", "add", "cs.mosslite", "--term", "2025", "old")
    archive = tmp_path / "cs.mosslite"
    with served(tmp_path / "one", "--archive", str(archive)) as offering:
        page = offering.ask("").body.decode()
        chosen = outcome_of(offering, zipped(CLASS), archives=[0])
        wrong = offering.run(archives=[1])
    server.upload("earlier", archive.read_bytes())
    uploaded = outcome_of(server, zipped(CLASS))

    assert "cs.mosslite: 2025 (1 submission)" in page
    assert chosen["run"]["lines"][0].endswith("1 prior")
    assert uploaded["run"]["lines"][0].endswith("1 prior")
    assert (wrong.status, wrong.content["error"][:12]) == (400, "the archives")


# --- runs ----------------------------------------------------------------------------------------


def test_there_is_one_run_at_a_time_and_it_can_be_cancelled(server: Served) -> None:
    server.upload("submissions", zipped(CLASS))
    first, second = server.run(), server.run()
    upload = server.upload("submissions", zipped(CLASS))
    cancelled = server.ask("cancel", "POST").content
    again = server.run()

    assert [first.status, second.status, upload.status] == [200, 409, 409]
    assert second.content["error"].startswith("a comparison is running")
    assert cancelled["run"]["state"] == "cancelled"
    assert "report" not in cancelled
    assert again.status == 200


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{", b'{"title": 1}', b'{"language": "klingon"}', b"\xff", b"[" * 100_000),
        b'{"archives": [%s]}' % (b"9" * 5_000),
    ],
)
def test_a_run_with_options_that_mean_nothing_is_refused(server: Served, body: bytes) -> None:
    answer = server.ask("run", "POST", body=body, headers={"Content-Type": "application/json"})

    assert answer.status == 400
    assert "\n" not in answer.content["error"]


@pytest.mark.parametrize("is_running", [False, True])
def test_ctrl_c_removes_everything(tmp_path: Path, *, is_running: bool) -> None:
    with served(tmp_path) as server:
        server.upload("submissions", zipped(CLASS))
        if is_running:
            server.run()
        kept = list(server.temporary.iterdir())
        code, printed = server.interrupt()

    assert len(kept) == 1
    assert code == 0
    assert printed.splitlines()[-1].startswith("Stopped. Uploads and reports are removed")
    assert list(server.temporary.iterdir()) == []


def test_the_page_can_stop_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        assert server.ask("quit", "POST").status == 200
        assert server.process.wait(60) == 0

    assert list(server.temporary.iterdir()) == []


def test_a_second_server_on_a_port_says_so(server: Served, tmp_path: Path) -> None:
    port = server.host.rpartition(":")[2]

    result = mosslite_in(tmp_path, "serve", "--no-open", "--port", port)

    assert result.returncode == 2
    assert result.stderr.startswith(f"mosslite: cannot use port {port} (--port): ")


# --- the report ----------------------------------------------------------------------------------


def test_the_report_has_an_origin_and_a_token_of_its_own(finished: tuple[Served, str]) -> None:
    server, url = finished
    report = urlsplit(url)
    own = report.path.split("/")[1]

    assert report.netloc != server.host
    assert request(url).status == 200
    assert request(f"http://{report.netloc}{server.path}").status == 404
    assert server.ask(f"/{own}/index.html").status == 404


@table("path")
def test_a_report_has_its_own_files_and_no_others(finished: tuple[Served, str], path: str) -> None:
    _, url = finished

    assert request(url.removesuffix("index.html") + path).status == 404


def test_a_report_may_send_marks_and_nothing_else(finished: tuple[Served, str]) -> None:
    _, url = finished
    answer = request(url.replace("index.html", "pairs/1.html"))
    policy = answer.headers["content-security-policy"]
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))

    assert b"http-equiv" not in answer.body
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["connect-src"] == url.replace("index.html", "marks")
    assert rules["form-action"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"


def test_a_report_is_saved_as_a_zip_that_works_alone(finished: tuple[Served, str]) -> None:
    server, _ = finished
    with zipfile.ZipFile(io.BytesIO(server.ask("report.zip").body)) as saved:
        names = set(saved.namelist())
        page = saved.read("mosslite-report/index.html").decode()
        data = saved.read("mosslite-report/review-data.js").decode()

    assert {"mosslite-review.json", "results.json", "results.csv"} < names
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in page
    assert "servedStorage" not in data


MARK = {"left": "ann.py", "right": "bob.py", "code": "00", "state": "confirmed"} | {
    "reason": "",
    "note": "met <b>both</b> \ud800",
    "at": "2026-11-21T09:30:00Z",
}


def send_marks(url: str, content: object, **headers: str) -> int:
    body = json.dumps(content).encode()
    sent = {"Content-Type": "application/json", **headers}
    return request(url.replace("index.html", "marks"), "POST", body, sent).status


def test_marks_go_to_a_review_file_and_into_the_next_run(server: Served, tmp_path: Path) -> None:
    state = outcome_of(server, zipped(CLASS), title="Homework 1")
    status = send_marks(state["report"], {"format": 1, "marks": [MARK]})
    other = outcome_of(server, zipped(CLASS), title="Homework 2")
    same = outcome_of(server, zipped(CLASS), title="Homework 1")
    script = request(same["report"].replace("index.html", "review-data.js")).body.decode()
    path = Path(state["review"])
    for name, text in CLASS.items():
        (tmp_path / name).write_text(text)
    read = mosslite_in(tmp_path, "check", "--review", str(path), "--no-html", "-q", *CLASS)

    assert status == 200
    assert path.parent == server.data / "mosslite" / "reviews"
    assert json.loads(path.read_text(encoding="utf-8"))["marks"][0]["state"] == "confirmed"
    assert other["review"] != state["review"]
    assert "met \\u003cb" in script
    assert (read.returncode, read.stderr) == (0, "")


def test_marks_of_several_posts_are_kept_together_and_the_latest_holds(tmp_path: Path) -> None:
    review = tmp_path / "marks.json"
    with served(tmp_path, "--review", str(review)) as server:
        state = outcome_of(server, zipped(CLASS))
        later = MARK | {"state": "dismissed", "at": "2026-11-22T09:30:00Z"}
        for mark in (MARK | {"left": "cid.py"}, later, MARK):
            assert send_marks(state["report"], {"format": 1, "marks": [mark]}) == 200

    marks = json.loads(review.read_text(encoding="utf-8"))["marks"]
    assert [(mark["left"], mark["state"]) for mark in marks] == [
        ("cid.py", "confirmed"),
        ("ann.py", "dismissed"),
    ]


@pytest.mark.parametrize(
    "content", [{}, [], {"format": 2, "marks": []}, {"format": 1, "marks": [{"left": 1}]}]
)
def test_what_is_not_a_mark_is_not_kept(finished: tuple[Served, str], content: object) -> None:
    server, url = finished

    assert send_marks(url, content) == 400
    assert not server.data.exists()


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_site_can_make_no_marks(
    finished: tuple[Served, str], headers: dict[str, str]
) -> None:
    server, url = finished

    assert send_marks(url, {"format": 1, "marks": [MARK]}, **headers) == 403
    assert not server.data.exists()


def test_a_file_that_is_not_a_review_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "letter.json").write_text("{}")

    result = mosslite_in(tmp_path, "serve", "--no-open", "--review", "letter.json")

    assert result.returncode == 2
    assert "is not a review" in result.stderr


def test_a_title_names_its_review_file_safely() -> None:
    names = [default_review(Path("x"), title).name for title in ("../../a/b", "a b", "", "\ud800")]

    assert [re.sub("-[0-9a-f]{8}", "", name) for name in names] == [
        "a-b.json",
        "a-b.json",
        "untitled.json",
        "untitled.json",
    ]
    assert len(set(names)) == 4


# --- the extra -----------------------------------------------------------------------------------


def python(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    environment = {**os.environ, "CI": "true"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_a_line_says_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None\nfrom mosslite.cli import main; main()"

    result = python(program, "serve")

    assert result.returncode == 2
    assert result.stderr == (
        "mosslite: mosslite serve needs a web server: in a checkout, pip install '.[serve]'\n"
    )


def test_the_server_is_imported_only_when_it_is_asked_for() -> None:
    program = (
        "import sys, mosslite.cli.check, mosslite.cli.commands, mosslite.cli.serve\n"
        "print(sorted({'starlette', 'uvicorn', 'anyio'} & set(sys.modules)))"
    )

    assert python(program).stdout == "[]\n"
