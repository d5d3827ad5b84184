"""A bot's log as the host keeps it: the first half and the last half of what fits, and how much is missing between."""


class BoundedLog:
    """Keeps at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._half = max(limit // 2, 1)
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Append bytes that the bot printed."""
        self.total += len(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > self._half:
            del self._tail[: len(self._tail) - self._half]

    def text(self) -> str:
        """The log so far; undecodable bytes are replaced."""
        missing = self.total - len(self._head) - len(self._tail)
        note = f"\n[{missing} bytes left out here]\n".encode() if missing else b""
        return (bytes(self._head) + note + bytes(self._tail)).decode("utf-8", "replace")
