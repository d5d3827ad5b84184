"""Implements decks, commitment and digest with Python's standard library only and prints the tests' vectors.

Anyone can check a published match with these few lines. They also prove that the README describes the algorithms completely.
"""

import hashlib
import hmac
import json
import struct

SEED = bytes(range(32))
CODES = [rank + suit for rank in "23456789TJQKA" for suit in "hdcs"]


def deck_for(seed: bytes, hand: int) -> list[int]:
    """Returns the deck of a hand."""
    key = hmac.new(seed, b"deck" + struct.pack(">I", hand), hashlib.sha256).digest()
    deck = list(range(52))
    stream, blocks = b"", 0
    for last in range(51, 0, -1):
        limit = 256 - 256 % (last + 1)
        while True:
            if not stream:
                stream = hmac.new(key, struct.pack(">I", blocks), hashlib.sha256).digest()
                blocks += 1
            byte, stream = stream[0], stream[1:]
            if byte < limit:
                break
        pick = byte % (last + 1)
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck


def player_ids(seed: bytes, seats: int) -> list[int]:
    """Returns the ids by which bots know the players, by seat."""
    key = hmac.new(seed, b"player-ids" + struct.pack(">I", 0), hashlib.sha256).digest()
    ids: list[int] = []
    block = 0
    while len(ids) < seats:
        number = int.from_bytes(hmac.new(key, struct.pack(">I", block), hashlib.sha256).digest()[:4], "big")
        if number >= 10**9 and number not in ids:
            ids.append(number)
        block += 1
    return ids


def canonical(value: object) -> bytes:
    """Returns JSON in the form that commitment and digest hash."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


for number in (1, 2, 1000):
    print(number, "".join(CODES[card] for card in deck_for(SEED, number)))

print("player ids", player_ids(SEED, 6))

commitment = {
    "blinds": {"bigBlind": 10, "interval": 30, "multiplier": "1.5"},
    "hands": 1000,
    "profile": "documented",
    "roster": [
        {"botHash": "b" * 64, "packagesHash": "", "userId": "u1"},
        {"botHash": "c" * 64, "packagesHash": "d" * 64, "userId": "u2"},
    ],
    "rulesVersion": 1,
    "seed": SEED.hex(),
    "startingStack": 10000,
}
print("commitment", hashlib.sha256(canonical(commitment)).hexdigest())

start = hashlib.sha256(b"0190b0a4-7c1e-8abc-9def-000000000000:2").digest()
hand = [7, 1760000000000, [[0, 0, 4, 5, 0, 0, None, None], [0, 1, 4, 10, 0, 0, None, None], [0, 0, 1, 0, 0, 12, "exception", "TypeError: 'é'"]], [-5, 5]]
print("digest", start.hex(), hashlib.sha256(start + canonical(hand)).hexdigest())
