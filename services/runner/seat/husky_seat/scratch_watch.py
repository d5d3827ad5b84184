"""Notices the first change of a seat's scratch, by inotify."""

import ctypes
import os
import struct
from typing import Collection

from husky_seat.kernel import libc

_CHANGES = 0x2 | 0x4 | 0xC0 | 0x100 | 0x200
"""Of a folder's content: modified, attributes, moved, created, deleted (linux/inotify.h)."""
_NONBLOCK_CLOEXEC, _CREATED = 0o2004000, 0x100


class ScratchWatch:
    """Watches one folder; `descriptor` becomes readable when something in it changes. Without inotify every folder counts as changed."""

    def __init__(self, folder: int, own_names: Collection[str]) -> None:
        """`folder`: descriptor of the folder; `own_names`: entries that the seat makes itself before the bot's code runs."""
        self._own_names = set(own_names)
        self.descriptor = libc.inotify_init1(ctypes.c_int(_NONBLOCK_CLOEXEC))
        if self.descriptor >= 0:
            watched = libc.inotify_add_watch(ctypes.c_int(self.descriptor), f"/proc/self/fd/{folder}".encode(), ctypes.c_uint32(_CHANGES))
            if watched < 0:
                self.close()
        opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
        try:
            self.changed = self.descriptor < 0 or not set(os.listdir(opened)) <= self._own_names
        finally:
            os.close(opened)

    def read(self) -> bool:
        """Reads the waiting events. Returns whether the bot has changed the folder since the start."""
        data = os.read(self.descriptor, 65536)
        at = 0
        while at < len(data):
            _, mask, _, size = struct.unpack_from("iIII", data, at)
            name = data[at + 16 : at + 16 + size].rstrip(b"\0").decode("utf-8", "surrogateescape")
            self.changed = self.changed or not (mask & _CREATED and name in self._own_names)
            at += 16 + size
        return self.changed

    def close(self) -> None:
        """Ends the watch. Idempotent."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
