"""A bot's log in the host: keeps the beginning and the end, each up to half of the limit, and the number of bytes left out between."""


class BoundedLog:
    """A log of at most `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self.left_out = 0
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
        """Returns the log so far and sets `left_out`; undecodable bytes are replaced. Around a gap there are whole lines, unless they are longer than what is kept."""
        head, tail = bytes(self._head), bytes(self._tail)
        if self.total > len(head) + len(tail):
            head = head[: head.rfind(b"\n") + 1] or head
            tail = tail[tail.find(b"\n") + 1 :] or tail
            self.left_out = self.total - len(head) - len(tail)
            tail = b"[%d bytes left out here]\n" % self.left_out + tail
        return (head + tail).decode("utf-8", "replace")
