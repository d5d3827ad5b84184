"""Paths of the kit on this machine, and the seats' module and interpreter."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from platformdirs import user_cache_path, user_config_path

# A Unix socket's path has at most 103 bytes on every system; the kit's own part of it is shorter than 60.
_MAX_TEMPORARY_BYTES = 40


def data_folder() -> Path:
    """Returns the folder of the wheel's data: dealer, seat host, checker, example bots. HUSKY_DATA overrides it."""
    given = os.environ.get("HUSKY_DATA")
    return Path(given) if given else Path(__file__).parent / "data"


def seat_folder() -> Path:
    """Returns the folder of the seat host's package and of the bots' API."""
    return data_folder() / "seat"


def cache_folder() -> Path:
    """Returns the user's cache folder of the kit; it may not exist."""
    return user_cache_path("husky-holdem", appauthor=False)


def config_folder() -> Path:
    """Returns the user's configuration folder of the kit; it may not exist."""
    return user_config_path("husky-holdem", appauthor=False)


def temporary_folder() -> Path:
    """Returns a folder for run directories whose sockets have short enough paths."""
    folder = Path(tempfile.gettempdir())
    return folder if len(os.fsencode(folder)) <= _MAX_TEMPORARY_BYTES else Path("/tmp")


def seat_module() -> str:
    """Returns the seat host's module: the platform's on Linux, elsewhere, or with HUSKY_SEATS=open, the one without a sandbox."""
    return "open_seat" if os.environ.get("HUSKY_SEATS") == "open" or not sys.platform.startswith("linux") else "husky_seat"


def seat_python() -> str:
    """Returns the interpreter for seats: the one below a virtual environment, since seats see no installed packages."""
    return getattr(sys, "_base_executable", None) or sys.executable
