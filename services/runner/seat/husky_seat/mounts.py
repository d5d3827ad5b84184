"""Mounts by mount descriptors (Linux 5.12): tmpfs with a size limit, read-only bind mounts."""

import ctypes
import os
from typing import Dict

from husky_seat.kernel import libc, syscall

_OPEN_TREE, _MOVE_MOUNT, _FSOPEN, _FSCONFIG, _FSMOUNT, _MOUNT_SETATTR = 428, 429, 430, 431, 432, 442
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE, _CLOEXEC = -100, 0x1000, 0x8000, 0x80000
_SET_STRING, _CREATE = 1, 6
_RDONLY, _NOSUID, _NODEV, _NOEXEC = 1, 2, 4, 8
_DETACH = 2


def create_tmpfs(options: Dict[str, str], executable: bool = False) -> int:
    """Creates a tmpfs with these options, not yet mounted; returns its descriptor; raises OSError. `executable`: its files may be mapped as code."""
    context = syscall(_FSOPEN, b"tmpfs", ctypes.c_uint(1))
    try:
        for key, value in options.items():
            syscall(_FSCONFIG, ctypes.c_int(context), ctypes.c_uint(_SET_STRING), key.encode(), value.encode(), ctypes.c_int(0))
        syscall(_FSCONFIG, ctypes.c_int(context), ctypes.c_uint(_CREATE), None, None, ctypes.c_int(0))
        flags = _NOSUID | _NODEV | (0 if executable else _NOEXEC)
        return syscall(_FSMOUNT, ctypes.c_int(context), ctypes.c_uint(1), ctypes.c_uint(flags))
    finally:
        os.close(context)


def attach(mount: int, target: str) -> None:
    """Mounts the file system of a descriptor at `target`; raises OSError."""
    syscall(_MOVE_MOUNT, ctypes.c_int(mount), b"", ctypes.c_int(_AT_FDCWD), os.fsencode(target), ctypes.c_uint(4))


def detach(target: str) -> None:
    """Unmounts the file system at `target` once no process uses it; raises OSError."""
    if libc.umount2(os.fsencode(target), ctypes.c_int(_DETACH)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def make_read_only(mount: int) -> None:
    """Makes a mount and all mounts below it read-only and nosuid; raises OSError."""
    attributes = (ctypes.c_uint64 * 4)(_RDONLY | _NOSUID, 0, 0, 0)
    flags = ctypes.c_uint(_AT_EMPTY_PATH | _AT_RECURSIVE)
    syscall(_MOUNT_SETATTR, ctypes.c_int(mount), b"", flags, attributes, ctypes.c_size_t(32))


def bind_mount(source: str, target: str, read_only: bool) -> None:
    """Mounts `source` (a file or folder, with the mounts below it) at `target`; raises OSError."""
    flags = ctypes.c_uint(1 | _CLOEXEC | _AT_RECURSIVE)
    copy = syscall(_OPEN_TREE, ctypes.c_int(_AT_FDCWD), os.fsencode(source), flags)
    try:
        if read_only:
            make_read_only(copy)
        attach(copy, target)
    finally:
        os.close(copy)
