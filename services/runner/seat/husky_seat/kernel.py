"""System calls that the standard library does not wrap."""

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
PR_SET_THP_DISABLE = 41
_PR_CAP_AMBIENT, _AMBIENT_RAISE = 47, 2

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


def keep_capabilities() -> None:
    """Lets the capabilities that the calling process has in its user namespace survive the next execve (capabilities(7), ambient set); raises OSError."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (ctypes.c_uint32 * 6)()
    # Per word of 32 bits: effective, permitted, inheritable.
    if libc.capget(header, sets) == 0:
        sets[2], sets[5] = sets[1], sets[4]
    if libc.capset(header, sets) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    for number in range(64):
        if sets[1 + 3 * (number // 32)] >> number % 32 & 1:
            prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, ctypes.c_ulong(number))


def drop_capabilities() -> None:
    """Drops all capabilities; cannot be undone. Used where a root process cannot change its user."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    empty = (ctypes.c_uint32 * 6)()
    if libc.capset(header, empty) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
