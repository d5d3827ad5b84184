"""System calls that the standard library does not wrap."""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def syscall(number: int, *arguments: object) -> int:
    """Makes a system call with ctypes values, bytes or ints; raises OSError on failure."""
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def prctl(option: int, value: object = 0, more: object = None) -> None:
    """Sets one attribute of the calling process or thread (see prctl(2)); raises OSError."""
    if isinstance(value, int):
        value = ctypes.c_ulong(value)
    zero = ctypes.c_ulong(0)
    if libc.prctl(ctypes.c_int(option), value, more or zero, zero, zero) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def name_process(name: str) -> None:
    """Sets the process's short name (at most 15 bytes), which the host reads in /proc."""
    prctl(PR_SET_NAME, name.encode()[:15] + b"\0")


def drop_capabilities() -> None:
    """Drops all capabilities; cannot be undone. Used where a root process cannot change its user."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    empty = (ctypes.c_uint32 * 6)()
    if libc.capset(header, empty) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
