"""Encodes the return value of get_action as one line of the seat protocol."""

import json
from math import isinf, isnan
from operator import index
from typing import Any, Tuple

from type.poker_action import PokerAction

# Larger than every possible stack, and exact as a JavaScript number.
_MAX_AMOUNT = 2**53 - 1

EXCEPTION, NO_ACTION = 0, -1
"""Kinds of replies without an action: the bot raised an exception; its return value is not an action with an amount."""


class InvalidAnswer(Exception):
    """The return value of get_action is not an action with an amount; the text gives the reason."""


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
