"""The seat host without a sandbox: one dealer and one match at a time, with a child process and a reading thread for each seat."""

import json
import os
import platform
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from typing import Any, Dict, List, Optional

from husky_seat.advice import with_advice
from husky_seat.log import BoundedLog
from husky_seat.randomness import hash_seed_of
from husky_seat.shown import Shown

_END_SECONDS = 3
_SYSTEM = f"this system ({platform.system()}) has no sandbox for bots"


class OpenSeat:
    """One seat: its socket, its process and its output."""

    def __init__(self, host: "OpenHost", spec: Dict[str, Any]) -> None:
        self.number: int = spec["seat"]
        self.path = os.path.join(host.run_dir, f"seat-{self.number}.sock")
        self._host = host
        self._spec = spec
        self._log = BoundedLog(spec["log_bytes"])
        self._process: Optional[subprocess.Popen] = None
        self._reason: Optional[str] = None
        self._peak_kib = 0
        self._cpu_ms = 0.0
        self._listener = _listen(self.path)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            link, _ = self._listener.accept()
        except OSError:
            return
        finally:
            self._listener.close()
        seed = self._spec.get("seed")
        environment = None
        if seed is not None:
            # Isolated mode would ignore the string hash seed.
            environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            environment["PYTHONHASHSEED"] = str(hash_seed_of(bytes.fromhex(seed)))
        command = [sys.executable, "-I" if seed is None else "-s", "-S", "-B", "-X", "utf8", "-c", _STARTER, _FOLDER, str(link.fileno()), json.dumps(self._spec)]
        folder = self._spec["scratch"]
        os.makedirs(folder, exist_ok=True)
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self._process = subprocess.Popen(command, cwd=folder, env=environment, pass_fds=[link.fileno()], start_new_session=True, **pipes)
        link.close()
        while True:
            data = os.read(self._process.stdout.fileno(), 65536)
            if not data:
                break
            self._log.add(data)
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._cpu_ms = (usage.ru_utime + usage.ru_stime) * 1000
        # Bytes on macOS, KiB elsewhere.
        self._peak_kib = usage.ru_maxrss >> 10 if sys.platform == "darwin" else usage.ru_maxrss
        if self._reason is None:
            code = self._process.returncode
            reason = {_EXIT_LOAD: "startup", _EXIT_CLOSED: "closed"}.get(code, "signal" if code < 0 else "crash")
            detail = {"startup": "the bot could not be loaded", "closed": "the connection was closed"}.get(reason, f"ended with status {code}")
            event = {"event": "exit", "seat": self.number, "reason": reason, "detail": with_advice(reason, detail), "signal": None, "code": code, "rss_kib": self._peak_kib}
            self._host.send(event)

    def kill(self, reason: str) -> None:
        """Kills the seat's process group."""
        self._reason = self._reason or reason
        self.signal(signal.SIGKILL)
        try:
            # Wakes the seat's thread if it still waits for the dealer to connect.
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()

    def signal(self, number: int) -> None:
        """Sends a signal to the seat's process group."""
        process = self._process
        if process is not None and process.returncode is None:
            try:
                os.killpg(process.pid, number)
            except (ProcessLookupError, PermissionError):
                pass

    def usage(self) -> Dict[str, Any]:
        """Returns the seat's last figures. Processor time is known only after the end, so wall time is limited."""
        process = self._process
        alive = process is not None and process.returncode is None
        figures = {"cpu_ms": self._cpu_ms, "wait_ms": 0, "main_wait_ms": 0, "rss_kib": self._peak_kib, "peak_kib": self._peak_kib}
        return {"seat": self.number, **figures, "alive": alive, "exit": None}

    def close(self) -> Dict[str, Any]:
        """Ends the seat and returns its last figures with its log."""
        self.kill("closed")
        self._thread.join(_END_SECONDS)
        if os.path.lexists(self.path):
            os.unlink(self.path)
        shown = Shown(self._spec["bot_dir"], self._spec["packages_dir"], self._spec["scratch"])
        return {**self.usage(), "log": shown.log(self._log.text()), "left_out": self._log.left_out}


class OpenHost:
    """Serves one dealer at a time."""

    def __init__(self, run_dir: str, strangers: bool) -> None:
        self.run_dir = run_dir
        self._strangers = strangers
        self._seats: List[OpenSeat] = []
        self._dealer: Optional[socket.socket] = None
        self._sending = threading.Lock()
        self._listener = _listen(os.path.join(run_dir, "host.sock"))

    def serve(self) -> None:
        """Serves dealers, one after another."""
        while True:
            self._dealer, _ = self._listener.accept()
            with self._dealer, self._dealer.makefile("r", encoding="utf-8") as lines:
                for line in lines:
                    self._handle(json.loads(line))
            self.end_seats()

    def send(self, message: Dict[str, Any]) -> None:
        """Sends a message to the dealer, if there is one."""
        dealer = self._dealer
        if dealer is None:
            return
        try:
            with self._sending:
                dealer.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            pass

    def end_seats(self) -> List[Dict[str, Any]]:
        """Ends all seats and returns their last figures."""
        seats, self._seats = self._seats, []
        return [seat.close() for seat in seats]

    def _handle(self, request: Dict[str, Any]) -> None:
        operations = {"hello": self._hello, "open": self._open, "usage": self._usage, "kill": self._kill, "pause": self._pause, "resume": self._resume, "close": self._close}
        operation = operations.get(str(request.get("op")))
        if operation is None:
            self.send({"id": request.get("id"), "ok": False, "error": f"unknown op {request.get('op')!r}"})
        else:
            self.send({"id": request.get("id"), "ok": True, **operation(request)})

    def _hello(self, _: Dict[str, Any]) -> Dict[str, Any]:
        absent = {"seccomp": False, "landlock": 0, "own_uid": False, "own_root": False, "pid_namespace": False, "limits": False}
        sandbox = {**absent, "scratch": "disk", "missing": [_SYSTEM], "lacking": []}
        abi = sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag
        return {"python": platform.python_version(), "abi": abi, "sandbox": sandbox, "strangers": self._strangers}

    def _open(self, request: Dict[str, Any]) -> Dict[str, Any]:
        scratch = os.path.join(self.run_dir, f"scratch-{time.monotonic_ns()}")
        specs = [{**spec, "scratch": os.path.join(scratch, str(spec["seat"]))} for spec in request["seats"]]
        self._seats = [OpenSeat(self, spec) for spec in specs]
        return {"seats": [{"seat": seat.number, "socket": seat.path} for seat in self._seats]}

    def _seat(self, request: Dict[str, Any]) -> OpenSeat:
        return next(seat for seat in self._seats if seat.number == request["seat"])

    def _usage(self, _: Dict[str, Any]) -> Dict[str, Any]:
        return {"seats": [seat.usage() for seat in self._seats]}

    def _kill(self, request: Dict[str, Any]) -> Dict[str, Any]:
        self._seat(request).kill(str(request.get("reason", "killed")))
        return {}

    def _pause(self, request: Dict[str, Any]) -> Dict[str, Any]:
        self._seat(request).signal(signal.SIGSTOP)
        return {}

    def _resume(self, request: Dict[str, Any]) -> Dict[str, Any]:
        self._seat(request).signal(signal.SIGCONT)
        return {}

    def _close(self, _: Dict[str, Any]) -> Dict[str, Any]:
        return {"seats": self.end_seats()}


_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STARTER = "import sys; sys.path[:] = [sys.argv.pop(1), *filter(None, sys.path)]; from open_seat.seat import main; main()"
_EXIT_LOAD, _EXIT_CLOSED = 91, 93


def _listen(path: str) -> socket.socket:
    if os.path.lexists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(4)
    return listener
