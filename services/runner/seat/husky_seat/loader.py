"""Loads a participant's player.py inside the sandbox and creates its bot."""

import builtins
import os
import sys
import threading
import types
from typing import Any, Callable, Optional

from husky_seat.advice import advice, with_advice

FILE_NAME = "player.py"
CLASS_NAME = "SimplePlayer"

Report = Callable[[BaseException, str], None]
"""Is called with an exception of the bot and the method that the platform has called ("" in a thread)."""

# The status of a shell that does not find a program.
_NOT_FOUND = 127 << 8

show: Callable[[str], str] = str
"""Replaces folders in the text of an exception. The seat sets it."""


class LoadError(Exception):
    """The bot cannot be loaded. The text is shown to its author; `line` is the line of player.py, None if unknown."""

    def __init__(self, text: str, line: Optional[int]) -> None:
        super().__init__(text)
        self.line = line


def one_line(error: BaseException, line: Optional[int] = None, max_length: int = 300, method: str = "", file: str = FILE_NAME) -> str:
    """Formats an exception as one line `Type: message; way out (line n)` of at most `max_length` characters. Never raises, whatever its __str__ does."""
    name = type(error).__name__
    try:
        # The line number is reported separately.
        text = str(error.msg if isinstance(error, SyntaxError) and error.filename == file else error)
    except BaseException:
        text = "(its message cannot be shown)"
    text = " ".join(show(f"{name}: {text[:600]}").split()) if text else name
    return fit(text, advice(error, method), line, max_length)


def fit(text: str, way_out: str, line: Optional[int], max_length: int) -> str:
    """Returns `text; way out (line n)`, whose text is cut so that the whole has at most `max_length` characters."""
    end = (f"; {way_out}" if way_out else "") + ("" if line is None else f" (line {line})")
    room = max_length - len(end)
    return (text if len(text) <= room else f"{text[: room - 1]}…") + end


def load(bot_dir: str, report: Report) -> Any:
    """Runs player.py and returns SimplePlayer(). Passes an exception of the bot to `report`, as those of its threads later, then raises LoadError."""
    os.system = _refuse_program
    threading.excepthook = lambda caught: _report_thread(caught, report)
    player_class: Any = None
    try:
        with open(os.path.join(bot_dir, FILE_NAME), "rb") as source:
            code = compile(source.read(), FILE_NAME, "exec", dont_inherit=True)
        module = types.ModuleType("player")
        module.__file__ = os.path.join(bot_dir, FILE_NAME)
        module.__builtins__ = builtins
        sys.modules["player"] = module
        exec(code, module.__dict__)
        player_class = getattr(module, CLASS_NAME, None)
        if player_class is None:
            raise LoadError(with_advice("LoadError", f"{FILE_NAME} defines no class {CLASS_NAME}"), None)
        return player_class()
    except LoadError:
        raise
    except BaseException as error:
        report(error, "__init__")
        raise LoadError(one_line(error, method="__init__"), line_of(error, getattr(player_class, "__init__", None))) from error


def _report_thread(caught: threading.ExceptHookArgs, report: Report) -> None:
    if caught.exc_value is not None and caught.exc_type is not SystemExit:
        sys.stderr.write(f"Exception in thread {caught.thread.name if caught.thread else ''}:\n")
        report(caught.exc_value, "")


def _refuse_program(command: object) -> int:
    """Stands for os.system, which returns a status instead of raising an exception."""
    sys.stderr.write(with_advice("OSError", f"os.system({command!r:.100}): [Errno 1] Operation not permitted", "system") + "\n")
    return _NOT_FOUND


def line_of(error: BaseException, called: Any = None, file: str = FILE_NAME) -> Optional[int]:
    """Returns the number of the last line of player.py in the traceback; without one, that of the definition of `called`; None if neither is known."""
    if isinstance(error, SyntaxError) and error.filename == file and isinstance(error.lineno, int):
        return error.lineno
    line = None
    # Not error.__traceback__: a bot's exception class may override the attribute.
    frame = BaseException.__traceback__.__get__(error)
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == file:
            line = frame.tb_lineno
        frame = frame.tb_next
    code = getattr(called, "__code__", None)
    return code.co_firstlineno if line is None and isinstance(code, types.CodeType) and code.co_filename == file else line
