"""`husky debug`: runs a bot in this process, in new hands or in one hand of a match file."""

from __future__ import annotations

import argparse
import hashlib

from husky_holdem.bots import BotSource, find_bot, find_bots
from husky_holdem.commands.play import parse_blinds
from husky_holdem.live_table import LiveTable
from husky_holdem.local_bot import use_bot_api
from husky_holdem.matchfile import MatchFile
from husky_holdem.node import run_node
from husky_holdem.output import EXIT_WRONG, Failure, Output
from husky_holdem.repeated_hand import RepeatedHand
from husky_holdem.table import seed_of

NAME = "debug"
HELP = "Runs a bot in this process, so that pdb, breakpoint() and print work and no clock runs."
EXAMPLES = """
husky debug player.py                                    # against two example bots
husky debug player.py house pot-odds --hands 50 --seed 7
husky debug player.py --pdb                              # opens pdb where the bot raises
python -m pdb -m husky_holdem debug player.py            # with breakpoints from the start
husky debug player.py --match match.jsonl --hand 412     # one hand of a match again
husky debug player.py --match match.jsonl --hand 412 --seat 3 --history
"""
EPILOG = """\
With --match the bot gets the calls of that hand with the same arguments; cards and the actions of the others are
those of the file. The first decision in which the bot acts differently is shown, and the hand stops there;
--keep-going plays the recorded action and goes on. A bot that remembers earlier hands needs --history.
The bot has no sandbox here and its packages are those of this Python. Ends with 1 if the bot failed, or acted
differently than in the match."""
OTHERS = ("calling-station", "tight-aggressive")
MAX_PLAYERS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("player", metavar="PLAYER", help="the bot: player.py, or its folder")
    parser.add_argument("others", metavar="OTHER", nargs="*", help=f"other bots, by path or name (default: {', '.join(OTHERS)})")
    parser.add_argument("--hands", type=int, metavar="N", help="hands to play (default: 10)")
    parser.add_argument("--seed", metavar="SEED", help="seed of the cards: 64 hex digits, or any text (default: random, printed)")
    parser.add_argument("--blinds", type=parse_blinds, metavar="S/B", help="small and big blind, or the big blind alone (default: 5/10)")
    parser.add_argument("--stack", type=int, metavar="CHIPS", help="chips of every player at the start (default: 10,000)")
    parser.add_argument("--match", metavar="FILE", help="a match file, one hand of which is repeated")
    parser.add_argument("--hand", type=int, metavar="N", help="with --match: the hand, from 1")
    parser.add_argument("--seat", type=int, metavar="S", help="with --match: the bot's seat, from 1")
    parser.add_argument("--history", action="store_true", help="with --match: shows the bot the hands before it first")
    parser.add_argument("--keep-going", action="store_true", help="with --match: goes on after a different action")
    parser.add_argument("--pdb", action="store_true", help="opens pdb where the bot raises an exception")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Plays hands, or repeats one."""
    use_bot_api()
    if args.match is None:
        return _play(args, out)
    for name in ("hands", "seed", "blinds", "stack"):
        if getattr(args, name) is not None:
            raise Failure(f"--{name} has no meaning with --match: the match file decides it.")
    if args.others:
        raise Failure("Other bots have no meaning with --match: their actions are those of the file.")
    return _repeat(args, out)


def _play(args: argparse.Namespace, out: Output) -> int:
    for name in ("hand", "seat"):
        if getattr(args, name) is not None:
            raise Failure(f"--{name} needs --match.")
    bots = find_bots([args.player, *(args.others or OTHERS)])
    if len(bots) > MAX_PLAYERS:
        raise Failure(f"A table has at most {MAX_PLAYERS} players.")
    hands = _at_least(args.hands, 1, "--hands", 10)
    stack = _at_least(args.stack, 2, "--stack", 10_000)
    seed = seed_of(args.seed)
    table = LiveTable(bots, out, post_mortem=args.pdb)
    request = {
        "seats": len(bots),
        "hands": hands,
        "seed": seed,
        "starting_stack": stack,
        "blinds": {"bigBlind": args.blinds or 10, "multiplier": "1", "interval": 1},
        "stacks": "carry",
    }
    found = run_node("debug", request, table.on_event)
    out.line(f"{found['hands']} hands with the seed {args.seed or seed}")
    out.table(["player", "chips", "failures"], [[name, f"{won:+,}", str(failed)] for name, won, failed in zip(table.names, found["chips"], table.failures, strict=True)])
    players = [{"player": name, "chips": won, "failures": failed} for name, won, failed in zip(table.names, found["chips"], table.failures, strict=True)]
    out.result({"hands": found["hands"], "seed": seed, "players": players})
    return EXIT_WRONG if table.failures[0] else 0


def _repeat(args: argparse.Namespace, out: Output) -> int:
    if args.hand is None:
        raise Failure("Name the hand: --hand N. `husky replay FILE` lists the hands.")
    bot = find_bot(args.player)
    with MatchFile(args.match) as match:
        seat = _seat_of(args, match, bot)
    table = RepeatedHand(bot.player, seat, out, post_mortem=args.pdb)
    request = {"path": args.match, "hand": args.hand, "seat": seat, "history": args.history, "keep_going": args.keep_going}
    found = run_node("repeat-hand", request, table.on_event)
    different = found["different"]
    if different == 0:
        out.line(f"The bot acts as in the match: {found['decisions']} {'decision' if found['decisions'] == 1 else 'decisions'}.")
    elif args.hand > 1 and not args.history:
        out.line("If the bot remembers earlier hands, show them to it first: --history.")
    out.result({"hand": args.hand, "seat": seat + 1, **found, "comparisons": table.comparisons, "failures": table.failures})
    return EXIT_WRONG if different or table.failures else 0


def _seat_of(args: argparse.Namespace, match: MatchFile, bot: BotSource) -> int:
    """Returns the bot's seat, from 0: the given one, the only one with the same files, or the only one that failed in the hand."""
    players = match.manifest["players"]
    if args.seat is not None:
        if not 1 <= args.seat <= len(players):
            raise Failure(f"{match.path} has seats 1 to {len(players)}.")
        return int(args.seat) - 1
    parts = (bot.player.read_bytes(), bot.requirements.read_bytes() if bot.requirements is not None else b"")
    own = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    same = [seat for seat, player in enumerate(players) if player.get("bot_hash") == own]
    if len(same) == 1:
        return same[0]
    for hand in match.hands():
        if hand.number == args.hand:
            failed = {action.seat for action in hand.actions if action.verdict is not None}
            if len(failed) == 1:
                return failed.pop()
            break
    names = ", ".join(f"{seat + 1} {name}" for seat, name in enumerate(match.names))
    raise Failure(f"Name the bot's seat: --seat S. The seats are {names}.")


def _at_least(value: int | None, minimum: int, name: str, default: int) -> int:
    if value is None:
        return default
    if value < minimum:
        raise Failure(f"{name} must be at least {minimum}.")
    return value
