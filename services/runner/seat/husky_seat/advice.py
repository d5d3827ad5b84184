"""Finds the hint for an exception of a bot, or for the end of its process."""

import linecache
import re
import sys
from types import FrameType
from typing import Any, Iterator, List

from husky_seat.hints import HINTS, Facts

_MAX_CAUSES = 6
_PLATFORM = ("husky_seat", "husky_holdem", "open_seat")


def _root(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _facts(error: BaseException, method: str) -> Facts:
    frames: List[FrameType] = []
    code: List[str] = []
    # Not error.__traceback__: a bot's exception class may override the attribute.
    trace = BaseException.__traceback__.__get__(error)
    while trace is not None:
        frame, root = trace.tb_frame, _root(trace.tb_frame)
        if root in sys.stdlib_module_names:
            code.append(str(frame.f_globals.get("__name__")))
        elif root not in _PLATFORM:
            frames.append(frame)
            code = [linecache.getline(frame.f_code.co_filename, trace.tb_lineno), str(frame.f_globals.get("__name__"))]
        trace = trace.tb_next
    return Facts(error, [kind.__name__ for kind in type(error).__mro__], str(error)[:1000], " ".join(code), frames, method)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yields the exception and those that led to it, because libraries wrap those of the system."""
    waiting: List[Any] = [error]
    for _ in range(_MAX_CAUSES):
        if waiting:
            one = waiting.pop(0)
            yield one
            context = None if one.__suppress_context__ else BaseException.__context__.__get__(one)
            more = (BaseException.__cause__.__get__(one), context, getattr(one, "reason", None), *one.args[:2])
            waiting += [each for each in more if isinstance(each, BaseException)]


def _find(facts: Facts) -> str:
    for hint in HINTS:
        if not hint.kinds.isdisjoint(facts.kinds) and re.search(hint.text, facts.text) and re.search(hint.code, facts.code):
            filled = hint.fill(facts) if hint.fill else "{}"
            if filled:
                return hint.way_out.replace("{}", filled)
    return ""


def advice(error: BaseException, method: str = "") -> str:
    """Returns the way out for an exception that a bot raised; "" without one. `method`: the method that the platform has called. Never raises."""
    try:
        return next(filter(None, (_find(_facts(cause, method)) for cause in _causes(error))), "")
    except BaseException:
        # The exception's own code raised.
        return ""


def with_advice(kind: str, detail: str, code: str = "") -> str:
    """Returns a text with the way out: about the end of a bot's process, an invalid answer, or an error without an exception."""
    found = _find(Facts(None, [kind], detail, code))
    return f"{detail}; {found}" if found else detail
