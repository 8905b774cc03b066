"""The server's routes: those of the control page and of the report."""

import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from json import loads
from pathlib import Path
from tempfile import gettempdir
from threading import Event, Thread
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from mosslite.disk import temporary_folder
from mosslite.errors import InputError, MossliteError, OptionError
from mosslite.languages import MOSS_LANGUAGES, find_language
from mosslite.messages import said_by
from mosslite.options import Limits, Options
from mosslite.report import ReportMetadata
from mosslite.report.html.site import asset, environment, messages_script
from mosslite.report.json_files import decoded
from mosslite.report.review import ReviewFile, review_text
from mosslite.serve.guard import LOOPBACK, Guard, Site, error, new_token
from mosslite.serve.runs import (
    REPORT,
    ROLES,
    Job,
    Measure,
    Review,
    Run,
    ServedReport,
    TooLargeError,
    Uploads,
    default_review,
)
from mosslite.texts import LOCALES, Texts, texts_in

_MOST_OF_A_REQUEST: Final = 16 << 20
_MOST_OF_A_TEXT: Final = 200
_ASSETS: Final = {
    "report.css": "report.css",
    "serve.css": "serve.css",
    "serve.js": "serve/serve.js",
    "language.js": "shared/language.js",
    "tools.js": "shared/tools.js",
    "messages.js": "",
}
_CONTROL_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for "
    "'script'"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings from the command line.

    Attributes:
        port: Port of the control page; 0 chooses a free one.
        review: File for all marks; None uses a file per title.
        reviews: Folder of the files per title.
        archives: Archives of earlier terms offered on the page, with their descriptions.
        version: Version of mosslite, for reports.
        created: Returns the time of a run, as ISO 8601.
        measure: Tells how much of a run is done.
        write: Writes a text file atomically.
        locale: Of the page, until its reader chooses another.
    """

    port: int
    review: Path | None
    reviews: Path
    archives: tuple[tuple[str, str], ...]
    version: str
    created: Callable[[], str]
    measure: Measure
    write: Callable[[str, str], None]
    locale: str = "en"


class _Control:
    """The control page's actions: upload, run, cancel, save, stop."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.token = new_token()
        self.report_origin = ""
        self.is_over = Event()
        self.report: ServedReport | None = None
        self._settings = settings
        self._uploads = Uploads(folder, Limits().unpacked)
        self._run: Run | None = None
        self._review: Review | None = None

    def routes(self) -> list[Route]:
        """Return the routes below the token."""
        return [
            Route("/{token}/", self._page),
            Route("/{token}/state", self._state),
            Route("/{token}/uploads/{role}", self._upload, methods=["POST"]),
            Route("/{token}/uploads/{role}", self._forget, methods=["DELETE"]),
            Route("/{token}/run", self._start, methods=["POST"]),
            Route("/{token}/cancel", self._cancel, methods=["POST"]),
            Route("/{token}/quit", self._quit, methods=["POST"]),
            Route("/{token}/report.zip", self._save),
            Route("/{token}/{name}", self._asset),
        ]

    def end(self) -> None:
        """Stop what is running."""
        if self._run is not None:
            self._run.cancel()

    async def _page(self, request: Request) -> Response:
        texts = self._texts(request)
        page = environment(texts).get_template("serve.html")
        languages = sorted(_languages(texts).items())
        archives = [texts.translated(said) for _, said in self._settings.archives]
        text = page.render(archives=archives, languages=languages, locales=LOCALES)
        return Response(text, media_type="text/html", headers=_policy(_CONTROL_POLICY))

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _ASSETS:
            return error(404, "not found")
        if name == "messages.js":
            text = messages_script(self._texts(request).locale)
        else:
            text = asset(_ASSETS[name])
        return Response(text, media_type="text/css" if name.endswith("css") else "text/javascript")

    def _texts(self, request: Request) -> Texts:
        return _texts_of(request, self._settings.locale)

    async def _state(self, request: Request) -> Response:
        run = self._run
        if run is not None and run.state == "done" and self.report is None and self._review:
            self.report = ServedReport(self._uploads.folder / REPORT, self._review)
        content: dict[str, object] = {"uploads": self._uploads.shown()}
        content["run"] = run.shown(self._texts(request)) if run else {"state": "none"}
        if self.report is not None:
            content["report"] = f"{self.report_origin}/{self.report.token}/index.html"
            content["review"] = str(self.report.review.path)
        return JSONResponse(content)

    async def _upload(self, request: Request) -> Response:
        self._require_no_run()
        role = _role(request)
        _require_type(request, "application/octet-stream")
        name = request.query_params.get("name", "")[:_MOST_OF_A_TEXT]
        await self._uploads.receive(role, name, self._without_a_run(request))
        return await self._state(request)

    async def _without_a_run(self, request: Request) -> AsyncIterator[bytes]:
        """Yield the request's chunks, unless a run starts, whose files must not change."""
        async for chunk in request.stream():
            self._require_no_run()
            yield chunk
        self._require_no_run()

    async def _forget(self, request: Request) -> Response:
        self._require_no_run()
        self._uploads.remove(_role(request))
        return await self._state(request)

    async def _start(self, request: Request) -> Response:
        self._require_no_run()
        given = await _json(request)
        self._require_no_run()  # one may have started while the request was read
        options, archives = _options(given), self._chosen(given)
        inputs = self._uploads.inputs(archives)
        path = self._settings.review or default_review(self._settings.reviews, options.comment)
        review = Review(path, self._settings.write)
        options = replace(options, review=review.marks)
        created = self._settings.created()
        metadata = ReportMetadata(created, self._settings.version, self._texts(request).locale)
        job = Job(self._uploads.folder, inputs, options, metadata)
        self.report, self._review = None, review
        self._run = Run(job, self._settings.measure)
        return await self._state(request)

    def _chosen(self, given: dict[str, object]) -> tuple[str, ...]:
        """Return the selected archives, by their numbers on the page."""
        numbers = given.get("archives", [])
        known = self._settings.archives
        if not isinstance(numbers, list) or not all(each in range(len(known)) for each in numbers):
            raise InputError("the archives are not a list of numbers of archives")
        return tuple(known[number][0] for number in sorted({int(each) for each in numbers}))

    async def _cancel(self, request: Request) -> Response:
        if self._run is not None:
            await run_in_threadpool(self._run.cancel)
        return await self._state(request)

    async def _quit(self, _request: Request) -> Response:
        self.is_over.set()
        return JSONResponse({})

    async def _save(self, _request: Request) -> Response:
        if self.report is None:
            return error(404, "there is no report")
        target = self._uploads.folder / "report.zip"
        await run_in_threadpool(self.report.save, target)
        return FileResponse(target, media_type="application/zip", filename="mosslite-report.zip")

    def _require_no_run(self) -> None:
        if self._run is not None and self._run.is_running:
            raise _BusyError("a comparison is running: wait for it, or cancel it")


class _BusyError(MossliteError):
    """A run is in progress, and there can only be one."""


class _Reports:
    """Routes on the port of reports: the files of the latest one, and its marks."""

    def __init__(self, control: _Control) -> None:
        self._control = control

    @property
    def token(self) -> str:
        """The token of the current report; empty without one."""
        report = self._control.report
        return report.token if report is not None else ""

    def routes(self) -> list[Route]:
        """Return the routes below the token."""
        return [
            Route("/{token}/marks", self._marks, methods=["GET"]),
            Route("/{token}/marks", self._add_marks, methods=["POST"]),
            Route("/{token}/{name:path}", self._file),
        ]

    async def _file(self, request: Request) -> Response:
        report = self._report()
        found = report.file(request.path_params["name"])
        if found is None:
            return error(404, "not found")
        media_type, content = found
        policy = report.policy(self._control.report_origin)
        return Response(content, media_type=media_type, headers=_policy(policy))

    async def _marks(self, _request: Request) -> Response:
        return _marks_of(self._report())

    async def _add_marks(self, request: Request) -> Response:
        report = self._report()
        report.review.add(decoded(await _body(request), ReviewFile).marks)
        return _marks_of(report)

    def _report(self) -> ServedReport:
        if self._control.report is None:
            raise InputError("there is no report")
        return self._control.report


def _marks_of(report: ServedReport) -> Response:
    return Response(review_text(report.review.marks), media_type="application/json")


def _application(routes: list[Route]) -> Starlette:
    handlers = {MossliteError: _refused, ClientDisconnect: _left}
    return Starlette(routes=routes, exception_handlers=handlers)


async def _refused(request: Request, why: Exception) -> Response:
    codes: dict[type[Exception], int] = {_BusyError: 409, TooLargeError: 413}
    return error(codes.get(type(why), 400), _texts_of(request).translated(said_by(why)))


def _texts_of(request: Request, usual: str = "en") -> Texts:
    """Return the language that a page was written in, which its requests name."""
    locale = request.query_params.get("locale", usual)
    return texts_in(locale if locale in LOCALES else usual)


async def _left(_request: Request, _why: Exception) -> Response:
    return error(400, "the request was broken off")


def _policy(policy: str) -> dict[str, str]:
    return {"Content-Security-Policy": policy}


def _role(request: Request) -> str:
    role: str = request.path_params["role"]
    if role not in ROLES:
        raise InputError(
            "unknown role %(role)r: it must be one of %(roles)s", role, ", ".join(ROLES)
        )
    return role


def _require_type(request: Request, media_type: str) -> None:
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip() != media_type:
        raise InputError(
            "the content type is %(given)r: it must be %(media_type)s", given, media_type
        )


async def _json(request: Request) -> dict[str, object]:
    """Read a JSON object.

    Raises:
        InputError: It is not a JSON object.
        TooLargeError: It exceeds the limit.
    """
    found: object = None
    with suppress(ValueError, RecursionError):
        found = loads(await _body(request))
    if not isinstance(found, dict):
        raise InputError("the request is not a JSON object")
    return found


async def _body(request: Request) -> bytes:
    """Read JSON.

    Raises:
        InputError: It has another media type.
        TooLargeError: It exceeds the limit.
    """
    _require_type(request, "application/json")
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MOST_OF_A_REQUEST:
            raise TooLargeError(
                "the request is too large: %(most_of_a_request)d bytes are the limit",
                _MOST_OF_A_REQUEST,
            )
    return bytes(content)


def _languages(texts: Texts) -> dict[str, str]:
    """Return the MOSS name of each language, by the name shown on the page."""
    found = {name: find_language(alias) for name, (alias, _) in sorted(MOSS_LANGUAGES.items())}
    prose = texts.gettext("prose").capitalize()
    return {prose if each.is_prose else each.title: name for name, each in found.items()}


def _options(given: dict[str, object]) -> Options:
    title, language = given.get("title", ""), given.get("language", "")
    if not isinstance(title, str) or not isinstance(language, str):
        raise InputError("title and language must be texts")
    if language:
        find_language(language)
    comment = title.strip().encode("utf-8", "replace").decode("utf-8")[:_MOST_OF_A_TEXT]
    return Options(comment=comment, language=language or None, uses_cache=True)


@dataclass(frozen=True, slots=True)
class Serving:
    """A running server.

    Attributes:
        url: URL of the control page.
        launch: Single-use URL for starting a browser, whose arguments other users can see.
        is_over: Set when the user stops the server on the page.
    """

    url: str
    launch: str
    is_over: Event


@contextmanager
def serving(settings: Settings) -> Iterator[Serving]:
    """Run the server while the block runs, and remove all its files at the end.

    It runs in a thread of its own, so that the caller receives signals.

    Raises:
        OptionError: The port is in use.
        OSError: No temporary folder can be created.
    """
    with (
        temporary_folder(Path(gettempdir())) as folder,
        _bound(settings.port) as front,
        _bound(0) as back,
    ):
        control = _Control(settings, folder)
        port, report_port = front.getsockname()[1], back.getsockname()[1]
        control.report_origin = f"http://{LOOPBACK}:{report_port}"
        reports, launch = _Reports(control), new_token()
        sites = {
            port: Site(_application(control.routes()), lambda: control.token, launch),
            report_port: Site(_application(reports.routes()), lambda: reports.token),
        }
        origin = f"http://{LOOPBACK}:{port}"
        with _answering(Guard(sites), [front, back]):
            try:
                url, launch = f"{origin}/{control.token}/", f"{origin}/{launch}"
                yield Serving(url, launch, control.is_over)
            finally:
                control.end()


@contextmanager
def _bound(port: int) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as bound:
        try:
            bound.bind((LOOPBACK, port))
        except OSError as refused:
            raise OptionError(
                "cannot use port %(port)s (--port): %(reason)s: give another, or none",
                port,
                refused,
            ) from refused
        bound.listen()
        yield bound


@contextmanager
def _answering(guard: Guard, sockets: list[socket.socket]) -> Iterator[None]:
    config = uvicorn.Config(
        guard,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()
