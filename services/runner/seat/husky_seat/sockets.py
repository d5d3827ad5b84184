"""The pairs of sockets that a seat's code may use, opened before the bot's code runs.

A new pipe or socket has the next number of a counter that all processes of a processor share, so a seat can open none. asyncio needs a pair for each of its loops.
"""

import errno
import os
import socket
import weakref
from typing import List, Tuple

PAIRS = 4
"""Pairs that a bot can have at the same time."""


class Pairs:
    """Lends duplicates of its pairs in place of socket.socketpair; a pair is free again when both duplicates are closed."""

    def __init__(self, first: int) -> None:
        """Opens the pairs as the 2 * PAIRS descriptors from `first` on."""
        self._free: List[List[int]] = []
        for start in range(first, first + 2 * PAIRS, 2):
            for number, end in zip((start, start + 1), socket.socketpair()):
                os.dup2(end.fileno(), number)
                end.close()
            self._free.append([start, start + 1])
        socket.socketpair = self.lend

    def lend(self, family: int = socket.AF_UNIX, type: int = socket.SOCK_STREAM, proto: int = 0) -> Tuple[socket.socket, socket.socket]:
        """Returns a connected pair; raises OSError (EPERM for other kinds of sockets, EMFILE if all pairs are in use)."""
        if (family, type, proto) != (socket.AF_UNIX, socket.SOCK_STREAM, 0):
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        if not self._free:
            raise OSError(errno.EMFILE, f"a bot can have at most {PAIRS} pairs of sockets")
        pair = self._free.pop()
        for number in pair:
            _empty(number)
        left = set(pair)
        return _Lent(pair[0], left, pair, self._free), _Lent(pair[1], left, pair, self._free)


class _Lent(socket.socket):
    def __init__(self, number: int, left: set, pair: List[int], free: List[List[int]]) -> None:
        super().__init__(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(number))
        self._return = weakref.finalize(self, _give_back, number, left, pair, free)

    def _real_close(self, *given: object) -> None:
        super()._real_close(*given)
        self._return()


def _give_back(number: int, left: set, pair: List[int], free: List[List[int]]) -> None:
    left.discard(number)
    if not left:
        free.append(pair)


def _empty(number: int) -> None:
    os.set_blocking(number, False)
    try:
        while os.read(number, 65536):
            pass
    except BlockingIOError:
        os.set_blocking(number, True)
