"""Executes the interpreter again, without environment and third-party packages."""

import os
import sys
from typing import List, NoReturn

_SEAT_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STARTER = "import sys; sys.path[:] = [sys.argv.pop(1), *filter(None, sys.path)]; from husky_seat.{} import main; main()"


def execute(module: str, arguments: List[str], hash_seed: int = 0) -> NoReturn:
    """Replaces the calling process by `main()` of a module of this package, with this string hash seed (0: a random one); raises OSError."""
    environment = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
    # Isolated mode would ignore the variable. No other variable of Python is set.
    isolation = "-s" if hash_seed else "-I"
    if hash_seed:
        environment["PYTHONHASHSEED"] = str(hash_seed)
    command = [sys.executable, isolation, "-S", "-B", "-X", "utf8", "-c", _STARTER.format(module), _SEAT_DIR, *arguments]
    os.execve(sys.executable, command, environment)
