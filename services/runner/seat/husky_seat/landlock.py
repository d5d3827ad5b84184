"""Landlock (linux/landlock.h) through raw system calls: restricts the files that a seat can open."""

import ctypes
import os
import stat
import sys
import sysconfig
from typing import Iterable, List, Tuple

from husky_seat.kernel import PR_SET_NO_NEW_PRIVS, prctl, syscall

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_FS_BITS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}

READ_FILE, READ_DIR, WRITE_FILE, TRUNCATE = 1 << 2, 1 << 3, 1 << 1, 1 << 14
READ = READ_FILE | READ_DIR
# Read and write files, create, remove and rename files and directories; no links, sockets, pipes or devices.
SCRATCH = READ | WRITE_FILE | TRUNCATE | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13

MINIMUM_ABI = 3
"""Earlier ABIs (before Linux 6.2) do not restrict truncation."""


def abi() -> int:
    """Returns the kernel's Landlock ABI version; 0: no Landlock."""
    try:
        return syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:
        return 0


def system_paths() -> List[str]:
    """Returns the paths that any Python program reads: the interpreter's library, shared libraries, time zones."""
    paths = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *(path for path in sys.path if path.startswith(sys.base_prefix))]
    # On systems with one library folder per architecture, the rest of /usr/lib belongs to other programs.
    by_architecture = sysconfig.get_config_var("MULTIARCH")
    if by_architecture and os.path.isdir(f"/usr/lib/{by_architecture}"):
        paths += [f"/usr/lib/{by_architecture}", f"/lib/{by_architecture}"]
    else:
        paths += ["/usr/lib", "/lib"]
    paths += ["/usr/lib64", "/usr/local/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"]
    if sys.base_prefix not in ("/", "/usr"):
        paths.append(os.path.join(sys.base_prefix, "lib"))
    return sorted({path for path in paths if os.path.exists(path)})


def create_ruleset(version: int, rules: Iterable[Tuple[str, int]]) -> int:
    """Creates a ruleset that handles every right of the ABI and allows these (path, rights) pairs; returns its descriptor."""
    handled_fs = (1 << _FS_BITS_BY_ABI[min(version, 5)]) - 1
    handled_net = 0b11 if version >= 4 else 0
    scoped = 0b11 if version >= 6 else 0
    attributes = (ctypes.c_uint64 * 3)(handled_fs, handled_net, scoped)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    descriptor = syscall(_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint(0))
    for path, rights in rules:
        _allow(descriptor, path, rights & handled_fs)
    return descriptor


def _allow(descriptor: int, path: str, rights: int) -> None:
    opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= READ_FILE | WRITE_FILE | TRUNCATE
        rule = rights.to_bytes(8, "little") + opened.to_bytes(4, "little")
        syscall(_ADD_RULE, ctypes.c_int(descriptor), ctypes.c_int(1), rule, ctypes.c_uint(0))
    finally:
        os.close(opened)


def restrict(descriptor: int) -> None:
    """Restricts the calling thread and its future threads by the ruleset and closes it. Cannot be undone. Raises OSError."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    syscall(_RESTRICT, ctypes.c_int(descriptor), ctypes.c_uint(0))
    os.close(descriptor)
