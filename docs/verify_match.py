"""Checks a finished match of Husky Hold'em from public calls alone (docs/fairness.md). Python 3.8 or newer.

python3 verify_match.py ORIGIN JOB_ID [HEAD], where HEAD is a head that you saved: NUMBER:HASH, or a signed head (file).
Environment: TOKEN, your access token, for a private match; NONCE, that of your upload, on which the cards must depend.
"""
import base64, hashlib, hmac, json, os, re, struct, sys, time, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "hdcs"]

def check(holds, failure):
    if not holds: sys.exit("NOT VERIFIED: " + failure)

def get(path):
    headers = {"Accept": "application/json"}
    if "TOKEN" in os.environ: headers["Authorization"] = "Bearer " + os.environ["TOKEN"]
    try:
        request = urllib.request.Request(sys.argv[1] + path, headers=headers)
        return json.load(urllib.request.urlopen(request, timeout=60))
    except (urllib.error.URLError, ValueError) as refusal:
        check(hasattr(refusal, "code"), f"{sys.argv[1]}{path} cannot be read: {refusal}")
        check(refusal.code == 429, f"{path} answers {refusal.code} {refusal.read().decode()}")
        time.sleep(int(refusal.headers["Retry-After"]))
        return get(path)

def seconds(time): return datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def canonical(value): return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)

def deck_of(deal_key, hand):
    key = hmac.digest(deal_key, b"deck" + struct.pack(">I", hand), "sha256")
    drawn = (byte for block in range(2**32) for byte in hmac.digest(key, struct.pack(">I", block), "sha256"))
    deck = CODES[:]
    for last in range(51, 0, -1):
        pick = next(byte for byte in drawn if byte < 256 - 256 % (last + 1)) % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck

def read_chain():
    chain, previous, latest, follows = [], "0" * 64, "", (1, 0)
    while page := get(f"/live/commitments?limit=1000&after={len(chain)}")["commitments"]:
        for number, record in enumerate(page, len(chain) + 1):
            body = {"commitment": record["commitment"], "number": number, "previous": previous, "time": record["time"]}
            seeds = record.get("seeds") or {}
            if seeds: body["seeds"] = seeds
            hash = sha256(canonical({**body, "jobHash": record["job_hash"]}))
            same = record == {**record, **body, "hash": hash} and record["time"] >= latest
            check(same, f"record {number} of the chain was changed")
            previous, latest = hash, record["time"]
            if not seeds: continue
            taken = (seeds["list"], seeds["first"])
            check(taken in (follows, (follows[0] + 1, 0)), f"record {number} skips or repeats seeds of list {taken[0]}")
            follows = (taken[0], taken[1] + seeds["count"])
        chain += page
    return chain

def deal_key(job_id, facts, seed, proof, chain, notes):
    """Returns what the match is dealt from, once its seed is the one that its plan takes of a list in the chain."""
    key, nonces = bytes.fromhex(seed), sorted({seat["nonce"] for seat in facts["roster"] if "nonce" in seat})
    mine = os.environ.get("NONCE")
    check(mine is None or mine in nonces, "the cards do not depend on your nonce")
    check(("seeds" in facts) == bool(proof), "the seed has no place in a list, or no proof of it")
    if "seeds" not in facts:
        notes.append("Not proven: that nobody chose the seed, which stands in no list of the chain")
        return key
    text, place = get(f"/live/job/{job_id}/plan")["plan"], facts["seeds"]
    records = {record["job_hash"]: record for record in chain}
    plan, listed = json.loads(text), records.get(sha256(f"seeds:{place['list']}"))
    planned = records.get(sha256("plan:" + plan["id"]))
    same = planned and sha256(text) == facts["plan"]["hash"] == planned["commitment"]
    check(same, "its plan is not the one in the chain")
    index = (facts["plan"]["game"] - 1) // (plan["matches"] // len(plan["tables"]))
    seeds = plan["seeds"]
    taken = planned["seeds"] == seeds and place == {"list": seeds["list"], "number": seeds["first"] + index}
    check(taken and index < seeds["count"], "its seed is not the one that its plan takes")
    bots = [{name: bot[name] for name in bot if name != "nameHash"} for bot in plan["roster"]]
    check(all(seat in bots for seat in facts["roster"]), "its bots or nonces are not those of its plan")
    beacon, node = facts.get("beacon"), hashlib.sha256(b"\0" + key).digest()
    late = beacon and beacon["chain"] == QUICKNET and 1692803367 + 3 * (beacon["round"] - 1) <= seconds(planned["time"])
    check(not late, "the round of its beacon was published before its plan")
    waits = {name: beacon[name] for name in ("chain", "round")} if beacon else None
    check(waits == plan.get("beacon"), "its beacon is not that of its plan")
    for level, other in enumerate(map(bytes.fromhex, proof["path"])):
        node = hashlib.sha256(b"\1" + (other + node if place["number"] >> level & 1 else node + other)).digest()
    in_list = listed and proof["record"] == listed and listed["kind"] == "seeds" and node.hex() == listed["commitment"]
    in_list = in_list and len(proof["path"]) == 17 and listed["number"] < planned["number"]
    check(in_list, "its seed does not stand in a list made before its plan")
    notes.append(f"list of the seed: record {listed['number']}; plan: record {planned['number']}; {len(nonces)} nonces")
    if beacon: notes.append(f"Compare beacon round {beacon['round']} with https://api.drand.sh: {beacon['signature']}")
    drawn = beacon and hashlib.sha256(bytes.fromhex(beacon["signature"])).hexdigest()
    return hmac.digest(key, canonical({"beacon": drawn, "nonces": nonces}).encode(), "sha256")
def head_of(noted):
    lines = open(noted, encoding="utf-8").read().split("\n") + ["", ""] if os.path.exists(noted) else []
    root = re.fullmatch("([A-Za-z0-9+/]{4})+", lines[2].replace("=", "A")) if lines else None
    return f"{lines[1]}:{base64.b64decode(lines[2]).hex()}" if root else noted

def verify(job_id, noted=None):
    chain = read_chain()
    heads = [f"{number}:{record['hash']}" for number, record in enumerate(chain, 1)]
    check(noted is None or head_of(noted) in heads, "the chain is not the one that you noted")
    record = next((record for record in chain if record["job_hash"] == sha256(job_id)), None)
    check(record and record.get("kind", "match") == "match", "the chain has no record of this match")
    shown, revealed = get(f"/live/job/{job_id}/commitment"), get(f"/live/job/{job_id}/seed")
    facts, seed = json.loads(shown["public_input"]), revealed["seed"]
    commitment = sha256(canonical({**facts, "seed": seed}))
    check(commitment == record["commitment"] == shown["commitment"], "the seed is not the one committed to")
    key = deal_key(job_id, facts, seed, revealed.get("seed_proof"), chain, notes := [])
    ids = [game["game_id"] for game in get(f"/live/job/{job_id}/games")["games"]]
    check(ids, "there are no hands")
    keys, made = set(), seconds(record["time"]) * 1000
    for hand, game in enumerate(ThreadPoolExecutor(8).map(lambda id: get("/live/game/" + id)["game_data"], ids), 1):
        keys |= game.keys()
        began = game["rounds"]["0"]["action_sequence"][0]["timestamp"]
        check(made < began, f"the commitment is not older than hand {hand}")
        deck, board, held = deck_of(key, hand), game["finalBoard"], game["playerHands"]
        seats = [int(id) - 1 for id, chips in game["playerMoney"]["startingMoney"].items() if chips > 0]
        dealt = held == {str(seat): deck[2 * seat:2 * seat + 2] for seat in seats}
        shown = deck[12:12 + (0, 3, 4, 5)[len(game["rounds"]) - 1]]
        check(len(held) > 1 and dealt and board == shown, f"hand {hand} was not dealt from the seed")
    print(f"verified: {len(ids)} hands of the seed; record {record['number']} of the chain, made {record['time']}")
    print(*notes, sep="\n", end="\n" * bool(notes))
    print("Not covered (husky verify covers more): " + ", ".join(sorted(keys - {"playerHands", "finalBoard"})))
    print(f"Note the head of the chain: {heads[-1]}")

if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4: sys.exit(__doc__.split("\n\n", 1)[1].strip())
    try: verify(*sys.argv[2:])
    except (AttributeError, LookupError, TypeError, ValueError) as wrong: check(False, f"unreadable: {wrong!r}")
