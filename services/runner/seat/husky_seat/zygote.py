"""The zygotes: the parents of seats. They only fork and reap; output, decisions, cards and seeds do not pass through them.

The first one prepares what all share and starts the others, which have the library imported. Only probes and seats without a seed are its own.
"""

import gc
import json
import os
import resource
import signal
import socket
import sys
from contextlib import nullcontext, suppress
from typing import Any, Dict, List, Optional

from husky_seat import mounts, namespaces, scratch, seat_root
from husky_seat.confine import Means, prepare
from husky_seat.execute import execute
from husky_seat.kernel import PR_SET_PDEATHSIG, keep_capabilities, name_process, prctl
from husky_seat.packages import Packages
from husky_seat.warm import warm

_REQUEST_BYTES = 65536


def main() -> None:
    """Continues as the zygote in a process that was executed from the seats' root. Arguments: descriptor of the channel, paths that seats may read (JSON)."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    readable = json.loads(sys.argv[2])
    if "PYTHONHASHSEED" in os.environ:
        warm()
    _make_ready(channel, readable)
    serve(channel, readable)


def serve(channel: socket.socket, readable: Optional[List[str]] = None) -> None:
    """Handles the host's requests one by one until it closes the channel; never returns. `readable`: the paths that seats may read in their own root."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        name_process("seat-zygote")
        # The modes of copies and of folders made for seats.
        os.umask(0o022)
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        packages = Packages()
        parents: List[int] = []
        while True:
            data, descriptors, _, _ = socket.recv_fds(channel, _REQUEST_BYTES, 3)
            if not data:
                break
            request = json.loads(data)
            if "reap" in request:
                _reap(channel, request["reap"])
            elif "hold" in request:
                _hold(channel, packages, request["folder"], request["hold"])
            elif "hash_seed" in request:
                parents.extend(_start_parent(request["hash_seed"], *descriptors, readable))
            elif "ended" in request:
                while parents:
                    os.waitpid(parents.pop(), 0)
            elif "root" in request:
                _prepare(channel, request["own_mounts"], request["root"])
            else:
                _fork(channel, request, *descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)


def _prepare(channel: socket.socket, own_mounts: bool, root: str) -> None:
    """Gets ready to fork seats; with `root`, builds their root there and executes this process again from it, so that no page of it comes from a disk."""
    try:
        if own_mounts:
            namespaces.own_mounts()
            namespaces.own_host_name("seat")
        if root:
            # A limit on files of the disk is not meant for these copies in memory.
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            readable = seat_root.build(root)
            os.set_inheritable(channel.fileno(), True)
            keep_capabilities()
            execute("zygote", [str(channel.fileno()), json.dumps(readable)])
    except OSError as error:
        _respond(channel, {"error": str(error)})
        return
    _make_ready(channel, None)


def _start_parent(hash_seed: int, link: int, readable: Optional[List[str]]) -> List[int]:
    """Starts a zygote whose seats have this string hash seed; returns its process id, if the system allowed it. It responds on `link`; the end of `link` tells the host of a failure."""
    with suppress(OSError):
        pid = os.fork()
        if pid == 0:
            try:
                os.closerange(3, link)
                os.closerange(link + 1, os.sysconf("SC_OPEN_MAX"))
                os.set_inheritable(link, True)
                keep_capabilities()
                execute("zygote", [str(link), json.dumps(readable)], hash_seed)
            finally:
                os._exit(1)
        return [pid]
    return []


def _make_ready(channel: socket.socket, readable: Optional[List[str]]) -> None:
    """Computes what all seats share, and moves all objects to the garbage collector's permanent generation."""
    prepare(readable)
    gc.collect()
    gc.freeze()
    _respond(channel, {"ready": True})


def _hold(channel: socket.socket, packages: Packages, folder: str, sources: List[str]) -> None:
    try:
        _respond(channel, {"held": packages.hold(folder, sources)})
    except OSError as error:
        _respond(channel, {"error": str(error)})


def _fork(channel: socket.socket, spec: Dict[str, Any], link: int, log: int, randomness: int = -1) -> None:
    means = Means(*spec.pop("means"))
    parent = os.getpid()
    held = []
    try:
        if spec["in_memory"]:
            held.append(mounts.create_tmpfs(scratch.tmpfs_options(means.uid)))
            spec["in_memory"] = held[0]
        with namespaces.next_child_in_own_pid_namespace() if means.pids else nullcontext():
            pid = os.fork()
            if pid == 0:
                if "bot" not in sys.modules:
                    warm()
                # Imported by warm(), which puts the bots' API on the path first.
                from husky_seat import seat

                seat.run(spec, means, link, log, randomness, parent)
        held.insert(0, os.pidfd_open(pid))
        socket.send_fds(channel, [json.dumps({"pid": pid}).encode()], held)
    except OSError as error:
        _respond(channel, {"error": f"fork: {error}"})
    finally:
        for descriptor in held:
            os.close(descriptor)


def _reap(channel: socket.socket, pid: int) -> None:
    try:
        _, status, usage = os.wait4(pid, 0)
    except ChildProcessError as error:
        _respond(channel, {"error": str(error)})
        return
    _respond(channel, {"status": status, "cpu_ms": round((usage.ru_utime + usage.ru_stime) * 1000)})


def _respond(channel: socket.socket, message: Dict[str, Any]) -> None:
    channel.send(json.dumps(message).encode())
