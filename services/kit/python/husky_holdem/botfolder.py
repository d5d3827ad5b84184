"""The two files of a bot, as an upload sends them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from husky_holdem.output import EXIT_USAGE, Failure

_MAX_BYTES = 1 << 20


@dataclass(frozen=True)
class BotFiles:
    """The contents of player.py and requirements.txt."""

    player: bytes
    requirements: bytes

    @property
    def hash(self) -> str:
        """The platform's hash of a bot with these files."""
        return sha256(sha256(self.player).digest() + sha256(self.requirements).digest()).hexdigest()

    def form(self, player_field: str, requirements_field: str) -> dict[str, tuple[str, bytes]]:
        """Returns the files by the names of an upload's fields."""
        return {player_field: ("player.py", self.player), requirements_field: ("requirements.txt", self.requirements)}


def read_bot(text: str) -> BotFiles:
    """Reads a bot from its folder or its player.py. A missing requirements.txt counts as empty. Raises Failure for any other path."""
    path = Path(text)
    folder = path if path.is_dir() else path.parent
    player = path / "player.py" if path.is_dir() else path
    if not player.is_file():
        raise Failure(f"{player} does not exist: give the folder of a bot", EXIT_USAGE)
    if player.name != "player.py":
        raise Failure(f"{text}: the file of a bot is called player.py", EXIT_USAGE)
    requirements = folder / "requirements.txt"
    return BotFiles(_read(player), _read(requirements) if requirements.exists() else b"")


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise Failure(f"{path} is larger than 1 MiB, the most that the site takes", EXIT_USAGE)
    return data
