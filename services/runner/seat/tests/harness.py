"""Starts a real seat host and acts as its dealer."""

import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any, Callable, Dict, List, Optional, Sequence

SEAT_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAIT_S = 20

HEADER = """
import ctypes, os, socket, sys, threading, time
from bot import Bot
from type.poker_action import PokerAction
"""

CALLER = (
    HEADER
    + """
class Caller(Bot):
    def on_start(self, *a): pass
    def on_round_start(self, *a): pass
    def on_end_round(self, *a): pass
    def on_end_game(self, *a): pass
    def get_action(self, round_state, remaining_chips): return PokerAction.CALL, 0
"""
)

STATE = [0, [], 15, "10", 10, "01", [5, 10], "RR", [[15, "01"]]]
ACT = ["a", STATE, 20, 9995, 9995]
NO_STATE = [0, [], 0, "", 0, "", [], "", []]
"""A state without players, for questions before the first hand."""
HAND = ["h", 10000, ["Td", "2s"], 10, 2, 1, [1, 2]]


def bot(body: str) -> str:
    """Returns the source of a SimplePlayer that always calls; the methods in `body` (indented by four) override it."""
    return CALLER + "\nclass SimplePlayer(Caller):\n    pass\n" + body


def action(statements: str) -> str:
    """Returns the source of a SimplePlayer whose get_action runs these lines and then calls."""
    lines = "\n".join("        " + line for line in statements.strip().splitlines())
    return bot(f"    def get_action(self, round_state, remaining_chips):\n{lines}\n        return PokerAction.CALL, 0\n")


def python_for_seats() -> str:
    """Returns an interpreter that seats' users can read: this one, or the system's if this one is in a home that others cannot read."""
    if os.geteuid() != 0:
        return sys.executable
    folder = os.path.realpath(os.path.dirname(os.__file__))
    while folder != "/":
        if not os.stat(folder).st_mode & 1:
            return "/usr/bin/python3"
        folder = os.path.dirname(folder)
    return sys.executable


class Lines:
    """JSON lines over a unix socket."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(WAIT_S)
        self.socket.connect(path)
        self._buffer = b""

    def send(self, message: Any) -> None:
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """Returns the next message; None at the end of the connection."""
        line = self.receive_line()
        return None if line is None else json.loads(line)

    def receive_line(self) -> Optional[bytes]:
        while b"\n" not in self._buffer:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                return None
            if not data:
                return None
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def close(self) -> None:
        self.socket.close()


class Seat(Lines):
    """The dealer's end of one seat."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._seq = 0
        self._dealt = False
        self.line: Optional[int] = None
        self.way_out: Optional[str] = None
        self.failed_calls: List[Any] = []

    def act(self, *before: List[Any]) -> Any:
        """Requests a decision and returns the reply without its number; None if the seat has ended.

        Removes line number and way out from the text of a reply without an action, and stores them in `line` and `way_out`.
        """
        self._seq += 1
        self._dealt = self._dealt or any(event[0] == "h" for event in before)
        try:
            self.send([self._seq, [*before, ACT if self._dealt else ["a", NO_STATE, 20, 9995, 9995]]])
            reply = self.receive()
            while reply is not None and reply[0] == "!":
                self.failed_calls.append(reply[1:])
                reply = self.receive()
        except BrokenPipeError:
            return None
        if reply is None:
            return None
        if reply[0] != self._seq:
            raise AssertionError(f"reply {reply} to request {self._seq}")
        kind, amount = reply[1:]
        self.line = None
        if kind <= 0:
            amount, self.way_out, line = re.fullmatch(r"(.*?)(?:; (.*?))?(?: \(line (\d+)\))?", amount).groups()
            self.line = int(line) if line else None
        return [kind, amount]


def copy_for_others(target: str) -> str:
    """Copies the seat host's code to a folder that every user can read: the project may be in a home that others cannot read."""
    for name in ("husky_seat", "api"):
        shutil.copytree(os.path.join(SEAT_DIR, name), os.path.join(target, name), ignore=shutil.ignore_patterns("__pycache__"))
    for folder, _, files in os.walk(target):
        os.chmod(folder, 0o755)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o644)
    return target


class SeatHost:
    """A running host with its control connection; a context manager."""

    def __init__(
        self, *options: str, run_as: Optional[int] = None, python: Optional[str] = None, prepare: Optional[Callable[[], None]] = None
    ) -> None:
        self.run_dir = tempfile.mkdtemp(prefix="husky-seat-")
        os.chmod(self.run_dir, 0o755)
        if run_as is not None:
            os.chown(self.run_dir, run_as, run_as)
        command = [python or python_for_seats(), "-m", "husky_seat", "--run-dir", self.run_dir, *options]
        self._copy = None if run_as is None else copy_for_others(tempfile.mkdtemp(prefix="husky-seat-code-"))
        environment = {"PYTHONPATH": self._copy or SEAT_DIR, "SECRET_OF_THE_HOST": "do-not-inherit", "PATH": os.environ.get("PATH", "")}
        self._errors = open(os.path.join(self.run_dir, "host.log"), "w+", encoding="utf-8")
        user = {} if run_as is None else {"user": run_as, "group": run_as, "extra_groups": []}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=self._errors, env=environment, cwd="/", preexec_fn=prepare, **user)
        self._next = 0
        self._bots = 0
        self.events: List[Dict[str, Any]] = []
        self.control = self.connect()

    def __enter__(self) -> "SeatHost":
        return self

    def __exit__(self, *_: object) -> None:
        self.control.close()
        self.process.stdin.close()
        try:
            self.process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._errors.close()
        shutil.rmtree(self.run_dir)
        if self._copy is not None:
            shutil.rmtree(self._copy)

    def seat_pid(self, seat: int) -> int:
        """Returns the process id of a seat outside its namespace."""
        names, parents = {}, {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                    names[int(entry)], rest = stat.read().split("(", 1)[1].rsplit(")", 1)
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry)] = int(rest.split()[1])
        for pid, name in names.items():
            ancestor = parents[pid]
            while ancestor not in (self.process.pid, 0):
                ancestor = parents.get(ancestor, 0)
            if name.startswith(f"seat-{seat} ") and ancestor:
                return pid
        raise AssertionError(f"no process of seat {seat}")

    def host_log(self) -> str:
        with open(self._errors.name, encoding="utf-8") as log:
            return log.read()

    def connect(self) -> Lines:
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                return Lines(os.path.join(self.run_dir, "host.sock"))
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise AssertionError(f"the host did not start: {self.host_log()}") from None
                time.sleep(0.01)

    def request(self, op: str, **fields: Any) -> Dict[str, Any]:
        """Sends a request and returns its response. Keeps events that arrive before the response."""
        self._next += 1
        self.control.send({"id": self._next, "op": op, **fields})
        while True:
            message = self.control.receive()
            if message is None:
                raise AssertionError(f"the host closed the control connection: {self.host_log()}")
            if message.get("id") == self._next:
                return message
            self.events.append(message)

    def waiting_event(self, kind: str) -> bool:
        """Returns whether an event of this kind has arrived."""
        while select.select([self.control.socket], [], [], 0)[0]:
            self.events.append(self.control.receive())
        return any(event["event"] == kind for event in self.events)

    def event(self, kind: str, seat: int) -> Dict[str, Any]:
        """Returns the next event of this kind for this seat."""
        while True:
            for event in self.events:
                if event["event"] == kind and event["seat"] == seat:
                    self.events.remove(event)
                    return event
            message = self.control.receive()
            if message is None:
                raise AssertionError(f"no {kind} event of seat {seat}: {self.host_log()}")
            self.events.append(message)

    def add_bot(self, source: str) -> str:
        self._bots += 1
        folder = os.path.join(self.run_dir, "bots", str(self._bots))
        os.makedirs(folder)
        with open(os.path.join(folder, "player.py"), "w", encoding="utf-8") as player:
            player.write(source)
        return folder

    def open(self, *sources: str, seeds: Sequence[Optional[str]] = (), **limits: Any) -> List[Seat]:
        """Opens a match of these bots and connects to every seat. Does not wait until they are ready."""
        seats = [
            {"seat": number, "player_id": number + 1, "bot_dir": self.add_bot(source), "packages_dir": None, **limits}
            for number, source in enumerate(sources)
        ]
        for spec, seed in zip(seats, seeds):
            spec["seed"] = seed
        response = self.request("open", match="m", profile="documented", seats=seats)
        if not response["ok"]:
            raise AssertionError(response["error"])
        self.events.clear()
        return [Seat(seat["socket"]) for seat in response["seats"]]

    def close_match(self) -> List[Dict[str, Any]]:
        response = self.request("close")
        if not response["ok"]:
            raise AssertionError(response["error"])
        return response["seats"]


class OneHost(unittest.TestCase):
    """Tests that share one host; each opens a match of one seat at a time."""

    @classmethod
    def setUpClass(cls):
        cls.host = SeatHost()

    @classmethod
    def tearDownClass(cls):
        cls.host.__exit__()

    def seat(self, source, **limits):
        self.addCleanup(self.host.close_match)
        (seat,) = self.host.open(source, **limits)
        return seat

    def ready(self, source, **limits):
        seat = self.seat(source, **limits)
        first = seat.receive()
        self.assertTrue(first["ready"], first)
        self.assertIsInstance(first["load_ms"], int)
        return seat
