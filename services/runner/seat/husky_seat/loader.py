"""Loads a participant's player.py inside the sandbox and creates its bot."""

import builtins
import errno
import os
import sys
import types
from typing import Any, Optional

FILE_NAME = "player.py"
CLASS_NAME = "SimplePlayer"


class LoadError(Exception):
    """The bot cannot be loaded. The text is shown to its author; `line` is the line of player.py, None if unknown."""

    def __init__(self, text: str, line: Optional[int]) -> None:
        super().__init__(text)
        self.line = line


def advice(error: BaseException) -> str:
    """Returns advice for a refused attempt to open or create a file; "" for any other exception."""
    denied = type(error) is PermissionError or (type(error) is OSError and error.errno == errno.EROFS)
    denied = denied and isinstance(error.filename, (str, bytes))
    return "a bot can write in its current folder only" if denied else ""


def one_line(error: BaseException, line_number: Optional[int] = None, max_length: int = 300) -> str:
    """Formats an exception as one line `Type: message; advice (line n)` of at most `max_length` characters. Never raises, whatever its __str__ does."""
    name = type(error).__name__
    try:
        # The line number is reported separately.
        text = str(error.msg if isinstance(error, SyntaxError) and error.filename == FILE_NAME else error)
    except BaseException:
        text = "(its message cannot be shown)"
    line = " ".join(f"{name}: {text[:600]}".split()) if text else name
    end = (f"; {advice(error)}" if advice(error) else "") + ("" if line_number is None else f" (line {line_number})")
    return line[: max_length - len(end)] + end


def load(bot_dir: str, report: Any) -> Any:
    """Runs player.py and returns SimplePlayer(). Passes an exception of the bot to `report`, then raises LoadError."""
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
            raise LoadError(f"{FILE_NAME} defines no class {CLASS_NAME}", None)
        return player_class()
    except LoadError:
        raise
    except BaseException as error:
        report(error)
        raise LoadError(one_line(error), line_of(error)) from error


def line_of(error: BaseException) -> Optional[int]:
    """Returns the number of the last line of player.py in the traceback; None if there is none."""
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME and isinstance(error.lineno, int):
        return error.lineno
    line = None
    # Not error.__traceback__: a bot's exception class may override the attribute.
    frame = BaseException.__traceback__.__get__(error)
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == FILE_NAME:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line
