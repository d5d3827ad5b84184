"""Turns what get_action returned into one answer line."""

import json
from enum import Enum
from math import isfinite
from operator import index
from typing import Any, Tuple

from type.poker_action import PokerAction

# Beyond every possible stack, and exact in a JavaScript number.
_LARGEST = 2**53 - 1

Answer = Tuple[int, str]


def check(result: Any) -> Answer:
    """(kind, amount as JSON) of a (PokerAction, number) tuple; raises TypeError or ValueError naming what is wrong."""
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError(f"get_action must return a tuple (PokerAction, amount), not {_name(result)}")
    action, amount = result
    return _kind(action), _amount(amount)


def _kind(action: Any) -> int:
    if isinstance(action, PokerAction):
        return action.value
    # Bots may define the enum themselves: the member's name and number count.
    if isinstance(action, Enum):
        member = PokerAction.__members__.get(action.name)
        if member is not None and member.value == action.value:
            return member.value
    raise TypeError(f"the action must be a PokerAction, not {_name(action)}")


def _amount(amount: Any) -> str:
    try:
        return str(max(-_LARGEST, min(_LARGEST, index(amount))))
    except TypeError:
        if not hasattr(amount, "__float__"):
            raise TypeError(f"the amount must be a number, not {_name(amount)}") from None
    number = float(amount)
    if not isfinite(number):
        raise ValueError(f"the amount must be finite, not {number}")
    return repr(number)


def _name(value: Any) -> str:
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    return type(value).__name__[:60]


def answer_line(seq: int, result: Any) -> bytes:
    """The line `[seq, kind, amount]`; raises as check does."""
    if type(result) is tuple and len(result) == 2:
        action, amount = result
        if type(action) is PokerAction and type(amount) is int and -_LARGEST <= amount <= _LARGEST:
            return b"[%d,%d,%d]\n" % (seq, action._value_, amount)
    return b"[%d,%d,%s]\n" % (seq, *_encoded(check(result)))


def _encoded(answer: Answer) -> Tuple[int, bytes]:
    return answer[0], answer[1].encode()


def error_line(seq: int, text: str) -> bytes:
    """The line `[seq, 0, "what went wrong"]`."""
    return b"[%d,0,%s]\n" % (seq, json.dumps(text).encode())
