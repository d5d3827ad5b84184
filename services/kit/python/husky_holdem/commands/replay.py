"""`husky replay`: prints a hand of a match file as text, or the list of its hands."""

from __future__ import annotations

import argparse

from rich.text import Text

from husky_holdem.hand_text import FAULT_STYLE, hand_lines, has_symbols
from husky_holdem.matchfile import STREETS, Hand, MatchFile
from husky_holdem.output import Failure, Output

NAME = "replay"
HELP = "Shows the hands of a match file, or one hand as text."
EXAMPLES = """
husky replay match.jsonl                # all hands with their results
husky replay match.jsonl --hand 17      # one hand, street by street
husky replay match.jsonl --faults       # only hands in which a bot failed
husky replay match.jsonl --hand 17 --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("file", metavar="FILE", help="a match file: from husky play, husky download or the site")
    parser.add_argument("--hand", type=int, metavar="N", help="the hand to show, from 1")
    parser.add_argument("--faults", action="store_true", help="list only hands in which a bot's action failed or was changed")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints a hand or the list of hands."""
    with MatchFile(args.file) as match:
        if args.hand is not None:
            return _show(match, args.hand, out)
        return _list(match, args.faults, out)


def _show(match: MatchFile, number: int, out: Output) -> int:
    for hand in match.hands():
        if hand.number != number:
            continue
        for line in hand_lines(hand, has_symbols()):
            out.line(line)
        out.result({"hand": number, "game_data": hand.game})
        return 0
    raise Failure(f"{match.path} has no hand {number}; it has hands 1 to {match.manifest.get('hands')}.")


def _list(match: MatchFile, faults: bool, out: Output) -> int:
    found = []
    out.line(f"{match.manifest.get('job_id')}: {', '.join(match.names)}")
    out.line(Text(f"{'hand':>6}  {'pot':>9}  {'ended':<8}  won", "bold"))
    for hand in match.hands():
        failed = [action for action in hand.actions if action.verdict is not None]
        if faults and not failed:
            continue
        found.append(_summary(hand))
        won = ", ".join(f"{name} {chips:+,}" for name, chips in zip(hand.names, hand.won, strict=True) if chips > 0)
        line = Text(f"{hand.number:>6}  {hand.pot:>9,}  {_end(hand):<8}  {won}")
        if failed:
            line.append("  " + "; ".join(f"{hand.names[action.seat]}: {action.verdict}" for action in failed), FAULT_STYLE)
        out.line(line)
    if faults and not found:
        out.line("No action failed or was changed.")
    out.result({"job_id": match.manifest.get("job_id"), "players": match.names, "hands": found})
    return 0


def _end(hand: Hand) -> str:
    """Returns the street on which all players but one had folded, or 'showdown'."""
    players = sum(1 for cards in hand.cards if cards)
    return "showdown" if len(hand.folded) < players - 1 else STREETS[hand.actions[-1].street if hand.actions else 0]


def _summary(hand: Hand) -> dict[str, object]:
    return {
        "hand": hand.number,
        "pot": hand.pot,
        "ended": _end(hand),
        "board": hand.board,
        "won": hand.won,
        "verdicts": [
            {"seat": action.seat + 1, "street": STREETS[action.street], "code": action.verdict, "text": action.text}
            for action in hand.actions
            if action.verdict is not None
        ],
    }
