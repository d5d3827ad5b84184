"""A bot's log in the host: keeps the beginning and the end, each up to half of the limit, and the number of bytes left out between."""


class BoundedLog:
    """A log of at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Appends output of the bot."""
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._half:
            del self._tail[: len(self._tail) - self._half]

    def text(self) -> str:
        """Returns the log so far; undecodable bytes are replaced."""
        missing = self.total - len(self._head) - len(self._tail)
        note = f"\n[{missing} bytes left out here]\n".encode() if missing else b""
        return (bytes(self._head) + note + bytes(self._tail)).decode("utf-8", "replace")
