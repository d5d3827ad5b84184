"""The probe: a seat makes forbidden attempts at the start of the host, to check that the sandbox works on this kernel."""

import ctypes
import errno
import importlib
import os
import socket
import time
from typing import Any, Callable, Dict, List, Sequence

from husky_seat.confine import ConfineError, Means


def check_sandbox(spec: Dict[str, Any], means: Means, parent: int) -> List[str]:
    """Makes attempts in the sandbox that must fail, and some that must work. Returns one sentence for each wrong result.

    Raises ConfineError where seats cannot run as users of their own.
    """
    problems: List[str] = []

    def must_fail(what: str, attempt: Callable[[], Any], codes: Sequence[int]) -> None:
        try:
            attempt()
        except OSError as error:
            if error.errno in codes:
                return
            problems.append(f"{what}: {error}")
            return
        problems.append(f"{what} was possible")

    refused = (errno.EPERM, errno.EACCES)
    if means.landlock:
        nowhere = refused if means.root is None else (*refused, errno.ENOENT)
        must_fail("landlock: reading /proc", lambda: open("/proc/self/status", encoding="ascii"), nowhere)
        must_fail("landlock: listing /", lambda: os.listdir("/"), refused)
        must_fail("landlock: reading /etc/passwd", lambda: open("/etc/passwd", encoding="ascii"), nowhere)
    if means.seccomp:
        must_fail("seccomp: a socket", lambda: socket.socket(socket.AF_UNIX), refused)
        must_fail("seccomp: a process", os.fork, refused)
        must_fail("seccomp: a signal to the host", lambda: os.kill(parent, 0), refused)
        must_fail("seccomp: another process's clock", lambda: time.clock_gettime((~parent << 3) | 2), refused)
        must_fail("seccomp: clone3", _clone3, (errno.ENOSYS,))
    if means.uid is not None:
        if os.getresuid() != (means.uid,) * 3 or os.getgroups():
            problems.append("own_uid: the user was not changed")
        must_fail("own_uid: becoming root again", lambda: os.setuid(0), refused)
    if means.pids and os.getpid() != 1:
        problems.append(f"pid_namespace: the seat is process {os.getpid()} of it")
    if means.root is not None:
        must_fail("own_root: looking at /proc", lambda: os.stat("/proc"), (errno.ENOENT,))
    try:
        importlib.import_module("colorsys")
        importlib.import_module("wave")
    except (ImportError, OSError) as error:
        why = f"a seat cannot read Python's library at {os.path.dirname(os.__file__)} ({error})"
        if means.uid is not None and not os.access(os.__file__, os.R_OK):
            raise ConfineError("own_uid", why) from error
        problems.append(f"landlock: {why}")
    if spec["scratch"]:
        _check_scratch(spec["scratch"], means, must_fail, problems)
    return problems


def _clone3() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(435), None, ctypes.c_size_t(0)) < 0:
        raise OSError(ctypes.get_errno(), "clone3")


def _check_scratch(folder: str, means: Means, must_fail: Callable, problems: List[str]) -> None:
    path = os.path.join(folder, "probe")
    try:
        with open(path, "w", encoding="ascii") as written:
            written.write("x")
            if means.seccomp:
                must_fail("seccomp: reserving room", lambda: _reserve(written.fileno()), (errno.EPERM,))
        os.unlink(path)
    except OSError as error:
        problems.append(f"scratch: it cannot be used ({error})")


def _reserve(descriptor: int) -> None:
    keep_size = 1
    if ctypes.CDLL(None, use_errno=True).fallocate(descriptor, keep_size, ctypes.c_long(0), ctypes.c_long(4096)) < 0:
        raise OSError(ctypes.get_errno(), "fallocate")
