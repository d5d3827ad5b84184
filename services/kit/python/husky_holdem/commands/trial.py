"""`husky trial`: plays two versions of a bot with the same cards until it is known which is better."""

from __future__ import annotations

import argparse
from typing import Any

from husky_holdem.bots import find_bots
from husky_holdem.commands.play import MAX_SEATS, PlayEvents, cores, whole_number
from husky_holdem.output import Failure, Output
from husky_holdem.table import make_settings, play

NAME = "trial"
HELP = "Says whether one version of a bot is better than another: same seat, cards and opponents, until it is decided."
EXAMPLES = """
husky trial new old
husky trial new old --field theirs house pressure --margin 10
husky trial new old --max-hands 400000 --seed 7 --json
"""
HOUSE = ("house", "calling-station", "position-aware", "pressure", "tight-aggressive")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the two bots, their opponents and the rule."""
    parser.add_argument("a", metavar="BOT", help="file, folder with player.py, or example bot")
    parser.add_argument("b", metavar="OTHER", help="the version that it is compared with")
    parser.add_argument("--field", nargs="+", default=["house"], metavar="FILE", help="1 to 5 opponents; house: " + ", ".join(HOUSE) + " (house)")
    parser.add_argument("--alpha", type=number(0.0001, 0.5), default=0.05, help="probability of a wrong verdict (0.05)")
    parser.add_argument("--margin", type=number(0.01, 10_000), default=5, help="difference that matters, in big blinds per 100 hands (5)")
    parser.add_argument("--max-hands", type=whole_number(1, 100_000_000), default=100_000, metavar="N", help="budget: hands of both together (100000)")
    parser.add_argument("--hands", type=whole_number(1, 1000), default=100, metavar="N", help="hands of each rotation of the seats (100)")
    parser.add_argument("--seed", help="64 hex digits, or any text; a random seed without it")
    parser.add_argument("--jobs", type=whole_number(1, 64), metavar="N", help="matches at the same time (one for each core)")


def run(args: argparse.Namespace, out: Output) -> int:
    """Plays the trial, prints its course and the verdict."""
    field = HOUSE if args.field == ["house"] else args.field
    if len(field) >= MAX_SEATS:
        raise Failure(f"a field has 1 to {MAX_SEATS - 1} opponents, not {len(field)}")
    bots = find_bots([args.a, args.b, *field])
    settings = make_settings(hands=args.hands, seed=args.seed, stacks="reset")
    big_blind = settings["blinds"]["big_blind"]
    rule = {"alpha": args.alpha, "margin": args.margin * big_blind, "max_hands": args.max_hands}
    events = PlayEvents(out)

    def handle(event: dict[str, Any]) -> None:
        if event["event"] == "decision":
            out.line(f"{event['sets']:>5,} deal sets, {event['hands']:>9,} hands: {_estimate(event, big_blind)}")
        events.handle(event)

    with out.progress("playing", args.max_hands) as bar:
        events.bar = bar
        result = play(bots, settings, handle, command="trial", jobs=args.jobs or cores(), times=False, more=rule)
    names = [bot.name for bot in bots[:2]]
    _print_hands(result["different"], names, out)
    verdict = sentence(result, names, rule["margin"] / big_blind, big_blind)
    out.line(verdict, style={"better": "green", "worse": "red"}.get(result["verdict"]))
    out.result({**result, **rule, "bots": [bot.name for bot in bots], "sentence": verdict})
    return 0


def sentence(result: dict[str, Any], names: list[str], margin: float, big_blind: int) -> str:
    """Returns the verdict in one sentence."""
    a, b = names
    if result["identical"]:
        return f"{a} and {b} are the same files: there is no difference to find."
    found = f"{_estimate(result, big_blind)} after {result['hands']:,} hands"
    return {
        "better": f"{a} is better than {b}: {found}.",
        "worse": f"{a} is worse than {b}: {found}.",
        "no_difference": f"{a} and {b} do not differ by {margin:g} big blinds per 100 hands: {found}.",
        "undecided": f"Undecided between {a} and {b}: {found}; a larger --max-hands or --margin can decide.",
    }[result["verdict"]]


def _estimate(decision: dict[str, Any], big_blind: int) -> str:
    low, high = ("?" if decision[end] is None else f"{decision[end] / big_blind:+,.1f}" for end in ("low", "high"))
    return f"{decision['estimate'] / big_blind:+,.1f} ({low} to {high}) big blinds per 100 hands"


def _print_hands(hands: list[dict[str, Any]], names: list[str], out: Output) -> None:
    if not hands:
        return
    out.line("Hands that differed most, in chips:")
    rows = [[*(str(one[key]) for key in ("deal_set", "rotation", "seat", "hand")), f"{one['a']:+,}", f"{one['b']:+,}", one["seed"][:16]] for one in hands]
    out.table(["deal set", "rotation", "seat", "hand", *names, "seed"], rows, left=0)


def number(minimum: float, maximum: float) -> Any:
    """Returns a type of argparse for the numbers of a range."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = maximum + 1
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(f"'{text}' is no number from {minimum:g} to {maximum:g}")
        return value

    return parse
