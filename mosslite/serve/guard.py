"""Access control: only mosslite's own pages, and users who know the address, are served.

The control page and the reports have a port each, so that they are different origins: if student
text ever became a script in a report, it could neither read nor use the control page. Every path
starts with a secret token.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    """What is served on one port.

    Attributes:
        application: Handles requests with the token.
        token: Returns the current token; empty denies all access.
        launch: Single-use path that redirects to the token, as other users of the machine can see
            it; empty once used.
    """

    application: ASGIApp
    token: Callable[[], str]
    launch: str = ""


def new_token() -> str:
    """Return 32 random bytes, encoded for a URL."""
    return secrets.token_urlsafe(32)


def error(code: int, why: str) -> Response:
    """Return a response with the reason for an error."""
    return JSONResponse({"error": why}, status_code=code)


class Guard:
    """Admits a request only from mosslite's own pages, or from users who know the address.

    * Its host is this machine, which prevents DNS rebinding.
    * Its path starts with the token of the port, compared in constant time.
    * A browser that states where a request comes from names no other site: links from anywhere
        work, but no other page can embed, load or send anything.
    * A request that changes state names one of mosslite's pages as its origin.
    """

    def __init__(self, sites: Mapping[int, Site]) -> None:
        self._sites = sites

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle or reject a request; every response has the same security headers."""
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
