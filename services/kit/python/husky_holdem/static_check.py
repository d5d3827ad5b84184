"""Runs the static check of uploads (services/submission/checker) on a player.py."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from husky_holdem.output import EXIT_WRONG, Failure
from husky_holdem.paths import data_folder

_SECONDS = 10


def check_static(player: Path) -> None:
    """Parses and compiles a player.py without running it. Raises Failure with the sentence that an upload shows, which names the line."""
    # A separate process with limited memory and time: a hostile file must not stop this one.
    command = [sys.executable, "-I", "-S", "-W", "ignore", str(data_folder() / "checker" / "check.py")]
    complex_file = Failure("player.py is nested too deeply or is too complex to be checked.", EXIT_WRONG)
    try:
        done = subprocess.run(command, input=player.read_bytes(), capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise complex_file from None
    if done.returncode != 0:
        raise complex_file
    result = json.loads(done.stdout)
    if not result["ok"]:
        raise Failure(str(result.get("problem") or "player.py is not a bot."), EXIT_WRONG)
