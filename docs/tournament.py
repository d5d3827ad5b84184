#!/usr/bin/env python3
"""Recomputes a tournament from its matches and compares everything with its document.

Usage: tournament.py DOCUMENT.json ARCHIVE.zip...   (husky tournament SLUG --out; GET /batches/{number}/download of each stage)

Sums the chips of every hand, ranks, cuts and names the champion by itself. `husky verify` checks that the hands follow from the seeds.
Ends with status 1 at the first difference. One file, which needs Python only.
"""

import hashlib
import json
import sys
import zipfile
from collections import Counter

LETTERS = "ABCDEFGHIJKLMNOPQRST"
TABLE = 6


def check(holds, difference):
    if not holds:
        sys.exit("NOT VERIFIED: " + difference)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def winnings_of(lines, frozen):
    """Returns the game number and the chips that each player won in a match. `frozen`: user -> hash of the files."""
    match = json.loads(next(lines))
    ids = [player["user_id"] for player in match["players"]]
    for player in match["players"]:
        check(player["bot_hash"] == frozen[player["user_id"]], f"match {match['job_id']}: another file of {player['username']} played")
    won, absent, hands = Counter(dict.fromkeys(ids, 0)), set(), 0
    for entry in map(json.loads, lines):
        if entry["type"] != "hand":
            continue
        game, hands = entry["game_data"], hands + 1
        for seat, user in enumerate(ids, 1):
            won[user] += game["playerMoney"]["thisGameDelta"].get(str(seat), 0)
        absent |= {verdict["seat"] for verdict in game.get("verdicts", []) if verdict["code"] == "startup"}
    check(hands == match["hands"], f"match {match['job_id']}: {hands} of {match['hands']} hands")
    # A match in which fewer than two bots started does not count.
    return match["game_number"], Counter(dict.fromkeys(ids, 0)) if len(absent) >= len(ids) - 1 else won


def rank(sums, advance, before, draw):
    """Returns (user, rank, goes on), best first. Who is level: by the stages before, the last one first, then by the draw."""
    order = sorted(sums, key=lambda user: (-sums[user], *(-stage.get(user, 0) for stage in reversed(before)), sha256(f"{draw}:{user}")))
    if advance is None:
        stay = 0
    elif advance == TABLE or len(order) <= advance:
        stay = min(advance, len(order))
    else:
        stay = sum(sums[user] >= sums[order[advance - 1]] for user in order)
    return [(user, 1 + sum(other > sums[user] for other in sums.values()), place < stay) for place, user in enumerate(order)]


def main(path, archives):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    listed, draw = json.loads(document["list"]["text"]), document["list"]["record"]["commitment"]
    check(sha256(document["list"]["text"]) == draw, "the list is not the one in the chain")
    frozen = {bot["userId"]: bot["botHash"] for bot in listed["roster"]}
    files = {}
    for archive in map(zipfile.ZipFile, archives):
        files[json.loads(archive.read("manifest.json"))["batch_number"]] = archive
    players, before, order = set(frozen), [], []
    for spec, stage in zip(listed["stages"], document["stages"]):
        archive = files.get(stage["batch_number"])
        check(archive, f"the archive of {spec['name']}, batch {stage['batch_number']}, is missing")
        check(sha256(stage["text"]) == stage["record"]["commitment"], f"the plan of {spec['name']} is not the one in the chain")
        plan, sums, games = json.loads(stage["text"]), Counter(dict.fromkeys(players, 0)), set()
        rotations = plan["matches"] // len(plan["tables"])
        for name in archive.namelist():
            if name == "manifest.json":
                continue
            with archive.open(name) as lines:
                game, won = winnings_of(iter(lines), frozen)
            table = plan["tables"][(game - 1) // rotations]
            seats = {plan["roster"][LETTERS.index(place) if isinstance(place, str) else place]["userId"] for place in table}
            check(set(won) == seats and game not in games, f"{spec['name']}: match {game} is not that of the plan, or there twice")
            games.add(game)
            sums.update(won)
        check(len(games) == plan["matches"] or spec["stopRule"], f"{spec['name']}: {len(games)} of {plan['matches']} matches")
        check(set(sums) == players, f"{spec['name']} was played by others")
        order = rank(sums, spec["advance"], before, draw)
        shown = [(one["user_id"], one["rank"], one["advances"]) for one in stage["results"]]
        check({one["user_id"]: one["delta"] for one in stage["results"]} == dict(sums), f"{spec['name']}: other winnings")
        check(order == shown, f"{spec['name']}: another ranking")
        print(f"{spec['name']}: {len(players)} players, {len(games)} matches, winnings, ranks and cut are right")
        before.append(sums)
        players = {user for user, _, goes_on in order if goes_on}
    over = len(document["stages"]) == len(listed["stages"])
    champion = order[0][0] if over and any(len(set(stage.values())) > 1 for stage in before) else None
    check(champion == document["champion"], "another champion")
    names = {one["user_id"]: one["name"] for one in document["names"]}
    print(f"verified; champion: {names.get(champion, 'none, or a deleted account') if over else 'not known yet'}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    main(sys.argv[1], sys.argv[2:])
