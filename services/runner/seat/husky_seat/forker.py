"""The host's handle on the zygote: start it, have it fork seats, learn how they ended, and probe the sandbox."""

import json
import os
import select
import shutil
import signal
import socket
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from husky_seat import landlock, seccomp, zygote
from husky_seat.confine import Means
from husky_seat.uids import SeatUid, UidError

_PROBE_SECONDS = 10


class Child(NamedTuple):
    """A forked seat: its pid, and a descriptor that names exactly this process and gets readable when it ends."""

    pid: int
    handle: int


class ForkError(Exception):
    """The zygote could not fork or reap; a failure of the host, not of a bot."""


class Forker:
    """Talks to the zygote; every call is answered within milliseconds."""

    def __init__(self) -> None:
        host = os.getpid()
        self.channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            self.channel.close()
            zygote.serve(other, host)
        other.close()

    def fork(self, spec: Dict[str, Any], means: Means, link: int, log: int) -> Child:
        """Fork the seat `spec` with these two descriptors; raises ForkError."""
        socket.send_fds(self.channel, [json.dumps({**spec, "means": means}).encode()], [link, log])
        answer, descriptors = self._receive()
        if not descriptors:
            raise ForkError(answer.get("error", "no answer"))
        return Child(answer["pid"], descriptors[0])

    def reap(self, child: Child) -> Tuple[int, int]:
        """The wait status and the CPU time in ms of an ended seat; closes its handle; raises ForkError."""
        os.close(child.handle)
        self.channel.send(json.dumps({"reap": child.pid}).encode())
        answer, _ = self._receive()
        if "status" not in answer:
            raise ForkError(answer.get("error", "no answer"))
        return answer["status"], answer["cpu_ms"]

    def _receive(self) -> Tuple[Dict[str, Any], List[int]]:
        data, descriptors, _, _ = socket.recv_fds(self.channel, 65536, 1)
        if not data:
            raise ForkError("the zygote has ended")
        return json.loads(data), descriptors


def probe(forker: Forker, run_dir: str) -> Tuple[Means, List[str]]:
    """Find out, by trying them in a seat, which means work here; returns them and a sentence for each that does not."""
    missing: List[str] = []
    version = landlock.abi()
    if version < landlock.MINIMUM_ABI:
        missing.append(f"landlock: the kernel has ABI {version}, needed is {landlock.MINIMUM_ABI} (Linux 6.2)")
    if not seccomp.available():
        missing.append(f"seccomp: no filter for {os.uname().machine} or none taken by this kernel")
    uid = _take_uid(missing) if os.geteuid() == 0 else None
    means = Means(uid.number if uid else None, version, seccomp.available())
    while True:
        failed, problems = _try(forker, run_dir, means)
        if failed is None:
            if uid is not None:
                uid.release()
            return means, [*missing, *problems]
        missing.append(f"{failed['failed']}: {failed['why']}")
        without = {"own_uid": {"uid": None}, "landlock": {"landlock": 0}, "seccomp": {"seccomp": False}}.get(failed["failed"])
        if without is None or means == means._replace(**without):
            raise ForkError(f"no seat can be started: {missing[-1]}")
        means = means._replace(**without)


def _take_uid(missing: List[str]) -> Optional[SeatUid]:
    try:
        return SeatUid()
    except UidError as error:
        missing.append(f"own_uid: {error}")
        return None


def _try(forker: Forker, run_dir: str, means: Means) -> Tuple[Optional[Dict[str, Any]], List[str]]:
    scratch = tempfile.mkdtemp(prefix="probe-", dir=run_dir)
    reader, writer = os.pipe()
    spare, link = socket.socketpair()
    child = None
    try:
        if means.uid is not None:
            os.chown(scratch, means.uid, means.uid)
        spec = {"probe": True, "seat": 0, "bot_dir": scratch, "packages_dir": None, "scratch": scratch, "memory_mib": 256}
        child = forker.fork(spec, means, link.fileno(), writer)
        os.close(writer)
        writer = -1
        text = _read_all(reader)
        signal.pidfd_send_signal(child.handle, signal.SIGKILL)
        status, _ = forker.reap(child)
        child = None
        found = json.loads(text.splitlines()[-1]) if text.startswith("{") else {"failed": "probe", "why": text or f"status {status}"}
        return (found, []) if "failed" in found else (None, found["problems"])
    finally:
        for descriptor in (reader, writer):
            if descriptor >= 0:
                os.close(descriptor)
        spare.close()
        link.close()
        shutil.rmtree(scratch, ignore_errors=True)


def _read_all(reader: int) -> str:
    chunks: List[bytes] = []
    while select.select([reader], [], [], _PROBE_SECONDS)[0]:
        chunk = os.read(reader, 65536)
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks).decode("utf-8", "replace")
