"""Redirects a bot's output to its log pipe. Writes never block: bytes that do not fit are dropped and counted."""

import io
import os
import sys

from husky_seat.exits import EXIT_OUTPUT

OUTPUT_LIMIT = 64 << 20
"""Maximum number of bytes that a bot may print in one match, including dropped ones."""


class LogPipe(io.RawIOBase):
    """Stream to the non-blocking standard output. Writing never blocks and never fails."""

    def __init__(self) -> None:
        self._total = 0
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
            self._dropped += size - self._write(1, data)
        except OSError:
            # The pipe is full, or the bot has closed it.
            self._dropped += size
        return size


def redirect() -> io.TextIOWrapper:
    """Makes sys.stdout and sys.stderr write to the log pipe, line-buffered; returns their stream."""
    stream = io.TextIOWrapper(LogPipe(), encoding="utf-8", errors="backslashreplace", line_buffering=True)
    sys.stdout = sys.__stdout__ = stream
    sys.stderr = sys.__stderr__ = stream
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)
    return stream
