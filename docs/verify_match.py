"""Checks a finished match of Husky Hold'em from public calls alone (docs/fairness.md). Python 3.8 or newer.

python3 verify_match.py ORIGIN JOB_ID [HEAD], where HEAD is a head that you saved: NUMBER:HASH, or a signed head (file).
A private match needs your access token in the environment variable TOKEN.
"""
import base64, hashlib, hmac, json, os, re, struct, sys, time, urllib.error, urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
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

def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def canonical(value): return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)

def deck_of(seed, hand):
    key = hmac.digest(seed, b"deck" + struct.pack(">I", hand), "sha256")
    drawn = (byte for block in range(2**32) for byte in hmac.digest(key, struct.pack(">I", block), "sha256"))
    deck = CODES[:]
    for last in range(51, 0, -1):
        pick = next(byte for byte in drawn if byte < 256 - 256 % (last + 1)) % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck

def read_chain():
    chain, previous, latest = [], "0" * 64, ""
    while page := get(f"/live/commitments?limit=1000&after={len(chain)}")["commitments"]:
        for number, record in enumerate(page, len(chain) + 1):
            body = {"commitment": record["commitment"], "number": number, "previous": previous, "time": record["time"]}
            hash = sha256(canonical({**body, "jobHash": record["job_hash"]}))
            same = record == {**record, **body, "hash": hash} and record["time"] >= latest
            check(same, f"record {number} of the chain was changed")
            previous, latest = hash, record["time"]
        chain += page
    return chain

def head_of(noted):
    lines = open(noted, encoding="utf-8").read().split("\n") + ["", ""] if os.path.exists(noted) else []
    root = re.fullmatch("([A-Za-z0-9+/]{4})+", lines[2].replace("=", "A")) if lines else None
    return f"{lines[1]}:{base64.b64decode(lines[2]).hex()}" if root else noted

def verify(job_id, noted=None):
    chain = read_chain()
    heads = [f"{number}:{record['hash']}" for number, record in enumerate(chain, 1)]
    check(noted is None or head_of(noted) in heads, "the chain is not the one that you noted")
    record = next((record for record in chain if record["job_hash"] == sha256(job_id)), None)
    check(record, "the chain has no record of this match")
    facts, seed = get(f"/live/job/{job_id}/commitment"), get(f"/live/job/{job_id}/seed")["seed"]
    commitment = sha256(canonical({**json.loads(facts["public_input"]), "seed": seed}))
    check(commitment == record["commitment"] == facts["commitment"], "the seed is not the one committed to")
    ids = [game["game_id"] for game in get(f"/live/job/{job_id}/games")["games"]]
    check(ids, "there are no hands")
    made = datetime.fromisoformat(record["time"].replace("Z", "+00:00")).timestamp() * 1000
    for hand, game in enumerate(ThreadPoolExecutor(8).map(lambda id: get("/live/game/" + id)["game_data"], ids), 1):
        began = game["rounds"]["0"]["action_sequence"][0]["timestamp"]
        check(made < began, f"the commitment is not older than hand {hand}")
        deck, board, held = deck_of(bytes.fromhex(seed), hand), game["finalBoard"], game["playerHands"]
        seats = [int(id) - 1 for id, chips in game["playerMoney"]["startingMoney"].items() if chips > 0]
        dealt = held == {str(seat): deck[2 * seat:2 * seat + 2] for seat in seats}
        shown = deck[12:12 + (0, 3, 4, 5)[len(game["rounds"]) - 1]]
        check(len(held) > 1 and dealt and board == shown, f"hand {hand} was not dealt from the seed")
    print(f"verified: {len(ids)} hands of the seed; record {record['number']} of the chain, made {record['time']}")
    print("Not covered (husky verify covers more): " + ", ".join(sorted(game.keys() - {"playerHands", "finalBoard"})))
    print(f"Note the head of the chain: {heads[-1]}")

if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4: sys.exit(__doc__.split("\n\n", 1)[1].strip())
    verify(*sys.argv[2:])
