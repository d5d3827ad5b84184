"""The seat host: one thread that serves the dealer, runs the sampler and never waits for a bot."""

import os
import platform
import selectors
import shutil
import signal
import socket
import stat
import sys
import sysconfig
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from husky_seat import scratch
from husky_seat.control import Control
from husky_seat.forker import Forker, ForkError
from husky_seat.journal import log
from husky_seat.match import Match, RequestError, open_match
from husky_seat.scratch import Places
from husky_seat.seat_process import listen
from husky_seat.survey import survey
from husky_seat.uids import UidError

SAMPLE_S = 0.06
"""Seconds between two rounds of the sampler while seats are open."""


class Options(NamedTuple):
    """Command-line options: accept bots although required means are missing; folder of mounted scratch volumes; means to remove; seconds without a match after which the zygotes end."""

    allow_strangers: bool
    scratch_volumes: Optional[str]
    without: List[str]
    rest_s: float


class Host:
    """Serves `<run_dir>/host.sock`; one match at a time."""

    def __init__(self, run_dir: str, forker: Forker, options: Options) -> None:
        self._forker = forker
        volumes = scratch.volumes(options.scratch_volumes) if options.scratch_volumes else []
        self._places = Places(run_dir, os.path.join(run_dir, "scratch"), volumes)
        self._make_scratch()
        self._means, self._missing, self._lacking = survey(forker, self._places, options.without)
        self._sampler = "sampler" not in options.without
        self._strangers = not self._missing or options.allow_strangers
        self._match: Optional[Match] = None
        self._rest_s = options.rest_s
        self._rest: Optional[float] = None
        self._waiting: List[Callable[[], None]] = []
        self._running = True
        self._selector = selectors.DefaultSelector()
        self._listener = listen(os.path.join(run_dir, "host.sock"))
        self._selector.register(self._listener, selectors.EVENT_READ, lambda _: self._accept())
        self._watch_zygote(forker.channel)
        forker.on_zygote = self._watch_zygote
        forker.on_zygote_end = self._selector.unregister
        self._watch_stdin()
        level = "info" if not self._missing else "warn"
        log(level, "seat host ready", pid=os.getpid(), sandbox=self._sandbox(), strangers=self._strangers)

    def run(self) -> None:
        """Serves until standard input is closed or the process gets SIGTERM or SIGINT."""
        try:
            due = time.monotonic()
            while self._running:
                wake = due if self._match else self._rest
                timeout = None if wake is None else max(0.0, wake - time.monotonic())
                for key, events in self._selector.select(timeout):
                    # A callback earlier in this round may have closed the connection.
                    if key.fd in self._selector.get_map() and self._selector.get_key(key.fd).data is key.data:
                        key.data(events)
                if self._match and time.monotonic() >= due:
                    self._match.check(self._sampler)
                    due = time.monotonic() + SAMPLE_S
                if not self._match and self._rest is not None and time.monotonic() >= self._rest:
                    self._rest = None
                    self._forker.end_zygotes()
        finally:
            self._listener.close()
            self._unlink_sockets()

    def stop(self) -> None:
        """Ends the loop. The zygote and the seats end with this process."""
        self._running = False

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        Control(self._selector, connection, self._request, self._on_control_closed)

    def _request(self, control: Control, request: Dict[str, Any]) -> None:
        name = request.get("op")
        operation = {"hello": self._hello, "open": self._open, "usage": self._usage, "kill": self._kill, "pause": self._pause, "resume": self._resume, "logs": self._logs, "close": self._close}
        try:
            if name not in operation:
                raise RequestError(f"unknown op {name!r}")
            operation[name](control, request)
        except (RequestError, ForkError, UidError) as error:
            control.send({"id": request.get("id"), "ok": False, "error": str(error)})

    def _respond(self, control: Control, request: Dict[str, Any], **fields: object) -> None:
        control.send({"id": request.get("id"), "ok": True, **fields})

    def _sandbox(self) -> Dict[str, Any]:
        means = self._means
        return {
            "seccomp": means.seccomp,
            "landlock": means.landlock,
            "own_uid": means.uid is not None,
            "own_root": means.root is not None,
            "pid_namespace": means.pids,
            "limits": means.limits,
            "scratch": means.scratch,
            "missing": self._missing,
            "lacking": self._lacking,
        }

    def _hello(self, control: Control, request: Dict[str, Any]) -> None:
        abi = sysconfig.get_config_var("SOABI") or f"cp{sys.version_info[0]}{sys.version_info[1]}"
        self._respond(control, request, python=platform.python_version(), abi=abi, sandbox=self._sandbox(), strangers=self._strangers)

    def _open(self, control: Control, request: Dict[str, Any]) -> None:
        if not self._strangers:
            raise RequestError(f"the sandbox is incomplete and bots are refused: {'; '.join(self._missing)}")
        if control.closed:
            return
        if self._match is not None:
            if not self._match.ending:
                raise RequestError(f"match {self._match.name} is open; one match at a time")
            self._waiting.append(lambda: self._request(control, request))
            return
        match = open_match(control, request, self._selector, self._places, self._means, self._forker, self._on_match_end)
        self._match = match
        match.start(self._forker)
        log("info", "match opened", match=match.name, seats=len(request["seats"]))
        sockets = [{"seat": spec["seat"], "socket": match.seat(spec["seat"]).socket_path} for spec in request["seats"]]
        self._respond(control, request, seats=sockets)

    def _match_of(self, control: Control) -> Match:
        if self._match is None or self._match.owner is not control:
            raise RequestError("no match is open on this connection")
        return self._match

    def _usage(self, control: Control, request: Dict[str, Any]) -> None:
        self._respond(control, request, seats=self._match_of(control).usage())

    def _kill(self, control: Control, request: Dict[str, Any]) -> None:
        reason = str(request.get("reason", "killed"))[:100]
        self._match_of(control).seat(request.get("seat")).kill(reason, "ordered by the dealer", ordered=True)
        self._respond(control, request)

    def _pause(self, control: Control, request: Dict[str, Any]) -> None:
        self._match_of(control).seat(request.get("seat")).send_signal(signal.SIGSTOP)
        self._respond(control, request)

    def _resume(self, control: Control, request: Dict[str, Any]) -> None:
        self._match_of(control).seat(request.get("seat")).send_signal(signal.SIGCONT)
        self._respond(control, request)

    def _logs(self, control: Control, request: Dict[str, Any]) -> None:
        self._respond(control, request, text=self._match_of(control).seat(request.get("seat")).log())

    def _close(self, control: Control, request: Dict[str, Any]) -> None:
        self._match_of(control).close(request.get("id"))

    def _on_control_closed(self, control: Control) -> None:
        if self._match is not None and self._match.owner is control:
            self._match.close(None)

    def _on_match_end(self) -> None:
        log("info", "match closed", match=self._match.name if self._match else "")
        self._match = None
        self._rest = time.monotonic() + self._rest_s
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            request()

    def _watch_zygote(self, channel: socket.socket) -> None:
        # A zygote sends nothing but responses, so a readable channel means that it has ended.
        self._selector.register(channel, selectors.EVENT_READ, lambda _: self._end_with_zygote())

    def _end_with_zygote(self) -> None:
        log("error", "the zygote has ended; stopping the host")
        raise SystemExit(1)

    def _watch_stdin(self) -> None:
        # /dev/null and files are not watched, because a container's standard input is often empty from the start.
        kind = os.fstat(0).st_mode
        if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) or os.isatty(0):
            self._selector.register(0, selectors.EVENT_READ, lambda _: self._read_stdin())

    def _read_stdin(self) -> None:
        if not os.read(0, 4096):
            log("info", "standard input was closed")
            self.stop()

    def _make_scratch(self) -> None:
        path = self._places.scratch
        if os.path.lexists(path):
            scratch.remove(path)
        os.mkdir(path, 0o711)
        os.chmod(path, 0o711)

    def _unlink_sockets(self) -> None:
        for name in os.listdir(self._places.run):
            if name == "host.sock" or (name.startswith("seat-") and name.endswith(".sock")):
                os.unlink(os.path.join(self._places.run, name))
        shutil.rmtree(self._places.scratch, ignore_errors=True)
