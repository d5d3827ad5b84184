"""The zygote: the parent of all seats, with the library imported. It only forks and reaps; output, decisions and cards do not pass through it."""

import json
import os
import signal
import socket
from contextlib import nullcontext
from typing import Any, Dict

from husky_seat import mounts, namespaces, scratch, seat_root
from husky_seat.confine import Means
from husky_seat.kernel import PR_SET_PDEATHSIG, name_process, prctl

_REQUEST_BYTES = 65536


def serve(channel: socket.socket) -> None:
    """Handles the host's requests one by one until it closes the channel; never returns."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        name_process("seat-zygote")
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        while True:
            data, descriptors, _, _ = socket.recv_fds(channel, _REQUEST_BYTES, 2)
            if not data:
                break
            request = json.loads(data)
            if "reap" in request:
                _reap(channel, request["reap"])
            elif "root" in request:
                _own_mounts(channel, request["root"])
            else:
                _fork(channel, request, *descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)


def _own_mounts(channel: socket.socket, folder: str) -> None:
    try:
        namespaces.own_mounts()
        if folder:
            seat_root.build(folder)
    except OSError as error:
        _respond(channel, {"error": str(error)})
        return
    _respond(channel, {"built": True})


def _fork(channel: socket.socket, spec: Dict[str, Any], link: int, log: int) -> None:
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
                # warm() has imported it before the first request, in the parent of this process.
                from husky_seat import seat

                seat.run(spec, means, link, log, parent)
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
