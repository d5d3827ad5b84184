"""The seats' seccomp filter: the calls of permitted.py, some only with certain arguments, assembled as classic BPF.

Other calls fail: known ones with EPERM, which a bot's author sees as "not permitted"; unknown ones with ENOSYS, so that libc falls
back to an older call (_UNKNOWN). Calls of another architecture (i386, x32), which have other numbers, kill the seat.
"""

import ctypes
import errno
import os
import struct
from functools import lru_cache
from typing import List, Optional, Tuple

from husky_seat.kernel import PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, prctl
from husky_seat.permitted import PERMITTED
from husky_seat.syscalls import ARCHITECTURES, NUMBERS

ALLOWED = [name for row in PERMITTED for name in row.calls]

_UNKNOWN = ("clone3", "statx")
"""Calls that fail with ENOSYS, so that libc falls back to an older one. statx shows the numbers of mounts, which the machine counts."""

REFUSED = [name for name in NUMBERS if name not in ALLOWED and name not in _UNKNOWN]

# Placeholder for the seat's pid in the prepared filter; not a valid pid.
_OWN_PID = 0x7FFFFFF1
_X32_BIT = 0x40000000

# Thread creation as glibc and musl do it; anything else would be a new process or a namespace.
_THREAD_FLAGS = (0x003D0F00, 0x007D0F00)
_MAP_SHARED, _MAP_ANONYMOUS, _PROT_WRITE = 0x01, 0x20, 0x02
# MAP_GROWSDOWN, MAP_LOCKED, MAP_HUGETLB: mappings that RLIMIT_DATA does not count.
_MAP_UNCOUNTED = 0x0100 | 0x2000 | 0x40000
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. Locks, leases and F_NOTIFY are visible to every process that has the file.
_FCNTL = (0, 1, 2, 3, 4, 1030)
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX; without FIOSETOWN and SIOCSPGRP.
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_PR_SET_NAME, _PR_GET_NAME = 15, 16
# REALTIME, MONOTONIC, PROCESS_CPUTIME_ID, THREAD_CPUTIME_ID, MONOTONIC_RAW, the two COARSE ones, BOOTTIME, TAI. A negative id
# (the kernel takes the low 32 bits) is another process's CPU clock or a device's.
_CLOCKS = (0, 1, 2, 3, 4, 5, 6, 7, 11)
_SLEEP_CLOCKS = (0, 1, 7)
# MADV_NORMAL, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP.
_MADVISE = (0, 4, 8, 14, 15, 16)
_FUTEX_PRIVATE = 128
_CLOSE_RANGE_CLOEXEC = 4
_MSG_DONTWAIT, _MSG_NOSIGNAL = 0x40, 0x4000

_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

_FILTER_MODE = 2


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


Instruction = Tuple[int, int, int, int]


def _error(code: int) -> Instruction:
    return (_RETURN, 0, 0, 0x00050000 | code)


_PERMIT: Instruction = (_RETURN, 0, 0, _ALLOW)
_DENY = _error(errno.EPERM)


def _argument(index: int, half: int = 0) -> Instruction:
    """Loads 32 bits of an argument. `half` 0: the low ones (little-endian machines only)."""
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * half)


def _one_of(values: Tuple[int, ...]) -> List[Instruction]:
    """Permits the call when the loaded word equals one of the values, denies it otherwise."""
    block: List[Instruction] = []
    for value in values:
        block += [(_EQUAL, 0, 1, value), _PERMIT]
    return [*block, _DENY]


def _require(index: int, *values: int) -> List[Instruction]:
    """Denies the call unless the low word of the argument equals one of the values; the program continues otherwise."""
    block = [_argument(index)]
    for position, value in enumerate(values):
        block.append((_EQUAL, len(values) - position, 0, value))
    return [*block, _DENY]


def _require_null(index: int) -> List[Instruction]:
    """Denies the call unless a pointer is null."""
    return [_argument(index), (_EQUAL, 1, 0, 0), _DENY, _argument(index, 1), (_EQUAL, 1, 0, 0), _DENY]


_MESSAGE = [*_require_null(4), *_require(3, 0, _MSG_DONTWAIT, _MSG_NOSIGNAL, _MSG_DONTWAIT | _MSG_NOSIGNAL), _PERMIT]
_DONE = [_error(0)]

CONDITIONS = {
    # EAGAIN: the only user of a shared futex here is the C library's pthread_join, which then checks again.
    "futex": [_argument(1), (_ANY_BIT, 0, 1, _FUTEX_PRIVATE), _PERMIT, _error(errno.EAGAIN)],
    "mmap": [
        _argument(3),
        (_ANY_BIT, 0, 1, _MAP_UNCOUNTED),
        _DENY,
        (_ANY_BIT, 1, 0, _MAP_SHARED),
        _PERMIT,
        (_ANY_BIT, 0, 1, _MAP_ANONYMOUS),
        _DENY,
        _argument(2),
        (_ANY_BIT, 0, 1, _PROT_WRITE),
        _DENY,
        _PERMIT,
    ],
    "clone": [_argument(0, 1), (_EQUAL, 1, 0, 0), _DENY, _argument(0), *_one_of(_THREAD_FLAGS)],
    "tgkill": [_argument(0), *_one_of((_OWN_PID,))],
    "prlimit64": [*_require(0, 0, _OWN_PID), *_require_null(2), _PERMIT],
    "fcntl": [_argument(1), *_one_of(_FCNTL)],
    "ioctl": [_argument(1), *_one_of(_IOCTL)],
    "prctl": [_argument(0), *_one_of((_PR_SET_NAME, _PR_GET_NAME))],
    "clock_gettime": [_argument(0), *_one_of(_CLOCKS)],
    "clock_getres": [_argument(0), *_one_of(_CLOCKS)],
    "clock_nanosleep": [_argument(0), *_one_of(_SLEEP_CLOCKS)],
    "sched_getaffinity": [_argument(0), *_one_of((0, _OWN_PID))],
    "getrusage": [_argument(0), *_one_of((0, 1))],
    "madvise": [_argument(2), *_one_of(_MADVISE)],
    "fallocate": [_argument(1), *_one_of((0,))],
    "close_range": [_argument(2), *_one_of((0, _CLOSE_RANGE_CLOEXEC))],
    "renameat2": [_argument(4), *_one_of((0,))],
    "sendto": _MESSAGE,
    "recvfrom": _MESSAGE,
    "fsync": _DONE,
    "fdatasync": _DONE,
    "msync": _DONE,
}


@lru_cache(maxsize=1)
def _prepared() -> Optional[bytes]:
    machine = os.uname().machine
    if machine not in ARCHITECTURES or struct.calcsize("P") != 8:
        return None
    column, arch = ARCHITECTURES[machine]
    program: List[Instruction] = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, _KILL)]
    for name in [*ALLOWED, *REFUSED]:
        number = NUMBERS[name][column]
        if number is None:
            continue
        block = CONDITIONS.get(name, [_PERMIT]) if name in ALLOWED else [_DENY]
        program += [(_EQUAL, 0, len(block), number), *block]
    program.append(_error(errno.ENOSYS))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in program)


def available() -> bool:
    """Returns whether this architecture has a filter and the kernel accepts filters."""
    try:
        with open("/proc/sys/kernel/seccomp/actions_avail", encoding="ascii") as actions:
            return "errno" in actions.read() and _prepared() is not None
    except OSError:
        return _prepared() is not None


def build(pid: int) -> bytes:
    """Returns the filter for the process `pid`; raises OSError on an architecture without one."""
    prepared = _prepared()
    if prepared is None:
        raise OSError(errno.ENOSYS, "no seccomp filter for this architecture")
    return prepared.replace(struct.pack("<I", _OWN_PID), struct.pack("<I", pid))


def install(program: bytes) -> None:
    """Installs the filter in the calling thread. Cannot be undone. Raises OSError."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, ctypes.c_ulong(_FILTER_MODE), ctypes.byref(_Program(len(program) // 8, program)))
