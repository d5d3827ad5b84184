"""`husky play`: plays matches between bots on this machine."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import Any

from husky_holdem.bots import example_bots, find_bots
from husky_holdem.output import EXIT_WRONG, Failure, Output, ProgressBar
from husky_holdem.table import make_settings, play

NAME = "play"
HELP = "Plays matches between 2 to 6 bots by the platform's own dealer, engine and seats."
EXAMPLES = """
husky play player.py house tight-aggressive --hands 1000
husky play mine theirs house house pressure pot-odds --seed 7 --out results/first
husky play mine theirs --stacks reset --repeat 20 --jobs 4
husky play mine theirs house pot-odds pressure position-aware --duplicate --hands 500
husky play mine theirs house pot-odds pressure position-aware --like match-0a1b.jsonl
"""

MIN_SEATS, MAX_SEATS = 2, 6
MAX_HANDS = 10_000
_MAX_CHIPS = 1_000_000_000
_MAX_REPEAT = 10_000
_SEEDED_FROM = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the bots and the settings of the match."""
    parser.add_argument("bots", nargs="+", metavar="BOT", help=f"file, folder with player.py, or example bot: {', '.join(example_bots())}")
    parser.add_argument("--hands", type=whole_number(1, MAX_HANDS), default=1000, help="hands of a match (1000)")
    parser.add_argument("--seed", help="64 hex digits, or any text; a random seed without it")
    parser.add_argument("--blinds", type=parse_blinds, default=10, metavar="S/B", help="small and big blind, such as 5/10, or the big blind alone (5/10)")
    parser.add_argument("--blind-multiplier", type=_multiplier, default="1", metavar="X", help="multiplies the blinds after each interval (1)")
    parser.add_argument("--blind-interval", type=whole_number(1, MAX_HANDS), default=1, metavar="N", help="hands between two rises of the blinds (1)")
    parser.add_argument("--stack", type=whole_number(1, _MAX_CHIPS), default=10_000, help="starting stack in chips (10000)")
    parser.add_argument("--stacks", choices=("carry", "reset"), help="carry: chips are kept from hand to hand; reset: every hand starts equal")
    parser.add_argument("--profile", choices=("documented", "classic"), default="documented", help="values of the callbacks (documented)")
    parser.add_argument("--duplicate", action="store_true", help="the same cards with each rotation of the seats: less luck in the results")
    parser.add_argument("--repeat", type=whole_number(1, _MAX_REPEAT), default=1, metavar="N", help="matches, or deal sets of --duplicate (1)")
    parser.add_argument("--jobs", type=whole_number(1, 64), metavar="N", help="matches at the same time (one for each core)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="new folder for match file, PHH, replays and logs")
    parser.add_argument("--all-replays", action="store_true", help="with --out: replays of all hands, not only of the largest pots and of faults")
    parser.add_argument("--no-times", action="store_true", help="write 0 for all times, so that two plays have the same bytes")
    parser.add_argument("--like", type=Path, metavar="FILE", help="play the match of a match file again: its seed, blinds, stacks, hands and names; says whether it is equal")
    parser.add_argument("--require-sandbox", action="store_true", help="refuse to play where the sandbox is incomplete")


def run(args: argparse.Namespace, out: Output) -> int:
    """Plays the matches and prints the results. Returns 1 if a bot did not start or was disabled."""
    if not MIN_SEATS <= len(args.bots) <= MAX_SEATS:
        raise Failure(f"a match has {MIN_SEATS} to {MAX_SEATS} bots, not {len(args.bots)}")
    if args.like is not None and (args.repeat > 1 or args.duplicate):
        raise Failure("--like plays one match again: it takes neither --repeat nor --duplicate")
    if args.all_replays and args.out is None:
        raise Failure("--all-replays needs --out")
    bots = find_bots(args.bots)
    settings = make_settings(
        hands=args.hands,
        seed=args.seed,
        starting_stack=args.stack,
        stacks=args.stacks or ("reset" if args.duplicate else "carry"),
        big_blind=args.blinds,
        multiplier=args.blind_multiplier,
        interval=args.blind_interval,
        profile=args.profile,
    )
    matches = args.repeat * (len(bots) if args.duplicate else 1)
    events = PlayEvents(out)
    with out.progress("playing", matches * args.hands) as bar:
        events.bar = bar
        result = play(
            bots,
            settings,
            events.handle,
            like=args.like,
            repeat=args.repeat,
            jobs=args.jobs or min(matches, cores()),
            duplicate=args.duplicate,
            out=args.out,
            times=not args.no_times,
            all_replays=args.all_replays,
            require_sandbox=args.require_sandbox,
        )
    _print(result, out)
    out.result({**result, "sandbox": events.sandbox})
    return EXIT_WRONG if any(bot["disabled"] for bot in result["bots"]) else 0


class PlayEvents:
    """Shows the dealer's events: the sandbox once, then the number of hands done."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self.bar: ProgressBar | None = None
        self.sandbox: dict[str, Any] = {}

    def handle(self, event: dict[str, Any]) -> None:
        """Handles an event."""
        if event["event"] == "progress" and self.bar is not None:
            self.bar.update(event["done"], event["total"])
        elif event["event"] == "sandbox":
            self.sandbox = {key: event[key] for key in ("means", "missing", "lacking", "python")}
            self._out.note(describe_sandbox(self.sandbox))


def describe_sandbox(sandbox: dict[str, Any]) -> str:
    """Returns a sentence that names the means of the sandbox that are in force, and the missing ones."""
    means, absent = sandbox["means"], [*sandbox["missing"], *sandbox["lacking"]]
    if not means:
        return f"The bots run without a sandbox, as your own programs: {'; '.join(absent)}."
    inside = f"Python {sandbox['python']}, sandbox with {', '.join(means)}"
    return f"{inside}; without {'; '.join(absent)}." if absent else f"{inside}."


def _print(result: dict[str, Any], out: Output) -> None:
    columns = ["bot", "chips", "per 100 hands", "95 % interval", "faults", "p50 ms", "p95 ms", "max ms", "MiB"]
    out.table(columns, [_row(bot) for bot in sorted(result["bots"], key=lambda bot: -bot["net"])])
    for bot in result["bots"]:
        if bot["failed_calls"]:
            out.line(f"{bot['bot']}: {describe_failed_calls(bot)}", style="yellow")
        first = bot["first_fault"]
        if first is not None:
            counts = ", ".join(f"{count} {fault}" for fault, count in bot["faults"].items())
            text = f": {first['text']}" if first["text"] else ""
            where = f"match {first['match']}, hand {first['hand']}" if len(result["matches"]) > 1 else f"hand {first['hand']}"
            out.line(f"{bot['bot']}: {counts}; the first in {where}{text}", style="yellow")
        if bot["disabled"]:
            out.line(f"{bot['bot']} did not play to the end: it {bot['disabled']}", style="red")
    early = [match for match in result["matches"] if match["ended_early"]]
    if early:
        shown = f"after {early[0]['hands']} hands" if len(result["matches"]) == 1 else f"{len(early)} times"
        out.line(f"The match ended early {shown}: {early[0]['ended_early']}.")
    many = f" in {len(result['matches'])} matches" if len(result["matches"]) > 1 else ""
    out.line(f"{result['hands']:,} hands{many} in {result['seconds']:.1f} s: {result['hands_per_second']:,.0f} hands/s in a match")
    out.line(f"seed {result['settings']['seed']}")
    if len(result["matches"]) == 1:
        out.line(f"play digest {result['matches'][0]['play_digest']}")
    for match in result["matches"]:
        if "like" in match:
            out.line(describe_repetition(match["like"], [bot["bot"] for bot in result["bots"]]), style="green" if match["like"]["equal"] else "yellow")
    if all(bot["per_100"]["low"] is None for bot in result["bots"]):
        out.note("One match, or one deal set, does not show how much results differ: --repeat 5 gives intervals.")
    if result["out"]:
        out.line(f"files in {result['out']}")


def describe_repetition(like: dict[str, Any], names: list[str]) -> str:
    """Returns whether a repeated match is equal to its file; if not, the first difference and what explains it. `names`: the bots by seat."""
    found = like["difference"]
    if found is None:
        return f"Equal: cards, actions and results of all {like['equal_hands']:,} hands are those of the file."
    if found["act"] is None:
        where = f"hand {found['hand']}, which only one of the two has"
    else:
        recorded, repeated = (_describe_act(found[key], names) for key in ("recorded", "repeated"))
        where = f"hand {found['hand']}, act {found['act']}: {recorded} in the file, {repeated} here"
    others = [f"{names[seat]} in seat {seat + 1}" for seat in like["other_files"]]
    if others:
        why = f"The files of {', '.join(others)} are not those of the match."
    elif found["byLimit"]:
        why = "A bot reached a limit of time or memory in one of the two, which depends on the machine."
    elif like["rules_version"] < _SEEDED_FROM:
        why = f"Rules version {like['rules_version']} does not fix the random numbers of bots."
    else:
        why = "Bots that use clocks, threads, os.urandom or addresses of objects can differ each time, as can other versions of packages."
    return f"Not equal. The first difference is in {where}. {why}"


def _describe_act(act: dict[str, Any] | None, names: list[str]) -> str:
    if act is None:
        return "nothing"
    text = f"{names[act['seat']]} {act['action']}" + (f" {act['amount']}" if act["amount"] else "")
    return f"{text} ({act['verdict']})" if act["verdict"] else text


def describe_failed_calls(bot: dict[str, Any]) -> str:
    """Returns how many calls of other methods than get_action failed, and the first with its text and line."""
    count, first = bot["failed_calls"], bot["first_failed_call"]
    return f"{count} {'call' if count == 1 else 'calls'} of other methods failed; the first in hand {first['hand']}, {first['method']}: {first['text']}"


def _row(bot: dict[str, Any]) -> list[str]:
    per, times = bot["per_100"], bot["decision_ms"]
    interval = "-" if per["low"] is None else f"{per['low']:+,.0f} to {per['high']:+,.0f}"
    return [
        bot["bot"],
        f"{bot['net']:+,}",
        f"{per['mean']:+,.1f}",
        interval,
        str(sum(bot["faults"].values())),
        *(f"{times[key]:.2f}" for key in ("p50", "p95", "max")),
        f"{bot['peak_mib']:.0f}",
    ]


def whole_number(minimum: int, maximum: int) -> Any:
    """Returns a type of argparse for the whole numbers of a range."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not minimum <= int(text) <= maximum:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number from {minimum} to {maximum}")
        return int(text)

    return parse


def parse_blinds(text: str) -> int:
    """Returns the big blind of a text S/B, or of the big blind alone."""
    found = re.fullmatch(r"(?:([0-9]{1,7})/)?([0-9]{1,7})", text)
    big = int(found[2]) if found else 0
    if found is None or not 1 <= big <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' are no blinds such as 5/10")
    if found[1] is not None and int(found[1]) != max(1, big // 2):
        raise argparse.ArgumentTypeError(f"the small blind is half of the big blind: {max(1, big // 2)}/{big}")
    return big


def _multiplier(text: str) -> str:
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", text) or not 0.1 <= float(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is no decimal number from 0.1 to 1000")
    return text


def cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
