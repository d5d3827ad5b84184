"""Seats' scratch directories: made, measured and removed without ever following what a bot put there."""

import os
import stat
from typing import List, Optional, Tuple

MAX_BYTES = 32 << 20
MAX_ENTRIES = 256
"""Bytes and entries in one scratch directory, above which the host kills."""


def make(parent: str, name: str, uid: Optional[int]) -> str:
    """Make an empty directory that only this seat's user enters; returns its path."""
    path = os.path.join(parent, name)
    if os.path.lexists(path):
        remove(path)
    os.mkdir(path, 0o700)
    if uid is not None:
        os.chown(path, uid, uid)
    return path


def measure(path: str) -> Tuple[int, int]:
    """(bytes on disk, entries) below `path`; stops counting above MAX_ENTRIES."""
    size = entries = 0
    waiting = [path]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    entries += 1
                    if entries > MAX_ENTRIES:
                        return size, entries
                    size += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, NotADirectoryError):
            # Removed or renamed by the bot meanwhile.
            continue
        except OSError:
            # A directory made unreadable, or a path too long to follow: what cannot be measured is too much.
            return size, MAX_ENTRIES + 1
    return size, entries


def remove(path: str) -> None:
    """Remove a dead seat's directory however deep it is nested, by lifting each level's content to the top."""
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
