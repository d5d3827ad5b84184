"""Runs a bot in this process, so that pdb, breakpoint() and print work. There is no sandbox and no clock."""

from __future__ import annotations

import json
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.paths import seat_folder

CLASS_NAME = "SimplePlayer"
Report = Callable[[str, BaseException], None]


def use_bot_api() -> None:
    """Makes the seat host and the modules of the bot API (bot, type, config, runner) importable, before all other modules of these names."""
    seat = seat_folder()
    sys.path[:0] = [str(seat), str(seat / "api")]


class LocalBot:
    """A bot of one seat. `report` is called with the name of the method and the exception whenever the bot raises."""

    def __init__(self, path: Path, report: Report) -> None:
        self.path = path
        self._report = report
        self._bot = self._load()
        self._table: Any = None
        self.player_id = 0

    def _load(self) -> Any:
        # The seat runs player.py as a module of this name; its own file name keeps breakpoints and tracebacks readable.
        module = types.ModuleType("player")
        module.__file__ = str(self.path)
        sys.modules["player"] = module
        try:
            code = compile(self.path.read_bytes(), str(self.path), "exec", dont_inherit=True)
            exec(code, module.__dict__)
            player = getattr(module, CLASS_NAME, None)
            if player is None:
                raise Failure(f"{self.path} defines no class {CLASS_NAME}.", EXIT_WRONG)
            return player()
        except (Failure, KeyboardInterrupt):
            raise
        except OSError as error:
            raise Failure(f"{self.path} cannot be read: {error.strerror}.") from None
        except BaseException as error:
            if _leaves_debugger(error):
                raise
            self._report("__init__", error)
            here = " The packages of husky debug are those of this Python." if isinstance(error, ModuleNotFoundError) else ""
            raise Failure(f"{self.path} cannot be loaded: {self._one_line(error, '__init__', None)}.{here}", EXIT_WRONG) from None

    def _one_line(self, error: BaseException, method: str, called: Any) -> str:
        """Returns an exception as the platform's verdict shows it."""
        from husky_seat.loader import line_of, one_line

        return one_line(error, line_of(error, called, str(self.path)), method=method, file=str(self.path))

    def handle(self, events: str) -> str | None:
        """Passes events of the seat protocol to the bot. Returns its reply, a line of the protocol, if the last event requests an action."""
        reply = None
        for event in json.loads(events):
            if event[0] == "a":
                reply = self._decide(event)
            else:
                self._call_back(event)
        return reply

    def _decide(self, event: list[Any]) -> str:
        from husky_seat.advice import advice
        from husky_seat.dialogue import EXCEPTION, NO_ACTION, InvalidAnswer, answer_line, failure_line
        from husky_seat.loader import fit, line_of

        method = getattr(self._bot, "get_action", None)
        try:
            return answer_line(0, self._bot.get_action(self._table.state(event), event[4])).decode()
        except InvalidAnswer as error:
            return failure_line(0, NO_ACTION, fit(str(error), advice(error), line_of(error, method, str(self.path)), 300)).decode()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if _leaves_debugger(error):
                raise
            self._report("get_action", error)
            return failure_line(0, EXCEPTION, self._one_line(error, "get_action", method)).decode()

    def _call_back(self, event: list[Any]) -> None:
        from husky_seat.table import Table

        kind = event[0]
        if kind == "h":
            self._table = Table(event[6])
            self._call("set_id", self.player_id)
            self._call("on_start", *event[1:7])
        elif kind == "r":
            self._call("on_round_start", self._table.state(event), event[4])
        elif kind == "e":
            self._call("on_end_round", self._table.state(event), event[4])
        elif kind == "g":
            self._call("on_end_game", *self._table.end(event))

    def _call(self, method: str, *arguments: Any) -> None:
        try:
            getattr(self._bot, method)(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if _leaves_debugger(error):
                raise
            self._report(method, error)


def print_traceback(path: Path, error: BaseException, method: str) -> None:
    """Prints the traceback of a bot's exception to standard error, from the first line of the bot's own file, and the way out."""
    from husky_seat.advice import advice

    trace = error.__traceback__
    first = trace
    while first is not None and first.tb_frame.f_code.co_filename != str(path):
        first = first.tb_next
    # A syntax error has no frame in the file.
    traceback.print_exception(type(error), error, first)
    way_out = advice(error, method)
    if way_out:
        print(way_out, file=sys.stderr)


@contextmanager
def silenced() -> Iterator[None]:
    """Drops output and ignores breakpoint() within the context."""
    hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: None
    streams = sys.stdout, sys.stderr
    with open(os.devnull, "w") as sink:
        sys.stdout = sys.stderr = sink
        try:
            yield
        finally:
            sys.stdout, sys.stderr = streams
            sys.breakpointhook = hook


def _leaves_debugger(error: BaseException) -> bool:
    """Returns whether an exception is that of pdb's command quit."""
    return type(error).__name__ == "BdbQuit" and type(error).__module__ == "bdb"
