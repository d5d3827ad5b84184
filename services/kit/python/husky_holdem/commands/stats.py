"""`husky stats`: prints statistics of play and winnings over match files."""

from __future__ import annotations

import argparse
import csv
import sys
from typing import Any

from husky_holdem.node import run_node
from husky_holdem.output import Output

NAME = "stats"
HELP = "Shows how bots played: VPIP, PFR, three-bets, aggression, by position, and winnings per 100 hands."
EXAMPLES = """
husky stats match.jsonl
husky stats out/*.jsonl --player player.py
husky stats match.jsonl --csv > stats.csv
husky stats match.jsonl --json
"""
EPILOG = """\
Names and formulas are those of the site (docs/methodology.md, Statistics of play). A figure that rests on fewer
than 20 opportunities is shown in brackets. Intervals have 95 % and treat matches as independent; with fewer than
five matches, blocks of hands (50 a match)."""
MIN_OPPORTUNITIES = 20
POSITIONS = ("UTG", "HJ", "CO", "BTN", "SB", "BB")
COLUMNS = {
    "VPIP": "vpip",
    "PFR": "pfr",
    "3-bet": "three_bet",
    "fold to 3-bet": "fold_to_three_bet",
    "steal": "steal",
    "aggression": "aggression_factor",
    "c-bet": "c_bet",
    "showdown": "went_to_showdown",
    "won there": "won_at_showdown",
}
BY_POSITION = ("vpip", "pfr", "three_bet", "aggression_factor")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of this command."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="match files: from husky play, husky download or the site")
    parser.add_argument("--player", metavar="NAME", help="only this player")
    parser.add_argument("--csv", action="store_true", help="print a row for each player, statistic, position and street")
    parser.epilog = f"{parser.epilog}\n\n{EPILOG}"


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the statistics."""
    found = run_node("stats", {"paths": args.files, "player": args.player})
    players = found["players"]
    if args.csv and not out.as_json:
        _print_csv(players)
        return 0
    matches = f"{found['matches']:,} {'match' if found['matches'] == 1 else 'matches'}"
    out.line(f"{matches}, {found['hands']:,} hands")
    out.line()
    _print_winnings(players, out)
    out.line()
    out.table(["player", *COLUMNS], [[one["player"], *(shown_figure(one, name) for name in COLUMNS.values())] for one in players])
    out.line()
    rows = [
        [one["player"], title, *(shown_figure(one, name, position) for position in POSITIONS)]
        for one in players
        for title, name in COLUMNS.items()
        if name in BY_POSITION
    ]
    out.table(["player", "by position", *POSITIONS], rows, left=2)
    out.result(found)
    return 0


def _print_winnings(players: list[dict[str, Any]], out: Output) -> None:
    rows = []
    for one in sorted(players, key=lambda player: -float(player["chips"])):
        chips, blinds = one["chips_per_100"], one["big_blinds_per_100"]
        rows.append([one["player"], f"{one['hands']:,}", f"{one['chips']:+,}", *(f"{unit[per]:+,.1f}" for per in ("per_dealt", "per_table") for unit in (chips, blinds)), _interval(blinds)])
    out.table(["player", "hands dealt", "chips", "chips/100 dealt", "bb/100 dealt", "chips/100 at table", "bb/100 at table", "95 % interval"], rows)


def _interval(winnings: dict[str, Any]) -> str:
    interval = winnings["interval"]
    return "-" if interval is None else f"{interval['low']:+,.1f} to {interval['high']:+,.1f}"


def shown_figure(player: dict[str, Any], statistic: str, position: str = "") -> str:
    """Returns a figure as text: a percentage or a ratio; '-' without an opportunity."""
    for figure in player["figures"]:
        if (figure["statistic"], figure["position"], figure["street"]) != (statistic, position, ""):
            continue
        if figure["of"] == 0:
            return "-"
        value = figure["count"] / figure["of"]
        text = f"{value:.2f}" if statistic == "aggression_factor" else f"{100 * value:.1f}%"
        return f"({text})" if figure["of"] < MIN_OPPORTUNITIES else text
    return "-"


def _print_csv(players: list[dict[str, Any]]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["player", "statistic", "position", "street", "count", "of", "value"])
    for one in players:
        for unit in ("chips_per_100", "big_blinds_per_100"):
            for per, hands in (("per_dealt", "hands"), ("per_table", "table_hands")):
                writer.writerow([one["player"], f"{unit}_{per}", "", "", one[hands], "", one[unit][per]])
        for figure in one["figures"]:
            value = figure["count"] / figure["of"] if figure["of"] else ""
            writer.writerow([one["player"], *(figure[key] for key in ("statistic", "position", "street", "count", "of")), value])
