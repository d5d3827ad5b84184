"""`husky challenge`: challenges other players on the site, and lists and answers challenges."""

from __future__ import annotations

import argparse
from typing import Any

from husky_holdem.output import Failure, Output
from husky_holdem.site import connect

NAME = "challenge"
HELP = "Challenges players of the site: your final submissions meet, unrated. Without names it lists challenges."
EXAMPLES = """husky challenge bob
husky challenge bob carol --format classic --hands 500 --fill neighbours
husky challenge --accept 0c1c2c3c-0000-4000-8000-000000000000
husky challenge --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the opponents, the match and the answers."""
    parser.add_argument("opponents", nargs="*", metavar="NAME", help="one to five players")
    parser.add_argument("--format", choices=("set", "classic"), default="set", help="set: six rotations with the same cards; classic: one match (set)")
    parser.add_argument("--hands", type=int, metavar="N", help="of each rotation, at most 200 (50), or of the classic match, at most 1000 (100)")
    parser.add_argument("--fill", choices=("house", "neighbours"), default="house", help="who takes the other seats (house)")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--accept", metavar="ID", help="accept a challenge")
    answer.add_argument("--decline", metavar="ID", help="decline a challenge, or withdraw your own")


def run(args: argparse.Namespace, out: Output) -> int:
    """Sends a challenge, answers one, or lists them."""
    answer = "accept" if args.accept else "decline" if args.decline else ""
    if answer and args.opponents:
        raise Failure(f"--{answer} takes no names")
    site = connect(out.note)
    if answer:
        _show(site.post(f"/challenges/{args.accept or args.decline}/{answer}", {}), site.origin, out)
    elif args.opponents:
        hands = args.hands if args.hands is not None else 50 if args.format == "set" else 100
        body = {"opponents": args.opponents, "format": args.format, "num_rounds": hands, "fill": args.fill}
        _show(site.post("/challenges", body), site.origin, out)
    else:
        _list(site.get("/challenges"), out)
    return 0


def _show(challenge: dict[str, Any], origin: str, out: Output) -> None:
    waits = ", ".join(one["username"] for one in challenge["players"] if one["answer"] == "waiting")
    reason = f" for {waits}" if challenge["state"] == "waiting" and waits else f": {challenge['reason']}" if challenge["reason"] else ""
    out.line(f"Challenge {challenge['challenge_id']}: {challenge['state']}{reason}")
    for job in challenge["job_ids"]:
        out.line(f"  {origin}/games/{job}")
    out.result(challenge)


def _list(page: dict[str, Any], out: Output) -> None:
    challenges = page["challenges"]
    rows = [
        [
            one["challenge_id"],
            one["state"],
            one["created_at"][:16].replace("T", " "),
            one["challenger"],
            ", ".join(f"{player['username']} ({player['answer']})" for player in one["players"][1:]),
        ]
        for one in challenges
    ]
    if rows:
        out.table(["challenge", "state", "sent (UTC)", "challenger", "others"], rows, left=5)
    else:
        out.line("No challenge yet: `husky challenge NAME` sends one.")
    out.result({"challenges": challenges, "total_count": page["total_count"]})
