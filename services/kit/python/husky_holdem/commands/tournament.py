"""`husky tournament`: prints the state and the standings of a tournament on the site."""

from __future__ import annotations

import argparse
from typing import Any
from urllib.parse import quote

from husky_holdem.output import Output
from husky_holdem.site import connect

NAME = "tournament"
HELP = "Prints the state, the stages and the standings of a tournament on the site."
EXAMPLES = """husky tournament autumn-cup
husky tournament autumn-cup --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the tournament."""
    parser.add_argument("slug", metavar="SLUG", help="last part of the tournament's address")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the tournament, its newest stage last."""
    found = connect(out.note).get(f"/tournaments/{quote(args.slug, safe='')}")
    out.line(f"{found['name']}: {found['state']}, {len(found['entrants'])} entrants, entry deadline {found['entry_deadline']}")
    if found["problem"]:
        out.line(found["problem"])
    for stage in found["stages"]:
        out.line()
        out.line(f"{stage['name']}: {stage['state']}, {stage['finished']:,} of {stage['matches']:,} matches, {stage['players']:,} players", style="bold")
        rows = [_row(one) for one in stage["standings"]]
        if rows:
            out.table(["Rank", "Player", "", "Winnings", "Without luck", "95 % interval"], rows, left=3)
    if found["champion"]:
        out.line()
        out.line(f"Champion: {found['champion']}", style="bold")
    out.result(found)
    return 0


def _row(one: dict[str, Any]) -> list[str]:
    known = one["adjusted"] is not None
    interval = f"{one['low']:+,.0f} to {one['high']:+,.0f}" if known else ""
    goes_on = "goes on" if one["advances"] else ""
    return [str(one["rank"]), one["username"], goes_on, f"{one['delta']:+,}", f"{one['adjusted']:+,.0f}" if known else "", interval]
