"""One dealer's control connection: newline-terminated JSON in both directions, without blocking the host."""

import json
import selectors
import socket
from typing import Any, Callable, Dict

MAX_LINE = 1 << 20
# A connection whose peer does not read is closed, so that its buffer does not fill the host's memory.
_MAX_UNSENT = 64 << 20


class Control:
    """Calls `on_request(control, request)` for each line and `on_close(control)` once at the end."""

    def __init__(self, selector: selectors.BaseSelector, connection: socket.socket, on_request: Callable, on_close: Callable) -> None:
        connection.setblocking(False)
        self._selector = selector
        self._connection = connection
        self._on_request = on_request
        self._on_close = on_close
        self._incoming = bytearray()
        self._outgoing = bytearray()
        self.closed = False
        selector.register(connection, selectors.EVENT_READ, self._ready)

    def send(self, message: Dict[str, Any]) -> None:
        """Sends a message; buffers what cannot be sent immediately."""
        if self.closed:
            return
        self._outgoing += json.dumps(message).encode() + b"\n"
        self._flush()

    def close(self) -> None:
        """Closes the connection. Idempotent."""
        if not self.closed:
            self.closed = True
            self._selector.unregister(self._connection)
            self._connection.close()
            self._on_close(self)

    def _ready(self, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._flush()
        if events & selectors.EVENT_READ and not self.closed:
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._connection.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        self._incoming += data
        *lines, self._incoming = self._incoming.split(b"\n")
        for line in lines:
            if not self.closed:
                self._handle_line(line)
        if len(self._incoming) > MAX_LINE:
            self.close()

    def _handle_line(self, line: bytes) -> None:
        try:
            request = json.loads(line)
        except ValueError:
            request = None
        if not isinstance(request, dict):
            self.send({"id": None, "ok": False, "error": "a request is one JSON object on a line"})
            self.close()
            return
        self._on_request(self, request)

    def _flush(self) -> None:
        try:
            while self._outgoing:
                sent = self._connection.send(self._outgoing)
                del self._outgoing[:sent]
        except BlockingIOError:
            if len(self._outgoing) > _MAX_UNSENT:
                self.close()
                return
        except OSError:
            self.close()
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outgoing else 0)
        self._selector.modify(self._connection, events, self._ready)
