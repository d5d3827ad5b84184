"""`husky check`: runs the checks of an upload, and plays a few hands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from husky_holdem.bots import find_bot
from husky_holdem.commands.play import describe_failed_calls
from husky_holdem.output import EXIT_WRONG, Failure, Output
from husky_holdem.resolution import Resolution, resolve
from husky_holdem.static_check import bot_hash, check_player, read_requirements
from husky_holdem.table import make_settings, play

NAME = "check"
HELP = "Checks a bot as the upload does, and plays a few hands with it."
EXAMPLES = """
husky check player.py
husky check my-bot                 # a folder with player.py and requirements.txt
husky check my-bot --hands 0       # without a match
husky check my-bot --json
"""
EPILOG = """\
Checked are: size and encoding of the files, requirements.txt, the code of player.py without running it, the
packages (wheels for Python 3.11 on x86_64), and 30 hands in the sandbox against example bots.
Ends with 1 at the first fault, with the sentence that the site would show."""
OPPONENTS = ("calling-station", "tight-aggressive")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("bot", metavar="BOT", help="player.py, or a folder that has it")
    parser.add_argument("--hands", type=int, default=30, metavar="N", help="hands to play (default: 30; 0: none)")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Runs the checks in the order of an upload; raises Failure at the first fault."""
    if args.hands < 0:
        raise Failure("--hands must be at least 0.")
    player = find_upload(args.bot)
    beside = player.with_name("requirements.txt")
    requirements = beside if player.name == "player.py" and beside.is_file() else None
    found = check_bot(player, requirements, args.hands, say=out.line)
    out.line(f"The bot can be uploaded. Its hash is {found['bot_hash']}.")
    out.result(found)
    return 0


def check_bot(player: Path, requirements: Path | None, hands: int, say: Callable[[str], None], require_sandbox: bool = False) -> dict[str, Any]:
    """Runs the checks in the order of an upload, and plays hands if the packages are known. Raises Failure at the first fault."""
    lines = read_requirements(requirements)
    warnings = check_player(player, lines)
    say("player.py: a bot with all five methods." if not warnings else f"player.py: {' '.join(warnings)}")
    packages = resolve(lines) if lines else Resolution()
    if packages.unchecked is not None:
        say(f"requirements.txt: correct, but {packages.unchecked}, so the packages were not checked.")
    elif packages.packages:
        say(f"requirements.txt: {', '.join(packages.packages)}.")
    played = _play(player, hands, say, require_sandbox) if hands > 0 and packages.unchecked is None else None
    return {
        "ok": True,
        "bot_hash": bot_hash(player, requirements),
        "warnings": warnings,
        "packages": packages.packages,
        "packages_unchecked": packages.unchecked,
        "played": played,
    }


def find_upload(name: str) -> Path:
    """Returns the absolute path of the file to check. Raises Failure."""
    path = Path(name)
    if path.is_dir():
        path = path / "player.py"
        if not path.is_file():
            raise Failure(f"The folder {name} has no player.py.")
    if not path.is_file():
        raise Failure(f"There is no file {name}.")
    return path.absolute()


def _play(player: Path, hands: int, say: Callable[[str], None], require_sandbox: bool) -> dict[str, Any]:
    """Plays hands against example bots as `husky play` does. Raises Failure with the bot's first fault."""
    bots = [find_bot(name) for name in (str(player), *OPPONENTS)]
    result = play(bots, make_settings(hands=hands, seed="check"), require_sandbox=require_sandbox)["bots"][0]
    fault, call = result["first_fault"], result["first_failed_call"]
    # A failed on_start of the same hand is the cause of what follows.
    if call is not None and (fault is None or call["hand"] < fault["hand"] + (call["method"] == "on_start")):
        raise Failure(f"The bot failed: {describe_failed_calls(result)}.", EXIT_WRONG)
    if fault is not None:
        text = f": {fault['text']}" if fault["text"] else ""
        raise Failure(f"The bot failed in hand {fault['hand']}, {fault['fault']}{text}.", EXIT_WRONG)
    if result["disabled"]:
        raise Failure(f"The bot {result['disabled']}.", EXIT_WRONG)
    slowest = result["decision_ms"]["max"]
    say(f"{result['hands']} hands without a fault: {result['net']:+,} chips, slowest decision {slowest:.1f} ms.")
    return {"hands": result["hands"], "chips": result["net"], "slowest_ms": slowest, "peak_mib": result["peak_mib"]}
