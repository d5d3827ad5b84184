"""The seat's side of the seat protocol: reads the dealer's lines, calls the bot, writes the replies."""

import dis
import json
import os
import select
import sys
import traceback
from abc import ABCMeta
from math import isinf, isnan
from operator import index
from types import FunctionType
from typing import Any, Dict, List, Tuple

from type.poker_action import PokerAction

from husky_seat.advice import advice
from husky_seat.loader import fit, line_of, one_line
from husky_seat.output import place
from husky_seat.table import Table

# Maximum length of a text that is stored with a hand.
_FAULT_LENGTH = 160
_UNSTARTED = ("coroutine", "generator", "async_generator")
_READ_BYTES = 65536
# Larger than every possible stack, and exact as a JavaScript number.
_MAX_AMOUNT = 2**53 - 1

EXCEPTION, NO_ACTION = 0, -1
"""Kinds of replies without an action: the bot raised an exception; its return value is not an action with an amount."""

_CALLBACKS = {"on_round_start": 2, "on_end_round": 2, "on_end_game": 4}
"""Methods that may be left out, with the number of their arguments. on_start is not among them: set_id comes with it."""
_NOTHING = frozenset({"RESUME", "NOP", "LOAD_CONST", "LOAD_SMALL_INT", "LOAD_COMMON_CONSTANT", "RETURN_VALUE", "RETURN_CONST"})
_KEYWORDS_OR_COROUTINE = 0x08 | 0x20 | 0x80 | 0x100 | 0x200


class InvalidAnswer(Exception):
    """The return value of get_action is not an action with an amount; the text gives the reason."""


def log_exception(error: BaseException, method: str = "") -> None:
    """Writes the traceback of an exception and the way out to the bot's log."""
    try:
        # Without the bot's frames, such as for wrong parameters, there is no traceback to show: the host removes those of the platform.
        sys.stderr.write("".join(traceback.format_exception(type(error), error, error.__traceback__, limit=20)))
        way_out = advice(error, method)
        if way_out:
            sys.stderr.write(f"{way_out}\n")
    except Exception as second:
        sys.stderr.write(f"{one_line(error)} (traceback not available: {type(second).__name__})\n")


class NeverRan(Exception):
    """A callback has returned a coroutine or a generator, so its code did not run."""


class Skipped:
    """The empty callbacks of one bot. A bot may give itself others while it plays; then they are needed from then on."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._class = type(bot)
        self._empty: Dict[str, Any] = {}
        # A look at other classes and objects may run code of the bot.
        if type(self._class) in (type, ABCMeta) and self._class.__getattribute__ is object.__getattribute__ and self._class.__dictoffset__ != 0:
            found = {name: getattr(self._class, name, None) for name in _CALLBACKS if name not in bot.__dict__}
            self._empty = {name: method for name, method in found.items() if _does_nothing(method, _CALLBACKS[name])}

    def __bool__(self) -> bool:
        return bool(self._empty)

    @property
    def names(self) -> List[str]:
        """The methods that need not be called."""
        return list(self._empty)

    def awake(self) -> List[str]:
        """Returns the methods that are no longer empty, once each."""
        own = self._bot.__dict__
        kind = type(self._bot)
        changed = [name for name, empty in self._empty.items() if name in own or getattr(kind, name, None) is not empty]
        for name in changed:
            del self._empty[name]
        return changed


def converse(bot: Any, player_id: int, link: int, skipped: Skipped) -> None:
    """Serves the dealer until it closes the link. Exceptions of the bot are reported and do not end it. `skipped`: the callbacks that the dealer does not send."""
    decode = json.JSONDecoder().scan_once
    read, write = os.read, os.write
    # poll() wakes once for each request. read() would also wake when the dealer reads the last reply.
    dealer = select.poll()
    dealer.register(link, select.POLLIN)
    wait = dealer.poll
    waiting = b""
    hand = decision = 0
    table = Table([])
    while True:
        wait()
        chunk = read(link, _READ_BYTES)
        if not chunk:
            return
        lines = (waiting + chunk).split(b"\n")
        waiting = lines.pop()
        for line in lines:
            seq, events = decode(line.decode(), 0)[0]
            for event in events:
                if event[0] == "a":
                    decision += 1
                    place.now = hand, f"get_action {decision}"
                    write(link, _decide(bot, seq, event, table))
                else:
                    if event[0] == "h":
                        hand += 1
                        decision = 0
                        if event[6] != table.ids:
                            table = Table(event[6])
                    failed = _call_back(bot, player_id, event, hand, table)
                    if failed:
                        write(link, failed)
        if skipped:
            for method in skipped.awake():
                write(link, b'["+","%s"]\n' % method.encode())


def _decide(bot: Any, seq: int, event: List[Any], table: Table) -> bytes:
    state = table.state(event)
    try:
        return answer_line(seq, bot.get_action(state, event[4]))
    except InvalidAnswer as error:
        return failure_line(seq, NO_ACTION, invalid(bot, error))
    except BaseException as error:
        log_exception(error, "get_action")
        return failure_line(seq, EXCEPTION, describe(bot, error, "get_action", _FAULT_LENGTH))


def invalid(bot: Any, error: InvalidAnswer) -> str:
    """Returns the reason of an invalid answer with the way out and the line of get_action."""
    return fit(str(error), advice(error), line_of(error, getattr(bot, "get_action", None)), _FAULT_LENGTH)


def describe(bot: Any, error: BaseException, method: str, max_length: int = 300) -> str:
    """Returns an exception that a method of the bot raised as one line."""
    return one_line(error, line_of(error, getattr(bot, method, None)), max_length, method)


def _call_back(bot: Any, player_id: int, event: List[Any], hand: int, table: Table) -> bytes:
    """Calls the bot's methods for one event. Returns a line for each call that raised; b"" if none did."""
    kind = event[0]
    if kind == "r":
        return _call(bot, hand, "on_round_start", table.state(event), event[4])
    if kind == "e":
        return _call(bot, hand, "on_end_round", table.state(event), event[4])
    if kind == "h":
        return _call(bot, hand, "set_id", player_id) + _call(bot, hand, "on_start", *event[1:7])
    if kind == "g":
        return _call(bot, hand, "on_end_game", *table.end(event))
    return b""


def _call(bot: Any, hand: int, method: str, *arguments: Any) -> bytes:
    place.now = hand, method
    try:
        returned = getattr(bot, method)(*arguments)
        if returned is not None and type(returned).__name__ in _UNSTARTED:
            raise NeverRan(f"{method} is a {type(returned).__name__}, so its code never ran")
    except BaseException as error:
        log_exception(error, method)
        return failed_line(method, describe(bot, error, method), hand)
    return b""


def check(result: Any) -> Tuple[int, str]:
    """Returns (kind, amount as JSON) of a pair of action and number. Raises InvalidAnswer, or any exception of the bot's own objects."""
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise InvalidAnswer(f"get_action must return a tuple (PokerAction, amount), not {_name(result)}")
    action, amount = result
    return _kind(action), _amount(amount)


def _kind(action: Any) -> int:
    # Bots may define their own enum. As in the original client, the values of its members matter, not their names.
    value = getattr(action, "value", None)
    if isinstance(value, int):
        if not 1 <= value <= 5:
            raise InvalidAnswer(f"the action must be a PokerAction, not {_name(action)} with the value {int(value)}"[:300])
        return int(value)
    raise InvalidAnswer(f"the action must be a PokerAction, not {_name(action)}")


def _amount(amount: Any) -> str:
    try:
        return str(max(-_MAX_AMOUNT, min(_MAX_AMOUNT, index(amount))))
    except TypeError:
        if not hasattr(amount, "__float__"):
            raise InvalidAnswer(f"the amount must be a number, not {_name(amount)}") from None
    number = float(amount)
    if isnan(number):
        raise InvalidAnswer("the amount must be a number, not NaN")
    if isinf(number):
        # JSON has no infinity; readers parse this number as one.
        return "1e999" if number > 0 else "-1e999"
    return repr(number)


def _name(value: Any) -> str:
    if value is None:
        return "None"
    name = type(value).__name__[:60]
    return f"a {name} of {len(value)}" if isinstance(value, (tuple, list)) else name


def answer_line(seq: int, result: Any) -> bytes:
    """Returns the line `[seq, kind, amount]`. Raises what check raises."""
    if type(result) is tuple and len(result) == 2:
        action, amount = result
        if type(action) is PokerAction and type(amount) is int and -_MAX_AMOUNT <= amount <= _MAX_AMOUNT:
            return b"[%d,%d,%d]\n" % (seq, action._value_, amount)
    kind, text = check(result)
    return b"[%d,%d,%s]\n" % (seq, kind, text.encode())


def failure_line(seq: int, kind: int, text: str) -> bytes:
    """Returns the line `[seq, kind, text]` of a reply without an action; `text` is the reason."""
    return b"[%d,%d,%s]\n" % (seq, kind, json.dumps(text).encode())


def failed_line(method: str, text: str, hand: int) -> bytes:
    """Returns the line `["!", method, text, hand]`, which reports that a callback raised in the bot's n-th hand."""
    return b"%s\n" % json.dumps(["!", method, text, hand]).encode()


def _does_nothing(method: Any, count: int) -> bool:
    if type(method) is not FunctionType:
        return False
    code = method.__code__
    # A call with a wrong number of arguments raises, and its author wants to know.
    takes = code.co_argcount - 1 == count and code.co_kwonlyargcount == 0 and not code.co_flags & _KEYWORDS_OR_COROUTINE
    return takes and all(step.opname in _NOTHING for step in dis.get_instructions(code))
