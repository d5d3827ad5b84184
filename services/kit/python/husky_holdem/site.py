"""A client of a site's REST API with an access token. Every failure is one sentence with an exit code."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO
from urllib.parse import urlencode

from husky_holdem import PROTOCOL_VERSION, __version__
from husky_holdem.credentials import Login, current_login
from husky_holdem.output import EXIT_SIGNED_OUT, EXIT_SITE, Failure

_TIMEOUT_SECONDS = 60
_MAX_WAIT_SECONDS = 120
_PAUSE_SECONDS = 1
_MAX_RESPONSE_BYTES = 64 << 20
_CHUNK = 1 << 16


class Refusal(Failure):
    """An error response of the site, with its HTTP status and the code of its reason."""

    def __init__(self, message: str, code: int, status: int, reason: str) -> None:
        super().__init__(message, code)
        self.status = status
        self.reason = reason


class Lost(Failure):
    """No complete response of the site: the call may have been carried out."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect: the token must not reach another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Site:
    """A site, called with an access token, or without one if it is empty. `note` shows a line while a call waits."""

    def __init__(self, login: Login, note: Callable[[str], None]) -> None:
        self.origin = login.site
        self._login = login
        self._note = note
        self._username = login.username
        self._opener = urllib.request.build_opener(_NoRedirect)

    @property
    def token(self) -> str:
        """The access token."""
        return self._login.token

    def username(self) -> str:
        """Returns the name of the token's user."""
        if not self._username:
            self._username = str(self.get("/auth/whoami")["username"])
        return self._username

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Any:
        """Sends a GET and returns the JSON of the response."""
        return self._json("GET", path + (f"?{urlencode(query)}" if query else ""))

    def post(self, path: str, body: Mapping[str, Any], key: str | None = None) -> Any:
        """Sends a POST with a JSON body and returns the JSON of the response. What calls with the same `key` create is created once."""
        return self._json_twice("POST", path, json.dumps(body).encode(), "application/json", key)

    def upload(self, path: str, files: Mapping[str, tuple[str, bytes]]) -> Any:
        """Sends a POST with a form and returns the JSON of the response. `files`: name of the field -> name and content of the file."""
        boundary = uuid.uuid4().hex
        parts = []
        for field, (name, data) in files.items():
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
            parts.append(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + data + b"\r\n")
        body = b"".join(parts) + f"--{boundary}--\r\n".encode()
        return self._json_twice("POST", path, body, f"multipart/form-data; boundary={boundary}")

    def download(self, path: str, query: Mapping[str, Any]) -> Iterator[bytes]:
        """Yields the bytes of a file; raises Failure when the connection is cut."""
        with self._send("GET", f"{path}?{urlencode(query)}", accept="*/*") as response:
            while True:
                try:
                    data = response.read(_CHUNK)
                except (OSError, http.client.HTTPException) as error:
                    raise Failure(f"the download from {self.origin} was cut: try again", EXIT_SITE) from error
                if not data:
                    return
                yield data

    def check_protocol(self) -> None:
        """Raises Failure when the site requires another version of the kit. Accepts a site that offers no kit."""
        try:
            about = self.get("/kit/index.json")
        except Refusal as refusal:
            if refusal.status in (401, 403):
                raise
            return
        required = about.get("protocol_version") if isinstance(about, dict) else None
        if required is None or required == PROTOCOL_VERSION:
            return
        install = about.get("install") or f"see {self.origin}/kit"
        raise Failure(
            f"this kit ({__version__}) speaks protocol version {PROTOCOL_VERSION}, {self.origin} version {required}: install {about.get('version')} ({install})",
            EXIT_SITE,
        )

    def _json_twice(self, method: str, path: str, body: bytes, kind: str, key: str | None = None) -> Any:
        """Sends a call with the key, or one of its own, and once more if it is lost: what it creates is created once."""
        headers = {"Content-Type": kind, "Idempotency-Key": key or uuid.uuid4().hex}
        try:
            return self._json(method, path, body, headers)
        except Failure as failure:
            if not isinstance(failure, Lost) and getattr(failure, "status", 0) not in (502, 503, 504):
                raise
            self._note(f"no response of {self.origin}: trying again")
            time.sleep(_PAUSE_SECONDS)
            return self._json(method, path, body, headers)

    def _json(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Any:
        with self._send(method, path, body, headers) as response:
            try:
                data = response.read(_MAX_RESPONSE_BYTES)
            except (OSError, http.client.HTTPException) as error:
                raise Lost(f"the connection to {self.origin} was cut: try again", EXIT_SITE) from error
            try:
                return json.loads(data)
            except ValueError as error:
                raise Failure(f"{self.origin} is no site of Husky Hold'em: it did not answer with JSON", EXIT_SITE) from error

    def _send(self, method: str, path: str, body: bytes | None = None, more: Mapping[str, str] | None = None, accept: str = "application/json") -> BinaryIO:
        headers = {"Accept": accept, "User-Agent": f"husky-holdem/{__version__}", **(more or {})}
        if self._login.token:
            headers["Authorization"] = f"Bearer {self._login.token}"
        request = urllib.request.Request(self.origin + path, data=body, headers=headers, method=method)
        deadline = time.monotonic() + _MAX_WAIT_SECONDS
        while True:
            try:
                response: BinaryIO = self._opener.open(request, timeout=_TIMEOUT_SECONDS)
                return response
            except urllib.error.HTTPError as error:
                with error:
                    seconds = _retry_after(error)
                    if seconds is None or time.monotonic() + seconds > deadline:
                        raise self._refusal(error) from error
                self._note(f"{self.origin} is busy: trying again in {seconds} s")
                time.sleep(seconds)
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
                raise Lost(f"{self.origin} cannot be reached: {text}", EXIT_SITE) from error

    def _refusal(self, error: urllib.error.HTTPError) -> Refusal:
        try:
            body = json.loads(error.read(_CHUNK))
            detail, reason = str(body["detail"]), str(body.get("reason", ""))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            detail, reason = f"status {error.code} without a reason", ""
        if 300 <= error.code < 400:
            target = error.headers.get("Location", "another address")
            return Refusal(f"{self.origin} redirects to {target}: give that address with --site", EXIT_SITE, error.code, reason)
        if error.code == 401:
            return Refusal(f"{detail} ({self.origin}/account), then run `husky login`", EXIT_SIGNED_OUT, error.code, reason)
        return Refusal(f"{self.origin}: {detail}", EXIT_SITE, error.code, reason)


def _retry_after(error: urllib.error.HTTPError) -> int | None:
    """Returns the seconds after which a refused call may be repeated, or None if it may not be."""
    if error.code not in (429, 503):
        return None
    text = error.headers.get("Retry-After", "")
    return max(1, int(text)) if text.isascii() and text.isdigit() else None


def connect(note: Callable[[str], None]) -> Site:
    """Returns the site of the current sign-in. Raises Failure if it requires another version of the kit."""
    site = Site(current_login(), note)
    site.check_protocol()
    return site
