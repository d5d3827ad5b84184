"""Finds the files of bots: a file, a folder with player.py, or an example bot by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from husky_holdem.output import Failure
from husky_holdem.paths import data_folder

MAX_FILE_BYTES = 1 << 20


@dataclass(frozen=True)
class BotSource:
    """A bot that the command line names. `requirements` is the requirements.txt beside player.py, None if there is none."""

    name: str
    player: Path
    requirements: Path | None


def example_bots() -> list[str]:
    """Returns the names of the example bots of the kit."""
    return sorted(path.parent.name for path in (data_folder() / "bots").glob("*/player.py"))


def find_bot(text: str) -> BotSource:
    """Returns the bot that an argument names; raises Failure with the example bots if there is none."""
    path = Path(text)
    player = path / "player.py" if path.is_dir() else path
    if path.is_dir() and not player.is_file():
        raise Failure(f"the folder {text} has no player.py")
    if not player.is_file():
        player = data_folder() / "bots" / text / "player.py"
        if "/" in text or not player.is_file():
            raise Failure(f"there is no bot {text}: name a file, a folder with player.py, or one of {', '.join(example_bots())}")
    player = player.absolute()
    if player.stat().st_size > MAX_FILE_BYTES:
        raise Failure(f"{player} is larger than 1 MiB, which no site accepts")
    requirements = player.parent / "requirements.txt"
    # Every bot's file is player.py, so the folder gives the name.
    name = player.parent.name if player.name == "player.py" else player.stem
    return BotSource(name or "bot", player, requirements if requirements.is_file() else None)


def find_bots(texts: Sequence[str]) -> list[BotSource]:
    """Returns the bots of a table, by seat. A name that occurs again gets a number, because a bot given twice is two players."""
    seen: set[str] = set()
    bots: list[BotSource] = []
    for bot in map(find_bot, texts):
        name, number = bot.name, 1
        while name in seen:
            number += 1
            name = f"{bot.name}-{number}"
        seen.add(name)
        bots.append(BotSource(name, bot.player, bot.requirements))
    return bots
