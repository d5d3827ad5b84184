"""Checks a batch of Husky Hold'em against its plan in the chain (docs/fairness.md). Needs verify_match.py in the same folder.

python3 verify_batch.py ORIGIN BATCH_NUMBER [HEAD], where HEAD is a head of the chain that you noted earlier: NUMBER:HASH, or
a file with a signed head.
The batch must be public: its private matches count as missing.
"""
import json, sys
from concurrent.futures import ThreadPoolExecutor
from verify_match import check, get, head_of, read_chain, sha256

def read_matches(batch_id):
    matches, page = {}, 1  # a page may move while matches are made public
    while listed := get(f"/live/public-job-ids/paginated?batch_id={batch_id}&page_size=500&page={page}")["jobs"]:
        matches.update((job["job_id"], job["players"]) for job in listed)
        page += 1
    return matches

def seats_of(plan, game):
    """Returns user, bot and packages by seat, as the plan has them for match number `game`."""
    rotations = plan["matches"] // len(plan["tables"])
    table, turn = divmod(game - 1, rotations)
    places = plan["tables"][table]
    places = places[len(places) - turn:] + places[:len(places) - turn]
    places = ["ABCDEFGHIJKLMNOPQRST".index(place) if isinstance(place, str) else place for place in places]
    bots = [plan["roster"][place] for place in places]
    return [{key: bot[key] for key in bot if key != "nameHash"} for bot in bots]

def verify(number, noted=None):
    chain, found = read_chain(), []
    check(noted is None or head_of(noted) in [f"{at}:{record['hash']}" for at, record in enumerate(chain, 1)],
          "the chain is not the one that you noted")
    committed = {record["job_hash"]: (at, record["commitment"]) for at, record in enumerate(chain, 1)}
    batch, shown = get(f"/batches/{number}"), get(f"/batches/{number}/plan")
    check(shown["plan"], f"this batch has {shown['note']}")
    planned_at, plan_hash = committed.get(sha256("plan:" + batch["batch_id"]), (0, ""))
    check(sha256(shown["plan"]) == plan_hash, "the plan is not the one in the chain")
    plan, games = json.loads(shown["plan"]), {}
    check(plan["kind"] == "batch" and plan["id"] == batch["batch_id"], "the plan is that of something else")
    for name in shown["names"]:
        hashes = [bot["nameHash"] for bot in plan["roster"] if bot["userId"] == name["user_id"]]
        check(hashes == [sha256(f"{name['salt']}:{name['name']}")], f"{name['name']} is not the name in the plan")
    names = {name["user_id"]: name["name"] for name in shown["names"]}
    jobs = read_matches(batch["batch_id"])
    facts_of = ThreadPoolExecutor(8).map(lambda job: json.loads(get(f"/live/job/{job}/commitment")["public_input"]), jobs)
    for (job, players), facts in zip(jobs.items(), facts_of):
        at, _ = committed.get(sha256(job), (0, ""))
        game = facts.get("plan", {}).get("game", 0)
        if facts.get("plan", {}).get("hash") != plan_hash: found.append(f"match {job} is not one of the plan")
        elif at <= planned_at: found.append(f"match {game} ({job}) has no record after the plan's")
        elif game in games or not 1 <= game <= plan["matches"]: found.append(f"match {game} is there twice")
        games[game] = job
        if facts.get("plan") and 1 <= game <= plan["matches"]:
            for seat, (now, then, shown_as) in enumerate(zip(facts["roster"], seats_of(plan, game), players), 1):
                name = names.get(then["userId"], shown_as)
                if name != shown_as: found.append(f"match {game} ({job}): {name} in seat {seat} is shown as {shown_as}")
                if now != then: found.append(f"match {game} ({job}): the bot in seat {seat} was exchanged after the plan")
            rules = {key: facts[key] for key in ("blinds", "hands", "profile", "rulesVersion", "startingStack")}
            if "seeds" in plan:
                table = (game - 1) // (plan["matches"] // len(plan["tables"]))
                taken = {"list": plan["seeds"]["list"], "number": plan["seeds"]["first"] + table}
                if facts.get("seeds") != taken: found.append(f"match {game} ({job}) has another seed than the plan takes")
            if rules != {key: plan[key] for key in rules}: found.append(f"match {game} ({job}) has other rules than the plan")
    deleted = {one["game_number"]: one for one in batch["counts"]["deleted_matches"]}
    for game in range(1, plan["matches"] + 1):
        if game in games: continue
        one = deleted.get(game)
        when = one and ("deleted after it was played" if one["played"] else "deleted before it was played")
        said = f"{when} by {one['deleted_by']} at {one['deleted_at']}, record {one['record_number']}" if one else "not shown"
        if one and one["record_number"] and committed.get(one["job_hash"]) != (one["record_number"], one["commitment"]):
            said += ", whose record in the chain is another one"
        found.append(f"match {game} of the plan is missing: {said}")
    check(not found, "\n".join(["", *found, f"{len(found)} findings. {batch['counts']['note']}"]))
    print(f"verified: all {plan['matches']} matches of the plan, record {planned_at} of the chain, with its bots and rules")
    print(f"Note the head of the chain: {len(chain)}:{chain[-1]['hash']}")

if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4: sys.exit(__doc__.split("\n\n", 1)[1].strip())
    try: verify(*sys.argv[2:])
    except (AttributeError, LookupError, TypeError, ValueError) as wrong: check(False, f"unreadable: {wrong!r}")
