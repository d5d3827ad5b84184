"""Redirects a bot's output to its log pipe. Writes never block: bytes that do not fit are dropped and counted."""

import io
import os
import sys

from husky_seat.exits import EXIT_OUTPUT

OUTPUT_LIMIT = 64 << 20
"""Maximum number of bytes that a bot may print in one match, including dropped ones."""


class Place:
    """Which call of the bot is running: its hand, and the method, with the number of the decision in the hand; a new tuple for each call."""

    __slots__ = ("now",)

    def __init__(self) -> None:
        self.now = None


place = Place()


class LogPipe(io.RawIOBase):
    """Stream to the non-blocking standard output. Writing never blocks and never fails. What a call prints first has a line before it that names the call."""

    def __init__(self) -> None:
        self._total = 0
        self._named = None
        self._open_line = False
        self._dropped = 0
        self._write = os.write

    def writable(self) -> bool:
        """Returns True."""
        return True

    def fileno(self) -> int:
        """Returns the descriptor of standard output."""
        return 1

    def write(self, data) -> int:
        """Writes or drops the data; ends the process above OUTPUT_LIMIT."""
        size = len(data)
        self._total += size
        if self._total > OUTPUT_LIMIT:
            os._exit(EXIT_OUTPUT)
        try:
            if self._dropped:
                self._write(1, b"[%d bytes of output dropped]\n" % self._dropped)
                self._dropped = 0
            data = self._with_place(bytes(data))
            self._dropped += len(data) - self._write(1, data)
        except OSError:
            # The pipe is full, or the bot has closed it.
            self._dropped += size
        return size

    def _with_place(self, data: bytes) -> bytes:
        open_line, self._open_line = self._open_line, not data.endswith(b"\n")
        now = place.now
        if now is self._named:
            return data
        self._named = now
        return b"%s--- hand %d, %s\n%s" % (b"\n" if open_line else b"", now[0], now[1].encode(), data)


def redirect() -> io.TextIOWrapper:
    """Makes sys.stdout and sys.stderr write to the log pipe, line-buffered; returns their stream."""
    stream = io.TextIOWrapper(LogPipe(), encoding="utf-8", errors="backslashreplace", line_buffering=True)
    sys.stdout = sys.__stdout__ = stream
    sys.stderr = sys.__stderr__ = stream
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)
    return stream
