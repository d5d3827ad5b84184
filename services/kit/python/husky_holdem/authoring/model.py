"""Asks a language model by the chat API of OpenAI, which other servers have too, with OpenAI's own client."""

from __future__ import annotations

import email.utils
import json
import os
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from husky_holdem.authoring.budget import BYTES_PER_TOKEN, Budget, Calls, Usage, estimate_tokens
from husky_holdem.output import EXIT_SIGNED_OUT, EXIT_SITE, Failure

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY = "OPENAI_API_KEY"
_CONNECT_SECONDS = 20
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 1.0, 60.0
_MAX_WAIT_SECONDS = 900
_MAX_ANSWER_BYTES = 8 << 20
_NOTED_EVERY_SECONDS = 1.0
_taken: dict[str, str] = {}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class BudgetReached(Exception):
    """The budget does not allow another call."""


@dataclass(frozen=True)
class Reply:
    """A model's answer. `cut`: why it is incomplete, as the end of "cut off ..."; '' if it is complete."""

    text: str
    refusal: str
    cut: str
    model: str
    usage: Usage


@dataclass(frozen=True)
class Server:
    """A model on a server. The key is nowhere but here and in the headers of calls."""

    model: str
    url: str
    key: str = field(repr=False)
    key_name: str = DEFAULT_KEY
    parameters: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 600
    retries: int = 5


def base_url(text: str | None) -> str:
    """Returns the address of an API: that of --base-url or OPENAI_BASE_URL, or OpenAI's. Raises Failure for one with a password or query."""
    url = text or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password or parts.query or parts.fragment:
        raise Failure(f"--base-url must be an address such as {DEFAULT_URL} or http://localhost:11434/v1, without password and query")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def take_secret(name: str) -> str:
    """Returns an environment variable and removes it there, so that no child process has it; '' without it."""
    _taken.setdefault(name, os.environ.pop(name, "").strip())
    return _taken[name]


def take_key(name: str, url: str) -> str:
    """Returns the key in an environment variable, as take_secret. A server on this machine needs none. Raises Failure."""
    key = take_secret(name)
    if key:
        return key
    if urlsplit(url).hostname in _LOOPBACK:
        return "none"
    raise Failure(f"{url} needs a key: set {name}, which is read from the environment only", EXIT_SIGNED_OUT)


class Model:
    """Asks one model. `note` shows a line while a call waits, `stopped` ends it."""

    def __init__(self, server: Server, note: Callable[[str], None], stopped: Callable[[], bool] = lambda: False) -> None:
        try:
            import openai  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise Failure("this command needs the packages of the extra 'author': pip install 'openai>=3.57,<4' 'pyyaml>=6,<7'") from None
        self._openai = openai
        self._server = server
        self._note = note
        self._stopped = stopped
        timeout = openai.Timeout(server.timeout, connect=_CONNECT_SECONDS)
        # The retries are this module's own: they wait as long as Retry-After says, and each call is on record.
        self._client = openai.OpenAI(api_key=server.key, base_url=server.url, max_retries=0, timeout=timeout)

    @property
    def version(self) -> str:
        """The version of the client library."""
        return str(self._openai.__version__)

    def ask(self, messages: list[dict[str, str]], calls: Calls, budget: Budget, used: Usage) -> Reply:
        """Asks until there is an answer. Every call and its tokens are in `calls` before this returns. Raises BudgetReached, Failure."""
        prompt = estimate_tokens(json.dumps(messages, ensure_ascii=False))
        for attempt in range(self._server.retries + 1):
            left = budget.left(used + calls.usage(), prompt)
            if left is not None and left <= 0:
                raise BudgetReached
            calls.add({"event": "started", "at": _now(), "prompt": prompt})
            try:
                return self._call(messages, calls, prompt, left)
            except _Again as again:
                if attempt == self._server.retries:
                    raise Failure(f"{again.sentence}, {attempt + 1} times: run the command again later", EXIT_SITE) from None
                pause = again.seconds
                if pause is None:
                    pause = min(_MAX_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**attempt) * random.uniform(0.75, 1.0)
                if pause > _MAX_WAIT_SECONDS:
                    raise Failure(f"{again.sentence} and asks for {pause:.0f} s: run the command again then", EXIT_SITE) from None
                self._note(f"{again.sentence}: trying again in {pause:.0f} s")
                self._sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _call(self, messages: list[dict[str, str]], calls: Calls, prompt: int, left: int | None) -> Reply:
        openai, got = self._openai, _Received(calls, prompt)
        billed = False
        try:
            create = self._client.chat.completions.with_raw_response.create
            more = {key: value for key, value in self._server.parameters.items() if key not in ("model", "messages", "stream", "stream_options")}
            raw = create(model=self._server.model, messages=messages, stream=True, stream_options={"include_usage": True}, extra_body=more)
            kind = raw.headers.get("content-type", "")
            if "html" in kind:
                raise Failure(f"{self._server.url} answers with a web page: give the address of the API, which often ends in /v1", EXIT_SITE)
            billed = True
            if "application/json" in kind:  # A server that does not stream.
                got.whole(json.loads(raw.http_response.read()))
            else:
                with raw.parse() as stream:
                    for chunk in stream:
                        if self._stopped():
                            raise KeyboardInterrupt
                        if got.take(chunk.model_dump()) and left is not None and got.tokens > left:
                            got.finish = "budget"
                            break
                        if got.bytes > _MAX_ANSWER_BYTES:
                            got.finish = "length"
                            break
            if not got.chunks:
                billed = False
                raise Failure(f"{self._server.url} does not answer as a chat API does: check the address, which often ends in /v1", EXIT_SITE)
            if not got.finish:
                raise _Again(f"{self._server.url} has cut the connection")
        except openai.APIStatusError as error:
            raise self._refused(error) from None
        except openai.APITimeoutError:
            billed = True
            raise _Again(f"{self._server.url} sent nothing for {self._server.timeout:g} s") from None
        except openai.APIConnectionError as error:
            if got.chunks:
                raise _Again(f"{self._server.url} has cut the connection") from None
            raise _Again(f"{self._server.url} cannot be reached: {self._clean(str(error.__cause__ or error))}") from None
        except openai.APIError as error:
            raise _Again(f"{self._server.url} has ended the answer: {self._clean(error.message)}") from None
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            raise _Again(f"{self._server.url} has sent a damaged answer: {self._clean(str(error))}") from None
        except Exception as error:
            if type(error).__module__.split(".")[0] not in ("httpx2", "httpcore2"):
                raise
            raise _Again(f"{self._server.url} has cut the connection") from None
        finally:
            usage = got.usage or (got.estimate() if billed else Usage())
            calls.add({"event": "ended", "at": _now(), "finish": got.finish, "model": self._clean(got.model), "usage": asdict(usage)})
        cut = {"length": f"at the token limit ({usage.output:,} tokens)", "budget": "by the budget", "content_filter": "by the server's filter"}.get(got.finish, "")
        return Reply(self._hide(got.text), self._clean(got.refusal), cut, self._clean(got.model), usage)

    def _refused(self, error: Any) -> Exception:
        """Returns what an error status means: another attempt, or the end with one sentence."""
        url, status = self._server.url, int(error.status_code)
        page = "html" in error.response.headers.get("content-type", "")
        text = "it answers with a web page" if page else self._clean(str(error.body.get("message") or "") if isinstance(error.body, dict) else str(error.message))
        if status == 429 and error.code == "insufficient_quota":
            return Failure(f"{url}: the account has no quota left: {text}", EXIT_SITE)
        if status in (408, 409, 429) or status >= 500:
            return _Again(f"{url} answers {status}" + (f" ({text})" if text else ""), _retry_after(error.response.headers))
        if status in (401, 403):
            return Failure(f"{url} refuses the key in {self._server.key_name} ({status}): {text}", EXIT_SIGNED_OUT)
        if status == 404:
            return Failure(f"{url} has no model {self._server.model}, or is not the address of the API (404): {text}", EXIT_SITE)
        return Failure(f"{url} refuses the request ({status}): {text}", EXIT_SITE)

    def _hide(self, text: str) -> str:
        return text.replace(self._server.key, "[key]") if len(self._server.key) > len("none") else text

    def _clean(self, text: str) -> str:
        """Returns a server's text on one line, without the key."""
        line = " ".join(self._hide(text).split())
        return "".join(char if char.isprintable() else "?" for char in line)[:300]

    def _sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            if self._stopped():
                raise KeyboardInterrupt
            time.sleep(min(rest, 0.2))


class _Again(Exception):
    """A call that may be repeated, after `seconds` if the server says so."""

    def __init__(self, sentence: str, seconds: float | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.seconds = seconds


class _Received:
    """What has arrived of an answer. Its size is noted in `calls`, so that a killed call is counted."""

    def __init__(self, calls: Calls, prompt: int) -> None:
        self.chunks = self.bytes = 0
        self.text = self.refusal = self.finish = self.model = ""
        self.usage: Usage | None = None
        self._calls = calls
        self._prompt = prompt
        self._noted_at = time.monotonic()

    @property
    def tokens(self) -> int:
        """About how many tokens the model has written, thoughts included."""
        return -(-self.bytes // BYTES_PER_TOKEN)

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Takes a part of a stream. Returns whether it has text."""
        self.chunks += 1
        self.model = str(chunk.get("model") or self.model)
        self._take_usage(chunk.get("usage"))
        before = self.bytes
        for choice in chunk.get("choices") or ():
            self._add(choice.get("delta") or {})
            self.finish = str(choice.get("finish_reason") or self.finish)
        if time.monotonic() - self._noted_at > _NOTED_EVERY_SECONDS:
            self._noted_at = time.monotonic()
            self._calls.add({"event": "receives", "prompt": self._prompt, "answer": self.tokens})
        return self.bytes > before

    def whole(self, body: Mapping[str, Any]) -> None:
        """Takes an answer that was not streamed."""
        self.chunks = 1
        self.model = str(body.get("model") or "")
        choice = body["choices"][0]
        self._add(choice["message"])
        self.finish = str(choice.get("finish_reason") or "stop")
        self._take_usage(body.get("usage"))

    def estimate(self) -> Usage:
        """Returns the tokens where the server counts none."""
        return Usage(self._prompt, self.tokens, 0, self._prompt + self.tokens)

    def _add(self, part: Mapping[str, Any]) -> None:
        text, refusal = str(part.get("content") or ""), str(part.get("refusal") or "")
        thought = str(part.get("reasoning_content") or part.get("reasoning") or "")
        self.text += text
        self.refusal += refusal
        self.bytes += len((text + refusal + thought).encode("utf-8", "replace"))

    def _take_usage(self, usage: Mapping[str, Any] | None) -> None:
        if usage:
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
            self.usage = Usage(int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0), int(cached))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds of Retry-After, which is a number or a date."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
