"""Plays matches: builds the request of the dealer's command `play`, and runs it."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from husky_holdem.bots import BotSource
from husky_holdem.node import run_node
from husky_holdem.packages import install_packages
from husky_holdem.paths import seat_folder, seat_module, seat_python, temporary_folder

LIMITS = {
    "decisionMs": 5000,
    "bankMs": 60_000,
    "freeMs": 100,
    "faultsToDisable": 10,
    "startupMs": 30_000,
    "memoryMib": 256,
    "logBytes": 64 << 10,
}
"""The platform's limits of a bot (services/runner/src/play/setup.ts)."""


def seed_of(text: str | None) -> str:
    """Returns a seed as 64 hex digits: those given, the SHA-256 of another text, or a random one."""
    if text is None:
        return secrets.token_hex(32)
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return text.lower()
    return hashlib.sha256(f"husky-holdem seed {text}".encode()).hexdigest()


def make_settings(
    hands: int = 1000,
    seed: str | None = None,
    starting_stack: int = 10_000,
    stacks: str = "carry",
    big_blind: int = 10,
    multiplier: str = "1",
    interval: int = 1,
    profile: str = "documented",
) -> dict[str, Any]:
    """Returns the settings of a match; the defaults are those of the platform."""
    return {
        "hands": hands,
        "seed": seed_of(seed),
        "starting_stack": starting_stack,
        "stacks": stacks,
        "blinds": {"big_blind": big_blind, "multiplier": multiplier, "interval": interval},
        "profile": profile,
    }


def play(
    bots: Sequence[BotSource],
    settings: dict[str, Any],
    on_event: Callable[[dict[str, Any]], None] | None = None,
    *,
    like: Path | None = None,
    repeat: int = 1,
    jobs: int = 1,
    duplicate: bool = False,
    out: Path | None = None,
    times: bool = True,
    all_replays: bool = False,
    require_sandbox: bool = False,
    command: str = "play",
    more: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Installs the packages of the bots, plays matches and returns the dealer's result (services/kit/README.md). Raises Failure.

    `command` with the values `more` is another one than `play` with the same request.
    """
    request = {
        "python": seat_python(),
        "seat_folder": str(seat_folder()),
        "seat_module": seat_module(),
        "temporary_folder": str(temporary_folder()),
        "bots": [
            {
                "name": bot.name,
                "player_file": str(bot.player),
                "requirements_file": str(bot.requirements) if bot.requirements else None,
                "packages_dir": _text(install_packages(bot.requirements)),
            }
            for bot in bots
        ],
        "like": _text(like and like.absolute()),
        "settings": settings,
        "limits": LIMITS,
        "repeat": repeat,
        "jobs": jobs,
        "duplicate": duplicate,
        "out": _text(out and out.absolute()),
        "times": times,
        "all_replays": all_replays,
        "require_sandbox": require_sandbox,
        **(more or {}),
    }
    return run_node(command, request, on_event)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
