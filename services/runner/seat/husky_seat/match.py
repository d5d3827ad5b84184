"""The seats of one match, from `open` to the end of the last one."""

import os
import re
import selectors
from typing import Any, Callable, Dict, List, Optional

from husky_seat.confine import Means
from husky_seat.control import Control
from husky_seat.forker import Forker
from husky_seat.journal import log
from husky_seat.randomness import SEED_BYTES, hash_seed_of
from husky_seat.scratch import Places
from husky_seat.seat_process import SeatProcess
from husky_seat.uids import UidError, may_pass

MAX_SEATS = 10
DEFAULTS = {"packages_dir": None, "memory_mib": 256, "log_bytes": 64 << 10, "seed": None}


class RequestError(Exception):
    """The request is refused; the text is sent to the dealer."""


class Match:
    """The seats that one control connection opened. Calls `on_end` once, after all have ended and their scratch is removed."""

    def __init__(self, owner: Control, name: str, seats: List[SeatProcess], on_end: Callable[[], None]) -> None:
        self.owner = owner
        self.name = name
        self._seats = {seat.number: seat for seat in seats}
        self._on_end = on_end
        self._closing: Optional[Any] = None
        self.ending = False

    def start(self, forker: Forker) -> None:
        """Accepts the dealer's connections to the seats; each connection forks its seat."""
        for seat in self._seats.values():
            seat.start(forker, self._report, self._finish_when_empty)

    def check(self, enforce: bool) -> None:
        """Runs one round of the sampler over all seats. `enforce`: also kills seats above a limit."""
        for seat in list(self._seats.values()):
            seat.check(enforce)

    def seat(self, number: object) -> SeatProcess:
        """Returns the seat with this number; raises RequestError."""
        if not isinstance(number, int) or number not in self._seats:
            raise RequestError(f"no seat {number!r} in this match")
        return self._seats[number]

    def usage(self) -> List[Dict[str, Any]]:
        """Returns the usage of all seats."""
        return [seat.usage() for seat in self._seats.values()]

    def close(self, request_id: Optional[Any]) -> None:
        """Kills all seats and, after the last has ended, sends the response to this request (None: no response). Idempotent."""
        self.ending = True
        self._closing = request_id
        for seat in list(self._seats.values()):
            seat.kill("closed", "the match was closed", ordered=True)
        self._finish_when_empty()

    def _report(self, event: Dict[str, Any]) -> None:
        log("warn", "seat event", match=self.name, **event)
        self.owner.send(event)

    def _finish_when_empty(self) -> None:
        if not self.ending or not all(seat.ended for seat in self._seats.values()):
            return
        self.ending = False
        seats = [{**seat.usage(), "log": seat.log(), "left_out": seat.left_out} for seat in self._seats.values()]
        for seat in self._seats.values():
            try:
                seat.release()
            except OSError as error:
                # A problem of the host, not of the match: its usage is sent nevertheless.
                log("error", "a seat could not be cleaned up", match=self.name, seat=seat.number, error=str(error))
        if self._closing is not None:
            self.owner.send({"id": self._closing, "ok": True, "seats": seats})
        self._on_end()


def open_match(
    owner: Control, request: Dict[str, Any], selector: selectors.BaseSelector, places: Places, means: Means, forker: Forker, on_end: Callable[[], None]
) -> Match:
    """Creates the match of an `open` request. Removes everything it has created if it raises RequestError, ForkError or UidError."""
    specs = request.get("seats")
    if not isinstance(request.get("match"), str) or not isinstance(specs, list) or not 1 <= len(specs) <= MAX_SEATS:
        raise RequestError(f"open needs a match name and 1 to {MAX_SEATS} seats")
    specs = [_seat_spec(spec, places.run, means) for spec in specs]
    if len({spec["seat"] for spec in specs}) != len(specs):
        raise RequestError("two seats have the same number")
    packages = sorted({spec["packages_dir"] for spec in specs if spec["packages_dir"]})
    if packages and means.root is not None:
        held = forker.hold_packages(os.path.dirname(means.root), packages)
        specs = [{**spec, "packages_dir": held.get(spec["packages_dir"])} for spec in specs]
    forker.start_zygotes([hash_seed_of(spec["seed"]) for spec in specs])
    seats: List[SeatProcess] = []
    try:
        for index, spec in enumerate(specs):
            seats.append(SeatProcess(selector, spec, places, index, means))
    except UidError:
        for seat in seats:
            seat.discard()
        raise
    return Match(owner, request["match"], seats, on_end)


def _seat_spec(given: Any, run_dir: str, means: Means) -> Dict[str, Any]:
    if not isinstance(given, dict):
        raise RequestError("a seat is an object")
    spec = {**DEFAULTS, **given}
    for key, lowest, highest in (
        ("seat", 0, 99),
        ("player_id", 0, 2**53),
        ("memory_mib", 16, 65536),
        ("log_bytes", 0, 8 << 20),
    ):
        if not isinstance(spec.get(key), int) or not lowest <= spec[key] <= highest:
            raise RequestError(f"{key} must be a whole number from {lowest} to {highest}")
    spec["seed"] = _seed_of(spec["seed"])
    for key, optional in (("bot_dir", False), ("packages_dir", True)):
        if spec.get(key) is None and optional:
            continue
        if not isinstance(spec.get(key), str):
            raise RequestError(f"{key} must be a path")
        # Relative paths: the run directory has another path in the dealer's container.
        spec[key] = os.path.realpath(os.path.join(run_dir, spec[key]))
        if not _readable(spec[key], means):
            raise RequestError(f"{key} is no directory that a seat's user can read")
    return spec


def _seed_of(text: object) -> Optional[bytes]:
    if text is None:
        return None
    if not isinstance(text, str) or not re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", text):
        raise RequestError(f"seed must be {2 * SEED_BYTES} hex digits, or null")
    return bytes.fromhex(text)


def _readable(path: str, means: Means) -> bool:
    if not os.path.isdir(path):
        return False
    if means.uid is None:
        return os.access(path, os.R_OK | os.X_OK)
    # A seat with its own root does not pass through the folders above.
    folder = path if means.root is None else "/"
    while folder != "/":
        if not may_pass(folder, means.uid):
            return False
        folder = os.path.dirname(folder)
    return bool(os.stat(path).st_mode & 0o004)
