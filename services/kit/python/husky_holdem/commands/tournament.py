"""`husky tournament`: prints the state and the standings of a tournament on the site."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from urllib.parse import quote

from husky_holdem.files import write_atomically
from husky_holdem.output import Output
from husky_holdem.site import connect

NAME = "tournament"
HELP = "Prints the state, the stages and the standings of a tournament on the site."
EXAMPLES = """husky tournament autumn-cup
husky tournament autumn-cup --json
husky tournament autumn-cup --out cup.json   # how it was run, for husky verify"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the tournament."""
    parser.add_argument("slug", metavar="SLUG", help="last part of the tournament's address")
    parser.add_argument("--out", metavar="FILE", help="save the document of the tournament, which husky verify checks")


def run(args: argparse.Namespace, out: Output) -> int:
    """Prints the tournament, its newest stage last."""
    site, path = connect(out.note), f"/tournaments/{quote(args.slug, safe='')}"
    if args.out:
        document = b"".join(site.download(f"{path}/document", {}))
        write_atomically(Path(args.out), document)
        out.line(f"{args.out} ({len(document):,} bytes)")
    found = site.get(path)
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
