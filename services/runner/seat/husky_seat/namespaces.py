"""Kernel namespaces: user (where the host is not root), mounts, process ids. Each is tried before it is used."""

import ctypes
import os
from contextlib import contextmanager
from typing import Callable, Iterator, NamedTuple

from husky_seat import mounts
from husky_seat.kernel import libc

NEW_MOUNTS, _NEW_HOST_NAME, _NEW_USER, _NEW_PIDS = 0x20000, 0x4000000, 0x10000000, 0x20000000
_MS_REC, _MS_SLAVE = 0x4000, 1 << 19


class Spaces(NamedTuple):
    """Reasons why a seat cannot have its own mount table and its own process ids here; '': it can."""

    mounts: str
    pids: str


def unshare(kind: int) -> None:
    """Moves the calling process to a new namespace; raises OSError."""
    if libc.unshare(ctypes.c_int(kind)) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def enter(pids: bool) -> Spaces:
    """Enables the calling process to create mount tables and, with `pids`, process id namespaces for its children, where the kernel permits it.

    Tries both in a child first, because a user namespace without these rights would only remove others. The process must have one thread.
    """
    spaces = Spaces(_try_in_child(_try_mounts), _try_in_child(_try_pids) if pids else "disabled")
    if os.geteuid() != 0 and not (spaces.mounts and spaces.pids):
        _enter_user_namespace()
    if not spaces.pids:
        unshare(_NEW_PIDS)
    return spaces


def _try_in_child(attempt: Callable[[], None]) -> str:
    """Runs the attempt in a child process. Returns the error; '' on success."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() != 0:
                _enter_user_namespace()
            attempt()
        except BaseException as error:
            os.write(writer, str(error).encode()[:200])
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8", errors="replace") as result:
        why = result.read()
    status = os.waitpid(pid, 0)[1]
    return why or (f"status {status}" if status else "")


def _try_mounts() -> None:
    own_mounts()
    os.close(mounts.create_tmpfs({"size": "4k"}))
    folder = os.path.dirname(os.path.abspath(__file__))
    mounts.bind_mount(folder, folder, read_only=True)


def _try_pids() -> None:
    with next_child_in_own_pid_namespace():
        pid = os.fork()
    if pid == 0:
        os._exit(0 if os.getpid() == 1 else 1)
    status = os.waitpid(pid, 0)[1]
    if status:
        raise OSError(f"a child ended with status {status}")


def _enter_user_namespace() -> None:
    user, group = os.geteuid(), os.getegid()
    unshare(_NEW_USER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as target:
            target.write(text)


def own_mounts() -> None:
    """Gives the calling process its own mount table, which receives mounts of the machine but does not propagate its own; raises OSError."""
    unshare(NEW_MOUNTS)
    if libc.mount(b"none", b"/", None, ctypes.c_ulong(_MS_REC | _MS_SLAVE), None) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def own_host_name(name: str) -> None:
    """Gives the calling process and its children a host name of their own; raises OSError."""
    unshare(_NEW_HOST_NAME)
    for change in (libc.sethostname, libc.setdomainname):
        if change(name.encode(), ctypes.c_size_t(len(name))) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))


@contextmanager
def next_child_in_own_pid_namespace() -> Iterator[None]:
    """Makes the child forked in this context process 1 of a new namespace; raises OSError."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    try:
        unshare(_NEW_PIDS)
        yield
    finally:
        libc.setns(ctypes.c_int(own), ctypes.c_int(_NEW_PIDS))
        os.close(own)
