"""Who may ask the server for what: only our own pages, and who was given the address.

The control page and the reports have a port each, so that they are different origins to a browser:
should a student's text ever become a script in a report, it could neither read the control page
nor use it. Every address begins with a token that nobody else can know.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LOOPBACK", "Guard", "Site", "error", "new_token"]

LOOPBACK: Final = "127.0.0.1"
_NO_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@dataclass(slots=True)
class Site:
    """What is answered on one port.

    Attributes:
        application: Answers what comes with the token.
        token: Returns the token of the moment; empty lets nobody in.
        launch: Leads to the token once, as other users of the machine can see it; empty is used.
    """

    application: ASGIApp
    token: Callable[[], str]
    launch: str = ""


def new_token() -> str:
    """Return 32 random bytes as a part of an address."""
    return secrets.token_urlsafe(32)


def error(code: int, why: str) -> Response:
    """Return an answer that says why something is not done."""
    return JSONResponse({"error": why}, status_code=code)


class Guard:
    """Lets a request in only if it comes from our own pages, or from who was given the address.

    * It names this machine as the host, so that no name of another site can lead here.
    * Its path begins with the token of the port it comes to, compared in constant time.
    * A browser that says where it comes from names no other site: an address can be opened from
      anywhere, but no other page can show, load or send anything.
    * What changes something names our own page as its origin.
    """

    def __init__(self, sites: Mapping[int, Site]) -> None:
        self._sites = sites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not; every answer has the same headers."""
        if scope["type"] != "http":
            return
        answer = self._answer(scope)
        await answer(scope, receive, _with_headers(send))

    def _answer(self, scope: Scope) -> ASGIApp:
        headers, port = Headers(scope=scope), scope["server"][1]
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in (f"{LOOPBACK}:{port}", f"localhost:{port}"):
            return error(403, "wrong host")
        if not _is_from_here(scope["method"], headers, hosts[0]):
            return error(403, "another site may not do this")
        site = self._sites[port]
        token, _, rest = scope["path"].removeprefix("/").partition("/")
        if not rest and _is_same(token, site.launch):
            site.launch = ""
            return RedirectResponse(f"/{site.token()}/", status_code=303)
        return site.application if _is_same(token, site.token()) else error(404, "not found")


def _is_same(token: str, expected: str) -> bool:
    given = token.encode("utf-8", "surrogatepass")
    return bool(expected) and secrets.compare_digest(given, expected.encode("ascii"))


def _is_from_here(method: str, headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site", "same-origin")
    if method not in ("GET", "HEAD"):
        return headers.get("origin") == f"http://{host}" and site == "same-origin"
    kind = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"))
    return site in ("same-origin", "none") or kind == ("navigate", "document")


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_HEADERS)
            headers.setdefault("Content-Security-Policy", _NO_POLICY)
        await send(message)

    return sending
