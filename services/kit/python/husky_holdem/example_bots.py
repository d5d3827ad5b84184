"""Finds bots by path or, for those that the kit brings, by name."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from husky_holdem.output import Failure

FOLDER = Path(str(files("husky_holdem"))) / "data" / "bots"


def example_names() -> list[str]:
    """Returns the names of the example bots, in alphabetical order."""
    return sorted(path.parent.name for path in FOLDER.glob("*/player.py"))


def find_player(name: str) -> Path:
    """Returns the absolute path of a bot's player.py: a file, a folder that has one, or an example bot. Raises Failure."""
    path = Path(name)
    if path.is_dir():
        path = path / "player.py"
        if not path.is_file():
            raise Failure(f"The folder {name} has no player.py.")
    if path.is_file():
        return path.absolute()
    example = FOLDER / name / "player.py"
    if "/" not in name and example.is_file():
        return example
    known = ", ".join(example_names())
    raise Failure(f"There is no bot {name}: name a file, a folder with player.py, or an example bot{f' ({known})' if known else ''}.")
