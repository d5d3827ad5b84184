"""The host's side of one seat: socket, process, log, limits, exit."""

import fcntl
import os
import select
import selectors
import signal
import socket
from contextlib import suppress
from typing import Any, Callable, Dict, Optional, Tuple

from husky_seat.advice import with_advice
from husky_seat.confine import MAX_THREADS, Means
from husky_seat.exits import CONFINED, EXIT_CLOSED, EXIT_HOST, EXIT_LOAD, EXIT_OUTPUT
from husky_seat.forker import Child, ForkError, Forker
from husky_seat.log import BoundedLog
from husky_seat.output import OUTPUT_LIMIT
from husky_seat.scratch import ENTRY_LIMIT, MAX_BYTES, MAX_ENTRIES, Places, Scratch
from husky_seat.scratch_watch import ScratchWatch
from husky_seat.shown import Shown
from husky_seat.uids import SeatUid
from husky_seat.usage import Meter, Sample

WARN_KIB = 100 << 10
"""Documented memory limit of a bot (100 MB); above it the dealer gets one warning."""

# Buffers a bot's output between two rounds of the sampler.
_PIPE_BYTES = 256 << 10
_F_SETPIPE_SZ = 1031


class SeatProcess:
    """One seat of a match."""

    def __init__(self, selector: selectors.BaseSelector, spec: Dict[str, Any], places: Places, index: int, means: Means) -> None:
        self.number: int = spec["seat"]
        self._spec = {key: spec.get(key) for key in ("seat", "player_id", "bot_dir", "packages_dir", "memory_mib")}
        # Not part of what the zygote gets.
        self._seed: Optional[bytes] = spec["seed"]
        self._selector = selector
        self._log = BoundedLog(spec["log_bytes"])
        self._shown = Shown(spec["bot_dir"], spec["packages_dir"], None)
        self._uid = SeatUid() if means.uid is not None else None
        self._means = means._replace(uid=self._uid.number if self._uid else None)
        self._scratch = Scratch(means.scratch, places, index, self._means.uid, at_its_path=means.root is None)
        self.socket_path = os.path.join(places.run, f"seat-{self.number}.sock")
        self._listener: Optional[socket.socket] = listen(self.socket_path)
        self._watch: Optional[ScratchWatch] = None
        self._child: Optional[Child] = None
        self._meter: Optional[Meter] = None
        self._reader = -1
        self._cpu_ms = self._wait_ms = self._main_wait_ms = 0.0
        self._rss_kib = self._peak_kib = 0
        self._warned = self._confined = False
        self._link: Optional[socket.socket] = None
        self._verdict: Optional[Dict[str, Any]] = None
        self._exit: Optional[Dict[str, Any]] = None
        self.ended = False

    def start(self, forker: Forker, on_event: Callable[[Dict[str, Any]], None], on_end: Callable[[], None]) -> None:
        """Waits for the dealer's connection, then forks. `on_event` gets the events for the dealer, `on_end` is called once after the seat has ended."""
        self._forker, self._on_event, self._on_end = forker, on_event, on_end
        self._selector.register(self._listener, selectors.EVENT_READ, lambda _: self._accept())

    def _accept(self) -> None:
        # Kept open until the seat has ended, to detect which side closed the connection.
        self._link, _ = self._listener.accept()
        self._stop_listening()
        self._reader, writer = os.pipe()
        try:
            fcntl.fcntl(writer, _F_SETPIPE_SZ, _PIPE_BYTES)
        except PermissionError:
            # The user's limit on pipe memory is reached: the default size works, but more output is dropped.
            pass
        os.set_blocking(self._reader, False)
        try:
            spec = {**self._spec, "scratch": self._scratch.path, "in_memory": self._scratch.in_memory}
            self._child = self._forker.fork(spec, self._means, self._link.fileno(), writer, self._seed)
            if self._child.scratch >= 0:
                self._scratch.hold(self._child.scratch)
            self._watch_scratch()
            self._meter = Meter(self._child.pid)
            self._selector.register(self._child.pidfd, selectors.EVENT_READ, lambda _: self._reap())
        except (ForkError, FileNotFoundError) as error:
            self._end({"reason": "host", "signal": None, "code": None}, str(error))
        finally:
            os.close(writer)

    def _watch_scratch(self) -> None:
        # The dealer then hides the times of this seat's changes from the others.
        self._watch = self._scratch.watch(os.listdir(self._spec["bot_dir"]))
        if self._watch is None:
            return
        if self._watch.changed:
            self._end_watch()
        else:
            self._selector.register(self._watch.descriptor, selectors.EVENT_READ, lambda _: self._watch.read() and self._end_watch())

    def _end_watch(self) -> None:
        if self._watch.changed:
            self._on_event({"event": "scratch-used", "seat": self.number})
        self._stop_watching()

    def _stop_watching(self) -> None:
        if self._watch is not None:
            if self._watch.descriptor in self._selector.get_map():
                self._selector.unregister(self._watch.descriptor)
            self._watch.close()
            self._watch = None

    def check(self, enforce: bool) -> None:
        """Runs one round of the sampler: reads the output and measures usage. `enforce`: also kills the seat above a limit."""
        if self._child is None:
            return
        self._drain()
        sample = self._measure()
        if sample is None or self._verdict or not enforce:
            return
        # A volume of the pod limits bytes but not entries.
        size, entries = self._scratch.used()
        size = 0 if self._scratch.bounded else size
        limit = self._spec["memory_mib"] << 10
        if sample.rss_kib > limit:
            self.kill("memory", f"{sample.rss_kib} KiB used, {limit} allowed")
        elif sample.threads > MAX_THREADS:
            self.kill("crash", f"{sample.threads} threads, {MAX_THREADS} allowed")
        elif self._log.total > OUTPUT_LIMIT:
            self.kill("output", f"more than {OUTPUT_LIMIT} bytes printed")
        elif size > MAX_BYTES or entries > ENTRY_LIMIT:
            self.kill("output", f"more than {MAX_BYTES} bytes or {MAX_ENTRIES} entries in the scratch directory")
        elif sample.rss_kib > WARN_KIB and not self._warned:
            self._warned = True
            self._on_event({"event": "memory-warning", "seat": self.number, "rss_kib": sample.rss_kib})

    def kill(self, reason: str, detail: str, ordered: bool = False) -> None:
        """Ends the seat for this reason; the first reason counts. No event is sent for an ordered end. Idempotent."""
        if self.ended:
            return
        if self._verdict is None:
            self._verdict = {"reason": reason, "detail": detail, "ordered": ordered}
        if self._child is not None:
            # The seat may end before the sampler has measured it.
            self._measure()
            self.send_signal(signal.SIGKILL)
        else:
            self._stop_listening()
            self._end({"reason": reason, "signal": None, "code": None}, detail)

    def send_signal(self, number: signal.Signals) -> None:
        """Sends a signal to the seat's process, if there is one."""
        if self._child is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._child.pidfd, number)

    def usage(self) -> Dict[str, Any]:
        """Returns the current usage; after the end of the seat, the last one."""
        if self._child is not None:
            self._measure()
        times = {"cpu_ms": round(self._cpu_ms, 1), "wait_ms": round(self._wait_ms, 1), "main_wait_ms": round(self._main_wait_ms, 1)}
        return {"seat": self.number, **times, "rss_kib": self._rss_kib, "peak_kib": self._peak_kib, "alive": self._child is not None, "exit": self._exit}

    def log(self) -> str:
        """Returns the bot's log so far."""
        self._drain()
        return self._shown.log(self._log.text())

    @property
    def left_out(self) -> int:
        """Number of bytes that were missing in the last log()."""
        return self._log.left_out

    def release(self) -> None:
        """Removes the scratch files and releases the user id. Call it after the seat has ended."""
        self._scratch.release()
        if self._uid is not None:
            self._uid.release()

    def discard(self) -> None:
        """Releases the resources of a seat that was never started."""
        self._stop_listening()
        self.release()

    def _measure(self) -> Optional[Sample]:
        sample = self._meter.sample()
        cpu_ms = self._meter.cpu_ms()
        if cpu_ms is not None:
            self._cpu_ms = max(self._cpu_ms, cpu_ms)
        self._wait_ms, self._main_wait_ms = self._meter.wait_ms()
        if sample is None:
            return None
        # Files in a tmpfs count as the seat's memory, whether mapped or not.
        files_kib = self._scratch.used()[0] >> 10 if self._scratch.bounded else 0
        self._peak_kib = max(self._peak_kib, files_kib)
        if not sample.rss_kib:
            # The process is a zombie: its memory is freed, but its files are not.
            return sample
        # In an own root, mapped pages of the library are shared memory, too; scratch is then measured as a whole.
        shared_kib = sample.shared_kib if self._means.root is None else 0
        sample = sample._replace(rss_kib=sample.rss_kib + max(shared_kib, files_kib))
        self._rss_kib = sample.rss_kib
        self._peak_kib = max(self._peak_kib, sample.rss_kib)
        return sample

    def _drain(self) -> None:
        # One read per round: a bot that prints faster only loses its own output.
        if self._reader >= 0:
            try:
                data = os.read(self._reader, _PIPE_BYTES)
            except BlockingIOError:
                return
            if not self._confined and data.startswith(CONFINED):
                self._confined = True
                data = data[len(CONFINED) :]
            self._log.add(data)

    def _stop_listening(self) -> None:
        if self._listener is not None:
            if self._listener in self._selector.get_map():
                self._selector.unregister(self._listener)
            self._listener.close()
            self._listener = None
            os.unlink(self.socket_path)

    def _reap(self) -> None:
        self._selector.unregister(self._child.pidfd)
        self._drain()
        self._measure()
        try:
            status, cpu_ms = self._forker.reap(self._child)
        except ForkError as error:
            self._end({"reason": "host", "signal": None, "code": None}, str(error))
            return
        self._cpu_ms = max(self._cpu_ms, cpu_ms)
        self._end(*self._verdict_of(status))

    def _verdict_of(self, status: int) -> Tuple[Dict[str, Any], str]:
        code = os.waitstatus_to_exitcode(status)
        ended = {"signal": -code if code < 0 else None, "code": code if code >= 0 else None}
        if self._verdict is not None:
            return {"reason": self._verdict["reason"], **ended}, self._verdict["detail"]
        if code < 0:
            return {"reason": "signal", **ended}, f"ended by {signal.Signals(-code).name}"
        credible = {EXIT_CLOSED: self._dealer_has_closed(), EXIT_HOST: not self._confined}
        if not credible.get(code, True):
            # A bot can exit with these statuses itself, so they count only if the host knows the cause.
            return {"reason": "crash", **ended}, f"ended with status {code}"
        reason, detail = {
            EXIT_LOAD: ("startup", "the bot could not be loaded"),
            EXIT_OUTPUT: ("output", f"more than {OUTPUT_LIMIT} bytes printed"),
            EXIT_CLOSED: ("closed", "the connection was closed"),
            EXIT_HOST: ("host", f"the sandbox could not be set up: {self._log.text()[-300:]}"),
        }.get(code, ("crash", f"ended with status {code}"))
        return {"reason": reason, **ended}, detail

    def _dealer_has_closed(self) -> bool:
        watch = select.poll()
        watch.register(self._link, select.POLLRDHUP)
        return bool(watch.poll(0))

    def _end(self, ended: Dict[str, Any], detail: str) -> None:
        self._child = None
        self._stop_watching()
        if self._meter is not None:
            self._meter.close()
            self._meter = None
        if self._reader >= 0:
            os.close(self._reader)
            self._reader = -1
        if self._link is not None:
            self._link.close()
        self._exit = ended
        self.ended = True
        if not (self._verdict and self._verdict["ordered"]):
            event = {"event": "exit", "seat": self.number, **ended, "detail": with_advice(ended["reason"], detail), "rss_kib": self._peak_kib}
            self._on_event(event)
        self._on_end()


def listen(path: str) -> socket.socket:
    """Listens on a unix socket that the run directory's owner and group can connect to."""
    if os.path.lexists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    folder = os.stat(os.path.dirname(path))
    if os.geteuid() == 0:
        os.chown(path, folder.st_uid, folder.st_gid)
    os.chmod(path, 0o660)
    listener.listen(8)
    listener.setblocking(False)
    return listener
