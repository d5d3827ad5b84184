"""`husky trial`: plays two versions of a bot with the same cards until it is known which is better."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from husky_holdem.bots import find_bots
from husky_holdem.commands.play import MAX_SEATS, PlayEvents, cores, whole_number
from husky_holdem.output import EXIT_USAGE, Failure, Output
from husky_holdem.site import connect
from husky_holdem.table import make_settings, play

NAME = "trial"
HELP = "Says whether one version of a bot is better than another: same seat, cards and opponents, until it is decided."
EXAMPLES = """
husky trial new old
husky trial new old --field theirs house pressure --margin 10
husky trial new old --max-hands 400000 --seed 7 --json
husky trial new old --like 0c1c2c3c-0000-4000-8000-000000000000
"""
DEFAULTS: dict[str, Any] = {"field": ["house"], "alpha": 0.05, "margin": 5, "max_hands": 100_000, "hands": 100}
HOUSE = ("house", "calling-station", "position-aware", "pressure", "tight-aggressive")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the two bots, their opponents and the rule."""
    parser.add_argument("a", metavar="BOT", help="file, folder with player.py, or example bot")
    parser.add_argument("b", metavar="OTHER", help="the version that it is compared with")
    parser.add_argument("--field", nargs="+", metavar="FILE", help="1 to 5 opponents; house: " + ", ".join(HOUSE) + " (house)")
    parser.add_argument("--alpha", type=number(0.0001, 0.5), help="probability of a wrong verdict (0.05)")
    parser.add_argument("--margin", type=number(0.01, 10_000), help="difference that matters, in big blinds per 100 hands (5)")
    parser.add_argument("--max-hands", type=whole_number(1, 100_000_000), metavar="N", help="budget: hands of both together (100000)")
    parser.add_argument("--hands", type=whole_number(1, 1000), metavar="N", help="hands of each rotation of the seats (100)")
    parser.add_argument("--seed", help="64 hex digits, or any text; a random seed without it")
    parser.add_argument("--like", metavar="TRIAL", help="plays a trial of the site again: its id or address, or a file saved from GET /trials/ID")
    parser.add_argument("--jobs", type=whole_number(1, 64), metavar="N", help="matches at the same time (one for each core)")


def run(args: argparse.Namespace, out: Output) -> int:
    """Plays the trial, prints its course and the verdict."""
    like = _read_trial(args, out) if args.like else None
    given = {name: getattr(args, name) if getattr(args, name) is not None else value for name, value in DEFAULTS.items()}
    if like:
        given = {**like, "field": _field_of(like), "hands": like["rotation_hands"]}
    field = HOUSE if given["field"] == ["house"] else given["field"]
    if len(field) >= MAX_SEATS:
        raise Failure(f"a field has 1 to {MAX_SEATS - 1} opponents, not {len(field)}")
    bots = find_bots([args.a, args.b, *field])
    more = {"starting_stack": like["starting_stack"], "big_blind": like["big_blind"], "seed": like["deal_keys"][0]} if like else {"seed": args.seed}
    settings = make_settings(hands=given["hands"], stacks="reset", **more)
    big_blind = settings["blinds"]["big_blind"]
    rule = {"alpha": given["alpha"], "margin": given["margin"] * big_blind, "max_hands": given["max_hands"]}
    if like:
        rule |= {"deals": like["deal_keys"], "bot_hashes": like["bot_hashes"]}
    events = PlayEvents(out)

    def handle(event: dict[str, Any]) -> None:
        if event["event"] == "decision":
            out.line(f"{event['sets']:>5,} deal sets, {event['hands']:>9,} hands: {_estimate(event, big_blind)}")
        events.handle(event)

    with out.progress("playing", given["max_hands"]) as bar:
        events.bar = bar
        result = play(bots, settings, handle, command="trial", jobs=args.jobs or cores(), times=False, more=rule)
    names = [bot.name for bot in bots[:2]]
    _print_hands(result["different"], names, out)
    verdict = sentence(result, names, rule["margin"] / big_blind, big_blind)
    out.line(verdict, style={"better": "green", "worse": "red"}.get(result["verdict"]))
    same = None if like is None else _compare(result, like, big_blind, out)
    rule.pop("deals", None)
    out.result({**result, **rule, "bots": [bot.name for bot in bots], "sentence": verdict, "like": same})
    return 1 if same is False else 0


def _read_trial(args: argparse.Namespace, out: Output) -> dict[str, Any]:
    """Returns a trial of the site, which determines all else."""
    for name in (*DEFAULTS, "seed"):
        if getattr(args, name) is not None:
            raise Failure(f"--like plays the trial of the site as it was: without --{name.replace('_', '-')}", EXIT_USAGE)
    path = Path(args.like)
    if path.is_file():
        try:
            trial = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise Failure(f"{path} is no JSON: save the response of GET /trials/ID", EXIT_USAGE) from error
    else:
        found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", args.like.lower())
        if not found:
            raise Failure(f"there is no file {args.like}, and it is no id of a trial", EXIT_USAGE)
        trial = connect(out.note).get(f"/trials/{found[0]}")
    if not isinstance(trial, dict) or not _FACTS.issubset(trial) or not _is_whole(trial):
        raise Failure(f"{args.like} is no trial: save the response of GET /trials/ID", EXIT_USAGE)
    if not trial["deal_keys"]:
        raise Failure("this trial has no finished deal set yet: try again later", EXIT_USAGE)
    return trial


_FACTS = {"alpha", "margin", "max_hands", "rotation_hands", "opponents", "deal_keys", "bot_hashes", "big_blind", "starting_stack", "verdict"}


def _is_whole(trial: dict[str, Any]) -> bool:
    """Returns whether what is played has the types that the site writes."""
    numbers = all(isinstance(trial[name], (int, float)) for name in ("alpha", "margin", "max_hands", "rotation_hands", "big_blind", "starting_stack"))
    lists = all(isinstance(trial[name], list) for name in ("opponents", "deal_keys", "bot_hashes"))
    return numbers and lists and all(isinstance(key, str) and re.fullmatch("[0-9a-f]{64}", key) for key in trial["deal_keys"])


def _field_of(trial: dict[str, Any]) -> list[str]:
    names = [one.get("bot") if isinstance(one, dict) else None for one in trial["opponents"]]
    if None in names:
        raise Failure("this trial was played against bots of other users, which are private: only one against house bots can be played at home", EXIT_USAGE)
    return names


def _compare(result: dict[str, Any], trial: dict[str, Any], big_blind: int, out: Output) -> bool:
    """Says whether the site has decided equally."""
    for which, other in zip("AB", result["other_files"]):
        if other:
            out.line(f"{which} has other files here than on the site.", style="red")
    ends = ("estimate", "low", "high")
    here = [None if result[end] is None else result[end] / big_blind for end in ends]
    there = [trial[end] for end in ends]
    near = all(x == y or (x is not None and y is not None and abs(x - y) < 1e-6) for x, y in zip(here, there))
    same = near and result["hands"] == trial["hands"] and trial["verdict"] in (None, result["verdict"])
    out.line("The site has the same result." if same else f"The site has another result: {trial['verdict']}, {_estimate({end: value and value * big_blind for end, value in zip(ends, there)}, big_blind)} after {trial['hands']:,} hands.")
    return same


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
