"""The host's side of the zygotes: starts them and requests forks and exit statuses."""

import json
import os
import socket
from typing import Any, Callable, Collection, Dict, List, NamedTuple, Optional, Tuple

from husky_seat import namespaces, zygote
from husky_seat.confine import Means
from husky_seat.randomness import hash_seed_of


class Child(NamedTuple):
    """A forked seat.

    `pid`: its process id in this process's namespace; `zygotes_pid`: the one in the zygote's namespace; `pidfd`: becomes readable when the
    process ends; `scratch`: descriptor of its scratch file system, -1 if it has none of its own; `zygote`: the channel to its parent.
    """

    pid: int
    zygotes_pid: int
    pidfd: int
    scratch: int
    zygote: socket.socket


class ForkError(Exception):
    """The zygote could not fork or reap: a failure of the host, not of a bot."""


class Forker:
    """Client of the zygotes. Calls block for milliseconds, the start of zygotes for some 60."""

    def __init__(self, pids: bool) -> None:
        """`pids`: create a process id namespace for each seat where the kernel permits it."""
        self.spaces = namespaces.enter(pids)
        self.channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            self.channel.close()
            zygote.serve(other)
        other.close()
        # By string hash seed. The first has a random one; it prepares what all share, and starts the others.
        self._zygotes = {0: self.channel}
        self.on_zygote: Callable[[socket.socket], None] = lambda channel: None
        """Is called with the channel of each further zygote."""
        self.on_zygote_end: Callable[[socket.socket], None] = lambda channel: None
        """Is called before the channel is closed."""

    def start_zygotes(self, hash_seeds: Collection[int]) -> None:
        """Starts the zygotes of these string hash seeds that do not run yet, all at once; raises ForkError."""
        started = {}
        for hash_seed in set(hash_seeds) - self._zygotes.keys():
            started[hash_seed], other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with other:
                socket.send_fds(self.channel, [json.dumps({"hash_seed": hash_seed}).encode()], [other.fileno()])
        for hash_seed, channel in started.items():
            self._receive(channel)
            self._zygotes[hash_seed] = channel
            self.on_zygote(channel)

    def end_zygotes(self) -> None:
        """Ends all zygotes but the first, to save memory. No seat may be open."""
        further = [self._zygotes.pop(hash_seed) for hash_seed in list(self._zygotes) if hash_seed]
        for channel in further:
            self.on_zygote_end(channel)
            channel.close()
        if further:
            self.channel.send(json.dumps({"ended": True}).encode())

    def prepare(self, own_mounts: bool, root: str) -> str:
        """Gets the zygote ready to fork, with a mount table of its own and the seats' root at `root` ('': no root). Returns the error; '' on success.

        After an error the zygote has its own mount table at most and must be prepared again. Raises ForkError if it has ended.
        """
        self.channel.send(json.dumps({"own_mounts": own_mounts, "root": root}).encode())
        return str(self._receive(self.channel)[0].get("error", ""))

    def hold_packages(self, folder: str, sources: List[str]) -> Dict[str, str]:
        """Copies folders of packages into memory, at mounts below `folder`; returns the copy of each; raises ForkError."""
        self.channel.send(json.dumps({"folder": folder, "hold": sources}).encode())
        response, _ = self._receive(self.channel)
        if "held" not in response:
            raise ForkError(f"the packages could not be copied into memory: {response['error']}")
        return response["held"]

    def fork(self, spec: Dict[str, Any], means: Means, link: int, log: int, seed: Optional[bytes] = None) -> Child:
        """Forks the seat `spec` with the descriptors of its connection to the dealer and of its log; raises ForkError.

        A seat with a `seed` needs the zygote of its string hash seed.
        """
        channel = self._zygotes[hash_seed_of(seed)]
        given = [link, log]
        if seed is not None:
            # A pipe that only the seat reads: later seats inherit the zygote's memory.
            reader, writer = os.pipe()
            given.append(reader)
            os.write(writer, seed)
            os.close(writer)
        try:
            socket.send_fds(channel, [json.dumps({**spec, "means": means}).encode()], given)
        finally:
            for descriptor in given[2:]:
                os.close(descriptor)
        response, descriptors = self._receive(channel)
        if not descriptors:
            raise ForkError(response.get("error", "no response"))
        pidfd, *more = descriptors
        return Child(_pid_of(pidfd), response["pid"], pidfd, more[0] if more else -1, channel)

    def reap(self, child: Child) -> Tuple[int, int]:
        """Returns the wait status and the CPU time in ms of an ended seat, and closes its pidfd; raises ForkError."""
        os.close(child.pidfd)
        child.zygote.send(json.dumps({"reap": child.zygotes_pid}).encode())
        response, _ = self._receive(child.zygote)
        if "status" not in response:
            raise ForkError(response.get("error", "no response"))
        return response["status"], response["cpu_ms"]

    def _receive(self, channel: socket.socket) -> Tuple[Dict[str, Any], List[int]]:
        data, descriptors, _, _ = socket.recv_fds(channel, 65536, 2)
        if not data:
            raise ForkError("the zygote has ended")
        return json.loads(data), descriptors


def _pid_of(pidfd: int) -> int:
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as info:
        return int(next(line for line in info if line.startswith("Pid:")).split()[1])
