"""A real ``mosslite serve``, and requests to it as a browser, or somebody else, makes them."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SECONDS = 60


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class Served:
    """A server that runs in a process of its own.

    Attributes:
        url: Of the control page, as it was printed.
        temporary: The folder that it uses as the system's temporary one.
        data: The folder that it uses as the user's own.
    """

    url: str
    process: subprocess.Popen[str]
    temporary: Path
    data: Path
    printed: list[str] = field(default_factory=list)

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    def ask(
        self,
        path: str,
        method: str = "GET",
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask for a path below the token, or with a slash in front for any, as our page would."""
        whole = path if path.startswith("/") else self.path + path
        return request(self.origin + whole, method, body, dict(headers or {}))

    def upload(self, role: str, content: bytes, name: str = "upload") -> Answer:
        kind = {"Content-Type": "application/octet-stream"}
        return self.ask(f"uploads/{role}?name={name}", "POST", body=content, headers=kind)

    def run(self, **options: object) -> Answer:
        kind = {"Content-Type": "application/json"}
        return self.ask("run", "POST", body=json.dumps(options).encode(), headers=kind)

    def state(self) -> dict[str, Any]:
        return self.ask("state").content

    def outcome(self) -> dict[str, Any]:
        """Wait for the end of the run, by asking again and again as the page does."""
        while (state := self.state())["run"]["state"] == "running":
            time.sleep(0.05)  # who asks all the time slows down what is waited for
        return state

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C; return the exit code and what was printed since the start."""
        self.process.send_signal(signal.SIGINT)
        printed, _ = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, printed


def request(
    url: str, method: str = "GET", body: bytes | None = None, headers: dict[str, str] | None = None
) -> Answer:
    """Ask as a page of the same origin does, unless headers say otherwise; None leaves one out."""
    parts = urlsplit(url)
    sent = {"Host": parts.netloc}
    if method not in ("GET", "HEAD"):
        sent["Origin"] = f"http://{parts.netloc}"
    sent |= headers or {}
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, {k: v for k, v in sent.items() if v})
        answer = connection.getresponse()
        return Answer(answer.status, dict(answer.getheaders()), answer.read())
    finally:
        connection.close()


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """Start a server whose temporary and user folders are in ``folder``."""
    temporary, data = folder / "temporary", folder / "data"
    temporary.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "CI": "true",
        "TMPDIR": str(temporary),
        "XDG_DATA_HOME": str(data),
        "HOME": str(folder),
    }
    # A process in the background of a shell is born deaf to Ctrl-C; this one shall hear it.
    command = ["env", "--default-signal=INT", sys.executable, "-I", "-m", "mosslite", "serve"]
    command += ["--no-open", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            found = re.search(r"http://\S+", first)
            assert found, first
            yield Served(found.group(), process, temporary, data)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file with these names and contents."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(name, content)
    return whole.getvalue()
