"""Detects at start-up, by a probe seat, which means of the sandbox work on this machine."""

import json
import os
import select
import signal
import socket
from typing import Any, Collection, Dict, List, NamedTuple, Optional, Tuple

from husky_seat import landlock, scratch, seat_root, seccomp
from husky_seat.confine import Means
from husky_seat.forker import Forker, ForkError
from husky_seat.uids import SeatUid, UidError

_PROBE_SECONDS = 10

REMOVABLE = ("seccomp", "landlock", "limits", "own_uid", "own_root", "pid_namespace", "scratch_limit", "sampler")
"""Values of `--without`; see README.md."""


class Survey(NamedTuple):
    """The working means, and a sentence for each that does not work.

    `missing` has the required ones, without which bots are refused, `lacking` the optional ones.
    """

    means: Means
    missing: List[str]
    lacking: List[str]


def survey(forker: Forker, places: scratch.Places, without: Collection[str]) -> Survey:
    """Returns the means that work on this machine, except those in `without`. Raises ForkError if no seat can start."""
    missing = [f"{means}: removed by --without" for means in without]
    lacking: List[str] = []
    means = Means(
        uid=None,
        landlock=_landlock(missing, without),
        seccomp="seccomp" not in without and _seccomp(missing),
        limits="limits" not in without,
        pids="pid_namespace" not in without and not _lacks("pid_namespace", forker.spaces.pids, lacking),
        root=_root(forker, places.scratch, lacking, without),
        scratch=_scratch_kind(forker, places.volumes, without, lacking),
    )
    uid = None
    if os.geteuid() != 0:
        lacking.append("own_uid: the host is not root, seats share its user")
    elif "own_uid" not in without:
        uid = _reserve_uid(missing)
        means = means._replace(uid=uid.number if uid else None)
    try:
        return _drop_failing(forker, places, means, missing, lacking)
    finally:
        if uid is not None:
            uid.release()


def _drop_failing(forker: Forker, places: scratch.Places, means: Means, missing: List[str], lacking: List[str]) -> Survey:
    """Runs the probe, each time without the means that failed before, until it succeeds. Raises ForkError if none is left to drop."""
    while True:
        failed, problems = _run_probe(forker, places, means)
        if failed is None:
            return Survey(means, [*missing, *problems], lacking)
        sentence = f"{failed['failed']}: {failed['why']}"
        reduced = {
            "own_uid": {"uid": None},
            "landlock": {"landlock": 0},
            "seccomp": {"seccomp": False},
            "own_root": {"root": None, "scratch": "volume" if places.volumes else "none"},
            "scratch_limit": {"scratch": "none"},
        }.get(failed["failed"])
        if reduced is None or means == means._replace(**reduced):
            raise ForkError(f"no seat can be started: {sentence}")
        means = means._replace(**reduced)
        (lacking if failed["failed"] in ("own_root", "scratch_limit") else missing).append(sentence)


def _lacks(name: str, why: str, lacking: List[str]) -> bool:
    """Returns whether there is a reason why an optional means does not work, and adds it to `lacking`."""
    if why:
        lacking.append(f"{name}: {why}")
    return bool(why)


def _landlock(missing: List[str], without: Collection[str]) -> int:
    if "landlock" in without:
        return 0
    version = landlock.abi()
    if version < landlock.MINIMUM_ABI:
        missing.append(f"landlock: the kernel has ABI {version}, needed is {landlock.MINIMUM_ABI} (Linux 6.2)")
    return version


def _seccomp(missing: List[str]) -> bool:
    if seccomp.available():
        return True
    missing.append(f"seccomp: no filter for {os.uname().machine} or none taken by this kernel")
    return False


def _root(forker: Forker, folder: str, lacking: List[str], without: Collection[str]) -> Optional[str]:
    own_mounts = not _lacks("own_root", forker.spaces.mounts, lacking)
    if own_mounts and "own_root" not in without:
        root = os.path.join(folder, "root")
        os.mkdir(root, 0o700)
        if not _lacks("own_root", forker.prepare(True, root), lacking):
            return seat_root.root_in(root)
    forker.prepare(own_mounts, "")
    return None


def _scratch_kind(forker: Forker, volumes: List[str], without: Collection[str], lacking: List[str]) -> str:
    if "scratch_limit" in without:
        return "disk"
    if not forker.spaces.mounts:
        return "tmpfs"
    if volumes:
        return "volume"
    lacking.append("scratch: no file system with a size can be made for a seat, so bots have no writable files")
    return "none"


def _reserve_uid(missing: List[str]) -> Optional[SeatUid]:
    try:
        return SeatUid()
    except UidError as error:
        missing.append(f"own_uid: {error}")
        return None


def _run_probe(forker: Forker, places: scratch.Places, means: Means) -> Tuple[Optional[Dict[str, Any]], List[str]]:
    """Runs the probe seat. Returns the means that could not be set up (None: all could), and a sentence for each wrong result."""
    reader, writer = os.pipe()
    spare, link = socket.socketpair()
    room = scratch.Scratch(means.scratch, places, 0, means.uid, at_its_path=means.root is None)
    bot = os.path.join(places.scratch, "probe")
    os.mkdir(bot, 0o755)
    try:
        spec = {"probe": True, "seat": 0, "bot_dir": bot, "packages_dir": None, "memory_mib": 256}
        child = forker.fork({**spec, "scratch": room.path, "in_memory": room.in_memory}, means, link.fileno(), writer)
        if child.scratch >= 0:
            room.hold(child.scratch)
        os.close(writer)
        writer = -1
        text = _read_all(reader)
        signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
        status, _ = forker.reap(child)
        found = json.loads(text.splitlines()[-1]) if text.startswith("{") else {"failed": "probe", "why": text or f"status {status}"}
        return (found, []) if "failed" in found else (None, found["problems"])
    finally:
        for descriptor in (reader, writer):
            if descriptor >= 0:
                os.close(descriptor)
        spare.close()
        link.close()
        room.release()
        os.rmdir(bot)


def _read_all(reader: int) -> str:
    chunks: List[bytes] = []
    while select.select([reader], [], [], _PROBE_SECONDS)[0]:
        chunk = os.read(reader, 65536)
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks).decode("utf-8", "replace")
