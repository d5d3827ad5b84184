"""Scratch of seats: each has its own file system with a size limit, or none.

`tmpfs`: in memory, created for the seat and freed with it. `volume`: one of the small file systems that a pod mounts for it (`volumes`).
`none`: the seat has no writable files. `disk`: a folder whose size only the sampler limits; for tests that remove the limit.
"""

import os
import secrets
import stat
from typing import Dict, List, NamedTuple, Optional, Tuple

from husky_seat.scratch_watch import ScratchWatch

MAX_BYTES = 32 << 20
MAX_ENTRIES = 256
"""Maximum bytes and entries in one seat's scratch."""

# Includes the top folder and the links to the bot's files.
ENTRY_LIMIT = MAX_ENTRIES + 72
_VOLUME_BYTES = 2 * MAX_BYTES


class Places(NamedTuple):
    """The host's folders: sockets, scratch folder, and the file systems that the pod has mounted for seats."""

    run: str
    scratch: str
    volumes: List[str]


def volumes(folder: str) -> List[str]:
    """Returns the folders in `folder` that are mounted file systems small enough for one seat's scratch."""
    if not os.path.isdir(folder):
        return []
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return [path for path in paths if os.path.ismount(path) and _size(path) <= _VOLUME_BYTES]


def _size(path: str) -> int:
    state = os.statvfs(path)
    return state.f_blocks * state.f_frsize


def tmpfs_options(uid: Optional[int]) -> Dict[str, str]:
    """Returns the mount options of a seat's tmpfs."""
    owner = os.geteuid() if uid is None else uid
    group = os.getegid() if uid is None else uid
    sizes = {"size": str(MAX_BYTES), "nr_inodes": str(ENTRY_LIMIT)}
    return {**sizes, "mode": "0700", "uid": str(owner), "gid": str(group)}


class Scratch:
    """The host's side of one seat's scratch. The folder's name is random, so that other seats cannot name it."""

    def __init__(self, kind: str, places: Places, index: int, uid: Optional[int], at_its_path: bool) -> None:
        """`index`: the seat's position in its match; `at_its_path`: the seat uses the host's paths."""
        if kind == "volume" and index >= len(places.volumes):
            kind = "none"
        parent = places.volumes[index] if kind == "volume" else places.scratch
        self.bounded = kind != "disk"
        self.in_memory = kind == "tmpfs"
        self.path: Optional[str] = None
        # Descriptor of the file system whose usage is read.
        self._held = -1
        if kind in ("volume", "disk") or (self.in_memory and at_its_path):
            self.path = os.path.join(parent, secrets.token_hex(16))
            os.mkdir(self.path, 0o700)
            if uid is not None:
                os.chown(self.path, uid, uid)
        if kind == "volume":
            self.hold(os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))

    def hold(self, descriptor: int) -> None:
        """Takes ownership of the descriptor of the seat's file system."""
        self._held = descriptor
        self._before = self._state()

    def watch(self, own_names: List[str]) -> Optional[ScratchWatch]:
        """Returns a watch on the folder's entries; None if the seat has no writable files."""
        if self._held >= 0 and self.in_memory:
            return ScratchWatch(self._held, own_names)
        if self.path is None:
            return None
        folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            return ScratchWatch(folder, own_names)
        finally:
            os.close(folder)

    def used(self) -> Tuple[int, int]:
        """Returns (bytes, entries) used, from the file system's own counters where there are any."""
        if self._held >= 0:
            size, entries = self._state()
            return size - self._before[0], entries - self._before[1]
        return measure(self.path) if self.path and not self.in_memory else (0, 0)

    def _state(self) -> Tuple[int, int]:
        state = os.fstatvfs(self._held)
        return (state.f_blocks - state.f_bfree) * state.f_frsize, state.f_files - state.f_ffree

    def release(self) -> None:
        """Removes the folder and closes the descriptor. Call it after the seat has ended. Idempotent."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
        if self.path:
            remove(self.path)
            self.path = None


def measure(path: str) -> Tuple[int, int]:
    """Returns (bytes on disk, entries) below `path`; stops counting above ENTRY_LIMIT."""
    size = entries = 0
    waiting = [path]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries += 1
                    if entries > ENTRY_LIMIT:
                        return size, entries
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            # The bot has removed or renamed it in the meantime.
            continue
        except OSError:
            # An unreadable directory, or a path too long to follow: counts as above the limit.
            return size, ENTRY_LIMIT + 1
    return size, entries


def remove(path: str) -> None:
    """Removes an ended seat's directory, however deeply nested, by moving each level's content to the top."""
    top = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        lifted = 0
        waiting: List[str] = os.listdir(top)
        while waiting:
            name = waiting.pop()
            if not _is_directory(name, top):
                os.unlink(name, dir_fd=top)
                continue
            os.chmod(name, 0o700, dir_fd=top)
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                for child in os.listdir(inner):
                    lifted += 1
                    if _is_directory(child, inner):
                        # Moving a directory needs the right to write to it.
                        os.chmod(child, 0o700, dir_fd=inner)
                    lift = f"lifted-{os.getpid()}-{lifted}-{os.urandom(4).hex()}"
                    os.rename(child, lift, src_dir_fd=inner, dst_dir_fd=top)
                    waiting.append(lift)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(path)


def _is_directory(name: str, folder: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
