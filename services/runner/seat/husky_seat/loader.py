"""Loads a participant's player.py inside the sandbox and constructs its bot."""

import builtins
import errno
import os
import sys
import types
from typing import Any, Optional

FILE_NAME = "player.py"
CLASS_NAME = "SimplePlayer"


class LoadError(Exception):
    """The bot cannot be loaded: one line for its author, and the line of player.py where known."""

    def __init__(self, text: str, line: Optional[int]) -> None:
        super().__init__(text)
        self.line = line


def advice(error: BaseException) -> str:
    """What to do instead, where a file could not be opened or made; "" for any other exception."""
    denied = type(error) is PermissionError or (type(error) is OSError and error.errno == errno.EROFS)
    denied = denied and isinstance(error.filename, (str, bytes))
    return "a bot can write in its current folder only" if denied else ""


def one_line(error: BaseException, line_number: Optional[int] = None, most: int = 300) -> str:
    """`Type: message; advice (line n)` of an exception in one line of at most `most` characters, whatever its __str__ does."""
    name = type(error).__name__
    try:
        # The line is told apart.
        text = str(error.msg if isinstance(error, SyntaxError) and error.filename == FILE_NAME else error)
    except BaseException:
        text = "(its message cannot be shown)"
    line = " ".join(f"{name}: {text[:600]}".split()) if text else name
    end = (f"; {advice(error)}" if advice(error) else "") + ("" if line_number is None else f" (line {line_number})")
    return line[: most - len(end)] + end


def load(bot_dir: str, report: Any) -> Any:
    """Run player.py and return SimplePlayer(); raises LoadError, after giving the exception to `report`."""
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
    """The last line of player.py that the exception passed through."""
    if isinstance(error, SyntaxError) and error.filename == FILE_NAME and isinstance(error.lineno, int):
        return error.lineno
    line = None
    # The real one: a bot's exception may answer anything for its attributes.
    frame = BaseException.__traceback__.__get__(error)
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == FILE_NAME:
            line = frame.tb_lineno
        frame = frame.tb_next
    return line
