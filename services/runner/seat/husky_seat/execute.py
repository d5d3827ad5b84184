"""Executes the interpreter again, without environment and third-party packages."""

import os
import sys
from typing import List, NoReturn

_SEAT_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STARTER = "import sys; sys.path.insert(0, sys.argv.pop(1)); from husky_seat.{} import main; main()"


def execute(module: str, arguments: List[str]) -> NoReturn:
    """Replaces the calling process by `main()` of a module of this package; raises OSError."""
    command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _STARTER.format(module), _SEAT_DIR, *arguments]
    os.execve(sys.executable, command, {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"})
